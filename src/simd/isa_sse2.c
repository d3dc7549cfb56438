#include "core/isas.h"
#ifdef QUATSIMD_HAS_SSE2
#define QUATSIMD_ISA sse2
#include "simd/vec/vec_clip_sse2.h"
#include "simd/kernels/table.inc.h"

#ifdef QUATSIMD_HAS_SSE41
DECLARE_CLIP_PACKED(sse41)
DEFINE_CLIP_KERNELS(sse41)
#define TABLE_ISA sse41
#include "core/table.inc.h"
#endif
#endif
