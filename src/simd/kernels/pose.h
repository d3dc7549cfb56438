/* The operations that blend poses, and those that make matrices, as docs/pose.md defines them. scalar/pose.h
 * has the same for one element. */
#ifndef QUATSIMD_SIMD_KERNEL_POSE_H
#define QUATSIMD_SIMD_KERNEL_POSE_H

#include "simd/kernels/algebra.h"

V_INLINE vm is_zero(vf a) { return v_both(v_ge(a, v_set(0)), v_le(a, v_set(0))); }

/* Returns q at length 1, or the identity if the length is 0. */
V_INLINE vq pose_unit(vq q) {
  const vf n2 = norm2(q);
  const vm none = is_zero(n2);
  q.w = v_select(none, v_set(1), q.w);
  return scaled(q, v_select(none, v_set(1), reciprocal_sqrt(1, n2)));
}

/* Returns sum + w v. Where w is not above 0, v counts as 0. */
V_INLINE v3 pose_mix3(v3 sum, v3 v, vf w) {
  const vm any = v_gt(w, v_set(0));
  return (v3){v_add(sum.x, v_mul(w, v_keep(any, v.x))), v_add(sum.y, v_mul(w, v_keep(any, v.y))),
              v_add(sum.z, v_mul(w, v_keep(any, v.z)))};
}
/* Returns sum + w q, or sum - w q if -q is nearer to the sum. Where w is not above 0, q counts as 0. */
V_INLINE vq pose_mix(vq sum, vq q, vf w) {
  const vm any = v_gt(w, v_set(0));
  q = (vq){v_keep(any, q.x), v_keep(any, q.y), v_keep(any, q.z), v_keep(any, q.w)};
  w = v_select(v_gt(v_set(0), dot_product(sum, q)), v_negated(w), w);
  return (vq){v_add(sum.x, v_mul(w, q.x)), v_add(sum.y, v_mul(w, q.y)), v_add(sum.z, v_mul(w, q.z)),
              v_add(sum.w, v_mul(w, q.w))};
}

/* Divides a sum by its total weight w, if w is above 1. */
V_INLINE v3 pose_finish3(v3 sum, vf w) {
  const vf by = v_select(v_gt(w, v_set(1)), v_div(v_set(1), w), v_set(1));
  return (v3){v_mul(sum.x, by), v_mul(sum.y, by), v_mul(sum.z, by)};
}

V_INLINE v3 pose_add3(v3 base, v3 v, vf w) {
  return (v3){v_add(base.x, v_mul(w, v.x)), v_add(base.y, v_mul(w, v.y)), v_add(base.z, v_mul(w, v.z))};
}
V_INLINE vf pose_scale(vf base, vf scale, vf w) {
  return v_mul(base, v_add(v_set(1), v_mul(w, v_sub(scale, v_set(1)))));
}
V_INLINE v3 pose_scale3(v3 base, v3 s, vf w) {
  return (v3){pose_scale(base.x, s.x, w), pose_scale(base.y, s.y, w), pose_scale(base.z, s.z, w)};
}
/* Returns the base times the part w of an additive rotation q. The part is on the line from the identity to q
 * or -q, whichever is nearer to the identity. As vectors the ends of the line are at most a right angle
 * apart, so the part is never shorter than sqrt(1/2). */
V_INLINE vq pose_add(vq base, vq q, vf w) {
  q = pose_unit(q);
  const vf by = v_select(v_gt(v_set(0), q.w), v_negated(w), w);
  q = pose_unit(
      (vq){v_mul(q.x, by), v_mul(q.y, by), v_mul(q.z, by), v_add(v_sub(v_set(1), w), v_mul(by, q.w))});
  return pose_unit(float_multiply(base, q));
}

/* Returns the matrix of a rotation and of a scale for each axis. The length of q is from 2^-60 to 2^60, or 0,
 * which counts as the identity. */
V_INLINE vmatrix pose_matrix(vq q, v3 s) {
  const vf n2 = norm2(q), two = v_select(is_zero(n2), v_set(0), v_div(v_set(2), n2)), one = v_set(1);
  const vf x = v_mul(q.x, two), y = v_mul(q.y, two), z = v_mul(q.z, two);
  const vf xx = v_mul(q.x, x), yy = v_mul(q.y, y), zz = v_mul(q.z, z), xy = v_mul(q.x, y), xz = v_mul(q.x, z),
           yz = v_mul(q.y, z), wx = v_mul(q.w, x), wy = v_mul(q.w, y), wz = v_mul(q.w, z);
  return (vmatrix){
      {{v_mul(v_sub(one, v_add(yy, zz)), s.x), v_mul(v_sub(xy, wz), s.y), v_mul(v_add(xz, wy), s.z)},
       {v_mul(v_add(xy, wz), s.x), v_mul(v_sub(one, v_add(xx, zz)), s.y), v_mul(v_sub(yz, wx), s.z)},
       {v_mul(v_sub(xz, wy), s.x), v_mul(v_add(yz, wx), s.y), v_mul(v_sub(one, v_add(xx, yy)), s.z)}}};
}

V_INLINE void each_pose_unit(algebra_arguments a) { give4(a, pose_unit(take4(a, 0, 0))); }
V_INLINE void each_pose_mix(algebra_arguments a) {
  give4(a, pose_mix(take4(a, 0, 0), take4(a, 1, 4), take1(a, 2, 8)));
}
V_INLINE void each_pose_mix3(algebra_arguments a) {
  give3(a, pose_mix3(take3(a, 0, 0), take3(a, 1, 3), take1(a, 2, 6)));
}
V_INLINE void each_pose_finish3(algebra_arguments a) {
  give3(a, pose_finish3(take3(a, 0, 0), take1(a, 1, 3)));
}
V_INLINE void each_pose_add3(algebra_arguments a) {
  give3(a, pose_add3(take3(a, 0, 0), take3(a, 1, 3), take1(a, 2, 6)));
}
V_INLINE void each_pose_scale3(algebra_arguments a) {
  give3(a, pose_scale3(take3(a, 0, 0), take3(a, 1, 3), take1(a, 2, 6)));
}
V_INLINE void each_pose_add(algebra_arguments a) {
  give4(a, pose_add(take4(a, 0, 0), take4(a, 1, 4), take1(a, 2, 8)));
}
V_INLINE void each_pose_matrix3x4(algebra_arguments a) {
  give_matrix3x4(a, pose_matrix(take4(a, 0, 0), take3(a, 2, 7)), take3(a, 1, 4));
}
V_INLINE void each_pose_matrix4(algebra_arguments a) {
  give_matrix4(a, pose_matrix(take4(a, 0, 0), take3(a, 2, 7)), take3(a, 1, 4));
}
FLOAT_LOOP(pose_unit, each_pose_unit(a))
FLOAT_LOOP(pose_mix, each_pose_mix(a))
FLOAT_LOOP(pose_add, each_pose_add(a))
FLOAT_LOOP(pose_mix3, each_pose_mix3(a))
FLOAT_LOOP(pose_finish3, each_pose_finish3(a))
FLOAT_LOOP(pose_add3, each_pose_add3(a))
FLOAT_LOOP(pose_scale3, each_pose_scale3(a))
FLOAT_LOOP(pose_matrix3x4, each_pose_matrix3x4(a))
STRUCTS_LOOP(pose_matrix3x4, each_pose_matrix3x4(a))
FLOAT_LOOP(pose_matrix4, each_pose_matrix4(a))
STRUCTS_LOOP(pose_matrix4, each_pose_matrix4(a))

#endif
