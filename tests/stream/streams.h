/* Streams under test: motions that are sent, and what comes back. */
#ifndef STREAMS_H
#define STREAMS_H

#include "support/quat.h"

#include "quatsimd/quatsimd.h"
#include "stream/predictors.h"

/* ---- motions ---- */

enum { WALK, RUN, FREE, FREE_AND_WALK, STILL, JUMP, ANY, LOST, FLIP, MOTIONS, SLOW };

typedef struct body {
  int motion;
  quat q, turn;
} body;

static inline body new_body(int motion, double bound, uint64_t *seed) {
  body b = {motion, random_rotation(seed), {{0, 0, 0, 1}}};
  b.turn = random_turn(motion == SLOW ? 0.05 * bound : 0.2, seed);
  if (motion == JUMP) { /* half a turn about an axis */
    b.turn = random_rotation(seed);
    b.turn.v[3] = 0;
    b.turn = normalised(b.turn);
  }
  return b;
}

/* Plain arithmetic: the goldens depend on it. */
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

/* ---- streams ---- */

/* The options of a stream, and the predictors of the encoder. */
typedef struct setting {
  size_t bodies;
  float bound;
  int exponential, predictors;
} setting;

static inline quatsimd_stream_options options_of(const setting *s) {
  quatsimd_stream_options o;
  assert_int_equal(quatsimd_stream_options_init(&o, sizeof o), QUATSIMD_OK);
  o.bodies = s->bodies, o.bound = s->bound, o.exponential = s->exponential;
  return o;
}

static inline size_t longest_packet(const setting *s) {
  const quatsimd_stream_options o = options_of(s);
  return quatsimd_stream_max_packet(&o);
}

typedef struct side {
  void *memory;
  quatsimd_stream *stream;
} side;

static inline void open_side(side *s, const setting *o) {
  const quatsimd_stream_options options = options_of(o);
  const size_t size = quatsimd_stream_size(&options);
  if (size == 0) fail_msg("the options are refused: %zu bodies, bound %g", o->bodies, (double)o->bound);
  s->memory = filled(size); /* dirty: init must not depend on what was there */
  s->stream = NULL;
  assert_int_equal(quatsimd_stream_init(&s->stream, s->memory, size, &options), QUATSIMD_OK);
  assert_non_null(s->stream);
  quatsimd_stream_use_predictors(s->stream, o->predictors);
}

static inline void close_side(side *s) {
  free(s->memory);
  s->memory = NULL;
}

/* A motion that was sent, and what a decoder without losses made of it. */
typedef struct recording {
  setting options;
  size_t packets, floats; /* floats in a packet */
  float *sent, *got;
  unsigned char **packet; /* at their exact size */
  size_t *size;
} recording;

static inline float *sent(const recording *r, size_t packet) { return r->sent + r->floats * packet; }
static inline float *got(const recording *r, size_t packet) { return r->got + r->floats * packet; }

static inline bool is_invalid(const float *q) { return quatsimd_find_invalid(quatsimd_aos(q), 1, 0) == 0; }

/* key: a key packet every so many; 0: the first alone. motion: of all bodies; MOTIONS: one after the
 * other. */
static inline recording record(setting options, size_t packets, size_t key, int motion, uint64_t seed) {
  recording r = {options, packets, 4 * options.bodies, NULL, NULL, NULL, NULL};
  r.sent = filled(4 * r.floats * packets), r.got = filled(4 * r.floats * packets);
  r.packet = filled(packets * sizeof *r.packet), r.size = filled(packets * sizeof *r.size);
  side encoder, decoder;
  open_side(&encoder, &options), open_side(&decoder, &options);
  body *bodies = filled(options.bodies * sizeof *bodies);
  for (size_t b = 0; b < options.bodies; b++)
    bodies[b] = new_body(motion == MOTIONS ? (int)(b % MOTIONS) : motion, (double)options.bound, &seed);
  const size_t longest = longest_packet(&options);
  assert_true(longest > 0);
  for (size_t f = 0; f < packets; f++) {
    bool invalid = false;
    for (size_t b = 0; b < options.bodies; b++) {
      move(&bodies[b], sent(&r, f) + 4 * b, &seed);
      invalid = invalid || is_invalid(sent(&r, f) + 4 * b);
    }
    unsigned char *packet = filled(longest);
    size_t written = 0;
    const int key_packet = key && f % key == 0;
    const quatsimd_status status = quatsimd_stream_encode(encoder.stream, packet, longest, &written,
                                                          quatsimd_aos(sent(&r, f)), key_packet);
    assert_int_equal(status, invalid ? QUATSIMD_WARNING_REPLACED_INVALID : QUATSIMD_OK);
    assert_in_range(written, 1, longest);
    r.size[f] = written;
    r.packet[f] = memcpy(filled(written), packet, written);
    free(packet);
    unsigned number = 99999;
    int is_key = -1;
    assert_int_equal(quatsimd_stream_peek(&number, &is_key, r.packet[f], written), QUATSIMD_OK);
    assert_int_equal(number, f % 32768);
    if (f == 0 || key_packet) assert_int_equal(is_key, 1);
    else assert_in_range(is_key, 0, 1);
    const quatsimd_status back =
        quatsimd_stream_decode(decoder.stream, quatsimd_aos_out(got(&r, f)), r.packet[f], written);
    if (back != QUATSIMD_OK)
      fail_msg("packet %zu of %zu bodies, bound %g, exponential %d, predictors %d: %s", f, options.bodies,
               (double)options.bound, options.exponential, options.predictors, quatsimd_status_string(back));
  }
  free(bodies);
  close_side(&encoder), close_side(&decoder);
  return r;
}

