/* An operation over arguments of any layout: in chunks that are brought into arrays of components, or as
 * they are. */
#include <string.h>

#include "core/isas.h"
#include "core/operand.h"
#include "core/parts.h"

/* MAX_FLOATS: the most floats of one element */
enum { MAX_OUTPUTS = 3, MAX_INPUTS = 5, MAX_COMPONENTS = 17, MAX_FLOATS = 16 };

typedef struct shape {
  /* components of each argument, 0 behind the last */
  unsigned char out[MAX_OUTPUTS + 1], in[MAX_INPUTS + 1];
} shape;
#define COMPONENTS(...)                                                                                      \
  { __VA_ARGS__ }
#define OPERATION(name, kernel, part, outputs, inputs) {COMPONENTS outputs, COMPONENTS inputs},
static const shape shapes[QUATSIMD_OPERATIONS] = {
#include "rotation/operations.def"
};

static inline bool is_tight(const quatsimd_operand *o) {
  return (o->interleaved || o->arrays) && o->stride == (size_t)o->components * sizeof(float);
}

/* Arguments that are arrays of structs, of operations with one output (kernels take an array of outputs):
 * where they begin, and floats from one element of an input to the next. 0: one element that stands for all;
 * for kernels it is repeated, a whole vector of it. */
typedef struct structs {
  float *to[1];
  const float *from[MAX_INPUTS];
  size_t stride[MAX_INPUTS];
  int inputs;
  bool any_one, in_place; /* an input is one element; the output is one of the inputs */
} structs;

/* A library without the reference brings few elements into vectors, too, of 4 lanes at least. */
#ifdef QUATSIMD_HAS_SCALAR
extern const quatsimd_kernels quatsimd_kernels_scalar;
#define REFERENCE (&quatsimd_kernels_scalar)
enum { HAS_REFERENCE = 1, LEAST_LANES = 1 };
#else
#define REFERENCE ((const quatsimd_kernels *)NULL)
enum { HAS_REFERENCE = 0, LEAST_LANES = 4 };
#endif

/* The first table, from the one in use on, whose vectors are no longer than the arrays. All tables have the
 * same bits. Behind one there are tables of instruction sets that its CPUs have as well, with shorter
 * vectors; scalar's are of one element. */
static const quatsimd_kernels *no_longer_than(const quatsimd_kernels *kernels, size_t count) {
  const quatsimd_kernels *const *at = quatsimd_kernel_list;
  if (kernels->lanes <= count) return kernels;
  while (*at && *at != kernels) at++;
  if (!*at) return REFERENCE; /* a table that only a test has */
  while ((*at)->lanes > count) at++;
  return *at;
}

/* Whole vectors, and then the last one, which overlaps the one before: of inputs that the output has replaced
 * by then it is kept from before. kernels: whose vectors are no longer than the arrays. */
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

/* Stores one element for each lane. Elements of up to 4 floats are stored as 4 floats, and the next store
 * replaces the surplus: `to` has 4 floats more. */
static void repeat(float *to, const float *from, size_t n, size_t lanes) {
  float four[4] = {0};
  for (size_t i = 0; i < n && i < 4; i++) four[i] = from[i];
  for (size_t l = 0; l < lanes; l++, to += n)
    if (n <= 4) memcpy(to, four, sizeof four);
    else memcpy(to, from, n * sizeof(float));
}

/* A function of its own, so that the other paths do not carry this array on their stack. */
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
  kernels = no_longer_than(kernels, count);
  if (a->any_one) run_repeated(kernels, operation, s, a, count);
  else run_vectors(kernels, operation, s, a, count);
}

/* Finds the arrays if all views are plain arrays of structs, or one element, as in most calls: resolving
 * views takes half of the time of a call for few elements. False, too, if the output begins where an input
 * has its elements at other places. */
