/* Tests the range coder and the code of points, by themselves and in packets that are made by hand. */
#include "net.h"

#include "page.h"
#include "sealed.h"

#include "stream/predict.h"
#include "support/isa.h"

/* ---- the range coder ---- */

typedef struct decision {
  int model; /* number of the model; -1 for plain bits */
  int bits;
  uint32_t value;
} decision;

enum { DECISIONS = 400, MODELS = 12 };
/* Makes models that have adapted to 0 to MODELS decisions. In models 0 to 3 the probability of a 1 is near 0
 * or near 1. */
static void new_models(model *m) {
  for (int i = 0; i < MODELS; i++) {
    m[i] = (model){(uint16_t)(i * 5500 + 42), (uint8_t)i};
    if (i < 4) m[i] = (model){i % 2 ? 65495 : 40, MOST_COUNT};
  }
}

/* Encodes decisions with the library's coder and with that of page.h, compares the bytes and decodes them. */
static void check_decisions(const decision *d, size_t count) {
  static unsigned char bytes[DECISIONS * 4 + 16];
  model mine[MODELS], back[MODELS];
  page_model pages[MODELS];
  page_code *page = page_new();
  new_models(mine), new_models(back);
  for (int i = 0; i < MODELS; i++) pages[i] = (page_model){mine[i].p, mine[i].count};
  range_encoder e = range_encoder_new(bytes);
  for (size_t i = 0; i < count; i++)
    if (d[i].model >= 0) {
      put_bit(&e, &mine[d[i].model], d[i].value);
      page_bit(page, &pages[d[i].model], d[i].value);
    } else {
      put_plain(&e, d[i].value, d[i].bits);
      page_even(page, d[i].value, d[i].bits);
    }
  const size_t size = (size_t)(range_encoder_end(&e) - bytes);
  assert_int_equal(size, page_end(page));
  assert_memory_equal(bytes, page->bytes, size);
  free(page);
  unsigned char *exact = memcpy(filled(size), bytes, size);
  range_decoder in = range_decoder_new(exact, size);
  for (size_t i = 0; i < count; i++) {
    const uint32_t value = d[i].model >= 0 ? take_bit(&in, &back[d[i].model]) : take_plain(&in, d[i].bits);
    if (value != d[i].value) fail_msg("decision %zu of %zu: %u, not %u", i, count, value, d[i].value);
  }
  assert_true(range_decoder_at_end(&in));
  free(exact);
  for (int i = 0; i < MODELS; i++) {
    assert_true(mine[i].p == back[i].p && mine[i].count == back[i].count);
    assert_true(mine[i].p == pages[i].p && mine[i].count == pages[i].n);
    assert_in_range(mine[i].p, 1, 65534);
  }
}

static decision random_decision(uint64_t *seed, int count) {
  const uint64_t lot = sweep_next(seed);
  if (lot % 4) return (decision){(int)((lot >> 8) % (unsigned)count), 1, lot >> 40 & 1};
  const int bits = (int)((lot >> 8) % 17);
  return (decision){-1, bits, (uint32_t)(lot >> 40) & ((1u << bits) - 1)};
}

static void decisions_come_back(void **unused) {
  (void)unused;
  uint64_t seed = 700;
  decision d[DECISIONS];
  for (int round = 0; round < 1500; round++) {
    const size_t count = sweep_next(&seed) % (DECISIONS + 1);
    for (size_t i = 0; i < count; i++) {
      d[i] = random_decision(&seed, round % 3 ? MODELS : 4);
      /* in some rounds each decision makes the coder's number as low as it can, in others as high */
      if (round % 5 == 1) d[i].value = d[i].model < 0 ? 0 : 1;
      if (round % 5 == 2) d[i].value = d[i].model < 0 ? (1u << d[i].bits) - 1 : 0;
    }
    check_decisions(d, count);
  }
}

/* Decisions keep the coder's number just below a limit from `numbers`. In some rounds the last decisions
 * raise the number above the limit. Then a carry runs through all finished bytes. */
