/* States of curves, 32 joints at a time. */
#ifndef QUATSIMD_CLIP_STATES_H
#define QUATSIMD_CLIP_STATES_H

#include "clip/sample/open.h"

#define CLIP_EACH_LOW 0x5555555555555555u /* the lower of each joint's two bits */
enum { CLIP_STATE_JOINTS = 32 };          /* joints whose masks fit 64 bits */

/* Sets of joints: the lower of a joint's two bits is 1 if the joint is in the set. */
typedef struct clip_states {
  uint64_t at_rest, absent, constant, moving, keyed;
} clip_states;

/* Moves bit i to bit 2 i. */
static inline uint64_t clip_spread(uint64_t bits) {
  bits = (bits | bits << 16) & 0x0000ffff0000ffffu;
  bits = (bits | bits << 8) & 0x00ff00ff00ff00ffu;
  bits = (bits | bits << 4) & 0x0f0f0f0f0f0f0f0fu;
  bits = (bits | bits << 2) & 0x3333333333333333u;
  return (bits | bits << 1) & CLIP_EACH_LOW;
}

/* Counts a set's joints. Uses no builtin of the compiler, because a builtin may call another library. */
static inline size_t clip_count_bits(uint64_t bits) {
  bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return (size_t)(bits * 0x0101010101010101u >> 56);
}

/* Returns the number of joints from `first` on, at most CLIP_STATE_JOINTS. */
static inline size_t clip_state_joints(size_t elements, size_t first) {
  return elements - first < CLIP_STATE_JOINTS ? elements - first : CLIP_STATE_JOINTS;
}
/* Loads the masks of joints from `first` on. Bits behind the last joint may be anything. */
static inline uint64_t clip_load_mask(const unsigned char *masks, size_t elements, size_t first) {
  const size_t joints = clip_state_joints(elements, first);
  return joints == CLIP_STATE_JOINTS ? load_u64(masks + first / 4)
                                     : load_little(masks + first / 4, (joints + 3) / 4);
}
/* Loads bits of joints from `first` on, from a mask with one bit for each joint. */
static inline uint64_t clip_load_bits(const unsigned char *bits, size_t elements, size_t first) {
  return load_little(bits + first / 8, (clip_state_joints(elements, first) + 7) / 8);
}

/* Finds the states of `joints` joints. keyed: a bit for each joint; 1 makes a constant curve a keyed one. */
clip_states quatsimd_clip_split_states(uint64_t masks, uint64_t keyed, size_t joints);
/* Finds the states of up to CLIP_STATE_JOINTS joints from `first` on. */
clip_states quatsimd_clip_load_states(const quatsimd_clip_part *part, size_t elements, size_t first);
/* Adds the number of curves in each state to the part's numbers. */
void quatsimd_clip_count_states(quatsimd_clip_part *part, const clip_states *states);

#endif
