/* Places arguments in any layout between guard pages, at which any access faults. */
#ifndef PLACE_H
#define PLACE_H

#include "rotation/functions.h"

enum { MOST = 200, FILL = 0xa5, MARGIN = 64, ARENA = (MOST + 8) * (4 * WIDEST + 20) + MARGIN };
enum { OUT_ARENAS = 4 * MOST_OUT, ARENAS = OUT_ARENAS + 4 * MOST_IN };

void make_arenas(void); /* call it before `place` */

typedef enum layout { AOS, SOA, STRIDED, W_FIRST, BLOCKS4, BLOCKS8, W_FIRST8, ONE, LAYOUTS } layout;
extern const char *const layout_names[LAYOUTS];

/* Returns l, or another layout if elements of this width cannot have l. SoA has at most four arrays, and only
 * quaternions can have w first. */
layout allowed(layout l, int width);

/* The place of an argument or result in its arenas. */
typedef struct placed {
  layout layout;
  int width;
  size_t stride, size; /* size of one array in bytes */
  unsigned char *at[4];
} placed;

float *component(const placed *p, size_t i, int c);

/* Places an argument of `count` elements. Fills it with FILL, and MARGIN bytes on the side that has no guard
 * page. A strided array has no gap after its last element. */
placed place(int first_arena, layout l, int width, size_t stride, size_t count, bool at_end);
placed place_width(int first_arena, layout l, int width, size_t count, bool at_end);
quatsimd_in source_of(const placed *p);
quatsimd_out target_of(const placed *p);
void fill_with(placed *p, const float *elements, size_t count);

/* Returns true if the arrays have exactly the bits of these elements, and all bytes around and between the
 * elements are as `place` left them. */
bool holds(const placed *p, const float *elements, size_t count, bool at_end);

#endif
