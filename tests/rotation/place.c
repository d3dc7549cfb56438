#include "rotation/place.h"

#include "support/guarded.h"

static arena arenas[ARENAS];

void make_arenas(void) {
  for (int i = 0; i < ARENAS; i++) arenas[i] = arena_new(ARENA);
}

const char *const layout_names[LAYOUTS] = {"aos",         "soa",         "strided",           "w first",
                                           "blocks of 4", "blocks of 8", "w first in blocks", "one"};
static size_t block_of(layout l) { return l == BLOCKS4 ? 4 : l == BLOCKS8 || l == W_FIRST8 ? 8 : 1; }

static int arrays_of(const placed *p) { return p->layout == SOA ? p->width : 1; }

float *component(const placed *p, size_t i, int c) {
  if (p->layout == SOA) return (float *)(void *)p->at[c] + i;
  const size_t lanes = block_of(p->layout);
  if (p->layout == W_FIRST || p->layout == W_FIRST8) c = (c + 1) % 4;
  if (lanes > 1)
    return (float *)(void *)p->at[0] + i / lanes * lanes * (size_t)p->width + (size_t)c * lanes + i % lanes;
  return (float *)(void *)(p->at[0] + i * p->stride) + c;
}

placed place(int first_arena, layout l, int width, size_t stride, size_t count, bool at_end) {
  placed p = {.layout = l, .width = width, .stride = l == ONE ? 0 : l == SOA ? sizeof(float) : stride};
  const size_t bytes = sizeof(float) * (size_t)width;
  const size_t lanes = block_of(l),
               whole = (count + lanes - 1) / lanes * lanes; /* count, rounded up to complete blocks */
  p.size = lanes > 1    ? whole * bytes
           : l == SOA   ? sizeof(float) * count
           : count == 0 ? 0
           : l == ONE   ? bytes
                        : (count - 1) * stride + bytes;
  for (int i = 0; i < arrays_of(&p); i++) {
    const arena *a = &arenas[first_arena + i];
    p.at[i] = at_end ? a->end - p.size : a->begin;
    memset(at_end ? p.at[i] - MARGIN : p.at[i], FILL, p.size + MARGIN);
  }
  return p;
}

placed place_width(int first_arena, layout l, int width, size_t count, bool at_end) {
  return place(first_arena, l, width, sizeof(float) * (size_t)width + (l == STRIDED ? 20 : 0), count, at_end);
}

quatsimd_in source_of(const placed *p) {
  float *c[4] = {NULL, NULL, NULL, NULL};
  for (int i = 0; i < arrays_of(p); i++) c[i] = (float *)(void *)p->at[i];
  if (p->layout == SOA) return quatsimd_soa(c[0], c[1], c[2], c[3]);
  if (p->layout == ONE) return quatsimd_one(c[0]);
  if (p->layout == W_FIRST) return quatsimd_wxyz(quatsimd_aos(c[0]));
  if (p->layout == W_FIRST8) return quatsimd_wxyz(quatsimd_blocks(c[0], 8));
  if (block_of(p->layout) > 1) return quatsimd_blocks(c[0], (unsigned)block_of(p->layout));
  return p->layout == AOS ? quatsimd_aos(c[0]) : quatsimd_strided(c[0], p->stride);
}

quatsimd_out target_of(const placed *p) {
  float *c[4] = {NULL, NULL, NULL, NULL};
  for (int i = 0; i < arrays_of(p); i++) c[i] = (float *)(void *)p->at[i];
  if (p->layout == SOA) return quatsimd_soa_out(c[0], c[1], c[2], c[3]);
  if (p->layout == W_FIRST) return quatsimd_wxyz_out(quatsimd_aos_out(c[0]));
  if (p->layout == W_FIRST8) return quatsimd_wxyz_out(quatsimd_blocks_out(c[0], 8));
  if (block_of(p->layout) > 1) return quatsimd_blocks_out(c[0], (unsigned)block_of(p->layout));
  return p->layout == AOS ? quatsimd_aos_out(c[0]) : quatsimd_strided_out(c[0], p->stride);
}

void fill_with(placed *p, const float *elements, size_t count) {
  for (size_t i = 0; i < (p->layout == ONE && count > 1 ? 1 : count); i++)
    for (int c = 0; c < p->width; c++)
      memcpy(component(p, i, c), elements + (size_t)p->width * i + (size_t)c, sizeof(float));
}

bool holds(const placed *p, const float *elements, size_t count, bool at_end) {
  static unsigned char expected[ARENA];
  placed shadow = *p;
  for (int i = 0; i < arrays_of(p); i++) {
    const unsigned char *from = at_end ? p->at[i] - MARGIN : p->at[i];
    memset(expected, FILL, p->size + MARGIN);
    shadow.at[i] = expected + (at_end ? MARGIN : 0);
    for (size_t e = 0; e < count; e++)
      for (int c = 0; c < p->width; c++)
        if (p->layout != SOA || c == i)
          memcpy(component(&shadow, e, c), elements + (size_t)p->width * e + (size_t)c, sizeof(float));
    if (memcmp(from, expected, p->size + MARGIN) != 0) return false;
  }
  return true;
}

layout allowed(layout l, int width) {
  if (l == SOA && width > 4) return STRIDED;
  return width == 4 ? l : l == W_FIRST ? AOS : l == W_FIRST8 ? BLOCKS8 : l;
}
