/* docs/clip-format.md, section by section. */
#include "clips/size.h"

#include <stdlib.h>
#include <string.h>

#include "clip/sample/open.h"
#include "base/text.h"

/* Profiles, codes and what they are of: channels, or frames one by one. */
static void add_block(const quatsimd_clip *clip, int kind, size_t block, double *curve) {
  const quatsimd_clip_part *part = &clip->part[kind];
  const size_t inner = clip_block_start(block + 1, clip->frames) - clip_block_start(block, clip->frames) - 1;
  const unsigned char *codes = part->blocks + (block ? clip_block_end(clip, kind, block - 1) : 0);
  const unsigned char *profile = codes + (part->moving + 1) / 2,
                      *payload = profile + CLIP_AXES * part->moving;
  for (size_t first = 0; first < part->moving; first += CLIP_GROUP) {
    const size_t curves = clip_curves(part->moving, first / CLIP_GROUP);
    for (size_t i = 0; i < CLIP_AXES * curves; i++) {
      curve[first + i % curves] += 1 + quatsimd_clip_bytes[profile[i]];
      payload += quatsimd_clip_bytes[profile[i]];
    }
    for (size_t i = 0; i < curves; i++) {
      curve[first + i] += 0.5;
      if (clip_code(codes, first + i) != CLIP_RAW) continue;
      const size_t raw = clip_raw_bytes(payload, inner);
      curve[first + i] += (double)raw;
      payload += raw;
    }
    profile += CLIP_AXES * curves;
  }
}

static void add_moving(const quatsimd_clip *clip, int kind, double *curve, double *bytes) {
  const quatsimd_clip_part *part = &clip->part[kind];
  const size_t blocks = clip->frames > 1 ? clip_blocks(clip->frames) : 0,
               slot = clip_slot_bytes(clip->joints);
  const size_t base = kind != QUATSIMD_CLIP_ROTATION ? 12 : clip->flags & CLIP_HAS_AXES ? 8 : 4;
  memset(curve, 0, part->moving * sizeof *curve);
  for (size_t b = 0; part->moving && b < blocks; b++) add_block(clip, kind, b, curve);
  for (size_t i = 0; i < part->moving; i++) {
    const unsigned char *width = part->widths + CLIP_AXES * (i / CLIP_GROUP);
    const double knot = (width[0] + width[1] + width[2]) / 8.0;
    bytes[clip_slot(part->slots, slot, i)] +=
        curve[i] + knot * (double)(blocks + 1) + (double)(base + slot + (part->units ? 1 : 0));
  }
}

static void add_still(const quatsimd_clip *clip, int kind, double *bytes) {
  const quatsimd_clip_part *part = &clip->part[kind];
  const unsigned char *head = part->keys;
  for (size_t j = 0; j < clip->joints; j++) {
    const unsigned state = clip_state(part->masks, j);
    if (state == CLIP_CONST) bytes[j] += (double)clip_constant_bytes(kind, clip_precision(clip));
    if (state != CLIP_KEYED) continue;
    const clip_keys keys = clip_keys_at(clip, kind, head);
    bytes[j] += (double)(clip_keys_end(&keys) - head);
    head = clip_keys_end(&keys);
  }
}

double clip_size_by_joint(const quatsimd_clip *clip, double *bytes) {
  double common = (double)clip->size, *curve = memory_get(clip->joints, sizeof *curve);
  memset(bytes, 0, clip->joints * sizeof *bytes);
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
    if (!clip->part[kind].masks) continue;
    add_moving(clip, kind, curve, bytes);
    add_still(clip, kind, bytes);
  }
  for (size_t j = 0; j < clip->joints; j++) common -= bytes[j];
  free(curve);
  return common;
}
