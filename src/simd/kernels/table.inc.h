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
#include "simd/kernels/place.h"
#define CLIP_KERNELS_OF CLIP_KERNELS
#define PLACE_KERNEL PLACE(QUATSIMD_ISA)
#else /* For clips AVX-512 uses the kernels of AVX2, which all CPUs with AVX-512 have: a group of eight
       * curves would fill half of the 16 lanes. Two groups in one vector were tried and are no faster. A
       * matrix of three rows of four does not fill 16 lanes either. */
#include "clip/kernels.h"
#include "pose/block.h"
#define PLACE_KERNEL quatsimd_pose_place_avx2
extern const quatsimd_clip_kernels quatsimd_clip_kernels_avx2;
#define CLIP_KERNELS_OF(isa) quatsimd_clip_kernels_avx2
#endif

#include "core/table.inc.h"
