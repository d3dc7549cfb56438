#include "system/workers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/message.h"
#include "base/progress.h"
#include "base/text.h"
#include "system/files.h"

struct worker {
  pid_t process;
  int socket; /* -1: there is no process */
  size_t item;
  bool busy;
};

struct pool {
  const struct workers *w;
  struct worker *worker;
};

static bool receive(int from, void *to, size_t size) {
  char *at = to;
  while (size > 0) {
    const ssize_t got = read(from, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got, size -= (size_t)got;
  }
  return true;
}

static bool send_all(int to, const void *bytes, size_t size) {
  const char *at = bytes;
  while (size > 0) {
    const ssize_t sent = send(to, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent, size -= (size_t)sent;
  }
  return true;
}

/* Until whoever asks is gone. */
static void serve(const struct workers *w, int socket) {
  size_t item;
  while (receive(socket, &item, sizeof item)) {
    struct system_memory answer;
    system_memory_open(&answer);
    w->work(w->context, item, answer.file);
    if (!system_memory_close(&answer) || !send_all(socket, &answer.size, sizeof answer.size) ||
        !send_all(socket, answer.text, answer.size))
      break;
    free(answer.text);
  }
}

static bool start(const struct pool *pool, struct worker *worker) {
  int ends[2];
  worker->socket = -1;
  worker->busy = false;
  const pid_t parent = getpid();
  fflush(NULL); /* or the worker might print it again */
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return false;
  if ((worker->process = fork()) < 0) {
    const int error = errno;
    close(ends[0]), close(ends[1]);
    errno = error;
    return false;
  }
  if (worker->process == 0) {
    for (size_t i = 0; i < pool->w->jobs; i++) /* or the others would not see it when this program ends */
      if (pool->worker[i].socket >= 0) close(pool->worker[i].socket);
    close(ends[0]);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* or it would go on writing beside the next run */
    if (getppid() != parent) _exit(1);
#endif
    progress_is_elsewhere();
    serve(pool->w, ends[1]);
    _exit(0);
  }
  close(ends[1]);
  worker->socket = ends[0];
  return true;
}

/* Returns the signal that ended it. */
static int stop(struct worker *worker) {
  int status = 0;
  if (worker->socket < 0) return 0;
  close(worker->socket);
  worker->socket = -1;
  while (waitpid(worker->process, &status, 0) < 0 && errno == EINTR) continue;
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static bool give(struct pool *pool, struct worker *worker, size_t item) {
  if (worker->socket < 0 && !start(pool, worker)) return false;
  worker->item = item;
  worker->busy = true;
  if (pool->w->busy) atomic_fetch_add(pool->w->busy, 1);
  (void)send_all(worker->socket, &item, sizeof item); /* if it is dead, its answer says so */
  return true;
}

static void take(const struct pool *pool, struct worker *worker) {
  size_t size;
  char *text = NULL;
  bool good = receive(worker->socket, &size, sizeof size);
  if (good) {
    text = memory_get(size + 1, 1);
    good = receive(worker->socket, text, size);
  }
  worker->busy = false;
  if (pool->w->busy) atomic_fetch_sub(pool->w->busy, 1);
  char end[100] = "ended";
  const int signal = good ? 0 : stop(worker);
  if (signal) snprintf(end, sizeof end, "was ended by signal %d (%s)", signal, strsignal(signal));
  pool->w->done(pool->w->context, worker->item, good ? text : NULL, good ? size : 0, end);
  free(text);
}

/* Waits for answers and takes them. */
static void take_some(const struct pool *pool) {
  struct pollfd *wait = memory_get(pool->w->jobs, sizeof *wait);
  struct worker **of = memory_get(pool->w->jobs, sizeof(struct worker *));
  nfds_t count = 0; /* poll refuses more than there can be files, so only those that there are */
  for (size_t i = 0; i < pool->w->jobs; i++)
    if (pool->worker[i].busy)
      of[count] = &pool->worker[i], wait[count++] = (struct pollfd){pool->worker[i].socket, POLLIN, 0};
  if (poll(wait, count, -1) > 0)
    for (nfds_t i = 0; i < count; i++)
      if (wait[i].revents) take(pool, of[i]);
  free(of);
  free(wait);
}

bool workers_run(const struct workers *w) {
  struct pool pool = {w, memory_get(w->jobs, sizeof *pool.worker)};
  size_t next = 0, busy = 0, jobs = w->jobs; /* fewer if the system gives no more */
  bool good = true;
  for (size_t i = 0; i < w->jobs; i++) pool.worker[i].socket = -1;
  do {
    for (size_t i = 0; i < jobs && next < w->items; i++) {
      if (pool.worker[i].busy) continue;
      if (give(&pool, &pool.worker[i], next)) next++;
      else jobs = i; /* those above go on with what they have, and get no more */
    }
    if (jobs == 0 && good) {
      complain("a process", "cannot be started: %s", strerror(errno));
      good = false;
    }
    busy = 0;
    for (size_t i = 0; i < w->jobs; i++) busy += pool.worker[i].busy;
    if (busy > 0) take_some(&pool);
  } while (busy > 0 || (good && next < w->items));
  for (size_t i = 0; i < w->jobs; i++) stop(&pool.worker[i]);
  free(pool.worker);
  return good;
}

atomic_size_t *workers_count(void) {
  /* a descriptor, as POSIX has no anonymous memory */
  const int fd = open("/dev/zero", O_RDWR);
  if (fd < 0) return NULL;
  atomic_size_t *count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (count == MAP_FAILED) return NULL;
  atomic_init(count, 0);
  return count;
}

size_t workers_default(void) {
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return processors > 0 ? (size_t)processors : 1;
}
