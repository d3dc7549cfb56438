/* Resolves public views to one type. Copies their elements to chunks (arrays of components) and back. */
#ifndef QUATSIMD_OPERAND_H
#define QUATSIMD_OPERAND_H

#include "core/arithmetic.h"
#include "core/dispatch.h"
#include "quatsimd/view.h"

/* A view with its strides and the addresses of its components. Component c of element i is at
 * quatsimd_component(o, c) + quatsimd_offset(o, i). */
struct quatsimd_operand {
  const char *first;        /* the view's first float in memory */
  const char *component[4]; /* addresses of the first four components of element 0 */
  size_t stride;            /* bytes from one element to the next; with blocks, from one block to the next */
  size_t mask;              /* with blocks: elements per block, minus 1; else 0 */
  unsigned shift;           /* a block has 1 << shift elements */
  int components;
  /* A strided view without gaps becomes AOS. Any view of single floats without gaps becomes SOA. */
  quatsimd_view_layout layout;
  bool w_first;
  bool interleaved; /* each element is `components` adjacent floats, in order */
};

static inline float *quatsimd_floats(const char *p) { return (float *)(uintptr_t)p; }

/* Makes *o structs of `components` floats, `stride` bytes apart. Compilers copy an operand that is returned,
 * and CPUs then wait for its stores. */
static inline void quatsimd_set_structs(quatsimd_operand *o, const float *floats, int components,
                                        size_t stride) {
  const char *const p = (const char *)floats;
  *o = (quatsimd_operand){
      .first = p,
      .component = {p, p + sizeof(float), p + 2 * sizeof(float), p + 3 * sizeof(float)},
      .stride = stride,
      .components = components,
      .layout = stride != (size_t)components * sizeof(float) ? QUATSIMD_VIEW_STRIDED
                : components == 1                            ? QUATSIMD_VIEW_SOA
                                                             : QUATSIMD_VIEW_AOS,
      .interleaved = true,
  };
}
/* Returns structs without gaps. */
static inline quatsimd_operand quatsimd_structs(const float *floats, int components) {
  quatsimd_operand o;
  quatsimd_set_structs(&o, floats, components, (size_t)components * sizeof(float));
  return o;
}

static inline quatsimd_operand quatsimd_arrays(const float *x, const float *y, const float *z,
                                               const float *w) {
  return (quatsimd_operand){.first = (const char *)x,
                            .component = {(const char *)x, (const char *)y, (const char *)z, (const char *)w},
                            .stride = sizeof(float),
                            .components = 4,
                            .layout = QUATSIMD_VIEW_SOA};
}

/* The same, for arrays that have no values yet. */
static inline quatsimd_operand quatsimd_arrays_out(float *x, float *y, float *z, float *w) {
  return quatsimd_arrays(x, y, z, w);
}

/* Returns true for structs without gaps, their components in order. */
static inline bool quatsimd_is_structs(const quatsimd_operand *o) {
  return o->interleaved && o->stride == (size_t)o->components * sizeof(float);
}

/* Returns true if the kernels of codecs take the view as it is. */
static inline bool quatsimd_is_direct(const quatsimd_operand *o) {
  return o->interleaved || o->layout == QUATSIMD_VIEW_SOA;
}

static inline quatsimd_in quatsimd_to_read(quatsimd_out v) {
  return (quatsimd_in){v.x, v.y, v.z, v.w, v.stride, v.layout, v.order, v.block};
}

/* Return false if the view breaks a rule of view.h. */
bool quatsimd_resolve_in(quatsimd_operand *o, int components, const quatsimd_in *view);
bool quatsimd_resolve_out(quatsimd_operand *o, int components, const quatsimd_out *view);

static inline size_t quatsimd_offset(const quatsimd_operand *o, size_t i) {
  return (i & o->mask) * sizeof(float) + (i >> o->shift) * o->stride;
}
static inline const char *quatsimd_component(const quatsimd_operand *o, int c) {
  return c < 4 ? o->component[c] : o->component[0] + ((size_t)c * sizeof(float) << o->shift);
}

/* Returns true for an SOA view of scalars or a STRIDED view without gaps. Callers test for AOS first. */
bool quatsimd_is_tight(quatsimd_view_layout layout, size_t stride, int components);

void quatsimd_load_element(const quatsimd_operand *o, size_t i, float *to);
void quatsimd_store_element(const quatsimd_operand *o, size_t i, const float *from);

/* The next four functions copy n elements, from element i on, to arrays of components, and back. If the view
 * has blocks, i must be the first element of a block. */

