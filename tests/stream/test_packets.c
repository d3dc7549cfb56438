/* Tests packets that are damaged, made by hand, or from another stream. */
#include "net.h"

#include "support/isa.h"

static void damage_is_noticed(void **unused) {
  (void)unused;
  static const size_t packets[] = {0, 1, 2, 3, 5, 7, 10, 11}; /* the time of packet 7 is irregular */
  for (int fine = 0; fine < 2; fine++) {
    const setting o = {9, fine ? 1e-4f : 0.0043633231f, 16, 1, fine ? 1 : 3};
    recording r = record(o, 13, 10, MOTIONS, 54);
    size_t unnoticed = 0, tries = 0;
    for (size_t i = 0; i < sizeof packets / sizeof packets[0]; i++) {
      const size_t f = packets[i], size = r.size[f];
      side decoder;
      open_before(&decoder, &r, f);
      unsigned char *damaged = filled(size + 1);
      for (size_t bit = 0; bit < 8 * size; bit++, tries++) {
        memcpy(damaged, r.packet[f], size);
        damaged[bit / 8] ^= (unsigned char)(1 << bit % 8);
        unnoticed += survives(&decoder, &r, f, damaged, size);
      }
      memcpy(damaged, r.packet[f], size);
      for (size_t shorter = 0; shorter < size; shorter++, tries++)
        unnoticed += survives(&decoder, &r, f, damaged, shorter);
      for (int last = 0; last < 256; last++, tries++) {
        damaged[size] = (unsigned char)last;
        unnoticed += survives(&decoder, &r, f, damaged, size + 1);
      }
      must_decode(&decoder, &r, f); /* the undamaged packet is still decoded */
      must_decode(&decoder, &r, f + 1);
      free(damaged);
      close_side(&decoder);
    }
    if (unnoticed) print_message("%zu of %zu damaged packets were not noticed\n", unnoticed, tries);
    assert_true(unnoticed * 1000 <= tries);
    forget(&r);
  }
}

/* Unnoticed damage gives the receiver a wrong state. Packets that are coded against it are refused. */
static void what_follows_unnoticed_damage_is_refused(void **unused) {
  (void)unused;
  enum { BEFORE = 5 };
  uint64_t seed = 58;
  setting o = usual;
  o.lag = 1;
  recording r = record(o, 12, 0, WALK, 59);
  side decoder;
  open_before(&decoder, &r, BEFORE);
  float *out = filled(4 * r.floats);
  uint32_t time;
  const size_t size = r.size[BEFORE];
  unsigned char *bytes = filled(size);
  do {
    memcpy(bytes, r.packet[BEFORE], size);
    for (int n = 0; n < 3; n++)
      bytes[HEAD + 1 + sweep_next(&seed) % (size - HEAD - 1)] = (unsigned char)sweep_next(&seed);
  } while (memcmp(bytes, r.packet[BEFORE], size) == 0 ||
           quatsimd_stream_decode(decoder.stream, quatsimd_aos_out(out), &time, bytes, size) != QUATSIMD_OK);
  for (size_t f = BEFORE + 1; f < r.packets; f++)
    assert_true(quatsimd_stream_decode(decoder.stream, quatsimd_aos_out(out), &time, r.packet[f], r.size[f]) <
                0);
  free(bytes), free(out);
  close_side(&decoder);
  forget(&r);
}

/* Too long packets are refused before their hash is computed. A decoder that computed the hash would return
 * QUATSIMD_ERROR_OLD_PACKET. */
static void long_packets_are_refused_unread(void **unused) {
  (void)unused;
  recording r = record(usual, 2, 0, WALK, 60);
  side decoder;
  open_before(&decoder, &r, 2);
  float *out = filled(4 * r.floats);
  uint32_t time;
  const size_t longest = longest_packet(&usual);
  unsigned char *bytes = filled(longest + 1);
  memset(bytes, 1, longest + 1);
  for (size_t size = longest; size <= longest + 1; size++) {
    seal(&usual, bytes, size, 0, NULL);
    assert_int_equal(quatsimd_stream_decode(decoder.stream, quatsimd_aos_out(out), &time, bytes, size),
                     size == longest ? QUATSIMD_ERROR_OLD_PACKET : QUATSIMD_ERROR_BAD_PACKET);
  }
  free(bytes), free(out);
  close_side(&decoder);
  forget(&r);
}

