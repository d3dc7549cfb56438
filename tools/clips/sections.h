/* What the bytes of a clip are spent on: the sections of docs/clip-format.md. */
#ifndef CLIP_SECTIONS_H
#define CLIP_SECTIONS_H

#include "quatsimd/clip.h"

/* Those that each kind has. Codes and profiles, coefficients and raw curves are what blocks are made of. */
enum clip_section {
  CLIP_MASKS,
  CLIP_PLANS,
  CLIP_CODES,
  CLIP_COEFFICIENTS,
  CLIP_RAWS,
  CLIP_KNOTS,
  CLIP_BASES,
  CLIP_SLOTS,
  CLIP_CONSTANTS,
  CLIP_KEYS,
  CLIP_SECTIONS
};

struct clip_sections {
  size_t blocks; /* how many, of each kind that moves */
  size_t head, times, padding, bytes[CLIP_SECTIONS][QUATSIMD_CLIP_KINDS];
};

void clip_sections_measure(struct clip_sections *sections, const quatsimd_clip *clip);

#endif
