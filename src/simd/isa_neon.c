#include "core/isas.h"
#ifdef QUATSIMD_HAS_NEON
#define QUATSIMD_ISA neon
#include "simd/vec/vec_clip_neon.h"
#include "simd/kernels/table.inc.h"
#endif
