/* Converts arrays between half floats and floats. */
#include "quatsimd/half.h"

#include "core/dispatch.h"

quatsimd_status quatsimd_half_from_float(uint16_t *halves, const float *floats, size_t count) {
  if (count > 0 && (!halves || !floats)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  quatsimd_active_kernels()->half_from_float(halves, floats, count);
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_half_to_float(float *floats, const uint16_t *halves, size_t count) {
  if (count > 0 && (!halves || !floats)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  quatsimd_active_kernels()->half_to_float(floats, halves, count);
  return QUATSIMD_OK;
}
