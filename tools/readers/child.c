#include "readers/child.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/message.h"

enum { CPU_SECONDS = 300 }; /* more than files of a gigabyte take */

/* Does not return. Leaves through _exit: what the parent has in its buffers is not the child's to flush. */
static void run(int write_end, void (*work)(FILE *pipe, const void *job), const void *job) {
  const struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const struct rlimit seconds = {CPU_SECONDS, CPU_SECONDS};
  setrlimit(RLIMIT_CPU, &seconds); /* some broken files keep Assimp busy for ever */
  const int null = open("/dev/null", O_RDWR);
  if (null >= 0) {
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
  }
  FILE *pipe = fdopen(write_end, "wb");
  if (!pipe) _exit(1);
  work(pipe, job);
  _exit(fflush(pipe) == 0 ? 0 : 1);
}

/* False with errno if that fails. */
static bool start(struct child *child, void (*work)(FILE *pipe, const void *job), const void *job) {
  int ends[2];
  *child = (struct child){.pid = -1};
  if (pipe(ends) != 0) return false;
  fflush(NULL);
  child->pid = fork();
  if (child->pid == 0) {
    close(ends[0]);
    run(ends[1], work, job);
  }
  const int error = errno;
  close(ends[1]);
  errno = error;
  child->answer = child->pid > 0 ? fdopen(ends[0], "rb") : NULL;
  if (!child->answer) close(ends[0]);
  return child->answer;
}

bool child_start(struct child *child, const char *path, void (*work)(FILE *pipe, const void *job),
                 const void *job) {
  if (start(child, work, job)) return true;
  complain(path, "cannot start a process to read it: %s", strerror(errno));
  child_end(child);
  return false;
}

void child_end(struct child *child) {
  if (child->answer) fclose(child->answer);
  while (child->pid > 0 && waitpid(child->pid, NULL, 0) < 0 && errno == EINTR) continue;
}
