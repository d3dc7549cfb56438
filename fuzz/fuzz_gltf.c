/* libFuzzer over glTF: any file is a scene whose parts fit together, or is complained of; and what was
 * read can be written back into it, or go into a bundle. */
#include "readers.h"

#include <stdlib.h>
#include <string.h>

#include "readers/gltf/gltf_bundle.h"
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

/* The matrices of the first skin, if the file has all its bytes; null otherwise. */
static float *matrices_of(struct gltf *gltf, size_t *count) {
  const cJSON *skins = cJSON_GetObjectItemCaseSensitive(gltf->tree, "skins");
  size_t accessor;
  *count = 0;
  for (size_t b = 0; b < gltf->buffers.count; b++)
    if (*gltf_text(gltf->buffers.item[b], "uri") &&
        strncmp(gltf_text(gltf->buffers.item[b], "uri"), "data:", 5) != 0)
      return NULL;
  if (!skins || !gltf_index(skins->child, "inverseBindMatrices", gltf->accessors.count, &accessor))
    return NULL;
  return gltf_floats(gltf, accessor, 16, count);
}

/* The output has the bundle, and what nothing touches. */
static void check_output(const char *path, const char *output, const struct gltf_bundle *with) {
  enum { MOST = 4096 }; /* matrices; of more, memory in proportion to the file may not be allowed */
  struct gltf before, after;
  struct gltf_bytes bytes;
  size_t count[2];
  if (!gltf_open(&before, path) || !gltf_open(&after, output)) fuzz_fail("the output cannot be read");
  if (!gltf_bundle_bytes(&after, gltf_bundle_of(after.tree), &bytes) || bytes.size != with->size ||
      memcmp(bytes.bytes, with->data, with->size) != 0)
    fuzz_fail("the output does not have its bundle");
  float *const was = matrices_of(&before, &count[0]);
  float *const is = was && count[0] < MOST ? matrices_of(&after, &count[1]) : NULL;
  if (was && count[0] < MOST && (!is || count[0] != count[1] || memcmp(was, is, 64 * count[0]) != 0))
    fuzz_fail("the output has other matrices");
  free(was), free(is);
  gltf_close(&before), gltf_close(&after);
}

/* All animations by some bytes that are in the place of a bundle: written, or complained of. */
static void bundle(const char *path, const struct scene *scene) {
  static const unsigned char bytes[] = "QSB of nobody";
  enum { MOST = 8 };
  struct gltf_bundle_animation animation[MOST];
  struct gltf_bundle_track track[MOST];
  size_t joint[MOST];
  struct gltf_bundle with = {
      .data = bytes, .size = sizeof bytes, .joint = joint, .track = track, .animation = animation};
  readers_complaints();
  struct gltf_rewrite *rewrite = gltf_rewrite_open(path);
  for (size_t a = 0; rewrite && a < scene->animations && with.animations < MOST; a++)
    if (!gltf_rewrite_keeps(rewrite, scene->animation[a].number))
      animation[with.animations++] =
          (struct gltf_bundle_animation){.number = scene->animation[a].number, .clip = "clip"};
  for (size_t n = 0; n < scene->nodes && n < MOST; n++) joint[with.joints++] = scene->node[n].number;
  for (size_t t = 0; t < scene->tracks && t < MOST; t++)
    track[with.tracks++] =
        (struct gltf_bundle_track){scene->node[scene->track[t].node].number, scene->track[t].target};
  const char *output = readers_kept(".glb");
  const bool good = rewrite && gltf_rewrite_write(rewrite, &with, output);
  if (rewrite) gltf_rewrite_close(rewrite);
  if (good) check_output(path, output, &with);
  else if (readers_complaints() == 0) fuzz_fail("does not say why there is no bundle");
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
  bundle(path, &scene);
  scene_free(&scene);
  return 0;
}