static void random_bytes_do_no_harm(void **unused) {
  (void)unused;
  enum { TRIES = 100000, BEFORE = 5 };
  uint64_t seed = 55;
  recording r = record(usual, 12, 0, MOTIONS, 56);
  side decoder;
  open_before(&decoder, &r, BEFORE);
  size_t unnoticed = 0;
  unsigned char bytes[512];
  for (size_t i = 0; i < TRIES; i++) {
    size_t size = sweep_next(&seed) % 80;
    for (size_t k = 0; k < size; k++) bytes[k] = (unsigned char)sweep_next(&seed);
    if (i % 2) { /* copy some bytes of the next packet or of packet 0 */
      const size_t f = i % 4 == 1 ? BEFORE : 0;
      size = r.size[f] < sizeof bytes ? r.size[f] : sizeof bytes;
      memcpy(bytes, r.packet[f], size);
      if (f == 0)
        bytes[0] = bytes[4] = (unsigned char)sweep_next(&seed), bytes[0] = (unsigned char)(bytes[4] << 1 | 1);
      const size_t from = 2 + sweep_next(&seed) % (size - 2);
      for (size_t k = from; k < size; k++) bytes[k] = (unsigned char)sweep_next(&seed);
      if (memcmp(bytes, r.packet[f], size) == 0) continue;
    }
    unnoticed += survives(&decoder, &r, BEFORE, bytes, size);
  }
  if (unnoticed) print_message("%zu of %d random packets were not noticed\n", unnoticed, TRIES);
  assert_true(unnoticed * 1000 <= TRIES);
  must_decode(&decoder, &r, BEFORE);
  close_side(&decoder);
  forget(&r);
}

/* Damage with a valid checksum, and codes that no encoder writes, are accepted or refused without harm. */
static void bytes_with_the_right_checksum_do_no_harm(void **unused) {
  (void)unused;
  enum { TRIES = 40000, BEFORE = 11, LAG = 3 };
  uint64_t seed = 70;
  unsigned char bytes[600];
  for (int fine = 0; fine < 2; fine++) {
    const setting o = {9, fine ? 1e-5f : 0.0043633231f, 16, 1, LAG};
    recording r = record(o, 16, 0, WALK, 71);
    side decoder;
    open_before(&decoder, &r, BEFORE);
    size_t taken = 0;
    for (size_t i = 0; i < TRIES; i++) {
      const bool key = i % 8 == 0;
      const size_t like = key ? 0 : BEFORE, code = key ? KEY_HEAD : HEAD;
      size_t size = r.size[like];
      assert_in_range(size, code + 1, sizeof bytes);
      memcpy(bytes, r.packet[like], size);
      if (key) seal(&o, bytes, size, 0, NULL);
      else seal_for(&o, decoder.stream, bytes, size, BEFORE);
      assert_memory_equal(bytes, r.packet[like], size); /* it was what the encoder wrote */
      if (i % 3 == 0) {                                 /* random bytes, in some packets with most bits set */
        if (!key) size = HEAD + sweep_next(&seed) % 120;
        /* in half of the packets the distance to the baseline stays, so that the receiver has the baseline */
        for (size_t k = i % 2 ? code : code + 1; k < size; k++)
          bytes[k] = (unsigned char)(sweep_next(&seed) | (i % 4 < 2 ? sweep_next(&seed) : 0));
      } else {
        for (size_t n = 1 + sweep_next(&seed) % 3; n > 0; n--) {
          const uint64_t lot = sweep_next(&seed);
          bytes[code + (lot >> 3) % (size - code)] ^= (unsigned char)(1u << lot % 8);
        }
      }
      if (key) seal(&o, bytes, size, BEFORE, NULL);
      else seal_for(&o, decoder.stream, bytes, size, BEFORE);
      taken += survives(&decoder, &r, BEFORE, bytes, size);
    }
    assert_in_range(taken, TRIES / 100, TRIES - TRIES / 100); /* some packets are accepted, some refused */
    must_decode(&decoder, &r, BEFORE);
    must_decode(&decoder, &r, BEFORE + 1);
    close_side(&decoder);
    forget(&r);
  }
}

