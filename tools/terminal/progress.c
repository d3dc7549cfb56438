#include "terminal/progress.h"
#include "terminal/print.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "files/names.h"
#include "system/program.h"

volatile sig_atomic_t progress_drawn;

/* A dumb terminal takes no escapes. */
static bool progress_seen(void) {
  const char *terminal = getenv("TERM");
  return system_terminal() && !(terminal && strcmp(terminal, "dumb") == 0);
}

void progress_show(const char *doing, size_t done, size_t total, const char *current) {
  if (!progress_seen()) return;
  char *name = text_clean(names_file(current));
  /* fits 80 columns */
  fprintf(print_errors(), "\r\033[K%s %zu of %zu: %.*s", doing, done + 1, total, (int)text_cut(name, 40),
          name);
  fflush(print_errors());
  free(name);
  progress_drawn = 1;
}

const char *progress_taken_away(void) {
  const bool away = progress_drawn;
  progress_drawn = 0;
  return away ? "\r\033[K" : "";
}

void progress_clear(void) { fputs(progress_taken_away(), print_errors()); }
