/* Packets that are damaged, made by hand or of another stream. */
#include "streams.h"

#include "support/isa.h"

static void damage_is_noticed(void **state) {
  (void)state;
  static const size_t packets[] = {0, 1, 2, 5, 10, 11};
  for (int exponential = 0; exponential < 2; exponential++) {
    setting o = {9, exponential ? 1e-4f : 0.0043633231f, exponential, QUATSIMD_PREDICT_BOTH};
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
      must_decode(&decoder, &r, f); /* the right packet, after all those that were wrong */
      must_decode(&decoder, &r, f + 1);
      free(damaged);
      close_side(&decoder);
    }
    if (unnoticed) print_message("%zu of %zu damaged packets were not noticed\n", unnoticed, tries);
    assert_true(unnoticed * 1000 <= tries);
    forget(&r);
  }
}

static void random_bytes_do_no_harm(void **state) {
  (void)state;
  enum { TRIES = 100000, BEFORE = 3 };
  uint64_t seed = 55;
  recording r = record(usual, 12, 0, MOTIONS, 56);
  side decoder;
  open_before(&decoder, &r, BEFORE);
  size_t unnoticed = 0;
  unsigned char bytes[512];
  for (size_t i = 0; i < TRIES; i++) {
    size_t size = sweep_next(&seed) % 80;
    for (size_t k = 0; k < size; k++) bytes[k] = (unsigned char)sweep_next(&seed);
    if (i % 2) { /* nearly a packet: some bytes of one that could come now */
      const size_t f = i % 4 == 1 ? BEFORE : 0;
      size = r.size[f] < sizeof bytes ? r.size[f] : sizeof bytes;
      memcpy(bytes, r.packet[f], size);
      if (f == 0) bytes[0] ^= (unsigned char)sweep_next(&seed);
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

/* A packet with this payload and the checksum that docs/stream.md asks for, behind a packet of that
 * checksum. */
static void seal(const setting *o, unsigned char *packet, size_t size, unsigned check_before) {
  unsigned char id[10];
  uint32_t bound_bits;
  memcpy(&bound_bits, &o->bound, 4);
  for (int i = 0; i < 4; i++)
    id[i] = (unsigned char)(o->bodies >> 8 * i), id[4 + i] = (unsigned char)(bound_bits >> 8 * i);
  id[8] = (unsigned char)o->exponential;
  id[9] = 1;
  const uint32_t head = packet[0] | (uint32_t)packet[1] << 8, before = head & 1 ? 0 : check_before;
  const uint32_t h = XXH32(packet + 4, size - 4, XXH32(id, sizeof id, 0) ^ (head + (before << 16)));
  packet[2] = (unsigned char)(h ^ h >> 16), packet[3] = (unsigned char)((h ^ h >> 16) >> 8);
}

static unsigned check_of(const unsigned char *packet) { return packet[2] | (unsigned)packet[3] << 8; }

/* Damage that the checksum does not show, and codes that no encoder writes. */
static void bytes_with_the_right_checksum_do_no_harm(void **state) {
  (void)state;
  enum { TRIES = 40000, BEFORE = 11 };
  uint64_t seed = 70;
  unsigned char bytes[600];
  for (int exponential = 0; exponential < 2; exponential++) {
    const setting o = {9, exponential ? 1e-5f : 0.0043633231f, exponential, QUATSIMD_PREDICT_BOTH};
    recording r = record(o, 13, 0, MOTIONS, 71);
    const unsigned before = check_of(r.packet[BEFORE - 1]);
    side decoder;
    open_before(&decoder, &r, BEFORE);
    size_t taken = 0;
    for (size_t i = 0; i < TRIES; i++) {
      const bool key = i % 8 == 0;
      size_t size = key ? r.size[0] : r.size[BEFORE];
      assert_in_range(size, 5, sizeof bytes);
      memcpy(bytes, key ? r.packet[0] : r.packet[BEFORE], size);
      seal(&o, bytes, size, before);
      assert_memory_equal(bytes, key ? r.packet[0] : r.packet[BEFORE], size); /* the page says it right */
      if (key) bytes[0] = (unsigned char)(BEFORE << 1 | 1);
      if (i % 3 == 0) { /* random codes, of many ones sometimes */
        if (!key) size = 4 + sweep_next(&seed) % 120;
        for (size_t k = 4; k < size; k++)
          bytes[k] = (unsigned char)(sweep_next(&seed) | (i % 2 ? sweep_next(&seed) : 0));
      } else {
        for (size_t n = 1 + sweep_next(&seed) % 3; n > 0; n--)
          bytes[4 + sweep_next(&seed) % (size - 4)] ^= (unsigned char)(1u << sweep_next(&seed) % 8);
      }
      seal(&o, bytes, size, before);
      taken += survives(&decoder, &r, BEFORE, bytes, size);
    }
    assert_in_range(taken, TRIES / 100, TRIES - TRIES / 100); /* both happen */
    for (size_t i = 0; i < 2; i++) {                          /* too short, too long */
      const size_t size = r.size[BEFORE];
      memcpy(bytes, r.packet[BEFORE], size);
      bytes[size] = 0;
      seal(&o, bytes, i ? size + 1 : size - 1, before);
      assert_false(survives(&decoder, &r, BEFORE, bytes, i ? size + 1 : size - 1));
    }
    must_decode(&decoder, &r, BEFORE);
    must_decode(&decoder, &r, BEFORE + 1);
    close_side(&decoder);
    forget(&r);
  }
}

/* Of a key packet, whose codes are bodies * (1 + 3 * width) bits. */
static void bits_behind_the_last_code_are_refused(void **state) {
  (void)state;
  unsigned char bytes[600];
  size_t tried = 0;
  for (size_t bodies = 1; bodies < 8; bodies++) {
    const setting o = {bodies, 0.0043633231f, 0, QUATSIMD_PREDICT_BOTH};
    recording r = record(o, 2, 0, ANY, 72);
    size_t width = 1;
    while (bodies * (4 + 3 * width) <= 8 * (r.size[0] - 4)) width++;
    assert_in_range(r.size[0], 5, sizeof bytes);
    memcpy(bytes, r.packet[0], r.size[0]);
    side decoder;
    open_side(&decoder, &o);
    for (size_t bit = bodies * (1 + 3 * width); bit < 8 * (r.size[0] - 4); bit++, tried++) {
      bytes[4 + bit / 8] ^= (unsigned char)(1 << bit % 8);
      seal(&o, bytes, r.size[0], 0);
      assert_false(survives(&decoder, &r, 0, bytes, r.size[0]));
      bytes[4 + bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    must_decode(&decoder, &r, 0);
    must_decode(&decoder, &r, 1);
    close_side(&decoder);
    forget(&r);
  }
  assert_true(tried > 5);
}

/* Key packets that are ahead of a decoder by less than half of all numbers are new, all others old. */
static void half_of_the_numbers_are_old(void **state) {
  (void)state;
  enum { BEFORE = 3 };
  recording r = record(usual, BEFORE + 1, 0, WALK, 77);
  const unsigned ahead[] = {0, 1, 0x3ffe, 0x3fff, 0x4000, 0x4001, 0x7ffe, 0x7fff};
  unsigned char *bytes = filled(r.size[0]);
  for (size_t i = 0; i < sizeof ahead / sizeof ahead[0]; i++) {
    const unsigned number = (BEFORE + ahead[i]) & 0x7fff;
    memcpy(bytes, r.packet[0], r.size[0]);
    bytes[0] = (unsigned char)(number << 1 | 1), bytes[1] = (unsigned char)(number >> 7);
    seal(&usual, bytes, r.size[0], 0);
    side decoder;
    open_before(&decoder, &r, BEFORE);
    float *out = filled(4 * r.floats);
    const quatsimd_status status =
        quatsimd_stream_decode(decoder.stream, quatsimd_aos_out(out), bytes, r.size[0]);
    if (status != (ahead[i] < 0x4000 ? QUATSIMD_OK : QUATSIMD_ERROR_OLD_PACKET))
      fail_msg("%#x ahead: %s", ahead[i], quatsimd_status_string(status));
    free(out);
    close_side(&decoder);
  }
  free(bytes);
  forget(&r);
}

/* By hand, from the page: the bits, in the order in which they are read, of the packet behind a key packet
 * of one body, whose scale is 32 then. */
static void codes_of_the_page(void **state) {
  (void)state;
#define ONES_31 "1111111111111111111111111111111"
  static const struct {
    const char *bits; /* and spaces */
    bool good;
  } cases[] = {
      {"00", true},                       /* none */
      {"10 0 0", true},                   /* axis: 2, 0, 0 */
      {"10 1 11", true},                  /* 0, 0, -2 */
      {"01 010", true},                   /* corner: 1, -1, 1 */
      {"11 0 10 0 0", true},              /* other: -2, 0, 0 */
      {"11 0 " ONES_31 "0 0 0", true},    /* as many ones as there may be */
      {"11 0 1" ONES_31 "0 0 0", false},  /* 32 ones */
      {"11 0 0 0 0 0 00", true},          /* escape, the other prediction, none */
      {"11 0 0 0 0 0 11 0 0 0 0", false}, /* an escape in an escape */
      {"11 0 0 0 0 0 11 0 0 0 0 0 00", false},
      {"11 0 0 0 0", false}, /* nothing behind the escape but the zeros that fill the byte */
      {"00 1", false},
      {"00 000000", true},
      {"00 000000 0", false},
      {"", false},
  };
  const setting o = {1, 0.01f, 0, QUATSIMD_PREDICT_BOTH};
  recording r = record(o, 2, 0, STILL, 76);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    unsigned char packet[16] = {1 << 1, 0};
    size_t bits = 0;
    for (const char *c = cases[i].bits; *c; c++) {
      if (*c == '1') packet[4 + bits / 8] |= (unsigned char)(1 << bits % 8);
      bits += *c != ' ';
    }
    const size_t size = 4 + (bits + 7) / 8;
    seal(&o, packet, size, check_of(r.packet[0]));
    side decoder;
    open_before(&decoder, &r, 1);
    if (survives(&decoder, &r, 1, packet, size) != cases[i].good)
      fail_msg("%s is %s", cases[i].bits, cases[i].good ? "refused" : "taken");
    must_decode(&decoder, &r, 1);
    close_side(&decoder);
  }
  forget(&r);
}

/* The same number and the same options, but not what the decoder has seen before. */
static void frames_of_another_history_are_refused(void **state) {
  (void)state;
  recording r = record(usual, 8, 0, WALK, 73), other = record(usual, 8, 0, WALK, 74);
  for (size_t f = 1; f < 8; f++) {
    side decoder;
    open_before(&decoder, &r, f);
    must_refuse(&decoder, &other, f, QUATSIMD_ERROR_BAD_PACKET);
    must_decode(&decoder, &r, f);
    close_side(&decoder);
  }
  forget(&other), forget(&r);
}

static void frames_of_other_streams_are_refused(void **state) {
  (void)state;
  recording r = record(usual, 3, 0, WALK, 57);
  setting others[] = {usual, usual, usual, usual, usual};
  others[0].bodies = 8, others[1].bodies = 10, others[2].bound = 0.004f;
  others[3].bound = nextafterf(usual.bound, 1), others[4].exponential = 1;
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    side decoder;
    open_side(&decoder, &others[i]);
    float *out = filled(16 * others[i].bodies);
    const quatsimd_status status =
        quatsimd_stream_decode(decoder.stream, quatsimd_aos_out(out), r.packet[0], r.size[0]);
    if (status != QUATSIMD_ERROR_BAD_PACKET) fail_msg("options %zu: %s", i, quatsimd_status_string(status));
    assert_true(untouched(out, 16 * others[i].bodies));
    free(out);
    close_side(&decoder);
  }
  forget(&r);
}

int main(int argc, char **argv) {
  skip_other_kernels();
  if (argc == 3 && strcmp(argv[1], "--only") == 0) cmocka_set_test_filter(argv[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(damage_is_noticed),
      cmocka_unit_test(random_bytes_do_no_harm),
      cmocka_unit_test(bytes_with_the_right_checksum_do_no_harm),
      cmocka_unit_test(bits_behind_the_last_code_are_refused),
      cmocka_unit_test(half_of_the_numbers_are_old),
      cmocka_unit_test(codes_of_the_page),
      cmocka_unit_test(frames_of_another_history_are_refused),
      cmocka_unit_test(frames_of_other_streams_are_refused),
  };
  return cmocka_run_group_tests_name("packets", tests, NULL, NULL);
}
