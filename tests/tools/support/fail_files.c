/* Makes file functions fail. LD_PRELOAD loads this library before the C library. Values of QUATSIMD_FAIL:
 *   "rename", "unlink": all calls fail
 *   "rename 2": the second call in a process fails
 *   "kill rename 2": the second call ends the process
 *   "fclose": fails for regular files that were written
 *   "read": fopen of manifests fails
 *   "read back": as "read", but not in forks of the process that the test starts
 *   "ignore case": nothing fails, and clips are found whatever the case of their path's letters */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fails(const char *function) {
  const char *failing = getenv("QUATSIMD_FAIL");
  return failing && strcmp(failing, function) == 0;
}

static void *real(const char *function) { return dlsym(RTLD_NEXT, function); }

/* Returns the path with the file's name as the folder spells it. `here` is memory for this path. */
static const char *found(const char *path, char here[PATH_MAX]) {
  const char *slash = strrchr(path, '/');
  const size_t length = strlen(path);
  if (!slash || length < 4 || length >= PATH_MAX || strcasecmp(path + length - 4, ".qsc") != 0 ||
      !fails("ignore case"))
    return path;
  const size_t folder = (size_t)(slash + 1 - path);
  memcpy(here, path, length + 1);
  here[folder] = '\0';
  DIR *entries = opendir(here);
  memcpy(here, path, length + 1);
  for (const struct dirent *e; entries && (e = readdir(entries));)
    if (strcasecmp(e->d_name, path + folder) == 0) memcpy(here + folder, e->d_name, length - folder);
  if (entries) closedir(entries);
  return here;
}

/* Defines a replacement that calls the real function with the path from found(). */
#define FOLLOW(function, parameters, ...)                                                                    \
  int function parameters {                                                                                  \
    int(*call) parameters;                                                                                   \
    char here[PATH_MAX];                                                                                     \
    *(void **)&call = real(#function);                                                                       \
    return call(found(path, here), __VA_ARGS__);                                                             \
  }
FOLLOW(stat, (const char *path, struct stat *status), status)
FOLLOW(lstat, (const char *path, struct stat *status), status)
FOLLOW(access, (const char *path, int mode), mode)

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
  char here[PATH_MAX];
  return rename_file(from, found(to, here));
}

int unlink(const char *path) {
  static int calls;
  int (*unlink_file)(const char *);
  if (fails_or_kills("unlink", ++calls)) return errno = EIO, -1;
  *(void **)&unlink_file = real("unlink");
  char here[PATH_MAX];
  return unlink_file(found(path, here));
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
  char here[PATH_MAX];
  return open_file(found(path, here), how);
}
