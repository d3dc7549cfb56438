/* Memory of the encoder: taken piece by piece, given back at once. */
#ifndef QUATSIMD_CLIP_MEMORY_H
#define QUATSIMD_CLIP_MEMORY_H

#include <stddef.h>

#include "quatsimd/clip.h"

typedef struct quatsimd_memory {
  const quatsimd_allocator *allocator;
  struct piece *last;
} quatsimd_memory;

/* count * size bytes, zeros, until quatsimd_release; null if there are none. */
void *quatsimd_take(quatsimd_memory *memory, size_t count, size_t size);
/* Gives back all that was taken since `mark` was memory->last, which it is again. */
void quatsimd_release(quatsimd_memory *memory, struct piece *mark);

void *quatsimd_allocate(const quatsimd_allocator *allocator, size_t size);

#endif
