/* Makes file functions fail. LD_PRELOAD loads this library before the C library. Values of QUATSIMD_FAIL:
 *   "rename", "unlink": all calls fail
 *   "rename 2": the second call in a process fails
 *   "kill rename 2": the second call ends the process
 *   "fclose": fails for regular files that were written */
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

/* Ends the process, or returns true if the function must fail. `call` counts the function's calls. */
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
