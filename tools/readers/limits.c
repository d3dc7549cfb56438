#include "readers/limits.h"

#include <stdint.h>

struct reader_limits reader_limits = {4, 300, false};

size_t reader_memory(void) {
  const double bytes = reader_limits.gigabytes * 0x1p30;
  return bytes > 0 && bytes < (double)SIZE_MAX ? (size_t)bytes : SIZE_MAX;
}
