/* Bit fields in two's complement, without gaps between them. Bit 0 is the lowest bit of the first byte. */
#ifndef QUATSIMD_BITS_H
#define QUATSIMD_BITS_H

#include <stddef.h>
#include <stdint.h>

#include "core/bytes.h"

/* Returns the low `bits` bits of a word, sign-extended; bits is 1 to 30. */
static inline int32_t sign_extend(uint64_t word, int bits) {
  const int32_t sign = (int32_t)1 << (bits - 1);
  return (int32_t)((uint32_t)word & (2 * (uint32_t)sign - 1)) -
         (int32_t)(2 * ((uint32_t)word & (uint32_t)sign));
}

/* Returns the field of 0 to 25 bits at bit `at` of p, or 0 for width 0. Reads only the bytes of the field. */
static inline int32_t get_bits(const unsigned char *p, size_t at, unsigned width) {
  uint32_t bits = 0;
  if (width == 0) return 0;
  const size_t last = (at + width - 1) / 8;
  for (size_t i = at / 8; i <= last; i++) bits |= (uint32_t)p[i] << (8 * (i - at / 8));
  bits = bits >> at % 8 << (32 - width);
  return (int32_t)(bits >> (32 - width)) - (int32_t)(bits >> 31 << (width - 1) << 1);
}

/* Returns the same as get_bits, without a branch. It reads four bytes from the field's first byte on. */
static inline int32_t peek_bits(const unsigned char *p, size_t at, unsigned width) {
  const uint64_t top = (uint64_t)(load_u32(p + at / 8) >> at % 8) << 32 << (32 - width);
  return (int32_t)((int64_t)top >> 32 >> (32 - width));
}

/* Writes the low `width` bits of a value to p, from bit `at` on. These bits of p must be zeros before. */
static inline void put_bits(unsigned char *p, size_t at, unsigned width, int32_t value) {
  for (unsigned b = 0; b < width; b++)
    p[(at + b) / 8] |= (unsigned char)(((uint32_t)value >> b & 1) << (at + b) % 8);
}

/* Returns the width of the narrowest field that can have the value v: 0 if v is 0. */
static inline unsigned bits_for(int32_t v) {
  const uint32_t m = (uint32_t)(v < 0 ? ~v : v);
  return v == 0 ? 0 : m == 0 ? 1 : 2 + quatsimd_highest_bit(m);
}

#endif
