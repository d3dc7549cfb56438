/* Loops and layouts around the codecs of this folder. Included once by scalar.c. */
#define CODEC(name) <scalar/name.h>
#include "codec/formats.def"

typedef code pack_one(int param, quat q, float n2);
typedef quat unpack_one(int param, code c);

/* Where the components of quaternion i are; each layout is a set of four pointers and a stride. */
static inline quat load_quat(const unsigned char *const base[4], size_t stride, size_t i) {
  quat q;
  for (int c = 0; c < 4; c++) memcpy(&q.v[c], base[c] + i * stride, 4);
  return q;
}

static inline void store_quat(unsigned char *const base[4], size_t stride, size_t i, quat q) {
  for (int c = 0; c < 4; c++) memcpy(base[c] + i * stride, &q.v[c], 4);
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

static inline bool pack_all(pack_one *pack, int param, unsigned n, unsigned char *packed,
                            const unsigned char *const base[4], size_t stride, size_t count) {
  bool all_valid = true;
  for (size_t i = 0; i < count; i++) {
    quat q = load_quat(base, stride, i);
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

static inline void unpack_all(unpack_one *unpack, int param, unsigned n, unsigned char *const base[4],
                              size_t stride, const unsigned char *packed, size_t count) {
  for (size_t i = 0; i < count; i++) store_quat(base, stride, i, unpack(param, load_code(packed, i, n)));
}

#define AOS_BASE(type)                                                                                       \
  { (type *)x, (type *)x + 4, (type *)x + 8, (type *)x + 12 }
#define SOA_BASE(type)                                                                                       \
  { (type *)x, (type *)y, (type *)z, (type *)w }

#define BITS_U24(param) 24
#define BITS_U32(param) 32
#define BITS_U48(param) 48
#define BITS_U64(param) 64
#define BITS_U128(param) 128
#define BITS_PACKED(param) (2 + 3 * (unsigned)(param))

#define LAYOUT(codec, storage, layout, BASE, bytes)                                                          \
  static bool pack_##layout##_##codec(int param, unsigned char *packed, const float *x, const float *y,      \
                                      const float *z, const float *w, size_t stride, size_t count) {         \
    (void)y, (void)z, (void)w, (void)stride;                                                                 \
    const unsigned char *const base[4] = BASE(const unsigned char);                                          \
    return pack_all(scalar_pack_##codec, param, BITS_##storage(param), packed, base, bytes, count);          \
  }                                                                                                          \
  static void unpack_##layout##_##codec(int param, float *x, float *y, float *z, float *w, size_t stride,    \
                                        const unsigned char *packed, size_t count) {                         \
    (void)y, (void)z, (void)w, (void)stride;                                                                 \
    unsigned char *const base[4] = BASE(unsigned char);                                                      \
    unpack_all(scalar_unpack_##codec, param, BITS_##storage(param), base, bytes, packed, count);             \
  }
#define FORMAT(codec, id, param, name, storage, ...)                                                         \
  LAYOUT(codec, storage, aos, AOS_BASE, 16)                                                                  \
  LAYOUT(codec, storage, soa, SOA_BASE, 4)                                                                   \
  LAYOUT(codec, storage, strided, AOS_BASE, stride)
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
