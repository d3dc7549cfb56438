#include "clips/compress.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/inputs.h"
#include "base/letter_cases.h"
#include "base/message.h"
#include "base/names.h"
#include "base/output.h"
#include "base/quantity.h"
#include "base/speed.h"
#include "base/text.h"
#include "clips/bundle.h"
#include "clips/manifest.h"
#include "clips/plan.h"
#include "system/files.h"

void compress_add(struct compress_sum *sum, const struct compress_sum *of) {
  if (sum->clips == 0) sum->bounds = of->bounds;
  else if (of->clips > 0 && !bounds_are_same(&sum->bounds, &of->bounds)) sum->mixed = true;
  for (int i = 0; i < COMPRESS_OUTCOMES; i++) sum->files[i] += of->files[i];
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) sum->keys[kind] += of->keys[kind];
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) {
    sum->worst[i] = fmax(sum->worst[i], of->worst[i]);
    sum->share[i] = fmax(sum->share[i], of->share[i]);
  }
  sum->track_worst = fmax(sum->track_worst, of->track_worst), sum->moved = fmax(sum->moved, of->moved);
  sum->clips += of->clips, sum->left_out += of->left_out, sum->missed += of->missed, sum->empty += of->empty,
      sum->encoded_keys += of->encoded_keys, sum->bytes += of->bytes;
  sum->skeleton_bytes += of->skeleton_bytes, sum->bundle_bytes += of->bundle_bytes;
  sum->curves_left_out += of->curves_left_out;
  sum->raw_bytes += of->raw_bytes, sum->seconds += of->seconds, sum->encode_seconds += of->encode_seconds;
  sum->work_seconds += of->work_seconds;
}

static size_t keys_of(const struct manifest_clip *clip) {
  return clip->keys[0] + clip->keys[1] + clip->keys[2] + clip->keys[3];
}

static struct compress_sum sum_of(const struct manifest *manifest, enum compress_outcome outcome) {
  struct compress_sum sum = {.clips = manifest->count,
                             .left_out = manifest->left_out,
                             .missed = manifest->missed,
                             .empty = manifest->empty,
                             .skeleton_bytes = manifest->skeleton.bytes,
                             .bundle_bytes = manifest->bundle.bytes,
                             .curves_left_out = manifest->curves_left_out,
                             .bounds = manifest->bounds};
  sum.files[outcome] = 1;
  for (size_t i = 0; i < manifest->count; i++) {
    const struct manifest_clip *clip = &manifest->clip[i];
    for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) sum.keys[kind] += clip->keys[kind];
    for (int e = 0; e < CLIP_CHECK_ERRORS; e++) {
      sum.worst[e] = fmax(sum.worst[e], clip->worst[e]);
      sum.share[e] = fmax(sum.share[e], clip->share[e]);
    }
    sum.track_worst = fmax(sum.track_worst, clip->track_worst), sum.moved = fmax(sum.moved, clip->moved);
    sum.bytes += clip->bytes, sum.raw_bytes += clip_key_bytes(clip->keys), sum.seconds += clip->seconds;
    if (outcome != COMPRESS_CURRENT) sum.encoded_keys += keys_of(clip);
  }
  return sum;
}

/* The clips of a file, until they are written. */
struct made {
  struct clip_result *result;
  size_t count;
  struct skeleton_file skeleton;
  struct bundle_file bundle;
  char *skeleton_output, *bundle_output; /* null: there are no joints; there is no bundle */
};

static void made_free(struct made *made) {
  for (size_t i = 0; i < made->count; i++) clip_result_free(&made->result[i]);
  free(made->result);
  free(made->skeleton_output), free(made->bundle_output);
  skeleton_file_free(&made->skeleton);
  bundle_file_free(&made->bundle);
}

/* Takes the skeleton's file out of it. */
static void take_skeleton(struct made *made, const char *folder, struct skeleton *skeleton,
                          struct manifest *manifest) {
  if (skeleton->joints == 0 && skeleton->scene.tracks == 0) return;
  made->skeleton = skeleton->file;
  skeleton->file = (struct skeleton_file){0};
  made->skeleton_output = names_join(folder, "/", SKELETON_FILE);
  manifest->skeleton_joints = skeleton->joints;
  manifest->curves_left_out = skeleton->curves_left_out;
}

