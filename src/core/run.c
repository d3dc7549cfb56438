/* Runs an operation over views. All paths give the same bits; the views and the count choose one:
 *
 *   views                                              count        path
 *   one output; each view is tight structs, or one element for all
 *     the operation has a kernel for structs           any          run_vectors, run_repeated
 *     the operation has no kernel for structs          1            run_one
 *   any                                                1 to FEW     run_few
 *   arrays of components
 *     the operation has a kernel for structs           16 or more   run_chunks, whole blocks in one call
 *   tight structs and arrays of components
 *     the operation has a kernel for structs           a vector     run_mixed
 *   any                                                any          run_chunks
 *
 * The first row that fits is taken. Tight structs have no gaps. A scalar is a struct of one component.
 * STRUCTS operations of operations.def have a kernel for structs, except in the player. A library without the
 * reference has no run_one and no run_few. */
#include <string.h>

#include "core/isas.h"
#include "core/operand.h"
#include "core/parts.h"

/* MAX_FLOATS: the most floats of one element */
enum { MAX_OUTPUTS = 3, MAX_INPUTS = 5, MAX_COMPONENTS = 17, MAX_FLOATS = 16 };

/* The number of components of each output and input of an operation. 0 ends a list. */
typedef struct shape {
  unsigned char out[MAX_OUTPUTS + 1], in[MAX_INPUTS + 1];
} shape;
#define COMPONENTS(...)                                                                                      \
  { __VA_ARGS__ }
#define OPERATION(name, kernel, part, outputs, inputs) {COMPONENTS outputs, COMPONENTS inputs},
static const shape shapes[QUATSIMD_OPERATIONS] = {
#include "rotation/operations.def"
};

/* Up to FEW elements go one by one through the reference, because bringing them into vectors takes longer. */
#ifdef QUATSIMD_HAS_SCALAR
extern const quatsimd_kernels quatsimd_kernels_scalar;
#define REFERENCE (&quatsimd_kernels_scalar)
enum { HAS_REFERENCE = 1 };
#else
#define REFERENCE ((const quatsimd_kernels *)NULL)
enum { HAS_REFERENCE = 0 };
#endif
enum { FEW = 4 };

/* ---- tight structs ---- */

/* stride[k]: floats from one element of input k to the next, or 0 if the input is one element for all */
typedef struct structs {
  float *to[1]; /* kernels take an array of outputs */
  const float *from[MAX_INPUTS];
  size_t stride[MAX_INPUTS];
  int inputs;
  bool any_one;  /* an input is one element that serves all */
  bool in_place; /* the output's memory is that of an input */
} structs;

/* Finds tight arrays of structs. Resolving views would take half of the time of a call for few elements.
 * Returns false for other views, for invalid ones, and where quatsimd_collide would return true. */
static bool find_structs(structs *a, const shape *s, const quatsimd_out *const *out,
                         const quatsimd_in *const *in, size_t count) {
  if (s->out[1] || out[0]->order != QUATSIMD_VIEW_XYZW || !out[0]->x) return false;
  if (out[0]->layout != QUATSIMD_VIEW_AOS && !quatsimd_is_tight(out[0]->layout, out[0]->stride, s->out[0]))
    return false;
  a->to[0] = out[0]->x;
  a->any_one = a->in_place = false;
  for (int k = 0; s->in[k]; k++) {
    a->from[k] = in[k]->x, a->stride[k] = s->in[k], a->inputs = k + 1;
    if (in[k]->order != QUATSIMD_VIEW_XYZW || !in[k]->x) return false;
    if (in[k]->layout != QUATSIMD_VIEW_AOS && !quatsimd_is_tight(in[k]->layout, in[k]->stride, s->in[k])) {
      if (in[k]->layout != QUATSIMD_VIEW_STRIDED || in[k]->stride != 0) return false;
      a->stride[k] = 0, a->any_one = true;
    }
    if (a->from[k] != a->to[0]) continue;
    if (count > 1 && a->stride[k] != s->out[0]) return false;
    a->in_place = true;
  }
  return true;
}

