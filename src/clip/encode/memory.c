#include "clip/encode/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct piece {
  struct piece *before;
  /* doubles need this alignment, also where pointers have 4 bytes */
  _Alignas(8) unsigned char content[];
};

void *quatsimd_allocate(const quatsimd_allocator *allocator, size_t size) {
  return allocator ? allocator->allocate(allocator->context, size) : malloc(size);
}

void quatsimd_clip_free(const quatsimd_allocator *allocator, void *data) {
  if (!allocator) free(data);
  else if (allocator->release) allocator->release(allocator->context, data);
}

bool quatsimd_is_allocator(const quatsimd_allocator *allocator) {
  return !allocator || (allocator->allocate && allocator->release);
}

void *quatsimd_take(quatsimd_memory *memory, size_t count, size_t size) {
  if (size != 0 && count > (SIZE_MAX - sizeof(struct piece)) / size) return NULL;
  struct piece *piece = quatsimd_allocate(memory->allocator, sizeof *piece + count * size);
  if (!piece) return NULL;
  piece->before = memory->last;
  memory->last = piece;
  return memset(piece->content, 0, count * size);
}

void quatsimd_release(quatsimd_memory *memory, struct piece *mark) {
  while (memory->last != mark) {
    struct piece *before = memory->last->before;
    quatsimd_clip_free(memory->allocator, memory->last);
    memory->last = before;
  }
}
