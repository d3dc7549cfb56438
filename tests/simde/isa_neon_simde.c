#define QUATSIMD_SIMDE
#define QUATSIMD_ISA neon_simde
#include "simd/vec/vec_clip_neon.h"
#include "simd/kernels/table.inc.h"
