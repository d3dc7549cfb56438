/* Decoding: any bytes are refused or become rotations. */
#include "stream/checksum.h"

static bool take_bodies(quatsimd_stream *s, range_decoder *d, const state *base) {
  const bool whole = !base || take_bit(d, &s->next->whole);
  for (size_t i = 0; i < s->bodies; i += QUATSIMD_CHUNK) {
    const size_t n = quatsimd_chunk(i, s->bodies), room = quatsimd_room(n);
    components predicted;
    points k;
    quatsimd_stream_predict(s, base, i, room, predicted);
    for (size_t b = 0; b < n; b++)
      if (whole) take_whole(d, s->width, k[b]);
      else if (!take_point(d, &s->next->models, &base->scale[i + b], k[b])) return false;
    quatsimd_stream_turn(s, base, i, n, room, predicted, k);
  }
  return range_decoder_at_end(d);
}

/* False for some of what no encoder writes. */
static bool take_time(range_decoder *d, const state *base, uint32_t distance, model *steady, uint32_t *time) {
  *time = quatsimd_stream_expected(base, distance);
  if (take_bit(d, steady)) return true;
  const bool late = take_plain(d, 1) == 0;
  const uint32_t by = take_number(d);
  *time += late ? by : 0 - by;
  return by != 0;
}

/* Whether this is the number of a state, or older than all. */
static bool is_old(const quatsimd_stream *s, uint32_t number) {
  return state_of(s, s->number) &&
         (state_of(s, number) || (int32_t)(number - s->number) <= -(int32_t)s->states);
}

typedef struct received {
  bool key;
  uint32_t low_number, check;
  const unsigned char *bytes; /* behind the head */
  size_t size;
} received;

/* The state of a key packet begins. */
static quatsimd_status begin_key(quatsimd_stream *s, const received *p, range_decoder *d) {
  if (p->size < KEY_BYTES) return QUATSIMD_ERROR_BAD_PACKET;
  const uint32_t number = load_u32(p->bytes), time = load_u32(p->bytes + 4);
  if ((number & 0x7fff) != p->low_number || stream_checksum(s, number, NULL, p->bytes, p->size) != p->check)
    return QUATSIMD_ERROR_BAD_PACKET;
  if (is_old(s, number)) return QUATSIMD_ERROR_OLD_PACKET;
  *d = range_decoder_new(p->bytes + KEY_BYTES, p->size - KEY_BYTES);
  quatsimd_stream_begin(s, NULL, number, time);
  return QUATSIMD_OK;
}

/* That of another packet. */
static quatsimd_status begin_coded(quatsimd_stream *s, const received *p, range_decoder *d,
                                   const state **base) {
  if (!state_of(s, s->number)) return QUATSIMD_ERROR_NEED_KEY;
  const uint32_t ahead = (p->low_number - s->number) & 0x7fff,
                 number = s->number + ahead - (ahead & 0x4000 ? 0x8000 : 0);
  if (is_old(s, number)) return QUATSIMD_ERROR_OLD_PACKET;
  *d = range_decoder_new(p->bytes, p->size);
  const uint32_t distance = take_number(d);
  if (distance == 0 || distance > longest_distance(s)) return QUATSIMD_ERROR_BAD_PACKET;
  *base = state_of(s, number - distance);
  if (!*base) return QUATSIMD_ERROR_NEED_KEY;
  if (stream_checksum(s, number, *base, p->bytes, p->size) != p->check) return QUATSIMD_ERROR_BAD_PACKET;
  model steady = (*base)->steady;
  uint32_t time;
  if (!take_time(d, *base, distance, &steady, &time)) return QUATSIMD_ERROR_BAD_PACKET;
  quatsimd_stream_begin(s, *base, number, time);
  s->next->steady = steady;
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_stream_decode(quatsimd_stream *stream, quatsimd_out rotations, uint32_t *time,
                                       const void *packet, size_t packet_size) {
  quatsimd_operand out;
  if (!stream || stream->side == SENDER || !packet || !time || !quatsimd_resolve_out(&out, 4, &rotations) ||
      quatsimd_begins_at(&out, packet))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (packet_size < HEAD_BYTES) return QUATSIMD_ERROR_BAD_PACKET;
  const unsigned char *const head = packet;
  const received p = {head[0] & 1, load_u16(head) >> 1, load_u16(head + 2), head + HEAD_BYTES,
                      packet_size - HEAD_BYTES};
  const state *base = NULL;
  range_decoder d;
  const quatsimd_status begun = p.key ? begin_key(stream, &p, &d) : begin_coded(stream, &p, &d, &base);
  if (begun != QUATSIMD_OK) return begun;
  if (!take_bodies(stream, &d, base)) return QUATSIMD_ERROR_BAD_PACKET;
  const state *const decoded = stream->next;
  if (!state_of(stream, stream->number) || (int32_t)(decoded->number - stream->number) > 0)
    stream->number = decoded->number;
  stream->side = RECEIVER;
  quatsimd_stream_keep(stream, (uint16_t)p.check);
  for (size_t i = 0; i < stream->bodies; i += QUATSIMD_CHUNK) {
    components last;
    const size_t n = quatsimd_chunk(i, stream->bodies);
    for (int c = 0; c < 4; c++) memcpy(last[c], decoded->rotation[c] + i, n * sizeof(float));
    quatsimd_scatter(&out, i, n, last);
  }
  *time = decoded->time;
  return QUATSIMD_OK;
}
