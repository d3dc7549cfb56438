/* Weights of joints and tracks, and tracks, which are blended and added a chunk at a time. */
#include "pose/block.h"
#include "pose/tracks.h"

void quatsimd_pose_weights(float *to, const quatsimd_weighted_poses *from, bool any_sign, int kind,
                           size_t first, size_t n, size_t each) {
  const float *mask = kind == QUATSIMD_CLIP_TRACK ? from->track_mask : from->mask;
  for (size_t e = 0, j = first % each, pose = first / each; e < n; pose++, j = 0) {
    const float w = from->weights ? pose_weight(from->weights[pose], any_sign) : 1;
    const size_t run = each - j < n - e ? each - j : n - e;
    for (size_t i = 0; i < run; i++) to[e + i] = mask ? w * pose_weight(mask[j + i], any_sign) : w;
    e += run;
  }
  for (size_t e = n; e < quatsimd_padded(n); e++) to[e] = 0;
}

/* Adds n weighted values to sums. Values of weight 0 may be anything, even NaN. value: null for zeros */
static void mix(float *restrict sum, float *restrict weight, const float *restrict value,
                const float *restrict w, size_t n) {
  for (size_t e = 0; e < n; e++) weight[e] += w[e];
  for (size_t e = 0; value && e < n; e++) {
    const float v = value[e];
    sum[e] = pose_mix1(sum[e], v, w[e]);
  }
}

/* Adds the rest pose where weights sum to less than 1. Element 0 of `rest` follows its last element. */
static void mix_rest(float *sum, const float *weight, const float *rest, size_t first, size_t n,
                     size_t each) {
  for (size_t e = 0, j = first % each; e < n; e++, j = j + 1 == each ? 0 : j + 1)
    if (weight[e] < POSE_ENOUGH) sum[e] += (1 - weight[e]) * rest[j];
}

static const float *behind(const float *tracks, size_t first) { return tracks ? tracks + first : NULL; }

void quatsimd_pose_blend_tracks(const pose_call *call, const quatsimd_weighted_poses *layers,
                                size_t layer_count, const quatsimd_pose_in *rest) {
  const size_t count = call->count[QUATSIMD_CLIP_TRACK], each = call->each[QUATSIMD_CLIP_TRACK];
  float *const to = quatsimd_floats(call->out[QUATSIMD_CLIP_TRACK].to.first);
  for (size_t first = 0, n; first < count; first += n) {
    float sum[QUATSIMD_CHUNK] = {0}, weight[QUATSIMD_CHUNK] = {0}, w[QUATSIMD_CHUNK];
    n = quatsimd_chunk(first, count);
    for (size_t l = 0; l < layer_count; l++) {
      quatsimd_pose_weights(w, &layers[l], false, QUATSIMD_CLIP_TRACK, first, n, each);
      mix(sum, weight, behind(layers[l].poses.tracks, first), w, n);
    }
    if (rest && rest->tracks) mix_rest(sum, weight, rest->tracks, first, n, each);
    for (size_t e = 0; e < n; e++) to[first + e] = clip_number(pose_finish1(sum[e], weight[e]));
  }
}

void quatsimd_pose_add_tracks(const pose_call *call, const float *base,
                              const quatsimd_weighted_poses *additive) {
  const size_t count = call->count[QUATSIMD_CLIP_TRACK], each = call->each[QUATSIMD_CLIP_TRACK];
  float *const to = quatsimd_floats(call->out[QUATSIMD_CLIP_TRACK].to.first);
  for (size_t first = 0, n; first < count; first += n) {
    const float *const from = behind(base, first), *const value = behind(additive->poses.tracks, first);
    float w[QUATSIMD_CHUNK];
    n = quatsimd_chunk(first, count);
    quatsimd_pose_weights(w, additive, true, QUATSIMD_CLIP_TRACK, first, n, each);
    for (size_t e = 0; e < n; e++)
      to[first + e] = clip_number(pose_add1(from ? from[e] : 0, value ? value[e] : 0, w[e]));
  }
}
