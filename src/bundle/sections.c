/* Makes the sections of names, events, masks and the index, and writes all sections to one buffer. */
#include "bundle/encode.h"
#include "clip/encode/sort.h"
#include "skeleton/layout.h"

/* ---- events ---- */

static bool event_is_before(const void *a, const void *b) {
  const quatsimd_bundle_event *const *x = a, *const *y = b;
  const uint64_t time = bundle_time_order(double_bits((*x)->time)),
                 other = bundle_time_order(double_bits((*y)->time));
  const int compared = time != other ? (time < other ? -1 : 1) : bundle_compare((*x)->name, (*y)->name);
  return compared < 0 || (compared == 0 && *x < *y);
}

static bool name_is_before(const void *a, const void *b) {
  const char *const *x = a, *const *y = b;
  const int compared = bundle_compare(*x, *y);
  return compared < 0 || (compared == 0 && *x < *y);
}

static quatsimd_status check_events(bundle_encoder *e, size_t *count) {
  *count = 0;
  for (size_t i = 0; i < e->bundle.clips; i++) {
    const quatsimd_bundle_entry *entry = &e->entry[i];
    if (entry->event_count > QUATSIMD_BUNDLE_MOST - *count)
      return bundle_refuse(e, "there are more than 1,048,576 events");
    *count += entry->event_count;
    for (size_t k = 0; k < entry->event_count; k++) {
      const char *name = entry->events[k].name, *error = NULL;
      if (!bundle_is_time(double_bits(entry->events[k].time))) error = "the event's time is not finite";
      if (!name) error = "the event's name is null";
      else if (!bundle_is_name(name)) error = "the event's name is not UTF-8";
      if (!error) continue;
      e->report->event_number = k;
      return bundle_refuse_clip(e, i, error);
    }
  }
  return QUATSIMD_OK;
}

/* The names of all events, sorted and without repetitions. places: where each name begins in `text`. */
typedef struct pool {
  const char **names;
  uint32_t *places;
  size_t count;
  clip_bytes text;
} pool;

static bool pool_make(pool *p, bundle_encoder *e, size_t count) {
  size_t n = 0;
  p->names = quatsimd_take(&e->memory, count, sizeof *p->names);
  p->places = quatsimd_take(&e->memory, count, sizeof *p->places);
  if (!p->names || !p->places) return false;
  for (size_t i = 0; i < e->bundle.clips; i++)
    for (size_t k = 0; k < e->entry[i].event_count; k++) p->names[n++] = e->entry[i].events[k].name;
  quatsimd_sort(p->names, n, sizeof *p->names, name_is_before);
  for (size_t i = 0; i < n; i++) {
    if (p->count > 0 && bundle_compare(p->names[p->count - 1], p->names[i]) == 0) continue;
    p->places[p->count] = (uint32_t)bundle_append_name(&p->text, p->names[i]);
    p->names[p->count++] = p->names[i];
  }
  return !p->text.failed;
}

static uint32_t pool_place(const pool *p, const char *name) {
  size_t low = 0, high = p->count - 1;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (bundle_compare(p->names[middle], name) < 0) low = middle + 1;
    else high = middle;
  }
  return p->places[low];
}

/* Appends the events of a clip, sorted by time and name. */
static bool append_events(bundle_encoder *e, const pool *p, const quatsimd_bundle_entry *entry) {
  clip_bytes *to = &e->section[SECTION_EVENTS];
  struct piece *mark = e->memory.last;
  const quatsimd_bundle_event **sorted = quatsimd_take(&e->memory, entry->event_count, sizeof(void *));
  if (!sorted) return false;
  for (size_t k = 0; k < entry->event_count; k++) sorted[k] = &entry->events[k];
  quatsimd_sort(sorted, entry->event_count, sizeof(void *), event_is_before);
  for (size_t k = 0; k < entry->event_count; k++) {
    bundle_append_number(to, double_bits(sorted[k]->time), 8);
    bundle_append_number(to, pool_place(p, sorted[k]->name), 4);
  }
  quatsimd_release(&e->memory, mark);
  return !to->failed;
}

static bool append_all_events(bundle_encoder *e, pool *p, size_t count) {
  clip_bytes *to = &e->section[SECTION_EVENTS];
  size_t end = 0;
  if (!pool_make(p, e, count)) return false;
  bundle_append_number(to, count, 4);
  for (size_t i = 0; i < e->bundle.clips; i++)
    bundle_append_number(to, end += e->entry[e->order[i]].event_count, 4);
  for (size_t i = 0; i < e->bundle.clips; i++)
    if (!append_events(e, p, &e->entry[e->order[i]])) return false;
  bundle_append(to, p->text.data, p->text.size);
  return !to->failed;
}

