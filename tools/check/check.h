/* How far a clip is from its source: measured here, in double, whatever the encoder says of it. */
#ifndef CLIP_CHECK_H
#define CLIP_CHECK_H

#include <stdbool.h>

#include "quatsimd/clip.h"

enum { CLIP_CHECK_OBJECT = QUATSIMD_CLIP_JOINT_KIND_COUNT, CLIP_CHECK_ERRORS };

/* "rotation", "translation", "scale", "object" and "track" */
extern const char *const clip_check_names[CLIP_CHECK_ERRORS + 1];

/* Errors: angle in radians, length, largest component; length at the distance from the joint. */
struct clip_error {
  double worst;            /* at any time that was looked at */
  double at_keys, between; /* its two parts */
  double rounding;         /* what floats may add to a bound, of any joint */
  size_t joint;            /* where it is worst */
  double time;
};

/* All that was found of one joint. */
struct clip_tally {
  size_t count; /* keys compared; of an object times of keys */
  double sum;   /* of their errors */
  double worst, at_keys, between;
  double time;     /* of the worst */
  double rounding; /* what floats may add to the joint's bound */
};

void clip_tally_add(struct clip_tally *tally, double off, double time, bool at_key);

/* A clip, and what it is compared with. */
struct clip_pair {
  const quatsimd_clip_source *source; /* with as many joints and tracks as the clip */
  /* what a clip that is additive to another animation is put on, with as many, too; a curve that it has none
   * of stands as the source's first key; null: none */
  const quatsimd_clip_source *base;
  const quatsimd_clip *clip;
  double distance; /* of points from joints whose object_distance is 0; 0: points are not compared */
  /* which curves of the source, [3 * joint + kind], say where a joint stands that does not move: the clip may
   * leave them out; null: none */
  const bool *rest;
  const quatsimd_pose_in *pose; /* what the clip is sampled with; may be null */
};

/* Samples the clip at the times of all keys, the source's and its own, and of its frames, at the quarters
 * from each such time to the next, or in more steps where errors come and go on the way, and beyond the
 * last. found(context, kind, ...) gets how far off a curve is, by its source's own interpolation: at its
 * keys (at_key) and at all those other times. found(context, CLIP_CHECK_OBJECT, ...), if distance is not 0,
 * gets how far the points at that distance from a joint, fixed to it, are off where the root is; at_key: at
 * the time of any key. A time may be off by 2^-23 of the largest one, as floats are: where a curve jumps
 * either side is right. A NaN is infinity. Where a curve's times do not rise, it is not compared from there
 * on. */
typedef void clip_check_found(void *context, int of, size_t joint, double time, double off, bool at_key);
quatsimd_status clip_check_each(const struct clip_pair *pair, clip_check_found *found, void *context);

/* The worst of all that; where nothing turns or slides much the middle stands for the quarters. tally, if
 * it is not null: of each joint, zeroed before. */
quatsimd_status clip_check(const struct clip_pair *pair, struct clip_error error[CLIP_CHECK_ERRORS],
                           struct clip_tally (*tally)[CLIP_CHECK_ERRORS]);

#endif
