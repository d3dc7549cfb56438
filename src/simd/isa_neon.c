#define QUATSIMD_ISA neon
#include "simd/vec/vec_neon.h"
#include "simd/kernels/table.inc.h"
