/* Tests a receiver behind a lossy network. net.h checks every packet that arrives. */
#include "net.h"

#include "support/isa.h"
#include "support/sanitized.h"

static const weather fair = {.delay = 2};
static const weather rough = {100, 3, 1, 4, 50};

static net *net_of_one(setting options, size_t most, int motion, weather forth, weather back, uint64_t seed) {
  net *n = net_new(options, most, 0, motion, seed);
  peer_open(n, 0, forth, back);
  return n;
}

static void all_that_arrives_is_decoded(void **unused) {
  (void)unused;
  static const unsigned losses[] = {0, 10, 50, 100, 200, 350, 500}, bursts[] = {1, 4, 20};
  static const int states[] = {16, 32, 64, 128, 256};
  uint64_t seed = 200;
  size_t late = 0, again = 0, run = 0;
  for (size_t l = 0; l < sizeof losses / sizeof losses[0]; l++)
    for (size_t b = 0; b < sizeof bursts / sizeof bursts[0]; b++)
      for (size_t s = 0; s < sizeof states / sizeof states[0]; s++, run++) {
        /* `trip` is the longest round trip in ticks: a quarter or an eighth of the number of states */
        const unsigned trip = (unsigned)states[s] / (run % 2 ? 8 : 4), jitter = run % 3 ? trip / 2 : 0;
        const weather w = {losses[l], bursts[b], (trip - jitter) / 2, jitter / 2, run % 4 * 100};
        const setting o = {5 + run % 7, run % 5 ? 0.0043633231f : 1e-4f, states[s], 1, 1};
        const size_t packets = 300;
        net *n = net_of_one(o, packets, MOTIONS, w, w, seed++);
        net_run(n, packets);
        const peer *p = &n->peers[0];
        /* Packets before the first acknowledgement are key packets. Later packets are key packets only if the
         * network loses as many packets in a row as there are states. */
        const size_t first = 2 + (size_t)trip * (losses[l] > 100 ? 4 : 2) + bursts[b];
        if (losses[l] <= 100 && bursts[b] * 8 <= (unsigned)states[s] && n->keys > first)
          fail_msg("%zu key packets of %zu; %d states, %u lost of 1000, bursts of %u", n->keys, packets,
                   states[s], losses[l], bursts[b]);
        assert_int_equal(p->waiting, 0); /* a single receiver never waits for a key packet */
        assert_in_range(p->decoded, packets / 8, packets);
        late += p->late, again += p->again;
        net_free(n);
      }
  assert_true(late > 500 && again > 500);
}

/* Round trips take states / 4 to 2 * states ticks. If they take clearly more than states * 3 / 4 ticks, all
 * packets are key packets. */
static void long_round_trips(void **unused) {
  (void)unused;
  uint64_t seed = 250;
  for (int states = 16; states <= 256; states *= 4)
    for (int eighths = 1; eighths <= 8; eighths++)
      for (int jitter = 0; jitter < 2; jitter++) {
        const unsigned way = (unsigned)(states * eighths / 8), most = (unsigned)states / 4 - 1;
        const weather forth = {50, 2, way - (jitter ? (way < most ? way : most) : 0), jitter ? most : 0, 20};
        const weather back = {200, 3, way, 0, 20};
        const setting o = {2, 0.0043633231f, states, 1, 1};
        net *n = net_of_one(o, 4 * (size_t)states + 60, MOTIONS, forth, back, seed++);
        net_run(n, n->most);
        assert_int_equal(n->peers[0].waiting, 0);
        if (eighths < 3) assert_true(n->keys < n->sent);
        if (eighths > 4) assert_int_equal(n->keys, n->sent);
        net_free(n);
      }
}

