/* From the layout of one program to the layout of another: packs rotations that have w first, and unpacks
 * them to blocks of four. */
#include <quatsimd/quatsimd.h>
#include <stdio.h>

int main(void) {
  enum { COUNT = 6, BLOCKS = (COUNT + 3) / 4 };
  float splats[4 * COUNT], blocks[16 * BLOCKS] = {0};
  for (int i = 0; i < COUNT; i++) { /* turns about the y axis; the length does not matter */
    splats[4 * i] = 4;
    splats[4 * i + 2] = (float)i;
    splats[4 * i + 1] = splats[4 * i + 3] = 0;
  }

  unsigned char packed[4 * COUNT];
  quatsimd_status status;
  status = quatsimd_pack(QUATSIMD_FORMAT_LATTICE32, packed, sizeof packed,
                         quatsimd_wxyz(quatsimd_aos(splats)), COUNT);
  if (!quatsimd_failed(status))
    status = quatsimd_unpack(QUATSIMD_FORMAT_LATTICE32, quatsimd_blocks_out(blocks, 4), packed, sizeof packed,
                             0, COUNT);
  if (status != QUATSIMD_OK) return fprintf(stderr, "%s\n", quatsimd_status_string(status)), 1;

  static const char *const names[] = {"x", "y", "z", "w"};
  for (int b = 0; b < BLOCKS; b++)
    for (int c = 0; c < 4; c++) {
      printf("%s of block %d:", names[c], b);
      for (int i = 0; i < 4; i++) printf(" %8.5f", (double)blocks[16 * b + 4 * c + i]);
      puts("");
    }
  const float y3 = blocks[4 + 3], w3 = blocks[12 + 3]; /* (0, 3, 0, 4) / 5 */
  return y3 > 0.599f && y3 < 0.601f && w3 > 0.799f && w3 < 0.801f ? 0 : 1;
}
