/* All kernels of an instruction set, and their table. Each isa_*.c includes this file once, after its vector
 * layer. */
#include "core/operand.h"
#include "core/parts.h"
#include "simd/kernels/common.h"
#include "simd/kernels/algebra.h"
#include "simd/kernels/pose.h"
#include "simd/kernels/qtangent.h"
#include "simd/kernels/stream.h"
#include "simd/kernels/codecs.inc.h"
#ifdef QUATSIMD_SIMD_VEC_CLIP_H
#include "simd/kernels/clip.h"
#define CLIP_KERNELS_OF CLIP_KERNELS
#else /* For clips AVX-512 uses the kernels of AVX2, which all CPUs with AVX-512 have: a group of eight
       * curves would fill half of the 16 lanes. Two groups in one vector were tried and are no faster. */
#include "clip/kernels.h"
extern const quatsimd_clip_kernels quatsimd_clip_kernels_avx2;
#define CLIP_KERNELS_OF(isa) quatsimd_clip_kernels_avx2
#endif

#include "core/table.inc.h"
