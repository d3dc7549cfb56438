/* Curves that clips store as they are: splines, and pairs of a curve and a base that moves. */
#ifndef QUATSIMD_CLIP_ENCODE_SPLINE_H
#define QUATSIMD_CLIP_ENCODE_SPLINE_H

#include "clip/encode/append.h"
#include "clip/encode/truth.h"

typedef struct clip_spline {
  /* the spline, relative to the first key of the base; of a pair, the source's curve. No keys: the truth is
   * neither */
  quatsimd_curve curve;
  quatsimd_curve base; /* without keys unless this is a pair, whose numbers are floats */
  bool chosen;         /* the clip stores the curve, unless one value holds the bound */
  /* the form that quatsimd_spline_fit found: numbers as floats, or as multiples of `unit` */
  bool floats;
  float unit;
  uint8_t width[2][CLIP_MOST_COMPONENTS]; /* bits of values and of tangents */
  size_t bytes;                           /* those of numbers, without head and times */
} clip_spline;

static inline bool clip_is_pair(const clip_spline *spline) { return spline->base.key_count > 0; }

/* Makes spline->curve, in `memory` unless it is the source's. False if memory runs out. */
bool quatsimd_spline_take(quatsimd_memory *memory, clip_spline *spline, const clip_truth *truth, int kind);

/* Finds the shortest form that holds the bound. Numbers that are floats need no bound. */
void quatsimd_spline_fit(clip_spline *spline, int kind, double bound, bool floats);

/* Makes a linear curve with SPLINE_PARTS pieces from key to key. False if memory runs out. */
enum { SPLINE_PARTS = 8 };
bool quatsimd_spline_straighten(quatsimd_memory *memory, quatsimd_curve *curve, const clip_spline *spline,
                                int kind);

/* Writes the numbers of a spline. */
void quatsimd_spline_write(clip_bytes *bytes, const clip_spline *spline, int kind);

#endif
