#include "terminal/print.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/text.h"

static FILE *to, *errors_to;

void print_to(FILE *output, FILE *errors) { to = output, errors_to = errors; }

FILE *print_output(void) { return to ? to : stdout; }
FILE *print_errors(void) { return errors_to ? errors_to : stderr; }

void print(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(print_output(), format, arguments);
  va_end(arguments);
}

void print_about(const char *subject, const char *format, ...) {
  char *clean = text_clean(subject);
  va_list arguments;
  va_start(arguments, format);
  print("%s: ", clean);
  vfprintf(print_output(), format, arguments);
  va_end(arguments);
  free(clean);
}
