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

static void clip_bases(float base[4][CLIP_GROUP], const uint32_t word[CLIP_GROUP]) {
  const vi half = v_seti(CLIP_BASE_HALF), mask = v_seti(1023);
  const vf unit = v_set(1.0f / CLIP_BASE_HALF);
  for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
    const vi w = v_loadi(word + h);
    const vf x = v_mul(v_float(v_subi(v_and(w, mask), half)), unit), y = v_mul(v_float(v_subi(v_and(v_shr(w, 10), mask), half)), unit);
    const vf z = v_mul(v_float(v_subi(v_and(v_shr(w, 20), mask), half)), unit);
    v_store(base[0] + h, v_add(x, x)), v_store(base[1] + h, v_add(y, y)), v_store(base[2] + h, v_add(z, z));
    v_store(base[3] + h, v_sub(v_set(1), v_add(v_add(v_mul(x, x), v_mul(y, y)), v_mul(z, z))));
  }
}

/* The sums of a row's products with the coefficients, and what they are worth. */
V_INLINE vi row_product(const vi pair[CLIP_INNER / 2], int32_t (*row)[CLIP_GROUP]) {
  vi p[CLIP_INNER / 2];
  for (int i = 0; i < CLIP_INNER / 2; i++) p[i] = v_multiply_pairs(pair[i], v_loadi(row[i]));
  return v_addi(v_addi(v_addi(p[0], p[1]), v_addi(p[2], p[3])), v_addi(v_addi(p[4], p[5]), v_addi(p[6], p[7])));
}
V_INLINE vf on_line(vf knot, vf next, const quatsimd_clip_row *row, const quatsimd_clip_group *group, int h, vi sum) {
  const vf line = v_add(v_mul(knot, v_set(row->before)), v_mul(next, v_set(row->after)));
  return v_add(v_mul(line, v_load(group->knot_step + h)), v_mul(v_float(sum), v_load(group->step + h)));
}

static void clip_tangent(float p[CLIP_AXES][CLIP_GROUP], const quatsimd_clip_group *group, quatsimd_clip_row *row) {
  for (int a = 0; a < CLIP_AXES; a++)
    for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
      vi pair[CLIP_INNER / 2];
      for (int i = 0; i < CLIP_INNER / 2; i++) pair[i] = v_loadi(group->pair[a][i][h]);
      v_store(p[a] + h, on_line(v_load(group->knot[0][a] + h), v_load(group->knot[1][a] + h), row, group, h, row_product(pair, row->pair)));
    }
}

static const unsigned char *clip_tangents(float p[CLIP_AXES][CLIP_GROUP], float next[CLIP_AXES][CLIP_GROUP], const quatsimd_clip_group *group,
                                          quatsimd_clip_row row[2], const uint8_t *profile, const unsigned char *payload) {
  for (int a = 0; a < CLIP_AXES; a++)
    for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
      vi pair[CLIP_INNER / 2];
      payload = v_load_coefficients(pair, payload, profile + CLIP_GROUP * a + h);
      const vf first = v_load(group->knot[0][a] + h), second = v_load(group->knot[1][a] + h);
      v_store(p[a] + h, on_line(first, second, &row[0], group, h, row_product(pair, row[0].pair)));
      v_store(next[a] + h, on_line(first, second, &row[1], group, h, row_product(pair, row[1].pair)));
    }
  return payload;
}

/* The unit quaternion of a Cayley vector. */
V_INLINE vq cayley_unit(float p[CLIP_AXES][CLIP_GROUP], int h) {
  const vf x = v_load(p[0] + h), y = v_load(p[1] + h), z = v_load(p[2] + h), one = v_set(1);
  const vf m = v_add(v_add(v_mul(x, x), v_mul(y, y)), v_mul(z, z)), d = v_div(one, v_add(one, m)), e = v_add(d, d);
  return (vq){v_mul(x, e), v_mul(y, e), v_mul(z, e), v_mul(v_sub(one, m), d)};
}

V_INLINE vq load_base(const float base[4][CLIP_GROUP], int h) {
  return (vq){v_load(base[0] + h), v_load(base[1] + h), v_load(base[2] + h), v_load(base[3] + h)};
}

static void clip_rotate(float *const to[CLIP_GROUP], const quatsimd_clip_group *group, float a[CLIP_AXES][CLIP_GROUP],
                        float b[CLIP_AXES][CLIP_GROUP], float t, bool axes) {
  for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
    vq q = cayley_unit(a, h);
    if (b) {
      const vq next = cayley_unit(b, h);
      q = weighted_sum(q, next, dot_product(q, next), v_set(1 - t), v_set(t));
    }
    q = float_multiply(q, load_base(group->right, h));
    if (axes) q = float_multiply(load_base(group->left, h), q);
    q = scaled(q, reciprocal_sqrt(1, norm2(q)));
    const vf none = v_set(0); /* -0 becomes 0: which one came out hung on the other frame's sign */
    v_store_each(to + h, (vq){v_add(q.x, none), v_add(q.y, none), v_add(q.z, none), v_add(q.w, none)});
  }
}

#define CLIP_KERNELS_NAME(isa) quatsimd_clip_kernels_##isa
#define CLIP_KERNELS(isa) CLIP_KERNELS_NAME(isa)
const quatsimd_clip_kernels CLIP_KERNELS(QUATSIMD_ISA) = {clip_unpack, clip_knots,    clip_steps,  clip_bases,
                                                          clip_tangent, clip_tangents, clip_rotate, clip_search};

#endif
