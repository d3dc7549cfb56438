/* Streams under test: motions, the packets that carry them, and the decoded rotations. */
#ifndef STREAMS_H
#define STREAMS_H

#include "support/quat.h"

#include "stream/head.h"
#include "quatsimd/quatsimd.h"

/* ---- motions ---- */

enum { WALK, RUN, FREE, FREE_AND_WALK, STILL, JUMP, ANY, LOST, FLIP, MOTIONS, SLOW };

typedef struct body {
  int motion;
  quat q, turn;
} body;

static inline body new_body(int motion, double bound, uint64_t *seed) {
  body b = {motion, random_rotation(seed), {{0, 0, 0, 1}}};
  b.turn = random_turn(motion == SLOW ? 0.05 * bound : 0.2, seed);
  if (motion == JUMP) { /* half a turn about a random axis */
    b.turn = random_rotation(seed);
    b.turn.v[3] = 0;
    b.turn = normalised(b.turn);
  }
  return b;
}

/* Makes bodies with the same motion. If `motion` is MOTIONS, the bodies have all motions but SLOW in turn. */
static inline body *new_bodies(size_t count, int motion, float bound, uint64_t *seed) {
  body *bodies = filled(count * sizeof *bodies);
  for (size_t b = 0; b < count; b++)
    bodies[b] = new_body(motion == MOTIONS ? (int)(b % MOTIONS) : motion, (double)bound, seed);
  return bodies;
}

/* Moves a body and writes its rotation. Computes only with + - * / and sqrt, because goldens depend on it. */
static inline void move(body *b, float *xyzw, uint64_t *seed) {
  const int m = b->motion;
  if (m == WALK || m == LOST) b->q = product(random_turn(0.01, seed), b->q);
  if (m == RUN || m == FREE_AND_WALK) b->q = product(random_turn(m == RUN ? 0.3 : 0.002, seed), b->q);
  if (m == FREE || m == FREE_AND_WALK || m == JUMP || m == SLOW) b->q = product(b->turn, b->q);
  if (m == ANY) b->q = random_rotation(seed);
  if (m == FLIP) b->q = negative(b->q);
  b->q = normalised(b->q);
  to_floats(xyzw, b->q);
  if (m == LOST && sweep_next(seed) % 3 == 0) make_invalid(xyzw, (size_t)(sweep_next(seed) % 24));
}

static inline bool is_invalid(const float *q) { return quatsimd_find_invalid(quatsimd_aos(q), 1, 0) == 0; }

/* Computes the bodies' next rotations. `wanted` gets the last valid rotation of each body, and must contain
 * identities before the first call. Returns the status that the encoder must return. */
static inline quatsimd_status move_all(body *bodies, size_t count, float *xyzw, float *wanted,
                                       uint64_t *seed) {
  quatsimd_status status = QUATSIMD_OK;
  for (size_t b = 0; b < count; b++) {
    move(&bodies[b], xyzw + 4 * b, seed);
    if (is_invalid(xyzw + 4 * b)) status = QUATSIMD_WARNING_REPLACED_INVALID;
    else memcpy(wanted + 4 * b, xyzw + 4 * b, 16);
  }
  return status;
}

static inline float *identities(size_t count) {
  float *xyzw = filled(16 * count);
  for (size_t i = 0; i < 4 * count; i++) xyzw[i] = i % 4 == 3;
  return xyzw;
}

/* ---- streams ---- */

typedef struct setting {
  size_t bodies;
  float bound;
  int states, receivers;
  int lag; /* age of the acknowledgements that the sender gets, in packets; 0 for a reliable stream */
} setting;

/* the session number of all streams, unless a test sets another */
static const uint64_t SESSION = UINT64_C(0xfedcba9876543210);

static const setting usual = {9, 0.0043633231f, 16, 1, 3};

static inline quatsimd_stream_options options_of(const setting *s) {
  quatsimd_stream_options o;
  assert_int_equal(quatsimd_stream_options_init(&o, sizeof o), QUATSIMD_OK);
  o.body_count = s->bodies, o.bound = s->bound, o.state_count = s->states, o.receiver_count = s->receivers;
  o.reliable = s->lag == 0, o.session = SESSION;
  return o;
}

static inline size_t longest_packet(const setting *s) {
  const quatsimd_stream_options o = options_of(s);
  return quatsimd_stream_max_packet_size(&o);
}

typedef struct side {
  void *memory;
  quatsimd_stream *stream;
} side;

static inline void open_options(side *s, const quatsimd_stream_options *o) {
  const size_t size = quatsimd_stream_memory_size(o);
  if (size == 0) fail_msg("the options are refused: %zu bodies, bound %g", o->body_count, (double)o->bound);
  s->memory = filled(size); /* the bytes are not 0, because init must not depend on them */
  s->stream = NULL;
  assert_int_equal(quatsimd_stream_init(&s->stream, s->memory, size, o), QUATSIMD_OK);
  assert_non_null(s->stream);
}

