/* Measures and compares names, which are UTF-8 with a NUL at the end. The functions have their own loops,
 * since the library calls only mem* of string.h. */
#ifndef QUATSIMD_SKELETON_NAME_H
#define QUATSIMD_SKELETON_NAME_H

#include <stddef.h>

/* Returns the number of bytes of the name at p, with its NUL. Returns 0 if the name does not end within
 * `most` bytes or is not UTF-8 by RFC 3629, which has no overlong forms, no surrogates and nothing above
 * U+10FFFF. Reads no byte behind the NUL. */
size_t quatsimd_name_bytes(const unsigned char *p, size_t most);

/* Compares names byte by byte. Returns a negative number if a comes before b, 0 if they are equal, else a
 * positive number. */
int quatsimd_name_compare(const unsigned char *a, const unsigned char *b);

#endif
