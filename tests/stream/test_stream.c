/* Checks what stream.h promises. CTest runs this program once for each set of kernels. */
#include "net.h"

#include "support/denormals.h"
#include "support/isa.h"
#include "support/kernels.h"

#include <limits.h>

static const float bounds[] = {1e-5f, 1e-4f, 1e-3f, 0.0043633231f, 0.03f, 0.3f, 1};
enum { BOUNDS = sizeof bounds / sizeof bounds[0] };

/* For each tested stream, the member `lag` of its setting. */
static const int lags[] = {0, 1, 5};
enum { LAGS = sizeof lags / sizeof lags[0] };

static void errors_are_within_the_bound(void **unused) {
  (void)unused;
  static const size_t bodies[] = {1, 2, 3, 9, 17, 40, 150};
  uint64_t seed = 100;
  for (int b = 0; b < BOUNDS; b++)
    for (int l = 0; l < LAGS; l++)
      for (size_t n = 0; n < sizeof bodies / sizeof bodies[0]; n++) {
        const setting o = {bodies[n], bounds[b], 16, 1, lags[l]};
        recording r = record(o, bodies[n] < 9 ? 60 : 30, n % 2 ? 7 : 0, MOTIONS, seed++);
        forget(&r);
      }
}

static void each_motion_alone(void **unused) {
  (void)unused;
  uint64_t seed = 1000;
  for (int motion = 0; motion < MOTIONS; motion++)
    for (int b = 0; b < BOUNDS; b++)
      for (int l = 0; l < LAGS; l++) {
        const setting o = {5, bounds[b], 16, 1, lags[l]};
        recording r = record(o, 150, 0, motion, seed++);
        if (motion == STILL || motion == FLIP) /* nothing changes, so a packet is little more than its head */
          assert_in_range(r.size[149], 4, 6);
        /* a steady motion makes short packets, however far a body turns in a round trip */
        if (motion == FREE) assert_in_range(r.size[149], 4, 15);
        forget(&r);
      }
}

/* Bodies turn slowly. The encoder sends no motion of a body whose error is within the bound. */
static void slow_bodies_stay_within_the_bound(void **unused) {
  (void)unused;
  uint64_t seed = 1500;
  for (int b = 0; b < BOUNDS; b++)
    for (int l = 0; l < LAGS; l++) {
      const setting o = {40, bounds[b], 16, 1, lags[l]};
      recording r = record(o, 300, 0, SLOW, seed++);
      forget(&r);
    }
}

/* Encodes many rotations, some far from all points of the lattice. Rounding must not break the bound. */
static void many_rotations_at_the_finest_bound(void **unused) {
  (void)unused;
  for (int key = 0; key < 2; key++)
    for (int motion = WALK; motion <= ANY; motion += ANY - WALK) {
      const setting o = {500, 1e-5f, 16, 1, 0};
      recording r = record(o, 100, (size_t)key, motion, 8);
      forget(&r);
    }
}

/* Makes the longest packets: at each bound, every body has random rotations. encoded() checks the lengths. */
static void no_packet_is_longer_than_max_packet(void **unused) {
  (void)unused;
  for (int b = 0; b < BOUNDS; b++)
    for (int l = 0; l < LAGS; l++)
      for (int key = 0; key < 2; key++) {
        const setting o = {64, bounds[b], 16, 1, lags[l]};
        recording r = record(o, 20, (size_t)key, ANY, 7);
        size_t longest_key = 0;
        for (size_t f = 0; f < r.packets; f++)
          if (is_key(r.packet[f]) && r.size[f] > longest_key) longest_key = r.size[f];
        for (size_t f = 0; f < r.packets; f++) assert_true(r.size[f] <= longest_key + MOST_LONGER);
        forget(&r);
      }
}

/* Instead of an invalid rotation, the encoder sends the body's last valid rotation, or else the identity. A
 * body's rotations are all valid, invalid at random, all invalid, or invalid from packet 4 on. */
