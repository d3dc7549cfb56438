#define QUATSIMD_ISA sse2
#include "simd/vec/vec_clip_sse2.h"
#include "simd/kernels/table.inc.h"
