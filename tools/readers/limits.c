#include "readers/limits.h"

#include <stdio.h>

#include "terminal/message.h"

struct reader_limits reader_limits = {4, 300, false, "--reader-memory", "--reader-seconds"};

uint64_t reader_memory(void) {
  const double bytes = reader_limits.gigabytes * 0x1p30;
  return bytes > 0 && bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX;
}

const char *reader_over_memory(void) {
  static char text[100];
  snprintf(text, sizeof text, "takes more than %g GB of memory (%s allows more)", reader_limits.gigabytes,
           reader_limits.memory_option);
  return text;
}

bool reader_spend(const char *path, uint64_t *spent, uint64_t bytes) {
  const bool good = *spent <= reader_memory() && bytes <= reader_memory() - *spent;
  *spent += bytes;
  return good || complain(path, "%s", reader_over_memory());
}