/* Tests each motion with 7 bodies, and all motions together with 150 bodies, at all bounds. */
static void all_motions_arrive(void **unused) {
  (void)unused;
  static const float bounds[] = {1e-5f, 1e-3f, 0.0043633231f, 0.3f, 1};
  uint64_t seed = 300;
  for (int motion = 0; motion <= SLOW; motion++)
    for (size_t b = 0; b < sizeof bounds / sizeof bounds[0]; b++) {
      const setting o = {motion == MOTIONS ? 150 : 7, bounds[b], 32, 1, 1};
      net *n = net_of_one(o, 120, motion, rough, rough, seed++);
      net_run(n, 120);
      net_free(n);
    }
}

/* A packet with the oldest possible baseline is decoded if it is less than states / 4 packets older than the
 * receiver's newest packet. */
static void packets_may_be_nearly_a_quarter_of_the_states_late(void **unused) {
  (void)unused;
  for (size_t states = 16; states <= 256; states *= 2)
    for (size_t i = 0; i < 3; i++) {
      const size_t late = (size_t[]){1, states / 4 - 1, states / 4}[i];
      const setting o = {3, 0.01f, (int)states, 1, 1};
      net *n = net_of_one(o, 2 * states, WALK, fair, fair, 310);
      peer *p = &n->peers[0];
      size_t oldest = 0; /* the last packet whose baseline is packet 0 */
      net_hear(n, 0, acknowledge(&p->side));
      for (size_t f = 0; n->sent < n->most; f++) {
        net_send(n, (uint32_t)f, 0);
        assert_int_equal(p->forth.parcels[f].packet, f);
        if (f == 0) {
          peer_take(n, 0, &p->forth.parcels[f]);
          net_hear(n, 0, acknowledge(&p->side));
        }
        if (distance_of(n, f) == f) oldest = f;
      }
      assert_int_equal(oldest, states * 3 / 4);
      /* The newer packet comes first. It is a key packet, because no acknowledgements arrive. */
      peer_take(n, 0, &p->forth.parcels[oldest + late]);
      peer_take(n, 0, &p->forth.parcels[oldest]);
      assert_int_equal(p->has[oldest], late < states / 4);
      net_free(n);
    }
}

static void without_acknowledgements_all_are_key_packets(void **unused) {
  (void)unused;
  net *n = net_of_one(usual, 60, MOTIONS, fair, (weather){.lost = 999}, 320);
  net_run(n, 60);
  assert_int_equal(n->keys, 60);
  assert_int_equal(n->peers[0].decoded, 58); /* two packets are on their way */
  net_free(n);
}

/* Without acknowledgements, baselines get up to states * 3 / 4 packets old. Then key packets follow. */
static void baselines_grow_old(void **unused) {
  (void)unused;
  for (int states = 16; states <= 256; states *= 2) {
    const setting o = {2, 0.01f, states, 1, 1};
    net *n = net_of_one(o, (size_t)states * 3, WALK, fair, fair, 330);
    net_run(n, 20);
    const size_t keys = n->keys;
    size_t oldest = 0;
    assert_true(keys < 8);
    n->peers[0].back.weather.lost = 999;
    n->peers[0].back.weather.burst = 1;
    net_run(n, (size_t)states * 3 - 20);
    for (size_t f = 0; f < n->sent; f++)
      if (distance_of(n, f) > oldest) oldest = distance_of(n, f);
    assert_int_equal(oldest, oldest_baseline(n));
    assert_in_range(n->keys - keys, states, (size_t)states * 3);
    net_free(n);
  }
}

/* Returns true if a receiver that has decoded the packets in `has` has all states that packet f is coded
 * against, none of them replaced by a later one. */
static bool has_all(const bool *has, const recording *r, size_t f) {
  for (int i = 0; i < MOST_AGAINST; i++) {
    const size_t ago = r->against[f].ago[i];
    bool there = ago == 0 || has[f - ago];
    for (size_t later = f - ago + (size_t)r->options.states; later < r->packets;
         later += (size_t)r->options.states)
      there = there && (ago == 0 || !has[later]);
    if (!there) return false;
  }
  return true;
}

