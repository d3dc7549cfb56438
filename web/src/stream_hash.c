/* The hash of streams, once. */
#define XXH_INLINE_ALL
#define XXH_FORCE_ALIGN_CHECK 0
#include "../../third_party/xxhash/xxhash.h"

uint32_t stream_hash(const void *bytes, size_t size, uint32_t seed);
uint32_t stream_hash(const void *bytes, size_t size, uint32_t seed) { return XXH32(bytes, size, seed); }