static void invalid_rotations_are_the_last_valid_ones(void **unused) {
  (void)unused;
  enum { BODIES = 24, PACKETS = 400 };
  for (int l = 0; l < LAGS; l++) {
    const setting o = {BODIES, 0.01f, 16, 1, lags[l]};
    side sender, to;
    open_side(&sender, &o), open_side(&to, &o);
    uint64_t seed = 1600;
    float xyzw[4 * BODIES], out[4 * BODIES], *wanted = identities(BODIES);
    for (size_t f = 0; f < PACKETS; f++) {
      quatsimd_status expected = QUATSIMD_OK;
      for (size_t b = 0; b < BODIES; b++) {
        const bool bad = b % 4 == 1 ? sweep_next(&seed) % 2 : b % 4 == 2 ? true : b % 4 == 3 && f > 3;
        to_floats(xyzw + 4 * b, random_rotation(&seed));
        if (bad) make_invalid(xyzw + 4 * b, b + f), expected = QUATSIMD_WARNING_REPLACED_INVALID;
        else memcpy(wanted + 4 * b, xyzw + 4 * b, 16);
      }
      size_t size;
      uint32_t time;
      unsigned char *packet =
          encoded(&sender, longest_packet(&o), &size, xyzw, (uint32_t)f, f % 50 == 49, expected);
      if (l == 0 || sweep_next(&seed) % 4) {
        assert_int_equal(quatsimd_stream_decode(to.stream, quatsimd_aos_out(out), &time, packet, size),
                         QUATSIMD_OK);
        check_bound(wanted, out, BODIES, o.bound, f);
        if (l) assert_int_equal(acknowledged(&sender, 0, acknowledge(&to)), QUATSIMD_OK);
      }
      free(packet);
    }
    free(wanted);
    close_side(&sender), close_side(&to);
  }
}

static void wrong_options_are_refused(void **unused) {
  (void)unused;
  float nan, infinity;
  sweep_set_bits(&nan, nan_bits), sweep_set_bits(&infinity, infinity_bits);
  const setting wrong[] = {{0, 0.01f, 16, 1, 1},
                           {((size_t)1 << 24) + 1, 0.01f, 16, 1, 1},
                           {SIZE_MAX, 0.01f, 16, 1, 1},
                           {SIZE_MAX / 16 + 2, 0.01f, 16, 1, 1},
                           {5, 0, 16, 1, 1},
                           {5, -0.01f, 16, 1, 1},
                           {5, 9.9e-6f, 16, 1, 1},
                           {5, 1.0001f, 16, 1, 1},
                           {5, nan, 16, 1, 1},
                           {5, infinity, 16, 1, 1},
                           {5, 0.01f, 0, 1, 1},
                           {5, 0.01f, 8, 1, 1},
                           {5, 0.01f, 15, 1, 1},
                           {5, 0.01f, 17, 1, 1},
                           {5, 0.01f, 48, 1, 1},
                           {5, 0.01f, 512, 1, 1},
                           {5, 0.01f, -16, 1, 1},
                           {5, 0.01f, INT_MIN, 1, 1},
                           {5, 0.01f, 16, 0, 1},
                           {5, 0.01f, 16, -1, 1},
                           {5, 0.01f, 16, 65537, 1}};
  double memory[512];
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    const quatsimd_stream_options o = options_of(&wrong[i]);
    quatsimd_stream *stream = NULL;
    if (quatsimd_stream_memory_size(&o) != 0 || quatsimd_stream_max_packet_size(&o) != 0)
      fail_msg("wrong options %zu are taken", i);
    assert_int_equal(quatsimd_stream_init(&stream, memory, sizeof memory, &o), QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_null(stream);
  }
  quatsimd_stream_options o = options_of(&usual);
  for (int reliable = -1; reliable <= 2; reliable++) {
    o.reliable = reliable;
    assert_int_equal(quatsimd_stream_memory_size(&o) != 0, reliable == 0 || reliable == 1);
  }
  const setting right[] = {{1, 1e-5f, 16, 1, 0},  {5, 1, 32, 65536, 1},      {5, 1e-5f, 64, 2, 0},
                           {5, 1e-5f, 128, 3, 0}, {5, 1e-5f, 256, 65536, 0}, {1 << 20, 1, 16, 1, 1}};
  for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
    o = options_of(&right[i]);
    assert_true(quatsimd_stream_memory_size(&o) >= 24 * o.body_count * (size_t)o.state_count);
    assert_true(quatsimd_stream_max_packet_size(&o) >= o.body_count / 8);
  }
  assert_int_equal(quatsimd_stream_memory_size(NULL), 0);
  assert_int_equal(quatsimd_stream_max_packet_size(NULL), 0);
}