quatsimd_status quatsimd_bundle_write_events(bundle_encoder *e) {
  struct piece *mark = e->memory.last;
  pool p = {.text.allocator = e->memory.allocator};
  size_t count;
  quatsimd_status status = check_events(e, &count);
  if (status != QUATSIMD_OK || count == 0) return status;
  if (!append_all_events(e, &p, count)) status = QUATSIMD_ERROR_NO_MEMORY;
  else if (p.text.size > UINT32_MAX) status = bundle_refuse(e, "names of events take 2^32 bytes or more");
  clip_bytes_free(&p.text);
  quatsimd_release(&e->memory, mark);
  return status;
}

/* ---- masks ---- */

static bool mask_is_before(const void *a, const void *b) {
  const quatsimd_bundle_mask_entry *const *x = a, *const *y = b;
  const int compared = bundle_compare((*x)->name, (*y)->name);
  return compared < 0 || (compared == 0 && *x < *y);
}

static const char *mask_error(const bundle_encoder *e, const quatsimd_bundle_mask_entry *mask) {
  if (!mask->name) return "the mask's name is null";
  if (!bundle_is_name(mask->name)) return "the mask's name is not UTF-8";
  if (!mask->joint_weights && e->bundle.joints) return "the mask's joint_weights is null";
  bool finite = true;
  for (size_t j = 0; j < e->bundle.joints; j++)
    finite = finite && skeleton_is_finite(float_bits(mask->joint_weights[j]));
  for (size_t t = 0; mask->track_weights && t < e->bundle.tracks; t++)
    finite = finite && skeleton_is_finite(float_bits(mask->track_weights[t]));
  return finite ? NULL : "a weight of the mask is not finite";
}

static quatsimd_status refuse_mask(bundle_encoder *e, size_t mask, size_t other, const char *error) {
  e->report->mask = mask, e->report->other = other;
  return bundle_refuse(e, error);
}

static void append_weights(bundle_encoder *e, const quatsimd_bundle_mask_entry *mask) {
  clip_bytes *to = &e->section[SECTION_MASKS];
  for (size_t j = 0; j < e->bundle.joints; j++)
    bundle_append_number(to, float_bits(mask->joint_weights[j]), 4);
  for (size_t t = 0; t < e->bundle.tracks; t++)
    bundle_append_number(to, float_bits(mask->track_weights ? mask->track_weights[t] : 1), 4);
}

static quatsimd_status append_masks(bundle_encoder *e, const quatsimd_bundle_mask_entry **sorted,
                                    size_t count) {
  clip_bytes *to = &e->section[SECTION_MASKS];
  uint64_t place = 0;
  bundle_append_number(to, count, 4);
  for (size_t i = 0; i < count; i++) {
    const size_t number = (size_t)(sorted[i] - e->source.masks);
    if (i > 0 && bundle_compare(sorted[i - 1]->name, sorted[i]->name) == 0)
      return refuse_mask(e, number, (size_t)(sorted[i - 1] - e->source.masks), "another mask has this name");
    bundle_append_number(to, place, 4);
    place += quatsimd_name_bytes((const unsigned char *)sorted[i]->name, SIZE_MAX);
  }
  if (place > UINT32_MAX) return bundle_refuse(e, "names of masks take 2^32 bytes or more");
  for (size_t i = 0; i < count; i++) append_weights(e, sorted[i]);
  for (size_t i = 0; i < count; i++) bundle_append_name(to, sorted[i]->name);
  return to->failed ? QUATSIMD_ERROR_NO_MEMORY : QUATSIMD_OK;
}

quatsimd_status quatsimd_bundle_write_masks(bundle_encoder *e) {
  const size_t count = e->source.mask_count;
  struct piece *mark = e->memory.last;
  if (count == 0) return QUATSIMD_OK;
  const quatsimd_bundle_mask_entry **sorted = quatsimd_take(&e->memory, count, sizeof(void *));
  if (!sorted) return QUATSIMD_ERROR_NO_MEMORY;
  for (size_t i = 0; i < count; i++) {
    const char *error = mask_error(e, &e->source.masks[i]);
    if (error) return refuse_mask(e, i, SIZE_MAX, error);
    sorted[i] = &e->source.masks[i];
  }
  quatsimd_sort(sorted, count, sizeof(void *), mask_is_before);
  const quatsimd_status status = append_masks(e, sorted, count);
  quatsimd_release(&e->memory, mark);
  return status;
}

