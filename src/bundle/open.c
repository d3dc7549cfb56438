/* Opens bundles. Checks all that finding a clip relies on. Each clip is checked when it is opened. */
#include "bundle/layout.h"
#include "skeleton/name.h"

const container_kind quatsimd_bundle_kind = {.letters = "QSB",
                                             .oldest = 1,
                                             .newest = BUNDLE_VERSION,
                                             .wide = BUNDLE_VERSION,
                                             .head = BUNDLE_HEAD,
                                             .memory_size = sizeof(quatsimd_bundle),
                                             .alignment = _Alignof(quatsimd_bundle),
                                             .foreign = QUATSIMD_ERROR_NOT_A_BUNDLE,
                                             .damaged = QUATSIMD_ERROR_DAMAGED_BUNDLE};

size_t quatsimd_bundle_checked_end(const unsigned char *data, size_t size) {
  if (size < BUNDLE_HEAD || data[3] == 1) return size < BUNDLE_HEAD ? 0 : size;
  const uint64_t end = BUNDLE_HEAD + (uint64_t)SECTION_ENTRY * load_u32(data + BUNDLE_AT_SECTIONS);
  return end <= size ? (size_t)end : 0;
}

/* ---- sections ---- */

static bool is_known(unsigned type) {
  const unsigned number = type & ~SECTION_REQUIRED;
  return number >= SECTION_SKELETON && number < SECTION_END &&
         (type & SECTION_REQUIRED) == (number <= SECTION_CLIPS ? SECTION_REQUIRED : 0);
}

/* Finds sections by their types. Checks that they follow each other in the order of types. */
static quatsimd_status find_sections(const quatsimd_bundle *b, bundle_section *section) {
  const size_t count = load_u32(b->data + BUNDLE_AT_SECTIONS);
  uint64_t end = BUNDLE_HEAD + SECTION_ENTRY * (uint64_t)count;
  bool later = false;
  for (size_t i = 0, before = 0; i < count; i++) {
    const unsigned char *entry = b->data + BUNDLE_HEAD + SECTION_ENTRY * i;
    const unsigned type = load_u32(entry + SECTION_AT_TYPE);
    const uint64_t place = load_u64(entry + SECTION_AT_PLACE), size = load_u64(entry + SECTION_AT_SIZE);
    if ((type & ~SECTION_REQUIRED) <= before || place != bundle_align(end) || place > b->size ||
        size > b->size - place)
      return QUATSIMD_ERROR_DAMAGED_BUNDLE;
    if (is_known(type))
      section[type & ~SECTION_REQUIRED] =
          (bundle_section){b->data + place, (size_t)size, load_u32(entry + SECTION_AT_CHECKSUM)};
    else later = later || type & SECTION_REQUIRED;
    end = place + size, before = type & ~SECTION_REQUIRED;
  }
  if (end != b->size) return QUATSIMD_ERROR_DAMAGED_BUNDLE;
  return later ? QUATSIMD_ERROR_LATER_VERSION : QUATSIMD_OK;
}

bundle_section quatsimd_bundle_section(const quatsimd_bundle *b, unsigned type) {
  bundle_section section[SECTION_END] = {{NULL, 0, 0}};
  if (b->version > 1) find_sections(b, section);
  return section[type];
}

static bool open_settings(quatsimd_bundle *b, const bundle_section *section) {
  clip_reader reader = {section->at, section->size, true};
  const unsigned char *count = clip_take(&reader, 4);
  if (!count) return false;
  b->settings = load_u32(count);
  return quatsimd_bundle_open_settings(b, &reader) && reader.size == 0;
}

/* Checks the index: names are sorted, without gaps, and offsets of records increase from 0. */
static bool check_index(const quatsimd_bundle *b, size_t names_size) {
  const unsigned char *before = NULL;
  size_t names_end = 0;
  uint64_t record = 0;
  for (size_t i = 0; i < b->clips; i++) {
    const unsigned char *entry = bundle_index(b, i), *name = b->names + names_end;
    const uint64_t at = load_little(entry + b->name_bytes, b->record_bytes);
    if (load_little(entry, b->name_bytes) != names_end || (i == 0 ? at != 0 : at <= record)) return false;
    const size_t bytes = quatsimd_name_bytes(name, names_size - names_end);
    if (bytes == 0 || (before && quatsimd_name_compare(before, name) >= 0)) return false;
    names_end += bytes, before = name, record = at;
  }
  return names_end == names_size && (b->clips ? record < b->records_end : b->records_end == 0);
}

