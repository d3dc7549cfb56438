/* Views: transposes between whatever callers have and arrays of components. */
#include "core/operand.h"

#include <string.h>

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

static bool shares_arrays(const quatsimd_in *v, int components) {
  return (components > 1 && v->y == v->x) || (components > 2 && (v->z == v->x || v->z == v->y)) ||
         (components > 3 && (v->w == v->x || v->w == v->y || v->w == v->z));
}

/* Nearly all views: what a call for one joint takes is mostly the views'. */
static inline bool resolve_aos(quatsimd_operand *o, int components, const float *x) {
  const char *const p = (const char *)x;
  *o = (quatsimd_operand){.first = p,
                          .component = {p, p + FLOAT, p + 2 * FLOAT, p + 3 * FLOAT},
                          .stride = (size_t)components * FLOAT,
                          .between = FLOAT,
                          .mask = SIZE_MAX,
                          .components = components,
                          .arrays = components == 1,
                          .interleaved = true};
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
    return !is_output || !shares_arrays(view, components);
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
  if (view->layout == QUATSIMD_VIEW_AOS && view->order == QUATSIMD_VIEW_XYZW && view->x)
    return resolve_aos(o, components, view->x);
  return resolve(o, components, view, false);
}

bool quatsimd_resolve_out(quatsimd_operand *o, int components, const quatsimd_out *v) {
  if (v->layout == QUATSIMD_VIEW_AOS && v->order == QUATSIMD_VIEW_XYZW && v->x)
    return resolve_aos(o, components, v->x);
  const quatsimd_in view = quatsimd_to_read(*v);
  return resolve(o, components, &view, true);
}

bool quatsimd_arrays_meet(const quatsimd_operand *a, const quatsimd_operand *b) {
  bool meet = quatsimd_begins_at(b, a->first);
  for (int c = 1; a->arrays && c < a->components; c++) meet = meet || quatsimd_begins_at(b, a->component[c]);
  return meet;
}

