/* libFuzzer over streams: a sender of any floats, and a receiver for each kernel; they get its packets in any
 * order, some twice and some never, and acknowledge; among others: packets and acknowledgements that are
 * damaged, made up, cut off, old, with the checksum made good or not. All that is decoded is of length 1 and
 * the same with all kernels; as long as no other packet was taken for the sender's it is what the sender has,
 * within the bound of what was given. A refused packet changes nothing. */
#include "fuzz.h"

#include "stream/head.h"

enum {
  MOST_BODIES = 150,
  MOST_EVENTS = 150,
  LOG = 32,
  SAVED = 4,
  BYTES = QUATSIMD_STREAM_ACKNOWLEDGEMENT_SIZE
};

/* A receiver and where it writes. */
typedef struct listener {
  const quatsimd_kernels *kernels;
  quatsimd_stream *stream;
  void *memory;
  fuzz_array to;
} listener;

typedef struct sent_packet {
  unsigned char *bytes;
  size_t size;
  uint32_t number, time, distance; /* distance of the baseline; 0 of a key packet */
  unsigned served;                 /* era of the listeners that must be able to decode it; 0: of none */
  float wanted[4 * MOST_BODIES];
  bool known[MOST_BODIES]; /* not where a length is so near the limits that either is right */
} sent_packet;

typedef struct channel {
  quatsimd_stream_options options;
  quatsimd_stream *sender;
  void *memory;
  listener listeners[MAX_KERNELS];
  size_t count;   /* of listeners */
  bool together;  /* they have taken no packet but the sender's */
  bool lied;      /* the sender was told that they have what they may not have */
  bool heard;     /* it knows what they have, */
  uint32_t since; /* from before the packet of this number */
  unsigned era;   /* how often they were made anew */
  uint32_t time, sent;
  fuzz_array packet;
  sent_packet log[LOG]; /* of packet n % LOG */
  unsigned char saved[SAVED][BYTES];
  unsigned saved_era[SAVED];
  /* floats given, and the last valid ones */
  float given[4 * MOST_BODIES], wanted[4 * MOST_BODIES];
  bool known[MOST_BODIES];
} channel;

/* In memory that is made at first, and then used again. */
static quatsimd_stream *stream_new(const quatsimd_stream_options *options, void **memory) {
  quatsimd_stream *stream;
  const size_t size = quatsimd_stream_memory_size(options);
  if (!*memory) *memory = malloc(size);
  if (!*memory || quatsimd_stream_init(&stream, *memory, size, options) != QUATSIMD_OK)
    fuzz_fail("no stream");
  return stream;
}

/* The same packet to all; they agree about it. */
static quatsimd_status deliver(channel *c, const unsigned char *bytes, size_t size, uint32_t *time) {
  fuzz_array packet = fuzz_array_new(size, 0);
  quatsimd_status status = QUATSIMD_OK;
  if (size) memcpy(packet.data, bytes, size);
  for (size_t r = 0; r < c->count; r++) {
    listener *to = &c->listeners[r];
    uint32_t moment = 0xa5a5a5a5;
    memset(to->to.data, 0xa5, to->to.size);
    fuzz_use(to->kernels);
    const quatsimd_status now = quatsimd_stream_decode(
        to->stream, quatsimd_aos_out((float *)(void *)to->to.data), &moment, packet.data, size);
    if (r == 0) status = now, *time = moment;
    if (now != status || moment != *time)
      fuzz_fail("%s: %s, scalar: %s", to->kernels->name, quatsimd_status_string(now),
                quatsimd_status_string(status));
    if (memcmp(to->to.data, c->listeners[0].to.data, to->to.size) != 0)
      fuzz_fail("%s: not what scalar decodes", to->kernels->name);
  }
  fuzz_array_free(&packet);
  const unsigned char *got = c->listeners[0].to.data;
  if (status != QUATSIMD_OK && *time != 0xa5a5a5a5) fuzz_fail("a packet that is refused writes the time");
  for (size_t i = 0; i < c->listeners[0].to.size && status != QUATSIMD_OK; i++)
    if (got[i] != 0xa5) fuzz_fail("a packet that is refused writes rotations");
  for (size_t b = 0; b < c->options.body_count && status == QUATSIMD_OK; b++) {
    float q[4];
    memcpy(q, got + 16 * b, 16);
    if (!fuzz_is_unit(q)) fuzz_fail("body %zu: a rotation has length %.9g", b, fuzz_length(q));
  }
  return status;
}

