/* Clips from inside, for tools: their heads, the states of their curves, and the use of their bytes. A
 * runtime needs none of it, so it is no part of clip.h. */
#ifndef QUATSIMD_CLIP_INSPECT_H
#define QUATSIMD_CLIP_INSPECT_H

#include "clip/layout.h"

struct clip_head {
  unsigned version;
  uint32_t size, checksum; /* as the head says */
};
/* Reads the first bytes of a clip, as many as there are. QUATSIMD_ERROR_NOT_A_CLIP and
 * QUATSIMD_ERROR_LATER_VERSION as quatsimd_clip_open; QUATSIMD_ERROR_DAMAGED_CLIP if there is no whole
 * head. */
quatsimd_status quatsimd_inspect_head(struct clip_head *head, const unsigned char *bytes, size_t size);
/* The checksum that the head should have; size >= 8. */
uint32_t quatsimd_inspect_checksum(const unsigned char *bytes, size_t size);
/* The version of the format that this library writes. */
unsigned quatsimd_inspect_version(void);

/* How many joints' curves are in each state. */
void quatsimd_inspect_states(const quatsimd_clip *clip, size_t count[CLIP_STATES][QUATSIMD_CLIP_KIND_COUNT]);

/* The sections of docs/clip-format.md that each kind has. Codes and profiles, coefficients and raw curves are
 * the parts of blocks. */
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
  size_t head, times, padding, bytes[CLIP_SECTIONS][QUATSIMD_CLIP_KIND_COUNT];
};
void quatsimd_inspect_sections(struct clip_sections *sections, const quatsimd_clip *clip);

/* bytes[joint]: the bytes of that joint's curves alone. Returns the rest, head, tracks, masks, plans,
 * whole bytes and padding: all together are the clip's size. Sixteenths of a byte are the smallest parts,
 * so sums are exact. */
double quatsimd_inspect_joints(const quatsimd_clip *clip, double *bytes);

#endif
