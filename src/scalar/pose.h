/* One element of the operations of pose.h: see simd/kernels/pose.h. */
#ifndef QUATSIMD_SCALAR_POSE_H
#define QUATSIMD_SCALAR_POSE_H

#include "pose/block.h"
#include "scalar/algebra.h"

static quat pose_unit(quat q) {
  const float n2 = norm2(q);
  if (n2 == 0) q.v[3] = 1;
  return n2 == 0 ? q : scaled(q, 1 / quatsimd_sqrtf(n2));
}

static quat pose_mix(quat sum, quat q, float w) {
  if (!(w > 0)) q = (quat){{0}};
  if (dot_product(sum, q) < 0) w = -w;
  for (int c = 0; c < 4; c++) sum.v[c] += w * q.v[c];
  return sum;
}

static float pose_scale1(float base, float s, float w) { return base * (1 + w * (s - 1)); }

static quat pose_add(quat base, quat q, float w) {
  q = pose_unit(q);
  const float by = q.v[3] < 0 ? -w : w;
  q = pose_unit((quat){{q.v[0] * by, q.v[1] * by, q.v[2] * by, (1 - w) + by * q.v[3]}});
  quat product = {{0}};
  float_multiply(product.v, base, q);
  return pose_unit(product);
}

/* Computes the matrix, m[row][column], of a rotation and of a scale for each axis. */
static void pose_matrix(float m[3][3], quat q, const float s[3]) {
  const float n2 = norm2(q), two = n2 == 0 ? 0 : 2 / n2;
  const float x = q.v[0] * two, y = q.v[1] * two, z = q.v[2] * two;
  const float xx = q.v[0] * x, yy = q.v[1] * y, zz = q.v[2] * z, xy = q.v[0] * y, xz = q.v[0] * z,
              yz = q.v[1] * z, wx = q.v[3] * x, wy = q.v[3] * y, wz = q.v[3] * z;
  const float rotation[3][3] = {{1 - (yy + zz), xy - wz, xz + wy},
                                {xy + wz, 1 - (xx + zz), yz - wx},
                                {xz - wy, yz + wx, 1 - (xx + yy)}};
  for (int i = 0; i < 9; i++) m[i / 3][i % 3] = rotation[i / 3][i % 3] * s[i % 3];
}

static void pose_matrix3x4(float v[12], quat q, const float s[3], const float t[3]) {
  float m[3][3] = {{0}};
  pose_matrix(m, q, s);
  for (int c = 0; c < 12; c++) v[c] = c % 4 < 3 ? m[c / 4][c % 4] : t[c / 4];
}
static void pose_matrix4(float v[16], quat q, const float s[3], const float t[3]) {
  float m[3][3] = {{0}};
  pose_matrix(m, q, s);
  for (int c = 0; c < 16; c++) v[c] = c % 4 == 3 ? c == 15 : c < 12 ? m[c % 4][c / 4] : t[c % 4];
}

/* ---- blocks of joints: see pose/block.h ---- */

/* A joint's rotation, translation and scale. */
typedef struct joint_values {
  quat q;
  float t[3], s[3];
} joint_values;

static joint_values load_joint(const quatsimd_pose_in *poses, size_t joint) {
  joint_values v;
  memcpy(&v.q, poses->rotations.x + 4 * joint, sizeof v.q);
  memcpy(v.t, poses->translations.x + 3 * joint, sizeof v.t);
  memcpy(v.s, poses->scales.x + 3 * joint, sizeof v.s);
  return v;
}

static float joint_weight(const quatsimd_weighted_poses *layer, bool any_sign, size_t joint) {
  const float w = pose_layer_weight(layer, any_sign);
  return layer->mask ? w * pose_weight(layer->mask[joint], any_sign) : w;
}

static void mix_joint(joint_values *sum, float *weight, joint_values v, float w) {
  sum->q = pose_mix(sum->q, v.q, w);
  for (int c = 0; c < 3; c++)
    sum->t[c] = pose_mix1(sum->t[c], v.t[c], w), sum->s[c] = pose_mix1(sum->s[c], v.s[c], w);
  *weight += w;
}

/* Gives what is left of the weight to the values at rest. */
static joint_values finish_joint(joint_values sum, float weight, joint_values rest) {
  if (weight < POSE_ENOUGH) mix_joint(&sum, &weight, rest, 1 - weight);
  sum.q = pose_unit(sum.q);
  for (int c = 0; c < 3; c++)
    sum.t[c] = pose_finish1(sum.t[c], weight), sum.s[c] = pose_finish1(sum.s[c], weight);
  return sum;
}

static joint_values blend_joint(const pose_block *b, size_t joint) {
  joint_values sum = {{{0}}, {0}, {0}};
  float weight = 0;
  for (size_t l = 0; l < b->blended; l++)
    mix_joint(&sum, &weight, load_joint(&b->layers[l].poses, joint),
              joint_weight(&b->layers[l], false, joint));
  return finish_joint(sum, weight, load_joint(b->rest, joint));
}

static joint_values lay_over_joint(joint_values so_far, joint_values v, float w) {
  joint_values sum = {{{0}}, {0}, {0}};
  float weight = 0;
  mix_joint(&sum, &weight, v, w);
  return finish_joint(sum, weight, so_far);
}

static void add_joint(joint_values *base, joint_values v, float w) {
  base->q = pose_add(base->q, v.q, w);
  for (int c = 0; c < 3; c++)
    base->t[c] = pose_add1(base->t[c], v.t[c], w), base->s[c] = pose_scale1(base->s[c], v.s[c], w);
}

static void store_numbers(float *to, const float *from, size_t n, size_t element) {
  for (size_t c = 0; to && c < n; c++) to[n * element + c] = number(from[c]);
}

static void pose_block_loop(const pose_block *b) {
  for (size_t i = 0; i < b->count; i++) {
    const size_t joint = b->first + i;
    joint_values v = b->as_sampled ? load_joint(&b->layers->poses, joint) : blend_joint(b, joint);
    float m[16];
    for (size_t l = 0; l < b->others; l++) {
      const quatsimd_weighted_poses *const layer = &b->layers[b->blended + l];
      const joint_values other = load_joint(&layer->poses, joint);
      if (b->over[l]) v = lay_over_joint(v, other, joint_weight(layer, false, joint));
      else add_joint(&v, other, joint_weight(layer, true, joint));
    }
    store_numbers(b->to[QUATSIMD_CLIP_ROTATION], v.q.v, 4, i);
    store_numbers(b->to[QUATSIMD_CLIP_TRANSLATION], v.t, 3, i);
    store_numbers(b->to[QUATSIMD_CLIP_SCALE], v.s, 3, i);
    if (b->layout == QUATSIMD_MATRIX_3X4) pose_matrix3x4(m, v.q, v.s, v.t);
    else pose_matrix4(m, v.q, v.s, v.t);
    store_numbers(b->matrices, m, b->layout, i);
  }
}

#endif