static void carries_run_through(void **unused) {
  (void)unused;
  static const unsigned char numbers[][2] = {{0x80}, {0x12, 0x35}, {0xff}, {1}, {0, 1}, {0x7f, 0xff}};
  uint64_t seed = 710;
  decision d[DECISIONS];
  for (int round = 0; round < 1200; round++) {
    model m[MODELS];
    new_models(m);
    range_decoder in = range_decoder_new(numbers[round % 6], 2);
    const size_t count = 1 + sweep_next(&seed) % DECISIONS, beyond = sweep_next(&seed) % 3;
    for (size_t i = 0; i < count; i++) {
      d[i] = random_decision(&seed, MODELS);
      if (i + beyond >= count) {
        d[i].value = d[i].model >= 0 ? 0 : (1u << d[i].bits) - 1;
        continue;
      }
      d[i].value = d[i].model >= 0 ? take_bit(&in, &m[d[i].model]) : take_plain(&in, d[i].bits);
    }
    check_decisions(d, count);
  }
}

static void numbers_come_back(void **unused) {
  (void)unused;
  uint64_t seed = 720;
  for (int round = 0; round < 3000; round++) {
    unsigned char bytes[200];
    uint32_t n[8];
    page_code *page = page_new();
    range_encoder e = range_encoder_new(bytes);
    for (int i = 0; i < 8; i++) {
      const uint64_t lot = sweep_next(&seed);
      n[i] = (uint32_t)lot >> (lot >> 32) % 32;
      if (round < 32) n[i] = (1u << round) - (i % 2);
      if (n[i] == 0) n[i] = UINT32_MAX;
      put_number(&e, n[i]), page_number(page, n[i]);
    }
    const size_t size = (size_t)(range_encoder_end(&e) - bytes);
    assert_int_equal(size, page_end(page));
    assert_memory_equal(bytes, page->bytes, size);
    free(page);
    range_decoder d = range_decoder_new(bytes, size);
    for (int i = 0; i < 8; i++) assert_int_equal(take_number(&d), n[i]);
    assert_true(range_decoder_at_end(&d));
  }
  /* an empty code reads as zeros only, which are no valid number */
  static const unsigned char none[1] = {0};
  range_decoder d = range_decoder_new(none, 0);
  assert_int_equal(take_number(&d), 0);
}

/* ---- points ---- */

static void random_point(int k[3], int magnitude, uint64_t *seed) {
  const int odd = (int)(sweep_next(seed) % 2);
  for (int i = 0; i < 3; i++) {
    const int reach = sweep_next(seed) % 3 ? magnitude : 4;
    k[i] = 2 * ((int)(sweep_next(seed) % (uint64_t)(2 * reach + 1)) - reach) + odd;
  }
}

static void points_come_back(void **unused) {
  (void)unused;
  enum { POINTS = 60 };
  uint64_t seed = 730;
  static unsigned char bytes[POINTS * 128];
  for (int round = 0; round < 600; round++) {
    int32_t k[POINTS][3];
    kept_scales s = FIRST_SCALES, t = s;
    unsigned page_scales[3] = {32, 32, 32};
    point_models mine, back;
    page_models pages;
    first_point_models(&mine), first_point_models(&back);
    page_first_models(&pages);
    page_code *page = page_new();
    range_encoder e = range_encoder_new(bytes);
    for (int i = 0; i < POINTS; i++) {
      random_point(k[i], i % 20 == 7 ? (1 << 20) - 2 : 1 << (round + i / 16) % 12, &seed);
      if (sweep_next(&seed) % 4 == 0) memset(k[i], 0, sizeof k[i]);
      const int context = i % POINT_CONTEXTS;
      const scales of = kept(s);
      put_point(&e, &mine, context, &of, k[i]), page_point(page, &pages, context, page_scales, k[i]);
      learn_scales(s.of, s.of, k[i], 3, 0), page_next_scales(page_scales, k[i]);
      for (int c = 0; c < 3; c++) assert_int_equal(unrounded(s.of[c]), page_scales[c]);
    }
    const size_t size = (size_t)(range_encoder_end(&e) - bytes);
    assert_int_equal(size, page_end(page));
    assert_memory_equal(bytes, page->bytes, size);
    free(page);
    range_decoder d = range_decoder_new(bytes, size);
    for (int i = 0; i < POINTS; i++) {
      int32_t p[3];
      const scales of = kept(t);
      assert_true(take_point(&d, &back, i % POINT_CONTEXTS, &of, p));
      assert_memory_equal(p, k[i], sizeof p);
      learn_scales(t.of, t.of, p, 3, 0);
    }
    assert_true(range_decoder_at_end(&d));
    const model *const a = (const model *)(const void *)&mine, *const b = (const model *)(const void *)&back;
    for (size_t i = 0; i < sizeof mine / sizeof *a; i++)
      assert_true(a[i].p == b[i].p && a[i].count == b[i].count);
  }
}

