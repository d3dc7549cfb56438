/* stream.h: what it promises, through the kernels in use (CTest runs this for each of them).
 *
 *   test_stream            the tests
 *   test_stream --only P   those tests whose names are like P
 *   test_stream --goldens  prints what belongs into the table of goldens below */
#include "streams.h"

#include "support/denormals.h"
#include "support/isa.h"

static const float bounds[] = {1e-5f, 1e-4f, 1e-3f, 0.0043633231f, 0.03f, 0.3f, 1};
enum { BOUNDS = sizeof bounds / sizeof bounds[0] };

static void errors_are_within_the_bound(void **state) {
  (void)state;
  static const size_t bodies[] = {1, 2, 3, 9, 17, 40};
  uint64_t seed = 100;
  for (int b = 0; b < BOUNDS; b++)
    for (int exponential = 0; exponential < 2; exponential++)
      for (int predictors = 0; predictors < 4; predictors++)
        for (size_t n = 0; n < sizeof bodies / sizeof bodies[0]; n++) {
          const setting o = {bodies[n], bounds[b], exponential, predictors};
          recording r = record(o, bodies[n] < 9 ? 40 : 20, n % 2 ? 7 : 0, MOTIONS, seed++);
          check_errors(&r);
          forget(&r);
        }
}

static void each_motion_alone(void **state) {
  (void)state;
  uint64_t seed = 1000;
  for (int motion = 0; motion < MOTIONS; motion++)
    for (int b = 0; b < BOUNDS; b++)
      for (int exponential = 0; exponential < 2; exponential++) {
        const setting o = {5, bounds[b], exponential, QUATSIMD_PREDICT_BOTH};
        recording r = record(o, 150, 0, motion, seed++);
        check_errors(&r);
        if (motion == STILL || motion == FLIP) /* nothing new: the last packets are the shortest */
          assert_true(r.size[149] <= r.size[0]);
        forget(&r);
      }
}

/* Slow bodies: the encoder sends nothing as long as that is within the bound, to the last bit of it. */
static void slow_bodies_stay_within_the_bound(void **state) {
  (void)state;
  uint64_t seed = 1500;
  for (int b = 0; b < BOUNDS; b++)
    for (int exponential = 0; exponential < 2; exponential++)
      for (int predictors = QUATSIMD_PREDICT_BOTH; predictors <= QUATSIMD_PREDICT_NONE; predictors++) {
        const setting o = {40, bounds[b], exponential, predictors};
        recording r = record(o, 300, 0, SLOW, seed++);
        check_errors(&r);
        forget(&r);
      }
}

/* Many, so that some are as far from all points of the lattice as can be, where rounding could carry them
 * beyond. */
static void many_rotations_at_the_finest_bound(void **state) {
  (void)state;
  for (int exponential = 0; exponential < 2; exponential++)
    for (int key = 0; key < 2; key++) {
      const setting o = {500, 1e-5f, exponential, QUATSIMD_PREDICT_BOTH};
      recording r = record(o, 200, (size_t)key, key ? ANY : WALK, 8);
      check_errors(&r);
      forget(&r);
    }
}

/* The longest there can be: everything by itself, at the finest bound. */
static void no_frame_is_longer_than_max_frame(void **state) {
  (void)state;
  for (int exponential = 0; exponential < 2; exponential++)
    for (int predictors = 0; predictors < 4; predictors++)
      for (int key = 0; key < 2; key++) {
        const setting o = {64, 1e-5f, exponential, predictors};
        recording r = record(o, 30, (size_t)key, ANY, 7); /* checks the lengths */
        check_errors(&r);
        forget(&r);
      }
}

static void after_a_loss_a_key_frame_is_needed(void **state) {
  (void)state;
  enum { PACKETS = 30, KEY = 10 };
  for (int exponential = 0; exponential < 2; exponential++) {
    setting o = usual;
    o.exponential = exponential;
    recording r = record(o, PACKETS, KEY, MOTIONS, 50);
    for (size_t lost = 0; lost < PACKETS; lost++)
      for (size_t more = 1; more <= 3; more += 2) { /* how many are lost */
        side decoder;
        open_side(&decoder, &o);
        bool whole = true;
        for (size_t f = 0; f < PACKETS; f++) {
          if (f >= lost && f < lost + more) whole = false;
          else if (whole || f % KEY == 0) must_decode(&decoder, &r, f), whole = true;
          else must_refuse(&decoder, &r, f, QUATSIMD_ERROR_NEED_KEY);
        }
        close_side(&decoder);
      }
    forget(&r);
  }
}

