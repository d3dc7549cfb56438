/* libFuzzer over glTF: any file is a scene whose parts fit together, or is complained of; and what was
 * read can be written back into it, or go into a bundle. */
#include "readers.h"

#include "readers/gltf_bundle.h"
#include "readers/readers.h"

static void check_curve(const struct scene_curve *c, int kind) {
  double sum = 0;
  for (size_t k = 0; k < c->keys; k++) {
    sum += c->seconds[k];
    for (size_t i = 0; i < scene_width(kind); i++) sum += (double)c->values[scene_width(kind) * k + i];
  }
  volatile double all = sum; /* reads them all */
  (void)all;
}

static void check_scene(const struct scene *scene) {
  for (size_t n = 0; n < scene->nodes; n++)
    if (!scene->node[n].name || (scene->node[n].parent != SCENE_NONE && scene->node[n].parent >= n))
      fuzz_fail("node %zu comes before its parent", n);
  for (size_t a = 0; a < scene->animations; a++)
    for (size_t c = 0; c < scene->animation[a].channels; c++) {
      const struct scene_channel *channel = &scene->animation[a].channel[c];
      if (channel->node >= scene->nodes) fuzz_fail("a channel moves no node");
      for (int kind = 0; kind < SCENE_KINDS; kind++) check_curve(&channel->curve[kind], kind);
    }
}

static void write_back(const char *path, const struct scene *scene) {
  for (size_t a = 0; a < scene->animations && a < 2; a++) {
    const struct replacement r = {path, scene, &scene->animation[a], {true, true, true}};
    reader_gltf.replace_keys(&r, readers_output(a ? ".gltf" : ".glb"));
  }
}

/* All animations by some bytes that are in the place of a bundle: written, or complained of. */
static void bundle(const char *path, const struct scene *scene) {
  static const unsigned char bytes[] = "QSB of nobody";
  struct gltf_bundle_animation animation[8];
  struct gltf_bundle with = {.original = path, .data = bytes, .size = sizeof bytes, .animation = animation};
  for (size_t a = 0; a < scene->animations && a < 8; a++)
    animation[with.animations++] = (struct gltf_bundle_animation){scene->animation[a].number, "clip"};
  readers_complaints();
  if (gltf_bundle_may_replace(path) && gltf_bundle_write(&with, readers_output(".glb"))) return;
  if (readers_complaints() == 0) fuzz_fail("does not say why there is no bundle");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *path = readers_file(data, size);
  struct scene scene;
  (void)reader_gltf.recognise(path);
  readers_complaints();
  const bool good = reader_gltf.scene(path, &scene);
  if ((!good || scene.unread) && readers_complaints() == 0) fuzz_fail("does not say what is wrong");
  if (!good) return 0;
  check_scene(&scene);
  write_back(path, &scene);
  bundle(path, &scene);
  scene_free(&scene);
  return 0;
}
