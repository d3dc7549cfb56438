#include "clip/encode/measure.h"

#include "core/arithmetic.h"
#include "clip/sample/open.h"

static void raise_to(double *worst, double error) {
  if (!(error <= *worst)) *worst = error;
}

static void widen(double to[CLIP_MOST_COMPONENTS], const float *from, int kind) {
  for (size_t i = 0; i < clip_components(kind); i++) to[i] = from[i];
}

static quatsimd_pose pose_of(int kind, float *to) {
  quatsimd_pose pose = {0};
  quatsimd_out *outs[] = {&pose.rotations, &pose.translations, &pose.scales};
  *outs[kind] = quatsimd_aos_out(to);
  return pose;
}

size_t quatsimd_measure_keys(const quatsimd_clip *clip, int kind, size_t joint, const quatsimd_curve *curve,
                             double *worst) {
  const uint32_t which = (uint32_t)joint;
  float sample[CLIP_MOST_COMPONENTS];
  double key[CLIP_MOST_COMPONENTS], found[CLIP_MOST_COMPONENTS];
  const quatsimd_pose pose = pose_of(kind, sample);
  size_t worst_key = 0;
  for (size_t k = 0; k < curve->keys; k++) {
    const double before = *worst;
    quatsimd_clip_sample_joints(clip, &pose, curve->times ? curve->times[k] : clip->start,
                                QUATSIMD_CLIP_WRAP_CLAMP, &which, 1);
    quatsimd_curve_key(curve, kind, k, key);
    widen(found, sample, kind);
    raise_to(worst, quatsimd_value_error(kind, found, key));
    if (*worst > before) worst_key = k;
  }
  return worst_key;
}

static quatsimd_status measure_kind(quatsimd_memory *memory, const quatsimd_clip *clip,
                                    const quatsimd_clip_source *source, int kind, double *worst) {
  float *times = quatsimd_take(memory, clip->frames, sizeof *times);
  if (!times) return QUATSIMD_ERROR_NO_MEMORY;
  for (size_t f = 0; f < clip->frames; f++) times[f] = (float)quatsimd_clip_time(clip, f);
  const clip_grid grid = {clip->frames, clip->start, clip->rate, clip->rate > 0 ? NULL : times};
  const size_t joints = clip->joints, n = clip_components(kind);
  /* frames */
  const size_t most = joints < 512 ? 16384 / (joints + 1) + 1 : 32,
               at_once = clip->frames < most ? clip->frames : most;
  float *decoded = quatsimd_take(memory, at_once * joints + 1, n * sizeof *decoded);
  size_t *cursor = quatsimd_take(memory, joints + 1, sizeof *cursor);
  uint8_t *dense = quatsimd_take(memory, joints + 1, 1);
  if (!decoded || !cursor || !dense) return QUATSIMD_ERROR_NO_MEMORY;
  const unsigned char *masks = clip->part[kind].masks;
  for (size_t j = 0; j < joints; j++) {
    const quatsimd_curve *curve = clip_curve(&source->joint[j], kind);
    const unsigned state = masks ? clip_state(masks, j) : CLIP_ABSENT;
    const bool fits = state == CLIP_MOVING && quatsimd_curve_fits(curve, &grid, true);
    worst[j] = 0;
    dense[j] = fits && clip_dense(curve, &grid);
    if (state == CLIP_KEYED || (state == CLIP_MOVING && !fits))
      quatsimd_measure_keys(clip, kind, j, curve, &worst[j]);
  }
  for (size_t first = 0, count; first < clip->frames; first += count) {
    count = clip->frames - first < at_once ? clip->frames - first : at_once;
    const quatsimd_pose pose = pose_of(kind, decoded);
    quatsimd_clip_decode(clip, &pose, first, count);
    for (size_t j = 0; j < joints; j++) {
      const quatsimd_curve *curve = clip_curve(&source->joint[j], kind);
      const unsigned state = masks ? clip_state(masks, j) : CLIP_ABSENT;
      double wanted[CLIP_MOST_COMPONENTS], found[CLIP_MOST_COMPONENTS];
      if (curve->keys == 0 || state == CLIP_KEYED) continue;
      if (state != CLIP_MOVING) { /* once is enough: it is the same at all frames */
        widen(found, decoded + n * j, kind);
        for (size_t k = 0; first == 0 && k < curve->keys; k++) {
          quatsimd_curve_key(curve, kind, k, wanted);
          raise_to(&worst[j], quatsimd_value_error(kind, found, wanted));
        }
        continue;
      }
      double chord2 = 0;
      for (size_t f = 0; f < count; f++) {
        if (dense[j]) quatsimd_curve_key(curve, kind, first + f, wanted);
        else quatsimd_curve_frame(curve, kind, &grid, first + f, &cursor[j], wanted);
        widen(found, decoded + n * (joints * f + j), kind);
        raise_to(&chord2, quatsimd_value_chord2(kind, found, wanted));
      }
      raise_to(&worst[j], quatsimd_chord2_error(kind, chord2));
    }
  }
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_measure(quatsimd_memory *memory, const quatsimd_clip *clip,
                                 const quatsimd_clip_source *source,
                                 double *const worst[QUATSIMD_CLIP_KINDS]) {
  quatsimd_status status = QUATSIMD_OK;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS && status == QUATSIMD_OK; kind++) {
    struct piece *mark = memory->last;
    status = measure_kind(memory, clip, source, kind, worst[kind]);
    quatsimd_release(memory, mark);
  }
  return status;
}
