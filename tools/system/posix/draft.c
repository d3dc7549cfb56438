#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "system/files.h"

static struct system_draft *volatile unfinished; /* for the signal handler; one draft is open at a time */
static void (*before_the_end)(void);
enum { DRAFTS = 100 }; /* of one file, at most */

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof ending_signals[0] };

static void remove_unfinished(int signal_number) {
  if (unfinished) unlink(unfinished->path);
  before_the_end();
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

void system_draft_clean_up_on_signals(void (*then)(void)) {
  before_the_end = then;
  for (int i = 0; i < ENDING_SIGNALS; i++) {
    struct sigaction inherited;
    /* as under nohup */
    if (sigaction(ending_signals[i], NULL, &inherited) == 0 && inherited.sa_handler != SIG_IGN)
      signal(ending_signals[i], remove_unfinished);
  }
}

/* Around what makes or ends a draft, so that the signal handler always knows of it. Returns what was held
 * before. */
static sigset_t hold_signals(void) {
  sigset_t ending, before;
  sigemptyset(&ending);
  for (int i = 0; i < ENDING_SIGNALS; i++) sigaddset(&ending, ending_signals[i]);
  sigprocmask(SIG_BLOCK, &ending, &before);
  return before;
}

/* So that remove_stale of another process leaves it alone. False: that was quicker, and it is gone. */
static bool lock_beside(struct system_draft *draft, int fd) {
  struct stat status;
  (void)flock(fd, LOCK_EX); /* of a second descriptor, as closing the file ends before it is renamed */
  if (fstat(fd, &status) == 0 && status.st_nlink == 0) return false;
  draft->lock = dup(fd);
  return true;
}

/* Removes a draft that nobody has open. */
static void remove_stale(const char *path) {
  const int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  int fd = open(path, O_WRONLY | flags);                            /* or NFS does not lock it */
  if (fd < 0 && errno == EACCES) fd = open(path, O_RDONLY | flags); /* another user's */
  if (fd < 0) return;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) unlink(path);
  close(fd);
}

static int open_new(struct system_draft *draft, const char *prefix) {
  const size_t size = strlen(prefix) + 16;
  int found = -1;
  draft->path = memory_get(size, 1);
  for (unsigned i = 0; found < 0 && i < DRAFTS; i++) {
    snprintf(draft->path, size, "%s%u", prefix, i);
    remove_stale(draft->path);
    const int fd = open(draft->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST) return -1;
    if (fd >= 0 && lock_beside(draft, fd)) found = fd;
    else if (fd >= 0) close(fd);
  }
  return found;
}

static void forget(struct system_draft *draft) {
  const sigset_t before = hold_signals();
  unfinished = NULL;
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (draft->lock >= 0) close(draft->lock);
  free(draft->path);
  *draft = (struct system_draft){.lock = -1};
}

static void take_mode(int fd, const char *like) {
  struct stat status;
  if (stat(like, &status) == 0) (void)fchmod(fd, status.st_mode & 0777);
}

bool system_draft_open(struct system_draft *draft, const char *prefix, const char *like) {
  *draft = (struct system_draft){.lock = -1};
  const sigset_t before = hold_signals();
  const int fd = open_new(draft, prefix);
  if (fd >= 0) unfinished = draft;
  int error = errno;
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (fd >= 0) {
    if (like) take_mode(fd, like);
    draft->file = fdopen(fd, "wb");
    if (draft->file) return true;
    error = errno;
    close(fd);
    unlink(draft->path);
  }
  forget(draft);
  errno = error;
  return false;
}

bool system_draft_close(struct system_draft *draft, const char *target) {
  int error = fflush(draft->file) == 0 ? 0 : errno;
  if (fclose(draft->file) != 0 && !error) error = errno; /* closes even if it fails */
  if (target && !error && rename(draft->path, target) != 0) error = errno;
  if (!target || error) unlink(draft->path);
  forget(draft);
  errno = error;
  return error == 0;
}
