/* What a cursor keeps between samples. */
#ifndef QUATSIMD_CLIP_CURSOR_H
#define QUATSIMD_CLIP_CURSOR_H

#include "clip/sample/groups.h"
#include "clip/sample/output.h"

/* What a cursor keeps of a kind: a block's groups, unpacked, and the constants. Tracks are sampled
 * without. */
typedef struct clip_kept {
  size_t block;  /* that the groups are of, counted from 1 */
  size_t stride; /* that their offsets are for; 0: there are none */
  quatsimd_clip_group *group;
  float (*value)[4]; /* of constants */
  uint32_t *joint;   /* theirs */
  size_t values;
} clip_kept;

struct quatsimd_clip_cursor {
  /* Which clip it is of. The clip's memory may hold another one now, of another checksum; and if that was
   * made to have the same checksum, the numbers of joints and curves say that there is room for it. */
  const unsigned char *data;
  uint32_t checksum;
  size_t joints, moving[QUATSIMD_CLIP_JOINT_KINDS];
  clip_kept kind[QUATSIMD_CLIP_JOINT_KINDS];
};

static inline bool clip_is_cursor_of(const quatsimd_clip_cursor *cursor, const quatsimd_clip *clip) {
  bool same = cursor->data == clip->data && cursor->joints == clip->joints && cursor->checksum == clip->check;
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KINDS; kind++)
    same = same && cursor->moving[kind] == clip->part[kind].moving;
  return same;
}

/* Unpacks the groups of a block, and gives them offsets for this stride. */
void quatsimd_clip_cursor_fill(clip_kept *k, const quatsimd_clip *clip, int kind, const clip_position *p,
                               size_t stride);

/* The groups of a block, unpacked, with offsets for this stride: most samples find them so. */
static inline const quatsimd_clip_group *clip_cursor_groups(clip_kept *k, const quatsimd_clip *clip, int kind,
                                                            const clip_position *p, size_t stride) {
  if (k->block != p->block + 1 || k->stride != stride) quatsimd_clip_cursor_fill(k, clip, kind, p, stride);
  return k->group;
}

#endif
