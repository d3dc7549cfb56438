/* libFuzzer over FBX: any bytes are a scene whose parts fit together, or are complained of. */
#include "readers.h"

#include "readers/limits.h"
#include "readers/readers.h"

static void check_curve(const struct scene_curve *c, int kind) {
  for (size_t k = 1; k < c->keys; k++)
    if (!(c->seconds[k] > c->seconds[k - 1])) fuzz_fail("times do not rise");
  for (size_t i = 0; i < scene_floats(c, kind); i++)
    if (!(c->values[i] - c->values[i] == 0)) fuzz_fail("a key is not finite");
}

static void check_animation(const struct scene *scene, const struct scene_animation *animation) {
  for (size_t c = 0; c < animation->channels; c++) {
    if (animation->channel[c].node >= scene->nodes) fuzz_fail("a channel moves no node");
    for (int kind = 0; kind < SCENE_KINDS; kind++) check_curve(&animation->channel[c].curve[kind], kind);
  }
  for (size_t t = 0; animation->track && t < scene->tracks; t++)
    check_curve(&animation->track[t], SCENE_TRACK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct scene scene;
  reader_limits.gigabytes = 0.2; /* less than libFuzzer allows */
  readers_complaints();
  const bool good = reader_fbx.scene(readers_file(data, size), &scene);
  if (readers_complaints() == 0 && !good) fuzz_fail("does not say what is wrong"); /* good: it may remark */
  for (size_t n = 0; n < scene.nodes && good; n++)
    if (scene.node[n].parent != SCENE_NONE && scene.node[n].parent >= n)
      fuzz_fail("node %zu comes before its parent", n);
  for (size_t a = 0; a < scene.animations && good; a++) check_animation(&scene, &scene.animation[a]);
  if (good) scene_free(&scene);
  return 0;
}
