/* Smallest three at 10 bits with masks in place of branches: the strongest plain C loops we could find. gcc
 * 12 turns them into 4 lanes of SSE2 (-fopt-info-vec says so; keep it that way, this is what the library has
 * to beat). Written with ?: the packing loop is threaded back into branches and not vectorised at all. */
#include <math.h>
#include <string.h>

#include "baselines.h"

#define QUANTA 511.0f /* 2^9 - 1 */
#define LIMIT (1.0f / 1.414214f)

static inline uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* mask is all ones or zero. */
static inline uint32_t choose(uint32_t mask, uint32_t yes, uint32_t no) {
  return (yes & mask) | (no & ~mask);
}

/* Magnitudes, the sign bit taken off, order as integers do. */
static inline uint32_t greater(uint32_t a, uint32_t b) { return (uint32_t) - ((int32_t)a > (int32_t)b); }

/* The low ten bits of v * scale rounded to the nearest integer, for products below 2^22: adding 1.5 * 2^23
 * leaves the integer in the low bits of the float, two's complement. lrintf gives a long, which gcc does not
 * vectorise. */
static inline uint32_t code(uint32_t v, float scale) {
  return bits_of(float_of(v) * scale + 12582912.0f) & 1023u;
}

static inline uint32_t pack_one(const float *xyzw, float scale) {
  uint32_t x = bits_of(xyzw[0]), y = bits_of(xyzw[1]), z = bits_of(xyzw[2]), w = bits_of(xyzw[3]);
  uint32_t ax = x & 0x7fffffffu, ay = y & 0x7fffffffu, az = z & 0x7fffffffu, aw = w & 0x7fffffffu;
  uint32_t y_wins = greater(ay, ax), w_wins = greater(aw, az);
  uint32_t upper = greater(choose(w_wins, aw, az), choose(y_wins, ay, ax));
  uint32_t index = (upper & 0x80000000u) | (choose(upper, w_wins, y_wins) & 0x40000000u);
  uint32_t largest = choose(upper, choose(w_wins, w, z), choose(y_wins, y, x));
  float signed_scale = float_of(bits_of(scale) ^ (largest & 0x80000000u));
  uint32_t a = choose(upper | y_wins, x, y);
  uint32_t b = choose(upper, y, z);
  uint32_t c = choose(upper & w_wins, z, w);
  return index | code(a, signed_scale) << 20 | code(b, signed_scale) << 10 | code(c, signed_scale);
}

void BASELINE(select_pack)(uint32_t *restrict packed, const float *restrict xyzw, size_t count) {
  for (size_t i = 0; i < count; i++) packed[i] = pack_one(xyzw + 4 * i, QUANTA / LIMIT);
}

void BASELINE(select_pack_any)(uint32_t *restrict packed, const float *restrict xyzw, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float *q = xyzw + 4 * i;
    packed[i] =
        pack_one(q, QUANTA / LIMIT / sqrtf((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3])));
  }
}

/* The codes are converted where they stand, at the top of a 32-bit integer, which saves a shift each. */
void BASELINE(select_unpack)(float *restrict xyzw, const uint32_t *restrict packed, size_t count) {
  const float scale = LIMIT / QUANTA / 4194304; /* 2^22 */
  for (size_t i = 0; i < count; i++) {
    uint32_t word = packed[i];
    float fa = (float)(int32_t)(word << 2 & 0xffc00000u) * scale;
    float fb = (float)(int32_t)(word << 12 & 0xffc00000u) * scale;
    float fc = (float)(int32_t)(word << 22) * scale;
    float rest = fabsf(1 - (fa * fa + fb * fb + fc * fc)); /* negative for no word that packing writes */
    uint32_t a = bits_of(fa), b = bits_of(fb), c = bits_of(fc), d = bits_of(sqrtf(rest));
    uint32_t upper = (uint32_t) - ((int32_t)word < 0), odd = (uint32_t) - ((int32_t)(word << 1) < 0);
    uint32_t t = choose(upper, c, a), swap = (t ^ d) & odd;
    uint32_t p = d ^ swap, q = t ^ swap; /* d and t in the order they are stored in */
    xyzw[4 * i] = float_of(choose(upper, a, p));
    xyzw[4 * i + 1] = float_of(choose(upper, b, q));
    xyzw[4 * i + 2] = float_of(choose(upper, p, b));
    xyzw[4 * i + 3] = float_of(choose(upper, q, c));
  }
}
