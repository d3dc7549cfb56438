/* The operations that blend poses, and the kernel that also makes matrices, as docs/pose.md defines them.
 * scalar/pose.h has the same for one element. */
#ifndef QUATSIMD_SIMD_KERNEL_POSE_H
#define QUATSIMD_SIMD_KERNEL_POSE_H

#include "pose/block.h"
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
FLOAT_LOOP(pose_unit, each_pose_unit(a))
FLOAT_LOOP(pose_mix, each_pose_mix(a))
FLOAT_LOOP(pose_add, each_pose_add(a))
FLOAT_LOOP(pose_mix3, each_pose_mix3(a))
FLOAT_LOOP(pose_finish3, each_pose_finish3(a))
FLOAT_LOOP(pose_add3, each_pose_add3(a))
FLOAT_LOOP(pose_scale3, each_pose_scale3(a))

/* ---- blocks of joints: see pose/block.h ---- */

typedef struct vpose {
  vq q;
  v3 t, s;
} vpose;

V_INLINE vq load_q(const quatsimd_pose_in *p, size_t joint) { return v_load_aos(p->rotations.x + 4 * joint); }
V_INLINE v3 load_t(const quatsimd_pose_in *p, size_t joint) {
  return v_load_aos3(p->translations.x + 3 * joint);
}
V_INLINE v3 load_s(const quatsimd_pose_in *p, size_t joint) { return v_load_aos3(p->scales.x + 3 * joint); }

/* Loads the weights of `joint` and the joints behind it in a layer. Does not read the mask behind `end`. */
V_INLINE vf load_weights(const quatsimd_weighted_poses *layer, bool any_sign, size_t joint, size_t end) {
  const vf w = v_set(pose_layer_weight(layer, any_sign));
  if (!layer->mask) return w;
  float last[V_LANES] = {0};
  const float *mask = layer->mask + joint;
  if (end - joint < V_LANES) mask = memcpy(last, mask, (end - joint) * sizeof *mask);
  const vf factor = v_from_bits(v_to_aos_order(v_bits(v_load(mask)))),
           clamped = v_min(v_max(factor, v_set(any_sign ? -POSE_MOST_WEIGHT : 0)), v_set(POSE_MOST_WEIGHT));
  return v_mul(w, v_keep(v_ordered(factor, factor), clamped));
}

/* A kind is loaded when those before are done, because registers are few. */
V_INLINE void mix_layer(vpose *sum, vf *weight, const quatsimd_pose_in *p, size_t joint, vf w) {
  sum->q = pose_mix(sum->q, load_q(p, joint), w);
  sum->t = pose_mix3(sum->t, load_t(p, joint), w);
  sum->s = pose_mix3(sum->s, load_s(p, joint), w);
  *weight = v_add(*weight, w);
}

V_INLINE vpose no_pose(void) {
  const vf none = v_set(0);
  return (vpose){{none, none, none, none}, {none, none, none}, {none, none, none}};
}
/* Returns the weight that is left for the rest pose. */
V_INLINE vf left_of(vf weight) { return v_keep(v_gt(v_set(POSE_ENOUGH), weight), v_sub(v_set(1), weight)); }
V_INLINE vpose finish_pose(const vpose *sum, vf weight) {
  return (vpose){pose_unit(sum->q), pose_finish3(sum->t, weight), pose_finish3(sum->s, weight)};
}

V_INLINE vpose blend_layers(const pose_block *b, size_t joint, size_t end) {
  const vf enough = v_set(POSE_ENOUGH);
  vpose sum = no_pose();
  vf weight = v_set(0);
  for (size_t l = 0; l <= b->blended; l++) {
    const bool last = l == b->blended;
    if (last && v_all(v_ge(weight, enough))) break;
    mix_layer(&sum, &weight, last ? b->rest : &b->layers[l].poses, joint,
              last ? left_of(weight) : load_weights(&b->layers[l], false, joint, end));
  }
  return finish_pose(&sum, weight);
}

/* Blends a layer with the pose so far, which takes the place of the rest pose. */
V_INLINE void lay_over(vpose *pose, const quatsimd_pose_in *p, size_t joint, vf w) {
  vpose sum = no_pose();
  vf weight = v_set(0);
  mix_layer(&sum, &weight, p, joint, w);
  w = left_of(weight);
  sum.q = pose_mix(sum.q, pose->q, w);
  sum.t = pose_mix3(sum.t, pose->t, w), sum.s = pose_mix3(sum.s, pose->s, w);
  *pose = finish_pose(&sum, v_add(weight, w));
}

V_INLINE void add_layer(vpose *base, const quatsimd_pose_in *p, size_t joint, vf w) {
  base->q = pose_add(base->q, load_q(p, joint), w);
  base->t = pose_add3(base->t, load_t(p, joint), w);
  base->s = pose_scale3(base->s, load_s(p, joint), w);
}

static void pose_block_loop(const pose_block *b) {
  const size_t end = b->first + b->count;
  for (size_t i = 0; i < b->count; i += V_LANES) {
    const size_t joint = b->first + i;
    const quatsimd_pose_in *first = &b->layers->poses;
    vpose p;
    if (b->as_sampled) p = (vpose){load_q(first, joint), load_t(first, joint), load_s(first, joint)};
    else p = blend_layers(b, joint, end);
    for (size_t l = 0; l < b->others; l++) {
      const quatsimd_weighted_poses *const layer = &b->layers[b->blended + l];
      const vf w = load_weights(layer, !b->over[l], joint, end);
      if (b->over[l]) lay_over(&p, &layer->poses, joint, w);
      else add_layer(&p, &layer->poses, joint, w);
    }
    const algebra_arguments q = {.out = b->to, .i = i, .aos = true},
                            t = {.out = b->to + 1, .i = i, .aos = true},
                            s = {.out = b->to + 2, .i = i, .aos = true},
                            m = {.out = &b->matrices, .i = i, .aos = true};
    if (b->to[QUATSIMD_CLIP_ROTATION]) give4(q, p.q);
    if (b->to[QUATSIMD_CLIP_TRANSLATION]) give3(t, p.t);
    if (b->to[QUATSIMD_CLIP_SCALE]) give3(s, p.s);
    if (!b->matrices) continue;
    vq row[3];
    rows_of(m, pose_matrix(p.q, p.s), p.t, row);
    if (b->layout == QUATSIMD_MATRIX_3X4) put_matrix3x4(m, row);
    else put_matrix4(m, row);
  }
}

#endif