/* A packet may not end with a zero byte, nor with bytes that the code does not need. */
static void bytes_behind_the_last_code_are_refused(void **unused) {
  (void)unused;
  unsigned char bytes[600];
  for (size_t bodies = 1; bodies < 12; bodies++) {
    const setting o = {bodies, 0.0043633231f, 16, 1, 1};
    recording r = record(o, 4, 0, RUN, 72);
    for (size_t f = 0; f < 3; f += 2) {
      const size_t size = r.size[f];
      side decoder;
      open_before(&decoder, &r, f);
      for (size_t more = 0; more < 40; more++)
        for (int last = 0; last < 2; last++) {
          assert_in_range(size + more, 5, sizeof bytes);
          memcpy(bytes, r.packet[f], size);
          memset(bytes + size, 0, more);
          if (more) bytes[size + more - 1] = (unsigned char)last;
          if (f == 0) seal(&o, bytes, size + more, 0, NULL);
          else seal_for(&o, decoder.stream, bytes, size + more, (uint32_t)f);
          const bool taken = survives(&decoder, &r, f, bytes, size + more);
          if (more == 0) assert_true(taken);
          else if (last == 0 || more > 12) assert_false(taken);
        }
      must_decode(&decoder, &r, f);
      close_side(&decoder);
    }
    forget(&r);
  }
}

/* A key packet has all 32 bits of its number. A number is new if it is less than 2^31 ahead of the newest. An
 * older number is accepted once, and only if it is less than STATES behind the newest. */
static void half_of_the_numbers_are_old(void **unused) {
  (void)unused;
  enum { BEFORE = 3, STATES = 16 };
  recording r = record(usual, BEFORE + 1, 0, WALK, 77);
  static const struct {
    uint32_t ahead; /* distance from the newest number */
    quatsimd_status status;
  } cases[] = {
      {1, QUATSIMD_OK},
      {2, QUATSIMD_OK},
      {0x3fff, QUATSIMD_OK},
      {0x4000, QUATSIMD_OK},
      {0x8000, QUATSIMD_OK},
      {0x7fffffff, QUATSIMD_OK},
      {0x80000001, QUATSIMD_ERROR_OLD_PACKET},
      {0, QUATSIMD_ERROR_OLD_PACKET},      /* the newest number itself */
      {0u - 1, QUATSIMD_ERROR_OLD_PACKET}, /* a number whose packet the receiver has */
      {0u - (STATES - 1), QUATSIMD_OK},    /* the oldest number that is accepted */
      {0u - STATES, QUATSIMD_ERROR_OLD_PACKET},
  };
  unsigned char *bytes = filled(r.size[0]);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const uint32_t newest = BEFORE - 1, number = newest + cases[i].ahead;
    memcpy(bytes, r.packet[0], r.size[0]);
    seal(&usual, bytes, r.size[0], number, NULL);
    side decoder;
    open_before(&decoder, &r, BEFORE);
    float *out = filled(4 * r.floats);
    uint32_t time;
    const quatsimd_status status =
        quatsimd_stream_decode(decoder.stream, quatsimd_aos_out(out), &time, bytes, r.size[0]);
    if (status != cases[i].status) fail_msg("%#x ahead: %s", cases[i].ahead, quatsimd_status_string(status));
    free(out);
    /* The stream's own next packet is decoded, unless the forged packet moved the newest number far ahead. */
    const bool away = status == QUATSIMD_OK && cases[i].ahead >= STATES && (int32_t)cases[i].ahead > 0;
    if (away) must_say(&decoder, &r, BEFORE - 1, QUATSIMD_ERROR_OLD_PACKET);
    else if (cases[i].ahead != 1) must_decode(&decoder, &r, BEFORE);
    close_side(&decoder);
  }
  free(bytes);
  forget(&r);
}

