/* Views: transposes between whatever callers have and arrays of components. */
#include "core/operand.h"

#define FLOAT sizeof(float)

static bool resolve_blocks(quatsimd_operand *o, unsigned block) {
  if (block != 4 && block != 8) return false;
  o->arrays = o->components == 1; /* blocks of scalars are an array */
  o->stride = FLOAT;
  if (o->arrays) return true;
  o->between = block * FLOAT;
  o->block_bytes = (size_t)o->components * o->between;
  o->mask = block - 1;
  o->shift = block == 4 ? 2 : 3;
  return true;
}

static bool resolve(quatsimd_operand *o, int components, const quatsimd_in *view, bool is_output) {
  const size_t bytes = (size_t)components * FLOAT;
  *o = (quatsimd_operand){.first = (const char *)view->x,
                          .stride = view->layout == QUATSIMD_VIEW_STRIDED ? view->stride : bytes,
                          .between = FLOAT,
                          .mask = SIZE_MAX,
                          .components = components,
                          .w_first = view->order == QUATSIMD_VIEW_WXYZ};
  if (!view->x) return false;
  if (view->order != QUATSIMD_VIEW_XYZW &&
      (!o->w_first || components != 4 || view->layout == QUATSIMD_VIEW_SOA))
    return false;
  switch (view->layout) {
  case QUATSIMD_VIEW_SOA:
    if (components > 4 || (components > 1 && !view->y) || (components > 2 && !view->z) ||
        (components > 3 && !view->w))
      return false;
    o->arrays = true;
    o->stride = FLOAT;
    o->component[0] = (const char *)view->x, o->component[1] = (const char *)view->y;
    o->component[2] = (const char *)view->z, o->component[3] = (const char *)view->w;
    return true;
  case QUATSIMD_VIEW_BLOCKS:
    if (!resolve_blocks(o, view->block)) return false;
    break;
  case QUATSIMD_VIEW_STRIDED:
    if (o->stride % FLOAT != 0 || o->stride > PTRDIFF_MAX || (is_output && o->stride < bytes)) return false;
    /* fall through */
  case QUATSIMD_VIEW_AOS:
    o->arrays = components == 1 && o->stride == FLOAT;
    o->interleaved = !o->w_first;
    break;
  default: return false;
  }
  for (int c = 0; c < 4; c++)
    o->component[c] = o->first + (size_t)(o->w_first ? (c + 1) % 4 : c) * o->between;
  return true;
}

bool quatsimd_resolve_in(quatsimd_operand *o, int components, const quatsimd_in *view) {
  return resolve(o, components, view, false);
}

bool quatsimd_resolve_out(quatsimd_operand *o, int components, const quatsimd_out *v) {
  return resolve(o, components,
                 &(quatsimd_in){v->x, v->y, v->z, v->w, v->stride, v->layout, v->order, v->block}, true);
}

void quatsimd_load_element(const quatsimd_operand *o, size_t i, float *to) {
  const size_t at = quatsimd_offset(o, i);
  if (o->interleaved) memcpy(to, o->first + at, (size_t)o->components * FLOAT);
  else
    for (int c = 0; c < o->components; c++) memcpy(to + c, quatsimd_component(o, c) + at, FLOAT);
}

void quatsimd_store_element(const quatsimd_operand *o, size_t i, const float *from) {
  const size_t at = quatsimd_offset(o, i);
  if (o->interleaved) memcpy((char *)(uintptr_t)o->first + at, from, (size_t)o->components * FLOAT);
  else
    for (int c = 0; c < o->components; c++)
      memcpy((char *)(uintptr_t)quatsimd_component(o, c) + at, from + c, FLOAT);
}

