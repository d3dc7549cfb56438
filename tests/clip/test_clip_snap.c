/* Checks options.snap_times: key times that were rounded to floats keep the rate of their clip. */
#include "made.h"

#include "clip/encode/snap.h"
#include "support/clip_truth.h"
#include "support/counted.h"

#include <string.h>

#define TEN_HOURS 36000.0
enum { RATES = 18 };

static double rate_of(size_t i) {
  static const double whole[RATES / 2] = {24, 25, 30, 50, 60, 90, 100, 120, 240};
  return i < RATES / 2 ? whole[i] : whole[i - RATES / 2] * 1000 / 1001;
}

/* Returns half the distance of floats at a time, by which rounding to float moves it at most. */
static double half_step(double time) { return ldexp(1, ilogb(time) - 24); }

/* Makes the times start + k / rate, of frames first, first + every and so on, as floats or, if `exactly`, as
 * doubles. */
static double *grid_times(made *m, size_t keys, double start, double rate, size_t first, size_t every,
                          bool exactly) {
  double *times = take(m, keys * sizeof *times);
  for (size_t k = 0; k < keys; k++) {
    times[k] = start + (double)(first + k * every) / rate;
    if (!exactly) times[k] = (double)(float)times[k];
  }
  return times;
}

/* Makes an arm of two joints. Values are those of the times before they were rounded. */
static made *make_arm(size_t keys, double start, double rate, bool exactly) {
  uint64_t random = keys;
  made *m = make(2);
  const double *at = even(m, keys, rate), *times = grid_times(m, keys, start, rate, 0, 1, exactly);
  for (size_t j = 0; j < 2; j++) m->joint[j].rotation = turns(m, keys, at, &random);
  m->joint[0].rotation.times = m->joint[1].rotation.times = times;
  m->joint[1].translation = fixed(m, 0, 0.4, 0);
  m->options.object_bound = 1e-4f, m->options.object_distance = 0.03f, m->options.snap_times = 1;
  return m;
}

static quatsimd_clip *open_clip(const made *m, quatsimd_clip_storage *storage) {
  quatsimd_clip *clip;
  assert_int_equal(quatsimd_clip_open(&clip, storage, sizeof *storage, m->data, m->size), QUATSIMD_OK);
  return clip;
}

static double rate_of_clip(const made *m) {
  quatsimd_clip_storage storage;
  return quatsimd_clip_rate(open_clip(m, &storage));
}

/* Checks that the clip has so many frames at the rate, and keys moved no further than by their rounding. */
static void expect_rate(const made *m, const char *what, size_t keys, double start, double rate) {
  quatsimd_clip_storage storage;
  const quatsimd_clip *clip = open_clip(m, &storage);
  const double end = start + (double)(keys - 1) / rate;
  if (quatsimd_clip_rate(clip) != rate || quatsimd_clip_frame_count(clip) != keys)
    fail_msg("%s: %zu keys from %g: %zu frames at %.17g, not %.17g", what, keys, start,
             quatsimd_clip_frame_count(clip), quatsimd_clip_rate(clip), rate);
  if (!(m->report.snapped <= half_step(end) * 1.001) || m->report.snap_rate != 0)
    fail_msg("%s: %zu keys from %g at %g: moved by %g, rate %g", what, keys, start, rate, m->report.snapped,
             m->report.snap_rate);
  assert_true(fabs(quatsimd_clip_start(clip) - start) <= half_step(start + 1) * 1.001);
}

/* Compares the clip at the times of its frames with the keys. */
static void expect_keys(const made *m, const char *what) {
  quatsimd_clip_storage storage;
  const quatsimd_clip *clip = open_clip(m, &storage);
  const double bound = (double)m->options.object_bound / (double)m->options.object_distance;
  for (size_t f = 0; f < quatsimd_clip_frame_count(clip); f++) {
    float q[8];
    quatsimd_pose_out pose = {.rotations = quatsimd_aos_out(q)};
    const double time = quatsimd_clip_start(clip) + (double)f / quatsimd_clip_rate(clip);
    assert_int_equal(quatsimd_clip_sample(clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_CLAMP, 0), QUATSIMD_OK);
    const double off = truth_between(QUATSIMD_CLIP_ROTATION, truth_of(QUATSIMD_CLIP_ROTATION, q),
                                     truth_of(QUATSIMD_CLIP_ROTATION, m->joint[0].rotation.values + 4 * f));
    if (!(off <= bound)) fail_msg("%s: frame %zu is off by %g, the bound is %g", what, f, off, bound);
  }
}

/* ---- rates ---- */

