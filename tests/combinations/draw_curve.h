/* Draws the keys of one curve of a scene, or of its base. */
#ifndef COMBINATIONS_DRAW_CURVE_H
#define COMBINATIONS_DRAW_CURVE_H

#include "scene.h"

#include "support/random.h"

static inline uint32_t below(uint64_t *dice, uint32_t count) {
  return (uint32_t)(sweep_next(dice) >> 32) % count;
}

void draw_curve(scene *s, bool base, int kind, size_t number);

#endif