/* The packet that the listeners acknowledge; they agree about it. */
static void acknowledge(const channel *c, unsigned char *bytes) {
  for (size_t r = 0; r < c->count; r++) {
    unsigned char own[BYTES];
    if (quatsimd_stream_acknowledge(c->listeners[r].stream, own) != QUATSIMD_OK)
      fuzz_fail("they do not acknowledge");
    if (r == 0) memcpy(bytes, own, BYTES);
    else if (memcmp(bytes, own, BYTES) != 0) fuzz_fail("they acknowledge different packets");
  }
}

static quatsimd_status hear(channel *c, size_t receiver_index, const unsigned char *bytes, size_t size) {
  fuzz_array exact = fuzz_array_new(size, 0);
  if (size) memcpy(exact.data, bytes, size);
  const quatsimd_status status = quatsimd_stream_acknowledged(c->sender, receiver_index, exact.data, size);
  fuzz_array_free(&exact);
  if (status != QUATSIMD_OK && status != QUATSIMD_ERROR_BAD_PACKET)
    fuzz_fail("acknowledged: %s", quatsimd_status_string(status));
  return status;
}
static void lie(channel *c) { c->lied = true, c->heard = false; }
static void hear_listeners(channel *c) {
  unsigned char bytes[BYTES];
  acknowledge(c, bytes);
  const quatsimd_status status = hear(c, 0, bytes, BYTES);
  if (!c->together) lie(c);
  else if (status != QUATSIMD_OK) fuzz_fail("an acknowledgement of the sender's own packets is refused");
  if (!c->lied) c->heard = true, c->since = c->sender->coming;
}

/* In most inputs few, up to more than a block, as they take the time; else about as many as a chunk, or
 * more. */
static size_t bodies_of(uint8_t byte) { return byte < 240 ? byte % 20 + 1 : 120 + 2 * (size_t)(byte - 240); }

/* Any floats for some of the bodies; the others stay. */
static bool take_rotations(channel *c, fuzz_input *in) {
  bool all_known = true;
  const size_t first = fuzz_byte(in) % c->options.body_count,
               some = fuzz_byte(in) % (c->options.body_count - first) + 1;
  fuzz_take(in, c->given + 4 * first, 16 * some);
  for (size_t b = 0; b < c->options.body_count; b++) {
    const int valid = fuzz_is_valid(c->given + 4 * b);
    if (valid != 0) memcpy(c->wanted + 4 * b, c->given + 4 * b, 16), c->known[b] = valid > 0;
    all_known = all_known && valid >= 0;
  }
  return all_known;
}

/* The sender's next packet, made with some kernels. */
static void encode(channel *c, fuzz_input *in, bool key) {
  const uint8_t step = fuzz_byte(in);
  if (step < 200) c->time += step;
  else fuzz_take(in, &c->time, 4);
  const bool all_known = take_rotations(c, in);
  const quatsimd_status expected =
      quatsimd_find_invalid(quatsimd_aos(c->given), c->options.body_count, 0) < c->options.body_count
          ? QUATSIMD_WARNING_REPLACED_INVALID
          : QUATSIMD_OK;
  size_t size = 0;
  fuzz_use(c->listeners[in->left % c->count].kernels);
  const quatsimd_status status = quatsimd_stream_encode(c->sender, c->packet.data, c->packet.size, &size,
                                                        quatsimd_aos(c->given), c->time, key);
  if (status != expected && (all_known || status < 0))
    fuzz_fail("encode: %s", quatsimd_status_string(status));
  const uint32_t number = c->sender->coming - 1;
  const state *const made = state_of(c->sender, number);
  if (!made || (c->packet.data[0] & 1) != (made->distance == 0) || (key && made->distance))
    fuzz_fail("it is a key packet or not");
  if (made->distance > c->options.state_count * 3u / 4)
    fuzz_fail("a baseline of %u packets ago", made->distance);
  if (size > key_bytes(c->sender)) fuzz_fail("%zu bytes are more than a key packet", size);
  sent_packet *p = &c->log[c->sent++ % LOG];
  free(p->bytes);
  *p = (sent_packet){
      malloc(size),
      size,
      number,
      c->time,
      made->distance,
      c->heard && !c->options.reliable && number - c->since <= c->options.state_count * 3u / 4 ? c->era : 0,
      {0},
      {0}};
  if (!p->bytes) fuzz_fail("out of memory");
  memcpy(p->bytes, c->packet.data, size);
  memcpy(p->wanted, c->wanted, sizeof p->wanted), memcpy(p->known, c->known, sizeof p->known);
}

