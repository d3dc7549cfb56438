/* Where the bytes of a clip go. */
#ifndef CLIP_SIZE_H
#define CLIP_SIZE_H

#include "quatsimd/clip.h"

/* bytes[joint]: what is there for that joint's curves alone. Returns what is not, head, masks, plans,
 * whole bytes and padding: all together are clip->size. Sixteenths of a byte are the smallest parts, so
 * sums are exact. */
double clip_size_by_joint(const quatsimd_clip *clip, double *bytes);

#endif
