/* Loops and layouts around the codecs of this folder. Included once by scalar.c. */
#include "core/operand.h"
#include "scalar/code.h"

#define CODEC(name) <scalar/name.h>
#include "codec/formats.def"

/* Store and load element i of an array of n-bit codes, least significant bit first. */
static inline void store_code(unsigned char *packed, size_t i, unsigned n, code c) {
  size_t bit = i % 8 * n; /* eight elements are n bytes */
  unsigned char *byte = packed + i / 8 * n + bit / 8;
  bit %= 8;
  unsigned char kept = bit ? (unsigned char)(*byte & ((1u << bit) - 1)) : 0;
  for (unsigned left = n; left > 0;) {
    const unsigned room = 8 - (unsigned)bit, taken = left < room ? left : room;
    *byte++ = (unsigned char)(kept | (c.lo & ((1u << taken) - 1)) << bit);
    c.lo = c.lo >> taken | c.hi << (64 - taken);
    c.hi >>= taken;
    left -= taken;
    bit = kept = 0;
  }
}

static inline code load_code(const unsigned char *packed, size_t i, unsigned n) {
  size_t bit = i % 8 * n;
  const unsigned char *byte = packed + i / 8 * n + bit / 8;
  bit %= 8;
  code c = {0, 0};
  for (unsigned done = 0; done < n;) {
    const unsigned room = 8 - (unsigned)bit, taken = n - done < room ? n - done : room;
    const uint64_t bits = *byte++ >> bit & ((1u << taken) - 1);
    if (done < 64) c.lo |= bits << done;
    if (done + taken > 64) c.hi |= done < 64 ? bits >> (64 - done) : bits << (done - 64);
    done += taken;
    bit = 0;
  }
  return c;
}

typedef enum storage { U24 = 24, U32 = 32, U48 = 48, U64 = 64, U128 = 128, PACKED = 0 } storage;

static inline unsigned bits_of(storage s, int width) { return s == PACKED ? 2 + 3 * (unsigned)width : s; }

/* Loads element i and its squared length. If the element is invalid, loads the identity and returns false. */
static inline bool load_valid(const quatsimd_operand *from, size_t i, quat *q, float *n2) {
  for (int c = 0; c < 4; c++) memcpy(&q->v[c], from->component[c] + i * from->stride, 4);
  *n2 = norm2(*q);
  if (valid_norm2(*n2)) return true;
  *q = scalar_identity;
  *n2 = 1;
  return false;
}

static inline void store_quat(const quatsimd_operand *to, size_t i, quat q) {
  for (int c = 0; c < 4; c++) memcpy(quatsimd_floats(to->component[c] + i * to->stride), &q.v[c], 4);
}

#define FORMAT(codec, pack, unpack, blocks, id, width_of_format, name, storage, ...)                         \
  static bool pack_all_##codec(int width, unsigned char *packed, const quatsimd_operand *from,               \
                               size_t count) {                                                               \
    bool all_valid = true;                                                                                   \
    for (size_t i = 0; i < count; i++) {                                                                     \
      quat q;                                                                                                \
      float n2;                                                                                              \
      all_valid &= load_valid(from, i, &q, &n2);                                                             \
      store_code(packed, i, bits_of(storage, width), scalar_pack_##pack);                                    \
    }                                                                                                        \
    return all_valid;                                                                                        \
  }                                                                                                          \
  static void unpack_all_##codec(int width, const quatsimd_operand *to, const unsigned char *packed,         \
                                 size_t count) {                                                             \
    for (size_t i = 0; i < count; i++) {                                                                     \
      const code c = load_code(packed, i, bits_of(storage, width));                                          \
      store_quat(to, i, scalar_unpack_##unpack);                                                             \
    }                                                                                                        \
  }
#include "codec/formats.def"

#ifndef QUATSIMD_ONLY_CLIPS
static void meshopt_to_snorm16x4_loop(unsigned char *to, const unsigned char *from, size_t count) {
  for (size_t i = 0; i < count; i++) store_code(to, i, 64, meshopt_shorts(load_code(from, i, 64)));
}

static void half_from_float_loop(uint16_t *halves, const float *floats, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float magnitude = magnitude_of(floats[i]);
    const uint32_t sign = float_bits(floats[i]) >> 31 << 15;
    halves[i] = (uint16_t)(magnitude < 65520    ? half_of_float(floats[i])
                           : magnitude >= 65520 ? sign | 0x7c00
                                                : 0x7e00);
  }
}

static void half_to_float_loop(float *floats, const uint16_t *halves, size_t count) {
  for (size_t i = 0; i < count; i++) floats[i] = number(float_from_half(halves[i]));
}
#endif
