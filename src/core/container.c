#include "core/container.h"
#include "core/hash.h"

uint32_t quatsimd_container_hash(const unsigned char *data, size_t size) {
  return XXH32(data, data ? size : 0, 0);
}

quatsimd_status quatsimd_container_check(const container_kind *kind, const unsigned char *data, size_t size) {
  if (size < 4 || memcmp(data, kind->letters, 3) != 0 || data[3] < kind->oldest) return kind->foreign;
  return data[3] > kind->newest ? QUATSIMD_ERROR_LATER_VERSION : QUATSIMD_OK;
}

quatsimd_status quatsimd_container_peek(const container_kind *kind, size_t *length, const void *data,
                                        size_t size) {
  const unsigned char *head = data;
  if (!length || (!data && size)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (!data) return kind->foreign;
  const quatsimd_status status = quatsimd_container_check(kind, head, size);
  if (status != QUATSIMD_OK) return status;
  if (size < kind->head) return kind->damaged;
  const uint64_t found = load_little(head + CONTAINER_AT_SIZE, kind->wide && head[3] >= kind->wide ? 8 : 4);
  if (found < kind->head) return kind->damaged;
  if (found > SIZE_MAX) return QUATSIMD_ERROR_NO_MEMORY;
  *length = (size_t)found;
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_container_begin(const container_kind *kind, const void *opened, const void *memory,
                                         size_t memory_size, const void *data, size_t size) {
  if (!opened || !memory || (uintptr_t)memory % kind->alignment != 0 || (!data && size))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (memory_size < kind->memory_size) return QUATSIMD_ERROR_SHORT_BUFFER;
  return quatsimd_container_check(kind, data, size);
}
