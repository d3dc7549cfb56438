/* Each result here depends on all keys before, so these functions take one key of a curve at a time. */
#include "core/single.h"
#include "quatsimd/rotation.h"
#include "rotation/eigen.h"

quatsimd_status quatsimd_make_continuous(quatsimd_out q, size_t count) {
  quatsimd_operand o;
  if (count == 0) return QUATSIMD_OK;
  if (!quatsimd_resolve_out(&o, 4, &q)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  quat last = {{0, 0, 0, 0}};
  for (size_t i = 0; i < count; i++) {
    const quat key = quatsimd_load(&o, i);
    if (!valid_norm2(norm2(key))) continue;
    const bool negative = quatsimd_dot_of(key, last) < 0;
    quatsimd_negate_if(negative, &o, i);
    last = scaled(key, negative ? -1.0f : 1.0f);
  }
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_mean(float mean_xyzw[4], quatsimd_in q, const quatsimd_in *weights, size_t count) {
  quatsimd_operand o = {0}, w = {0};
  if (!mean_xyzw) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (count > 0 && !quatsimd_resolve_in(&o, 4, &q)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (count > 0 && weights && !quatsimd_resolve_in(&w, 1, weights)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  double a[4][4] = {{0}}, v[4][4];
  bool all_valid = true;
  for (size_t i = 0; i < count; i++) {
    const quat key = quatsimd_load(&o, i);
    float given = 1;
    if (weights) quatsimd_load_element(&w, i, &given);
    const double weight = (double)given, n2 = quatsimd_dot_of(key, key);
    const bool valid = valid_norm2(norm2(key)) && weight > 0 && weight <= (double)FLT_MAX;
    all_valid &= valid;
    const double factor = valid ? weight / n2 : 0;
    for (int r = 0; r < 4; r++)
      for (int c = r; c < 4; c++) a[r][c] += valid ? factor * key.v[r] * key.v[c] : 0;
  }
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < r; c++) a[r][c] = a[c][r];
  quatsimd_diagonalize(a, v, 4, 8, 0);
  int best = 3; /* the identity if all eigenvalues are equal, as they are without valid quaternions */
  for (int k = 2; k >= 0; k--)
    if (a[k][k] > a[best][best]) best = k;
  int largest = 0;
  for (int c = 1; c < 4; c++)
    if (v[c][best] * v[c][best] > v[largest][best] * v[largest][best]) largest = c;
  for (int c = 0; c < 4; c++) mean_xyzw[c] = (float)(v[largest][best] < 0 ? -v[c][best] : v[c][best]);
  return all_valid ? QUATSIMD_OK : QUATSIMD_WARNING_REPLACED_INVALID;
}
