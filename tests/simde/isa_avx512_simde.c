#define QUATSIMD_SIMDE
#define QUATSIMD_ISA avx512_simde
#include "simd/vec/vec_avx512.h"
#include "simd/kernels/table.inc.h"
