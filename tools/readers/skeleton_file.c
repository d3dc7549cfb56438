#include "readers/skeleton_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/message.h"
#include "base/text.h"
#include "core/bytes.h"
#include "skeleton/layout.h"

bool skeleton_file_has_name(const char *name) { return file_name_ends(name, ".qsk"); }

bool skeleton_file_is(const char *path) {
  struct stat status;
  if (skeleton_file_has_name(path)) return true;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && file_begins(path, "QSK", 3);
}

static quatsimd_status open_bytes(struct skeleton_file *file) {
  file->storage = memory_get(1, sizeof *file->storage);
  return quatsimd_skeleton_open(&file->skeleton, file->storage, sizeof *file->storage, file->data,
                                file->size);
}

static void complain_of(const char *path, const struct skeleton_file *file, quatsimd_status status) {
  size_t length;
  if (file->size == 0) complain(path, "the file is empty");
  else if (status == QUATSIMD_ERROR_NOT_A_SKELETON)
    complain(path, "not a skeleton: skeletons begin with QSK");
  else if (status == QUATSIMD_ERROR_LATER_VERSION)
    complain(path, "a skeleton of version %u; this quatsimd reads earlier ones alone", file->data[3]);
  else if (quatsimd_skeleton_peek(&length, file->data, file->size) != QUATSIMD_OK)
    complain(path, "too short for a skeleton: it has %zu bytes", file->size);
  else if (length != file->size)
    complain(path, "%s: it has %s bytes, and its head says %s",
             file->size < length ? "the skeleton is cut off" : "there is more than the skeleton",
             text_number(file->size), text_number(length));
  else {
    const unsigned sum = quatsimd_skeleton_checksum(file->data, file->size),
                   said = load_u32(file->data + SKELETON_AT_CHECKSUM);
    if (sum == said)
      complain(path, "the skeleton is broken inside: its checksum is right, and what it says does not fit "
                     "together");
    else complain(path, "the skeleton is damaged: its checksum should be %08x and is %08x", said, sum);
  }
}

bool skeleton_file_read(const char *path, struct skeleton_file *file) {
  *file = (struct skeleton_file){0};
  file->data = (unsigned char *)file_read(path, &file->size);
  if (!file->data) return false;
  const quatsimd_status status = open_bytes(file);
  if (status == QUATSIMD_OK) return true;
  complain_of(path, file, status);
  skeleton_file_free(file);
  return false;
}

static void take_bytes(struct skeleton_file *file, const void *data, size_t size) {
  *file = (struct skeleton_file){.data = memory_get(size, 1), .size = size};
  memcpy(file->data, data, size);
  (void)open_bytes(file); /* bytes that are a skeleton, or no memory, which ends the program */
}

bool skeleton_file_make(const char *path, const quatsimd_skeleton_source *source,
                        struct skeleton_file *file) {
  quatsimd_skeleton_report report;
  void *data = NULL;
  size_t size = 0;
  quatsimd_skeleton_report_init(&report, sizeof report);
  const quatsimd_status status = quatsimd_skeleton_encode(&data, &size, source, NULL, &report);
  *file = (struct skeleton_file){0};
  if (status != QUATSIMD_OK) {
    const char *why = report.error ? report.error : quatsimd_status_string(status);
    if (report.joint < source->joints)
      complain(path, "joint \"%.300s\": %s", source->joint[report.joint].name, why);
    else complain(path, "its skeleton: %s", why);
    return false;
  }
  take_bytes(file, data, size);
  quatsimd_skeleton_free(NULL, data);
  return true;
}

void skeleton_file_copy(struct skeleton_file *to, const struct skeleton_file *from) {
  take_bytes(to, from->data, from->size);
}

bool skeleton_file_is_same(const struct skeleton_file *a, const struct skeleton_file *b) {
  return a->size == b->size && (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

void skeleton_file_free(struct skeleton_file *file) {
  free(file->data);
  free(file->storage);
  *file = (struct skeleton_file){0};
}
