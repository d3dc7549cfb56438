/* Finds where a profile's fields are in a channel. A channel has two halves, of eight fields each. No field
 * spans more than two bytes, and no half more than 16. A half's fields are in the order of least padding. */
#ifndef QUATSIMD_CLIP_PROFILE_FIELDS_H
#define QUATSIMD_CLIP_PROFILE_FIELDS_H

#include <string.h>

#include "clip/layout.h"

enum { CLIP_HALF = CLIP_INNER / 2, CLIP_NOWHERE = 1 << 20 };

/* Lays out the fields of a half from bit `start` on. Returns the bit after the last field, or CLIP_NOWHERE if
 * the fields do not fit 16 bytes. end[set] is the lowest bit at which the fields in `set` can end. A later
 * end never helps the fields that follow. */
static inline int clip_lay_half(const uint8_t *width, int start, int *offset) {
  int end[1 << CLIP_HALF] = {start}, last[1 << CLIP_HALF], all = 0, first = CLIP_NOWHERE;
  for (int k = 0; k < CLIP_HALF; k++) all |= (width[k] > 0) << k;
  for (int set = 1; set <= all; set++) {
    if (set & ~all) continue;
    end[set] = CLIP_NOWHERE;
    for (int k = 0; k < CLIP_HALF; k++) {
      if (!(set & 1 << k)) continue;
      const int before = end[set ^ 1 << k], at = before % 8 + width[k] <= 16 ? before : before / 8 * 8 + 8;
      if (at + width[k] < end[set]) end[set] = at + width[k], last[set] = k;
    }
  }
  for (int set = all; set; set ^= 1 << last[set]) {
    const int k = last[set];
    offset[k] = end[set] - width[k];
    if (offset[k] < first) first = offset[k];
  }
  return end[all] <= first / 8 * 8 + 128 ? end[all] : CLIP_NOWHERE;
}

/* Lays out all fields of a profile; fields of width 0 are at bit 0. Returns the channel's number of bytes. */
static inline int clip_lay_out(const uint8_t *width, int *offset) {
  memset(offset, 0, CLIP_INNER * sizeof *offset);
  const int middle = clip_lay_half(width, 0, offset);
  int end = clip_lay_half(width + CLIP_HALF, middle, offset + CLIP_HALF);
  if (end > 256) /* the second half is too long if it begins at bit `middle`, so it begins at a whole byte */
    end = clip_lay_half(width + CLIP_HALF, (middle + 7) / 8 * 8, offset + CLIP_HALF);
  return (end + 7) / 8;
}

#endif
