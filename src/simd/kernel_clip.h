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

V_INLINE vf steps_of(uint32_t codes, float unit, float norm, int h) {
  return v_mul(v_mul(v_look_up(quatsimd_clip_step, codes, h), v_set(unit)), v_set(norm));
}
static void clip_steps(float step[CLIP_GROUP], uint32_t codes, float unit, float norm) {
  for (int h = 0; h < CLIP_GROUP; h += V_LANES) v_store(step + h, steps_of(codes, unit, norm, h));
}

/* The quaternions of bases, longer than 1. */
V_INLINE vq base_of(vi w) {
  const vi half = v_seti(CLIP_BASE_HALF), mask = v_seti(1023);
  const vf unit = v_set(1.0f / CLIP_BASE_HALF);
  const vf x = v_mul(v_float(v_subi(v_and(w, mask), half)), unit), y = v_mul(v_float(v_subi(v_and(v_shr(w, 10), mask), half)), unit);
  const vf z = v_mul(v_float(v_subi(v_and(v_shr(w, 20), mask), half)), unit);
  return (vq){v_add(x, x), v_add(y, y), v_add(z, z), v_sub(v_set(1), v_add(v_add(v_mul(x, x), v_mul(y, y)), v_mul(z, z)))};
}

static void clip_bases(float base[4][CLIP_GROUP], const unsigned char *p) {
  for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
    const vq q = base_of(v_loadi(p + 4 * h));
    v_store(base[0] + h, q.x), v_store(base[1] + h, q.y), v_store(base[2] + h, q.z), v_store(base[3] + h, q.w);
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
V_INLINE vf off_line(vf knot, vf next, const quatsimd_clip_row *row, vf knot_step, vf step, vi sum) {
  const vf line = v_add(v_mul(knot, v_set(row->before)), v_mul(next, v_set(row->after)));
  return v_add(v_mul(line, knot_step), v_mul(v_float(sum), step));
}

V_INLINE v3 cayley_at(const quatsimd_clip_group *group, const quatsimd_clip_row *row, const vrow *r, int h) {
  vf p[CLIP_AXES];
  for (int a = 0; a < CLIP_AXES; a++) {
    vi pair[CLIP_INNER / 2];
    for (int i = 0; i < CLIP_INNER / 2; i++) pair[i] = v_loadi(group->pair[a][i][h]);
    p[a] = off_line(v_load(group->knot[0][a] + h), v_load(group->knot[1][a] + h), row, v_load(group->knot_step + h), v_load(group->step + h),
                    row_product(pair, r));
  }
  return (v3){p[0], p[1], p[2]};
}

static void clip_tangent(float p[CLIP_AXES][CLIP_GROUP], const quatsimd_clip_group *group, const quatsimd_clip_row *row) {
  const vrow r = load_row(row);
  for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
    const v3 v = cayley_at(group, row, &r, h);
    v_store(p[0] + h, v.x), v_store(p[1] + h, v.y), v_store(p[2] + h, v.z);
  }
}

/* The unit quaternion of a Cayley vector. */
V_INLINE vq cayley_unit(v3 v) {
  const vf x = v.x, y = v.y, z = v.z;
  const vf one = v_set(1), m = v_add(v_add(v_mul(x, x), v_mul(y, y)), v_mul(z, z)), d = v_div(one, v_add(one, m)), e = v_add(d, d);
  return (vq){v_mul(x, e), v_mul(y, e), v_mul(z, e), v_mul(v_sub(one, m), d)};
}
V_INLINE vq load_cayley(float p[CLIP_AXES][CLIP_GROUP], int h) { return cayley_unit((v3){v_load(p[0] + h), v_load(p[1] + h), v_load(p[2] + h)}); }

V_INLINE vq between(vq q, vq next, float t) { return weighted_sum(q, next, dot_product(q, next), v_set(1 - t), v_set(t)); }

V_INLINE vq without_minus_zero(vq q) { /* which zero came out hung on the other frame's sign */
  const vf none = v_set(0);
  return (vq){v_add(q.x, none), v_add(q.y, none), v_add(q.z, none), v_add(q.w, none)};
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
    q = scaled(q, reciprocal_sqrt(1, norm2(q)));
    v_store_each(to + h, 0, without_minus_zero(q));
  }
}

/* Vectors of a group at two frames. */
typedef struct vtangents {
  v3 p[2][CLIP_GROUP / V_LANES];
} vtangents;

/* Rotations from a vector's lane on to where those of `curves` curves go. */
V_INLINE void store_rotations(float *const *to, size_t offset, size_t lane, size_t curves, vq q) {
  if (lane + V_LANES <= curves) {
    v_store_each(to + lane, offset, q);
    return;
  }
  float xyzw[V_LANES][4], *room[V_LANES];
  for (int i = 0; i < V_LANES; i++) room[i] = xyzw[i];
  v_store_each(room, 0, q);
  for (size_t i = lane; i < curves; i++) memcpy(v_at(to[i], offset), xyzw[i - lane], sizeof xyzw[0]);
}

/* What follows the vectors is one long chain, so there are two side by side. */
V_INLINE void normalise_two(vq q[2]) {
  vf s[2];
  for (int i = 0; i < 2; i++) s[i] = reciprocal_sqrt(1, norm2(q[i]));
  for (int i = 0; i < 2; i++) q[i] = without_minus_zero(scaled(q[i], s[i]));
}

