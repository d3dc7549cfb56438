#include "clips/sections.h"

#include "clip/sample/open.h"

static void measure_block(const quatsimd_clip *clip, int kind, size_t block, struct clip_sections *s) {
  const size_t moving = clip->part[kind].moving, codes_size = (moving + 1) / 2 + CLIP_AXES * moving;
  const size_t inner = clip_block_start(block + 1, clip->frames) - clip_block_start(block, clip->frames) - 1;
  const unsigned char *codes = clip->part[kind].blocks + (block ? clip_block_end(clip, kind, block - 1) : 0);
  const unsigned char *profile = codes + (moving + 1) / 2, *at = codes + codes_size;
  s->bytes[CLIP_CODES][kind] += codes_size;
  for (size_t first = 0; first < moving; first += CLIP_GROUP) {
    const size_t curves = clip_curves(moving, first / CLIP_GROUP);
    const unsigned char *const channels = at;
    for (size_t i = 0; i < CLIP_AXES * curves; i++) at += quatsimd_clip_bytes[*profile++];
    const unsigned char *const raws = at;
    for (size_t i = 0; i < curves; i++)
      if (clip_code(codes, first + i) == CLIP_RAW) at += clip_raw_bytes(at, inner);
    s->bytes[CLIP_COEFFICIENTS][kind] += (size_t)(raws - channels);
    s->bytes[CLIP_RAWS][kind] += (size_t)(at - raws);
  }
}

static void measure_moving(const quatsimd_clip *clip, int kind, struct clip_sections *s) {
  const quatsimd_clip_part *part = &clip->part[kind];
  const size_t groups = (part->moving + CLIP_GROUP - 1) / CLIP_GROUP;
  s->blocks = clip_blocks(clip->frames);
  s->bytes[CLIP_PLANS][kind] =
      4 + CLIP_AXES * groups + s->blocks * clip_end_bytes(clip, kind) + (part->units ? part->moving : 0);
  for (size_t b = 0; b < s->blocks; b++) measure_block(clip, kind, b, s);
  s->bytes[CLIP_KNOTS][kind] = (s->blocks + 1) * part->row;
  s->bytes[CLIP_BASES][kind] = (size_t)(part->slots - part->bases);
  s->bytes[CLIP_SLOTS][kind] = (size_t)(part->constant - part->slots);
}

/* Returns where the kind's last section ends. */
static const unsigned char *measure_kind(const quatsimd_clip *clip, int kind, struct clip_sections *s) {
  const quatsimd_clip_part *part = &clip->part[kind];
  const unsigned char *end = part->keys;
  s->bytes[CLIP_MASKS][kind] = (clip->joints + 3) / 4;
  if (part->moving) measure_moving(clip, kind, s);
  s->bytes[CLIP_CONSTANTS][kind] = part->constants * clip_constant_bytes(kind, clip_precision(clip));
  for (size_t i = 0; i < part->keyed; i++) {
    const clip_keys keys = clip_keys_at(clip, kind, end);
    end = clip_keys_end(&keys);
  }
  s->bytes[CLIP_KEYS][kind] = (size_t)(end - part->keys);
  return end;
}

void clip_sections_measure(struct clip_sections *s, const quatsimd_clip *clip) {
  *s = (struct clip_sections){.head = CLIP_HEAD + (clip->flags & CLIP_HAS_START ? 8 : 0),
                              .times = clip->rate == 0 ? 4 * clip->frames : 0};
  const unsigned char *end = clip->data + s->head + s->times;
  for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++)
    if (clip->part[kind].masks) end = measure_kind(clip, kind, s);
  s->padding = (size_t)(clip->data + clip->size - end);
}
