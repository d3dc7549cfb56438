/* Measures and compares names, which are UTF-8 with a NUL at the end. The functions do without string.h,
 * because the library calls only mem* of it. */
#ifndef QUATSIMD_SKELETON_NAME_H
#define QUATSIMD_SKELETON_NAME_H

#include <stddef.h>

/* Returns the size in bytes of the name at p, with its NUL. Returns 0 if the name is not UTF-8 by RFC 3629 or
 * does not end within `most` bytes. Reads no byte behind the NUL. */
size_t quatsimd_name_bytes(const unsigned char *p, size_t most);

/* Compares names byte by byte, as strcmp does. */
int quatsimd_name_compare(const unsigned char *a, const unsigned char *b);

#endif
