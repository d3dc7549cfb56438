#include "writers/writers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "check/rest.h"
#include "clip/layout.h"
#include "clip/sample/still.h"
#include "core/bytes.h"
#include "files/inputs.h"
#include "files/names.h"
#include "files/output.h"
#include "scene/scene.h"
#include "scene/skeleton_file.h"

/* Arrays. ------------------------------------------------------------------------------------------------ */

/* Writes what comes before the elements; needs no data. */
static void npy_put_head(struct output *o, const struct npy *array) {
  char header[800]; /* the shape's text has 708 at most */
  const int length =
      snprintf(header, sizeof header, "{'descr': '%c%c%u', 'fortran_order': False, 'shape': %s, }",
               array->size == 1 ? '|' : '<', array->kind, array->size, npy_shape_text(array));
  /* spaces up to a newline, so that the array begins at a multiple of 64 bytes */
  const size_t start = NPY_MAGIC_SIZE + 4, total = ((size_t)length + 1 + start + 63) / 64 * 64;
  const size_t padding = total - start - (size_t)length;
  unsigned char version_and_length[4] = {1};
  store_little(version_and_length + 2, total - start, 2);
  char spaces[64];
  memset(spaces, ' ', sizeof spaces);
  spaces[padding - 1] = '\n';
  output_write(o, NPY_MAGIC, NPY_MAGIC_SIZE);
  output_write(o, version_and_length, sizeof version_and_length);
  output_write(o, header, (size_t)length);
  output_write(o, spaces, padding);
}

bool npy_write(const char *path, const struct npy *array) {
  struct output o;
  if (!output_open(&o, path)) return false;
  npy_put_head(&o, array);
  (void)output_write(&o, array->data, array->count * array->size);
  return output_close(&o);
}

/* Clips. ------------------------------------------------------------------------------------------------- */

enum { DECODE_MOST = 1 << 16 }; /* elements at once: so much memory is enough for a clip of any length */

static double time_of(const quatsimd_clip *clip, const struct file_frames *of, size_t frame) {
  return of->rate > 0 ? quatsimd_clip_start(clip) + (double)frame / of->rate
                      : quatsimd_clip_frame_time(clip, frame);
}

/* The last key that is not after the time, or is just behind it, if that is later. */
static double key_or_time(const clip_keyed *keys, double time) {
  const double near = time + clip_rounding(time);
  size_t low = 0, high = keys->count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (clip_keyed_time(keys, middle) <= near) low = middle;
    else high = middle;
  }
  const double key = clip_keyed_time(keys, low);
  return key > time && key <= near ? key : time;
}

/* Samples again the curves that have a key just behind the time. */
static void sample_near_keys(const quatsimd_clip *clip, int kind, double time, float *values) {
  const quatsimd_clip_part part = clip_part_of(clip, kind);
  const unsigned char *at = part.keys;
  const size_t width = scene_width(kind);
  size_t element = 0;
  for (size_t i = 0; i < part.keyed; i++, element++) {
    while (quatsimd_clip_curve_state(clip, kind, element) != QUATSIMD_CLIP_KEYED) element++;
    const clip_keyed keys = clip_keyed_at(clip, kind, at);
    at = quatsimd_clip_keyed_end(&keys);
    double key = key_or_time(&keys, time);
    if (keys.pair) {
      const clip_keyed base = quatsimd_clip_keyed_base(&keys);
      key = fmax(key, key_or_time(&base, time));
    }
    float value[4];
    if (!(key > time)) continue;
    quatsimd_clip_sample_keys(value, &keys, key);
    memcpy(values + width * element, value, width * sizeof *value);
  }
}

