#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/message.h"

/* Bytes of the UTF-8 character at s and its number in *code; 0 if there is none. Stops at the terminating
 * zero, which continues no character. */
static size_t utf8_character(const unsigned char *s, uint32_t *code) {
  /* below that the encoding is overlong */
  static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
  const size_t length = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
  if (length == 0) return 0;
  *code = length == 1 ? s[0] : s[0] & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; i++) {
    if ((s[i] & 0xc0) != 0x80) return 0;
    *code = *code << 6 | (s[i] & 0x3f);
  }
  if (*code < smallest[length] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000)) return 0;
  return length;
}

/* Control characters, C1 among them, and those that turn the direction of text round, so that it reads as
 * another. */
static bool is_control(uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e || code == 0x200f ||
         (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/* bytes: those that are not UTF-8 are written in hexadecimal; else they become U+FFFD. */
static char *clean(const char *s, bool bytes) {
  enum { WRITTEN = 4 };                             /* bytes for one, at the worst */
  static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */
  char *clean = memory_get(WRITTEN * strlen(s) + 1, 1), *out = clean;
  while (*s) {
    uint32_t code;
    const size_t length = utf8_character((const unsigned char *)s, &code);
    if (length == 0 && bytes) {
      snprintf(out, WRITTEN + 1, "\\x%02X",
               (unsigned)(unsigned char)*s); /* so different names stay different */
      out += WRITTEN;
    } else if (length == 0 || is_control(code)) {
      memcpy(out, replacement, 3);
      out += 3;
    } else {
      memcpy(out, s, length);
      out += length;
    }
    s += length ? length : 1;
  }
  *out = 0;
  return clean;
}

char *text_formatted(const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const size_t size = (size_t)vsnprintf(NULL, 0, format, again) + 1;
  va_end(again);
  char *text = memory_get(size, 1);
  vsnprintf(text, size, format, arguments);
  return text;
}

void text_add(struct growing_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *more = text_formatted(format, arguments);
  va_end(arguments);
  const size_t length = text->length + strlen(more);
  if (length >= text->room) {
    text->room = 2 * length + 1;
    char *longer = memory_get(text->room, 1);
    if (text->text) memcpy(longer, text->text, text->length);
    free(text->text);
    text->text = longer;
  }
  memcpy(text->text + text->length, more, length - text->length);
  text->length = length;
  free(more);
}

char *text_clean(const char *s) { return clean(s, true); }

char *text_clean_formatted(const char *format, va_list arguments) {
  char *text = text_formatted(format, arguments), *clean = text_clean(text);
  free(text);
  return clean;
}

char *text_copy(const char *s) { return s ? memcpy(memory_get(strlen(s) + 1, 1), s, strlen(s)) : NULL; }

char *text_clean_json(const char *s) { return clean(s, false); }

bool text_is_utf8(const char *s) {
  uint32_t code;
  for (size_t length; *s; s += length)
    if ((length = utf8_character((const unsigned char *)s, &code)) == 0) return false;
  return true;
}

size_t text_cut(const char *s, size_t most) {
  const size_t length = strlen(s);
  if (length <= most) return length;
  while (most > 0 && ((unsigned char)s[most] & 0xc0) == 0x80) most--;
  return most;
}

const char *text_number(uint64_t n) {
  static _Thread_local char texts[4][28]; /* 20 digits, 6 commas, the zero */
  static _Thread_local unsigned turn;
  char *end = texts[turn++ % 4] + sizeof texts[0] - 1;
  *end = 0;
  for (int digits = 0; digits == 0 || n > 0; digits++, n /= 10) {
    if (digits > 0 && digits % 3 == 0) *--end = ',';
    *--end = (char)('0' + n % 10);
  }
  return end;
}

const char *text_plural(size_t n) { return n == 1 ? "" : "s"; }

const char *text_count(size_t n, const char *noun) {
  static _Thread_local char texts[4][60];
  static _Thread_local unsigned turn;
  char *text = texts[turn++ % 4];
  snprintf(text, sizeof texts[0], "%s %s%s", text_number(n), noun, text_plural(n));
  return text;
}

const char *text_ratio(double before, double now) {
  static _Thread_local char text[400]; /* the largest double has 309 digits */
  const bool larger = now > before;
  snprintf(text, sizeof text, "%.2f times %s", larger ? now / before : before / now,
           larger ? "larger" : "smaller");
  return text;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* From the one to the other, by optimal string alignment. Longer texts than these count as far. */
static size_t changes_between(const char *a, const char *b) {
  enum { MOST = 40 };
  const size_t m = strlen(a), n = strlen(b);
  size_t rows[MOST + 1][MOST + 1];
  if (m > MOST || n > MOST) return MOST;
  for (size_t i = 0; i <= m; i++)
    for (size_t j = 0; j <= n; j++) {
      if (i == 0 || j == 0) {
        rows[i][j] = i + j;
        continue;
      }
      rows[i][j] =
          least(least(rows[i - 1][j], rows[i][j - 1]) + 1, rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        rows[i][j] = least(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  return rows[m][n];
}

void text_guess(struct text_guess *guess, const char *candidate) {
  const size_t length = strlen(guess->word);
  const bool begun = length > 1 && strncmp(candidate, guess->word, length) == 0;
  const size_t changes = begun ? 1 : changes_between(guess->word, candidate);
  if (3 * changes > strlen(candidate) || (*guess->hint && guess->changes <= changes)) return;
  guess->changes = changes;
  snprintf(guess->hint, sizeof guess->hint, "; did you mean %s%s?", guess->before ? guess->before : "",
           candidate);
}

_Thread_local void (*memory_fails)(void);

void *memory_or_exit(void *memory) {
  if (!memory) {
    if (memory_fails) memory_fails();
    fputs("quatsimd: out of memory\n", stderr);
    exit(STATUS_BAD_INPUT);
  }
  return memory;
}

void *memory_try(size_t bytes) {
  void *memory = calloc(bytes, 1);
  if (!memory && memory_fails) memory_fails();
  return memory;
}

void *memory_get(size_t count, size_t size) { return memory_or_exit(calloc(count ? count : 1, size)); }

void *memory_grow(void *array, size_t count, size_t size) {
  if ((count & (count - 1)) != 0) return array;
  void *grown = memory_get(count ? 2 * count : 1, size);
  if (count) memcpy(grown, array, count * size);
  free(array);
  return grown;
}
