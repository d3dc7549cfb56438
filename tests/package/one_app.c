/* Uses the library from its two amalgamated files, as a user's first program does. */
#include "quatsimd.h"
#include <stdio.h>

int main(void) {
  const float q[4] = {0, 0, 0.6f, 0.8f};
  unsigned char packed[4];
  float back[4];
  if (quatsimd_pack(QUATSIMD_FORMAT_LATTICE32, packed, sizeof packed, quatsimd_aos(q), 1) != QUATSIMD_OK)
    return 1;
  if (quatsimd_unpack(QUATSIMD_FORMAT_LATTICE32, quatsimd_aos_out(back), packed, sizeof packed, 0, 1))
    return 1;
  printf("%s %s: %.3f %.3f %.3f %.3f\n", quatsimd_version(), quatsimd_isa(), back[0], back[1], back[2],
         back[3]);
  return 0;
}
