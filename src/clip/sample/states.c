#include "clip/sample/states.h"

clip_states quatsimd_clip_split_states(uint64_t masks, uint64_t keyed, size_t joints) {
  const uint64_t mine =
      joints == CLIP_STATE_JOINTS ? CLIP_EACH_LOW : CLIP_EACH_LOW & (((uint64_t)1 << 2 * joints) - 1);
  const uint64_t low = masks & mine, high = masks >> 1 & mine, own = high & ~low;
  if (keyed) keyed = clip_spread(keyed) & own;
  return (clip_states){low & ~high, mine & ~low & ~high, own & ~keyed, low & high, keyed};
}

clip_states quatsimd_clip_load_states(const quatsimd_clip_part *part, size_t elements, size_t first) {
  const uint64_t masks = part->masks ? clip_load_mask(part->masks, elements, first) : 0,
                 keyed = part->keyed > 0 ? clip_load_bits(part->keyed_mask, elements, first) : 0;
  return quatsimd_clip_split_states(masks, keyed, clip_state_joints(elements, first));
}

void quatsimd_clip_count_states(quatsimd_clip_part *part, const clip_states *states) {
  part->constants += clip_count_bits(states->constant);
  part->moving += clip_count_bits(states->moving);
  part->keyed += clip_count_bits(states->keyed);
  part->curves += clip_count_bits(states->at_rest | states->constant | states->moving | states->keyed);
}
