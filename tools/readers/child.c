#include "readers/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/message.h"
#include "base/text.h"

struct child_limits child_limits = {4, 300};

/* Sanitizers take terabytes of addresses. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || defined __SANITIZE_HWADDRESS__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                                   \
    __has_feature(memory_sanitizer) || __has_feature(hwaddress_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined RLIMIT_AS && !defined SANITIZED
/* The address space that this process uses, in bytes; 0 where the system does not tell. */
static double address_space(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file && fscanf(file, "%lu", &pages) != 1) pages = 0;
  if (file) fclose(file);
  return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static void limit_memory(void) {
  const double bytes = child_limits.gigabytes * 0x1p30 + address_space();
  if (child_limits.gigabytes == 0 || bytes >= (double)RLIM_INFINITY) return;
  const struct rlimit memory = {(rlim_t)bytes, (rlim_t)bytes};
  setrlimit(RLIMIT_AS, &memory);
}
#else
static void limit_memory(void) {}
#endif

/* Of the clock: a file on a network drive that is gone takes no time of the processor. */
static void limit_seconds(void) {
  const double seconds = ceil(child_limits.seconds);
  sigset_t alarms;
  sigemptyset(&alarms), sigaddset(&alarms, SIGALRM);
  sigprocmask(SIG_UNBLOCK, &alarms, NULL);
  signal(SIGALRM, SIG_DFL);
  if (seconds > 0 && seconds < INT_MAX) alarm((unsigned)seconds);
}

enum { OUT_OF_MEMORY = 3 }; /* an exit status */
static void run_out_of_memory(void) { _exit(OUT_OF_MEMORY); }

/* Elsewhere than on Linux a child without a parent lives until its seconds are over or it writes. */
static void end_with(pid_t parent) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (getppid() != parent) _exit(1); /* it ended just now */
}

/* Does not return. Leaves through _exit: what the parent has in its buffers is not the child's to flush. */
static void run(int write_end, void (*work)(FILE *pipe, const void *job), const void *job, pid_t parent) {
  end_with(parent);
  const struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  memory_fails = run_out_of_memory;
  limit_memory();
  limit_seconds();
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
  const pid_t parent = getpid();
  *child = (struct child){.pid = -1};
  if (pipe(ends) != 0) return false;
  fflush(NULL);
  child->pid = fork();
  if (child->pid == 0) {
    close(ends[0]);
    run(ends[1], work, job, parent);
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

enum child_end child_end(struct child *child) {
  int status = 0;
  if (child->answer) fclose(child->answer);
  while (child->pid > 0 && waitpid(child->pid, &status, 0) < 0)
    if (errno != EINTR) return CHILD_ENDED;
  if (WIFEXITED(status)) return WEXITSTATUS(status) == OUT_OF_MEMORY ? CHILD_NO_MEMORY : CHILD_ENDED;
  const int signal = WTERMSIG(status);
  return signal == SIGALRM   ? CHILD_NO_TIME
         : signal == SIGABRT ? CHILD_ABORTED
         : signal == SIGPIPE ? CHILD_ENDED /* it wrote more than was read */
         : signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP ? CHILD_KILLED
                                                                                          : CHILD_CRASHED;
}
