/* Checks the memory of encoding against clip.h, the time of encoding, and the sizes of clips. */
#include "made.h"
#include "support/counted.h"
#include "support/sanitized.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

static void *allocate_little(void *context, size_t size) {
  return size < 1 << 24 ? counted_allocate(context, size) : NULL;
}

/* Rounds times to floats, and has the encoder move them back. */
static void snap(made *m, const double *times, size_t keys) {
  for (size_t k = 0; k < keys; k++) ((double *)(uintptr_t)times)[k] = (double)(float)times[k];
  m->options.snap_times = 1;
}

static void memory(void **state) {
  (void)state;
  enum { KEYS = 5000, MOST = 80 * KEYS + (128 << 10) };
  for (int way = 0; way < 8; way++) {
    const bool listed = way % 2, wild = way / 2 % 2; /* wild: random values, mostly not stored as frames */
    uint64_t random = 7;
    counted_memory c = {0};
    const quatsimd_allocator allocator = counted_allocator(&c);
    made *m = make(1);
    const double *times = listed ? uneven(m, KEYS, &random) : even(m, KEYS, 30);
    if (way / 4) snap(m, times, KEYS);
    m->joint[0].rotation = wild ? anywhere(m, KEYS, times, 4, 1, &random) : turns(m, KEYS, times, &random);
    m->options.rotation_bound = 1e-3f, m->options.allocator = &allocator;
    encode(m, "many keys");
    assert_true((m->report.snapped > 0) == (way / 4 && !listed));
    if (c.most > MOST)
      fail_msg("%zu bytes for %d %s keys at %s times", c.most, KEYS, wild ? "wild" : "smooth",
               listed ? "uneven" : "even");
    assert_int_equal(c.bytes, m->size);
    release(m);
    assert_int_equal(c.bytes, 0);
  }
}

/* Checks the memory for random rotations at uneven times. Half of the clips are additive. */
static void memory_of_wild_rotations(void **state) {
  (void)state;
  enum { KEYS = 5000 };
  for (int i = 0; i < 16; i++) {
    const size_t joints = i / 4 % 2 ? 3 : 1;
    const bool late = i % 2, finest = i / 2 % 2, additive = i / 8;
    uint64_t random = 7;
    counted_memory c = {0};
    const quatsimd_allocator allocator = counted_allocator(&c);
    made *m = make(joints);
    for (size_t j = 0; j < joints; j++) {
      double *times = uneven(m, KEYS, &random);
      for (size_t k = 0; late && k < KEYS; k++) times[k] += 1e6;
      m->joint[j].rotation = anywhere(m, KEYS, times, 4, 1, &random);
    }
    m->options.rotation_bound = finest ? 1e-5f : 1e-3f, m->options.allocator = &allocator;
    m->options.additive = additive ? QUATSIMD_CLIP_ADDITIVE_FIRST : QUATSIMD_CLIP_ADDITIVE_NONE;
    encode(m, "wild rotations");
    const size_t frames = m->report.frame_count, most = frames < 4 * KEYS ? frames : 4 * KEYS,
                 keys = most > KEYS ? most : KEYS,
                 promised = (additive ? 224 : 160) * keys * joints + (128 << 10) + (5 << 10) * joints;
    if (c.most > promised) fail_msg("way %d: %zu bytes, and %zu are promised", i, c.most, promised);
    release(m);
    assert_int_equal(c.bytes, 0);
  }
}

/* Checks that more than 2^26 frames are refused before memory is allocated. For 2^26 frames this allocator
 * has too little memory. */
static void most_frames(void **state) {
  (void)state;
  for (int more = 0; more < 2; more++) {
    counted_memory c = {.from = 0, .to = 0};
    quatsimd_allocator allocator = counted_allocator(&c);
    allocator.allocate = allocate_little;
    made *m = make(1);
    m->joint[0].translation = (quatsimd_curve){2, even(m, 2, 1), memset(take(m, 24), 0, 24), 0};
    m->options.translation_bound = 1, m->options.rate = 0x1p26 - 1 + more, m->options.allocator = &allocator;
    assert_int_equal(quatsimd_clip_report_init(&m->report, sizeof m->report), QUATSIMD_OK);
    assert_int_equal(quatsimd_clip_encode(&m->data, &m->size, &m->source, &m->options, &m->report),
                     more ? QUATSIMD_ERROR_BAD_ARGUMENT : QUATSIMD_ERROR_NO_MEMORY);
    release(m);
    assert_int_equal(c.bytes, 0);
  }
}

