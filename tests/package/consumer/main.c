/* Packs some rotations, unpacks them and compares, as a user's program does. */
#include <quatsimd/quatsimd.h>

#include <stdio.h>
#include <string.h>

enum { COUNT = 20 };

static int differs(float a, float b) { return !(a - b < 0.01f && b - a < 0.01f); }

int main(void) {
  const quatsimd_format format = QUATSIMD_FORMAT_SMALLEST3(9);
  float quats[4 * COUNT], back[4 * COUNT];
  unsigned char packed[128];
  const size_t size = quatsimd_packed_size(format, COUNT);
  for (int i = 0; i < COUNT; i++) {
    const float q[4] = {0.1f, -0.5f, 0.1f, 0.8544004f};
    for (int c = 0; c < 4; c++) quats[4 * i + c] = q[(i + c) % 4];
  }
  if (size != (COUNT * 29 + 7) / 8 || size > sizeof packed) return puts("wrong size"), 1;
  if (quatsimd_pack(format, packed, size, quatsimd_aos(quats), COUNT) != QUATSIMD_OK)
    return puts("cannot pack"), 1;
  if (quatsimd_unpack(format, quatsimd_aos_out(back), packed, size, 0, COUNT) != QUATSIMD_OK)
    return puts("cannot unpack"), 1;
  for (int i = 0; i < COUNT; i++) {
    const float *q = quats + 4 * i, *b = back + 4 * i;
    const float sign = q[0] * b[0] + q[1] * b[1] + q[2] * b[2] + q[3] * b[3] < 0 ? -1.0f : 1.0f;
    for (int c = 0; c < 4; c++)
      if (differs(q[c], sign * b[c])) return printf("quaternion %d is %g, not %g\n", i, b[c], q[c]), 1;
  }
  if (strcmp(quatsimd_version(), QUATSIMD_VERSION_STRING) != 0)
    return puts("header and library of different versions"), 1;
  printf("quatsimd %s, %s kernels\n", quatsimd_version(), quatsimd_isa());
  return 0;
}
