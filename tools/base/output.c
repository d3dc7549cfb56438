#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "base/progress.h"
#include "base/text.h"

#define UNFINISHED ".quatsimd-"
static char *volatile unfinished; /* for the signal handler; one output is open at a time */

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof ending_signals[0] };

static void remove_unfinished(int signal_number) {
  if (unfinished) unlink(unfinished);
  if (progress_drawn) (void)!write(STDERR_FILENO, "\n", 1); /* or a shell's prompt follows the bar */
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

void output_clean_up_on_signals(void) {
  for (int i = 0; i < ENDING_SIGNALS; i++) {
    struct sigaction inherited;
    /* as under nohup */
    if (sigaction(ending_signals[i], NULL, &inherited) == 0 && inherited.sa_handler != SIG_IGN)
      signal(ending_signals[i], remove_unfinished);
  }
}

/* Around what makes or ends a temporary file, so that the signal handler always knows of it. Returns what
 * was held before. */
static sigset_t hold_signals(void) {
  sigset_t ending, before;
  sigemptyset(&ending);
  for (int i = 0; i < ENDING_SIGNALS; i++) sigaddset(&ending, ending_signals[i]);
  sigprocmask(SIG_BLOCK, &ending, &before);
  return before;
}

/* So that output_remove_unfinished leaves it alone. False: that was quicker, and it is gone. */
static bool lock_beside(struct output *o, int fd) {
  struct stat status;
  (void)flock(fd, LOCK_EX); /* of a second descriptor, as closing the file ends before it is renamed */
  if (fstat(fd, &status) == 0 && status.st_nlink == 0) return false;
  o->lock = dup(fd);
  return true;
}

/* Opens a new file in the directory of o->target. Its name does not contain that of the target, which may be
 * as long as names can be. */
static int open_beside(struct output *o) {
  enum { SUFFIX = 64 };
  const char *slash = strrchr(o->target, '/');
  const size_t directory = slash ? (size_t)(slash - o->target) + 1 : 0;
  o->temporary = memory_get(directory + SUFFIX, 1);
  memcpy(o->temporary, o->target, directory);
  int fd = -1;
  for (unsigned i = 0; i < 100; i++) {
    snprintf(o->temporary + directory, SUFFIX, UNFINISHED "%ld-%u", (long)getpid(), i);
    fd = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST) break;
    if (fd >= 0 && lock_beside(o, fd)) break;
    if (fd >= 0) close(fd);
    fd = -1;
  }
  return fd;
}

bool output_remove_unfinished(const char *path) {
  const char *slash = strrchr(path, '/');
  if (strncmp(slash ? slash + 1 : path, UNFINISHED, strlen(UNFINISHED)) != 0) return false;
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return true;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) unlink(path);
  close(fd);
  return true;
}

static void forget(struct output *o) {
  const sigset_t before = hold_signals();
  unfinished = NULL;
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (o->lock >= 0) close(o->lock);
  free(o->temporary);
  free(o->target);
  *o = (struct output){.lock = -1};
}

static bool fail(struct output *o) {
  complain(o->path, "cannot write: %s", strerror(errno));
  forget(o);
  return false;
}

bool output_open(struct output *o, const char *path) {
  struct stat status;
  const bool exists = stat(path, &status) == 0;
  *o = (struct output){.path = path, .lock = -1};
  if (exists && !S_ISREG(status.st_mode)) { /* a rename would replace /dev/null by a file */
    o->file = fopen(path, "wb");
    return o->file ? true : fail(o);
  }
  if (exists && access(path, W_OK) != 0) return fail(o);

  o->target = exists ? realpath(path, NULL) : strdup(path);
  if (!o->target) return fail(o);
  const sigset_t before = hold_signals();
  const int fd = open_beside(o);
  if (fd >= 0) unfinished = o->temporary;
  const int error = errno;
  sigprocmask(SIG_SETMASK, &before, NULL);
  errno = error;
  if (fd < 0) return fail(o);
  if (exists) (void)fchmod(fd, status.st_mode & 0777); /* a file that is replaced keeps its mode */
  o->file = fdopen(fd, "wb");
  if (o->file) return true;
  close(fd);
  unlink(o->temporary);
  return fail(o);
}

bool output_write(struct output *o, const void *bytes, size_t size) {
  if (size == 0 || fwrite(bytes, 1, size, o->file) == size) return true;
  o->error = errno;
  return false;
}

bool output_close(struct output *o) {
  if (fflush(o->file) != 0 && !o->error) o->error = errno;
  if (fclose(o->file) != 0 && !o->error) o->error = errno; /* closes even if it fails */
  if (!o->error && o->temporary && rename(o->temporary, o->target) != 0) o->error = errno;
  if (!o->error) {
    forget(o);
    return true;
  }
  if (o->temporary) unlink(o->temporary);
  errno = o->error;
  return fail(o);
}

void output_cancel(struct output *o) {
  fclose(o->file);
  if (o->temporary) unlink(o->temporary);
  forget(o);
}
