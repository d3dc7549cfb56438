/* Includes xxHash with its functions inline. */
#ifndef QUATSIMD_CORE_HASH_H
#define QUATSIMD_CORE_HASH_H

#include "core/compiler.h"

#if defined _MSC_VER && defined QUATSIMD_AARCH64
#include <arm_neon.h> /* which xxHash uses there without including it */
#endif

#define XXH_INLINE_ALL
#include <xxhash.h>

#endif
