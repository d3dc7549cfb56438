/* Checks of the source, and messages about its faults. */
#ifndef QUATSIMD_CLIP_SOURCE_H
#define QUATSIMD_CLIP_SOURCE_H

#include "clip/encode/curve.h"

/* Says in the report what is wrong: of a joint, a curve, a key, or of none, CLIP_NOWHERE or
 * QUATSIMD_CLIP_KIND_COUNT. Returns QUATSIMD_ERROR_BAD_ARGUMENT. */
#define CLIP_NOWHERE SIZE_MAX
static inline quatsimd_status clip_refuse(quatsimd_clip_report *report, size_t joint, int kind, size_t key,
                                          const char *error) {
  report->joint = joint, report->kind = kind, report->key = key, report->error = error;
  return QUATSIMD_ERROR_BAD_ARGUMENT;
}
static inline quatsimd_status clip_refuse_all(quatsimd_clip_report *report, const char *error) {
  return clip_refuse(report, CLIP_NOWHERE, QUATSIMD_CLIP_KIND_COUNT, CLIP_NOWHERE, error);
}

/* QUATSIMD_ERROR_BAD_KEY or QUATSIMD_ERROR_BAD_ARGUMENT, and the report filled in, if a key or a curve
 * cannot be encoded. */
quatsimd_status quatsimd_source_check(const quatsimd_clip_source *source, quatsimd_clip_report *report);

#endif
