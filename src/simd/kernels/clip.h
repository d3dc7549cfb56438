/* Decodes eight curves of a clip at a time, as docs/clip-format.md says. scalar/clip.h does the same, curve
 * by curve. */
#ifndef QUATSIMD_SIMD_KERNEL_CLIP_H
#define QUATSIMD_SIMD_KERNEL_CLIP_H

#include "clip/kernels.h"
#include "core/parts.h"
#include "simd/kernels/algebra.h"
#ifndef QUATSIMD_PLAYER
#include "clip/encode/search.inc.h"
#define CLIP_SEARCH clip_search
#else
#define CLIP_SEARCH NULL
#endif

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

/* Computes clip_unit for V_LANES curves, from number h on. */
V_INLINE vf units_of(float unit, const unsigned char *exponents, int h) {
  const vi e = v_load_bytes(exponents + h);
  const vf power = v_from_bits(v_shl(v_subi(v_seti(127), v_shr(e, 4)), 23));
  return v_mul(v_mul(v_set(unit), v_look_up(quatsimd_clip_sixteenth, e)), power);
}
V_INLINE vf quanta_of(uint32_t codes, vf units, float norm, int h) {
  return v_mul(v_mul(v_look_up(quatsimd_clip_quantum, v_nibbles(codes, h)), units), v_set(norm));
}
static void clip_quanta(float knot_quantum[CLIP_GROUP], float quantum[CLIP_GROUP], uint32_t codes, float unit,
                        const unsigned char exponents[CLIP_GROUP], float norm) {
  for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
    const vf units = units_of(unit, exponents, h);
    v_store(knot_quantum + h, v_mul(units, v_set(CLIP_KNOT_QUANTUM)));
    v_store(quantum + h, quanta_of(codes, units, norm, h));
  }
}

/* Unpacks each base, a vector v, to the quaternion (2 v, 1 - |v|^2). Its length is 1 + |v|^2. */
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

/* A row of the basis: pair[i] has entries 2i and 2i + 1 in every lane. */
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

/* row_product sums the products of coefficients and a row's entries. off_line adds this sum, times the
 * quantum, to the line between two knots. */
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

/* The quaternion, of length (1 + m) / 2, of a Cayley vector. m is the squared length of the vector. */
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

/* Interpolates between two keys, see quatsimd_clip_weights. No value is NaN, so sign bits tell signs. */
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

/* Turns -0 into 0. Else the sign of a zero could depend on a key whose weight is 0. */
V_INLINE vq without_minus_zero(vq q) {
  const vf none = v_set(0);
  return (vq){v_add(q.x, none), v_add(q.y, none), v_add(q.z, none), v_add(q.w, none)};
}

V_INLINE vq load_base(const float base[4][CLIP_GROUP], int h) {
  return (vq){v_load(base[0] + h), v_load(base[1] + h), v_load(base[2] + h), v_load(base[3] + h)};
}

V_INLINE vq normalised(vq q) { return without_minus_zero(scaled(q, reciprocal_sqrt(1, norm2(q)))); }

/* Stores left times q times right for the curves from number h on; without left if `axes` is false. */
V_INLINE void store_rotations(char *to, const size_t *offset, const quatsimd_clip_group *group, int h, vq q,
                              bool axes) {
  q = float_multiply(q, load_base(group->right, h));
  if (axes) q = float_multiply(load_base(group->left, h), q);
  v_store_each(to, offset + h, normalised(q));
}

static void clip_rotate(float to[CLIP_GROUP][4], const quatsimd_clip_group *group,
                        float a[CLIP_AXES][CLIP_GROUP], float b[CLIP_AXES][CLIP_GROUP], float t, bool axes) {
  static const size_t each[] = {0, 16, 32, 48, 64, 80, 96, 112}; /* offsets in bytes */
  const quatsimd_clip_weights shares = clip_weights(t);
  for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
    const vkey key = load_key(a, h);
    store_rotations((char *)to, each, group, h, b ? between(key, load_key(b, h), shares) : key.q, axes);
  }
}

