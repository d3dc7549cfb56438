/* Where values are in the text of JSON: for those that must stay as they are written, digit by digit. The
 * text is one that cJSON takes. */
#ifndef JSON_SPAN_H
#define JSON_SPAN_H

#include <stddef.h>

struct json_span {
  const char *text; /* null: there is none */
  size_t length;
};

/* The member of an object, or nothing. */
struct json_span json_span_member(struct json_span object, const char *name);

/* The items of an array, or the values of an object, one after another: the first one behind an empty span,
 * then that behind the last. */
struct json_span json_span_next(struct json_span in, struct json_span last);

#endif
