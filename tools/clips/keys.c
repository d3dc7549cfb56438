#include "clips/keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "clips/curve.h"
#include "clips/rest.h"
#include "clips/tracks.h"

/* As the encoder wants times: without that, the clip is of something else. */
static bool times_rise(const struct scene_curve *curve) {
  for (size_t k = 0; k < curve->keys; k++)
    if (!isfinite(curve->seconds[k]) || (k > 0 && !(curve->seconds[k] > curve->seconds[k - 1]))) return false;
  return true;
}

/* Different times that are one float. */
static bool times_meet(const struct scene_curve *curve) {
  for (size_t k = 1; k < curve->keys; k++)
    if (curve->seconds[k] > curve->seconds[k - 1] && !(scene_time(curve, k) > scene_time(curve, k - 1)))
      return true;
  return false;
}

/* The curves of the kinds that are taken. */
static bool take_source(const struct scene_curve **curves, const struct skeleton *skeleton,
                        const char *original, bool floats, quatsimd_clip_joint *joint,
                        struct clip_keys *keys) {
  for (size_t j = 0; j < skeleton->joints; j++) {
    quatsimd_curve *const to[] = {&joint[j].rotation, &joint[j].translation, &joint[j].scale};
    joint[j].parent = skeleton->joint[j].parent;
    for (int kind = 0; kind < SCENE_KINDS; kind++) {
      const struct scene_curve *from = curves[SCENE_KINDS * j + (size_t)kind];
      keys->count[kind] += from != NULL;
      if (from && floats && times_meet(from)) {
        complain(original, "two keys of \"%s\" would have equal times in glTF, whose times are floats",
                 skeleton->joint[j].name);
        return false;
      }
      if (!from || !keys->taken[kind]) continue;
      if (!times_rise(from)) {
        complain(original, "the times of \"%s\" do not rise", skeleton->joint[j].name);
        return false;
      }
      *to[kind] = (quatsimd_curve){from->keys, from->seconds, from->values, from->interpolation};
      keys->keys += from->keys;
    }
  }
  return true;
}

/* One joint's curve, as it is decoded. */
struct decoding {
  const quatsimd_clip *clip;
  const quatsimd_pose_in *pose; /* may be null */
  uint32_t joint;
  int kind;
  float first[4];             /* the first key, which an additive clip goes on */
  const quatsimd_curve *base; /* or another animation's curve; null: none */
};

/* The clip ends, while a longer base goes on. */
static void take_base(const struct decoding *d, double seconds, float under[4]) {
  const double start = quatsimd_clip_start(d->clip), end = start + quatsimd_clip_duration(d->clip),
               time = fmin(fmax(seconds, start), end);
  double value[4];
  curve_value(d->base, d->kind, curve_find(d->base, time), time, value);
  for (size_t i = 0; i < scene_width(d->kind); i++) under[i] = (float)value[i];
  if (d->kind == SCENE_ROTATION) quatsimd_normalize(quatsimd_aos_out(under), quatsimd_aos(under), 1);
}

static quatsimd_status sample(const struct decoding *d, double seconds, float *value) {
  float on[4];
  const quatsimd_in under = quatsimd_aos(on), over = quatsimd_aos(value);
  memcpy(on, d->first, sizeof on);
  if (d->base) take_base(d, seconds, on);
  quatsimd_pose_out pose = {0};
  *(d->kind == SCENE_ROTATION      ? &pose.rotations
    : d->kind == SCENE_TRANSLATION ? &pose.translations
                                   : &pose.scales) = quatsimd_aos_out(value);
  quatsimd_status status = quatsimd_clip_sample_joints(d->clip, &pose, d->pose, seconds,
                                                       QUATSIMD_CLIP_WRAP_CLAMP, &d->joint, 1, 0);
  if (status >= 0 && quatsimd_clip_additive(d->clip))
    status = quatsimd_clip_add(&pose, &(quatsimd_pose_in){under, under, under, NULL},
                               &(quatsimd_pose_in){over, over, over, NULL}, 1, 0);
  return status;
}

/* For viewers that do not go the short way by themselves. */
static void take_sign_of(float *q, const float *of) {
  if (of[0] * q[0] + of[1] * q[1] + of[2] * q[2] + of[3] * q[3] < 0)
    for (int i = 0; i < 4; i++) q[i] = -q[i];
}

/* Tangents belong to keys as long as they were. */
static void take_length_of(float *q, const float *of) {
  const double length = sqrt((double)of[0] * (double)of[0] + (double)of[1] * (double)of[1] +
                             (double)of[2] * (double)of[2] + (double)of[3] * (double)of[3]);
  for (int i = 0; i < 4; i++) q[i] = (float)((double)q[i] * length);
}

static double distance(int kind, const float *p, const float *q) {
  double a[4] = {0}, b[4] = {0};
  for (size_t i = 0; i < scene_width(kind); i++) a[i] = (double)p[i], b[i] = (double)q[i];
  return curve_distance(kind, a, b);
}

