/* Access to the parts of an opened bundle. */
#include "bundle/layout.h"
#include "skeleton/name.h"

size_t quatsimd_bundle_clip_count(const quatsimd_bundle *bundle) { return bundle ? bundle->clips : 0; }
uint64_t quatsimd_bundle_skeleton_hash(const quatsimd_bundle *bundle) { return bundle ? bundle->hash : 0; }

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

/* Reads the record of a clip, which was checked when the bundle was opened. */
static bool read_clip(bundle_reading *r, const quatsimd_bundle *bundle, size_t number) {
  const unsigned char *at = bundle_record(bundle, number), *const end = bundle_record(bundle, number + 1);
  at += skeleton_name_bytes(at, (size_t)(end - at));
  return quatsimd_bundle_read_record(r, bundle, at, (size_t)(end - at), false);
}

size_t quatsimd_bundle_clip_memory_size(const quatsimd_bundle *bundle, size_t number) {
  bundle_reading r;
  return bundle && number < bundle->clips && read_clip(&r, bundle, number) ? r.memory_size : 0;
}

quatsimd_status quatsimd_bundle_open_clip(const quatsimd_bundle *bundle, size_t number, quatsimd_clip **clip,
                                          void *memory, size_t memory_size) {
  bundle_reading r;
  if (!bundle || !clip || !memory || (uintptr_t)memory % _Alignof(quatsimd_clip_storage) != 0 ||
      number >= bundle->clips || !read_clip(&r, bundle, number))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (memory_size < r.memory_size) return QUATSIMD_ERROR_SHORT_BUFFER;
  quatsimd_bundle_unpack_record(memory, &r);
  *clip = memory;
  return QUATSIMD_OK;
}
