#include "readers/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "readers/clip.h"
#include "base/message.h"
#include "readers/ply.h"
#include "quatsimd/codec.h"
#include "readers/splat.h"
#include "base/text.h"

size_t input_count_invalid(const float *xyzw, size_t keys) {
  size_t invalid = 0;
  for (size_t i = quatsimd_find_invalid(quatsimd_aos(xyzw), keys, 0); i < keys;
       i = quatsimd_find_invalid(quatsimd_aos(xyzw), keys, i + 1))
    invalid++;
  return invalid;
}

static float *rotations_of(const char *path, const struct npy *array) {
  if (array->axes == 0 || array->shape[array->axes - 1] != 4) {
    complain(path, "the array's shape is %s; rotations are (..., 4)", npy_shape_text(array));
    return NULL;
  }
  float *xyzw = memory_get(array->count, sizeof *xyzw);
  for (size_t i = 0; i < array->count; i++) xyzw[i] = npy_float(array, i);
  return xyzw;
}

static enum input_kind kind_of(const char *path, const struct stat *status) {
  const char *dot = strrchr(path, '.');
  /* only arrays come through pipes: the others are opened more than once, or their size is needed */
  if (!S_ISREG(status->st_mode) || (dot && strcmp(dot, ".npy") == 0) || npy_recognise(path))
    return INPUT_ARRAY;
  return ply_recognise(path) ? INPUT_PLY : splat_recognise(path) ? INPUT_SPLAT : INPUT_CLIP;
}

static float *read_npy(const char *path, struct npy *array) {
  if (!npy_read(path, 'f', array)) return NULL;
  float *xyzw = rotations_of(path, array);
  npy_free(array);
  return xyzw;
}

/* Takes everything but splats for an array, which is then complained of. */
static float *read_kind(const char *path, enum input_kind kind, struct npy *array) {
  if (kind != INPUT_PLY && kind != INPUT_SPLAT) return read_npy(path, array);
  size_t splats;
  float *xyzw = kind == INPUT_PLY ? ply_read(path, &splats) : splat_read(path, &splats);
  if (!xyzw) return NULL;
  *array = (struct npy){.kind = 'f', .size = 4, .axes = 2, .shape = {splats, 4}, .count = 4 * splats};
  return xyzw;
}

bool input_recognise(const char *path, enum input_kind *kind) {
  struct stat status;
  if (stat(path, &status) == 0) {
    *kind = kind_of(path, &status);
    return true;
  }
  complain(path, "cannot open: %s", strerror(errno));
  return false;
}

float *input_read_array(const char *path, struct npy *array) {
  enum input_kind kind;
  return input_recognise(path, &kind) ? read_kind(path, kind, array) : NULL;
}

static bool read_array(const char *path, enum input_kind kind, struct input *input) {
  struct npy array;
  input->xyzw = read_kind(path, kind, &array);
  if (!input->xyzw) return false;
  input->keys = array.count / 4;
  if (input->keys == 0) {
    complain(path, "the array is empty");
    return false;
  }
  input->clips = 1;
  input->clip = memory_get(1, sizeof *input->clip);
  input->clip[0] =
      (struct input_clip){text_clean(""), 1, input->keys, input_count_invalid(input->xyzw, input->keys)};
  return true;
}

static bool read_clip(const char *path, struct input *input) {
  struct clip clip;
  if (!clip_read(path, &clip)) return false;
  for (size_t a = 0; a < clip.animations; a++)
    for (size_t t = 0; t < clip.animation[a].tracks; t++) input->keys += clip.animation[a].track[t].keys;
  input->xyzw = memory_get(input->keys, 4 * sizeof *input->xyzw);
  input->clip = memory_get(clip.animations, sizeof *input->clip);

  float *end = input->xyzw;
  for (size_t a = 0; a < clip.animations; a++) {
    const struct clip_animation *animation = &clip.animation[a];
    const float *start = end;
    for (size_t t = 0; t < animation->tracks; t++) {
      memcpy(end, animation->track[t].xyzw, animation->track[t].keys * 4 * sizeof *end);
      end += animation->track[t].keys * 4;
    }
    const size_t keys = (size_t)(end - start) / 4;
    if (keys == 0) continue; /* moves things without turning any */
    input->clip[input->clips++] = (struct input_clip){text_clean(animation->name), animation->tracks, keys,
                                                      input_count_invalid(start, keys)};
  }
  clip_free(&clip);
  return true;
}

bool input_read(const char *path, struct input *input) {
  *input = (struct input){.path = path};
  enum input_kind kind;
  if (!input_recognise(path, &kind)) return false;
  const bool good = kind == INPUT_CLIP ? read_clip(path, input) : read_array(path, kind, input);
  if (!good) input_free(input);
  return good;
}

void input_free(struct input *input) {
  for (size_t i = 0; i < input->clips; i++) free(input->clip[i].name);
  free(input->clip);
  free(input->xyzw);
  input->clip = NULL;
  input->xyzw = NULL;
  input->clips = input->keys = 0;
}
