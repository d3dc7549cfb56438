/* What the kernels are measured against: the loops people write instead of calling a library. They read and
 * write the word of smallest3_32, array of structures, and do less than the library does: lengths are taken
 * to be 1 (but for _any), nothing is checked, and a word that no encoder writes gives a quaternion of some
 * other length. CMakeLists.txt has the flags: -O3, no -march. */
#ifndef QUATSIMD_BASELINES_H
#define QUATSIMD_BASELINES_H

#include <stddef.h>
#include <stdint.h>

/* No branch on the data, so that the compiler vectorises the loop. */
void baseline_select_pack(uint32_t *restrict packed, const float *restrict xyzw, size_t count);
void baseline_select_unpack(float *restrict xyzw, const uint32_t *restrict packed, size_t count);

/* Packs quaternions of any length, as the library does; unchecked still. */
void baseline_select_pack_any(uint32_t *restrict packed, const float *restrict xyzw, size_t count);

/* The textbook: find the largest, store the others by index. */
void baseline_textbook_pack(uint32_t *restrict packed, const float *restrict xyzw, size_t count);
void baseline_textbook_unpack(float *restrict xyzw, const uint32_t *restrict packed, size_t count);

#endif
