/* Decoding: any bytes are refused or become rotations. */
#include <stdlib.h>

#include "stream/checksum.h"

/* Reads the code of a body; WHOLE + 1 for what no encoder writes. */
static inline uint32_t take_body(const quatsimd_stream *s, bit_reader *r, body b, body *next, int32_t k[3]) {
  const point_code c = point_code_of(b.scale);
  uint32_t used = b.predicted;
  taken t = take_point(r, &c, k);
  if (t == ESCAPE) {
    refill(r);
    if (take(r, 1)) {
      take_whole(r, s->width, k);
      *next = after_whole(b);
      return WHOLE;
    }
    used ^= 1;
    t = take_point(r, &c, k);
  }
  if (t != POINT) return WHOLE + 1;
  *next = after_point(b, used, abs(k[0]) + abs(k[1]) + abs(k[2]));
  return used;
}

quatsimd_status quatsimd_stream_peek(unsigned *number, int *key, const void *packet, size_t packet_size) {
  if (!packet || !number || !key) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (packet_size < HEAD_BYTES) return QUATSIMD_ERROR_BAD_PACKET;
  *number = load_u16(packet) >> 1;
  *key = load_u16(packet) & 1;
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_stream_decode(quatsimd_stream *stream, quatsimd_out rotations, const void *packet,
                                       size_t packet_size) {
  quatsimd_operand out;
  if (!stream || !packet || !quatsimd_resolve_out(&out, 4, &rotations) || quatsimd_begins_at(&out, packet))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (packet_size < HEAD_BYTES) return QUATSIMD_ERROR_BAD_PACKET;
  const unsigned char *const bytes = packet;
  const unsigned head = load_u16(bytes);
  const bool key = head & 1;
  const uint32_t ahead = stream->started ? ((head >> 1) - stream->number) & 0x7fff : 0;
  if (ahead >= 0x4000) return QUATSIMD_ERROR_OLD_PACKET;
  if (!key && (!stream->started || ahead != 0)) return QUATSIMD_ERROR_NEED_KEY;
  if (stream_checksum(stream, head, bytes, packet_size) != load_u16(bytes + 2))
    return QUATSIMD_ERROR_BAD_PACKET;

  if (key && packet_size != HEAD_BYTES + (stream->bodies * (size_t)(1 + 3 * stream->width) + 7) / 8)
    return QUATSIMD_ERROR_BAD_PACKET;

  bit_reader r = {bytes + HEAD_BYTES, packet_size - HEAD_BYTES, 0, 0, 0};
  for (size_t i = 0; i < stream->bodies; i += QUATSIMD_CHUNK) {
    const size_t n = quatsimd_chunk(i, stream->bodies), room = quatsimd_room(n);
    components free;
    points got;
    uint32_t used[QUATSIMD_CHUNK];
    quatsimd_stream_predict(stream, i, room, free);
    for (size_t e = 0; e < n; e++) {
      int32_t k[3];
      if (key) {
        take_whole(&r, stream->width, k);
        stream->next_body[i + e] = new_body;
        used[e] = WHOLE;
      } else {
        used[e] = take_body(stream, &r, stream->body[i + e], &stream->next_body[i + e], k);
        if (used[e] > WHOLE) return QUATSIMD_ERROR_BAD_PACKET;
      }
      for (int c = 0; c < 3; c++) got.k[c][e] = k[c];
    }
    if (r.at > r.size + 8) return QUATSIMD_ERROR_BAD_PACKET; /* long behind the end */
    quatsimd_stream_turn(stream, i, n, room, used, &got, free);
  }
  /* all that is left are the zero bits of the last byte */
  const size_t taken_bits = 8 * r.at - (size_t)r.count;
  if ((taken_bits + 7) / 8 != r.size || r.waiting != 0) return QUATSIMD_ERROR_BAD_PACKET;
  quatsimd_stream_advance(stream, key, stream->started ? stream->number + ahead : head >> 1,
                          load_u16(bytes + 2));
  for (size_t i = 0; i < stream->bodies; i += QUATSIMD_CHUNK) {
    components last;
    const size_t n = quatsimd_chunk(i, stream->bodies);
    for (int c = 0; c < 4; c++) memcpy(last[c], stream->last.component[c] + i, n * sizeof(float));
    quatsimd_scatter(&out, i, n, last);
  }
  return QUATSIMD_OK;
}
