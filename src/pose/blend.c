/* Poses from poses: blended, added, subtracted. A chunk of elements at a time, all that is read of it before
 * it is written. */
#include "core/bits.h"
#include "pose/operands.h"

/* Weights that have more to say than this say no more: sums of squares stay finite. */
#define MOST_WEIGHT 0x1p+16f

static float clamped_weight(float w, bool any_sign) {
  const float low = any_sign ? -MOST_WEIGHT : 0;
  return w > low ? w < MOST_WEIGHT ? w : MOST_WEIGHT : w <= low ? low : 0; /* NaN: 0 */
}

/* Of n elements from the first-th on; a pose has `each` of them. */
static void take_weights(float *to, const quatsimd_weighted_poses *from, bool any_sign, int kind,
                         size_t first, size_t n, size_t each) {
  const float *mask = kind == QUATSIMD_CLIP_TRACK ? from->track_mask : from->mask;
  for (size_t e = 0, j = first % each, pose = first / each; e < n; pose++, j = 0) {
    const float w = from->weights ? clamped_weight(from->weights[pose], any_sign) : 1;
    const size_t run = each - j < n - e ? each - j : n - e;
    for (size_t i = 0; i < run; i++) to[e + i] = mask ? w * clamped_weight(mask[j + i], any_sign) : w;
    e += run;
  }
}

/* What all three have in common. */
typedef struct pose_call {
  clip_output out[QUATSIMD_CLIP_KINDS];
  size_t count[QUATSIMD_CLIP_KINDS], each[QUATSIMD_CLIP_KINDS];
} pose_call;

static bool begin(pose_call *call, const quatsimd_pose *out, size_t joints, size_t tracks, size_t poses) {
  size_t all_joints, all_tracks;
  if (!out || out->leave_absent != 0 || !pose_elements(&all_joints, joints, poses) ||
      !pose_elements(&all_tracks, tracks, poses) ||
      !quatsimd_clip_outputs(call->out, out, all_joints, all_tracks))
    return false;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++)
    call->count[kind] = clip_either(kind, all_joints, all_tracks),
    call->each[kind] = clip_either(kind, joints, tracks);
  return true;
}

/* 1 / the lengths of quaternions. What is of length 0 becomes the identity, and gets 1. */
static void inverse_lengths(float *restrict by, float (*restrict q)[QUATSIMD_CHUNK], size_t n) {
  for (size_t e = 0; e < n; e++) {
    const float n2 = (q[0][e] * q[0][e] + q[1][e] * q[1][e]) + (q[2][e] * q[2][e] + q[3][e] * q[3][e]),
                inverse = 1 / __builtin_sqrtf(n2), w = q[3][e];
    by[e] = n2 == 0 ? 1 : inverse;
    q[3][e] = n2 == 0 ? 1 : w;
  }
}

/* ---- blending ---- */

typedef struct blended {
  float sum[4][QUATSIMD_CHUNK], weight[QUATSIMD_CHUNK];
} blended;

/* Adds n elements with their weights, quaternions with the sign that brings them nearer. What has no weight
 * may be anything, NaN too. */
static void mix(blended *restrict b, int kind, float (*restrict value)[QUATSIMD_CHUNK],
                const float *restrict w, size_t n) {
  float by[QUATSIMD_CHUNK];
  for (size_t c = 0; c < clip_components(kind); c++) /* by bits: compilers branch otherwise */
    for (size_t e = 0; e < n; e++)
      value[c][e] = float_from_bits(float_bits(value[c][e]) & (0u - (uint32_t)(w[e] > 0)));
  for (size_t e = 0; e < n; e++) b->weight[e] += w[e];
  if (kind == QUATSIMD_CLIP_ROTATION)
    for (size_t e = 0; e < n; e++) {
      const float dot = (b->sum[0][e] * value[0][e] + b->sum[1][e] * value[1][e]) +
                        (b->sum[2][e] * value[2][e] + b->sum[3][e] * value[3][e]);
      by[e] = dot < 0 ? -w[e] : w[e];
    }
  const float *restrict factor = kind == QUATSIMD_CLIP_ROTATION ? by : w;
  for (size_t c = 0; c < clip_components(kind); c++)
    for (size_t e = 0; e < n; e++) b->sum[c][e] += factor[e] * value[c][e];
}

/* The sum's length is no less than the largest weight: none is subtracted. It is 0 where all rotations with
 * a weight are. */
