#include "bundles/bundle.h"

#include <stdlib.h>
#include <string.h>

#include "base/broken.h"
#include "base/text.h"
#include "bundle/layout.h"
#include "bundles/file.h"
#include "bundles/making.h"
#include "files/file.h"
#include "files/names.h"
#include "files/output.h"
#include "readers/gltf/gltf_bundle.h"
#include "system/files.h"
#include "terminal/message.h"

/* files. ------------------------------------------------------------------------------------------------- */

static bool is_gltf(const char *path) { return system_is(path, SYSTEM_FILE) && reader_gltf.recognise(path); }

bool bundle_file_has_name(const char *name) { return file_name_ends(name, ".qsb"); }

bool bundle_file_is(const char *path) {
  return bundle_file_has_name(path) || (system_is(path, SYSTEM_FILE) && file_begins(path, "QSB", 3)) ||
         is_gltf(path);
}

static quatsimd_status open_bytes(struct bundle_file *file) {
  file->storage = memory_get(1, sizeof *file->storage);
  return quatsimd_bundle_open(&file->bundle, file->storage, sizeof *file->storage, file->data, file->size);
}

/* Sets the checksums to those of the first part that has another than the table says. */
static void check_parts(struct broken *broken, const struct bundle_file *file) {
  const unsigned char *entry = file->data + BUNDLE_HEAD;
  for (size_t left = load_u32(file->data + BUNDLE_AT_SECTIONS); left > 0; left--, entry += SECTION_ENTRY) {
    const uint64_t place = load_little(entry + SECTION_AT_PLACE, 8),
                   size = load_little(entry + SECTION_AT_SIZE, 8);
    if (place > file->size || size > file->size - place) return;
    broken->checksum = quatsimd_container_hash(file->data + place, (size_t)size);
    broken->said = load_u32(entry + SECTION_AT_CHECKSUM);
    if (broken->checksum != broken->said) return;
  }
}

static void complain_of(const char *path, const struct bundle_file *file, quatsimd_status status) {
  struct broken broken = {"bundle", "QSB", QUATSIMD_ERROR_NOT_A_BUNDLE, .size = file->size};
  if (file->size > 3) broken.version = file->data[3];
  if (quatsimd_bundle_peek_size(&broken.length, file->data, file->size) == QUATSIMD_OK) {
    const size_t end = quatsimd_bundle_checked_end(file->data, file->size);
    if (end > 0) broken.checksum = container_checksum(file->data, end);
    if (end > 0) broken.said = load_u32(file->data + CONTAINER_AT_CHECKSUM);
    if (end > 0 && broken.version == BUNDLE_VERSION && broken.checksum == broken.said)
      check_parts(&broken, file);
  }
  if (status == QUATSIMD_ERROR_LATER_VERSION && broken.version <= BUNDLE_VERSION)
    complain(path, "the bundle has parts that only a later quatsimd reads");
  else broken_complain(path, &broken, status);
}

/* Checks all of a bundle that is open. */
static bool is_whole(const char *path, const struct bundle_file *file) {
  quatsimd_bundle_report report;
  quatsimd_bundle_report_init(&report, sizeof report);
  if (quatsimd_bundle_check(file->bundle, &report) == QUATSIMD_OK) return true;
  char *name =
      report.clip == SIZE_MAX ? NULL : text_clean(quatsimd_bundle_clip_name(file->bundle, report.clip));
  if (name) complain(path, "clip \"%.80s\" of the bundle: %s", name, report.error);
  else complain(path, "the bundle is damaged: %s", report.error);
  free(name);
  return false;
}

/* The bundle that glTF has in a bufferView. */
static void read_gltf(const char *path, struct bundle_file *file) {
  struct gltf gltf;
  struct gltf_bytes bytes;
  if (!gltf_open(&gltf, path)) return;
  const cJSON *extension = gltf_bundle_of(gltf.tree);
  if (!extension) complain(path, "is glTF without a bundle; `quatsimd compress --glb` makes glTF with one");
  else if (!gltf_bundle_bytes(&gltf, extension, &bytes)) complain(path, GLTF_BUNDLE ": %s", gltf.error);
  else file->data = memcpy(memory_get(bytes.size, 1), bytes.bytes, file->size = bytes.size);
  gltf_close(&gltf);
}

bool bundle_file_read(const char *path, struct bundle_file *file) {
  *file = (struct bundle_file){0};
  if (is_gltf(path)) read_gltf(path, file);
  else file->data = (unsigned char *)file_read(path, &file->size);
  if (!file->data) return false;
  const quatsimd_status status = open_bytes(file);
  if (status == QUATSIMD_OK && is_whole(path, file)) return true;
  if (status != QUATSIMD_OK) complain_of(path, file, status);
  bundle_file_free(file);
  return false;
}

void bundle_file_free(struct bundle_file *file) {
  free(file->data);
  free(file->storage);
  *file = (struct bundle_file){0};
}

/* making. ------------------------------------------------------------------------------------------------ */

