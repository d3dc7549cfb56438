#include "compress/glb.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "bundles/bundle.h"
#include "clips/events.h"
#include "clips/plan.h"
#include "files/file.h"
#include "files/inputs.h"
#include "files/names.h"
#include "readers/gltf/gltf_bundle.h"
#include "readers/readers.h"
#include "system/files.h"
#include "terminal/message.h"
#include "terminal/progress.h"

/* Names. ------------------------------------------------------------------------------------------------- */

/* Clips are called as their animations, or that with a number. */
static void name_clips(struct glb *glb) {
  const char **name = memory_get(glb->count, sizeof *name);
  for (size_t i = 0; i < glb->count; i++) name[i] = *glb->result[i].name ? glb->result[i].name : "animation";
  void *names = NULL;
  const char **numbered = names_numbered(&names, name, glb->count);
  for (size_t i = 0; i < glb->count; i++) glb->result[i].clip_name = text_copy(numbered[i]);
  names_free(&names);
  free(name), free(numbered);
}

/* Writing. ----------------------------------------------------------------------------------------------- */

static bool write_with(const struct glb *glb, const struct skeleton *skeleton,
                       const struct bundle_file *bundle) {
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
  for (size_t i = 0; i < count; i++)
    with.animation[i] = (struct gltf_bundle_animation){glb->result[i].number, glb->result[i].clip_name};
  const bool good = gltf_rewrite_write(glb->rewrite, &with, glb->out);
  free(with.joint), free(with.track), free(with.animation);
  return good;
}

static bool write_output(struct glb *glb, const struct skeleton *skeleton) {
  struct bundle_part *part = memory_get(glb->count, sizeof *part);
  struct bundle_file bundle;
  struct system_look look;
  name_clips(glb);
  for (size_t i = 0; i < glb->count; i++) {
    const struct clip_result *r = &glb->result[i];
    part[i] = (struct bundle_part){r->clip_name, r->clip_name, r->data, r->size, r->event, r->events};
  }
  bool good = bundle_file_make(glb->path, &skeleton->file, part, glb->count, NULL, NULL, &bundle);
  if (good) {
    good = write_with(glb, skeleton, &bundle);
    glb->bundle = bundle.size;
    glb->bytes = good && system_look(glb->out, &look) ? (size_t)look.size : 0;
    bundle_file_free(&bundle);
  }
  free(part);
  return good;
}

/* Encoding. ---------------------------------------------------------------------------------------------- */

static void mention(const struct glb *glb, const struct scene_animation *animation, const char *why) {
  complain(glb->path, "animation %zu%s%.80s stays as it is: %s", animation->number,
           *animation->name ? ", " : "", animation->name, why);
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

/* False if anything was wrong; what no bundle can have stays. */
static bool encode_all(struct glb *glb, const struct clip_plan *plan, const struct scene *scene) {
  size_t missing;
  bool *chosen = clip_plan_choose(plan, &missing), good = missing == 0 && scene->unread == 0;
  glb->kept = scene->animations + scene->unread;
  for (size_t a = 0; a < scene->animations; a++) {
    const struct scene_animation *animation = &scene->animation[a];
    if (!chosen[a]) continue;
    const char *beyond = gltf_rewrite_keeps(glb->rewrite, animation->number)
                             ? "an extension refers to it by its number"
                             : animation->beyond;
    if (beyond) mention(glb, animation, beyond);
    if (beyond) continue;
    progress_show("encoding", a, scene->animations, *animation->name ? animation->name : glb->path);
    glb->result = memory_grow(glb->result, glb->count, sizeof *glb->result);
    const enum clip_outcome outcome = clip_encode(plan, a, &glb->result[glb->count]);
    const bool made = outcome == CLIP_GOOD || outcome == CLIP_MISSED;
    if (made) clip_events_take(&glb->result[glb->count], NULL);
    if (made && is_smaller(glb, animation, &glb->result[glb->count])) glb->count++, glb->kept--;
    else if (made || outcome == CLIP_WRONG) clip_result_free(&glb->result[glb->count]);
    if (outcome == CLIP_WRONG || outcome == CLIP_BAD) glb->bad++;
    good = good && (outcome == CLIP_GOOD || outcome == CLIP_EMPTY);
    if (outcome == CLIP_EMPTY) glb->empty++, mention(glb, animation, "nothing moves in it");
  }
  glb->bad += scene->unread + missing;
  progress_clear();
  free(chosen);
  return good;
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
    good = encode_all(glb, &plan, &skeleton.scene);
    if (glb->count > 0) *written = write_output(glb, &skeleton);
    else complain(glb->path, "none of its animations can be replaced, so nothing is written");
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
