#include "core/isas.h"
#ifdef QUATSIMD_HAS_SCALAR
#define QUATSIMD_ISA scalar
#include "core/operand.h"
#include "core/parts.h"
#include "simd/vec/one.h"
#include "simd/kernels/operations.inc.h"
#include "scalar/qtangent.h"
#include "scalar/stream.h"
#include "scalar/clip.h"
#include "scalar/place.h"
#include "scalar/pose.h"

#include "scalar/codecs.inc.h"

#ifndef QUATSIMD_ONLY_CLIPS
static size_t find_invalid_loop(const float *xyzw, size_t count, size_t from) {
  for (; from < count; from++)
    if (!valid_norm2(
            norm2((quat){{xyzw[4 * from], xyzw[4 * from + 1], xyzw[4 * from + 2], xyzw[4 * from + 3]}})))
      break;
  return from;
}
#endif

/* ---- operations in float ---- */

static quat quat_at(const float *const *in, size_t i) {
  return (quat){{in[0][i], in[1][i], in[2][i], in[3][i]}};
}
static vector vector_at(const float *const *in, size_t i) { return (vector){{in[0][i], in[1][i], in[2][i]}}; }

/* Defines each_NAME, which computes `results` floats of element i, and in_float_NAME, a loop over
 * elements. */
#define EACH_ELEMENT(name, results, ...)                                                                     \
  QUATSIMD_INLINE void each_##name(float v[16], const float *const *in, size_t i) { __VA_ARGS__ }            \
  static void in_float_##name(float *const *out, const float *const *in, size_t count) {                     \
    for (size_t i = 0; i < count; i++) {                                                                     \
      float v[16];                                                                                           \
      each_##name(v, in, i);                                                                                 \
      for (int c = 0; c < results; c++) out[c][i] = number(v[c]);                                            \
    }                                                                                                        \
  }
