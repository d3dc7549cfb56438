/* Names: UTF-8 with a NUL at the end. Loops of its own: the library calls nothing of string.h but mem*. */
#ifndef QUATSIMD_SKELETON_NAME_H
#define QUATSIMD_SKELETON_NAME_H

#include <stddef.h>

/* Bytes of the name at p, its NUL included. 0 if it does not end within `most` bytes, or is not UTF-8 as
 * RFC 3629 has it: nothing longer than need be, no surrogates, nothing above U+10FFFF. Reads no byte behind
 * the NUL. */
static inline size_t skeleton_name_bytes(const unsigned char *p, size_t most) {
  size_t i = 0;
  while (i < most) {
    const unsigned first = p[i++];
    if (first == 0) return i;
    if (first < 0x80) continue;
    if (first < 0xc2 || first > 0xf4) return 0;
    const unsigned more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    unsigned low = first == 0xe0   ? 0xa0
                   : first == 0xf0 ? 0x90
                                   : 0x80,
             high = first == 0xed   ? 0x9f
                    : first == 0xf4 ? 0x8f
                                    : 0xbf;
    for (unsigned k = 0; k < more; k++) {
      if (i == most || p[i] < low || p[i] > high) return 0;
      i++, low = 0x80, high = 0xbf;
    }
  }
  return 0;
}

/* Negative, 0 or positive as a comes before b, is b or comes behind it, byte by byte. */
static inline int skeleton_compare(const unsigned char *a, const unsigned char *b) {
  while (*a && *a == *b) a++, b++;
  return *a - *b;
}

#endif
