/* Functions that JavaScript calls to pack and unpack rotations, besides the functions of codec.h: those that
 * take views, of arrays of x, y, z, w. Pointers are numbers in JavaScript. */
#include "quatsimd.h"

#define EXPORT(name) __attribute__((export_name(#name), used)) name

quatsimd_status EXPORT(pack)(int format, void *packed, size_t size, const float *rotations, size_t count) {
  return quatsimd_pack((quatsimd_format)format, packed, size, quatsimd_aos(rotations), count);
}

quatsimd_status EXPORT(unpack)(int format, float *rotations, const void *packed, size_t size, size_t first,
                               size_t count) {
  return quatsimd_unpack((quatsimd_format)format, quatsimd_aos_out(rotations), packed, size, first, count);
}

/* The i-th of all formats; -1 behind the last one. */
int EXPORT(format_at)(size_t i) {
  quatsimd_format format;
  return quatsimd_format_at(&format, i) == QUATSIMD_OK ? (int)format : -1;
}

const char *EXPORT(format_name)(int format) {
  return quatsimd_get_format_info((quatsimd_format)format)->name;
}
int EXPORT(format_bits)(int format) { return quatsimd_get_format_info((quatsimd_format)format)->bits; }