enum { PARTS = CLIP_GROUP / V_LANES };
#ifdef QUATSIMD_PLAYER
#define CLIP_DECODE NULL
#else
#define CLIP_DECODE clip_decode
static void clip_decode(char *to, size_t stride, const quatsimd_clip_group *group,
                        const quatsimd_clip_row *row, size_t rows, bool axes) {
  v3 v[CLIP_AT_ONCE][PARTS];
  for (size_t n; rows > 0; rows -= n, row += n, to += n * stride) {
    n = rows < CLIP_AT_ONCE ? rows : CLIP_AT_ONCE;
    /* two loops: with one, compilers need more registers for the coefficients than there are */
    for (size_t i = 0; i < n; i++) {
      const vrow r = load_row(&row[i]);
      for (int p = 0; p < PARTS; p++) v[i][p] = cayley_at(group, &row[i], &r, V_LANES * p);
    }
    for (size_t i = 0; i < n; i++)
      for (int p = PARTS - 1; p >= 0; p--) /* lane 0 is stored last, see v_store_each */
        store_rotations(to + i * stride, group->offset, group, V_LANES * p, cayley_key(v[i][p]).q, axes);
  }
}
#endif

/* The vectors of a group's curves at the frames of two rows. */
typedef struct vtangents {
  vf at[2][CLIP_AXES][PARTS];
} vtangents;

/* Unpacks a group and computes the vectors of its curves. Returns the end of the group's payload. */
V_INLINE const unsigned char *load_tangents(vtangents *v, const quatsimd_clip_packed *packed,
                                            const unsigned char *payload, const quatsimd_clip_row row[2],
                                            float norm, size_t axes) {
  enum { WIDE = CLIP_INNER / 2 / V_LANES };
  vi rows[2 * WIDE];
  for (int i = 0; i < 2 * WIDE; i++) rows[i] = v_loadi(row[i / WIDE].entry + 2 * V_LANES * (i % WIDE));
  const unsigned char *knots[2] = {packed->knots[0], packed->knots[1]};
  vf knot_quantum[PARTS], quantum[PARTS];
  for (int i = 0; i < PARTS; i++) {
    const vf units = units_of(packed->unit, packed->exponents, V_LANES * i);
    knot_quantum[i] = v_mul(units, v_set(CLIP_KNOT_QUANTUM));
    quantum[i] = quanta_of(packed->codes, units, norm, V_LANES * i);
  }
  for (size_t a = 0; a < axes; a++) {
    const unsigned width = packed->width[a];
    for (int i = 0, h = 0; i < PARTS; i++, h += V_LANES) {
      vi sum[2];
      payload = v_products(sum, payload, packed->profile + CLIP_GROUP * a + (size_t)h, rows);
      const vf first = v_float(v_load_knots(knots[0], width, h)),
               second = v_float(v_load_knots(knots[1], width, h));
      for (int k = 0; k < 2; k++)
        v->at[k][a][i] = off_line(first, second, &row[k], knot_quantum[i], quantum[i], sum[k]);
    }
    knots[0] += (width * packed->curves + 7) / 8;
    knots[1] += (width * packed->curves + 7) / 8;
  }
  return payload;
}

QUATSIMD_FOR_SPEED
static const unsigned char *clip_sample(char *to, const quatsimd_clip_packed *packed, size_t groups,
                                        const unsigned char *payload, const quatsimd_clip_row row[2], float t,
                                        float norm) {
  const quatsimd_clip_weights shares = clip_weights(t);
  vtangents v[CLIP_AT_ONCE];
  vq q[CLIP_AT_ONCE][PARTS];
  /* two loops, so that roots and quotients of one group overlap with those of the next */
  for (size_t g = 0; g < groups; g++)
    payload = load_tangents(&v[g], &packed[g], payload, row, norm, CLIP_AXES);
  for (size_t g = 0; g < groups; g++)
    for (int i = 0; i < PARTS; i++) {
      const vtangents *p = &v[g];
      q[g][i] = between(cayley_key((v3){p->at[0][0][i], p->at[0][1][i], p->at[0][2][i]}),
                        cayley_key((v3){p->at[1][0][i], p->at[1][1][i], p->at[1][2][i]}), shares);
    }
  for (size_t g = 0; g < groups; g++, packed++)
    for (int i = PARTS - 1; i >= 0; i--) { /* lane 0 is stored last, see v_store_each */
      vq turned = float_multiply(q[g][i], base_of(v_loadi(packed->right + 4 * V_LANES * i)));
      if (packed->left) turned = float_multiply(base_of(v_loadi(packed->left + 4 * V_LANES * i)), turned);
      v_store_each(to, packed->offset + V_LANES * i, normalised(turned));
    }
  return payload;
}
QUATSIMD_FOR_SIZE