/* ---- the container ---- */

static void append_names(bundle_encoder *e) {
  for (size_t i = 0; i < e->bundle.clips; i++)
    bundle_append_name(&e->section[SECTION_NAMES], e->entry[e->order[i]].name);
}

/* Writes the index. The sections of names and clips must be complete, including BUNDLE_TAIL. */
static void append_index(bundle_encoder *e) {
  clip_bytes *index = &e->section[SECTION_INDEX];
  const clip_bytes *names = &e->section[SECTION_NAMES], *clips = &e->section[SECTION_CLIPS];
  size_t name_at = 0;
  if (names->failed || clips->failed) return;
  for (size_t i = 0; i < e->bundle.clips; i++) {
    const size_t at = e->record_at[i],
                 end = i + 1 < e->bundle.clips ? e->record_at[i + 1] : clips->size - BUNDLE_TAIL;
    bundle_append_number(index, name_at, bundle_place_bytes(names->size));
    bundle_append_number(index, at, bundle_place_bytes(clips->size));
    bundle_append_number(index, quatsimd_container_hash(clips->data + at, end - at), 4);
    name_at += quatsimd_name_bytes(names->data + name_at, names->size - name_at);
  }
}

/* Returns a section, with 0 for the checksum. The caller owns the skeleton and the record of the making. */
static bundle_section section_of(const bundle_encoder *e, int type) {
  if (type == SECTION_SKELETON) return (bundle_section){e->source.skeleton, e->source.skeleton_size, 0};
  if (type == SECTION_MAKING) return (bundle_section){e->source.making, e->source.making_size, 0};
  return (bundle_section){e->section[type].data, e->section[type].size, 0};
}
static bool is_there(const bundle_encoder *e, int type) {
  return type <= SECTION_CLIPS || section_of(e, type).size > 0;
}

/* Writes the table of sections and the sections. If `to` is null, writes nothing. Returns the size of the
 * bundle, or UINT64_MAX if no memory can have so many bytes. */
static uint64_t lay_out(const bundle_encoder *e, unsigned char *to, size_t count) {
  uint64_t end = BUNDLE_HEAD + SECTION_ENTRY * count;
  unsigned char *entry = to ? to + BUNDLE_HEAD : NULL;
  for (int type = SECTION_SKELETON; type < SECTION_END; type++) {
    if (!is_there(e, type)) continue;
    const bundle_section section = section_of(e, type);
    const uint64_t place = bundle_align(end);
    if (section.size > PTRDIFF_MAX - place) return UINT64_MAX;
    if (to) {
      store_little(entry + SECTION_AT_TYPE, (unsigned)type | (type <= SECTION_CLIPS ? SECTION_REQUIRED : 0),
                   4);
      store_little(entry + SECTION_AT_CHECKSUM, quatsimd_container_hash(section.at, section.size), 4);
      store_little(entry + SECTION_AT_PLACE, place, 8);
      store_little(entry + SECTION_AT_SIZE, section.size, 8);
      memset(to + end, 0, (size_t)(place - end));
      if (section.size) memcpy(to + place, section.at, section.size);
      entry += SECTION_ENTRY;
    }
    end = place + section.size;
  }
  return end;
}

quatsimd_status quatsimd_bundle_write_container(bundle_encoder *e, void **data, size_t *size) {
  size_t count = 0;
  append_names(e);
  quatsimd_clip_append(&e->section[SECTION_CLIPS], BUNDLE_TAIL);
  append_index(e);
  for (int type = SECTION_SKELETON; type < SECTION_END; type++) {
    if (e->section[type].failed) return QUATSIMD_ERROR_NO_MEMORY;
    count += is_there(e, type);
  }
  const uint64_t bytes = lay_out(e, NULL, count);
  unsigned char *to = bytes <= PTRDIFF_MAX ? quatsimd_allocate(e->memory.allocator, (size_t)bytes) : NULL;
  if (!to) return QUATSIMD_ERROR_NO_MEMORY;
  memcpy(to, quatsimd_bundle_kind.letters, 3), to[3] = BUNDLE_VERSION;
  store_little(to + CONTAINER_AT_SIZE, bytes, 8);
  store_little(to + BUNDLE_AT_CLIPS, e->bundle.clips, 4);
  store_little(to + BUNDLE_AT_SECTIONS, count, 4);
  lay_out(e, to, count);
  container_seal(to, BUNDLE_HEAD + SECTION_ENTRY * count);
  *data = to, *size = (size_t)bytes;
  return QUATSIMD_OK;
}
