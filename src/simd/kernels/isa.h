/* Each isa_*.c includes the vector layer of its instruction set before the kernels. A kernel that is compiled
 * by itself, as editors do, takes the layer of SSE2 from here. */
#ifndef QUATSIMD_SIMD_KERNEL_ISA_H
#define QUATSIMD_SIMD_KERNEL_ISA_H

#ifndef V_LANES
#ifndef __SSE2__
#define QUATSIMD_SSE2_ANYWHERE
#endif
/* scripts/amalgamate.py skips an #include of a macro. Else it would copy this layer for every isa_*.c. */
#define QUATSIMD_LAYER "simd/vec/vec_clip_sse2.h"
#include QUATSIMD_LAYER
#endif
#endif
