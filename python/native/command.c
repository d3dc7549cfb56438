#include "command.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "commands/command.h"
#include "files/inputs.h"
#include "files/output.h"
#include "readers/limits.h"
#include "readers/readers.h"
#include "recipe/recipe.h"
#include "scene/input.h"
#include "scene/skeleton.h"
#include "system/files.h"
#include "system/program.h"

int quatsimd_python_run(int argc, char **argv, bool share) {
  system_begin();
  output_clean_up_on_signals();
  recipe_is_shared = share;
  return command_run(argc, argv, stdout, stderr);
}

/* What a file points to. */
struct held {
  struct messages messages;
  struct skeleton skeleton;
  struct npy shape;
  float *rotation;
  quatsimd_python_animation *animation;
};

static quatsimd_python_curve *curves_of(const struct skeleton *skeleton, size_t animation, size_t count) {
  const struct scene_curve **from = skeleton_curves(skeleton, animation);
  quatsimd_python_curve *curve = memory_get(count, sizeof *curve);
  for (size_t i = 0; i < count; i++)
    if (from[i])
      curve[i] =
          (quatsimd_python_curve){from[i]->keys, from[i]->interpolation, from[i]->values, from[i]->seconds};
  free(from);
  return curve;
}

static bool load_scene(quatsimd_python_file *file, struct held *held, const char *path) {
  struct skeleton *s = &held->skeleton;
  if (!skeleton_read(path, NULL, s)) return false;
  scene_mention_rest(path, &s->scene, false);
  file->skeleton = s->file.data, file->skeleton_size = s->file.size;
  file->joints = s->joints, file->tracks = quatsimd_skeleton_track_count(s->file.skeleton);
  held->animation = memory_get(s->scene.animations, sizeof *held->animation);
  file->animation = held->animation;
  for (size_t a = 0; a < s->scene.animations; a++, file->animations++)
    held->animation[a] = (quatsimd_python_animation){
        s->scene.animation[a].name, curves_of(s, a, SCENE_KINDS * file->joints + file->tracks)};
  return true;
}

static bool load_array(quatsimd_python_file *file, struct held *held, const char *path, bool w_first) {
  file->rotation = held->rotation = input_read_array(path, w_first, &held->shape);
  if (held->rotation) file->axes = held->shape.axes - 1, file->shape = held->shape.shape;
  return held->rotation != NULL;
}

static _Thread_local jmp_buf out_of_memory;
static void give_up(void) { longjmp(out_of_memory, 1); }

int quatsimd_python_load(quatsimd_python_file *file, const char *path, bool w_first,
                         const quatsimd_python_limits *limits) {
  const struct reader_limits before = reader_limits;
  volatile int result = -1;
  *file = (quatsimd_python_file){0};
  reader_limits = (struct reader_limits){limits->reader_memory, limits->reader_seconds, limits->allow_outside,
                                         "reader_memory", "reader_seconds"};
  memory_fails = give_up;
  if (setjmp(out_of_memory) == 0) {
    struct held *held = memory_get(1, sizeof *held);
    file->memory = held;
    messages_keep(&held->messages);
    const struct reader *reader = reader_of(path);
    result = reader && (reader->scene ? load_scene(file, held, path) : load_array(file, held, path, w_first));
    file->messages = held->messages.text;
  }
  messages_keep(NULL);
  memory_fails = NULL;
  inputs_forget();
  reader_limits = before;
  return result;
}

void quatsimd_python_free(quatsimd_python_file *file) {
  struct held *held = file->memory;
  for (size_t a = 0; a < file->animations; a++) free((void *)(uintptr_t)held->animation[a].curve);
  skeleton_free(&held->skeleton);
  free(held->animation), free(held->rotation), messages_free(&held->messages), free(held);
  *file = (quatsimd_python_file){0};
}
