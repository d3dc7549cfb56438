/* Checks a whole bundle, also the parts that opening does not read. */
#include "bundle/layout.h"
#include "core/growing.h"
#include "skeleton/layout.h"
#include "skeleton/name.h"

quatsimd_status quatsimd_bundle_report_init(quatsimd_bundle_report *report, size_t struct_size) {
  const quatsimd_bundle_report own = {0};
  return growing_init(report, struct_size, &own, sizeof own, BUNDLE_FIRST_REPORT)
             ? QUATSIMD_OK
             : QUATSIMD_ERROR_BAD_ARGUMENT;
}

/* ---- sections that opening does not read ---- */

/* Returns true if the text consists of sorted names without gaps between them. */
static bool are_names(clip_reader text) {
  const unsigned char *before = NULL;
  while (text.size > 0) {
    const unsigned char *name = text.at;
    const size_t bytes = quatsimd_name_bytes(name, text.size);
    if (bytes == 0 || (before && quatsimd_name_compare(before, name) >= 0)) return false;
    clip_take(&text, bytes), before = name;
  }
  return true;
}

static bool begins_name(const clip_reader *text, size_t place) {
  return place < text->size && (place == 0 || text->at[place - 1] == 0);
}

/* Checks the section of events. Each clip's events must be sorted by time, then by name. */
static bool check_events(const quatsimd_bundle *b, clip_reader reader) {
  const unsigned char *count = clip_take(&reader, 4), *ends = clip_take(&reader, 4 * (uint64_t)b->clips);
  if (!reader.ok) return false;
  const unsigned char *entry = clip_take(&reader, (uint64_t)EVENT_ENTRY * load_u32(count));
  size_t at = 0;
  if (!entry || !are_names(reader)) return false;
  for (size_t i = 0; i < b->clips; i++) {
    const size_t end = load_u32(ends + 4 * i);
    if (end < at || end > load_u32(count)) return false;
    for (size_t first = at; at < end; at++, entry += EVENT_ENTRY) {
      const uint64_t time = load_u64(entry);
      if (!bundle_is_time(time) || !begins_name(&reader, load_u32(entry + 8))) return false;
      if (at == first) continue;
      const uint64_t before = load_u64(entry - EVENT_ENTRY);
      if (bundle_time_order(before) > bundle_time_order(time) ||
          (before == time && load_u32(entry - 4) > load_u32(entry + 8)))
        return false;
    }
  }
  return at == load_u32(count);
}

static bool check_masks(const quatsimd_bundle *b, clip_reader reader) {
  const unsigned char *count = clip_take(&reader, 4);
  if (!count) return false;
  const size_t masks = load_u32(count), weights = b->joints + b->tracks;
  const unsigned char *places = clip_take(&reader, 4 * (uint64_t)masks),
                      *weight = clip_take(&reader, 4 * (uint64_t)masks * weights);
  if (!reader.ok || !are_names(reader)) return false;
  for (size_t i = 0; i < masks * weights; i++)
    if (!skeleton_is_finite(load_u32(weight + 4 * i))) return false;
  size_t end = 0;
  for (size_t i = 0; i < masks; i++) {
    if (end >= reader.size || load_u32(places + 4 * i) != end) return false;
    end += quatsimd_name_bytes(reader.at + end, reader.size - end);
  }
  return end == reader.size;
}

static bool are_zeros(const unsigned char *from, const unsigned char *to) {
  while (from < to && *from == 0) from++;
  return from == to;
}

/* Checks the checksums of all sections, also unknown ones. Bytes between sections must be zeros. */
static bool check_sections(const quatsimd_bundle *b) {
  const size_t count = load_u32(b->data + BUNDLE_AT_SECTIONS);
  const unsigned char *end = b->data + BUNDLE_HEAD + SECTION_ENTRY * count;
  if (!container_is_whole(b->data, (size_t)(end - b->data))) return false;
  for (size_t i = 0; i < count; i++) {
    const unsigned char *entry = b->data + BUNDLE_HEAD + SECTION_ENTRY * i;
    const bundle_section section = {b->data + load_u64(entry + SECTION_AT_PLACE),
                                    (size_t)load_u64(entry + SECTION_AT_SIZE),
                                    load_u32(entry + SECTION_AT_CHECKSUM)};
    if (!are_zeros(end, section.at) || !bundle_section_is_whole(&section)) return false;
    end = section.at + section.size;
  }
  return true;
}

static const char *find_damage(const quatsimd_bundle *b) {
  if (b->version == 1)
    return container_is_whole(b->data, b->size) ? NULL : "the checksum is not that of the bytes";
  const bundle_section events = quatsimd_bundle_section(b, SECTION_EVENTS),
                       masks = quatsimd_bundle_section(b, SECTION_MASKS);
  const unsigned char *tail = b->records + b->records_end;
  if (!check_sections(b)) return "a checksum is not that of the bytes, or there are bytes between sections";
  if (!are_zeros(tail, tail + BUNDLE_TAIL)) return "there are bytes behind the last clip";
  if (events.at && !check_events(b, (clip_reader){events.at, events.size, true}))
    return "the events are damaged";
  if (masks.at && !check_masks(b, (clip_reader){masks.at, masks.size, true})) return "the masks are damaged";
  return NULL;
}

/* ---- the whole bundle ---- */

static quatsimd_status check(const quatsimd_bundle *b, quatsimd_bundle_report *report) {
  for (size_t i = 0; i < b->clips; i++) {
    bundle_reading r;
    const quatsimd_status status = quatsimd_bundle_look(b, i, false, &r);
    if (status == QUATSIMD_ERROR_LATER_VERSION && report->clip == SIZE_MAX) report->clip = i;
    if (status != QUATSIMD_ERROR_DAMAGED_CLIP) continue;
    report->clip = i, report->error = "the clip is damaged";
    return status;
  }
  report->error = find_damage(b);
  if (report->error) return report->clip = SIZE_MAX, QUATSIMD_ERROR_DAMAGED_BUNDLE;
  if (report->clip == SIZE_MAX) return QUATSIMD_OK;
  report->error = "the clip is of a later version";
  return QUATSIMD_ERROR_LATER_VERSION;
}

quatsimd_status quatsimd_bundle_check(const quatsimd_bundle *bundle, quatsimd_bundle_report *report) {
  quatsimd_bundle_report found = BUNDLE_NOWHERE;
  if (!bundle || (report && !growing_is_size(report->struct_size, BUNDLE_FIRST_REPORT)))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  const quatsimd_status status = check(bundle, &found);
  if (report) growing_write(report, &found, sizeof found);
  return status;
}