/* Seals packet 0 of a recording, a key packet, with another number and decodes it. If `damaged`, changes one
 * bit of it. */
static quatsimd_status say_key(side *decoder, const recording *r, uint32_t number, bool damaged) {
  unsigned char *bytes = memcpy(filled(r->size[0]), r->packet[0], r->size[0]);
  float *out = filled(4 * r->floats);
  uint32_t time = 12345;
  seal(&r->options, bytes, r->size[0], number, NULL);
  if (damaged) bytes[r->size[0] - 1] ^= 4;
  const acknowledgement before = acknowledge(decoder);
  const quatsimd_status status =
      quatsimd_stream_decode(decoder->stream, quatsimd_aos_out(out), &time, bytes, r->size[0]);
  const acknowledgement after = acknowledge(decoder);
  if (status != QUATSIMD_OK) {
    assert_true(untouched(out, 4 * r->floats) && time == 12345);
    assert_memory_equal(&before, &after, sizeof before);
  }
  free(out), free(bytes);
  return status;
}

enum { RESTART = 20, FAR_ON = 100000 }; /* RESTART: the old key packets in order that are a restart */

/* Gives a receiver `count` key packets with numbers from `number` on, which it must refuse as old. */
static void must_be_old(side *decoder, const recording *r, uint32_t number, size_t count) {
  for (size_t i = 0; i < count; i++)
    assert_int_equal(say_key(decoder, r, number + (uint32_t)i, false), QUATSIMD_ERROR_OLD_PACKET);
}
static void must_be_restart(side *decoder, const recording *r, uint32_t number) {
  assert_int_equal(say_key(decoder, r, number, false), QUATSIMD_ERROR_RESTARTED);
}
static void must_be_new(side *decoder, const recording *r, uint32_t number) {
  assert_int_equal(say_key(decoder, r, number, false), QUATSIMD_OK);
}

/* A sender begins again with the same session. Its receiver reports this at exactly the 20th old key packet
 * in order and at each later one, and a receiver that is made again decodes the next packet. */
static void a_restart_is_found(void **unused) {
  (void)unused;
  recording r = record(usual, 40, 1, WALK, 78);
  side decoder;
  open_side(&decoder, &usual);
  must_be_new(&decoder, &r, FAR_ON);
  for (size_t f = 0; f < 30; f++)
    must_say(&decoder, &r, f, f < RESTART - 1 ? QUATSIMD_ERROR_OLD_PACKET : QUATSIMD_ERROR_RESTARTED);
  for (size_t i = 0; i < 600; i++) must_be_restart(&decoder, &r, (uint32_t)(30 + i));
  close_side(&decoder);
  open_before(&decoder, &r, 0);
  for (size_t f = 30; f < 40; f++) must_decode(&decoder, &r, f);
  close_side(&decoder);
  forget(&r);
}

/* Old key packets that are repeated, out of order, damaged or not key packets are no restart. */
static void other_old_packets_are_no_restart(void **unused) {
  (void)unused;
  enum { MANY = 3 * RESTART };
  recording r = record(usual, 12, 0, WALK, 79);
  assert_false(is_key(r.packet[11]));
  side decoder;
  open_before(&decoder, &r, 12);
  for (size_t i = 0; i < MANY; i++) must_say(&decoder, &r, 0, QUATSIMD_ERROR_OLD_PACKET);
  for (size_t i = 0; i < MANY; i++) must_say(&decoder, &r, 11, QUATSIMD_ERROR_OLD_PACKET);
  must_be_new(&decoder, &r, FAR_ON);
  for (size_t i = 0; i < MANY; i++) must_be_old(&decoder, &r, (uint32_t)(FAR_ON - 1000 - i), 1);
  for (uint32_t i = 0; i < MANY; i++) must_be_old(&decoder, &r, 100 + (i ^ 1), 1);
  for (uint32_t i = 0; i < MANY; i++)
    assert_int_equal(say_key(&decoder, &r, 500 + i, true), QUATSIMD_ERROR_BAD_PACKET);
  for (size_t round = 0; round < 5; round++) must_be_old(&decoder, &r, 50, RESTART - 1);
  close_side(&decoder);
  forget(&r);
}