/* Gives the same packets to receivers in many selections and orders, some packets twice. */
static void every_way_gives_the_same_bits(void **unused) {
  (void)unused;
  enum { PACKETS = 120, WAYS = 60 };
  uint64_t seed = 340;
  size_t taken = 0, refused = 0, old = 0;
  for (int lag = 0; lag < 8; lag += lag ? 3 : 1) {
    setting o = usual;
    o.lag = lag;
    recording r = record(o, PACKETS, 25, MOTIONS, seed++);
    for (int way = 0; way < WAYS; way++) {
      side decoder;
      open_side(&decoder, &o);
      bool has[PACKETS] = {false};
      size_t newest = 0, count = 0, at = 0;
      while (at < PACKETS) {
        /* choose packet `at`, or one of the way % 20 packets before it */
        const size_t back = sweep_next(&seed) % (way % 20 + 1), f = at > back ? at - back : at;
        at += sweep_next(&seed) % 10 < 9 ? 1 : sweep_next(&seed) % (unsigned)(way % 8 + 1);
        quatsimd_status expected = has_all(has, &r, f) ? QUATSIMD_OK : QUATSIMD_ERROR_NEED_KEY;
        if (count && (has[f] || f + (size_t)o.states <= newest)) expected = QUATSIMD_ERROR_OLD_PACKET;
        must_say(&decoder, &r, f, expected);
        taken += expected == QUATSIMD_OK, refused += expected == QUATSIMD_ERROR_NEED_KEY;
        old += expected == QUATSIMD_ERROR_OLD_PACKET;
        if (expected != QUATSIMD_OK) continue;
        has[f] = true;
        if (!count++ || f > newest) newest = f;
      }
      close_side(&decoder);
    }
    forget(&r);
  }
  assert_true(taken > 1000 && refused > 1000 && old > 1000);
}

static void late_receivers_wait_for_a_key_packet(void **unused) {
  (void)unused;
  recording r = record(usual, 30, 10, MOTIONS, 51);
  for (size_t first = 0; first < 20; first++) {
    side decoder;
    open_side(&decoder, &usual);
    bool has[30] = {false};
    for (size_t f = first; f < 30; f++) {
      has[f] = has_all(has, &r, f);
      must_say(&decoder, &r, f, has[f] ? QUATSIMD_OK : QUATSIMD_ERROR_NEED_KEY);
    }
    close_side(&decoder);
  }
  forget(&r);
}

/* A receiver starts again and acknowledges that it has no state. The next new packet is a key packet. */
static void restarted_receivers_get_a_key_packet(void **unused) {
  (void)unused;
  net *n = net_of_one(usual, 200, MOTIONS, rough, fair, 350);
  for (int times = 0; times < 4; times++) {
    net_run(n, 40);
    const size_t keys = n->keys;
    net_run(n, 5);
    assert_int_equal(n->keys, keys);
    peer_open(n, 0, fair, fair);
    net_hear(n, 0, acknowledge(&n->peers[0].side));
    net_send(n, 7, 0);
    assert_int_equal(n->keys, keys + 1);
  }
  net_free(n);
}

static void reliable_streams_need_no_acknowledgements(void **unused) {
  (void)unused;
  const setting o = {9, 0.0043633231f, 16, 1, 0};
  net *n = net_of_one(o, 200, MOTIONS, (weather){.delay = 3}, (weather){.lost = 999}, 360);
  net_run(n, 100);
  assert_int_equal(n->keys, 1);
  for (size_t f = 1; f < n->sent; f++) assert_int_equal(distance_of(n, f), 1);
  /* the sender of a reliable stream ignores acknowledgements */
  net_hear(n, 0, acknowledge(&n->peers[0].side));
  peer_open(n, 1, fair, fair);
  assert_int_equal(acknowledged(&n->sender, 0, acknowledge(&n->peers[1].side)), QUATSIMD_OK);
  peer_close(&n->peers[1]);
  net_run(n, 50);
  assert_int_equal(n->keys, 1);
  net_tick(n, 5, 1); /* a key packet on request */
  assert_int_equal(n->keys, 2);
  net_run(n, 20);
  assert_int_equal(n->keys, 2);
  assert_in_range(n->peers[0].decoded, n->sent - 4, n->sent);
  net_free(n);
}

