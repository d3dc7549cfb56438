/* Tasks shared out to threads of this process. */
#ifndef THREADS_H
#define THREADS_H

#include <stdatomic.h>
#include <stddef.h>

struct threads {
  size_t count; /* the caller's among them; 0 and 1: that alone. Fewer if the system gives no more */
  /* Processes that share them now, each of which uses count / sharers; null: this one has all */
  const atomic_size_t *sharers;
};

/* Runs task(data, i) for each i below count, which is at least 1; returns after the last. context: a struct
 * threads. */
void threads_run(void *context, void (*task)(void *data, size_t i), void *data, size_t count);

#endif
