/* Velocities without checks, for callers that have resolved all views. */
#ifndef QUATSIMD_CLIP_VELOCITY_H
#define QUATSIMD_CLIP_VELOCITY_H

#include "clip/sample/output.h"
#include "clip/sample/time.h"

/* Computes the velocities of the curves of a kind that have their own keys, and writes no others. Writes none
 * where the position is outside. */
void quatsimd_clip_keyed_velocities(const quatsimd_clip *clip, int kind, const clip_position *p,
                                    const clip_output *out);

#endif
