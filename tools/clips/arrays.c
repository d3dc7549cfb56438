#include "clips/arrays.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/names.h"
#include "base/output.h"
#include "base/text.h"
#include "clips/rest.h"
#include "readers/npy.h"
#include "readers/scene.h"

enum { DECODE_MOST = 1 << 16 }; /* elements at once: so much memory is enough for a clip of any length */

static void put_frames(struct output *o, const quatsimd_clip *clip, const quatsimd_pose_in *rest, int kind) {
  const size_t width = scene_width(kind),
               most = quatsimd_clip_joints(clip) ? DECODE_MOST / quatsimd_clip_joints(clip) : 1,
               step = most ? most : 1;
  float *values = memory_get(step * quatsimd_clip_joints(clip), width * sizeof *values);
  for (size_t f = 0; f < quatsimd_clip_frames(clip); f += step) {
    const size_t frames = quatsimd_clip_frames(clip) - f < step ? quatsimd_clip_frames(clip) - f : step,
                 count = frames * quatsimd_clip_joints(clip) * width;
    quatsimd_pose pose = {0};
    quatsimd_out *const to[] = {&pose.rotations, &pose.translations, &pose.scales};
    *to[kind] = quatsimd_aos_out(values);
    /* of an opened clip and its frames it cannot fail */
    (void)quatsimd_clip_decode(clip, &pose, rest, f, frames);
    for (size_t i = 0; i < count; i++) npy_put_float(&values[i], values[i]);
    if (!output_write(o, values, count * sizeof *values)) break; /* output_close tells why */
  }
  free(values);
}

static void put_times(struct output *o, const quatsimd_clip *clip) {
  for (size_t f = 0; f < quatsimd_clip_frames(clip); f++) {
    unsigned char time[8];
    npy_put_double(time, quatsimd_clip_time(clip, f));
    if (!output_write(o, time, sizeof time)) break;
  }
}

/* kind SCENE_KINDS: the times. */
static bool write_array(const quatsimd_clip *clip, const quatsimd_pose_in *rest, int kind,
                        const char *directory) {
  static const char *const names[] = {"rotations.npy", "translations.npy", "scales.npy", "times.npy"};
  const bool times = kind == SCENE_KINDS;
  const struct npy array = {
      .kind = 'f',
      .size = times ? 8 : 4,
      .axes = times ? 1 : 3,
      .shape = {quatsimd_clip_frames(clip), quatsimd_clip_joints(clip), times ? 0 : scene_width(kind)}};
  struct output o;
  char *path = names_join(directory, "/", names[kind]);
  bool good = output_open(&o, path);
  if (good) {
    npy_put_head(&o, &array);
    if (times) put_times(&o, clip);
    else put_frames(&o, clip, rest, kind);
    good = output_close(&o);
  }
  free(path);
  return good;
}

static bool write_joints(const quatsimd_skeleton *skeleton, const char *directory) {
  cJSON *list = cJSON_CreateArray();
  for (size_t j = 0; j < quatsimd_skeleton_joints(skeleton); j++) {
    cJSON *joint = cJSON_CreateObject();
    cJSON_AddItemToArray(list, joint);
    json_add_text(joint, "name", quatsimd_skeleton_name(skeleton, j));
    json_add_number(joint, "parent", (double)quatsimd_skeleton_parent(skeleton, j));
  }
  struct output o;
  char *text = memory_or_exit(cJSON_Print(list)), *path = names_join(directory, "/", "joints.json");
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

bool clip_arrays_write(const quatsimd_clip *clip, const quatsimd_skeleton *skeleton, const char *directory) {
  struct clip_rest rest;
  clip_rest_make(&rest, clip, skeleton);
  bool good = names_make_directories(directory);
  for (int kind = 0; kind < SCENE_KINDS && good; kind++)
    if (quatsimd_clip_curves(clip, kind) > 0) good = write_array(clip, rest.pose, kind, directory);
  good = good && write_array(clip, NULL, SCENE_KINDS, directory);
  clip_rest_free(&rest);
  return good && (!skeleton || write_joints(skeleton, directory));
}
