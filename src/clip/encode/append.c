#include "clip/encode/append.h"

#include "clip/encode/memory.h"

unsigned char *quatsimd_clip_append(clip_bytes *bytes, size_t size) {
  if (bytes->failed) return NULL;
  if (size > bytes->room - bytes->size) {
    const size_t room = bytes->room + bytes->room / 8 + size + 1024;
    unsigned char *grown = room > bytes->room ? quatsimd_allocate(bytes->allocator, room) : NULL;
    if (!grown) {
      bytes->failed = true;
      return NULL;
    }
    if (bytes->size) memcpy(grown, bytes->data, bytes->size);
    quatsimd_clip_free(bytes->allocator, bytes->data);
    bytes->data = grown, bytes->room = room;
  }
  unsigned char *p = bytes->data + bytes->size;
  bytes->size += size;
  return memset(p, 0, size);
}