static void finish(blended *b, int kind, size_t n) {
  float by[QUATSIMD_CHUNK];
  for (size_t e = 0; e < n; e++) {
    const float inverse = 1 / b->weight[e];
    by[e] = b->weight[e] > 1 ? inverse : 1;
  }
  if (kind == QUATSIMD_CLIP_ROTATION) inverse_lengths(by, b->sum, n);
  for (size_t c = 0; c < clip_components(kind); c++)
    for (size_t e = 0; e < n; e++) b->sum[c][e] *= by[e];
}

/* The rest pose of one pose, for elements of many. */
static void take_rest(float (*to)[QUATSIMD_CHUNK], const pose_operand *rest, int kind, size_t first, size_t n,
                      size_t each) {
  for (size_t e = 0, j = first % each; e < n; e++, j = j + 1 == each ? 0 : j + 1) {
    float value[4];
    pose_load(rest, kind, j, value);
    for (size_t c = 0; c < clip_components(kind); c++) to[c][e] = value[c];
  }
}

/* What weights leave to 1, unless it is as good as nothing: of two weights whose sum is 1 but for rounding.
 * True if they leave anything. */
static bool fill_up(float *restrict left, const float *restrict weight, size_t n) {
  float most = 0;
  for (size_t e = 0; e < n; e++) {
    left[e] = weight[e] < 1 - 0x1p-20f ? 1 - weight[e] : 0;
    most = left[e] > most ? left[e] : most;
  }
  return most > 0;
}

static void blend_chunk(const pose_call *call, int kind, const quatsimd_weighted_poses *layer, size_t layers,
                        const quatsimd_pose_in *rest, size_t first, size_t n) {
  const size_t each = call->each[kind];
  float value[4][QUATSIMD_CHUNK], w[QUATSIMD_CHUNK];
  blended b = {.weight = {0}};
  pose_operand in;
  for (size_t l = 0; l < layers; l++) {
    (void)quatsimd_pose_operand(&in, kind, &layer[l].pose); /* as it was before, good */
    pose_gather(&in, kind, first, n, value);
    take_weights(w, &layer[l], false, kind, first, n, each);
    mix(&b, kind, value, w, n);
  }
  if (fill_up(w, b.weight, n)) {
    in.given = false;
    if (rest) (void)quatsimd_pose_operand(&in, kind, rest);
    take_rest(value, &in, kind, first, n, each);
    mix(&b, kind, value, w, n);
  }
  finish(&b, kind, n);
  pose_scatter(&call->out[kind], first, n, b.sum);
}

/* All poses read the rest pose, and so it may not be one of them. */
static bool may_rest(const pose_call *call, const quatsimd_pose_in *rest, size_t poses) {
  if (!quatsimd_pose_may_read(call->out, rest, call->each)) return false;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS && poses > 1; kind++) {
    pose_operand in;
    if (call->out[kind].wanted && quatsimd_pose_operand(&in, kind, rest) && in.given &&
        quatsimd_meet(&call->out[kind].to, &in.at))
      return false;
  }
  return true;
}

quatsimd_status quatsimd_pose_blend(const quatsimd_pose *out, const quatsimd_weighted_poses *layer,
                                    size_t layers, const quatsimd_pose_in *rest, size_t joints, size_t tracks,
                                    size_t poses) {
  pose_call call;
  bool good = (layer || layers == 0) && begin(&call, out, joints, tracks, poses);
  for (size_t l = 0; good && l < layers; l++)
    good = quatsimd_pose_may_read(call.out, &layer[l].pose, call.count);
  if (!good || (rest && !may_rest(&call, rest, poses))) return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++)
    for (size_t i = 0, n; call.out[kind].wanted && i < call.count[kind]; i += n) {
      n = quatsimd_chunk(i, call.count[kind]);
      blend_chunk(&call, kind, layer, layers, rest, i, n);
    }
  return QUATSIMD_OK;
}

/* ---- adding and subtracting ---- */

/* a becomes b times a, Hamilton's product. */
static void multiply(float (*a)[QUATSIMD_CHUNK], float (*b)[QUATSIMD_CHUNK], size_t n) {
  const float *both[] = {b[0], b[1], b[2], b[3], a[0], a[1], a[2], a[3]};
  quatsimd_active_kernels()->operation[QUATSIMD_OPERATION_multiply](0, (float *[]){a[0], a[1], a[2], a[3]},
                                                                    both, quatsimd_room(n));
}

static void normalize(float (*q)[QUATSIMD_CHUNK], size_t n) {
  float by[QUATSIMD_CHUNK];
  inverse_lengths(by, q, n);
  for (size_t c = 0; c < 4; c++)
    for (size_t e = 0; e < n; e++) q[c][e] *= by[e];
}