static void late_decoders_wait_for_a_key_packet(void **state) {
  (void)state;
  recording r = record(usual, 30, 10, MOTIONS, 51);
  for (size_t first = 0; first < 20; first++) {
    side decoder;
    open_side(&decoder, &usual);
    bool begun = false;
    for (size_t f = first; f < 30; f++) {
      begun = begun || f % 10 == 0;
      if (begun) must_decode(&decoder, &r, f);
      else must_refuse(&decoder, &r, f, QUATSIMD_ERROR_NEED_KEY);
    }
    close_side(&decoder);
  }
  forget(&r);
}

static void old_frames_do_not_disturb(void **state) {
  (void)state;
  enum { PACKETS = 40 };
  recording r = record(usual, PACKETS, 10, MOTIONS, 52);
  side decoder;
  open_side(&decoder, &usual);
  for (size_t f = 0; f < PACKETS; f++) {
    must_decode(&decoder, &r, f);
    for (size_t old = 0; old <= f; old++) must_refuse(&decoder, &r, old, QUATSIMD_ERROR_OLD_PACKET);
  }
  close_side(&decoder);

  /* two packets change places: the later one waits, and nothing is lost */
  open_side(&decoder, &usual);
  for (size_t f = 0; f + 1 < PACKETS; f += 2) {
    if ((f + 1) % 10 != 0 && f > 0) must_refuse(&decoder, &r, f + 1, QUATSIMD_ERROR_NEED_KEY);
    must_decode(&decoder, &r, f);
    must_decode(&decoder, &r, f + 1);
  }
  close_side(&decoder);

  /* passed over by a key packet, then there after all */
  open_side(&decoder, &usual);
  must_decode(&decoder, &r, 0);
  must_decode(&decoder, &r, 20);
  for (size_t f = 0; f <= 20; f++) must_refuse(&decoder, &r, f, QUATSIMD_ERROR_OLD_PACKET);
  must_decode(&decoder, &r, 21);
  close_side(&decoder);
  forget(&r);
}

static void numbers_wrap(void **state) {
  (void)state;
  enum { PACKETS = 2 * 32768 + 300 };
  const setting o = {1, 0.01f, 0, QUATSIMD_PREDICT_BOTH};
  recording r = record(o, PACKETS, 1000, FREE_AND_WALK, 53);
  check_errors(&r);
  side decoder;
  open_side(&decoder, &o);
  for (size_t f = 0; f < PACKETS; f++) {
    if (f % 32768 >= 32700 || f % 32768 < 60) {
      if (f > 100) {
        must_refuse(&decoder, &r, f - 1, QUATSIMD_ERROR_OLD_PACKET);
        must_refuse(&decoder, &r, f - 99, QUATSIMD_ERROR_OLD_PACKET);
      }
      if (f + 1 < PACKETS && f > 0 && (f + 1) % 1000)
        must_refuse(&decoder, &r, f + 1, QUATSIMD_ERROR_NEED_KEY);
    }
    must_decode(&decoder, &r, f);
  }
  close_side(&decoder);
  forget(&r);
}

static void predictors_are_the_encoders_business(void **state) {
  (void)state;
  for (int of_encoder = 0; of_encoder < 4; of_encoder++)
    for (int of_decoder = 0; of_decoder < 4; of_decoder++) {
      setting o = usual;
      o.predictors = of_encoder;
      recording r = record(o, 12, 5, MOTIONS, 75);
      o.predictors = of_decoder;
      side decoder;
      open_side(&decoder, &o);
      for (size_t f = 0; f < 12; f++) must_decode(&decoder, &r, f);
      close_side(&decoder);
      forget(&r);
    }
}

