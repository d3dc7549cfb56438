/* The table of the instruction set whose vector layer was included before: the kernels of all codecs and
 * operations, each once for every layout. Included once by each isa_*.c. */
#define D_LANES (V_LANES / 2)
#include "core/dispatch.h"
#include "simd/kernels/common.h"
#include "simd/kernels/operations.inc.h"
#include "simd/kernels/algebra.h"
#include "simd/kernels/pose.h"
#include "simd/kernels/qtangent.h"
#include "simd/kernels/stream.h"
#define CODEC(name) <simd/kernels/name.h>
#include "codec/formats.def"
#include "simd/kernels/loops.inc.h"
#ifdef QUATSIMD_SIMD_VEC_CLIP_H
#include "simd/kernels/clip.h"
#define CLIP_KERNELS_OF CLIP_KERNELS
#else /* AVX-512: a clip's curves come in groups of eight, and half of 16 lanes would be empty. Two groups in
       * one vector were tried and gained nothing. All that runs AVX-512 has AVX2: its kernels do it. */
#include "clip/kernels.h"
extern const quatsimd_clip_kernels quatsimd_clip_kernels_avx2;
#define CLIP_KERNELS_OF(isa) quatsimd_clip_kernels_avx2
#endif

/* By the column `blocks` of formats.def. Of long chains of steps gcc for x86 is asked to put those side by
 * side that do not wait for each other, as it does for other CPUs: with gcc 12 packing lattices takes 7 to
 * 25 % less time on Zen 4, and the rest does not gain. The project's own flags are there again in case a gcc
 * takes the attribute for all flags. */
#define SCHEDULED_1
#if defined __GNUC__ && !defined __clang__ && defined __x86_64__
#define SCHEDULED_2                                                                                          \
  __attribute__((optimize("schedule-insns", "sched-pressure", "fp-contract=off", "no-associative-math",      \
                          "no-reciprocal-math", "no-finite-math-only", "signed-zeros")))
#else
#define SCHEDULED_2
#endif

#define REST(codec, storage, blocks)                                                                         \
  SCHEDULED_##blocks static V_NOINLINE bool pack_rest_##codec(quatsimd_layout layout, int param,             \
                                                              unsigned char *packed, const reader *r,        \
                                                              size_t stride, size_t count) {                 \
    return pack_rest(pack_##codec, storage, layout, param, packed, *r, stride, count);                       \
  }                                                                                                          \
  static V_NOINLINE void unpack_rest_##codec(quatsimd_layout layout, int param, const writer *w,             \
                                             size_t stride, const unsigned char *packed, size_t count) {     \
    unpack_rest(unpack_##codec, storage, layout, param, *w, stride, packed, count);                          \
  }
/* Of one vector at a time a loop for each layout, whose loads and stores are much of it; of two, one loop for all. */
#define PACK_1(codec, storage, layout, LAYOUT_ID)                                                            \
  return pack_loop(pack_##codec, NULL, pack_rest_##codec, storage, LAYOUT_ID, param, packed,                 \
                   (reader){x, y, z, w}, stride, count)
#define PACK_2(codec, storage, layout, LAYOUT_ID)                                                            \
  return pack_pairs_##codec(LAYOUT_ID, param, packed, &(reader){x, y, z, w}, stride, count)
#define PAIRS_1(codec, storage)
#define PAIRS_2(codec, storage)                                                                              \
  SCHEDULED_2 static V_NOINLINE bool pack_pairs_##codec(quatsimd_layout layout, int param,                   \
                                                        unsigned char *packed, const reader *r,              \
                                                        size_t stride, size_t count) {                       \
    return pack_loop(pack_##codec, pack_pair_##codec, pack_rest_##codec, storage, layout, param, packed, *r, \
                     stride, count);                                                                         \
  }
#define LAYOUT(codec, storage, blocks, layout, LAYOUT_ID)                                                    \
  static bool pack_##layout##_##codec(int param, unsigned char *packed, const float *x, const float *y,      \
                                      const float *z, const float *w, size_t stride, size_t count) {         \
    PACK_##blocks(codec, storage, layout, LAYOUT_ID);                                                        \
  }                                                                                                          \
  static void unpack_##layout##_##codec(int param, float *x, float *y, float *z, float *w, size_t stride,    \
                                        const unsigned char *packed, size_t count) {                         \
    unpack_loop(unpack_##codec, blocks == 1, unpack_rest_##codec, storage, LAYOUT_ID, param,                 \
                (writer){x, y, z, w}, stride, packed, count);                                                \
  }
#define FORMAT(codec, id, param, name, storage, blocks, ...)                                                 \
  REST(codec, storage, blocks)                                                                               \
  PAIRS_##blocks(codec, storage) LAYOUT(codec, storage, blocks, aos, QUATSIMD_AOS)                           \
      LAYOUT(codec, storage, blocks, soa, QUATSIMD_SOA)                                                      \
          LAYOUT(codec, storage, blocks, strided, QUATSIMD_STRIDED)
#include "codec/formats.def"

/* By the column `where` of operations.def: the function on arrays of components, and on arrays of structs. */
#define IN_DOUBLE(name) in_double_##name
#define IN_FLOAT(name) in_float_##name
#define IN_STRUCTS(name) in_float_##name
#define ON_DOUBLE(name) NULL
#define ON_FLOAT(name) NULL
#define ON_STRUCTS(name) on_structs_##name

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
#define FORMAT(codec, ...)                                                                                   \
  [QUATSIMD_CODEC_##codec] = {{pack_aos_##codec, pack_soa_##codec, pack_strided_##codec},                    \
                              {unpack_aos_##codec, unpack_soa_##codec, unpack_strided_##codec}},
#include "codec/formats.def"
        },
    .meshopt_to_snorm16x4 = meshopt_to_snorm16x4,
    .half_from_float = half_from_float,
    .half_to_float = half_to_float,
    .find_invalid = find_invalid,
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
    .split4 = split4,
    .join4 = join4,
    .split3 = split3,
    .join3 = join3,
    .split_blocks = split_blocks,
    .join_blocks = join_blocks,
    .clip = &CLIP_KERNELS_OF(QUATSIMD_ISA),
};