/* SPARE_BYTES must be enough for the longest point and for the end of a packet. */
static void points_fit_the_spare_bytes(void **unused) {
  (void)unused;
  uint64_t seed = 740;
  static unsigned char bytes[4096];
  for (int round = 0; round < 2000; round++) {
    point_models m;
    model *const all = (model *)(void *)&m;
    for (size_t i = 0; i < sizeof m / sizeof *all; i++) all[i] = (model){38, MOST_COUNT};
    for (int i = 0; i < LEVELS; i++) m.zero[i][0] = (model){65497, MOST_COUNT};
    scales s;
    int32_t k[3];
    for (int i = 0; i < 3; i++) {
      const uint64_t lot = sweep_next(&seed);
      s.of[i] = (uint16_t)(7 + (lot % 65500 >> (lot >> 32) % 16));
    }
    random_point(k, (1 << 20) - 2, &seed);
    range_encoder e = range_encoder_new(bytes);
    put_point(&e, &m, 0, &s, k);
    /* a body has two points and less than 100 other bits */
    assert_in_range(range_encoder_end(&e) - bytes, 1, SPARE_BYTES / 2 - 12);
  }
}

/* ---- packets ---- */

static const setting alone = {1, 0.01f, 16, 1, 1};

/* The decoder's state after a packet of a stream with one body, as docs/stream.md defines it. */
typedef struct page_state {
  uint32_t hash, time, distance, interval;
  page_models models;
  page_model steady, newest_models, coarser, usual_chain, line[2], usual_anchors, still[8], moves[2][2];
  unsigned scales[3];
  bool zero, moves_;
} page_state;

/* A key packet of the encoder, packets that are made by hand after it, and the receiver of all packets. */
enum { BY_HAND = 64 };
typedef struct by_hand {
  side to;
  page_state state[BY_HAND]; /* the receiver's state after each packet */
  page_state next;
  uint32_t number, base; /* numbers of the packet that is being made and of its baseline */
  page_code *code;
  float got[4];
} by_hand;

/* The state after a key packet. */
static page_state page_begin(uint32_t time, uint32_t hash) {
  page_state first = {.time = time, .hash = hash, .scales = {32, 32, 32}};
  first.steady = first.newest_models = first.coarser = first.usual_chain = page_first;
  first.line[0] = first.line[1] = first.usual_anchors = page_first;
  for (int i = 0; i < 8; i++) first.still[i] = page_first;
  for (int i = 0; i < 4; i++) first.moves[i / 2][i % 2] = page_first;
  page_first_models(&first.models);
  return first;
}

static by_hand *begin_by_hand(void) {
  by_hand *h = filled(sizeof *h);
  memset(h, 0, sizeof *h);
  open_side(&h->to, &alone);
  side sender;
  open_side(&sender, &alone);
  float *still = identities(1);
  uint32_t time;
  size_t size;
  unsigned char *key = encoded(&sender, longest_packet(&alone), &size, still, 1000, 0, QUATSIMD_OK);
  assert_int_equal(quatsimd_stream_decode(h->to.stream, quatsimd_aos_out(h->got), &time, key, size),
                   QUATSIMD_OK);
  h->state[0] = page_begin(1000, hash_of(&alone, key, size, 0, NULL));
  free(key), free(still);
  close_side(&sender);
  h->number = 1;
  h->code = page_new();
  return h;
}
static void end_by_hand(by_hand *h) {
  free(h->code);
  close_side(&h->to);
  free(h);
}

