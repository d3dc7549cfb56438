#include <math.h>
#include <quatsimd/quatsimd.h>
#include <stdio.h>

int main(void) {
  enum { COUNT = 1000 };
  float xyzw[4 * COUNT], back[4 * COUNT];
  for (int i = 0; i < COUNT; i++) { /* turns about the z axis by 0.002 * i radians */
    xyzw[4 * i] = xyzw[4 * i + 1] = 0;
    xyzw[4 * i + 2] = sinf(0.001f * (float)i);
    xyzw[4 * i + 3] = cosf(0.001f * (float)i);
  }

  unsigned char packed[4 * COUNT]; /* quatsimd_packed_size(QUATSIMD_SMALLEST3_32, COUNT) bytes */
  quatsimd_status status = quatsimd_pack_aos(QUATSIMD_SMALLEST3_32, packed, sizeof packed, xyzw, COUNT);
  if (status >= 0) status = quatsimd_unpack_aos(QUATSIMD_SMALLEST3_32, back, packed, sizeof packed, COUNT);
  if (status != QUATSIMD_OK) return fprintf(stderr, "%s\n", quatsimd_status_string(status)), 1;

  printf("%zu bytes to %zu with %s kernels; %g became %g\n", sizeof xyzw, sizeof packed, quatsimd_isa(),
         xyzw[4 * 500 + 2], back[4 * 500 + 2]);
  return fabsf(xyzw[4 * 500 + 2] - back[4 * 500 + 2]) < 0.001f ? 0 : 1;
}
