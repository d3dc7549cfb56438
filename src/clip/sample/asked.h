/* The joints that the caller asks for, in a range of joints. */
#ifndef QUATSIMD_CLIP_ASKED_H
#define QUATSIMD_CLIP_ASKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ASKED_JOINTS = 2048, ASKED_WORD = 32 };

typedef struct clip_asked {
  size_t first, end; /* the range; `bits` has only joints of the range */
  bool repeated;     /* some joint of the range is asked for more than once */
  size_t from;       /* the output's element for the first joint of sample_some's list */
  uint32_t bits[ASKED_JOINTS / ASKED_WORD],
      element[ASKED_JOINTS]; /* [joint - first]: the output's element for the joint, minus `from` */
} clip_asked;

/* `joint` may be any number, also outside the range. */
static inline bool clip_is_asked(const clip_asked *asked, size_t joint) {
  const size_t i = joint - asked->first;
  return joint < asked->end && i < ASKED_JOINTS /* i is huge for a joint before `first` */ &&
         asked->bits[i / ASKED_WORD] >> i % ASKED_WORD & 1;
}
static inline size_t clip_asked_element(const clip_asked *asked, size_t joint) {
  return asked->from + asked->element[joint - asked->first];
}

#endif
