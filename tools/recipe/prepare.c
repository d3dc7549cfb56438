#include "recipe/prepare.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "bundles/bases.h"
#include "files/names.h"
#include "terminal/message.h"

/* Bases. ------------------------------------------------------------------------------------------------- */

/* An animation that others are relative to. */
struct recipe_base {
  char *name;
  struct clip_base base;               /* path null: there is none */
  const char *next;                    /* what it is relative to itself; null: nothing */
  const struct collected_file *asking; /* that it is the base for */
  const struct recipe_base *elsewhere; /* the file has none, and this is it; null: this one */
  bool own;                            /* it is in the file that asks */
};

/* Clips of files that have one animation are called as the file, where there are several. To be freed. */
static char *stem_if_alone(const struct recipe_run *run, const struct collected_file *file,
                           const struct scene *scene) {
  return (recipe_is_shared || run->files->count > 1) && scene->animations + scene->unread == 1
             ? names_stem(names_file(file->name))
             : NULL;
}

static bool look_into(struct recipe_run *run, const struct collected_file *file, struct recipe_base *base) {
  size_t count;
  if (!clip_base_open(file->path, &run->recipe->changes, &base->base))
    return clip_base_free(&base->base), false;
  const struct scene *scene = &base->base.skeleton.scene;
  char *stem = stem_if_alone(run, file, scene);
  struct recipe_clip *clips = recipe_choose(run->recipe, scene, file->path, stem, false, &count);
  bool found = false;
  for (size_t i = 0; i < count && !found; i++) {
    const char *own = scene->animation[clips[i].animation].name, *name = clips[i].name ? clips[i].name
                                                                         : stem        ? stem
                                                                                       : own;
    found = strcmp(name, base->name) == 0 || (!clips[i].name && strcmp(own, base->name) == 0);
    if (found) clip_base_choose(&base->base, clips[i].animation, &clips[i].as.change);
    if (found && clips[i].as.additive == RECIPE_ADDITIVE_BASE) base->next = clips[i].as.base;
  }
  free(stem);
  recipe_clips_free(clips, count);
  if (!found) clip_base_free(&base->base);
  return found;
}

/* Looks first in the file itself, then in those that are called so, then in the others. */
static const struct recipe_base *find_base(struct recipe_run *run, const struct collected_file *asking,
                                           const char *name) {
  const struct recipe_base *elsewhere = NULL;
  for (size_t i = 0; i < run->bases; i++) {
    const struct recipe_base *known = run->base[i];
    if (strcmp(known->name, name) != 0) continue;
    if (known->asking == asking) return known->elsewhere ? known->elsewhere : known;
    if (!known->elsewhere && !known->own) elsewhere = known;
  }
  struct recipe_base *base = memory_get(1, sizeof *base);
  struct messages unheard = {0}, *before = messages_keep(&unheard); /* files have their turn to complain */
  base->name = text_copy(name), base->asking = asking;
  base->own = look_into(run, asking, base);
  bool found = base->own || elsewhere;
  if (!base->own) base->elsewhere = elsewhere;
  for (int turn = 0; turn < 2 && !found; turn++)
    for (size_t f = 0; f < run->files->count && !found; f++) {
      const struct collected_file *file = &run->files->file[f];
      char *stem = names_stem(names_file(file->name));
      if (file != asking && (strcmp(stem, name) == 0) == (turn == 0)) found = look_into(run, file, base);
      free(stem);
    }
  messages_keep(before);
  messages_free(&unheard);
  run->base = memory_grow(run->base, run->bases, sizeof(struct recipe_base *));
  run->base[run->bases++] = base;
  return base->elsewhere ? base->elsewhere : base;
}

void recipe_run_free(struct recipe_run *run) {
  for (size_t i = 0; i < run->bases; i++) {
    clip_base_free(&run->base[i]->base);
    free(run->base[i]->name), free(run->base[i]);
  }
  free(run->base);
  *run = (struct recipe_run){0};
}

/* The base of a clip with this name. Null and a complaint if there is none, or if that is relative to the
 * clip. */
