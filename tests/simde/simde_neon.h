/* Provides NEON of AArch64 through SIMDe, with the operations that SIMDe 0.7.4 of Debian lacks. */
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/arm/neon.h>
#include <math.h>

#define SHIM static inline __attribute__((always_inline))

SHIM float32x4_t shim_vdivq_f32(float32x4_t a, float32x4_t b) {
  for (int i = 0; i < 4; i++) a[i] /= b[i];
  return a;
}
SHIM float32x4_t shim_vsqrtq_f32(float32x4_t a) {
  for (int i = 0; i < 4; i++) a[i] = sqrtf(a[i]);
  return a;
}
SHIM float64x2_t shim_vdivq_f64(float64x2_t a, float64x2_t b) {
  for (int i = 0; i < 2; i++) a[i] /= b[i];
  return a;
}
SHIM float64x2_t shim_vsqrtq_f64(float64x2_t a) {
  for (int i = 0; i < 2; i++) a[i] = sqrt(a[i]);
  return a;
}
/* Rounds to the nearest integer, half to even. A float near 1.5 * 2^23 has no bits for a fraction, so adding
 * this number rounds a[i]. The kernels' arguments are below 2^20, so the sum stays in this range. */
SHIM int32x4_t shim_vcvtnq_s32_f32(float32x4_t a) {
  int32x4_t r = vdupq_n_s32(0);
  for (int i = 0; i < 4; i++) r[i] = (int32_t)((a[i] + 0x1.8p23f) - 0x1.8p23f);
  return r;
}

#define vdivq_f32 shim_vdivq_f32
#define vdivq_f64 shim_vdivq_f64
#define vsqrtq_f64 shim_vsqrtq_f64
#define vsqrtq_f32 shim_vsqrtq_f32
#define vcvtnq_s32_f32 shim_vcvtnq_s32_f32
