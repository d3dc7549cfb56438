#include "core/isas.h"
#ifdef QUATSIMD_HAS_AVX2
#include "core/intrinsics.h"
QUATSIMD_TARGET("avx2,f16c")

#define QUATSIMD_ISA avx2
#include "simd/vec/vec_clip_avx2.h"
#include "simd/kernels/table.inc.h"

QUATSIMD_TARGET_END

#ifdef QUATSIMD_HAS_AVX512VBMI /* outside of the target: clang takes two of one name for versions of it */
DECLARE_CLIP_PACKED(avx512vbmi)
DEFINE_CLIP_KERNELS(avx512vbmi)
#endif
#endif
