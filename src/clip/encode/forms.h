#ifndef QUATSIMD_CLIP_ENCODE_FORMS_H
#define QUATSIMD_CLIP_ENCODE_FORMS_H

#include "clip/encode/encoder.h"

/* Makes e->straight, which becomes e->source, e->spline and e->grid. likely: as in quatsimd_source_grid. */
quatsimd_status quatsimd_choose_forms(clip_encoder *e, double likely);

/* True if frames would take more bytes than the splines that they replace. */
bool quatsimd_frames_are_dear(const clip_encoder *e);

/* Moves keys of curves that hold or jump to the times of frames that are the same but for rounding. */
quatsimd_status quatsimd_settle(clip_encoder *e);

#endif