/* Computes whole vectors. If elements remain, a second call computes the last `lanes` elements, some of them
 * again. If the output is an input, the first call overwrites it: the second call reads a copy. */
static void run_vectors(const quatsimd_kernels *kernels, quatsimd_operation operation, const shape *s,
                        structs *a, size_t count) {
  float kept[MAX_FLOATS * QUATSIMD_MOST_LANES];
  quatsimd_aos_fn *const call = kernels->aos[operation];
  const size_t lanes = kernels->lanes, last = count - lanes, n = s->out[0];
  const bool whole = count % lanes == 0;
  if (a->in_place && !whole) memcpy(kept, a->to[0] + n * last, n * lanes * sizeof(float));
  call(a->to, a->from, a->stride, count);
  if (whole) return;
  for (int k = 0; k < a->inputs; k++)
    a->from[k] = a->from[k] == a->to[0] ? kept : a->from[k] + a->stride[k] * last;
  a->to[0] += n * last;
  call(a->to, a->from, a->stride, lanes);
}

/* Writes an element of n floats `lanes` times. Up to 4 floats are stored as 4, and the next store replaces
 * the excess, so `to` has space for 4 more floats. */
static void repeat(float *to, const float *from, size_t n, size_t lanes) {
  float four[4] = {0};
  for (size_t i = 0; i < n && i < 4; i++) four[i] = from[i];
  for (size_t l = 0; l < lanes; l++, to += n)
    if (n <= 4) memcpy(to, four, sizeof four);
    else memcpy(to, from, n * sizeof(float));
}

/* A function of its own, so that other paths do not have `repeated`, of 5 KB, on their stacks. */
static void run_repeated(const quatsimd_kernels *kernels, quatsimd_operation operation, const shape *s,
                         structs *a, size_t count) {
  float repeated[MAX_INPUTS][MAX_FLOATS * QUATSIMD_MOST_LANES + 4];
  for (int k = 0; k < a->inputs; k++) {
    if (a->stride[k] > 0) continue;
    repeat(repeated[k], a->from[k], s->in[k], kernels->lanes);
    a->from[k] = repeated[k];
  }
  run_vectors(kernels, operation, s, a, count);
}

static void run_structs(const quatsimd_kernels *kernels, quatsimd_operation operation, const shape *s,
                        structs *a, size_t count) {
  kernels = quatsimd_no_longer_than(kernels, count);
  if (a->any_one) run_repeated(kernels, operation, s, a, count);
  else run_vectors(kernels, operation, s, a, count);
}

static void vary(const quatsimd_variant *variant, float **to, const float **from) {
  const float *const given[3] = {from[0], from[1], from[2]};
  float *const wanted[3] = {to[0], to[1], to[2]};
  for (int j = 0; j < 3; j++) from[j] = given[variant->in[j]], to[j] = wanted[variant->out[j]];
}

static void run_reference(quatsimd_operation operation, const quatsimd_variant *variant, float **to,
                          const float **from) {
  if (variant) vary(variant, to, from);
  REFERENCE->operation[operation](to, from, 1);
}

static void run_one(quatsimd_operation operation, const quatsimd_variant *variant, const shape *s,
                    const structs *a) {
  float *to[MAX_COMPONENTS];
  const float *from[MAX_COMPONENTS], **next = from;
  for (int k = 0; s->in[k]; k++)
    for (int c = 0; c < s->in[k]; c++) *next++ = a->from[k] + c;
  for (int c = 0; c < s->out[0]; c++) to[c] = a->to[0] + c;
  run_reference(operation, variant, to, from);
}

/* ---- any views ---- */

typedef struct arguments {
  quatsimd_operand out[MAX_OUTPUTS], in[MAX_INPUTS];
  int outputs, inputs;
} arguments;

