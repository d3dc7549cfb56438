#include "clip_encode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "message.h"
#include "names.h"
#include "output.h"
#include "speed.h"
#include "text.h"

static const double degrees = 57.29577951308232;
static const char *const kind_names[] = {"rotation", "translation", "scale"};

/* An animation as the encoder wants it. */
struct work {
  const struct clip_settings *settings;
  const char *path;
  const struct skeleton *skeleton;
  char *title; /* of the animation, for messages */
  quatsimd_clip_joint *joint;
  quatsimd_clip_source source;
};

static const char *joint_name(const struct work *w, size_t joint) {
  return joint < w->skeleton->joints ? w->skeleton->scene.node[w->skeleton->joint[joint].node].name : "?";
}

/* What the file has, and how much. */
static void take_curves(struct work *w, size_t animation, struct clip_result *result) {
  const struct scene_curve **curves = skeleton_curves(w->skeleton, animation);
  double first = INFINITY, last = -INFINITY;
  for (size_t j = 0; j < w->skeleton->joints; j++) {
    quatsimd_curve *const to[] = {&w->joint[j].rotation, &w->joint[j].translation, &w->joint[j].scale};
    w->joint[j].parent = w->skeleton->joint[j].parent;
    for (int kind = 0; kind < SCENE_KINDS; kind++) {
      const struct scene_curve *from = curves[SCENE_KINDS * j + (size_t)kind];
      if (!from || (w->settings->only >= 0 && w->settings->only != kind)) continue;
      *to[kind] = (quatsimd_curve){from->keys, from->seconds, from->values, from->step};
      result->keys[kind] += from->keys;
      first = fmin(first, from->seconds[0]), last = fmax(last, from->seconds[from->keys - 1]);
    }
  }
  result->seconds = last > first ? last - first : 0;
  free(curves);
}

/* Where other joints are depends on joints that this animation does not move: they stand at rest. */
static void take_rests(struct work *w) {
  static const float none[SCENE_KINDS][4] = {{0, 0, 0, 1}, {0}, {1, 1, 1}};
  static const double start = 0;
  for (size_t j = 0; j < w->skeleton->joints; j++) {
    quatsimd_curve *const to[] = {&w->joint[j].rotation, &w->joint[j].translation, &w->joint[j].scale};
    const struct scene_node *node = &w->skeleton->scene.node[w->skeleton->joint[j].node];
    for (int kind = 0; kind < SCENE_KINDS; kind++)
      if (to[kind]->keys == 0 && memcmp(node->rest[kind], none[kind], scene_width(kind) * sizeof(float)) != 0)
        *to[kind] = (quatsimd_curve){1, &start, node->rest[kind], 0};
  }
}

static bool refuse(const struct work *w, quatsimd_status status, const quatsimd_clip_report *report) {
  if (report->error)
    complain(w->path, "%s: %s of \"%s\", key %zu: %s", w->title, kind_names[report->kind % QUATSIMD_CLIP_KINDS],
             joint_name(w, report->joint), report->key, report->error);
  else complain(w->path, "%s: cannot be encoded: %s", w->title, quatsimd_status_string(status));
  return false;
}

static bool encode(const struct work *w, struct clip_result *result) {
  const struct clip_settings *s = w->settings;
  const quatsimd_clip_options options = {
      .rotation_bound = arguments_bound(s->rotation),
      .translation_bound = arguments_bound(s->translation),
      .scale_bound = arguments_bound(s->scale),
      .object_bound = arguments_bound(s->object),
      .object_distance = (float)s->distance,
      .rate = s->rate,
      .loop = s->loop,
      .additive = s->additive ? QUATSIMD_CLIP_ADDITIVE_FIRST : QUATSIMD_CLIP_ADDITIVE_NONE,
  };
  const double start = speed_now();
  quatsimd_status status = quatsimd_clip_encode(&w->source, &options, &result->data, &result->size, &result->report);
  result->encode_seconds = speed_now() - start;
  if (status < 0) {
    result->data = NULL;
    return refuse(w, status, &result->report);
  }
  status = quatsimd_clip_open(&result->clip, result->data, result->size);
  if (status >= 0) status = clip_check(&w->source, &result->clip, s->distance, result->error);
  if (status < 0) complain(w->path, "%s: the clip cannot be read back: %s; please report it", w->title, quatsimd_status_string(status));
  return status >= 0;
}

/* False and a complaint for each error beyond its bound. */
static bool within_bounds(const struct work *w, const struct clip_result *result) {
  const double bounds[] = {w->settings->rotation, w->settings->translation, w->settings->scale, w->settings->object};
  static const char *const what[] = {"the rotation", "the translation", "the scale", "what hangs on it"};
  bool good = true;
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) {
    const double unit = i == QUATSIMD_CLIP_ROTATION ? degrees : 1;
    const struct clip_error *error = &result->error[i];
    if (bounds[i] == 0 || error->worst <= bounds[i]) continue;
    complain(w->path, "%s: \"%s\" at %.9g seconds: %s is %.9g%s off, and the bound is %.9g; please report it", w->title,
             joint_name(w, error->joint), error->time, what[i], error->worst * unit,
             i == QUATSIMD_CLIP_ROTATION ? " degrees" : "", bounds[i] * unit);
    good = false;
  }
  return good;
}

static bool write_clip(const struct work *w, void **names, struct clip_result *result) {
  struct output output;
  if (!w->settings->directory) return true;
  char *file = names_join(names_unique(names, result->name, "animation"), "", ".qsc");
  char *path = names_join(w->settings->directory, "/", file);
  free(file);
  bool good = output_open(&output, path);
  if (good) {
    output_write(&output, result->data, result->size);
    good = output_close(&output);
  }
  if (good) result->output = path;
  else free(path);
  return good;
}

static enum clip_outcome encode_and_write(struct work *w, void **names, struct clip_result *result) {
  if (result->keys[0] + result->keys[1] + result->keys[2] == 0) return CLIP_EMPTY;
  if (w->settings->object > 0) take_rests(w);
  if (!encode(w, result)) return CLIP_BAD;
  if (!within_bounds(w, result)) return CLIP_WRONG; /* and is not written */
  return write_clip(w, names, result) ? CLIP_GOOD : CLIP_WRONG;
}

/* "animation 3, Walk" */
static char *title_of(const struct scene_animation *animation) {
  char number[40];
  snprintf(number, sizeof number, "animation %zu", animation->number);
  return names_join(number, *animation->name ? ", " : "", animation->name);
}

enum clip_outcome clip_encode(const struct clip_settings *settings, const char *path, const struct skeleton *skeleton,
                              size_t animation, void **names, struct clip_result *result) {
  const struct scene_animation *from = &skeleton->scene.animation[animation];
  struct work w = {.settings = settings, .path = path, .skeleton = skeleton, .title = title_of(from)};
  *result = (struct clip_result){.path = path, .name = text_clean(from->name)};
  w.joint = memory_get(skeleton->joints, sizeof *w.joint);
  w.source = (quatsimd_clip_source){skeleton->joints, w.joint};
  take_curves(&w, animation, result);
  const enum clip_outcome outcome = encode_and_write(&w, names, result);
  if (outcome == CLIP_EMPTY || outcome == CLIP_BAD) clip_result_free(result);
  free(w.joint);
  free(w.title);
  return outcome;
}

void clip_result_free(struct clip_result *result) {
  quatsimd_clip_free(NULL, result->data);
  free(result->output);
  free(result->name);
  *result = (struct clip_result){0};
}