/* A packet contains 15 bits of its number. These bits wrap at least twice during this test. */
static void numbers_of_packets_wrap(void **unused) {
  (void)unused;
  const size_t packets = (SANITIZED ? 2 : 4) * 32768 + 300;
  const setting o = {1, 0.01f, 32, 1, 1};
  const weather w = {100, 2, 1, 1, 20};
  net *n = net_of_one(o, packets, FREE_AND_WALK, w, w, 53);
  net_run(n, packets);
  assert_true(n->keys < 100);
  assert_true(n->peers[0].decoded > packets * 8 / 10);
  assert_int_equal(n->peers[0].waiting, 0);
  net_free(n);
}

/* All 32 bits of a packet's number wrap. */
static void whole_numbers_wrap(void **unused) {
  (void)unused;
  for (int states = 16; states <= 256; states *= 4) {
    const setting o = {9, 0.01f, states, 1, 1};
    net *n = net_new(o, 700, UINT32_C(0xffffff00), MOTIONS, 370);
    peer_open(n, 0, rough, rough);
    net_run(n, 230);
    const size_t keys = n->keys;
    net_run(n, 100); /* past the wrap of the numbers */
    if (states > 16) assert_int_equal(n->keys, keys);
    assert_true(n->sender.stream->coming < 100);
    peer_open(n, 0, rough, rough);
    net_run(n, 300);
    assert_in_range(n->peers[0].waiting, 0, 20); /* packets refused until the first acknowledgement arrives */
    assert_in_range(n->peers[0].decoded, 200, 300);
    net_free(n);
  }
}

/* All bodies jump at once. No packet is longer than a key packet. */
static void jumps_take_no_more_than_a_key_packet(void **unused) {
  (void)unused;
  static const float bounds[] = {1e-5f, 1e-3f, 0.03f, 1};
  static const size_t bodies[] = {1, 2, 9, 64, 300};
  for (size_t b = 0; b < sizeof bounds / sizeof bounds[0]; b++)
    for (size_t c = 0; c < sizeof bodies / sizeof bodies[0]; c++)
      for (int lag = 0; lag < 2; lag++) {
        const setting o = {bodies[c], bounds[b], 16, 1, lag};
        net *n = net_of_one(o, 90, STILL, fair, fair, 380);
        for (int times = 0; times < 3; times++) {
          for (size_t i = 0; i < o.bodies; i++) n->bodies[i].motion = times ? WALK : STILL;
          net_run(n, 20);
          const size_t keys = n->keys;
          for (size_t i = 0; i < o.bodies; i++) n->bodies[i].motion = ANY;
          net_run(n, 10);
          if (o.bodies >= 64 && b < 3) assert_true(n->keys > keys);
        }
        net_free(n);
      }
}

/* ---- times ---- */

enum { JITTERED, EQUAL, BACKWARDS, ALL_OVER, CLOCKS };
static uint32_t next_time(int clock, uint32_t time, uint64_t *seed) {
  const uint32_t u = (uint32_t)(sweep_next(seed) >> 32);
  if (clock == JITTERED) return time + 16 + u % 5 - 2;
  if (clock == EQUAL) return time + (u % 4 == 0);
  if (clock == BACKWARDS) return time - 16 + u % 3;
  return u % 4 ? time + u % 1000 - 300 : u; /* a quarter of the times are random */
}

static void times_may_be_irregular(void **unused) {
  (void)unused;
  for (int clock = 0; clock < CLOCKS; clock++)
    for (int lag = 0; lag < 2; lag++) {
      const setting o = {9, 0.0043633231f, 32, 1, lag};
      uint64_t seed = 390;
      net *n = net_of_one(o, 400, MOTIONS, lag ? rough : fair, fair, 391);
      uint32_t time = UINT32_C(0xffffffff) - 3000; /* the time wraps during the run */
      for (int f = 0; f < 400; f++) net_tick(n, time = next_time(clock, time, &seed), 0);
      net_free(n);
    }
}

