/* relative.h: what it promises of arrays and of streams, through the kernels in use (CTest runs this for each
 * of them, see packaging.cmake). What is expected is computed here, in double. Arrays are allocated at their
 * exact size: in a sanitizer build one byte too many is an error.
 *
 *   test_relative            the tests
 *   test_relative --only P   those tests whose names are like P
 *   test_relative --goldens  prints what belongs into the table of goldens below
 *   test_relative --table    measures the worst errors for docs/relative.md */
#include "support/denormals.h"
#include "support/hash.h"
#include "support/isa.h"
#include "support/random.h"

#include "quatsimd/quatsimd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static const double pi = 3.14159265358979323846, degrees = 57.29577951308232;

enum { FILL = 0xa5 };
static void *filled(size_t bytes) {
  void *p = malloc(bytes ? bytes : 1);
  if (!p) fail_msg("out of memory");
  return memset(p, FILL, bytes ? bytes : 1);
}

static bool untouched(const void *p, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if (((const unsigned char *)p)[i] != FILL) return false;
  return true;
}

static bool unit(const float *q) {
  double n2 = 0;
  for (int i = 0; i < 4; i++) n2 += (double)q[i] * q[i];
  return fabs(sqrt(n2) - 1) <= 4e-7; /* false for NaN */
}

static bool all_unit(const float *xyzw, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!unit(xyzw + 4 * i)) return false;
  return true;
}

/* ---- rotations in double: w last ---- */

typedef struct quat {
  double v[4];
} quat;

static quat normalised(quat q) {
  const double n = sqrt(q.v[0] * q.v[0] + q.v[1] * q.v[1] + q.v[2] * q.v[2] + q.v[3] * q.v[3]);
  for (int i = 0; i < 4; i++) q.v[i] /= n;
  return q;
}

static quat of_floats(const float *f) { return normalised((quat){{f[0], f[1], f[2], f[3]}}); }

static void to_floats(float *f, quat q) {
  for (int i = 0; i < 4; i++) f[i] = (float)q.v[i];
}

static quat product(quat p, quat q) {
  const double *a = p.v, *b = q.v;
  return (quat){{a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                 a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                 a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                 a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]}};
}

static quat conjugate(quat q) { return (quat){{-q.v[0], -q.v[1], -q.v[2], q.v[3]}}; }
static quat negative(quat q) { return (quat){{-q.v[0], -q.v[1], -q.v[2], -q.v[3]}}; }
static double dot(quat p, quat q) {
  return p.v[0] * q.v[0] + p.v[1] * q.v[1] + p.v[2] * q.v[2] + p.v[3] * q.v[3];
}

/* Radians, accurate where they are few. */
static double angle_between(quat p, quat q) {
  const quat r = product(q, conjugate(p));
  return 2 * atan2(sqrt(r.v[0] * r.v[0] + r.v[1] * r.v[1] + r.v[2] * r.v[2]), fabs(r.v[3]));
}

static double angle_of_floats(const float *p, const float *q) {
  return angle_between(of_floats(p), of_floats(q));
}

static quat random_rotation(uint64_t *state) {
  quat q;
  double n2;
  do { /* plain arithmetic: the goldens depend on it */
    n2 = 0;
    for (int i = 0; i < 4; i++) {
      q.v[i] = 2 * random_unit(state) - 1;
      n2 += q.v[i] * q.v[i];
    }
  } while (n2 > 1 || n2 < 0.01);
  return normalised(q);
}

/* Turns by about 2 * size radians at most. */
static quat random_turn(double size, uint64_t *state) {
  quat q = {{0, 0, 0, 1}};
  for (int i = 0; i < 3; i++) q.v[i] = size * (2 * random_unit(state) - 1) / 1.7320508;
  return normalised(q);
}

/* ---- arrays ---- */

typedef struct format {
  quatsimd_relative_format format;
  const char *name;
  bool exponential;
  int bits[3];
  size_t bytes;
} format;
static const format formats[] = {{QUATSIMD_RELATIVE_CAYLEY24, "cayley24", false, {8, 8, 8}, 3},
                                 {QUATSIMD_RELATIVE_CAYLEY32, "cayley32", false, {11, 11, 10}, 4},
                                 {QUATSIMD_RELATIVE_CAYLEY48, "cayley48", false, {16, 16, 16}, 6},
                                 {QUATSIMD_RELATIVE_EXPMAP24, "expmap24", true, {8, 8, 8}, 3},
                                 {QUATSIMD_RELATIVE_EXPMAP32, "expmap32", true, {11, 11, 10}, 4},
                                 {QUATSIMD_RELATIVE_EXPMAP48, "expmap48", true, {16, 16, 16}, 6}};
enum { FORMATS = sizeof formats / sizeof formats[0] };
#define FOR_EACH_FORMAT(f) for (const format *f = formats; f < formats + FORMATS; f++)

static const float angles[] = {1e-3f, 0.17453292f, 0.785398163f, 1.5f, 3.1415925f, 3.14159265f};
enum { ANGLES = sizeof angles / sizeof angles[0] };

#define HOLDS(f, at, condition)                                                                              \
  do {                                                                                                       \
    if (!(condition)) fail_msg("%s, at %lld: not true: %s", (f)->name, (long long)(at), #condition);         \
  } while (0)

/* The vector that stands for a rotation, whose sign is chosen before. */
static void vector_of(const format *f, quat r, double v[3]) {
  const double n = sqrt(r.v[0] * r.v[0] + r.v[1] * r.v[1] + r.v[2] * r.v[2]);
  const double k = !f->exponential ? 1 / (1 + r.v[3]) : n > 1e-9 ? 2 * atan2(n, r.v[3]) / n : 2;
  for (int i = 0; i < 3; i++) v[i] = k * r.v[i];
}

static quat rotation_of(const format *f, const double v[3]) {
  const double n2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], n = sqrt(n2);
  const double k = !f->exponential ? 2 / (1 + n2) : n > 1e-9 ? sin(n / 2) / n : 0.5;
  return (quat){{k * v[0], k * v[1], k * v[2], f->exponential ? cos(n / 2) : (1 - n2) / (1 + n2)}};
}

static double range_of(const format *f, float largest) {
  return f->exponential ? largest : tan((double)largest / 4);
}
static double step_of(const format *f, float largest, int component) {
  return range_of(f, largest) / ((1 << (f->bits[component] - 1)) - 1);
}

/* The rotation from base to value, with w >= 0. */
static quat relative_of(const float *base, const float *value) {
  const quat r = product(of_floats(value), conjugate(of_floats(base)));
  return r.v[3] < 0 ? negative(r) : r;
}

/* What floats lose of the vector's components: 3e-7 radians of the rotation. */
static double rounding_of(const format *f) { return f->exponential ? 3e-7 * pi / 2 : 3e-7 / 2; }

/* True if what came back is, component by component, within half a step of the vector, of `scale` times
 * it. */
static bool within_half_a_step(const format *f, float largest, const float *base, const float *value,
                               const float *back, double scale) {
  const quat r = relative_of(base, value);
  quat b = product(of_floats(back), conjugate(of_floats(base)));
  if (dot(r, b) < 0) b = negative(b); /* half a turn and a bit more */
  double v[3], w[3];
  vector_of(f, r, v);
  vector_of(f, b, w);
  for (int i = 0; i < 3; i++)
    if (!(fabs(scale * v[i] - w[i]) <= step_of(f, largest, i) * (0.5 + 1e-6) + rounding_of(f))) return false;
  return true;
}

static double largest_component(const format *f, const float *base, const float *value) {
  double v[3];
  vector_of(f, relative_of(base, value), v);
  return fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
}

/* A rotation within the range, relative to base. */
static void value_within(const format *f, float largest, const float *base, float *value, uint64_t *state) {
  const double range = range_of(f, largest) * (1 - 1e-6), longest = f->exponential ? pi : 1;
  double v[3], n2;
  do {
    n2 = 0;
    for (int i = 0; i < 3; i++) {
      v[i] = range * (2 * random_unit(state) - 1);
      n2 += v[i] * v[i];
    }
  } while (n2 > longest * longest);
  to_floats(value, product(rotation_of(f, v), of_floats(base)));
}

static quatsimd_status pack(const format *f, float largest, unsigned char *packed, const float *base,
                            const float *value, size_t count, unsigned char *beyond) {
  return quatsimd_relative_pack(f->format, largest, packed, f->bytes * count, quatsimd_aos(base),
                                quatsimd_aos(value), count, beyond);
}
static quatsimd_status unpack(const format *f, float largest, float *out, const float *base,
                              const unsigned char *packed, size_t count) {
  return quatsimd_relative_unpack(f->format, largest, quatsimd_aos_out(out), quatsimd_aos(base), packed,
                                  f->bytes * count, count);
}

enum { COUNT = 3001 };

static float *random_quats(size_t count, uint64_t seed) {
  float *q = filled(16 * count);
  random_rotations(q, count, &seed);
  return q;
}

static unsigned char *random_bytes(size_t bytes, uint64_t seed) {
  unsigned char *p = filled(bytes);
  for (size_t i = 0; i < bytes; i++) p[i] = (unsigned char)sweep_next(&seed);
  return p;
}

static void sizes(void **state) {
  (void)state;
  FOR_EACH_FORMAT(f) {
    HOLDS(f, 0, quatsimd_relative_size(f->format, 0) == 0);
    HOLDS(f, 0, quatsimd_relative_size(f->format, 7) == 7 * f->bytes);
    HOLDS(f, 0, quatsimd_relative_size(f->format, SIZE_MAX / f->bytes) == SIZE_MAX / f->bytes * f->bytes);
    HOLDS(f, 0, quatsimd_relative_size(f->format, SIZE_MAX / f->bytes + 1) == 0);
  }
  assert_int_equal(quatsimd_relative_size((quatsimd_relative_format)0, 5), 0);
  assert_int_equal(quatsimd_relative_size((quatsimd_relative_format)7, 5), 0);
}

