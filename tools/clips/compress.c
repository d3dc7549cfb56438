#include "clips/compress.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/speed.h"
#include "base/text.h"
#include "bundles/digest.h"
#include "clip/inspect.h"
#include "clips/events.h"
#include "clips/plan.h"
#include "files/file.h"
#include "files/letter_cases.h"
#include "files/names.h"
#include "system/files.h"
#include "terminal/print.h"
#include "terminal/progress.h"

/* Reading ahead stops at so many files or bytes of files, or animations for each thread. */
enum { BATCH_FILES = 64, BATCH_BYTES = 1 << 26, BATCH_ITEMS = 8 };

/* A file that was read, while its animations are encoded. */
struct taken {
  struct compressed_file done;
  struct skeleton skeleton;
  struct clip_plan plan;
  struct reached reached;
  struct bundle_place place; /* of its own bundle */
  char *output, *digest;     /* of that; null: it has none */
  struct messages messages;
  bool good, spared; /* it was read; its bundle is current or something else is in the way */
};

struct item {
  struct taken *file;
  struct prepared *prepared; /* null: the file's plan is its plan */
  size_t animation, keys;
  enum clip_outcome outcome;
  struct clip_result result;
  struct messages messages;
};

struct batch {
  struct taken file[BATCH_FILES];
  size_t files, items;
  struct item *item, **largest; /* in the order of the files; the largest first */
};

struct run {
  struct compress *compress;
  struct clip_settings settings; /* with threads */
  char **output;                 /* of each file's bundle; null: there is one of all */
  size_t next;                   /* file to read */
  struct batch batch[2], *encoded, *ahead;
  atomic_size_t busy; /* animations that are encoded now */
  bool good;
};

/* Outputs. ----------------------------------------------------------------------------------------------- */

static int compare_outputs(const void *a, const void *b) {
  return letter_cases_compare(**(char *const *const *)a, **(char *const *const *)b);
}

/* Names the bundle of each file: knight.qsb of knight.glb, or knight.glb.qsb beside a knight.fbx. */
static char **name_outputs(const struct compress *c) {
  const size_t count = c->files->count;
  char **output = memory_get(count, sizeof *output), ***place = memory_get(count, sizeof *place);
  for (size_t i = 0; i < count; i++) output[i] = names_stem(c->files->file[i].name), place[i] = &output[i];
  if (count) qsort(place, count, sizeof *place, compare_outputs);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && compare_outputs(&place[i], &place[end]) == 0;) end++;
    for (size_t k = i; end - i > 1 && k < end; k++) {
      free(*place[k]);
      *place[k] = text_copy(c->files->file[place[k] - output].name);
    }
  }
  for (size_t i = 0; i < count; i++) {
    char *path = names_join(c->out, "/", output[i]);
    free(output[i]);
    output[i] = names_join(path, "", ".qsb");
    free(path);
  }
  free(place);
  return output;
}

/* Of a bundle, whose clips are called as the files. Null if one cannot be read, which is complained of when it
 * is. */
static char *digest_of(const struct compress *c, size_t first, size_t count) {
  char **part = memory_get(count + 1, sizeof *part), *digest = NULL;
  struct messages unheard = {0};
  bool good = true;
  struct messages *before = messages_keep(&unheard);
  for (size_t i = 0; i < count; i++) {
    const struct collected_file *file = &c->files->file[first + i];
    char *hash = making_hash(file->path);
    part[i] = hash ? names_join(file->name, "\n", hash) : NULL;
    good = good && hash;
    free(hash);
  }
  messages_keep(before);
  part[count] = making_skeleton(c->settings);
  if (good) digest = making_digest(c->options, part, count + 1);
  for (size_t i = 0; i <= count; i++) free(part[i]);
  free(part);
  messages_free(&unheard);
  return digest;
}

/* Results of an earlier run. ----------------------------------------------------------------------------- */

/* Bounds that are known in the unit of a file, as people ask for them. metres: the unit; 0: not known. */
static struct bounds_asked asked_of(const struct made_bounds *bounds, double metres) {
  struct bounds_asked asked = {.bounds = bounds->bounds, .mesh = bounds->mesh};
  const double unit = bounds->bounds.height > 0 ? 1 / bounds->bounds.height : metres;
  if (!(unit > 0)) return asked;
  double *of = asked.bounds.of;
  of[QUATSIMD_CLIP_TRANSLATION] *= unit, of[CLIP_CHECK_OBJECT] *= unit;
  asked.bounds.distance *= unit, asked.mesh *= unit;
  asked.in[QUATSIMD_CLIP_TRANSLATION] = asked.in[CLIP_CHECK_OBJECT] = BOUNDS_METRES;
  asked.distance_in = asked.mesh_in = BOUNDS_METRES;
  return asked;
}

