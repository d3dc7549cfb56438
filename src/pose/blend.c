/* Blends, adds and subtracts the joints of poses, a chunk of elements at a time. The inputs of a chunk are
 * read completely before its results are written. */
#include "core/bits.h"
#include "pose/block.h"
#include "pose/tracks.h"

typedef float (*components)[QUATSIMD_CHUNK];

/* Runs an operation on n elements in arrays of components. The result replaces `to`, the first argument.
 * `other` and w are further arguments, or null. */
static void compute(quatsimd_operation operation, int kind, components to, components other, const float *w,
                    size_t n) {
  const size_t all = clip_components(kind);
  const float *in[9];
  float *out[4];
  size_t k = 0;
  for (size_t c = 0; c < all; c++) in[k++] = out[c] = to[c];
  for (size_t c = 0; other && c < all; c++) in[k++] = other[c];
  in[k] = w;
  quatsimd_active_kernels()->operation[operation](out, in, quatsimd_padded(n));
}

/* ---- blending ---- */

typedef struct blended {
  float sum[4][QUATSIMD_CHUNK], weight[QUATSIMD_CHUNK];
} blended;

static void clear(blended *b, int kind, size_t n) {
  for (size_t c = 0; c < clip_components(kind); c++) memset(b->sum[c], 0, quatsimd_padded(n) * sizeof(float));
  memset(b->weight, 0, quatsimd_padded(n) * sizeof(float));
}

/* Adds n weighted elements to the sums in b. Elements of weight 0 may be anything, even NaN. */
static void mix(blended *b, int kind, components value, const float *w, size_t n) {
  for (size_t e = 0; e < quatsimd_padded(n); e++) b->weight[e] += w[e];
  compute(kind == QUATSIMD_CLIP_ROTATION ? QUATSIMD_OPERATION_pose_mix : QUATSIMD_OPERATION_pose_mix3, kind,
          b->sum, value, w, n);
}

/* Turns sums into blended values. pose_mix negates rotations that point away from the sum, so a sum is 0 only
 * if all rotations with a weight are 0. */
static void finish(blended *b, int kind, size_t n) {
  if (kind == QUATSIMD_CLIP_ROTATION) compute(QUATSIMD_OPERATION_pose_unit, kind, b->sum, NULL, NULL, n);
  else compute(QUATSIMD_OPERATION_pose_finish3, kind, b->sum, NULL, b->weight, n);
}

/* Loads n elements of the rest pose, from element first % each on. Element 0 follows the last element. */
static void take_rest(float (*to)[QUATSIMD_CHUNK], const pose_operand *rest, int kind, size_t first, size_t n,
                      size_t each) {
  for (size_t e = 0, j = first % each; e < quatsimd_padded(n); e++, j = j + 1 == each ? 0 : j + 1) {
    float value[4];
    pose_load(rest, kind, j, value);
    for (size_t c = 0; c < clip_components(kind); c++) to[c][e] = value[c];
  }
}

/* Computes 1 minus each weight, or 0 for weights that are at least 1 except for rounding. Returns false, and
 * stores nothing, if all results would be 0. */
static bool fill_up(float *restrict left, const float *restrict weight, size_t n) {
  unsigned any = 0;
  for (size_t e = 0; e < n; e++) any |= weight[e] < POSE_ENOUGH;
  for (size_t e = 0; any && e < quatsimd_padded(n); e++)
    left[e] = weight[e] < POSE_ENOUGH ? 1 - weight[e] : 0; /* elements behind the n-th are not used */
  return any;
}

static void blend_chunk(const pose_call *call, int kind, const quatsimd_weighted_poses *layers,
                        size_t layer_count, const quatsimd_pose_in *rest, size_t first, size_t n) {
  const size_t each = call->each[kind];
  float value[4][QUATSIMD_CHUNK], w[QUATSIMD_CHUNK];
  blended b;
  pose_operand in;
  clear(&b, kind, n);
  for (size_t l = 0; l < layer_count; l++) {
    (void)quatsimd_pose_operand(&in, kind, &layers[l].poses); /* the caller has checked the view */
    pose_gather(&in, kind, first, n, value);
    quatsimd_pose_weights(w, &layers[l], false, kind, first, n, each);
    mix(&b, kind, value, w, n);
  }
  if (fill_up(w, b.weight, n)) {
    in.given = false;
    if (rest) (void)quatsimd_pose_operand(&in, kind, rest);
    take_rest(value, &in, kind, first, n, each);
    mix(&b, kind, value, w, n);
  }
  finish(&b, kind, n);
  quatsimd_scatter(&call->out[kind].to, first, n, b.sum);
}

/* Returns true if `rest` may be read while the outputs are written. If there are several poses, no output
 * may overwrite `rest`, because `rest` is read once for each pose. */