static const struct clip_base *base_of(struct recipe_run *run, const struct collected_file *file,
                                       const char *name, const struct recipe_entry *as) {
  const struct recipe_base *first = find_base(run, file, as->base), *base = first;
  for (size_t steps = 0; base->base.path && base->next && steps < 1000; steps++) {
    if (strcmp(base->next, name) == 0 || strcmp(base->next, first->name) == 0 || steps == 999) {
      recipe_complain(run->recipe, as->additive_at, "\"%.200s\" is additive to itself, by \"%.200s\"", name,
                      as->base);
      return NULL;
    }
    base = find_base(run, file, base->next);
  }
  if (first->base.path && strcmp(as->base, name) != 0) return &first->base;
  if (first->base.path)
    recipe_complain(run->recipe, as->additive_at, "\"%.200s\" is additive to itself", name);
  else
    recipe_complain(run->recipe, as->additive_at, "no animation that can be read is called \"%.200s\"",
                    as->base);
  return NULL;
}

/* Clips. ------------------------------------------------------------------------------------------------- */

/* Adds what a recipe says to the settings of all files. */
static bool set(struct recipe_run *run, const struct collected_file *file, const char *name,
                struct prepared *p) {
  struct clip_settings *s = &p->settings;
  const struct recipe_entry *as = &p->as;
  if (as->has_bound) s->asked = as->bound;
  if (as->rate > 0) s->rate = as->rate;
  if (as->loop >= 0) s->loop = (enum clip_loop)as->loop;
  s->additive = as->additive == RECIPE_ADDITIVE_FIRST;
  if (as->additive != RECIPE_ADDITIVE_BASE) return true;
  s->base = base_of(run, file, name, as);
  return s->base != NULL;
}

/* Finds the part of the animation: an end that is as near as people write is the animation's. False and a
 * complaint if there is none. */
static bool find_range(const struct recipe_run *run, const struct collected_file *file,
                       const struct scene *scene, struct prepared *p, const char *name) {
  struct animation_change *change = &p->as.change;
  double ends[2];
  scene_find_ends(scene, p->animation, ends);
  if (!change->cut) return true;
  if (fabs(change->from - ends[0]) < 1e-4) change->from = ends[0];
  if (fabs(change->to - ends[1]) < 1e-4) change->to = ends[1];
  if (change->from >= ends[0] && change->to <= ends[1] && change->from < change->to) return true;
  recipe_complain(run->recipe, p->as.cut_at,
                  "the range of \"%.200s\" is from %.7g to %.7g s, and in %.200s it is from %.7g to %.7g s",
                  name, change->from, change->to, file->name, ends[0], ends[1]);
  return false;
}

/* False and a complaint if a pattern of "only" has no joint or track, or what stays does not move. */
static bool only_is_met(const struct recipe_run *run, const struct scene *scene, const struct prepared *p,
                        const char *name) {
  const struct texts *only = &p->as.change.only;
  const char **names = memory_get(scene->nodes + scene->tracks, sizeof *names);
  bool good = true;
  for (size_t n = 0; n < scene->nodes; n++) names[n] = scene->node[n].name;
  for (size_t t = 0; t < scene->tracks; t++) names[scene->nodes + t] = scene->track[t].name;
  for (size_t i = 0; i < only->count && good; i++) {
    free(names_like(only->text[i], scene->nodes + scene->tracks, names, NULL, &good));
    if (!good)
      recipe_complain(run->recipe, p->as.only_at, "no joint and no track is like \"%.200s\"", only->text[i]);
  }
  free(names);
  if (only->count == 0 || !good) return good;
  const struct scene_animation *animation = &scene->animation[p->animation];
  for (size_t c = 0; c < animation->channels; c++)
    if (skeleton_moves(&animation->channel[c])) return true;
  for (size_t t = 0; animation->track && t < scene->tracks; t++)
    if (animation->track[t].keys > 0) return true;
  recipe_complain(run->recipe, p->as.only_at, "\"%.200s\" has no curve of these joints", name);
  return false;
}

void prepared_free(struct prepared *p) {
  clip_plan_free(&p->plan);
  free(p->name), free(p);
}

