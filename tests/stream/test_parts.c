/* Tests the limit of packets, and key packets that come in parts. */
#include "scene.h"

#include "support/isa.h"

enum { LIMIT = 44 };

static scene *scene_of_limit(size_t limit, uint64_t seed) {
  scene *s = scene_new(NULL, seed);
  s->options.track_count = TRACKS, s->options.track_bound = 0.01f, s->options.limit = limit;
  scene_open(s);
  return s;
}

static void move_everything(scene *s, size_t f) {
  scene_move(s, (int)f);
  for (size_t i = 0; i < TRACKS; i++) s->t[i] = (float)((f + 7 * i) % 20) / 20;
}

/* The poses of the calls, by time. */
typedef struct history {
  float q[PACKETS][4 * BODIES], p[PACKETS][3 * PLACED], t[PACKETS][TRACKS];
} history;

static void remember(history *h, const scene *s) {
  memcpy(h->q[s->time], s->q, sizeof s->q), memcpy(h->p[s->time], s->p, sizeof s->p);
  memcpy(h->t[s->time], s->t, sizeof s->t);
}
/* Checks what was decoded against what was sent, with bounds that are 2^(coarse / 2) times as large. */
static void check_history(const history *h, const scene *s, unsigned coarse) {
  const double larger = exp2(coarse / 2.);
  check_bound(h->q[s->got_time], s->got_q, BODIES, (float)(larger * (double)s->options.bound), s->got_time);
  for (size_t b = 0; b < PLACED; b++)
    assert_true(off_by(h->p[s->got_time] + 3 * b, s->got_p + 3 * b) <=
                larger * (double)s->options.position_bound);
  for (size_t i = 0; i < TRACKS; i++)
    assert_true(fabs((double)h->t[s->got_time][i] - (double)s->got_t[i]) <=
                larger * (double)s->options.track_bound);
}

static const state *newest_state(const scene *s) {
  return state_of(s->receiver.stream, s->receiver.stream->newest);
}

/* No packet is longer, whatever is lost. A receiver starts soon, decodes all that follows within the larger
 * bounds, and what rests is within the bounds again. */
static void packets_keep_the_limit(void **unused) {
  (void)unused;
  for (int lost = 0; lost < 40; lost += 10) {
    size_t coarse = 0, waited = 0, last = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
      scene *s = scene_of_limit(LIMIT, 1100 + seed);
      history *h = filled(sizeof *h);
      bool started = false;
      for (size_t f = 0; f < PACKETS; f++) {
        if (f < 120) move_everything(s, f);
        assert_int_equal(scene_send(s, f), QUATSIMD_OK);
        remember(h, s);
        assert_in_range(s->size, 1, LIMIT);
        if ((int)(sweep_next(&s->seed) % 100) < lost) continue;
        const quatsimd_status status = scene_take(s);
        scene_acknowledge(s, f);
        if (status != QUATSIMD_OK) {
          assert_true(is_key(s->packet));
          assert_true(status == QUATSIMD_ERROR_NEED_KEY || status == QUATSIMD_ERROR_OLD_PACKET);
          continue;
        }
        if (!started) waited += f;
        started = true;
        const unsigned e = newest_state(s)->coarse;
        coarse += e > 0, last = f > 160 ? e : last;
        check_history(h, s, e);
        if (f > 160) assert_int_equal(e, 0);
        if (f > 90) assert_int_equal(s->got_time, f);
      }
      assert_true(started);
      free(h);
      scene_free(s);
    }
    print_message("%d %% lost: the first pose after %.1f packets, %zu coarse packets\n", lost,
                  (double)waited / 8, coarse);
    assert_in_range(coarse, 100, 8 * 120);
    assert_in_range(waited, 8 * 3, 8 * 16u * 100 / (size_t)(100 - 2 * lost));
  }
}

/* The parts of the first key packet, in order. */
typedef struct parts {
  unsigned char bytes[64][LIMIT];
  size_t size[64], count;
} parts;

/* `first` gets the pose of the first call; it may be null. */
static void send_parts(scene *s, parts *p, history *first) {
  p->count = 64;
  for (size_t i = 0; i < p->count; i++) {
    move_everything(s, i);
    s->time = (uint32_t)i;
    if (first && i == 0) remember(first, s);
    assert_int_equal(scene_encode(s, 0), QUATSIMD_OK);
    assert_true(is_key(s->packet) && s->size <= LIMIT);
    memcpy(p->bytes[i], s->packet, p->size[i] = s->size);
    if (i == 0) p->count = s->packet[HEAD + 9];
    assert_int_equal(s->packet[HEAD + 8], i);
    assert_int_equal(s->packet[HEAD + 9], p->count);
  }
  assert_in_range(p->count, 4, 24);
}

