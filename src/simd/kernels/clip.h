/* Eight curves of a clip at a time: docs/clip-format.md. scalar/clip.h has the same for reading. */
#ifndef QUATSIMD_SIMD_KERNEL_CLIP_H
#define QUATSIMD_SIMD_KERNEL_CLIP_H

#include "clip/encode/search.inc.h"

static const unsigned char *clip_unpack(quatsimd_clip_group *group, const uint8_t *profile,
                                        const unsigned char *payload, size_t axes) {
  for (size_t a = 0; a < axes; a++)
    for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
      vi pair[CLIP_INNER / 2];
      payload = v_load_coefficients(pair, payload, profile + CLIP_GROUP * a + (size_t)h);
      for (int i = 0; i < CLIP_INNER / 2; i++) v_storei(group->pair[a][i][h], pair[i]);
    }
  return payload;
}

static void clip_knots(float knot[CLIP_AXES][CLIP_GROUP], const unsigned char *row, const uint8_t *width,
                       size_t curves, size_t axes) {
  for (size_t a = 0; a < axes; a++) {
    for (int h = 0; h < CLIP_GROUP; h += V_LANES)
      v_store(knot[a] + h, v_float(v_load_knots(row, width[a], h)));
    row += (width[a] * curves + 7) / 8;
  }
}

V_INLINE vf quanta_of(uint32_t codes, const float *unit, float norm, int h) {
  return v_mul(v_mul(v_look_up(quatsimd_clip_quantum, codes, h), v_load(unit + h)), v_set(norm));
}
static void clip_quanta(float quantum[CLIP_GROUP], uint32_t codes, const float unit[CLIP_GROUP], float norm) {
  for (int h = 0; h < CLIP_GROUP; h += V_LANES) v_store(quantum + h, quanta_of(codes, unit, norm, h));
}

/* The quaternions of bases, longer than 1. */
V_INLINE vq base_of(vi w) {
  const vi half = v_seti(CLIP_BASE_HALF), mask = v_seti(1023);
  const vf quantum = v_set(1.0f / CLIP_BASE_HALF);
  const vf x = v_mul(v_float(v_subi(v_and(w, mask), half)), quantum),
           y = v_mul(v_float(v_subi(v_and(v_shr(w, 10), mask), half)), quantum);
  const vf z = v_mul(v_float(v_subi(v_and(v_shr(w, 20), mask), half)), quantum);
  return (vq){v_add(x, x), v_add(y, y), v_add(z, z),
              v_sub(v_set(1), v_add(v_add(v_mul(x, x), v_mul(y, y)), v_mul(z, z)))};
}

static void clip_bases(float base[4][CLIP_GROUP], const unsigned char *p) {
  for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
    const vq q = base_of(v_loadi(p + 4 * h));
    v_store(base[0] + h, q.x), v_store(base[1] + h, q.y), v_store(base[2] + h, q.z),
        v_store(base[3] + h, q.w);
  }
}

/* Entries 2i and 2i + 1 of a row in every lane. */
typedef struct vrow {
  vi pair[CLIP_INNER / 2];
} vrow;
V_INLINE vrow load_row(const quatsimd_clip_row *row) {
  vrow r;
  for (int i = 0; i < CLIP_INNER / 2; i++) {
    int32_t two;
    memcpy(&two, row->entry + 2 * i, sizeof two);
    r.pair[i] = v_seti(two);
  }
  return r;
}

/* The sums of a row's products with the coefficients, and what they are worth. */
V_INLINE vi row_product(const vi pair[CLIP_INNER / 2], const vrow *row) {
  vi even = v_multiply_pairs(pair[0], row->pair[0]), odd = v_multiply_pairs(pair[1], row->pair[1]);
  for (int i = 2; i < CLIP_INNER / 2; i += 2) {
    even = v_addi(even, v_multiply_pairs(pair[i], row->pair[i]));
    odd = v_addi(odd, v_multiply_pairs(pair[i + 1], row->pair[i + 1]));
  }
  return v_addi(even, odd);
}
V_INLINE vf off_line(vf knot, vf next, const quatsimd_clip_row *row, vf knot_quantum, vf quantum, vi sum) {
  const vf line = v_add(v_mul(knot, v_set(row->before)), v_mul(next, v_set(row->after)));
  return v_add(v_mul(line, knot_quantum), v_mul(v_float(sum), quantum));
}

V_INLINE vf axis_at(const quatsimd_clip_group *group, const quatsimd_clip_row *row, const vrow *r, int h,
                    size_t a) {
  vi pair[CLIP_INNER / 2];
  for (int i = 0; i < CLIP_INNER / 2; i++) pair[i] = v_loadi(group->pair[a][i][h]);
  return off_line(v_load(group->knot[0][a] + h), v_load(group->knot[1][a] + h), row,
                  v_load(group->knot_quantum + h), v_load(group->quantum + h), row_product(pair, r));
}
V_INLINE v3 cayley_at(const quatsimd_clip_group *group, const quatsimd_clip_row *row, const vrow *r, int h) {
  return (v3){axis_at(group, row, r, h, 0), axis_at(group, row, r, h, 1), axis_at(group, row, r, h, 2)};
}

