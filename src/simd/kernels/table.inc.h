/* The table of the instruction set whose vector layer was included before: the kernels of all codecs and
 * operations, each once for every layout. Included once by each isa_*.c. */
#define D_LANES (V_LANES / 2)
#include "core/dispatch.h"
#include "core/parts.h"
#include "simd/kernels/common.h"
#include "simd/kernels/operations.inc.h"
#include "simd/kernels/algebra.h"
#include "simd/kernels/pose.h"
#include "simd/kernels/qtangent.h"
#include "simd/kernels/stream.h"
#include "simd/kernels/arrays.inc.h"
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

#define TABLE_NAME(isa) quatsimd_kernels_##isa
#define TABLE(isa) TABLE_NAME(isa)
#define STRING_OF(isa) #isa
#define STRING(isa) STRING_OF(isa)

extern const quatsimd_kernels TABLE(QUATSIMD_ISA);
const quatsimd_kernels TABLE(QUATSIMD_ISA) = {
    .name = STRING(QUATSIMD_ISA),
    .lanes = V_LANES,
    .codec =
        {
#define FORMAT(codec, ...) [QUATSIMD_CODEC_##codec] = CODEC_FUNCTIONS(codec),
#include "codec/formats.def"
        },
#ifndef QUATSIMD_ONLY_CLIPS
    .meshopt_to_snorm16x4 = meshopt_to_snorm16x4_loop,
    .half_from_float = half_from_float_loop,
    .half_to_float = half_to_float_loop,
#endif
    .find_invalid = find_invalid_loop,
    .operation =
        {
#define OPERATION(name, where, ...) [QUATSIMD_OPERATION_##name] = IN_##where(name),
#include "rotation/operations.def"
        },
    .aos =
        {
#define OPERATION(name, where, ...) [QUATSIMD_OPERATION_##name] = ON_##where(name),
#include "rotation/operations.def"
        },
    .split4 = split4_loop,
    .join4 = join4_loop,
    .split3 = split3_loop,
    .join3 = join3_loop,
    .split_blocks = split_blocks_loop,
    .join_blocks = join_blocks_loop,
    .clip = &CLIP_KERNELS_OF(QUATSIMD_ISA),
};
