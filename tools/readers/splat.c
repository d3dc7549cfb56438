#include "readers/splat.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/message.h"
#include "base/text.h"

enum { RECORD = 32, ROTATION = 28 }; /* bytes, and where in them the rotation begins */

bool splat_recognise(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && strcasecmp(dot, ".splat") == 0;
}

static float *read_rotations(const char *path, FILE *file, size_t splats) {
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

float *splat_read(const char *path, size_t *splats) {
  uint64_t size;
  float *xyzw = NULL;
  FILE *file = file_open(path, &size);
  if (!file) return NULL;
  *splats = (size_t)(size / RECORD);
  if (size == 0) complain(path, "the file is empty");
  else if (size % RECORD != 0)
    complain(path, "the file ends within a splat: it has %s bytes, a splat has %d", text_number((size_t)size),
             RECORD);
  else xyzw = read_rotations(path, file, *splats);
  fclose(file);
  return xyzw;
}
