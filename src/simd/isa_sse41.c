#include "core/isas.h"
#ifdef QUATSIMD_HAS_SSE41
#include <smmintrin.h>
QUATSIMD_TARGET("sse4.1")

/* isa_sse2.c has the table, and the other kernels in it. */
#define QUATSIMD_ISA sse41
#define V_SHUFFLES_BYTES
#include "simd/vec/vec_clip_sse2.h"
#include "simd/kernels/clip_packed.h"

QUATSIMD_TARGET_END
#endif
