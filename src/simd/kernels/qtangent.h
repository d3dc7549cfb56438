/* Makes QTangents of normals and tangents, in float. scalar/qtangent.h does the same for one element. */
#ifndef QUATSIMD_SIMD_KERNEL_QTANGENT_H
#define QUATSIMD_SIMD_KERNEL_QTANGENT_H

#include "simd/kernels/algebra.h"

V_INLINE vf dot_of(v3 a, v3 b) { return v_add(v_add(v_mul(a.x, b.x), v_mul(a.y, b.y)), v_mul(a.z, b.z)); }
V_INLINE v3 scaled3(v3 a, vf s) { return (v3){v_mul(a.x, s), v_mul(a.y, s), v_mul(a.z, s)}; }
V_INLINE v3 select3_of(vm m, v3 a, v3 b) {
  return (v3){v_select(m, a.x, b.x), v_select(m, a.y, b.y), v_select(m, a.z, b.z)};
}
V_INLINE v3 cross_of(v3 a, v3 b) {
  return (v3){v_sub(v_mul(a.y, b.z), v_mul(a.z, b.y)), v_sub(v_mul(a.z, b.x), v_mul(a.x, b.z)),
              v_sub(v_mul(a.x, b.y), v_mul(a.y, b.x))};
}
/* Returns the part of a that is perpendicular to the unit vector n. */
V_INLINE v3 across(v3 a, v3 n) {
  const vf along = dot_of(a, n);
  return (v3){v_sub(a.x, v_mul(n.x, along)), v_sub(a.y, v_mul(n.y, along)), v_sub(a.z, v_mul(n.z, along))};
}

V_INLINE v3 normal_of(v3 n, vm *ok) {
  const vf n2 = dot_of(n, n), zero = v_set(0);
  *ok = valid_norm2(n2);
  return select3_of(*ok, scaled3(n, reciprocal_sqrt(1, n2)), (v3){zero, zero, v_set(1)});
}

V_INLINE v3 tangent_of(v3 n, v3 t, vm *ok) {
  const vf t2 = dot_of(t, t), zero = v_set(0);
  v3 u = across(t, n);
  *ok = v_both(valid_norm2(t2), v_ge(dot_of(u, u), v_mul(t2, v_set(QUATSIMD_PARALLEL2))));
  u = select3_of(*ok, u,
                 select3_of(v_gt(v_abs(n.x), v_abs(n.z)), (v3){v_negated(n.y), n.x, zero},
                            (v3){zero, v_negated(n.z), n.y}));
  /* calls across() again, because scaling a short u to length 1 has enlarged the error of the first call */
  return across(scaled3(u, reciprocal_sqrt(1, dot_of(u, u))), n);
}

typedef struct vaxes {
  v3 tangent, bitangent, normal;
} vaxes;

V_INLINE vq quaternion_of_axes(vaxes f) { /* the axes are the matrix's columns */
  return float_from_matrix((vmatrix){{{f.tangent.x, f.bitangent.x, f.normal.x},
                                      {f.tangent.y, f.bitangent.y, f.normal.y},
                                      {f.tangent.z, f.bitangent.z, f.normal.z}}});
}

V_INLINE vf one_where(vm m) { return v_keep(m, v_set(1)); }
V_INLINE v3 load3_of(float (*a)[QUATSIMD_CHUNK], size_t i) {
  return (v3){v_load(a[0] + i), v_load(a[1] + i), v_load(a[2] + i)};
}
V_INLINE void store3_of(float (*a)[QUATSIMD_CHUNK], size_t i, v3 v) {
  v_store(a[0] + i, v.x), v_store(a[1] + i, v.y), v_store(a[2] + i, v.z);
}

/* Makes QTangents in several passes, each with one square root and one division. In one pass CPUs cannot
 * begin the next elements before the end of the chain of steps. */
V_INLINE void make_qtangents(bool with_bitangent, float *const *out, const float *const *in, size_t count) {
  float n[3][QUATSIMD_CHUNK], t[3][QUATSIMD_CHUNK], ok[QUATSIMD_CHUNK];
  algebra_arguments a = {out, in, NULL, 0, false, NULL};
  vm good;
  for (a.i = 0; a.i < count; a.i += V_LANES) {
    store3_of(n, a.i, normal_of(take3(a, 0, 0), &good));
    v_store(ok + a.i, one_where(good));
  }
  for (a.i = 0; a.i < count; a.i += V_LANES) {
    store3_of(t, a.i, tangent_of(load3_of(n, a.i), take3(a, 1, 3), &good));
    v_store(ok + a.i, v_keep(good, v_load(ok + a.i)));
  }
  for (a.i = 0; a.i < count; a.i += V_LANES) {
    const v3 normal = load3_of(n, a.i), tangent = load3_of(t, a.i);
    const vaxes f = {tangent, cross_of(normal, tangent), normal};
    vf all_ok = v_load(ok + a.i);
    if (with_bitangent) {
      const v3 b = take3(a, 2, 6);
      const vf b2 = dot_of(b, b), along = dot_of(b, f.bitangent);
      good = v_both(valid_norm2(b2), v_ge(v_mul(along, along), v_mul(b2, v_set(QUATSIMD_PARALLEL2))));
      all_ok = v_keep(good, all_ok);
      v_store(out[4] + a.i, v_flip(v_set(1), v_keep(good, along)));
    }
    give4(a, quaternion_of_axes(f));
    v_store(out[with_bitangent ? 5 : 4] + a.i, all_ok);
  }
}

static void in_float_qtangent_from_tbn(float *const *out, const float *const *in, size_t count) {
  make_qtangents(true, out, in, count);
}
static void in_float_qtangent_from_tangents(float *const *out, const float *const *in, size_t count) {
  make_qtangents(false, out, in, count);
}

#endif
