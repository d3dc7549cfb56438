/* Lessons from attempts that did not hold a bound. */
#include "clip/encode/encoder.h"

/* Frames get less of the bound, since errors are larger between them. */
static bool learn_strictness(clip_encoder *e, clip_lesson *lesson, size_t first, size_t frames,
                             double ratio) {
  if (!lesson->strict) {
    lesson->strict = quatsimd_take(&e->lasting, e->grid.frames, sizeof *lesson->strict);
    for (size_t f = 0; lesson->strict && f < e->grid.frames; f++) lesson->strict[f] = 1;
  }
  for (size_t f = first; lesson->strict && f < first + frames; f++)
    lesson->strict[f] *= (float)(1.02 * ratio);
  return lesson->strict != NULL;
}

enum { STRICTER = 3, FINER = 6 }; /* attempts until there are finer units, and keys */

/* In this order: stricter frames, finer units (which knots and raw frames have, too), keys of its own, and
 * floats. Nothing is finer than these. */
void quatsimd_encode_fault(clip_encoder *e, int kind, size_t joint, size_t first, size_t frames,
                           double ratio) {
  if (!clip_is_bounded(e, kind)) return;
  clip_lesson *lesson = &e->lesson[kind][joint];
  const unsigned state = e->coded[kind].state[joint];
  const bool floats = e->coded[kind].stored[joint] & CLIP_STORED_FLOATS || kind != QUATSIMD_CLIP_ROTATION;
  const bool one_key = clip_curve(e->source, kind, joint)->key_count == 1,
             middle = e->coded[kind].stored[joint] & CLIP_STORED_MIDDLE;
  if (state == QUATSIMD_CLIP_KEYED && floats && (one_key || !middle)) return;
  e->learnt = true;
  if (state == QUATSIMD_CLIP_MOVING && lesson->tries < STRICTER) {
    if (!learn_strictness(e, lesson, first, frames, ratio < 2 ? ratio : 2)) e->failed = true;
    lesson->missed = true;
  } else if (state == QUATSIMD_CLIP_MOVING && lesson->tries < FINER) lesson->missed = true;
  else if (state == QUATSIMD_CLIP_MOVING) lesson->keyed = true;
  else if (one_key || (state == QUATSIMD_CLIP_KEYED && !middle)) lesson->floats = true;
  else lesson->moves = true;
}

void quatsimd_encode_learn(clip_encoder *e) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    for (size_t j = 0; j < clip_curves(e->source, kind); j++) {
      clip_lesson *lesson = &e->lesson[kind][j];
      if (!lesson->missed) continue;
      lesson->missed = false;
      if (lesson->tries++ >= STRICTER) lesson->finer *= 0.8f;
    }
}