/* Bodies turn steadily, and packets have irregular times. False, regular times make the packets longer. */
static void motion_is_foretold_by_time(void **unused) {
  (void)unused;
  enum { BODIES = 40, PACKETS = 200 };
  size_t bytes[2] = {0, 0};
  for (int lie = 0; lie < 2; lie++) {
    const setting o = {BODIES, 0.001f, 32, 1, 1};
    uint64_t seed = 395;
    side sender, to;
    open_side(&sender, &o), open_side(&to, &o);
    quat start[BODIES], axis[BODIES];
    for (int b = 0; b < BODIES; b++) start[b] = random_rotation(&seed), axis[b] = random_rotation(&seed);
    uint32_t time = 0;
    float xyzw[4 * BODIES], out[4 * BODIES];
    for (uint32_t f = 0; f < PACKETS; f++) {
      time += 5 + (uint32_t)(sweep_next(&seed) % 30);
      for (int b = 0; b < BODIES; b++) {
        const double angle = 0.002 * time * (1 + b) / BODIES,
                     s = sin(angle) / sqrt(1 - axis[b].v[3] * axis[b].v[3]);
        to_floats(xyzw + 4 * b, product(start[b], (quat){{s * axis[b].v[0], s * axis[b].v[1],
                                                          s * axis[b].v[2], cos(angle)}}));
      }
      size_t size;
      uint32_t back;
      unsigned char *packet =
          encoded(&sender, longest_packet(&o), &size, xyzw, lie ? 20 * f : time, 0, QUATSIMD_OK);
      if (f % 5 != 4) { /* one packet in five is lost */
        assert_int_equal(quatsimd_stream_decode(to.stream, quatsimd_aos_out(out), &back, packet, size),
                         QUATSIMD_OK);
        assert_int_equal(acknowledged(&sender, 0, acknowledge(&to)), QUATSIMD_OK);
        check_bound(xyzw, out, BODIES, o.bound, f);
      }
      bytes[lie] += size;
      free(packet);
    }
    close_side(&sender), close_side(&to);
  }
  print_message("%zu bytes with times, %zu without\n", bytes[0], bytes[1]);
  assert_true(bytes[0] * 10 < bytes[1] * 6);
}

/* Times are milliseconds of a clock that has run for up to a year, modulo 2^32. Only key packets and
 * checksums depend on the clock, and rotations arrive with the same bits. */
static void long_clocks(void **unused) {
  (void)unused;
  enum { BODIES = 9, PACKETS = 120, OPENED = 7 };
  static const uint64_t clocks[OPENED] = {0,          1000,        3600000,         86400000,
                                          8640000000, 31557600000, 0xffffffff - 300};
  const setting o = {BODIES, 0.001f, 32, 1, 1};
  uint64_t seed = 397;
  side sender[OPENED], to[OPENED];
  body *bodies = new_bodies(BODIES, WALK, o.bound, &seed);
  float sent[4 * BODIES], wanted[4 * BODIES], out[2][4 * BODIES];
  for (int c = 0; c < OPENED; c++) open_side(&sender[c], &o), open_side(&to[c], &o);
  memset(wanted, 0, sizeof wanted);
  for (int f = 0; f < PACKETS; f++) {
    const uint32_t passed = (uint32_t)(1000 * f / 144);
    unsigned char *first = NULL;
    size_t first_size = 0, size;
    assert_int_equal(move_all(bodies, BODIES, sent, wanted, &seed), QUATSIMD_OK);
    for (int c = 0; c < OPENED; c++) {
      const uint32_t time = (uint32_t)clocks[c] + passed;
      uint32_t back;
      unsigned char *packet =
          encoded(&sender[c], longest_packet(&o), &size, sent, time, f == 50, QUATSIMD_OK);
      if (f % 5 != 4) { /* one packet in five is lost */
        assert_int_equal(
            quatsimd_stream_decode(to[c].stream, quatsimd_aos_out(out[c > 0]), &back, packet, size),
            QUATSIMD_OK);
        assert_true(back == time && memcmp(out[0], out[c > 0], sizeof out[0]) == 0);
        assert_int_equal(acknowledged(&sender[c], 0, acknowledge(&to[c])), QUATSIMD_OK);
      }
      if (c == 0) first = packet, first_size = size;
      const size_t head = is_key(packet) ? 12 : 4;
      assert_true(size == first_size && memcmp(packet + head, first + head, size - head) == 0);
      if (c > 0) free(packet);
    }
    free(first);
  }
  for (int c = 0; c < OPENED; c++) close_side(&sender[c]), close_side(&to[c]);
  free(bodies);
}

