/* Finds the bound of each curve. */
#include "clip/encode/encoder.h"

static double bound_from(float bound) { return clip_is_zero(bound) ? 0 : (double)clip_least_bound(bound); }

static double bound_of(const clip_encoder *e, int kind, size_t number) {
  const quatsimd_clip_options *o = e->options;
  const quatsimd_clip_joint *joint = kind == QUATSIMD_CLIP_TRACK ? NULL : &e->original->joints[number];
  const float own = !joint                              ? e->original->tracks[number].bound
                    : kind == QUATSIMD_CLIP_ROTATION    ? joint->rotation_bound
                    : kind == QUATSIMD_CLIP_TRANSLATION ? joint->translation_bound
                                                        : joint->scale_bound;
  const float all[] = {o->rotation_bound, o->translation_bound, o->scale_bound, o->track_bound};
  return bound_from(own) > 0 ? bound_from(own) : bound_from(all[kind]);
}

double quatsimd_error_factor(const clip_encoder *e, int kind, size_t joint) {
  if (!e->base || kind != QUATSIMD_CLIP_SCALE) return 1;
  const clip_truth truth = quatsimd_encode_truth(e, kind, joint);
  const size_t keys = truth.base.key_count,
               parts = clip_is_cubic(&truth.base) ? 8 : 1; /* splines overshoot their keys */
  double most = keys ? 0 : 1, value[CLIP_MOST_COMPONENTS];
  for (size_t k = 0; k < keys; k++)
    for (size_t part = 0; part < (k + 1 < keys ? parts : 1); part++) {
      const double at = keys > 1 ? truth.base.times[k] : 0, to = k + 1 < keys ? truth.base.times[k + 1] : at;
      quatsimd_curve_at(&truth.base, kind, at + (to - at) * ((double)part / (double)parts), value);
      for (int i = 0; i < 3; i++) most = value[i] > most ? value[i] : -value[i] > most ? -value[i] : most;
    }
  return parts > 1 ? 1.05 * most : most;
}

static bool load_bounds(clip_encoder *e) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const size_t joints = clip_curves(e->original, kind);
    e->bound[kind] = quatsimd_take(&e->memory, joints + 1, sizeof *e->bound[kind]);
    e->retry[kind] = quatsimd_take(&e->memory, joints + 1, sizeof *e->retry[kind]);
    if (!e->bound[kind] || !e->retry[kind]) return false;
    for (size_t j = 0; j < joints; j++) {
      e->bound[kind][j] = bound_of(e, kind, j) / quatsimd_error_factor(e, kind, j);
      e->retry[kind][j].finer = 1;
    }
  }
  return true;
}

quatsimd_status quatsimd_encode_bounds(clip_encoder *e) {
  if (!load_bounds(e)) return QUATSIMD_ERROR_NO_MEMORY;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    for (size_t j = 0; clip_is_bounded(e, kind) && j < clip_curves(e->original, kind); j++) {
      const clip_truth truth = quatsimd_encode_truth(e, kind, j);
      if (truth.curve.key_count + truth.base.key_count > 0 && !clip_is_absent(e, kind, j) &&
          !(e->bound[kind][j] > 0))
        return clip_refuse(e->report, j, kind, CLIP_NOWHERE,
                           "there is no bound for this curve, neither its own nor the options'");
    }
  return QUATSIMD_OK;
}
