/* libFuzzer over BVH: any text is a scene whose parts fit together, or is complained of. */
#include "readers.h"

#include "base/text.h"
#include "readers/readers.h"

static void check_curve(const struct scene_curve *c, int kind) {
  for (size_t k = 0; k < c->keys; k++) {
    if (c->seconds[k] < 0 || (k > 0 && !(c->seconds[k] > c->seconds[k - 1]))) fuzz_fail("times do not rise");
    for (size_t i = 0; i < scene_width(kind); i++) {
      const float value = c->values[scene_width(kind) * k + i];
      if (!(value - value == 0)) fuzz_fail("a key is not finite");
    }
  }
}

static void check_scene(const struct scene *scene) {
  const struct scene_animation *animation = scene->animation;
  if (scene->animations != 1) fuzz_fail("there is one animation in BVH, and here %zu", scene->animations);
  for (size_t n = 0; n < scene->nodes; n++)
    if (!scene->node[n].name || (scene->node[n].parent != SCENE_NONE && scene->node[n].parent >= n))
      fuzz_fail("node %zu comes before its parent", n);
  for (size_t c = 0; c < animation->channels; c++) {
    if (animation->channel[c].node >= scene->nodes) fuzz_fail("a channel moves no node");
    for (int kind = 0; kind < SCENE_KINDS; kind++) check_curve(&animation->channel[c].curve[kind], kind);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *path = readers_file(data, size);
  struct scene scene;
  readers_complaints();
  const bool good = reader_bvh.scene(path, &scene);
  if (readers_complaints() == 0 && !good) fuzz_fail("does not say what is wrong"); /* good: it may remark */
  if (!good) return 0;
  check_scene(&scene);
  scene_free(&scene);
  return 0;
}
