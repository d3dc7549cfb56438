#include "bundle/encode.h"
#include "clip/encode/sort.h"
#include "core/growing.h"

/* ---- the source ---- */

enum { FIRST_ENTRY = offsetof(quatsimd_bundle_entry, event_count) + sizeof(size_t) };

static quatsimd_status open_skeleton(bundle_encoder *e) {
  quatsimd_skeleton_storage storage;
  quatsimd_skeleton *skeleton;
  const quatsimd_status status = quatsimd_skeleton_open(&skeleton, &storage, sizeof storage,
                                                        e->source.skeleton, e->source.skeleton_size);
  if (status != QUATSIMD_OK) {
    e->report->error = status == QUATSIMD_ERROR_LATER_VERSION    ? "the skeleton is of a later version"
                       : status == QUATSIMD_ERROR_NOT_A_SKELETON ? "the bytes are not a skeleton"
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
  const quatsimd_status status =
      quatsimd_clip_open(&clip, opened, sizeof *opened, entry->data, entry->data_size);
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

/* Copies the caller's entry i, whose size may differ. Returns false if an unknown member is not zero. */
static bool read_entry(bundle_encoder *e, size_t i) {
  const size_t size = e->source.entry_size, own = sizeof(quatsimd_bundle_entry);
  const unsigned char *from = (const unsigned char *)e->source.clips + size * i;
  memcpy(&e->entry[i], from, size < own ? size : own);
  return growing_is_known(from, size, own);
}

static quatsimd_status open_clip(bundle_encoder *e, size_t i) {
  const quatsimd_bundle_entry *entry = &e->entry[i];
  e->report->clip = i;
  if (!read_entry(e, i)) return bundle_refuse(e, "the clip's entry has members of a later version");
  if (!entry->name) return bundle_refuse(e, "the name is null");
  if (!entry->data) return bundle_refuse(e, "the clip's data is null");
  if (entry->event_count && !entry->events) return bundle_refuse(e, "there are events, but events is null");
  if (!bundle_is_name(entry->name)) return bundle_refuse_clip(e, i, "the name is not UTF-8");
  const char *error = clip_error(e, entry, &e->clip[i]);
  if (error) return bundle_refuse_clip(e, i, error);
  e->report->clip = SIZE_MAX;
  return QUATSIMD_OK;
}

static bool entry_is_before(const void *a, const void *b) {
  const quatsimd_bundle_entry *const *x = a, *const *y = b;
  const int compared = bundle_compare((*x)->name, (*y)->name);
  return compared < 0 || (compared == 0 && *x < *y);
}

static quatsimd_status sort_names(bundle_encoder *e) {
  const size_t clips = e->source.clip_count;
  struct piece *mark = e->memory.last;
  const quatsimd_bundle_entry **sorted = quatsimd_take(&e->memory, clips + 1, sizeof(void *));
  if (!sorted) return QUATSIMD_ERROR_NO_MEMORY;
  for (size_t i = 0; i < clips; i++) sorted[i] = &e->entry[i];
  quatsimd_sort(sorted, clips, sizeof(void *), entry_is_before);
  for (size_t i = 0; i < clips; i++) {
    e->order[i] = (uint32_t)(sorted[i] - e->entry);
    if (i == 0 || bundle_compare(sorted[i - 1]->name, sorted[i]->name) != 0) continue;
    e->report->other = e->order[i - 1];
    return bundle_refuse_clip(e, e->order[i], "another clip has this name");
  }
  quatsimd_release(&e->memory, mark);
  return QUATSIMD_OK;
}

static const char *source_error(const quatsimd_bundle_source *s) {
  if (!s->skeleton) return "skeleton is null";
  if (s->clip_count > QUATSIMD_BUNDLE_MOST) return "there are more than 1,048,576 clips";
  if (s->mask_count > QUATSIMD_BUNDLE_MOST) return "there are more than 1,048,576 masks";
  if (s->clip_count && !s->clips) return "there are clips, but clips is null";
  if (s->mask_count && !s->masks) return "there are masks, but masks is null";
  if (s->making_size && !s->making) return "there is a record of the making, but making is null";
  if (s->clip_count && !growing_is_size(s->entry_size, FIRST_ENTRY)) return "entry_size is out of range";
  return NULL;
}

static quatsimd_status open_source(bundle_encoder *e) {
  const char *error = source_error(&e->source);
  if (error) return bundle_refuse(e, error);
  quatsimd_status status = open_skeleton(e);
  const size_t clips = e->bundle.clips = e->source.clip_count;
  if (status != QUATSIMD_OK) return status;
  e->entry = quatsimd_take(&e->memory, clips + 1, sizeof *e->entry);
  e->clip = quatsimd_take(&e->memory, clips + 1, sizeof *e->clip);
  e->order = quatsimd_take(&e->memory, clips + 1, sizeof *e->order);
  e->setting_of = quatsimd_take(&e->memory, clips + 1, sizeof *e->setting_of);
  e->record_at = quatsimd_take(&e->memory, clips + 1, sizeof *e->record_at);
  if (!e->entry || !e->clip || !e->order || !e->setting_of || !e->record_at) return QUATSIMD_ERROR_NO_MEMORY;
  for (size_t i = 0; status == QUATSIMD_OK && i < clips; i++) status = open_clip(e, i);
  return status == QUATSIMD_OK ? sort_names(e) : status;
}

/* ---- settings and states that clips share ---- */

/* Returns true if each group's curves are in the order of joints. The record then needs no slots. */
static bool goes_by_groups(const quatsimd_clip *clip, int kind, const quatsimd_clip_part *part) {
  const size_t slot_bytes = clip_slot_bytes(clip_elements(clip, kind));
  for (size_t i = 1; i < part->moving; i++)
    if (i % CLIP_GROUP != 0 &&
        clip_slot(part->slots, slot_bytes, i) < clip_slot(part->slots, slot_bytes, i - 1))
      return false;
  return true;
}

static void make_setting(unsigned char *setting, const quatsimd_clip *clip) {
  unsigned flags = (clip->flags & BUNDLE_FLAGS & (BUNDLE_LISTS_SLOTS - 1)) |
                   (clip->flags & CLIP_IS_3 ? BUNDLE_CLIPS_3 : 0);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const quatsimd_clip_part part = clip_part_of(clip, kind);
    if (!goes_by_groups(clip, kind, &part)) flags |= BUNDLE_LISTS_SLOTS << kind;
    store_float(setting + SETTING_AT_UNITS + 4 * kind, part.moving > 0 ? part.unit : 0);
  }
  if (clip->frames > UINT16_MAX) flags |= BUNDLE_LONG;
  store_little(setting, flags, 4);
  store_double(setting + SETTING_AT_RATE, clip->rate);
}

/* Returns the number of `setting`. A setting that is not in `table` gets the next number, e->bundle.settings:
 * the caller then appends it. `table` is at most half full. */
static size_t find_setting(const bundle_encoder *e, const unsigned char *setting, uint32_t *table,
                           size_t table_count) {
  size_t at = quatsimd_container_hash(setting, BUNDLE_SETTING) & (table_count - 1);
  for (; table[at]; at = (at + 1) & (table_count - 1))
    if (memcmp(bundle_setting(e, table[at] - 1), setting, BUNDLE_SETTING) == 0) return table[at] - 1;
  table[at] = (uint32_t)e->bundle.settings + 1;
  return e->bundle.settings;
}

/* Collects the different settings of all clips. Visits the clips in the order of their names. */
static bool collect_settings(bundle_encoder *e) {
  clip_bytes *settings = &e->section[SECTION_SETTINGS];
  struct piece *mark = e->memory.last;
  size_t table_count = 2;
  while (table_count < 2 * e->bundle.clips) table_count *= 2;
  uint32_t *table = quatsimd_take(&e->memory, table_count, sizeof *table);
  if (!table || !quatsimd_clip_append(settings, 4)) return false;
  for (size_t i = 0; i < e->bundle.clips; i++) {
    unsigned char setting[BUNDLE_SETTING];
    make_setting(setting, bundle_clip(e, e->order[i]));
    const size_t number = find_setting(e, setting, table, table_count);
    e->setting_of[i] = (uint32_t)number;
    if (number < e->bundle.settings) continue;
    bundle_append(settings, setting, BUNDLE_SETTING);
    if (settings->failed) return false;
    e->bundle.settings++;
  }
  store_little(settings->data, e->bundle.settings, 4);
  quatsimd_release(&e->memory, mark);
  return true;
}

/* Takes usual states from the first clip that has the kind. Marks joints whose state differs elsewhere. */
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
      else if (state != (unsigned)clip_state(usual, NULL, j)) varies[j / 8] |= (unsigned char)(1 << j % 8);
    }
    any = any || masks;
  }
  if (!any) return true;
  e->bundle.usual[kind] = usual, e->bundle.varies[kind] = varies;
  bundle_append(&e->section[SECTION_SETTINGS], usual, (elements + 3) / 4);
  bundle_append(&e->section[SECTION_SETTINGS], varies, (elements + 7) / 8);
  return true;
}