/* Returns false if a view, or an overlap of views, breaks a rule of view.h. */
static inline bool resolve(arguments *a, const shape *s, const quatsimd_out *const *outs,
                           const quatsimd_in *const *ins, size_t count) {
  int outputs = 0, inputs = 0;
  for (; s->out[outputs]; outputs++)
    if (!quatsimd_resolve_out(&a->out[outputs], s->out[outputs], outs[outputs])) return false;
  for (; s->in[inputs]; inputs++)
    if (!quatsimd_resolve_in(&a->in[inputs], s->in[inputs], ins[inputs])) return false;
  a->outputs = outputs, a->inputs = inputs;
  bool collide = false;
  for (int k = 0; k < outputs && (outputs > 1 || count > 1); k++) {
    for (int b = 0; b < k; b++) collide = collide || quatsimd_meet(&a->out[k], &a->out[b]);
    for (int b = 0; b < inputs; b++) collide = collide || quatsimd_collide(&a->out[k], &a->in[b], count);
  }
  return !collide;
}

static void run_few(quatsimd_operation operation, const quatsimd_variant *variant, const arguments *a,
                    size_t count) {
  float *to[MAX_COMPONENTS];
  const float *from[MAX_COMPONENTS];
  for (size_t i = 0; i < count; i++) {
    int next = 0;
    for (const quatsimd_operand *o = a->in; o < a->in + a->inputs; o++) {
      const size_t at = quatsimd_offset(o, i);
      for (int c = 0; c < o->components; c++) from[next++] = quatsimd_floats(quatsimd_component(o, c) + at);
    }
    next = 0;
    for (const quatsimd_operand *o = a->out; o < a->out + a->outputs; o++) {
      const size_t at = quatsimd_offset(o, i);
      for (int c = 0; c < o->components; c++) to[next++] = quatsimd_floats(quatsimd_component(o, c) + at);
    }
    run_reference(operation, variant, to, from);
  }
}

static bool is_array(const quatsimd_operand *o) { return o->layout == QUATSIMD_VIEW_SOA; }

static bool all_arrays(const arguments *a) {
  bool all = true;
  for (int k = 0; k < a->outputs; k++) all = all && is_array(&a->out[k]);
  for (int k = 0; k < a->inputs; k++) all = all && is_array(&a->in[k]);
  return all;
}

/* Returns true for tight structs and for an array of single floats, which kernels for structs take. */
static bool is_tight(const quatsimd_operand *o) {
  return quatsimd_is_structs(o) || (is_array(o) && o->components == 1);
}
static bool can_mix(const quatsimd_operand *o) {
  return is_tight(o) || (is_array(o) && (o->components == 3 || o->components == 4));
}

static bool is_mixed(const arguments *a) {
  bool mixed = can_mix(&a->out[0]);
  for (int k = 0; k < a->inputs; k++) mixed = mixed && can_mix(&a->in[k]);
  return mixed;
}

/* Finds element i in arrays of three or four components. */
static void find_arrays(float *array[4], const quatsimd_operand *o, size_t i) {
  for (int c = 0; c < o->components; c++) array[c] = quatsimd_floats(o->component[c]) + i;
}

/* Copies arrays of components to structs, chunk by chunk, and uses the kernel for structs: copying large
 * structs, such as matrices, to arrays and back would take longer. There is one output. */
static void run_mixed(const quatsimd_kernels *k, quatsimd_operation operation, const shape *s,
                      const arguments *a, size_t count) {
  float in_chunk[MAX_INPUTS][4 * QUATSIMD_CHUNK], out_chunk[4 * QUATSIMD_CHUNK];
  const quatsimd_operand *const out = &a->out[0];
  float *array[4];
  for (size_t i = 0, n; i < count; i += n) {
    n = count - i;
    if (n > QUATSIMD_CHUNK) /* the last chunk fills a vector */
      n = n - QUATSIMD_CHUNK < k->lanes ? QUATSIMD_CHUNK - QUATSIMD_MOST_LANES : QUATSIMD_CHUNK;
    structs part = {.to = {out_chunk}, .inputs = a->inputs};
    if (is_tight(out)) part.to[0] = quatsimd_floats(out->first) + s->out[0] * i;
    for (int b = 0; b < a->inputs; b++) {
      const quatsimd_operand *const o = &a->in[b];
      part.stride[b] = s->in[b];
      part.from[b] = is_tight(o) ? quatsimd_floats(o->first) + s->in[b] * i : in_chunk[b];
      part.in_place = part.in_place || part.from[b] == part.to[0];
      if (is_tight(o)) continue;
      find_arrays(array, o, i);
      if (o->components == 4) k->join4(in_chunk[b], 4 * sizeof(float), (const float *const *)array, n);
      else k->join3(in_chunk[b], (const float *const *)array, n);
    }
    run_vectors(k, operation, s, &part, n);
    if (is_tight(out)) continue;
    find_arrays(array, out, i);
    if (out->components == 4) k->split4(array, out_chunk, 4 * sizeof(float), n);
    else k->split3(array, out_chunk, n);
  }
}