/* A clip may be early or late by the rounding of times (quatsimd/clip.h), so that beside a jump it may be on
 * the other side. There a key is what the clip has nearest to it, then or by the rounding before or behind;
 * was: the key. */
static quatsimd_status sample_beside_jump(const struct decoding *d, const struct scene_curve *curve, size_t k,
                                          const float *was, float *key) {
  const double time = curve->seconds[k], most = fmax(fabs(time), fabs(curve->seconds[0]));
  const double side = scene_jumps(curve, k) ? -1 : 1;
  const bool there_is = side < 0 ? k > 0 : k + 1 < curve->keys;
  const double room = there_is ? fabs(curve->seconds[side < 0 ? k - 1 : k + 1] - time) / 2 : 0;
  quatsimd_status status = sample(d, time, key);
  double least = distance(d->kind, key, was);
  for (int shift = 24; shift >= 22 && status >= 0; shift--) {
    float other[4];
    status = sample(d, time + side * fmin(ldexp(1.01 * most, -shift), room), other);
    const double off = distance(d->kind, other, was);
    if (off < least) least = off, memcpy(key, other, scene_width(d->kind) * sizeof *key);
  }
  return status;
}

/* Tangents of splines stay as they are: as far as keys are off, so far, at most, is what is between them. */
static quatsimd_status decode_curve(const struct decoding *d, struct scene_curve *curve) {
  const size_t width = scene_width(d->kind);
  quatsimd_status status = QUATSIMD_OK;
  for (size_t k = 0; k < curve->keys && status >= 0; k++) {
    float *key = scene_key(curve, d->kind, k), was[4];
    memcpy(was, key, width * sizeof *was);
    if (scene_jumps(curve, k) || (k > 0 && scene_jumps(curve, k - 1)))
      status = sample_beside_jump(d, curve, k, was, key);
    else status = sample(d, curve->seconds[k], key);
    if (d->kind != SCENE_ROTATION) continue;
    take_sign_of(key, was);
    if (curve->interpolation == QUATSIMD_CURVE_CUBIC) take_length_of(key, was);
  }
  return status;
}

/* Turns. Viewers go from key to key the short way. Near a half turn an error within the bound is enough to
 * change that way, so there the clip says with more keys where it goes. */

static const double far = 2.0943951; /* a third of a turn */
enum { HALVES = 20 };                /* of the time from key to key, at most: a clip may jump */

static bool is_far(const float *p, const float *q) { return distance(SCENE_ROTATION, p, q) > far; }

/* A curve that grows. */
struct growing {
  struct scene_curve curve;
  quatsimd_status status;
};

static void add_key(struct growing *to, double seconds, const float *value) {
  struct scene_curve *c = &to->curve;
  c->seconds = memory_grow(c->seconds, c->keys, sizeof *c->seconds);
  c->values = memory_grow(c->values, c->keys, 4 * sizeof *c->values);
  c->seconds[c->keys] = seconds;
  memcpy(c->values + 4 * c->keys++, value, 4 * sizeof *value);
}

struct key {
  double seconds;
  float value[4];
};

/* Adds keys half way from p to q, and so on, until none is far from the next. Files have times in float. */
static void add_halves(struct growing *to, const struct decoding *d, const struct key *p, const struct key *q,
                       int halves) {
  struct key half = {.seconds = (double)(float)((p->seconds + q->seconds) / 2)};
  if (halves == 0 || to->status < 0 || (float)half.seconds <= (float)p->seconds ||
      (float)half.seconds >= (float)q->seconds)
    return;
  to->status = sample(d, half.seconds, half.value);
  take_sign_of(half.value, p->value);
  if (is_far(p->value, half.value)) add_halves(to, d, p, &half, halves - 1);
  add_key(to, half.seconds, half.value);
  if (is_far(half.value, q->value)) add_halves(to, d, &half, q, halves - 1);
}

/* far_before: of each key, was the next one far? */
static quatsimd_status add_turns(const struct decoding *d, struct scene_curve *curve,
                                 const bool *far_before) {
  struct growing to = {.curve = {.interpolation = curve->interpolation, .retimed = curve->retimed}};
  for (size_t k = 0; k < curve->keys; k++) {
    struct key key[2];
    for (size_t i = 0; i < 2 && k + i < curve->keys; i++) {
      key[i].seconds = curve->seconds[k + i];
      memcpy(key[i].value, curve->values + 4 * (k + i), sizeof key[i].value);
    }
    add_key(&to, key[0].seconds, key[0].value);
    if (k + 1 < curve->keys && (far_before[k] || is_far(key[0].value, key[1].value)))
      add_halves(&to, d, &key[0], &key[1], HALVES);
  }
  free(curve->seconds);
  free(curve->values);
  to.curve.retimed = to.curve.retimed || to.curve.keys > curve->keys;
  *curve = to.curve;
  return to.status;
}

/* -------------------------------------------------------------------------------------------------------- */