/* Checks the memory for many joints with few keys, and for few joints with many keys. */
static void memory_of_joints(void **state) {
  (void)state;
  static const struct {
    size_t joints, keys;
    bool still; /* only the root moves */
    size_t frames;
    int additive;
  } sizes[] = {{3000, 2, false, 0, 0},
               {500, 16, false, 0, 0},
               {60, 300, false, 0, 0},
               {2, 20000, false, 0, 0},
               {61, 4000, true, 0, 0},
               {1, 30, false, 60000, 0},
               {1, 20000, false, 0, QUATSIMD_CLIP_ADDITIVE_FIRST}};
  enum { SIZES = sizeof sizes / sizeof *sizes };
  for (size_t n = 0; n < 4 * SIZES; n++) {
    const size_t i = n % (2 * SIZES), joints = sizes[i / 2].joints, keys = sizes[i / 2].keys;
    const bool object = i % 2;
    size_t moving = 0;
    uint64_t random = 7;
    counted_memory c = {0};
    const quatsimd_allocator allocator = counted_allocator(&c);
    made *m = make(joints);
    const double *times = even(m, keys, 30);
    if (n >= 2 * SIZES) snap(m, times, keys);
    for (size_t j = 0; j < joints; j++) {
      m->joint[j].parent = (int64_t)(j / 2) - (j == 0);
      if (sizes[i / 2].still && j > 0) m->joint[j].translation = fixed(m, 0.1, 0.05, 0.02);
      else m->joint[j].rotation = turns(m, keys, times, &random), moving++;
      if (sizes[i / 2].frames) m->options.rate = (float)sizes[i / 2].frames / (float)(keys - 1) * 30;
      m->options.additive = sizes[i / 2].additive;
    }
    if (object) m->options.object_bound = 1e-3f, m->options.object_distance = 0.1f;
    else m->options.rotation_bound = 1e-3f, m->options.translation_bound = 1e-3f;
    m->options.allocator = &allocator;
    encode(m, "many joints");
    const size_t frames = sizes[i / 2].frames ? sizes[i / 2].frames : keys,
                 each = m->options.additive ? 96 : 64,
                 promised = each * (moving * frames + joints - moving) + (128 << 10) + (5 << 10) * joints +
                            (object ? 81 * joints * frames + 128 * frames + (10 << 20) : 0);
    if (c.most > promised)
      fail_msg("%zu joints, %zu keys each: %zu bytes, and %zu are promised", joints, keys, c.most, promised);
    release(m);
    assert_int_equal(c.bytes, 0);
  }
}

/* Checks that a joint with scale 0 makes a clip at most 64 bytes larger. All joints below it are at one
 * point, so their curves need few bytes. */
static void hidden_joints(void **state) {
  (void)state;
  enum { JOINTS = 10, KEYS = 100 };
  size_t size[JOINTS + 1];
  for (size_t hidden = 0; hidden <= JOINTS; hidden++) {
    uint64_t random = 11;
    made *m = make(JOINTS);
    const double *times = even(m, KEYS, 30);
    for (size_t j = 0; j < JOINTS; j++) {
      m->joint[j].parent = (int64_t)j - 1;
      m->joint[j].rotation = turns(m, KEYS, times, &random);
      m->joint[j].translation = fixed(m, 0.1, 0.05, 0.02);
      if (j == hidden) m->joint[j].scale = fixed(m, 0, 0, 0);
    }
    m->options.object_bound = 1e-4f, m->options.object_distance = 0.03f;
    encode(m, "hidden joints");
    size[hidden] = m->size;
    release(m);
  }
  /* size[JOINTS] is the size without a hidden joint */
  for (size_t j = 0; j < JOINTS; j++) assert_true(size[j] <= size[JOINTS] + 64);
  assert_true(size[0] < size[JOINTS] / 2);
}

/* Checks that wheels that turn by 120 to 170 degrees from frame to frame are stored as frames. */
static void fast_wheels(void **state) {
  (void)state;
  enum { KEYS = 200 };
  for (int degrees = 120; degrees <= 170; degrees += 10) {
    made *m = make(1);
    float *to = memset(take(m, 16 * KEYS), 0, 16 * KEYS);
    for (size_t k = 0; k < KEYS; k++)
      to[4 * k + 2] = (float)sin((double)k * degrees * acos(-1) / 360),
                 to[4 * k + 3] = (float)cos((double)k * degrees * acos(-1) / 360);
    m->joint[0].rotation = (quatsimd_curve){KEYS, even(m, KEYS, 30), to, QUATSIMD_CURVE_LINEAR};
    m->options.rotation_bound = 8.7e-4f;
    encode(m, "wheels");
    assert_int_equal(m->report.moving_count[0], 1);
    assert_true(m->size < 8 * KEYS);
    release(m);
  }
}

