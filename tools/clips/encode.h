/* Encodes the animations of a file as quatsimd_clip_encode wants them, and checks what came out. */
#ifndef CLIP_ENCODE_H
#define CLIP_ENCODE_H

#include "base/threads.h"
#include "check/tracks.h"
#include "clips/base.h"
#include "clips/joint_bounds.h"
#include "quatsimd/bundle.h"
#include "scene/skeleton.h"

/* Clips that loop: none; all, or it is an error; those of which the last keys are the first ones again; all,
 * and the others get the first keys once more behind the last. */
enum clip_loop { CLIP_LOOP_NONE, CLIP_LOOP_ALL, CLIP_LOOP_AUTO, CLIP_LOOP_CLOSE };

struct clip_settings {
  struct bounds_asked asked; /* a bound in object space stands for the others, which are 0 */
  double rate;               /* 0: the keys' own */
  double track_bound;
  bool track_given; /* people gave it: bounds of the mesh do not widen it */
  int only;         /* one kind of curves, others have no bounds; -1: all */
  enum clip_loop loop;
  bool additive;                    /* to the first keys */
  const struct clip_base *base;     /* to another animation; null: none */
  const struct joint_rules *joints; /* null: there are none */
  const char *const *animations;    /* patterns of names (base/glob.h), which null ends; null: all */
  bool sifts;  /* files in which no animation is called so are passed over; else that is an error */
  bool bundle; /* clips go into bundles */
  struct skeleton_choice skeleton;
  struct threads threads; /* that a long animation is encoded on */
};

/* An animation, encoded. */
struct clip_result {
  const char *path;             /* of the file it came from */
  size_t number;                /* of the animation in the file */
  char *name, *clip_name;       /* of the animation; of the clip in its bundle, null if there is none */
  quatsimd_bundle_event *event; /* marks in its time; the result's, names too */
  size_t events;
  char *extras; /* what glTF has beside the animation, as JSON; null: nothing */
  void *data;
  size_t size;                    /* in a bundle, as soon as it is there; before, of the data */
  quatsimd_clip *clip;            /* null after its bytes were given back */
  quatsimd_clip_storage *storage; /* of the clip */
  size_t joints, frames;          /* of the clip, and does it loop? */
  bool looping;
  quatsimd_clip_report report;
  size_t keys[QUATSIMD_CLIP_KIND_COUNT]; /* in the file */
  double seconds;                        /* from the first key to the last */
  double encode_seconds;
  struct bounds_asked asked;
  struct bounds bounds; /* that it keeps, as they were asked for */
  struct clip_track_error track_error;
  struct clip_error error[CLIP_CHECK_ERRORS];
  double share[CLIP_CHECK_ERRORS]; /* of its bound, the largest of any joint; 0: without a bound */
  /* the joint that uses the most of its bound: its points, or vertices for a bound of the mesh, or its own
   * rotation, translation or scale; null: none has a bound */
  char *nearest;
  double nearest_share, nearest_time;
  double closed; /* seconds of the frame that closes the loop; 0: none was added */
};

enum clip_outcome {
  CLIP_GOOD,
  CLIP_EMPTY,  /* no curves of that kind */
  CLIP_MISSED, /* encoded, beyond a bound, and the encoder says so; complained of */
  CLIP_WRONG,  /* encoded, beyond a bound that the encoder says it holds; complained of */
  CLIP_BAD     /* no result; complained of */
};

/* How the animations of a file are encoded. */
struct clip_plan {
  const struct clip_settings *settings;
  const char *path;
  const struct skeleton *skeleton;
  struct bounds_asked asked;  /* by the settings; without a bound of the mesh if there is none */
  struct bounds bounds;       /* of the file, as the settings ask for them */
  struct joint_bounds joints; /* in its unit */
  const struct texts *only;   /* joints and tracks that clips have curves of; null: all */
};

/* Encodes an animation of the file. At a rate below that of its keys the clip has fewer frames, if these hold
 * its bounds and take fewer bytes. */
enum clip_outcome clip_encode(const struct clip_plan *plan, size_t animation, struct clip_result *result);
struct clip_keys;
/* The same with these keys. */
enum clip_outcome clip_encode_keys(const struct clip_plan *plan, size_t animation,
                                   const struct clip_keys *keys, struct clip_result *result);
/* How many curves keep their own keys, which fit no frames, if these are most curves; else 0. */
size_t clip_own_keys(const quatsimd_clip_report *report);
void clip_result_free(struct clip_result *result);
/* Gives the bytes of the clip back; its figures stay. */
void clip_result_drop(struct clip_result *result);
/* Takes figures from the clip. */
void clip_result_describe(struct clip_result *result);

/* The size of so many keys of each kind as floats: 16 bytes a rotation, 12 a translation or scale, 4 a
 * track. */
double clip_key_bytes(const size_t keys[QUATSIMD_CLIP_KIND_COUNT]);

#endif
