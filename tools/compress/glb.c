#include "compress/glb.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "bundles/bundle.h"
#include "clips/events.h"
#include "clips/plan.h"
#include "compress/write.h"
#include "files/file.h"
#include "files/inputs.h"
#include "files/names.h"
#include "readers/gltf/gltf_bundle.h"
#include "readers/readers.h"
#include "system/files.h"
#include "terminal/message.h"
#include "terminal/progress.h"

/* Names. ------------------------------------------------------------------------------------------------- */

/* Clips are called as a recipe says, or as their animations, or that with a number. */
static void name_clips(struct glb *glb) {
  const char **name = memory_get(glb->count, sizeof *name);
  for (size_t i = 0; i < glb->count; i++) {
    const struct clip_result *r = &glb->result[i];
    name[i] = r->clip_name ? r->clip_name : *r->name ? r->name : "animation";
  }
  void *names = NULL;
  const char **numbered = names_numbered(&names, name, glb->count);
  for (size_t i = 0; i < glb->count; i++) {
    char *clip_name = text_copy(numbered[i]);
    free(glb->result[i].clip_name);
    glb->result[i].clip_name = clip_name;
  }
  names_free(&names);
  free(name), free(numbered);
}

/* Writing. ----------------------------------------------------------------------------------------------- */

/* named: the recipe has named the clip, so the animation is called so, too. */
static bool write_with(const struct glb *glb, const struct skeleton *skeleton,
                       const struct bundle_file *bundle, const bool *named) {
  const struct scene *scene = &skeleton->scene;
  const size_t count = glb->count;
  struct gltf_bundle with = {.data = bundle->data,
                             .size = bundle->size,
                             .joints = skeleton->joints,
                             .joint = memory_get(skeleton->joints, sizeof *with.joint),
                             .tracks = scene->tracks,
                             .track = memory_get(scene->tracks, sizeof *with.track),
                             .animations = count,
                             .animation = memory_get(count, sizeof *with.animation)};
  for (size_t j = 0; j < with.joints; j++) with.joint[j] = scene->node[skeleton->joint[j].node].number;
  for (size_t t = 0; t < with.tracks; t++)
    with.track[t] =
        (struct gltf_bundle_track){scene->node[scene->track[t].node].number, scene->track[t].target};
  for (size_t i = 0; i < count; i++) {
    const struct clip_result *r = &glb->result[i];
    with.animation[i] =
        (struct gltf_bundle_animation){r->number, named[i] ? r->clip_name : NULL, r->clip_name};
  }
  const bool good = gltf_rewrite_write(glb->rewrite, &with, glb->out);
  free(with.joint), free(with.track), free(with.animation);
  return good;
}

static bool write_output(struct glb *glb, const struct skeleton *skeleton) {
  struct bundle_file bundle;
  struct system_look look;
  struct bundle_masks masks = {.count = 0};
  quatsimd_bundle_mask_entry *mask = NULL;
  if (!compress_names_differ(glb->recipe, glb->result, glb->count)) return false;
  if (glb->recipe && !recipe_make_masks(glb->recipe, skeleton->file.skeleton, &mask)) return false;
  if (glb->recipe) masks = (struct bundle_masks){glb->recipe->masks, mask};
  struct bundle_part *part = memory_get(glb->count, sizeof *part);
  bool *named = memory_get(glb->count, sizeof *named);
  for (size_t i = 0; i < glb->count; i++) named[i] = glb->result[i].clip_name != NULL;
  name_clips(glb);
  for (size_t i = 0; i < glb->count; i++) {
    const struct clip_result *r = &glb->result[i];
    part[i] = (struct bundle_part){r->clip_name, r->clip_name, r->data, r->size, r->event, r->events};
  }
  bool good = bundle_file_make(glb->path, &skeleton->file, part, glb->count, &masks, NULL, &bundle);
  if (good) {
    good = write_with(glb, skeleton, &bundle, named);
    glb->bundle = bundle.size;
    glb->bytes = good && system_look(glb->out, &look) ? (size_t)look.size : 0;
    bundle_file_free(&bundle);
  }
  if (glb->recipe) recipe_masks_free(glb->recipe, mask);
  free(part), free(named);
  return good;
}