static bool may_rest(const pose_call *call, const quatsimd_pose_in *rest, size_t poses) {
  if (!quatsimd_pose_may_read(call->out, rest, call->each)) return false;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT && poses > 1; kind++) {
    pose_operand in;
    if (call->out[kind].wanted && quatsimd_pose_operand(&in, kind, rest) && in.given &&
        quatsimd_meet(&call->out[kind].to, &in.at))
      return false;
  }
  return true;
}

quatsimd_status quatsimd_pose_blend(quatsimd_pose_out *out, const quatsimd_weighted_poses *layers,
                                    size_t layer_count, const quatsimd_pose_in *rest,
                                    quatsimd_pose_counts counts) {
  pose_call call;
  bool good = (layers || layer_count == 0) && quatsimd_pose_begin(&call, out, counts);
  for (size_t l = 0; good && l < layer_count; l++)
    good = quatsimd_pose_may_read(call.out, &layers[l].poses, call.count);
  if (!good || (rest && !may_rest(&call, rest, counts.pose_count))) return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
    for (size_t i = 0, n; call.out[kind].wanted && i < call.count[kind]; i += n) {
      n = quatsimd_chunk(i, call.count[kind]);
      blend_chunk(&call, kind, layers, layer_count, rest, i, n);
    }
  if (call.out[QUATSIMD_CLIP_TRACK].wanted) quatsimd_pose_blend_tracks(&call, layers, layer_count, rest);
  return QUATSIMD_OK;
}

/* ---- adding and subtracting ---- */

static void add_chunk(const pose_call *call, int kind, const quatsimd_pose_in *base,
                      const quatsimd_weighted_poses *additive, size_t first, size_t n) {
  float a[4][QUATSIMD_CHUNK], b[4][QUATSIMD_CHUNK], w[QUATSIMD_CHUNK];
  pose_operand under, in;
  (void)quatsimd_pose_operand(&under, kind, base), (void)quatsimd_pose_operand(&in, kind, &additive->poses);
  pose_gather(&under, kind, first, n, b), pose_gather(&in, kind, first, n, a);
  quatsimd_pose_weights(w, additive, true, kind, first, n, call->each[kind]);
  static const quatsimd_operation operation[] = {[QUATSIMD_CLIP_ROTATION] = QUATSIMD_OPERATION_pose_add,
                                                 [QUATSIMD_CLIP_TRANSLATION] = QUATSIMD_OPERATION_pose_add3,
                                                 [QUATSIMD_CLIP_SCALE] = QUATSIMD_OPERATION_pose_scale3};
  compute(operation[kind], kind, b, a, w, n);
  quatsimd_scatter(&call->out[kind].to, first, n, b);
}

quatsimd_status quatsimd_pose_add(quatsimd_pose_out *out, const quatsimd_pose_in *base,
                                  const quatsimd_weighted_poses *additive, quatsimd_pose_counts counts) {
  pose_call call;
  if (!base || !additive || !quatsimd_pose_begin(&call, out, counts) ||
      !quatsimd_pose_may_read(call.out, base, call.count) ||
      !quatsimd_pose_may_read(call.out, &additive->poses, call.count))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
    for (size_t i = 0, n; call.out[kind].wanted && i < call.count[kind]; i += n) {
      n = quatsimd_chunk(i, call.count[kind]);
      add_chunk(&call, kind, base, additive, i, n);
    }
  if (call.out[QUATSIMD_CLIP_TRACK].wanted) quatsimd_pose_add_tracks(&call, base->tracks, additive);
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
      for (size_t e = 0; e < quatsimd_padded(n); e++) b[c][e] = -b[c][e];
    compute(QUATSIMD_OPERATION_multiply, kind, b, a, NULL, n);
    compute(QUATSIMD_OPERATION_pose_unit, kind, b, NULL, NULL, n);
  } else
    for (size_t c = 0; c < clip_components(kind); c++)
      for (size_t e = 0; e < quatsimd_padded(n); e++)
        b[c][e] = clip_number(kind != QUATSIMD_CLIP_SCALE ? a[c][e] - b[c][e]
                              : b[c][e] == 0              ? 1
                                                          : a[c][e] / b[c][e]);
  quatsimd_scatter(&out->to, first, n, b);
}

quatsimd_status quatsimd_pose_subtract(quatsimd_pose_out *out, const quatsimd_pose_in *pose,
                                       const quatsimd_pose_in *base, quatsimd_pose_counts counts) {
  pose_call call;
  if (!pose || !base || !quatsimd_pose_begin(&call, out, counts) ||
      !quatsimd_pose_may_read(call.out, pose, call.count) ||
      !quatsimd_pose_may_read(call.out, base, call.count))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    for (size_t i = 0, n; call.out[kind].wanted && i < call.count[kind]; i += n) {
      n = quatsimd_chunk(i, call.count[kind]);
      subtract_chunk(&call.out[kind], kind, pose, base, i, n);
    }
  return QUATSIMD_OK;
}