static void usual_rates(void **state) {
  (void)state;
  const size_t keys[] = {600, 2000, 20000};
  const double starts[] = {0, 12.34};
  size_t lost = 0;
  for (size_t i = 0; i < RATES; i++)
    for (size_t s = 0; s < 2; s++)
      for (size_t n = 0; n < 3; n++) {
        made *m = make_arm(keys[n], starts[s], rate_of(i), false);
        encode(m, "usual");
        expect_rate(m, "usual", keys[n], starts[s], rate_of(i));
        assert_true(m->report.snapped > 0);
        expect_keys(m, "usual");
        if (n == 0) {
          m->options.snap_times = 0;
          encode(m, "not moved");
          lost += rate_of_clip(m) == 0;
          assert_true(m->report.snapped == 0 && m->report.snap_rate == 0);
        }
        release(m);
      }
  assert_true(lost > RATES); /* so this test would notice if keys kept their own times */
}

static void other_rates(void **state) {
  (void)state;
  const double rates[] = {7.3,   12,         15, 48, 72, 144, 1 / 0.0333333, 1 / (double)(1 / 30.0f),
                          23.98, 1000 / 17.0};
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
    for (size_t n = 700; n <= 3000; n += 2300) {
      made *m = make_arm(n, i % 2 ? 3.21 : 0, rates[i], false);
      encode(m, "other");
      const double found = rate_of_clip(m), end = 4 + (double)n / rates[i];
      if (!(fabs(found - rates[i]) < 1e-6 * rates[i]))
        fail_msg("%zu keys at %.17g: the rate is %.17g", n, rates[i], found);
      if (rates[i] == floor(rates[i])) assert_true(found == rates[i]);
      assert_true(m->report.snapped <= half_step(end) * 1.001);
      release(m);
    }
}

/* Checks that keys at times of the grid do not move, and that the bytes are then those without the option. */
static void exact_times(void **state) {
  (void)state;
  for (size_t i = 0; i < RATES; i++) {
    made *m = make_arm(1000, i % 2 ? 12.34 : 0, rate_of(i), true);
    encode(m, "exact");
    expect_rate(m, "exact", 1000, i % 2 ? 12.34 : 0, rate_of(i));
    assert_true(m->report.snapped == 0);
    void *data = m->data;
    const size_t size = m->size;
    m->data = NULL, m->options.snap_times = 0;
    encode(m, "without");
    assert_true(m->size == size && memcmp(m->data, data, size) == 0);
    free(data);
    release(m);
  }
}

/* Checks that rates n / 1.001 are taken exactly without the option, too. */
static void exact_rates(void **state) {
  (void)state;
  for (size_t i = 0; i < RATES; i++)
    for (size_t keys = 5; keys < 30000; keys *= 6) {
      made *m = make_arm(keys, i % 2 ? 12.34 : 0, rate_of(i), false);
      m->options.object_bound = 0, m->options.rotation_bound = m->options.translation_bound = 1e-3f;
      m->options.snap_times = 0;
      encode(m, "exact rates");
      const double found = rate_of_clip(m);
      if (found != rate_of(i)) fail_msg("%zu keys at %.17g: the rate is %.17g", keys, rate_of(i), found);
      release(m);
    }
}

/* Checks that a rate beside one of these is not taken for it, where keys are off by more than rounding. */
static void rates_beside(void **state) {
  (void)state;
  for (size_t i = RATES / 2; i < RATES; i++) {
    const double rate = rate_of(i) * (1 + 1e-7);
    made *m = make_arm(2000, 0, rate, true);
    m->options.object_bound = 0, m->options.rotation_bound = m->options.translation_bound = 1e-3f;
    for (int snap = 0; snap < 2; snap++) {
      m->options.snap_times = snap;
      encode(m, "beside");
      if (!(fabs(rate_of_clip(m) - rate) < 1e-9 * rate))
        fail_msg("%.17g, snap_times %d: the rate is %.17g", rate, snap, rate_of_clip(m));
    }
    release(m);
  }
}

/* Checks the times that round to one float, also below powers of two, where floats are twice as dense. */
static void rounding(void **state) {
  (void)state;
  uint64_t random = 3;
  for (int i = 0; i < 2000; i++) {
    const float time = i % 2 ? ldexpf(i % 4 > 1 ? -1 : 1, i % 64 - 20)
                             : (float)(random_gauss(&random) * pow(10, 8 * random_unit(&random)));
    const double t = (double)time, below = (double)nextafterf(time, -INFINITY),
                 above = (double)nextafterf(time, INFINITY), within = (above - below) * 1e-6;
    const clip_rounded found = quatsimd_snap_rounded(t);
    if (fabs(found.low - (t + below) / 2) > within || fabs(found.high - (t + above) / 2) > within)
      fail_msg("%.9g: from %.17g to %.17g", t, found.low, found.high);
  }
}

