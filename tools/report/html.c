#include "report/html.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void html_put(struct output *o, const char *markup) { output_write(o, markup, strlen(markup)); }

void html_print(struct output *o, const char *format, ...) {
  char text[1000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  html_put(o, text);
}

void html_text(struct output *o, const char *text) {
  char *clean = text_clean(text);
  for (const char *s = clean; *s; s++) {
    if (*s == '<') html_put(o, "&lt;");
    else if (*s == '>') html_put(o, "&gt;");
    else if (*s == '&') html_put(o, "&amp;");
    else if (*s == '"') html_put(o, "&quot;");
    else if (*s == '\'') html_put(o, "&#39;");
    else output_write(o, s, 1);
  }
  free(clean);
}
