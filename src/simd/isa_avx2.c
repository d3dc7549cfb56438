#define QUATSIMD_ISA avx2
#include "simd/vec/vec_clip_avx2.h"
#include "simd/kernels/table.inc.h"