static void wrong_options_are_refused(void **state) {
  (void)state;
  float nan, infinity;
  sweep_set_bits(&nan, nan_bits), sweep_set_bits(&infinity, infinity_bits);
  const setting wrong[] = {{0, 0.01f, 0, 0},
                           {((size_t)1 << 24) + 1, 0.01f, 0, 0},
                           {SIZE_MAX, 0.01f, 0, 0},
                           {SIZE_MAX / 16 + 2, 0.01f, 0, 0},
                           {5, 0, 0, 0},
                           {5, -0.01f, 0, 0},
                           {5, 9.9e-6f, 0, 0},
                           {5, 1.0001f, 0, 0},
                           {5, nan, 0, 0},
                           {5, infinity, 0, 0},
                           {5, 0.01f, 2, 0},
                           {5, 0.01f, -1, 0}};
  double memory[512];
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    const quatsimd_stream_options o = options_of(&wrong[i]);
    quatsimd_stream *stream = NULL;
    if (quatsimd_stream_size(&o) != 0 || quatsimd_stream_max_packet(&o) != 0)
      fail_msg("wrong options %zu are taken", i);
    assert_int_equal(quatsimd_stream_init(&stream, memory, sizeof memory, &o), QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_null(stream);
  }
  const setting right[] = {{1, 1e-5f, 0, 0}, {(size_t)1 << 24, 1, 1, 0}, {5, 1, 1, 0}, {5, 1e-5f, 1, 0}};
  for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
    const quatsimd_stream_options o = options_of(&right[i]);
    assert_true(quatsimd_stream_size(&o) >= 16 * o.bodies);
    assert_true(quatsimd_stream_max_packet(&o) >= o.bodies / 8);
  }
  assert_int_equal(quatsimd_stream_size(NULL), 0);
  assert_int_equal(quatsimd_stream_max_packet(NULL), 0);
}

/* Options of callers that know more members than this version, or that were never filled. */
static void options_may_grow(void **state) {
  (void)state;
  struct {
    quatsimd_stream_options known;
    double more[4];
  } later;
  quatsimd_stream_options now;
  assert_int_equal(quatsimd_stream_options_init(&now, sizeof now), QUATSIMD_OK);
  assert_int_equal(now.struct_size, sizeof now);
  assert_true(now.bodies == 0 && now.bound > 0.00436f && now.bound < 0.00437f && now.exponential == 0);
  memset(&later, FILL, sizeof later);
  assert_int_equal(quatsimd_stream_options_init(&later.known, sizeof later), QUATSIMD_OK);
  assert_int_equal(later.known.struct_size, sizeof later);
  now.bodies = later.known.bodies = 7;
  for (int i = 0; i < 4; i++) assert_true(later.more[i] == 0);
  assert_int_equal(quatsimd_stream_size(&later.known), quatsimd_stream_size(&now));
  later.more[3] = 1; /* an option that this version does not know */
  assert_int_equal(quatsimd_stream_size(&later.known), 0);
  later.more[3] = 0, later.known.struct_size = sizeof now; /* is not looked at */
  later.more[0] = 1;
  assert_int_equal(quatsimd_stream_size(&later.known), quatsimd_stream_size(&now));
  const size_t sizes[] = {0, 1, sizeof now - 1, SIZE_MAX, (size_t)-1 / 2};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    now.struct_size = sizes[i];
    assert_int_equal(quatsimd_stream_size(&now), 0);
    memset(&now, FILL, sizeof now);
    assert_int_equal(quatsimd_stream_options_init(&now, sizes[i]), QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_true(untouched(&now, sizeof now));
    now.bodies = 7, now.bound = 0.1f, now.exponential = 0;
  }
  assert_int_equal(quatsimd_stream_options_init(NULL, sizeof now), QUATSIMD_ERROR_BAD_ARGUMENT);
}

