/* Opens bundles of version 1, which have one checksum of all bytes, and names in records. */
#include "bundle/layout.h"
#include "skeleton/name.h"

enum { AT_SIZE = CONTAINER_AT_SIZE, AT_CLIPS = 12, AT_SETTINGS = 16, AT_SKELETON = 20 };

/* Checks that records follow each other from records_at on, and that their names are sorted. */
static bool check_records(const quatsimd_bundle *b, size_t records_at) {
  const unsigned char *before = NULL;
  if (bundle_record_at(b, 0) != records_at) return false;
  for (size_t i = 0; i < b->clips; i++) {
    const size_t at = bundle_record_at(b, i), end = bundle_record_at(b, i + 1);
    const unsigned char *name = b->records + at;
    if (end < at || end > b->records_end || quatsimd_name_bytes(name, end - at) == 0 ||
        (before && quatsimd_name_compare(before, name) >= 0))
      return false;
    before = name;
  }
  return true;
}

quatsimd_status quatsimd_bundle_open_former(quatsimd_bundle *b) {
  clip_reader reader = {b->data, b->size, true};
  const unsigned char *head = clip_take(&reader, BUNDLE_HEAD);
  if (!head || load_u32(head + AT_SIZE) != b->size || !container_is_whole(b->data, b->size))
    return QUATSIMD_ERROR_DAMAGED_BUNDLE;
  b->clips = load_u32(head + AT_CLIPS), b->settings = load_u32(head + AT_SETTINGS);
  b->records = b->data, b->records_end = load_u32(head + AT_SKELETON);
  if (b->clips > QUATSIMD_BUNDLE_MOST || b->records_end > b->size) return QUATSIMD_ERROR_DAMAGED_BUNDLE;
  b->skeleton = b->data + b->records_end, b->skeleton_size = b->size - b->records_end;
  b->record_bytes = b->size <= 1 << 24 ? 3 : 4;
  if (!quatsimd_bundle_open_its_skeleton(b) || !quatsimd_bundle_open_settings(b, &reader))
    return QUATSIMD_ERROR_DAMAGED_BUNDLE;
  b->index = clip_take(&reader, (uint64_t)b->record_bytes * b->clips);
  return b->index && check_records(b, (size_t)(reader.at - b->data)) ? QUATSIMD_OK
                                                                     : QUATSIMD_ERROR_DAMAGED_BUNDLE;
}
