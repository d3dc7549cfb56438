/* Tests tracks: weights and other numbers beside bodies. */
#include "scene.h"

#include "support/isa.h"

#include <float.h>

static scene *scene_of_tracks(float bound, uint64_t seed) {
  scene *s = scene_new(NULL, seed);
  s->options.track_count = TRACKS, s->options.track_bound = bound;
  scene_open(s);
  return s;
}

static bool tracks_are_near(const float *wanted, const float *got, double bound) {
  bool near = true;
  for (size_t i = 0; i < TRACKS; i++) near &= fabs((double)wanted[i] - (double)got[i]) <= bound;
  return near;
}

/* Weights that rest at 0 or 1, go on evenly, or jump. */
static void weigh(scene *s, size_t f) {
  for (size_t i = 0; i < TRACKS; i++) {
    const double phase = (double)((f + 11 * i) % 60) / 30 - (double)(i % 3) / 2;
    s->t[i] = (float)(phase < 0 ? 0 : phase > 1 ? 1 : phase);
    if (i == 3) s->t[i] = (float)random_unit(&s->seed);
  }
}

static void tracks_are_within_the_bound(void **unused) {
  (void)unused;
  static const float bounds[] = {0x1p-40f, 1e-5f, 0.01f, 0.7f, 0x1p30f};
  for (size_t b = 0; b < sizeof bounds / sizeof bounds[0]; b++)
    for (int lost = 0; lost < 40; lost += 20) {
      scene *s = scene_of_tracks(bounds[b], 950 + b);
      for (size_t f = 0; f < PACKETS; f++) {
        weigh(s, f), scene_move(s, (int)f);
        assert_int_equal(scene_send(s, f), QUATSIMD_OK);
        if ((int)(sweep_next(&s->seed) % 100) < lost) continue;
        scene_receive(s, f);
        assert_true(tracks_are_near(s->t, s->got_t, (double)bounds[b]));
        check_bound(s->q, s->got_q, BODIES, s->options.bound, f);
      }
      scene_free(s);
    }
}

/* Any finite values within 2^40 in magnitude are valid. One that the lattice does not reach is coded exactly,
 * and the others cost what they cost without it. */
static void any_values_are_tracks(void **unused) {
  (void)unused;
  static const float values[] = {0x1p40f,  -0x1p40f,    3e8f, 3e8f, 1e-30f, -0.0f,    1e-42f,
                                 -FLT_MIN, 123456.789f, 0,    1,    0.004f, 16777218, -9e9f};
  size_t sizes[2] = {0, 0};
  for (int odd = 0; odd < 2; odd++) {
    scene *s = scene_of_tracks(0.001f, 960);
    for (size_t f = 0; f < PACKETS; f++) {
      weigh(s, f);
      for (size_t i = 5; i < TRACKS; i++) s->t[i] = odd ? values[sweep_next(&s->seed) % 14] : 0;
      assert_int_equal(scene_send(s, f), QUATSIMD_OK);
      assert_int_equal(is_key(s->packet), f < LAG);
      sizes[odd] += f < LAG ? 0 : s->size;
      scene_receive(s, f);
      assert_true(tracks_are_near(s->t, s->got_t, 0.001));
      for (size_t i = 5; i < TRACKS; i++)
        if (fabsf(s->t[i]) > 1e8f) assert_memory_equal(&s->t[i], &s->got_t[i], sizeof(float));
    }
    scene_free(s);
  }
  assert_in_range(sizes[1], sizes[0], sizes[0] + PACKETS * 5 * 4); /* about 5 bytes for each strange value */
}

/* A large value that does not change costs nothing, though it is exact. */
static void exact_tracks_may_rest(void **unused) {
  (void)unused;
  scene *s = scene_of_tracks(0.001f, 961);
  for (size_t f = 0; f < 60; f++) {
    for (size_t i = 0; i < TRACKS; i++) s->t[i] = (f < 30 ? 1e9f : 1.01e9f) * (float)(i + 1);
    assert_int_equal(scene_send(s, f), QUATSIMD_OK);
    scene_receive(s, f);
    assert_memory_equal(s->t, s->got_t, sizeof s->t);
    if (f == 29 || f == 59) assert_in_range(s->size, 1, 8);
    if (f == 30) assert_in_range(s->size, 9 * 4, 9 * 8);
  }
  scene_free(s);
}

