/* Acknowledgements: made by receivers, read by the sender.
 *
 * Ten bytes: the number of the newest state; 32 bits for it and those before, it lowest, all 0 if there
 * is none; and a checksum of these and the options. */
#include "stream/receivers.h"

#include "stream/checksum.h"

enum { MASK_BITS = 32, CHECKED_BYTES = QUATSIMD_STREAM_ACKNOWLEDGEMENT - 2 };

static uint16_t acknowledgement_check(const quatsimd_stream *s, const unsigned char *bytes) {
  return folded_hash(s->seed ^ 0xacacacac, bytes, CHECKED_BYTES);
}

quatsimd_status quatsimd_stream_acknowledge(const quatsimd_stream *stream, void *acknowledgement) {
  if (!stream || stream->side == SENDER || !acknowledgement) return QUATSIMD_ERROR_BAD_ARGUMENT;
  unsigned char *const bytes = acknowledgement;
  uint32_t mask = 0;
  for (uint32_t i = 0; i < MASK_BITS && i < stream->states; i++)
    mask |= (uint32_t)(state_of(stream, stream->number - i) != NULL) << i;
  store_little(bytes, stream->number, 4), store_little(bytes + 4, mask, 4);
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
  if (size != QUATSIMD_STREAM_ACKNOWLEDGEMENT) return QUATSIMD_ERROR_BAD_PACKET;
  const unsigned char *const bytes = acknowledgement;
  const uint32_t newest = load_u32(bytes), mask = load_u32(bytes + 4);
  if (load_u16(bytes + CHECKED_BYTES) != acknowledgement_check(stream, bytes) ||
      (mask != 0 && (int32_t)(newest - stream->number) >= 0)) /* not sent yet */
    return QUATSIMD_ERROR_BAD_PACKET;
  receiver *const r = &stream->receiver[receiver_index];
  if (mask == 0 || !r->joined) memset(r->has, 0, sizeof r->has), r->newest = newest;
  r->joined = true, r->heard = stream->number;
  /* What it lacks now it may have had before it began anew. An older acknowledgement says nothing of that. */
  const bool old = (int32_t)(newest - r->newest) < 0;
  if (!old) r->newest = newest;
  for (uint32_t i = 0; i < MASK_BITS; i++) {
    uint64_t *const word = word_of(stream, r, newest - i), bit = bit_of(stream, newest - i);
    if (!state_of(stream, newest - i)) continue;
    if (mask >> i & 1) *word |= bit;
    else if (!old) *word &= ~bit;
  }
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_stream_leave(quatsimd_stream *stream, size_t receiver_index) {
  if (!stream || stream->side == RECEIVER || receiver_index >= stream->receivers)
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  stream->receiver[receiver_index].joined = false;
  return QUATSIMD_OK;
}

const state *quatsimd_stream_common(const quatsimd_stream *s) {
  receiver all = {.has = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
  bool any = false;
  for (uint32_t i = 0; i < s->receivers; i++) {
    const receiver *const r = &s->receiver[i];
    if (!r->joined || s->number - r->heard > longest_distance(s)) continue;
    any = true;
    for (int w = 0; w < MOST_STATES / 64; w++) all.has[w] &= r->has[w];
  }
  for (uint32_t d = 1; d <= longest_distance(s) && any; d++)
    if (*word_of(s, &all, s->number - d) & bit_of(s, s->number - d)) return state_of(s, s->number - d);
  return NULL;
}

void quatsimd_stream_sent(quatsimd_stream *s, uint32_t number) {
  for (uint32_t i = 0; i < s->receivers; i++) *word_of(s, &s->receiver[i], number) &= ~bit_of(s, number);
}
