/* Encodes packets: chooses the baseline of each packet and writes the packet's bytes. */
#include "stream/checksum.h"
#include "stream/receivers.h"

/* Returns the newest state that a packet may be coded against, or NULL. */
static const state *baseline_of(const quatsimd_stream *s) {
  return s->reliable ? state_of(s, s->coming - 1) : quatsimd_stream_common(s);
}

/* Codes all points and computes the next state. Returns false if `whole` is false and the packet becomes
 * longer than a key packet. */
static bool put_bodies(quatsimd_stream *s, range_encoder *e, const state *base, bool whole,
                       const quatsimd_operand *in, bool *all_valid) {
  const unsigned char *const end = e->start + whole_bytes(s) - HEAD_BYTES;
  state *const next = s->next;
  for (size_t i = 0; i < s->bodies; i += QUATSIMD_CHUNK) {
    const size_t n = quatsimd_chunk(i, s->bodies), padded = quatsimd_padded(n);
    components value, predicted, rounded;
    float ok[QUATSIMD_CHUNK];
    points k;
    quatsimd_gather(in, i, n, padded, value);
    stream_run(QUATSIMD_OPERATION_stream_unit, (float *[]){ROTATIONS_AT(s->held, i), ok},
               (const float *[]){ROTATIONS_AT(value, 0), ROTATIONS_AT(s->held, i)}, padded);
    for (size_t b = 0; b < n; b++) *all_valid &= ok[b] != 0;
    quatsimd_stream_predict(s, base, i, padded, predicted);
    stream_run(
        QUATSIMD_OPERATION_stream_residual, (float *[]){VECTORS_AT(rounded, 0)},
        (const float *[]){ROTATIONS_AT(predicted, 0), ROTATIONS_AT(s->held, i), s->per_quantum, s->none2},
        padded);
    for (size_t b = 0; b < n; b++) {
      for (int c = 0; c < 3; c++) k[b][c] = (int32_t)rounded[c][b];
      if (whole) {
        put_whole(e, s->width, k[b]);
        continue;
      }
      put_point(e, &next->models, &base->scale[i + b], k[b]);
      if (e->at > end) return false;
    }
    quatsimd_stream_advance(s, base, i, n, padded, predicted, k);
  }
  return true;
}

/* Writes a packet behind its head. `base` is NULL for a key packet. Returns the end of the packet, or NULL if
 * `whole` is false and the packet would be longer than a key packet. */
static unsigned char *put_packet(quatsimd_stream *s, unsigned char *bytes, const state *base, bool whole,
                                 const quatsimd_operand *in, uint32_t time, bool *all_valid) {
  quatsimd_stream_begin(s, base, s->coming);
  quatsimd_stream_set_time(s, base, time);
  range_encoder e = range_encoder_new(base ? bytes : bytes + KEY_BYTES);
  if (base) {
    const int32_t off = (int32_t)(time - quatsimd_stream_expected(base, s->next->distance));
    put_number(&e, s->next->distance);
    put_bit(&e, &s->next->steady, off == 0);
    if (off != 0) {
      put_plain(&e, off < 0, 1); /* 1: earlier than expected */
      put_number(&e, off < 0 ? 0 - (uint32_t)off : (uint32_t)off);
    }
    put_bit(&e, &s->next->whole, whole);
  } else {
    store_little(bytes, s->coming, 4), store_little(bytes + 4, time, 4);
  }
  if (!put_bodies(s, &e, base, whole, in, all_valid)) return NULL;
  unsigned char *const end = range_encoder_end(&e);
  return whole || (size_t)(end - bytes) <= whole_bytes(s) - HEAD_BYTES ? end : NULL;
}

quatsimd_status quatsimd_stream_encode(quatsimd_stream *stream, void *packet, size_t packet_size,
                                       size_t *written, quatsimd_in rotations, uint32_t time, int key) {
  quatsimd_operand in;
  if (!stream || stream->side == RECEIVER || !packet || !written ||
      !quatsimd_resolve_in(&in, 4, &rotations) || quatsimd_begins_at(&in, packet))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (packet_size < whole_bytes(stream) + SPARE_BYTES) return QUATSIMD_ERROR_SHORT_BUFFER;
  unsigned char *const head = packet, *const bytes = head + HEAD_BYTES;
  const state *const base = key ? NULL : baseline_of(stream);
  bool all_valid = true;
  unsigned char *end = put_packet(stream, bytes, base, !base, &in, time, &all_valid);
  /* The points took too many bytes, so they are coded whole. A key packet would be as short, but it has no
   * motion. Later packets need the motion for their predictions. */
  if (!end) end = put_packet(stream, bytes, base, true, &in, time, &all_valid);
  const uint32_t hash = packet_hash(stream, stream->coming, base, bytes, (size_t)(end - bytes));
  store_little(head, (stream->coming & 0x7fff) << 1 | !base, 2);
  store_little(head + 2, checksum_of(hash), 2);
  *written = (size_t)(end - head);
  stream->side = SENDER;
  quatsimd_stream_keep(stream, hash);
  quatsimd_stream_sent(stream);
  stream->coming++;
  return all_valid ? QUATSIMD_OK : QUATSIMD_WARNING_REPLACED_INVALID;
}
