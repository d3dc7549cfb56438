#include "base/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "base/text.h"

/* Longer messages are cut. Subjects and details are bytes from outside: they are made harmless to a
 * terminal. To be freed. */
static char *clean_formatted(const char *format, va_list arguments) {
  char line[2048];
  vsnprintf(line, sizeof line, format, arguments);
  return text_clean(line);
}

void complain(const char *subject, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *clean = text_clean(*subject ? subject : "\"\""), *what = clean_formatted(format, arguments);
  const size_t size = strlen(clean) + strlen(what) + 32;
  char *line = memory_get(size, 1);
  snprintf(line, size, "%squatsimd: %s: %s\n", progress_taken_away(), clean, what);
  fputs(line, stderr); /* in one piece: other processes have messages, too */
  free(line), free(what), free(clean);
  va_end(arguments);
}

int usage_error(const char *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *what = clean_formatted(format, arguments);
  fprintf(stderr, "quatsimd%s%s: %s\nTry `quatsimd help%s%s`.\n", command ? " " : "", command ? command : "",
          what, command ? " " : "", command ? command : "");
  free(what);
  va_end(arguments);
  return STATUS_BAD_USAGE;
}
