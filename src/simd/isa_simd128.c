#include "core/isas.h"
#ifdef QUATSIMD_HAS_SIMD128
#define QUATSIMD_SSE2_ANYWHERE
#define V_SHUFFLES_BYTES
#define QUATSIMD_ISA simd128
#include "simd/vec/vec_clip_sse2.h"
#include "simd/kernels/table.inc.h"
#endif