/* Repeats, damaged packets and old packets of other kinds among the old key packets do not hide a restart. A
 * packet that is decoded ends the count, and so does a lower number, with which a new count begins. */
static void a_restart_is_counted_in_order(void **unused) {
  (void)unused;
  recording r = record(usual, 12, 0, WALK, 80);
  side decoder;
  open_before(&decoder, &r, 12);
  must_be_new(&decoder, &r, FAR_ON);
  for (uint32_t i = 0; i + 1 < RESTART; i++) {
    must_be_old(&decoder, &r, 3 * i, 1), must_be_old(&decoder, &r, 3 * i, 1);
    assert_int_equal(say_key(&decoder, &r, 3 * i + 1, true), QUATSIMD_ERROR_BAD_PACKET);
    must_say(&decoder, &r, 11, QUATSIMD_ERROR_OLD_PACKET);
  }
  must_be_restart(&decoder, &r, 3 * RESTART), must_be_restart(&decoder, &r, 3 * RESTART);
  must_be_old(&decoder, &r, 10, RESTART - 1);
  must_be_new(&decoder, &r, FAR_ON + 1);
  must_be_old(&decoder, &r, 1000, RESTART - 1);
  must_be_restart(&decoder, &r, 2000);
  must_be_new(&decoder, &r, FAR_ON - 3); /* late, but decoded */
  must_be_old(&decoder, &r, 90000, 1);   /* very late */
  must_be_old(&decoder, &r, 0, RESTART - 1), must_be_restart(&decoder, &r, RESTART - 1);
  close_side(&decoder);
  /* order is that of numbers modulo 2^32 */
  open_before(&decoder, &r, 12);
  must_be_new(&decoder, &r, 1000);
  must_be_old(&decoder, &r, 0u - 10, RESTART - 1), must_be_restart(&decoder, &r, RESTART);
  close_side(&decoder);
  forget(&r);
}

/* Packets other than key packets have 15 bits of their number. A number 2^14 or more ahead of the newest
 * counts as old. */
static void numbers_wrap_where_half_is_ahead(void **unused) {
  (void)unused;
  enum { BEFORE = 9 };
  static const struct {
    uint32_t ahead;
    quatsimd_status status;
  } cases[] = {{0x3fff, QUATSIMD_ERROR_NEED_KEY},   {0x4000, QUATSIMD_ERROR_OLD_PACKET},
               {0x4001, QUATSIMD_ERROR_OLD_PACKET}, {0x7fff, QUATSIMD_ERROR_OLD_PACKET},
               {0, QUATSIMD_ERROR_OLD_PACKET},      {1, QUATSIMD_OK}};
  recording r = record(usual, BEFORE + 1, 0, WALK, 75);
  unsigned char *bytes = filled(r.size[BEFORE]);
  float *out = filled(4 * r.floats);
  assert_int_equal(r.packet[BEFORE][0] & 1, 0); /* the packet is not a key packet */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const uint32_t head = (BEFORE - 1 + cases[i].ahead) << 1;
    uint32_t time;
    side decoder;
    memcpy(bytes, r.packet[BEFORE], r.size[BEFORE]);
    bytes[0] = (unsigned char)head, bytes[1] = (unsigned char)(head >> 8);
    open_before(&decoder, &r, BEFORE);
    assert_int_equal(
        quatsimd_stream_decode(decoder.stream, quatsimd_aos_out(out), &time, bytes, r.size[BEFORE]),
        cases[i].status);
    close_side(&decoder);
  }
  free(bytes), free(out);
  forget(&r);
}

