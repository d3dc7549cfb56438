/* Decodes packets. A packet may have any bytes: it decodes to unit quaternions or is refused. */
#include "stream/checksum.h"

static bool take_bodies(quatsimd_stream *s, range_decoder *d, const state *base) {
  const bool whole = !base || take_bit(d, &s->next->whole);
  /* No encoder writes such a packet. Refusing it bounds the time of decoding. */
  if (!whole && d->size > whole_bytes(s) - HEAD_BYTES) return false;
  for (size_t i = 0; i < s->bodies; i += QUATSIMD_CHUNK) {
    const size_t n = quatsimd_chunk(i, s->bodies), padded = quatsimd_padded(n);
    components predicted;
    points k;
    quatsimd_stream_predict(s, base, i, padded, predicted);
    for (size_t b = 0; b < n; b++)
      if (whole) take_whole(d, s->width, k[b]);
      else if (!take_point(d, &s->next->models, &base->scale[i + b], k[b])) return false;
    quatsimd_stream_advance(s, base, i, n, padded, predicted, k);
  }
  return range_decoder_at_end(d);
}

/* Reads the time, which is coded as the difference from the expected time. Returns false for a bad code. */
static bool take_time(quatsimd_stream *s, range_decoder *d, const state *base) {
  state *const next = s->next;
  uint32_t by = 0;
  if (!take_bit(d, &next->steady)) {
    const bool late = take_plain(d, 1) == 0;
    by = take_number(d);
    if (by == 0) return false;
    if (!late) by = 0 - by;
  }
  quatsimd_stream_set_time(s, base, quatsimd_stream_expected(base, next->distance) + by);
  return true;
}

/* Returns true if the receiver has the state of this packet, or if the packet is too old to have a state. */
static bool is_old(const quatsimd_stream *s, uint32_t number) {
  return state_of(s, s->newest) &&
         (state_of(s, number) || (int32_t)(number - s->newest) <= -(int32_t)s->states);
}

/* Counts an old key packet. A repeated number neither counts nor ends the order, since networks repeat
 * packets. A lower number begins a new order, because it may be the first one after the restart. */
static quatsimd_status refuse_old_key(quatsimd_stream *s, uint32_t number) {
  const int32_t ahead = (int32_t)(number - s->last_old);
  if (s->old_keys == 0 || ahead < 0) s->old_keys = 1;
  else if (ahead > 0 && s->old_keys < RESTART_KEYS) s->old_keys++;
  s->last_old = number;
  return s->old_keys == RESTART_KEYS ? QUATSIMD_ERROR_RESTARTED : QUATSIMD_ERROR_OLD_PACKET;
}

typedef struct received {
  bool key;
  uint16_t low_number, check;
  const unsigned char *bytes; /* the bytes after the head */
  size_t size;
} received;

/* Begins the state of a key packet. Its number has all 32 bits, so the checksum is compared first. */
static quatsimd_status begin_key(quatsimd_stream *s, const received *p, range_decoder *d, uint32_t *hash) {
  if (p->size < KEY_BYTES) return QUATSIMD_ERROR_BAD_PACKET;
  const uint32_t number = load_u32(p->bytes), time = load_u32(p->bytes + 4);
  *hash = packet_hash(s, number, NULL, p->bytes, p->size);
  if ((number & 0x7fff) != p->low_number || checksum_of(*hash) != p->check) return QUATSIMD_ERROR_BAD_PACKET;
  if (is_old(s, number)) return refuse_old_key(s, number);
  *d = range_decoder_new(p->bytes + KEY_BYTES, p->size - KEY_BYTES);
  quatsimd_stream_begin(s, NULL, number);
  quatsimd_stream_set_time(s, NULL, time);
  return QUATSIMD_OK;
}

/* Begins the state of a packet that has a baseline. The packet has the lower 15 bits of its number. The upper
 * bits come from the newest state. The checksum needs the baseline's hash, so it is compared last. An old
 * packet or a missing baseline is thus reported even if the packet is damaged. */
static quatsimd_status begin_coded(quatsimd_stream *s, const received *p, range_decoder *d, uint32_t *hash,
                                   const state **base) {
  if (!state_of(s, s->newest)) return QUATSIMD_ERROR_NEED_KEY;
  const uint32_t ahead = (p->low_number - s->newest) & 0x7fff,
                 number = s->newest + ahead - (ahead & 0x4000 ? 0x8000 : 0);
  if (is_old(s, number)) return QUATSIMD_ERROR_OLD_PACKET;
  *d = range_decoder_new(p->bytes, p->size);
  const uint32_t distance = take_number(d);
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
  /* No encoder writes a packet of such a size. */
  if (packet_size < HEAD_BYTES || packet_size > whole_bytes(stream) + SPARE_BYTES)
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
  stream->side = RECEIVER, stream->old_keys = 0;
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