static void ten_hours(void **state) {
  (void)state;
  for (size_t i = 0; i < RATES; i++)
    for (size_t keys = 600; keys <= 20000; keys += 19400) {
      const double rate = rate_of(i);
      made *m = make_arm(keys, TEN_HOURS, rate, false);
      encode(m, "ten hours");
      if (rate < 31) expect_rate(m, "ten hours", keys, TEN_HOURS, rate);
      else {
        assert_true(rate_of_clip(m) != rate && m->report.snapped == 0);
        if (m->report.snap_rate != rate)
          fail_msg("%zu keys at %g: the report names %.17g", keys, rate, m->report.snap_rate);
        m->options.rate = rate;
        encode(m, "ten hours, with a rate");
        expect_rate(m, "ten hours, with a rate", keys, TEN_HOURS, rate);
        assert_true(m->report.snapped > 0);
      }
      expect_keys(m, "ten hours");
      release(m);
    }
}

/* Checks that times that are not even keep their values, with and without a rate that does not fit. */
static void no_grid(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed < 40; seed++) {
    uint64_t random = seed;
    made *m = make(1);
    double *times = uneven(m, 200, &random);
    for (size_t k = 0; k < 200; k++) times[k] = (double)(float)(times[k] + (seed % 2 ? TEN_HOURS : 0));
    for (size_t k = 1; k < 200; k++)
      if (!(times[k] > times[k - 1])) times[k] = (double)nextafterf((float)times[k - 1], INFINITY);
    m->joint[0].rotation = turns(m, 200, times, &random);
    m->options.rotation_bound = 1e-3f, m->options.snap_times = 1, m->options.rate = seed % 3 ? 0 : 60;
    encode(m, "no grid");
    if (m->report.snapped != 0 || m->report.snap_rate != 0)
      fail_msg("seed %d: moved by %g, rate %g", (int)seed, m->report.snapped, m->report.snap_rate);
    release(m);
  }
}

/* ---- curves beside each other ---- */

/* Makes a curve of floats 0, 1, 2 ... along x that jumps from key to key. */
static quatsimd_curve holds(made *m, size_t keys, const double *times) {
  float *to = take(m, 12 * keys);
  memset(to, 0, 12 * keys);
  for (size_t k = 0; k < keys; k++) to[3 * k] = (float)k;
  return (quatsimd_curve){keys, times, to, QUATSIMD_CURVE_HOLD};
}

/* Checks that keys of curves that hold, however near to each other and to frames, stay in order and are each
 * found between their own time and the next one. */
static void holding(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    enum { KEYS = 40 };
    uint64_t random = seed;
    const double rate = rate_of(seed % RATES), start = seed % 3 ? seed % 3 * 17.77 : TEN_HOURS;
    made *m = make_arm(600, start, rate, false);
    m->options.rate = seed % 2 ? rate : 0;
    double *times = take(m, KEYS * sizeof *times), time = start;
    for (size_t k = 0; k < KEYS; k++) {
      const double step = half_step(time), near = (double)(float)time, pick = random_unit(&random);
      const double wanted = pick < 0.3   ? near
                            : pick < 0.6 ? near + step * (1.2 * random_unit(&random) - 0.6)
                                         : near + random_unit(&random) / rate;
      times[k] = k == 0 || wanted > times[k - 1] ? wanted : nextafter(times[k - 1], (double)INFINITY);
      if (random_unit(&random) < 0.7) time = start + floor((time - start) * rate + 1.5) / rate;
    }
    m->joint[1].translation = holds(m, KEYS, times);
    encode(m, "holding");
    quatsimd_clip_storage storage;
    const quatsimd_clip *clip = open_clip(m, &storage);
    const double slack = 0x1p-23 * 1.001 * (quatsimd_clip_start(clip) + quatsimd_clip_duration(clip));
    for (size_t k = 0; k + 1 < KEYS; k++) {
      float at[6];
      quatsimd_pose_out pose = {.translations = quatsimd_aos_out(at)};
      const double from = times[k] + slack, to = times[k + 1] - slack;
      if (from > to) continue;
      for (int i = 0; i < 3; i++) {
        quatsimd_clip_sample(clip, &pose, NULL, from + (to - from) * i / 2, QUATSIMD_CLIP_WRAP_CLAMP, 0);
        if (fabs((double)at[3] - (double)k) > 0.01)
          fail_msg("seed %d: key %zu at %.17g: there is key %g", (int)seed, k, times[k], (double)at[3]);
      }
    }
    release(m);
  }
}