/* Checks that splines are stored as frames if frames are smaller. Keys would take 47,317 bytes. */
static void splines_among_lines(void **state) {
  (void)state;
  enum { JOINTS = 12, KEYS = 120, SPLINE = 12 };
  size_t size[JOINTS + 1], most = 0;
  for (size_t splines = 0; splines <= JOINTS; splines += 2) {
    uint64_t random = 12;
    made *m = make(JOINTS);
    const double *times = even(m, KEYS, 30), *few = even(m, SPLINE, 3);
    for (size_t j = 0; j < JOINTS; j++) {
      quatsimd_curve c = turns(m, j < splines ? SPLINE : KEYS, j < splines ? few : times, &random);
      if (j < splines) {
        float *to = memset(take(m, 48 * SPLINE), 0, 48 * SPLINE);
        for (size_t k = 0; k < SPLINE; k++) memcpy(to + 12 * k + 4, c.values + 4 * k, 16);
        c.values = to, c.interpolation = QUATSIMD_CURVE_CUBIC;
      }
      m->joint[j].rotation = c;
    }
    m->options.rotation_bound = 8.7e-4f;
    encode(m, "splines");
    size[splines] = m->size;
    if (size[splines] > most) most = size[splines];
    release(m);
  }
  assert_true(size[JOINTS] < 7300);
  assert_true(most < 15400);
}

static double seconds(made *m, const char *what) {
  const clock_t start = clock();
  encode(m, what);
  return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* Checks that encoding twice as many joints takes at most `most` times as long. */
static void expect_in_proportion(made *(*of)(size_t joints), size_t joints, double most, const char *what) {
  if (SANITIZED) skip(); /* sanitizers change times */
  double best[2] = {(double)INFINITY, (double)INFINITY};
  for (int i = 0; i < 4; i++) {
    made *m = of(joints << i % 2);
    best[i % 2] = fmin(best[i % 2], seconds(m, what));
    release(m);
  }
  if (best[1] > most * best[0] + 0.02)
    fail_msg("%s: %zu joints take %.3g s, twice as many %.3g s", what, joints, best[0], best[1]);
}

static made *jumping(size_t joints) {
  enum { KEYS = 4 };
  uint64_t random = 8;
  made *m = make(joints);
  float *q = take(m, 16 * KEYS * joints);
  double *times = take(m, sizeof *times * KEYS * joints);
  random_rotations(q, KEYS * joints, &random);
  for (size_t j = 0; j < joints; j++) {
    for (size_t k = 0; k < KEYS; k++) times[KEYS * j + k] = (double)k + 0.9 * random_unit(&random);
    m->joint[j].rotation = (quatsimd_curve){KEYS, times + KEYS * j, q + 4 * KEYS * j, QUATSIMD_CURVE_HOLD};
  }
  m->options.rotation_bound = 1e-3f;
  return m;
}

static made *strangers(size_t joints) {
  enum { KEYS = 100 };
  uint64_t random = 9;
  made *m = make(joints);
  for (size_t j = 0; j < joints; j++) {
    m->joint[j].parent = j ? (int64_t)(j - 1) / 2 : -1;
    m->joint[j].rotation = turns(m, KEYS, uneven(m, KEYS, &random), &random);
    m->joint[j].translation = fixed(m, 0.1, 0.05, 0.02);
  }
  m->options.object_bound = 1e-3f, m->options.object_distance = 0.03f;
  return m;
}

static void time_of_steps(void **state) {
  (void)state;
  expect_in_proportion(jumping, 6000, 3, "steps");
}
static void time_of_objects(void **state) {
  (void)state;
  expect_in_proportion(strangers, 100, 7,
                       "keys of their own"); /* the larger source may need twice as many attempts */
}
int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory),
      cmocka_unit_test(memory_of_joints),
      cmocka_unit_test(memory_of_wild_rotations),
      cmocka_unit_test(most_frames),
      cmocka_unit_test(hidden_joints),
      cmocka_unit_test(fast_wheels),
      cmocka_unit_test(splines_among_lines),
      cmocka_unit_test(time_of_steps),
      cmocka_unit_test(time_of_objects),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