/* For quaternions. Gathering may write up to quatsimd_padded(n) elements. */
void quatsimd_gather_quats(const quatsimd_operand *o, size_t i, size_t n, float *const to[4]);
void quatsimd_scatter_quats(const quatsimd_operand *o, size_t i, size_t n, float *const from[4]);

/* For any elements. Gathering repeats the last element until there are `padded` elements, at least n. */
void quatsimd_gather(const quatsimd_operand *o, size_t i, size_t n, size_t padded,
                     float (*to)[QUATSIMD_CHUNK]);
void quatsimd_scatter(const quatsimd_operand *o, size_t i, size_t n, float (*from)[QUATSIMD_CHUNK]);

/* Reorders the first three components of an operation's first input and first output. Component j of the
 * operation is component in[j] of the caller's input, or out[j] of the caller's output. */
typedef struct quatsimd_variant {
  unsigned char in[3], out[3];
} quatsimd_variant;

/* Checks the views and computes all elements. A null variant keeps the order of components. Views are passed
 * by address, because copying them would take as long as computing one element. */
quatsimd_status quatsimd_run(quatsimd_operation operation, const quatsimd_variant *variant,
                             const quatsimd_out *const *outs, const quatsimd_in *const *ins, size_t count);
#define OUTS(...) ((const quatsimd_out *const[]){__VA_ARGS__})
#define INS(...) ((const quatsimd_in *const[]){__VA_ARGS__})

/* Define quatsimd_NAME, which runs the operation NAME with one output and one, two or three inputs. */
#define FUNCTION_OF_1(name)                                                                                  \
  quatsimd_status quatsimd_##name(quatsimd_out out, quatsimd_in a, size_t count) {                           \
    return quatsimd_run(QUATSIMD_OPERATION_##name, NULL, OUTS(&out), INS(&a), count);                        \
  }
#define FUNCTION_OF_2(name)                                                                                  \
  quatsimd_status quatsimd_##name(quatsimd_out out, quatsimd_in a, quatsimd_in b, size_t count) {            \
    return quatsimd_run(QUATSIMD_OPERATION_##name, NULL, OUTS(&out), INS(&a, &b), count);                    \
  }
#define FUNCTION_OF_3(name)                                                                                  \
  quatsimd_status quatsimd_##name(quatsimd_out out, quatsimd_in a, quatsimd_in b, quatsimd_in c,             \
                                  size_t count) {                                                            \
    return quatsimd_run(QUATSIMD_OPERATION_##name, NULL, OUTS(&out), INS(&a, &b, &c), count);                \
  }

/* Returns true if the view, or one of its arrays, begins at p. */
static inline bool quatsimd_begins_at(const quatsimd_operand *o, const void *p) {
  return o->first == p || (o->layout == QUATSIMD_VIEW_SOA && ((o->components > 1 && o->component[1] == p) ||
                                                              (o->components > 2 && o->component[2] == p) ||
                                                              (o->components > 3 && o->component[3] == p)));
}
/* Returns true if two views, or any of their arrays, begin at the same address. */
bool quatsimd_arrays_meet(const quatsimd_operand *a, const quatsimd_operand *b);
static inline bool quatsimd_meet(const quatsimd_operand *a, const quatsimd_operand *b) {
  return a->layout == QUATSIMD_VIEW_SOA || b->layout == QUATSIMD_VIEW_SOA ? quatsimd_arrays_meet(a, b)
                                                                          : a->first == b->first;
}
/* Returns true if each element is at the same address in both views, its components in any order. */
bool quatsimd_coincide(const quatsimd_operand *a, const quatsimd_operand *b);

/* Returns true if an output begins where an input does but has its elements at other places. Writing an
 * element could then overwrite an input that is still to be read. */
static inline bool quatsimd_collide(const quatsimd_operand *out, const quatsimd_operand *in, size_t count) {
  return count > 1 && quatsimd_meet(out, in) && !quatsimd_coincide(out, in);
}

/* Returns the number of elements in the chunk that begins with element i of `count`. */
static inline size_t quatsimd_chunk(size_t i, size_t count) {
  return count - i < QUATSIMD_CHUNK ? count - i : QUATSIMD_CHUNK;
}

static inline size_t quatsimd_padded(size_t n) {
  return (n + QUATSIMD_OPERATION_BLOCK - 1) / QUATSIMD_OPERATION_BLOCK * QUATSIMD_OPERATION_BLOCK;
}

#endif
