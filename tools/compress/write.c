#include "compress/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "clip/inspect.h"
#include "files/names.h"
#include "terminal/print.h"
#include "terminal/progress.h"

/* Notes. ------------------------------------------------------------------------------------------------- */

void compress_add(struct compress *c, const struct clip_result *result, const struct compressed_clip *of) {
  c->result = memory_grow(c->result, c->count, sizeof *c->result);
  c->of = memory_grow(c->of, c->count, sizeof *c->of);
  c->of[c->count] = *of;
  c->result[c->count++] = *result;
}

const char *compress_note_bundle(struct compress *c, const char *path, const struct bundle_file *bundle,
                                 size_t clips, bool current) {
  const void *making;
  size_t record;
  (void)quatsimd_bundle_making(bundle->bundle, &making, &record);
  const size_t bytes = bundle->size - record;
  c->bundle = memory_grow(c->bundle, c->bundles, sizeof *c->bundle);
  c->bundle[c->bundles++] = (struct compressed_bundle){
      .path = text_copy(path), .bytes = bytes, .record = record, .clips = clips, .current = current};
  const char *kept = c->bundle[c->bundles - 1].path;
  if (c->silent) return kept;
  if (current) print_about(path, "up to date\n");
  else print_about(path, "%s bytes, %s\n", text_number(bytes), text_count(clips, "clip"));
  fflush(print_output());
  return kept;
}

void compress_note_failure(struct compress *c, const char *path, const char *reason,
                           const struct messages *messages, size_t count) {
  c->failed += count;
  if (messages->size == 0) return;
  c->failure = memory_grow(c->failure, c->failures, sizeof *c->failure);
  c->failure[c->failures++] =
      (struct compress_failure){text_copy(path), reason, {text_copy(messages->text), messages->size}};
}

/* Writing. ----------------------------------------------------------------------------------------------- */

/* In a bundle of several files, a clip is called as its file below its folder, and the animation's name is
 * behind that if the file has several. */
static char *clip_name(const struct compressed_file *done, bool several, const struct clip_result *result) {
  const char *animation = *result->name ? result->name : "animation";
  if (result->clip_name) return text_copy(result->clip_name);
  if (!several) return text_copy(animation);
  char *file = names_stem(done->file->name), *both = names_join(file, "/", animation);
  if (done->count > 1) return free(file), both;
  return free(both), file;
}

bool compress_names_differ(const struct recipe *recipe, const struct clip_result *result, size_t count) {
  for (size_t i = 1; recipe && i < count; i++)
    for (size_t k = 0; k < i; k++) {
      const struct clip_result *a = &result[k], *b = &result[i];
      const bool chosen = a->clip_name || b->clip_name || a->path != b->path;
      const char *p = a->clip_name ? a->clip_name : a->name, *q = b->clip_name ? b->clip_name : b->name;
      if (!chosen || strcmp(p, q) != 0) continue;
      complain(recipe->path,
               "two clips are called \"%.200s\": of animation %zu of %.200s and %zu of %.200s; "
               "\"name\" gives one another name",
               p, a->number, a->path, b->number, b->path);
      return false;
    }
  return true;
}

static void name_clips(struct compress *c, const struct compressed_file *done, size_t files) {
  const size_t first = done[0].first, end = done[files - 1].first + done[files - 1].count;
  const char **wanted = memory_get(end - first, sizeof *wanted);
  void *names = NULL;
  for (size_t f = 0; f < files; f++)
    for (size_t i = 0; i < done[f].count; i++)
      wanted[done[f].first + i - first] =
          clip_name(&done[f], files > 1 && !c->recipe, &c->result[done[f].first + i]);
  const char **numbered = names_numbered(&names, wanted, end - first);
  for (size_t i = first; i < end; i++) {
    free((char *)(uintptr_t)wanted[i - first]);
    free(c->result[i].clip_name);
    c->result[i].clip_name = text_copy(numbered[i - first]);
  }
  names_free(&names);
  free(numbered), free(wanted);
}

static struct made_clip made_clip_of(const struct clip_result *r, const struct compressed_clip *of) {
  struct made_clip made = {.clip = r->clip_name,
                           .name = r->name,
                           .number = r->number,
                           .seconds = r->seconds,
                           .moved = r->report.snapped,
                           .track_worst = r->track_error.of.worst,
                           .track_share = r->track_error.share,
                           .extras = r->extras,
                           .nearest = r->nearest,
                           .nearest_share = r->nearest_share,
                           .nearest_time = r->nearest_time,
                           .change = of->change,
                           .closed = r->closed,
                           .own = of->own,
                           .bounds = of->bounds};
  memcpy(made.keys, r->keys, sizeof made.keys);
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) made.worst[i] = r->error[i].worst, made.share[i] = r->share[i];
  return made;
}