bool quatsimd_coincide(const quatsimd_operand *a, const quatsimd_operand *b) {
  bool same = a->first == b->first && a->components == b->components && a->arrays == b->arrays &&
              a->stride == b->stride && a->block_bytes == b->block_bytes;
  for (int c = 1; a->arrays && same && c < a->components; c++) same = a->component[c] == b->component[c];
  return same;
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

/* Loads elements `first` to n - 1, and stores the last one in the places from n to room - 1 too. The elements
 * before `first` are loaded already. */
static inline void gather_components(const char *from, size_t first, size_t n, size_t room, int components,
                                     size_t stride, float (*restrict to)[QUATSIMD_CHUNK]) {
  for (size_t e = first; e < n; e++)
    for (int c = 0; c < components; c++)
      to[c][e] = *(const float *)(const void *)(from + e * stride + (size_t)c * FLOAT);
  for (size_t e = n; e < room; e++)
    for (int c = 0; c < components; c++) to[c][e] = to[c][n - 1];
}

/* A block's lanes behind the last element are read, too, see view.h. */
static inline void gather_quats(const quatsimd_operand *o, size_t i, size_t n, float *const to[4]) {
  const size_t at = quatsimd_offset(o, i);
  const float *const from = (const float *)(const void *)(o->first + at);
  /* as the rows are in memory */
  float *const row[4] = {to[o->w_first ? 3 : 0], to[o->w_first ? 0 : 1], to[o->w_first ? 1 : 2],
                         to[o->w_first ? 2 : 3]};
  if (o->arrays) {
    for (int c = 0; c < 4; c++) memcpy(to[c], o->component[c] + at, n * FLOAT);
  } else if (o->block_bytes) {
    quatsimd_active_kernels()->split_blocks(row, from, o->mask + 1, (n + o->mask) & ~o->mask);
  } else {
    for (size_t e = quatsimd_active_kernels()->split4(row, from, o->stride, n); e < n; e++)
      for (size_t c = 0; c < 4; c++)
        row[c][e] = *(const float *)(const void *)(o->first + at + e * o->stride + c * FLOAT);
  }
}

void quatsimd_gather_quats(const quatsimd_operand *o, size_t i, size_t n, float *const to[4]) {
  gather_quats(o, i, n, to);
}

static void gather_blocks(const quatsimd_operand *o, const char *from, size_t n, size_t room,
                          float (*to)[QUATSIMD_CHUNK]) {
  const size_t block = o->mask + 1, bytes = block * FLOAT;
  for (int c = 0; c < o->components; c++, from += bytes) {
    const char *lanes = from;
    for (size_t e = 0; e < n; e += block, lanes += o->block_bytes)
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
  } else if (o->components == 4) {
    gather_quats(o, i, n, (float *[]){to[0], to[1], to[2], to[3]});
    gather_components(from, n, n, room, 4, 0, to);
  } else if (o->block_bytes) {
    gather_blocks(o, from, n, room, to);
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

static inline void scatter_quats(const quatsimd_operand *o, size_t i, size_t n, const float *const from[4]) {
  const size_t at = quatsimd_offset(o, i);
  char *const to = (char *)(uintptr_t)o->first + at;
  const float *const row[4] = {from[o->w_first ? 3 : 0], from[o->w_first ? 0 : 1], from[o->w_first ? 1 : 2],
                               from[o->w_first ? 2 : 3]};
  if (o->arrays) {
    for (int c = 0; c < 4; c++) memcpy((char *)(uintptr_t)o->component[c] + at, from[c], n * FLOAT);
  } else if (o->block_bytes) {
    const size_t whole = n & ~o->mask;
    quatsimd_active_kernels()->join_blocks((float *)(void *)to, o->mask + 1, row, whole);
    for (size_t c = 0; c < 4 && whole < n; c++)
      memcpy(to + whole * 4 * FLOAT + c * o->between, row[c] + whole, (n - whole) * FLOAT);
  } else {
    for (size_t e = quatsimd_active_kernels()->join4((float *)(void *)to, o->stride, row, n); e < n; e++)
      for (size_t c = 0; c < 4; c++) *(float *)(void *)(to + e * o->stride + c * FLOAT) = row[c][e];
  }
}

void quatsimd_scatter_quats(const quatsimd_operand *o, size_t i, size_t n, const float *const from[4]) {
  scatter_quats(o, i, n, from);
}

static void scatter_blocks(const quatsimd_operand *o, char *to, size_t n, float (*from)[QUATSIMD_CHUNK]) {
  const size_t block = o->mask + 1, bytes = block * FLOAT;
  for (int c = 0; c < o->components; c++, to += bytes) {
    char *lanes = to;
    for (size_t e = 0; e < n; e += block, lanes += o->block_bytes)
      memcpy(lanes, from[c] + e, (n - e < block ? n - e : block) * FLOAT);
  }
}

void quatsimd_scatter(const quatsimd_operand *o, size_t i, size_t n, float (*from)[QUATSIMD_CHUNK]) {
  const size_t at = quatsimd_offset(o, i);
  char *const to = (char *)(uintptr_t)o->first + at;
  if (o->arrays) {
    for (int c = 0; c < o->components; c++)
      scatter_components((char *)(uintptr_t)o->component[c] + at, 0, n, 1, FLOAT, from + c);
  } else if (o->components == 4) {
    scatter_quats(o, i, n, (const float *[]){from[0], from[1], from[2], from[3]});
  } else if (o->block_bytes) {
    scatter_blocks(o, to, n, from);
  } else if (o->components == 3 && o->stride == 12) {
    const size_t done = quatsimd_active_kernels()->join3((float *)(void *)to,
                                                         (const float *[]){from[0], from[1], from[2]}, n);
    scatter_components(to, done, n, 3, 12, from);
  } else {
    scatter_components(to, 0, n, o->components, o->stride, from);
  }
}