static inline void forget(recording *r) {
  for (size_t f = 0; f < r->packets; f++) free(r->packet[f]);
  free(r->size), free(r->packet), free(r->got), free(r->sent);
}

/* Every rotation within the bound; where none was sent, within the bound of what was there last, however
 * many packets ago. */
static inline void check_errors(const recording *r) {
  static const float identity[4] = {0, 0, 0, 1};
  for (size_t b = 0; b < r->options.bodies; b++) {
    const float *last = identity;
    for (size_t f = 0; f < r->packets; f++) {
      const float *q = sent(r, f) + 4 * b, *p = got(r, f) + 4 * b;
      if (is_invalid(q)) q = last;
      else last = p;
      const double error = angle_of_floats(q, p);
      if (!unit(p) || !(error <= (double)r->options.bound))
        fail_msg("packet %zu, body %zu of %zu, bound %.9g, exponential %d, predictors %d: (%g, %g, %g, %g) "
                 "became (%g, %g, %g, %g), "
                 "%.9g radians off",
                 f, b, r->options.bodies, (double)r->options.bound, r->options.exponential,
                 r->options.predictors, (double)q[0], (double)q[1], (double)q[2], (double)q[3], (double)p[0],
                 (double)p[1], (double)p[2], (double)p[3], error);
    }
  }
}

static inline quatsimd_status decode(side *decoder, const recording *r, size_t f, float *out) {
  return quatsimd_stream_decode(decoder->stream, quatsimd_aos_out(out), r->packet[f], r->size[f]);
}

/* Decodes packet f, which must give what it gave before. */
static inline void must_decode(side *decoder, const recording *r, size_t f) {
  float *out = filled(4 * r->floats);
  const quatsimd_status status = decode(decoder, r, f, out);
  if (status != QUATSIMD_OK) fail_msg("packet %zu: %s", f, quatsimd_status_string(status));
  if (memcmp(out, got(r, f), 4 * r->floats) != 0) fail_msg("packet %zu gives other rotations than before", f);
  free(out);
}

static inline void must_refuse(side *decoder, const recording *r, size_t f, quatsimd_status expected) {
  float *out = filled(4 * r->floats);
  const quatsimd_status status = decode(decoder, r, f, out);
  if (status != expected)
    fail_msg("packet %zu: \"%s\" expected, not \"%s\"", f, quatsimd_status_string(expected),
             quatsimd_status_string(status));
  assert_true(untouched(out, 4 * r->floats));
  free(out);
}

static const setting usual = {9, 0.0043633231f, 0, QUATSIMD_PREDICT_BOTH};

/* A decoder that has packets 0 to f - 1. */
static inline void open_before(side *decoder, const recording *r, size_t f) {
  open_side(decoder, &r->options);
  for (size_t i = 0; i < f; i++) must_decode(decoder, r, i);
}

/* Decodes damaged bytes at a decoder that is before packet f. True if that was not noticed; then the
 * decoder is made anew. */
static inline bool survives(side *decoder, const recording *r, size_t f, const unsigned char *bytes,
                            size_t size) {
  float *out = filled(4 * r->floats);
  unsigned char *exact = filled(size);
  if (size) memcpy(exact, bytes, size);
  unsigned number;
  int key_packet;
  const quatsimd_status head = quatsimd_stream_peek(&number, &key_packet, exact, size);
  assert_true(head == QUATSIMD_OK || head == QUATSIMD_ERROR_BAD_PACKET);
  if (head == QUATSIMD_OK) assert_true(number < 32768 && (key_packet == 0 || key_packet == 1));
  const quatsimd_status status = quatsimd_stream_decode(decoder->stream, quatsimd_aos_out(out), exact, size);
  const bool unnoticed = status == QUATSIMD_OK;
  if (unnoticed) {
    assert_true(all_unit(out, r->options.bodies));
    close_side(decoder);
    open_before(decoder, r, f);
  } else {
    assert_true(status == QUATSIMD_ERROR_BAD_PACKET || status == QUATSIMD_ERROR_NEED_KEY ||
                status == QUATSIMD_ERROR_OLD_PACKET);
    assert_true(untouched(out, 4 * r->floats));
  }
  free(exact), free(out);
  return unnoticed;
}

#endif
