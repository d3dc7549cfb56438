#include "compress/compress.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdatomic.h>
#include <stdlib.h>

#include "base/speed.h"
#include "base/text.h"
#include "bundles/digest.h"
#include "clip/inspect.h"
#include "clips/events.h"
#include "clips/plan.h"
#include "compress/former.h"
#include "compress/write.h"
#include "files/file.h"
#include "files/letter_cases.h"
#include "files/names.h"
#include "system/files.h"
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

/* The digest of a bundle, whose clips are called as the files. Null if one cannot be read, which is
 * complained of when it is. */
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

static void mention_empty(const struct compress *c, const struct item *item) {
  const struct scene_animation *a = &item->file->skeleton.scene.animation[item->animation];
  if (c->settings->only < 0)
    complain(item->file->done.file->path,
             "animation %zu%s%.80s%s moves no joint of the skeleton and is left out", a->number,
             *a->name ? ", " : "", a->name, *a->name ? "," : "");
}

static void take_item(struct compress *c, struct compressed_file *done, struct item *item) {
  const bool made = item->outcome == CLIP_GOOD || item->outcome == CLIP_MISSED;
  messages_print(&item->messages);
  if (made) {
    const struct compressed_clip of = own_of(item->file, item);
    if (item->prepared && item->prepared->name) item->result.clip_name = text_copy(item->prepared->name);
    compress_add(c, &item->result, &of), done->count++;
  } else if (item->outcome == CLIP_WRONG) clip_result_free(&item->result);
  if (item->outcome != CLIP_EMPTY) done->failed += !made;
  else if (!c->unmet) done->empty++, mention_empty(c, item);
  done->missed += item->outcome == CLIP_MISSED;
  if (item->outcome != CLIP_GOOD && item->outcome != CLIP_EMPTY)
    compress_note_failure(c, item->file->done.file->path, item->outcome == CLIP_BAD ? "animation" : "bound",
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
    compress_note_failure(c, t->done.file->path, t->good ? c->recipe ? "recipe" : "name" : "file",
                          &t->messages, t->done.failed > 0 ? t->done.failed : 1);
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
    former_take(c, t->output, &t->place, (size_t)(done.file - c->files->file));
  } else {
    c->done = memory_grow(c->done, c->done_count, sizeof *c->done);
    c->done[c->done_count++] = done;
    run->good = run->good && t->good && done.failed + done.missed == 0;
    if (t->output && t->good)
      run->good =
          compress_write(c, t->output, &c->done[c->done_count - 1], 1, t->digest, t->place.why) && run->good;
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
  if (c->unmet) compress_note_failure(c, c->recipe->path, "recipe", &messages, 1), run->good = false;
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
  if (run->good && place.current && !c->again) former_take(c, c->out, &place, 0);
  else if (run->good) {
    run_batches(run);
    const bool nothing = c->count == 0 && c->failed == 0;
    if (nothing && !c->settings->sifts)
      complain(c->out, "is not written: %s",
               c->recipe ? "the recipe makes no clip" : "no node moves in any file");
    if (nothing) run->good = c->settings->sifts;
    else if (is_unmet(run)) run->good = false;
    else run->good = compress_write(c, c->out, c->done, c->done_count, digest, place.why) && run->good;
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
  if (c->files->unread > 0) compress_note_failure(c, "", "file", &c->files->complaints, c->files->unread);
  if (c->one) make_one(run);
  else {
    run_batches(run);
    run->good = !is_unmet(run) && compress_names_differ(c->recipe, c->result, c->count) && run->good;
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
  for (size_t i = 0; i < c->failures; i++) free(c->failure[i].path), messages_free(&c->failure[i].messages);
  free(c->failure);
  recipe_run_free(&c->run);
}
