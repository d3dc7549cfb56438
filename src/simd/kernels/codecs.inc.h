/* The functions of all codecs. Included once by table.inc.h. */
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

#define PAIR_1(codec) NULL
#define PAIR_2(codec) pack_pair_##codec
#define FORMAT(codec, id, width, name, storage, blocks, ...)                                                 \
  SCHEDULED_##blocks static bool pack_all_##codec(int param, unsigned char *packed,                          \
                                                  const quatsimd_source *from, size_t count) {               \
    return pack_loop(pack_all_##codec, pack_##codec, PAIR_##blocks(codec), storage, param, packed, from,     \
                     count);                                                                                 \
  }                                                                                                          \
  static void unpack_all_##codec(int param, const quatsimd_target *to, const unsigned char *packed,          \
                                 size_t count) {                                                             \
    unpack_loop(unpack_all_##codec, unpack_##codec, blocks == 1, storage, param, to, packed, count);         \
  }
#include "codec/formats.def"
