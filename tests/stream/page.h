/* An encoder of packets, written from docs/stream.md alone. The range coder keeps one long number. */
#ifndef PAGE_H
#define PAGE_H

#include "support/quat.h"

/* ---- the range coder ---- */

enum { PAGE_BYTES = 8192 };
typedef struct page_code {
  unsigned char bytes[PAGE_BYTES]; /* the coder's number: the finished bytes, and eight more */
  size_t done;
  uint64_t range;
} page_code;

typedef struct page_model {
  unsigned p, n;
} page_model;
static const page_model page_first = {0x8000, 0};

static inline page_code *page_new(void) {
  page_code *c = filled(sizeof *c);
  memset(c, 0, sizeof *c);
  c->range = UINT64_MAX;
  return c;
}

static inline void page_add(page_code *c, uint64_t value) {
  unsigned carried = 0;
  for (size_t i = c->done + 8; i-- > 0; value >>= 8) {
    carried += c->bytes[i] + (unsigned)(value & 0xff);
    c->bytes[i] = (unsigned char)carried;
    carried >>= 8;
  }
  assert_int_equal(carried, 0); /* no carry is left, because the coder's number is below 1 */
}

static inline void page_shift(page_code *c) {
  if (c->range >= UINT64_C(1) << 32) return;
  c->range <<= 32, c->done += 4;
  assert_true(c->done + 8 <= PAGE_BYTES);
}

static inline void page_bit(page_code *c, page_model *m, bool one) {
  const uint64_t part = (c->range >> 16) * m->p;
  if (!one) page_add(c, part);
  c->range = one ? part : c->range - part;
  const uint64_t share = 131072 / (2 * m->n + 3); /* 65536 / (n + 1.5) */
  m->p = one ? m->p + (unsigned)((65535 - m->p) * share >> 16) : m->p - (unsigned)(m->p * share >> 16);
  if (m->n < 62) m->n++;
  page_shift(c);
}

static inline void page_even(page_code *c, uint32_t value, int bits) {
  c->range >>= bits;
  page_add(c, c->range * value);
  page_shift(c);
}

static inline void page_number(page_code *c, uint32_t n) {
  int behind = 31; /* number of bits of n below its highest set bit */
  while (!(n >> behind & 1)) behind--;
  page_even(c, 0, 0);
  for (int i = 0; i < behind; i++) page_even(c, 0, 1);
  for (int i = behind; i >= 0; i--) page_even(c, n >> i & 1, 1);
}

/* Ends the code with the shortest number in the coder's range. Returns the size of the code in bytes. */
static inline size_t page_end(page_code *c) {
  uint64_t low = 0;
  for (size_t i = 0; i < 8; i++) low = low << 8 | c->bytes[c->done + i];
  size_t bytes = 0;
  uint64_t up = 0;
  for (;; bytes++) {
    const uint64_t below = bytes < 8 ? UINT64_MAX >> 8 * bytes : 0;
    up = (0 - low) & below; /* distance from `low` to the next multiple of below + 1 */
    if (up < c->range) break;
  }
  page_add(c, up);
  bytes += c->done;
  while (bytes && c->bytes[bytes - 1] == 0) bytes--;
  return bytes;
}

/* ---- points ---- */

typedef struct page_models {
  page_model zero[10][16], odd[10], more[3][10][2][6];
} page_models;

static inline void page_first_models(page_models *m) {
  static const uint32_t more[3] = {0xa800, 0x9000, 0xc800};
  for (int l = 0; l < 10; l++) {
    for (int u = 0; u < 3; u++)
      for (int odd = 0; odd < 2; odd++)
        for (uint32_t t = 0; t < 6; t++) m->more[u][l][odd][t] = (page_model){more[u] + 0x600 * t, 4};
    m->odd[l] = page_first;
    for (int c = 0; c < 16; c++) m->zero[l][c] = (page_model){0xf000u >> (l < 3 ? 0 : l - 3), 1};
  }
}

static inline int page_level(unsigned scale) {
  int highest = 31;
  while (!((scale + 4) >> highest & 1)) highest--;
  return 2 * highest + (int)((scale + 4) >> (highest - 1) & 1) - 6;
}

static inline void page_point(page_code *c, page_models *m, int context, const unsigned s[3],
                              const int k[3]) {
  const int together = page_level(s[0] + s[1] + s[2]), level = together < 9 ? together : 9;
  const bool zero = !k[0] && !k[1] && !k[2], odd = k[0] & 1;
  page_bit(c, &m->zero[level][context], zero);
  if (zero) return;
  page_bit(c, &m->odd[level], odd);
  long magnitudes = 0, expected = 0;
  for (int i = 0; i < 3; i++) {
    const unsigned size = (unsigned)abs(k[i]), half = size >> 1;
    const int l = page_level(s[i]), lower = l < 8 ? 0 : (l - 8) / 2 + 1, row = l < 8 ? l : 8 + l % 2;
    const int surprise = i == 0 ? 0 : 16 * magnitudes > expected ? 2 : 1;
    const unsigned t = half >> lower;
    const bool left_out = i == 2 && !odd && lower == 0 && !k[0] && !k[1];
    for (unsigned step = left_out; step < 20; step++) {
      page_bit(c, &m->more[surprise][row][odd][step < 5 ? step : 5], t > step);
      if (t <= step) break;
    }
    if (t >= 20) page_number(c, t - 20 + 1);
    if (lower) page_even(c, half & ((1u << lower) - 1), lower);
    magnitudes += size, expected += s[i];
  }
  unsigned signs = 0;
  int count = 0;
  for (int i = 0; i < 3; i++)
    if (k[i]) signs |= (unsigned)(k[i] < 0) << count++;
  page_even(c, signs, count);
}

/* Returns the number of bits of each coordinate when a point is coded whole with quantum h. */
static inline int page_width(double h) {
  int w = 0;
  while (pow(2, w) < 3.1416 / h + 4) w++;
  return w;
}
static inline void page_whole(page_code *c, int w, const int k[3]) {
  const int parity = k[0] & 1, lower = w / 2;
  page_even(c, (uint32_t)parity, 1);
  for (int i = 0; i < 3; i++) {
    const uint32_t number = (uint32_t)((k[i] - parity) / 2 + (1 << (w - 1)));
    page_even(c, number >> lower, w - lower), page_even(c, number % (1u << lower), lower);
  }
}

/* Returns the number that a state keeps of n. */
static inline unsigned page_kept(unsigned n) {
  if (n > 63488) return 63488;
  unsigned unit = 1;
  while (n >= 32 * unit) unit *= 2;
  return (n + unit / 2) / unit * unit;
}
static inline void page_next_scales(unsigned s[3], const int k[3]) {
  for (int i = 0; i < 3; i++)
    s[i] = page_kept(s[i] - (s[i] >> 3) + 2 * (abs(k[i]) < 4095 ? (unsigned)abs(k[i]) : 4095));
}

#endif