static void clip_replay(const quatsimd_clip_job *job, size_t jobs, float t, bool axes) {
  enum { PARTS = CLIP_GROUP / V_LANES };
  vtangents v[CLIP_AT_ONCE];
  const bool two = job->next != NULL;
  for (int k = 0; k < (two ? 2 : 1); k++) /* a loop for each: in one, compilers keep the coefficients in more registers than there are */
    for (size_t i = 0; i < jobs; i++) {
      const quatsimd_clip_row *row = k ? job[i].next : job[i].row;
      const vrow r = load_row(row);
      for (int h = 0; h < CLIP_GROUP; h += V_LANES) v[i].p[k][h / V_LANES] = cayley_at(job[i].group, row, &r, h);
    }
  for (size_t i = 0; i < jobs * PARTS; i += 2) {
    size_t part[2];
    const quatsimd_clip_job *one[2];
    vq q[2];
    for (size_t j = 0; j < 2; j++) {
      const size_t at = i + j < jobs * PARTS ? i + j : i; /* an odd last one twice */
      one[j] = &job[at / PARTS];
      part[j] = at % PARTS;
      q[j] = cayley_unit(v[at / PARTS].p[0][part[j]]);
      if (two) q[j] = between(q[j], cayley_unit(v[at / PARTS].p[1][part[j]]), t);
    }
    for (int j = 0; j < 2; j++) q[j] = float_multiply(q[j], load_base(one[j]->group->right, V_LANES * (int)part[j]));
    for (int j = 0; axes && j < 2; j++) q[j] = float_multiply(load_base(one[j]->group->left, V_LANES * (int)part[j]), q[j]);
    normalise_two(q);
    for (int j = 0; j < 2; j++) store_rotations(one[j]->to, one[j]->offset, V_LANES * part[j], one[j]->curves, q[j]);
  }
}

V_INLINE const unsigned char *load_tangents(vtangents *v, const quatsimd_clip_packed *packed, const unsigned char *payload,
                                            const quatsimd_clip_row row[2], const vrow r[2], float unit, float norm) {
  const unsigned char *knots[2] = {packed->knots[0], packed->knots[1]};
  const vf knot_step = v_set(unit * CLIP_KNOT_STEP);
  vf step[CLIP_GROUP / V_LANES], p[2][CLIP_AXES][CLIP_GROUP / V_LANES];
  for (int h = 0; h < CLIP_GROUP; h += V_LANES) step[h / V_LANES] = steps_of(packed->codes, unit, norm, h);
  for (int a = 0; a < CLIP_AXES; a++) {
    const unsigned width = packed->width[a];
    for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
      vi pair[CLIP_INNER / 2];
      payload = v_load_coefficients(pair, payload, packed->profile + CLIP_GROUP * a + h);
      const vf first = v_float(v_load_knots(knots[0], width, h)), second = v_float(v_load_knots(knots[1], width, h));
      for (int k = 0; k < 2; k++)
        p[k][a][h / V_LANES] = off_line(first, second, &row[k], knot_step, step[h / V_LANES], row_product(pair, &r[k]));
    }
    knots[0] += (width * packed->curves + 7) / 8;
    knots[1] += (width * packed->curves + 7) / 8;
  }
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < CLIP_GROUP / V_LANES; i++) v->p[k][i] = (v3){p[k][0][i], p[k][1][i], p[k][2][i]};
  return payload;
}

static const unsigned char *clip_sample(const quatsimd_clip_packed *packed, size_t groups, const unsigned char *payload,
                                        const quatsimd_clip_row row[2], float t, float unit, float norm) {
  enum { PARTS = CLIP_GROUP / V_LANES };
  const vrow r[2] = {load_row(&row[0]), load_row(&row[1])};
  vtangents v[CLIP_AT_ONCE];
  for (size_t g = 0; g < groups; g++) payload = load_tangents(&v[g], &packed[g], payload, row, r, unit, norm);
  for (size_t i = 0; i < groups * PARTS; i += 2) {
    size_t g[2], part[2];
    vq q[2];
    for (size_t j = 0; j < 2; j++) {
      const size_t at = i + j < groups * PARTS ? i + j : i; /* an odd last one twice */
      g[j] = at / PARTS, part[j] = at % PARTS;
      q[j] = between(cayley_unit(v[g[j]].p[0][part[j]]), cayley_unit(v[g[j]].p[1][part[j]]), t);
    }
    for (int j = 0; j < 2; j++) q[j] = float_multiply(q[j], base_of(v_loadi(packed[g[j]].right + 4 * V_LANES * part[j])));
    for (int j = 0; packed->left && j < 2; j++) q[j] = float_multiply(base_of(v_loadi(packed[g[j]].left + 4 * V_LANES * part[j])), q[j]);
    normalise_two(q);
    for (int j = 0; j < 2; j++) store_rotations(packed[g[j]].to, 0, V_LANES * part[j], packed[g[j]].curves, q[j]);
  }
  return payload;
}

#define CLIP_KERNELS_NAME(isa) quatsimd_clip_kernels_##isa
#define CLIP_KERNELS(isa) CLIP_KERNELS_NAME(isa)
const quatsimd_clip_kernels CLIP_KERNELS(QUATSIMD_ISA) = {clip_unpack, clip_knots,    clip_steps,  clip_bases,
                                                          clip_tangent, clip_rotate,   clip_replay, clip_sample, clip_search};

#endif