static void invalid_tracks_are_the_last_valid_ones(void **unused) {
  (void)unused;
  static const float bad[] = {NAN, INFINITY, -INFINITY, 0x1.1p40f, -FLT_MAX};
  scene *s = scene_of_tracks(0.001f, 970);
  float wanted[TRACKS] = {0};
  for (size_t f = 0; f < 60; f++) {
    weigh(s, f);
    const size_t i = f % TRACKS;
    s->t[i] = bad[f % 5];
    for (size_t t = 0; t < TRACKS; t++)
      if (t != i) wanted[t] = s->t[t];
    assert_int_equal(scene_send(s, f), QUATSIMD_WARNING_REPLACED_INVALID);
    scene_receive(s, f);
    assert_true(tracks_are_near(wanted, s->got_t, 0.001));
  }
  scene_free(s);
}

/* A null pointer stands for tracks of 0, and for tracks that are not wanted. */
static void tracks_may_be_absent(void **unused) {
  (void)unused;
  static const float none[TRACKS];
  scene *s = scene_of_tracks(0.001f, 971);
  for (size_t f = 0; f < 20; f++) {
    const quatsimd_pose_in in = {.rotations = quatsimd_aos(s->q)};
    quatsimd_pose_out out = {.rotations = quatsimd_aos_out(s->got_q)};
    uint32_t time;
    weigh(s, f);
    const size_t longest = quatsimd_stream_max_packet_size(&s->options);
    if (f < 10) assert_int_equal(scene_send(s, f), QUATSIMD_OK);
    else
      assert_int_equal(quatsimd_stream_encode_pose(s->sender.stream, s->packet, longest, &s->size, &in,
                                                   s->time = (uint32_t)f, 0),
                       QUATSIMD_OK);
    if (f % 2) {
      scene_receive(s, f);
      assert_true(tracks_are_near(f < 10 ? s->t : none, s->got_t, 0.001));
    } else {
      memset(s->got_t, FILL, sizeof s->got_t);
      assert_int_equal(quatsimd_stream_decode_pose(s->receiver.stream, &out, &time, s->packet, s->size),
                       QUATSIMD_OK);
      assert_true(untouched(s->got_t, sizeof s->got_t));
    }
  }
  scene_free(s);
}

/* After a second at rest no track changes, whatever is lost. */
static void tracks_do_not_tremble(void **unused) {
  (void)unused;
  for (int loss = 0; loss < 40; loss += 13)
    for (uint64_t seed = 0; seed < 6; seed++) {
      scene *s = scene_of_tracks(0.01f, 980 + seed);
      float t[TRACKS];
      for (size_t f = 0; f < PACKETS; f++) {
        if (f < 70) weigh(s, f);
        for (size_t i = 0; i < TRACKS && f < 70; i++) s->t[i] += (float)(0.03 * random_unit(&s->seed));
        assert_int_equal(scene_send(s, f), QUATSIMD_OK);
        if ((int)(sweep_next(&s->seed) % 100) < loss) continue;
        scene_receive(s, f);
        if (f > 130) assert_memory_equal(t, s->got_t, sizeof t);
        memcpy(t, s->got_t, sizeof t);
      }
      scene_free(s);
    }
}

