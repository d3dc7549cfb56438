/* What a cursor keeps between samples. */
#ifndef QUATSIMD_CLIP_CURSOR_H
#define QUATSIMD_CLIP_CURSOR_H

#include "clip/sample/groups.h"
#include "clip/sample/output.h"

/* What a cursor keeps of a kind: a block's groups, unpacked, and all that is the same at any time. */
typedef struct clip_kept {
  size_t block; /* that the groups are of, counted from 1 */
  size_t step;  /* that their offsets are for */
  quatsimd_clip_group *group;
  float (*value)[4]; /* of curves that neither move nor have keys */
  uint32_t *joint;   /* theirs */
  size_t values;
} clip_kept;

struct quatsimd_clip_cursor {
  const unsigned char *data; /* of the clip, */
  uint32_t checksum;         /* and which one that is: memory may have held another before */
  clip_kept kind[QUATSIMD_CLIP_KINDS];
};

static inline bool clip_is_cursor_of(const quatsimd_clip_cursor *cursor, const quatsimd_clip *clip) {
  return cursor->data == clip->data && cursor->checksum == clip_get32(clip->data + CLIP_AT_CHECKSUM);
}

/* The groups of a block, unpacked, if they are not, with offsets for this stride. */
const quatsimd_clip_group *quatsimd_clip_cursor_groups(clip_kept *k, const quatsimd_clip *clip, int kind,
                                                       const clip_position *p, size_t step);

#endif
