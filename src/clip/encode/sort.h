/* Sorts by heap sort, because qsort may allocate. */
#ifndef QUATSIMD_CLIP_SORT_H
#define QUATSIMD_CLIP_SORT_H

#include <stdbool.h>
#include <stddef.h>

/* Sorts items of at most 8 bytes in place. is_before must be a strict order. */
void quatsimd_sort(void *items, size_t count, size_t size, bool (*is_before)(const void *, const void *));

#endif
