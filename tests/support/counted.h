/* An allocator that counts, returns memory that is not zero, and fails when a test asks it to fail. */
#ifndef TESTS_COUNTED_H
#define TESTS_COUNTED_H

#include "quatsimd/clip.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct counted_memory {
  size_t from, to;      /* the allocations with numbers `from` to `to` - 1 fail; numbers begin at 0 */
  size_t asked, pieces; /* number of calls so far, and number of pieces that are not freed */
  size_t bytes, most;   /* current number of allocated bytes, and its maximum */
} counted_memory;

typedef union counted_piece {
  size_t size;
  max_align_t aligned;
} counted_piece;

static void *counted_allocate(void *context, size_t size) {
  counted_memory *m = context;
  const size_t number = m->asked++;
  counted_piece *p = number >= m->from && number < m->to ? NULL : malloc(sizeof *p + size);
  if (!p) return NULL;
  p->size = size, m->pieces++, m->bytes += size;
  if (m->bytes > m->most) m->most = m->bytes;
  return memset(p + 1, 0xa5, size);
}

static void counted_release(void *context, void *memory) {
  counted_memory *m = context;
  if (!memory) return;
  counted_piece *p = (counted_piece *)memory - 1;
  m->pieces--, m->bytes -= p->size;
  free(p);
}

static inline quatsimd_allocator counted_allocator(counted_memory *m) {
  return (quatsimd_allocator){counted_allocate, counted_release, m};
}

#endif