static void check_decoded(const channel *c, const sent_packet *p, uint32_t time) {
  const state *const made = state_of(c->sender, p->number);
  if (time != p->time) fuzz_fail("another time");
  for (size_t b = 0; b < c->options.body_count; b++) {
    float q[4];
    memcpy(q, c->listeners[0].to.data + 16 * b, 16);
    if (p->known[b] && fuzz_angle(p->wanted + 4 * b, q) > (double)c->options.bound + 1e-7)
      fuzz_fail("body %zu is %.6g off, and the bound is %.6g", b, fuzz_angle(p->wanted + 4 * b, q),
                (double)c->options.bound);
    for (int i = 0; i < 4 && made; i++)
      if (memcmp(&q[i], &made->rotation[i][b], 4) != 0) fuzz_fail("body %zu is not what the sender has", b);
  }
}

/* True for a packet that is coded only against states that they have acknowledged, and is not late. */
static bool is_for_all(const channel *c, const sent_packet *p) {
  const quatsimd_stream *s = c->listeners[0].stream;
  return p->distance == 0 ||
         (p->served == c->era &&
          (!state_of(s, s->newest) || (int32_t)(p->number - s->newest) > -c->options.state_count / 4));
}

/* The status that a packet of the sender must have. */
static quatsimd_status answer(const channel *c, const sent_packet *p) {
  const quatsimd_stream *s = c->listeners[0].stream;
  const bool any = state_of(s, s->newest) != NULL;
  const int32_t ahead = (int32_t)(p->number - s->newest);
  if (any && (state_of(s, p->number) || ahead <= -c->options.state_count)) return QUATSIMD_ERROR_OLD_PACKET;
  const bool can = p->distance == 0 || (any && state_of(s, p->number - p->distance));
  if (!can && is_for_all(c, p))
    fuzz_fail("a packet that is for all who have acknowledged has a baseline that they lack");
  return can ? QUATSIMD_OK : QUATSIMD_ERROR_NEED_KEY;
}

/* A packet of the last ones, whether they had it before or not. */
static void deliver_sent(channel *c, unsigned back) {
  if (back >= c->sent) return;
  const sent_packet *p = &c->log[(c->sent - 1 - back) % LOG];
  const quatsimd_status expected = c->together ? answer(c, p) : QUATSIMD_OK;
  const bool for_all = is_for_all(c, p);
  uint32_t time;
  quatsimd_status status = deliver(c, p->bytes, p->size, &time);
  if (!c->together) return;
  if (status == QUATSIMD_ERROR_RESTARTED && p->distance == 0) status = QUATSIMD_ERROR_OLD_PACKET;
  if (status == QUATSIMD_ERROR_NEED_KEY && expected == QUATSIMD_OK && !for_all)
    return; /* another state is lacking */
  if (status != expected)
    fuzz_fail("\"%s\" and not \"%s\"", quatsimd_status_string(status), quatsimd_status_string(expected));
  if (status == QUATSIMD_OK) check_decoded(c, p, time);
}

/* A packet that no sender made: the last one with changes, or any bytes. how & 16: with the number and
 * checksum that receivers want. */
static void disturb(channel *c, fuzz_input *in, unsigned how) {
  unsigned char bytes[512];
  const quatsimd_stream *s = c->listeners[0].stream;
  const sent_packet *last = c->sent ? &c->log[(c->sent - 1) % LOG] : NULL;
  size_t size = fuzz_short(in) % sizeof bytes;
  if (how & 8 || !last) {
    fuzz_take(in, bytes, size);
  } else {
    if (size > last->size) size = last->size;
    memcpy(bytes, last->bytes, size);
    for (unsigned changes = fuzz_byte(in) % 8; changes > 0 && size; changes--) {
      const size_t at = fuzz_short(in) % size;
      bytes[at] ^= fuzz_byte(in);
    }
  }
  if (how & 16 && size >= HEAD_BYTES + KEY_BYTES) {
    const bool key = how & 32;
    const uint32_t number = s->newest + 1 + (how & 64 ? fuzz_short(in) : 0);
    if (key) store_little(bytes + HEAD_BYTES, number, 4);
    range_decoder d = range_decoder_new(bytes + HEAD_BYTES, size - HEAD_BYTES);
    references r = {0};
    store_little(bytes, (number & 0x7fff) << 1 | key, 2);
    if (key || quatsimd_stream_take_head(c->listeners[0].stream, &d, number, &r) == QUATSIMD_OK)
      store_little(bytes + 2, checksum_of(packet_hash(s, number, &r, bytes + HEAD_BYTES, size - HEAD_BYTES)),
                   2);
  }
  uint32_t time;
  if (deliver(c, bytes, size, &time) == QUATSIMD_OK) c->together = false;
}

