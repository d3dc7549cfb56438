#include "clips/decode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "check/check.h"
#include "check/curve.h"
#include "check/rest.h"
#include "clip/encode/curve.h"
#include "scene/from_clip.h"

/* The skeleton. ------------------------------------------------------------------------------------------ */

void clip_decode_start(const struct skeleton_file *from, struct skeleton *skeleton) {
  const size_t joints = quatsimd_skeleton_joint_count(from->skeleton);
  *skeleton = (struct skeleton){.joints = joints, .metres = quatsimd_skeleton_metres(from->skeleton)};
  skeleton_file_copy(&skeleton->file, from);
  skeleton->joint = memory_get(joints, sizeof *skeleton->joint);
  skeleton->joint_of = memory_get(joints, sizeof *skeleton->joint_of);
  skeleton->scene = (struct scene){
      .nodes = joints, .node = memory_get(joints, sizeof(struct scene_node)), .metres = skeleton->metres};
  for (size_t j = 0; j < joints; j++) {
    struct skeleton_joint *joint = &skeleton->joint[j];
    const int64_t parent = quatsimd_skeleton_parent(skeleton->file.skeleton, j);
    *joint =
        (struct skeleton_joint){j, parent, quatsimd_skeleton_joint_name(skeleton->file.skeleton, j), {{0}}};
    quatsimd_pose_out rest = {quatsimd_aos_out(joint->rest[0]), quatsimd_aos_out(joint->rest[1]),
                              quatsimd_aos_out(joint->rest[2]), NULL};
    (void)quatsimd_skeleton_rest_pose(skeleton->file.skeleton, &rest, j, 1); /* of a joint it cannot fail */
    skeleton->scene.node[j] = (struct scene_node){
        .name = text_clean(joint->name), .number = j, .parent = parent < 0 ? SCENE_NONE : (size_t)parent};
    memcpy(skeleton->scene.node[j].rest, joint->rest, sizeof joint->rest);
    skeleton->joint_of[j] = j;
  }
}

/* Curves. ------------------------------------------------------------------------------------------------ */

/* A curve of the clip, and what it is added to. */
struct sum {
  const quatsimd_clip *clip;
  const quatsimd_pose_in *rest;
  uint32_t joint;
  int kind;
  const quatsimd_curve *under; /* null: the clip is not additive */
  double bend;                 /* a linear piece may be off by so much */
};

/* Adds a value or, of a spline, a tangent. */
static void put_on(int kind, const double u[4], float *v, bool tangent) {
  const double x = v[0], y = v[1], z = v[2], w = kind == SCENE_ROTATION ? v[3] : 0;
  const double turned[] = {
      u[3] * x + u[0] * w + u[1] * z - u[2] * y, u[3] * y - u[0] * z + u[1] * w + u[2] * x,
      u[3] * z + u[0] * y - u[1] * x + u[2] * w, u[3] * w - u[0] * x - u[1] * y - u[2] * z};
  for (size_t i = 0; i < scene_width(kind); i++)
    v[i] = (float)(kind == SCENE_ROTATION ? turned[i]
                   : kind == SCENE_SCALE  ? u[i] * (double)v[i]
                                          : (tangent ? 0 : u[i]) + (double)v[i]);
}

static void value_under(const struct sum *s, double seconds, double value[4]) {
  curve_value(s->under, s->kind, curve_find(s->under, seconds), seconds, value);
  if (s->kind != SCENE_ROTATION) return;
  const double length =
      sqrt(value[0] * value[0] + value[1] * value[1] + value[2] * value[2] + value[3] * value[3]);
  for (int i = 0; i < 4; i++) value[i] /= length;
}

static void sample(const struct sum *s, double seconds, float *value) {
  double under[4];
  quatsimd_pose_out pose = {0};
  quatsimd_out *const views[] = {&pose.rotations, &pose.translations, &pose.scales};
  *views[s->kind] = quatsimd_aos_out(value);
  (void)quatsimd_clip_sample_joints(s->clip, &pose, s->rest, seconds, QUATSIMD_CLIP_WRAP_CLAMP, &s->joint, 1,
                                    0);
  if (!s->under) return;
  value_under(s, seconds, under);
  put_on(s->kind, under, value, false);
}

/* More keys. --------------------------------------------------------------------------------------------- */