/* Computes an operation in double on element i of `inputs` arrays. */
static void in_double(quatsimd_operation_fn *call, float v[4], const float *const *in, int inputs, size_t i) {
  const float *from[8];
  for (int c = 0; c < inputs; c++) from[c] = in[c] + i;
  call((float *const[]){v, v + 1, v + 2, v + 3}, from, 1);
}
EACH_ELEMENT(normalize, 4, memcpy(v, unit_or_identity(quat_at(in, i)).v, sizeof(quat));)
EACH_ELEMENT(conjugate, 4, {
  for (int c = 0; c < 4; c++) v[c] = c < 3 ? -in[c][i] : in[c][i];
})
EACH_ELEMENT(inverse, 4, {
  const quat q = quat_at(in, i);
  const float n2 = norm2(q), by = 1 / n2;
  for (int c = 0; c < 4; c++) v[c] = q.v[c] * (c < 3 ? -by : by);
  if (!valid_norm2(n2)) in_double(in_double_inverse, v, in, 4, i);
})
EACH_ELEMENT(add, 4, {
  for (int c = 0; c < 4; c++) v[c] = in[c][i] + in[4 + c][i];
})
EACH_ELEMENT(scale, 4, memcpy(v, scaled(quat_at(in, i), in[4][i]).v, sizeof(quat));)
EACH_ELEMENT(dot, 1, {
  v[0] = dot_product(quat_at(in, i), quat_at(in + 4, i));
  if (!(magnitude_of(v[0]) <= FLT_MAX)) in_double(in_double_dot, v, in, 8, i);
})
EACH_ELEMENT(norm, 1, {
  const float n2 = norm2(quat_at(in, i));
  v[0] = quatsimd_sqrtf(n2);
  if (!valid_norm2(n2)) in_double(in_double_norm, v, in, 4, i);
})
EACH_ELEMENT(multiply, 4, float_multiply(v, quat_at(in, i), quat_at(in + 4, i));)
EACH_ELEMENT(rotate, 3, float_rotate(v, quat_at(in, i), (const float[]){in[4][i], in[5][i], in[6][i]});)
EACH_ELEMENT(nlerp, 4, float_nlerp(v, quat_at(in, i), quat_at(in + 4, i), in[8][i]);)
EACH_ELEMENT(lerp, 3, {
  const float t = fraction_of(in[6][i]);
  for (int c = 0; c < 3; c++) v[c] = in[c][i] * (1 - t) + in[3 + c][i] * t;
})
EACH_ELEMENT(slerp, 4, float_slerp(v, quat_at(in, i), quat_at(in + 4, i), in[8][i]);)
EACH_ELEMENT(to_matrix3, 9, {
  float m[3][3];
  float_matrix(m, quat_at(in, i), 1);
  for (int c = 0; c < 9; c++) v[c] = m[c % 3][c / 3];
})
EACH_ELEMENT(to_matrix4, 16, {
  float m[3][3];
  float_matrix(m, quat_at(in, i), 1);
  for (int c = 0; c < 16; c++) v[c] = c < 12 && c % 4 < 3 ? m[c % 4][c / 4] : c == 15;
})
EACH_ELEMENT(from_matrix3, 4, memcpy(v, float_from_matrix(in, i, 3).v, sizeof(quat));)
EACH_ELEMENT(from_matrix4, 4, memcpy(v, float_from_matrix(in, i, 4).v, sizeof(quat));)
EACH_ELEMENT(sqt_compose, 8, {
  quat q = {{0}};
  float_multiply(q.v, quat_at(in, i), quat_at(in + 8, i));
  memcpy(v, scaled(q, 1 / quatsimd_sqrtf(norm2(q))).v, sizeof q);
  float_sqt_point(v + 4, in, in + 12, i);
  v[7] = in[7][i] * in[15][i];
})
EACH_ELEMENT(sqt_transform_points, 3, float_sqt_point(v, in, in + 8, i);)
EACH_ELEMENT(sqt_transform_vectors, 3, float_sqt_vector(v, in, in + 8, i);)
EACH_ELEMENT(sqt_to_matrix3x4, 12, {
  float m[3][3];
  float_matrix(m, quat_at(in, i), in[7][i]);
  for (int c = 0; c < 12; c++) v[c] = c % 4 < 3 ? m[c / 4][c % 4] : in[4 + c / 4][i];
})
EACH_ELEMENT(exp, 4, {
  if (!float_exp(v, vector_at(in, i).v)) in_double(in_double_exp, v, in, 3, i);
})
EACH_ELEMENT(qtangent_from_tbn, 6, {
  vector m[3];
  const bool axes_ok = tangent_axes(m, vector_at(in, i), vector_at(in + 3, i));
  const bool handedness_ok = axes_handedness(&v[4], m, vector_at(in + 6, i));
  quaternion_of_axes(v, m);
  v[5] = axes_ok && handedness_ok;
})
EACH_ELEMENT(qtangent_from_tangents, 5, {
  vector m[3];
  v[4] = tangent_axes(m, vector_at(in, i), vector_at(in + 3, i));
  quaternion_of_axes(v, m);
})
EACH_ELEMENT(stream_unit, 5, v[4] = stream_unit(v, quat_at(in, i), quat_at(in + 4, i));)
EACH_ELEMENT(stream_residual, 3, stream_residual(v, quat_at(in, i), quat_at(in + 4, i), in[8][i], in[9][i]);)
EACH_ELEMENT(stream_turn, 4, stream_turn(v, quat_at(in, i), vector_at(in + 4, i).v, in[7][i]);)
EACH_ELEMENT(stream_between, 3, stream_between(v, quat_at(in, i), quat_at(in + 4, i));)

EACH_ELEMENT(pose_unit, 4, memcpy(v, pose_unit(quat_at(in, i)).v, sizeof(quat));)
EACH_ELEMENT(pose_mix, 4, memcpy(v, pose_mix(quat_at(in, i), quat_at(in + 4, i), in[8][i]).v, sizeof(quat));)
EACH_ELEMENT(pose_add, 4, memcpy(v, pose_add(quat_at(in, i), quat_at(in + 4, i), in[8][i]).v, sizeof(quat));)
EACH_ELEMENT(pose_mix3, 3, {
  for (int c = 0; c < 3; c++) v[c] = pose_mix1(in[c][i], in[3 + c][i], in[6][i]);
})
EACH_ELEMENT(pose_finish3, 3, {
  for (int c = 0; c < 3; c++) v[c] = pose_finish1(in[c][i], in[3][i]);
})
EACH_ELEMENT(pose_add3, 3, {
  for (int c = 0; c < 3; c++) v[c] = pose_add1(in[c][i], in[3 + c][i], in[6][i]);
})
EACH_ELEMENT(pose_scale3, 3, {
  for (int c = 0; c < 3; c++) v[c] = pose_scale1(in[c][i], in[3 + c][i], in[6][i]);
})

