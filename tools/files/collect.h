/* The files that a command goes through: operands, and what is below operands that are folders. */
#ifndef COLLECT_H
#define COLLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terminal/message.h"

struct collected_file {
  char *path; /* to open it */
  char *name; /* below its folder; of an operand, the last part; clean (text_clean) */
  uint64_t size;
};

struct collected {
  bool (*wanted)(const char *name); /* private */
  size_t count;
  struct collected_file *file; /* by name, in the order of bytes */
  size_t others;               /* in folders, that are not wanted */
  size_t unread;               /* operands and folders that cannot be read; complained of */
  struct messages complaints;  /* of these, once more */
};

/* Of folders, files whose names are wanted; links to folders are not followed, names that begin with a dot
 * are left out. A file that is given twice is taken once. */
void collect(const char *const *operands, size_t count, bool (*wanted)(const char *name),
             struct collected *all);

/* False and a complaint if two files have the same name. */
bool collect_names_differ(const struct collected *all);

void collect_free(struct collected *all);

#endif
