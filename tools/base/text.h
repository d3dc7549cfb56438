/* Small helpers for text and memory. */
#ifndef TEXT_H
#define TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terminal/message.h"

/* Prints into memory, to be freed. */
char *text_formatted(const char *format, va_list arguments);

/* A text that grows as more is printed into it. */
struct growing_text {
  char *text; /* to be freed; null: nothing yet */
  size_t length, room;
};
void text_add(struct growing_text *text, const char *format, ...) PRINTF_LIKE(2, 3);

/* A copy, to be freed, that is valid UTF-8 without control characters, those of the direction of text among
 * them: fit for a terminal, for JSON and for names of files. Such characters become U+FFFD, and bytes that
 * are not UTF-8 \xNN, in hexadecimal. */
char *text_clean(const char *s);
/* The same of what vprintf would print. */
char *text_clean_formatted(const char *format, va_list arguments);
/* The same of JSON, in which a backslash has a meaning: such bytes become U+FFFD, too. */
char *text_clean_json(const char *s);

/* A copy, to be freed; null of null. */
char *text_copy(const char *s);

bool text_is_utf8(const char *s);

/* How many of the first `most` bytes of UTF-8 are whole characters. */
size_t text_cut(const char *s, size_t most);

/* 1234567 as "1,234,567". The text lives until the fourth call from now of
 * this thread. */
const char *text_number(uint64_t n);

/* "1 clip" or "1,234 clips", of a noun. It counts as a call of text_number. */
const char *text_count(size_t n, const char *noun);

/* "3.14 times smaller", or "1.50 times larger" where `now` is more. The text lives until the next
 * call. */
const char *text_ratio(double before, double now);

/* The ending of a noun: "" of one, "s" of any other number. */
const char *text_plural(size_t n);

/* The memory; if it is null, there was none, and the program ends with a message. */
void *memory_or_exit(void *memory);
/* Called before that in this thread, if it is not null; need not return. */
extern _Thread_local void (*memory_fails)(void);

/* Of words, the one that somebody meant who wrote another. Begins with the one that was written. */
struct text_guess {
  const char *word, *before; /* before: what the hint has in front of the candidate, may be null */
  char hint[64];             /* "; did you mean compress?", or nothing where none is near */
  size_t changes;            /* letters to add, to leave out, to change or to swap with the next */
};
void text_guess(struct text_guess *guess, const char *candidate);

/* Memory of so many bytes, zeroed, as memory_get gives it; null if there is not enough of it,
 * unless memory_fails ends the program. */
void *memory_try(size_t bytes);

/* Memory for count elements, zeroed, never null: the program ends with a message if there is none. */
void *memory_get(size_t count, size_t size);

/* The same array with room for one more than count elements; doubles when count reaches a power of two. */
void *memory_grow(void *array, size_t count, size_t size);

#endif
