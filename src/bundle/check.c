/* Checks a whole bundle, also the parts that opening does not read. */
#include "bundle/layout.h"
#include "core/growing.h"

quatsimd_status quatsimd_bundle_report_init(quatsimd_bundle_report *report, size_t struct_size) {
  const quatsimd_bundle_report own = {0};
  return growing_init(report, struct_size, &own, sizeof own, BUNDLE_FIRST_REPORT)
             ? QUATSIMD_OK
             : QUATSIMD_ERROR_BAD_ARGUMENT;
}

/* ---- sections ---- */

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
  const unsigned char *tail = b->records + b->records_end;
  if (!check_sections(b)) return "a checksum is not that of the bytes, or there are bytes between sections";
  if (!are_zeros(tail, tail + BUNDLE_TAIL)) return "there are bytes behind the last clip";
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
