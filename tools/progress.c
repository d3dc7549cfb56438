#include "progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

static bool visible;

void progress_show(const char *doing, size_t done, size_t total, const char *current) {
  if (!isatty(STDERR_FILENO)) return;
  const char *slash = strrchr(current, '/');
  char *name = text_clean(slash ? slash + 1 : current);
  fprintf(stderr, "\r\033[K%s %zu of %zu: %.40s", doing, done + 1, total, name); /* fits 80 columns */
  fflush(stderr);
  free(name);
  visible = true;
}

void progress_clear(void) {
  if (visible) fputs("\r\033[K", stderr);
  visible = false;
}
