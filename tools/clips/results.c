#include "clips/results.h"

#include <stdlib.h>

#include "base/names.h"
#include "base/progress.h"
#include "base/text.h"
#include "clip/inspect.h"
#include "clips/file.h"
#include "clips/manifest.h"
#include "clips/plan.h"
#include "system/files.h"

/* encoding. ---------------------------------------------------------------------------------------------- */

/* False if anything was wrong with it. */
static bool encode_animation(struct clip_results *all, const struct clip_plan *plan, size_t animation) {
  all->result = memory_grow(all->result, all->count, sizeof *all->result);
  const enum clip_outcome outcome = clip_encode(plan, animation, &all->result[all->count]);
  all->count += outcome == CLIP_GOOD || outcome == CLIP_MISSED || outcome == CLIP_WRONG;
  all->empty += outcome == CLIP_EMPTY;
  all->bad += outcome == CLIP_BAD;
  return outcome == CLIP_GOOD || outcome == CLIP_EMPTY;
}

static bool encode_file(struct clip_results *all, const struct clip_settings *settings, const char *path) {
  struct skeleton skeleton;
  progress_show("reading", 0, 1, path);
  if (!skeleton_read(path, &settings->skeleton, &skeleton)) return false;
  struct clip_plan plan;
  size_t missing = 0;
  bool good = clip_plan_make(&plan, settings, path, &skeleton);
  if (good) {
    bool *chosen = clip_plan_choose(&plan, &missing);
    for (size_t a = 0; a < skeleton.scene.animations; a++) {
      const char *name = skeleton.scene.animation[a].name;
      progress_show("encoding", a, skeleton.scene.animations, *name ? name : path);
      if (chosen[a]) good = encode_animation(all, &plan, a) && good;
    }
    free(chosen);
    clip_plan_free(&plan);
  }
  all->bad += skeleton.scene.unread + missing;
  good = good && skeleton.scene.unread + missing == 0;
  skeleton_free(&skeleton);
  return good;
}

bool clip_results_encode(struct clip_results *all, const struct clip_settings *settings,
                         const struct collected *files) {
  bool good = files->unread == 0;
  *all = (struct clip_results){0};
  for (size_t f = 0; f < files->count; f++) good = encode_file(all, settings, files->file[f].path) && good;
  progress_clear();
  return good;
}

/* reading back. ------------------------------------------------------------------------------------------ */

/* Takes over the clip of the file. */
static struct clip_result result_of(const struct manifest_clip *m, const struct bounds *bounds,
                                    const char *path, char *output, const struct clip_file *file) {
  struct clip_result r = {.path = path,
                          .number = m->number,
                          .name = names_join(m->name, "", ""),
                          .output = output,
                          .data = file->data,
                          .size = m->bytes,
                          .clip = file->clip,
                          .storage = file->storage,
                          .seconds = m->seconds,
                          .bounds = *bounds};
  size_t curves[CLIP_STATES][QUATSIMD_CLIP_KIND_COUNT];
  quatsimd_inspect_states(file->clip, curves);
  r.report.rate = quatsimd_clip_rate(file->clip), r.report.snapped = m->moved;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    r.keys[kind] = m->keys[kind];
    r.report.moving_count[kind] = curves[QUATSIMD_CLIP_MOVING][kind];
    r.report.rest_count[kind] = curves[QUATSIMD_CLIP_REST][kind];
    r.report.constant_count[kind] = curves[QUATSIMD_CLIP_CONSTANT][kind];
    r.report.keyed_count[kind] = curves[QUATSIMD_CLIP_KEYED][kind];
  }
  r.track_error.of.worst = m->track_worst;
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) r.error[i].worst = m->worst[i], r.share[i] = m->share[i];
  return r;
}

static bool read_folder(struct clip_results *all, const char *folder, const char *path,
                        const struct manifest *manifest) {
  bool good = true;
  for (size_t i = 0; i < manifest->count; i++) {
    struct clip_file file;
    char *output = names_join(folder, "/", manifest->clip[i].output);
    if (!clip_file_read(output, &file)) {
      free(output);
      good = false;
      continue;
    }
    all->result = memory_grow(all->result, all->count, sizeof *all->result);
    all->result[all->count++] = result_of(&manifest->clip[i], &manifest->bounds, path, output, &file);
  }
  return good;
}

bool clip_results_read(struct clip_results *all, const struct compress *compress,
                       const struct compress_sum *sum) {
  bool good = true;
  *all = (struct clip_results){.empty = sum->empty, .bad = sum->left_out};
  for (size_t f = 0; f < compress->files->count; f++) {
    const struct collected_file *file = &compress->files->file[f];
    struct manifest manifest = {0};
    char *folder = names_join(compress->out, "/", file->name);
    if (!compress->missing[f]) {
      const intptr_t lock = system_lock_folder(folder); /* no other run replaces them meanwhile */
      good = manifest_read_back(folder, compress->options, &manifest) &&
             read_folder(all, folder, file->path, &manifest) && good;
      system_unlock_folder(lock);
    }
    manifest_free(&manifest);
    free(folder);
  }
  return good;
}

void clip_results_free(struct clip_results *all) {
  for (size_t i = 0; i < all->count; i++) clip_result_free(&all->result[i]);
  free(all->result);
  *all = (struct clip_results){0};
}