/* Makes a result from the record and the clip. Bounds of its own are known in the file's unit. */
static struct clip_result result_of(const struct compress *c, const struct made_clip *made,
                                    const struct made_bounds *bounds, double metres, const char *path,
                                    struct clip_file *clip) {
  struct clip_result r = {.path = path,
                          .number = made->number,
                          .name = text_copy(made->name),
                          .clip_name = text_copy(made->clip),
                          .extras = text_copy(made->extras),
                          .nearest = text_copy(made->nearest),
                          .nearest_share = made->nearest_share,
                          .nearest_time = made->nearest_time,
                          .size = clip->size,
                          .clip = clip->clip,
                          .storage = clip->storage,
                          .seconds = made->seconds,
                          .bounds = bounds->bounds};
  if (made->own) r.asked = asked_of(bounds, metres);
  else r.asked = c->settings->asked, r.asked.mesh *= bounds->mesh > 0;
  size_t curves[CLIP_STATES][QUATSIMD_CLIP_KIND_COUNT];
  quatsimd_inspect_states(clip->clip, curves);
  r.report.rate = quatsimd_clip_rate(clip->clip), r.report.snapped = made->moved;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    r.keys[kind] = made->keys[kind];
    r.report.moving_count[kind] = curves[QUATSIMD_CLIP_MOVING][kind];
    r.report.rest_count[kind] = curves[QUATSIMD_CLIP_REST][kind];
    r.report.constant_count[kind] = curves[QUATSIMD_CLIP_CONSTANT][kind];
    r.report.keyed_count[kind] = curves[QUATSIMD_CLIP_KEYED][kind];
  }
  r.track_error.of.worst = made->track_worst, r.track_error.share = made->track_share;
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) r.error[i].worst = made->worst[i], r.share[i] = made->share[i];
  clip_result_describe(&r);
  return r;
}

static void add_result(struct compress *c, const struct clip_result *result,
                       const struct compressed_clip *of) {
  c->result = memory_grow(c->result, c->count, sizeof *c->result);
  c->of = memory_grow(c->of, c->count, sizeof *c->of);
  c->of[c->count] = *of;
  c->result[c->count++] = *result;
}

static void add_former(struct compress *c, const struct bundle_file *bundle, const struct made_file *made,
                       const struct collected_file *file) {
  struct compressed_file done = {.file = file,
                                 .bounds = {.bounds = made->bounds.bounds, .mesh = made->bounds.mesh},
                                 .by_hand = joint_bounds_are_by_hand(&made->bounds.joints),
                                 .first = c->count,
                                 .empty = made->empty,
                                 .read = true};
  struct skeleton_file skeleton;
  bundle_file_take_skeleton(bundle, &skeleton);
  const double metres = quatsimd_skeleton_metres(skeleton.skeleton);
  skeleton_file_free(&skeleton);
  for (size_t i = 0; i < made->count; i++) {
    struct clip_file clip;
    if (made->clip[i].number == SCENE_NONE || !bundle_file_open_clip(bundle, made->clip[i].clip, &clip))
      continue;
    const struct made_bounds *bounds = made_bounds_of(made, &made->clip[i]);
    const struct clip_result result = result_of(c, &made->clip[i], bounds, metres, file->path, &clip);
    const struct compressed_clip of = {.by_hand =
                                           made->clip[i].own && joint_bounds_are_by_hand(&bounds->joints)};
    add_result(c, &result, &of);
    done.count++;
  }
  c->done = memory_grow(c->done, c->done_count, sizeof *c->done);
  c->done[c->done_count++] = done;
}

static const char *note_bundle(struct compress *c, const char *path, const struct bundle_file *bundle,
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
  else print_about(path, "%s bytes, %s clip%s\n", text_number(bytes), text_number(clips), text_plural(clips));
  fflush(print_output());
  return kept;
}

static void take_former(struct compress *c, const char *path, struct bundle_place *place, size_t first) {
  const size_t before = c->count, files = c->done_count;
  for (size_t f = 0; f < place->making.count && first + f < c->files->count; f++)
    add_former(c, &place->file, &place->making.file[f], &c->files->file[first + f]);
  progress_clear();
  const char *bundle = note_bundle(c, path, &place->file, c->count - before, true);
  for (size_t f = files; f < c->done_count; f++) c->done[f].bundle = bundle;
  for (size_t i = before; i < c->count; i++) clip_result_drop(&c->result[i]);
}

