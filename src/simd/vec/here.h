/* The vector layer of four lanes that every CPU of the target has, or else the layer of one lane. Contract:
 * vec.h. HERE_EVERY(v, i) has float number i of the array of vectors v in every lane. */
#include "core/isas.h"

#if defined QUATSIMD_HAS_SSE2 || defined QUATSIMD_HAS_SIMD128
#ifndef QUATSIMD_HAS_SSE2
#define QUATSIMD_SSE2_ANYWHERE
#endif
#include "simd/vec/vec_sse2.h"
#define HERE_EVERY(v, i) _mm_shuffle_ps((v)[0], (v)[0], 0x55 * (i))
#elif defined QUATSIMD_HAS_NEON
#include "simd/vec/vec_neon.h"
#define HERE_EVERY(v, i) vdupq_laneq_f32((v)[0], i)
#else
#include "simd/vec/one.h"
#define HERE_EVERY(v, i) ((v)[i])
#endif
