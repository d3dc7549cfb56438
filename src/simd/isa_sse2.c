#define QUATSIMD_ISA sse2
#include "simd/vec/vec_sse2.h"
#include "simd/kernels/kernels.inc.h"
