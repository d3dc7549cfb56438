/* Closes loops whose last key was left out. */
#ifndef QUATSIMD_CLIP_CLOSE_H
#define QUATSIMD_CLIP_CLOSE_H

#include "clip/encode/grid.h"

/* Replaces a source and, if not null, its base by copies in `memory` that have one frame more, at whose end
 * each curve has its first value again. Fills the report's gap and ends. Returns QUATSIMD_ERROR_NO_MEMORY,
 * or QUATSIMD_ERROR_BAD_KEY or QUATSIMD_ERROR_BAD_ARGUMENT if there can be no such frame. */
quatsimd_status quatsimd_close_loop(quatsimd_memory *memory, const quatsimd_clip_source **source,
                                    const quatsimd_clip_source **base, const quatsimd_clip_options *options,
                                    quatsimd_clip_report *report);

#endif
