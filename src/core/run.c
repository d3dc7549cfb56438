/* An operation over arguments of any layout: in chunks that are brought into arrays of components, or as
 * they are. */
#include "core/operand.h"

enum { MAX_OUTPUTS = 3, MAX_INPUTS = 5, MAX_COMPONENTS = 17 };

typedef struct shape {
  /* components of each argument, 0 behind the last */
  unsigned char out[MAX_OUTPUTS + 1], in[MAX_INPUTS + 1];
} shape;
#define COMPONENTS(...)                                                                                      \
  { __VA_ARGS__ }
#define OPERATION(name, where, outputs, inputs) {COMPONENTS outputs, COMPONENTS inputs},
static const shape shapes[QUATSIMD_OPERATIONS] = {
#include "rotation/operations.def"
};

static inline bool is_tight(const quatsimd_operand *o) {
  return (o->interleaved || o->arrays) && o->stride == (size_t)o->components * sizeof(float);
}

/* Most calls have arrays of structs alone, which some operations take as they are. Returns how many
 * elements are done. */
static size_t run_aos(quatsimd_aos_fn *call, int outputs, const quatsimd_operand *out, int inputs,
                      const quatsimd_operand *in, size_t count) {
  float repeated[MAX_INPUTS][4 * QUATSIMD_MOST_LANES], *to[MAX_OUTPUTS];
  const float *from[MAX_INPUTS];
  size_t stride[MAX_INPUTS];
  if (!call) return 0;
  for (int a = 0; a < outputs; a++) {
    if (!is_tight(&out[a])) return 0;
    to[a] = (float *)(uintptr_t)out[a].first;
  }
  for (int a = 0; a < inputs; a++) {
    const size_t n = (size_t)in[a].components;
    if (!is_tight(&in[a]) && !(in[a].interleaved && in[a].stride == 0)) return 0;
    from[a] = (const float *)(const void *)in[a].first;
    stride[a] = in[a].stride / sizeof(float);
    if (stride[a] == 0) {
      for (size_t i = 0; i < n * QUATSIMD_MOST_LANES; i++) repeated[a][i] = from[a][i % n];
      from[a] = repeated[a];
    }
  }
  return call(to, from, stride, count);
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

quatsimd_status quatsimd_run(quatsimd_operation operation, const quatsimd_variant *variant,
                             const quatsimd_out *outs, const quatsimd_in *ins, size_t count) {
  const shape *s = &shapes[operation];
  quatsimd_operand out[MAX_OUTPUTS], in[MAX_INPUTS];
  if (count == 0) return QUATSIMD_OK;
  int outputs = 0, inputs = 0;
  for (; s->out[outputs]; outputs++) {
    if (!quatsimd_resolve_out(&out[outputs], s->out[outputs], &outs[outputs]))
      return QUATSIMD_ERROR_BAD_ARGUMENT;
  }
  for (; s->in[inputs]; inputs++) {
    if (!quatsimd_resolve_in(&in[inputs], s->in[inputs], &ins[inputs])) return QUATSIMD_ERROR_BAD_ARGUMENT;
  }

  if ((outputs > 1 || count > 1) && any_collide(outputs, out, inputs, in, count))
    return QUATSIMD_ERROR_BAD_ARGUMENT;

  float in_chunk[MAX_COMPONENTS][QUATSIMD_CHUNK], out_chunk[MAX_COMPONENTS][QUATSIMD_CHUNK];
  quatsimd_operation_fn *const call = quatsimd_active_kernels()->operation[operation];
  const size_t first = run_aos(quatsimd_active_kernels()->aos[operation], outputs, out, inputs, in, count);
  for (size_t i = first; i < count; i += QUATSIMD_CHUNK) {
    const size_t n = quatsimd_chunk(i, count);
    const size_t room = quatsimd_room(n);
    const float *from[MAX_COMPONENTS] = {NULL};
    float *to[MAX_COMPONENTS] = {NULL};
    int k = 0;
    for (int a = 0; a < inputs; k += in[a++].components) {
      const bool in_place = in[a].arrays && n == room;
      if (!in_place && (in[a].stride != 0 || i == first)) /* an only one is the same in every chunk */
        quatsimd_gather(&in[a], i, in[a].stride == 0 ? 1 : n, room, in_chunk + k);
      for (int c = 0; c < in[a].components; c++)
        from[k + c] = in_place ? (const float *)(const void *)in[a].component[c] + i : in_chunk[k + c];
    }
    k = 0;
    for (int a = 0; a < outputs; k += out[a++].components)
      for (int c = 0; c < out[a].components; c++)
        to[k + c] =
            out[a].arrays && n == room ? (float *)(uintptr_t)out[a].component[c] + i : out_chunk[k + c];
    if (variant) {
      const float *const given[3] = {from[0], from[1], from[2]};
      float *const wanted[3] = {to[0], to[1], to[2]};
      for (int j = 0; j < 3; j++) from[j] = given[variant->in[j]], to[j] = wanted[variant->out[j]];
    }
    call(variant ? variant->param : 0, to, from, room);
    k = 0;
    for (int a = 0; a < outputs; k += out[a++].components)
      if (!out[a].arrays || n != room) quatsimd_scatter(&out[a], i, n, out_chunk + k);
  }
  return QUATSIMD_OK;
}
