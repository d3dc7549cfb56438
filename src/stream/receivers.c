/* Writes acknowledgements for receivers and reads them for the sender.
 *
 * An acknowledgement has four parts: the receiver's newest state (4 bytes), a mask (4), the first packet that
 * the receiver decoded (2), and a checksum (2). Bit i of the mask is 1 if the receiver has the state i
 * packets before the newest one. The first packet changes if the receiver starts again. */
#include "stream/receivers.h"

#include "stream/checksum.h"

enum { MASK_BITS = 32, CHECKED_BYTES = QUATSIMD_STREAM_ACKNOWLEDGEMENT_SIZE - 2 };

static uint16_t acknowledgement_check(const quatsimd_stream *s, const unsigned char *bytes) {
  return checksum_of(XXH32(bytes, CHECKED_BYTES, s->seed ^ 0xacacacac));
}

quatsimd_status quatsimd_stream_acknowledge(const quatsimd_stream *stream, void *acknowledgement) {
  if (!stream || stream->side == SENDER || !acknowledgement) return QUATSIMD_ERROR_BAD_ARGUMENT;
  unsigned char *const bytes = acknowledgement;
  uint32_t mask = 0;
  for (uint32_t i = 0; i < MASK_BITS && i < stream->states; i++)
    mask |= (uint32_t)(state_of(stream, stream->newest - i) != NULL) << i;
  store_little(bytes, stream->newest, 4), store_little(bytes + 4, mask, 4);
  store_little(bytes + 8, stream->first, 2);
  store_little(bytes + CHECKED_BYTES, acknowledgement_check(stream, bytes), 2);
  return QUATSIMD_OK;
}

static uint64_t bit_of(const quatsimd_stream *s, uint32_t number) {
  return (uint64_t)1 << (number % s->states % 64);
}
static uint64_t *word_of(const quatsimd_stream *s, receiver *r, uint32_t number) {
  return &r->has[number % s->states / 64];
}

quatsimd_status quatsimd_stream_acknowledged(quatsimd_stream *stream, size_t receiver_index,
                                             const void *acknowledgement, size_t size) {
  if (!stream || stream->side == RECEIVER || !acknowledgement || receiver_index >= stream->receivers)
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (size != QUATSIMD_STREAM_ACKNOWLEDGEMENT_SIZE) return QUATSIMD_ERROR_BAD_PACKET;
  const unsigned char *const bytes = acknowledgement;
  const uint32_t newest = load_u32(bytes), mask = load_u32(bytes + 4);
  const uint16_t first = load_u16(bytes + 8);
  if (load_u16(bytes + CHECKED_BYTES) != acknowledgement_check(stream, bytes) ||
      (mask != 0 && (int32_t)(newest - stream->coming) >= 0)) /* packet `newest` was not sent yet */
    return QUATSIMD_ERROR_BAD_PACKET;
  receiver *const r = &stream->receiver[receiver_index];
  /* if the receiver started again or says that it has no state, it lost the states that `has` records */
  if (mask == 0 || !r->joined || first != r->first) memset(r->has, 0, sizeof r->has);
  r->joined = true, r->first = first, r->heard = stream->coming;
  for (uint32_t i = 0; i < MASK_BITS; i++)
    if (mask >> i & 1 && state_of(stream, newest - i))
      *word_of(stream, r, newest - i) |= bit_of(stream, newest - i);
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_stream_leave(quatsimd_stream *stream, size_t receiver_index) {
  if (!stream || stream->side == RECEIVER || receiver_index >= stream->receivers)
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  stream->receiver[receiver_index].joined = false;
  return QUATSIMD_OK;
}

common quatsimd_stream_common(const quatsimd_stream *s) {
  common all = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
  bool any = s->reliable;
  for (uint32_t i = 0; i < s->receivers && !s->reliable; i++) {
    const receiver *const r = &s->receiver[i];
    if (!r->joined || s->coming - r->heard > longest_distance(s)) continue;
    any = true;
    for (int w = 0; w < MOST_STATES / 64; w++) all.has[w] &= r->has[w];
  }
  return any ? all : (common){{0}};
}

const state *quatsimd_stream_known(const quatsimd_stream *s, const common *all, uint32_t number) {
  const uint32_t distance = s->coming - number;
  return distance >= 1 && distance <= longest_distance(s) &&
                 all->has[number % s->states / 64] & bit_of(s, number)
             ? state_of(s, number)
             : NULL;
}

void quatsimd_stream_sent(quatsimd_stream *s) {
  for (uint32_t i = 0; i < s->receivers; i++)
    *word_of(s, &s->receiver[i], s->coming) &= ~bit_of(s, s->coming);
}
