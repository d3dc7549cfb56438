#define QUATSIMD_ISA avx512
#include "vec_avx512.h"
#include "kernels.inc.h"