/* Reading. ----------------------------------------------------------------------------------------------- */

static bool read_file(struct run *run, struct taken *t) {
  const struct clip_settings *s = &run->settings;
  const char *path = t->done.file->path;
  if ((run->compress->out && !(t->done.hash = making_hash(path))) ||
      !skeleton_read(path, &s->skeleton, &t->skeleton))
    return false;
  if (clip_plan_make(&t->plan, s, path, &t->skeleton, &t->reached)) return true;
  skeleton_free(&t->skeleton);
  return false;
}

static size_t keys_of(const struct scene *scene, size_t animation) {
  const struct scene_animation *a = &scene->animation[animation];
  size_t keys = 0;
  for (size_t c = 0; c < a->channels; c++)
    for (int kind = 0; kind < SCENE_KINDS; kind++) keys += a->channel[c].curve[kind].keys;
  return keys;
}

static struct made_base made_base_of(const struct clip_base *base) {
  if (!base) return (struct made_base){.path = NULL};
  return (struct made_base){base->path, base->hash, clip_base_animation(base)->number, base->change};
}

/* Takes those of a plan. */
static struct made_bounds take_bounds(struct clip_plan *plan) {
  const struct made_bounds bounds = {
      plan->bounds, bounds_length(plan->asked.mesh, plan->asked.mesh_in, plan->skeleton),
      plan->settings->track_bound, plan->joints, made_base_of(plan->settings->base)};
  plan->joints = (struct joint_bounds){0};
  return bounds;
}

static void add_item(struct batch *batch, struct taken *t, size_t animation, struct prepared *prepared) {
  batch->item = memory_grow(batch->item, batch->items, sizeof *batch->item);
  batch->item[batch->items++] = (struct item){.file = t,
                                              .prepared = prepared,
                                              .animation = animation,
                                              .keys = keys_of(&t->skeleton.scene, animation)};
}

static void add_chosen(struct batch *batch, struct taken *t, size_t *missing) {
  bool *chosen = clip_plan_choose(&t->plan, missing);
  for (size_t a = 0; a < t->skeleton.scene.animations; a++)
    if (chosen[a]) add_item(batch, t, a, NULL);
  free(chosen);
}

static void add_prepared(struct run *run, struct batch *batch, struct taken *t, size_t *failed) {
  size_t count;
  struct prepared **prepared = recipe_prepare(&run->compress->run, t->done.file, &run->settings, &t->skeleton,
                                              &t->reached, &count, failed);
  for (size_t i = 0; i < count; i++) add_item(batch, t, prepared[i]->animation, prepared[i]);
  free(prepared);
}

static void add_items(struct run *run, struct batch *batch, struct taken *t) {
  size_t missing;
  if (run->compress->recipe) add_prepared(run, batch, t, &missing);
  else add_chosen(batch, t, &missing);
  t->done.failed = t->skeleton.scene.unread + missing;
  t->done.metres = t->skeleton.metres, t->done.curves_left_out = t->skeleton.curves_left_out;
}

/* Takes back that a bundle is current whose record has other paths than those of the files: they, or it, were
 * moved, and `verify` would not find them. */
static void look_at_paths(const struct compress *c, struct bundle_place *place, size_t first) {
  const struct making *making = &place->making;
  for (size_t f = 0; place->current && f < making->count && first + f < c->files->count; f++)
    if (making->file[f].path && !file_is_same(making->file[f].path, c->files->file[first + f].path))
      place->current = false, place->why = "its files are at other places";
}

/* True if there is nothing to do for its own bundle. */
static bool look_at_place(struct run *run, struct taken *t) {
  const struct compress *c = run->compress;
  t->digest = digest_of(c, (size_t)(t->done.file - c->files->file), 1);
  if (!bundle_place_look(&t->place, t->output, t->digest ? t->digest : "", c->options)) return true;
  look_at_paths(c, &t->place, (size_t)(t->done.file - c->files->file));
  return t->place.current && !c->again;
}

