/* Functions that bindings of other languages call in place of the inline ones of view.h. */
#include "quatsimd/view.h"

quatsimd_in quatsimd_view_aos(const float *first) { return quatsimd_aos(first); }
quatsimd_out quatsimd_view_aos_out(float *first) { return quatsimd_aos_out(first); }
quatsimd_in quatsimd_view_strided(const float *first, size_t stride) {
  return quatsimd_strided(first, stride);
}
quatsimd_out quatsimd_view_strided_out(float *first, size_t stride) {
  return quatsimd_strided_out(first, stride);
}
quatsimd_in quatsimd_view_one(const float *element) { return quatsimd_one(element); }
quatsimd_in quatsimd_view_soa(const float *x, const float *y, const float *z, const float *w) {
  return quatsimd_soa(x, y, z, w);
}
quatsimd_out quatsimd_view_soa_out(float *x, float *y, float *z, float *w) {
  return quatsimd_soa_out(x, y, z, w);
}
quatsimd_in quatsimd_view_blocks(const float *first, unsigned block) { return quatsimd_blocks(first, block); }
quatsimd_out quatsimd_view_blocks_out(float *first, unsigned block) {
  return quatsimd_blocks_out(first, block);
}
quatsimd_in quatsimd_view_wxyz(quatsimd_in view) { return quatsimd_wxyz(view); }
quatsimd_out quatsimd_view_wxyz_out(quatsimd_out view) { return quatsimd_wxyz_out(view); }
