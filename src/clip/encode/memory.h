/* The encoder's memory: taken piece by piece, released together. */
#ifndef QUATSIMD_CLIP_MEMORY_H
#define QUATSIMD_CLIP_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "quatsimd/clip.h"

typedef struct quatsimd_memory {
  const quatsimd_allocator *allocator;
  struct piece *last;
} quatsimd_memory;

/* Takes count * size zero bytes, which last until quatsimd_release. Returns null if memory runs out. */
void *quatsimd_take(quatsimd_memory *memory, size_t count, size_t size);
/* Releases everything that was taken since memory->last was `mark`. */
void quatsimd_release(quatsimd_memory *memory, struct piece *mark);

void *quatsimd_allocate(const quatsimd_allocator *allocator, size_t size);

/* True if memory can be had: both functions are given, or there is no allocator and malloc is used. */
bool quatsimd_is_allocator(const quatsimd_allocator *allocator);
#define CLIP_NO_ALLOCATOR "allocate or release of the allocator is null"

#endif