/* n elements, of which some first ones are there; room for them is filled with the last one. */
static inline void gather_components(const char *from, size_t first, size_t n, size_t room, int components,
                                     size_t stride, float (*restrict to)[QUATSIMD_CHUNK]) {
  for (size_t e = first; e < n; e++)
    for (int c = 0; c < components; c++)
      to[c][e] = *(const float *)(const void *)(from + e * stride + (size_t)c * FLOAT);
  for (size_t e = n; e < room; e++)
    for (int c = 0; c < components; c++) to[c][e] = to[c][n - 1];
}

/* The rows that the components are in, in the order of memory. */
static inline void rows_of(float *row[4], const quatsimd_operand *o, float (*rows)[QUATSIMD_CHUNK]) {
  for (int c = 0; c < 4; c++) row[c] = rows[o->w_first ? (c + 3) % 4 : c];
}

/* Quaternions in whole blocks of a constant size: no more than the copies. Returns how many elements. */
static inline size_t gather_quats(const char *from, size_t n, size_t block, float *const row[4]) {
  float *restrict const a = row[0], *restrict const b = row[1], *restrict const c = row[2],
                        *restrict const d = row[3];
  const size_t bytes = block * FLOAT;
  size_t e = 0;
  for (; n - e >= block; e += block, from += 4 * bytes) {
    memcpy(a + e, from, bytes), memcpy(b + e, from + bytes, bytes);
    memcpy(c + e, from + 2 * bytes, bytes), memcpy(d + e, from + 3 * bytes, bytes);
  }
  return e;
}

static void gather_blocks(const quatsimd_operand *o, const char *from, size_t n, size_t room,
                          float (*to)[QUATSIMD_CHUNK]) {
  const size_t block = o->mask + 1, bytes = block * FLOAT;
  size_t done = 0;
  if (o->components == 4) {
    float *row[4];
    rows_of(row, o, to);
    done = block == 4 ? gather_quats(from, n, 4, row) : gather_quats(from, n, 8, row);
  }
  const size_t begin = done / block * o->block_bytes;
  for (int c = 0; c < o->components; c++) {
    const char *lanes = from + (size_t)(o->w_first ? (c + 1) % 4 : c) * bytes + begin;
    for (size_t e = done; e < n; e += block, lanes += o->block_bytes)
      memcpy(to[c] + e, lanes, (n - e < block ? n - e : block) * FLOAT);
    for (size_t e = n; e < room; e++) to[c][e] = to[c][n - 1];
  }
}

/* Constants make better loops: a branch for each common stride. */
void quatsimd_gather(const quatsimd_operand *o, size_t i, size_t n, size_t room,
                     float (*to)[QUATSIMD_CHUNK]) {
  const size_t at = quatsimd_offset(o, i);
  const char *const from = o->first + at;
  if (o->arrays) {
    for (int c = 0; c < o->components; c++)
      gather_components(o->component[c] + at, 0, n, room, 1, FLOAT, to + c);
  } else if (o->block_bytes) {
    gather_blocks(o, from, n, room, to);
  } else if (o->w_first) {
    float tight[QUATSIMD_CHUNK][4];
    const float *elements = (const float *)(const void *)from;
    if (o->stride != 16) {
      for (size_t e = 0; e < n; e++) memcpy(tight[e], from + e * o->stride, 16);
      elements = tight[0];
    }
    const size_t done =
        quatsimd_active_kernels()->split4((float *[]){to[3], to[0], to[1], to[2]}, elements, n);
    gather_components((const char *)elements, done, n, room, 1, 16, to + 3);
    gather_components((const char *)(elements + 1), done, n, room, 3, 16, to);
  } else if (o->components == 4 && o->stride == 16) {
    const size_t done = quatsimd_active_kernels()->split4((float *[]){to[0], to[1], to[2], to[3]},
                                                          (const float *)(const void *)from, n);
    gather_components(from, done, n, room, 4, 16, to);
  } else if (o->components == 3 && o->stride == 12) {
    const size_t done = quatsimd_active_kernels()->split3((float *[]){to[0], to[1], to[2]},
                                                          (const float *)(const void *)from, n);
    gather_components(from, done, n, room, 3, 12, to);
  } else if (o->components == 3) {
    gather_components(from, 0, n, room, 3, o->stride, to);
  } else if (o->components == 1) {
    gather_components(from, 0, n, room, 1, o->stride, to);
  } else {
    gather_components(from, 0, n, room, o->components, o->stride, to);
  }
}

