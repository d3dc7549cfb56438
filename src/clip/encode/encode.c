/* The encoder's public functions. */
#include "core/growing.h"
#include "clip/encode/encoder.h"

/* `options` and `report` have the struct sizes of this version. */
static quatsimd_status encode_source(const quatsimd_clip_source *source, const quatsimd_clip_options *options,
                                     void **data, size_t *size, quatsimd_clip_report *report) {
  quatsimd_status status = quatsimd_encode_check(source, options, report);
  if (status != QUATSIMD_OK) return status;
  const quatsimd_allocator *allocator = options->allocator;
  clip_bytes bytes;
  quatsimd_clip_options kept = *options;
  if (!clip_is_zero(kept.object_bound)) kept.object_bound = clip_least_bound(kept.object_bound);
  if (!clip_is_zero(kept.object_distance)) kept.object_distance = clip_least_bound(kept.object_distance);
  status = quatsimd_encode_strategies(source, &kept, &bytes, report);
  void *const fitting = status == QUATSIMD_OK ? quatsimd_allocate(allocator, bytes.size) : NULL;
  if (fitting) *data = memcpy(fitting, bytes.data, bytes.size), *size = bytes.size;
  else if (status == QUATSIMD_OK) status = QUATSIMD_ERROR_NO_MEMORY;
  clip_bytes_free(&bytes);
  return status;
}

/* The structs' sizes in the library's first version. Callers that were compiled for it pass these sizes. */
enum {
  FIRST_OPTIONS = offsetof(quatsimd_clip_options, runner) + sizeof(void *),
  FIRST_REPORT = offsetof(quatsimd_clip_report, worst_object) + sizeof(float)
};

quatsimd_status quatsimd_clip_options_init(quatsimd_clip_options *options, size_t struct_size) {
  const quatsimd_clip_options own = {.track_bound = 0.001f};
  return growing_init(options, struct_size, &own, sizeof own, FIRST_OPTIONS) ? QUATSIMD_OK
                                                                             : QUATSIMD_ERROR_BAD_ARGUMENT;
}

quatsimd_status quatsimd_clip_report_init(quatsimd_clip_report *report, size_t struct_size) {
  const quatsimd_clip_report own = {0};
  return growing_init(report, struct_size, &own, sizeof own, FIRST_REPORT) ? QUATSIMD_OK
                                                                           : QUATSIMD_ERROR_BAD_ARGUMENT;
}

quatsimd_status quatsimd_clip_encode(void **data, size_t *size, const quatsimd_clip_source *source,
                                     const quatsimd_clip_options *options, quatsimd_clip_report *report) {
  quatsimd_clip_options own = {0};
  quatsimd_clip_report found = {0};
  if (report && !growing_is_size(report->struct_size, FIRST_REPORT)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  const quatsimd_status status =
      !source || !options || !data || !size ? clip_refuse_all(&found, "source, options, data or size is null")
      : !growing_read(&own, sizeof own, options, FIRST_OPTIONS)
          ? clip_refuse_all(&found,
                            "options were not filled by quatsimd_clip_options_init, or are newer than "
                            "this version")
          : encode_source(source, &own, data, size, &found);
  if (report) growing_write(report, &found, sizeof found);
  return status;
}