/* Times go backwards, stand still or jump by 2^31, and bodies jump by 10 km. */
static void clocks_may_lie(void **unused) {
  (void)unused;
  for (uint64_t seed = 0; seed < 20; seed++) {
    scene *s = scene_of_tracks(0.01f, 990 + seed);
    uint32_t time = 5;
    for (size_t f = 0; f < PACKETS; f++) {
      const uint64_t lot = sweep_next(&s->seed);
      weigh(s, f), scene_move(s, (int)f);
      if (lot % 16 == 3) s->p[3 * (f % PLACED)] += lot % 32 == 3 ? 1e4f : -1e4f;
      if (f >= LAG && s->has[f - LAG])
        assert_int_equal(acknowledged(&s->sender, 0, s->acks[f - LAG]), QUATSIMD_OK);
      time += lot >> 8 & 1    ? 16
              : lot >> 9 & 1  ? 0u - 40
              : lot >> 10 & 1 ? UINT32_C(1) << 31
                              : (uint32_t)(lot >> 32);
      s->time = time;
      assert_int_equal(scene_encode(s, 0), QUATSIMD_OK);
      if (lot >> 20 & 1) continue;
      scene_receive(s, f);
      assert_true(tracks_are_near(s->t, s->got_t, 0.01));
      check_bound(s->q, s->got_q, BODIES, s->options.bound, f);
      for (size_t b = 0; b < PLACED; b++)
        assert_true(off_by(s->p + 3 * b, s->got_p + 3 * b) <= (double)s->options.position_bound);
    }
    scene_free(s);
  }
}

/* A track that goes on evenly is foretold. */
static void even_motion_costs_little(void **unused) {
  (void)unused;
  size_t sizes[2] = {0, 0};
  for (int noise = 0; noise < 2; noise++) {
    scene *s = scene_of_tracks(0.001f, 1000);
    for (size_t f = 0; f < PACKETS; f++) {
      for (size_t i = 0; i < TRACKS; i++)
        s->t[i] = 0.01f * (float)(i + 1) * (float)f + (noise ? (float)random_unit(&s->seed) : 0);
      assert_int_equal(scene_send(s, f), QUATSIMD_OK);
      scene_receive(s, f);
      sizes[noise] += f > 20 ? s->size : 0;
    }
    scene_free(s);
  }
  assert_true(sizes[0] * 2 < sizes[1]);
  assert_in_range(sizes[0], 1, PACKETS * 9);
}

/* Nothing is written beyond the size of a packet, however much tracks cost. */
static void tracks_keep_to_the_room(void **unused) {
  (void)unused;
  enum { COUNT = 3000, BEYOND = 8000 };
  for (size_t limit = 0; limit <= 200; limit += 200) {
    quatsimd_stream_options o = options_of(&usual);
    o.body_count = 1, o.state_count = 256, o.reliable = 1, o.limit = limit;
    o.track_count = COUNT, o.track_bound = 0.01f;
    const size_t room = quatsimd_stream_max_packet_size(&o);
    side sender;
    open_options(&sender, &o);
    float *tracks = filled(COUNT * sizeof *tracks);
    unsigned char *packet = filled(room + BEYOND);
    for (int f = 0; f < 200; f++) {
      const quatsimd_pose_in in = {.rotations = quatsimd_aos((const float[]){0, 0, 0, 1}), .tracks = tracks};
      size_t size;
      for (size_t i = 0; i < COUNT; i++) tracks[i] = f % 100 == 99 ? 10000 + (float)i : 0;
      assert_int_equal(quatsimd_stream_encode_pose(sender.stream, packet, room, &size, &in, (uint32_t)f, 0),
                       QUATSIMD_OK);
      assert_in_range(size, 1, room - 256);
      assert_true(untouched(packet + room, BEYOND));
    }
    free(packet), free(tracks);
    close_side(&sender);
  }
}