/* Parts arrive in any order, some twice. The last one that is missing gives the pose of the first call, as
 * the sender has it. */
static void parts_come_in_any_order(void **unused) {
  (void)unused;
  for (uint64_t seed = 0; seed < 30; seed++) {
    scene *s = scene_of_limit(LIMIT, 1120 + seed);
    history *h = filled(sizeof *h);
    parts p;
    send_parts(s, &p, h);
    bool has[64] = {false};
    memset(s->got_q, FILL, sizeof s->got_q), memset(s->got_p, FILL, sizeof s->got_p);
    s->got_time = 77;
    for (size_t missing = p.count; missing > 0;) {
      const size_t i = sweep_next(&s->seed) % p.count;
      missing -= !has[i], has[i] = true;
      const quatsimd_status status = scene_decode(s, p.bytes[i], p.size[i]);
      assert_int_equal(status, missing ? QUATSIMD_ERROR_NEED_KEY : QUATSIMD_OK);
      if (missing) assert_true(untouched(s->got_q, sizeof s->got_q) && untouched(s->got_p, sizeof s->got_p));
      if (missing) assert_int_equal(s->got_time, 77);
    }
    assert_int_equal(s->got_time, 0);
    check_history(h, s, 0);
    assert_true(same_state(newest_state(s), state_of(s->sender.stream, 0), BODIES));
    for (size_t i = 0; i < p.count; i++)
      assert_int_equal(scene_decode(s, p.bytes[i], p.size[i]), QUATSIMD_ERROR_OLD_PACKET);
    free(h);
    scene_free(s);
  }
}

/* One of many parts is lost. It comes again in the next round. */
static void rounds_bring_what_was_lost(void **unused) {
  (void)unused;
  parts p;
  for (size_t lost = 0; lost < 5; lost++) {
    scene *s = scene_of_limit(32, 1160);
    send_parts(s, &p, NULL);
    for (size_t i = 0; i < p.count; i++)
      if (i != lost) assert_int_equal(scene_decode(s, p.bytes[i], p.size[i]), QUATSIMD_ERROR_NEED_KEY);
    for (size_t i = 0; i <= lost; i++) {
      assert_int_equal(scene_encode(s, 0), QUATSIMD_OK);
      assert_int_equal(scene_take(s), i < lost ? QUATSIMD_ERROR_NEED_KEY : QUATSIMD_OK);
    }
    assert_int_equal(s->got_time, 0);
    scene_free(s);
  }
}

/* In a reliable stream all parts of a key packet come, and then packets against it. */
static void reliable_streams_have_parts(void **unused) {
  (void)unused;
  scene *s = scene_of_limit(LIMIT, 1170);
  s->options.reliable = 1;
  scene_open(s);
  size_t keys = 0, decoded = 0;
  for (size_t f = 0; f < PACKETS; f++) {
    move_everything(s, f);
    s->time = (uint32_t)f;
    assert_int_equal(scene_encode(s, f == 100 || f == 103), QUATSIMD_OK);
    assert_in_range(s->size, 1, LIMIT);
    const quatsimd_status status = scene_take(s);
    keys += is_key(s->packet);
    if (is_key(s->packet))
      assert_int_equal(status,
                       s->packet[HEAD + 8] + 1 < s->packet[HEAD + 9] ? QUATSIMD_ERROR_NEED_KEY : QUATSIMD_OK);
    else assert_int_equal(status, QUATSIMD_OK);
    decoded += status == QUATSIMD_OK;
    if (f == 100) assert_true(is_key(s->packet));
    if (f == 50) assert_int_equal(s->got_time, f);
  }
  assert_in_range(keys, 2 * 4, 2 * 24); /* the second wish came while the first one was being fulfilled */
  assert_int_equal(decoded, PACKETS - keys + 2);
  scene_free(s);
}

