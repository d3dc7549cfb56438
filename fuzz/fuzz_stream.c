/* libFuzzer over streams of any options: a sender of any floats, and a receiver for each kernel; they get
 * its packets in any order, some twice and some never, and acknowledge; among others: packets and
 * acknowledgements that are damaged, made up, cut off, old, with the checksum made good or not. All that is
 * decoded is of length 1 and the same with all kernels; as long as no other packet was taken for the
 * sender's it is what the sender has, within the bound of what was given; so are points of figures. A refused
 * packet changes nothing. */
#include "figure.h"

#include "stream/head.h"

enum {
  MOST_BODIES = 150,
  MOST_EVENTS = 150,
  MOST_TRACKS = 40,
  LOG = 32,
  SAVED = 4,
  BYTES = QUATSIMD_STREAM_ACKNOWLEDGEMENT_SIZE
};

/* A receiver and where it writes. */
typedef struct listener {
  const quatsimd_kernels *kernels;
  quatsimd_stream *stream;
  void *memory;
  fuzz_array to, positions, tracks;
} listener;

/* Floats given, or the last valid ones. */
typedef struct pose {
  float q[4 * MOST_BODIES], p[3 * MOST_BODIES], t[MOST_TRACKS];
} pose;

typedef struct sent_packet {
  unsigned char *bytes;
  size_t size;
  uint32_t number, time, distance; /* of its state; distance of the baseline; 0 of a key packet */
  uint32_t against[6]; /* how many packets before it the states are that it is coded against; 0: none */
  bool part;
  unsigned coarse;
  unsigned served; /* era of the listeners that must be able to decode it; 0: of none */
  pose wanted;
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
  sent_packet key; /* the last key packet, whose parts are sent */
  float bounds[MOST_BODIES], gravity[3], rest[4 * MOST_BODIES]; /* rest: of bodies that never turn */
  figure figure;
  pose given, wanted;
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
    memset(to->positions.data, 0xa5, to->positions.size), memset(to->tracks.data, 0xa5, to->tracks.size);
    fuzz_use(to->kernels);
    quatsimd_pose_out out = {.rotations = quatsimd_aos_out((float *)(void *)to->to.data),
                             .translations = quatsimd_strided_out((float *)(void *)to->positions.data, 12),
                             .tracks = (float *)(void *)to->tracks.data};
    const quatsimd_status now = quatsimd_stream_decode_pose(to->stream, &out, &moment, packet.data, size);
    if (r == 0) status = now, *time = moment;
    if (now != status || moment != *time)
      fuzz_fail("%s: %s, scalar: %s", to->kernels->name, quatsimd_status_string(now),
                quatsimd_status_string(status));
    const listener *first = &c->listeners[0];
    if (memcmp(to->to.data, first->to.data, to->to.size) != 0 ||
        memcmp(to->positions.data, first->positions.data, to->positions.size) != 0 ||
        memcmp(to->tracks.data, first->tracks.data, to->tracks.size) != 0)
      fuzz_fail("%s: not what scalar decodes", to->kernels->name);
  }
  fuzz_array_free(&packet);
  const unsigned char *got = c->listeners[0].to.data;
  const fuzz_array *others[2] = {&c->listeners[0].positions, &c->listeners[0].tracks};
  if (status != QUATSIMD_OK && *time != 0xa5a5a5a5) fuzz_fail("a packet that is refused writes the time");
  for (size_t i = 0; i < c->listeners[0].to.size && status != QUATSIMD_OK; i++)
    if (got[i] != 0xa5) fuzz_fail("a packet that is refused writes rotations");
  for (int o = 0; o < 2; o++)
    for (size_t i = 0; i < others[o]->size; i++) {
      float f;
      if (status != QUATSIMD_OK && others[o]->data[i] != 0xa5) fuzz_fail("a refused packet writes");
      memcpy(&f, others[o]->data + i / 4 * 4, 4);
      if (status == QUATSIMD_OK && !(f >= -0x1p41f && f <= 0x1p41f)) fuzz_fail("%g was decoded", (double)f);
    }
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

