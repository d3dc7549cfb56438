/* Tests bodies with positions, bodies that rest, and bounds of bodies. */
#include "scene.h"

#include "support/isa.h"

static void positions_are_within_the_bound(void **unused) {
  (void)unused;
  scene *s = scene_new(NULL, 900);
  for (size_t f = 0; f < PACKETS; f++) {
    scene_move(s, (int)f);
    assert_int_equal(scene_send(s, f), QUATSIMD_OK);
    if (sweep_next(&s->seed) % 5 == 0) continue;
    scene_receive(s, f);
    check_bound(s->q, s->got_q, BODIES, s->options.bound, f);
    for (size_t b = 0; b < PLACED; b++)
      assert_true(off_by(s->p + 3 * b, s->got_p + 3 * b) <= (double)s->options.position_bound);
  }
  scene_free(s);
}

/* A body that jumps by 10 km is coded exactly, and other bodies as before. */
static void jumps_are_exact(void **unused) {
  (void)unused;
  scene *s = scene_new(NULL, 901);
  size_t longest = 0;
  for (size_t f = 0; f < PACKETS; f++) {
    scene_move(s, (int)f);
    if (f >= 100) s->p[3] = f % 2 ? 10000.0001f : -3e8f;
    assert_int_equal(scene_send(s, f), QUATSIMD_OK);
    assert_int_equal(is_key(s->packet), f < LAG);
    if (f > 50 && f < 100 && s->size > longest) longest = s->size;
    if (f >= 100) assert_in_range(s->size, 1, longest + 24);
    scene_receive(s, f);
    for (size_t b = 0; b < PLACED; b++)
      assert_true(off_by(s->p + 3 * b, s->got_p + 3 * b) <= (double)s->options.position_bound);
    if (f >= 100) assert_memory_equal(s->p + 3, s->got_p + 3, sizeof(float));
  }
  scene_free(s);
}

/* An invalid position is coded as the last valid one. Tiny components are 0. */
static void invalid_positions_are_the_last_valid_ones(void **unused) {
  (void)unused;
  const float bad[] = {NAN, INFINITY, -INFINITY, 0x1.1p40f, -0x1p41f};
  scene *s = scene_new(NULL, 902);
  for (size_t f = 0; f < 40; f++) {
    float kept[3];
    memcpy(kept, s->p + 6, sizeof kept);
    const bool invalid = f % 3 == 1;
    if (invalid) s->p[6 + f % 2] = bad[f % 5];
    if (f % 3 == 2) s->p[9] = f % 2 ? 1e-42f : -1e-19f;
    assert_int_equal(scene_send(s, f), invalid ? QUATSIMD_WARNING_REPLACED_INVALID : QUATSIMD_OK);
    memcpy(s->p + 6, kept, sizeof kept);
    scene_receive(s, f);
    assert_true(off_by(kept, s->got_p + 6) <= (double)s->options.position_bound);
    for (size_t i = 0; i < 3 * PLACED; i++) assert_true(isfinite(s->got_p[i]));
  }
  scene_free(s);
}

/* After a second at rest nothing that is decoded changes, whatever is lost. */
static void what_rests_does_not_tremble(void **unused) {
  (void)unused;
  for (int loss = 0; loss < 40; loss += 13)
    for (int placed = 0; placed < 2; placed++) {
      scene *s = scene_new(NULL, 903 + (uint64_t)loss);
      if (!placed) {
        s->options.position_count = 0;
        scene_open(s);
      }
      float q[4 * BODIES], p[3 * PLACED];
      for (size_t f = 0; f < PACKETS; f++) {
        if (f < 70) scene_move(s, (int)f);
        assert_int_equal(scene_send(s, f), QUATSIMD_OK);
        if ((int)(sweep_next(&s->seed) % 100) < loss) continue;
        scene_receive(s, f);
        if (f > 130) {
          assert_memory_equal(q, s->got_q, sizeof q);
          if (placed) assert_memory_equal(p, s->got_p, sizeof p);
        }
        memcpy(q, s->got_q, sizeof q), memcpy(p, s->got_p, sizeof p);
      }
      scene_free(s);
    }
}

/* Each body keeps its own bound. One with bound 0 keeps the rotation of the key packet and costs nothing. */
static void bodies_have_their_own_bounds(void **unused) {
  (void)unused;
  size_t sizes[2];
  for (int fixed = 0; fixed < 2; fixed++) {
    float bounds[BODIES], first[4 * BODIES];
    for (size_t b = 0; b < BODIES; b++) bounds[b] = 1e-5f * (float)(1 << b);
    for (size_t b = 0; b < 2 && fixed; b++) bounds[10 + b] = 0;
    scene *s = scene_new(bounds, 910);
    memcpy(first, s->q, sizeof first);
    sizes[fixed] = 0;
    for (size_t f = 0; f < 60; f++) {
      for (size_t b = 0; b < 10; b++)
        to_floats(s->q + 4 * b, normalised(product(random_turn(0.1, &s->seed), of_floats(s->q + 4 * b))));
      assert_int_equal(scene_send(s, f), QUATSIMD_OK);
      sizes[fixed] += f >= LAG ? s->size : 0;
      scene_receive(s, f);
      for (size_t b = 0; b < BODIES; b++) {
        const double most = bounds[b] > 0 ? (double)bounds[b] : 1e-5;
        assert_true(angle_between(of_floats(s->q + 4 * b), of_floats(s->got_q + 4 * b)) <= most + 1e-7);
      }
    }
    assert_memory_equal(first + 40, s->q + 40, 32);
    scene_free(s);
  }
  assert_true(sizes[1] <= sizes[0]);
}

