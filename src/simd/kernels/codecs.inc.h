/* The functions of all codecs, each for every layout. Included once by table.inc.h. */
#define CODEC(name) <simd/kernels/name.h>
#include "codec/formats.def"
#include "simd/kernels/loops.inc.h"

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
/* Of one vector at a time a loop for each layout, whose loads and stores are much of it; of two, one loop
 * for all. */
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