V_INLINE int32_t channel_product(const vi channel[CLIP_INNER / 2 / V_LANES], const quatsimd_clip_row *row) {
  uint32_t lane[V_LANES], sum = 0;
  vi sums = v_multiply_pairs(channel[0], v_loadi(row->entry));
  for (int i = 1; i < CLIP_INNER / 2 / V_LANES; i++)
    sums = v_addi(sums, v_multiply_pairs(channel[i], v_loadi(row->entry + 2 * V_LANES * i)));
  v_storei(lane, sums);
  for (int i = 0; i < V_LANES; i++) sum += lane[i];
  return (int32_t)sum;
}

static void clip_curve(float p[2][CLIP_AXES], const quatsimd_clip_single *curve,
                       const quatsimd_clip_row row[2], size_t axes) {
  for (size_t a = 0; a < axes; a++) {
    vi channel[CLIP_INNER / 2 / V_LANES];
    v_load_channel(channel, curve->channel[a], curve->profile[a]);
    for (int k = 0; k < 2; k++) {
      const float line = curve->knot[0][a] * row[k].before + curve->knot[1][a] * row[k].after;
      p[k][a] = line * curve->knot_quantum + (float)channel_product(channel, &row[k]) * curve->quantum;
    }
  }
}

/* A group of at most CLIP_FEW curves, such as those of a root, takes less time curve by curve. */
enum { CLIP_FEW = 2 };
static const unsigned char *few_vectors(float *value, const quatsimd_clip_packed *packed,
                                        const unsigned char *payload, const quatsimd_clip_row row[2], float t,
                                        float norm, size_t axes) {
  quatsimd_clip_single curve[CLIP_FEW];
  const unsigned char *knots[2] = {packed->knots[0], packed->knots[1]};
  for (size_t i = 0; i < packed->curves; i++)
    clip_single_quanta(&curve[i], packed->unit, packed->exponents[i], packed->codes >> 4 * i & 15, norm);
  for (size_t a = 0; a < axes; a++) {
    const unsigned width = packed->width[a];
    for (size_t i = 0; i < packed->curves; i++) {
      curve[i].profile[a] = packed->profile[CLIP_GROUP * a + i];
      curve[i].channel[a] = payload;
      for (int k = 0; k < 2; k++) curve[i].knot[k][a] = (float)peek_bits(knots[k], i * width, width);
      payload += quatsimd_clip_bytes[curve[i].profile[a]];
    }
    for (int k = 0; k < 2; k++) knots[k] += (width * packed->curves + 7) / 8;
  }
  for (size_t i = 0; i < packed->curves; i++) {
    float p[2][CLIP_AXES];
    clip_curve(p, &curve[i], row, axes);
    for (size_t a = 0; a < axes; a++) value[CLIP_GROUP * a + i] = p[0][a] * (1 - t) + p[1][a] * t;
  }
  return payload;
}

static const unsigned char *clip_vectors(float *value, const quatsimd_clip_packed *packed, size_t groups,
                                         const unsigned char *payload, const quatsimd_clip_row row[2],
                                         float t, float norm, size_t axes) {
  const vf before = v_set(1 - t), after = v_set(t);
  for (; groups > 0; groups--, packed++) {
    if (packed->curves <= CLIP_FEW) {
      payload = few_vectors(value, packed, payload, row, t, norm, axes);
      value += CLIP_GROUP * axes;
      continue;
    }
    vtangents v;
    payload = load_tangents(&v, packed, payload, row, norm, axes);
    for (size_t a = 0; a < axes; a++, value += CLIP_GROUP)
      for (int i = 0; i < PARTS; i++)
        v_store(value + V_LANES * i, v_add(v_mul(v.at[0][a][i], before), v_mul(v.at[1][a][i], after)));
  }
  return payload;
}

#define CLIP_KERNELS_NAME(isa) quatsimd_clip_kernels_##isa
#define CLIP_KERNELS(isa) CLIP_KERNELS_NAME(isa)
extern const quatsimd_clip_kernels CLIP_KERNELS(QUATSIMD_ISA);
const quatsimd_clip_kernels CLIP_KERNELS(QUATSIMD_ISA) = {clip_unpack,  clip_knots,  clip_quanta, clip_bases,
                                                          clip_tangent, clip_rotate, CLIP_DECODE, clip_sample,
                                                          clip_vectors, clip_curve,  CLIP_SEARCH};

#endif
