/* Animations with fewer keys, for clips at a lower rate than that of the keys. */
#ifndef CLIP_FRAMES_H
#define CLIP_FRAMES_H

#include "clips/source.h"

/* The whole intervals, at least one, from the first key to the last that are nearest to a rate. */
double clip_frames_intervals(const struct clip_source *source, double rate);
/* The rate that they have: this one, if they have it but for the rounding of times to floats. */
double clip_frames_rate(const struct clip_source *source, double rate);
/* True if a curve that interpolates straight has more keys than so many intervals have ends. */
bool clip_frames_are_fewer(const struct clip_source *source, double intervals);

/* Keys that a clip is made of. */
struct clip_keys {
  double intervals; /* between them, all as long; 0: all keys of the file */
  double rate;      /* as of the encoder's options */
  double part;      /* of each bound, that may be lost on the way from them */
  bool loop;        /* the last keys are the first ones, which they need not be in the file to the last bit */
};

/* A copy of a source, in which such curves have these keys, and bounds are a part of what they were. */
struct clip_frames {
  quatsimd_clip_source source;
  quatsimd_clip_joint *joint; /* of the source */
  quatsimd_clip_track *track;
  double *time;   /* of each key */
  size_t curves;  /* that have such keys */
  float **values; /* of each of them */
};
void clip_frames_make(struct clip_frames *frames, const struct clip_source *of, const struct clip_keys *keys);
void clip_frames_free(struct clip_frames *frames);

#endif
