#include "core/operand.h"
#include "core/parts.h"

#include <string.h>

#define FLOAT sizeof(float)

static bool shares_arrays(const quatsimd_in *v, int components) {
  return (components > 1 && v->y == v->x) || (components > 2 && (v->z == v->x || v->z == v->y)) ||
         (components > 3 && (v->w == v->x || v->w == v->y || v->w == v->z));
}

QUATSIMD_NOINLINE bool resolve(quatsimd_operand *o, int components, const quatsimd_in *v, bool is_output) {
  const size_t bytes = (size_t)components * FLOAT;
  const bool w_first = v->order == QUATSIMD_VIEW_WXYZ;
  quatsimd_view_layout layout = components == 1 ? QUATSIMD_VIEW_SOA : QUATSIMD_VIEW_AOS;
  size_t stride = bytes;
  unsigned shift = 0;
  if (!v->x) return false;
  if (v->order != QUATSIMD_VIEW_XYZW && (!w_first || components != 4 || v->layout == QUATSIMD_VIEW_SOA))
    return false;
  switch (v->layout) {
  case QUATSIMD_VIEW_AOS: break;
  case QUATSIMD_VIEW_SOA:
    if (components > 4 || (components > 1 && !v->y) || (components > 2 && !v->z) || (components > 3 && !v->w))
      return false;
    *o = quatsimd_arrays(v->x, v->y, v->z, v->w);
    o->components = components;
    return !is_output || !shares_arrays(v, components);
  case QUATSIMD_VIEW_STRIDED:
    stride = v->stride;
    if (stride % FLOAT != 0 || stride > PTRDIFF_MAX || (is_output && stride < bytes)) return false;
    if (stride != bytes) layout = QUATSIMD_VIEW_STRIDED;
    break;
  case QUATSIMD_VIEW_BLOCKS:
    if (v->block != 4 && v->block != 8) return false;
    if (components == 1) break; /* blocks of scalars are an array */
    layout = QUATSIMD_VIEW_BLOCKS;
    stride = v->block * bytes;
    shift = v->block == 4 ? 2 : 3;
    break;
  default: return false;
  }
  const size_t between = FLOAT << shift; /* bytes from one component of an element to the next */
  const char *const first = (const char *)v->x, *const x = w_first ? first + between : first;
  *o = (quatsimd_operand){
      .first = first,
      .component = {x, x + between, x + 2 * between, w_first ? first : x + 3 * between},
      .stride = stride,
      .mask = ((size_t)1 << shift) - 1,
      .shift = shift,
      .components = components,
      .layout = layout,
      .w_first = w_first,
      .interleaved = !w_first && shift == 0,
  };
  return true;
}

/* Resolves structs in the order x, y, z, w, as most views are: resolve would take most of the time of a call
 * for one element. False if the view is none of these, or breaks a rule. */
static inline bool resolve_structs(quatsimd_operand *o, int components, const float *x, size_t stride,
                                   quatsimd_view_layout layout, quatsimd_view_order order, bool is_output) {
  const size_t bytes = (size_t)components * FLOAT;
  if (order != QUATSIMD_VIEW_XYZW || !x) return false;
  if (layout == QUATSIMD_VIEW_AOS) stride = bytes;
  else if (layout != QUATSIMD_VIEW_STRIDED || stride % FLOAT != 0 || stride > PTRDIFF_MAX ||
           (is_output && stride < bytes))
    return false;
  quatsimd_set_structs(o, x, components, stride);
  return true;
}

bool quatsimd_resolve_in(quatsimd_operand *o, int components, const quatsimd_in *v) {
  return resolve_structs(o, components, v->x, v->stride, v->layout, v->order, false) ||
         resolve(o, components, v, false);
}

bool quatsimd_resolve_out(quatsimd_operand *o, int components, const quatsimd_out *v) {
  return resolve_structs(o, components, v->x, v->stride, v->layout, v->order, true) ||
         resolve(o, components, (const quatsimd_in[]){quatsimd_to_read(*v)}, true);
}

bool quatsimd_is_tight(quatsimd_view_layout layout, size_t stride, int components) {
  return (layout == QUATSIMD_VIEW_SOA && components == 1) ||
         (layout == QUATSIMD_VIEW_STRIDED && stride == (size_t)components * FLOAT);
}