static const double far = 2.0943951; /* a third of a turn */
enum { HALVES = 20 };                /* of the time from key to key, at most: a curve may jump */

struct key {
  double seconds;
  float value[4];
};

/* Viewers go from key to key straight, and rotations the short way: near a half turn an error within the
 * bound is enough to change which one that is. */
static bool needs_keys(const struct sum *s, const struct key *p, const struct key *q) {
  const double times[] = {p->seconds, q->seconds};
  float values[8], there[4];
  double a[4], b[4] = {0};
  const size_t width = scene_width(s->kind);
  memcpy(values, p->value, width * sizeof *values);
  memcpy(values + width, q->value, width * sizeof *values);
  const quatsimd_curve straight = {2, times, values, QUATSIMD_CURVE_LINEAR};
  for (size_t i = 0; i < width; i++) a[i] = (double)p->value[i], b[i] = (double)q->value[i];
  if (s->kind == SCENE_ROTATION && curve_distance(s->kind, a, b) > far) return true;
  for (int part = 1; part < 4 && s->under; part++) {
    const double seconds = p->seconds + (q->seconds - p->seconds) * part / 4;
    sample(s, seconds, there);
    curve_value(&straight, s->kind, 0, seconds, a);
    for (size_t i = 0; i < width; i++) b[i] = (double)there[i];
    if (curve_distance(s->kind, a, b) > s->bend) return true;
  }
  return false;
}

/* Appends a key; a rotation with the sign that is nearer to the key before. */
static void add_key(struct scene_curve *c, int kind, const struct key *key) {
  const size_t width = scene_width(kind);
  c->seconds = memory_grow(c->seconds, c->keys, sizeof *c->seconds);
  c->values = memory_grow(c->values, c->keys, width * sizeof *c->values);
  float *to = c->values + width * c->keys, dot = 0;
  const float *before = c->keys > 0 ? to - width : to;
  for (size_t i = 0; i < width && kind == SCENE_ROTATION && c->keys > 0; i++)
    dot += key->value[i] * before[i];
  for (size_t i = 0; i < width; i++) to[i] = dot < 0 ? -key->value[i] : key->value[i];
  c->seconds[c->keys++] = key->seconds;
}

/* Files have times in float. */
static void add_between(struct scene_curve *to, const struct sum *s, const struct key *p, const struct key *q,
                        int halves) {
  struct key half = {.seconds = (double)(float)((p->seconds + q->seconds) / 2)};
  if (halves == 0 || (float)half.seconds <= (float)p->seconds || (float)half.seconds >= (float)q->seconds ||
      !needs_keys(s, p, q))
    return;
  sample(s, half.seconds, half.value);
  add_between(to, s, p, &half, halves - 1);
  add_key(to, s->kind, &half);
  add_between(to, s, &half, q, halves - 1);
}

/* Gives a linear curve the keys that it needs. */
static void add_keys(struct scene_curve *curve, const struct sum *s) {
  struct scene_curve to = {.keys = 0};
  const size_t width = scene_width(s->kind);
  struct key before = {0}, key = {0};
  for (size_t k = 0; k < curve->keys; k++, before = key) {
    key.seconds = curve->seconds[k];
    memcpy(key.value, curve->values + width * k, width * sizeof *key.value);
    if (k > 0) add_between(&to, s, &before, &key, HALVES);
    add_key(&to, s->kind, &key);
  }
  scene_free_curve(curve);
  *curve = to;
}

/* Sums. -------------------------------------------------------------------------------------------------- */

static double largest(const float *values, size_t count) {
  float most = 0;
  for (size_t i = 0; i < count; i++) most = fmaxf(most, fabsf(values[i]));
  return (double)most;
}

/* Puts the keys of a curve on what does not move. */
static void add_still(struct scene_curve *curve, const struct sum *s) {
  const size_t width = scene_width(s->kind), values = scene_floats(curve, s->kind) / width;
  const bool cubic = curve->interpolation == QUATSIMD_CURVE_CUBIC;
  double under[4];
  value_under(s, 0, under);
  for (size_t i = 0; i < values; i++) put_on(s->kind, under, curve->values + width * i, cubic && i % 3 != 1);
}

/* Makes way for a key that has the same time as a float: the last one, from before a jump perhaps, comes just
 * before, or goes where another one is. */
