/* Messages on standard error. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__)
#ifdef __MINGW32__ /* whose printf is C11's, and the attribute's Microsoft's */
#define PRINTF_LIKE(text, first) __attribute__((format(gnu_printf, text, first)))
#else
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#endif
#else
#define PRINTF_LIKE(text, first)
#endif

/* The command's exit statuses. */
enum { STATUS_OK = 0, STATUS_BAD_INPUT = 1, STATUS_BAD_USAGE = 2 };

/* Messages that were kept, to be printed later, in an order of their own. */
struct messages {
  char *text; /* lines */
  size_t size;
};
/* From here on this thread's messages are kept there; null: they are printed at once. Returns where they were
 * kept before. */
struct messages *messages_keep(struct messages *messages);
/* Prints them, or keeps them with others of this thread. */
void messages_print(const struct messages *messages);
void messages_free(struct messages *messages);

/* "quatsimd: SUBJECT: what is wrong with it"; the subject is a file, as a rule. Returns false. */
bool complain(const char *subject, const char *format, ...) PRINTF_LIKE(2, 3);

/* Complains of how a command (null: none yet) was called, points to its help, returns STATUS_BAD_USAGE. */
int usage_error(const char *command, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