static void wrong_memory_is_refused(void **state) {
  (void)state;
  const quatsimd_stream_options o = options_of(&usual);
  const size_t size = quatsimd_stream_size(&o);
  unsigned char *memory = filled(size + 8);
  quatsimd_stream *stream = NULL;
  assert_int_equal(quatsimd_stream_init(&stream, memory, size - 1, &o), QUATSIMD_ERROR_SHORT_BUFFER);
  assert_int_equal(quatsimd_stream_init(&stream, memory, 0, &o), QUATSIMD_ERROR_SHORT_BUFFER);
  for (size_t off = 1; off < 8; off++)
    assert_int_equal(quatsimd_stream_init(&stream, memory + off, size, &o), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_stream_init(&stream, NULL, size, &o), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_stream_init(NULL, memory, size, &o), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_stream_init(&stream, memory, size, NULL), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_null(stream);
  assert_true(untouched(memory, size + 8));
  /* 8 bytes are enough */
  assert_int_equal(quatsimd_stream_init(&stream, memory + 8, size, &o), QUATSIMD_OK);
  free(memory);
}

static void wrong_calls_change_nothing(void **state) {
  (void)state;
  recording r = record(usual, 12, 0, MOTIONS, 58);
  const size_t longest = longest_packet(&usual);
  side encoder, decoder;
  open_side(&encoder, &usual), open_side(&decoder, &usual);
  unsigned char *packet = filled(longest);
  float *out = filled(4 * r.floats);
  for (size_t f = 0; f < r.packets; f++) {
    size_t written = 12345;
    const quatsimd_in in = quatsimd_aos(sent(&r, f));
    memset(packet, FILL, longest);
    assert_int_equal(quatsimd_stream_encode(encoder.stream, packet, longest - 1, &written, in, 0),
                     QUATSIMD_ERROR_SHORT_BUFFER);
    assert_int_equal(quatsimd_stream_encode(encoder.stream, packet, 0, &written, in, 1),
                     QUATSIMD_ERROR_SHORT_BUFFER);
    assert_int_equal(quatsimd_stream_encode(encoder.stream, NULL, longest, &written, in, 0),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_stream_encode(encoder.stream, packet, longest, NULL, in, 0),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_stream_encode(encoder.stream, packet, longest, &written, quatsimd_aos(NULL), 0),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_stream_encode(encoder.stream, packet, longest, &written,
                                            quatsimd_strided(sent(&r, f), 18), 0),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_stream_encode(encoder.stream, packet, longest, &written,
                                            quatsimd_aos((const float *)(const void *)packet), 0),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_stream_encode(NULL, packet, longest, &written, in, 0),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_true(untouched(packet, longest));
    assert_true(quatsimd_stream_encode(encoder.stream, packet, longest, &written, in, 0) >= 0);
    assert_int_equal(written, r.size[f]);
    assert_memory_equal(packet, r.packet[f], written);

    assert_int_equal(quatsimd_stream_decode(decoder.stream, quatsimd_aos_out(out), NULL, written),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_stream_decode(decoder.stream, quatsimd_aos_out(NULL), packet, written),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_stream_decode(decoder.stream, quatsimd_strided_out(out, 12), packet, written),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_stream_decode(NULL, quatsimd_aos_out(out), packet, written),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_true(untouched(out, 4 * r.floats));
    assert_true(4 * r.floats >= written);
    memcpy(out, packet, written);
    assert_int_equal(quatsimd_stream_decode(decoder.stream, quatsimd_aos_out(out), out, written),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_memory_equal(out, packet, written);
    memset(out, FILL, 4 * r.floats);
    must_decode(&decoder, &r, f);
  }
  free(out), free(packet);
  close_side(&encoder), close_side(&decoder);
  forget(&r);
}

static void streams_take_every_layout(void **state) {
  (void)state;
  enum { GAP = 28 };
  recording r = record(usual, 20, 6, MOTIONS, 59);
  const size_t longest = longest_packet(&usual), n = usual.bodies;
  side encoders[2], decoders[2];
  for (int i = 0; i < 2; i++) open_side(&encoders[i], &usual), open_side(&decoders[i], &usual);
  unsigned char *packet = filled(longest), *wide = filled(GAP * n);
  float *soa = filled(4 * r.floats);
  for (size_t f = 0; f < r.packets; f++)
    for (int strided = 0; strided < 2; strided++) {
      size_t written = 0;
      memset(wide, FILL, GAP * n);
      for (size_t b = 0; b < n; b++) {
        memcpy(wide + GAP * b, sent(&r, f) + 4 * b, 16);
        for (size_t c = 0; c < 4; c++) soa[n * c + b] = sent(&r, f)[4 * b + c];
      }
      assert_true(quatsimd_stream_encode(encoders[strided].stream, packet, longest, &written,
                                         strided ? quatsimd_strided((float *)(void *)wide, GAP)
                                                 : quatsimd_soa(soa, soa + n, soa + 2 * n, soa + 3 * n),
                                         f % 6 == 0) >= 0);
      assert_int_equal(written, r.size[f]);
      assert_memory_equal(packet, r.packet[f], written);
      memset(wide, FILL, GAP * n);
      assert_int_equal(quatsimd_stream_decode(decoders[strided].stream,
                                              strided
                                                  ? quatsimd_strided_out((float *)(void *)wide, GAP)
                                                  : quatsimd_soa_out(soa, soa + n, soa + 2 * n, soa + 3 * n),
                                              packet, written),
                       QUATSIMD_OK);
      for (size_t b = 0; b < n; b++)
        if (strided) {
          assert_memory_equal(wide + GAP * b, got(&r, f) + 4 * b, 16);
          assert_true(untouched(wide + GAP * b + 16, GAP - 16));
        } else {
          for (size_t c = 0; c < 4; c++) assert_memory_equal(&soa[n * c + b], &got(&r, f)[4 * b + c], 4);
        }
    }
  free(soa), free(wide), free(packet);
  for (int i = 0; i < 2; i++) close_side(&encoders[i]), close_side(&decoders[i]);
  forget(&r);
}

/* ---- goldens: the same on every kernel and CPU ---- */

enum { STREAMS = 8 };
/* Printed by test_stream --goldens, from the scalar kernels. They do not change once a version is
 * released. */
static const uint64_t goldens[STREAMS] = {
    UINT64_C(0x2890c738046ef052), /* stream 0 */
    UINT64_C(0x086d719f80b0cc4c), /* stream 1 */
    UINT64_C(0x745408e84a4902df), /* stream 2 */
    UINT64_C(0xa2970f55536c9044), /* stream 3 */
    UINT64_C(0x8b090c222246f6c0), /* stream 4 */
    UINT64_C(0x9de2cec42b0f9a53), /* stream 5 */
    UINT64_C(0xd514cd19a3c1914c), /* stream 6 */
    UINT64_C(0xdc774bd5377bf9bb), /* stream 7 */
};

static uint64_t hash_of_stream(int i) {
  static const float golden_bounds[STREAMS / 2] = {1e-5f, 1e-3f, 0.0043633231f, 0.5f};
  XXH64_state_t hash;
  XXH64_reset(&hash, 0);
  const setting o = {(size_t)(37 + i), golden_bounds[i / 2], i % 2, QUATSIMD_PREDICT_BOTH};
  recording r = record(o, 60, 25, MOTIONS, 62);
  for (size_t f = 0; f < r.packets; f++) {
    XXH64_update(&hash, r.packet[f], r.size[f]);
    add_floats(&hash, got(&r, f), r.floats);
  }
  forget(&r);
  return XXH64_digest(&hash);
}

static void goldens_hold(void **state) {
  (void)state;
  check_goldens(goldens, STREAMS, hash_of_stream);
}

static void print_goldens(void) {
  for (int i = 0; i < STREAMS; i++)
    printf("    UINT64_C(0x%016llx), /* stream %d */\n", (unsigned long long)hash_of_stream(i), i);
}

int main(int argc, char **argv) {
  skip_other_kernels();
  if (argc == 2 && strcmp(argv[1], "--goldens") == 0) return print_goldens(), 0;
  if (argc == 3 && strcmp(argv[1], "--only") == 0) cmocka_set_test_filter(argv[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_are_within_the_bound),
      cmocka_unit_test(each_motion_alone),
      cmocka_unit_test(slow_bodies_stay_within_the_bound),
      cmocka_unit_test(many_rotations_at_the_finest_bound),
      cmocka_unit_test(no_frame_is_longer_than_max_frame),
      cmocka_unit_test(after_a_loss_a_key_frame_is_needed),
      cmocka_unit_test(late_decoders_wait_for_a_key_packet),
      cmocka_unit_test(old_frames_do_not_disturb),
      cmocka_unit_test(numbers_wrap),
      cmocka_unit_test(predictors_are_the_encoders_business),
      cmocka_unit_test(wrong_options_are_refused),
      cmocka_unit_test(options_may_grow),
      cmocka_unit_test(wrong_memory_is_refused),
      cmocka_unit_test(wrong_calls_change_nothing),
      cmocka_unit_test(streams_take_every_layout),
      cmocka_unit_test(goldens_hold),
  };
  return cmocka_run_group_tests_name("streams", tests, NULL, NULL);
}
