/* Files that are there whole or not at all: written beside the destination, then renamed. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "system/files.h"

struct output {
  const char *path; /* as the user wrote it, for messages */
  /* the file to replace: path with symbolic links followed. Null where path is a device or a pipe and is
   * written directly */
  char *target;
  struct system_draft draft; /* of the target */
  FILE *file;
  int error; /* of the first write that failed */
};

/* Open and close return false if they fail; then they have complained and nothing is left behind. After a
 * failed write close anyway: it fails too, and says why. */
bool output_open(struct output *o, const char *path);
bool output_write(struct output *o, const void *bytes, size_t size);
bool output_close(struct output *o);

/* Leaves nothing behind but what was there. */
void output_cancel(struct output *o);

/* Files of one folder that are replaced together: all are written before the first takes its place, and the
 * last of them tells that the others are there. None of them is a link. */
struct output_set {
  struct output last;
  char **path; /* of the others */
  size_t count;
};

/* As those of a single file. After a failed `add` cancel. Where `close` fails, some may be in their places. */
bool output_set_open(struct output_set *set, const char *last);
bool output_set_add(struct output_set *set, const char *path, const void *bytes, size_t size);
bool output_set_close(struct output_set *set, const void *bytes, size_t size);
void output_set_cancel(struct output_set *set);

/* If the path is of an unfinished file, by its name: removes it, unless somebody still writes it, and
 * returns true. */
bool output_remove_unfinished(const char *path);

/* Removes the unfinished file if the program is interrupted. */
void output_clean_up_on_signals(void);

#endif
