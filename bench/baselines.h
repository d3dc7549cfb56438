/* Baselines of the kernels: the loops that people write instead of calling a library. They check
 * nothing, and take lengths to be 1 (but for select_pack_any). CMakeLists.txt has the flags of each way to
 * compile them, which is the prefix of their names: baseline (-O3), native (-O3 -march=native, fused
 * multiply-adds included) and clang (as native, by clang). */
#ifndef QUATSIMD_BASELINES_H
#define QUATSIMD_BASELINES_H

#include <stddef.h>
#include <stdint.h>

#ifndef BASELINE_PREFIX
#define BASELINE_PREFIX baseline
#endif
#define BASELINE_JOIN(prefix, name) prefix##_##name
#define BASELINE_OF(prefix, name) BASELINE_JOIN(prefix, name)
#define BASELINE(name) BASELINE_OF(BASELINE_PREFIX, name)

typedef void baseline_pack_fn(uint32_t *restrict packed, const float *restrict xyzw, size_t count);
typedef void baseline_unpack_fn(float *restrict xyzw, const uint32_t *restrict packed, size_t count);
/* Arrays of components: of the output, and of all inputs. */
typedef void baseline_soa_fn(float *const *out, const float *const *in, size_t count);

/* The word of smallest3_32. A word that no encoder writes gives a quaternion of some other length.
 * select: no branch on the data, so that the compiler vectorises the loop. pack_any: of any length. */
#define BASELINE_DECLARE(prefix)                                                                             \
  baseline_pack_fn prefix##_select_pack, prefix##_select_pack_any;                                           \
  baseline_unpack_fn prefix##_select_unpack;                                                                 \
  baseline_soa_fn prefix##_multiply, prefix##_nlerp, prefix##_rotate;
BASELINE_DECLARE(baseline)
BASELINE_DECLARE(native)
BASELINE_DECLARE(clang)

/* The textbook: find the largest, store the others by index. */
baseline_pack_fn baseline_textbook_pack;
baseline_unpack_fn baseline_textbook_unpack;

#endif