/* An acknowledgement that no receiver made, to the first, who has listeners, or the second, who has none. */
static void disturb_acknowledgement(channel *c, fuzz_input *in, unsigned how) {
  unsigned char bytes[2 * BYTES];
  size_t size = BYTES;
  if (how & 8) {
    size = fuzz_byte(in) % sizeof bytes;
    fuzz_take(in, bytes, size);
  } else {
    acknowledge(c, bytes);
    for (unsigned changes = fuzz_byte(in) % 4; changes > 0; changes--) {
      const size_t at = fuzz_byte(in) % BYTES;
      bytes[at] ^= fuzz_byte(in);
    }
  }
  if (how & 16 && size == BYTES) { /* of the last states */
    static state claimed[MOST_STATES];
    quatsimd_stream liar = *c->listeners[0].stream;
    const uint64_t which = (uint64_t)load_u32(bytes) << 32 | load_u32(bytes + 4);
    liar.newest = c->sender->coming - 1 - fuzz_byte(in) % 40u + 4;
    for (uint32_t i = 0; i < liar.states; i++) {
      const uint32_t number = liar.newest - i;
      claimed[i].number = number, claimed[i].filled = which >> i % 64 & 1;
      liar.state[number % liar.states] = &claimed[i];
    }
    quatsimd_stream_acknowledge(&liar, bytes);
  }
  const bool first = how & 32;
  if (hear(c, !first, bytes, size) == QUATSIMD_OK && first) lie(c);
}

static void listen_anew(channel *c) {
  for (size_t r = 0; r < c->count; r++) {
    listener *l = &c->listeners[r];
    l->stream = stream_new(&c->options, &l->memory);
  }
  c->together = true, c->era++;
}

static void step(channel *c, fuzz_input *in) {
  const unsigned how = fuzz_byte(in);
  switch (how % 8) {
  case 0:
  case 1:
    encode(c, in, (how & 0xc8) == 0xc8);
    if (!(how & 16)) deliver_sent(c, 0);
    if (how & 32) hear_listeners(c);
    break;
  case 2: deliver_sent(c, how >> 3); break;
  case 3: hear_listeners(c); break;
  case 4: disturb(c, in, how); break;
  case 5: disturb_acknowledgement(c, in, how); break;
  case 6:
    if (how & 8) { /* it says that it has nothing */
      listen_anew(c);
      c->lied = false;
      hear_listeners(c);
    } else {
      if (quatsimd_stream_leave(c->sender, how >> 4 & 1) != QUATSIMD_OK) fuzz_fail("they cannot leave");
      if (!(how >> 4 & 1)) c->lied = c->heard = false;
    }
    break;
  case 7: /* an acknowledgement that comes late */
    if (how & 32) {
      acknowledge(c, c->saved[how >> 3 & 3]);
      c->saved_era[how >> 3 & 3] = c->era;
    } else {
      const bool first = !(how & 64), taken = hear(c, !first, c->saved[how >> 3 & 3], BYTES) == QUATSIMD_OK;
      if (taken && first && (!c->together || c->saved_era[how >> 3 & 3] != c->era)) lie(c);
    }
    break;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const quatsimd_kernels *tables[MAX_KERNELS];
  static channel c;
  fuzz_input in = {data, size};
  memset(&c, 0, sizeof c);
  c.count = fuzz_tables(tables), c.together = true;
  const unsigned kind = fuzz_byte(&in);
  const size_t bodies = bodies_of(fuzz_byte(&in));
  c.options = (quatsimd_stream_options){.struct_size = sizeof c.options,
                                        .body_count = bodies,
                                        .bound = fuzz_float(&in),
                                        .state_count = kind & 2 && bodies <= 20 ? 16 << kind / 4 % 8 % 5 : 16,
                                        .receiver_count = 2,
                                        .reliable = kind & 1};
  if (quatsimd_stream_memory_size(&c.options) == 0) c.options.bound = 0.01f;
  c.sender = stream_new(&c.options, &c.memory);
  if (kind & 32) c.sender->coming = kind & 64 ? UINT32_C(0xfffffff4) : 0x7ff4; /* it wraps soon */
  c.packet = fuzz_array_new(quatsimd_stream_max_packet_size(&c.options), 0);
  for (size_t r = 0; r < c.count; r++) {
    c.listeners[r].kernels = tables[r];
    c.listeners[r].to = fuzz_array_new(16 * c.options.body_count, 0);
  }
  listen_anew(&c);
  for (size_t b = 0; b < c.options.body_count; b++)
    c.given[4 * b + 3] = c.wanted[4 * b + 3] = 1, c.known[b] = true;
  for (int s = 0; s < MOST_EVENTS && in.left; s++) step(&c, &in);
  for (size_t r = 0; r < c.count; r++) fuzz_array_free(&c.listeners[r].to), free(c.listeners[r].memory);
  for (size_t p = 0; p < LOG; p++) free(c.log[p].bytes);
  fuzz_array_free(&c.packet);
  free(c.memory);
  return 0;
}
