#include "clip/encode/sort.h"

#include <string.h>

typedef struct heap {
  char *items;
  size_t size;
  bool (*is_before)(const void *, const void *);
} heap;

static void *item(const heap *h, size_t i) { return h->items + i * h->size; }

static void swap(const heap *h, size_t i, size_t j) {
  char kept[8];
  memcpy(kept, item(h, i), h->size);
  memcpy(item(h, i), item(h, j), h->size);
  memcpy(item(h, j), kept, h->size);
}

/* Restores the heap below item `at`. The heap's top is the item that comes last in order. */
static void sift(const heap *h, size_t at, size_t count) {
  for (size_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && h->is_before(item(h, child), item(h, child + 1))) child++;
    if (!h->is_before(item(h, at), item(h, child))) return;
    swap(h, at, child);
  }
}

void quatsimd_sort(void *items, size_t count, size_t size, bool (*is_before)(const void *, const void *)) {
  const heap h = {items, size, is_before};
  for (size_t i = count / 2; i-- > 0;) sift(&h, i, count);
  for (size_t n = count; n-- > 1;) {
    swap(&h, 0, n);
    sift(&h, 0, n);
  }
}
