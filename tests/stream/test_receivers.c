/* Tests receivers that join, leave, fall silent, come back, and send false acknowledgements. */
#include "net.h"

#include "support/isa.h"
#include "support/sanitized.h"

static const weather fair = {.delay = 2};
static const weather rough = {100, 3, 1, 4, 50};
static const weather lost = {.lost = 1000, .burst = 1};

static const setting many = {6, 0.0043633231f, 32, MOST_PEERS, 1};

static void leave(net *n, size_t i) {
  assert_int_equal(quatsimd_stream_leave(n->sender.stream, i), QUATSIMD_OK);
  n->peers[i].known = false;
}

/* Receivers come and go at random. At most SOON packets later, a receiver must not wait for a key packet. */
static void receivers_come_and_go(void **unused) {
  (void)unused;
  enum { SOON = 40, PACKETS = 1500 };
  size_t joined = 0, away = 0, anew = 0, left = 0;
  for (int states = 16; states <= 256; states *= 2) {
    setting o = many;
    o.states = states;
    net *n = net_new(o, PACKETS, 0, MOTIONS, 500 + (uint64_t)states);
    uint64_t seed = 501;
    size_t changed[MOST_PEERS] = {0}, waited[MOST_PEERS] = {0};
    for (size_t f = 0; f < PACKETS; f++) {
      for (size_t i = 0; i < MOST_PEERS; i++) {
        peer *p = &n->peers[i];
        const uint64_t lot = sweep_next(&seed) % 400;
        if (lot == 0 || (f == 20 && !p->open)) {
          joined += !p->open, anew += p->open;
          peer_open(n, i, i % 2 ? rough : fair, i > 1 ? rough : fair);
        } else if (lot == 1 && p->open) {
          peer_close(p), left++;
          leave(n, i);
        } else if ((lot == 2 || (lot < 12 && p->away)) && p->open) {
          p->away = !p->away, away++; /* the receiver goes away or comes back */
        } else {
          continue;
        }
        changed[i] = f;
      }
      net_tick(n, (uint32_t)f * 16, 0);
      for (size_t i = 0; i < MOST_PEERS; i++) {
        const peer *p = &n->peers[i];
        if (p->open && !p->away && f > changed[i] + SOON && p->waiting != waited[i])
          fail_msg("packet %zu: receiver %zu still waits for a key packet, %zu packets after it came", f, i,
                   f - changed[i]);
        waited[i] = p->waiting;
      }
    }
    assert_true(n->keys < PACKETS / 2);
    net_free(n);
  }
  assert_true(joined > 20 && away > 20 && anew > 20 && left > 20);
}

/* A silent receiver affects the others for about states * 3 / 4 packets. Later it may come back. */
static void silent_receivers_hold_nobody_up(void **unused) {
  (void)unused;
  for (int states = 16; states <= 256; states *= 2)
    for (int empty = 0; empty < 2; empty++) { /* empty: the silent receiver never got a packet */
      setting o = many;
      o.states = states;
      net *n = net_new(o, 60 + 7 * (size_t)states, 0, MOTIONS, 510);
      for (size_t i = 0; i < 2; i++) peer_open(n, i, i ? rough : fair, fair);
      net_run(n, 25);
      peer_open(n, 2, empty ? lost : fair, fair);
      net_run(n, 12);
      peer *p = &n->peers[2];
      p->away = true;
      const size_t keys = n->keys;
      net_run(n, oldest_baseline(n) + 1);
      const size_t held_up = n->keys - keys;
      assert_in_range(held_up, 1, oldest_baseline(n) + 1);
      net_run(n, 3 * (size_t)states);
      assert_int_equal(n->keys, keys + held_up);
      for (size_t f = n->sent - 2 * (size_t)states; f < n->sent; f++)
        assert_in_range(distance_of(n, f), 1, 12);
      const size_t before = p->decoded, without = n->peers[0].decoded;
      p->away = false, p->forth.weather = fair;
      net_run(n, 2 * (size_t)states);
      assert_in_range(p->decoded - before, 2 * (size_t)states - 14, 2 * (size_t)states);
      assert_in_range(n->peers[0].decoded - without, 2 * (size_t)states - 2, 2 * (size_t)states);
      net_free(n);
    }
}

