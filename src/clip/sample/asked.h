/* The joints of a range that the caller asks for. */
#ifndef QUATSIMD_CLIP_ASKED_H
#define QUATSIMD_CLIP_ASKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ASKED_JOINTS = 2048, ASKED_WORD = 32 };

typedef struct clip_asked {
  size_t first, end; /* the range; no joint outside it is asked for */
  bool repeated;     /* some joints are asked for more than once, by these elements or others */
  size_t from;       /* the first element */
  uint32_t bits[ASKED_JOINTS / ASKED_WORD],
      element[ASKED_JOINTS]; /* the element of each joint that has a bit */
} clip_asked;

/* True if this joint is asked for. Any number is allowed. */
static inline bool clip_is_asked(const clip_asked *asked, size_t joint) {
  const size_t i = joint - asked->first;
  return joint < asked->end && i < ASKED_JOINTS /* huge if the joint is before the first */ &&
         asked->bits[i / ASKED_WORD] >> i % ASKED_WORD & 1;
}
static inline size_t clip_asked_element(const clip_asked *asked, size_t joint) {
  return asked->from + asked->element[joint - asked->first];
}

#endif
