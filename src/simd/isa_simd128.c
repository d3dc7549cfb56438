#define QUATSIMD_SIMDE
#define QUATSIMD_ISA simd128
#include "simd/vec/vec_clip_sse2.h"
#include "simd/kernels/table.inc.h"