/* From the identity towards an additive rotation, on the short way, and beyond. It never gets short: the
 * identity and the rotation are no more than a right angle apart as vectors. */
static void weigh_rotations(float (*q)[QUATSIMD_CHUNK], const float *w, size_t n) {
  for (size_t e = 0; e < n; e++) {
    const float by = q[3][e] < 0 ? -w[e] : w[e];
    for (int c = 0; c < 3; c++) q[c][e] *= by;
    q[3][e] = (1 - w[e]) + by * q[3][e];
  }
  normalize(q, n);
}

static void add_chunk(const pose_call *call, int kind, const quatsimd_pose_in *base,
                      const quatsimd_weighted_poses *additive, size_t first, size_t n) {
  float a[4][QUATSIMD_CHUNK], b[4][QUATSIMD_CHUNK], w[QUATSIMD_CHUNK];
  pose_operand under, in;
  (void)quatsimd_pose_operand(&under, kind, base), (void)quatsimd_pose_operand(&in, kind, &additive->pose);
  pose_gather(&under, kind, first, n, b), pose_gather(&in, kind, first, n, a);
  take_weights(w, additive, true, kind, first, n, call->each[kind]);
  if (kind == QUATSIMD_CLIP_ROTATION) {
    normalize(a, n), weigh_rotations(a, w, n);
    multiply(a, b, n), normalize(a, n);
  } else
    for (size_t c = 0; c < clip_components(kind); c++)
      for (size_t e = 0; e < n; e++)
        a[c][e] =
            kind == QUATSIMD_CLIP_SCALE ? b[c][e] * (1 + w[e] * (a[c][e] - 1)) : b[c][e] + w[e] * a[c][e];
  pose_scatter(&call->out[kind], first, n, a);
}

quatsimd_status quatsimd_pose_add(const quatsimd_pose *out, const quatsimd_pose_in *base,
                                  const quatsimd_weighted_poses *additive, size_t joints, size_t tracks,
                                  size_t poses) {
  pose_call call;
  if (!base || !additive || !begin(&call, out, joints, tracks, poses) ||
      !quatsimd_pose_may_read(call.out, base, call.count) ||
      !quatsimd_pose_may_read(call.out, &additive->pose, call.count))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++)
    for (size_t i = 0, n; call.out[kind].wanted && i < call.count[kind]; i += n) {
      n = quatsimd_chunk(i, call.count[kind]);
      add_chunk(&call, kind, base, additive, i, n);
    }
  return QUATSIMD_OK;
}

static void subtract_chunk(const clip_output *out, int kind, const quatsimd_pose_in *pose,
                           const quatsimd_pose_in *base, size_t first, size_t n) {
  float a[4][QUATSIMD_CHUNK], b[4][QUATSIMD_CHUNK];
  pose_operand under, in;
  (void)quatsimd_pose_operand(&under, kind, base), (void)quatsimd_pose_operand(&in, kind, pose);
  pose_gather(&under, kind, first, n, b), pose_gather(&in, kind, first, n, a);
  if (kind == QUATSIMD_CLIP_ROTATION) {
    for (int c = 0; c < 3; c++)
      for (size_t e = 0; e < quatsimd_room(n); e++) b[c][e] = -b[c][e];
    multiply(a, b, n), normalize(a, n);
  } else
    for (size_t c = 0; c < clip_components(kind); c++)
      for (size_t e = 0; e < quatsimd_room(n); e++)
        a[c][e] = kind != QUATSIMD_CLIP_SCALE ? a[c][e] - b[c][e] : b[c][e] == 0 ? 1 : a[c][e] / b[c][e];
  pose_scatter(out, first, n, a);
}

quatsimd_status quatsimd_pose_subtract(const quatsimd_pose *out, const quatsimd_pose_in *pose,
                                       const quatsimd_pose_in *base, size_t joints, size_t tracks,
                                       size_t poses) {
  pose_call call;
  if (!pose || !base || !begin(&call, out, joints, tracks, poses) ||
      !quatsimd_pose_may_read(call.out, pose, call.count) ||
      !quatsimd_pose_may_read(call.out, base, call.count))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++)
    for (size_t i = 0, n; call.out[kind].wanted && i < call.count[kind]; i += n) {
      n = quatsimd_chunk(i, call.count[kind]);
      subtract_chunk(&call.out[kind], kind, pose, base, i, n);
    }
  return QUATSIMD_OK;
}
