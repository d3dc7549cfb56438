/* The rotations of Gaussian splats in a .splat file: nothing but records of 32 bytes, of which the last
 * four are the rotation's w, x, y, z. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "files/file.h"
#include "readers/limits.h"
#include "readers/readers.h"
#include "terminal/message.h"

enum { RECORD = 32, ROTATION = 28 }; /* bytes, and where in them the rotation begins */

static float *read_rotations(const char *path, FILE *file, size_t splats) {
  uint64_t spent = 0;
  if (!reader_spend(path, &spent, 4 * sizeof(float) * (uint64_t)splats)) return NULL;
  float *xyzw = memory_get(splats, 4 * sizeof *xyzw);
  for (size_t i = 0; i < splats; i++) {
    unsigned char record[RECORD];
    if (fread(record, 1, sizeof record, file) != sizeof record) {
      file_ended(path, file, "the file shrank while it was read");
      free(xyzw);
      return NULL;
    }
    for (size_t c = 0; c < 4; c++)
      xyzw[4 * i + (c + 3) % 4] = (float)(record[ROTATION + c] - 128) / 128; /* w goes last */
  }
  return xyzw;
}

static float *rotations(const char *path, struct npy *shape) {
  uint64_t size;
  float *xyzw = NULL;
  FILE *file = file_open(path, &size);
  if (!file) return NULL;
  const size_t splats = (size_t)(size / RECORD);
  *shape = npy_shape_of(splats);
  if (size == 0) complain(path, "the file is empty");
  else if (size % RECORD != 0)
    complain(path, "the file ends within a splat: it has %s bytes, a splat has %d", text_number(size),
             RECORD);
  else xyzw = read_rotations(path, file, splats);
  fclose(file);
  return xyzw;
}

const struct reader reader_splat = {
    .name = "a scene of splats", .endings = {".splat"}, .still = true, .rotations = rotations};
