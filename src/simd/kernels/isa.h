/* The vector layer that kernels are written for: that of the instruction set whose isa_*.c includes them. A
 * kernel that is compiled by itself, as editors do, is one for SSE2. */
#ifndef QUATSIMD_SIMD_KERNEL_ISA_H
#define QUATSIMD_SIMD_KERNEL_ISA_H

#ifndef V_LANES
#ifndef __SSE2__
#define QUATSIMD_SSE2_ANYWHERE
#endif
/* scripts/amalgamate.py does not follow a macro: it would copy this layer for every instruction set. */
#define QUATSIMD_LAYER "simd/vec/vec_clip_sse2.h"
#include QUATSIMD_LAYER
#endif
#ifndef D_LANES
#define D_LANES (V_LANES / 2)
#endif

#endif