/* Makes a bundle of all that was made of the file. */
static bool make_bundle(const char *path, const char *folder, struct made *made) {
  struct bundle_part *part = memory_get(made->count, sizeof *part);
  for (size_t i = 0; i < made->count; i++) {
    char number[40];
    snprintf(number, sizeof number, "animation %zu", made->result[i].number);
    part[i] = (struct bundle_part){bundle_clip_name(made->result[i].name, made->result[i].output),
                                   names_join(number, "", ""), made->result[i].data, made->result[i].size};
  }
  const bool good = bundle_file_make(path, &made->skeleton, part, made->count, &made->bundle);
  if (good) {
    char *name = bundle_file_name(path);
    made->bundle_output = names_join(folder, "/", name);
    free(name);
  }
  for (size_t i = 0; i < made->count; i++) free(part[i].name), free(part[i].from);
  free(part);
  return good;
}

/* Encodes what moves in the file, and names its clips. False if nothing of it can be written. */
static bool encode_all(const struct clip_settings *settings, const char *path, const char *folder,
                       struct made *made, struct manifest *manifest, double *seconds) {
  struct skeleton skeleton;
  void *names = NULL;
  if (!skeleton_read(path, &settings->skeleton, &skeleton)) return false;
  struct clip_plan plan;
  if (!clip_plan_make(&plan, settings, path, &skeleton)) return skeleton_free(&skeleton), false;
  size_t missing;
  bool *chosen = clip_plan_choose(&plan, &missing);
  manifest->left_out = skeleton.scene.unread + missing;
  manifest->bounds = plan.bounds;
  for (size_t a = 0; a < skeleton.scene.animations; a++) {
    struct clip_result result;
    if (!chosen[a]) continue;
    const enum clip_outcome outcome = clip_encode(&plan, a, &result);
    if (outcome != CLIP_EMPTY && outcome != CLIP_BAD) *seconds += result.encode_seconds;
    manifest->missed += outcome == CLIP_MISSED;
    if (outcome == CLIP_GOOD || outcome == CLIP_MISSED) {
      char *file = names_join(names_unique(&names, result.name, "animation"), "", ".qsc");
      result.output = names_join(folder, "/", file);
      free(file);
      made->result = memory_grow(made->result, made->count, sizeof *made->result);
      made->result[made->count++] = result;
    } else if (outcome == CLIP_EMPTY) manifest->empty++;
    else manifest->left_out++;
    if (outcome == CLIP_WRONG) clip_result_free(&result);
  }
  names_free(&names);
  manifest->joints = plan.joints, plan.joints = (struct joint_bounds){.path = NULL};
  clip_plan_free(&plan);
  free(chosen);
  take_skeleton(made, folder, &skeleton, manifest);
  skeleton_free(&skeleton);
  /* with --skeleton there is one of all files instead; one without some of its clips is none */
  if (settings->bundle && !settings->skeleton.of && made->count > 0 && manifest->left_out == 0 &&
      !make_bundle(path, folder, made))
    return false;
  return made->count > 0 || manifest->left_out == 0;
}

static bool is_named(const struct manifest *manifest, const char *name) {
  for (size_t k = 0; k < manifest->count; k++)
    if (system_compare_names(name, manifest->clip[k].output) == 0) return true;
  const char *skeleton = manifest->skeleton.output, *bundle = manifest->bundle.output;
  return (skeleton && system_compare_names(name, skeleton) == 0) ||
         (bundle && system_compare_names(name, bundle) == 0);
}

/* Does the manifest name the file with other capital and small letters? On some volumes the names are one. */
static bool is_named_otherwise(const struct manifest *manifest, const char *folder, const char *path) {
  bool same = false;
  for (size_t k = 0; !same && k <= manifest->count; k++) {
    const char *name = k < manifest->count ? manifest->clip[k].output : manifest->bundle.output;
    if (!name || letter_cases_compare(name, names_file(path)) != 0) continue;
    char *other = names_join(folder, "/", name);
    same = file_is_same(path, other);
    free(other);
  }
  return same;
}

/* False and a complaint if the place of a clip, the skeleton or the bundle is taken. Those that the former
 * manifest names are replaced, and so are those that have the same bytes. Links are not followed. data: null
 * for the manifest itself. */
