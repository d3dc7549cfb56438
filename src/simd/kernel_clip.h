/* Eight curves of a clip at a time: docs/clip-format.md. scalar/clip.h has the same for reading. */
#ifndef QUATSIMD_SIMD_KERNEL_CLIP_H
#define QUATSIMD_SIMD_KERNEL_CLIP_H

#include "../clip/search.inc.h"

static const unsigned char *clip_unpack(quatsimd_clip_group *group, const uint8_t *profile, const unsigned char *payload) {
  for (int a = 0; a < CLIP_AXES; a++)
    for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
      vi pair[CLIP_INNER / 2];
      payload = v_load_coefficients(pair, payload, profile + CLIP_GROUP * a + h);
      for (int i = 0; i < CLIP_INNER / 2; i++) v_storei(group->pair[a][i][h], pair[i]);
    }
  return payload;
}

static void clip_knots(float knot[CLIP_AXES][CLIP_GROUP], const unsigned char *row, const uint8_t *width, size_t curves) {
  for (int a = 0; a < CLIP_AXES; a++) {
    for (int h = 0; h < CLIP_GROUP; h += V_LANES) v_store(knot[a] + h, v_float(v_load_knots(row, width[a], h)));
    row += (width[a] * curves + 7) / 8;
  }
}

static void clip_steps(float step[CLIP_GROUP], const float table[16], uint32_t codes) {
  for (int h = 0; h < CLIP_GROUP; h += V_LANES) v_store(step + h, v_look_up(table, codes, h));
}

/* The quaternions of bases, longer than 1. */
V_INLINE vq base_of(vi w) {
  const vi half = v_seti(CLIP_BASE_HALF), mask = v_seti(1023);
  const vf unit = v_set(1.0f / CLIP_BASE_HALF);
  const vf x = v_mul(v_float(v_subi(v_and(w, mask), half)), unit), y = v_mul(v_float(v_subi(v_and(v_shr(w, 10), mask), half)), unit);
  const vf z = v_mul(v_float(v_subi(v_and(v_shr(w, 20), mask), half)), unit);
  return (vq){v_add(x, x), v_add(y, y), v_add(z, z), v_sub(v_set(1), v_add(v_add(v_mul(x, x), v_mul(y, y)), v_mul(z, z)))};
}

static void clip_bases(float base[4][CLIP_GROUP], const uint32_t word[CLIP_GROUP]) {
  for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
    const vq q = base_of(v_loadi(word + h));
    v_store(base[0] + h, q.x), v_store(base[1] + h, q.y), v_store(base[2] + h, q.z), v_store(base[3] + h, q.w);
  }
}

/* The sums of a row's products with the coefficients, and what they are worth. */
V_INLINE vi row_product(const vi pair[CLIP_INNER / 2], int32_t (*row)[CLIP_GROUP]) {
  vi p[CLIP_INNER / 2];
  for (int i = 0; i < CLIP_INNER / 2; i++) p[i] = v_multiply_pairs(pair[i], v_loadi(row[i]));
  return v_addi(v_addi(v_addi(p[0], p[1]), v_addi(p[2], p[3])), v_addi(v_addi(p[4], p[5]), v_addi(p[6], p[7])));
}
V_INLINE vf off_line(vf knot, vf next, const quatsimd_clip_row *row, vf knot_step, vf step, vi sum) {
  const vf line = v_add(v_mul(knot, v_set(row->before)), v_mul(next, v_set(row->after)));
  return v_add(v_mul(line, knot_step), v_mul(v_float(sum), step));
}

static void clip_tangent(float p[CLIP_AXES][CLIP_GROUP], const quatsimd_clip_group *group, quatsimd_clip_row *row) {
  for (int a = 0; a < CLIP_AXES; a++)
    for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
      vi pair[CLIP_INNER / 2];
      for (int i = 0; i < CLIP_INNER / 2; i++) pair[i] = v_loadi(group->pair[a][i][h]);
      v_store(p[a] + h, off_line(v_load(group->knot[0][a] + h), v_load(group->knot[1][a] + h), row, v_load(group->knot_step + h),
                                 v_load(group->step + h), row_product(pair, row->pair)));
    }
}

