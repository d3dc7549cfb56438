#include "base/glob.h"

#include <stddef.h>

/* The first byte of the next character. */
static const char *next(const char *s) {
  for (s++; ((unsigned char)*s & 0xc0) == 0x80;) s++;
  return s;
}

/* Only the last * need be tried again: those before it have the shortest that fits. */
bool glob_matches(const char *pattern, const char *name) {
  const char *star = NULL, *again = NULL; /* behind the last *, and where what it stands for ends */
  while (*name || *pattern) {
    if (*pattern == '*') {
      star = ++pattern, again = name;
    } else if (*name && *pattern == '?') {
      pattern++, name = next(name);
    } else if (*name && *pattern == *name) {
      pattern++, name++;
    } else if (star && *again) {
      again = name = next(again);
      pattern = star;
    } else return false;
  }
  return true;
}
