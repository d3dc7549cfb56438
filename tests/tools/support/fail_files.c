/* Loaded before the C library (LD_PRELOAD): QUATSIMD_FAIL names the function that fails. It is rename,
 * unlink, or fclose of regular files that were written. "rename 2": its second call in a process; "kill
 * rename 2": that call ends the process. "read": fopen of manifests; "read back": in the first process. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fails(const char *function) {
  const char *failing = getenv("QUATSIMD_FAIL");
  return failing && strcmp(failing, function) == 0;
}

static void *real(const char *function) { return dlsym(RTLD_NEXT, function); }

int fclose(FILE *file) {
  int (*close_file)(FILE *);
  struct stat status;
  const int fd = fileno(file);
  const bool written = fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
                       (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
  *(void **)&close_file = real("fclose");
  const int closed = close_file(file);
  if (!written || !fails("fclose")) return closed;
  errno = EIO;
  return EOF;
}

/* call: its number. */
static bool fails_or_kills(const char *function, int call) {
  char fail[32], kill[32];
  snprintf(fail, sizeof fail, "%s %d", function, call), snprintf(kill, sizeof kill, "kill %s", fail);
  if (fails(kill)) raise(SIGKILL);
  return fails(function) || fails(fail);
}

int rename(const char *from, const char *to) {
  static int calls;
  int (*rename_file)(const char *, const char *);
  if (fails_or_kills("rename", ++calls)) return errno = EIO, -1;
  *(void **)&rename_file = real("rename");
  return rename_file(from, to);
}

int unlink(const char *path) {
  static int calls;
  int (*unlink_file)(const char *);
  if (fails_or_kills("unlink", ++calls)) return errno = EIO, -1;
  *(void **)&unlink_file = real("unlink");
  return unlink_file(path);
}

static pid_t first;
__attribute__((constructor)) static void note_first(void) { first = getpid(); }

FILE *fopen(const char *path, const char *how) {
  static const char name[] = "/quatsimd.json";
  FILE *(*open_file)(const char *, const char *);
  const size_t length = strlen(path), end = sizeof name - 1;
  if ((fails("read") || (fails("read back") && getpid() == first)) && length > end &&
      strcmp(path + length - end, name) == 0)
    return errno = EIO, NULL;
  *(void **)&open_file = real("fopen");
  return open_file(path, how);
}