/* ---- the whole bundle ---- */

static quatsimd_status encode(bundle_encoder *e, void **data, size_t *size) {
  quatsimd_status status = open_source(e);
  if (status == QUATSIMD_OK) status = quatsimd_bundle_write_events(e);
  if (status == QUATSIMD_OK) status = quatsimd_bundle_write_masks(e);
  if (status != QUATSIMD_OK) return status;
  if (!collect_settings(e)) return QUATSIMD_ERROR_NO_MEMORY;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    if (!collect_states(e, kind)) return QUATSIMD_ERROR_NO_MEMORY;
  for (size_t i = 0; i < e->bundle.clips; i++) {
    e->record_at[i] = e->section[SECTION_CLIPS].size;
    quatsimd_bundle_write_record(e, i);
  }
  return quatsimd_bundle_write_container(e, data, size);
}

enum { FIRST_SOURCE = offsetof(quatsimd_bundle_source, making_size) + sizeof(size_t) };

quatsimd_status quatsimd_bundle_source_init(quatsimd_bundle_source *source, size_t struct_size,
                                            size_t entry_size) {
  const quatsimd_bundle_source own = {.entry_size = entry_size};
  return growing_is_size(entry_size, FIRST_ENTRY) &&
                 growing_init(source, struct_size, &own, sizeof own, FIRST_SOURCE)
             ? QUATSIMD_OK
             : QUATSIMD_ERROR_BAD_ARGUMENT;
}

