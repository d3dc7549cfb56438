#include "clips/keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"

/* As the encoder wants times: without that, the clip is of something else. */
static bool times_rise(const struct scene_curve *curve) {
  for (size_t k = 0; k < curve->keys; k++)
    if (!isfinite(curve->seconds[k]) || (k > 0 && !(curve->seconds[k] > curve->seconds[k - 1]))) return false;
  return true;
}

/* The curves of the kinds that are taken. */
static bool take_source(const struct scene_curve **curves, const struct skeleton *skeleton,
                        const char *original, quatsimd_clip_joint *joint, struct clip_keys *keys) {
  for (size_t j = 0; j < skeleton->joints; j++) {
    quatsimd_curve *const to[] = {&joint[j].rotation, &joint[j].translation, &joint[j].scale};
    joint[j].parent = skeleton->joint[j].parent;
    for (int kind = 0; kind < SCENE_KINDS; kind++) {
      const struct scene_curve *from = curves[SCENE_KINDS * j + (size_t)kind];
      keys->count[kind] += from != NULL;
      if (!from || !keys->taken[kind]) continue;
      if (!times_rise(from)) {
        complain(original, "the times of \"%s\" do not rise",
                 skeleton->scene.node[skeleton->joint[j].node].name);
        return false;
      }
      *to[kind] = (quatsimd_curve){from->keys, from->seconds, from->values,
                                   from->hold ? QUATSIMD_CURVE_HOLD : QUATSIMD_CURVE_LINEAR};
      keys->keys += from->keys;
    }
  }
  return true;
}

static quatsimd_status decode_curve(const quatsimd_clip *clip, size_t joint, int kind,
                                    struct scene_curve *curve) {
  const size_t width = scene_width(kind);
  const uint32_t number = (uint32_t)joint;
  quatsimd_status status = QUATSIMD_OK;
  float first[4];
  memcpy(first, curve->values, width * sizeof *first);
  if (kind == SCENE_ROTATION) quatsimd_normalize(quatsimd_aos_out(first), quatsimd_aos(first), 1);
  for (size_t k = 0; k < curve->keys && status >= 0; k++) {
    float *key = curve->values + width * k, was[4];
    quatsimd_pose pose = {0};
    quatsimd_out *const to[] = {&pose.rotations, &pose.translations, &pose.scales};
    *to[kind] = quatsimd_aos_out(key);
    memcpy(was, key, width * sizeof *was);
    status =
        quatsimd_clip_sample_joints(clip, &pose, curve->seconds[k], QUATSIMD_CLIP_WRAP_CLAMP, &number, 1);
    if (status >= 0 && quatsimd_clip_additive(clip))
      status = quatsimd_clip_add(&pose, quatsimd_aos(first), quatsimd_aos(first), quatsimd_aos(first), 1);
    if (kind == SCENE_ROTATION && was[0] * key[0] + was[1] * key[1] + was[2] * key[2] + was[3] * key[3] < 0)
      /* for viewers that do not go the short way by themselves */
      for (int i = 0; i < 4; i++) key[i] = -key[i];
  }
  return status;
}

static quatsimd_status decode(struct skeleton *skeleton, size_t animation, const quatsimd_clip *clip,
                              const bool *taken) {
  struct scene_animation *to = &skeleton->scene.animation[animation];
  quatsimd_status status = QUATSIMD_OK;
  for (size_t c = 0; c < to->channels; c++)
    for (int kind = 0; kind < SCENE_KINDS && status >= 0; kind++) {
      struct scene_curve *curve = &to->channel[c].curve[kind];
      if (taken[kind] && curve->keys > 0)
        status = decode_curve(clip, skeleton->joint_of[to->channel[c].node], kind, curve);
    }
  return status;
}

bool clip_keys_decode(struct skeleton *skeleton, size_t animation, const char *original,
                      const quatsimd_clip *clip, const char *clip_path, struct clip_keys *keys) {
  *keys = (struct clip_keys){0};
  if (quatsimd_clip_additive(clip) == QUATSIMD_CLIP_ADDITIVE_BASE) {
    complain(clip_path,
             "is the difference of two animations, and there is no telling which the other one is");
    return false;
  }
  for (int kind = 0; kind < SCENE_KINDS; kind++) keys->taken[kind] = quatsimd_clip_curves(clip, kind) > 0;
  const struct scene_curve **curves = skeleton_curves(skeleton, animation);
  quatsimd_clip_joint *joint = memory_get(skeleton->joints, sizeof *joint);
  const quatsimd_clip_source source = {skeleton->joints, joint};
  bool good = take_source(curves, skeleton, original, joint, keys);
  if (good) {
    quatsimd_status status = clip_check(&source, clip, 0, NULL, keys->error, NULL);
    if (status >= 0) status = decode(skeleton, animation, clip, keys->taken);
    good = status >= 0;
    if (!good) complain(clip_path, "cannot be sampled: %s; please report it", quatsimd_status_string(status));
  }
  free(joint);
  free(curves);
  return good;
}
