/* libFuzzer over BVH: any text is a scene whose parts fit together, or is complained of; and other keys can
 * be put into what was read. The first bytes say which, and what they are. */
#include "readers.h"

#include "base/text.h"
#include "readers/readers.h"

enum { HEAD = 9 }; /* bytes */

/* Puts numbers of the input in place of what was read, which is finite. */
static void change_curve(struct scene_curve *c, int kind, const float new[2]) {
  for (size_t k = 0; k < c->keys; k++) {
    if (c->seconds[k] < 0 || (k > 0 && !(c->seconds[k] > c->seconds[k - 1]))) fuzz_fail("times do not rise");
    for (size_t i = 0; i < scene_width(kind); i++) {
      float *value = &c->values[scene_width(kind) * k + i];
      if (!(*value - *value == 0)) fuzz_fail("a key is not finite");
      *value = new[(k + i) % 2];
    }
  }
}

static void check_scene(const struct scene *scene, const float new[2]) {
  const struct scene_animation *animation = scene->animation;
  if (scene->animations != 1) fuzz_fail("there is one animation in BVH, and here %zu", scene->animations);
  for (size_t n = 0; n < scene->nodes; n++)
    if (!scene->node[n].name || (scene->node[n].parent != SCENE_NONE && scene->node[n].parent >= n))
      fuzz_fail("node %zu comes before its parent", n);
  for (size_t c = 0; c < animation->channels; c++) {
    if (animation->channel[c].node >= scene->nodes) fuzz_fail("a channel moves no node");
    for (int kind = 0; kind < SCENE_KINDS; kind++)
      change_curve(&animation->channel[c].curve[kind], kind, new);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input in = {data, size};
  if (size < HEAD) return 0;
  const unsigned how = fuzz_byte(&in);
  float new[2];
  fuzz_take(&in, new, sizeof new);
  const char *path = readers_file(in.at, in.left);
  struct scene scene;
  (void)reader_bvh.recognise(path);
  readers_complaints();
  bool good = reader_bvh.scene(path, &scene);
  if (readers_complaints() == 0 && !good) fuzz_fail("does not say what is wrong"); /* good: it may remark */
  if (!good) return 0;
  check_scene(&scene, new);
  const struct replacement r = {path, &scene, scene.animation, {!(how & 1), !(how & 2)}};
  good = reader_bvh.replace_keys(&r, readers_output(".bvh"));
  if (!good || readers_complaints() > 0) fuzz_fail("keys cannot be put into what was read");
  scene_free(&scene);
  return 0;
}
