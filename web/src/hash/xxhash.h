/* In place of third_party/xxhash, whose functions would be in each source that calls them. stream_hash.c has
 * the one that streams need. */
#include <stddef.h>
#include <stdint.h>

uint32_t stream_hash(const void *bytes, size_t size, uint32_t seed);
#define XXH32 stream_hash
