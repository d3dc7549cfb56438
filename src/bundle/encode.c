/* The bytes of a bundle from its source. */
#include "bundle/encode.h"
#include "clip/encode/memory.h"
#include "core/growing.h"
#include "skeleton/name.h"

#define NOWHERE SIZE_MAX

static quatsimd_status refuse_clip(quatsimd_bundle_report *report, size_t clip, const char *error) {
  report->clip = clip, report->error = error;
  return QUATSIMD_ERROR_BAD_CLIP;
}
static quatsimd_status refuse_all(quatsimd_bundle_report *report, const char *error) {
  report->error = error;
  return QUATSIMD_ERROR_BAD_ARGUMENT;
}

/* ---- the source ---- */

static quatsimd_status open_skeleton(bundle_encoder *e) {
  quatsimd_skeleton_storage storage;
  quatsimd_skeleton *skeleton;
  const quatsimd_bundle_source *source = e->source;
  const quatsimd_status status =
      quatsimd_skeleton_open(&skeleton, &storage, sizeof storage, source->skeleton, source->skeleton_size);
  if (status != QUATSIMD_OK) {
    e->report->error = status == QUATSIMD_ERROR_LATER_VERSION    ? "the skeleton is of a later version"
                       : status == QUATSIMD_ERROR_NOT_A_SKELETON ? "the skeleton's bytes are none"
                                                                 : "the skeleton is damaged";
    return status;
  }
  e->bundle.joints = quatsimd_skeleton_joint_count(skeleton),
  e->bundle.tracks = quatsimd_skeleton_track_count(skeleton);
  e->bundle.hash = quatsimd_skeleton_hash(skeleton);
  return QUATSIMD_OK;
}

static const char *clip_error(const bundle_encoder *e, const quatsimd_bundle_entry *entry,
                              quatsimd_clip_storage *opened) {
  quatsimd_clip *clip;
  const quatsimd_status status = quatsimd_clip_open(&clip, opened, sizeof *opened, entry->data, entry->size);
  if (status == QUATSIMD_ERROR_LATER_VERSION) return "the clip is of a later version";
  if (status == QUATSIMD_ERROR_DAMAGED_CLIP) return "the clip is damaged";
  if (status != QUATSIMD_OK) return "the bytes are no clip";
  if (quatsimd_clip_skeleton_hash(clip) == 0) return "the clip was encoded without a skeleton";
  if (quatsimd_clip_skeleton_hash(clip) != e->bundle.hash ||
      quatsimd_clip_joint_count(clip) != e->bundle.joints ||
      quatsimd_clip_track_count(clip) != e->bundle.tracks)
    return "the clip is of another skeleton";
  return NULL;
}

static const unsigned char *name_of(const bundle_encoder *e, size_t clip) {
  return (const unsigned char *)e->source->clip[clip].name;
}

/* Heapsort, never slow. The heap has `count` entries, the last in order at its top; the entry at `hole` sinks
 * to its place. */
static void sink(bundle_encoder *e, size_t hole, size_t count) {
  const uint32_t sinking = e->order[hole];
  for (size_t child; (child = 2 * hole + 1) < count; hole = child) {
    if (child + 1 < count &&
        skeleton_compare(name_of(e, e->order[child]), name_of(e, e->order[child + 1])) < 0)
      child++;
    if (skeleton_compare(name_of(e, e->order[child]), name_of(e, sinking)) < 0) break;
    e->order[hole] = e->order[child];
  }
  e->order[hole] = sinking;
}

static quatsimd_status sort_names(bundle_encoder *e) {
  const size_t clips = e->source->clips;
  for (size_t i = 0; i < clips; i++) e->order[i] = (uint32_t)i;
  for (size_t i = clips / 2; i > 0; i--) sink(e, i - 1, clips);
  for (size_t left = clips; left > 1; left--) {
    const uint32_t top = e->order[0];
    e->order[0] = e->order[left - 1], e->order[left - 1] = top;
    sink(e, 0, left - 1);
  }
  for (size_t i = 1; i < clips; i++) {
    const size_t a = e->order[i - 1], b = e->order[i];
    if (skeleton_compare(name_of(e, a), name_of(e, b)) != 0) continue;
    e->report->other = a < b ? a : b;
    return refuse_clip(e->report, a < b ? b : a, "another clip has this name");
  }
  return QUATSIMD_OK;
}

