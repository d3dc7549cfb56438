#include "fixture.h"

listed formats[FORMATS] = {
    {QUATSIMD_FORMAT_LATTICE24, "lattice24", 24, 1},
    {QUATSIMD_FORMAT_LATTICE32, "lattice32", 32, 1},
    {QUATSIMD_FORMAT_LATTICE48, "lattice48", 48, 1},
    {QUATSIMD_FORMAT_LATTICE64, "lattice64", 64, 1},
    {QUATSIMD_FORMAT_FLOAT4, "float4", 128, 1},
    {QUATSIMD_FORMAT_HALF4, "half4", 64, 1},
    {QUATSIMD_FORMAT_SNORM16X3, "snorm16x3", 48, 1},
    {QUATSIMD_FORMAT_VERTEX32, "vertex32", 32, 1},
    {QUATSIMD_FORMAT_CUBE32, "cube32", 32, 1},
    {QUATSIMD_FORMAT_CUBE32C, "cube32c", 32, 0},
    {QUATSIMD_FORMAT_SMALLEST3_32, "smallest3_32", 32, 1},
    {QUATSIMD_FORMAT_SMALLEST3_48, "smallest3_48", 48, 1},
    {QUATSIMD_FORMAT_SMALLEST3_64, "smallest3_64", 64, 1},
    {QUATSIMD_FORMAT_SNORM16X4, "snorm16x4", 64, 1},
    {QUATSIMD_FORMAT_OZZ48, "ozz48", 48, 0},
    {QUATSIMD_FORMAT_UNREAL48, "unreal48", 48, 1},
    {QUATSIMD_FORMAT_UNREAL32, "unreal32", 32, 1},
    {QUATSIMD_FORMAT_SPZ32, "spz32", 32, 1},
    {QUATSIMD_FORMAT_SPZ24, "spz24", 24, 0},
    {QUATSIMD_FORMAT_MIRROR32, "mirror32", 32, 0},
    {QUATSIMD_FORMAT_JOLT32, "jolt32", 32, 1},
    {QUATSIMD_FORMAT_SPLAT32, "splat32", 32, 1},
};

void list_formats(void) {
  listed *to = formats + WORD_FORMATS;
  for (int family = 0; family < 2; family++)
    for (unsigned b = 4; b <= 20; b++, to++) {
      to->format = (quatsimd_format)((family == 0 ? 0x100 : 0x200) + b);
      snprintf(to->name, sizeof to->name, "%s:%u", family == 0 ? "smallest3" : "mirage", b);
      to->bits = 2 + 3 * b;
      to->exact_identity = 1;
    }
  for (unsigned k = 4; k <= 16; k++, to++) {
    *to = (listed){(quatsimd_format)(0x300 + k), "", 64, 1};
    snprintf(to->name, sizeof to->name, "meshopt:%u", k);
  }
}