/* A second receiver joins later, and lacks all states. Both go on soon, and neither gets a longer packet. */
static void receivers_join_in_parts(void **unused) {
  (void)unused;
  enum { JOINS = 60 };
  scene *s = scene_of_limit(LIMIT, 1175);
  s->options.receiver_count = 2;
  scene_open(s);
  side second = s->receiver, first = s->receiver;
  open_options(&second, &s->options);
  acknowledgement said[PACKETS][2];
  size_t refused[2] = {0, 0};
  for (size_t f = 0; f < PACKETS; f++) {
    for (size_t i = 0; f >= LAG && i < (f - LAG < JOINS ? 1 : 2); i++)
      assert_int_equal(acknowledged(&s->sender, i, said[f - LAG][i]), QUATSIMD_OK);
    move_everything(s, f);
    s->time = (uint32_t)f;
    assert_int_equal(scene_encode(s, 0), QUATSIMD_OK);
    assert_in_range(s->size, 1, LIMIT);
    for (size_t i = 0; i < (f < JOINS ? 1 : 2); i++) {
      s->receiver = i ? second : first;
      const quatsimd_status status = scene_take(s);
      said[f][i] = acknowledge(&s->receiver);
      refused[i] += f >= JOINS && status != QUATSIMD_OK;
      if (f > JOINS + 40) assert_int_equal(status, QUATSIMD_OK);
    }
  }
  assert_in_range(refused[0], 3, 30);
  assert_in_range(refused[1], 3, 30);
  s->receiver = first;
  close_side(&second);
  scene_free(s);
}

/* A sender begins again with the same session, and its key packets come in parts. */
static void a_restart_is_found_in_parts(void **unused) {
  (void)unused;
  scene *s = scene_of_limit(LIMIT, 1180);
  s->sender.stream->coming = 100000;
  quatsimd_status status = QUATSIMD_ERROR_NEED_KEY;
  for (size_t f = 0; f < 64 && status != QUATSIMD_OK; f++) {
    assert_int_equal(scene_encode(s, 0), QUATSIMD_OK);
    status = scene_take(s);
  }
  assert_int_equal(status, QUATSIMD_OK);
  close_side(&s->sender);
  open_options(&s->sender, &s->options);
  for (size_t f = 0; f < 40; f++) {
    assert_int_equal(scene_encode(s, 0), QUATSIMD_OK);
    assert_int_equal(scene_take(s),
                     f < RESTART_KEYS - 1 ? QUATSIMD_ERROR_OLD_PACKET : QUATSIMD_ERROR_RESTARTED);
  }
  close_side(&s->receiver);
  open_options(&s->receiver, &s->options);
  size_t waited = 0;
  for (; scene_take(s) != QUATSIMD_OK; waited++) assert_int_equal(scene_encode(s, 0), QUATSIMD_OK);
  assert_in_range(waited, 1, 48);
  scene_free(s);
}

/* No acknowledgement arrives. The receiver gets a pose after each round or two and reports no restart. */
static void parts_without_acknowledgements(void **unused) {
  (void)unused;
  static const size_t limits[] = {24, LIMIT};
  for (int l = 0; l < 2; l++) {
    scene *s = scene_of_limit(limits[l], 1190);
    size_t decoded = 0;
    uint32_t last = 0;
    for (size_t f = 0; f < PACKETS; f++) {
      move_everything(s, f);
      s->time = (uint32_t)f;
      assert_int_equal(scene_encode(s, 0), QUATSIMD_OK);
      const quatsimd_status status = scene_take(s);
      assert_true(is_key(s->packet));
      assert_true(status == QUATSIMD_OK || status == QUATSIMD_ERROR_NEED_KEY ||
                  status == QUATSIMD_ERROR_OLD_PACKET);
      if (status != QUATSIMD_OK) continue;
      assert_true(decoded == 0 || s->got_time > last);
      decoded++, last = s->got_time;
    }
    assert_in_range(decoded, PACKETS / 48, PACKETS / 4);
    scene_free(s);
  }
}

/* Parts that no sender makes are refused, and change nothing. */
static void false_parts_are_refused(void **unused) {
  (void)unused;
  scene *s = scene_of_limit(LIMIT, 1200);
  parts p;
  send_parts(s, &p, NULL);
  for (size_t i = 0; i + 1 < p.count; i++)
    assert_int_equal(scene_decode(s, p.bytes[i], p.size[i]), QUATSIMD_ERROR_NEED_KEY);
  const size_t last = p.count - 1, memory = quatsimd_stream_memory_size(&s->options);
  void *before = memcpy(filled(memory), s->receiver.memory, memory);
  for (int i = 0; i < 9; i++) {
    unsigned char bytes[600];
    size_t size = p.size[last];
    uint32_t number = 1 + (uint32_t)last;
    memset(bytes, 1, sizeof bytes);
    memcpy(bytes, p.bytes[last], size);
    if (i == 0) bytes[HEAD + 8] = bytes[HEAD + 9];
    if (i == 1) bytes[HEAD + 9] = 0;
    if (i == 2) put_little(bytes + HEAD + 4, 4 + 25 * 2, 4), bytes[HEAD + 9] = 25, size = HEAD + 10 + 2;
    if (i == 3) put_little(bytes + HEAD + 4, 0xffffffff, 4);
    if (i == 4) {
      const size_t whole = key_bytes(s->receiver.stream) - HEAD + 1;
      put_little(bytes + HEAD + 4, whole, 4);
      size = HEAD + 10 + (whole - 4) - (whole - 4) * last / p.count;
    }
    if (i == 5) put_little(bytes + HEAD + 4, 7, 4);
    if (i == 6) size++;
    if (i == 7) size = HEAD + 9;
    if (i == 8) number = 49;
    scene_seal(s, bytes, size, number);
    assert_int_equal(scene_decode(s, bytes, size), QUATSIMD_ERROR_BAD_PACKET);
    assert_memory_equal(before, s->receiver.memory, memory);
  }
  free(before);
  assert_int_equal(scene_decode(s, p.bytes[last], p.size[last]), QUATSIMD_OK);
  scene_free(s);
}

