/* A scene: sources, options and a skeleton that random numbers choose, and the features that it combines. */
#ifndef COMBINATIONS_SCENE_H
#define COMBINATIONS_SCENE_H

#include "quatsimd/bundle.h"

#include <stdbool.h>

/* Features, each drawn or left out for a whole scene. Each decision has random numbers of its own, so that a
 * scene without a feature is otherwise the same. The second column: in how many of 100 scenes. */
#define FEATURES(X)                                                                                          \
  X(splines, 45)   /* curves with tangents */                                                                \
  X(wild, 20)      /* tangents of up to 1e4 */                                                               \
  X(nearzero, 25)  /* rotations' splines that pass close to zero */                                          \
  X(holds, 40)     /* curves that jump from key to key */                                                    \
  X(own, 60)       /* joints and tracks with bounds of their own */                                          \
  X(object, 45)    /* bounds of points in model space */                                                     \
  X(scales, 50)    /* scales that differ by axis */                                                          \
  X(negative, 25)  /* negative scales, and some that pass through 0 */                                       \
  X(first, 15)     /* additive to the first keys */                                                          \
  X(base, 15)      /* additive to a base */                                                                  \
  X(moving, 70)    /* the base moves */                                                                      \
  X(loop, 40)      /* the clip loops */                                                                      \
  X(clocks, 60)    /* times far outside the clip */                                                          \
  X(uneven, 40)    /* keys at any times */                                                                   \
  X(shorter, 35)   /* curves that begin later or end earlier than others */                                  \
  X(sparse, 40)    /* keys at some of the frames */                                                          \
  X(floats, 50)    /* times rounded to float */                                                              \
  X(starts, 60)    /* starts other than 0 */                                                                 \
  X(given, 12)     /* options.rate */                                                                        \
  X(tracks, 35)    /* float tracks */                                                                        \
  X(skeleton, 50)  /* a rest pose */                                                                         \
  X(rest, 50)      /* curves that are absent, or at the rest pose */                                         \
  X(single, 40)    /* curves of one key */                                                                   \
  X(bundle, 20)    /* several clips of the skeleton in a bundle */                                           \
  X(deep, 8)       /* chains of up to 200 joints */                                                          \
  X(halfturns, 30) /* half turns from key to key, exact ones and nearly */                                   \
  X(flips, 40)     /* quaternions of either sign */                                                          \
  X(jumps, 25)     /* linear curves with a leap in one interval */                                           \
  X(big, 25)       /* translations of up to 1e4, tracks of up to 1e3 */                                      \
  X(snapped, 30)   /* options.snap_times */                                                                  \
  X(closed, 12)    /* options.close_loop */

enum feature {
#define FEATURE(name, chance) HAS_##name,
  FEATURES(FEATURE)
#undef FEATURE
      FEATURE_COUNT
};
extern const char *const feature_names[FEATURE_COUNT];

enum { ROTATION, TRANSLATION, SCALE, TRACK, POINT, KINDS };
static const int components_of[] = {4, 3, 3, 1};

typedef struct chunk chunk; /* memory of a scene */

/* A pose in floats: x y z w, x y z, x y z of each joint, and the tracks. */
typedef struct float_pose {
  float *rotations, *translations, *scales, *tracks;
} float_pose;

typedef struct scene {
  uint64_t seed;
  unsigned clip; /* number of the clip, of a bundle */
  uint32_t has;  /* a bit for each feature */
  size_t joint_count, track_count;
  quatsimd_clip_joint *joints, *base_joints;
  quatsimd_clip_track *tracks, *base_tracks;
  quatsimd_clip_source source, base;
  quatsimd_clip_options options;
  float_pose rest; /* the skeleton's rest pose, else identities */
  unsigned char *skeleton_bytes;
  size_t skeleton_size;
  const quatsimd_skeleton *skeleton; /* null: none */
  quatsimd_skeleton_storage storage;
  double rate, start; /* frames that keys are at */
  size_t frames;
  chunk *memory;
} scene;

static inline bool has(const scene *s, enum feature f) { return s->has >> f & 1; }

/* Draws clip number `clip` of a seed. Its features are those of the seed but `without`, a bit for each. */
void scene_draw(scene *s, uint64_t seed, unsigned clip, uint32_t without);
void scene_free(scene *s);
/* Memory of zeros, until scene_free. */
void *scene_memory(scene *s, size_t size);
float_pose scene_floats(scene *s);
/* Random numbers for one decision. */
uint64_t scene_dice(const scene *s, const char *decision, size_t a, size_t b);

/* The curve of a kind of a joint, or of a track. */
static inline quatsimd_curve *curve_of(quatsimd_clip_joint *joints, quatsimd_clip_track *tracks, int kind,
                                       size_t number) {
  return kind == ROTATION      ? &joints[number].rotation
         : kind == TRANSLATION ? &joints[number].translation
         : kind == SCALE       ? &joints[number].scale
                               : &tracks[number].curve;
}
/* The rest value of a joint or track. */
static inline const float *rest_of(const scene *s, int kind, size_t number) {
  const float_pose *r = &s->rest;
  return kind == ROTATION      ? r->rotations + 4 * number
         : kind == TRANSLATION ? r->translations + 3 * number
         : kind == SCALE       ? r->scales + 3 * number
                               : r->tracks + number;
}
static inline size_t count_of(const scene *s, int kind) {
  return kind == TRACK ? s->track_count : s->joint_count;
}

#endif
