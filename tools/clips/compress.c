#include "clips/compress.h"

#include <dirent.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/message.h"
#include "base/names.h"
#include "base/output.h"
#include "base/quantity.h"
#include "base/text.h"
#include "clips/manifest.h"

void compress_add(struct compress_sum *sum, const struct compress_sum *of) {
  for (int i = 0; i < COMPRESS_OUTCOMES; i++) sum->files[i] += of->files[i];
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) sum->keys[kind] += of->keys[kind];
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) sum->worst[i] = fmax(sum->worst[i], of->worst[i]);
  sum->clips += of->clips, sum->left_out += of->left_out, sum->empty += of->empty,
      sum->encoded_keys += of->encoded_keys, sum->bytes += of->bytes;
  sum->raw_bytes += of->raw_bytes, sum->seconds += of->seconds, sum->encode_seconds += of->encode_seconds;
}

static size_t keys_of(const struct manifest_clip *clip) {
  return clip->keys[0] + clip->keys[1] + clip->keys[2];
}

static struct compress_sum sum_of(const struct manifest *manifest, enum compress_outcome outcome) {
  struct compress_sum sum = {
      .clips = manifest->count, .left_out = manifest->left_out, .empty = manifest->empty};
  sum.files[outcome] = 1;
  for (size_t i = 0; i < manifest->count; i++) {
    const struct manifest_clip *clip = &manifest->clip[i];
    for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) sum.keys[kind] += clip->keys[kind];
    for (int e = 0; e < CLIP_CHECK_ERRORS; e++) sum.worst[e] = fmax(sum.worst[e], clip->worst[e]);
    sum.bytes += clip->bytes, sum.raw_bytes += clip_key_bytes(clip->keys), sum.seconds += clip->seconds;
    if (outcome != COMPRESS_CURRENT) sum.encoded_keys += keys_of(clip);
  }
  return sum;
}

/* Calls on each entry of the folder with its path and name, until one returns false. */
static bool each_entry(const char *folder, bool (*call)(const char *path, const char *name, void *context),
                       void *context) {
  DIR *entries = opendir(folder);
  bool good = true;
  if (!entries) return true;
  for (const struct dirent *entry; good && (entry = readdir(entries));) {
    char *path = names_join(folder, "/", entry->d_name);
    good = call(path, entry->d_name, context);
    free(path);
  }
  closedir(entries);
  return good;
}

/* Takes away what runs that were killed left unfinished. False and a complaint if a clip could not be put
 * in its place: links are not followed. */
static bool make_room(const char *path, const char *name, void *unused) {
  struct stat status;
  (void)unused;
  if (output_remove_unfinished(path)) return true;
  if ((!file_name_ends(name, ".qsc") && strcmp(name, MANIFEST_FILE) != 0) || lstat(path, &status) != 0 ||
      S_ISREG(status.st_mode))
    return true;
  complain(path, "is in the way, and not a regular file");
  return false;
}

struct former {
  const struct manifest *manifest;
  size_t removed;
};

/* Removes a clip that the manifest does not name: the file has it no more, or was another one before. */
static bool remove_former(const char *path, const char *name, void *context) {
  struct former *former = context;
  const struct manifest *manifest = former->manifest;
  bool named = !file_name_ends(name, ".qsc");
  for (size_t k = 0; !named && k < manifest->count; k++) named = strcmp(name, manifest->clip[k].output) == 0;
  if (!named && unlink(path) == 0) former->removed++;
  return true;
}

static void note(struct manifest *manifest, size_t number, struct clip_result *result) {
  const char *slash = strrchr(result->output, '/');
  manifest->clip = memory_grow(manifest->clip, manifest->count, sizeof *manifest->clip);
  struct manifest_clip *clip = &manifest->clip[manifest->count++];
  *clip = (struct manifest_clip){.name = names_join(result->name, "", ""),
                                 .output = names_join(slash ? slash + 1 : result->output, "", ""),
                                 .number = number,
                                 .joints = quatsimd_clip_joints(result->clip),
                                 .frames = quatsimd_clip_frames(result->clip),
                                 .bytes = result->size,
                                 .seconds = result->seconds};
  memcpy(clip->keys, result->keys, sizeof clip->keys);
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) clip->worst[i] = result->error[i].worst;
  manifest_hash_bytes(clip->hash, result->data, result->size);
}