static quatsimd_status open_source(bundle_encoder *e) {
  const quatsimd_bundle_source *source = e->source;
  if (!source->skeleton) return refuse_all(e->report, "skeleton is null");
  if (source->clips > QUATSIMD_BUNDLE_MOST)
    return refuse_all(e->report, "there are more than 1,048,576 clips");
  if (source->clips && !source->clip) return refuse_all(e->report, "there are clips, but clip is null");
  const quatsimd_status status = open_skeleton(e);
  if (status != QUATSIMD_OK) return status;
  e->bundle.clips = source->clips;
  e->clip = quatsimd_take(&e->memory, source->clips + 1, sizeof *e->clip);
  e->order = quatsimd_take(&e->memory, source->clips + 1, sizeof *e->order);
  e->setting_of = quatsimd_take(&e->memory, source->clips + 1, sizeof *e->setting_of);
  if (!e->clip || !e->order || !e->setting_of) return QUATSIMD_ERROR_NO_MEMORY;
  for (size_t i = 0; i < source->clips; i++) {
    const quatsimd_bundle_entry *entry = &source->clip[i];
    e->report->clip = i;
    if (!entry->name) return refuse_all(e->report, "the name is null");
    if (!entry->data) return refuse_all(e->report, "the clip's data is null");
    if (skeleton_name_bytes(name_of(e, i), SIZE_MAX) == 0)
      return refuse_clip(e->report, i, "the name is not UTF-8");
    const char *error = clip_error(e, entry, &e->clip[i]);
    if (error) return refuse_clip(e->report, i, error);
  }
  e->report->clip = NOWHERE;
  return sort_names(e);
}

/* ---- what clips have in common ---- */

/* Are the curves of each group in the order of joints, so that groups tell the slots? */
static bool goes_by_groups(const quatsimd_clip *clip, int kind, const quatsimd_clip_part *part) {
  const size_t slot_bytes = clip_slot_bytes(clip_elements(clip, kind));
  for (size_t i = 1; i < part->moving; i++)
    if (i % CLIP_GROUP != 0 &&
        clip_slot(part->slots, slot_bytes, i) < clip_slot(part->slots, slot_bytes, i - 1))
      return false;
  return true;
}

static void make_setting(unsigned char *setting, const quatsimd_clip *clip) {
  unsigned flags = clip->flags & BUNDLE_FLAGS & (BUNDLE_LISTS_SLOTS - 1);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const quatsimd_clip_part part = clip_part_of(clip, kind);
    if (!goes_by_groups(clip, kind, &part)) flags |= BUNDLE_LISTS_SLOTS << kind;
    store_float(setting + SETTING_AT_UNITS + 4 * kind, part.moving > 0 ? part.unit : 0);
  }
  if (clip->frames > UINT16_MAX) flags |= BUNDLE_LONG;
  store_little(setting, flags, 4);
  store_double(setting + SETTING_AT_RATE, clip->rate);
}

static bool is_new(const bundle_encoder *e, const unsigned char *setting, uint32_t *number) {
  for (size_t s = 0; s < e->bundle.settings; s++)
    if (memcmp(e->settings.data + BUNDLE_SETTING * s, setting, BUNDLE_SETTING) == 0)
      return *number = (uint32_t)s, false;
  *number = (uint32_t)e->bundle.settings;
  return true;
}

static void collect_settings(bundle_encoder *e) {
  for (size_t i = 0; i < e->bundle.clips; i++) {
    unsigned char setting[BUNDLE_SETTING];
    make_setting(setting, bundle_clip(e, e->order[i]));
    if (!is_new(e, setting, &e->setting_of[i])) continue;
    unsigned char *to = quatsimd_clip_append(&e->settings, BUNDLE_SETTING);
    if (!to) return;
    memcpy(to, setting, BUNDLE_SETTING);
    e->bundle.settings++;
  }
}

/* The states of a kind's curves in the first clip that has it, and in which joints another one differs. */
static bool collect_states(bundle_encoder *e, int kind) {
  const size_t elements = bundle_elements(&e->bundle, kind);
  unsigned char *usual = quatsimd_take(&e->memory, (elements + 3) / 4 + 1, 1),
                *varies = quatsimd_take(&e->memory, (elements + 7) / 8 + 1, 1);
  bool any = false;
  if (!usual || !varies) return false;
  for (size_t i = 0; i < e->bundle.clips; i++) {
    const unsigned char *masks = clip_part_of(bundle_clip(e, e->order[i]), kind).masks;
    for (size_t j = 0; masks && j < elements; j++) {
      const unsigned state = clip_state(masks, NULL, j);
      if (!any) usual[j / 4] |= (unsigned char)(state << j % 4 * 2);
      else if (state != clip_state(usual, NULL, j)) varies[j / 8] |= (unsigned char)(1 << j % 8);
    }
    any = any || masks;
  }
  if (any) e->bundle.usual[kind] = usual, e->bundle.varies[kind] = varies;
  return true;
}

/* ---- the whole ---- */

