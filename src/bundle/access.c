/* Reads the names, the skeleton, the clips and the record of the making from an opened bundle. */
#include "bundle/layout.h"
#include "skeleton/name.h"

size_t quatsimd_bundle_clip_count(const quatsimd_bundle *bundle) { return bundle ? bundle->clips : 0; }
uint64_t quatsimd_bundle_skeleton_hash(const quatsimd_bundle *bundle) { return bundle ? bundle->hash : 0; }

const char *quatsimd_bundle_clip_name(const quatsimd_bundle *bundle, size_t clip) {
  return bundle && clip < bundle->clips ? (const char *)bundle_name(bundle, clip) : NULL;
}

int64_t quatsimd_bundle_find_clip(const quatsimd_bundle *bundle, const char *name) {
  if (!bundle || !name) return -1;
  size_t low = 0, high = bundle->clips;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int compared = quatsimd_name_compare(bundle_name(bundle, middle), (const unsigned char *)name);
    if (compared == 0) return (int64_t)middle;
    if (compared < 0) low = middle + 1;
    else high = middle;
  }
  return -1;
}

quatsimd_status quatsimd_bundle_open_skeleton(const quatsimd_bundle *bundle, quatsimd_skeleton **skeleton,
                                              void *memory, size_t memory_size) {
  if (!bundle) return QUATSIMD_ERROR_BAD_ARGUMENT;
  return quatsimd_skeleton_open(skeleton, memory, memory_size, bundle->skeleton, bundle->skeleton_size);
}

/* ---- clips ---- */

/* A clip's record, without the name (bundles of version 1) or the record's version (version 2) before it. */
typedef struct record {
  const unsigned char *at;
  size_t size;
} record;

static record record_of(const quatsimd_bundle *b, size_t number) {
  const size_t at = bundle_record_at(b, number);
  const unsigned char *begin = b->records + at;
  const size_t size = bundle_record_at(b, number + 1) - at,
               before = b->version == 1 ? quatsimd_name_bytes(begin, size) : 1;
  return (record){begin + before, size - before};
}

quatsimd_status quatsimd_bundle_look(const quatsimd_bundle *b, size_t number, bool trusted,
                                     bundle_reading *r) {
  const record of_clip = record_of(b, number);
  if (b->version > 1) {
    const unsigned char *versioned = of_clip.at - 1,
                        *checksum = bundle_index(b, number) + b->name_bytes + b->record_bytes;
    if (!trusted && quatsimd_container_hash(versioned, of_clip.size + 1) != load_u32(checksum))
      return QUATSIMD_ERROR_DAMAGED_CLIP;
    if (*versioned > BUNDLE_RECORD_VERSION) return QUATSIMD_ERROR_LATER_VERSION;
    if (*versioned < BUNDLE_RECORD_VERSION) return QUATSIMD_ERROR_DAMAGED_CLIP;
  }
  if (!quatsimd_bundle_read_record(r, b, of_clip.at, of_clip.size, true)) return QUATSIMD_ERROR_DAMAGED_CLIP;
  r->opening.events = quatsimd_bundle_events_of(b, number);
  if (r->opening.events.count > 0) r->memory_size += (sizeof r->opening.events + 7) / 8 * 8;
  return QUATSIMD_OK;
}

size_t quatsimd_bundle_clip_memory_size(const quatsimd_bundle *bundle, size_t number) {
  bundle_reading r;
  if (!bundle || number >= bundle->clips ||
      quatsimd_bundle_look(bundle, number, bundle->trusted, &r) != QUATSIMD_OK)
    return 0;
  return r.memory_size;
}

quatsimd_status quatsimd_bundle_open_clip(const quatsimd_bundle *bundle, size_t number, quatsimd_clip **clip,
                                          void *memory, size_t memory_size) {
  bundle_reading r;
  if (!bundle || !clip || !memory || (uintptr_t)memory % _Alignof(quatsimd_clip_storage) != 0 ||
      number >= bundle->clips)
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  const quatsimd_status status = quatsimd_bundle_look(bundle, number, bundle->trusted, &r);
  if (status != QUATSIMD_OK) return status;
  if (memory_size < r.memory_size) return QUATSIMD_ERROR_SHORT_BUFFER;
  quatsimd_bundle_unpack_record(memory, &r);
  *clip = memory;
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_bundle_open_named(const quatsimd_bundle *bundle, const char *name,
                                           quatsimd_clip **clip, void *memory, size_t memory_size) {
  if (!bundle || !name) return QUATSIMD_ERROR_BAD_ARGUMENT;
  const int64_t number = quatsimd_bundle_find_clip(bundle, name);
  if (number < 0) return QUATSIMD_ERROR_NO_SUCH_CLIP;
  return quatsimd_bundle_open_clip(bundle, (size_t)number, clip, memory, memory_size);
}

/* ---- the record of making ---- */

quatsimd_status quatsimd_bundle_making(const quatsimd_bundle *bundle, const void **making,
                                       size_t *making_size) {
  if (!bundle || !making || !making_size) return QUATSIMD_ERROR_BAD_ARGUMENT;
  const bundle_section section = quatsimd_bundle_section(bundle, SECTION_MAKING);
  if (section.at && !bundle_section_is_whole(&section)) return QUATSIMD_ERROR_DAMAGED_BUNDLE;
  *making = section.at, *making_size = section.size;
  return QUATSIMD_OK;
}
