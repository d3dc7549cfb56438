/* How far a clip is from its source: measured here, in double, whatever the encoder says of it. */
#ifndef CLIP_CHECK_H
#define CLIP_CHECK_H

#include <stdbool.h>

#include "quatsimd/clip.h"

enum { CLIP_CHECK_OBJECT = QUATSIMD_CLIP_KINDS, CLIP_CHECK_ERRORS };

struct clip_error {
  double worst; /* angle in radians, length, largest component; length at the distance from the joint */
  size_t joint; /* where */
  double time;
};

/* All that was found of one joint. */
struct clip_tally {
  size_t count; /* keys compared; of an object times */
  double worst, sum;
  double time; /* of the worst */
};

void clip_tally_add(struct clip_tally *tally, double off, double time);

/* Samples the clip at the times of all keys, one after the other. found(context, kind, ...) gets how far
 * off a curve is at each of its own keys; found(context, CLIP_CHECK_OBJECT, ...), if distance is not 0,
 * all joints at all those times: how far the points at that distance from a joint, fixed to it, are off
 * where the root is. A NaN is infinity. The clip has as many joints as the source. Where a
 * curve's times do not rise, the keys from there on are not compared. rest, if it is not null: which
 * curves of the source, [3 * joint + kind], say where a joint stands that does not move. A clip may leave
 * them out. */
typedef void clip_check_found(void *context, int of, size_t joint, double time, double off);
quatsimd_status clip_check_each(const quatsimd_clip_source *source, const quatsimd_clip *clip,
                                double distance, const bool *rest, clip_check_found *found, void *context);

/* The worst of all that. tally, if it is not null: of each joint, zeroed before. */
quatsimd_status clip_check(const quatsimd_clip_source *source, const quatsimd_clip *clip, double distance,
                           const bool *rest, struct clip_error error[CLIP_CHECK_ERRORS],
                           struct clip_tally (*tally)[CLIP_CHECK_ERRORS]);

/* The curve of a joint. */
const quatsimd_curve *clip_check_curve(const quatsimd_clip_joint *joint, int kind);

#endif
