/* Opening a bundle: all that is read from it later is checked here. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "bundle/layout.h"
#include "skeleton/name.h"

#include "core/arithmetic.h"

uint32_t quatsimd_bundle_checksum(const unsigned char *data, size_t size) {
  return XXH32(data + BUNDLE_AT_SIZE, size - BUNDLE_AT_SIZE, 0);
}

static bool open_skeleton(quatsimd_bundle *b, size_t at) {
  quatsimd_skeleton_storage storage;
  quatsimd_skeleton *skeleton;
  if (at > b->size) return false;
  b->skeleton = b->data + at;
  if (quatsimd_skeleton_open(&skeleton, &storage, sizeof storage, b->skeleton, b->size - at) != QUATSIMD_OK)
    return false;
  b->joints = quatsimd_skeleton_joint_count(skeleton), b->tracks = quatsimd_skeleton_track_count(skeleton);
  b->hash = quatsimd_skeleton_hash(skeleton);
  return true;
}

/* Settings, and of the kinds that these have the usual states. */
static bool open_tables(quatsimd_bundle *b, clip_rest *rest) {
  unsigned flags = 0;
  b->setting = clip_take(rest, (uint64_t)BUNDLE_SETTING * b->settings);
  for (size_t s = 0; b->setting && s < b->settings; s++) flags |= load_u32(b->setting + BUNDLE_SETTING * s);
  if (!b->setting || flags & ~BUNDLE_FLAGS) return false;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    if (!(flags & CLIP_HAS_KIND << kind)) continue;
    b->usual[kind] = clip_take(rest, (bundle_elements(b, kind) + 3) / 4);
    b->varies[kind] = clip_take(rest, (bundle_elements(b, kind) + 7) / 8);
    if (rest->ok) quatsimd_bundle_count_states(b, kind);
  }
  b->offsets = clip_take(rest, (uint64_t)b->offset_bytes * b->clips);
  return rest->ok;
}

/* One record behind the other, without gaps, in the order of their names. */
static bool check_records(quatsimd_bundle *b, size_t records_at) {
  const size_t skeleton_at = bundle_record_at(b, b->clips);
  const unsigned char *name = NULL;
  if (records_at > skeleton_at) return false;
  for (size_t i = 0, end = records_at; i <= b->clips; i++) {
    const size_t at = bundle_record_at(b, i), behind = i < b->clips ? bundle_record_at(b, i + 1) : at;
    bundle_reading read;
    if (at != end || behind < at || behind > skeleton_at) return false;
    if (i == b->clips) break;
    const unsigned char *record = b->data + at;
    const size_t bytes = skeleton_name_bytes(record, behind - at);
    if (bytes == 0 || (name && skeleton_compare(name, record) >= 0) ||
        !quatsimd_bundle_read_record(&read, b, record + bytes, behind - at - bytes, true))
      return false;
    name = record, end = behind;
  }
  return true;
}

static bool open_all(quatsimd_bundle *b) {
  clip_rest rest = {b->data, b->size, true};
  const unsigned char *head = clip_take(&rest, BUNDLE_HEAD);
  if (!head || load_u32(head + BUNDLE_AT_SIZE) != b->size ||
      load_u32(head + BUNDLE_AT_CHECKSUM) != quatsimd_bundle_checksum(b->data, b->size))
    return false;
  b->clips = load_u32(head + BUNDLE_AT_CLIPS), b->settings = load_u32(head + BUNDLE_AT_SETTINGS);
  b->offset_bytes = bundle_offset_bytes(b->size);
  return b->clips <= QUATSIMD_BUNDLE_MOST && b->settings <= b->clips &&
         open_skeleton(b, load_u32(head + BUNDLE_AT_SKELETON)) && open_tables(b, &rest) &&
         check_records(b, (size_t)(rest.at - b->data));
}

_Static_assert(sizeof(quatsimd_bundle) <= sizeof(quatsimd_bundle_storage), "an opened bundle does not fit");
/* i386 aligns no type to more than 4 */
_Static_assert(_Alignof(quatsimd_bundle) <= _Alignof(quatsimd_bundle_storage),
               "an opened bundle needs more than its storage's alignment");

size_t quatsimd_bundle_memory_size(void) { return sizeof(quatsimd_bundle); }

static quatsimd_status check_magic(const unsigned char *data, size_t size) {
  if (size < 4 || memcmp(data, "QSB", 3) != 0 || data[3] < BUNDLE_VERSION) return QUATSIMD_ERROR_NOT_A_BUNDLE;
  return data[3] > BUNDLE_VERSION ? QUATSIMD_ERROR_LATER_VERSION : QUATSIMD_OK;
}

quatsimd_status quatsimd_bundle_peek_size(size_t *length, const void *data, size_t size) {
  if (!length || (!data && size)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  const quatsimd_status status = check_magic(data, size);
  if (status != QUATSIMD_OK) return status;
  const size_t found = size < BUNDLE_HEAD ? 0 : load_u32((const unsigned char *)data + BUNDLE_AT_SIZE);
  if (found < BUNDLE_HEAD) return QUATSIMD_ERROR_DAMAGED_BUNDLE;
  *length = found;
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_bundle_open(quatsimd_bundle **bundle, void *memory, size_t memory_size,
                                     const void *data, size_t size) {
  if (!bundle || !memory || (uintptr_t)memory % _Alignof(quatsimd_bundle) != 0 || (!data && size))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (memory_size < sizeof(quatsimd_bundle)) return QUATSIMD_ERROR_SHORT_BUFFER;
  const quatsimd_status status = check_magic(data, size);
  if (status != QUATSIMD_OK) return status;
  quatsimd_bundle opened = {.data = data, .size = size};
  if (!open_all(&opened)) return QUATSIMD_ERROR_DAMAGED_BUNDLE;
  *bundle = memcpy(memory, &opened, sizeof opened);
  return QUATSIMD_OK;
}