static void wrong_tracks_are_refused(void **unused) {
  (void)unused;
  static const float bounds[] = {0, -1, 0x1p-41f, 0x1.1p40f, NAN, INFINITY};
  quatsimd_stream_options o = options_of_scene(NULL);
  for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
    o.track_count = 1, o.track_bound = bounds[i];
    assert_int_equal(quatsimd_stream_memory_size(&o), 0);
    o.track_count = 0;
    assert_true(quatsimd_stream_memory_size(&o) > 0);
  }
  o.track_bound = 1, o.track_count = ((size_t)1 << 24) + 1;
  assert_int_equal(quatsimd_stream_memory_size(&o), 0);
  o.track_count = SIZE_MAX;
  assert_int_equal(quatsimd_stream_memory_size(&o), 0);
  scene *s = scene_of_tracks(0.01f, 1010);
  quatsimd_pose_in in = {.rotations = quatsimd_aos(s->q), .tracks = (const float *)(const void *)s->packet};
  const size_t longest = quatsimd_stream_max_packet_size(&s->options);
  assert_int_equal(quatsimd_stream_encode_pose(s->sender.stream, s->packet, longest, &s->size, &in, 0, 0),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(scene_send(s, 0), QUATSIMD_OK);
  for (int i = 0; i < 3; i++) {
    quatsimd_pose_out out = {.rotations = quatsimd_aos_out(s->got_q),
                             .translations = quatsimd_strided_out(s->got_p, 12),
                             .tracks = i == 0   ? s->got_q
                                       : i == 1 ? s->got_p
                                                : (float *)(void *)s->packet};
    uint32_t time;
    assert_int_equal(quatsimd_stream_decode_pose(s->receiver.stream, &out, &time, s->packet, s->size),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
  }
  scene_receive(s, 0);
  scene_free(s);
}

/* Packets of any bytes, with the right checksum, decode to valid tracks or are refused. */
static void hostile_tracks_do_no_harm(void **unused) {
  (void)unused;
  scene *s = scene_of_tracks(0.01f, 1020);
  size_t taken = 0, refused = 0;
  unsigned char bytes[800];
  for (size_t f = 0; f < 60; f++) {
    weigh(s, f);
    if (f % 20 > 10) s->t[4] = 1e9f;
    assert_int_equal(scene_send(s, f), QUATSIMD_OK);
    assert_in_range(s->size, 1, sizeof bytes);
    for (int i = 0; i < 60; i++) {
      const size_t code = is_key(s->packet) ? KEY_HEAD : HEAD, size = s->size,
                   from = code + sweep_next(&s->seed) % (size - code);
      memcpy(bytes, s->packet, size);
      for (size_t k = from; k < size; k++) bytes[k] = (unsigned char)sweep_next(&s->seed);
      scene_seal(s, bytes, size, (uint32_t)f);
      memset(s->got_t, FILL, sizeof s->got_t);
      const size_t memory = quatsimd_stream_memory_size(&s->options);
      void *before = memcpy(filled(memory), s->receiver.memory, memory);
      if (scene_decode(s, bytes, size) == QUATSIMD_OK) {
        taken++;
        for (size_t t = 0; t < TRACKS; t++) assert_true(fabsf(s->got_t[t]) <= 0x1p40f);
      } else {
        refused++;
        assert_true(untouched(s->got_t, sizeof s->got_t));
      }
      memcpy(s->receiver.memory, before, memory);
      free(before);
    }
    scene_receive(s, f);
  }
  assert_true(taken > 100 && refused > 100);
  scene_free(s);
}

/* ---- numbers in a byte ---- */

static void bytes_keep_numbers(void **unused) {
  (void)unused;
  uint32_t last = 0;
  for (uint32_t n = 0; n < 80000; n++) {
    const uint32_t kept = unrounded(rounded(n)), most = n < MOST_ROUNDED ? n : MOST_ROUNDED;
    assert_true(rounded(n) >= last && fabs((double)kept - most) <= (n < 32 ? 0 : n / 32.0));
    last = rounded(n);
  }
}

int main(int argc, char **argv) {
  skip_other_kernels();
  if (argc == 3 && strcmp(argv[1], "--only") == 0) cmocka_set_test_filter(argv[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tracks_are_within_the_bound),
      cmocka_unit_test(any_values_are_tracks),
      cmocka_unit_test(exact_tracks_may_rest),
      cmocka_unit_test(invalid_tracks_are_the_last_valid_ones),
      cmocka_unit_test(tracks_may_be_absent),
      cmocka_unit_test(tracks_do_not_tremble),
      cmocka_unit_test(clocks_may_lie),
      cmocka_unit_test(even_motion_costs_little),
      cmocka_unit_test(tracks_keep_to_the_room),
      cmocka_unit_test(wrong_tracks_are_refused),
      cmocka_unit_test(hostile_tracks_do_no_harm),
      cmocka_unit_test(bytes_keep_numbers),
  };
  return cmocka_run_group_tests_name("tracks", tests, NULL, NULL);
}
