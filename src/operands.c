/* Layouts: transposes between whatever callers have and arrays of components. */
#include "operands.h"

#include <string.h>

static bool resolve(quatsimd_operand *o, int components, const float *x, const float *y, const float *z, const float *w, size_t step,
                    bool is_output) {
  *o = (quatsimd_operand){{(const char *)x, (const char *)y, (const char *)z, (const char *)w}, step, components, y != NULL};
  const size_t bytes = (size_t)components * sizeof(float);
  if (o->step == QUATSIMD_TIGHT) o->step = bytes;
  if (components == 1 && o->step == sizeof(float)) o->soa = true;
  if (!x || (o->soa && (components > 4 || o->step != sizeof(float)))) return false;
  for (int c = 1; c < components && c < 4; c++) {
    if (!o->soa) o->component[c] = (const char *)(x + c);
    if (!o->component[c]) return false;
  }
  return o->step % sizeof(float) == 0 && o->step <= PTRDIFF_MAX && (!is_output || o->soa || o->step >= bytes);
}

/* n elements, of which some first ones are there; room for them is filled with the last one. */
static inline void gather_components(const char *from, size_t first, size_t n, size_t room, int components, size_t step,
                                     float (*restrict to)[QUATSIMD_CHUNK]) {
  for (size_t e = first; e < n; e++)
    for (int c = 0; c < components; c++) to[c][e] = *(const float *)(const void *)(from + e * step + (size_t)c * sizeof(float));
  for (size_t e = n; e < room; e++)
    for (int c = 0; c < components; c++) to[c][e] = to[c][n - 1];
}

/* Compilers do not find the shuffles for tight vectors of three. */
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define TRANSPOSE3
typedef float float4 __attribute__((vector_size(16)));
#define SHUFFLE __builtin_shufflevector

static size_t gather3(const char *from, size_t n, float (*restrict to)[QUATSIMD_CHUNK]) {
  size_t e = 0;
  for (; e + 4 <= n; e += 4, from += 48) {
    float4 v[3]; /* x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3 */
    memcpy(v, from, sizeof v);
    const float4 x = SHUFFLE(v[0], SHUFFLE(v[1], v[2], 2, 2, 5, 5), 0, 3, 4, 6);
    const float4 y = SHUFFLE(SHUFFLE(v[0], v[1], 1, 1, 4, 4), SHUFFLE(v[1], v[2], 3, 3, 6, 6), 0, 2, 4, 6);
    const float4 z = SHUFFLE(SHUFFLE(v[0], v[1], 2, 2, 5, 5), v[2], 0, 2, 4, 7);
    memcpy(&to[0][e], &x, 16), memcpy(&to[1][e], &y, 16), memcpy(&to[2][e], &z, 16);
  }
  return e;
}

static size_t scatter3(char *to, size_t n, float (*restrict from)[QUATSIMD_CHUNK]) {
  size_t e = 0;
  for (; e + 4 <= n; e += 4, to += 48) {
    float4 x, y, z;
    memcpy(&x, &from[0][e], 16), memcpy(&y, &from[1][e], 16), memcpy(&z, &from[2][e], 16);
    const float4 v[3] = {SHUFFLE(SHUFFLE(x, y, 0, 0, 4, 4), SHUFFLE(z, x, 0, 0, 5, 5), 0, 2, 4, 6),
                         SHUFFLE(SHUFFLE(y, z, 1, 1, 5, 5), SHUFFLE(x, y, 2, 2, 6, 6), 0, 2, 4, 6),
                         SHUFFLE(SHUFFLE(z, x, 2, 2, 7, 7), SHUFFLE(y, z, 3, 3, 7, 7), 0, 2, 4, 6)};
    memcpy(to, v, sizeof v);
  }
  return e;
}
#endif
#endif
#ifndef TRANSPOSE3
static size_t gather3(const char *from, size_t n, float (*to)[QUATSIMD_CHUNK]) { return (void)from, (void)n, (void)to, (size_t)0; }
static size_t scatter3(char *to, size_t n, float (*from)[QUATSIMD_CHUNK]) { return (void)to, (void)n, (void)from, (size_t)0; }
#endif

void quatsimd_gather(const quatsimd_operand *o, size_t i, size_t n, size_t room, float (*to)[QUATSIMD_CHUNK]) {
  const char *from = o->component[0] + i * o->step;
  if (o->soa) {
    for (int c = 0; c < o->components; c++)
      gather_components(o->component[c] + i * sizeof(float), 0, n, room, 1, sizeof(float), to + c);
  } else if (o->components == 4 && o->step == 16) {
    const size_t done = quatsimd_active_kernels()->split((float *[]){to[0], to[1], to[2], to[3]}, (const float *)(const void *)from, n);
    gather_components(from, done, n, room, 4, 16, to);
  } else if (o->components == 3 && o->step == 12) {
    gather_components(from, gather3(from, n, to), n, room, 3, 12, to);
  } else {
    gather_components(from, 0, n, room, o->components, o->step, to);
  }
}

static inline void scatter_components(char *to, size_t first, size_t n, int components, size_t step,
                                      float (*restrict from)[QUATSIMD_CHUNK]) {
  for (size_t e = first; e < n; e++)
    for (int c = 0; c < components; c++) *(float *)(void *)(to + e * step + (size_t)c * sizeof(float)) = from[c][e];
}

void quatsimd_scatter(const quatsimd_operand *o, size_t i, size_t n, float (*from)[QUATSIMD_CHUNK]) {
  char *to = (char *)(uintptr_t)o->component[0] + i * o->step;
  if (o->soa) {
    for (int c = 0; c < o->components; c++)
      scatter_components((char *)(uintptr_t)o->component[c] + i * sizeof(float), 0, n, 1, sizeof(float), from + c);
  } else if (o->components == 4 && o->step == 16) {
    const size_t done = quatsimd_active_kernels()->join((float *)(void *)to, (const float *[]){from[0], from[1], from[2], from[3]}, n);
    scatter_components(to, done, n, 4, 16, from);
  } else if (o->components == 3 && o->step == 12) {
    scatter_components(to, scatter3(to, n, from), n, 3, 12, from);
  } else {
    scatter_components(to, 0, n, o->components, o->step, from);
  }
}

bool quatsimd_resolve_source(quatsimd_operand *o, int components, const quatsimd_source *s) {
  return resolve(o, components, s->x, s->y, s->z, s->w, s->step, false);
}

bool quatsimd_resolve_target(quatsimd_operand *o, int components, const quatsimd_target *t) {
  return resolve(o, components, t->x, t->y, t->z, t->w, t->step, true);
}