static bool is_free(const char *folder, const char *path, const void *data, size_t size,
                    const struct manifest *former) {
  struct system_look look;
  if (!system_look_at_link(path, &look)) {
    if (errno == ENOENT) return true;
    complain(path, "cannot write: %s", strerror(errno));
  } else if (look.kind != SYSTEM_FILE) complain(path, "is in the way and is not a regular file");
  else if (!data || is_named(former, names_file(path)) || file_has_bytes(path, data, size) ||
           is_named_otherwise(former, folder, path))
    return true;
  else
    complain(path,
             "is in the way: " MANIFEST_FILE " does not name it as a file of an earlier run; move it away, "
             "or give another OUT");
  return false;
}

static bool all_free(const char *folder, const struct made *made, const struct manifest *former) {
  char *path = names_join(folder, "/", MANIFEST_FILE);
  bool good = is_free(folder, path, NULL, 0, former);
  free(path);
  if (made->skeleton_output)
    good = is_free(folder, made->skeleton_output, made->skeleton.data, made->skeleton.size, former) && good;
  if (made->bundle_output)
    good = is_free(folder, made->bundle_output, made->bundle.data, made->bundle.size, former) && good;
  for (size_t i = 0; i < made->count; i++)
    good =
        is_free(folder, made->result[i].output, made->result[i].data, made->result[i].size, former) && good;
  return good;
}

/* Takes away the files that runs that were killed left unfinished. */
static void remove_unfinished(const char *folder) {
  char **names;
  size_t count;
  (void)system_list(folder, &names, &count);
  for (size_t i = 0; i < count; i++) {
    char *path = names_join(folder, "/", names[i]);
    output_remove_unfinished(path);
    free(path), free(names[i]);
  }
  free(names);
}

/* The manifest while files are replaced. It names the files that were there and those that come, so that
 * after a run that was killed the next one knows them all. Its hash is empty, as that of no input. */
static char *interim_text(const struct clip_settings *settings, const struct manifest *former,
                          const struct manifest *manifest) {
  struct manifest both = *manifest;
  both.hash = "";
  both.count = 0;
  both.clip = memory_get(manifest->count + former->count, sizeof *both.clip);
  for (size_t k = 0; k < manifest->count; k++) both.clip[both.count++] = manifest->clip[k];
  for (size_t k = 0; k < former->count; k++)
    if (!is_named(manifest, former->clip[k].output)) both.clip[both.count++] = former->clip[k];
  if (!both.skeleton.output) both.skeleton = former->skeleton;
  if (!both.bundle.output) both.bundle = former->bundle;
  char *text = manifest_text(&both, settings);
  free(both.clip);
  return text;
}

/* False and a complaint if a file of an earlier run cannot be removed. If `removed` is null, this only tells
 * whether it could be. Files of this manifest, inputs, and whatever is not a regular file, are left alone. */
static bool remove_file(const char *folder, const char *name, const struct manifest *manifest,
                        size_t *removed) {
  char *path = names_join(folder, "/", name);
  bool good = true;
  if (system_is(path, SYSTEM_FILE) && !is_named_otherwise(manifest, folder, path) && !inputs_have(path)) {
    good = removed ? system_remove(path) : system_may_write(path);
    if (!good) complain(path, "is of an earlier run and cannot be removed: %s", strerror(errno));
    else if (removed) ++*removed;
  }
  free(path);
  return good;
}

/* Files that the former manifest names and this one does not: the input has them no more, or was another one
 * before. */
static bool remove_former(const char *folder, const struct manifest *former, const struct manifest *manifest,
                          size_t *removed) {
  bool good = true;
  for (size_t k = 0; k < former->count + 2; k++) {
    const char *name = k < former->count    ? former->clip[k].output
                       : k == former->count ? former->skeleton.output
                                            : former->bundle.output;
    if (name && !is_named(manifest, name)) good = remove_file(folder, name, manifest, removed) && good;
  }
  return good;
}