/* Begins a packet. Its baseline is `distance` packets old, and its time is `late` later than expected. It is
 * coded against nothing but the baseline. */
static void page_head(by_hand *h, uint32_t distance, int late) {
  h->base = h->number - distance;
  const page_state *const base = &h->state[h->base];
  page_state *const next = &h->next;
  *next = *base;
  next->time += (uint32_t)late;
  if (base->distance) next->time += (uint32_t)((uint64_t)base->interval * distance / base->distance);
  next->distance = distance, next->interval = next->time - base->time;
  page_number(h->code, distance);
  page_bit(h->code, &next->steady, late == 0);
  if (late) page_even(h->code, late < 0, 1), page_number(h->code, (uint32_t)abs(late));
  page_bit(h->code, &next->newest_models, true);
  page_bit(h->code, &next->coarser, false);
  page_bit(h->code, &next->usual_chain, false), page_number(h->code, 1);
  page_bit(h->code, &next->line[0], false), page_bit(h->code, &next->line[1], false);
  page_bit(h->code, &next->usual_anchors, true);
}
static double quantum_alone(void) { return ((double)alone.bound * (1 - 1.0 / 512) - 2e-6) / sqrt(1.25); }
/* Begins the body. Without a chain and a line, all predictions are the baseline's rotation. Returns the
 * context of the point. */
static int page_moves(by_hand *h, bool moves) {
  const int context = 2 * (moves ? 2 : 1) + h->next.zero;
  page_bit(h->code, &h->next.still[4 * h->next.zero + 2 * !h->next.moves_], false);
  page_bit(h->code, &h->next.moves[1][h->next.moves_], moves);
  h->next.moves_ = moves;
  return context;
}
static void page_body(by_hand *h, bool moves, int k0, int k1, int k2) {
  const int k[3] = {k0, k1, k2}, context = page_moves(h, moves);
  page_point(h->code, &h->next.models, context, h->next.scales, k);
  page_next_scales(h->next.scales, k);
  h->next.zero = !k0 && !k1 && !k2;
}

/* Decodes the packet that is being made. If it is refused, the next packet has the same number. */
static quatsimd_status decode_by_hand(by_hand *h) {
  const size_t size = HEAD + page_end(h->code);
  unsigned char packet[64];
  assert_in_range(size, HEAD, sizeof packet);
  memcpy(packet + HEAD, h->code->bytes, size - HEAD);
  const uint32_t base = h->state[h->base].hash;
  h->next.hash = seal(&alone, packet, size, h->number, (const uint32_t[]){base, 0, 0, 0, base, base});
  unsigned char *exact = memcpy(filled(size), packet, size);
  uint32_t time = 0;
  const quatsimd_status status =
      quatsimd_stream_decode(h->to.stream, quatsimd_aos_out(h->got), &time, exact, size);
  free(exact), free(h->code);
  h->code = page_new();
  if (status == QUATSIMD_OK) {
    assert_int_equal(time, h->next.time);
    h->state[h->number++] = h->next;
  }
  return status;
}

static void check_by_hand(const by_hand *h, const page_state *expected) {
  const state *s = state_of(h->to.stream, h->number - 1);
  assert_non_null(s);
  const models *const left = h->to.stream->sets[s->number % MODEL_SETS];
  const model *mine = (const model *)(const void *)&left->rotation;
  const page_model *pages = (const page_model *)(const void *)&expected->models;
  for (size_t i = 0; i < sizeof expected->models / sizeof *pages; i++)
    assert_true(mine[i].p == pages[i].p && mine[i].count == pages[i].n);
  for (int i = 0; i < 4; i++) assert_int_equal(left->moves[i / 2][i % 2].p, expected->moves[i / 2][i % 2].p);
  assert_int_equal(s->head.steady.p, expected->steady.p);
  assert_int_equal(s->head.usual_chain.p, expected->usual_chain.p);
  for (int i = 0; i < 3; i++) assert_int_equal(unrounded(s->rotation_scale[0].of[i]), expected->scales[i]);
  assert_true(s->distance == expected->distance && s->interval == expected->interval);
}

