/* The functions of all codecs. Included once by table.inc.h. */
#include "simd/kernels/loops.inc.h"

#define CODEC(name) <simd/kernels/name.h>
#include "codec/formats.def"

/* The column `blocks` of formats.def chooses one of these for packing. With gcc 12 on Zen 4,
 * QUATSIMD_SCHEDULED makes packing lattices 7 to 25 % faster, and other formats no faster. */
#define SCHEDULED_1
#define SCHEDULED_2 QUATSIMD_SCHEDULED

/* Wraps the kernels of a codec for the loops. Most kernels ignore `width`, and some ignore `n2`. */
#define FORMAT(codec, pack, unpack, blocks, ...)                                                             \
  V_INLINE vcode pack_block_##codec(QUATSIMD_MAYBE_UNUSED int width, vq q, QUATSIMD_MAYBE_UNUSED vf n2) {    \
    return pack_##pack;                                                                                      \
  }                                                                                                          \
  V_INLINE vq unpack_block_##codec(QUATSIMD_MAYBE_UNUSED int width, vcode c) { return unpack_##unpack; }     \
  PAIR_##blocks(codec, pack)
#define PAIR_1(codec, pack)
#define PAIR_2(codec, pack)                                                                                  \
  V_INLINE vcodes pack_pair_##codec(QUATSIMD_MAYBE_UNUSED int width, const vq q[2], const vf n2[2]) {        \
    return pack_pair_##pack;                                                                                 \
  }
#include "codec/formats.def"

/* The plan for a storage of formats.def. Only PACKED has one. */
#define PLAN_U24(width) NULL
#define PLAN_U32(width) NULL
#define PLAN_U48(width) NULL
#define PLAN_U64(width) NULL
#define PLAN_U128(width) NULL
#define PLAN_PACKED(width) &quatsimd_bit_plans[width]

#define PAIR_OF_1(codec) NULL
#define PAIR_OF_2(codec) pack_pair_##codec
#define FORMAT(codec, pack, unpack, blocks, id, width_of_format, name, storage, ...)                         \
  SCHEDULED_##blocks static bool pack_all_##codec(int width, unsigned char *packed,                          \
                                                  const quatsimd_operand *from, size_t count) {              \
    return pack_loop(pack_all_##codec, pack_block_##codec, PAIR_OF_##blocks(codec), storage, width,          \
                     PLAN_##storage(width), packed, from, count);                                            \
  }                                                                                                          \
  static void unpack_all_##codec(int width, const quatsimd_operand *to, const unsigned char *packed,         \
                                 size_t count) {                                                             \
    unpack_loop(unpack_all_##codec, unpack_block_##codec, blocks == 1, storage, width,                       \
                PLAN_##storage(width), to, packed, count);                                                   \
  }
#include "codec/formats.def"
