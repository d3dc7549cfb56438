/* Items of work, done by processes of their own: one that crashes or is killed takes its item with it and
 * nothing else. */
#ifndef WORKERS_H
#define WORKERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct workers {
  size_t jobs, items;  /* at least one job */
  atomic_size_t *busy; /* jobs that have an item, in memory that workers share; null: nobody asks */
  void *context;
  void (*work)(void *context, size_t item, FILE *answer); /* in a worker */
  /* Here, in any order. answer is null if the worker died: of that signal, or by itself if signal is 0. */
  void (*done)(void *context, size_t item, const char *answer, size_t size, int signal);
};

/* Returns false and complains if there can be no process; done was called for all items that were begun. */
bool workers_run(const struct workers *workers);

/* A count that processes which are started from here on see change; null: the system gives no memory for it.
 * It stays until this process ends. */
atomic_size_t *workers_count(void);

/* How many processors this process may use. */
size_t workers_default(void);

#endif
