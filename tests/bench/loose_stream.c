/* Gives the decoder of quatsimd-bench-stream the fault that QUATSIMD_STREAM_FAULT names, so that a test shows
 * that the program notices it. The linker option --wrap redirects the calls. */
#include <stdlib.h>
#include <string.h>

#include "quatsimd/stream.h"

quatsimd_status __real_quatsimd_stream_decode(quatsimd_stream *stream, quatsimd_out rotations, uint32_t *time,
                                              const void *packet, size_t packet_size);
quatsimd_status __wrap_quatsimd_stream_decode(quatsimd_stream *stream, quatsimd_out rotations, uint32_t *time,
                                              const void *packet, size_t packet_size);
quatsimd_status __wrap_quatsimd_stream_decode(quatsimd_stream *stream, quatsimd_out rotations, uint32_t *time,
                                              const void *packet, size_t packet_size) {
  static size_t calls;
  const char *fault = getenv("QUATSIMD_STREAM_FAULT");
  const quatsimd_status status = __real_quatsimd_stream_decode(stream, rotations, time, packet, packet_size);
  if (strcmp(fault, "repeats") == 0 && status == QUATSIMD_ERROR_OLD_PACKET) return QUATSIMD_OK;
  if (strcmp(fault, "refuses") == 0 && ++calls % 100 == 0) return QUATSIMD_ERROR_NEED_KEY;
  if (strcmp(fault, "mistimes") == 0) *time += 1;
  if (strcmp(fault, "turns") == 0) *rotations.x += 0.004f; /* 0.25 degrees are 0.0022 */
  return status;
}
