/* Views of memory: where the elements of an array are, for everything that reads or writes arrays. */
#ifndef QUATSIMD_VIEW_H
#define QUATSIMD_VIEW_H

#include <stddef.h>
#include <stdint.h>

/* Where the elements of an array are. Made by the functions below. */
typedef struct quatsimd_in {
  const float *x, *y, *z, *w; /* y, z, w: of QUATSIMD_PARTS alone, otherwise the components follow x */
  /* bytes from one element to the next; QUATSIMD_TIGHT: none between them; QUATSIMD_PARTS: soa */
  size_t step;
} quatsimd_in;
/* The same of what is written. */
typedef struct quatsimd_out {
  float *x, *y, *z, *w; /* as in quatsimd_in */
  size_t step;          /* as in quatsimd_in */
} quatsimd_out;
/* As a step: the size of an element. */
#define QUATSIMD_TIGHT ((size_t)-1)
/* As a step: an array for each component. */
#define QUATSIMD_PARTS ((size_t)-2)

/* Elements inside larger structs, step_bytes from one to the next. */
static inline quatsimd_in quatsimd_strided(const float *first, size_t step_bytes) {
  quatsimd_in s = {first, NULL, NULL, NULL, 0};
  s.step = step_bytes;
  return s;
}
/* Elements one behind the other: x y z w x y z w ... */
static inline quatsimd_in quatsimd_aos(const float *first) { return quatsimd_strided(first, QUATSIMD_TIGHT); }
/* One element for all the others. */
static inline quatsimd_in quatsimd_one(const float *element) { return quatsimd_strided(element, 0); }
/* An array for each component; those that the elements do not have are null. */
static inline quatsimd_in quatsimd_soa(const float *x, const float *y, const float *z, const float *w) {
  quatsimd_in s = {NULL, NULL, NULL, NULL, QUATSIMD_PARTS};
  s.x = x, s.y = y, s.z = z, s.w = w;
  return s;
}
/* As quatsimd_strided, to be written. */
static inline quatsimd_out quatsimd_strided_out(float *first, size_t step_bytes) {
  quatsimd_out t = {NULL, NULL, NULL, NULL, 0};
  t.x = first, t.step = step_bytes;
  return t;
}
/* As quatsimd_aos, to be written. */
static inline quatsimd_out quatsimd_aos_out(float *first) {
  return quatsimd_strided_out(first, QUATSIMD_TIGHT);
}
/* As quatsimd_soa, to be written. */
static inline quatsimd_out quatsimd_soa_out(float *x, float *y, float *z, float *w) {
  quatsimd_out t = {NULL, NULL, NULL, NULL, QUATSIMD_PARTS};
  t.x = x, t.y = y, t.z = z, t.w = w;
  return t;
}

#endif