static void read_next(struct run *run, struct batch *batch) {
  struct compress *c = run->compress;
  struct taken *t = &batch->file[batch->files++];
  const struct collected_file *file = &c->files->file[run->next];
  *t = (struct taken){.done.file = file};
  progress_show("reading", run->next, c->files->count, file->path);
  messages_keep(&t->messages);
  if (run->output) t->output = run->output[run->next];
  t->spared = t->output && look_at_place(run, t);
  t->good = !t->spared && read_file(run, t);
  if (t->good) add_items(run, batch, t);
  messages_keep(NULL);
  t->done.read = t->good;
  run->next++;
}

static int compare_items(const void *a, const void *b) {
  const struct item *p = *(struct item *const *)a, *q = *(struct item *const *)b;
  return p->keys != q->keys ? (p->keys < q->keys ? 1 : -1) : p < q ? -1 : 1;
}

/* The first batch is one file, so that the others are read while its animations are encoded. */
static void read_batch(struct run *run, struct batch *batch) {
  const struct compress *c = run->compress;
  const size_t most = run->next == 0 ? 1 : BATCH_ITEMS * c->threads;
  uint64_t bytes = 0;
  batch->files = batch->items = 0;
  while (run->next < c->files->count && batch->files < BATCH_FILES && bytes < BATCH_BYTES &&
         batch->items < most) {
    bytes += c->files->file[run->next].size;
    read_next(run, batch);
  }
  if (batch->items == 0) return;
  batch->largest = memory_get(batch->items, sizeof(struct item *));
  for (size_t i = 0; i < batch->items; i++) batch->largest[i] = &batch->item[i];
  qsort(batch->largest, batch->items, sizeof(struct item *), compare_items);
}

/* Encoding. ---------------------------------------------------------------------------------------------- */

static void encode_item(struct run *run, struct item *item) {
  const struct scene_animation *animation = &item->file->skeleton.scene.animation[item->animation];
  progress_show("encoding", (size_t)(item - run->encoded->item), run->encoded->items,
                *animation->name ? animation->name : item->file->done.file->path);
  atomic_fetch_add(&run->busy, 1);
  messages_keep(&item->messages);
  item->outcome =
      clip_encode(item->prepared ? &item->prepared->plan : &item->file->plan, item->animation, &item->result);
  if (item->outcome == CLIP_GOOD || item->outcome == CLIP_MISSED)
    clip_events_take(&item->result, item->prepared ? &item->prepared->as : NULL);
  messages_keep(NULL);
  atomic_fetch_sub(&run->busy, 1);
}

