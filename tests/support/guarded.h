/* Memory between two pages whose use is an error. Arrays are placed at one end or the other. */
#ifndef QUATSIMD_TESTS_GUARDED_H
#define QUATSIMD_TESTS_GUARDED_H

#include <stddef.h>

typedef struct arena {
  unsigned char *begin, *end;
} arena;

/* Returns at least `size` bytes, which stay as long as the program runs. */
arena arena_new(size_t size);

#endif
