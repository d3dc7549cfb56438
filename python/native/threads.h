/* Tasks shared out to threads of this process, without a library for threads. */
#ifndef QUATSIMD_PYTHON_THREADS_H
#define QUATSIMD_PYTHON_THREADS_H

#include <stddef.h>

#define THREADS_MOST 256

/* Runs task(data, i, worker) for each i below count, in any order, on up to `threads` threads, at most
 * THREADS_MOST and the caller's among them, and returns after the last. Runs on fewer if the system gives no
 * more. Tasks of one thread have the same `worker`, a number below `threads`. */
typedef void threads_task(void *data, size_t i, size_t worker);
void threads_run(threads_task *task, void *data, size_t count, size_t threads);

#endif