/* Calls the kernel for up to `most` elements at a time. Arrays of components are passed as they are if the
 * number of elements needs no padding; all other views are copied to a chunk and back. */
static void run_chunks(quatsimd_operation_fn *call, const quatsimd_variant *variant, const arguments *a,
                       size_t count, size_t most) {
  float in_chunk[MAX_COMPONENTS][QUATSIMD_CHUNK], out_chunk[MAX_COMPONENTS][QUATSIMD_CHUNK];
  for (size_t i = 0, n; i < count; i += n) {
    n = count - i < most ? count - i : most;
    const size_t padded = quatsimd_padded(n);
    const float *from[MAX_COMPONENTS] = {NULL};
    float *to[MAX_COMPONENTS] = {NULL};
    int k = 0;
    for (const quatsimd_operand *o = a->in; o < a->in + a->inputs; k += o++->components) {
      const bool in_place = is_array(o) && n == padded;
      if (!in_place && (o->stride != 0 || i == 0)) /* one element for all is the same in every chunk */
        quatsimd_gather(o, i, o->stride == 0 ? 1 : n, padded, in_chunk + k);
      for (int c = 0; c < o->components; c++)
        from[k + c] = in_place ? quatsimd_floats(o->component[c]) + i : in_chunk[k + c];
    }
    k = 0;
    for (const quatsimd_operand *o = a->out; o < a->out + a->outputs; k += o++->components)
      for (int c = 0; c < o->components; c++)
        to[k + c] = is_array(o) && n == padded ? quatsimd_floats(o->component[c]) + i : out_chunk[k + c];
    if (variant) vary(variant, to, from);
    call(to, from, padded);
    k = 0;
    for (const quatsimd_operand *o = a->out; o < a->out + a->outputs; k += o++->components)
      if (!is_array(o) || n != padded) quatsimd_scatter(o, i, n, out_chunk + k);
  }
}

/* ---- the choice ---- */

quatsimd_status quatsimd_run(quatsimd_operation operation, const quatsimd_variant *variant,
                             const quatsimd_out *const *outs, const quatsimd_in *const *ins, size_t count) {
  if (count == 0) return QUATSIMD_OK;
  const shape *const s = &shapes[operation];
  const bool is_few = HAS_REFERENCE && count <= FEW;
  const quatsimd_kernels *const kernels = is_few && count < FEW ? REFERENCE : quatsimd_active_kernels();
  const bool for_structs = !QUATSIMD_IS_PLAYER && kernels->aos[operation];
  structs arrays;
  if ((for_structs || (HAS_REFERENCE && count == 1)) && find_structs(&arrays, s, outs, ins, count)) {
    if (for_structs) run_structs(kernels, operation, s, &arrays, count);
    else run_one(operation, variant, s, &arrays);
    return QUATSIMD_OK;
  }
  arguments a;
  if (!resolve(&a, s, outs, ins, count)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (is_few) {
    run_few(operation, variant, &a, count);
  } else if (for_structs && a.outputs == 1 && count >= kernels->lanes && is_mixed(&a) && !all_arrays(&a)) {
    run_mixed(kernels, operation, s, &a, count);
  } else {
    const size_t whole = count / QUATSIMD_OPERATION_BLOCK * QUATSIMD_OPERATION_BLOCK;
    run_chunks(kernels->operation[operation], variant, &a, count,
               for_structs && whole > 0 && all_arrays(&a) ? whole : QUATSIMD_CHUNK);
  }
  return QUATSIMD_OK;
}