/* Checks that keys on frames are found at the times of frames: a game asks at these. */
static void held_frames(void **state) {
  (void)state;
  for (size_t i = 0; i < RATES; i++)
    for (int with_rate = 0; with_rate < 2; with_rate++) {
      enum { KEYS = 300 };
      const double start = with_rate ? TEN_HOURS : 12.34, rate = rate_of(i);
      made *m = make_arm(900, start, rate, false);
      m->options.rate = with_rate ? rate : 0;
      m->joint[1].translation = holds(m, KEYS, grid_times(m, KEYS, start, rate, 0, 3, false));
      encode(m, "held frames");
      expect_rate(m, "held frames", 900, start, rate);
      quatsimd_clip_storage storage;
      const quatsimd_clip *clip = open_clip(m, &storage);
      for (size_t k = 0; k < KEYS; k++)
        for (size_t f = 3 * k; f < 3 * k + 3; f++) {
          float at[6];
          quatsimd_pose_out pose = {.translations = quatsimd_aos_out(at)};
          const double time = quatsimd_clip_start(clip) + (double)f / rate;
          quatsimd_clip_sample(clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_CLAMP, 0);
          if (fabs((double)at[3] - (double)k) > 0.01)
            fail_msg("%g, rate %d: frame %zu has key %g", rate, with_rate, f, (double)at[3]);
        }
      release(m);
    }
}

/* Checks that keys that hold take as many bytes as before, and may begin before the other curves. */
static void held_earlier(void **state) {
  (void)state;
  enum { KEYS = 300 };
  for (int earlier = 0; earlier < 2; earlier++) {
    made *m = make_arm(900, earlier, 60, false);
    m->options.object_bound = 0, m->options.rotation_bound = m->options.translation_bound = 1e-3f;
    m->joint[1].translation = holds(m, KEYS, grid_times(m, KEYS, 0, 60, 0, 3, false));
    encode(m, "held earlier");
    expect_rate(m, "held earlier", earlier ? 960 : 900, 0, 60);
    const size_t size = m->size;
    m->options.snap_times = 0;
    encode(m, "held earlier, not moved");
    if (size > m->size + 32) fail_msg("%zu bytes, and %zu without moves", size, m->size);
    release(m);
  }
}

/* Checks a linear curve that jumps on a frame: two keys at the same time, within rounding. */
static void jumps(void **state) {
  (void)state;
  made *m = make_arm(1200, 0, 60, false);
  enum { KEYS = 400 };
  double *times = grid_times(m, KEYS, 0, 60, 1, 3, false);
  for (size_t k = 0; k + 1 < KEYS; k += 2) times[k] = nextafter(times[k + 1], 0);
  m->joint[1].translation = holds(m, KEYS, times);
  m->joint[1].translation.interpolation = QUATSIMD_CURVE_LINEAR;
  encode(m, "jumps");
  expect_rate(m, "jumps", 1200, 0, 60);
  quatsimd_clip_storage storage;
  const quatsimd_clip *clip = open_clip(m, &storage);
  for (size_t k = 1; k < KEYS; k += 2) {
    float at[6];
    quatsimd_pose_out pose = {.translations = quatsimd_aos_out(at)};
    quatsimd_clip_sample(clip, &pose, NULL, (double)(1 + 3 * k) / 60, QUATSIMD_CLIP_WRAP_CLAMP, 0);
    assert_true(fabs((double)at[3] - (double)k) < 0.01);
  }
  release(m);
}

/* Checks that splines decide where no curve is linear, and do not where one is. */
static void splines(void **state) {
  (void)state;
  made *m = make_arm(900, 0, 60 / 1.001, false);
  uint64_t random = 5;
  enum { KEYS = 20 };
  quatsimd_curve spline = anywhere(m, 3 * KEYS, NULL, 3, 0.1, &random);
  spline.key_count = KEYS, spline.times = uneven(m, KEYS, &random),
  spline.interpolation = QUATSIMD_CURVE_CUBIC;
  m->joint[1].translation = spline;
  encode(m, "an uneven spline");
  assert_true(m->report.snapped > 0);
  m->joint[0].rotation = m->joint[1].rotation = (quatsimd_curve){0};
  m->joint[1].translation.times = grid_times(m, KEYS, 500, 30 / 1.001, 0, 7, false);
  encode(m, "an even spline");
  assert_true(m->report.snapped > 0 && m->report.snapped <= half_step(500) * 1.001);
  release(m);
}

