/* Files for tests/model/combinations.py. */
#ifndef COMBINATIONS_WRITE_H
#define COMBINATIONS_WRITE_H

#include "check.h"

/* Writes SEED-CLIP.qsc, the clip, and SEED-CLIP.poses: for each time this time as a double, and as floats all
 * rotations, translations, scales and tracks, sampled without a rest pose. All numbers are little-endian. */
void write_scene(const char *folder, scene *s, const encoded *e);

#endif
