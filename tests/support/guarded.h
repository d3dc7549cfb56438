/* Memory between two guard pages, at which any access faults. Tests place arrays at its beginning or its
 * end. */
#ifndef QUATSIMD_TESTS_GUARDED_H
#define QUATSIMD_TESTS_GUARDED_H

#include <stddef.h>

typedef struct arena {
  unsigned char *begin, *end;
} arena;

/* Returns at least `size` bytes. They are never freed. */
arena arena_new(size_t size);

#endif
