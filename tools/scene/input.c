#include "scene/input.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "quatsimd/codec.h"
#include "readers/limits.h"
#include "readers/readers.h"
#include "terminal/message.h"

size_t input_count_invalid(const float *xyzw, size_t keys) {
  size_t invalid = 0;
  for (size_t i = quatsimd_find_invalid(quatsimd_aos(xyzw), keys, 0); i < keys;
       i = quatsimd_find_invalid(quatsimd_aos(xyzw), keys, i + 1))
    invalid++;
  return invalid;
}

/* arrays and splats. ------------------------------------------------------------------------------------- */

bool input_order(const char *command, const char *order, bool *w_first) {
  *w_first = order && strcmp(order, "wxyz") == 0;
  if (!order || *w_first || strcmp(order, "xyzw") == 0) return true;
  usage_error(command, "--order: \"%s\" is neither xyzw nor wxyz", order);
  return false;
}

static void move_w_last(float *q) {
  const float w = q[0];
  memmove(q, q + 1, 3 * sizeof *q);
  q[3] = w;
}

/* A file without rotations of its own is read as an array, which then gives the error. */
static float *read_array(const char *path, const struct reader *reader, bool w_first, struct npy *shape) {
  if (!reader->rotations) reader = &reader_npy;
  float *xyzw = reader->rotations(path, shape);
  for (size_t i = 0; xyzw && w_first && !reader->still && i < shape->count; i += 4) move_w_last(xyzw + i);
  return xyzw;
}

float *input_read_array(const char *path, bool w_first, struct npy *shape) {
  const struct reader *reader = reader_of(path);
  return reader ? read_array(path, reader, w_first, shape) : NULL;
}

static bool take_array(struct input *input, const struct reader *reader, bool w_first) {
  struct npy shape;
  input->xyzw = read_array(input->path, reader, w_first, &shape);
  if (!input->xyzw) return false;
  input->keys = shape.count / 4;
  if (input->keys == 0) return complain(input->path, "the array is empty");
  input->animations = 1;
  input->animation = memory_get(1, sizeof *input->animation);
  input->animation[0] =
      (struct input_animation){text_clean(""), 1, input->keys, input_count_invalid(input->xyzw, input->keys)};
  return true;
}

/* animations. -------------------------------------------------------------------------------------------- */

static size_t count_keys(const struct scene *scene) {
  size_t keys = 0;
  for (size_t a = 0; a < scene->animations; a++)
    for (size_t c = 0; c < scene->animation[a].channels; c++)
      keys += scene->animation[a].channel[c].curve[SCENE_ROTATION].keys;
  return keys;
}

/* Puts the keys behind those that the input has; an animation may move things without turning any. */
static void take_animation(struct input *input, const struct scene_animation *from) {
  float *const start = input->xyzw + 4 * input->keys, *end = start;
  struct input_animation animation = {0};
  for (size_t c = 0; c < from->channels; c++) {
    const struct scene_curve *curve = &from->channel[c].curve[SCENE_ROTATION];
    if (curve->keys == 0) continue;
    for (size_t k = 0; k < curve->keys; k++, end += 4)
      memcpy(end, scene_key(curve, SCENE_ROTATION, k), 4 * sizeof *end);
    animation.curves++;
  }
  animation.keys = (size_t)(end - start) / 4;
  if (animation.keys == 0) return;
  animation.name = text_clean(from->name);
  animation.invalid = input_count_invalid(start, animation.keys);
  input->keys += animation.keys;
  input->animation[input->animations++] = animation;
}

static bool take_scene(struct input *input) {
  struct scene scene;
  if (!input_scene(input->path, &scene)) return false;
  uint64_t spent = 0;
  input->unread = scene.unread;
  if (!reader_spend(input->path, &spent, 4 * sizeof(float) * (uint64_t)count_keys(&scene)))
    return scene_free(&scene), false;
  input->xyzw = memory_get(count_keys(&scene), 4 * sizeof *input->xyzw);
  input->animation = memory_get(scene.animations, sizeof *input->animation);
  for (size_t a = 0; a < scene.animations; a++) take_animation(input, &scene.animation[a]);
  scene_free(&scene);
  return true;
}

bool input_scene(const char *path, struct scene *scene) {
  if (!reader_scene(path, scene)) return false;
  scene_mention_rest(path, scene, false);
  if (count_keys(scene) > 0) return true;
  if (scene->unread == 0) complain(path, "no rotation curves in this file");
  scene_free(scene);
  return false;
}

/* -------------------------------------------------------------------------------------------------------- */

bool input_read(const char *path, bool w_first, struct input *input) {
  *input = (struct input){.path = path};
  const struct reader *reader = reader_of(path);
  const bool good = reader && (reader->scene ? take_scene(input) : take_array(input, reader, w_first));
  if (!good) input_free(input);
  return good;
}

void input_free(struct input *input) {
  for (size_t i = 0; i < input->animations; i++) free(input->animation[i].name);
  free(input->animation);
  free(input->xyzw);
  *input = (struct input){.path = input->path};
}
