/* Animation clips: what Assimp reads, reduced to the rotation tracks. */
#ifndef CLIP_H
#define CLIP_H

#include <stdbool.h>
#include <stddef.h>

struct clip_track {
  char *node;
  size_t keys;     /* at least 1 */
  float *xyzw;     /* 4 * keys */
  double *seconds; /* keys */
};

struct clip_animation {
  char *name; /* may be empty */
  size_t tracks;
  struct clip_track *track;
};

struct clip {
  size_t animations;
  struct clip_animation *animation;
};

/* Reads a clip file: keys as they are stored, nothing resampled or optimised away. Returns false and
 * complains if that fails or there is no rotation track in the file. Names come clean (text_clean). */
bool clip_read(const char *path, struct clip *clip);
void clip_free(struct clip *clip);

/* "Assimp 5.2", or "no Assimp". */
const char *clip_reader(void);

#endif