bool quatsimd_arrays_meet(const quatsimd_operand *a, const quatsimd_operand *b) {
  bool meet = quatsimd_begins_at(b, a->first);
  for (int c = 1; a->layout == QUATSIMD_VIEW_SOA && c < a->components; c++)
    meet = meet || quatsimd_begins_at(b, a->component[c]);
  return meet;
}

bool quatsimd_coincide(const quatsimd_operand *a, const quatsimd_operand *b) {
  const bool soa = a->layout == QUATSIMD_VIEW_SOA;
  bool same = a->first == b->first && a->components == b->components && a->stride == b->stride &&
              a->shift == b->shift && soa == (b->layout == QUATSIMD_VIEW_SOA);
  for (int c = 1; soa && same && c < a->components; c++) same = a->component[c] == b->component[c];
  return same;
}

/* The functions below copy from a view's memory to arrays of components, or back if `out` is true. */

static inline void copy(bool out, const char *memory, float *floats, size_t n) {
  if (out) memcpy(quatsimd_floats(memory), floats, n * FLOAT);
  else memcpy(floats, memory, n * FLOAT);
}

static inline void copy_element(bool out, const quatsimd_operand *o, size_t i, float *floats) {
  const size_t at = quatsimd_offset(o, i);
  if (o->interleaved) copy(out, o->first + at, floats, (size_t)o->components);
  else
    for (int c = 0; c < o->components; c++) copy(out, quatsimd_component(o, c) + at, floats + c, 1);
}

void quatsimd_load_element(const quatsimd_operand *o, size_t i, float *to) { copy_element(false, o, i, to); }
void quatsimd_store_element(const quatsimd_operand *o, size_t i, const float *from) {
  copy_element(true, o, i, quatsimd_floats((const char *)from));
}

/* Returns the index (0 for x) of the component that is at place c of a quaternion in memory. */
static inline int in_memory(const quatsimd_operand *o, int c) { return o->w_first ? (c + 3) % 4 : c; }

void quatsimd_gather_quats(const quatsimd_operand *o, size_t i, size_t n, float *const to[4]) {
  const size_t at = quatsimd_offset(o, i);
  const float *const from = quatsimd_floats(o->first + at);
  float *const row[4] = {to[in_memory(o, 0)], to[in_memory(o, 1)], to[in_memory(o, 2)], to[in_memory(o, 3)]};
  if (o->layout == QUATSIMD_VIEW_SOA) {
    for (int c = 0; c < 4; c++) copy(false, o->component[c] + at, to[c], n);
  } else if (o->mask) { /* also reads the unused lanes of the last block, see view.h */
    quatsimd_active_kernels()->split_blocks(row, from, o->mask + 1, (n + o->mask) & ~o->mask);
  } else {
    for (size_t e = quatsimd_active_kernels()->split4(row, from, o->stride, n); e < n; e++)
      for (size_t c = 0; c < 4; c++) row[c][e] = *quatsimd_floats(o->first + at + e * o->stride + c * FLOAT);
  }
}

void quatsimd_scatter_quats(const quatsimd_operand *o, size_t i, size_t n, float *const from[4]) {
  const size_t at = quatsimd_offset(o, i);
  const char *const to = o->first + at;
  const float *const row[4] = {from[in_memory(o, 0)], from[in_memory(o, 1)], from[in_memory(o, 2)],
                               from[in_memory(o, 3)]};
  if (o->layout == QUATSIMD_VIEW_SOA) {
    for (int c = 0; c < 4; c++) copy(true, o->component[c] + at, from[c], n);
  } else if (o->mask) {
    const size_t whole = n & ~o->mask;
    quatsimd_active_kernels()->join_blocks(quatsimd_floats(to), o->mask + 1, row, whole);
    for (size_t c = 0; c < 4 && whole < n; c++)
      memcpy(quatsimd_floats(to + whole * 4 * FLOAT + (c * FLOAT << o->shift)), row[c] + whole,
             (n - whole) * FLOAT);
  } else {
    for (size_t e = quatsimd_active_kernels()->join4(quatsimd_floats(to), o->stride, row, n); e < n; e++)
      for (size_t c = 0; c < 4; c++) *quatsimd_floats(to + e * o->stride + c * FLOAT) = row[c][e];
  }
}