/* A receiver comes back after about half a cycle of the 15 bits of packet numbers, or more than a cycle. */
static void they_come_back_after_many_packets(void **unused) {
  (void)unused;
  static const size_t silences[] = {16000, 17000, 33000, 50000};
  for (size_t s = 0; s < (SANITIZED ? 2 : 4); s++) {
    const setting o = {1, 0.01f, 16, 2, 1};
    net *n = net_new(o, silences[s] + 200, 0, WALK, 520);
    for (size_t i = 0; i < 2; i++) peer_open(n, i, fair, fair);
    net_run(n, 50);
    peer *p = &n->peers[1];
    p->away = true;
    net_run(n, silences[s]);
    /* The sender does not know yet that the receiver is back. It may send packets that the receiver cannot
     * decode or takes for old ones. The network loses these packets. */
    const weather forth = p->forth.weather;
    p->forth.weather = lost, p->away = false;
    net_run(n, 8);
    p->forth.weather = forth;
    const size_t before = p->decoded;
    net_run(n, 50);
    assert_in_range(p->decoded - before, 47, 50);
    net_free(n);
  }
}

/* A receiver starts again, and the network loses its acknowledgements without states. Then a key packet
 * reaches only this receiver. The sender must not assume that this receiver still has its former states. */
static void who_begins_anew_unheard_lacks_what_it_had(void **unused) {
  (void)unused;
  for (int states = 16; states <= 256; states *= 2)
    for (int gap = 0; gap < 12 * states / 16; gap += 5) {
      setting o = many;
      o.states = states;
      net *n = net_new(o, 400, 0, WALK, 525);
      for (size_t i = 0; i < 2; i++) peer_open(n, i, fair, fair);
      net_run(n, 30);
      n->peers[0].away = true;
      net_run(n, (size_t)gap);
      peer_open(n, 0, fair, lost);
      n->peers[1].forth.weather = lost;
      net_tick(n, (uint32_t)(16 * n->sent), 1);
      n->peers[1].forth.weather = fair;
      net_run(n, 1);
      n->peers[0].back.weather = fair;
      /* wait until the sender hears from receiver 0, and then until all earlier packets have arrived */
      net_run(n, 6);
      const size_t waited = n->peers[0].waiting;
      net_run(n, 60);
      assert_int_equal(n->peers[0].waiting, waited);
      net_free(n);
    }
}

/* After a restart a receiver first decodes a late key packet. It lacks later states that it had before. */
static void who_begins_anew_with_a_late_packet_lacks_later_ones(void **unused) {
  (void)unused;
  enum { KEY = 20, PACKETS = 23 };
  const setting o = {3, 0.01f, 64, 1, 1};
  uint64_t seed = 526;
  side sender, before, anew;
  open_side(&sender, &o), open_side(&before, &o), open_side(&anew, &o);
  body *bodies = new_bodies(o.bodies, WALK, o.bound, &seed);
  float *now = identities(o.bodies), *wanted = identities(o.bodies), out[12];
  unsigned char *packet[PACKETS + 1];
  size_t size[PACKETS + 1];
  uint32_t time;
  for (size_t f = 0; f <= PACKETS; f++) {
    move_all(bodies, o.bodies, now, wanted, &seed);
    packet[f] = encoded(&sender, longest_packet(&o), &size[f], now, (uint32_t)f, f == KEY, QUATSIMD_OK);
    side *to = f < PACKETS ? &before : &anew;
    const size_t come = f == PACKETS - 1 ? KEY : f;
    if (f == PACKETS - 1) to = &anew;
    if (f == KEY) continue;
    assert_int_equal(
        quatsimd_stream_decode(to->stream, quatsimd_aos_out(out), &time, packet[come], size[come]),
        QUATSIMD_OK);
    assert_int_equal(acknowledged(&sender, 0, acknowledge(to)), QUATSIMD_OK);
  }
  for (size_t f = 0; f <= PACKETS; f++) free(packet[f]);
  free(wanted), free(now), free(bodies);
  close_side(&sender), close_side(&before), close_side(&anew);
}

