/* Loosens the bounds of the encoders of clips and streams in the command. Tests check that the command
 * notices the errors. If QUATSIMD_LOOSE_DECODER is set, streams keep the right bound, and their decoder has
 * the fault that this variable names. The linker option --wrap redirects the calls. */
#include <stdlib.h>
#include <string.h>

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
  loose.scale_bound *= 1.25f;
  loose.object_bound *= 1.25f; /* 1.04 would go unnoticed: most errors are below 0.9 * object_bound */
  return __real_quatsimd_clip_encode(data, size, source, &loose, report);
}

quatsimd_status __real_quatsimd_stream_init(quatsimd_stream **stream, void *memory, size_t size,
                                            const quatsimd_stream_options *options);
quatsimd_status __wrap_quatsimd_stream_init(quatsimd_stream **stream, void *memory, size_t size,
                                            const quatsimd_stream_options *options);
quatsimd_status __wrap_quatsimd_stream_init(quatsimd_stream **stream, void *memory, size_t size,
                                            const quatsimd_stream_options *options) {
  quatsimd_stream_options loose = *options;
  if (!getenv("QUATSIMD_LOOSE_DECODER")) loose.bound *= looser;
  return __real_quatsimd_stream_init(stream, memory, size, &loose);
}

quatsimd_status __real_quatsimd_stream_decode(quatsimd_stream *stream, quatsimd_out rotations, uint32_t *time,
                                              const void *packet, size_t packet_size);
quatsimd_status __wrap_quatsimd_stream_decode(quatsimd_stream *stream, quatsimd_out rotations, uint32_t *time,
                                              const void *packet, size_t packet_size);
quatsimd_status __wrap_quatsimd_stream_decode(quatsimd_stream *stream, quatsimd_out rotations, uint32_t *time,
                                              const void *packet, size_t packet_size) {
  static size_t calls;
  const char *fault = getenv("QUATSIMD_LOOSE_DECODER");
  const quatsimd_status status = __real_quatsimd_stream_decode(stream, rotations, time, packet, packet_size);
  if (!fault || status < 0) /* no fault, or an error of the real decoder */
    return fault && strcmp(fault, "repeats") == 0 && status == QUATSIMD_ERROR_OLD_PACKET ? QUATSIMD_OK
                                                                                         : status;
  calls++;
  if (strcmp(fault, "refuses") == 0 && calls % 100 == 0) return QUATSIMD_ERROR_NEED_KEY;
  if (strcmp(fault, "mistimes") == 0) *time += 1;
  return status;
}
