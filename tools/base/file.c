#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/message.h"
#include "base/names.h"
#include "base/text.h"

bool file_begins(const char *path, const char *bytes, size_t count) {
  char start[16];
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  const size_t got = fread(start, 1, count, file);
  fclose(file);
  return got == count && memcmp(start, bytes, count) == 0;
}

FILE *file_open(const char *path, uint64_t *size) {
  FILE *file = fopen(path, "rb");
  struct stat status;
  if (!file || fstat(fileno(file), &status) != 0) {
    complain(path, "cannot open: %s", strerror(errno));
  } else if (S_ISDIR(status.st_mode)) { /* fopen succeeds on directories */
    complain(path, "is a directory");
  } else {
    *size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
    return file;
  }
  if (file) fclose(file);
  return NULL;
}

bool file_is_same(const char *a, const char *b) {
  struct stat s, t;
  return stat(a, &s) == 0 && stat(b, &t) == 0 && s.st_dev == t.st_dev && s.st_ino == t.st_ino;
}

bool file_is_same_place(const char *a, const char *b) {
  const char *end_a = strrchr(a, '/'), *end_b = strrchr(b, '/');
  if (strcmp(end_a ? end_a + 1 : a, end_b ? end_b + 1 : b) != 0) return false;
  char *folder_a = names_folder(a), *folder_b = names_folder(b);
  const bool same = file_is_same(folder_a, folder_b);
  free(folder_a), free(folder_b);
  return same;
}

bool file_is_regular(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0) complain(path, "cannot open: %s", strerror(errno));
  else if (S_ISDIR(status.st_mode)) complain(path, "is a directory");
  else if (!S_ISREG(status.st_mode)) complain(path, "not a regular file");
  else return true;
  return false;
}

bool file_ended(const char *path, FILE *file, const char *what) {
  if (ferror(file)) complain(path, "cannot read: %s", strerror(errno));
  else complain(path, "%s", what);
  return false;
}

char *file_read(const char *path, size_t *size) {
  uint64_t expected;
  FILE *file = file_is_regular(path) ? file_open(path, &expected) : NULL;
  if (!file) return NULL;
  char *bytes = memory_get((size_t)expected + 1, 1);
  *size = fread(bytes, 1, (size_t)expected, file);
  if (*size != expected) {
    file_ended(path, file, "the file shrank while it was read");
    free(bytes);
    bytes = NULL;
  }
  fclose(file);
  return bytes;
}

bool file_name_ends(const char *path, const char *ending) {
  const size_t length = strlen(path), end = strlen(ending);
  return length > end && strcasecmp(path + length - end, ending) == 0;
}