static void note(struct manifest *manifest, const struct clip_result *result) {
  manifest->clip = memory_grow(manifest->clip, manifest->count, sizeof *manifest->clip);
  struct manifest_clip *clip = &manifest->clip[manifest->count++];
  *clip = (struct manifest_clip){.name = names_join(result->name, "", ""),
                                 .output = names_join(names_file(result->output), "", ""),
                                 .number = result->number,
                                 .joints = quatsimd_clip_joint_count(result->clip),
                                 .frames = quatsimd_clip_frame_count(result->clip),
                                 .bytes = result->size,
                                 .loop = quatsimd_clip_is_looping(result->clip),
                                 .extras = result->extras ? names_join(result->extras, "", "") : NULL,
                                 .seconds = result->seconds,
                                 .moved = result->report.snapped};
  memcpy(clip->keys, result->keys, sizeof clip->keys);
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++)
    clip->worst[i] = result->error[i].worst, clip->share[i] = result->share[i];
  clip->track_worst = result->track_error.of.worst, clip->track_share = result->track_error.share;
  manifest_hash_bytes(clip->hash, result->data, result->size);
}

/* Of a skeleton or a bundle; path: null if there is none. */
static void note_file(const char *path, const void *data, size_t size, struct manifest_file *file) {
  if (!path) return;
  *file = (struct manifest_file){.output = names_join(names_file(path), "", ""), .bytes = size};
  manifest_hash_bytes(file->hash, data, size);
}

/* A bundle is never made of only some of the clips. The former one is whole, so it stays and is named. */
static void note_bundle(const char *folder, const struct made *made, const struct manifest *former,
                        struct manifest *manifest) {
  note_file(made->bundle_output, made->bundle.data, made->bundle.size, &manifest->bundle);
  if (manifest->left_out == 0 || !former->bundle.output) return;
  manifest->bundle = former->bundle;
  manifest->bundle.output = names_join(former->bundle.output, "", "");
  complain(folder, "%s is not updated, because not all clips could be made", former->bundle.output);
}

static bool add_parts(struct output *o, const char *interim, const struct made *made) {
  bool good = output_add_part(o, o->path, interim, strlen(interim));
  if (good && made->skeleton_output)
    good = output_add_part(o, made->skeleton_output, made->skeleton.data, made->skeleton.size);
  for (size_t i = 0; good && i < made->count; i++)
    good = output_add_part(o, made->result[i].output, made->result[i].data, made->result[i].size);
  if (good && made->bundle_output)
    good = output_add_part(o, made->bundle_output, made->bundle.data, made->bundle.size);
  return good;
}

/* Writes all files, and then renames them: first the interim manifest, last the true one. */
static bool write_files(const struct clip_settings *settings, const char *folder, const struct made *made,
                        const struct manifest *former, const struct manifest *manifest) {
  struct output o;
  size_t removed = 0;
  char *path = names_join(folder, "/", MANIFEST_FILE), *text = manifest_text(manifest, settings),
       *interim = interim_text(settings, former, manifest);
  bool good = output_open(&o, path);
  if (good) {
    output_write(&o, text, strlen(text));
    good = add_parts(&o, interim, made) && remove_former(folder, former, manifest, NULL) &&
           output_place_parts(&o) && remove_former(folder, former, manifest, &removed);
    if (removed)
      complain(folder, "removed %s file%s of an earlier run", text_number(removed), text_plural(removed));
    if (good) good = output_close(&o);
    else output_cancel(&o);
  }
  free(path), free(text), free(interim);
  return good;
}

static void print_bundle(FILE *answer, const char *name, const struct manifest *manifest) {
  if (!manifest->bundle.output || manifest->left_out) return;
  fprintf(answer, "%s/%s: %s bytes, ", name, manifest->bundle.output, text_number(manifest->bundle.bytes));
  fprintf(answer, "the skeleton and %s clip%s\n", text_number(manifest->count), text_plural(manifest->count));
}

static void print_lines(FILE *answer, const char *name, const struct manifest *manifest) {
  const double object = manifest->bounds.of[CLIP_CHECK_OBJECT];
  for (size_t i = 0; i < manifest->count; i++) {
    const struct manifest_clip *clip = &manifest->clip[i];
    fprintf(answer, "%s/%s: %s bytes, ", name, clip->output, text_number(clip->bytes));
    fprintf(answer, "%s, off by at most %.6f degrees, translation %.3g, scale %.3g",
            text_ratio(clip_key_bytes(clip->keys), (double)clip->bytes), clip->worst[0] * DEGREES,
            clip->worst[1], clip->worst[2]);
    if (clip->keys[QUATSIMD_CLIP_TRACK]) fprintf(answer, ", tracks %.3g", clip->track_worst);
    if (object > 0) fprintf(answer, ", object %.3g of %.4g", clip->worst[CLIP_CHECK_OBJECT], object);
    if (manifest->bounds.height > 0) fprintf(answer, ", rest pose %.4g high", manifest->bounds.height);
    fputc('\n', answer);
  }
}