/* Checks bases that have a rate of their own, or that of the source, and ends of their own. */
static void bases(void **state) {
  (void)state;
  for (int i = 0; i < 6; i++) {
    const double rate = i % 2 ? 60 : 24;
    made *m = make_arm(1200, 12.34, 60, false), *base = make_arm(i < 2 ? 900 : 1500, 12.34, rate, false);
    m->options.additive = QUATSIMD_CLIP_ADDITIVE_BASE, m->options.additive_base = &base->source;
    m->options.object_bound = i < 4 ? 1e-3f : 0;
    m->options.rotation_bound = m->options.translation_bound = i < 4 ? 0 : 1e-3f;
    encode(m, "bases");
    if (i % 2) assert_true(rate_of_clip(m) == 60);
    assert_true(m->report.snapped > 0 && m->report.snapped <= half_step(75) * 1.001);
    release(base);
    release(m);
  }
}

/* ---- refusals ---- */

static void no_memory(void **state) {
  (void)state;
  for (int hint = 0; hint < 2; hint++) {
    made *m = make_arm(80, hint ? TEN_HOURS : 40, 60, false);
    made *base = make_arm(50, hint ? TEN_HOURS : 40, 60, false);
    m->joint[1].translation = holds(m, 30, grid_times(m, 30, hint ? TEN_HOURS : 40, 60, 2, 2, false));
    m->options.object_bound = 1e-2f;
    m->options.additive = QUATSIMD_CLIP_ADDITIVE_BASE, m->options.additive_base = &base->source;
    counted_memory c = {0};
    const quatsimd_allocator allocator = counted_allocator(&c);
    m->options.allocator = &allocator;
    encode(m, "with memory");
    assert_true(hint ? m->report.snap_rate == 60 : m->report.snapped > 0);
    quatsimd_clip_free(&allocator, m->data), m->data = NULL;
    const size_t allocations = c.asked;
    for (size_t from = 0; from < allocations; from += from < 60 ? 1 : allocations / 100 + 1) {
      void *data = &c;
      size_t size = 17;
      c.asked = 0, c.from = from, c.to = from + 1;
      const quatsimd_status status = quatsimd_clip_encode(&data, &size, &m->source, &m->options, &m->report);
      if (status != QUATSIMD_ERROR_NO_MEMORY || c.pieces != 0 || data != &c || size != 17)
        fail_msg("without the allocation %zu: %s, %zu pieces leak", from, quatsimd_status_string(status),
                 c.pieces);
    }
    m->options.allocator = NULL;
    release(base);
    release(m);
  }
}

static void refused(void **state) {
  (void)state;
  for (int value = -1; value <= 2; value += 3) {
    made *m = make_arm(3, 0, 30, false);
    m->options.snap_times = value;
    quatsimd_clip_report_init(&m->report, sizeof m->report);
    assert_int_equal(quatsimd_clip_encode(&m->data, &m->size, &m->source, &m->options, &m->report),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_string_equal(m->report.error, "snap_times is not 0 or 1");
    release(m);
  }
}

/* Checks that single keys, whose times may be null, and sources without keys pass. */
static void few_keys(void **state) {
  (void)state;
  made *m = make(2);
  m->options.rotation_bound = m->options.translation_bound = 1e-3f, m->options.snap_times = 1;
  encode(m, "no keys");
  m->joint[1].translation = fixed(m, 1, 2, 3);
  encode(m, "one key");
  uint64_t random = 1;
  for (size_t keys = 1; keys < 4; keys++)
    for (size_t i = 0; i < RATES; i++) {
      m->joint[0].rotation = turns(m, keys, grid_times(m, keys, 0, rate_of(i), 0, 1, false), &random);
      encode(m, "few keys");
      if (keys > 1 && rate_of_clip(m) != rate_of(i))
        fail_msg("%zu keys at %g: %.17g", keys, rate_of(i), rate_of_clip(m));
    }
  assert_true(m->report.error == NULL);
  release(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(usual_rates), cmocka_unit_test(other_rates),  cmocka_unit_test(exact_times),
      cmocka_unit_test(exact_rates), cmocka_unit_test(rates_beside), cmocka_unit_test(rounding),
      cmocka_unit_test(ten_hours),   cmocka_unit_test(no_grid),      cmocka_unit_test(holding),
      cmocka_unit_test(held_frames), cmocka_unit_test(held_earlier), cmocka_unit_test(jumps),
      cmocka_unit_test(splines),     cmocka_unit_test(bases),        cmocka_unit_test(no_memory),
      cmocka_unit_test(refused),     cmocka_unit_test(few_keys)};
  return cmocka_run_group_tests_name("times of keys on a grid", tests, NULL, NULL);
}
