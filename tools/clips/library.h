/* `quatsimd compress -o` of many files, in several processes. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <stdatomic.h>

#include "clips/compress.h"

struct library {
  struct compress compress; /* with settings, out and files; the rest is made here */
  size_t jobs;              /* processes at a time */
  atomic_size_t *busy;      /* see struct workers */
  bool all;                 /* no shares: a bundle of all files can be made */
  bool silent;              /* no line for each clip */
  struct compress_sum sum;
  double seconds;
};

/* False and complaints if anything was wrong. */
bool library_compress(struct library *library);
void library_free(struct library *library);

#endif
