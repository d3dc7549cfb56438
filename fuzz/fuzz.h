/* Shared by the fuzzers: input as numbers, arrays of exactly their size, and the kernels to compare. */
#ifndef QUATSIMD_FUZZ_H
#define QUATSIMD_FUZZ_H

#include "support/kernels.h"
#include "quatsimd/quatsimd.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Says what is wrong and aborts. */
__attribute__((format(printf, 1, 2), noreturn)) void fuzz_fail(const char *format, ...);

/* ---- kernels ---- */

/* The tables that this CPU can run, scalar, the reference, first. */
size_t fuzz_tables(const quatsimd_kernels *tables[MAX_KERNELS]);

/* The kernels that public functions use from now on. */
void fuzz_use(const quatsimd_kernels *k);

/* ---- input; zeros behind its end ---- */

typedef struct fuzz_input {
  const uint8_t *at;
  size_t left;
} fuzz_input;

static inline void fuzz_take(fuzz_input *in, void *to, size_t size) {
  const size_t got = size < in->left ? size : in->left;
  memset(to, 0, size);
  if (got) memcpy(to, in->at, got);
  in->at += got, in->left -= got;
}
static inline uint8_t fuzz_byte(fuzz_input *in) {
  uint8_t b;
  return fuzz_take(in, &b, 1), b;
}
static inline unsigned fuzz_short(fuzz_input *in) {
  const unsigned low = fuzz_byte(in);
  return low | (unsigned)fuzz_byte(in) << 8;
}
static inline float fuzz_float(fuzz_input *in) {
  float f;
  return fuzz_take(in, &f, 4), f;
}
static inline double fuzz_double(fuzz_input *in) {
  double d;
  return fuzz_take(in, &d, 8), d;
}

/* ---- arrays ---- */

/* Ends where the heap's block does, begins at an address of any alignment, filled with 0xa5. */
typedef struct fuzz_array {
  unsigned char *memory, *data;
  size_t size, offset;
} fuzz_array;
fuzz_array fuzz_array_new(size_t size, size_t offset);
void fuzz_array_free(fuzz_array *array); /* fails if the bytes before it were written */

/* Quaternions in a layout: one array, or four. The last struct of a strided one ends with its quaternion. */
typedef struct fuzz_quats {
  quatsimd_view_layout layout;
  size_t count, stride;
  fuzz_array array[4];
  float *x, *y, *z, *w;
} fuzz_quats;
/* offset in floats */
fuzz_quats fuzz_quats_new(quatsimd_view_layout layout, size_t count, size_t stride, size_t offset);
quatsimd_operand fuzz_quats_view(const fuzz_quats *quats);
void fuzz_quats_set(fuzz_quats *quats, size_t i, const float *xyzw);
void fuzz_quats_get(const fuzz_quats *quats, size_t i, float *xyzw);
bool fuzz_quats_equal(const fuzz_quats *a, const fuzz_quats *b); /* what is between them included */
void fuzz_quats_free(fuzz_quats *quats);

/* How an input's arrays are laid out. */
typedef struct fuzz_shape {
  quatsimd_view_layout layout;
  size_t stride, packed_offset, float_offset;
  bool flush; /* kernels run with denormals flushed, scalar does not */
} fuzz_shape;
static inline fuzz_shape fuzz_take_shape(fuzz_input *in) {
  const uint8_t how = fuzz_byte(in), where = fuzz_byte(in);
  return (fuzz_shape){(quatsimd_view_layout)(QUATSIMD_VIEW_AOS + how % 3), 16 + 4 * (size_t)(how / 4 % 16),
                      where % 16, where / 16 % 8, where >= 128};
}

/* ---- formats and rotations ---- */

quatsimd_format fuzz_take_format(fuzz_input *in);

static inline double fuzz_length(const float *q) {
  double n2 = 0;
  for (int i = 0; i < 4; i++) n2 += (double)q[i] * (double)q[i];
  return sqrt(n2);
}
/* As everything that unpacks promises. */
static inline bool fuzz_is_unit(const float *q) { return fabs(fuzz_length(q) - 1) <= 4e-7; }

/* 1 for quaternions that codec.h calls valid, 0 for invalid ones, -1 for those within rounding of the
 * limits. */
static inline int fuzz_is_valid(const float *q) {
  const double n = fuzz_length(q);
  if (!(n >= 0x1p-32 * (1 - 1e-6) && n <= 0x1p32 * (1 + 1e-6))) return 0;
  return n > 0x1p-32 * (1 + 1e-6) && n < 0x1p32 * (1 - 1e-6) ? 1 : -1;
}

/* The angle between two rotations of any lengths, radians. */
static inline double fuzz_angle(const float *p, const float *q) {
  const double m = fuzz_length(p), n = fuzz_length(q);
  double minus = 0, plus = 0;
  for (int i = 0; i < 4; i++) {
    const double a = (double)p[i] / m, b = (double)q[i] / n;
    minus += (a - b) * (a - b), plus += (a + b) * (a + b);
  }
  return 4 * asin(fmin(1, sqrt(fmin(minus, plus)) / 2));
}

#endif