static bool find_plain(structs *a, const shape *s, const quatsimd_out *const *out,
                       const quatsimd_in *const *in, size_t count) {
  if (s->out[1] || out[0]->layout != QUATSIMD_VIEW_AOS || out[0]->order != QUATSIMD_VIEW_XYZW || !out[0]->x)
    return false;
  a->to[0] = out[0]->x;
  a->any_one = a->in_place = false;
  for (int k = 0; s->in[k]; k++) {
    a->from[k] = in[k]->x, a->stride[k] = s->in[k], a->inputs = k + 1;
    if (in[k]->order != QUATSIMD_VIEW_XYZW || !in[k]->x) return false;
    if (in[k]->layout != QUATSIMD_VIEW_AOS) {
      if (in[k]->layout != QUATSIMD_VIEW_STRIDED || in[k]->stride != 0) return false;
      a->stride[k] = 0, a->any_one = true;
    }
    if (a->from[k] != a->to[0]) continue;
    if (count > 1 && a->stride[k] != s->out[0]) return false;
    a->in_place = true;
  }
  return true;
}

/* The same of other views that are such arrays, or one element. */
static bool find_structs(structs *a, const quatsimd_operand *out, int inputs, const quatsimd_operand *in) {
  if (!is_tight(out)) return false;
  a->to[0] = (float *)(uintptr_t)out->first;
  a->any_one = a->in_place = false, a->inputs = inputs;
  for (int k = 0; k < inputs; k++) {
    if (!is_tight(&in[k]) && !(in[k].interleaved && in[k].stride == 0)) return false;
    a->from[k] = (const float *)(const void *)in[k].first, a->stride[k] = in[k].stride / sizeof(float);
    a->any_one |= in[k].stride == 0, a->in_place |= in[k].first == out->first;
  }
  return true;
}

static bool all_arrays(int arguments, const quatsimd_operand *o) {
  bool all = true;
  for (int a = 0; a < arguments; a++) all = all && o[a].arrays;
  return all;
}

static bool any_collide(int outputs, const quatsimd_operand *out, int inputs, const quatsimd_operand *in,
                        size_t count) {
  bool collide = false;
  for (int a = 0; a < outputs; a++) {
    for (int b = 0; b < a; b++) collide = collide || quatsimd_meet(&out[a], &out[b]);
    for (int b = 0; b < inputs; b++) collide = collide || quatsimd_collide(&out[a], &in[b], count);
  }
  return collide;
}

static void vary(const quatsimd_variant *variant, float **to, const float **from) {
  const float *const given[3] = {from[0], from[1], from[2]};
  float *const wanted[3] = {to[0], to[1], to[2]};
  for (int j = 0; j < 3; j++) from[j] = given[variant->in[j]], to[j] = wanted[variant->out[j]];
}

/* Up to so many elements go one by one through the reference, which has the same bits: bringing them into
 * vectors would take longer. Exactly as many in plain arrays do not, as they fill a vector. */
enum { FEW = 4 };

static void run_reference(quatsimd_operation operation, const quatsimd_variant *variant, float **to,
                          const float **from) {
  if (variant) vary(variant, to, from);
  REFERENCE->operation[operation](to, from, 1);
}

static void run_few(quatsimd_operation operation, const quatsimd_variant *variant, int outputs,
                    const quatsimd_operand *out, int inputs, const quatsimd_operand *in, size_t count) {
  float *to[MAX_COMPONENTS];
  const float *from[MAX_COMPONENTS];
  for (size_t i = 0; i < count; i++) {
    for (int a = 0, k = 0; a < inputs; a++)
      for (int c = 0; c < in[a].components; c++)
        from[k++] = (const float *)(const void *)(quatsimd_component(&in[a], c) + quatsimd_offset(&in[a], i));
    for (int a = 0, k = 0; a < outputs; a++)
      for (int c = 0; c < out[a].components; c++)
        to[k++] = (float *)(uintptr_t)(quatsimd_component(&out[a], c) + quatsimd_offset(&out[a], i));
    run_reference(operation, variant, to, from);
  }
}

/* One element of plain arrays. */
static void run_one(quatsimd_operation operation, const quatsimd_variant *variant, const shape *s,
                    const structs *a) {
  float *to[MAX_COMPONENTS];
  const float *from[MAX_COMPONENTS], **next = from;
  for (int k = 0; s->in[k]; k++)
    for (int c = 0; c < s->in[k]; c++) *next++ = a->from[k] + c;
  for (int c = 0; c < s->out[0]; c++) to[c] = a->to[0] + c;
  run_reference(operation, variant, to, from);
}

