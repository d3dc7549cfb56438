#define QUATSIMD_SIMDE
#define QUATSIMD_ISA avx512_simde
#include "simd/vec/vec_avx512.h"
#include "simd/kernels/table.inc.h"

extern const quatsimd_clip_kernels quatsimd_clip_kernels_avx512vbmi_simde;
#undef CLIP_KERNELS_OF
#define CLIP_KERNELS_OF(isa) quatsimd_clip_kernels_avx512vbmi_simde
#define TABLE_ISA avx512vbmi_simde
#include "core/table.inc.h"
