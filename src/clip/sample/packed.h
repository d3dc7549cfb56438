/* Moving curves straight from their packed bytes. */
#ifndef QUATSIMD_CLIP_PACKED_H
#define QUATSIMD_CLIP_PACKED_H

#include "clip/sample/groups.h"
#include "clip/sample/output.h"

/* Samples up to `most` groups, which are at most CLIP_AT_ONCE, from w on at a position, whose rows these are,
 * and moves w on. False if the next one must go by itself. */
bool quatsimd_clip_sample_groups(clip_walk *w, size_t most, const clip_position *p,
                                 const quatsimd_clip_row row[2], const clip_output *out);

/* One group. Behind its last curve there may be anything. */
void quatsimd_clip_sample_group(float value[CLIP_GROUP][4], clip_walk *w, const clip_position *p,
                                const quatsimd_clip_row row[2]);

/* Curve i alone of the group that w is at, which has no raw curves. w stays where it is. */
void quatsimd_clip_sample_curve(float value[4], const clip_walk *w, size_t i, const clip_position *p,
                                const quatsimd_clip_row row[2]);

#endif