static void no_rotation_is_code_0(void **state) {
  (void)state;
  float *base = random_quats(COUNT, 1), *value = filled(16 * COUNT), *back = filled(16 * COUNT);
  /* one and the same rotation */
  for (size_t i = 0; i < 4 * COUNT; i++) value[i] = i / 4 % 2 ? base[i] : -base[i];
  FOR_EACH_FORMAT(f) for (int a = 0; a < ANGLES; a++) {
    unsigned char *packed = filled(f->bytes * COUNT), *zero = calloc(f->bytes, COUNT),
                  *beyond = filled((COUNT + 7) / 8);
    HOLDS(f, a, pack(f, angles[a], packed, base, value, COUNT, beyond) == QUATSIMD_OK);
    HOLDS(f, a, zero && memcmp(packed, zero, f->bytes * COUNT) == 0);
    for (size_t i = 0; i < (COUNT + 7) / 8; i++) HOLDS(f, i, beyond[i] == 0);
    HOLDS(f, a, unpack(f, angles[a], back, base, packed, COUNT) == QUATSIMD_OK);
    /* base, normalised */
    for (size_t i = 0; i < 4 * COUNT; i++) HOLDS(f, i, fabsf(back[i] - base[i]) <= 1.2e-7f);
    free(beyond), free(zero), free(packed);
  }
  free(back), free(value), free(base);

  /* exactly, where base is of length 1 to the last bit */
  const float exact[][4] = {
      {0, 0, 0, 1}, {1, 0, 0, 0}, {0.5f, -0.5f, 0.5f, 0.5f}, {0, 0, -1, 0}, {-0.5f, 0.5f, 0.5f, -0.5f}};
  FOR_EACH_FORMAT(f) for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++) {
    unsigned char packed[6];
    float out[4];
    HOLDS(f, i, pack(f, 1, packed, exact[i], exact[i], 1, NULL) == QUATSIMD_OK);
    HOLDS(f, i, unpack(f, 1, out, exact[i], packed, 1) == QUATSIMD_OK);
    for (int c = 0; c < 4; c++) HOLDS(f, i, out[c] == exact[i][c]);
  }
}

static void errors_are_half_a_step(void **state) {
  (void)state;
  uint64_t seed = 2;
  float *base = random_quats(COUNT, 3), *value = filled(16 * COUNT), *back = filled(16 * COUNT);
  FOR_EACH_FORMAT(f) for (int a = 0; a < ANGLES; a++) {
    const float largest = angles[a];
    double bound = 0;
    for (int c = 0; c < 3; c++) bound += pow(step_of(f, largest, c) / 2, 2);
    /* the maps stretch nothing by more, and that only near no rotation */
    bound = sqrt(bound) * (f->exponential ? 1 : 4);
    unsigned char *packed = filled(f->bytes * COUNT), *beyond = filled((COUNT + 7) / 8);
    for (size_t i = 0; i < COUNT; i++) {
      value_within(f, largest, base + 4 * i, value + 4 * i, &seed);
      const float length = i % 3 ? 1 : 1e-3f + 5 * (float)random_unit(&seed); /* lengths do not count */
      for (int c = 0; c < 4; c++) value[4 * i + c] *= length;
    }
    HOLDS(f, a, pack(f, largest, packed, base, value, COUNT, beyond) == QUATSIMD_OK);
    HOLDS(f, a, unpack(f, largest, back, base, packed, COUNT) == QUATSIMD_OK);
    for (size_t i = 0; i < (COUNT + 7) / 8; i++) HOLDS(f, i, beyond[i] == 0);
    for (size_t i = 0; i < COUNT; i++) {
      HOLDS(f, i, unit(back + 4 * i));
      HOLDS(f, i, within_half_a_step(f, largest, base + 4 * i, value + 4 * i, back + 4 * i, 1));
      HOLDS(f, i, angle_of_floats(value + 4 * i, back + 4 * i) <= bound + 3e-7);
    }
    free(beyond), free(packed);
  }
  free(back), free(value), free(base);
}

static void what_is_beyond_is_flagged(void **state) {
  (void)state;
  uint64_t seed = 4;
  float *base = random_quats(COUNT, 5), *value = filled(16 * COUNT), *back = filled(16 * COUNT);
  FOR_EACH_FORMAT(f) for (int a = 0; a < ANGLES; a++) {
    const float largest = angles[a];
    const double range = range_of(f, largest);
    unsigned char *packed = filled(f->bytes * COUNT), *beyond = filled((COUNT + 7) / 8);
    for (size_t i = 0; i < COUNT; i++)
      if (i % 4 == 0) to_floats(value + 4 * i, random_rotation(&seed)); /* any */
      else if (i % 4 == 1) value_within(f, largest, base + 4 * i, value + 4 * i, &seed);
      else
        to_floats(value + 4 * i,
                  product(random_turn(fmin(0.7 * largest, 3), &seed), of_floats(base + 4 * i)));
    const quatsimd_status status = pack(f, largest, packed, base, value, COUNT, beyond);
    HOLDS(f, a, unpack(f, largest, back, base, packed, COUNT) == QUATSIMD_OK);
    size_t outside = 0, near = 0;
    for (size_t i = 0; i < COUNT; i++) {
      const double most = largest_component(f, base + 4 * i, value + 4 * i);
      const bool flagged = beyond[i / 8] >> i % 8 & 1;
      outside += flagged;
      if (fabs(most - range) < 1e-12 + 1e-12 * range) { /* too near for the arithmetic here */
        near++;
        continue;
      }
      HOLDS(f, i, flagged == (most > range));
      HOLDS(f, i,
            within_half_a_step(f, largest, base + 4 * i, value + 4 * i, back + 4 * i,
                               flagged ? range / most : 1));
    }
    HOLDS(f, a, beyond[COUNT / 8] >> COUNT % 8 == 0); /* behind the last */
    HOLDS(f, near, near < COUNT / 100);
    HOLDS(f, a, status == (outside ? QUATSIMD_WARNING_SATURATED : QUATSIMD_OK));
    HOLDS(f, a, largest < 3 ? outside > COUNT / 20 : !outside);
    unsigned char *without = filled(f->bytes * COUNT);
    HOLDS(f, a, pack(f, largest, without, base, value, COUNT, NULL) == status);
    HOLDS(f, a, memcmp(packed, without, f->bytes * COUNT) == 0);
    free(without), free(beyond), free(packed);
  }
  free(back), free(value), free(base);
}

static void half_turns(void **state) {
  (void)state;
  uint64_t seed = 6;
  FOR_EACH_FORMAT(f) for (int i = 0; i < 500; i++) {
    float base[4], value[4], back[4];
    unsigned char packed[6];
    quat axis = random_rotation(&seed);
    axis.v[3] = 0;
    if (i < 3) axis = (quat){{i == 0, i == 1, i == 2, 0}};
    to_floats(base, i < 6 ? (quat){{0, 0, 0, 1}} : random_rotation(&seed));
    to_floats(value, product(normalised(axis), of_floats(base)));
    const quatsimd_status status = pack(f, 3.14159265f, packed, base, value, 1, NULL);
    HOLDS(f, i, status == QUATSIMD_OK);
    HOLDS(f, i, unpack(f, 3.14159265f, back, base, packed, 1) == QUATSIMD_OK);
    double bound = 0;
    for (int c = 0; c < 3; c++) bound += pow(step_of(f, 3.14159265f, c) / 2, 2);
    HOLDS(f, i, angle_of_floats(value, back) <= sqrt(bound) * (f->exponential ? 1 : 4) + 3e-7);
  }
}

static const uint32_t nan_bits = UINT32_C(0x7fc00000), infinity_bits = UINT32_C(0x7f800000);

/* i-th of a few kinds of invalid quaternions. */
enum { INVALID = 6 };
static void make_invalid(float *q, size_t i) {
  if (i % INVALID == 0) sweep_set_bits(&q[i / INVALID % 4], nan_bits);
  if (i % INVALID == 1) sweep_set_bits(&q[i / INVALID % 4], infinity_bits);
  if (i % INVALID == 2) sweep_set_bits(&q[i / INVALID % 4], infinity_bits | UINT32_C(0x80000000));
  if (i % INVALID == 3) memset(q, 0, 16);
  for (int c = 0; c < 4; c++) q[c] *= i % INVALID == 4 ? 0x1p33f : i % INVALID == 5 ? 0x1p-33f : 1;
}

static void invalid_ones_are_no_rotation(void **state) {
  (void)state;
  float *base = random_quats(COUNT, 7), *value = random_quats(COUNT, 8), *back = filled(16 * COUNT);
  for (size_t i = 0; i < COUNT; i++) {
    if (i % 5 == 1) make_invalid(base + 4 * i, i / 5);
    if (i % 7 == 2) make_invalid(value + 4 * i, i / 7);
  }
  FOR_EACH_FORMAT(f) {
    unsigned char *packed = filled(f->bytes * COUNT), *beyond = filled((COUNT + 7) / 8);
    HOLDS(f, 0,
          pack(f, 3.14159265f, packed, base, value, COUNT, beyond) == QUATSIMD_WARNING_REPLACED_INVALID);
    for (size_t i = 0; i < COUNT; i++) {
      const bool invalid = i % 5 == 1 || i % 7 == 2;
      HOLDS(f, i, (beyond[i / 8] >> i % 8 & 1) == invalid);
      for (size_t b = 0; invalid && b < f->bytes; b++) HOLDS(f, i, packed[f->bytes * i + b] == 0);
    }
    /* more than beyond, the range is too small for most */
    HOLDS(f, 0, pack(f, 0.1f, packed, base, value, COUNT, beyond) == QUATSIMD_WARNING_REPLACED_INVALID);
    HOLDS(f, 0, unpack(f, 0.1f, back, base, packed, COUNT) == QUATSIMD_OK);
    HOLDS(f, 0, all_unit(back, COUNT));
    /* an invalid base counts as the identity */
    float *identity = filled(16 * COUNT), *expected = filled(16 * COUNT);
    for (size_t i = 0; i < 4 * COUNT; i++) identity[i] = i / 4 % 5 == 1 ? (float)(i % 4 == 3) : base[i];
    unsigned char *bytes = random_bytes(f->bytes * COUNT, 9);
    HOLDS(f, 0, unpack(f, 1, back, base, bytes, COUNT) == QUATSIMD_OK);
    HOLDS(f, 0, unpack(f, 1, expected, identity, bytes, COUNT) == QUATSIMD_OK);
    HOLDS(f, 0, memcmp(back, expected, 16 * COUNT) == 0);
    free(bytes), free(expected), free(identity), free(beyond), free(packed);
  }
  free(back), free(value), free(base);
}