static quatsimd_status encode_source(bundle_encoder *e, void **data, size_t *size,
                                     const quatsimd_bundle_source *source) {
  if (!data || !size || !source) return bundle_refuse(e, "data, size or source is null");
  if (!growing_read(&e->source, sizeof e->source, source, FIRST_SOURCE))
    return bundle_refuse(e, "struct_size is out of range, or the source has members of a later version");
  if (!quatsimd_is_allocator(e->memory.allocator)) return bundle_refuse(e, CLIP_NO_ALLOCATOR);
  return encode(e, data, size);
}

quatsimd_status quatsimd_bundle_encode(void **data, size_t *size, const quatsimd_bundle_source *source,
                                       const quatsimd_allocator *allocator, quatsimd_bundle_report *report) {
  quatsimd_bundle_report found = BUNDLE_NOWHERE;
  if (report && !growing_is_size(report->struct_size, BUNDLE_FIRST_REPORT))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  bundle_encoder e = {.report = &found, .memory.allocator = allocator};
  for (int type = 0; type < SECTION_END; type++) e.section[type].allocator = allocator;
  const quatsimd_status status = encode_source(&e, data, size, source);
  for (int type = 0; type < SECTION_END; type++) clip_bytes_free(&e.section[type]);
  quatsimd_release(&e.memory, NULL);
  if (report) growing_write(report, &found, sizeof found);
  return status;
}

void quatsimd_bundle_free(const quatsimd_allocator *allocator, void *data) {
  quatsimd_clip_free(allocator, data);
}