static bool open_index(quatsimd_bundle *b, const bundle_section *section) {
  const bundle_section *clips = &section[SECTION_CLIPS], *names = &section[SECTION_NAMES];
  if (clips->size < BUNDLE_TAIL) return false;
  b->index = section[SECTION_INDEX].at, b->names = names->at, b->records = clips->at;
  b->records_end = clips->size - BUNDLE_TAIL;
  b->name_bytes = (uint8_t)bundle_place_bytes(names->size);
  b->record_bytes = (uint8_t)bundle_place_bytes(clips->size), b->checksum_bytes = 4;
  return section[SECTION_INDEX].size == bundle_index_entry(b) * b->clips && check_index(b, names->size);
}

static quatsimd_status open_sections(quatsimd_bundle *b) {
  bundle_section section[SECTION_END] = {{NULL, 0, 0}};
  const size_t checked = quatsimd_bundle_checked_end(b->data, b->size);
  if (checked == 0 || load_u64(b->data + CONTAINER_AT_SIZE) != b->size ||
      !container_is_whole(b->data, checked))
    return QUATSIMD_ERROR_DAMAGED_BUNDLE;
  const quatsimd_status status = find_sections(b, section);
  if (status != QUATSIMD_OK) return status;
  for (int type = SECTION_SKELETON; type <= SECTION_CLIPS; type++)
    if (!section[type].at ||
        (type != SECTION_SKELETON && type != SECTION_CLIPS && !bundle_section_is_whole(&section[type])))
      return QUATSIMD_ERROR_DAMAGED_BUNDLE;
  b->clips = load_u32(b->data + BUNDLE_AT_CLIPS);
  b->skeleton = section[SECTION_SKELETON].at, b->skeleton_size = section[SECTION_SKELETON].size;
  return b->clips <= QUATSIMD_BUNDLE_MOST && quatsimd_bundle_open_its_skeleton(b) &&
                 open_settings(b, &section[SECTION_SETTINGS]) && open_index(b, section) &&
                 quatsimd_bundle_open_events(b, &section[SECTION_EVENTS]) &&
                 quatsimd_bundle_open_masks(b, &section[SECTION_MASKS])
             ? QUATSIMD_OK
             : QUATSIMD_ERROR_DAMAGED_BUNDLE;
}

/* ---- the whole bundle ---- */

_Static_assert(sizeof(quatsimd_bundle) <= sizeof(quatsimd_bundle_storage), "an opened bundle does not fit");
/* compares the alignments with each other and not with 8, because on i386 both are 4 */
_Static_assert(_Alignof(quatsimd_bundle) <= _Alignof(quatsimd_bundle_storage),
               "an opened bundle needs more than its storage's alignment");

size_t quatsimd_bundle_memory_size(void) { return sizeof(quatsimd_bundle); }

quatsimd_status quatsimd_bundle_peek_size(size_t *length, const void *data, size_t size) {
  return quatsimd_container_peek(&quatsimd_bundle_kind, length, data, size);
}

quatsimd_status quatsimd_bundle_open(quatsimd_bundle **bundle, void *memory, size_t memory_size,
                                     const void *data, size_t size) {
  quatsimd_status status =
      quatsimd_container_begin(&quatsimd_bundle_kind, bundle, memory, memory_size, data, size);
  if (status != QUATSIMD_OK) return status;
  quatsimd_bundle opened = {.data = data, .size = size};
  opened.version = opened.data[3];
  status = opened.version == 1 ? quatsimd_bundle_open_former(&opened) : open_sections(&opened);
  if (status == QUATSIMD_OK) *bundle = memcpy(memory, &opened, sizeof opened);
  return status;
}

void quatsimd_bundle_trust(quatsimd_bundle *bundle) {
  if (bundle) bundle->trusted = true;
}
