/* Names: UTF-8 with a NUL at the end. Loops of its own: the library calls nothing of string.h but mem*. */
#ifndef QUATSIMD_SKELETON_NAME_H
#define QUATSIMD_SKELETON_NAME_H

#include <stddef.h>

/* Bytes of the name at p, its NUL included. 0 if it does not end within `most` bytes, or is not UTF-8 as
 * RFC 3629 has it: nothing longer than need be, no surrogates, nothing above U+10FFFF. Reads no byte behind
 * the NUL. */
size_t quatsimd_name_bytes(const unsigned char *p, size_t most);

/* Negative, 0 or positive as a comes before b, is b or comes behind it, byte by byte. */
int quatsimd_name_compare(const unsigned char *a, const unsigned char *b);

#endif