static void any_bytes_are_rotations(void **state) {
  (void)state;
  static const float more_angles[] = {1e-6f, 1e-3f, 0.1f, 1, 2, 3, 3.14159265f};
  float *base = random_quats(COUNT, 10), *back = filled(16 * COUNT);
  for (size_t i = 0; i < 16; i++) make_invalid(base + 4 * i, i);
  FOR_EACH_FORMAT(f) for (size_t a = 0; a < sizeof more_angles / sizeof more_angles[0]; a++) {
    unsigned char *bytes = random_bytes(f->bytes * COUNT, 11 + a);
    memset(bytes, 0x80, 6), memset(bytes + 6, 0xff, 6), memset(bytes + 12, 0, 6);
    HOLDS(f, a, unpack(f, more_angles[a], back, base, bytes, COUNT) == QUATSIMD_OK);
    HOLDS(f, a, all_unit(back, COUNT));
    const quatsimd_status status = pack(f, more_angles[a], bytes, base, back, COUNT, NULL);
    HOLDS(f, a, status == QUATSIMD_WARNING_REPLACED_INVALID);
    free(bytes);
  }
  free(back), free(base);
}

static void layouts_agree(void **state) {
  (void)state;
  enum { N = 133, GAP = 28 };
  float *base = random_quats(N, 20), *value = random_quats(N, 21);
  make_invalid(base, 0), make_invalid(value + 4 * 50, 3);
  float *b[4], *v[4], *o[4];
  for (int c = 0; c < 4; c++) {
    b[c] = filled(4 * N), v[c] = filled(4 * N), o[c] = filled(4 * N);
    for (size_t i = 0; i < N; i++) b[c][i] = base[4 * i + c], v[c][i] = value[4 * i + c];
  }
  unsigned char *wide_base = filled(GAP * N), *wide_value = filled(GAP * N), *wide_out = filled(GAP * N);
  for (size_t i = 0; i < N; i++)
    memcpy(wide_base + GAP * i, base + 4 * i, 16), memcpy(wide_value + GAP * i, value + 4 * i, 16);
  FOR_EACH_FORMAT(f) for (size_t n = 0; n <= N; n += n < 70 ? 1 : 21) {
    unsigned char *packed = filled(f->bytes * n), *again = filled(f->bytes * n + 1);
    unsigned char *mask = filled((n + 7) / 8), *mask2 = filled((n + 7) / 8);
    float *out = filled(16 * n);
    const quatsimd_status status = pack(f, 2, packed, base, value, n, mask);
    HOLDS(f, n, status >= 0);
    HOLDS(f, n, unpack(f, 2, out, base, packed, n) == QUATSIMD_OK);
    const quatsimd_in cb = quatsimd_soa(b[0], b[1], b[2], b[3]), cv = quatsimd_soa(v[0], v[1], v[2], v[3]);
    const quatsimd_out co = quatsimd_soa_out(o[0], o[1], o[2], o[3]);
    HOLDS(f, n, quatsimd_relative_pack(f->format, 2, again, f->bytes * n, cb, cv, n, mask2) == status);
    HOLDS(f, n, memcmp(packed, again, f->bytes * n) == 0 && memcmp(mask, mask2, (n + 7) / 8) == 0);
    HOLDS(f, n,
          quatsimd_relative_pack(f->format, 2, again + 1, f->bytes * n,
                                 quatsimd_strided((float *)(void *)wide_base, GAP),
                                 quatsimd_strided((float *)(void *)wide_value, GAP), n, mask2) == status);
    HOLDS(f, n, memcmp(packed, again + 1, f->bytes * n) == 0 && memcmp(mask, mask2, (n + 7) / 8) == 0);
    HOLDS(f, n, quatsimd_relative_unpack(f->format, 2, co, cb, packed, f->bytes * n, n) == QUATSIMD_OK);
    memset(wide_out, FILL, GAP * N);
    HOLDS(f, n,
          quatsimd_relative_unpack(f->format, 2, quatsimd_strided_out((float *)(void *)wide_out, GAP), cb,
                                   again + 1, f->bytes * n, n) == QUATSIMD_OK);
    for (size_t i = 0; i < n; i++) {
      for (int c = 0; c < 4; c++) HOLDS(f, i, memcmp(&o[c][i], &out[4 * i + c], 4) == 0);
      HOLDS(f, i,
            memcmp(wide_out + GAP * i, out + 4 * i, 16) == 0 && untouched(wide_out + GAP * i + 16, GAP - 16));
    }
    HOLDS(f, n, untouched(wide_out + GAP * n, GAP * (N - n)));
    float *in_place = filled(16 * n);
    memcpy(in_place, base, 16 * n);
    HOLDS(f, n, unpack(f, 2, in_place, in_place, packed, n) == QUATSIMD_OK);
    HOLDS(f, n, memcmp(in_place, out, 16 * n) == 0);
    free(in_place), free(out), free(mask2), free(mask), free(again), free(packed);
  }
  /* one base for all */
  FOR_EACH_FORMAT(f) {
    float *same = filled(16 * N), *out = filled(16 * N), *out2 = filled(16 * N);
    unsigned char *packed = filled(f->bytes * N), *again = filled(f->bytes * N);
    for (size_t i = 0; i < N; i++) memcpy(same + 4 * i, base + 4, 16);
    const quatsimd_status status = pack(f, 1, packed, same, value, N, NULL);
    HOLDS(f, 0,
          quatsimd_relative_pack(f->format, 1, again, f->bytes * N, quatsimd_one(base + 4),
                                 quatsimd_aos(value), N, NULL) == status);
    HOLDS(f, 0, memcmp(packed, again, f->bytes * N) == 0);
    unpack(f, 1, out, same, packed, N);
    HOLDS(f, 0,
          quatsimd_relative_unpack(f->format, 1, quatsimd_aos_out(out2), quatsimd_one(base + 4), packed,
                                   f->bytes * N, N) == QUATSIMD_OK);
    HOLDS(f, 0, memcmp(out, out2, 16 * N) == 0);
    free(again), free(packed), free(out2), free(out), free(same);
  }
  for (int c = 0; c < 4; c++) free(b[c]), free(v[c]), free(o[c]);
  free(wide_out), free(wide_value), free(wide_base), free(value), free(base);
}

static void wrong_calls_are_refused(void **state) {
  (void)state;
  enum { N = 9 };
  float *base = random_quats(N, 30), *value = random_quats(N, 31), *out = filled(16 * N);
  unsigned char packed[6 * N + 5], beyond[2];
  memset(packed, FILL, sizeof packed), memset(beyond, FILL, sizeof beyond);
  const quatsimd_in b = quatsimd_aos(base), v = quatsimd_aos(value), none = quatsimd_aos(NULL);
  const quatsimd_in crooked = quatsimd_strided(base, 18), hole = quatsimd_soa(base, base, NULL, base);
  const quatsimd_out o = quatsimd_aos_out(out), nowhere = quatsimd_aos_out(NULL);
  float bad_angles[] = {1e-7f, 1e-45f, 0, -0.0f, -1, 3.1416f, 4, 1e30f, 0, 0, 0};
  sweep_set_bits(&bad_angles[8], nan_bits), sweep_set_bits(&bad_angles[9], infinity_bits);
  sweep_set_bits(&bad_angles[10], infinity_bits | UINT32_C(0x80000000));
  FOR_EACH_FORMAT(f) {
    const quatsimd_relative_format id = f->format;
    const size_t size = f->bytes * N;
    for (size_t i = 0; i < sizeof bad_angles / sizeof bad_angles[0]; i++) {
      HOLDS(f, i,
            quatsimd_relative_pack(id, bad_angles[i], packed, size, b, v, N, beyond) ==
                QUATSIMD_ERROR_BAD_ARGUMENT);
      HOLDS(f, i,
            quatsimd_relative_unpack(id, bad_angles[i], o, b, packed, size, N) ==
                QUATSIMD_ERROR_BAD_ARGUMENT);
    }
    HOLDS(f, 0,
          quatsimd_relative_pack(id, 1, packed, size - 1, b, v, N, beyond) == QUATSIMD_ERROR_SHORT_BUFFER);
    HOLDS(f, 0, quatsimd_relative_unpack(id, 1, o, b, packed, size - 1, N) == QUATSIMD_ERROR_SHORT_BUFFER);
    HOLDS(f, 0, quatsimd_relative_pack(id, 1, packed, 0, b, v, N, beyond) == QUATSIMD_ERROR_SHORT_BUFFER);
    HOLDS(f, 0, quatsimd_relative_pack(id, 1, packed, SIZE_MAX, b, v, SIZE_MAX / 2, beyond) < 0);
    HOLDS(f, 0, quatsimd_relative_unpack(id, 1, o, b, packed, SIZE_MAX, SIZE_MAX / 2) < 0);
    HOLDS(f, 0, quatsimd_relative_pack(id, 1, NULL, size, b, v, N, beyond) == QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, 0,
          quatsimd_relative_pack(id, 1, packed, size, none, v, N, beyond) == QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, 0,
          quatsimd_relative_pack(id, 1, packed, size, b, none, N, beyond) == QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, 0,
          quatsimd_relative_pack(id, 1, packed, size, crooked, v, N, beyond) == QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, 0,
          quatsimd_relative_pack(id, 1, packed, size, b, hole, N, beyond) == QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, 0, quatsimd_relative_unpack(id, 1, nowhere, b, packed, size, N) == QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, 0, quatsimd_relative_unpack(id, 1, o, none, packed, size, N) == QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, 0, quatsimd_relative_unpack(id, 1, o, b, NULL, size, N) == QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, 0,
          quatsimd_relative_unpack(id, 1, quatsimd_strided_out(out, 12), b, packed, size, N) ==
              QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, 0,
          quatsimd_relative_unpack(id, 1, quatsimd_strided_out(out, 0), b, packed, size, N) ==
              QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, 0,
          quatsimd_relative_unpack(id, 1, quatsimd_strided_out(out, 17), b, packed, size, N) ==
              QUATSIMD_ERROR_BAD_ARGUMENT);
    HOLDS(f, 0, quatsimd_relative_pack(id, 1, NULL, 0, none, none, 0, NULL) == QUATSIMD_OK);
    HOLDS(f, 0, quatsimd_relative_unpack(id, 1, nowhere, none, NULL, 0, 0) == QUATSIMD_OK);
    HOLDS(f, 0,
          untouched(packed, sizeof packed) && untouched(beyond, sizeof beyond) && untouched(out, 16 * N));
    /* more room than is needed stays as it is */
    HOLDS(f, 0, quatsimd_relative_pack(id, 1, packed, sizeof packed, b, v, N, NULL) >= 0);
    HOLDS(f, 0, untouched(packed + size, sizeof packed - size) && !untouched(packed, size));
    HOLDS(f, 0, quatsimd_relative_unpack(id, 1, o, b, packed, sizeof packed, N) == QUATSIMD_OK);
    memset(packed, FILL, sizeof packed), memset(out, FILL, 16 * N);
  }
  const int unknown[] = {0, 7, -1, 100, 0x7fffffff};
  for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
    const quatsimd_relative_format id = (quatsimd_relative_format)unknown[i];
    assert_int_equal(quatsimd_relative_pack(id, 1, packed, sizeof packed, b, v, N, beyond),
                     QUATSIMD_ERROR_BAD_FORMAT);
    assert_int_equal(quatsimd_relative_unpack(id, 1, o, b, packed, sizeof packed, N),
                     QUATSIMD_ERROR_BAD_FORMAT);
    assert_int_equal(quatsimd_relative_pack(id, 1, NULL, 0, none, none, 0, NULL), QUATSIMD_ERROR_BAD_FORMAT);
  }
  assert_true(untouched(packed, sizeof packed) && untouched(beyond, sizeof beyond) && untouched(out, 16 * N));
  free(out), free(value), free(base);
}