/* Null if it cannot be made. */
static struct prepared *prepare(struct recipe_run *run, const struct collected_file *file,
                                const struct clip_settings *settings, struct skeleton *skeleton,
                                struct reached *reached, const struct recipe_clip *clip, const char *stem) {
  struct scene *scene = &skeleton->scene;
  struct prepared *p = memory_get(1, sizeof *p);
  *p = (struct prepared){.animation = clip->animation, .settings = *settings, .as = clip->as};
  if (clip->name || stem) p->name = text_copy(clip->name ? clip->name : stem);
  if (clip->again) p->animation = scene_copy_animation(scene, clip->animation);
  char *name = text_copy(p->name ? p->name : scene->animation[p->animation].name);
  bool good = find_range(run, file, scene, p, name) && set(run, file, name, p);
  if (good && !animation_change_is_none(&p->as.change))
    scene_change_animation(scene, p->animation, &p->as.change);
  good = good && only_is_met(run, scene, p, name);
  good = good && clip_plan_make(&p->plan, &p->settings, file->path, skeleton, reached);
  p->plan.only = &p->as.change.only;
  free(name);
  if (!good) prepared_free(p);
  return good ? p : NULL;
}

struct prepared **recipe_prepare(struct recipe_run *run, const struct collected_file *file,
                                 const struct clip_settings *settings, struct skeleton *skeleton,
                                 struct reached *reached, size_t *count, size_t *failed) {
  size_t clips;
  char *stem = stem_if_alone(run, file, &skeleton->scene);
  struct recipe_clip *clip = recipe_choose(run->recipe, &skeleton->scene, file->path, stem, true, &clips);
  struct prepared **prepared = memory_get(clips, sizeof(struct prepared *));
  *count = *failed = 0;
  for (size_t i = 0; i < clips; i++) {
    if (clip[i].as.skip == RECIPE_TRUE) continue;
    struct prepared *p = prepare(run, file, settings, skeleton, reached, &clip[i], stem);
    if (p) prepared[(*count)++] = p;
    else ++*failed;
  }
  free(stem);
  recipe_clips_free(clip, clips);
  return prepared;
}

/* Masks. ------------------------------------------------------------------------------------------------- */

static void take_weights(const bool *selected, size_t count, const float **to) {
  float *weight = memory_get(count, sizeof *weight);
  for (size_t i = 0; i < count; i++) weight[i] = selected[i];
  *to = weight;
}

bool recipe_make_masks(const struct recipe *recipe, const quatsimd_skeleton *skeleton,
                       quatsimd_bundle_mask_entry **mask) {
  const size_t joints = quatsimd_skeleton_joint_count(skeleton),
               tracks = quatsimd_skeleton_track_count(skeleton);
  const char **joint = memory_get(joints, sizeof *joint), **track = memory_get(tracks, sizeof *track);
  size_t *parent = memory_get(joints, sizeof *parent);
  bool good = true;
  for (size_t j = 0; j < joints; j++) {
    joint[j] = quatsimd_skeleton_joint_name(skeleton, j);
    parent[j] = quatsimd_skeleton_parent(skeleton, j) < 0 ? SCENE_NONE
                                                          : (size_t)quatsimd_skeleton_parent(skeleton, j);
  }
  for (size_t t = 0; t < tracks; t++) track[t] = quatsimd_skeleton_track_name(skeleton, t);
  *mask = memory_get(recipe->masks, sizeof **mask);
  for (size_t m = 0; m < recipe->masks; m++) {
    const struct recipe_mask *from = &recipe->mask[m];
    bool *in = memory_get(joints + tracks, sizeof *in);
    names_select(&from->joints, joints, joint, parent, in);
    names_select(&from->joints, tracks, track, NULL, in + joints);
    (*mask)[m].name = from->name;
    take_weights(in, joints, &(*mask)[m].joint_weights);
    take_weights(in + joints, tracks, &(*mask)[m].track_weights);
    free(in);
    for (size_t p = 0; p < from->joints.count; p++) {
      bool any, any_track;
      free(names_like(from->joints.text[p], joints, joint, NULL, &any));
      free(names_like(from->joints.text[p], tracks, track, NULL, &any_track));
      if (any || any_track) continue;
      recipe_complain(recipe, from->at, "no joint of the skeleton is like \"%.200s\"", from->joints.text[p]);
      good = false;
    }
  }
  free(joint), free(track), free(parent);
  if (!good) recipe_masks_free(recipe, *mask);
  return good;
}

void recipe_masks_free(const struct recipe *recipe, quatsimd_bundle_mask_entry *mask) {
  for (size_t m = 0; m < recipe->masks; m++)
    free((float *)(uintptr_t)mask[m].joint_weights), free((float *)(uintptr_t)mask[m].track_weights);
  free(mask);
}
