/* Memory between two guard pages. Any access to these pages faults. */
#ifndef QUATSIMD_TESTS_GUARDED_H
#define QUATSIMD_TESTS_GUARDED_H

#include <stddef.h>

typedef struct arena {
  unsigned char *begin, *end;
} arena;

/* Returns at least `size` bytes between guard pages. This memory is never freed. */
arena arena_new(size_t size);

#endif
