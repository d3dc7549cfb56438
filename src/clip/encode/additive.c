/* Additive clips: the source relative to a base. */
#include "clip/encode/source.h"

#include "core/arithmetic.h"

static bool relative_value(int kind, const double *base, const double *value, float *out) {
  if (kind == QUATSIMD_CLIP_ROTATION) { /* conj(base) value */
    const double *b = base, *q = value;
    out[0] = (float)(b[3] * q[0] - b[0] * q[3] - b[1] * q[2] + b[2] * q[1]);
    out[1] = (float)(b[3] * q[1] - b[1] * q[3] - b[2] * q[0] + b[0] * q[2]);
    out[2] = (float)(b[3] * q[2] - b[2] * q[3] - b[0] * q[1] + b[1] * q[0]);
    out[3] = (float)(b[3] * q[3] + b[0] * q[0] + b[1] * q[1] + b[2] * q[2]);
    return true;
  }
  const double most = 0x1p+60;
  for (int i = 0; i < 3; i++) {
    const double r = kind == QUATSIMD_CLIP_SCALE ? value[i] / base[i] : value[i] - base[i];
    if (!(r >= -most && r <= most)) return false;
    out[i] = (float)r;
  }
  return true;
}

/* The times of both curves, each once. Returns how many. */
static size_t merge_times(double *to, const quatsimd_curve *a, const quatsimd_curve *b) {
  size_t i = 0, j = 0, n = 0;
  const size_t most_i = a->keys > 1 ? a->keys : 0, most_j = b->keys > 1 ? b->keys : 0;
  while (i < most_i || j < most_j) {
    const bool first = j == most_j || (i < most_i && a->times[i] <= b->times[j]);
    const double t = first ? a->times[i] : b->times[j];
    if (first) i++;
    else j++;
    if (n == 0 || t > to[n - 1]) to[n++] = t;
  }
  return n;
}

static quatsimd_status relative_curve(quatsimd_memory *memory, quatsimd_curve *curve,
                                      const quatsimd_curve *base, int kind, quatsimd_clip_report *report) {
  const bool base_moves = base->keys > 1;
  if (base_moves && (clip_holds(base) || (clip_holds(curve) && curve->keys > 1))) {
    report->error = "a curve that holds keys cannot be relative to a moving base, nor any curve to a moving "
                    "base that holds keys";
    return QUATSIMD_ERROR_BAD_KEY;
  }
  const size_t most = (curve->keys > 1 ? curve->keys : 0) + (base_moves ? base->keys : 0) + 1,
               n = clip_components(kind);
  double *times = quatsimd_take(memory, most, sizeof *times);
  float *values = quatsimd_take(memory, most, n * sizeof *values);
  if (!times || !values) return QUATSIMD_ERROR_NO_MEMORY;
  size_t keys = merge_times(times, curve, base);
  if (keys == 0) keys = 1;
  for (size_t k = 0; k < keys; k++) {
    double a[CLIP_MOST_COMPONENTS], b[CLIP_MOST_COMPONENTS];
    quatsimd_curve_at(curve, kind, times[k], 0, a);
    quatsimd_curve_at(base, kind, times[k], 0, b);
    if (!relative_value(kind, b, a, values + n * k)) {
      report->key = k;
      report->error = kind == QUATSIMD_CLIP_SCALE
                          ? "the scale of the base is 0 there, or the quotient larger than 2^60"
                          : "the difference from the base is larger than 2^60";
      return QUATSIMD_ERROR_BAD_KEY;
    }
  }
  /* a single key needs no hold, but its base may move */
  *curve =
      (quatsimd_curve){keys, times, values, curve->keys > 1 ? curve->interpolation : QUATSIMD_CURVE_LINEAR};
  return QUATSIMD_OK;
}

quatsimd_clip_joint *quatsimd_source_relative(quatsimd_memory *memory, const quatsimd_clip_source *source,
                                              const quatsimd_clip_source *base,
                                              quatsimd_clip_report *report) {
  quatsimd_clip_joint *joint = quatsimd_take(memory, source->joints + 1, sizeof *joint);
  for (size_t j = 0; joint && j < source->joints; j++) {
    joint[j] = source->joint[j];
    quatsimd_curve *curve[] = {&joint[j].rotation, &joint[j].translation, &joint[j].scale};
    for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
      quatsimd_curve of_base = base ? *clip_curve(&base->joint[j], kind) : *curve[kind];
      if (!base && of_base.keys > 1) of_base.keys = 1;
      if (curve[kind]->keys == 0 && of_base.keys == 0) continue;
      const quatsimd_status status = relative_curve(memory, curve[kind], &of_base, kind, report);
      if (status == QUATSIMD_ERROR_BAD_KEY) report->joint = j, report->kind = kind;
      if (status != QUATSIMD_OK) return NULL;
    }
  }
  return joint;
}
