/* A worker's side of workers.c. */
#ifndef SYSTEM_WORKER_H
#define SYSTEM_WORKER_H

/* In a worker: nothing is heard of it until it works. Whoever started it has said the same before. */
void worker_begin(void);

#endif