/* Runs an operation on arrays of structs. n0, n1, n2: the constant sizes of the inputs; 0 for no input. */
QUATSIMD_INLINE size_t on_structs(void (*each)(float *, const float *const *, size_t), int results, int n0,
                                  int n1, int n2, float *to, const float *const *in, const size_t *stride,
                                  size_t count) {
  for (size_t e = 0; e < count; e++, to += results) {
    const float *from[17];
    float v[16];
    for (int c = 0; c < n0; c++) from[c] = in[0] + stride[0] * e + c;
    for (int c = 0; c < n1; c++) from[n0 + c] = in[1] + stride[1] * e + c;
    for (int c = 0; c < n2; c++) from[n0 + n1 + c] = in[2] + stride[2] * e + c;
    each(v, from, 0);
    for (int c = 0; c < results; c++) to[c] = number(v[c]);
  }
  return count;
}
#define FIRST_THREE(a, b, c, ...) a, b, c
#define THREE(...) FIRST_THREE(__VA_ARGS__, 0, 0, 0)
#define DEFINE_DOUBLE(name, outputs, inputs)
#define DEFINE_FLOAT(name, outputs, inputs)
#define NUMBER_OF(...) (sizeof((const int[]){__VA_ARGS__}) / sizeof(int))
#define DEFINE_STRUCTS(name, outputs, inputs)                                                                \
  _Static_assert(NUMBER_OF outputs == 1 && NUMBER_OF inputs <= 3, #name " has more than on_structs takes");  \
  static size_t on_structs_##name(float *const *out, const float *const *in, const size_t *stride,           \
                                  size_t count) {                                                            \
    return on_structs(each_##name, outputs, THREE inputs, out[0], in, stride, count);                        \
  }
#define OPERATION(name, kernel, part, outputs, inputs) DEFINE_##kernel(name, outputs, inputs)
#include "rotation/operations.def"

static size_t split4_loop(float *const to[4], const float *first, size_t stride, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t c = 0; c < 4; c++) memcpy(to[c] + i, (const char *)(first + c) + i * stride, sizeof(float));
  return count;
}
static size_t join4_loop(float *first, size_t stride, const float *const from[4], size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t c = 0; c < 4; c++) memcpy((char *)(first + c) + i * stride, from[c] + i, sizeof(float));
  return count;
}
static size_t split3_loop(float *const to[3], const float *xyz, size_t count) {
  for (size_t i = 0; i < 3 * count; i++) memcpy(to[i % 3] + i / 3, xyz + i, sizeof(float));
  return count;
}
static size_t join3_loop(float *xyz, const float *const from[3], size_t count) {
  for (size_t i = 0; i < 3 * count; i++) memcpy(xyz + i, from[i % 3] + i / 3, sizeof(float));
  return count;
}

static void split_blocks_loop(float *const to[4], const float *blocks, size_t block, size_t count) {
  for (size_t i = 0; i < count; i += block, blocks += 4 * block)
    for (size_t c = 0; c < 4; c++) memcpy(to[c] + i, blocks + c * block, block * sizeof(float));
}
static void join_blocks_loop(float *blocks, size_t block, const float *const from[4], size_t count) {
  for (size_t i = 0; i < count; i += block, blocks += 4 * block)
    for (size_t c = 0; c < 4; c++) memcpy(blocks + c * block, from[c] + i, block * sizeof(float));
}

#define CLIP_KERNELS_OF(isa) quatsimd_clip_kernels_scalar
#include "core/table.inc.h"
#endif