static inline void copy_blocks(bool out, const quatsimd_operand *o, const char *memory, size_t n,
                               float (*chunk)[QUATSIMD_CHUNK]) {
  const size_t block = o->mask + 1;
  for (int c = 0; c < o->components; c++, memory += block * FLOAT) {
    const char *lanes = memory;
    for (size_t e = 0; e < n; e += block, lanes += o->stride)
      copy(out, lanes, chunk[c] + e, n - e < block ? n - e : block);
  }
}

/* Copies elements `first` to n - 1 of structs that are `stride` bytes apart. */
static inline void copy_structs(bool out, const char *memory, size_t first, size_t n, int components,
                                size_t stride, float (*restrict chunk)[QUATSIMD_CHUNK]) {
  for (size_t e = first; e < n; e++)
    for (int c = 0; c < components; c++) {
      float *const at = quatsimd_floats(memory + e * stride + (size_t)c * FLOAT);
      if (out) *at = chunk[c][e];
      else chunk[c][e] = *at;
    }
}

static bool is_quats(const quatsimd_operand *o) {
  return o->components == 4 && o->layout != QUATSIMD_VIEW_SOA;
}

/* Each common number of components has a branch, because loops are faster if this number is constant. The
 * player, which is small, has one for all. */
static inline void copy_chunk(bool out, const quatsimd_operand *o, size_t i, size_t n,
                              float (*chunk)[QUATSIMD_CHUNK]) {
  const size_t at = quatsimd_offset(o, i);
  const char *const memory = o->first + at;
  if (o->layout == QUATSIMD_VIEW_SOA) {
    for (int c = 0; c < o->components; c++)
      copy_structs(out, o->component[c] + at, 0, n, 1, FLOAT, chunk + c);
  } else if (o->mask) {
    copy_blocks(out, o, memory, n, chunk);
  } else if (o->components == 3 && o->stride == 3 * FLOAT) {
    const quatsimd_kernels *const k = quatsimd_active_kernels();
    float *const floats = quatsimd_floats(memory);
    const size_t done = out ? k->join3(floats, (const float *[]){chunk[0], chunk[1], chunk[2]}, n)
                            : k->split3((float *[]){chunk[0], chunk[1], chunk[2]}, floats, n);
    copy_structs(out, memory, done, n, 3, 3 * FLOAT, chunk);
  } else if (o->components == 3 && !QUATSIMD_IS_PLAYER) {
    copy_structs(out, memory, 0, n, 3, o->stride, chunk);
  } else if (o->components == 1 && !QUATSIMD_IS_PLAYER) {
    copy_structs(out, memory, 0, n, 1, o->stride, chunk);
  } else {
    copy_structs(out, memory, 0, n, o->components, o->stride, chunk);
  }
}

static inline void repeat_last(size_t n, size_t padded, int components,
                               float (*restrict chunk)[QUATSIMD_CHUNK]) {
  for (size_t e = n; e < padded; e++)
    for (int c = 0; c < components; c++) chunk[c][e] = chunk[c][n - 1];
}

void quatsimd_gather(const quatsimd_operand *o, size_t i, size_t n, size_t padded,
                     float (*to)[QUATSIMD_CHUNK]) {
  if (is_quats(o)) quatsimd_gather_quats(o, i, n, (float *[]){to[0], to[1], to[2], to[3]});
  else copy_chunk(false, o, i, n, to);
  if (o->components == 4) repeat_last(n, padded, 4, to);
  else if (o->components == 3) repeat_last(n, padded, 3, to);
  else repeat_last(n, padded, o->components, to);
}

void quatsimd_scatter(const quatsimd_operand *o, size_t i, size_t n, float (*from)[QUATSIMD_CHUNK]) {
  if (is_quats(o)) quatsimd_scatter_quats(o, i, n, (float *[]){from[0], from[1], from[2], from[3]});
  else copy_chunk(true, o, i, n, from);
}
