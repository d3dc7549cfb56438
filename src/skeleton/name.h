/* Names are UTF-8 with a NUL at the end. These functions have their own loops, since the library calls only
 * mem* of string.h. */
#ifndef QUATSIMD_SKELETON_NAME_H
#define QUATSIMD_SKELETON_NAME_H

#include <stddef.h>

/* Returns the bytes of the name at p, including its NUL. Returns 0 if it does not end within `most` bytes or
 * is not UTF-8 by RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. Reads no byte behind
 * the NUL. */
size_t quatsimd_name_bytes(const unsigned char *p, size_t most);

/* Compares names byte by byte: negative, 0 or positive if a is before b, equal to it, or behind it. */
int quatsimd_name_compare(const unsigned char *a, const unsigned char *b);

#endif
