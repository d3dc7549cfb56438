/* libFuzzer over recipes: any text is a recipe, or is complained of; and a scene is changed as it says. */
#include "readers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files/names.h"
#include "base/text.h"
#include "recipe/recipe.h"

enum { NODES = 4, KEYS = 5 };

static void add_curve(struct scene_curve *curve, int kind, int interpolation) {
  *curve = (struct scene_curve){.keys = KEYS, .interpolation = interpolation};
  curve->seconds = memory_get(KEYS, sizeof *curve->seconds);
  curve->values = memory_get(scene_floats(curve, kind), sizeof *curve->values);
  for (size_t k = 0; k < KEYS; k++) curve->seconds[k] = (double)k / 4;
  for (size_t i = 0; i < scene_floats(curve, kind); i++) curve->values[i] = (float)(1 + i % 3);
}

/* Three animations of four joints, one below the other, with curves of all kinds. */
static void make_scene(struct scene *scene) {
  static const char *const nodes[NODES] = {"hips", "rig:spine", "hand.l", "IK"}, *const names[] = {
                                                                                     "Walk", "Take 001", ""};
  *scene = (struct scene){.nodes = NODES,
                          .node = memory_get(NODES, sizeof *scene->node),
                          .animations = 3,
                          .animation = memory_get(3, sizeof *scene->animation)};
  for (size_t n = 0; n < NODES; n++)
    scene->node[n] =
        (struct scene_node){.name = names_join(nodes[n], "", ""), .parent = n ? n - 1 : SCENE_NONE};
  for (size_t a = 0; a < 3; a++) {
    struct scene_animation *animation = &scene->animation[a];
    *animation = (struct scene_animation){.name = names_join(names[a], "", ""),
                                          .number = a,
                                          .channels = NODES,
                                          .channel = memory_get(NODES, sizeof *animation->channel)};
    for (size_t n = 0; n < NODES; n++) {
      animation->channel[n] = (struct scene_channel){.name = names_join(nodes[n], "", ""), .node = n};
      add_curve(&animation->channel[n].curve[n % SCENE_KINDS], (int)(n % SCENE_KINDS), (int)a);
    }
  }
}

static void check_curve(const struct scene_curve *curve, int kind) {
  for (size_t k = 0; k < curve->keys; k++)
    if (!(k == 0 || curve->seconds[k] > curve->seconds[k - 1])) fuzz_fail("times do not rise");
  for (size_t i = 0; i < scene_floats(curve, kind); i++)
    if (!isfinite(curve->values[i])) fuzz_fail("a key is not finite");
}

static void follow(struct recipe *recipe, const char *stem) {
  struct scene scene;
  size_t count;
  make_scene(&scene);
  bool good = scene_change("scene", &recipe->changes, &scene);
  if ((readers_complaints() == 0) != good) fuzz_fail("names that meet, and nobody says so");
  struct recipe_clip *clips = recipe_choose(recipe, &scene, "takes/run.fbx", stem, true, &count);
  for (size_t i = 0; i < count; i++) {
    if (clips[i].animation >= 3) fuzz_fail("there is no animation %zu", clips[i].animation);
    const size_t a = scene_copy_animation(&scene, clips[i].animation);
    double ends[2];
    scene_find_ends(&scene, a, ends);
    scene_change_animation(&scene, a, &clips[i].as.change);
    for (size_t c = 0; c < scene.animation[a].channels; c++)
      for (int kind = 0; kind < SCENE_KINDS; kind++)
        check_curve(&scene.animation[a].channel[c].curve[kind], kind);
  }
  recipe_clips_free(clips, count);
  scene_free(&scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct recipe recipe;
  const bool good = recipe_read(readers_file(data, size), &recipe);
  if ((readers_complaints() == 0) != good)
    fuzz_fail("a recipe is refused without a reason, or taken with one");
  if (!good) return 0;
  if (recipe.files.count == 0) fuzz_fail("there are no files");
  follow(&recipe, NULL);
  follow(&recipe, "Run");
  recipe_free(&recipe);
  return 0;
}