static void step_back(struct scene_curve *c) {
  const float before = nextafterf((float)c->seconds[c->keys - 1], -INFINITY);
  if (c->keys > 1 && before > (float)c->seconds[c->keys - 2]) c->seconds[c->keys - 1] = (double)before;
  else c->keys--;
}

/* Makes a curve linear that has keys where it or what it is put on has some. */
static void add_moving(struct scene_curve *curve, const struct sum *s) {
  struct scene_curve to = {.keys = 0};
  const double end = curve->seconds[curve->keys - 1];
  size_t i = 0, j = 0;
  while (j < s->under->key_count && s->under->times[j] <= curve->seconds[0]) j++;
  while (i < curve->keys) {
    const double own = curve->seconds[i], other = j < s->under->key_count ? s->under->times[j] : end;
    struct key key = {.seconds = fmin(own, other)};
    i += own <= other, j += other <= own;
    if (to.keys > 0 && (float)key.seconds <= (float)to.seconds[to.keys - 1]) step_back(&to);
    sample(s, key.seconds, key.value);
    add_key(&to, s->kind, &key);
  }
  scene_free_curve(curve);
  *curve = to;
}

static void add_under(struct scene_curve *curve, struct sum *s) {
  const size_t width = scene_width(s->kind);
  s->bend = s->kind == SCENE_ROTATION ? 1e-5
                                      : 4e-6 * (largest(curve->values, scene_floats(curve, s->kind)) +
                                                largest(s->under->values, width * s->under->key_count));
  if (s->under->key_count > 1) add_moving(curve, s);
  else add_still(curve, s);
}

/* -------------------------------------------------------------------------------------------------------- */

/* under: the base, or null. */
static void finish(struct skeleton *skeleton, struct scene_animation *animation, const quatsimd_clip *clip,
                   const quatsimd_pose_in *rest, const quatsimd_clip_source *under) {
  static const double start = 0;
  for (size_t c = 0; c < animation->channels; c++)
    for (int kind = 0; kind < SCENE_KINDS; kind++) {
      struct scene_curve *curve = &animation->channel[c].curve[kind];
      const size_t joint = animation->channel[c].node;
      if (curve->keys == 0) continue;
      const quatsimd_curve at_rest = {1, &start, skeleton->joint[joint].rest[kind], QUATSIMD_CURVE_LINEAR},
                           *base = under ? clip_curve(under, kind, joint) : &at_rest;
      struct sum s = {.clip = clip, .rest = rest, .joint = (uint32_t)joint, .kind = kind};
      if (quatsimd_clip_additive(clip)) s.under = base->key_count > 0 ? base : &at_rest, add_under(curve, &s);
      if (curve->interpolation == QUATSIMD_CURVE_LINEAR && (kind == SCENE_ROTATION || s.under))
        add_keys(curve, &s);
    }
}

bool clip_decode(struct skeleton *skeleton, const struct given_clip *given, const char *name,
                 const struct clip_base *base) {
  struct scene *scene = &skeleton->scene;
  const quatsimd_clip *clip = given->clip.clip;
  if (base && !clip_base_fits(base, given->clip.path, skeleton)) return false;
  scene->animation = memory_grow(scene->animation, scene->animations, sizeof *scene->animation);
  const size_t number = scene->animations++;
  struct scene_animation *animation = &scene->animation[number];
  *animation = (struct scene_animation){.name = text_clean(name), .number = number};
  struct clip_rest rest;
  clip_rest_make(&rest, clip, skeleton->file.skeleton);
  (void)scene_take_clip(
      &(struct from_clip){clip, scene, skeleton->joint_of, NULL, skeleton->file.skeleton, NULL, NULL},
      animation);
  struct clip_source source = {.skeleton = NULL};
  if (base) {
    clip_source_make(&source, skeleton, number, -1);
    clip_base_put_under_clip(base, clip, false, &source);
    if (!given->origin.clip || given->origin.clip->moved > 0) /* or keys are beside the clip's jumps */
      (void)clip_source_move(&source, quatsimd_clip_rate(clip));
  }
  finish(skeleton, animation, clip, rest.pose, clip_source_under(&source));
  clip_source_free(&source);
  clip_rest_free(&rest);
  return true;
}