static void complain_of_parts(const char *path, const struct bundle_part *part,
                              const quatsimd_bundle_report *report) {
  if (report->clip != SIZE_MAX)
    complain(path, "%s cannot go into a bundle: %s", part[report->clip].from, report->error);
  else complain(path, "the bundle cannot be made: %s", report->error ? report->error : "out of memory");
}

bool bundle_file_make(const char *path, const struct skeleton_file *skeleton, const struct bundle_part *part,
                      size_t count, const struct bundle_masks *masks, const char *making,
                      struct bundle_file *file) {
  quatsimd_bundle_entry *entry = memory_get(count, sizeof *entry);
  for (size_t i = 0; i < count; i++)
    entry[i] = (quatsimd_bundle_entry){.name = part[i].name,
                                       .data = part[i].data,
                                       .data_size = part[i].size,
                                       .events = part[i].event,
                                       .event_count = part[i].events};
  const quatsimd_bundle_source source = {.struct_size = sizeof source,
                                         .entry_size = sizeof *entry,
                                         .skeleton = skeleton->data,
                                         .skeleton_size = skeleton->size,
                                         .clips = entry,
                                         .clip_count = count,
                                         .masks = masks ? masks->mask : NULL,
                                         .mask_count = masks ? masks->count : 0,
                                         .making = making,
                                         .making_size = making ? strlen(making) : 0};
  quatsimd_bundle_report report;
  void *data = NULL;
  size_t size = 0;
  quatsimd_bundle_report_init(&report, sizeof report);
  const bool good = quatsimd_bundle_encode(&data, &size, &source, NULL, &report) == QUATSIMD_OK;
  *file = (struct bundle_file){0};
  if (good) {
    file->data = memcpy(memory_get(size, 1), data, size);
    file->size = size;
    (void)open_bytes(file); /* it is one */
  } else complain_of_parts(path, part, &report);
  quatsimd_bundle_free(NULL, data);
  free(entry);
  return good;
}

bool bundle_file_write(const char *path, const struct bundle_file *file) {
  struct output output;
  if (!names_make_directory_of(path) || !output_open(&output, path)) return false;
  output_write(&output, file->data, file->size);
  return output_close(&output);
}

bool bundle_place_look(struct bundle_place *place, const char *path, const char *digest,
                       const char *options) {
  struct system_look look;
  *place = (struct bundle_place){.why = NULL};
  if (!system_look(path, &look) || look.kind == SYSTEM_OTHER) return true;
  if (look.kind != SYSTEM_FILE || !file_begins(path, "QSB", 3)) {
    complain(path, "is in the way and is not a bundle: move it away, or give another output");
    return false;
  }
  struct bundle_file *file = &place->file;
  file->data = (unsigned char *)file_read_quietly(path, &file->size);
  if (!file->data) return complain(path, "cannot be read, or there is not enough memory for it");
  const bool opened =
      open_bytes(file) == QUATSIMD_OK && quatsimd_bundle_check(file->bundle, NULL) == QUATSIMD_OK;
  if (opened) making_read(&place->making, path, file->bundle);
  const struct making *making = &place->making;
  place->current = making->digest && strcmp(making->digest, digest) == 0;
  if (place->current) return true;
  place->why = !opened                                 ? "it is damaged"
               : !making->options                      ? "it does not say how it was made"
               : strcmp(making->options, options) != 0 ? "it was made by other options"
                                                       : "it was made of other files";
  if (opened && making->digest && !*making->digest) place->why = "some animations had failed";
  return true;
}

void bundle_place_free(struct bundle_place *place) {
  bundle_file_free(&place->file);
  making_free(&place->making);
}

/* clips. ------------------------------------------------------------------------------------------------- */

size_t bundle_file_clip_size(const struct bundle_file *file, const char *name) {
  const int64_t number = quatsimd_bundle_find_clip(file->bundle, name);
  if (number < 0) return 0;
  return bundle_record_at(file->bundle, (size_t)number + 1) - bundle_record_at(file->bundle, (size_t)number);
}

bool bundle_file_open_clip(const struct bundle_file *file, const char *name, struct clip_file *clip) {
  const int64_t number = quatsimd_bundle_find_clip(file->bundle, name);
  if (number < 0) return false;
  const size_t size = quatsimd_bundle_clip_memory_size(file->bundle, (size_t)number);
  *clip = (struct clip_file){.size = bundle_file_clip_size(file, name), .storage = memory_get(size, 1)};
  /* It can be opened: the bundle is whole. */
  return quatsimd_bundle_open_clip(file->bundle, (size_t)number, &clip->clip, clip->storage, size) ==
         QUATSIMD_OK;
}

void bundle_file_take_skeleton(const struct bundle_file *file, struct skeleton_file *skeleton) {
  const size_t at = (size_t)(file->bundle->skeleton - file->bundle->data);
  const struct skeleton_file from = {.data = file->data + at, .size = file->bundle->skeleton_size};
  skeleton_file_copy(skeleton, &from);
}
