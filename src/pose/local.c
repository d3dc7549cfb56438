/* Decomposes local matrices into rotations, translations and scales. Computes in double, because squares may
 * overflow in float. */
#include "core/bits.h"
#include "pose/affine.h"
#include "quatsimd/rotation.h"

static double length_of(const double a[3]) { return quatsimd_sqrt(pose_dot3(a, a)); }

/* Makes `a` perpendicular to `unit`, a vector of length 1. If `unit` is zeros, `a` does not change. */
static void make_perpendicular(double a[3], const double unit[3]) {
  const double along = pose_dot3(a, unit);
  for (int i = 0; i < 3; i++) a[i] -= along * unit[i];
}

/* Normalises a vector. length: its length before make_perpendicular. Returns false and does nothing if only a
 * rounding error is left of the vector. */
static bool normalize(double a[3], double length) {
  const double left = length_of(a);
  if (left <= length * 0x1p-20) return false;
  for (int i = 0; i < 3; i++) a[i] /= left;
  return true;
}

/* Turns the columns of a matrix, which must not mirror, into the axes of a rotation. A column in the line or
 * plane of earlier columns counts as missing. One missing axis becomes perpendicular to the others. Two
 * missing axes become zeros: quatsimd_from_matrix3 then takes the shortest rotation to the third axis. */
static void find_axes(double axis[3][3]) {
  int count = 0, missing = 0;
  for (int k = 0; k < 3; k++) {
    const double length = length_of(axis[k]);
    for (int i = 0; i < k; i++) make_perpendicular(axis[k], axis[i]);
    if (normalize(axis[k], length)) count++;
    else memset(axis[missing = k], 0, sizeof axis[k]);
  }
  if (count == 2) pose_cross(axis[missing], axis[(missing + 1) % 3], axis[(missing + 2) % 3]);
  for (int k = 0; k < 3 && count == 0; k++) axis[k][k] = 1;
}

static void take_apart(float to[QUATSIMD_CLIP_JOINT_KIND_COUNT][4], const float *m,
                       quatsimd_matrix_layout layout) {
  double axis[3][3], volume[3], scale[3];
  float rotation[9];
  for (int c = 0; c < 3; c++) {
    for (int r = 0; r < 3; r++) axis[c][r] = (double)m[layout == QUATSIMD_MATRIX_3X4 ? 4 * r + c : 4 * c + r];
    to[QUATSIMD_CLIP_TRANSLATION][c] = clip_number(m[layout == QUATSIMD_MATRIX_3X4 ? 4 * c + 3 : 12 + c]);
  }
  pose_cross(volume, axis[1], axis[2]);
  const bool mirrors = pose_dot3(axis[0], volume) < 0;
  for (int c = 0; c < 3; c++) scale[c] = length_of(axis[c]) * (mirrors && c == 0 ? -1 : 1);
  for (int r = 0; r < 3 && mirrors; r++) axis[0][r] = -axis[0][r];
  find_axes(axis);
  for (int i = 0; i < 9; i++) rotation[i] = (float)axis[i / 3][i % 3];
  const quatsimd_out q = quatsimd_aos_out(to[QUATSIMD_CLIP_ROTATION]);
  const quatsimd_in matrix = quatsimd_aos(rotation);
  (void)quatsimd_run(QUATSIMD_OPERATION_from_matrix3, NULL, OUTS(&q), INS(&matrix), 1);
  for (int c = 0; c < 3; c++) to[QUATSIMD_CLIP_SCALE][c] = clip_number((float)scale[c]);
}

quatsimd_status quatsimd_pose_from_local(quatsimd_pose_out *pose, const float *matrices,
                                         quatsimd_matrix_layout layout, size_t element_count) {
  clip_output out[QUATSIMD_CLIP_KIND_COUNT];
  size_t floats;
  if (!pose_is_layout(layout) || !pose_elements(&floats, 4, element_count))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (element_count == 0) return QUATSIMD_OK;
  if (!pose || !matrices || !quatsimd_clip_outputs(out, pose, element_count, 0))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
    if (out[kind].wanted && quatsimd_begins_at(&out[kind].to, matrices)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (size_t i = 0; i < element_count; i++) {
    float value[QUATSIMD_CLIP_JOINT_KIND_COUNT][4];
    take_apart(value, matrices + i * layout, layout);
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
      if (out[kind].wanted) clip_store(&out[kind], i, value[kind]);
  }
  return QUATSIMD_OK;
}
