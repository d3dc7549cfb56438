#include "clip/encode/append.h"

#include "clip/encode/memory.h"

unsigned char *quatsimd_clip_append(clip_bytes *bytes, size_t size) {
  if (bytes->failed) return NULL;
  if (size > bytes->capacity - bytes->size) {
    const size_t capacity = bytes->capacity + bytes->capacity / 8 + size + 1024;
    unsigned char *grown = capacity > bytes->capacity ? quatsimd_allocate(bytes->allocator, capacity) : NULL;
    if (!grown) {
      bytes->failed = true;
      return NULL;
    }
    if (bytes->size) memcpy(grown, bytes->data, bytes->size);
    quatsimd_clip_free(bytes->allocator, bytes->data);
    bytes->data = grown, bytes->capacity = capacity;
  }
  unsigned char *p = bytes->data + bytes->size;
  bytes->size += size;
  return memset(p, 0, size);
}