/* ---- motions ---- */

enum { WALK, RUN, FREE, FREE_AND_WALK, STILL, JUMP, ANY, LOST, FLIP, MOTIONS, SLOW };

typedef struct body {
  int motion;
  quat q, turn;
} body;

static body new_body(int motion, double bound, uint64_t *seed) {
  body b = {motion, random_rotation(seed), {{0, 0, 0, 1}}};
  b.turn = random_turn(motion == SLOW ? 0.05 * bound : 0.2, seed);
  if (motion == JUMP) { /* half a turn about an axis */
    b.turn = random_rotation(seed);
    b.turn.v[3] = 0;
    b.turn = normalised(b.turn);
  }
  return b;
}

/* Plain arithmetic: the goldens depend on it. */
static void move(body *b, float *xyzw, uint64_t *seed) {
  const int m = b->motion;
  if (m == WALK || m == LOST) b->q = product(random_turn(0.01, seed), b->q);
  if (m == RUN || m == FREE_AND_WALK) b->q = product(random_turn(m == RUN ? 0.3 : 0.002, seed), b->q);
  if (m == FREE || m == FREE_AND_WALK || m == JUMP || m == SLOW) b->q = product(b->turn, b->q);
  if (m == ANY) b->q = random_rotation(seed);
  if (m == FLIP) b->q = negative(b->q);
  b->q = normalised(b->q);
  to_floats(xyzw, b->q);
  if (m == LOST && sweep_next(seed) % 3 == 0) make_invalid(xyzw, (size_t)(sweep_next(seed) % 24));
}

/* ---- streams ---- */

typedef struct side {
  void *memory;
  quatsimd_stream *stream;
} side;

static void open_side(side *s, const quatsimd_stream_options *o) {
  const size_t size = quatsimd_stream_size(o);
  if (size == 0) fail_msg("the options are refused: %zu bodies, bound %g", o->bodies, (double)o->bound);
  s->memory = filled(size); /* dirty: init must not depend on what was there */
  s->stream = NULL;
  assert_int_equal(quatsimd_stream_init(&s->stream, s->memory, size, o), QUATSIMD_OK);
  assert_non_null(s->stream);
}

static void close_side(side *s) {
  free(s->memory);
  s->memory = NULL;
}

/* A motion that was sent, and what a decoder without losses made of it. */
typedef struct recording {
  quatsimd_stream_options options;
  size_t frames, floats; /* floats in a frame */
  float *sent, *got;
  unsigned char **frame; /* at their exact size */
  size_t *size;
} recording;

static float *sent(const recording *r, size_t frame) { return r->sent + r->floats * frame; }
static float *got(const recording *r, size_t frame) { return r->got + r->floats * frame; }

static bool is_invalid(const float *q) { return quatsimd_find_invalid(quatsimd_aos(q), 1, 0) == 0; }

/* key: a key frame every so many; 0: the first alone. motion: of all bodies; MOTIONS: one after the other. */
static recording record(quatsimd_stream_options options, size_t frames, size_t key, int motion,
                        uint64_t seed) {
  recording r = {options, frames, 4 * options.bodies, NULL, NULL, NULL, NULL};
  r.sent = filled(4 * r.floats * frames), r.got = filled(4 * r.floats * frames);
  r.frame = filled(frames * sizeof *r.frame), r.size = filled(frames * sizeof *r.size);
  side encoder, decoder;
  open_side(&encoder, &options), open_side(&decoder, &options);
  body *bodies = filled(options.bodies * sizeof *bodies);
  for (size_t b = 0; b < options.bodies; b++)
    bodies[b] = new_body(motion == MOTIONS ? (int)(b % MOTIONS) : motion, (double)options.bound, &seed);
  const size_t longest = quatsimd_stream_max_packet(&options);
  assert_true(longest > 0);
  for (size_t f = 0; f < frames; f++) {
    bool invalid = false;
    for (size_t b = 0; b < options.bodies; b++) {
      move(&bodies[b], sent(&r, f) + 4 * b, &seed);
      invalid = invalid || is_invalid(sent(&r, f) + 4 * b);
    }
    unsigned char *frame = filled(longest);
    size_t written = 0;
    const int key_frame = key && f % key == 0;
    const quatsimd_status status = quatsimd_stream_encode(
        encoder.stream, key_frame, quatsimd_aos(sent(&r, f)), frame, longest, &written);
    assert_int_equal(status, invalid ? QUATSIMD_WARNING_REPLACED_INVALID : QUATSIMD_OK);
    assert_in_range(written, 1, longest);
    r.size[f] = written;
    r.frame[f] = memcpy(filled(written), frame, written);
    free(frame);
    unsigned number = 99999;
    int is_key = -1;
    assert_int_equal(quatsimd_stream_peek(r.frame[f], written, &number, &is_key), QUATSIMD_OK);
    assert_int_equal(number, f % 32768);
    if (f == 0 || key_frame) assert_int_equal(is_key, 1);
    else assert_in_range(is_key, 0, 1);
    const quatsimd_status back =
        quatsimd_stream_decode(decoder.stream, r.frame[f], written, quatsimd_aos_out(got(&r, f)));
    if (back != QUATSIMD_OK)
      fail_msg("frame %zu of %zu bodies, bound %g, exponential %d, predictors %d: %s", f, options.bodies,
               (double)options.bound, options.exponential, options.predictors, quatsimd_status_string(back));
  }
  free(bodies);
  close_side(&encoder), close_side(&decoder);
  return r;
}

static void forget(recording *r) {
  for (size_t f = 0; f < r->frames; f++) free(r->frame[f]);
  free(r->size), free(r->frame), free(r->got), free(r->sent);
}

/* Every rotation within the bound; where none was sent, within the bound of what was there last, however
 * many frames ago. */
static void check_errors(const recording *r) {
  static const float identity[4] = {0, 0, 0, 1};
  for (size_t b = 0; b < r->options.bodies; b++) {
    const float *last = identity;
    for (size_t f = 0; f < r->frames; f++) {
      const float *q = sent(r, f) + 4 * b, *p = got(r, f) + 4 * b;
      if (is_invalid(q)) q = last;
      else last = p;
      const double error = angle_of_floats(q, p);
      if (!unit(p) || !(error <= (double)r->options.bound))
        fail_msg("frame %zu, body %zu of %zu, bound %.9g, exponential %d, predictors %d: (%g, %g, %g, %g) "
                 "became (%g, %g, %g, %g), "
                 "%.9g radians off",
                 f, b, r->options.bodies, (double)r->options.bound, r->options.exponential,
                 r->options.predictors, (double)q[0], (double)q[1], (double)q[2], (double)q[3], (double)p[0],
                 (double)p[1], (double)p[2], (double)p[3], error);
    }
  }
}

static const float bounds[] = {1e-5f, 1e-4f, 1e-3f, 0.0043633231f, 0.03f, 0.3f, 1};
enum { BOUNDS = sizeof bounds / sizeof bounds[0] };

