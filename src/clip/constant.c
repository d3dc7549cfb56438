#include "clip/constant.h"

#include "core/arithmetic.h"
#include "core/operand.h"

const double quatsimd_clip_precision_error[CLIP_PRECISIONS] = {0.002061, 0.000735, 0.0000513, 0.0000019};

enum {
  LATTICE32,
  CAYLEY40,
  LATTICE48,
  MOST13 = 4095,
  MOST14 = 8191
}; /* cayley40 stores x and y in units of 1 / MOST13, and z in units of 1 / MOST14 */

/* `pack` or `unpack` of a precision that is not CAYLEY40. Indices are constants, so that linkers see which
 * codecs clips need: see core/dispatch.c. */
#define CODEC(function, precision)                                                                           \
  ((precision) == LATTICE32   ? quatsimd_active_kernels()->codec[QUATSIMD_CODEC_lattice32].function          \
   : (precision) == LATTICE48 ? quatsimd_active_kernels()->codec[QUATSIMD_CODEC_lattice48].function          \
                              : quatsimd_active_kernels()->codec[QUATSIMD_CODEC_lattice64].function)

static void store_cayley40(unsigned char *to, const float q[4]) {
  const float norm = quatsimd_sqrtf((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3])),
              w = q[3] < 0 ? -q[3] : q[3];
  const float s = (q[3] < 0 ? -1.0f : 1.0f) / (norm + w);
  uint64_t code = 0;
  for (int i = 0, at = 0; i < 3; at += 13, i++) {
    const int most = i < 2 ? MOST13 : MOST14;
    const float x = q[i] * s * (float)most;
    code |= (uint64_t)(most + 1 + (int)(x < 0 ? x - 0.5f : x + 0.5f)) << at;
  }
  store_little(to, code, 5);
}

static void load_cayley40(float *to, const unsigned char *from, size_t count) {
  for (size_t i = 0; i < count; i++, from += 5, to += 4) {
    const uint32_t low = load_u32(from);
    const float x = (float)((int32_t)(low & 8191) - (MOST13 + 1)) / MOST13,
                y = (float)((int32_t)(low >> 13 & 8191) - (MOST13 + 1)) / MOST13;
    const float z = (float)((int32_t)(low >> 26 | (uint32_t)from[4] << 6) - (MOST14 + 1)) / MOST14;
    const float m = (x * x + y * y) + z * z, d = 1 / (1 + m), e = d + d;
    to[0] = x * e, to[1] = y * e, to[2] = z * e, to[3] = (1 - m) * d;
  }
}

void quatsimd_constant_store(unsigned char *to, int kind, unsigned precision, const float *value) {
  if (kind != QUATSIMD_CLIP_ROTATION)
    for (size_t i = 0; i < clip_axes(kind); i++) store_float(to + 4 * i, value[i]);
  else if (precision == CAYLEY40) store_cayley40(to, value);
  else CODEC(pack, precision)(0, to, (quatsimd_operand[]){quatsimd_structs(value, 4)}, 1);
}

void quatsimd_constant_load(float *value, int kind, unsigned precision, const unsigned char *from,
                            size_t count) {
  if (kind != QUATSIMD_CLIP_ROTATION)
    for (size_t i = 0; i < clip_axes(kind) * count; i++) value[i] = load_float(from + 4 * i);
  else if (precision == CAYLEY40) load_cayley40(value, from, count);
  else CODEC(unpack, precision)(0, (quatsimd_operand[]){quatsimd_structs(value, 4)}, from, count);
}
