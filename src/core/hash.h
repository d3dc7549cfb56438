/* Includes xxHash with its functions inline. */
#ifndef QUATSIMD_CORE_HASH_H
#define QUATSIMD_CORE_HASH_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#endif
