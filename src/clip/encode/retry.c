/* Makes the settings of curves that missed a bound finer for the next attempt. */
#include "clip/encode/encoder.h"

/* Multiplies `strict` by more than `ratio`, for errors between frames. False if memory runs out. */
static bool tighten(clip_encoder *e, clip_retry *retry, size_t first, size_t frames, double ratio) {
  if (!retry->strict) {
    retry->strict = quatsimd_take(&e->lasting, e->grid.frames, sizeof *retry->strict);
    for (size_t f = 0; retry->strict && f < e->grid.frames; f++) retry->strict[f] = 1;
  }
  for (size_t f = first; retry->strict && f < first + frames; f++) retry->strict[f] *= (float)(1.02 * ratio);
  return retry->strict != NULL;
}

/* the number of missed attempts after which a curve gets finer units (STRICTER), or its own keys (FINER) */
enum { STRICTER = 3, FINER = 6 };

/* A moving curve that misses its bound gets stricter frames, then finer units, its own keys, and floats. A
 * constant with several keys becomes a moving curve. */
void quatsimd_encode_violation(clip_encoder *e, int kind, size_t joint, size_t first, size_t frames,
                               double ratio) {
  if (!clip_is_bounded(e, kind)) return;
  clip_retry *retry = &e->retry[kind][joint];
  const unsigned state = e->coded[kind].state[joint];
  const bool spline = e->coded[kind].stored[joint] & CLIP_STORED_SPLINE,
             floats = e->coded[kind].stored[joint] & CLIP_STORED_FLOATS ||
                      (spline ? kind == QUATSIMD_CLIP_SCALE && clip_is_pair(&e->spline[kind][joint])
                              : kind != QUATSIMD_CLIP_ROTATION);
  const bool one_key = clip_curve(e->source, kind, joint)->key_count == 1,
             middle = e->coded[kind].stored[joint] & CLIP_STORED_MIDDLE;
  if (state == QUATSIMD_CLIP_KEYED && floats && (one_key || !middle)) return;
  e->violated = true;
  if (state == QUATSIMD_CLIP_MOVING && retry->tries < STRICTER) {
    if (!tighten(e, retry, first, frames, ratio < 2 ? ratio : 2)) e->failed = true;
    retry->missed = true;
  } else if (state == QUATSIMD_CLIP_MOVING && retry->tries < FINER) retry->missed = true;
  else if (state == QUATSIMD_CLIP_MOVING) retry->keyed = true;
  else if (one_key || (state == QUATSIMD_CLIP_KEYED && !middle)) retry->floats = true;
  else retry->moves = true;
}

void quatsimd_encode_retry(clip_encoder *e) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    for (size_t j = 0; j < clip_curves(e->source, kind); j++) {
      clip_retry *retry = &e->retry[kind][j];
      if (!retry->missed) continue;
      retry->missed = false;
      if (retry->tries++ >= STRICTER) retry->finer *= 0.8f;
    }
}