/* A receiver that left does not affect packets. When it acknowledges again, it can decode packets again. */
static void who_leaves_does_not_count(void **unused) {
  (void)unused;
  net *n = net_new(many, 300, 0, MOTIONS, 530);
  for (size_t i = 0; i < 3; i++) peer_open(n, i, fair, fair);
  net_run(n, 30);
  n->peers[1].back.weather = lost;
  net_run(n, 10); /* the state that receiver 1 acknowledged last becomes the oldest baseline */
  assert_in_range(distance_of(n, n->sent - 1), 10, 16);
  leave(n, 1);
  const size_t keys = n->keys;
  net_run(n, 40);
  assert_int_equal(n->keys, keys);
  assert_in_range(distance_of(n, n->sent - 1), 1, 6);
  n->peers[1].back.weather = fair;
  net_run(n, 60);
  assert_in_range(distance_of(n, n->sent - 1), 1, 6);
  assert_in_range(n->peers[1].decoded, 120, 140);
  /* this receiver never joined */
  assert_int_equal(quatsimd_stream_leave(n->sender.stream, MOST_PEERS - 1), QUATSIMD_OK);
  assert_int_equal(quatsimd_stream_leave(n->sender.stream, MOST_PEERS), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_stream_leave(NULL, 0), QUATSIMD_ERROR_BAD_ARGUMENT);
  net_free(n);
}

/* A receiver leaves, and another one starts in its place. The sender must forget the first one's states, even
 * if the second one never acknowledges that it has no state. */
static void who_leaves_is_forgotten(void **unused) {
  (void)unused;
  net *n = net_new(many, 60, 0, MOTIONS, 535);
  for (size_t i = 0; i < 2; i++) peer_open(n, i, fair, fair);
  net_run(n, 30);
  assert_false(distance_of(n, 29) == 0);
  leave(n, 1);
  peer_open(n, 1, fair, fair);
  n->peers[0].forth.weather = lost; /* receiver 0 gets no more packets, so it keeps its states */
  net_tick(n, 500, 1);
  n->peers[1].forth.weather = lost;
  n->peers[1].back.weather = lost; /* no acknowledgement arrives until the receiver has a state */
  net_run(n, 2);
  assert_int_equal(n->peers[1].decoded, 1);
  net_hear(n, 1, acknowledge(&n->peers[1].side));
  net_tick(n, 600, 0);
  assert_int_equal(distance_of(n, n->sent - 1), 0);
  net_free(n);
}

/* Each of two receivers gets only packets that the other does not get. So all packets are key packets. */
static void without_a_common_state_all_are_key_packets(void **unused) {
  (void)unused;
  net *n = net_new(many, 80, 0, MOTIONS, 540);
  for (size_t i = 0; i < 2; i++) peer_open(n, i, fair, fair);
  for (size_t f = 0; f < 80; f++) {
    n->peers[0].forth.weather = f % 2 ? fair : lost, n->peers[1].forth.weather = f % 2 ? lost : fair;
    net_tick(n, (uint32_t)f, 0);
  }
  assert_int_equal(n->keys, 80);
  for (size_t i = 0; i < 2; i++) assert_in_range(n->peers[i].decoded, 38, 40);
  net_free(n);
}