/* Any floats for some of `count`, or small steps; the others stay. */
static void take_floats(fuzz_input *in, float *floats, size_t count) {
  if (count == 0) return;
  const unsigned how = fuzz_byte(in);
  const size_t first = fuzz_byte(in) % count, some = fuzz_byte(in) % (count - first) + 1;
  if (how % 4 == 0) fuzz_take(in, floats + first, 4 * some);
  for (size_t i = first; i < first + some && how % 4 == 1; i++) floats[i] = fuzz_byte(in) / 255.0f;
  for (size_t i = first; i < first + some && how % 4 == 2; i++)
    floats[i] += (float)(fuzz_byte(in) - 128) * (how & 4 ? 0x1p-6f : 0x1p-10f);
}

/* Takes `each` floats for those of `count` that are valid. Returns true if all are. */
static bool hold(float *wanted, const float *given, size_t count, size_t each) {
  bool all = true;
  for (size_t i = 0; i < count; i++) {
    bool valid = true;
    for (size_t x = 0; x < each; x++)
      valid &= given[each * i + x] >= -0x1p40f && given[each * i + x] <= 0x1p40f;
    if (valid) memcpy(wanted + each * i, given + each * i, 4 * each);
    all &= valid;
  }
  return all;
}

/* Any floats for some of the bodies; the others stay. Joints with bound 0 must not turn. */
static bool take_rotations(channel *c, fuzz_input *in) {
  bool all_known = true;
  if (c->figure.joints) {
    take_floats(in, c->given.q, 4 * c->figure.joints);
    for (size_t j = 0; j < c->figure.joints; j++)
      if (!c->figure.turns[j]) memcpy(c->given.q + 4 * j, c->rest + 4 * j, 16);
  } else {
    const size_t first = fuzz_byte(in) % c->options.body_count,
                 some = fuzz_byte(in) % (c->options.body_count - first) + 1;
    fuzz_take(in, c->given.q + 4 * first, 16 * some);
  }
  for (size_t b = 0; b < c->options.body_count; b++) {
    const int valid = fuzz_is_valid(c->given.q + 4 * b);
    if (valid != 0) memcpy(c->wanted.q + 4 * b, c->given.q + 4 * b, 16), c->known[b] = valid > 0;
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
  const size_t bodies = c->options.body_count, positions = c->options.position_count,
               tracks = c->options.track_count;
  take_floats(in, c->given.p, 3 * positions), take_floats(in, c->given.t, tracks);
  figure_hold(&c->figure, c->given.p, positions);
  const bool held = hold(c->wanted.p, c->given.p, positions, 3),
             all_held = hold(c->wanted.t, c->given.t, tracks, 1) && held;
  const quatsimd_status expected =
      quatsimd_find_invalid(quatsimd_aos(c->given.q), bodies, 0) < bodies || !all_held
          ? QUATSIMD_WARNING_REPLACED_INVALID
          : QUATSIMD_OK;
  size_t size = 0;
  fuzz_use(c->listeners[in->left % c->count].kernels);
  const quatsimd_pose_in from = {.rotations = quatsimd_aos(c->given.q),
                                 .translations = quatsimd_strided(c->given.p, 12),
                                 .tracks = c->given.t};
  const quatsimd_status status =
      quatsimd_stream_encode_pose(c->sender, c->packet.data, c->packet.size, &size, &from, c->time, key);
  if (status != expected && (all_known || status < 0))
    fuzz_fail("encode: %s", quatsimd_status_string(status));
  const uint32_t low = load_u16(c->packet.data) >> 1, number = c->sender->coming - 1;
  const bool is_key = c->packet.data[0] & 1,
             part = is_key && low != (load_u32(c->packet.data + HEAD_BYTES) & 0x7fff);
  const state *const made = state_of(c->sender, part ? load_u32(c->packet.data + HEAD_BYTES) : number);
  if (!made || is_key != (made->distance == 0) || (key && made->distance))
    fuzz_fail("it is a key packet or not");
  if (low != (number & 0x7fff)) fuzz_fail("the number is another");
  if (made->distance > c->options.state_count * 3u / 4)
    fuzz_fail("a baseline of %u packets ago", made->distance);
  if (size > c->packet.size - SPARE_BYTES) fuzz_fail("%zu bytes are too many", size);
  sent_packet *p = &c->log[c->sent++ % LOG];
  free(p->bytes);
  if (!part || made->number != c->key.number) { /* a new state */
    c->key.number = made->number, c->key.time = c->time, c->key.distance = made->distance;
    c->key.coarse = made->coarse, c->key.wanted = c->wanted;
    memcpy(c->key.known, c->known, sizeof c->known);
  }
  *p = c->key;
  p->bytes = malloc(size), p->size = size, p->part = part;
  references r = {0};
  range_decoder d = range_decoder_new(c->packet.data + HEAD_BYTES, size - HEAD_BYTES);
  if (!is_key && quatsimd_stream_take_head(c->sender, &d, number, &r) != QUATSIMD_OK)
    fuzz_fail("the sender lacks a state");
  const state *const states[6] = {r.base, r.chain, r.line[0], r.line[1], r.anchor, r.models};
  for (int i = 0; i < 6; i++) p->against[i] = states[i] ? number - states[i]->number : 0;
  p->served =
      c->heard && !c->options.reliable && number - c->since <= c->options.state_count * 3u / 4 ? c->era : 0;
  if (!p->bytes) fuzz_fail("out of memory");
  memcpy(p->bytes, c->packet.data, size);
}

/* What a body may be off by, or a negative number for any. */
static double bound_of(const channel *c, size_t b) {
  const double bound = (double)(c->options.bounds ? c->bounds[b] : c->options.bound);
  if (bound > 0) return c->figure.joints ? -1 : bound;
  return c->options.rest ? 3e-7 : c->figure.joints ? 1e-5 : -1;
}

static void check_figure(const channel *c, const sent_packet *p, double larger) {
  float q[4 * MOST_JOINTS], at[3 * MOST_JOINTS];
  if (!c->figure.joints) return;
  for (size_t j = 0; j < c->figure.joints; j++)
    if (!p->known[j]) return;
  memcpy(q, c->listeners[0].to.data, 16 * c->figure.joints);
  memcpy(at, c->listeners[0].positions.data, 12 * c->options.position_count);
  figure_check(&c->figure, &c->options, larger * (double)c->options.object_bound, p->wanted.q, p->wanted.p, q,
               at);
}

static void check_decoded(const channel *c, const sent_packet *p, uint32_t time) {
  const state *const made = state_of(c->sender, p->number);
  const double larger = exp2(p->coarse / 2.0);
  if (time != p->time) fuzz_fail("another time");
  for (size_t b = 0; b < c->options.body_count; b++) {
    float q[4];
    memcpy(q, c->listeners[0].to.data + 16 * b, 16);
    const bool rests = c->options.rest && c->bounds[b] == 0;
    const double own = bound_of(c, b), bound = larger * own + 1e-7,
                 off = fuzz_angle((rests ? c->rest : p->wanted.q) + 4 * b, q);
    if (p->known[b] && own >= 0 && off > bound) fuzz_fail("body %zu is %.6g off, of %.6g", b, off, bound);
    for (int i = 0; i < 4 && made; i++)
      if (memcmp(&q[i], &made->rotation[i][b], 4) != 0) fuzz_fail("body %zu is not what the sender has", b);
  }
  for (size_t b = 0; b < c->options.position_count; b++) {
    double off2 = 0;
    for (int x = 0; x < 3; x++) {
      float f;
      memcpy(&f, c->listeners[0].positions.data + 12 * b + 4 * x, 4);
      off2 += ((double)f - (double)p->wanted.p[3 * b + x]) * ((double)f - (double)p->wanted.p[3 * b + x]);
    }
    if (sqrt(off2) > larger * (double)c->options.position_bound * (1 + 1e-6) + 0x1p-59)
      fuzz_fail("position %zu is %.6g off", b, sqrt(off2));
  }
  check_figure(c, p, larger);
  for (size_t i = 0; i < c->options.track_count; i++) {
    float f;
    memcpy(&f, c->listeners[0].tracks.data + 4 * i, 4);
    const double off = fabs((double)f - (double)p->wanted.t[i]);
    if (off > larger * (double)c->options.track_bound * (1 + 1e-6) + 0x1p-59)
      fuzz_fail("track %zu is %.6g off", i, off);
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
  bool can = p->distance == 0 || any;
  for (int i = 0; i < 6; i++) can = can && (!p->against[i] || state_of(s, p->number - p->against[i]));
  if (!can && is_for_all(c, p))
    fuzz_fail("a packet that is for all who have acknowledged is coded against a state that they lack");
  return can ? QUATSIMD_OK : QUATSIMD_ERROR_NEED_KEY;
}

/* A packet of the last ones, whether they had it before or not. */
static void deliver_sent(channel *c, unsigned back) {
  if (back >= c->sent) return;
  const sent_packet *p = &c->log[(c->sent - 1 - back) % LOG];
  const quatsimd_status expected = c->together ? answer(c, p) : QUATSIMD_OK;
  uint32_t time;
  quatsimd_status status = deliver(c, p->bytes, p->size, &time);
  if (!c->together) return;
  if (status == QUATSIMD_ERROR_RESTARTED && p->distance == 0) status = QUATSIMD_ERROR_OLD_PACKET;
  if (status == QUATSIMD_ERROR_NEED_KEY && expected == QUATSIMD_OK && p->part) return; /* parts are missing */
  if (status != expected)
    fuzz_fail("\"%s\" and not \"%s\"", quatsimd_status_string(status), quatsimd_status_string(expected));
  if (status == QUATSIMD_OK) check_decoded(c, p, time);
}

/* A packet that no sender made: the last one with changes, or any bytes. how & 16: with the number and
 * checksum that receivers want. */
static void disturb(channel *c, fuzz_input *in, unsigned how) {
  unsigned char bytes[1024];
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
    uint32_t number = s->newest + 1 + (how & 64 ? fuzz_short(in) : 0);
    if (key && last && last->part && !(how & 128))
      number = load_u32(bytes + HEAD_BYTES) + 1 + fuzz_byte(in) % 64;
    else if (key) store_little(bytes + HEAD_BYTES, number, 4);
    range_decoder d = range_decoder_new(bytes + HEAD_BYTES, size - HEAD_BYTES);
    references r = {0};
    store_little(bytes, (number & 0x7fff) << 1 | key, 2);
    if (key || quatsimd_stream_take_head(c->listeners[0].stream, &d, number, &r) == QUATSIMD_OK)
      store_little(bytes + 2, checksum_of(packet_hash(s, number, &r, bytes + HEAD_BYTES, size - HEAD_BYTES)),
                   2);
  }
  uint32_t time;
  const key_parts before = s->parts;
  const uint32_t had = XXH32(before.bytes, key_bytes(s), 0);
  const quatsimd_status status = deliver(c, bytes, size, &time);
  if (status == QUATSIMD_OK || memcmp(&before, &s->parts, sizeof before) != 0 ||
      XXH32(before.bytes, key_bytes(s), 0) != had)
    c->together = false;
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

/* Only the sender has a skeleton. */
static void listen_anew(channel *c) {
  quatsimd_stream_options options = c->options;
  options.skeleton = NULL;
  for (size_t r = 0; r < c->count; r++) {
    listener *l = &c->listeners[r];
    l->stream = stream_new(&options, &l->memory);
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

static bool accepted(const channel *c) { return quatsimd_stream_memory_size(&c->options) != 0; }

/* Takes bounds for some figures and shares one among the joints of others. */
static void take_bounds(channel *c, fuzz_input *in, bool is_figure) {
  quatsimd_stream_options *const o = &c->options;
  const quatsimd_stream_options before = *o;
  if (is_figure) {
    figure_take(&c->figure, in, o->body_count);
    if (figure_share(&c->figure, in, o, c->bounds)) return;
    quatsimd_skeleton_free(NULL, c->figure.data);
    memset(&c->figure, 0, sizeof c->figure), *o = before;
  }
  for (size_t b = 0; b < o->body_count; b++) c->bounds[b] = (float)(fuzz_byte(in) % 8) / 64;
  o->bounds = c->bounds;
}

/* Takes rotations of bodies that never turn. Those of others may be anything. */
static void take_rest(channel *c, fuzz_input *in, bool known) {
  const bool raw = known && fuzz_byte(in) & 1;
  bool all_valid = true, none_invalid = true;
  const size_t bodies = c->options.body_count;
  if (raw) fuzz_take(in, c->rest, 16 * bodies);
  for (size_t i = 0; i < 4 * bodies && !raw; i++) c->rest[i] = (float)((int)fuzz_byte(in) - 128) / 8;
  for (size_t b = 0; b < bodies; b++) {
    const int valid = fuzz_is_valid(c->rest + 4 * b);
    if (c->bounds[b] == 0) all_valid &= valid == 1, none_invalid &= valid != 0;
  }
  if (known) c->options.rest = c->rest;
  if (known && (accepted(c) ? !none_invalid : all_valid)) fuzz_fail("known rotations are refused, or not");
  for (size_t b = 0; b < bodies; b++)
    if (c->bounds[b] == 0 && fuzz_is_valid(c->rest + 4 * b) != 1)
      memcpy(c->rest + 4 * b, (const float[]){0, 0, 0, 1}, 16);
}

static void take_options(channel *c, fuzz_input *in, unsigned kind) {
  const uint8_t count = fuzz_byte(in);
  const unsigned more = fuzz_byte(in);
  const bool is_figure = more & 64;
  const size_t bodies = is_figure ? count % MOST_JOINTS + 1 : bodies_of(count);
  quatsimd_stream_options *const o = &c->options;
  *o = (quatsimd_stream_options){.struct_size = sizeof *o,
                                 .body_count = bodies,
                                 .bound = fuzz_float(in),
                                 .state_count = kind & 2 && bodies <= 20 ? 16 << kind / 4 % 8 % 5 : 16,
                                 .receiver_count = 2,
                                 .reliable = kind & 1};
  if (!accepted(c)) o->bound = 0.01f;
  if (more & 1) o->position_count = fuzz_byte(in) % (bodies + 1), o->position_bound = fuzz_float(in);
  if (!accepted(c)) o->position_bound = 0.01f;
  if (more & 2) o->track_count = fuzz_byte(in) % MOST_TRACKS + 1, o->track_bound = fuzz_float(in);
  if (!accepted(c)) o->track_bound = 0.01f;
  if (more & 4) fuzz_take(in, c->gravity, sizeof c->gravity), o->gravity = c->gravity;
  if (!accepted(c)) o->gravity = NULL;
  if (more & (8 | 64)) take_bounds(c, in, is_figure);
  if (o->bounds && more & (64 | 128)) take_rest(c, in, more & 128);
  if (more & 16) o->limit = more & 32 ? fuzz_byte(in) : fuzz_short(in);
  while (!accepted(c)) o->limit += 16;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const quatsimd_kernels *tables[MAX_KERNELS];
  static channel c;
  fuzz_input in = {data, size};
  memset(&c, 0, sizeof c);
  c.count = fuzz_tables(tables), c.together = true;
  const unsigned kind = fuzz_byte(&in);
  take_options(&c, &in, kind);
  c.sender = stream_new(&c.options, &c.memory);
  if (kind & 32) c.sender->coming = kind & 64 ? UINT32_C(0xfffffff4) : 0x7ff4; /* it wraps soon */
  c.key.number = c.sender->coming - 1;
  c.packet = fuzz_array_new(quatsimd_stream_max_packet_size(&c.options), 0);
  for (size_t r = 0; r < c.count; r++) {
    c.listeners[r].kernels = tables[r];
    c.listeners[r].to = fuzz_array_new(16 * c.options.body_count, 0);
    c.listeners[r].positions = fuzz_array_new(12 * c.options.position_count, 0);
    c.listeners[r].tracks = fuzz_array_new(4 * c.options.track_count, 0);
  }
  listen_anew(&c);
  for (size_t b = 0; b < c.options.body_count; b++)
    c.given.q[4 * b + 3] = c.wanted.q[4 * b + 3] = 1, c.known[b] = true;
  for (int s = 0; s < MOST_EVENTS && in.left; s++) step(&c, &in);
  for (size_t r = 0; r < c.count; r++) {
    fuzz_array_free(&c.listeners[r].to), fuzz_array_free(&c.listeners[r].positions);
    fuzz_array_free(&c.listeners[r].tracks), free(c.listeners[r].memory);
  }
  for (size_t p = 0; p < LOG; p++) free(c.log[p].bytes);
  fuzz_array_free(&c.packet);
  quatsimd_skeleton_free(NULL, c.figure.data);
  free(c.memory);
  return 0;
}
