/* Animations with fewer keys, for clips at a lower rate than that of the keys. */
#ifndef CLIP_FRAMES_H
#define CLIP_FRAMES_H

#include "clips/source.h"

/* Frames from the first key to the last at this rate, or about it, so that the last key has one. 0: no curve
 * that interpolates straight has more keys. */
size_t clip_frames_at(const struct clip_source *source, double rate);

/* A copy of a source, in which keys of such curves are at these frames alone, and bounds are a part of what
 * they were. */
struct clip_frames {
  quatsimd_clip_source source;
  quatsimd_clip_joint *joint; /* of the source */
  quatsimd_clip_track *track;
  double *time;   /* of each key */
  size_t curves;  /* that have such keys */
  float **values; /* of each of them */
};
void clip_frames_make(struct clip_frames *frames, const struct clip_source *of, size_t count, double part);
void clip_frames_free(struct clip_frames *frames);

#endif