static void clip_tangent(float p[CLIP_AXES][CLIP_GROUP], const quatsimd_clip_group *group,
                         const quatsimd_clip_row *row, size_t axes) {
  const vrow r = load_row(row);
  for (int h = 0; h < CLIP_GROUP; h += V_LANES)
    for (size_t a = 0; a < axes; a++) v_store(p[a] + h, axis_at(group, row, &r, h, a));
}

/* The quaternion of a Cayley vector, (1 + m) / 2 long. */
typedef struct vkey {
  vq q;
  vf m;
} vkey;
V_INLINE vkey cayley_key(v3 v) {
  const vf m = v_add(v_add(v_mul(v.x, v.x), v_mul(v.y, v.y)), v_mul(v.z, v.z));
  return (vkey){{v.x, v.y, v.z, v_mul(v_sub(v_set(1), m), v_set(0.5f))}, m};
}
V_INLINE vkey load_key(float p[CLIP_AXES][CLIP_GROUP], int h) {
  return cayley_key((v3){v_load(p[0] + h), v_load(p[1] + h), v_load(p[2] + h)});
}

/* See clip_weights. Nothing is NaN, so that signs are bits. */
V_INLINE vq between(vkey a, vkey b, quatsimd_clip_weights w) {
  const vf d = dot_product(a.q, b.q), of_a = v_add(v_mul(v_set(w.other), b.m), v_set(1)),
           of_b = v_add(v_set(1), a.m), signed_c = v_div(d, v_mul(of_b, of_a));
  const vi sign = v_and(v_bits(v_add(signed_c, v_set(CLIP_HALF_TURN))), v_seti(INT32_MIN));
  const vf c = v_from_bits(v_xor(v_bits(signed_c), sign));
  vf turn = v_set(w.turn[3]);
  for (int i = 2; i >= 0; i--) turn = v_add(v_mul(turn, c), v_set(w.turn[i]));
  const vf second = v_add(v_set(w.t), v_mul(v_sub(v_set(0.25f), c), turn)),
           first = v_mul(v_sub(v_set(w.whole), second), of_a),
           of_next = v_from_bits(v_xor(v_bits(v_mul(second, of_b)), sign));
  return (vq){
      v_add(v_mul(a.q.x, first), v_mul(b.q.x, of_next)), v_add(v_mul(a.q.y, first), v_mul(b.q.y, of_next)),
      v_add(v_mul(a.q.z, first), v_mul(b.q.z, of_next)), v_add(v_mul(a.q.w, first), v_mul(b.q.w, of_next))};
}

V_INLINE vq without_minus_zero(vq q) { /* which zero came out hung on the other frame's sign */
  const vf none = v_set(0);
  return (vq){v_add(q.x, none), v_add(q.y, none), v_add(q.z, none), v_add(q.w, none)};
}

V_INLINE vq load_base(const float base[4][CLIP_GROUP], int h) {
  return (vq){v_load(base[0] + h), v_load(base[1] + h), v_load(base[2] + h), v_load(base[3] + h)};
}

V_INLINE vq normalised(vq q) { return without_minus_zero(scaled(q, reciprocal_sqrt(1, norm2(q)))); }

/* To where the curves from lane h on go: left (if axes) times q times right. */
V_INLINE void store_rotations(char *to, const size_t *offset, const quatsimd_clip_group *group, int h, vq q,
                              bool axes) {
  q = float_multiply(q, load_base(group->right, h));
  if (axes) q = float_multiply(load_base(group->left, h), q);
  v_store_each(to, offset + h, normalised(q));
}

static void clip_rotate(float to[CLIP_GROUP][4], const quatsimd_clip_group *group,
                        float a[CLIP_AXES][CLIP_GROUP], float b[CLIP_AXES][CLIP_GROUP], float t, bool axes) {
  static const size_t each[] = {0, 16, 32, 48, 64, 80, 96, 112}; /* bytes */
  const quatsimd_clip_weights shares = clip_weights(t);
  for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
    const vkey key = load_key(a, h);
    store_rotations((char *)to, each, group, h, b ? between(key, load_key(b, h), shares) : key.q, axes);
  }
}

static void clip_replay(const quatsimd_clip_job *job, size_t jobs, float t, bool axes) {
  enum { PARTS = CLIP_GROUP / V_LANES };
  v3 v[2][CLIP_AT_ONCE][PARTS];
  const bool two = job->next != NULL;
  const quatsimd_clip_weights shares = clip_weights(t);
  /* loops of their own: in one, compilers keep the coefficients in more registers than there are */
  for (int k = 0; k < (two ? 2 : 1); k++)
    for (size_t i = 0; i < jobs; i++) {
      const quatsimd_clip_row *row = k ? job[i].next : job[i].row;
      const vrow r = load_row(row);
      for (int p = 0; p < PARTS; p++) v[k][i][p] = cayley_at(job[i].group, row, &r, V_LANES * p);
    }
  for (size_t i = 0; i < jobs; i++)
    for (int p = PARTS - 1; p >= 0; p--) { /* a group's first lane comes last */
      const vkey key = cayley_key(v[0][i][p]);
      const vq q = two ? between(key, cayley_key(v[1][i][p]), shares) : key.q;
      store_rotations(job[i].to, job[i].group->offset, job[i].group, V_LANES * p, q, axes);
    }
}

