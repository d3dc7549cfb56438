/* Arguments of rotation.h, qtangent.h and relative.h, whatever their layout, as chunks of arrays of
 * components. */
#ifndef QUATSIMD_OPERANDS_H
#define QUATSIMD_OPERANDS_H

#include "core/arithmetic.h"
#include "core/dispatch.h"
#include "quatsimd/rotation.h"
#include "quatsimd/view.h"

/* An argument with its step and the addresses of its components resolved. */
typedef struct quatsimd_operand {
  const char *component[4]; /* of the first element; matrices have more, which follow the first one */
  size_t step;
  int components;
  bool soa; /* components are arrays of their own */
} quatsimd_operand;

/* False if pointers or the step are not what rotation.h asks for. */
bool quatsimd_resolve_in(quatsimd_operand *o, int components, const quatsimd_in *source);
bool quatsimd_resolve_out(quatsimd_operand *o, int components, const quatsimd_out *target);

/* n elements from the i-th on, to arrays of components; room for them, room >= n, is filled with the last
 * one. And back. */
void quatsimd_gather(const quatsimd_operand *o, size_t i, size_t n, size_t room, float (*to)[QUATSIMD_CHUNK]);
void quatsimd_scatter(const quatsimd_operand *o, size_t i, size_t n, float (*from)[QUATSIMD_CHUNK]);

/* An operation's param, and the first three components of its first input and its first output in another
 * order: the operation's component j is number in[j] or out[j] of the argument. */
typedef struct quatsimd_variant {
  int param;
  unsigned char in[3], out[3];
} quatsimd_variant;

/* All of an operation, with as many targets and sources as operations.def says. variant: null for param 0
 * and the order as it is. */
quatsimd_status quatsimd_run(quatsimd_operation operation, const quatsimd_variant *variant,
                             const quatsimd_out *targets, const quatsimd_in *sources, size_t count);

/* An output that begins where an input does but has other steps: from the second element on it would
 * overwrite what is still to be read. */
static inline bool quatsimd_collide(const quatsimd_operand *out, const quatsimd_operand *in, size_t count) {
  return count > 1 && out->component[0] == in->component[0] && out->step != in->step;
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
