#include "core/isas.h"
#ifdef QUATSIMD_HAS_SSE2
#define QUATSIMD_ISA sse2
#include "simd/vec/vec_clip_sse2.h"
#include "simd/kernels/table.inc.h"
#endif
