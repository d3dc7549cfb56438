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

/* Open and close return false if they fail; then they have complained and nothing is left behind. Open fails
 * if the file is one of the run's inputs (files/inputs.h). After a failed write close anyway: it fails too,
 * and says why. */
bool output_open(struct output *o, const char *path);
bool output_write(struct output *o, const void *bytes, size_t size);
bool output_close(struct output *o);

/* Leaves nothing behind but what was there. */
void output_cancel(struct output *o);

/* Removes the unfinished file if the program is interrupted. */
void output_clean_up_on_signals(void);

#endif
