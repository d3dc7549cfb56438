/* Clips in files. */
#ifndef CLIP_FILE_H
#define CLIP_FILE_H

#include <stdbool.h>

#include "quatsimd/clip.h"

struct clip_file {
  const char *path;
  unsigned char *data;
  quatsimd_clip clip;
};

/* Returns false and complains of what is wrong: quatsimd_clip_open says no more than that something is. */
bool clip_file_read(const char *path, struct clip_file *file);
void clip_file_free(struct clip_file *file);

#endif
