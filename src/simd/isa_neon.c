#define QUATSIMD_ISA neon
#include "vec_neon.h"
#include "kernels.inc.h"
