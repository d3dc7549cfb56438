#define QUATSIMD_SIMDE
#define QUATSIMD_ISA simd128
#include "vec_sse2.h"
#include "kernels.inc.h"
