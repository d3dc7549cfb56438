/* Inspects clips for tools. Runtimes need none of these functions, so they are not in clip.h. */
#ifndef QUATSIMD_CLIP_INSPECT_H
#define QUATSIMD_CLIP_INSPECT_H

#include "clip/layout.h"

struct clip_head {
  unsigned version;
  uint32_t size, checksum; /* as the head says */
};
/* Reads the head from the first `size` bytes of a clip. Checks the letters QSC and the version as
 * quatsimd_clip_open does. Returns QUATSIMD_ERROR_DAMAGED_CLIP if `size` is less than a head's. */
quatsimd_status quatsimd_inspect_head(struct clip_head *head, const unsigned char *bytes, size_t size);
/* Returns the checksum that the head of a clip of `size` bytes should have. size is at least 8. */
uint32_t quatsimd_inspect_checksum(const unsigned char *bytes, size_t size);
/* Returns the version of the format that this library writes. */
unsigned quatsimd_inspect_version(void);

void quatsimd_inspect_states(const quatsimd_clip *clip, size_t count[CLIP_STATES][QUATSIMD_CLIP_KIND_COUNT]);

/* The sections of docs/clip-format.md. Blocks count as three: CLIP_CODES (codes and profiles),
 * CLIP_COEFFICIENTS and CLIP_RAWS. */
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
  size_t blocks; /* each kind with moving curves has so many blocks */
  size_t head, times, padding, bytes[CLIP_SECTIONS][QUATSIMD_CLIP_KIND_COUNT];
};
void quatsimd_inspect_sections(struct clip_sections *sections, const quatsimd_clip *clip);

/* bytes[joint] gets the bytes of that joint's curves. Returns the number of all other bytes. All these
 * numbers are multiples of an eighth, so they add up to the clip's size exactly. */
double quatsimd_inspect_joints(const quatsimd_clip *clip, double *bytes);

#endif