/* ---- refused packets change nothing ---- */

/* One of two receivers also gets garbage, repeated packets and packets that it cannot decode. The states of
 * both must stay equal. */
static void garbage_changes_nothing(void **unused) {
  (void)unused;
  uint64_t seed = 400;
  recording r = record(usual, 60, 20, MOTIONS, 401), other = record(usual, 60, 20, MOTIONS, 402);
  side one, twin;
  open_side(&one, &usual), open_side(&twin, &usual);
  for (size_t f = 0; f < r.packets; f++) {
    for (int i = 0; i < 30; i++) {
      unsigned char rubbish[64];
      float out[4 * 9];
      uint32_t time;
      const size_t size = sweep_next(&seed) % sizeof rubbish;
      for (size_t k = 0; k < size; k++) rubbish[k] = (unsigned char)sweep_next(&seed);
      if (size > 2 && i % 2) rubbish[0] = (unsigned char)(f << 1 | 1), rubbish[1] = 0;
      assert_true(quatsimd_stream_decode(one.stream, quatsimd_aos_out(out), &time, rubbish, size) < 0);
    }
    if (f) must_say(&one, &r, sweep_next(&seed) % f, QUATSIMD_ERROR_OLD_PACKET);
    if (f > 3 && f % 20) must_say(&one, &other, f, QUATSIMD_ERROR_BAD_PACKET);
    must_decode(&one, &r, f), must_decode(&twin, &r, f);
    const acknowledgement a = acknowledge(&one), b = acknowledge(&twin);
    assert_memory_equal(&a, &b, sizeof a);
    assert_true(same_state(state_of(one.stream, (uint32_t)f), state_of(twin.stream, (uint32_t)f), 9));
  }
  close_side(&one), close_side(&twin);
  forget(&r), forget(&other);
}

int main(int argc, char **argv) {
  skip_other_kernels();
  if (argc == 3 && strcmp(argv[1], "--only") == 0) cmocka_set_test_filter(argv[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_that_arrives_is_decoded),
      cmocka_unit_test(long_round_trips),
      cmocka_unit_test(all_motions_arrive),
      cmocka_unit_test(packets_may_be_nearly_a_quarter_of_the_states_late),
      cmocka_unit_test(without_acknowledgements_all_are_key_packets),
      cmocka_unit_test(baselines_grow_old),
      cmocka_unit_test(every_way_gives_the_same_bits),
      cmocka_unit_test(late_receivers_wait_for_a_key_packet),
      cmocka_unit_test(restarted_receivers_get_a_key_packet),
      cmocka_unit_test(reliable_streams_need_no_acknowledgements),
      cmocka_unit_test(numbers_of_packets_wrap),
      cmocka_unit_test(whole_numbers_wrap),
      cmocka_unit_test(jumps_take_no_more_than_a_key_packet),
      cmocka_unit_test(times_may_be_irregular),
      cmocka_unit_test(motion_is_foretold_by_time),
      cmocka_unit_test(long_clocks),
      cmocka_unit_test(garbage_changes_nothing),
  };
  return cmocka_run_group_tests_name("loss", tests, NULL, NULL);
}
