/* Lists the formats that test_api tests, and calls the library for any layout. Arrays are allocated at their
 * exact size, so that sanitizers report an access of one byte beyond. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "support/random.h"

#include "quatsimd/quatsimd.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

/* The columns of formats.def that callers see. tests/model/model.py has its own table. */
typedef struct listed {
  quatsimd_format format;
  const char *name;
  unsigned bits;
  int exact_identity;
  const char *id; /* the enum value, as formats.def spells it */
} listed;
static const listed formats[] = {
#define FORMAT(codec, pack, unpack, blocks, id, width, name, storage, bits, exact, ...)                      \
  {id, name, bits, exact, #id},
#define VARIANT(codec, id, width, name, storage, bits, exact, ...) {id, name, bits, exact, #id},
#include "codec/formats.def"
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

#define FOR_EACH_FORMAT(f) for (const listed *f = formats; f < formats + FORMATS; f++)
#define FOR_EACH_LAYOUT(l) for (int l = 0; l < LAYOUTS; l++)

/* Fails with a message that tells the format and the number `at` if the condition is false. */
#define HOLDS(f, at, condition)                                                                              \
  do {                                                                                                       \
    if (!(condition)) fail_msg("%s, at %lld: not true: %s", (f)->name, (long long)(at), #condition);         \
  } while (0)

enum { AOS, SOA, STRIDED, LAYOUTS };

/* Returns the k-th array of the layout SOA. */
static inline const float *array_in(const float *floats, size_t n, size_t k) {
  return floats ? floats + k * n : NULL;
}
static inline float *array_out(float *floats, size_t n, size_t k) { return floats ? floats + k * n : NULL; }

/* The structs of STRIDED have no gaps between them. The arrays of SOA follow each other. */
static inline quatsimd_status pack(int layout, quatsimd_format format, void *packed, size_t size,
                                   const float *in, size_t count) {
  if (layout == AOS) return quatsimd_pack(format, packed, size, quatsimd_aos(in), count);
  if (layout == STRIDED) return quatsimd_pack(format, packed, size, quatsimd_strided(in, 16), count);
  return quatsimd_pack(format, packed, size,
                       quatsimd_soa(array_in(in, count, 0), array_in(in, count, 1), array_in(in, count, 2),
                                    array_in(in, count, 3)),
                       count);
}

static inline quatsimd_status unpack(int layout, quatsimd_format format, float *out, const void *packed,
                                     size_t size, size_t count) {
  if (layout == AOS) return quatsimd_unpack(format, quatsimd_aos_out(out), packed, size, 0, count);
  if (layout == STRIDED)
    return quatsimd_unpack(format, quatsimd_strided_out(out, 16), packed, size, 0, count);
  return quatsimd_unpack(format,
                         quatsimd_soa_out(array_out(out, count, 0), array_out(out, count, 1),
                                          array_out(out, count, 2), array_out(out, count, 3)),
                         packed, size, 0, count);
}

/* Allocates exactly `bytes` bytes, filled with a pattern that no test expects as a result. */
enum { FILL = 0xa5 };
static inline void *filled(size_t bytes) {
  void *p = malloc(bytes);
  if (!p) fail_msg("out of memory");
  return memset(p, FILL, bytes);
}

static inline bool untouched(const void *p, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if (((const unsigned char *)p)[i] != FILL) return false;
  return true;
}

static inline float *random_quats(size_t count, uint64_t seed) {
  float *q = filled(16 * count);
  random_rotations(q, count, &seed);
  return q;
}

static inline unsigned char *random_bytes(size_t bytes) {
  unsigned char *p = filled(bytes);
  sweep_words(p, bytes);
  return p;
}

/* Compares bits, so -0 differs from 0. */
static inline bool same_quat(const float *a, const float *b) { return memcmp(a, b, 16) == 0; }

static const float identity[4] = {0, 0, 0, 1};

/* Holds one packed quaternion in any format. */
typedef struct word {
  unsigned char bytes[16];
} word;

static inline quatsimd_status pack_one(const listed *f, word *to, float x, float y, float z, float w) {
  const float q[4] = {x, y, z, w};
  memset(to, 0, sizeof *to);
  return quatsimd_pack(f->format, to->bytes, (f->bits + 7) / 8, quatsimd_aos(q), 1);
}

static inline const listed *listed_as(quatsimd_format format) {
  FOR_EACH_FORMAT(f) if (f->format == format) return f;
  fail_msg("not listed: %#x", (unsigned)format);
  return NULL;
}

#endif
