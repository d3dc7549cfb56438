#include "system/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

static bool looked(bool good, const struct stat *s, struct system_look *look) {
  if (good)
    *look = (struct system_look){S_ISREG(s->st_mode)   ? SYSTEM_FILE
                                 : S_ISDIR(s->st_mode) ? SYSTEM_FOLDER
                                                       : SYSTEM_OTHER,
                                 S_ISREG(s->st_mode) ? (uint64_t)s->st_size : 0, (uint64_t)s->st_dev,
                                 (uint64_t)s->st_ino};
  return good;
}

bool system_look(const char *path, struct system_look *look) {
  struct stat status;
  return looked(stat(path, &status) == 0, &status, look);
}

bool system_look_at_link(const char *path, struct system_look *look) {
  struct stat status;
  return looked(lstat(path, &status) == 0, &status, look);
}

bool system_look_at_open(FILE *file, struct system_look *look) {
  struct stat status;
  return looked(fstat(fileno(file), &status) == 0, &status, look);
}

FILE *system_open(const char *path, const char *how) { return fopen(path, how); }
bool system_may_read(const char *path) { return access(path, R_OK) == 0; }
bool system_may_write(const char *path) { return access(path, W_OK) == 0; }
bool system_remove(const char *path) { return unlink(path) == 0; }
bool system_make_folder(const char *path) { return mkdir(path, 0777) == 0; }
char *system_real_path(const char *path) { return realpath(path, NULL); }

void system_slashes(char *path) { (void)path; }
size_t system_drive(const char *path) { return (void)path, (size_t)0; }
int system_compare_names(const char *a, const char *b) { return strcmp(a, b); }

bool system_list(const char *folder, char ***names, size_t *count) {
  DIR *entries = opendir(folder);
  *names = NULL, *count = 0;
  if (!entries) return false;
  errno = 0;
  for (const struct dirent *entry; (entry = readdir(entries)); errno = 0) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    *names = memory_grow(*names, *count, sizeof **names);
    (*names)[(*count)++] = memory_or_exit(strdup(entry->d_name));
  }
  const int error = errno;
  closedir(entries);
  errno = error;
  return error == 0;
}
