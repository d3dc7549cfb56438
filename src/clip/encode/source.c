#include "clip/encode/source.h"

#include "core/arithmetic.h"

static double absolute(double x) { return x < 0 ? -x : x; }

/* Returns a text about a bad component of a value or tangent, or null. *norm2 gets the squared length. */
static const char *numbers_error(const float *v, size_t n, bool limited, double *norm2) {
  *norm2 = 0;
  for (size_t i = 0; i < n; i++) {
    if (!(v[i] >= -FLT_MAX && v[i] <= FLT_MAX))
      return v[i] != v[i] ? "a component is not a number" : "a component is infinite";
    if (limited && absolute(v[i]) > 0x1p+60) return "a component is larger than 2^60";
    *norm2 += (double)v[i] * v[i];
  }
  return NULL;
}

static const char *key_error(const quatsimd_curve *curve, int kind, size_t k) {
  const size_t n = clip_components(kind);
  const float *v = clip_key(curve, kind, k);
  const bool rotation = kind == QUATSIMD_CLIP_ROTATION;
  double norm2, of_tangent;
  const char *error = numbers_error(v, n, !rotation, &norm2);
  if (!error && curve->interpolation == QUATSIMD_CURVE_CUBIC) {
    error = numbers_error(v - n, n, true, &of_tangent);
    if (!error) error = numbers_error(v + n, n, true, &of_tangent);
  }
  if (error) return error;
  if (rotation && !(norm2 >= (double)QUATSIMD_MIN_NORM2 && norm2 <= (double)QUATSIMD_MAX_NORM2))
    return "the quaternion's length is not from 2^-32 to 2^32";
  if (!curve->times) return NULL;
  const double t = curve->times[k];
  if (!(absolute(t) <= 0x1p+60)) return "the time is not a number, or beyond 2^60 seconds";
  if (k > 0 && !(t > curve->times[k - 1])) return "the time is not later than that of the key before";
  return NULL;
}

static const char *curve_error(const quatsimd_curve *curve) {
  if (curve->key_count >= CLIP_KEYED_FLOATS) return "there are 2^29 keys or more";
  if (curve->key_count && !curve->values) return "there are keys, but values is null";
  if ((unsigned)curve->interpolation > QUATSIMD_CURVE_CUBIC)
    return "interpolation is not QUATSIMD_CURVE_LINEAR, _HOLD or _CUBIC";
  return curve->key_count > 1 && !curve->times ? "there are several keys, but times is null" : NULL;
}

quatsimd_status quatsimd_source_check(const quatsimd_clip_source *source, quatsimd_clip_report *report) {
  if (source->joint_count > CLIP_MOST_JOINTS)
    return clip_refuse_all(report, "there are more than 2^20 joints");
  if (source->joint_count && !source->joints)
    return clip_refuse_all(report, "there are joints, but joints is null");
  if (source->track_count > CLIP_MOST_JOINTS)
    return clip_refuse_all(report, "there are more than 2^20 tracks");
  if (source->track_count && !source->tracks)
    return clip_refuse_all(report, "there are tracks, but tracks is null");
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    for (size_t j = 0; j < clip_curves(source, kind); j++) {
      const quatsimd_curve *curve = clip_curve(source, kind, j);
      const char *error = curve_error(curve);
      if (error) return clip_refuse(report, j, kind, CLIP_NOWHERE, error);
      for (size_t k = 0; k < curve->key_count; k++) {
        error = key_error(curve, kind, k);
        if (error) return clip_refuse(report, j, kind, k, error), QUATSIMD_ERROR_BAD_KEY;
      }
    }
  return QUATSIMD_OK;
}

const quatsimd_clip_source *quatsimd_source_copy(quatsimd_memory *memory,
                                                 const quatsimd_clip_source *source) {
  quatsimd_clip_source *copy = quatsimd_take(memory, 1, sizeof *copy);
  quatsimd_clip_joint *joint = quatsimd_take(memory, source->joint_count + 1, sizeof *joint);
  quatsimd_clip_track *track = quatsimd_take(memory, source->track_count + 1, sizeof *track);
  if (!copy || !joint || !track) return NULL;
  for (size_t j = 0; j < source->joint_count; j++) joint[j] = source->joints[j];
  for (size_t t = 0; t < source->track_count; t++) track[t] = source->tracks[t];
  *copy = (quatsimd_clip_source){source->joint_count, joint, source->track_count, track};
  return copy;
}
