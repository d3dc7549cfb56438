#include "files/letter_cases.h"

#include <stddef.h>
#include <stdint.h>

static const struct run {
  int32_t first, last, step, add;
} runs[] = {
#include "files/letter_cases.def"
};

/* Reads a character; 0 at the end of the text. */
static int32_t next(const char **text) {
  const unsigned char *s = (const unsigned char *)*text;
  const int more = *s < 0xc0 ? 0 : *s < 0xe0 ? 1 : *s < 0xf0 ? 2 : 3;
  int32_t c = more ? *s & (0x3f >> more) : *s;
  for (int i = 1; i <= more; i++) c = c << 6 | (s[i] & 0x3f);
  *text += c ? more + 1 : 0;
  return c;
}

static int32_t capital(int32_t c) {
  if (c < 0x80) return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
  for (size_t i = 0; i < sizeof runs / sizeof *runs && runs[i].first <= c; i++)
    if (c <= runs[i].last && (c - runs[i].first) % runs[i].step == 0) return c + runs[i].add;
  return c;
}

int letter_cases_compare(const char *a, const char *b) {
  int32_t p, q;
  do p = capital(next(&a)), q = capital(next(&b));
  while (p && p == q);
  return (p > q) - (p < q);
}
