#define QUATSIMD_ISA avx2
#include "vec_avx2.h"
#include "kernels.inc.h"