/* The first task reads on, beside those that encode. */
static void work(void *data, size_t task) {
  struct run *run = data;
  if (task == 0) read_batch(run, run->ahead);
  else encode_item(run, run->encoded->largest[task - 1]);
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

/* False and a complaint if a name that a recipe gives, or a file, is another clip's, too. */
static bool names_differ(const struct compress *c, size_t first, size_t count) {
  for (size_t i = first + 1; c->recipe && i < first + count; i++)
    for (size_t k = first; k < i; k++) {
      const struct clip_result *a = &c->result[k], *b = &c->result[i];
      const bool chosen = a->clip_name || b->clip_name || a->path != b->path;
      const char *p = a->clip_name ? a->clip_name : a->name, *q = b->clip_name ? b->clip_name : b->name;
      if (!chosen || strcmp(p, q) != 0) continue;
      complain(c->recipe->path,
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
  quatsimd_bundle_mask *mask = NULL;
  if (!names_differ(c, first, count)) return false;
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

/* Keeps a copy of the messages. */
static void note_failure(struct compress *c, const char *path, const char *reason,
                         const struct messages *messages, size_t count) {
  c->failed += count;
  if (messages->size == 0) return;
  c->failure = memory_grow(c->failure, c->failures, sizeof *c->failure);
  c->failure[c->failures++] =
      (struct compress_failure){path, reason, {text_copy(messages->text), messages->size}};
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

/* Writes a bundle of all clips of the files, unless some could not be made. */
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
    complain(path, "is not written: %s animation%s or file%s failed; --partial writes it without",
             text_number(failed), text_plural(failed), text_plural(failed));
    return false;
  }
  whole = whole && failed == 0; /* else it is never current */
  if (!names_make_directory_of(path) || !make_bundle(c, path, done, files, whole ? digest : NULL, &made))
    return false;
  const bool good = bundle_file_write(path, &made);
  if (good && why) complain(path, "is replaced: %s", why);
  if (good && failed > 0) complain(path, "is written without %s that failed", text_number(failed));
  const char *bundle = good ? note_bundle(c, path, &made, clips, false) : NULL;
  if (good) note_idle(c, &c->bundle[c->bundles - 1], done);
  for (size_t f = 0; f < files; f++) done[f].bundle = bundle;
  for (size_t i = done[0].first; !c->again && i < done[0].first + clips; i++) clip_result_drop(&c->result[i]);
  bundle_file_free(&made);
  return good;
}

/* The same. A bundle that fails though all its clips are good is a failure of its own. */
static bool write_bundle(struct compress *c, const char *path, struct compressed_file *done, size_t files,
                         const char *digest, const char *why) {
  struct messages messages = {0}, *before = messages_keep(&messages);
  const bool good = try_to_write(c, path, done, files, digest, why);
  messages_keep(before);
  messages_print(&messages);
  if (!good && c->failed == 0) note_failure(c, path, "bundle", &messages, 1);
  messages_free(&messages);
  return good;
}

/* Moving on. --------------------------------------------------------------------------------------------- */

/* Takes the plan of a clip of a recipe, as far as it is another than its file's. */
static struct compressed_clip own_of(const struct taken *t, const struct item *item) {
  struct compressed_clip of = {.own = false};
  if (!item->prepared) return of;
  const struct clip_settings *s = &item->prepared->settings;
  struct clip_plan *plan = &item->prepared->plan;
  of.change = item->prepared->as.change, of.base = s->base;
  of.own = s->base || !bounds_are_same(&plan->bounds, &t->plan.bounds) ||
           !joint_bounds_are_same(&plan->joints, &t->plan.joints);
  of.by_hand = joint_bounds_are_by_hand(&plan->joints);
  if (of.own) of.bounds = take_bounds(plan);
  return of;
}

static void take_item(struct compress *c, struct compressed_file *done, struct item *item) {
  const bool made = item->outcome == CLIP_GOOD || item->outcome == CLIP_MISSED;
  messages_print(&item->messages);
  if (made) {
    const struct compressed_clip of = own_of(item->file, item);
    if (item->prepared && item->prepared->name) item->result.clip_name = text_copy(item->prepared->name);
    add_result(c, &item->result, &of), done->count++;
  } else if (item->outcome == CLIP_WRONG) clip_result_free(&item->result);
  if (item->outcome == CLIP_EMPTY) done->empty += !c->unmet;
  else if (!made) done->failed++;
  done->missed += item->outcome == CLIP_MISSED;
  if (item->outcome != CLIP_GOOD && item->outcome != CLIP_EMPTY)
    note_failure(c, item->file->done.file->path, item->outcome == CLIP_BAD ? "animation" : "bound",
                 &item->messages, 1);
  messages_free(&item->messages);
  if (item->prepared) prepared_free(item->prepared);
}

/* *next: the file's first item; becomes the one behind its last. */
static void take_file(struct run *run, struct taken *t, const struct batch *batch, size_t *next) {
  struct compress *c = run->compress;
  struct compressed_file done = t->done;
  done.first = c->count;
  messages_print(&t->messages);
  const bool current = t->place.current && t->spared;
  if (t->done.failed > 0 || (!t->good && !current))
    note_failure(c, t->done.file->path, t->good ? c->recipe ? "recipe" : "name" : "file", &t->messages,
                 t->done.failed > 0 ? t->done.failed : 1);
  for (; *next < batch->items && batch->item[*next].file == t; ++*next)
    take_item(c, &done, &batch->item[*next]);
  if (t->good) {
    if (!run->settings.skeleton.of)
      done.skeleton = t->skeleton.file, t->skeleton.file = (struct skeleton_file){0};
    if (t->reached.moves) done.needed = t->reached.needed, t->reached.needed = NULL;
    done.by_hand = joint_bounds_are_by_hand(&t->plan.joints);
    done.bounds = take_bounds(&t->plan);
    reached_free(&t->reached);
    clip_plan_free(&t->plan);
    skeleton_free(&t->skeleton);
  }
  if (current) {
    take_former(c, t->output, &t->place, (size_t)(done.file - c->files->file));
  } else {
    c->done = memory_grow(c->done, c->done_count, sizeof *c->done);
    c->done[c->done_count++] = done;
    run->good = run->good && t->good && done.failed + done.missed == 0;
    if (t->output && t->good)
      run->good =
          write_bundle(c, t->output, &c->done[c->done_count - 1], 1, t->digest, t->place.why) && run->good;
  }
  bundle_place_free(&t->place);
  messages_free(&t->messages);
  free(t->digest);
}

static void take_batch(struct run *run, struct batch *batch) {
  size_t next = 0;
  for (size_t f = 0; f < batch->files; f++) take_file(run, &batch->file[f], batch, &next);
  free(batch->item), free(batch->largest);
  batch->item = NULL, batch->largest = NULL;
}

/* True, after complaints, if all files are read and some entry of the recipe met nothing: then no more is
 * encoded. */
static bool is_unmet(struct run *run) {
  struct compress *c = run->compress;
  if (!c->recipe || run->next < c->files->count || c->unmet) return c->unmet;
  struct messages messages = {0}, *before = messages_keep(&messages);
  c->unmet = !recipe_all_met(c->recipe);
  messages_keep(before);
  messages_print(&messages);
  if (c->unmet) note_failure(c, c->recipe->path, "recipe", &messages, 1), run->good = false;
  messages_free(&messages);
  return c->unmet;
}

static void run_batches(struct run *run) {
  struct threads all = {run->compress->threads, NULL};
  read_batch(run, &run->batch[0]);
  for (int turn = 0; run->batch[turn].files > 0; turn = 1 - turn) {
    run->encoded = &run->batch[turn], run->ahead = &run->batch[1 - turn];
    if (is_unmet(run))
      for (size_t i = 0; i < run->encoded->items; i++) run->encoded->item[i].outcome = CLIP_EMPTY;
    else threads_run(&all, work, run, 1 + run->encoded->items);
    take_batch(run, run->encoded);
  }
  progress_clear();
}

/* A bundle of all files. */
static void make_one(struct run *run) {
  struct compress *c = run->compress;
  char *digest = digest_of(c, 0, c->files->count);
  struct bundle_place place;
  run->good = bundle_place_look(&place, c->out, digest ? digest : "", c->options);
  if (run->good) look_at_paths(c, &place, 0);
  if (run->good && place.current && !c->again) take_former(c, c->out, &place, 0);
  else if (run->good) {
    run_batches(run);
    const bool nothing = c->count == 0 && c->failed == 0;
    if (nothing && !c->settings->sifts)
      complain(c->out, "is not written: %s",
               c->recipe ? "the recipe makes no clip" : "no node moves in any file");
    if (nothing) run->good = c->settings->sifts;
    else if (is_unmet(run)) run->good = false;
    else run->good = write_bundle(c, c->out, c->done, c->done_count, digest, place.why) && run->good;
  }
  bundle_place_free(&place);
  free(digest);
}

bool compress_run(struct compress *c) {
  const double start = speed_now();
  struct run *run = memory_get(1, sizeof *run);
#ifdef M_MMAP_THRESHOLD
  /* arrays come and go: not to the system and back each time */
  mallopt(M_MMAP_THRESHOLD, 1 << 26), mallopt(M_TRIM_THRESHOLD, 1 << 26);
#endif
  *run = (struct run){.compress = c, .settings = *c->settings, .good = true};
  run->settings.threads = (struct threads){c->threads, &run->busy};
  c->run = (struct recipe_run){.recipe = c->recipe, .files = c->files};
  char *recipe = c->recipe ? making_hash_of_bytes(c->recipe->path) : NULL;
  c->options = making_options(c->settings, recipe, c->release);
  free(recipe);
  if (c->out && !c->one) run->output = name_outputs(c);
  if (c->files->unread > 0) note_failure(c, "", "file", &c->files->complaints, c->files->unread);
  if (c->one) make_one(run);
  else {
    run_batches(run);
    run->good = !is_unmet(run) && names_differ(c, 0, c->count) && run->good;
  }
  for (size_t i = 0; run->output && i < c->files->count; i++) free(run->output[i]);
  free(run->output);
  const bool good = run->good && c->files->unread == 0;
  free(run);
  c->seconds = speed_now() - start;
  return good;
}

void compress_free(struct compress *c) {
  for (size_t i = 0; i < c->count; i++)
    clip_result_free(&c->result[i]), joint_bounds_free(&c->of[i].bounds.joints);
  for (size_t f = 0; f < c->done_count; f++) {
    free(c->done[f].hash), free(c->done[f].needed);
    joint_bounds_free(&c->done[f].bounds.joints);
    skeleton_file_free(&c->done[f].skeleton);
  }
  for (size_t i = 0; i < c->bundles; i++) free(c->bundle[i].path);
  free(c->result), free(c->of), free(c->done), free(c->bundle), free(c->options);
  for (size_t i = 0; i < c->failures; i++) messages_free(&c->failure[i].messages);
  free(c->failure);
  recipe_run_free(&c->run);
}