static void packets_are_as_the_page_says(void **unused) {
  (void)unused;
  uint64_t seed = 750;
  const double quantum = quantum_alone();
  for (int round = 0; round < 60; round++) {
    by_hand *h = begin_by_hand();
    for (uint32_t f = 1; f < BY_HAND; f++) {
      int k[3];
      random_point(k, round % 3 ? 8 : 70, &seed);
      if (sweep_next(&seed) % 4 == 0) k[0] = k[1] = k[2] = 0;
      const uint32_t oldest = f < 11 ? f : 11, distance = 1 + (uint32_t)(sweep_next(&seed) % oldest);
      const int late = sweep_next(&seed) % 3 ? 0 : (int)(sweep_next(&seed) % 60) - 30;
      page_head(h, distance, f == 1 ? 30 : round % 8 == 7 ? late * 100000 : late);
      page_body(h, sweep_next(&seed) % 2, k[0], k[1], k[2]);
      assert_int_equal(decode_by_hand(h), QUATSIMD_OK);
      check_by_hand(h, &h->state[f]);
      /* Nothing moved before packet 1, so the point of packet 1 alone determines the rotation. */
      const double length = quantum * sqrt((double)(k[0] * k[0] + k[1] * k[1] + k[2] * k[2])),
                   sine = length > 0 ? sin(length / 2) / length * quantum : 0;
      if (f == 1 && length < 3) {
        const quat by = {{sine * k[0], sine * k[1], sine * k[2], cos(length / 2)}};
        assert_true(angle_between(of_floats(h->got), by) < 1e-6);
      }
    }
    end_by_hand(h);
  }
}

/* Codes a point by hand. Its first coordinate has `steps` steps, and the others have none. After 20 steps the
 * gamma code of `beyond` follows. If `beyond` is 0, too many zeros for a gamma code follow. All coordinates
 * are odd if `odd` is true, and else even. */
static void page_steps(by_hand *h, int steps, uint32_t beyond, bool odd) {
  page_models *const m = &h->next.models;
  const int level = page_level(h->next.scales[0]), row = 8 + level % 2, lower = (level - 8) / 2 + 1;
  assert_true(level >= 8);
  page_bit(h->code, &m->zero[9][page_moves(h, false)], false);
  page_bit(h->code, &m->odd[9], odd);
  const uint32_t t = (uint32_t)steps + (steps == 20 ? beyond - 1 : 0), first = 2 * (t << lower) + odd;
  for (int n = 0; n < 3; n++) {
    const int surprise = n == 0                                                             ? 0
                         : 16 * (first + (n == 2 && odd)) > h->next.scales[0] * (unsigned)n ? 2
                                                                                            : 1;
    page_model *const more = m->more[surprise][row][odd];
    const int count = n == 0 ? steps : 0;
    for (int step = 0; step < count; step++) page_bit(h->code, &more[step < 5 ? step : 5], true);
    if (count < 20) page_bit(h->code, &more[count < 5 ? count : 5], false);
    else if (beyond) page_number(h->code, beyond);
    for (int zeros = 0; zeros < 34 && count == 20 && !beyond; zeros++) page_even(h->code, zeros == 33, 1);
    page_even(h->code, 0, lower);
  }
  page_even(h->code, 0, odd ? 3 : first != 0);
}

