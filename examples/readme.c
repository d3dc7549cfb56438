#include <quatsimd/quatsimd.h>
#include <stdio.h>

int main(void) {
  enum { COUNT = 1000 };
  float xyzw[4 * COUNT], back[4 * COUNT];
  /* turns about the z axis, growing to 90 degrees; the length does not matter */
  for (int i = 0; i < COUNT; i++) {
    xyzw[4 * i] = xyzw[4 * i + 1] = 0;
    xyzw[4 * i + 2] = (float)i;
    xyzw[4 * i + 3] = COUNT;
  }

  unsigned char packed[4 * COUNT]; /* quatsimd_packed_size(QUATSIMD_FORMAT_SMALLEST3_32, COUNT) bytes */
  quatsimd_status status =
      quatsimd_pack(QUATSIMD_FORMAT_SMALLEST3_32, packed, sizeof packed, quatsimd_aos(xyzw), COUNT);
  if (!quatsimd_failed(status))
    status = quatsimd_unpack(QUATSIMD_FORMAT_SMALLEST3_32, quatsimd_aos_out(back), packed, sizeof packed, 0,
                             COUNT);
  if (status != QUATSIMD_OK) return fprintf(stderr, "%s\n", quatsimd_status_string(status)), 1;

  const float *q = back + 4 * 750; /* (0, 0, 3, 4) / 5 */
  printf("%zu bytes to %zu with %s kernels; (0, 0, 0.6, 0.8) became (%g, %g, %g, %g)\n", sizeof xyzw,
         sizeof packed, quatsimd_isa(), q[0], q[1], q[2], q[3]);
  return q[2] > 0.599f && q[2] < 0.601f ? 0 : 1;
}
