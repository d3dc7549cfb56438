/* Items of work, done by processes of their own: one that crashes or is killed takes its item with it and
 * nothing else.
 *
 * On Windows, where a process cannot divide, a worker is this program with the same arguments: it comes to
 * the same call of workers_run by itself and works there. So what is before that call must be the same twice,
 * and must not write what others read. */
#ifndef WORKERS_H
#define WORKERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct workers {
  size_t jobs, items;  /* at least one job */
  uint64_t same;       /* differs where the items are others: they may have changed until a worker began */
  atomic_size_t *busy; /* jobs that have an item, in memory that workers share; null: nobody asks */
  void *context;
  void (*work)(void *context, size_t item, FILE *answer); /* in a worker */
  /* Here, in any order, one after another. answer is null if the worker died; then `end` says how. */
  void (*done)(void *context, size_t item, const char *answer, size_t size, const char *end);
};

/* Returns false and complains if there can be no process; done was called for all items that were begun. */
bool workers_run(const struct workers *workers);

/* A count that processes which are started from here on see change; null: the system gives no memory for it.
 * It stays until this process ends. */
atomic_size_t *workers_count(void);

/* How many processors this process may use. */
size_t workers_default(void);

#endif
