/* Decoding: any bytes are refused or become rotations. */
#include "stream/checksum.h"

static bool take_bodies(quatsimd_stream *s, range_decoder *d, const state *base) {
  const bool whole = !base || take_bit(d, &s->next->whole);
  if (!whole && d->size > whole_bytes(s) - HEAD_BYTES) return false; /* or it would take long to decode */
  for (size_t i = 0; i < s->bodies; i += QUATSIMD_CHUNK) {
    const size_t n = quatsimd_chunk(i, s->bodies), room = quatsimd_room(n);
    components predicted;
    points k;
    quatsimd_stream_predict(s, base, i, room, predicted);
    for (size_t b = 0; b < n; b++)
      if (whole) take_whole(d, s->width, k[b]);
      else if (!take_point(d, &s->next->models, &base->scale[i + b], k[b])) return false;
    quatsimd_stream_advance(s, base, i, n, room, predicted, k);
  }
  return range_decoder_at_end(d);
}

/* False for some of what no encoder writes. */
static bool take_time(quatsimd_stream *s, range_decoder *d, const state *base) {
  state *const next = s->next;
  uint32_t by = 0;
  if (!take_bit(d, &next->steady)) {
    const bool late = take_plain(d, 1) == 0;
    by = take_number(d);
    if (by == 0) return false; /* a code of more than 32 bits */
    if (!late) by = 0 - by;
  }
  quatsimd_stream_set_time(s, base, quatsimd_stream_expected(base, next->distance) + by);
  return true;
}

/* Whether this is the number of a state, or older than all. */
static bool is_old(const quatsimd_stream *s, uint32_t number) {
  return state_of(s, s->newest) &&
         (state_of(s, number) || (int32_t)(number - s->newest) <= -(int32_t)s->states);
}

typedef struct received {
  bool key;
  uint16_t low_number, check;
  const unsigned char *bytes; /* behind the head */
  size_t size;
} received;

/* Reads the head of a key packet and begins its state. *hash is the packet's. Its number is whole, so the
 * checksum comes first. */
static quatsimd_status begin_key(quatsimd_stream *s, const received *p, range_decoder *d, uint32_t *hash) {
  if (p->size < KEY_BYTES) return QUATSIMD_ERROR_BAD_PACKET;
  const uint32_t number = load_u32(p->bytes), time = load_u32(p->bytes + 4);
  *hash = packet_hash(s, number, NULL, p->bytes, p->size);
  if ((number & 0x7fff) != p->low_number || checksum_of(*hash) != p->check) return QUATSIMD_ERROR_BAD_PACKET;
  if (is_old(s, number)) return QUATSIMD_ERROR_OLD_PACKET;
  *d = range_decoder_new(p->bytes + KEY_BYTES, p->size - KEY_BYTES);
  quatsimd_stream_begin(s, NULL, number);
  quatsimd_stream_set_time(s, NULL, time);
  return QUATSIMD_OK;
}

/* The same of a packet against *base. The newest state tells its number, and its hash needs the baseline's:
 * what is old or has no baseline is found before damage is. */
static quatsimd_status begin_coded(quatsimd_stream *s, const received *p, range_decoder *d, uint32_t *hash,
                                   const state **base) {
  if (!state_of(s, s->newest)) return QUATSIMD_ERROR_NEED_KEY;
  const uint32_t ahead = (p->low_number - s->newest) & 0x7fff,
                 number = s->newest + ahead - (ahead & 0x4000 ? 0x8000 : 0);
  if (is_old(s, number)) return QUATSIMD_ERROR_OLD_PACKET;
  *d = range_decoder_new(p->bytes, p->size);
  const uint32_t distance = take_number(d); /* 0: a code of more than 32 bits */
  if (distance == 0 || distance > longest_distance(s)) return QUATSIMD_ERROR_BAD_PACKET;
  *base = state_of(s, number - distance);
  if (!*base) return QUATSIMD_ERROR_NEED_KEY;
  *hash = packet_hash(s, number, *base, p->bytes, p->size);
  if (checksum_of(*hash) != p->check) return QUATSIMD_ERROR_BAD_PACKET;
  quatsimd_stream_begin(s, *base, number);
  return take_time(s, d, *base) ? QUATSIMD_OK : QUATSIMD_ERROR_BAD_PACKET;
}

quatsimd_status quatsimd_stream_decode(quatsimd_stream *stream, quatsimd_out rotations, uint32_t *time,
                                       const void *packet, size_t packet_size) {
  quatsimd_operand out;
  if (!stream || stream->side == SENDER || !packet || !time || !quatsimd_resolve_out(&out, 4, &rotations) ||
      quatsimd_begins_at(&out, packet))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (packet_size < HEAD_BYTES || packet_size > whole_bytes(stream) + SPARE_BYTES) /* no encoder's */
    return QUATSIMD_ERROR_BAD_PACKET;
  const unsigned char *const head = packet;
  const received p = {head[0] & 1, (uint16_t)(load_u16(head) >> 1), load_u16(head + 2), head + HEAD_BYTES,
                      packet_size - HEAD_BYTES};
  const state *base = NULL;
  range_decoder d;
  uint32_t hash;
  const quatsimd_status begun =
      p.key ? begin_key(stream, &p, &d, &hash) : begin_coded(stream, &p, &d, &hash, &base);
  if (begun != QUATSIMD_OK) return begun;
  if (!take_bodies(stream, &d, base)) return QUATSIMD_ERROR_BAD_PACKET;
  const state *const decoded = stream->next;
  const bool is_first = !state_of(stream, stream->newest);
  if (is_first) stream->first = (uint16_t)decoded->number;
  if (is_first || (int32_t)(decoded->number - stream->newest) > 0) stream->newest = decoded->number;
  stream->side = RECEIVER;
  quatsimd_stream_keep(stream, hash);
  for (size_t i = 0; i < stream->bodies; i += QUATSIMD_CHUNK) {
    components last;
    const size_t n = quatsimd_chunk(i, stream->bodies);
    for (int c = 0; c < 4; c++) memcpy(last[c], decoded->rotation[c] + i, n * sizeof(float));
    quatsimd_scatter(&out, i, n, last);
  }
  *time = decoded->time;
  return QUATSIMD_OK;
}
