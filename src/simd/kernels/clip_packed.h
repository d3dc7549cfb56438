/* Unpacks and samples curves of a clip, up to eight at a time, as docs/clip-format.md says. These are the
 * kernels of clips that read packed bytes. scalar/clip.h does the same, curve by curve. */
#ifndef QUATSIMD_SIMD_KERNEL_CLIP_PACKED_H
#define QUATSIMD_SIMD_KERNEL_CLIP_PACKED_H

#include "core/parts.h"
#include "simd/kernels/clip_math.h"

/* Their names end with the instruction set's, so that the tables of others can have them. */
#define CLIP_NAME_OF(name, isa) quatsimd_clip_##name##_##isa
#define CLIP_NAME(name, isa) CLIP_NAME_OF(name, isa)
#define DECLARE_CLIP_PACKED(isa)                                                                             \
  extern quatsimd_clip_unpack_fn CLIP_NAME(unpack, isa);                                                     \
  extern quatsimd_clip_knots_fn CLIP_NAME(knots, isa);                                                       \
  extern quatsimd_clip_sample_fn CLIP_NAME(sample, isa);                                                     \
  extern quatsimd_clip_vectors_fn CLIP_NAME(vectors, isa);                                                   \
  extern quatsimd_clip_curve_fn CLIP_NAME(curve, isa);
DECLARE_CLIP_PACKED(QUATSIMD_ISA)

const unsigned char *CLIP_NAME(unpack, QUATSIMD_ISA)(quatsimd_clip_group *group, const uint8_t *profile,
                                                     const unsigned char *payload, size_t axes) {
  for (size_t a = 0; a < axes; a++)
    for (int h = 0; h < CLIP_GROUP; h += V_LANES) {
      vi pair[CLIP_INNER / 2];
      payload = v_load_coefficients(pair, payload, profile + CLIP_GROUP * a + (size_t)h);
      for (int i = 0; i < CLIP_INNER / 2; i++) v_storei(group->pair[a][i][h], pair[i]);
    }
  return payload;
}

void CLIP_NAME(knots, QUATSIMD_ISA)(float knot[CLIP_AXES][CLIP_GROUP], const unsigned char *row,
                                    const uint8_t *width, size_t curves, size_t axes) {
  for (size_t a = 0; a < axes; a++) {
    for (int h = 0; h < CLIP_GROUP; h += V_LANES)
      v_store(knot[a] + h, v_float(v_load_knots(row, width[a], h)));
    row += (width[a] * curves + 7) / 8;
  }
}

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

const unsigned char *CLIP_NAME(sample, QUATSIMD_ISA)(char *to, const quatsimd_clip_packed *packed,
                                                     size_t groups, const unsigned char *payload,
                                                     const quatsimd_clip_row row[2], float t, float norm) {
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

V_INLINE int32_t channel_product(const vi channel[CLIP_INNER / 2 / V_LANES], const quatsimd_clip_row *row) {
  vi sums = v_multiply_pairs(channel[0], v_loadi(row->entry));
  for (int i = 1; i < CLIP_INNER / 2 / V_LANES; i++)
    sums = v_addi(sums, v_multiply_pairs(channel[i], v_loadi(row->entry + 2 * V_LANES * i)));
  return v_sum(sums);
}

void CLIP_NAME(curve, QUATSIMD_ISA)(float p[2][CLIP_AXES], const quatsimd_clip_single *curve,
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
static const unsigned char *few_vectors(float line[CLIP_AXES][CLIP_GROUP], const quatsimd_clip_packed *packed,
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
    CLIP_NAME(curve, QUATSIMD_ISA)(p, &curve[i], row, axes);
    for (size_t a = 0; a < axes; a++) line[a][i] = p[0][a] * (1 - t) + p[1][a] * t;
  }
  return payload;
}

const unsigned char *CLIP_NAME(vectors, QUATSIMD_ISA)(char *to, const quatsimd_clip_packed *packed,
                                                      size_t groups, const unsigned char *payload,
                                                      const quatsimd_clip_row row[2], float t, float norm,
                                                      size_t axes) {
  const vf before = v_set(1 - t), after = v_set(t);
  for (; groups > 0; groups--, packed++) {
    float line[CLIP_AXES][CLIP_GROUP];
    if (packed->curves <= CLIP_FEW) payload = few_vectors(line, packed, payload, row, t, norm, axes);
    else {
      vtangents v;
      payload = load_tangents(&v, packed, payload, row, norm, axes);
      for (size_t a = 0; a < axes; a++)
        for (int i = 0; i < PARTS; i++)
          v_store(line[a] + V_LANES * i, v_add(v_mul(v.at[0][a][i], before), v_mul(v.at[1][a][i], after)));
    }
    if (axes == 1) clip_store_vectors(to, packed, line, 1);
    else clip_store_vectors(to, packed, line, CLIP_AXES);
  }
  return payload;
}

#endif
