/* The kernels for clips that each instruction set has: sampling, and the encoder's search. */
#ifndef QUATSIMD_CLIP_KERNELS_H
#define QUATSIMD_CLIP_KERNELS_H

#include <stdbool.h>

#include "clip/layout.h"

/* The coefficients that each profile can hold. */
typedef struct quatsimd_clip_limits {
  /* [k][width]: a bit for each profile, 1 if it has at least `width` bits for coefficient k */
  uint64_t wide[CLIP_INNER][CLIP_INNER][CLIP_PROFILES / 64];
  float low[CLIP_PROFILES][CLIP_INNER], high[CLIP_PROFILES][CLIP_INNER]; /* the range of each field */
  /* the number of profiles with fewer bytes, which all come before this one */
  uint8_t shorter[CLIP_PROFILES];
} quatsimd_clip_limits;

/* The input of `search`: a curve in a block. Arrays have an element for each inner frame, then zeros. */
typedef struct quatsimd_clip_problem {
  size_t inner;
  float unit;
  float residual[CLIP_AXES][CLIP_INNER]; /* the curve minus the straight line between the block's knots */
  float weight[CLIP_INNER];              /* 1 / square of the frame's bound */
  float basis[CLIP_INNER][CLIP_INNER];   /* matrix of the sine transform: orthonormal, symmetric */
  const quatsimd_clip_limits *limits;
} quatsimd_clip_problem;

typedef struct quatsimd_clip_choice {
  int16_t q[CLIP_AXES][CLIP_INNER];
  uint16_t bytes; /* number of bytes of the three channels */
  uint8_t code, profile[CLIP_AXES];
} quatsimd_clip_choice;

/* A frame of a block: its row of the sine transform, and the weights of the knots before and after it. */
typedef struct quatsimd_clip_row {
  const int16_t *entry;
  float before, after;
} quatsimd_clip_row;

/* Up to eight packed curves, none of them raw. A quatsimd_clip_group has the same curves unpacked. */
typedef struct quatsimd_clip_packed {
  /* left, right: bases of rotations; left is null without CLIP_HAS_AXES. Bases of vectors are in `right` */
  const unsigned char *knots[2], *width, *profile, *left, *right;
  float unit;                          /* the unit of a curve whose exponent is 0 */
  unsigned char exponents[CLIP_GROUP]; /* exponents of the curves' units, see clip_unit */
  size_t curves;                       /* lanes without a curve have code CLIP_RAW and profile 0 */
  uint32_t codes;                      /* codes of the coefficients' quanta, four bits each */
  size_t offset[CLIP_GROUP];           /* bytes from the start of the output to each value */
} quatsimd_clip_packed;

/* Stores the group's vectors: its bases plus `line`. Each float goes to its place at once: CPUs would wait
 * for the stores if a vector were put together elsewhere and then copied. */
static inline void clip_store_vectors(char *to, const quatsimd_clip_packed *packed,
                                      float line[CLIP_AXES][CLIP_GROUP], size_t axes) {
  for (size_t i = 0; i < packed->curves; i++)
    for (size_t a = 0; a < axes; a++) {
      const float value = load_float(packed->right + 4 * (axes * i + a)) + line[a][i];
      memcpy(to + packed->offset[i] + a * sizeof value, &value, sizeof value);
    }
}

/* One packed curve that is not raw. */
typedef struct quatsimd_clip_single {
  const unsigned char *channel[CLIP_AXES];
  float knot[2][CLIP_AXES]; /* as multiples of knot_quantum */
  float knot_quantum, quantum;
  uint8_t profile[CLIP_AXES];
} quatsimd_clip_single;
/* exponent: that of the curve's unit. block_code: the curve's code in the block. */
static inline void clip_single_quanta(quatsimd_clip_single *curve, float unit, unsigned exponent,
                                      unsigned block_code, float norm) {
  const float own = clip_unit(unit, exponent);
  curve->knot_quantum = own * CLIP_KNOT_QUANTUM;
  curve->quantum = quatsimd_clip_quantum[block_code] * own * norm;
}
enum { CLIP_AT_ONCE = 8 }; /* the most groups, or frames of one group, that kernels evaluate together */

/* The weights with which two quaternions are added to interpolate between them, nearly as slerp. Formulas and
 * symbols are those of docs/clip-format.md, "From vectors to values". The factor 2^-32 keeps all numbers
 * finite even in damaged clips. */
typedef struct quatsimd_clip_weights {
  /* The weights are (whole - u) (1 + other * m') and u (1 + m). turn[i] is gi. If t is 0, whole is 1 and all
   * else is 0: the first weight is then exactly 1. */
  float whole, other, t, turn[4];
} quatsimd_clip_weights;
/* Between frames, turns up to 187 degrees go the way that is stored: the second quaternion is negated only if
 * C < -CLIP_HALF_TURN. Between a curve's own keys, it is negated if C < 0. */