static quatsimd_status decode_and_add(const struct decoding *d, struct scene_curve *curve, bool may_add) {
  if (!may_add || d->kind != SCENE_ROTATION || curve->interpolation != QUATSIMD_CURVE_LINEAR)
    return decode_curve(d, curve);
  bool *far_before = memory_get(curve->keys, sizeof *far_before);
  for (size_t k = 0; k + 1 < curve->keys; k++)
    far_before[k] = is_far(curve->values + 4 * k, curve->values + 4 * (k + 1));
  quatsimd_status status = decode_curve(d, curve);
  if (status >= 0) status = add_turns(d, curve, far_before);
  free(far_before);
  return status;
}

static quatsimd_status decode(struct skeleton *skeleton, size_t animation, const quatsimd_clip *clip,
                              const quatsimd_clip_source *base, const quatsimd_pose_in *pose,
                              struct clip_keys *keys, bool may_add) {
  struct scene_animation *to = &skeleton->scene.animation[animation];
  quatsimd_status status = QUATSIMD_OK;
  for (size_t c = 0; c < to->channels; c++)
    for (int kind = 0; kind < SCENE_KINDS && status >= 0; kind++) {
      struct scene_curve *curve = &to->channel[c].curve[kind];
      if (!keys->taken[kind] || curve->keys == 0) continue; /* without keys it may have no node */
      const size_t joint = skeleton->joint_of[to->channel[c].node];
      if (joint == SCENE_NONE) continue;
      struct decoding d = {clip, pose, (uint32_t)joint, kind, {0}, NULL};
      if (base && clip_check_curve(&base->joints[joint], kind)->key_count > 0)
        d.base = clip_check_curve(&base->joints[joint], kind);
      memcpy(d.first, scene_key(curve, kind, 0), scene_width(kind) * sizeof *d.first);
      if (kind == SCENE_ROTATION) quatsimd_normalize(quatsimd_aos_out(d.first), quatsimd_aos(d.first), 1);
      scene_unshare(curve, kind);
      const size_t before = curve->keys;
      status = decode_and_add(&d, curve, may_add);
      keys->added += curve->keys - before;
    }
  return status;
}

/* Tracks at the times that their keys have; tangents stay. */
static void decode_tracks(struct skeleton *skeleton, size_t animation, const quatsimd_clip *clip,
                          const quatsimd_clip_source *base, const quatsimd_pose_in *rest,
                          struct clip_keys *keys) {
  struct scene_curve *track = skeleton->scene.animation[animation].track;
  float *sampled = memory_get(quatsimd_clip_track_count(clip), sizeof *sampled);
  quatsimd_pose_out pose = {{0}, {0}, {0}, sampled};
  for (size_t t = 0; track && t < skeleton->scene.tracks; t++) {
    const size_t number = skeleton->track_of[t];
    if (track[t].keys == 0 || number == SCENE_NONE) continue;
    const float first = *scene_key(&track[t], SCENE_TRACK, 0);
    scene_unshare(&track[t], SCENE_TRACK);
    keys->tracks++, keys->keys += track[t].keys;
    for (size_t k = 0; k < track[t].keys; k++) {
      float *value = scene_key(&track[t], SCENE_TRACK, k);
      const float was = *value;
      quatsimd_clip_sample(clip, &pose, rest, track[t].seconds[k], QUATSIMD_CLIP_WRAP_CLAMP, 0);
      *value = sampled[number];
      if (quatsimd_clip_additive(clip) == QUATSIMD_CLIP_ADDITIVE_FIRST) *value += first;
      if (base) *value += (float)clip_track_under(&base->tracks[number].curve, clip, track[t].seconds[k]);
      keys->track_worst = fmax(keys->track_worst, fabs((double)*value - (double)was));
    }
  }
  free(sampled);
}

bool clip_keys_decode(struct skeleton *skeleton, size_t animation, const char *original,
                      const quatsimd_clip *clip, const quatsimd_clip_source *base, const char *clip_path,
                      bool may_add, struct clip_keys *keys) {
  *keys = (struct clip_keys){0};
  for (int kind = 0; kind < SCENE_KINDS; kind++)
    keys->taken[kind] = quatsimd_clip_curve_count(clip, kind) > 0;
  const struct scene_curve **curves = skeleton_curves(skeleton, animation);
  quatsimd_clip_joint *joint = memory_get(skeleton->joints, sizeof *joint);
  const quatsimd_clip_source source = {skeleton->joints, joint, 0, NULL};
  bool good = take_source(curves, skeleton, original, may_add, joint, keys);
  if (good) {
    struct clip_rest rest;
    clip_rest_make(&rest, clip, skeleton->file.skeleton);
    quatsimd_status status = clip_check(&source, base, clip, 0, NULL, rest.pose, keys->error, NULL);
    if (status >= 0) status = decode(skeleton, animation, clip, base, rest.pose, keys, may_add);
    if (status >= 0 && quatsimd_clip_curve_count(clip, QUATSIMD_CLIP_TRACK) > 0)
      decode_tracks(skeleton, animation, clip, base, rest.pose, keys);
    clip_rest_free(&rest);
    good = status >= 0;
    if (!good) complain(clip_path, "cannot be sampled: %s; please report it", quatsimd_status_string(status));
  }
  free(joint);
  free(curves);
  return good;
}