static void errors_are_within_the_bound(void **state) {
  (void)state;
  static const size_t bodies[] = {1, 2, 3, 9, 17, 40};
  uint64_t seed = 100;
  for (int b = 0; b < BOUNDS; b++)
    for (int exponential = 0; exponential < 2; exponential++)
      for (int predictors = 0; predictors < 4; predictors++)
        for (size_t n = 0; n < sizeof bodies / sizeof bodies[0]; n++) {
          const quatsimd_stream_options o = {bodies[n], bounds[b], exponential, predictors};
          recording r = record(o, bodies[n] < 9 ? 40 : 20, n % 2 ? 7 : 0, MOTIONS, seed++);
          check_errors(&r);
          forget(&r);
        }
}

static void each_motion_alone(void **state) {
  (void)state;
  uint64_t seed = 1000;
  for (int motion = 0; motion < MOTIONS; motion++)
    for (int b = 0; b < BOUNDS; b++)
      for (int exponential = 0; exponential < 2; exponential++) {
        const quatsimd_stream_options o = {5, bounds[b], exponential, QUATSIMD_PREDICT_BOTH};
        recording r = record(o, 150, 0, motion, seed++);
        check_errors(&r);
        if (motion == STILL || motion == FLIP) /* nothing new: the last frames are the shortest */
          assert_true(r.size[149] <= r.size[0]);
        forget(&r);
      }
}

/* Slow bodies: the encoder sends nothing as long as that is within the bound, to the last bit of it. */
static void slow_bodies_stay_within_the_bound(void **state) {
  (void)state;
  uint64_t seed = 1500;
  for (int b = 0; b < BOUNDS; b++)
    for (int exponential = 0; exponential < 2; exponential++)
      for (int predictors = QUATSIMD_PREDICT_BOTH; predictors <= QUATSIMD_PREDICT_NONE; predictors++) {
        const quatsimd_stream_options o = {40, bounds[b], exponential, predictors};
        recording r = record(o, 300, 0, SLOW, seed++);
        check_errors(&r);
        forget(&r);
      }
}

/* Many, so that some are as far from all points of the lattice as can be, where rounding could carry them
 * beyond. */
static void many_rotations_at_the_finest_bound(void **state) {
  (void)state;
  for (int exponential = 0; exponential < 2; exponential++)
    for (int key = 0; key < 2; key++) {
      const quatsimd_stream_options o = {500, 1e-5f, exponential, QUATSIMD_PREDICT_BOTH};
      recording r = record(o, 200, (size_t)key, key ? ANY : WALK, 8);
      check_errors(&r);
      forget(&r);
    }
}

/* The longest there can be: everything by itself, at the finest bound. */
static void no_frame_is_longer_than_max_frame(void **state) {
  (void)state;
  for (int exponential = 0; exponential < 2; exponential++)
    for (int predictors = 0; predictors < 4; predictors++)
      for (int key = 0; key < 2; key++) {
        const quatsimd_stream_options o = {64, 1e-5f, exponential, predictors};
        recording r = record(o, 30, (size_t)key, ANY, 7); /* checks the lengths */
        check_errors(&r);
        forget(&r);
      }
}

static quatsimd_status decode(side *decoder, const recording *r, size_t f, float *out) {
  return quatsimd_stream_decode(decoder->stream, r->frame[f], r->size[f], quatsimd_aos_out(out));
}

/* Decodes frame f, which must give what it gave before. */
static void must_decode(side *decoder, const recording *r, size_t f) {
  float *out = filled(4 * r->floats);
  const quatsimd_status status = decode(decoder, r, f, out);
  if (status != QUATSIMD_OK) fail_msg("frame %zu: %s", f, quatsimd_status_string(status));
  if (memcmp(out, got(r, f), 4 * r->floats) != 0) fail_msg("frame %zu gives other rotations than before", f);
  free(out);
}

static void must_refuse(side *decoder, const recording *r, size_t f, quatsimd_status expected) {
  float *out = filled(4 * r->floats);
  const quatsimd_status status = decode(decoder, r, f, out);
  if (status != expected)
    fail_msg("frame %zu: \"%s\" expected, not \"%s\"", f, quatsimd_status_string(expected),
             quatsimd_status_string(status));
  assert_true(untouched(out, 4 * r->floats));
  free(out);
}

static const quatsimd_stream_options usual = {9, 0.0043633231f, 0, QUATSIMD_PREDICT_BOTH};

static void after_a_loss_a_key_frame_is_needed(void **state) {
  (void)state;
  enum { FRAMES = 30, KEY = 10 };
  for (int exponential = 0; exponential < 2; exponential++) {
    quatsimd_stream_options o = usual;
    o.exponential = exponential;
    recording r = record(o, FRAMES, KEY, MOTIONS, 50);
    for (size_t lost = 0; lost < FRAMES; lost++)
      for (size_t more = 1; more <= 3; more += 2) { /* how many are lost */
        side decoder;
        open_side(&decoder, &o);
        bool whole = true;
        for (size_t f = 0; f < FRAMES; f++) {
          if (f >= lost && f < lost + more) whole = false;
          else if (whole || f % KEY == 0) must_decode(&decoder, &r, f), whole = true;
          else must_refuse(&decoder, &r, f, QUATSIMD_ERROR_NEED_KEY);
        }
        close_side(&decoder);
      }
    forget(&r);
  }
}

static void late_decoders_wait_for_a_key_frame(void **state) {
  (void)state;
  recording r = record(usual, 30, 10, MOTIONS, 51);
  for (size_t first = 0; first < 20; first++) {
    side decoder;
    open_side(&decoder, &usual);
    bool begun = false;
    for (size_t f = first; f < 30; f++) {
      begun = begun || f % 10 == 0;
      if (begun) must_decode(&decoder, &r, f);
      else must_refuse(&decoder, &r, f, QUATSIMD_ERROR_NEED_KEY);
    }
    close_side(&decoder);
  }
  forget(&r);
}

static void old_frames_do_not_disturb(void **state) {
  (void)state;
  enum { FRAMES = 40 };
  recording r = record(usual, FRAMES, 10, MOTIONS, 52);
  side decoder;
  open_side(&decoder, &usual);
  for (size_t f = 0; f < FRAMES; f++) {
    must_decode(&decoder, &r, f);
    for (size_t old = 0; old <= f; old++) must_refuse(&decoder, &r, old, QUATSIMD_ERROR_OLD_PACKET);
  }
  close_side(&decoder);

  /* two frames change places: the later one waits, and nothing is lost */
  open_side(&decoder, &usual);
  for (size_t f = 0; f + 1 < FRAMES; f += 2) {
    if ((f + 1) % 10 != 0 && f > 0) must_refuse(&decoder, &r, f + 1, QUATSIMD_ERROR_NEED_KEY);
    must_decode(&decoder, &r, f);
    must_decode(&decoder, &r, f + 1);
  }
  close_side(&decoder);

  /* passed over by a key frame, then there after all */
  open_side(&decoder, &usual);
  must_decode(&decoder, &r, 0);
  must_decode(&decoder, &r, 20);
  for (size_t f = 0; f <= 20; f++) must_refuse(&decoder, &r, f, QUATSIMD_ERROR_OLD_PACKET);
  must_decode(&decoder, &r, 21);
  close_side(&decoder);
  forget(&r);
}

static void numbers_wrap(void **state) {
  (void)state;
  enum { FRAMES = 2 * 32768 + 300 };
  const quatsimd_stream_options o = {1, 0.01f, 0, QUATSIMD_PREDICT_BOTH};
  recording r = record(o, FRAMES, 1000, FREE_AND_WALK, 53);
  check_errors(&r);
  side decoder;
  open_side(&decoder, &o);
  for (size_t f = 0; f < FRAMES; f++) {
    if (f % 32768 >= 32700 || f % 32768 < 60) {
      if (f > 100) {
        must_refuse(&decoder, &r, f - 1, QUATSIMD_ERROR_OLD_PACKET);
        must_refuse(&decoder, &r, f - 99, QUATSIMD_ERROR_OLD_PACKET);
      }
      if (f + 1 < FRAMES && f > 0 && (f + 1) % 1000)
        must_refuse(&decoder, &r, f + 1, QUATSIMD_ERROR_NEED_KEY);
    }
    must_decode(&decoder, &r, f);
  }
  close_side(&decoder);
  forget(&r);
}

/* A decoder that has frames 0 to f - 1. */
static void open_before(side *decoder, const recording *r, size_t f) {
  open_side(decoder, &r->options);
  for (size_t i = 0; i < f; i++) must_decode(decoder, r, i);
}

/* Decodes damaged bytes at a decoder that is before frame f. True if that was not noticed; then the
 * decoder is made anew. */
static bool survives(side *decoder, const recording *r, size_t f, const unsigned char *bytes, size_t size) {
  float *out = filled(4 * r->floats);
  unsigned char *exact = filled(size);
  if (size) memcpy(exact, bytes, size);
  unsigned number;
  int key_frame;
  const quatsimd_status head = quatsimd_stream_peek(exact, size, &number, &key_frame);
  assert_true(head == QUATSIMD_OK || head == QUATSIMD_ERROR_BAD_PACKET);
  if (head == QUATSIMD_OK) assert_true(number < 32768 && (key_frame == 0 || key_frame == 1));
  const quatsimd_status status = quatsimd_stream_decode(decoder->stream, exact, size, quatsimd_aos_out(out));
  const bool unnoticed = status == QUATSIMD_OK;
  if (unnoticed) {
    assert_true(all_unit(out, r->options.bodies));
    close_side(decoder);
    open_before(decoder, r, f);
  } else {
    assert_true(status == QUATSIMD_ERROR_BAD_PACKET || status == QUATSIMD_ERROR_NEED_KEY ||
                status == QUATSIMD_ERROR_OLD_PACKET);
    assert_true(untouched(out, 4 * r->floats));
  }
  free(exact), free(out);
  return unnoticed;
}

