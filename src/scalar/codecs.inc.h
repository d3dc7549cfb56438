/* Loops and layouts around the codecs of this folder. Included once by scalar.c. */
#define CODEC(name) <scalar/name.h>
#include "codec/formats.def"

typedef code pack_one(int param, quat q, float n2);
typedef quat unpack_one(int param, code c);

/* Where quaternion 0 has component c; that of quaternion i is i strides behind. */
static inline const char *component_in(const quatsimd_source *from, int c) {
  const float *const components[4] = {from->x, from->y, from->z, from->w};
  return (const char *)(from->layout == QUATSIMD_SOA ? components[c] : from->x + c);
}
static inline char *component_out(const quatsimd_target *to, int c) {
  float *const components[4] = {to->x, to->y, to->z, to->w};
  return (char *)(to->layout == QUATSIMD_SOA ? components[c] : to->x + c);
}

/* Element i of an array of n-bit codes, least significant bit first, in any number of bytes. */
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

static inline bool pack_loop(pack_one *pack, int param, unsigned n, unsigned char *packed,
                             const quatsimd_source *from, size_t count) {
  const char *at[4];
  for (int c = 0; c < 4; c++) at[c] = component_in(from, c);
  bool all_valid = true;
  for (size_t i = 0; i < count; i++) {
    quat q;
    for (int c = 0; c < 4; c++) memcpy(&q.v[c], at[c] + i * from->stride, 4);
    float n2 = norm2(q);
    if (!valid_norm2(n2)) {
      q = scalar_identity;
      n2 = 1;
      all_valid = false;
    }
    store_code(packed, i, n, pack(param, q, n2));
  }
  return all_valid;
}

static inline void unpack_loop(unpack_one *unpack, int param, unsigned n, const quatsimd_target *to,
                               const unsigned char *packed, size_t count) {
  char *at[4];
  for (int c = 0; c < 4; c++) at[c] = component_out(to, c);
  for (size_t i = 0; i < count; i++) {
    const quat q = unpack(param, load_code(packed, i, n));
    for (int c = 0; c < 4; c++) memcpy(at[c] + i * to->stride, &q.v[c], 4);
  }
}

#define BITS_U24(param) 24
#define BITS_U32(param) 32
#define BITS_U48(param) 48
#define BITS_U64(param) 64
#define BITS_U128(param) 128
#define BITS_PACKED(param) (2 + 3 * (unsigned)(param))

#define FORMAT(codec, id, width, name, storage, ...)                                                         \
  static bool pack_all_##codec(int param, unsigned char *packed, const quatsimd_source *from,                \
                               size_t count) {                                                               \
    return pack_loop(scalar_pack_##codec, param, BITS_##storage(param), packed, from, count);                \
  }                                                                                                          \
  static void unpack_all_##codec(int param, const quatsimd_target *to, const unsigned char *packed,          \
                                 size_t count) {                                                             \
    unpack_loop(scalar_unpack_##codec, param, BITS_##storage(param), to, packed, count);                     \
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
