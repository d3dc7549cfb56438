#include "streams/packets.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

quatsimd_status stream_end_open(struct stream_end *end, const quatsimd_stream_options *options) {
  const size_t size = quatsimd_stream_memory_size(options);
  if (!end->memory) end->memory = memory_get(size, 1);
  return quatsimd_stream_init(&end->stream, end->memory, size, options);
}

struct packets packets_new(const struct motion *motion, const quatsimd_stream_options *options, size_t every,
                           size_t key) {
  struct packets packets = {.motion = motion, .options = options, .every = every, .key = key};
  packets.of = (motion->frames + every - 1) / every;
  packets.end = memory_get(packets.of, sizeof *packets.end);
  return packets;
}

void packets_free(struct packets *packets) { free(packets->end), free(packets->bytes); }

const float *packets_rotations(const struct packets *p, size_t packet) {
  return p->motion->xyzw + 4 * p->motion->bodies * packet * p->every;
}
double packets_seconds(const struct packets *p, size_t packet) {
  return p->motion->seconds[packet * p->every] - p->motion->seconds[0];
}
uint32_t packets_time(const struct packets *p, size_t packet) {
  if (p->motion->even) return (uint32_t)(packet * p->every);
  return (uint32_t)(uint64_t)(1000 * packets_seconds(p, packet) + 0.5);
}

static void reserve(struct packets *p, size_t bytes) {
  if (p->room - p->size >= bytes) return;
  p->room = 2 * p->room + bytes;
  unsigned char *more = memory_get(p->room, 1);
  if (p->size) memcpy(more, p->bytes, p->size);
  free(p->bytes);
  p->bytes = more;
}

quatsimd_status packets_make(struct packets *p, quatsimd_stream *sender) {
  size_t written = 0;
  reserve(p, quatsimd_stream_max_packet_size(p->options));
  const quatsimd_status status = quatsimd_stream_encode(
      sender, p->bytes + p->size, p->room - p->size, &written, quatsimd_aos(packets_rotations(p, p->count)),
      packets_time(p, p->count), p->key && p->count % p->key == 0);
  if (status >= 0) p->end[p->count++] = p->size += written;
  return status;
}

static size_t start_of(const struct packets *p, size_t packet) { return packet ? p->end[packet - 1] : 0; }

const unsigned char *packets_bytes(const struct packets *p, size_t packet) {
  return p->bytes + start_of(p, packet);
}
size_t packets_size(const struct packets *p, size_t packet) { return p->end[packet] - start_of(p, packet); }
/* The first bit of the head. */
bool packets_is_key(const struct packets *p, size_t packet) { return packets_bytes(p, packet)[0] & 1; }