/* Streams may need more memory than a 32-bit address space has. Then the size must be 0 and not wrap. */
static void sizes_do_not_wrap(void **unused) {
  (void)unused;
  for (int states = 16; states <= 256; states *= 2)
    for (size_t bodies = 1; bodies <= (size_t)1 << 24; bodies *= 2) {
      const setting s = {bodies, 0.01f, states, 1, 1};
      const quatsimd_stream_options o = options_of(&s);
      const uint64_t least = (uint64_t)bodies * 24 * (uint64_t)states;
      const size_t size = quatsimd_stream_memory_size(&o);
      if (size < least && (size != 0 || least < SIZE_MAX / 2))
        fail_msg("%zu bodies, %d states: %zu bytes", bodies, states, size);
      assert_int_equal(quatsimd_stream_max_packet_size(&o) == 0, size == 0);
      double memory[512];
      quatsimd_stream *stream = NULL;
      assert_true(quatsimd_stream_init(&stream, memory, 4000, &o) < 0);
    }
}

/* Tests options of callers that know more members than this version, and options that were never filled. */
static void options_may_grow(void **unused) {
  (void)unused;
  struct {
    quatsimd_stream_options known;
    double more[4];
  } later;
  quatsimd_stream_options now;
  assert_int_equal(quatsimd_stream_options_init(&now, sizeof now), QUATSIMD_OK);
  assert_int_equal(now.struct_size, sizeof now);
  assert_true(now.body_count == 0 && now.bound > 0.00436f && now.bound < 0.00437f && now.state_count == 64 &&
              now.receiver_count == 1 && now.reliable == 0 && now.session == 0 && now.position_count == 0 &&
              now.gravity == NULL && now.bounds == NULL && now.limit == 0 && now.track_count == 0);
  memset(&later, FILL, sizeof later);
  assert_int_equal(quatsimd_stream_options_init(&later.known, sizeof later), QUATSIMD_OK);
  assert_int_equal(later.known.struct_size, sizeof later);
  now.body_count = later.known.body_count = 7;
  for (int i = 0; i < 4; i++) assert_true(later.more[i] == 0);
  assert_int_equal(quatsimd_stream_memory_size(&later.known), quatsimd_stream_memory_size(&now));
  later.more[3] = 1; /* an option that this version does not know */
  assert_int_equal(quatsimd_stream_memory_size(&later.known), 0);
  /* the added members are not read, because struct_size does not include them */
  later.more[3] = 0, later.known.struct_size = sizeof now;
  later.more[0] = 1;
  assert_int_equal(quatsimd_stream_memory_size(&later.known), quatsimd_stream_memory_size(&now));
  const size_t sizes[] = {0, 1, offsetof(quatsimd_stream_options, position_count) - 1, SIZE_MAX,
                          (size_t)-1 / 2};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    now.struct_size = sizes[i];
    assert_int_equal(quatsimd_stream_memory_size(&now), 0);
    memset(&now, FILL, sizeof now);
    assert_int_equal(quatsimd_stream_options_init(&now, sizes[i]), QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_true(untouched(&now, sizeof now));
    now.body_count = 7, now.bound = 0.1f, now.state_count = 16, now.receiver_count = 1, now.reliable = 0;
  }
  assert_int_equal(quatsimd_stream_options_init(NULL, sizeof now), QUATSIMD_ERROR_BAD_ARGUMENT);
}

static void wrong_memory_is_refused(void **unused) {
  (void)unused;
  const quatsimd_stream_options o = options_of(&usual);
  const size_t size = quatsimd_stream_memory_size(&o);
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
  /* memory that is aligned to 8 bytes is enough */
  assert_int_equal(quatsimd_stream_init(&stream, memory + 8, size, &o), QUATSIMD_OK);
  free(memory);
}

