#include "files/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "files/inputs.h"
#include "system/files.h"
#include "terminal/message.h"

bool file_begins(const char *path, const char *bytes, size_t count) {
  char start[FILE_BEGINS_MOST];
  FILE *file = system_open(path, "rb");
  if (!file) return false;
  if (count > sizeof start) count = sizeof start;
  const size_t got = fread(start, 1, count, file);
  fclose(file);
  return got == count && memcmp(start, bytes, count) == 0;
}

bool file_is_pointer(const char *path) {
  static const char start[] = "version https://git-lfs.github.com/spec/";
  return system_is(path, SYSTEM_FILE) && file_begins(path, start, sizeof start - 1);
}

FILE *file_open(const char *path, uint64_t *size) {
  const bool is_folder = system_is(path, SYSTEM_FOLDER); /* which some systems open */
  FILE *file = is_folder ? NULL : system_open(path, "rb");
  struct system_look look;
  if (is_folder) complain(path, "is a directory");
  else if (!file || !system_look_at_open(file, &look)) {
    complain(path, "cannot open: %s", strerror(errno));
  } else {
    *size = look.size;
    inputs_add(&look);
    return file;
  }
  if (file) fclose(file);
  return NULL;
}

char *file_read_quietly(const char *path, size_t *size) {
  struct system_look look;
  FILE *file = system_look(path, &look) && look.kind == SYSTEM_FILE && look.size < SIZE_MAX
                   ? system_open(path, "rb")
                   : NULL;
  if (!file) return NULL;
  char *bytes = memory_try((size_t)look.size + 1);
  if (bytes) *size = fread(bytes, 1, (size_t)look.size, file);
  fclose(file);
  return bytes;
}

bool file_is_same(const char *a, const char *b) {
  struct system_look s, t;
  return system_look(a, &s) && system_look(b, &t) && s.volume == t.volume && s.number == t.number;
}

bool file_is_regular(const char *path) {
  struct system_look look;
  if (!system_look(path, &look)) return complain(path, "cannot open: %s", strerror(errno));
  if (look.kind == SYSTEM_FOLDER) return complain(path, "is a directory");
  return look.kind == SYSTEM_FILE || complain(path, "not a regular file");
}

bool file_ended(const char *path, FILE *file, const char *what) {
  return ferror(file) ? complain(path, "cannot read: %s", strerror(errno)) : complain(path, "%s", what);
}

char *file_read(const char *path, size_t *size) {
  uint64_t expected;
  FILE *file = file_is_regular(path) ? file_open(path, &expected) : NULL;
  if (!file) return NULL;
  char *bytes = expected < SIZE_MAX ? memory_try((size_t)expected + 1) : NULL;
  if (!bytes) {
    complain(path, "is too large: there is not enough memory for its %s bytes", text_number(expected));
    fclose(file);
    return NULL;
  }
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