static void put_frames(struct output *o, const quatsimd_clip *clip, const struct file_frames *of,
                       const quatsimd_pose_in *rest, int kind) {
  const bool tracks = kind == QUATSIMD_CLIP_TRACK;
  const size_t width = scene_width(kind), all = of->count,
               elements = tracks ? quatsimd_clip_track_count(clip) : quatsimd_clip_joint_count(clip),
               most = elements ? DECODE_MOST / elements : 1, step = most && of->rate == 0 ? most : 1;
  const struct npy head = {.kind = 'f', .size = 4, .axes = tracks ? 2 : 3, .shape = {all, elements, width}};
  float *values = memory_get(step * elements, width * sizeof *values);
  npy_put_head(o, &head);
  for (size_t f = 0; f < all; f += step) {
    const size_t frames = all - f < step ? all - f : step, count = frames * elements * width;
    quatsimd_pose_out pose = {0};
    quatsimd_out *const to[] = {&pose.rotations, &pose.translations, &pose.scales};
    if (tracks) pose.tracks = values;
    else *to[kind] = quatsimd_aos_out(values);
    const double time = time_of(clip, of, f);
    /* of an opened clip and its frames these cannot fail */
    if (of->rate == 0) (void)quatsimd_clip_decode(clip, &pose, rest, f, frames, 0);
    else {
      (void)quatsimd_clip_sample(clip, &pose, rest, time, QUATSIMD_CLIP_WRAP_CLAMP, 0);
      sample_near_keys(clip, kind, time, values);
    }
    for (size_t i = 0; i < count; i++) store_float((unsigned char *)&values[i], values[i]);
    if (!output_write(o, values, count * sizeof *values)) break; /* output_close tells why */
  }
  free(values);
}

/* The files of a clip. */
enum { TIMES = QUATSIMD_CLIP_KIND_COUNT, JOINT_NAMES, TRACK_NAMES, FILES };
static const char *const names[FILES] = {"rotations.npy", "translations.npy", "scales.npy", "tracks.npy",
                                         "times.npy",     "joints.json",      "tracks.json"};

static bool has_file(const quatsimd_clip *clip, const quatsimd_skeleton *skeleton, int file) {
  if (file < TIMES) return quatsimd_clip_curve_count(clip, file) > 0;
  return file == TIMES ||
         (file == JOINT_NAMES ? skeleton != NULL : quatsimd_skeleton_track_count(skeleton) > 0);
}

static void put_times(struct output *o, const quatsimd_clip *clip, const struct file_frames *of) {
  unsigned char *times = memory_get(of->count, 8);
  for (size_t f = 0; f < of->count; f++) store_double(times + 8 * f, time_of(clip, of, f));
  npy_put_head(o, &(struct npy){.kind = 'f', .size = 8, .axes = 1, .shape = {of->count}});
  output_write(o, times, 8 * of->count);
  free(times);
}

static cJSON *list_joints(const quatsimd_skeleton *skeleton) {
  cJSON *list = cJSON_CreateArray();
  for (size_t j = 0; j < quatsimd_skeleton_joint_count(skeleton); j++) {
    cJSON *joint = cJSON_CreateObject();
    cJSON_AddItemToArray(list, joint);
    json_add_text(joint, "name", quatsimd_skeleton_joint_name(skeleton, j));
    json_add_number(joint, "parent", (double)quatsimd_skeleton_parent(skeleton, j));
  }
  return list;
}

/* Deletes the list. */
static void put_list(struct output *o, cJSON *list) {
  char *text = memory_or_exit(cJSON_Print(list));
  output_write(o, text, strlen(text));
  output_write(o, "\n", 1);
  cJSON_free(text);
  cJSON_Delete(list);
}

static bool write_file(const char *path, const quatsimd_clip *clip, const quatsimd_skeleton *skeleton,
                       const struct file_frames *frames, const quatsimd_pose_in *rest, int file) {
  struct output o;
  if (!output_open(&o, path)) return false;
  if (file < TIMES) put_frames(&o, clip, frames, rest, file);
  else if (file == TIMES) put_times(&o, clip, frames);
  else put_list(&o, file == JOINT_NAMES ? list_joints(skeleton) : skeleton_file_names(skeleton, true));
  return output_close(&o); /* tells whether writing failed */
}

bool npy_write_clip(const quatsimd_clip *clip, const quatsimd_skeleton *skeleton,
                    const struct file_frames *frames, const char *directory) {
  struct clip_rest rest;
  char *path[FILES];
  bool good = true;
  for (int i = 0; i < FILES; i++) {
    path[i] = names_join(directory, "/", names[i]);
    good = good && (!has_file(clip, skeleton, i) || inputs_spare(path[i])); /* before any is written */
  }
  clip_rest_make(&rest, clip, skeleton);
  good = good && names_make_directories(directory);
  for (int i = 0; i < FILES; i++) {
    good =
        good && (!has_file(clip, skeleton, i) || write_file(path[i], clip, skeleton, frames, rest.pose, i));
    free(path[i]);
  }
  clip_rest_free(&rest);
  return good;
}