/* Calls quatsimd_stream_encode with arguments that it must refuse with status `expected`. */
static void refuse_encode(quatsimd_status expected, quatsimd_stream *stream, void *packet, size_t size,
                          size_t *written, quatsimd_in rotations) {
  for (int key = 0; key < 2; key++)
    assert_int_equal(quatsimd_stream_encode(stream, packet, size, written, rotations, 77, key), expected);
}
static void refuse_decode(quatsimd_stream *stream, quatsimd_out rotations, uint32_t *time, const void *packet,
                          size_t size) {
  assert_int_equal(quatsimd_stream_decode(stream, rotations, time, packet, size),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
}

static void wrong_calls_change_nothing(void **unused) {
  (void)unused;
  setting reliable = usual;
  reliable.lag = 0;
  recording r = record(reliable, 12, 0, MOTIONS, 58);
  const size_t longest = longest_packet(&usual);
  side encoder, decoder;
  open_side(&encoder, &reliable), open_side(&decoder, &reliable);
  unsigned char *packet = filled(longest);
  float *out = filled(4 * r.floats);
  quatsimd_stream *const s = encoder.stream, *const d = decoder.stream;
  for (size_t f = 0; f < r.packets; f++) {
    size_t written = 12345;
    uint32_t time = 54321;
    const quatsimd_in in = quatsimd_aos(sent(&r, f));
    memset(packet, FILL, longest);
    refuse_encode(QUATSIMD_ERROR_SHORT_BUFFER, s, packet, longest - 1, &written, in);
    refuse_encode(QUATSIMD_ERROR_SHORT_BUFFER, s, packet, 0, &written, in);
    refuse_encode(QUATSIMD_ERROR_BAD_ARGUMENT, s, NULL, longest, &written, in);
    refuse_encode(QUATSIMD_ERROR_BAD_ARGUMENT, s, packet, longest, NULL, in);
    refuse_encode(QUATSIMD_ERROR_BAD_ARGUMENT, s, packet, longest, &written, quatsimd_aos(NULL));
    refuse_encode(QUATSIMD_ERROR_BAD_ARGUMENT, s, packet, longest, &written,
                  quatsimd_strided(sent(&r, f), 18));
    refuse_encode(QUATSIMD_ERROR_BAD_ARGUMENT, s, packet, longest, &written,
                  quatsimd_aos((const float *)(const void *)packet));
    refuse_encode(QUATSIMD_ERROR_BAD_ARGUMENT, NULL, packet, longest, &written, in);
    assert_true(untouched(packet, longest) && written == 12345);
    assert_true(quatsimd_stream_encode(s, packet, longest, &written, in, r.time[f], 0) >= 0);
    assert_int_equal(written, r.size[f]);
    assert_memory_equal(packet, r.packet[f], written);

    refuse_decode(d, quatsimd_aos_out(out), &time, NULL, written);
    refuse_decode(d, quatsimd_aos_out(out), NULL, packet, written);
    refuse_decode(d, quatsimd_aos_out(NULL), &time, packet, written);
    refuse_decode(d, quatsimd_strided_out(out, 12), &time, packet, written);
    refuse_decode(NULL, quatsimd_aos_out(out), &time, packet, written);
    assert_true(untouched(out, 4 * r.floats) && time == 54321);
    assert_true(4 * r.floats >= written);
    memcpy(out, packet, written);
    refuse_decode(d, quatsimd_aos_out(out), &time, out, written);
    assert_memory_equal(out, packet, written);
    memset(out, FILL, 4 * r.floats);
    must_decode(&decoder, &r, f);
  }
  free(out), free(packet);
  close_side(&encoder), close_side(&decoder);
  forget(&r);
}

/* A stream that has encoded a packet refuses to decode, and one that has decoded refuses to encode. */
static void a_stream_has_one_side(void **unused) {
  (void)unused;
  setting reliable = usual;
  reliable.lag = 0;
  recording r = record(reliable, 3, 0, MOTIONS, 60);
  side sides[2];
  for (int i = 0; i < 2; i++) open_side(&sides[i], &reliable);
  quatsimd_stream *const s = sides[0].stream, *const d = sides[1].stream;
  const size_t longest = longest_packet(&usual);
  unsigned char *packet = filled(longest);
  acknowledgement a;
  size_t written = 12345;
  uint32_t time = 54321;
  float *out = filled(4 * r.floats);
  for (size_t f = 0; f < r.packets; f++) {
    assert_true(
        quatsimd_stream_encode(s, packet, longest, &written, quatsimd_aos(sent(&r, f)), r.time[f], 0) >= 0);
    memset(packet, FILL, longest);
    must_decode(&sides[1], &r, f);
    a = acknowledge(&sides[1]);
    written = 12345;
    refuse_encode(QUATSIMD_ERROR_BAD_ARGUMENT, d, packet, longest, &written, quatsimd_aos(sent(&r, f)));
    assert_int_equal(acknowledged(&sides[1], 0, a), QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_stream_leave(d, 0), QUATSIMD_ERROR_BAD_ARGUMENT);
    refuse_decode(s, quatsimd_aos_out(out), &time, r.packet[f], r.size[f]);
    assert_int_equal(quatsimd_stream_acknowledge(s, packet), QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_true(untouched(packet, longest) && untouched(out, 4 * r.floats) && written == 12345);
    assert_int_equal(acknowledged(&sides[0], 0, a), QUATSIMD_OK);
  }
  free(out), free(packet);
  for (int i = 0; i < 2; i++) close_side(&sides[i]);
  forget(&r);
}

static void streams_take_every_layout(void **unused) {
  (void)unused;
  enum { GAP = 28 };
  setting o = usual;
  o.lag = 0;
  recording r = record(o, 20, 6, MOTIONS, 59);
  const size_t longest = longest_packet(&o), n = o.bodies;
  side encoders[2], decoders[2];
  for (int i = 0; i < 2; i++) open_side(&encoders[i], &o), open_side(&decoders[i], &o);
  unsigned char *packet = filled(longest), *wide = filled(GAP * n);
  float *soa = filled(4 * r.floats);
  for (size_t f = 0; f < r.packets; f++)
    for (int strided = 0; strided < 2; strided++) {
      size_t written = 0;
      uint32_t time = 0;
      memset(wide, FILL, GAP * n);
      for (size_t b = 0; b < n; b++) {
        memcpy(wide + GAP * b, sent(&r, f) + 4 * b, 16);
        for (size_t c = 0; c < 4; c++) soa[n * c + b] = sent(&r, f)[4 * b + c];
      }
      assert_true(quatsimd_stream_encode(encoders[strided].stream, packet, longest, &written,
                                         strided ? quatsimd_strided((float *)(void *)wide, GAP)
                                                 : quatsimd_soa(soa, soa + n, soa + 2 * n, soa + 3 * n),
                                         r.time[f], f % 6 == 0) >= 0);
      assert_int_equal(written, r.size[f]);
      assert_memory_equal(packet, r.packet[f], written);
      memset(wide, FILL, GAP * n);
      assert_int_equal(quatsimd_stream_decode(decoders[strided].stream,
                                              strided
                                                  ? quatsimd_strided_out((float *)(void *)wide, GAP)
                                                  : quatsimd_soa_out(soa, soa + n, soa + 2 * n, soa + 3 * n),
                                              &time, packet, written),
                       QUATSIMD_OK);
      assert_int_equal(time, r.time[f]);
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

/* ---- the same bits with all kernels and on every CPU ---- */

static void must_be_the_same(const recording *a, const recording *b, const char *who) {
  for (size_t f = 0; f < a->packets; f++) {
    if (a->size[f] != b->size[f] || memcmp(a->packet[f], b->packet[f], a->size[f]) != 0)
      fail_msg("packet %zu: %s encodes it otherwise", f, who);
    if (memcmp(got(a, f), got(b, f), 4 * a->floats) != 0)
      fail_msg("packet %zu: %s decodes it otherwise", f, who);
  }
}

static void kernels_agree(void **unused) {
  (void)unused;
  const quatsimd_kernels *const in_use = quatsimd_active_kernels(), *tables[MAX_KERNELS];
  const size_t count = array_kernels(tables);
  for (int b = 0; b < BOUNDS; b++) {
    const setting o = {150, bounds[b], 16, 1, 2};
    recording r = record(o, 20, 0, MOTIONS, 60);
    for (size_t k = 0; k < count; k++) {
      if (!can_run(tables[k])) continue;
      quatsimd_use_kernels(tables[k]);
      recording other = record(o, 20, 0, MOTIONS, 60);
      quatsimd_use_kernels(in_use);
      must_be_the_same(&r, &other, tables[k]->name);
      forget(&other);
    }
    forget(&r);
  }
}

/* Encodes rotations with denormal components, and bodies that hardly move, whose motion is denormal. */
static void denormals_do_not_matter(void **unused) {
  (void)unused;
  enum { BODIES = 40, PACKETS = 60 };
  const setting o = {BODIES, 1e-5f, 16, 1, 0};
  const size_t longest = longest_packet(&o);
  unsigned char *packets[2][PACKETS];
  size_t sizes[2][PACKETS];
  float xyzw[PACKETS][4 * BODIES], out[2][PACKETS][4 * BODIES];
  uint64_t seed = 61;
  for (int f = 0; f < PACKETS; f++)
    for (int b = 0; b < BODIES; b++)
      for (int c = 0; c < 4; c++) {
        const int exponent = (int)(sweep_next(&seed) % 150);
        xyzw[f][4 * b + c] = c == 3 ? 1 : (float)ldexp(2 * random_unit(&seed) - 1, -exponent);
      }
  for (int f = 0; f < PACKETS; f += 3) /* half turns about x or -x; the sign of w selects one */
    for (int b = 0; b < BODIES; b += 4) {
      float *const q = xyzw[f] + 4 * b;
      memcpy(q, (const float[]){b % 8 ? 1 : 0x1p-32f, 0, 0, f % 2 ? -1e-39f : -1e-45f}, 16);
    }
  for (int flush = 0; flush < 2; flush++) {
    side sender, to;
    open_side(&sender, &o), open_side(&to, &o);
    if (!flush_denormals(flush)) print_message("SKIP: no denormal modes on this CPU\n");
    for (int f = 0; f < PACKETS; f++) {
      uint32_t time;
      packets[flush][f] = encoded(&sender, longest, &sizes[flush][f], xyzw[f], (uint32_t)f, 0, QUATSIMD_OK);
      assert_int_equal(quatsimd_stream_decode(to.stream, quatsimd_aos_out(out[flush][f]), &time,
                                              packets[flush][f], sizes[flush][f]),
                       QUATSIMD_OK);
    }
    flush_denormals(false);
    close_side(&sender), close_side(&to);
  }
  for (int f = 0; f < PACKETS; f++) {
    assert_int_equal(sizes[0][f], sizes[1][f]);
    assert_memory_equal(packets[0][f], packets[1][f], sizes[0][f]);
    assert_memory_equal(out[0][f], out[1][f], sizeof out[0][f]);
    for (int i = 0; i < 2; i++) free(packets[i][f]);
  }
}

enum { STREAMS = 8 };
/* test_stream --goldens prints these hashes. They do not change after a version is released. */
static const uint64_t goldens[STREAMS] = {
    UINT64_C(0x441fe1f0700c2718), /* stream 0 */
    UINT64_C(0xce58749eede8f14d), /* stream 1 */
    UINT64_C(0x043e3925e0dc7d1b), /* stream 2 */
    UINT64_C(0x5a7fef1f5d4ecbe1), /* stream 3 */
    UINT64_C(0xc189362fb1421202), /* stream 4 */
    UINT64_C(0x8b86e2deb9a79224), /* stream 5 */
    UINT64_C(0x1a86f6f56ab337ff), /* stream 6 */
    UINT64_C(0x6f7d200d99818b75), /* stream 7 */
};

/* Returns the hash of a stream's packets and decoded rotations. Streams with odd numbers are lossy. */
static uint64_t hash_of_stream(int i) {
  enum { PACKETS = 80 };
  static const float golden_bounds[STREAMS / 2] = {1e-5f, 1e-3f, 0.0043633231f, 0.5f};
  XXH64_state_t hash;
  XXH64_reset(&hash, 0);
  const setting o = {(size_t)(37 + i), golden_bounds[i / 2], 32 << i / 2, 2, i % 2};
  const weather reliable = {.delay = 0}, losing = {150, 2, 1, 3, 50};
  net *n = net_new(o, PACKETS, 0, MOTIONS, 62);
  n->hash = &hash;
  for (size_t p = 0; p < 2; p++) peer_open(n, p, i % 2 ? losing : reliable, losing);
  for (uint32_t f = 0; f < PACKETS; f++) net_tick(n, 16 * f + f % 3 - f % 7 / 6 * 40, f % 40 == 39);
  net_free(n);
  return XXH64_digest(&hash);
}

static void goldens_hold(void **unused) {
  (void)unused;
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
      cmocka_unit_test(no_packet_is_longer_than_max_packet),
      cmocka_unit_test(invalid_rotations_are_the_last_valid_ones),
      cmocka_unit_test(wrong_options_are_refused),
      cmocka_unit_test(sizes_do_not_wrap),
      cmocka_unit_test(options_may_grow),
      cmocka_unit_test(wrong_memory_is_refused),
      cmocka_unit_test(wrong_calls_change_nothing),
      cmocka_unit_test(a_stream_has_one_side),
      cmocka_unit_test(streams_take_every_layout),
      cmocka_unit_test(kernels_agree),
      cmocka_unit_test(denormals_do_not_matter),
      cmocka_unit_test(goldens_hold),
  };
  return cmocka_run_group_tests_name("streams", tests, NULL, NULL);
}
