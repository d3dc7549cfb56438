/* The operations of streams, in float. scalar/stream.h has the same for one element. */
#ifndef QUATSIMD_SIMD_KERNEL_STREAM_H
#define QUATSIMD_SIMD_KERNEL_STREAM_H

#include "simd/kernels/algebra.h"

V_INLINE vq conjugated(vq q) { return (vq){v_negated(q.x), v_negated(q.y), v_negated(q.z), q.w}; }

/* Replaces magnitudes up to STREAM_LEAST by 0. A product of two such results is 0 or above 2^-120, never a
 * denormal, so the denormal mode does not matter. Other products are only added to much larger numbers. */
V_INLINE vf never_tiny(vf x) { return v_keep(v_gt(v_abs(x), v_set(STREAM_LEAST)), x); }

V_INLINE vf arc_of(vf w) {
  vf r = v_set(STREAM_ARC[STREAM_ARC_TERMS - 1]);
  QUATSIMD_UNROLL(16)
  for (int i = STREAM_ARC_TERMS - 2; i >= 0; i--) r = v_add(v_mul(r, w), v_set(STREAM_ARC[i]));
  return r;
}

/* Returns the rotation vector from one rotation to another, in the frame of the first. */
V_INLINE v3 vector_between(vq from, vq to) {
  const vq q = float_multiply(conjugated(from), to);
  const vf factor = v_flip(arc_of(v_abs(q.w)), v_add(q.w, v_set(0)));
  return (v3){v_mul(q.x, factor), v_mul(q.y, factor), v_mul(q.z, factor)};
}

/* Turns q by a rotation vector v in q's own frame. Hostile packets may give v any length. If v is longer than
 * 2 sqrt(STREAM_LONGEST), q turns by about half a turn. */
V_INLINE vq turned(vq q, v3 v) {
  const vf x = v_min(v_mul(sum_of_squares(v.x, v.y, v.z), v_set(0.25f)), v_set(STREAM_LONGEST));
  const vf factor = v_mul(polynomial5(ROTATION_HALF_SIN, x), v_set(0.5f));
  const vq by = {v_mul(v.x, factor), v_mul(v.y, factor), v_mul(v.z, factor), half_cosine(x)};
  const vq r = float_multiply(q, by), u = scaled(r, reciprocal_sqrt(1, norm2(r)));
  return (vq){never_tiny(u.x), never_tiny(u.y), never_tiny(u.z), never_tiny(u.w)};
}

V_INLINE v3 times(v3 v, vf factor) {
  return (v3){v_mul(v.x, factor), v_mul(v.y, factor), v_mul(v.z, factor)};
}

/* Returns the even (parity 0) or odd (1) integer nearest to r; |r| < 2^23. */
V_INLINE vf nearest_of(vf r, float parity) {
  const vf half = v_mul(v_sub(r, v_set(parity)), v_set(0.5f)), integers = v_set(0x1.8p23f);
  return v_add(v_twice(v_sub(v_add(half, integers), integers)), v_set(parity));
}

/* Brings coordinate k nearer to 0 by 2 if the point's squared distance from r stays up to STREAM_BOUND2. */
V_INLINE vf nearer_to_zero(vf k, vf r, vf *distance2) {
  const vf closer = v_sub(k, v_flip(v_set(2), k)), d = v_sub(r, k), e = v_sub(r, closer);
  const vf then = v_add(v_sub(*distance2, v_mul(d, d)), v_mul(e, e));
  const vm better = v_both(v_gt(v_abs(k), v_set(1.5f)), v_le(then, v_set(STREAM_BOUND2)));
  *distance2 = v_select(better, then, *distance2);
  return v_select(better, closer, k);
}

/* Finds a point of one parity for r. w of the result is the cost: about the sum of the magnitudes of x, y, z.
 * The cost is larger than any such sum if the squared distance from r is above STREAM_BOUND2. */
V_INLINE vq point_of(v3 r, float parity) {
  v3 k = {nearest_of(r.x, parity), nearest_of(r.y, parity), nearest_of(r.z, parity)};
  vf distance2 = sum_of_squares(v_sub(r.x, k.x), v_sub(r.y, k.y), v_sub(r.z, k.z));
  k.x = nearer_to_zero(k.x, r.x, &distance2);
  k.y = nearer_to_zero(k.y, r.y, &distance2);
  k.z = nearer_to_zero(k.z, r.z, &distance2);
  const vf size = v_add(v_add(v_abs(k.x), v_abs(k.y)), v_abs(k.z));
  const vm within = v_le(distance2, v_set(STREAM_BOUND2));
  return (vq){
      k.x, k.y, k.z,
      v_select(within, v_add(size, v_mul(distance2, v_set(0.0625f))), v_mul(distance2, v_set(0x1p25f)))};
}

/* Finds the lattice point of a residual: three numbers, all even or all odd. It takes the even or the odd
 * point_of, whichever costs less. Residuals whose squared length is at most none2 get the point 0. */
V_INLINE v3 stream_residual(vq predicted, vq value, vf per_quantum, vf none2) {
  const v3 residual = vector_between(predicted, value), r = times(residual, per_quantum);
  const vq even = point_of(r, 0), odd = point_of(r, 1);
  const vm use_odd = v_gt(even.w, odd.w),
           some = v_gt(sum_of_squares(residual.x, residual.y, residual.z), none2);
  return (v3){v_keep(some, v_select(use_odd, odd.x, even.x)), v_keep(some, v_select(use_odd, odd.y, even.y)),
              v_keep(some, v_select(use_odd, odd.z, even.z))};
}

static void in_float_stream_unit(float *const *out, const float *const *in, size_t count) {
  for (algebra_arguments a = {out, in, NULL, 0, false, NULL}; a.i < count; a.i += V_LANES) {
    const vq q = take4(a, 0, 0), other = take4(a, 1, 4);
    const vf n2 = norm2(q);
    const vm valid = valid_norm2(n2);
    const vq u = scaled(q, reciprocal_sqrt(1, n2));
    give4(a, (vq){v_select(valid, never_tiny(u.x), other.x), v_select(valid, never_tiny(u.y), other.y),
                  v_select(valid, never_tiny(u.z), other.z), v_select(valid, never_tiny(u.w), other.w)});
    v_store(out[4] + a.i, v_keep(valid, v_set(1)));
  }
}

static void in_float_stream_residual(float *const *out, const float *const *in, size_t count) {
  for (algebra_arguments a = {out, in, NULL, 0, false, NULL}; a.i < count; a.i += V_LANES)
    give3(a, stream_residual(take4(a, 0, 0), take4(a, 1, 4), take1(a, 2, 8), take1(a, 3, 9)));
}

static void in_float_stream_turn(float *const *out, const float *const *in, size_t count) {
  for (algebra_arguments a = {out, in, NULL, 0, false, NULL}; a.i < count; a.i += V_LANES)
    give4(a, turned(take4(a, 0, 0), times(take3(a, 1, 4), take1(a, 2, 7))));
}

static void in_float_stream_between(float *const *out, const float *const *in, size_t count) {
  for (algebra_arguments a = {out, in, NULL, 0, false, NULL}; a.i < count; a.i += V_LANES) {
    const v3 v = vector_between(take4(a, 0, 0), take4(a, 1, 4));
    give3(a, (v3){never_tiny(v.x), never_tiny(v.y), never_tiny(v.z)});
  }
}

#endif