static void wrong_options_of_positions_are_refused(void **unused) {
  (void)unused;
  float bounds[BODIES] = {0}, gravity[3] = {0, NAN, 0};
  for (int i = 0; i < 8; i++) {
    quatsimd_stream_options o = options_of_scene(NULL);
    if (i == 0) o.position_count = BODIES + 1;
    if (i == 1) o.position_bound = 0;
    if (i == 2) o.position_bound = NAN;
    if (i == 3) o.position_bound = 0x1.1p40f;
    if (i == 4) o.gravity = gravity;
    bounds[3] = i == 5 ? 9e-6f : i == 6 ? 1.01f : NAN;
    if (i > 4) o.bounds = bounds;
    assert_int_equal(quatsimd_stream_memory_size(&o), 0);
    assert_int_equal(quatsimd_stream_max_packet_size(&o), 0);
  }
}

/* Sides that differ in an option do not understand each other. */
static void all_options_are_hashed(void **unused) {
  (void)unused;
  float bounds[2][BODIES];
  const float other[3] = {0, -0.02f, 0};
  for (size_t b = 0; b < BODIES; b++) bounds[0][b] = bounds[1][b] = 0.01f;
  bounds[1][BODIES - 1] = 0.011f;
  for (int i = 0; i < 9; i++) {
    scene *s = scene_new(bounds[0], 920);
    s->options.track_count = TRACKS, s->options.track_bound = 0.01f;
    scene_open(s);
    quatsimd_stream_options o = s->options;
    if (i == 0) o.position_count--;
    if (i == 1) o.position_bound = 0.002f;
    if (i == 2) o.gravity = other;
    if (i == 3) o.gravity = NULL;
    if (i == 4) o.bounds = bounds[1];
    if (i == 5) o.bounds = NULL;
    if (i == 6) o.track_count--;
    if (i == 7) o.track_bound = 0.02f;
    close_side(&s->receiver);
    open_options(&s->receiver, &o);
    assert_int_equal(scene_send(s, 0), QUATSIMD_OK);
    assert_int_equal(scene_take(s), i < 8 ? QUATSIMD_ERROR_BAD_PACKET : QUATSIMD_OK);
    scene_free(s);
  }
}

/* Packets of any bytes, with the right checksum, decode to finite positions or are refused. */
static void hostile_positions_do_no_harm(void **unused) {
  (void)unused;
  scene *s = scene_new(NULL, 930);
  size_t taken = 0, refused = 0;
  unsigned char bytes[600];
  for (size_t f = 0; f < 60; f++) {
    scene_move(s, (int)f);
    assert_int_equal(scene_send(s, f), QUATSIMD_OK);
    const size_t size = s->size;
    const bool key = is_key(s->packet);
    memcpy(bytes, s->packet, size);
    for (int i = 0; i < 100; i++) {
      const size_t code = key ? KEY_HEAD : HEAD + 4, from = code + sweep_next(&s->seed) % (size - code);
      for (size_t k = from; k < size; k++)
        s->packet[k] = (unsigned char)(sweep_next(&s->seed) | (i % 2 ? 0 : sweep_next(&s->seed)));
      scene_seal(s, s->packet, size, (uint32_t)f);
      if (i < 99) {
        memset(s->got_p, FILL, sizeof s->got_p);
        const size_t memory = quatsimd_stream_memory_size(&s->options);
        void *before = memcpy(filled(memory), s->receiver.memory, memory);
        if (scene_take(s) == QUATSIMD_OK) {
          taken++;
          for (size_t p = 0; p < 3 * PLACED; p++) assert_true(isfinite(s->got_p[p]));
          for (size_t b = 0; b < BODIES; b++) {
            const quat q = of_floats(s->got_q + 4 * b);
            assert_true(
                fabs(sqrt(q.v[0] * q.v[0] + q.v[1] * q.v[1] + q.v[2] * q.v[2] + q.v[3] * q.v[3]) - 1) < 1e-6);
          }
        } else {
          refused++;
          assert_true(untouched(s->got_p, sizeof s->got_p));
        }
        memcpy(s->receiver.memory, before, memory);
        free(before);
      }
      memcpy(s->packet, bytes, size);
    }
    scene_receive(s, f);
  }
  assert_true(taken > 100 && refused > 100);
  scene_free(s);
}

int main(int argc, char **argv) {
  skip_other_kernels();
  if (argc == 3 && strcmp(argv[1], "--only") == 0) cmocka_set_test_filter(argv[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positions_are_within_the_bound),
      cmocka_unit_test(jumps_are_exact),
      cmocka_unit_test(invalid_positions_are_the_last_valid_ones),
      cmocka_unit_test(what_rests_does_not_tremble),
      cmocka_unit_test(bodies_have_their_own_bounds),
      cmocka_unit_test(wrong_options_of_positions_are_refused),
      cmocka_unit_test(all_options_are_hashed),
      cmocka_unit_test(hostile_positions_do_no_harm),
  };
  return cmocka_run_group_tests_name("poses", tests, NULL, NULL);
}
