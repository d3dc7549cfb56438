#define QUATSIMD_ISA neon
#include "simd/vec/vec_neon.h"
#include "simd/kernels/kernels.inc.h"
