/* Which joints are asked for, among some in a row. */
#ifndef QUATSIMD_CLIP_ASKED_H
#define QUATSIMD_CLIP_ASKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ASKED_JOINTS = 2048, ASKED_WORD = 32 };

typedef struct clip_asked {
  size_t first, end; /* joints; none is asked for from `end` on, or before `first` */
  bool repeated;     /* some are asked for more than once, by the elements here and others */
  size_t from;       /* elements are counted from here on */
  uint32_t bits[ASKED_JOINTS / ASKED_WORD], element[ASKED_JOINTS]; /* of joints with a bit alone */
} clip_asked;

/* Is this joint asked for? Any number may be one. */
static inline bool clip_is_asked(const clip_asked *asked, size_t joint) {
  const size_t i = joint - asked->first;
  return joint < asked->end && i < ASKED_JOINTS /* before the first it is huge */ &&
         asked->bits[i / ASKED_WORD] >> i % ASKED_WORD & 1;
}
static inline size_t clip_asked_element(const clip_asked *asked, size_t joint) {
  return asked->from + asked->element[joint - asked->first];
}

#endif