static void there_may_be_many_receivers(void **unused) {
  (void)unused;
  const setting o = {1, 0.01f, 16, 65536, 1};
  net *n = net_new(o, 40, 0, WALK, 550);
  peer_open(n, 0, fair, fair);
  side last;
  setting own = o;
  own.receivers = 1;
  open_side(&last, &own);
  assert_int_equal(acknowledged(&n->sender, 65536, acknowledge(&last)), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(acknowledged(&n->sender, 65535, acknowledge(&last)), QUATSIMD_OK);
  net_run(n, 13); /* until the last receiver counts as silent, all packets are key packets */
  assert_int_equal(n->keys, 13);
  net_run(n, 20);
  assert_int_equal(n->keys, 13);
  close_side(&last);
  net_free(n);
}

/* ---- false acknowledgements ---- */

/* Makes `liar` claim some or all of the states up to number `newest`. Returns the false acknowledgement. */
static acknowledgement lie(side *liar, uint32_t newest, uint64_t *seed) {
  quatsimd_stream *s = liar->stream;
  const uint64_t lot = sweep_next(seed), which = lot % 4 < 2 ? UINT64_MAX : lot | 1;
  for (uint32_t i = 0; i < s->states; i++) {
    state *claimed = s->state[(newest - i) % s->states];
    claimed->number = newest - i, claimed->filled = which >> i % 64 & 1;
  }
  s->newest = newest;
  return acknowledge(liar);
}

/* An acknowledgement that may be false. `seen` is true if the sender can see that it is false. */
typedef struct said {
  acknowledgement a;
  size_t size;
  bool seen;
} said;

enum { NEAR, AHEAD, ANYWHERE, REPLAYED, NOTHING, STRANGE, DAMAGED, RANDOM, LIES };
static said say(int kind, side *liar, side *stranger, uint32_t number, acknowledgement true_one,
                acknowledgement old_one, uint64_t *seed) {
  const uint64_t lot = sweep_next(seed);
  said s = {old_one, QUATSIMD_STREAM_ACKNOWLEDGEMENT_SIZE, kind == AHEAD || kind >= STRANGE};
  if (kind == NEAR) s.a = lie(liar, number - 1 - (uint32_t)lot % 40, seed);
  if (kind == AHEAD) s.a = lie(liar, number + (uint32_t)lot % 40, seed);
  if (kind == ANYWHERE) s.a = lie(liar, number - 1 - (uint32_t)lot % 0x7fffffff, seed);
  if (kind == NOTHING) {
    for (uint32_t i = 0; i < liar->stream->states; i++) liar->stream->state[i]->filled = false;
    s.a = acknowledge(liar);
  }
  if (kind == STRANGE) s.a = lie(stranger, number - 1, seed);
  if (kind == DAMAGED)
    s.a = true_one, s.a.bytes[lot % sizeof s.a.bytes] ^= (unsigned char)(1 << (lot >> 16) % 8);
  if (kind == RANDOM) {
    for (size_t k = 0; k < sizeof s.a.bytes; k++) s.a.bytes[k] = (unsigned char)sweep_next(seed);
    if (lot % 2) s.size = lot / 2 % sizeof s.a.bytes;
  }
  return s;
}

/* One of three receivers sends arbitrary bytes and false acknowledgements. The others must not notice. A twin
 * of the sender never gets the bytes that the sender refuses, and must make the same packets. */
static void lies_harm_nobody_else(void **unused) {
  (void)unused;
  enum { PACKETS = 300 };
  uint64_t seed = 560;
  size_t taken = 0, refused = 0;
  for (int states = 16; states <= 256; states *= 4) {
    setting o = many, other = many;
    o.states = other.states = states, other.bound = 0.004f;
    net *n = net_new(o, PACKETS, UINT32_MAX - 100, MOTIONS, seed);
    net_open_twin(n);
    side liar, stranger;
    open_side(&liar, &o), open_side(&stranger, &other);
    acknowledgement true_ones[PACKETS];
    size_t waited[2] = {0};
    for (size_t i = 0; i < 2; i++) peer_open(n, i, i ? rough : fair, i ? rough : fair);
    for (size_t f = 0; f < PACKETS; f++) {
      net_tick(n, (uint32_t)(16 * f), 0);
      true_ones[f] = acknowledge(&n->peers[0].side);
      for (int i = 0; i < 5; i++) {
        const uint64_t lot = sweep_next(&seed);
        const said s = say((int)(lot % LIES), &liar, &stranger, n->sender.stream->coming, true_ones[f],
                           true_ones[(lot >> 8) % (f + 1)], &seed);
        unsigned char *exact = memcpy(filled(s.size), s.a.bytes, s.size);
        const quatsimd_status status = quatsimd_stream_acknowledged(n->sender.stream, 2, exact, s.size);
        if (status != (s.seen ? QUATSIMD_ERROR_BAD_PACKET : QUATSIMD_OK))
          fail_msg("packet %zu, lie %d: %s", f, (int)(lot % LIES), quatsimd_status_string(status));
        if (status == QUATSIMD_OK) assert_int_equal(acknowledged(&n->twin, 2, s.a), QUATSIMD_OK), taken++;
        else refused++;
        free(exact);
      }
      for (size_t i = 0; i < 2; i++) {
        if (f > 30) assert_int_equal(n->peers[i].waiting, waited[i]);
        waited[i] = n->peers[i].waiting;
      }
    }
    assert_in_range(n->peers[0].decoded, PACKETS - 20, PACKETS);
    close_side(&liar), close_side(&stranger);
    net_free(n);
  }
  assert_true(taken > 1000 && refused > 1000);
}

/* A receiver that claims states which it does not have causes neither key packets nor old baselines. */
static void who_claims_everything_costs_nothing(void **unused) {
  (void)unused;
  net *n = net_new(many, 200, 0, MOTIONS, 570);
  side liar;
  setting o = many;
  open_side(&liar, &o);
  uint64_t seed = 571;
  for (size_t i = 0; i < 2; i++) peer_open(n, i, fair, fair);
  net_run(n, 20);
  const size_t keys = n->keys;
  for (size_t f = 20; f < 200; f++) {
    acknowledgement a;
    do a = lie(&liar, n->sender.stream->coming - 1, &seed);
    while (!state_of(liar.stream, n->sender.stream->coming - 2) ||
           !state_of(liar.stream, n->sender.stream->coming - 5));
    assert_int_equal(acknowledged(&n->sender, 3, a), QUATSIMD_OK);
    net_tick(n, (uint32_t)f, 0);
    assert_in_range(distance_of(n, f), 1, 8);
  }
  assert_int_equal(n->keys, keys);
  close_side(&liar);
  net_free(n);
}

/* Acknowledgements arrive again later, and do no harm. One without states causes at most one key packet. */
static void old_acknowledgements_do_no_harm(void **unused) {
  (void)unused;
  enum { PACKETS = 400 };
  net *n = net_new(many, PACKETS, 0, MOTIONS, 580);
  uint64_t seed = 581;
  acknowledgement ever[PACKETS][2];
  for (size_t i = 0; i < 2; i++) peer_open(n, i, rough, rough);
  for (size_t f = 0; f < PACKETS; f++) {
    net_tick(n, (uint32_t)f, 0);
    for (size_t i = 0; i < 2; i++) {
      ever[f][i] = acknowledge(&n->peers[i].side);
      for (int times = 0; times < 3; times++) net_hear(n, i, ever[sweep_next(&seed) % (f + 1)][i]);
    }
    if (f > 30) assert_true(n->peers[0].waiting + n->peers[1].waiting < 20);
  }
  for (size_t i = 0; i < 2; i++) assert_in_range(n->peers[i].decoded, PACKETS * 8 / 10, PACKETS);
  net_free(n);
}

static void damaged_acknowledgements_are_refused(void **unused) {
  (void)unused;
  recording r = record(usual, 12, 0, MOTIONS, 590);
  side sender, from;
  open_side(&sender, &usual), open_before(&from, &r, 12);
  const acknowledgement good = acknowledge(&from);
  /* the acknowledgement reports packets that the sender has not sent */
  assert_int_equal(acknowledged(&sender, 0, good), QUATSIMD_ERROR_BAD_PACKET);
  size_t size;
  float *still = identities(usual.bodies);
  for (size_t f = 0; f < 12; f++) {
    assert_int_equal(acknowledged(&sender, 0, good), QUATSIMD_ERROR_BAD_PACKET);
    free(encoded(&sender, longest_packet(&usual), &size, still, (uint32_t)f, 0, QUATSIMD_OK));
  }
  for (size_t bit = 0; bit < 8 * sizeof good.bytes; bit++) {
    acknowledgement a = good;
    a.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    assert_int_equal(acknowledged(&sender, 0, a), QUATSIMD_ERROR_BAD_PACKET);
  }
  for (size_t s = 0; s < 2 * sizeof good.bytes; s++) {
    if (s == sizeof good.bytes) continue;
    unsigned char *bytes = filled(s);
    memcpy(bytes, good.bytes, s < sizeof good.bytes ? s : sizeof good.bytes);
    assert_int_equal(quatsimd_stream_acknowledged(sender.stream, 0, bytes, s), QUATSIMD_ERROR_BAD_PACKET);
    free(bytes);
  }
  assert_int_equal(quatsimd_stream_acknowledged(sender.stream, 1, good.bytes, sizeof good.bytes),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_stream_acknowledged(sender.stream, SIZE_MAX, good.bytes, sizeof good.bytes),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_stream_acknowledged(sender.stream, 0, NULL, sizeof good.bytes),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_stream_acknowledged(NULL, 0, good.bytes, sizeof good.bytes),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  /* the sender accepted none of these acknowledgements, so packets are still key packets */
  unsigned char *packet = encoded(&sender, longest_packet(&usual), &size, still, 12, 0, QUATSIMD_OK);
  assert_true(is_key(packet));
  free(packet);
  assert_int_equal(acknowledged(&sender, 0, good), QUATSIMD_OK);
  packet = encoded(&sender, longest_packet(&usual), &size, still, 13, 0, QUATSIMD_OK);
  assert_false(is_key(packet));
  free(packet);
  acknowledgement a;
  memset(&a, FILL, sizeof a);
  assert_int_equal(quatsimd_stream_acknowledge(from.stream, NULL), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_stream_acknowledge(NULL, a.bytes), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_true(untouched(&a, sizeof a));
  free(still);
  close_side(&sender), close_side(&from);
  forget(&r);
}

int main(int argc, char **argv) {
  skip_other_kernels();
  if (argc == 3 && strcmp(argv[1], "--only") == 0) cmocka_set_test_filter(argv[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(receivers_come_and_go),
      cmocka_unit_test(silent_receivers_hold_nobody_up),
      cmocka_unit_test(they_come_back_after_many_packets),
      cmocka_unit_test(who_begins_anew_unheard_lacks_what_it_had),
      cmocka_unit_test(who_begins_anew_with_a_late_packet_lacks_later_ones),
      cmocka_unit_test(who_leaves_does_not_count),
      cmocka_unit_test(who_leaves_is_forgotten),
      cmocka_unit_test(without_a_common_state_all_are_key_packets),
      cmocka_unit_test(there_may_be_many_receivers),
      cmocka_unit_test(lies_harm_nobody_else),
      cmocka_unit_test(who_claims_everything_costs_nothing),
      cmocka_unit_test(old_acknowledgements_do_no_harm),
      cmocka_unit_test(damaged_acknowledgements_are_refused),
  };
  return cmocka_run_group_tests_name("receivers", tests, NULL, NULL);
}
