#include "base/arena.h"

#include <cJSON.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/text.h"

enum { ALIGNMENT = _Alignof(max_align_t), BLOCK = 1 << 18 }; /* bytes */

struct block {
  struct block *before;
  size_t used, size;
  max_align_t bytes[];
};
static struct block *last;

static void *take(size_t size) {
  size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (!last || last->size - last->used < size) {
    const size_t room = size > BLOCK ? size : BLOCK;
    struct block *block = memory_or_exit(malloc(sizeof *block + room));
    *block = (struct block){last, 0, room};
    last = block;
  }
  void *taken = (char *)last->bytes + last->used;
  last->used += size;
  return taken;
}

static void keep(void *taken) { (void)taken; }

void arena_use(void) { cJSON_InitHooks(&(cJSON_Hooks){take, keep}); }

void arena_empty(void) {
  while (last) {
    struct block *before = last->before;
    free(last);
    last = before;
  }
}
