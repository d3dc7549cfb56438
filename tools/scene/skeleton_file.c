#include "scene/skeleton_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/broken.h"
#include "base/text.h"
#include "core/container.h"
#include "files/file.h"
#include "skeleton/layout.h"
#include "system/files.h"
#include "terminal/message.h"

bool skeleton_file_has_name(const char *name) { return file_name_ends(name, ".qsk"); }

bool skeleton_file_is(const char *path) {
  return skeleton_file_has_name(path) || (system_is(path, SYSTEM_FILE) && file_begins(path, "QSK", 3));
}

static quatsimd_status open_bytes(struct skeleton_file *file) {
  file->storage = memory_get(1, sizeof *file->storage);
  return quatsimd_skeleton_open(&file->skeleton, file->storage, sizeof *file->storage, file->data,
                                file->size);
}

static void complain_of(const char *path, const struct skeleton_file *file, quatsimd_status status) {
  struct broken broken = {"skeleton", "QSK", QUATSIMD_ERROR_NOT_A_SKELETON, .size = file->size};
  if (file->size > 3) broken.version = file->data[3];
  if (quatsimd_skeleton_peek_size(&broken.length, file->data, file->size) == QUATSIMD_OK) {
    broken.checksum = container_checksum(file->data, file->size);
    broken.said = load_u32(file->data + CONTAINER_AT_CHECKSUM);
  }
  broken_complain(path, &broken, status);
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
    if (report.joint < source->joint_count)
      complain(path, "joint \"%.300s\": %s", source->joints[report.joint].name, why);
    else if (report.track < source->track_count)
      complain(path, "track \"%.300s\": %s", source->track_names[report.track], why);
    else complain(path, "its skeleton: %s", why);
    return false;
  }
  take_bytes(file, data, size);
  quatsimd_skeleton_free(NULL, data);
  return true;
}

/* Takes what bones joints are from the same joints. */
static void skeleton_file_take_human(struct skeleton_file *to, const struct skeleton_file *from) {
  const size_t joints = quatsimd_skeleton_joint_count(from->skeleton);
  if (!from->human || to->human || !skeleton_file_is_same(to, from)) return;
  to->human = memory_get(joints, sizeof *to->human);
  to->backward = from->backward;
  for (size_t j = 0; j < joints; j++)
    if (from->human[j]) to->human[j] = text_copy(from->human[j]);
}

void skeleton_file_copy(struct skeleton_file *to, const struct skeleton_file *from) {
  take_bytes(to, from->data, from->size);
  to->up = from->up;
  skeleton_file_take_human(to, from);
}

cJSON *skeleton_file_names(const quatsimd_skeleton *skeleton, bool tracks) {
  cJSON *names = memory_or_exit(cJSON_CreateArray());
  const size_t count =
      tracks ? quatsimd_skeleton_track_count(skeleton) : quatsimd_skeleton_joint_count(skeleton);
  for (size_t i = 0; i < count; i++) {
    char *name = text_clean(tracks ? quatsimd_skeleton_track_name(skeleton, i)
                                   : quatsimd_skeleton_joint_name(skeleton, i));
    cJSON_AddItemToArray(names, memory_or_exit(cJSON_CreateString(name)));
    free(name);
  }
  return names;
}

bool skeleton_file_is_same(const struct skeleton_file *a, const struct skeleton_file *b) {
  return a->size == b->size && (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

void skeleton_file_free(struct skeleton_file *file) {
  for (size_t j = 0; file->human && j < quatsimd_skeleton_joint_count(file->skeleton); j++)
    free(file->human[j]);
  free(file->human);
  free(file->data);
  free(file->storage);
  *file = (struct skeleton_file){0};
}
