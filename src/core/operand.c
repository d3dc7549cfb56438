/* Layouts: transposes between whatever callers have and arrays of components. */
#include "core/operand.h"

#include <string.h>

static bool resolve(quatsimd_operand *o, int components, const float *x, const float *y, const float *z,
                    const float *w, size_t step, bool is_output) {
  *o = (quatsimd_operand){{(const char *)x, (const char *)y, (const char *)z, (const char *)w},
                          step,
                          components,
                          step == QUATSIMD_PARTS};
  const size_t bytes = (size_t)components * sizeof(float);
  if (o->step == QUATSIMD_TIGHT) o->step = bytes;
  if (o->soa) o->step = sizeof(float);
  if (components == 1 && o->step == sizeof(float)) o->soa = true;
  if (!x || (o->soa && components > 4)) return false;
  for (int c = 1; c < components && c < 4; c++) {
    if (!o->soa) o->component[c] = (const char *)(x + c);
    if (!o->component[c]) return false;
  }
  return o->step % sizeof(float) == 0 && o->step <= PTRDIFF_MAX && (!is_output || o->soa || o->step >= bytes);
}

/* n elements, of which some first ones are there; room for them is filled with the last one. */
static inline void gather_components(const char *from, size_t first, size_t n, size_t room, int components,
                                     size_t step, float (*restrict to)[QUATSIMD_CHUNK]) {
  for (size_t e = first; e < n; e++)
    for (int c = 0; c < components; c++)
      to[c][e] = *(const float *)(const void *)(from + e * step + (size_t)c * sizeof(float));
  for (size_t e = n; e < room; e++)
    for (int c = 0; c < components; c++) to[c][e] = to[c][n - 1];
}

void quatsimd_gather(const quatsimd_operand *o, size_t i, size_t n, size_t room,
                     float (*to)[QUATSIMD_CHUNK]) {
  const char *from = o->component[0] + i * o->step;
  if (o->soa) {
    for (int c = 0; c < o->components; c++)
      gather_components(o->component[c] + i * sizeof(float), 0, n, room, 1, sizeof(float), to + c);
  } else if (o->components == 4 && o->step == 16) {
    const size_t done = quatsimd_active_kernels()->split4((float *[]){to[0], to[1], to[2], to[3]},
                                                          (const float *)(const void *)from, n);
    gather_components(from, done, n, room, 4, 16, to);
  } else if (o->components == 3 && o->step == 12) {
    const size_t done = quatsimd_active_kernels()->split3((float *[]){to[0], to[1], to[2]},
                                                          (const float *)(const void *)from, n);
    gather_components(from, done, n, room, 3, 12, to);
  } else if (o->components == 3) { /* constants make better loops */
    gather_components(from, 0, n, room, 3, o->step, to);
  } else if (o->components == 1) {
    gather_components(from, 0, n, room, 1, o->step, to);
  } else {
    gather_components(from, 0, n, room, o->components, o->step, to);
  }
}

static inline void scatter_components(char *to, size_t first, size_t n, int components, size_t step,
                                      float (*restrict from)[QUATSIMD_CHUNK]) {
  for (size_t e = first; e < n; e++)
    for (int c = 0; c < components; c++)
      *(float *)(void *)(to + e * step + (size_t)c * sizeof(float)) = from[c][e];
}

void quatsimd_scatter(const quatsimd_operand *o, size_t i, size_t n, float (*from)[QUATSIMD_CHUNK]) {
  char *to = (char *)(uintptr_t)o->component[0] + i * o->step;
  if (o->soa) {
    for (int c = 0; c < o->components; c++)
      scatter_components((char *)(uintptr_t)o->component[c] + i * sizeof(float), 0, n, 1, sizeof(float),
                         from + c);
  } else if (o->components == 4 && o->step == 16) {
    const size_t done = quatsimd_active_kernels()->join4(
        (float *)(void *)to, (const float *[]){from[0], from[1], from[2], from[3]}, n);
    scatter_components(to, done, n, 4, 16, from);
  } else if (o->components == 3 && o->step == 12) {
    const size_t done = quatsimd_active_kernels()->join3((float *)(void *)to,
                                                         (const float *[]){from[0], from[1], from[2]}, n);
    scatter_components(to, done, n, 3, 12, from);
  } else {
    scatter_components(to, 0, n, o->components, o->step, from);
  }
}

bool quatsimd_resolve_in(quatsimd_operand *o, int components, const quatsimd_in *s) {
  return resolve(o, components, s->x, s->y, s->z, s->w, s->step, false);
}

bool quatsimd_resolve_out(quatsimd_operand *o, int components, const quatsimd_out *t) {
  return resolve(o, components, t->x, t->y, t->z, t->w, t->step, true);
}
