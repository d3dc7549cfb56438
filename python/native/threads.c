#include "threads.h"

#ifdef _WIN32
#include <windows.h>
typedef HANDLE thread;
typedef volatile LONG64 counter;
#define THREAD_RESULT DWORD WINAPI
static size_t take(counter *next) { return (size_t)(InterlockedIncrement64(next) - 1); }
static int start(thread *t, LPTHREAD_START_ROUTINE run, void *data) {
  return (*t = CreateThread(NULL, 0, run, data, 0, NULL)) != NULL;
}
static void join(thread t) {
  WaitForSingleObject(t, INFINITE);
  CloseHandle(t);
}
#else
#include <pthread.h>
#include <stdatomic.h>
typedef pthread_t thread;
typedef atomic_size_t counter;
#define THREAD_RESULT void *
static size_t take(counter *next) { return atomic_fetch_add(next, 1); }
static int start(thread *t, void *(*run)(void *), void *data) {
  return pthread_create(t, NULL, run, data) == 0;
}
static void join(thread t) { pthread_join(t, NULL); }
#endif

typedef struct shared {
  threads_task *task;
  void *data;
  size_t count;
  counter next, workers;
} shared;

static THREAD_RESULT work(void *data) {
  shared *const s = data;
  const size_t worker = take(&s->workers);
  for (size_t i; (i = take(&s->next)) < s->count;) s->task(s->data, i, worker);
  return 0;
}

void threads_run(threads_task *task, void *data, size_t count, size_t threads) {
  shared s = {task, data, count, 0, 0};
  thread started[THREADS_MOST];
  const size_t allowed = threads < THREADS_MOST ? threads : THREADS_MOST,
               most = allowed < count ? allowed : count;
  size_t n = 0;
  while (n + 1 < most && start(&started[n], work, &s)) n++;
  (void)work(&s);
  for (size_t i = 0; i < n; i++) join(started[i]);
}
