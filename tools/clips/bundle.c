#include "clips/bundle.h"

#include <stdlib.h>
#include <string.h>

#include "base/broken.h"
#include "base/file.h"
#include "base/message.h"
#include "base/names.h"
#include "base/output.h"
#include "base/text.h"
#include "bundle/layout.h"
#include "clips/file.h"
#include "clips/manifest.h"
#include "readers/gltf/gltf_bundle.h"
#include "system/files.h"

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
                      size_t count, struct bundle_file *file) {
  quatsimd_bundle_entry *entry = memory_get(count, sizeof *entry);
  const char **name = memory_get(count, sizeof *name);
  for (size_t i = 0; i < count; i++) name[i] = part[i].name;
  void *names = NULL;
  const char **numbered = names_numbered(&names, name, count);
  for (size_t i = 0; i < count; i++)
    entry[i] = (quatsimd_bundle_entry){.name = numbered[i], .data = part[i].data, .data_size = part[i].size};
  const quatsimd_bundle_source source = {.struct_size = sizeof source,
                                         .entry_size = sizeof *entry,
                                         .skeleton = skeleton->data,
                                         .skeleton_size = skeleton->size,
                                         .clips = entry,
                                         .clip_count = count};
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
  names_free(&names);
  free(name), free(numbered);
  free(entry);
  return good;
}

/* The last part of the path, without what is behind its last point. */
static char *stem_of(const char *path) {
  char *stem = names_join(names_file(path), "", ""), *point = strrchr(stem, '.');
  if (point && point > stem) *point = 0;
  return stem;
}

char *bundle_clip_name(const char *animation, const char *output) {
  if (*animation) return names_join(animation, "", "");
  return stem_of(output);
}

char *bundle_file_name(const char *path) {
  char *stem = stem_of(path), *safe = names_safe(stem, "bundle"), *name = names_join(safe, "", ".qsb");
  free(stem), free(safe);
  return name;
}

/* of all files. ------------------------------------------------------------------------------------------ */

struct all {
  struct bundle_part *part;
  struct clip_file *clip; /* of each part */
  size_t count;
};

/* The name of a file's clip: that of the file below its folder, without its ending; and of the animation, if
 * the file has several. */
static char *name_of(const char *file, const struct manifest *manifest, const struct manifest_clip *clip) {
  char *name = names_join(file, "", ""), *point = strrchr(name, '.');
  if (point && point > name && point[-1] != '/' && !strchr(point, '/')) *point = 0;
  if (manifest->count == 1) return name;
  char *animation = bundle_clip_name(clip->name, clip->output), *both = names_join(name, "/", animation);
  free(name), free(animation);
  return both;
}

static bool add_clip(struct all *all, const char *folder, const char *file, const struct manifest *manifest,
                     const struct manifest_clip *clip) {
  struct clip_file read;
  char *path = names_join(folder, "/", clip->output);
  const bool good = clip_file_read(path, &read);
  if (good) {
    all->part = memory_grow(all->part, all->count, sizeof *all->part);
    all->clip = memory_grow(all->clip, all->count, sizeof *all->clip);
    all->part[all->count] = (struct bundle_part){name_of(file, manifest, clip), path, read.data, read.size};
    all->clip[all->count++] = read;
  } else free(path);
  return good;
}

static bool add_file(struct all *all, const struct compress *compress, const struct collected_file *file) {
  struct manifest manifest;
  char *folder = names_join(compress->out, "/", file->name);
  const intptr_t lock = system_lock_folder(folder); /* no other run replaces them meanwhile */
  bool good = manifest_read_back(folder, compress->options, &manifest);
  for (size_t i = 0; good && i < manifest.count; i++)
    good = add_clip(all, folder, file->name, &manifest, &manifest.clip[i]);
  system_unlock_folder(lock);
  manifest_free(&manifest);
  free(folder);
  return good;
}

/* True and a complaint if there is something else than a bundle, which an earlier run left. */
static bool is_in_the_way(const char *path) {
  struct system_look look;
  if (!system_look_at_link(path, &look) || (look.kind == SYSTEM_FILE && file_begins(path, "QSB", 3)))
    return false;
  complain(path, "is in the way and is not a bundle: move it away, or give another OUT");
  return true;
}

static bool write_bundle(const char *path, const struct bundle_file *made) {
  struct output output;
  if (is_in_the_way(path) || !output_open(&output, path)) return false;
  output_write(&output, made->data, made->size);
  return output_close(&output);
}

bool bundle_all(const struct compress *compress, bool silent, size_t *bytes) {
  const struct skeleton_choice *choice = &compress->settings->skeleton;
  char *name = bundle_file_name(choice->path), *path = names_join(compress->out, "/", name),
       *shown = text_clean(name);
  struct all all = {0};
  struct bundle_file made = {0};
  bool good = true, current = false;
  for (size_t f = 0; good && f < compress->files->count; f++)
    good = compress->missing[f] || add_file(&all, compress, &compress->files->file[f]);
  if (good && all.count > 0) {
    good = bundle_file_make(path, choice->of, all.part, all.count, &made);
    current = good && file_has_bytes(path, made.data, made.size);
    good = good && (current || write_bundle(path, &made));
    if (good && !silent)
      printf("%s: %s clip%s, %s bytes%s\n", shown, text_number(all.count), text_plural(all.count),
             text_number(made.size), current ? ", up to date" : "");
  }
  *bytes = good ? made.size : 0;
  bundle_file_free(&made);
  for (size_t i = 0; i < all.count; i++) {
    clip_file_free(&all.clip[i]);
    free(all.part[i].name), free(all.part[i].from);
  }
  free(all.part), free(all.clip);
  free(name), free(path), free(shown);
  return good;
}
