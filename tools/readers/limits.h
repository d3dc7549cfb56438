/* Limits of reading one file. Options set them before any file is read. */
#ifndef LIMITS_H
#define LIMITS_H

#include <stdbool.h>
#include <stdint.h>

struct reader_limits {
  double gigabytes; /* of 2^30 bytes; 0: any number */
  double seconds;   /* on the clock; 0: any number */
  bool outside;     /* files may name others that are not in their folder */
  /* names of the first two in messages */
  const char *memory_option, *seconds_option;
};
extern struct reader_limits reader_limits;

#define READER_OPTIONS                                                                                       \
  {"reader-memory", 0, .amount = &reader_limits.gigabytes},                                                  \
      {"reader-seconds", 0, .amount = &reader_limits.seconds}, {                                             \
    "allow-outside", 0, .flag = &reader_limits.outside                                                       \
  }
#define READER_HELP                                                                                          \
  "  --reader-memory GB, --reader-seconds S, --allow-outside\n"                                              \
  "                            limits of reading a file: docs/command.md\n"

/* Returns the memory that one file may take, in bytes. */
uint64_t reader_memory(void);

/* Adds bytes to those that a file takes. False and a complaint if these are too many. */
bool reader_spend(const char *path, uint64_t *spent, uint64_t bytes);

/* Returns the sentence on a file that takes more. */
const char *reader_over_memory(void);

#endif
