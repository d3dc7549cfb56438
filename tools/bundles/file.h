/* Clips in files. */
#ifndef CLIP_FILE_H
#define CLIP_FILE_H

#include <stdbool.h>

#include "quatsimd/clip.h"

struct clip_file {
  const char *path;
  unsigned char *data;
  size_t size;
  quatsimd_clip *clip;
  quatsimd_clip_storage *storage; /* of the clip */
};

/* Does the name end as those of clips? */
bool clip_file_has_name(const char *name);

/* "none", "first" or "base": what it is additive to. */
const char *clip_file_additive(const quatsimd_clip *clip);

/* Returns false and complains of what is wrong, in more detail than the status of quatsimd_clip_open. */
bool clip_file_read(const char *path, struct clip_file *file);
void clip_file_free(struct clip_file *file);

#endif
