#include "writers/npy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "check/rest.h"
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
  output_write(o, NPY_MAGIC, NPY_MAGIC_SIZE); /* output_close tells whether it failed */
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

/* How many joints or tracks a frame has. */
static size_t elements_of(const quatsimd_clip *clip, int kind) {
  return kind == QUATSIMD_CLIP_TRACK ? quatsimd_clip_track_count(clip) : quatsimd_clip_joint_count(clip);
}

static void put_frames(struct output *o, const quatsimd_clip *clip, const quatsimd_pose_in *rest, int kind) {
  const size_t width = scene_width(kind), elements = elements_of(clip, kind),
               most = elements ? DECODE_MOST / elements : 1, step = most ? most : 1;
  float *values = memory_get(step * elements, width * sizeof *values);
  for (size_t f = 0; f < quatsimd_clip_frame_count(clip); f += step) {
    const size_t frames =
                     quatsimd_clip_frame_count(clip) - f < step ? quatsimd_clip_frame_count(clip) - f : step,
                 count = frames * elements * width;
    quatsimd_pose_out pose = {0};
    quatsimd_out *const to[] = {&pose.rotations, &pose.translations, &pose.scales};
    if (kind == QUATSIMD_CLIP_TRACK) pose.tracks = values;
    else *to[kind] = quatsimd_aos_out(values);
    /* of an opened clip and its frames it cannot fail */
    (void)quatsimd_clip_decode(clip, &pose, rest, f, frames, 0);
    for (size_t i = 0; i < count; i++) store_float((unsigned char *)&values[i], values[i]);
    if (!output_write(o, values, count * sizeof *values)) break; /* output_close tells why */
  }
  free(values);
}

#define TIMES "times.npy"
#define JOINTS_LIST "joints.json"
#define TRACKS_LIST "tracks.json"
static const char *const names[] = {"rotations.npy", "translations.npy", "scales.npy", "tracks.npy"};

static bool write_kind(const quatsimd_clip *clip, const quatsimd_pose_in *rest, int kind,
                       const char *directory) {
  const struct npy array = {
      .kind = 'f',
      .size = 4,
      .axes = kind == QUATSIMD_CLIP_TRACK ? 2 : 3,
      .shape = {quatsimd_clip_frame_count(clip), elements_of(clip, kind), scene_width(kind)}};
  struct output o;
  char *path = names_join(directory, "/", names[kind]);
  bool good = output_open(&o, path);
  if (good) {
    npy_put_head(&o, &array);
    put_frames(&o, clip, rest, kind);
    good = output_close(&o);
  }
  free(path);
  return good;
}

static bool write_times(const quatsimd_clip *clip, const char *directory) {
  const size_t frames = quatsimd_clip_frame_count(clip);
  unsigned char *times = memory_get(frames, 8);
  for (size_t f = 0; f < frames; f++) store_double(times + 8 * f, quatsimd_clip_frame_time(clip, f));
  char *path = names_join(directory, "/", TIMES);
  const bool good = npy_write(
      path,
      &(struct npy){.kind = 'f', .size = 8, .axes = 1, .shape = {frames}, .count = frames, .data = times});
  free(path), free(times);
  return good;
}

/* Deletes the list. */
static bool write_list(cJSON *list, const char *directory, const char *name) {
  struct output o;
  char *text = memory_or_exit(cJSON_Print(list)), *path = names_join(directory, "/", name);
  bool good = output_open(&o, path);
  if (good) {
    output_write(&o, text, strlen(text));
    output_write(&o, "\n", 1);
    good = output_close(&o);
  }
  free(path);
  cJSON_free(text);
  cJSON_Delete(list);
  return good;
}

static bool write_names(const quatsimd_skeleton *skeleton, const char *directory) {
  cJSON *list = cJSON_CreateArray();
  for (size_t j = 0; j < quatsimd_skeleton_joint_count(skeleton); j++) {
    cJSON *joint = cJSON_CreateObject();
    cJSON_AddItemToArray(list, joint);
    json_add_text(joint, "name", quatsimd_skeleton_joint_name(skeleton, j));
    json_add_number(joint, "parent", (double)quatsimd_skeleton_parent(skeleton, j));
  }
  return write_list(list, directory, JOINTS_LIST) &&
         (quatsimd_skeleton_track_count(skeleton) == 0 ||
          write_list(skeleton_file_names(skeleton, true), directory, TRACKS_LIST));
}

static bool spares(const char *directory, const char *name) {
  char *path = names_join(directory, "/", name);
  const bool good = inputs_spare(path);
  free(path);
  return good;
}

bool npy_write_clip(const quatsimd_clip *clip, const quatsimd_skeleton *skeleton, const char *directory) {
  struct clip_rest rest;
  const bool tracks = quatsimd_skeleton_track_count(skeleton) > 0;
  bool good = spares(directory, TIMES) && (!skeleton || spares(directory, JOINTS_LIST)) &&
              (!tracks || spares(directory, TRACKS_LIST));
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT && good; kind++) /* before any is written */
    good = quatsimd_clip_curve_count(clip, kind) == 0 || spares(directory, names[kind]);
  clip_rest_make(&rest, clip, skeleton);
  good = good && names_make_directories(directory);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT && good; kind++)
    good = quatsimd_clip_curve_count(clip, kind) == 0 || write_kind(clip, rest.pose, kind, directory);
  clip_rest_free(&rest);
  return good && write_times(clip, directory) && (!skeleton || write_names(skeleton, directory));
}
