/* Defines the table of QUATSIMD_ISA. If TABLE_ISA is defined, defines the table of TABLE_ISA, which has the
 * kernels of QUATSIMD_ISA except those for clips. simd/kernels/table.inc.h and scalar/scalar.c include this
 * file: both give their kernels the same names. CLIP_KERNELS_OF(isa) names the kernels of clips, PLACE_KERNEL
 * the one that multiplies matrices. */
#define TABLE_NAME(isa) quatsimd_kernels_##isa
#define TABLE(isa) TABLE_NAME(isa)
#define STRING_OF(isa) #isa
#define STRING(isa) STRING_OF(isa)

#ifndef TABLE_ISA
#define TABLE_ISA QUATSIMD_ISA
#endif

extern const quatsimd_kernels TABLE(TABLE_ISA);
const quatsimd_kernels TABLE(TABLE_ISA) = {
    .name = STRING(TABLE_ISA),
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
    .find_invalid = UNLESS_ONLY_CLIPS(find_invalid_loop),
    .operation =
        {
#define OPERATION(name, kernel, part, ...) [QUATSIMD_OPERATION_##name] = IF_##part(IN_##kernel(name)),
#include "rotation/operations.def"
        },
    .aos =
        {
#define OPERATION(name, kernel, part, ...) [QUATSIMD_OPERATION_##name] = IF_##part(ON_##kernel(name)),
#include "rotation/operations.def"
        },
    .split4 = split4_loop,
    .join4 = join4_loop,
    .split3 = split3_loop,
    .join3 = join3_loop,
    .split_blocks = split_blocks_loop,
    .join_blocks = join_blocks_loop,
    .pose = pose_block_loop,
    .hierarchy = PLACE_KERNEL,
    .clip = &CLIP_KERNELS_OF(TABLE_ISA),
};
#undef TABLE_ISA
