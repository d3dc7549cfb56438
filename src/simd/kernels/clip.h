/* Decodes eight curves of a clip at a time, as docs/clip-format.md says. scalar/clip.h does the same, curve
 * by curve. */
#ifndef QUATSIMD_SIMD_KERNEL_CLIP_H
#define QUATSIMD_SIMD_KERNEL_CLIP_H

#include "simd/kernels/clip_packed.h"
#ifndef QUATSIMD_PLAYER
#include "clip/encode/search.inc.h"
#define CLIP_SEARCH clip_search
#else
#define CLIP_SEARCH NULL
#endif

static void clip_quanta(float knot_quantum[CLIP_GROUP], float quantum[CLIP_GROUP], uint32_t codes, float unit,
                        const unsigned char exponents[CLIP_GROUP], float norm) {
  for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
    const vf units = units_of(unit, exponents, h);
    v_store(knot_quantum + h, v_mul(units, v_set(CLIP_KNOT_QUANTUM)));
    v_store(quantum + h, quanta_of(codes, units, norm, h));
  }
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

/* Sums the products of coefficients and a row's entries. */
V_INLINE vi row_product(const vi pair[CLIP_INNER / 2], const vrow *row) {
  vi even = v_multiply_pairs(pair[0], row->pair[0]), odd = v_multiply_pairs(pair[1], row->pair[1]);
  for (int i = 2; i < CLIP_INNER / 2; i += 2) {
    even = v_addi(even, v_multiply_pairs(pair[i], row->pair[i]));
    odd = v_addi(odd, v_multiply_pairs(pair[i + 1], row->pair[i + 1]));
  }
  return v_addi(even, odd);
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

V_INLINE vkey load_key(float p[CLIP_AXES][CLIP_GROUP], int h) {
  return cayley_key((v3){v_load(p[0] + h), v_load(p[1] + h), v_load(p[2] + h)});
}

V_INLINE vq load_base(const float base[4][CLIP_GROUP], int h) {
  return (vq){v_load(base[0] + h), v_load(base[1] + h), v_load(base[2] + h), v_load(base[3] + h)};
}

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

#define CLIP_KERNELS_NAME(isa) quatsimd_clip_kernels_##isa
#define CLIP_KERNELS(isa) CLIP_KERNELS_NAME(isa)
/* Defines the table of `isa`, which has packed kernels of its own and all others from here. */
#define DEFINE_CLIP_KERNELS(isa)                                                                             \
  extern const quatsimd_clip_kernels CLIP_KERNELS(isa);                                                      \
  const quatsimd_clip_kernels CLIP_KERNELS(isa) = {CLIP_NAME(unpack, isa),                                   \
                                                   CLIP_NAME(knots, isa),                                    \
                                                   clip_quanta,                                              \
                                                   clip_bases,                                               \
                                                   clip_tangent,                                             \
                                                   clip_rotate,                                              \
                                                   CLIP_DECODE,                                              \
                                                   CLIP_NAME(sample, isa),                                   \
                                                   CLIP_NAME(vectors, isa),                                  \
                                                   CLIP_NAME(curve, isa),                                    \
                                                   CLIP_SEARCH};
DEFINE_CLIP_KERNELS(QUATSIMD_ISA)

#endif
