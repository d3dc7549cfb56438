/* malloc and free, for size: streams are few, large blocks. Free blocks are in a list, in the order of their
 * addresses; neighbours become one block. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { PAGE = 65536 };

typedef struct block {
  size_t size; /* with this header */
  struct block *next;
} block;

static block *list;

void free(void *memory) {
  block *const freed = (block *)memory - 1, **at = &list, *before = NULL;
  if (!memory) return;
  for (; *at && *at < freed; at = &(*at)->next) before = *at;
  freed->next = *at, *at = freed;
  if ((char *)freed + freed->size == (char *)freed->next)
    freed->size += freed->next->size, freed->next = freed->next->next;
  if (before && (char *)before + before->size == (char *)freed)
    before->size += freed->size, before->next = freed->next;
}

/* Adds memory from one address to another to the list. */
static void add(uintptr_t from, uintptr_t to) {
  block *const all = (block *)from;
  all->size = to - from;
  free(all + 1);
}

void *malloc(size_t size) {
  extern unsigned char __heap_base;
  static char begun;
  const size_t needed = (size + sizeof(block) + 7) / 8 * 8, pages = needed / PAGE + 1;
  const uintptr_t end = __builtin_wasm_memory_size(0) * PAGE;
  if (needed < size) return NULL;
  if (!begun) begun = 1, add(((uintptr_t)&__heap_base + 7) / 8 * 8, end);
  for (block **at = &list; *at; at = &(*at)->next) {
    block *const found = *at, *const rest = (block *)((char *)found + needed);
    if (found->size < needed) continue;
    *at = found->next;
    if (found->size - needed >= sizeof(block)) {
      rest->size = found->size - needed, rest->next = found->next, *at = rest;
      found->size = needed;
    }
    return found + 1;
  }
  if (__builtin_wasm_memory_grow(0, pages) == SIZE_MAX) return NULL;
  add(end, end + pages * PAGE);
  return malloc(size);
}