/* Packets of another stream with the same options and numbers are refused, because their baselines differ. */
static void packets_of_another_history_are_refused(void **unused) {
  (void)unused;
  recording r = record(usual, 12, 0, WALK, 73), other = record(usual, 12, 0, WALK, 74);
  for (size_t f = (size_t)usual.lag; f < 12; f++) {
    side decoder;
    open_before(&decoder, &r, f);
    must_say(&decoder, &other, f, QUATSIMD_ERROR_BAD_PACKET);
    must_decode(&decoder, &r, f);
    close_side(&decoder);
  }
  forget(&other), forget(&r);
}

static void packets_of_other_streams_are_refused(void **unused) {
  (void)unused;
  recording r = record(usual, 6, 0, WALK, 57);
  setting others[] = {usual, usual, usual, usual, usual, usual, usual};
  others[0].bodies = 8, others[1].bodies = 10, others[2].bound = 0.004f;
  others[3].bound = nextafterf(usual.bound, 1), others[4].states = 32;
  others[5].receivers = 7, others[6].lag = 0; /* only the sender uses these options */
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    side decoder;
    open_side(&decoder, &others[i]);
    for (size_t f = 0; f < r.packets && i > 4; f++) must_decode(&decoder, &r, f);
    float *out = filled(16 * others[i].bodies);
    uint32_t time;
    const quatsimd_status status =
        quatsimd_stream_decode(decoder.stream, quatsimd_aos_out(out), &time, r.packet[0], r.size[0]);
    if (status != (i > 4 ? QUATSIMD_ERROR_OLD_PACKET : QUATSIMD_ERROR_BAD_PACKET))
      fail_msg("options %zu: %s", i, quatsimd_status_string(status));
    assert_true(untouched(out, 16 * others[i].bodies));
    free(out);
    close_side(&decoder);
  }
  forget(&r);
}

static void packets_of_other_sessions_are_refused(void **unused) {
  (void)unused;
  const setting o = {9, 0.0043633231f, 16, 1, 1};
  recording r = record(o, 6, 0, WALK, 57);
  for (int bit = 0; bit < 64; bit++) {
    side other, first;
    open_session(&other, &o, SESSION ^ UINT64_C(1) << bit), open_before(&first, &r, 4);
    float *out = filled(4 * r.floats);
    uint32_t time;
    assert_int_equal(
        quatsimd_stream_decode(other.stream, quatsimd_aos_out(out), &time, r.packet[0], r.size[0]),
        QUATSIMD_ERROR_BAD_PACKET);
    free(out);
    /* the sender also refuses acknowledgements of another session */
    const acknowledgement a = acknowledge(&first);
    side sender;
    open_session(&sender, &o, SESSION ^ UINT64_C(1) << bit);
    sender.stream->coming = 10;
    assert_int_equal(acknowledged(&sender, 0, a), QUATSIMD_ERROR_BAD_PACKET);
    close_side(&sender), close_side(&first), close_side(&other);
  }
  forget(&r);
}

int main(int argc, char **argv) {
  skip_other_kernels();
  if (argc == 3 && strcmp(argv[1], "--only") == 0) cmocka_set_test_filter(argv[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(damage_is_noticed),
      cmocka_unit_test(what_follows_unnoticed_damage_is_refused),
      cmocka_unit_test(long_packets_are_refused_unread),
      cmocka_unit_test(random_bytes_do_no_harm),
      cmocka_unit_test(bytes_with_the_right_checksum_do_no_harm),
      cmocka_unit_test(bytes_behind_the_last_code_are_refused),
      cmocka_unit_test(half_of_the_numbers_are_old),
      cmocka_unit_test(a_restart_is_found),
      cmocka_unit_test(other_old_packets_are_no_restart),
      cmocka_unit_test(a_restart_is_counted_in_order),
      cmocka_unit_test(numbers_wrap_where_half_is_ahead),
      cmocka_unit_test(packets_of_another_history_are_refused),
      cmocka_unit_test(packets_of_other_streams_are_refused),
      cmocka_unit_test(packets_of_other_sessions_are_refused),
  };
  return cmocka_run_group_tests_name("packets", tests, NULL, NULL);
}
