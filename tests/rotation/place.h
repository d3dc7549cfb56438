/* Arguments in any layout, between pages that must not be touched. */
#ifndef PLACE_H
#define PLACE_H

#include "rotation/functions.h"

enum { MOST = 200, FILL = 0xa5, MARGIN = 64, ARENA = (MOST + 8) * (4 * WIDEST + 20) + MARGIN };
enum { OUT_ARENAS = 4 * MOST_OUT, ARENAS = OUT_ARENAS + 4 * MOST_IN };

void make_arenas(void); /* before all else */

typedef enum layout { AOS, SOA, STRIDED, W_FIRST, BLOCKS4, BLOCKS8, W_FIRST8, ONE, LAYOUTS } layout;
extern const char *const layout_names[LAYOUTS];

/* No more than four arrays; w is a quaternion's. */
layout allowed(layout l, int width);

/* An argument of `count` elements somewhere in its arenas. */
typedef struct placed {
  layout layout;
  int width;
  size_t stride, size; /* bytes of one array */
  unsigned char *at[4];
} placed;

float *component(const placed *p, size_t i, int c);

/* Filled, with the bytes around it; the last struct of a strided array ends with its element. */
placed place(int first_arena, layout l, int width, size_t stride, size_t count, bool at_end);
placed place_width(int first_arena, layout l, int width, size_t count, bool at_end);
quatsimd_in source_of(const placed *p);
quatsimd_out target_of(const placed *p);
void fill_with(placed *p, const float *elements, size_t count);

/* Do the arrays have these elements, bit for bit, and is everything around and between them as `place`
 * left it? */
bool holds(const placed *p, const float *elements, size_t count, bool at_end);

#endif
