/* BVH. */
#include "readers/bvh/bvh.h"

#include <math.h>
#include <stdlib.h>

#include "base/quantity.h"
#include "base/text.h"
#include "readers/limits.h"

/* Turns q by an angle about an axis of its own. */
static void turn(double q[4], int axis, double degrees) {
  const double half = degrees / 2 / DEGREES, s = sin(half), c = cos(half);
  const int a = axis, b = (axis + 1) % 3, d = (axis + 2) % 3;
  const double turned[] = {q[a] * c + q[3] * s, q[b] * c + q[d] * s, q[d] * c - q[b] * s,
                           q[3] * c - q[a] * s};
  q[a] = turned[0], q[b] = turned[1], q[d] = turned[2], q[3] = turned[3];
}

static struct scene_curve empty_curve(const struct bvh *b, int kind) {
  struct scene_curve curve = {.keys = b->frames};
  curve.values = memory_get(b->frames, scene_width(kind) * sizeof *curve.values);
  curve.seconds = memory_get(b->frames, sizeof *curve.seconds);
  for (size_t f = 0; f < b->frames; f++)
    curve.seconds[f] = b->usual_rate > 0 ? (double)f / b->usual_rate : (double)f * b->frame_seconds;
  return curve;
}

static struct scene_channel empty_channel(const struct bvh *b, size_t node) {
  const struct bvh_joint *j = &b->joint[node];
  struct scene_channel channel = {.name = text_clean(b->node[node].name), .node = node};
  for (int c = 0; c < j->channels && b->frames > 0; c++)
    if (channel.curve[j->kind[c]].keys == 0) channel.curve[j->kind[c]] = empty_curve(b, j->kind[c]);
  return channel;
}

/* The keys of a joint. An axis without a position stays at OFFSET. Returns the numbers behind the joint's. */
static const struct bvh_number *take_keys(const struct bvh *b, const struct scene_channel *channel,
                                          size_t frame, const struct bvh_number *number) {
  const struct bvh_joint *j = &b->joint[channel->node];
  const struct scene_curve *curve = channel->curve;
  double q[4] = {0, 0, 0, 1}, at[3], scale[3] = {1, 1, 1};
  for (int i = 0; i < 3; i++) at[i] = (double)b->node[channel->node].rest[SCENE_TRANSLATION][i];
  for (int c = 0; c < j->channels; c++, number++) {
    if (j->kind[c] == SCENE_ROTATION) turn(q, j->axis[c], number->value);
    else (j->kind[c] == SCENE_SCALE ? scale : at)[j->axis[c]] = (double)bvh_float(number);
  }
  const double *const value[] = {q, at, scale};
  for (int kind = 0; kind < SCENE_KINDS; kind++)
    for (size_t i = 0; i < scene_width(kind) && curve[kind].keys > 0; i++)
      curve[kind].values[scene_width(kind) * frame + i] = (float)value[kind][i];
  return number;
}

/* Counts the memory of all keys. False and a complaint if the file may not take so much. */
static bool may_take(struct bvh *b) {
  uint64_t of_frame = 0;
  for (size_t n = 0; n < b->nodes; n++) {
    bool has[SCENE_KINDS] = {false};
    for (int c = 0; c < b->joint[n].channels; c++) has[b->joint[n].kind[c]] = true;
    for (int kind = 0; kind < SCENE_KINDS; kind++)
      if (has[kind]) of_frame += scene_width(kind) * sizeof(float) + sizeof(double);
  }
  return reader_spend(b->path, &b->spent, b->frames * of_frame);
}

static struct scene make_scene(struct bvh *b) {
  struct scene scene = {.nodes = b->nodes, .node = b->node, .animations = 1};
  struct scene_animation *animation = scene.animation = memory_get(1, sizeof *animation);
  *animation = (struct scene_animation){.name = text_clean("Motion")};
  animation->channel = memory_get(b->nodes, sizeof *animation->channel);
  for (size_t n = 0; n < b->nodes; n++) {
    if (b->joint[n].end_site) continue;
    b->node[n].in_skin = true;
    animation->channel[animation->channels++] = empty_channel(b, n);
  }
  return scene;
}

static bool read_motion(struct bvh *b, const struct scene_animation *animation) {
  struct bvh_number *numbers = memory_get(b->columns, sizeof *numbers);
  bool good = true;
  for (size_t f = 0; good && f < b->frames; f++) {
    const struct bvh_number *next = numbers;
    good = bvh_next_frame(b, numbers);
    for (size_t c = 0; good && c < animation->channels; c++)
      next = take_keys(b, &animation->channel[c], f, next);
  }
  free(numbers);
  return good;
}

static bool read_scene(const char *path, struct scene *scene) {
  struct bvh b;
  *scene = (struct scene){0};
  if (!bvh_open(&b, path)) return false;
  if (!may_take(&b)) return bvh_close(&b), false;
  *scene = make_scene(&b);
  const bool good = read_motion(&b, scene->animation);
  if (good) bvh_mention_frames(&b);
  b.node = NULL, b.nodes = 0; /* they are the scene's now */
  bvh_close(&b);
  if (!good) scene_free(scene);
  return good;
}

const struct reader reader_bvh = {.name = "a BVH file",
                                  .endings = {".bvh"},
                                  .begins = {"HIERARCHY", "\xef\xbb\xbfHIERARCHY"},
                                  .scene = read_scene};
