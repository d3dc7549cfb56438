/* Arguments of public functions, whatever their view, as chunks of arrays of components. */
#ifndef QUATSIMD_OPERAND_H
#define QUATSIMD_OPERAND_H

#include "core/arithmetic.h"
#include "core/dispatch.h"
#include "quatsimd/view.h"

/* A view with its strides and the addresses of its components resolved. Component c of element i is at
 * component[c] + quatsimd_offset(i); those above the fourth are `between` bytes apart. */
typedef struct quatsimd_operand {
  const char *first; /* address of the first float */
  const char *component[4];
  size_t stride;      /* from one element to the next, inside a block where there are blocks */
  size_t between;     /* from one component to the next */
  size_t block_bytes; /* 0: no blocks */
  size_t mask;        /* i & mask: place of element i in its block */
  unsigned shift;     /* i >> shift: number of its block */
  int components;
  bool w_first;
  bool arrays;      /* components are arrays of their own */
  bool interleaved; /* elements are so many adjacent floats, in order */
} quatsimd_operand;

/* An output as an input. */
static inline quatsimd_in quatsimd_to_read(quatsimd_out v) {
  return (quatsimd_in){v.x, v.y, v.z, v.w, v.stride, v.layout, v.order, v.block};
}

/* False if the view is not what view.h asks for. */
bool quatsimd_resolve_in(quatsimd_operand *o, int components, const quatsimd_in *view);
bool quatsimd_resolve_out(quatsimd_operand *o, int components, const quatsimd_out *view);

static inline size_t quatsimd_offset(const quatsimd_operand *o, size_t i) {
  return (i & o->mask) * o->stride + (i >> o->shift) * o->block_bytes;
}
static inline const char *quatsimd_component(const quatsimd_operand *o, int c) {
  return c < 4 ? o->component[c] : o->component[0] + (size_t)c * o->between;
}

/* The components of element i. */
void quatsimd_load_element(const quatsimd_operand *o, size_t i, float *to);
void quatsimd_store_element(const quatsimd_operand *o, size_t i, const float *from);

/* n quaternions from the i-th on, which begins a block if there are blocks, to arrays of components, and
 * back. Gathering may write up to n rounded up to QUATSIMD_OPERATION_BLOCK. */
void quatsimd_gather_quats(const quatsimd_operand *o, size_t i, size_t n, float *const to[4]);
void quatsimd_scatter_quats(const quatsimd_operand *o, size_t i, size_t n, const float *const from[4]);

/* Gathering loads n elements from the i-th on into arrays of components, and stores the last one in the
 * places from n to room - 1 too. Scattering stores n elements. If there are blocks, the i-th element begins
 * one. */
void quatsimd_gather(const quatsimd_operand *o, size_t i, size_t n, size_t room, float (*to)[QUATSIMD_CHUNK]);
void quatsimd_scatter(const quatsimd_operand *o, size_t i, size_t n, float (*from)[QUATSIMD_CHUNK]);

/* The first three components of an operation's first input and of its first output in another order: the
 * operation's component j is number in[j] or out[j] of the argument. */
typedef struct quatsimd_variant {
  unsigned char in[3], out[3];
} quatsimd_variant;

/* All of an operation, with as many outputs and inputs as operations.def says. variant: null for the
 * order as it is. Views are passed by their addresses: to copy them would take as long as to compute
 * one element. */
quatsimd_status quatsimd_run(quatsimd_operation operation, const quatsimd_variant *variant,
                             const quatsimd_out *const *outs, const quatsimd_in *const *ins, size_t count);
#define OUTS(...) ((const quatsimd_out *const[]){__VA_ARGS__})
#define INS(...) ((const quatsimd_in *const[]){__VA_ARGS__})

/* True if the view, or one of its arrays, begins at p. */
static inline bool quatsimd_begins_at(const quatsimd_operand *o, const void *p) {
  return o->first == p || (o->arrays && ((o->components > 1 && o->component[1] == p) ||
                                         (o->components > 2 && o->component[2] == p) ||
                                         (o->components > 3 && o->component[3] == p)));
}
/* True if two views begin at one address. */
bool quatsimd_arrays_meet(const quatsimd_operand *a, const quatsimd_operand *b);
static inline bool quatsimd_meet(const quatsimd_operand *a, const quatsimd_operand *b) {
  return a->arrays || b->arrays ? quatsimd_arrays_meet(a, b) : a->first == b->first;
}
/* True if each element has the same bytes in both views. Its components may be in another order. */
bool quatsimd_coincide(const quatsimd_operand *a, const quatsimd_operand *b);

/* An output that begins where an input does but has its elements at other places: from the second element on
 * it would overwrite what is still to be read. All of the first one is read before it is written. */
static inline bool quatsimd_collide(const quatsimd_operand *out, const quatsimd_operand *in, size_t count) {
  return count > 1 && quatsimd_meet(out, in) && !quatsimd_coincide(out, in);
}

/* How many elements of `count` the chunk that begins with the i-th has. */
static inline size_t quatsimd_chunk(size_t i, size_t count) {
  return count - i < QUATSIMD_CHUNK ? count - i : QUATSIMD_CHUNK;
}

/* n rounded up to what operations work on. */
static inline size_t quatsimd_room(size_t n) {
  return (n + QUATSIMD_OPERATION_BLOCK - 1) / QUATSIMD_OPERATION_BLOCK * QUATSIMD_OPERATION_BLOCK;
}

#endif
