/* Baselines of the kernels: the loops that people write instead of calling a library. They check nothing,
 * and take lengths to be 1 where the operation allows it. CMakeLists.txt has the flags of each way to compile
 * them, which is the prefix of their names: baseline (-O3), native (-O3 -march=native, fused multiply-adds
 * included) and clang (as native, by clang). */
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
#define BASELINE_STRUCTS(name) BASELINE(structs_##name)

typedef void baseline_pack_fn(uint32_t *restrict packed, const float *restrict xyzw, size_t count);
typedef void baseline_unpack_fn(float *restrict xyzw, const uint32_t *restrict packed, size_t count);
/* Arrays of components: of the output, and of all inputs. */
typedef void baseline_soa_fn(float *const *out, const float *const *in, size_t count);
/* Arrays of structs. Inputs that a function does not need are not looked at. */
typedef void baseline_structs_fn(float *out, const float *a, const float *b, const float *t, size_t count);

/* The word of smallest3_32. A word that no encoder writes gives a quaternion of some other length.
 * select: no branch on the data, so that the compiler vectorises the loop. pack_any: of any length. */
#define BASELINE_DECLARE(prefix)                                                                             \
  baseline_pack_fn prefix##_select_pack, prefix##_select_pack_any;                                           \
  baseline_unpack_fn prefix##_select_unpack;                                                                 \
  baseline_soa_fn prefix##_multiply, prefix##_nlerp, prefix##_rotate, prefix##_normalize,                    \
      prefix##_conjugate, prefix##_inverse, prefix##_add, prefix##_scale, prefix##_dot, prefix##_norm;       \
  baseline_structs_fn prefix##_structs_multiply, prefix##_structs_rotate, prefix##_structs_rotate_by_one,    \
      prefix##_structs_nlerp, prefix##_structs_lerp, prefix##_structs_slerp, prefix##_structs_exp,           \
      prefix##_structs_log, prefix##_structs_normalize, prefix##_structs_conjugate,                          \
      prefix##_structs_inverse, prefix##_structs_add, prefix##_structs_scale, prefix##_structs_dot,          \
      prefix##_structs_norm, prefix##_structs_from_matrix4, prefix##_structs_to_matrix4,                     \
      prefix##_structs_from_matrix3, prefix##_structs_to_matrix3, prefix##_structs_sqt_compose,              \
      prefix##_structs_sqt_transform_points, prefix##_structs_sqt_to_matrix3x4, prefix##_structs_from_euler, \
      prefix##_structs_to_euler, prefix##_structs_integrate;
BASELINE_DECLARE(baseline)
BASELINE_DECLARE(native)
BASELINE_DECLARE(clang)

/* The textbook: find the largest, store the others by index. */
baseline_pack_fn baseline_textbook_pack;
baseline_unpack_fn baseline_textbook_unpack;

#endif
