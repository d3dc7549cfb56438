#include "terminal/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "terminal/print.h"
#include "terminal/progress.h"

static _Thread_local struct messages *kept;

struct messages *messages_keep(struct messages *messages) {
  struct messages *before = kept;
  kept = messages;
  return before;
}

static void keep(const char *line) {
  const size_t length = strlen(line);
  char *longer = memory_get(kept->size + length + 1, 1);
  if (kept->size > 0) memcpy(longer, kept->text, kept->size);
  memcpy(longer + kept->size, line, length);
  free(kept->text);
  kept->text = longer, kept->size += length;
}

void messages_print(const struct messages *messages) {
  if (messages->size > 0 && kept) keep(messages->text);
  else if (messages->size > 0) fprintf(print_errors(), "%s%s", progress_taken_away(), messages->text);
}

void messages_free(struct messages *messages) {
  free(messages->text);
  *messages = (struct messages){0};
}

/* Subjects and details are bytes from outside: they are made harmless to a terminal. */
bool complain(const char *subject, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *clean = text_clean(*subject ? subject : "\"\""), *what = text_clean_formatted(format, arguments);
  const size_t size = strlen(clean) + strlen(what) + 32;
  char *line = memory_get(size, 1);
  snprintf(line, size, "%squatsimd: %s: %s\n", kept ? "" : progress_taken_away(), clean, what);
  if (kept) keep(line);
  else fputs(line, print_errors()); /* in one piece: other processes have messages, too */
  free(line), free(what), free(clean);
  va_end(arguments);
  return false;
}

int usage_error(const char *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *what = text_clean_formatted(format, arguments);
  fprintf(print_errors(), "quatsimd%s%s: %s\nTry `quatsimd help%s%s`.\n", command ? " " : "",
          command ? command : "", what, command ? " " : "", command ? command : "");
  free(what);
  va_end(arguments);
  return STATUS_BAD_USAGE;
}
