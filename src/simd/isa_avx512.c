#define QUATSIMD_ISA avx512
#include "simd/vec/vec_avx512.h"
#include "simd/kernels/table.inc.h"
