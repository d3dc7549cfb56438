/* Memory between two pages that must not be touched; arrays are placed at one end or the other. */
#ifndef QUATSIMD_TESTS_GUARDED_H
#define QUATSIMD_TESTS_GUARDED_H

#include <stddef.h>

typedef struct arena {
  unsigned char *begin, *end;
} arena;

/* Of at least `size` bytes, for as long as the program runs. */
arena arena_new(size_t size);

#endif
