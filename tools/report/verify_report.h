/* The report of `quatsimd verify`. */
#ifndef VERIFY_REPORT_H
#define VERIFY_REPORT_H

#include "bundles/origin.h"
#include "clips/base.h"
#include "clips/bounds.h"
#include "clips/source.h"

struct verification {
  struct clip_file clip;
  const char *name; /* of the clip in the bundle at clip.path; null: the clip is a file */
  struct clip_origin origin;
  const char *file;                    /* that it is compared with */
  const struct scene_changes *changes; /* that the record says */
  struct skeleton *skeleton;
  size_t animation; /* of the skeleton's scene */
  struct clip_source source;
  const struct clip_base *base;    /* that it is put on; null: none */
  double moved;                    /* of keys, seconds, as clip_source_move */
  bool changed;                    /* is the file another than the clip was made of? */
  bool options;                    /* is a bound of the options', not the record's? */
  struct bounds bounds, of_record; /* the second: those of the record that no option replaces */
  struct clip_error error[CLIP_CHECK_ERRORS];
  struct bounds_use use[CLIP_CHECK_ERRORS]; /* of the bounds */
  struct clip_track_error tracks;
  double track_bound;                            /* 0: none */
  bool track_given;                              /* by an option, for all tracks */
  struct clip_tally (*tally)[CLIP_CHECK_ERRORS]; /* of each joint */
};

/* How far a vertex is off at most, and where; off 0: the clip has no bound of the mesh. Tracks share it. */
struct verify_vertices {
  double off;   /* millimetres, or units of the file where that does not say what they are */
  bool metric;  /* the former */
  bool by_hand; /* but for vertices of joints with other bounds, or the clip has another */
  char *where;  /* "head, 0.30 s of Walk"; to be freed */
};
struct verify_vertices verify_vertices(const struct verification *v);
void verify_vertices_print(const struct verify_vertices *vertices);

/* The kinds that are compared: as in a clip_check (clip_check_names), and tracks. */
enum { VERIFY_TRACKS = CLIP_CHECK_ERRORS, VERIFY_KINDS };

bool verify_has_bound(const struct verification *v);

/* Is a bound of this kind not held? */
bool verify_is_beyond(const struct verification *v, int kind);

/* Of all joints, or tracks. */
struct clip_tally verify_total(const struct verification *v, int kind);
double verify_mean(const struct clip_tally *tally);

/* Adds errors of a kind; null if there are none. */
cJSON *verify_add_tally(cJSON *entry, int kind, const struct clip_tally *tally);

void verify_report_print(const struct verification *v);
cJSON *verify_report_tree(const struct verification *v);

#endif