/* Bytes before the records. */
static uint64_t bytes_before(const bundle_encoder *e, size_t offset_bytes) {
  uint64_t bytes = BUNDLE_HEAD + e->settings.size + (uint64_t)offset_bytes * e->bundle.clips;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    if (e->bundle.usual[kind])
      bytes += (bundle_elements(&e->bundle, kind) + 3) / 4 + (bundle_elements(&e->bundle, kind) + 7) / 8;
  return bytes;
}

static unsigned char *put(unsigned char *to, const void *bytes, size_t size) {
  if (size) memcpy(to, bytes, size);
  return to + size;
}

static void write_bundle(unsigned char *data, const bundle_encoder *e, uint64_t before, size_t offset_bytes,
                         size_t size) {
  const quatsimd_bundle *b = &e->bundle;
  memcpy(data, "QSB", 3), data[3] = BUNDLE_VERSION;
  store_little(data + BUNDLE_AT_SIZE, size, 4);
  store_little(data + BUNDLE_AT_CLIPS, b->clips, 4);
  store_little(data + BUNDLE_AT_SETTINGS, b->settings, 4);
  store_little(data + BUNDLE_AT_SKELETON, before + e->records.size, 4);
  unsigned char *p = put(data + BUNDLE_HEAD, e->settings.data, e->settings.size);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    if (!b->usual[kind]) continue;
    p = put(p, b->usual[kind], (bundle_elements(b, kind) + 3) / 4);
    p = put(p, b->varies[kind], (bundle_elements(b, kind) + 7) / 8);
  }
  for (size_t i = 0; i < b->clips; i++, p += offset_bytes)
    store_little(p, before + e->record_at[i], offset_bytes);
  p = put(p, e->records.data, e->records.size);
  put(p, e->source->skeleton, e->source->skeleton_size);
  store_little(data + BUNDLE_AT_CHECKSUM, quatsimd_bundle_checksum(data, size), 4);
}

static quatsimd_status encode(bundle_encoder *e, void **data, size_t *size) {
  const quatsimd_status status = open_source(e);
  if (status != QUATSIMD_OK) return status;
  collect_settings(e);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    if (!collect_states(e, kind)) return QUATSIMD_ERROR_NO_MEMORY;
  e->record_at = quatsimd_take(&e->memory, e->bundle.clips + 1, sizeof *e->record_at);
  for (size_t i = 0; e->record_at && i < e->bundle.clips; i++) {
    e->record_at[i] = e->records.size;
    quatsimd_bundle_write_record(e, i);
    if (e->records.size > UINT32_MAX) break;
  }
  if (!e->record_at || e->settings.failed || e->records.failed) return QUATSIMD_ERROR_NO_MEMORY;
  const uint64_t behind = (uint64_t)e->records.size + e->source->skeleton_size;
  const size_t offset_bytes = bundle_offset_bytes(bytes_before(e, 3) + behind);
  const uint64_t before = bytes_before(e, offset_bytes), bytes = before + behind;
  if (bytes > UINT32_MAX) return refuse_all(e->report, "the bundle would take 2^32 bytes or more");
  unsigned char *to = quatsimd_allocate(e->memory.allocator, (size_t)bytes);
  if (!to) return QUATSIMD_ERROR_NO_MEMORY;
  write_bundle(to, e, before, offset_bytes, (size_t)bytes);
  *data = to, *size = (size_t)bytes;
  return QUATSIMD_OK;
}

enum { FIRST_REPORT = offsetof(quatsimd_bundle_report, error) + sizeof(char *) };

quatsimd_status quatsimd_bundle_report_init(quatsimd_bundle_report *report, size_t struct_size) {
  const quatsimd_bundle_report own = {0};
  return growing_init(report, struct_size, &own, sizeof own, FIRST_REPORT) ? QUATSIMD_OK
                                                                           : QUATSIMD_ERROR_BAD_ARGUMENT;
}

quatsimd_status quatsimd_bundle_encode(void **data, size_t *size, const quatsimd_bundle_source *source,
                                       const quatsimd_allocator *allocator, quatsimd_bundle_report *report) {
  quatsimd_bundle_report found = {.clip = NOWHERE, .other = NOWHERE};
  if (report && !growing_is_size(report->struct_size, FIRST_REPORT)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  bundle_encoder e = {.source = source,
                      .report = &found,
                      .memory.allocator = allocator,
                      .settings.allocator = allocator,
                      .records.allocator = allocator};
  const quatsimd_status status =
      !data || !size || !source ? refuse_all(&found, "data, size or source is null") : encode(&e, data, size);
  clip_bytes_free(&e.settings);
  clip_bytes_free(&e.records);
  quatsimd_release(&e.memory, NULL);
  if (report) growing_write(report, &found, sizeof found);
  return status;
}

void quatsimd_bundle_free(const quatsimd_allocator *allocator, void *data) {
  quatsimd_clip_free(allocator, data);
}
