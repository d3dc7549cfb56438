#define QUATSIMD_ISA sse2
#include "vec_sse2.h"
#include "kernels.inc.h"