static void damage_is_noticed(void **state) {
  (void)state;
  static const size_t frames[] = {0, 1, 2, 5, 10, 11};
  for (int exponential = 0; exponential < 2; exponential++) {
    quatsimd_stream_options o = {9, exponential ? 1e-4f : 0.0043633231f, exponential, QUATSIMD_PREDICT_BOTH};
    recording r = record(o, 13, 10, MOTIONS, 54);
    size_t unnoticed = 0, tries = 0;
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
      const size_t f = frames[i], size = r.size[f];
      side decoder;
      open_before(&decoder, &r, f);
      unsigned char *damaged = filled(size + 1);
      for (size_t bit = 0; bit < 8 * size; bit++, tries++) {
        memcpy(damaged, r.frame[f], size);
        damaged[bit / 8] ^= (unsigned char)(1 << bit % 8);
        unnoticed += survives(&decoder, &r, f, damaged, size);
      }
      memcpy(damaged, r.frame[f], size);
      for (size_t shorter = 0; shorter < size; shorter++, tries++)
        unnoticed += survives(&decoder, &r, f, damaged, shorter);
      for (int last = 0; last < 256; last++, tries++) {
        damaged[size] = (unsigned char)last;
        unnoticed += survives(&decoder, &r, f, damaged, size + 1);
      }
      must_decode(&decoder, &r, f); /* the right frame, after all those that were wrong */
      must_decode(&decoder, &r, f + 1);
      free(damaged);
      close_side(&decoder);
    }
    if (unnoticed) print_message("%zu of %zu damaged frames were not noticed\n", unnoticed, tries);
    assert_true(unnoticed * 1000 <= tries);
    forget(&r);
  }
}

static void random_bytes_do_no_harm(void **state) {
  (void)state;
  enum { TRIES = 100000, BEFORE = 3 };
  uint64_t seed = 55;
  recording r = record(usual, 12, 0, MOTIONS, 56);
  side decoder;
  open_before(&decoder, &r, BEFORE);
  size_t unnoticed = 0;
  unsigned char bytes[512];
  for (size_t i = 0; i < TRIES; i++) {
    size_t size = sweep_next(&seed) % 80;
    for (size_t k = 0; k < size; k++) bytes[k] = (unsigned char)sweep_next(&seed);
    if (i % 2) { /* nearly a frame: some bytes of one that could come now */
      const size_t f = i % 4 == 1 ? BEFORE : 0;
      size = r.size[f] < sizeof bytes ? r.size[f] : sizeof bytes;
      memcpy(bytes, r.frame[f], size);
      if (f == 0) bytes[0] ^= (unsigned char)sweep_next(&seed);
      const size_t from = 2 + sweep_next(&seed) % (size - 2);
      for (size_t k = from; k < size; k++) bytes[k] = (unsigned char)sweep_next(&seed);
      if (memcmp(bytes, r.frame[f], size) == 0) continue;
    }
    unnoticed += survives(&decoder, &r, BEFORE, bytes, size);
  }
  if (unnoticed) print_message("%zu of %d random frames were not noticed\n", unnoticed, TRIES);
  assert_true(unnoticed * 1000 <= TRIES);
  must_decode(&decoder, &r, BEFORE);
  close_side(&decoder);
  forget(&r);
}

/* A frame with this payload and the checksum that docs/relative.md asks for, behind a frame of that
 * checksum. */
static void seal(const quatsimd_stream_options *o, unsigned char *frame, size_t size, unsigned check_before) {
  unsigned char id[10];
  uint32_t bound_bits;
  memcpy(&bound_bits, &o->bound, 4);
  for (int i = 0; i < 4; i++)
    id[i] = (unsigned char)(o->bodies >> 8 * i), id[4 + i] = (unsigned char)(bound_bits >> 8 * i);
  id[8] = (unsigned char)o->exponential;
  id[9] = 1;
  const uint32_t head = frame[0] | (uint32_t)frame[1] << 8, before = head & 1 ? 0 : check_before;
  const uint32_t h = XXH32(frame + 4, size - 4, XXH32(id, sizeof id, 0) ^ (head + (before << 16)));
  frame[2] = (unsigned char)(h ^ h >> 16), frame[3] = (unsigned char)((h ^ h >> 16) >> 8);
}

static unsigned check_of(const unsigned char *frame) { return frame[2] | (unsigned)frame[3] << 8; }

/* Damage that the checksum does not show, and codes that no encoder writes. */
static void bytes_with_the_right_checksum_do_no_harm(void **state) {
  (void)state;
  enum { TRIES = 40000, BEFORE = 11 };
  uint64_t seed = 70;
  unsigned char bytes[600];
  for (int exponential = 0; exponential < 2; exponential++) {
    const quatsimd_stream_options o = {9, exponential ? 1e-5f : 0.0043633231f, exponential,
                                       QUATSIMD_PREDICT_BOTH};
    recording r = record(o, 13, 0, MOTIONS, 71);
    const unsigned before = check_of(r.frame[BEFORE - 1]);
    side decoder;
    open_before(&decoder, &r, BEFORE);
    size_t taken = 0;
    for (size_t i = 0; i < TRIES; i++) {
      const bool key = i % 8 == 0;
      size_t size = key ? r.size[0] : r.size[BEFORE];
      assert_in_range(size, 5, sizeof bytes);
      memcpy(bytes, key ? r.frame[0] : r.frame[BEFORE], size);
      seal(&o, bytes, size, before);
      assert_memory_equal(bytes, key ? r.frame[0] : r.frame[BEFORE], size); /* the page says it right */
      if (key) bytes[0] = (unsigned char)(BEFORE << 1 | 1);
      if (i % 3 == 0) { /* random codes, of many ones sometimes */
        if (!key) size = 4 + sweep_next(&seed) % 120;
        for (size_t k = 4; k < size; k++)
          bytes[k] = (unsigned char)(sweep_next(&seed) | (i % 2 ? sweep_next(&seed) : 0));
      } else {
        for (size_t n = 1 + sweep_next(&seed) % 3; n > 0; n--)
          bytes[4 + sweep_next(&seed) % (size - 4)] ^= (unsigned char)(1u << sweep_next(&seed) % 8);
      }
      seal(&o, bytes, size, before);
      taken += survives(&decoder, &r, BEFORE, bytes, size);
    }
    assert_in_range(taken, TRIES / 100, TRIES - TRIES / 100); /* both happen */
    for (size_t i = 0; i < 2; i++) {                          /* too short, too long */
      const size_t size = r.size[BEFORE];
      memcpy(bytes, r.frame[BEFORE], size);
      bytes[size] = 0;
      seal(&o, bytes, i ? size + 1 : size - 1, before);
      assert_false(survives(&decoder, &r, BEFORE, bytes, i ? size + 1 : size - 1));
    }
    must_decode(&decoder, &r, BEFORE);
    must_decode(&decoder, &r, BEFORE + 1);
    close_side(&decoder);
    forget(&r);
  }
  /* bits behind the last code of a key frame: bodies * (1 + 3 * width) bits */
  size_t tried = 0;
  for (size_t bodies = 1; bodies < 8; bodies++) {
    const quatsimd_stream_options o = {bodies, 0.0043633231f, 0, QUATSIMD_PREDICT_BOTH};
    recording r = record(o, 2, 0, ANY, 72);
    size_t width = 1;
    while (bodies * (4 + 3 * width) <= 8 * (r.size[0] - 4)) width++;
    memcpy(bytes, r.frame[0], r.size[0]);
    side decoder;
    open_side(&decoder, &o);
    for (size_t bit = bodies * (1 + 3 * width); bit < 8 * (r.size[0] - 4); bit++, tried++) {
      bytes[4 + bit / 8] ^= (unsigned char)(1 << bit % 8);
      seal(&o, bytes, r.size[0], 0);
      assert_false(survives(&decoder, &r, 0, bytes, r.size[0]));
      bytes[4 + bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    must_decode(&decoder, &r, 0);
    must_decode(&decoder, &r, 1);
    close_side(&decoder);
    forget(&r);
  }
  assert_true(tried > 5);
}

/* By hand, from the page: the bits, in the order in which they are read, of the frame behind a key frame
 * of one body, whose scale is 32 then. */
static void codes_of_the_page(void **state) {
  (void)state;
#define ONES_31 "1111111111111111111111111111111"
  static const struct {
    const char *bits;
    bool good;
  } cases[] = {
      {"00", true}, /* none */
      {"10"
       "0"
       "0",
       true}, /* axis: 2, 0, 0 */
      {"10"
       "1"
       "11",
       true}, /* 0, 0, -2 */
      {"01"
       "010",
       true}, /* corner: 1, -1, 1 */
      {"11"
       "0"
       "10"
       "0"
       "0",
       true}, /* other: -2, 0, 0 */
      {"11"
       "0" ONES_31 "0"
       "0"
       "0",
       true},
      {"11"
       "0"
       "1" ONES_31 "0"
       "0"
       "0",
       false}, /* 32 ones */
      {"11"
       "0"
       "0"
       "0"
       "0"
       "0"
       "00",
       true}, /* escape, the other prediction, none */
      {"11"
       "0"
       "0"
       "0"
       "0"
       "0"
       "11"
       "0"
       "0"
       "0"
       "0",
       false}, /* an escape in an escape */
      {"11"
       "0"
       "0"
       "0"
       "0"
       "0"
       "11"
       "0"
       "0"
       "0"
       "0"
       "0"
       "00",
       false},
      {"11"
       "0"
       "0"
       "0"
       "0",
       false}, /* nothing behind the escape but the zeros that fill the byte */
      {"00"
       "1",
       false},
      {"00"
       "000000",
       true},
      {"00"
       "000000"
       "0",
       false},
      {"", false},
  };
  const quatsimd_stream_options o = {1, 0.01f, 0, QUATSIMD_PREDICT_BOTH};
  recording r = record(o, 2, 0, STILL, 76);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    unsigned char frame[16] = {1 << 1, 0};
    size_t bits = 0;
    for (; cases[i].bits[bits]; bits++)
      if (cases[i].bits[bits] == '1') frame[4 + bits / 8] |= (unsigned char)(1 << bits % 8);
    const size_t size = 4 + (bits + 7) / 8;
    seal(&o, frame, size, check_of(r.frame[0]));
    side decoder;
    open_before(&decoder, &r, 1);
    if (survives(&decoder, &r, 1, frame, size) != cases[i].good)
      fail_msg("%s is %s", cases[i].bits, cases[i].good ? "refused" : "taken");
    must_decode(&decoder, &r, 1);
    close_side(&decoder);
  }
  forget(&r);
}

/* The same number and the same options, but not what the decoder has seen before. */
static void frames_of_another_history_are_refused(void **state) {
  (void)state;
  recording r = record(usual, 8, 0, WALK, 73), other = record(usual, 8, 0, WALK, 74);
  for (size_t f = 1; f < 8; f++) {
    side decoder;
    open_before(&decoder, &r, f);
    must_refuse(&decoder, &other, f, QUATSIMD_ERROR_BAD_PACKET);
    must_decode(&decoder, &r, f);
    close_side(&decoder);
  }
  forget(&other), forget(&r);
}

static void frames_of_other_streams_are_refused(void **state) {
  (void)state;
  recording r = record(usual, 3, 0, WALK, 57);
  quatsimd_stream_options others[] = {usual, usual, usual, usual, usual};
  others[0].bodies = 8, others[1].bodies = 10, others[2].bound = 0.004f;
  others[3].bound = nextafterf(usual.bound, 1), others[4].exponential = 1;
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    side decoder;
    open_side(&decoder, &others[i]);
    float *out = filled(16 * others[i].bodies);
    const quatsimd_status status =
        quatsimd_stream_decode(decoder.stream, r.frame[0], r.size[0], quatsimd_aos_out(out));
    if (status != QUATSIMD_ERROR_BAD_PACKET) fail_msg("options %zu: %s", i, quatsimd_status_string(status));
    assert_true(untouched(out, 16 * others[i].bodies));
    free(out);
    close_side(&decoder);
  }
  forget(&r);
}

