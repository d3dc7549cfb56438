/* Encoding: which prediction, and the bits. */
#include "stream/checksum.h"

/* bits that the other prediction must have saved, beside the cost of the switch */
enum { SWITCH_BITS = 4 };

/* Which code is short, switches of the prediction considered that pay later; by the sizes of the
 * residuals' points. */
static inline uint32_t choose(const quatsimd_stream *s, const point_code *c, body b, int16_t *advantage,
                              int32_t last_size, int32_t free_size) {
  const int escape = bits_of_escape(c), whole_bits = escape + 2 + 3 * s->width;
  if (s->predictors != QUATSIMD_PREDICT_BOTH) {
    const bool last = s->predictors == QUATSIMD_PREDICT_LAST;
    return about_bits(c, last ? last_size : free_size) > whole_bits ? WHOLE : last ? LAST : FREE;
  }
  const int32_t used_size = b.predicted == LAST ? last_size : free_size;
  const int used_bits = about_bits(c, used_size),
            other_bits = about_bits(c, last_size + free_size - used_size);
  const int switched_bits = other_bits + escape + 1;
  int gain = used_bits - other_bits;
  gain = gain > 64 ? 64 : gain < -64 ? -64 : gain;
  const int with_gain = *advantage + gain - *advantage / 8;
  const bool switches = with_gain > SWITCH_BITS + escape || switched_bits < used_bits;
  const bool whole = (switches ? switched_bits : used_bits) > whole_bits;
  *advantage = (int16_t)(switches || whole ? 0 : with_gain);
  return whole ? WHOLE : (uint32_t)b.predicted ^ switches;
}

static void find_points(const quatsimd_stream *s, const float *const predicted[4], components value,
                        size_t room, points *p) {
  components k;
  quatsimd_stream_run(
      s, QUATSIMD_OPERATION_stream_residual, (float *[]){ROTATIONS_AT(k, 0)},
      (const float *[]){ROTATIONS_AT(predicted, 0), ROTATIONS_AT(value, 0), s->per_quantum, s->none2}, room);
  for (int c = 0; c < 4; c++)
    for (size_t e = 0; e < room; e++) p->k[c][e] = (int32_t)k[c][e];
}

/* Relative to the identity. */
static void find_whole(const quatsimd_stream *s, components value, size_t room, points *p) {
  find_points(s, (const float *[]){s->zeros, s->zeros, s->zeros, s->ones}, value, room, p);
}

/* The n bodies of a key packet from the i-th on, each by itself. */
static void put_key(quatsimd_stream *s, bit_writer *w, size_t i, size_t n, uint32_t *used,
                    const points *whole) {
  for (size_t e = 0; e < n; e++) {
    put_whole(w, s->width, whole, e);
    s->next_body[i + e] = new_body;
    s->advantage[i + e] = 0;
    used[e] = WHOLE;
  }
}

quatsimd_status quatsimd_stream_encode(quatsimd_stream *stream, void *packet, size_t packet_size,
                                       size_t *written, quatsimd_in rotations, int key) {
  quatsimd_operand in;
  if (!stream || !packet || !written || !quatsimd_resolve_in(&in, 4, &rotations) ||
      quatsimd_begins_at(&in, packet))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (packet_size < max_packet(stream->bodies)) return QUATSIMD_ERROR_SHORT_BUFFER;
  const bool is_key = key || !stream->started || stream->predictors == QUATSIMD_PREDICT_NONE;
  unsigned char *const head = packet;
  bit_writer w = {head + HEAD_BYTES, 0, 0};
  bool all_valid = true;
  for (size_t i = 0; i < stream->bodies; i += QUATSIMD_CHUNK) {
    const size_t n = quatsimd_chunk(i, stream->bodies), room = quatsimd_room(n);
    components value, free;
    points from[WHOLE + 1], sent; /* from each prediction, and those chosen */
    float ok[QUATSIMD_CHUNK];
    uint32_t used[QUATSIMD_CHUNK];
    quatsimd_gather(&in, i, n, room, value);
    quatsimd_stream_run(stream, QUATSIMD_OPERATION_stream_unit, (float *[]){ROTATIONS_AT(value, 0), ok},
                        (const float *[]){ROTATIONS_AT(value, 0), ROTATIONS_AT(stream->last.component, i)},
                        room);
    for (size_t e = 0; e < n; e++) all_valid &= ok[e] != 0;
    quatsimd_stream_predict(stream, i, room, free);
    if (is_key) {
      find_whole(stream, value, room, &from[WHOLE]);
      put_key(stream, &w, i, n, used, &from[WHOLE]);
      quatsimd_stream_turn(stream, i, n, room, used, &from[WHOLE], free);
      continue;
    }
    find_points(stream, (const float *[]){ROTATIONS_AT(stream->last.component, i)}, value, room, &from[LAST]);
    find_points(stream, (const float *[]){ROTATIONS_AT(free, 0)}, value, room, &from[FREE]);
    bool have_whole = false;
    for (size_t e = 0; e < n; e++) {
      const body b = stream->body[i + e];
      const point_code c = point_code_of(b.scale);
      used[e] =
          choose(stream, &c, b, &stream->advantage[i + e], from[LAST].k[SIZE][e], from[FREE].k[SIZE][e]);
      /* by any other it would move, as near as the bound in each packet */
      used[e] = ok[e] == 0 ? LAST : used[e];
      if (used[e] != WHOLE && !put_residual(&w, &c, used[e] != b.predicted, &from[used[e]], e))
        used[e] = WHOLE;
      if (used[e] == WHOLE) {
        if (!have_whole) find_whole(stream, value, room, &from[WHOLE]);
        have_whole = true;
        put_escape(&w, &c);
        put(&w, 1, 1);
        put_whole(&w, stream->width, &from[WHOLE], e);
      }
      for (int k = 0; k < 3; k++) sent.k[k][e] = from[used[e]].k[k][e];
      stream->next_body[i + e] =
          used[e] == WHOLE ? after_whole(b) : after_point(b, used[e], from[used[e]].k[SIZE][e]);
    }
    quatsimd_stream_turn(stream, i, n, room, used, &sent, free);
  }
  const unsigned number = (stream->number & 0x7fff) << 1 | is_key;
  *written = (size_t)(w.to - head) + (w.count > 0);
  const uint16_t check = stream_checksum(stream, number, head, *written);
  store_little(head, number, 2), store_little(head + 2, check, 2);
  quatsimd_stream_advance(stream, is_key, stream->number, check);
  return all_valid ? QUATSIMD_OK : QUATSIMD_WARNING_REPLACED_INVALID;
}
