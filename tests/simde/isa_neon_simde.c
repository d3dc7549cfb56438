#define QUATSIMD_SIMDE
#define QUATSIMD_ISA neon_simde
#include "simd/vec/vec_neon.h"
#include "simd/kernels/kernels.inc.h"