#define CLIP_HALF_TURN 0x1p-6f
/* The numbers a0 to a3 of docs/clip-format.md, fitted by least squares over all turns. */
static const float clip_turn[4][4] = {{0.8583f, 0.8525f, 0.7804f, 1.3035f},
                                      {-0.2807f, -1.3649f, -2.0461f, -5.5366f},
                                      {0.1276f, 0.7562f, 1.8494f, 8.3203f},
                                      {-0.0403f, -0.254f, -0.6058f, -4.3027f}};
static inline quatsimd_clip_weights clip_weights(float t) {
  const float half = t - 0.5f, s = half * half, k = t * half * (t - 1);
  quatsimd_clip_weights w = {.whole = 1};
  if (!(t > 0)) return w;
  w.whole = 0x1p-32f, w.other = 1, w.t = t * 0x1p-32f;
  float of_c = 0x1p-30f;
  for (int i = 0; i < 4; i++, of_c *= 4) {
    const float *a = clip_turn[i];
    w.turn[i] = k * (((a[3] * s + a[2]) * s + a[1]) * s + a[0]) * of_c;
  }
  return w;
}
/* Returns u of quatsimd_clip_weights, for two quaternions with this c. */
static inline float clip_second(const quatsimd_clip_weights *w, float c) {
  return w->t + (0.25f - c) * (((w->turn[3] * c + w->turn[2]) * c + w->turn[1]) * c + w->turn[0]);
}

/* The next five kernels read packed bytes. sse41 has others than sse2, because SSE2 cannot shuffle bytes, and
 * avx512vbmi has others than avx512. */

/* Unpacks the coefficients of eight curves. `payload` has the channels for x of all curves, then y, then z;
 * `profile` has eight profiles for each axis. Returns the end of the channels. */
typedef const unsigned char *quatsimd_clip_unpack_fn(quatsimd_clip_group *group, const uint8_t *profile,
                                                     const unsigned char *payload, size_t axes);
/* Unpacks the knots of up to eight curves. Lanes without a curve get finite values. */
typedef void quatsimd_clip_knots_fn(float knot[CLIP_AXES][CLIP_GROUP], const unsigned char *row,
                                    const uint8_t *width, size_t curves, size_t axes);
/* Samples rotations of up to CLIP_AT_ONCE groups between two rows' frames, each to its offset from `to`.
 * Returns the channels' end. */
typedef const unsigned char *quatsimd_clip_sample_fn(char *to, const quatsimd_clip_packed *packed,
                                                     size_t groups, const unsigned char *payload,
                                                     const quatsimd_clip_row row[2], float t, float norm);
/* Like quatsimd_clip_sample_fn, for vectors. */
typedef const unsigned char *quatsimd_clip_vectors_fn(char *to, const quatsimd_clip_packed *packed,
                                                      size_t groups, const unsigned char *payload,
                                                      const quatsimd_clip_row row[2], float t, float norm,
                                                      size_t axes);
/* Computes the vectors of one curve at the frames of two rows. */
typedef void quatsimd_clip_curve_fn(float p[2][CLIP_AXES], const quatsimd_clip_single *curve,
                                    const quatsimd_clip_row row[2], size_t axes);

struct quatsimd_clip_kernels {
  quatsimd_clip_unpack_fn *unpack;
  quatsimd_clip_knots_fn *knots;
  /* Computes the quanta of knots and of coefficients. `codes` has four bits for each curve. */
  void (*quanta)(float knot_quantum[CLIP_GROUP], float quantum[CLIP_GROUP], uint32_t codes, float unit,
                 const unsigned char exponents[CLIP_GROUP], float norm);
  /* Unpacks eight bases v to the quaternions (2 v, 1 - |v|^2), which have lengths of 1 + |v|^2. */
  void (*bases)(float base[4][CLIP_GROUP], const unsigned char *p);
  /* Computes a group's vectors at the frame of a row. */
  void (*tangent)(float p[CLIP_AXES][CLIP_GROUP], const quatsimd_clip_group *group,
                  const quatsimd_clip_row *row, size_t axes);
  /* Computes group->left * r * group->right, or r * group->right if not `axes`. If b is null, r is the
   * rotation of vector a. Else r is interpolated, at t, between the rotations of a and b. */
  void (*rotate)(float to[CLIP_GROUP][4], const quatsimd_clip_group *group, float a[CLIP_AXES][CLIP_GROUP],
                 float b[CLIP_AXES][CLIP_GROUP], float t, bool axes);
  /* Evaluates a group at the frames of some rows, as `tangent` and `rotate` would, but faster. Stores the
   * rotations of each row `stride` bytes after those of the row before. */
  void (*decode)(char *to, size_t stride, const quatsimd_clip_group *group, const quatsimd_clip_row *row,
                 size_t rows, bool axes);
  quatsimd_clip_sample_fn *sample;
  quatsimd_clip_vectors_fn *vectors;
  quatsimd_clip_curve_fn *curve;
  /* Finds coefficients of few bytes that keep every frame within its bound. If none do, code is CLIP_RAW. */
  void (*search)(quatsimd_clip_choice *choice, const quatsimd_clip_problem *problem);
};
typedef struct quatsimd_clip_kernels quatsimd_clip_kernels;

#endif
