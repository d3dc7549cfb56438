/* Turns a clip of a bundle into a separate one. */
#ifndef QUATSIMD_BUNDLE_SEPARATE_H
#define QUATSIMD_BUNDLE_SEPARATE_H

#include "quatsimd/clip.h"

/* Writes an opened clip as quatsimd_clip_encode wrote it before it went into a bundle, to the same bytes.
 * The caller frees *data with quatsimd_clip_free. Returns QUATSIMD_OK, or QUATSIMD_ERROR_NO_MEMORY. */
quatsimd_status quatsimd_clip_separate(void **data, size_t *size, const quatsimd_clip *clip,
                                       const quatsimd_allocator *allocator);

#endif
