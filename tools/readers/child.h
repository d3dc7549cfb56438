/* Work that a child process does: some broken files crash the library that reads them, and it prints. */
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct child {
  pid_t pid;
  FILE *answer; /* what the work puts into its pipe; it breaks off if the child crashes */
};

/* Starts the work in a child, which has all of this process's memory as it is now. Returns false and
 * complains of the path if there can be none. */
bool child_start(struct child *child, const char *path, void (*work)(FILE *pipe, const void *job),
                 const void *job);
void child_end(struct child *child);

#endif
