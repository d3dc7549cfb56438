/* Checks a source and reports errors in it. */
#ifndef QUATSIMD_CLIP_SOURCE_H
#define QUATSIMD_CLIP_SOURCE_H

#include "clip/encode/curve.h"
#include "clip/encode/memory.h"

/* Fills the report. CLIP_NOWHERE stands for no joint or no key, QUATSIMD_CLIP_KIND_COUNT for no kind of
 * curve. Returns QUATSIMD_ERROR_BAD_ARGUMENT. */
#define CLIP_NOWHERE SIZE_MAX
static inline quatsimd_status clip_refuse(quatsimd_clip_report *report, size_t joint, int kind, size_t key,
                                          const char *error) {
  report->joint = joint, report->kind = (quatsimd_clip_kind)kind, report->key = key, report->error = error;
  return QUATSIMD_ERROR_BAD_ARGUMENT;
}
static inline quatsimd_status clip_refuse_all(quatsimd_clip_report *report, const char *error) {
  return clip_refuse(report, CLIP_NOWHERE, QUATSIMD_CLIP_KIND_COUNT, CLIP_NOWHERE, error);
}

/* Checks the source. Returns QUATSIMD_ERROR_BAD_KEY or QUATSIMD_ERROR_BAD_ARGUMENT and fills the report if a
 * key or a curve cannot be encoded. */
quatsimd_status quatsimd_source_check(const quatsimd_clip_source *source, quatsimd_clip_report *report);

/* Copies a source in `memory`, except for times and values. Returns null if memory runs out. */
const quatsimd_clip_source *quatsimd_source_copy(quatsimd_memory *memory, const quatsimd_clip_source *source);
/* Returns a curve of such a copy. The copy's owner may change it. */
static inline quatsimd_curve *clip_curve_of_copy(const quatsimd_clip_source *copy, size_t i) {
  return (quatsimd_curve *)(uintptr_t)clip_any_curve(copy, i);
}

#endif
