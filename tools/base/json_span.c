#include "base/json_span.h"

#include <stdbool.h>
#include <string.h>

static const struct json_span nothing;

/* Of bytes up to the end: cJSON takes all below a space for one, and what comes first may be a mark. */
static const char *skip_space(const char *s, const char *end) {
  while (s < end && (unsigned char)*s <= ' ') s++;
  return s;
}

static const char *skip_string(const char *s, const char *end) {
  for (s++; s < end && *s != '"'; s++)
    if (*s == '\\') s++;
  return s < end ? s + 1 : end;
}

static const char *skip_value(const char *s, const char *end) {
  size_t depth = 0;
  do {
    if (s >= end) return end;
    if (*s == '"') s = skip_string(s, end);
    else if (*s == '{' || *s == '[') depth++, s++;
    else if (*s == '}' || *s == ']') depth--, s++;
    else if (depth == 0)
      while (s < end && (unsigned char)*s > ' ' && !strchr(",]}", *s)) s++;
    else s++;
  } while (depth > 0);
  return s;
}

static struct json_span value_at(const char *s, const char *end) {
  return (struct json_span){s, (size_t)(skip_value(s, end) - s)};
}

struct json_span json_span_member(struct json_span object, const char *name) {
  const size_t length = strlen(name);
  const char *end = object.text + object.length,
             *s = object.text ? memchr(object.text, '{', object.length) : NULL;
  if (!s) return nothing;
  for (s = skip_space(s + 1, end); s < end && *s == '"';) {
    const char *key = s + 1;
    s = skip_string(s, end);
    const bool found = (size_t)(s - key) == length + 1 && memcmp(key, name, length) == 0;
    s = skip_space(s, end);
    if (s < end && *s == ':') s = skip_space(s + 1, end);
    if (found) return value_at(s, end);
    s = skip_space(skip_value(s, end), end);
    if (s < end && *s == ',') s = skip_space(s + 1, end);
  }
  return nothing;
}

struct json_span json_span_next(struct json_span in, struct json_span last) {
  if (!in.text || in.length == 0 || (*in.text != '[' && *in.text != '{')) return nothing;
  const char *end = in.text + in.length,
             *s = skip_space(last.text ? last.text + last.length : in.text + 1, end);
  if (last.text && s < end && *s == ',') s = skip_space(s + 1, end);
  if (*in.text == '{' && s < end && *s == '"') {
    s = skip_space(skip_string(s, end), end);
    if (s < end && *s == ':') s = skip_space(s + 1, end);
  }
  return s < end && *s != ']' && *s != '}' ? value_at(s, end) : nothing;
}
