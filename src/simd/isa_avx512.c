#include "core/isas.h"
#ifdef QUATSIMD_HAS_AVX512
QUATSIMD_MACROS_CHANGE_SIGNS
#include "core/intrinsics.h"
QUATSIMD_TARGET("avx512f,avx512bw,avx512dq,avx512vl,avx2,f16c")

#define QUATSIMD_ISA avx512
#include "simd/vec/vec_avx512.h"
#include "simd/kernels/table.inc.h"

#ifdef QUATSIMD_HAS_AVX512VBMI
extern const quatsimd_clip_kernels quatsimd_clip_kernels_avx512vbmi;
#undef CLIP_KERNELS_OF
#define CLIP_KERNELS_OF(isa) quatsimd_clip_kernels_avx512vbmi
#define TABLE_ISA avx512vbmi
#include "core/table.inc.h"
#endif

QUATSIMD_TARGET_END
#endif
