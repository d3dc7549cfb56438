/* HTML and SVG, written piece by piece. */
#ifndef HTML_H
#define HTML_H

#include "base/message.h"
#include "base/output.h"

/* As it is. */
void html_put(struct output *o, const char *markup);
/* Of numbers and names of our own; what is longer than 1,000 bytes is cut. */
void html_print(struct output *o, const char *format, ...) PRINTF_LIKE(2, 3);
/* A text from outside, cleaned (text_clean) and escaped, for elements and attributes. */
void html_text(struct output *o, const char *text);

#endif
