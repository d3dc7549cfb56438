/* The operations of stream.c, in float; scalar/stream.h has the same for one element. All rotations are
 * unit quaternions by these operations, so their lengths need no more than a step of Newton's method, but
 * for what hostile residuals turn. */
#ifndef QUATSIMD_SIMD_KERNEL_STREAM_H
#define QUATSIMD_SIMD_KERNEL_STREAM_H

V_INLINE vq conjugated(vq q) { return (vq){v_negated(q.x), v_negated(q.y), v_negated(q.z), q.w}; }

V_INLINE vq stream_predict(vq before, vq last) {
  const vq q = float_multiply(float_multiply(last, conjugated(before)), last);
  return scaled(q, v_sub(v_set(1.5f), v_mul(v_set(0.5f), norm2(q))));
}

/* c[0] + c[1] w + ..., by Horner's rule. */
V_INLINE vf arc_of(vf w) {
  vf r = v_set(STREAM_ARC[STREAM_ARC_TERMS - 1]);
#pragma GCC unroll 16
  for (int i = STREAM_ARC_TERMS - 2; i >= 0; i--) r = v_add(v_mul(r, w), v_set(STREAM_ARC[i]));
  return r;
}

/* The nearest number of this parity: halves, rounded where no bits are left for a fraction. |r| < 2^23. */
V_INLINE vf nearest_of(vf r, float parity) {
  const vf half = v_mul(v_sub(r, v_set(parity)), v_set(0.5f)), integers = v_set(0x1.8p23f);
  return v_add(v_twice(v_sub(v_add(half, integers), integers)), v_set(parity));
}

/* The residual's nearest point of those whose numbers are all even or all odd, and its size; 0 for one as
 * good as none. */
V_INLINE vq stream_residual(bool rotation_vector, vq predicted, vq value, vf per_quantum, vf none2) {
  const vq q = float_multiply(value, conjugated(predicted));
  const vf w = v_abs(q.w),
           factor = with_sign_of(rotation_vector ? arc_of(w) : v_div(v_set(1), v_add(v_set(1), w)),
                                 v_add(q.w, v_set(0)));
  const v3 residual = {v_mul(q.x, factor), v_mul(q.y, factor), v_mul(q.z, factor)};
  const v3 r = {v_mul(residual.x, per_quantum), v_mul(residual.y, per_quantum),
                v_mul(residual.z, per_quantum)};
  const v3 even = {nearest_of(r.x, 0), nearest_of(r.y, 0), nearest_of(r.z, 0)};
  const v3 odd = {nearest_of(r.x, 1), nearest_of(r.y, 1), nearest_of(r.z, 1)};
  const vf to_even = sum_of_squares(v_sub(r.x, even.x), v_sub(r.y, even.y), v_sub(r.z, even.z));
  const vf to_odd = sum_of_squares(v_sub(r.x, odd.x), v_sub(r.y, odd.y), v_sub(r.z, odd.z));
  const vm use_odd = v_gt(to_even, to_odd),
           some = v_gt(sum_of_squares(residual.x, residual.y, residual.z), none2);
  const v3 k = {v_keep(some, v_select(use_odd, odd.x, even.x)),
                v_keep(some, v_select(use_odd, odd.y, even.y)),
                v_keep(some, v_select(use_odd, odd.z, even.z))};
  return (vq){k.x, k.y, k.z, v_add(v_add(v_abs(k.x), v_abs(k.y)), v_abs(k.z))};
}

/* Of a rotation vector longer than the square root of 4 STREAM_LONGEST the direction alone counts: coarse
 * bounds have points so far beyond half a turn, where nearer is better, and hostile packets have any. */
V_INLINE vq stream_turn(bool rotation_vector, vq predicted, v3 point, vf quantum) {
  const v3 v = {v_mul(point.x, quantum), v_mul(point.y, quantum), v_mul(point.z, quantum)};
  const vf v2 = sum_of_squares(v.x, v.y, v.z);
  vf factor = v_set(2), w = v_sub(v_set(1), v2);
  if (rotation_vector) {
    const vf x = v_min(v_mul(v2, v_set(0.25f)), v_set(STREAM_LONGEST));
    factor = v_mul(polynomial5(ROTATION_HALF_SIN, x), v_set(0.5f)), w = half_cosine(x);
  }
  const vq q = float_multiply((vq){v_mul(v.x, factor), v_mul(v.y, factor), v_mul(v.z, factor), w}, predicted);
  return scaled(q, reciprocal_sqrt(1, norm2(q)));
}

static void in_float_stream_unit(int param, float *const *out, const float *const *in, size_t count) {
  (void)param;
  for (algebra_arguments a = {out, in, NULL, 0, false}; a.i < count; a.i += V_LANES) {
    const vq q = take4(a, 0, 0), other = take4(a, 1, 4);
    const vf n2 = norm2(q);
    const vm valid = valid_norm2(n2);
    const vq u = scaled(q, reciprocal_sqrt(1, n2));
    give4(a, (vq){v_select(valid, u.x, other.x), v_select(valid, u.y, other.y), v_select(valid, u.z, other.z),
                  v_select(valid, u.w, other.w)});
    v_store(out[4] + a.i, v_keep(valid, v_set(1)));
  }
}

static void in_float_stream_predict(int param, float *const *out, const float *const *in, size_t count) {
  (void)param;
  for (algebra_arguments a = {out, in, NULL, 0, false}; a.i < count; a.i += V_LANES)
    give4(a, stream_predict(take4(a, 0, 0), take4(a, 1, 4)));
}

V_INLINE void each_residual(bool rotation_vector, algebra_arguments a) {
  give4(a, stream_residual(rotation_vector, take4(a, 0, 0), take4(a, 1, 4), take1(a, 2, 8), take1(a, 3, 9)));
}
static void in_float_stream_residual(int param, float *const *out, const float *const *in, size_t count) {
  algebra_arguments a = {out, in, NULL, 0, false};
  for (; param == 0 && a.i < count; a.i += V_LANES) each_residual(false, a);
  for (; a.i < count; a.i += V_LANES) each_residual(true, a);
}

V_INLINE void each_turn(bool rotation_vector, algebra_arguments a) {
  give4(a, stream_turn(rotation_vector, take4(a, 0, 0), take3(a, 1, 4), take1(a, 2, 7)));
}
static void in_float_stream_turn(int param, float *const *out, const float *const *in, size_t count) {
  algebra_arguments a = {out, in, NULL, 0, false};
  for (; param == 0 && a.i < count; a.i += V_LANES) each_turn(false, a);
  for (; a.i < count; a.i += V_LANES) each_turn(true, a);
}

#endif
