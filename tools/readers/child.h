/* Work that a child process does: some broken files crash the library that reads them, keep it busy for ever
 * or make it ask for all memory there is; and it prints. */
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* How much one child may take; 0: any amount. Options set them before any child is. */
struct child_limits {
  double gigabytes; /* of 2^30 bytes; on Linux above what this process has when the child starts */
  double seconds;   /* on the clock */
};
extern struct child_limits child_limits;

#define CHILD_OPTIONS                                                                                        \
  {"reader-memory", 0, .amount = &child_limits.gigabytes}, {                                                 \
    "reader-seconds", 0, .amount = &child_limits.seconds                                                     \
  }
#define CHILD_HELP                                                                                           \
  "Assimp reads files in a process of its own. A file is refused if that process\n"                          \
  "needs more than\n"                                                                                        \
  "  --reader-memory GB   memory in 2^30 bytes, where the system can limit memory,\n"                        \
  "                       as Linux can. 0: no limit. Default: 4\n"                                           \
  "  --reader-seconds S   seconds of real time. 0: no limit. Default: 300\n"

struct child {
  pid_t pid;
  FILE *answer; /* what the work puts into its pipe; it breaks off if the child crashes */
};

/* Starts the work in a child, which has all of this process's memory as it is now, and ends when this
 * process does. Returns false and complains of the path if there can be none. */
bool child_start(struct child *child, const char *path, void (*work)(FILE *pipe, const void *job),
                 const void *job);

/* How it ended. */
enum child_end {
  CHILD_ENDED, /* by itself */
  CHILD_CRASHED,
  CHILD_KILLED,  /* by another process, or by the system, which is short of memory */
  CHILD_ABORTED, /* by itself, as C++ does where memory is too little, and elsewhere */
  CHILD_NO_MEMORY,
  CHILD_NO_TIME
};
enum child_end child_end(struct child *child);

#endif
