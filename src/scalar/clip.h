/* Clips, one curve at a time: docs/clip-format.md in executable form. */
#ifndef QUATSIMD_SCALAR_CLIP_H
#define QUATSIMD_SCALAR_CLIP_H

#include "clip/kernels.h"
#include "simd/vec/one.h"
#ifndef QUATSIMD_PLAYER
#include "clip/encode/search.inc.h"
#define CLIP_SEARCH clip_search
#else
#define CLIP_SEARCH NULL
#endif
#include "scalar/turn.h"

static const unsigned char *clip_unpack(quatsimd_clip_group *group, const uint8_t *profile,
                                        const unsigned char *payload, size_t axes) {
  for (size_t a = 0; a < axes; a++)
    for (int i = 0; i < CLIP_GROUP; i++, profile++) {
      for (int k = 0; k < CLIP_INNER; k++)
        group->pair[a][k / 2][i][k % 2] =
            (int16_t)get_bits(payload, quatsimd_clip_offsets[*profile][k], quatsimd_clip_widths[*profile][k]);
      payload += quatsimd_clip_bytes[*profile];
    }
  return payload;
}

static void clip_knots(float knot[CLIP_AXES][CLIP_GROUP], const unsigned char *row, const uint8_t *width,
                       size_t curves, size_t axes) {
  for (size_t a = 0; a < axes; a++) {
    for (size_t i = 0; i < CLIP_GROUP; i++)
      knot[a][i] = i < curves ? (float)get_bits(row, i * width[a], width[a]) : 0;
    row += (width[a] * curves + 7) / 8;
  }
}

static void clip_quanta(float knot_quantum[CLIP_GROUP], float quantum[CLIP_GROUP], uint32_t codes, float unit,
                        const unsigned char exponents[CLIP_GROUP], float norm) {
  for (int i = 0; i < CLIP_GROUP; i++) {
    const float own = clip_unit(unit, exponents[i]);
    knot_quantum[i] = own * CLIP_KNOT_QUANTUM;
    quantum[i] = quatsimd_clip_quantum[codes >> 4 * i & 15] * own * norm;
  }
}

static void clip_bases(float base[4][CLIP_GROUP], const unsigned char *p) {
  for (int i = 0; i < CLIP_GROUP; i++) {
    const quat q = base_of(p + 4 * i);
    for (int k = 0; k < 4; k++) base[k][i] = q.v[k];
  }
}

static void clip_tangent(float p[CLIP_AXES][CLIP_GROUP], const quatsimd_clip_group *group,
                         const quatsimd_clip_row *row, size_t axes) {
  for (size_t a = 0; a < axes; a++)
    for (int i = 0; i < CLIP_GROUP; i++) {
      uint32_t sum = 0; /* with damaged coefficients the sum wraps, on every CPU alike */
      for (int k = 0; k < CLIP_INNER; k++) sum += (uint32_t)(group->pair[a][k / 2][i][k % 2] * row->entry[k]);
      int32_t total;
      memcpy(&total, &sum, sizeof total);
      const float line = group->knot[0][a][i] * row->before + group->knot[1][a][i] * row->after;
      p[a][i] = line * group->knot_quantum[i] + (float)total * group->quantum[i];
    }
}

static void clip_rotate(float to[CLIP_GROUP][4], const quatsimd_clip_group *group,
                        float a[CLIP_AXES][CLIP_GROUP], float b[CLIP_AXES][CLIP_GROUP], float t, bool axes) {
  const quatsimd_clip_weights shares = clip_weights(t);
  for (int i = 0; i < CLIP_GROUP; i++) {
    const quat left = {{group->left[0][i], group->left[1][i], group->left[2][i], group->left[3][i]}};
    float m, next_m;
    quat q = cayley_key((const float[]){a[0][i], a[1][i], a[2][i]}, &m);
    if (b) {
      const quat next = cayley_key((const float[]){b[0][i], b[1][i], b[2][i]}, &next_m);
      q = between(q, m, next, next_m, shares);
    }
    turn_by_bases(to[i], q, axes ? &left : NULL,
                  (quat){{group->right[0][i], group->right[1][i], group->right[2][i], group->right[3][i]}});
  }
}