/* Encoding. ---------------------------------------------------------------------------------------------- */

static void mention(const struct glb *glb, const struct scene_animation *animation, const char *why) {
  complain(glb->path, "animation %zu%s%.80s stays as it is: %s", animation->number,
           *animation->name ? ", " : "", animation->name, why);
}

/* True if the clip is something else than the animation as it is, which its keys are. as: null without a
 * recipe. */
static bool is_changed(const struct clip_settings *settings, const struct prepared *as,
                       const struct clip_result *clip) {
  return settings->additive || settings->base || clip->closed > 0 ||
         (as && (as->name || as->as.events > 0 || !animation_change_is_none(&as->as.change)));
}

/* False and a message if the clip has more bytes than the animation's keys: then the keys stay. */
static bool is_smaller(const struct glb *glb, const struct scene_animation *animation,
                       const struct clip_result *clip) {
  const size_t keys = gltf_rewrite_key_size(glb->rewrite, animation->number);
  char why[100];
  if (clip->size <= keys) return true;
  snprintf(why, sizeof why, "its clip would have %s bytes, and its keys have %s", text_number(clip->size),
           text_number(keys));
  mention(glb, animation, why);
  return false;
}

/* False and a message if no bundle can have it. */
static bool may_go(const struct glb *glb, const struct scene_animation *animation) {
  const char *beyond = gltf_rewrite_keeps(glb->rewrite, animation->number)
                           ? "an extension refers to it by its number"
                           : animation->beyond;
  if (beyond) mention(glb, animation, beyond);
  return !beyond;
}

/* False if anything was wrong. as: null without a recipe. */
static bool encode(struct glb *glb, const struct clip_plan *plan, size_t a, const struct prepared *as) {
  const struct scene_animation *animation = &plan->skeleton->scene.animation[a];
  glb->result = memory_grow(glb->result, glb->count, sizeof *glb->result);
  struct clip_result *result = &glb->result[glb->count];
  const enum clip_outcome outcome = clip_encode(plan, a, result);
  const bool made = outcome == CLIP_GOOD || outcome == CLIP_MISSED;
  if (made) clip_events_take(result, as ? &as->as : NULL);
  if (made && as && as->name) result->clip_name = text_copy(as->name);
  if (made && (is_changed(plan->settings, as, result) || is_smaller(glb, animation, result))) glb->count++;
  else if (made || outcome == CLIP_WRONG) clip_result_free(result);
  if (outcome == CLIP_WRONG || outcome == CLIP_BAD) glb->bad++;
  if (outcome == CLIP_EMPTY) glb->empty++, mention(glb, animation, "nothing moves in it");
  return outcome == CLIP_GOOD || outcome == CLIP_EMPTY;
}

static void show(const struct glb *glb, const struct skeleton *skeleton, size_t a, size_t i, size_t count) {
  const char *name = skeleton->scene.animation[a].name;
  progress_show("encoding", i, count, *name ? name : glb->path);
}

/* False if anything was wrong; what no bundle can have stays. */
static bool encode_chosen(struct glb *glb, const struct clip_plan *plan) {
  const struct skeleton *skeleton = plan->skeleton;
  const size_t count = skeleton->scene.animations;
  size_t missing;
  bool *chosen = clip_plan_choose(plan, &missing), good = missing == 0;
  for (size_t a = 0; a < count; a++) {
    if (!chosen[a] || !may_go(glb, &skeleton->scene.animation[a])) continue;
    show(glb, skeleton, a, a, count);
    good = encode(glb, plan, a, NULL) && good;
  }
  glb->bad += missing;
  free(chosen);
  return good;
}

/* The clips of one animation, as the recipe says: all[first] to all[end - 1]. If one is not made, none is,
 * since the animation stays. False if anything was wrong. */
