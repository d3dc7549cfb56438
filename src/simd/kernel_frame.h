/* Frames of normals and tangents, in float; scalar/frame.h has the same for one element. */
#ifndef QUATSIMD_SIMD_KERNEL_FRAME_H
#define QUATSIMD_SIMD_KERNEL_FRAME_H

V_INLINE vf dot_of(v3 a, v3 b) { return v_add(v_add(v_mul(a.x, b.x), v_mul(a.y, b.y)), v_mul(a.z, b.z)); }
V_INLINE v3 scaled3(v3 a, vf s) { return (v3){v_mul(a.x, s), v_mul(a.y, s), v_mul(a.z, s)}; }
V_INLINE v3 select3_of(vm m, v3 a, v3 b) { return (v3){v_select(m, a.x, b.x), v_select(m, a.y, b.y), v_select(m, a.z, b.z)}; }
V_INLINE v3 cross_of(v3 a, v3 b) {
  return (v3){v_sub(v_mul(a.y, b.z), v_mul(a.z, b.y)), v_sub(v_mul(a.z, b.x), v_mul(a.x, b.z)), v_sub(v_mul(a.x, b.y), v_mul(a.y, b.x))};
}
/* a without what is along the unit vector n. */
V_INLINE v3 across(v3 a, v3 n) {
  const vf along = dot_of(a, n);
  return (v3){v_sub(a.x, v_mul(n.x, along)), v_sub(a.y, v_mul(n.y, along)), v_sub(a.z, v_mul(n.z, along))};
}

typedef struct vframe {
  v3 tangent, bitangent, normal;
  vm ok;
} vframe;

V_INLINE vframe frame_of_vectors(v3 n, v3 t) {
  const vf n2 = dot_of(n, n), t2 = dot_of(t, t), zero = v_set(0), one = v_set(1);
  const vm n_ok = valid_norm2(n2), t_ok = valid_norm2(t2);
  n = select3_of(n_ok, scaled3(n, reciprocal_sqrt(1, n2)), (v3){zero, zero, one});
  v3 u = across(t, n);
  vf u2 = dot_of(u, u);
  const vm u_ok = v_both(t_ok, v_ge(u2, v_mul(t2, v_set(QUATSIMD_PARALLEL2))));
  const v3 some = select3_of(v_gt(v_abs(n.x), v_abs(n.z)), (v3){v_negated(n.y), n.x, zero}, (v3){zero, v_negated(n.z), n.y});
  u = select3_of(u_ok, u, some), u2 = dot_of(u, u);
  u = across(scaled3(u, reciprocal_sqrt(1, u2)), n); /* again: what was small is across now as exactly as what was large */
  return (vframe){u, cross_of(n, u), n, v_both(n_ok, u_ok)};
}

/* The row of 4 q q^T on whose diagonal the largest element is. */
V_INLINE vq frame_quaternion(vframe f) {
  const vf xx = f.tangent.x, yy = f.bitangent.y, zz = f.normal.z, one = v_set(1);
  const vf tx = v_add(one, v_sub(v_sub(xx, yy), zz)), ty = v_add(one, v_sub(v_sub(yy, xx), zz));
  const vf tz = v_add(one, v_sub(v_sub(zz, xx), yy)), tw = v_add(one, v_add(v_add(xx, yy), zz));
  const vf xy = v_add(f.tangent.y, f.bitangent.x), xz = v_add(f.tangent.z, f.normal.x), yz = v_add(f.bitangent.z, f.normal.y);
  const vf wx = v_sub(f.bitangent.z, f.normal.y), wy = v_sub(f.normal.x, f.tangent.z), wz = v_sub(f.tangent.y, f.bitangent.x);
  const vm y_over_x = v_gt(ty, tx), w_over_z = v_gt(tw, tz);
  const vm upper = v_gt(v_select(w_over_z, tw, tz), v_select(y_over_x, ty, tx));
#define PICK(x, y, z, w) v_select(upper, v_select(w_over_z, w, z), v_select(y_over_x, y, x))
  const vq q = {PICK(tx, xy, xz, wx), PICK(xy, ty, yz, wy), PICK(xz, yz, tz, wz), PICK(wx, wy, wz, tw)};
#undef PICK
  return scaled(q, reciprocal_sqrt(1, norm2(q)));
}

static void operation_frame_from_tbn(int param, float *const *out, const float *const *in, size_t count) {
  (void)param;
  for (algebra_arguments a = {out, in, NULL, 0, false}; a.i < count; a.i += V_LANES) {
    const vframe f = frame_of_vectors(take3(a, 0, 0), take3(a, 1, 3));
    const v3 b = take3(a, 2, 6);
    const vf b2 = dot_of(b, b), along = dot_of(b, f.bitangent);
    const vm b_ok = v_both(valid_norm2(b2), v_ge(v_mul(along, along), v_mul(b2, v_set(QUATSIMD_PARALLEL2))));
    give4(a, frame_quaternion(f));
    v_store(out[4] + a.i, with_sign_of(v_set(1), v_keep(b_ok, along)));
    v_store(out[5] + a.i, v_keep(v_both(f.ok, b_ok), v_set(1)));
  }
}

static void operation_frame_from_tangents(int param, float *const *out, const float *const *in, size_t count) {
  (void)param;
  for (algebra_arguments a = {out, in, NULL, 0, false}; a.i < count; a.i += V_LANES) {
    const vframe f = frame_of_vectors(take3(a, 0, 0), take3(a, 1, 3));
    give4(a, frame_quaternion(f));
    v_store(out[4] + a.i, v_keep(f.ok, v_set(1)));
  }
}

#endif