/* Parts of any bytes make a key packet that is decoded to finite numbers or refused. Then the genuine parts
 * are taken. */
static void hostile_parts_do_no_harm(void **unused) {
  (void)unused;
  parts p;
  size_t taken = 0, refused = 0;
  for (uint64_t seed = 0; seed < 300; seed++) {
    scene *s = scene_of_limit(LIMIT, 1210 + seed);
    send_parts(s, &p, NULL);
    quatsimd_status status = QUATSIMD_ERROR_NEED_KEY;
    for (size_t i = 0; i < p.count; i++) {
      unsigned char bytes[LIMIT];
      memcpy(bytes, p.bytes[i], p.size[i]);
      const uint64_t lot = sweep_next(&s->seed);
      if (lot % 4 == 0 || i + 1 == p.count)
        bytes[HEAD + PART_BYTES + (lot >> 8) % (p.size[i] - HEAD - PART_BYTES)] ^=
            (unsigned char)(1 << (lot >> 4) % 8);
      scene_seal(s, bytes, p.size[i], (uint32_t)i + 1);
      status = scene_decode(s, bytes, p.size[i]);
      if (i + 1 < p.count) assert_int_equal(status, QUATSIMD_ERROR_NEED_KEY);
    }
    assert_true(status == QUATSIMD_OK || status == QUATSIMD_ERROR_BAD_PACKET);
    taken += status == QUATSIMD_OK, refused += status != QUATSIMD_OK;
    for (size_t i = 0; i < 3 * PLACED && status == QUATSIMD_OK; i++) assert_true(isfinite(s->got_p[i]));
    for (size_t i = 0; i < p.count && status != QUATSIMD_OK; i++)
      assert_int_equal(scene_decode(s, p.bytes[i], p.size[i]),
                       i + 1 < p.count ? QUATSIMD_ERROR_NEED_KEY : QUATSIMD_OK);
    scene_free(s);
  }
  assert_true(taken > 20 && refused > 5);
}

/* The least limit is what stream.h says. */
static void too_low_limits_are_refused(void **unused) {
  (void)unused;
  for (int states = 16; states <= 256; states *= 2)
    for (size_t bodies = 1; bodies < 100; bodies += 9) {
      quatsimd_stream_options o = options_of(&usual);
      o.body_count = bodies, o.state_count = states, o.position_count = bodies / 2, o.position_bound = 1;
      const size_t longest = quatsimd_stream_max_packet_size(&o) - 256,
                   least = 14 + (8 * (longest - 8) + 3 * (size_t)states - 1) / (3 * (size_t)states);
      for (o.limit = 1; o.limit < longest + 2; o.limit++) {
        const size_t room = quatsimd_stream_max_packet_size(&o);
        if (o.limit >= longest) assert_int_equal(room, longest + 256);
        else assert_int_equal(room, o.limit >= least ? o.limit + 256 : 0);
        assert_int_equal(quatsimd_stream_memory_size(&o) == 0, room == 0);
      }
    }
}

int main(int argc, char **argv) {
  skip_other_kernels();
  if (argc == 3 && strcmp(argv[1], "--only") == 0) cmocka_set_test_filter(argv[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(packets_keep_the_limit),         cmocka_unit_test(parts_come_in_any_order),
      cmocka_unit_test(rounds_bring_what_was_lost),     cmocka_unit_test(reliable_streams_have_parts),
      cmocka_unit_test(receivers_join_in_parts),        cmocka_unit_test(a_restart_is_found_in_parts),
      cmocka_unit_test(parts_without_acknowledgements), cmocka_unit_test(false_parts_are_refused),
      cmocka_unit_test(hostile_parts_do_no_harm),       cmocka_unit_test(too_low_limits_are_refused),
  };
  return cmocka_run_group_tests_name("parts", tests, NULL, NULL);
}