/* The unit quaternion of a Cayley vector. */
V_INLINE vq cayley_unit(vf x, vf y, vf z) {
  const vf one = v_set(1), m = v_add(v_add(v_mul(x, x), v_mul(y, y)), v_mul(z, z)), d = v_div(one, v_add(one, m)), e = v_add(d, d);
  return (vq){v_mul(x, e), v_mul(y, e), v_mul(z, e), v_mul(v_sub(one, m), d)};
}
V_INLINE vq load_cayley(float p[CLIP_AXES][CLIP_GROUP], int h) { return cayley_unit(v_load(p[0] + h), v_load(p[1] + h), v_load(p[2] + h)); }

V_INLINE vq between(vq q, vq next, float t) { return weighted_sum(q, next, dot_product(q, next), v_set(1 - t), v_set(t)); }

V_INLINE void store_rotations(float *const *to, vq q) {
  const vf none = v_set(0); /* -0 becomes 0: which one came out hung on the other frame's sign */
  q = scaled(q, reciprocal_sqrt(1, norm2(q)));
  v_store_each(to, (vq){v_add(q.x, none), v_add(q.y, none), v_add(q.z, none), v_add(q.w, none)});
}

V_INLINE vq load_base(const float base[4][CLIP_GROUP], int h) {
  return (vq){v_load(base[0] + h), v_load(base[1] + h), v_load(base[2] + h), v_load(base[3] + h)};
}

static void clip_rotate(float *const to[CLIP_GROUP], const quatsimd_clip_group *group, float a[CLIP_AXES][CLIP_GROUP],
                        float b[CLIP_AXES][CLIP_GROUP], float t, bool axes) {
  for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
    vq q = load_cayley(a, h);
    if (b) q = between(q, load_cayley(b, h), t);
    q = float_multiply(q, load_base(group->right, h));
    if (axes) q = float_multiply(load_base(group->left, h), q);
    store_rotations(to + h, q);
  }
}

static const unsigned char *clip_sample(float *const to[CLIP_GROUP], const quatsimd_clip_packed *packed) {
  vf p[CLIP_AXES][CLIP_GROUP / V_LANES], next[CLIP_AXES][CLIP_GROUP / V_LANES];
  const unsigned char *knots[2] = {packed->knots[0], packed->knots[1]}, *payload = packed->payload;
  const vf knot_step = v_set(packed->knot_step);
  for (int a = 0; a < CLIP_AXES; a++) {
    for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
      vi pair[CLIP_INNER / 2];
      payload = v_load_coefficients(pair, payload, packed->profile + CLIP_GROUP * a + h);
      const vf first = v_float(v_load_knots(knots[0], packed->width[a], h)), second = v_float(v_load_knots(knots[1], packed->width[a], h));
      const vf step = v_look_up(packed->step, packed->codes, h);
      p[a][h / V_LANES] = off_line(first, second, &packed->row[0], knot_step, step, row_product(pair, packed->row[0].pair));
      next[a][h / V_LANES] = off_line(first, second, &packed->row[1], knot_step, step, row_product(pair, packed->row[1].pair));
    }
    const size_t bytes = (packed->width[a] * packed->curves + 7) / 8;
    knots[0] += bytes, knots[1] += bytes;
  }
  for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
    const int i = h / V_LANES;
    vq q = between(cayley_unit(p[0][i], p[1][i], p[2][i]), cayley_unit(next[0][i], next[1][i], next[2][i]), packed->t);
    q = float_multiply(q, base_of(v_loadi(packed->right + h)));
    if (packed->left) q = float_multiply(base_of(v_loadi(packed->left + h)), q);
    store_rotations(to + h, q);
  }
  return payload;
}

#define CLIP_KERNELS_NAME(isa) quatsimd_clip_kernels_##isa
#define CLIP_KERNELS(isa) CLIP_KERNELS_NAME(isa)
const quatsimd_clip_kernels CLIP_KERNELS(QUATSIMD_ISA) = {clip_unpack, clip_knots,    clip_steps,  clip_bases,
                                                          clip_tangent, clip_rotate,   clip_sample, clip_search};

#endif
