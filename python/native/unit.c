#include "core/operand.h"
#include "native.h"

/* Squares of lengths: 1 within 2e-4 and a rounding. */
static bool is_unit(float norm2) { return norm2 >= 0.9998F && norm2 <= 1.0002F; }

size_t quatsimd_python_find_not_unit(quatsimd_in q, size_t count) {
  quatsimd_operand o;
  float x[QUATSIMD_CHUNK], y[QUATSIMD_CHUNK], z[QUATSIMD_CHUNK], w[QUATSIMD_CHUNK];
  if (!quatsimd_resolve_in(&o, 4, &q)) return count;
  for (size_t first = 0; first < count; first += QUATSIMD_CHUNK) {
    const size_t n = count - first < QUATSIMD_CHUNK ? count - first : QUATSIMD_CHUNK;
    size_t good = 0;
    quatsimd_gather_quats(&o, first, n, (float *const[]){x, y, z, w});
    for (size_t i = 0; i < n; i++) good += is_unit(x[i] * x[i] + y[i] * y[i] + z[i] * z[i] + w[i] * w[i]);
    if (good == n) continue;
    for (size_t i = 0; i < n; i++)
      if (!is_unit(x[i] * x[i] + y[i] * y[i] + z[i] * z[i] + w[i] * w[i])) return first + i;
  }
  return count;
}