static void predictors_are_the_encoders_business(void **state) {
  (void)state;
  for (int of_encoder = 0; of_encoder < 4; of_encoder++)
    for (int of_decoder = 0; of_decoder < 4; of_decoder++) {
      quatsimd_stream_options o = usual;
      o.predictors = of_encoder;
      recording r = record(o, 12, 5, MOTIONS, 75);
      o.predictors = of_decoder;
      side decoder;
      open_side(&decoder, &o);
      for (size_t f = 0; f < 12; f++) must_decode(&decoder, &r, f);
      close_side(&decoder);
      forget(&r);
    }
}

static void wrong_options_are_refused(void **state) {
  (void)state;
  float nan, infinity;
  sweep_set_bits(&nan, nan_bits), sweep_set_bits(&infinity, infinity_bits);
  const quatsimd_stream_options wrong[] = {{0, 0.01f, 0, 3},
                                           {((size_t)1 << 24) + 1, 0.01f, 0, 3},
                                           {SIZE_MAX, 0.01f, 0, 3},
                                           {SIZE_MAX / 16 + 2, 0.01f, 0, 3},
                                           {5, 0, 0, 3},
                                           {5, -0.01f, 0, 3},
                                           {5, 9.9e-6f, 0, 3},
                                           {5, 1.0001f, 0, 3},
                                           {5, nan, 0, 3},
                                           {5, infinity, 0, 3},
                                           {5, 0.01f, 2, 3},
                                           {5, 0.01f, -1, 3},
                                           {5, 0.01f, 0, 4},
                                           {5, 0.01f, 0, -1}};
  double memory[512];
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    quatsimd_stream *stream = NULL;
    if (quatsimd_stream_size(&wrong[i]) != 0 || quatsimd_stream_max_packet(&wrong[i]) != 0)
      fail_msg("wrong options %zu are taken", i);
    assert_int_equal(quatsimd_stream_init(&stream, memory, sizeof memory, &wrong[i]),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_null(stream);
  }
  const quatsimd_stream_options right[] = {
      {1, 1e-5f, 0, 0}, {(size_t)1 << 24, 1, 1, 3}, {5, 1, 1, 1}, {5, 1e-5f, 1, 2}};
  for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
    assert_true(quatsimd_stream_size(&right[i]) >= 16 * right[i].bodies);
    assert_true(quatsimd_stream_max_packet(&right[i]) >= right[i].bodies / 8);
  }
  assert_int_equal(quatsimd_stream_size(NULL), 0);
  assert_int_equal(quatsimd_stream_max_packet(NULL), 0);
}