/* Codes that no encoder writes are refused and change nothing. The cases from LARGEST on are valid. */
static void wrong_codes_are_refused(void **unused) {
  (void)unused;
  enum {
    NO_DISTANCE,
    NO_BASELINE,
    NO_LATE,
    NO_POINT,
    NO_BEYOND,
    LARGE,
    LONG,
    LARGEST,
    FEW_STEPS,
    ODD,
    CASES
  };
  for (int i = 0; i < CASES; i++) {
    by_hand *h = begin_by_hand();
    /* a packet that makes the scales large, so that the next packet's code contains lower bits */
    page_head(h, 1, 30);
    page_body(h, false, 4000, 4000, 4000);
    assert_int_equal(decode_by_hand(h), QUATSIMD_OK);
    const int level = page_level(h->state[1].scales[0]), lower = (level - 8) / 2 + 1;
    /* the largest valid `beyond`: the coordinate 2 * ((19 + beyond) << lower) must be below 2^21 */
    const uint32_t largest = (UINT32_C(1) << (20 - lower)) - 20;
    if (i == NO_BASELINE || i == NO_LATE) {
      page_number(h->code, i == NO_BASELINE ? 5 : 1);
      h->next = h->state[1], h->base = 1;
      page_bit(h->code, &h->next.steady, false);
      page_even(h->code, 0, 1);
      for (int zeros = 0; zeros < 34; zeros++) page_even(h->code, zeros == 33, 1);
      page_body(h, false, 0, 0, 0);
    } else if (i != NO_DISTANCE) { /* with NO_DISTANCE the packet's code has only zeros */
      page_head(h, 1, 0);
      if (i == NO_POINT) page_steps(h, 0, 0, false);
      if (i == NO_BEYOND) page_steps(h, 20, 0, false);
      if (i == LONG) page_body(h, false, 1900000, -1900000, 1900000);
      if (i == LARGE) page_steps(h, 20, largest + 1, false);
      if (i == LARGEST) page_steps(h, 20, largest, false);
      if (i == FEW_STEPS) page_steps(h, 3, 0, false);
      if (i == ODD) page_steps(h, 0, 0, true);
    }
    const quatsimd_status expected = i == NO_BASELINE ? QUATSIMD_ERROR_NEED_KEY
                                     : i >= LARGEST   ? QUATSIMD_OK
                                                      : QUATSIMD_ERROR_BAD_PACKET,
                          status = decode_by_hand(h);
    if (status != expected) fail_msg("case %d: %s", i, quatsimd_status_string(status));
    page_head(h, 2 - (i < LARGEST), 0);
    page_body(h, false, 1, -1, 3);
    assert_int_equal(decode_by_hand(h), QUATSIMD_OK);
    check_by_hand(h, &h->state[h->number - 1]);
    end_by_hand(h);
  }
}

/* A receiver refuses a packet whose baseline is too old, even if the receiver has the baseline's state. */
static void baselines_may_not_be_too_old(void **unused) {
  (void)unused;
  const size_t states = (size_t)alone.states;
  recording r = record(alone, states, 1, ANY, 760); /* every packet is a key packet */
  for (size_t distance = 1; distance < states; distance++) {
    side decoder;
    open_before(&decoder, &r, states - 1);
    by_hand h = {.number = (uint32_t)states - 1, .code = page_new()};
    const state *const base = state_of(decoder.stream, h.number - (uint32_t)distance);
    h.state[states - 1 - distance] = page_begin(base->time, base->hash);
    page_head(&h, (uint32_t)distance, 0);
    page_body(&h, false, 1, 1, 1);
    page_code *code = h.code;
    unsigned char packet[64];
    const size_t size = HEAD + page_end(code);
    assert_in_range(size, HEAD, sizeof packet);
    memcpy(packet + HEAD, code->bytes, size - HEAD);
    free(code);
    const uint32_t of[6] = {base->hash, 0, 0, 0, base->hash, base->hash};
    seal(&alone, packet, size, (uint32_t)(states - 1), of);
    float out[4];
    uint32_t time;
    const quatsimd_status status =
        quatsimd_stream_decode(decoder.stream, quatsimd_aos_out(out), &time, packet, size);
    if (status != (distance <= states * 3 / 4 ? QUATSIMD_OK : QUATSIMD_ERROR_BAD_PACKET))
      fail_msg("a baseline of %zu packets ago: %s", distance, quatsimd_status_string(status));
    close_side(&decoder);
  }
  forget(&r);
}

int main(int argc, char **argv) {
  skip_other_kernels();
  if (argc == 3 && strcmp(argv[1], "--only") == 0) cmocka_set_test_filter(argv[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(decisions_come_back),        cmocka_unit_test(carries_run_through),
      cmocka_unit_test(numbers_come_back),          cmocka_unit_test(points_come_back),
      cmocka_unit_test(points_fit_the_spare_bytes), cmocka_unit_test(packets_are_as_the_page_says),
      cmocka_unit_test(wrong_codes_are_refused),    cmocka_unit_test(baselines_may_not_be_too_old),
  };
  return cmocka_run_group_tests_name("codes", tests, NULL, NULL);
}
