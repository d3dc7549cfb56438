/* The curve that is nearest to its bound, in the file and in the clip. */
#ifndef PAGE_CURVE_H
#define PAGE_CURVE_H

#include "clips/source.h"
#include "report/page_part.h"

/* Charts of some keys of a joint's curve around a time, and of what they differ by. The curve has more
 * than one key. base: what an additive clip is put on; null: its first key. */
void page_put_curve(struct output *o, const struct clip_source *source, const quatsimd_clip_source *base,
                    const quatsimd_clip *clip, const quatsimd_pose_in *pose, size_t joint, int kind,
                    double time, const struct page_bound *bound);

#endif