static const unsigned char *clip_sample(char *to, const quatsimd_clip_packed *packed, size_t groups,
                                        const unsigned char *payload, const quatsimd_clip_row row[2], float t,
                                        float norm) {
  enum { PARTS = CLIP_GROUP / V_LANES };
  const quatsimd_clip_weights shares = clip_weights(t);
  const vrow r[2] = {load_row(&row[0]), load_row(&row[1])};
  for (; groups > 0; groups--, packed++) {
    const unsigned char *knots[2] = {packed->knots[0], packed->knots[1]};
    vf quantum[PARTS], knot_quantum[PARTS], p[2][CLIP_AXES][PARTS];
    for (int i = 0; i < PARTS; i++)
      quantum[i] = quanta_of(packed->codes, packed->unit, norm, V_LANES * i),
      knot_quantum[i] = v_mul(v_load(packed->unit + V_LANES * i), v_set(CLIP_KNOT_QUANTUM));
    for (int a = 0; a < CLIP_AXES; a++) {
      const unsigned width = packed->width[a];
      for (int i = 0, h = 0; i < PARTS; i++, h += V_LANES) {
        vi pair[CLIP_INNER / 2];
        payload = v_load_coefficients(pair, payload, packed->profile + CLIP_GROUP * a + h);
        const vf first = v_float(v_load_knots(knots[0], width, h)),
                 second = v_float(v_load_knots(knots[1], width, h));
        for (int k = 0; k < 2; k++)
          p[k][a][i] =
              off_line(first, second, &row[k], knot_quantum[i], quantum[i], row_product(pair, &r[k]));
      }
      knots[0] += (width * packed->curves + 7) / 8;
      knots[1] += (width * packed->curves + 7) / 8;
    }
    for (int i = PARTS - 1; i >= 0; i--) { /* a group's first lane comes last */
      vq q = between(cayley_key((v3){p[0][0][i], p[0][1][i], p[0][2][i]}),
                     cayley_key((v3){p[1][0][i], p[1][1][i], p[1][2][i]}), shares);
      q = float_multiply(q, base_of(v_loadi(packed->right + 4 * V_LANES * i)));
      if (packed->left) q = float_multiply(base_of(v_loadi(packed->left + 4 * V_LANES * i)), q);
      v_store_each(to, packed->offset + V_LANES * i, normalised(q));
    }
  }
  return payload;
}

static const unsigned char *clip_vectors(float *value, const quatsimd_clip_packed *packed, size_t groups,
                                         const unsigned char *payload, const quatsimd_clip_row row[2],
                                         float t, float norm, size_t axes) {
  const vrow r[2] = {load_row(&row[0]), load_row(&row[1])};
  const vf before = v_set(1 - t), after = v_set(t);
  for (; groups > 0; groups--, packed++) {
    const unsigned char *knots[2] = {packed->knots[0], packed->knots[1]};
    for (size_t a = 0; a < axes; a++, value += CLIP_GROUP) {
      const unsigned width = packed->width[a];
      for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
        vi pair[CLIP_INNER / 2];
        payload = v_load_coefficients(pair, payload, packed->profile + CLIP_GROUP * a + (size_t)h);
        const vf first = v_float(v_load_knots(knots[0], width, h)),
                 second = v_float(v_load_knots(knots[1], width, h)),
                 quantum = quanta_of(packed->codes, packed->unit, norm, h),
                 knot_quantum = v_mul(v_load(packed->unit + h), v_set(CLIP_KNOT_QUANTUM));
        const vf p = off_line(first, second, &row[0], knot_quantum, quantum, row_product(pair, &r[0])),
                 next = off_line(first, second, &row[1], knot_quantum, quantum, row_product(pair, &r[1]));
        v_store(value + h, v_add(v_mul(p, before), v_mul(next, after)));
      }
      knots[0] += (width * packed->curves + 7) / 8;
      knots[1] += (width * packed->curves + 7) / 8;
    }
  }
  return payload;
}

#define CLIP_KERNELS_NAME(isa) quatsimd_clip_kernels_##isa
#define CLIP_KERNELS(isa) CLIP_KERNELS_NAME(isa)
extern const quatsimd_clip_kernels CLIP_KERNELS(QUATSIMD_ISA);
const quatsimd_clip_kernels CLIP_KERNELS(QUATSIMD_ISA) = {clip_unpack,  clip_knots,  clip_quanta, clip_bases,
                                                          clip_tangent, clip_rotate, clip_replay, clip_sample,
                                                          clip_vectors, clip_search};

#endif