#ifdef QUATSIMD_PLAYER
#define CLIP_DECODE NULL
#else
#define CLIP_DECODE clip_decode
static void clip_decode(char *to, size_t stride, const quatsimd_clip_group *group,
                        const quatsimd_clip_row *row, size_t rows, bool axes) {
  for (; rows > 0; rows--, row++, to += stride) {
    float p[CLIP_AXES][CLIP_GROUP], value[CLIP_GROUP][4];
    clip_tangent(p, group, row, CLIP_AXES);
    clip_rotate(value, group, p, NULL, 0, axes);
    for (int i = CLIP_GROUP - 1; i >= 0; i--) memcpy(to + group->offset[i], value[i], sizeof value[i]);
  }
}
#endif

/* Computes vectors of a group's curves at the frames of two rows. Returns the end of the group's payload. */
static const unsigned char *packed_tangents(float p[2][CLIP_AXES][CLIP_GROUP],
                                            const quatsimd_clip_packed *packed, const unsigned char *payload,
                                            const quatsimd_clip_row row[2], float norm, size_t axes) {
  quatsimd_clip_group group = {.inner = 0};
  clip_knots(group.knot[0], packed->knots[0], packed->width, packed->curves, axes);
  clip_knots(group.knot[1], packed->knots[1], packed->width, packed->curves, axes);
  clip_quanta(group.knot_quantum, group.quantum, packed->codes, packed->unit, packed->exponents, norm);
  payload = clip_unpack(&group, packed->profile, payload, axes);
  clip_tangent(p[0], &group, &row[0], axes);
  clip_tangent(p[1], &group, &row[1], axes);
  return payload;
}

static const unsigned char *clip_sample(char *to, const quatsimd_clip_packed *packed, size_t groups,
                                        const unsigned char *payload, const quatsimd_clip_row row[2], float t,
                                        float norm) {
  for (; groups > 0; groups--, packed++) {
    quatsimd_clip_group group = {.inner = 0};
    float p[2][CLIP_AXES][CLIP_GROUP], value[CLIP_GROUP][4];
    clip_bases(group.right, packed->right);
    if (packed->left) clip_bases(group.left, packed->left);
    payload = packed_tangents(p, packed, payload, row, norm, CLIP_AXES);
    clip_rotate(value, &group, p[0], p[1], t, packed->left != NULL);
    for (int i = CLIP_GROUP - 1; i >= 0; i--) memcpy(to + packed->offset[i], value[i], sizeof value[i]);
  }
  return payload;
}

static const unsigned char *clip_vectors(char *to, const quatsimd_clip_packed *packed, size_t groups,
                                         const unsigned char *payload, const quatsimd_clip_row row[2],
                                         float t, float norm, size_t axes) {
  for (; groups > 0; groups--, packed++) {
    float p[2][CLIP_AXES][CLIP_GROUP];
    payload = packed_tangents(p, packed, payload, row, norm, axes);
    for (size_t a = 0; a < axes; a++)
      for (int i = 0; i < CLIP_GROUP; i++) p[0][a][i] = p[0][a][i] * (1 - t) + p[1][a][i] * t;
    clip_store_vectors(to, packed, p[0], axes);
  }
  return payload;
}

static void clip_curve(float p[2][CLIP_AXES], const quatsimd_clip_single *curve,
                       const quatsimd_clip_row row[2], size_t axes) {
  for (int k = 0; k < 2; k++)
    for (size_t a = 0; a < axes; a++) {
      const uint8_t profile = curve->profile[a];
      uint32_t sum = 0; /* the sum wraps as in clip_tangent */
      for (int i = 0; i < CLIP_INNER; i++)
        sum += (uint32_t)(get_bits(curve->channel[a], quatsimd_clip_offsets[profile][i],
                                   quatsimd_clip_widths[profile][i]) *
                          row[k].entry[i]);
      int32_t total;
      memcpy(&total, &sum, sizeof total);
      const float line = curve->knot[0][a] * row[k].before + curve->knot[1][a] * row[k].after;
      p[k][a] = line * curve->knot_quantum + (float)total * curve->quantum;
    }
}

extern const quatsimd_clip_kernels quatsimd_clip_kernels_scalar;
const quatsimd_clip_kernels quatsimd_clip_kernels_scalar = {
    clip_unpack, clip_knots,  clip_quanta,  clip_bases, clip_tangent, clip_rotate,
    CLIP_DECODE, clip_sample, clip_vectors, clip_curve, CLIP_SEARCH};

#endif
