/* The command, with encoders of clips and streams that go beyond the bounds that they are given: does it
 * notice? The linker (--wrap) puts these functions in the places of the library's. */
#include "quatsimd/clip.h"
#include "quatsimd/stream.h"

static const float looser = 1.04f;

quatsimd_status __real_quatsimd_clip_encode(void **data, size_t *size, const quatsimd_clip_source *source,
                                            const quatsimd_clip_options *options,
                                            quatsimd_clip_report *report);
quatsimd_status __wrap_quatsimd_clip_encode(void **data, size_t *size, const quatsimd_clip_source *source,
                                            const quatsimd_clip_options *options,
                                            quatsimd_clip_report *report);
quatsimd_status __wrap_quatsimd_clip_encode(void **data, size_t *size, const quatsimd_clip_source *source,
                                            const quatsimd_clip_options *options,
                                            quatsimd_clip_report *report) {
  quatsimd_clip_options loose = *options;
  loose.rotation_bound *= looser;
  loose.translation_bound *= looser;
  loose.scale_bound *= looser;
  loose.object_bound *= 1.25f; /* most clips have errors of less than nine tenths of it */
  return __real_quatsimd_clip_encode(data, size, source, &loose, report);
}

quatsimd_status __real_quatsimd_stream_init(quatsimd_stream **stream, void *memory, size_t size,
                                            const quatsimd_stream_options *options);
quatsimd_status __wrap_quatsimd_stream_init(quatsimd_stream **stream, void *memory, size_t size,
                                            const quatsimd_stream_options *options);
quatsimd_status __wrap_quatsimd_stream_init(quatsimd_stream **stream, void *memory, size_t size,
                                            const quatsimd_stream_options *options) {
  quatsimd_stream_options loose = *options;
  loose.bound *= looser;
  return __real_quatsimd_stream_init(stream, memory, size, &loose);
}