/* Encodes what moves in the file to settings->directory. */
static enum compress_outcome encode_all(const struct clip_settings *settings, const char *path,
                                        struct manifest *manifest, double *seconds) {
  struct skeleton skeleton;
  void *names = NULL;
  if (!skeleton_read_any(path, &skeleton)) return COMPRESS_FAILED;
  if (!names_make_directories(settings->directory) || !each_entry(settings->directory, make_room, NULL)) {
    skeleton_free(&skeleton);
    return COMPRESS_FAILED;
  }
  manifest->left_out = skeleton.scene.unread;
  for (size_t a = 0; a < skeleton.scene.animations; a++) {
    struct clip_result result;
    const enum clip_outcome outcome = clip_encode(settings, path, &skeleton, a, &names, &result);
    if (outcome == CLIP_GOOD || outcome == CLIP_WRONG) *seconds += result.encode_seconds;
    if (outcome == CLIP_GOOD) note(manifest, skeleton.scene.animation[a].number, &result);
    else if (outcome == CLIP_EMPTY) manifest->empty++;
    else manifest->left_out++;
    if (outcome == CLIP_GOOD || outcome == CLIP_WRONG) clip_result_free(&result);
  }
  names_free(&names);
  skeleton_free(&skeleton);
  if (manifest->left_out) return manifest->count ? COMPRESS_PART : COMPRESS_FAILED;
  return manifest->count ? COMPRESS_DONE : COMPRESS_STILL;
}

static void print_lines(FILE *answer, const char *name, const struct manifest *manifest, bool object) {
  for (size_t i = 0; i < manifest->count; i++) {
    const struct manifest_clip *clip = &manifest->clip[i];
    fprintf(answer,
            "%s/%s: %s bytes, %.2f times smaller, off by at most %.6f degrees, translation %.3g, scale %.3g",
            name, clip->output, text_number(clip->bytes), clip_key_bytes(clip->keys) / (double)clip->bytes,
            clip->worst[0] * DEGREES, clip->worst[1], clip->worst[2]);
    if (object) fprintf(answer, ", object %.3g", clip->worst[CLIP_CHECK_OBJECT]);
    fputc('\n', answer);
  }
}

static enum compress_outcome make(const struct compress *c, const struct collected_file *file,
                                  const char *folder, struct manifest *manifest, double *seconds) {
  struct clip_settings settings = *c->settings;
  settings.directory = folder;
  const enum compress_outcome outcome = encode_all(&settings, file->path, manifest, seconds);
  struct former former = {.manifest = manifest};
  /* what was made of it before stays, and the manifest of that */
  if (outcome == COMPRESS_FAILED) return outcome;
  if (!manifest_write(folder, manifest)) return COMPRESS_FAILED;
  each_entry(folder, remove_former, &former);
  if (former.removed)
    complain(folder, "removed %s clip%s of an earlier run", text_number(former.removed),
             text_plural(former.removed));
  return outcome;
}

/* Those that its clips hold: of kinds that are left out none. */
static struct bounds bounds_held(const struct clip_settings *settings) {
  struct bounds bounds = settings->bounds;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS && settings->only >= 0; kind++)
    if (kind != settings->only) bounds.of[kind] = 0;
  return bounds;
}

void compress_file(const struct compress *c, size_t item, FILE *answer) {
  const struct collected_file *file = &c->files->file[item];
#ifdef M_MMAP_THRESHOLD
  /* arrays come and go: not to the system and back each time */
  mallopt(M_MMAP_THRESHOLD, 1 << 26), mallopt(M_TRIM_THRESHOLD, 1 << 26);
#endif
  arena_use();
  const char *slash = strrchr(file->name, '/');
  char *folder = names_join(c->out, "/", file->name), *name = text_clean(file->name);
  struct manifest manifest = {0}, former = {0};
  enum compress_outcome outcome = COMPRESS_FAILED;
  double seconds = 0;
  char *hash = file_is_regular(file->path) ? manifest_hash(file->path) : NULL;
  const bool known = hash && manifest_read(folder, &former);
  if (known && manifest_is_current(&former, folder, hash, c->options)) {
    outcome = COMPRESS_CURRENT;
  } else if (hash) {
    manifest = (struct manifest){.input = names_join(slash ? slash + 1 : file->name, "", ""),
                                 .hash = hash,
                                 .options = names_join(c->options, "", ""),
                                 .bounds = bounds_held(c->settings),
                                 .loop = c->settings->loop,
                                 .additive = c->settings->additive};
    hash = NULL;
    outcome = make(c, file, folder, &manifest, &seconds);
  }
  struct compress_sum sum = sum_of(outcome == COMPRESS_CURRENT ? &former : &manifest, outcome);
  sum.encode_seconds = seconds;
  fwrite(&sum, sizeof sum, 1, answer);
  if (outcome == COMPRESS_CURRENT) fprintf(answer, "%s: up to date\n", name);
  if (outcome == COMPRESS_STILL) fprintf(answer, "%s: nothing moves in it\n", name);
  print_lines(answer, name, &manifest, c->settings->bounds.of[CLIP_CHECK_OBJECT] > 0);
  manifest_free(&manifest), manifest_free(&former);
  free(hash), free(name), free(folder);
  arena_empty();
}
