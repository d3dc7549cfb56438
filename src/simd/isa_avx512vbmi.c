#include "core/isas.h"
#ifdef QUATSIMD_HAS_AVX512VBMI
#include "core/intrinsics.h"
QUATSIMD_TARGET("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vnni,avx2,f16c")

/* isa_avx2.c has the table of clip kernels, and isa_avx512.c the table of all kernels. */
#define QUATSIMD_ISA avx512vbmi
#define V_PERMUTES_BYTES
#include "simd/vec/vec_clip_avx2.h"
#include "simd/kernels/clip_packed.h"

QUATSIMD_TARGET_END
#endif