static bool encode_clips(struct glb *glb, struct skeleton *skeleton, struct prepared **all, size_t first,
                         size_t end, size_t count) {
  const struct scene_animation *animation = &skeleton->scene.animation[all[first]->animation];
  const size_t before = glb->count, bad = glb->bad;
  bool good = true;
  if (!may_go(glb, animation)) return true;
  for (size_t i = first; i < end; i++) {
    show(glb, skeleton, all[i]->animation, i, count);
    good = encode(glb, &all[i]->plan, all[i]->animation, all[i]) && good;
  }
  if (glb->count - before == end - first) return good;
  if (glb->count > before && glb->bad > bad) mention(glb, animation, "not all of its clips can be encoded");
  while (glb->count > before) clip_result_free(&glb->result[--glb->count]);
  return good;
}

/* All animations, as the recipe says. False if anything was wrong. */
static bool encode_prepared(struct glb *glb, struct skeleton *skeleton, struct reached *reached) {
  struct recipe_run run = {.recipe = glb->recipe, .files = glb->files};
  size_t count, failed;
  struct prepared **all =
      recipe_prepare(&run, glb->files->file, glb->settings, skeleton, reached, &count, &failed);
  const bool is_right = recipe_all_met(glb->recipe) && failed == 0;
  bool good = is_right;
  for (size_t i = 0, end; i < count && is_right; i = end) {
    const size_t number = skeleton->scene.animation[all[i]->animation].number; /* copies have one, too */
    end = i + 1;
    while (end < count && skeleton->scene.animation[all[end]->animation].number == number) end++;
    good = encode_clips(glb, skeleton, all, i, end, count) && good;
  }
  for (size_t i = 0; i < count; i++) prepared_free(all[i]);
  free(all);
  glb->bad += failed;
  recipe_run_free(&run);
  return good;
}

/* Animations that have a clip. */
static size_t count_gone(const struct glb *glb) {
  size_t gone = 0;
  for (size_t i = 0; i < glb->count; i++)
    gone += i == 0 || glb->result[i].number != glb->result[i - 1].number;
  return gone;
}

static bool encode_all(struct glb *glb, const struct clip_plan *plan, struct skeleton *skeleton,
                       struct reached *reached) {
  const size_t unread = skeleton->scene.unread, all = skeleton->scene.animations + unread;
  const bool good = glb->recipe ? encode_prepared(glb, skeleton, reached) : encode_chosen(glb, plan);
  progress_clear();
  glb->asked = plan->asked;
  glb->kept = all - count_gone(glb);
  glb->bad += unread;
  return good && unread == 0;
}

/* Is it glTF, whose animations can be replaced? */
static bool is_good(struct glb *glb) {
  const struct reader *reader = file_is_regular(glb->path) ? reader_of(glb->path) : NULL;
  if (!reader) return false;
  if (reader != &reader_gltf) {
    complain(glb->path, "is %s; --glb takes only glTF", reader->name);
    return false;
  }
  glb->rewrite = gltf_rewrite_open(glb->path);
  if (!glb->rewrite) return false;
  glb->before = gltf_rewrite_size(glb->rewrite);
  return inputs_spare(glb->out); /* before all is encoded */
}

bool glb_make(struct glb *glb, bool *written) {
  struct skeleton skeleton;
  struct clip_plan plan;
  struct reached reached = {0};
  *written = false;
  if (!is_good(glb)) return false;
  progress_show("reading", 0, 1, glb->path);
  struct skeleton_choice choice = glb->settings->skeleton;
  choice.for_glb = true;
  if (!skeleton_read(glb->path, &choice, &skeleton)) return false;
  bool good = clip_plan_make(&plan, glb->settings, glb->path, &skeleton, &reached);
  if (good) {
    good = encode_all(glb, &plan, &skeleton, &reached);
    if (glb->count > 0) *written = write_output(glb, &skeleton);
    else if (good || !glb->recipe) /* a wrong recipe has its messages */
      complain(glb->path, "none of its animations can be replaced, so nothing is written");
    clip_plan_free(&plan);
  }
  reached_free(&reached);
  skeleton_free(&skeleton);
  return good && *written;
}

void glb_free(struct glb *glb) {
  for (size_t i = 0; i < glb->count; i++) clip_result_free(&glb->result[i]);
  free(glb->result);
  if (glb->rewrite) gltf_rewrite_close(glb->rewrite);
}
