/* The kernels of the instruction set whose vector layer was included before: those of all codecs and
 * operations, and their table. Included once by each isa_*.c. */
#include "core/operand.h"
#include "core/parts.h"
#include "simd/kernels/common.h"
#include "simd/kernels/operations.inc.h"
#include "simd/kernels/algebra.h"
#include "simd/kernels/pose.h"
#include "simd/kernels/qtangent.h"
#include "simd/kernels/stream.h"
#include "simd/kernels/codecs.inc.h"
#ifdef QUATSIMD_SIMD_VEC_CLIP_H
#include "simd/kernels/clip.h"
#define CLIP_KERNELS_OF CLIP_KERNELS
#else /* AVX-512: a clip's curves come in groups of eight, and half of 16 lanes would be empty. Two groups in
       * one vector were tried and gained nothing. All that runs AVX-512 has AVX2: its kernels do it. */
#include "clip/kernels.h"
extern const quatsimd_clip_kernels quatsimd_clip_kernels_avx2;
#define CLIP_KERNELS_OF(isa) quatsimd_clip_kernels_avx2
#endif

#include "core/table.inc.h"
