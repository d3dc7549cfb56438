/* Lists the formats of relative.h, and computes the rotations of their codes in double. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "support/quat.h"

#include "quatsimd/quatsimd.h"

static const double pi = 3.14159265358979323846, degrees = 57.29577951308232;

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

#define HOLDS(f, at, condition)                                                                              \
  do {                                                                                                       \
    if (!(condition)) fail_msg("%s, at %lld: not true: %s", (f)->name, (long long)(at), #condition);         \
  } while (0)

/* Computes the vector that the format stores for the rotation r. The caller has chosen the sign of r. */
static inline void vector_of(const format *f, quat r, double v[3]) {
  const double n = sqrt(r.v[0] * r.v[0] + r.v[1] * r.v[1] + r.v[2] * r.v[2]);
  const double k = !f->exponential ? 1 / (1 + r.v[3]) : n > 1e-9 ? 2 * atan2(n, r.v[3]) / n : 2;
  for (int i = 0; i < 3; i++) v[i] = k * r.v[i];
}

static inline quat rotation_of(const format *f, const double v[3]) {
  const double n2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], n = sqrt(n2);
  const double k = !f->exponential ? 2 / (1 + n2) : n > 1e-9 ? sin(n / 2) / n : 0.5;
  return (quat){{k * v[0], k * v[1], k * v[2], f->exponential ? cos(n / 2) : (1 - n2) / (1 + n2)}};
}

static inline double range_of(const format *f, float largest) {
  return f->exponential ? largest : tan((double)largest / 4);
}
static inline double quantum_of(const format *f, float largest, int component) {
  return range_of(f, largest) / ((1 << (f->bits[component] - 1)) - 1);
}

/* Returns the rotation from base to value, with w >= 0. */
static inline quat relative_of(const float *base, const float *value) {
  const quat r = product(of_floats(value), conjugate(of_floats(base)));
  return r.v[3] < 0 ? negative(r) : r;
}

/* Returns the error that float rounding adds to a component. It corresponds to 3e-7 radians. */
static inline double rounding_of(const format *f) { return f->exponential ? 3e-7 * pi / 2 : 3e-7 / 2; }

/* Returns true if the vector of `back` equals `scale` times the vector of `value`. Components may differ by
 * half a quantum plus rounding_of. */
static inline bool within_half_a_quantum(const format *f, float largest, const float *base,
                                         const float *value, const float *back, double scale) {
  const quat r = relative_of(base, value);
  quat b = product(of_floats(back), conjugate(of_floats(base)));
  if (dot(r, b) < 0) b = negative(b); /* b is a little more than half a turn */
  double v[3], w[3];
  vector_of(f, r, v);
  vector_of(f, b, w);
  for (int i = 0; i < 3; i++)
    if (!(fabs(scale * v[i] - w[i]) <= quantum_of(f, largest, i) * (0.5 + 1e-6) + rounding_of(f)))
      return false;
  return true;
}

static inline double largest_component(const format *f, const float *base, const float *value) {
  double v[3];
  vector_of(f, relative_of(base, value), v);
  return fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
}

/* Draws a value whose rotation relative to `base` is within the format's range. */
static inline void value_within(const format *f, float largest, const float *base, float *value,
                                uint64_t *state) {
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

static inline quatsimd_status pack(const format *f, float largest, unsigned char *packed, const float *base,
                                   const float *value, size_t count, unsigned char *beyond) {
  return quatsimd_relative_pack(f->format, largest, packed, f->bytes * count, beyond, quatsimd_aos(base),
                                quatsimd_aos(value), count);
}
static inline quatsimd_status unpack(const format *f, float largest, float *out, const float *base,
                                     const unsigned char *packed, size_t count) {
  return quatsimd_relative_unpack(f->format, largest, quatsimd_aos_out(out), quatsimd_aos(base), packed,
                                  f->bytes * count, count);
}

static inline float *random_quats(size_t count, uint64_t seed) {
  float *q = filled(16 * count);
  random_rotations(q, count, &seed);
  return q;
}

static inline unsigned char *random_bytes(size_t bytes, uint64_t seed) {
  unsigned char *p = filled(bytes);
  for (size_t i = 0; i < bytes; i++) p[i] = (unsigned char)sweep_next(&seed);
  return p;
}

/* check_calls.c */
void layouts_agree(void **state);
void wrong_calls_are_refused(void **state);

#endif
