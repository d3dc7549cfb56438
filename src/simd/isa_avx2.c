#define QUATSIMD_ISA avx2
#include "simd/vec/vec_avx2.h"
#include "simd/kernels/kernels.inc.h"
