#define QUATSIMD_SIMDE
#define QUATSIMD_ISA avx512vbmi_simde
#include "simde_avx512.h"
#define V_PERMUTES_BYTES
#include "simd/vec/vec_clip_avx2.h"
#include "simd/kernels/clip.h"
