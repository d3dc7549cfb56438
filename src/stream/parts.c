#include "stream/parts.h"

#include "stream/checksum.h"

/* Returns where part i of `count` begins. The number of a key packet is in each part, so it has no place. */
static size_t part_at(size_t size, unsigned i, unsigned count) {
  return NUMBER_BYTES + (size_t)((uint64_t)(size - NUMBER_BYTES) * i / count);
}

/* ---- the sender ---- */

void quatsimd_stream_begin_parts(quatsimd_stream *s, uint32_t number, size_t size) {
  key_parts *const p = &s->parts;
  p->number = number, p->size = size, p->count = parts_of(size, s->limit), p->next = p->rounds = 0;
}

next_part quatsimd_stream_next_part(quatsimd_stream *s, bool enough) {
  key_parts *const p = &s->parts;
  if (p->next < p->count && (p->rounds == 0 || !enough)) return PART;
  if (p->count == 0 || enough) {
    p->count = 0;
    return NO_PART;
  }
  if (++p->rounds >= (p->count + 3) / 4 || s->coming - p->number + p->count > longest_distance(s))
    return NEW_KEY;
  p->next = 0;
  return PART;
}

size_t quatsimd_stream_put_part(quatsimd_stream *s, unsigned char *packet) {
  key_parts *const p = &s->parts;
  const size_t from = part_at(p->size, p->next, p->count),
               size = part_at(p->size, p->next + 1, p->count) - from;
  unsigned char *const bytes = packet + HEAD_BYTES;
  static const references none = {0};
  store_little(packet, (s->coming & 0x7fff) << 1 | 1, 2);
  store_little(bytes, p->number, NUMBER_BYTES), store_little(bytes + 4, p->size, 4);
  bytes[8] = (unsigned char)p->next++, bytes[9] = (unsigned char)p->count;
  memcpy(bytes + PART_BYTES, p->bytes + from, size);
  store_little(packet + 2, checksum_of(packet_hash(s, s->coming, &none, bytes, PART_BYTES + size)), 2);
  return HEAD_BYTES + PART_BYTES + size;
}

/* ---- a receiver ---- */

quatsimd_status quatsimd_stream_take_part(quatsimd_stream *s, const unsigned char *bytes, size_t size) {
  key_parts *const p = &s->parts;
  if (size < PART_BYTES) return QUATSIMD_ERROR_BAD_PACKET;
  const uint32_t number = load_u32(bytes), whole = load_u32(bytes + 4);
  const unsigned i = bytes[8], count = bytes[9];
  if (i >= count || count > most_parts(s) || whole < KEY_BYTES || whole > key_bytes(s) - HEAD_BYTES)
    return QUATSIMD_ERROR_BAD_PACKET;
  const size_t from = part_at(whole, i, count);
  if (size - PART_BYTES != part_at(whole, i + 1, count) - from) return QUATSIMD_ERROR_BAD_PACKET;
  const uint32_t older = p->number - number;
  if (p->count > 0 && older - 1 < s->states) return QUATSIMD_ERROR_NEED_KEY; /* it was overtaken */
  if (older != 0 || p->size != whole || p->count != count)
    *p = (key_parts){.bytes = p->bytes, .number = number, .size = whole, .count = count};
  memcpy(p->bytes + from, bytes + PART_BYTES, size - PART_BYTES);
  p->arrived[i / 64] |= UINT64_C(1) << i % 64;
  for (unsigned o = 0; o < count; o++)
    if (!(p->arrived[o / 64] >> o % 64 & 1)) return QUATSIMD_ERROR_NEED_KEY;
  p->count = 0;
  store_little(p->bytes, number, NUMBER_BYTES);
  return QUATSIMD_OK;
}
