/* A worker's side of workers.c. */
#ifndef SYSTEM_WORKER_H
#define SYSTEM_WORKER_H

#include <stdbool.h>

/* Whether this is a worker. Nothing is heard of it until it works: whoever started it has said the same
 * before. */
bool worker_begin(void);

#endif