quatsimd_status quatsimd_run(quatsimd_operation operation, const quatsimd_variant *variant,
                             const quatsimd_out *const *outs, const quatsimd_in *const *ins, size_t count) {
  if (count == 0) return QUATSIMD_OK;
  const shape *s = &shapes[operation];
  const quatsimd_kernels *kernels = HAS_REFERENCE && count < FEW ? REFERENCE : quatsimd_active_kernels();
  const bool as_structs = !QUATSIMD_IS_PLAYER && kernels->aos[operation] != NULL && count >= LEAST_LANES;
  structs arrays;
  if ((as_structs || (HAS_REFERENCE && count == 1)) && find_plain(&arrays, s, outs, ins, count)) {
    if (as_structs) run_structs(kernels, operation, s, &arrays, count);
    else run_one(operation, variant, s, &arrays);
    return QUATSIMD_OK;
  }
  quatsimd_operand out[MAX_OUTPUTS], in[MAX_INPUTS];
  int outputs = 0, inputs = 0;
  for (; s->out[outputs]; outputs++) {
    if (!quatsimd_resolve_out(&out[outputs], s->out[outputs], outs[outputs]))
      return QUATSIMD_ERROR_BAD_ARGUMENT;
  }
  for (; s->in[inputs]; inputs++) {
    if (!quatsimd_resolve_in(&in[inputs], s->in[inputs], ins[inputs])) return QUATSIMD_ERROR_BAD_ARGUMENT;
  }

  if ((outputs > 1 || count > 1) && any_collide(outputs, out, inputs, in, count))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (HAS_REFERENCE && count <= FEW) {
    run_few(operation, variant, outputs, out, inputs, in, count);
    return QUATSIMD_OK;
  }

  float in_chunk[MAX_COMPONENTS][QUATSIMD_CHUNK], out_chunk[MAX_COMPONENTS][QUATSIMD_CHUNK];
  quatsimd_operation_fn *const call = kernels->operation[operation];
  if (as_structs && outputs == 1 && find_structs(&arrays, out, inputs, in)) {
    run_structs(kernels, operation, s, &arrays, count);
    return QUATSIMD_OK;
  }
  /* arrays of components that need no copy: whole blocks at once, where the operation takes so many */
  const size_t whole = count / QUATSIMD_OPERATION_BLOCK * QUATSIMD_OPERATION_BLOCK,
               most = as_structs && whole > 0 && all_arrays(outputs, out) && all_arrays(inputs, in)
                          ? whole
                          : QUATSIMD_CHUNK;
  for (size_t i = 0, n; i < count; i += n) {
    n = count - i < most ? count - i : most;
    const size_t room = quatsimd_room(n);
    const float *from[MAX_COMPONENTS] = {NULL};
    float *to[MAX_COMPONENTS] = {NULL};
    int k = 0;
    for (int a = 0; a < inputs; k += in[a++].components) {
      const bool in_place = in[a].arrays && n == room;
      if (!in_place && (in[a].stride != 0 || i == 0)) /* an only one is the same in every chunk */
        quatsimd_gather(&in[a], i, in[a].stride == 0 ? 1 : n, room, in_chunk + k);
      for (int c = 0; c < in[a].components; c++)
        from[k + c] = in_place ? (const float *)(const void *)in[a].component[c] + i : in_chunk[k + c];
    }
    k = 0;
    for (int a = 0; a < outputs; k += out[a++].components)
      for (int c = 0; c < out[a].components; c++)
        to[k + c] =
            out[a].arrays && n == room ? (float *)(uintptr_t)out[a].component[c] + i : out_chunk[k + c];
    if (variant) vary(variant, to, from);
    call(to, from, room);
    k = 0;
    for (int a = 0; a < outputs; k += out[a++].components)
      if (!out[a].arrays || n != room) quatsimd_scatter(&out[a], i, n, out_chunk + k);
  }
  return QUATSIMD_OK;
}
