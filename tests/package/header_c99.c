/* Compiles the headers as C99 without extensions and with warnings as errors. This code is never run. */
#include "quatsimd/quatsimd.h"

/* Formats are integer constant expressions. */
static const quatsimd_format formats[] = {QUATSIMD_FORMAT_CUBE32, QUATSIMD_FORMAT_SMALLEST3(9),
                                          QUATSIMD_FORMAT_MIRAGE(10)};
typedef char smallest3_is_constant[QUATSIMD_FORMAT_SMALLEST3(9) == 0x109 ? 1 : -1];
typedef char version_is_constant[QUATSIMD_VERSION_MAJOR >= 0 ? 1 : -1];
#if QUATSIMD_VERSION < 100
#error "the version is a number for the preprocessor, too"
#endif

/* The header declares size_t and all types that it needs. */
size_t header_c99(float *xyzw, unsigned char *packed, size_t count);
size_t header_c99(float *xyzw, unsigned char *packed, size_t count) {
  const size_t bytes = quatsimd_packed_size(formats[0], count);
  const quatsimd_format_info *info = quatsimd_get_format_info(formats[1]);
  quatsimd_status status = quatsimd_pack(formats[2], packed, bytes, quatsimd_aos(xyzw), count);
  /* The cast prevents a warning of -Wswitch, because formats with parameters are not enumerators. */
  switch ((int)formats[2]) {
  case QUATSIMD_FORMAT_SMALLEST3(9): break;
  case QUATSIMD_FORMAT_MIRAGE(9): break;
  default: break;
  }
  if (status == QUATSIMD_OK && info)
    status = quatsimd_unpack(formats[0], quatsimd_aos_out(xyzw), packed, bytes, 0, count);
  return status == QUATSIMD_OK ? sizeof(smallest3_is_constant) : sizeof(version_is_constant);
}
