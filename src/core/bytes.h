/* Loads and stores little-endian numbers at any address, on every machine, and converts floats to bits. */
#ifndef QUATSIMD_BYTES_H
#define QUATSIMD_BYTES_H

#include "core/arithmetic.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t load_u16(const unsigned char *p) { return (uint16_t)(p[0] | p[1] << 8); }
static inline uint32_t load_u32(const unsigned char *p) {
  return load_u16(p) | (uint32_t)load_u16(p + 2) << 16;
}
static inline uint64_t load_u64(const unsigned char *p) {
  return load_u32(p) | (uint64_t)load_u32(p + 4) << 32;
}

/* Loads a number of up to 8 bytes. */
static inline uint64_t load_little(const unsigned char *p, size_t bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; i++) value |= (uint64_t)p[i] << 8 * i;
  return value;
}
static inline void store_little(unsigned char *p, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) p[i] = (unsigned char)(value >> 8 * i);
}

/* Written out: compiled for size, a loop would stay a loop. */
static inline void store_u64(unsigned char *p, uint64_t value) {
  p[0] = (unsigned char)value, p[1] = (unsigned char)(value >> 8);
  p[2] = (unsigned char)(value >> 16), p[3] = (unsigned char)(value >> 24);
  p[4] = (unsigned char)(value >> 32), p[5] = (unsigned char)(value >> 40);
  p[6] = (unsigned char)(value >> 48), p[7] = (unsigned char)(value >> 56);
}

static inline void load_u16s(uint16_t *to, const unsigned char *from, size_t count) {
  for (size_t i = 0; i < count; i++) to[i] = load_u16(from + 2 * i);
}
static inline void store_u16s(unsigned char *to, const uint16_t *from, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[2 * i] = (unsigned char)from[i], to[2 * i + 1] = (unsigned char)(from[i] >> 8);
}

static inline uint32_t float_bits(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}
static inline float float_from_bits(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}
static inline uint64_t double_bits(double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}
static inline double double_from_bits(uint64_t bits) {
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}

static inline float load_float(const unsigned char *p) { return float_from_bits(load_u32(p)); }
static inline double load_double(const unsigned char *p) { return double_from_bits(load_u64(p)); }
static inline void load_floats(float *to, const unsigned char *from, size_t count) {
#if defined _MSC_VER || (defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
  memcpy(to, from, count * sizeof *to);
#else
  for (size_t i = 0; i < count; i++) to[i] = load_float(from + 4 * i);
#endif
}
static inline void store_float(unsigned char *p, float f) { store_little(p, float_bits(f), 4); }
static inline void store_double(unsigned char *p, double d) { store_little(p, double_bits(d), 8); }

#endif