static inline void open_session(side *s, const setting *o, uint64_t session) {
  quatsimd_stream_options options = options_of(o);
  options.session = session;
  open_options(s, &options);
}

static inline void open_side(side *s, const setting *o) { open_session(s, o, SESSION); }

static inline void close_side(side *s) {
  free(s->memory);
  s->memory = NULL;
}

typedef struct acknowledgement {
  unsigned char bytes[QUATSIMD_STREAM_ACKNOWLEDGEMENT_SIZE];
} acknowledgement;

static inline acknowledgement acknowledge(const side *from) {
  acknowledgement a = {{0}};
  assert_int_equal(quatsimd_stream_acknowledge(from->stream, a.bytes), QUATSIMD_OK);
  return a;
}
static inline quatsimd_status acknowledged(side *sender, size_t from, acknowledgement a) {
  return quatsimd_stream_acknowledged(sender->stream, from, a.bytes, sizeof a.bytes);
}

/* A key packet is at most MOST_LONGER bytes shorter than another packet of the same bodies. It lacks up to 99
 * bits of code, but its head has 64 bits more. */
enum { MOST_LONGER = 6 };

static inline bool is_key(const unsigned char *packet) { return packet[0] & 1; }

/* How many packets before a packet the states are that it is coded against; 0 for those that are missing. */
enum { MOST_AGAINST = 6 };
typedef struct against {
  uint32_t ago[MOST_AGAINST];
} against;
/* Reads the head of packet `number`. The stream must have all states that the packet is coded against. */
static inline against against_of(quatsimd_stream *s, const unsigned char *packet, size_t size,
                                 uint32_t number) {
  against a = {{0}};
  references r = {0};
  range_decoder d = range_decoder_new(packet + HEAD_BYTES, size - HEAD_BYTES);
  if (is_key(packet)) return a;
  assert_int_equal(quatsimd_stream_take_head(s, &d, number, &r), QUATSIMD_OK);
  const state *const states[MOST_AGAINST] = {r.base, r.chain, r.line[0], r.line[1], r.anchor, r.models};
  for (int i = 0; i < MOST_AGAINST; i++) a.ago[i] = states[i] ? number - states[i]->number : 0;
  return a;
}

/* Checks that decoded rotations differ from the wanted rotations by at most the bound. */
static inline void check_bound(const float *wanted, const float *got, size_t bodies, float bound,
                               size_t packet) {
  for (size_t b = 0; b < bodies; b++, wanted += 4, got += 4) {
    const double error = angle_of_floats(wanted, got);
    if (!unit(got) || !(error <= (double)bound))
      fail_msg("packet %zu, body %zu of %zu, bound %.9g: (%g, %g, %g, %g) became (%g, %g, %g, %g), "
               "%.9g radians off",
               packet, b, bodies, (double)bound, (double)wanted[0], (double)wanted[1], (double)wanted[2],
               (double)wanted[3], (double)got[0], (double)got[1], (double)got[2], (double)got[3], error);
  }
}

/* ---- recordings ---- */

/* A motion that was sent, and the rotations that a receiver without losses decoded. */
typedef struct recording {
  setting options;
  size_t packets, floats; /* floats: number of floats in a packet */
  float *sent, *got;
  uint32_t *time;
  unsigned char **packet; /* the packets, each in memory of exactly its size */
  size_t *size;
  against *against; /* for each packet */
} recording;

static inline float *sent(const recording *r, size_t packet) { return r->sent + r->floats * packet; }
static inline float *got(const recording *r, size_t packet) { return r->got + r->floats * packet; }

/* Encodes rotations. Returns the packet in memory of exactly its size. */
static inline unsigned char *encoded(side *sender, size_t longest, size_t *size, const float *xyzw,
                                     uint32_t time, int key, quatsimd_status expected) {
  unsigned char *packet = filled(longest);
  *size = 0;
  assert_int_equal(
      quatsimd_stream_encode(sender->stream, packet, longest, size, quatsimd_aos(xyzw), time, key), expected);
  assert_in_range(*size, 1, longest);
  unsigned char *exact = memcpy(filled(*size), packet, *size);
  free(packet);
  return exact;
}

/* Records a motion and checks that each packet is decoded within the bound. Key packets are packet 0, all
 * packets with numbers below options.lag, and every `key`-th packet, unless `key` is 0. */
