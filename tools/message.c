#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "progress.h"
#include "text.h"

/* Subjects and details are bytes from outside: they are made harmless to a terminal first. */
static void print_clean(const char *s) {
  char *clean = text_clean(s);
  fputs(clean, stderr);
  free(clean);
}

static void print_formatted(const char *format, va_list arguments) {
  char line[2048]; /* longer messages are cut */
  vsnprintf(line, sizeof line, format, arguments);
  print_clean(line);
}

void complain(const char *subject, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  progress_clear();
  fputs("quatsimd: ", stderr);
  print_clean(subject);
  fputs(": ", stderr);
  print_formatted(format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}

int usage_error(const char *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "quatsimd%s%s: ", command ? " " : "", command ? command : "");
  print_formatted(format, arguments);
  fprintf(stderr, "\nTry `quatsimd help%s%s`.\n", command ? " " : "", command ? command : "");
  va_end(arguments);
  return STATUS_BAD_USAGE;
}