static void wrong_memory_is_refused(void **state) {
  (void)state;
  const size_t size = quatsimd_stream_size(&usual);
  unsigned char *memory = filled(size + 8);
  quatsimd_stream *stream = NULL;
  assert_int_equal(quatsimd_stream_init(&stream, memory, size - 1, &usual), QUATSIMD_ERROR_SHORT_BUFFER);
  assert_int_equal(quatsimd_stream_init(&stream, memory, 0, &usual), QUATSIMD_ERROR_SHORT_BUFFER);
  for (size_t off = 1; off < 8; off++)
    assert_int_equal(quatsimd_stream_init(&stream, memory + off, size, &usual), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_stream_init(&stream, NULL, size, &usual), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_stream_init(NULL, memory, size, &usual), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_stream_init(&stream, memory, size, NULL), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_null(stream);
  assert_true(untouched(memory, size + 8));
  /* 8 bytes are enough */
  assert_int_equal(quatsimd_stream_init(&stream, memory + 8, size, &usual), QUATSIMD_OK);
  free(memory);
}

static void wrong_calls_change_nothing(void **state) {
  (void)state;
  recording r = record(usual, 12, 0, MOTIONS, 58);
  const size_t longest = quatsimd_stream_max_packet(&usual);
  side encoder, decoder;
  open_side(&encoder, &usual), open_side(&decoder, &usual);
  unsigned char *frame = filled(longest);
  float *out = filled(4 * r.floats);
  for (size_t f = 0; f < r.frames; f++) {
    size_t written = 12345;
    const quatsimd_in in = quatsimd_aos(sent(&r, f));
    memset(frame, FILL, longest);
    assert_int_equal(quatsimd_stream_encode(encoder.stream, 0, in, frame, longest - 1, &written),
                     QUATSIMD_ERROR_SHORT_BUFFER);
    assert_int_equal(quatsimd_stream_encode(encoder.stream, 1, in, frame, 0, &written),
                     QUATSIMD_ERROR_SHORT_BUFFER);
    assert_int_equal(quatsimd_stream_encode(encoder.stream, 0, in, NULL, longest, &written),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_stream_encode(encoder.stream, 0, in, frame, longest, NULL),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_stream_encode(encoder.stream, 0, quatsimd_aos(NULL), frame, longest, &written),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_stream_encode(encoder.stream, 0, quatsimd_strided(sent(&r, f), 18), frame,
                                            longest, &written),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_stream_encode(NULL, 0, in, frame, longest, &written),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_true(untouched(frame, longest));
    assert_true(quatsimd_stream_encode(encoder.stream, 0, in, frame, longest, &written) >= 0);
    assert_int_equal(written, r.size[f]);
    assert_memory_equal(frame, r.frame[f], written);

    assert_int_equal(quatsimd_stream_decode(decoder.stream, NULL, written, quatsimd_aos_out(out)),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_stream_decode(decoder.stream, frame, written, quatsimd_aos_out(NULL)),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_stream_decode(decoder.stream, frame, written, quatsimd_strided_out(out, 12)),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_stream_decode(NULL, frame, written, quatsimd_aos_out(out)),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_true(untouched(out, 4 * r.floats));
    must_decode(&decoder, &r, f);
  }
  free(out), free(frame);
  close_side(&encoder), close_side(&decoder);
  forget(&r);
}

static void streams_take_every_layout(void **state) {
  (void)state;
  enum { GAP = 28 };
  recording r = record(usual, 20, 6, MOTIONS, 59);
  const size_t longest = quatsimd_stream_max_packet(&usual), n = usual.bodies;
  side encoders[2], decoders[2];
  for (int i = 0; i < 2; i++) open_side(&encoders[i], &usual), open_side(&decoders[i], &usual);
  unsigned char *frame = filled(longest), *wide = filled(GAP * n);
  float *soa = filled(4 * r.floats);
  for (size_t f = 0; f < r.frames; f++)
    for (int strided = 0; strided < 2; strided++) {
      size_t written = 0;
      memset(wide, FILL, GAP * n);
      for (size_t b = 0; b < n; b++) {
        memcpy(wide + GAP * b, sent(&r, f) + 4 * b, 16);
        for (size_t c = 0; c < 4; c++) soa[n * c + b] = sent(&r, f)[4 * b + c];
      }
      assert_true(quatsimd_stream_encode(encoders[strided].stream, f % 6 == 0,
                                         strided ? quatsimd_strided((float *)(void *)wide, GAP)
                                                 : quatsimd_soa(soa, soa + n, soa + 2 * n, soa + 3 * n),
                                         frame, longest, &written) >= 0);
      assert_int_equal(written, r.size[f]);
      assert_memory_equal(frame, r.frame[f], written);
      memset(wide, FILL, GAP * n);
      assert_int_equal(quatsimd_stream_decode(decoders[strided].stream, frame, written,
                                              strided
                                                  ? quatsimd_strided_out((float *)(void *)wide, GAP)
                                                  : quatsimd_soa_out(soa, soa + n, soa + 2 * n, soa + 3 * n)),
                       QUATSIMD_OK);
      for (size_t b = 0; b < n; b++)
        if (strided) {
          assert_memory_equal(wide + GAP * b, got(&r, f) + 4 * b, 16);
          assert_true(untouched(wide + GAP * b + 16, GAP - 16));
        } else {
          for (size_t c = 0; c < 4; c++) assert_memory_equal(&soa[n * c + b], &got(&r, f)[4 * b + c], 4);
        }
    }
  free(soa), free(wide), free(frame);
  for (int i = 0; i < 2; i++) close_side(&encoders[i]), close_side(&decoders[i]);
  forget(&r);
}

/* ---- goldens: the same on every kernel and CPU ---- */

/* Denormal numbers, which flushing may turn to zero, count as zero, and zeros have no sign. */
static void add_floats(XXH64_state_t *hash, const float *floats, size_t count) {
  unsigned char *bytes = filled(4 * count);
  put_floats(bytes, floats, count);
  for (size_t i = 0; i < 4 * count; i += 4)
    if ((bytes[i + 3] & 0x7f) == 0 && (bytes[i + 2] & 0x80) == 0) memset(bytes + i, 0, 4);
  XXH64_update(hash, bytes, 4 * count);
  free(bytes);
}

enum { STREAMS = 8, GOLDENS = FORMATS + STREAMS };
/* Printed by test_relative --goldens, from the scalar kernels. They do not change once a version is
 * released. */
static const uint64_t goldens[GOLDENS] = {
    UINT64_C(0x63f4889952a30f99), /* cayley24 */
    UINT64_C(0xe6e24e977d4bdf4b), /* cayley32 */
    UINT64_C(0x35a6d26e3c13b2de), /* cayley48 */
    UINT64_C(0x59efacc52ea7ef0f), /* expmap24 */
    UINT64_C(0x1b9dd9ded45feca0), /* expmap32 */
    UINT64_C(0x70a8aafc6a2af86b), /* expmap48 */
    UINT64_C(0x2890c738046ef052), /* stream 0 */
    UINT64_C(0x086d719f80b0cc4c), /* stream 1 */
    UINT64_C(0x745408e84a4902df), /* stream 2 */
    UINT64_C(0xa2970f55536c9044), /* stream 3 */
    UINT64_C(0x8b090c222246f6c0), /* stream 4 */
    UINT64_C(0x9de2cec42b0f9a53), /* stream 5 */
    UINT64_C(0xd514cd19a3c1914c), /* stream 6 */
    UINT64_C(0xdc774bd5377bf9bb), /* stream 7 */
};

static uint64_t hash_of_format(const format *f) {
  enum { N = 8191 };
  XXH64_state_t hash;
  XXH64_reset(&hash, 0);
  uint64_t seed = 60;
  float *base = filled(16 * N), *value = filled(16 * N), *out = filled(16 * N);
  unsigned char *packed = filled(f->bytes * N), *words = random_bytes(f->bytes * N, 61),
                *beyond = filled((N + 7) / 8);
  sweep_quaternions(base, N);
  for (size_t i = 0; i < 4 * N; i++) {
    const float noise =
        (float)((int32_t)(sweep_next(&seed) >> 40) - (1 << 23)) * (i / 4 % 8 == 0 ? 1 : 0x1p-27f);
    value[i] = base[i] + noise;
  }
  static const float golden_angles[] = {0.01f, 0.5f, 3.14159265f};
  for (int a = 0; a < 3; a++) {
    pack(f, golden_angles[a], packed, base, value, N, beyond);
    XXH64_update(&hash, packed, f->bytes * N);
    XXH64_update(&hash, beyond, (N + 7) / 8);
    unpack(f, golden_angles[a], out, base, packed, N);
    add_floats(&hash, out, 4 * N);
    unpack(f, golden_angles[a], out, base, words, N);
    add_floats(&hash, out, 4 * N);
  }
  free(beyond), free(words), free(packed), free(out), free(value), free(base);
  return XXH64_digest(&hash);
}

static uint64_t hash_of_stream(int i) {
  static const float golden_bounds[STREAMS / 2] = {1e-5f, 1e-3f, 0.0043633231f, 0.5f};
  XXH64_state_t hash;
  XXH64_reset(&hash, 0);
  const quatsimd_stream_options o = {(size_t)(37 + i), golden_bounds[i / 2], i % 2, QUATSIMD_PREDICT_BOTH};
  recording r = record(o, 60, 25, MOTIONS, 62);
  for (size_t f = 0; f < r.frames; f++) {
    XXH64_update(&hash, r.frame[f], r.size[f]);
    add_floats(&hash, got(&r, f), r.floats);
  }
  forget(&r);
  return XXH64_digest(&hash);
}

static uint64_t golden(int i) {
  return i < FORMATS ? hash_of_format(&formats[i]) : hash_of_stream(i - FORMATS);
}

static const char *golden_name(int i) {
  static char name[32];
  snprintf(name, sizeof name, i < FORMATS ? "%s" : "stream %s%d", i < FORMATS ? formats[i].name : "",
           i - FORMATS);
  return name;
}

static void goldens_hold(void **state) {
  (void)state;
  unsigned wrong = 0;
  for (int flush = 0; flush < 2; flush++) {
    if (!flush_denormals(flush)) {
      print_message("SKIP: no denormal modes on this CPU\n");
      if (flush) break;
    }
    for (int i = 0; i < GOLDENS; i++) {
      const uint64_t is = golden(i);
      if (is != goldens[i])
        print_error("%s kernels, %s%s: the hash is 0x%016llx\n", quatsimd_isa(), golden_name(i),
                    flush ? ", denormals flushed" : "", (unsigned long long)is),
            wrong++;
    }
    flush_denormals(false);
  }
  assert_int_equal(wrong, 0);
}

static void print_goldens(void) {
  for (int i = 0; i < GOLDENS; i++)
    printf("    UINT64_C(0x%016llx), /* %s */\n", (unsigned long long)golden(i), golden_name(i));
}

/* ---- the table of docs/relative.md ---- */

/* Degrees: the middle between codes, near no rotation and anywhere, and random ones. */
static double worst_error(const format *f, float largest) {
  enum { N = 200000 };
  uint64_t seed = 70;
  double worst = 0;
  float *base = random_quats(N, 71), *value = filled(16 * N), *back = filled(16 * N);
  unsigned char *packed = filled(f->bytes * N);
  for (size_t i = 0; i < N; i++) {
    double v[3];
    for (int c = 0; c < 3; c++) { /* nearly between two codes: as it falls */
      const double codes = (1 << (f->bits[c] - 1)) - 1,
                   code = floor(random_unit(&seed) * (i % 4 ? 2 : codes));
      v[c] = (code + 0.4999) * step_of(f, largest, c) * (sweep_next(&seed) & 1 ? 1 : -1);
    }
    if (i % 3 == 0) value_within(f, largest, base + 4 * i, value + 4 * i, &seed);
    else if (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] < (f->exponential ? pi * pi : 1))
      to_floats(value + 4 * i, product(rotation_of(f, v), of_floats(base + 4 * i)));
    else memcpy(value + 4 * i, base + 4 * i, 16);
  }
  if (pack(f, largest, packed, base, value, N, NULL) < 0 || unpack(f, largest, back, base, packed, N) < 0)
    exit(1);
  for (size_t i = 0; i < N; i++) worst = fmax(worst, angle_of_floats(value + 4 * i, back + 4 * i));
  free(packed), free(back), free(value), free(base);
  return worst * degrees;
}

static void print_table(void) {
  printf("| largest angle | `cayley24` | `expmap24` | `cayley32` | `expmap32` | `cayley48` | `expmap48` "
         "|\n|---|---|---|---|---|---|---|\n");
  for (int a = 0; a < 3; a++) {
    const float largest = a == 0 ? 10.0f : a == 1 ? 45.0f : 180.0f;
    printf("| %g", (double)largest);
    for (int i = 0; i < FORMATS; i++)
      printf(" | %.3g", worst_error(&formats[i / 2 + i % 2 * 3], (float)(largest / degrees)));
    printf(" |\n");
  }
}

int main(int argc, char **argv) {
  skip_other_kernels();
  if (argc == 2 && strcmp(argv[1], "--goldens") == 0) return print_goldens(), 0;
  if (argc == 2 && strcmp(argv[1], "--table") == 0) return print_table(), 0;
  if (argc == 3 && strcmp(argv[1], "--only") == 0) cmocka_set_test_filter(argv[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes),
      cmocka_unit_test(no_rotation_is_code_0),
      cmocka_unit_test(errors_are_half_a_step),
      cmocka_unit_test(what_is_beyond_is_flagged),
      cmocka_unit_test(half_turns),
      cmocka_unit_test(invalid_ones_are_no_rotation),
      cmocka_unit_test(any_bytes_are_rotations),
      cmocka_unit_test(layouts_agree),
      cmocka_unit_test(wrong_calls_are_refused),
      cmocka_unit_test(errors_are_within_the_bound),
      cmocka_unit_test(each_motion_alone),
      cmocka_unit_test(slow_bodies_stay_within_the_bound),
      cmocka_unit_test(many_rotations_at_the_finest_bound),
      cmocka_unit_test(no_frame_is_longer_than_max_frame),
      cmocka_unit_test(after_a_loss_a_key_frame_is_needed),
      cmocka_unit_test(late_decoders_wait_for_a_key_frame),
      cmocka_unit_test(old_frames_do_not_disturb),
      cmocka_unit_test(numbers_wrap),
      cmocka_unit_test(damage_is_noticed),
      cmocka_unit_test(random_bytes_do_no_harm),
      cmocka_unit_test(bytes_with_the_right_checksum_do_no_harm),
      cmocka_unit_test(codes_of_the_page),
      cmocka_unit_test(frames_of_another_history_are_refused),
      cmocka_unit_test(frames_of_other_streams_are_refused),
      cmocka_unit_test(predictors_are_the_encoders_business),
      cmocka_unit_test(wrong_options_are_refused),
      cmocka_unit_test(wrong_memory_is_refused),
      cmocka_unit_test(wrong_calls_change_nothing),
      cmocka_unit_test(streams_take_every_layout),
      cmocka_unit_test(goldens_hold),
  };
  return cmocka_run_group_tests_name("relative", tests, NULL, NULL);
}