static inline recording record(setting options, size_t packets, size_t key, int motion, uint64_t seed) {
  recording r = {options, packets, 4 * options.bodies, NULL, NULL, NULL, NULL, NULL, NULL};
  r.sent = filled(4 * r.floats * packets), r.got = filled(4 * r.floats * packets);
  r.packet = filled(packets * sizeof *r.packet), r.size = filled(packets * sizeof *r.size);
  r.time = filled(packets * sizeof *r.time), r.against = filled(packets * sizeof *r.against);
  side encoder, decoder;
  open_side(&encoder, &options), open_side(&decoder, &options);
  body *bodies = new_bodies(options.bodies, motion, options.bound, &seed);
  float *wanted = identities(options.bodies);
  acknowledgement *said = filled(packets * sizeof *said);
  const size_t longest = longest_packet(&options), lag = (size_t)options.lag;
  assert_true(longest > 0);
  for (size_t f = 0; f < packets; f++) {
    const quatsimd_status expected = move_all(bodies, options.bodies, sent(&r, f), wanted, &seed);
    const int key_packet = key && f % key == 0;
    if (lag && f >= lag) assert_int_equal(acknowledged(&encoder, 0, said[f - lag]), QUATSIMD_OK);
    r.time[f] = (uint32_t)(16 * f + (f % 16 == 7)); /* one time in 16 is late by 1 */
    r.packet[f] = encoded(&encoder, longest, &r.size[f], sent(&r, f), r.time[f], key_packet, expected);
    assert_int_equal(r.packet[f][0] >> 1 | r.packet[f][1] << 7, f % 32768);
    if (f == 0 || f < lag || key_packet) assert_true(is_key(r.packet[f]));
    r.against[f] = against_of(decoder.stream, r.packet[f], r.size[f], (uint32_t)f);
    uint32_t time = ~r.time[f];
    const quatsimd_status back =
        quatsimd_stream_decode(decoder.stream, quatsimd_aos_out(got(&r, f)), &time, r.packet[f], r.size[f]);
    if (back != QUATSIMD_OK)
      fail_msg("packet %zu of %zu bodies, bound %g, lag %d: %s", f, options.bodies, (double)options.bound,
               options.lag, quatsimd_status_string(back));
    assert_int_equal(time, r.time[f]);
    check_bound(wanted, got(&r, f), options.bodies, options.bound, f);
    said[f] = acknowledge(&decoder);
  }
  free(said), free(wanted), free(bodies);
  close_side(&encoder), close_side(&decoder);
  return r;
}

static inline void forget(recording *r) {
  for (size_t f = 0; f < r->packets; f++) free(r->packet[f]);
  free(r->against), free(r->size), free(r->packet), free(r->time), free(r->got), free(r->sent);
}

/* Decodes packet f of a recording. The decoder must return `expected`. If this is QUATSIMD_OK, the decoder
 * must give the rotations in r->got. Otherwise it must change nothing. */
static inline void must_say(side *decoder, const recording *r, size_t f, quatsimd_status expected) {
  float *out = filled(4 * r->floats);
  uint32_t time = ~r->time[f];
  const acknowledgement before = acknowledge(decoder);
  const quatsimd_status status =
      quatsimd_stream_decode(decoder->stream, quatsimd_aos_out(out), &time, r->packet[f], r->size[f]);
  if (status != expected)
    fail_msg("packet %zu: \"%s\" expected, not \"%s\"", f, quatsimd_status_string(expected),
             quatsimd_status_string(status));
  if (expected == QUATSIMD_OK) {
    if (memcmp(out, got(r, f), 4 * r->floats) != 0)
      fail_msg("packet %zu gives other rotations than before", f);
    assert_int_equal(time, r->time[f]);
  } else {
    const acknowledgement after = acknowledge(decoder);
    assert_true(untouched(out, 4 * r->floats) && time == ~r->time[f]);
    assert_memory_equal(&before, &after, sizeof before);
  }
  free(out);
}
static inline void must_decode(side *decoder, const recording *r, size_t f) {
  must_say(decoder, r, f, QUATSIMD_OK);
}

/* Opens a decoder and gives it packets 0 to f - 1 of a recording. */
static inline void open_before(side *decoder, const recording *r, size_t f) {
  open_side(decoder, &r->options);
  for (size_t i = 0; i < f; i++) must_decode(decoder, r, i);
}

/* Gives damaged bytes to a decoder that has the packets before f. If the decoder accepts the bytes, opens it
 * again with the packets before f, and returns true. */
static inline bool survives(side *decoder, const recording *r, size_t f, const unsigned char *bytes,
                            size_t size) {
  float *out = filled(4 * r->floats);
  unsigned char *exact = filled(size);
  if (size) memcpy(exact, bytes, size);
  uint32_t time = 12345;
  const acknowledgement before = acknowledge(decoder);
  const quatsimd_status status =
      quatsimd_stream_decode(decoder->stream, quatsimd_aos_out(out), &time, exact, size);
  const bool unnoticed = status == QUATSIMD_OK;
  if (unnoticed) {
    assert_true(all_unit(out, r->options.bodies));
    close_side(decoder);
    open_before(decoder, r, f);
  } else {
    const acknowledgement after = acknowledge(decoder);
    assert_true(status == QUATSIMD_ERROR_BAD_PACKET || status == QUATSIMD_ERROR_NEED_KEY ||
                status == QUATSIMD_ERROR_OLD_PACKET);
    assert_true(untouched(out, 4 * r->floats) && time == 12345);
    assert_memory_equal(&before, &after, sizeof before);
  }
  free(exact), free(out);
  return unnoticed;
}

#endif