/* The record of a bundle; to be freed. */
static char *record_of(const struct compress *c, const char *path, const struct skeleton_file *skeleton,
                       const struct compressed_file *done, size_t files, const char *digest) {
  struct making making = {.digest = text_copy(digest ? digest : ""),
                          .options = c->options,
                          .changes = c->recipe ? c->recipe->changes : (struct scene_changes){.match = {0}},
                          .file = memory_get(files, sizeof *making.file)};
  for (size_t f = 0; f < files; f++) {
    if (!done[f].read) continue;
    struct made_file *made = &making.file[making.count++];
    *made = (struct made_file){.path = done[f].file->path,
                               .name = done[f].file->name,
                               .hash = done[f].hash,
                               .bounds = done[f].bounds,
                               .empty = done[f].empty,
                               .count = done[f].count,
                               .clip = memory_get(done[f].count, sizeof *made->clip)};
    for (size_t i = 0; i < made->count; i++)
      made->clip[i] = made_clip_of(&c->result[done[f].first + i], &c->of[done[f].first + i]);
  }
  char *text = making_text(&making, path, skeleton->skeleton, c->release);
  for (size_t f = 0; f < making.count; f++) free(making.file[f].clip);
  free(making.file), free(making.digest);
  return text;
}

static bool make_bundle(struct compress *c, const char *path, const struct compressed_file *done,
                        size_t files, const char *digest, struct bundle_file *made) {
  const struct skeleton_file *skeleton =
      c->settings->skeleton.of ? c->settings->skeleton.of : &done->skeleton;
  const size_t first = done[0].first, count = done[files - 1].first + done[files - 1].count - first;
  struct bundle_masks masks = {.count = c->recipe ? c->recipe->masks : 0};
  quatsimd_bundle_mask_entry *mask = NULL;
  if (!compress_names_differ(c->recipe, &c->result[first], count)) return false;
  if (c->recipe && !recipe_make_masks(c->recipe, skeleton->skeleton, &mask)) return false;
  masks.mask = mask;
  name_clips(c, done, files);
  struct bundle_part *part = memory_get(count, sizeof *part);
  char *making = record_of(c, path, skeleton, done, files, digest);
  for (size_t i = 0; i < count; i++) {
    const struct clip_result *r = &c->result[first + i];
    part[i] = (struct bundle_part){r->clip_name, r->clip_name, r->data, r->size, r->event, r->events};
  }
  const bool good = bundle_file_make(path, skeleton, part, count, &masks, making, made);
  for (size_t i = 0; good && i < count; i++)
    c->result[first + i].size = bundle_file_clip_size(made, c->result[first + i].clip_name);
  if (c->recipe) recipe_masks_free(c->recipe, mask);
  free(part), free(making);
  return good;
}

/* Notes which joints no mesh needs, and about the bytes that they take: as much of the bundle as of its clips
 * by themselves. */
static void note_idle(const struct compress *c, struct compressed_bundle *b,
                      const struct compressed_file *done) {
  const size_t joints = c->result[done->first].joints;
  double *bytes = memory_get(joints, sizeof *bytes), all = 0, idle = 0;
  for (size_t j = 0; done->needed && j < joints; j++) b->idle += !done->needed[j];
  for (size_t i = done->first; b->idle > 0 && i < done->first + b->clips; i++) {
    all += quatsimd_inspect_joints(c->result[i].clip, bytes);
    for (size_t j = 0; j < joints; j++) all += bytes[j], idle += done->needed[j] ? 0 : bytes[j];
  }
  if (all > 0) b->idle_bytes = (size_t)((double)b->bytes * idle / all);
  free(bytes);
}

static bool try_to_write(struct compress *c, const char *path, struct compressed_file *done, size_t files,
                         const char *digest, const char *why) {
  size_t failed = c->one ? c->files->unread : 0, clips = 0; /* a folder of bundles lacks those alone */
  struct bundle_file made;
  bool whole = true;
  for (size_t f = 0; f < files; f++) {
    failed += done[f].failed + !done[f].read, clips += done[f].count;
    whole = whole && done[f].missed == 0;
  }
  progress_clear();
  if (clips == 0) return failed == 0;
  if (failed > 0 && !c->partial) {
    complain(path, "is not written: %s or file%s failed; --partial writes it without",
             text_count(failed, "animation"), text_plural(failed));
    return false;
  }
  whole = whole && failed == 0; /* else it is never current */
  if (!names_make_directory_of(path) || !make_bundle(c, path, done, files, whole ? digest : NULL, &made))
    return false;
  const bool good = bundle_file_write(path, &made);
  if (good && why) complain(path, "is replaced: %s", why);
  if (good && failed > 0) complain(path, "is written without %s that failed", text_number(failed));
  const char *bundle = good ? compress_note_bundle(c, path, &made, clips, false) : NULL;
  if (good) note_idle(c, &c->bundle[c->bundles - 1], done);
  for (size_t f = 0; f < files; f++) done[f].bundle = bundle;
  for (size_t i = done[0].first; !c->again && i < done[0].first + clips; i++) clip_result_drop(&c->result[i]);
  bundle_file_free(&made);
  return good;
}

bool compress_write(struct compress *c, const char *path, struct compressed_file *done, size_t files,
                    const char *digest, const char *why) {
  struct messages messages = {0}, *before = messages_keep(&messages);
  const bool good = try_to_write(c, path, done, files, digest, why);
  messages_keep(before);
  messages_print(&messages);
  if (!good && c->failed == 0) compress_note_failure(c, path, "bundle", &messages, 1);
  messages_free(&messages);
  return good;
}