static enum compress_outcome write_all(const struct clip_settings *settings, const char *folder,
                                       const struct made *made, const struct manifest *former,
                                       struct manifest *manifest) {
  note_file(made->skeleton_output, made->skeleton.data, made->skeleton.size, &manifest->skeleton);
  for (size_t i = 0; i < made->count; i++) note(manifest, &made->result[i]);
  note_bundle(folder, made, former, manifest);
  if (!write_files(settings, folder, made, former, manifest))
    return manifest_drop_files(manifest), COMPRESS_FAILED;
  return manifest->left_out ? COMPRESS_PART : manifest->count ? COMPRESS_DONE : COMPRESS_STILL;
}

/* False and a complaint if a manifest is there and cannot be opened, or may not be replaced: the files that
 * it names would be forgotten. */
static bool read_former(const char *folder, struct manifest *former) {
  struct system_look look;
  char *path = names_join(folder, "/", MANIFEST_FILE);
  const bool there = system_look(path, &look) && look.kind == SYSTEM_FILE; /* a pipe would wait */
  FILE *file = there ? system_open(path, "rb") : NULL;
  if (file) fclose(file);
  else if (there) complain(path, "cannot read: %s", strerror(errno));
  const bool good = (file || !there) && (manifest_read(folder, former) || manifest_may_be_replaced(path));
  free(path);
  return good;
}

/* None of the file's animations is chosen: what a run with other options made of them stays. */
static bool is_skipped(const struct clip_settings *settings, const struct made *made,
                       const struct manifest *former, const struct manifest *manifest) {
  return settings->sifts && made->count == 0 && manifest->left_out == 0 && manifest->empty == 0 &&
         former->count > 0 && strcmp(former->options, manifest->options) != 0;
}

static enum compress_outcome make(const struct compress *c, const struct collected_file *file,
                                  const char *folder, struct manifest *manifest, double *seconds) {
  struct made made = {0};
  struct manifest former = {0};
  enum compress_outcome outcome = COMPRESS_FAILED;
  if (encode_all(c->settings, file->path, folder, &made, manifest, seconds) &&
      names_make_directories(folder)) {
    const intptr_t lock = system_lock_folder(folder); /* another run may have written since this one began */
    if (!read_former(folder, &former)) outcome = COMPRESS_FAILED;
    else if (is_skipped(c->settings, &made, &former, manifest)) outcome = COMPRESS_STILL;
    else if (all_free(folder, &made, &former))
      outcome = write_all(c->settings, folder, &made, &former, manifest);
    manifest_free(&former);
    system_unlock_folder(lock);
  }
  made_free(&made);
  return outcome;
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
  const double start = speed_now();
  char *hash = file_is_regular(file->path) ? manifest_hash(file->path) : NULL;
  const intptr_t lock = system_lock_folder(folder);
  if (hash) remove_unfinished(folder);
  const bool known = hash && manifest_read(folder, &former),
             current = known && manifest_is_current(&former, folder, hash, c->options);
  system_unlock_folder(lock);
  if (current) {
    outcome = former.count || former.left_out ? COMPRESS_CURRENT : COMPRESS_STILL;
  } else if (hash) {
    manifest = (struct manifest){.input = names_join(slash ? slash + 1 : file->name, "", ""),
                                 .path = names_join(file->path, "", ""),
                                 .hash = hash,
                                 .options = names_join(c->options, "", "")};
    hash = NULL;
    outcome = make(c, file, folder, &manifest, &seconds);
  }
  struct compress_sum sum = sum_of(current ? &former : &manifest, outcome);
  sum.encode_seconds = seconds, sum.work_seconds = speed_now() - start;
  fwrite(&sum, sizeof sum, 1, answer);
  if (outcome == COMPRESS_CURRENT) fprintf(answer, "%s: up to date\n", name);
  if (outcome == COMPRESS_STILL)
    fprintf(answer, "%s: %s\n", name,
            c->settings->sifts ? "none of its animations is chosen" : "no node moves in it");
  print_lines(answer, name, &manifest);
  print_bundle(answer, name, &manifest);
  manifest_free(&manifest), manifest_free(&former);
  free(hash), free(name), free(folder);
  arena_empty();
}