static inline void scatter_components(char *to, size_t first, size_t n, int components, size_t stride,
                                      float (*restrict from)[QUATSIMD_CHUNK]) {
  for (size_t e = first; e < n; e++)
    for (int c = 0; c < components; c++) *(float *)(void *)(to + e * stride + (size_t)c * FLOAT) = from[c][e];
}

static inline size_t scatter_quats(char *to, size_t n, size_t block, float *const row[4]) {
  const float *restrict const a = row[0], *restrict const b = row[1], *restrict const c = row[2],
                              *restrict const d = row[3];
  const size_t bytes = block * FLOAT;
  size_t e = 0;
  for (; n - e >= block; e += block, to += 4 * bytes) {
    memcpy(to, a + e, bytes), memcpy(to + bytes, b + e, bytes);
    memcpy(to + 2 * bytes, c + e, bytes), memcpy(to + 3 * bytes, d + e, bytes);
  }
  return e;
}

static void scatter_blocks(const quatsimd_operand *o, char *to, size_t n, float (*from)[QUATSIMD_CHUNK]) {
  const size_t block = o->mask + 1, bytes = block * FLOAT;
  size_t done = 0;
  if (o->components == 4) {
    float *row[4];
    rows_of(row, o, from);
    done = block == 4 ? scatter_quats(to, n, 4, row) : scatter_quats(to, n, 8, row);
  }
  const size_t begin = done / block * o->block_bytes;
  for (int c = 0; c < o->components; c++) {
    char *lanes = to + (size_t)(o->w_first ? (c + 1) % 4 : c) * bytes + begin;
    for (size_t e = done; e < n; e += block, lanes += o->block_bytes)
      memcpy(lanes, from[c] + e, (n - e < block ? n - e : block) * FLOAT);
  }
}

void quatsimd_scatter(const quatsimd_operand *o, size_t i, size_t n, float (*from)[QUATSIMD_CHUNK]) {
  const size_t at = quatsimd_offset(o, i);
  char *const to = (char *)(uintptr_t)o->first + at;
  if (o->arrays) {
    for (int c = 0; c < o->components; c++)
      scatter_components((char *)(uintptr_t)o->component[c] + at, 0, n, 1, FLOAT, from + c);
  } else if (o->block_bytes) {
    scatter_blocks(o, to, n, from);
  } else if (o->w_first) {
    float tight[QUATSIMD_CHUNK][4];
    char *const elements = o->stride == 16 ? to : (char *)tight;
    const size_t done = quatsimd_active_kernels()->join4(
        (float *)(void *)elements, (const float *[]){from[3], from[0], from[1], from[2]}, n);
    scatter_components(elements, done, n, 1, 16, from + 3);
    scatter_components(elements + FLOAT, done, n, 3, 16, from);
    for (size_t e = 0; o->stride != 16 && e < n; e++) memcpy(to + e * o->stride, tight[e], 16);
  } else if (o->components == 4 && o->stride == 16) {
    const size_t done = quatsimd_active_kernels()->join4(
        (float *)(void *)to, (const float *[]){from[0], from[1], from[2], from[3]}, n);
    scatter_components(to, done, n, 4, 16, from);
  } else if (o->components == 3 && o->stride == 12) {
    const size_t done = quatsimd_active_kernels()->join3((float *)(void *)to,
                                                         (const float *[]){from[0], from[1], from[2]}, n);
    scatter_components(to, done, n, 3, 12, from);
  } else {
    scatter_components(to, 0, n, o->components, o->stride, from);
  }
}
