#include "base/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
  void (*task)(void *data, size_t i);
  void *data;
  size_t count;
  atomic_size_t next;
};

static void *work(void *shared) {
  struct shared *s = shared;
  for (size_t i; (i = atomic_fetch_add(&s->next, 1)) < s->count;) s->task(s->data, i);
  return NULL;
}

void threads_run(void *context, void (*task)(void *data, size_t i), void *data, size_t count) {
  const struct threads *threads = context;
  struct shared shared = {task, data, count, 0};
  const size_t sharers = threads->sharers ? atomic_load(threads->sharers) : 1,
               own = threads->count / (sharers ? sharers : 1), most = own < count ? own : count;
  pthread_t *thread = most > 1 ? calloc(most, sizeof *thread) : NULL;
  size_t started = 0;
  while (thread && started + 1 < most && pthread_create(&thread[started], NULL, work, &shared) == 0)
    started++;
  work(&shared);
  for (size_t i = 0; i < started; i++) pthread_join(thread[i], NULL);
  free(thread);
}
