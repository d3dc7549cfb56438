/* Access to the parts of an opened bundle. */
#include "bundle/layout.h"
#include "skeleton/name.h"

size_t quatsimd_bundle_clip_count(const quatsimd_bundle *bundle) { return bundle ? bundle->clips : 0; }
uint64_t quatsimd_bundle_skeleton_hash(const quatsimd_bundle *bundle) { return bundle ? bundle->hash : 0; }
size_t quatsimd_bundle_clip_memory_size(const quatsimd_bundle *bundle) {
  return bundle ? bundle->clip_size : 0;
}

const char *quatsimd_bundle_clip_name(const quatsimd_bundle *bundle, size_t clip) {
  return bundle && clip < bundle->clips ? (const char *)bundle_record(bundle, clip) : NULL;
}

int64_t quatsimd_bundle_find_clip(const quatsimd_bundle *bundle, const char *name) {
  if (!bundle || !name) return -1;
  size_t low = 0, high = bundle->clips;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int compared = skeleton_compare(bundle_record(bundle, middle), (const unsigned char *)name);
    if (compared == 0) return (int64_t)middle;
    if (compared < 0) low = middle + 1;
    else high = middle;
  }
  return -1;
}

quatsimd_status quatsimd_bundle_open_skeleton(const quatsimd_bundle *bundle, quatsimd_skeleton **skeleton,
                                              void *memory, size_t memory_size) {
  if (!bundle) return QUATSIMD_ERROR_BAD_ARGUMENT;
  return quatsimd_skeleton_open(skeleton, memory, memory_size, bundle->skeleton,
                                bundle->size - (size_t)(bundle->skeleton - bundle->data));
}

quatsimd_status quatsimd_bundle_open_clip(const quatsimd_bundle *bundle, size_t number, quatsimd_clip **clip,
                                          void *memory, size_t memory_size) {
  if (!bundle || !clip || !memory || (uintptr_t)memory % _Alignof(quatsimd_clip_storage) != 0 ||
      number >= bundle->clips)
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (memory_size < bundle->clip_size) return QUATSIMD_ERROR_SHORT_BUFFER;
  const unsigned char *at = bundle_record(bundle, number), *const end = bundle_record(bundle, number + 1);
  quatsimd_clip *opened = memory;
  size_t tables;
  at += skeleton_name_bytes(at, (size_t)(end - at));
  quatsimd_bundle_read_record(bundle, at, (size_t)(end - at), opened, (unsigned char *)(opened + 1), &tables);
  *clip = opened;
  return QUATSIMD_OK;
}
