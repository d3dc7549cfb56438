/* Checks clips that loop on a clock that runs for years: whole rounds are taken away exactly, and errors stay
 * within the bounds. */
#include "fixture.h"

#include "clip/sample/time.h"

#define HOUR 3600.0
#define DAY 86400.0
#define YEAR 31557600.0

enum { KEYS = 31 };

typedef struct loop {
  double times[KEYS], angles[KEYS], steps[3];
  float rotations[KEYS][4], held[3][3];
  quatsimd_clip_joint joint;
  quatsimd_clip_source source;
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  void *data;
} loop;

/* Makes a joint that swings, and jumps twice a round, near a frame and between two. */
static void open_loop(loop *l, double first, double length, bool even) {
  memset(l, 0, sizeof *l);
  for (int k = 0; k < KEYS; k++) {
    const double x = k / (KEYS - 1.0);
    l->times[k] = first + length * (even ? x : x * (1 + x) / 2);
    l->angles[k] = k < KEYS - 1 ? 0.5 * sin(6.28318530718 * x) : 0;
    l->rotations[k][1] = (float)sin(l->angles[k] / 2), l->rotations[k][3] = (float)cos(l->angles[k] / 2);
  }
  l->steps[0] = first, l->steps[1] = l->times[9], l->steps[2] = first + 0.72 * length;
  l->held[1][0] = 1;
  l->joint = (quatsimd_clip_joint){
      .parent = -1,
      .rotation = {KEYS, l->times, l->rotations[0], QUATSIMD_CURVE_LINEAR},
      .translation = {3, l->steps, l->held[0], QUATSIMD_CURVE_HOLD},
  };
  l->source = (quatsimd_clip_source){1, &l->joint, 0, NULL};
  quatsimd_clip_options options;
  quatsimd_clip_options_init(&options, sizeof options);
  options.rotation_bound = 0.000873f, options.translation_bound = 0.001f, options.looping = 1;
  size_t size;
  assert_int_equal(quatsimd_clip_encode(&l->data, &size, &l->source, &options, NULL), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_open(&l->clip, &l->storage, sizeof l->storage, l->data, size), QUATSIMD_OK);
  assert_true((quatsimd_clip_rate(l->clip) > 0) == even);
}

/* Compares the pose at a clock with the source. The clock and the clip's duration are exact. */
static void check_moment(const loop *l, double clock) {
  const long double duration = (long double)quatsimd_clip_duration(l->clip);
  long double phase = fmodl((long double)clock - (long double)l->times[0], duration);
  if (phase < 0) phase += duration;
  float q[4], t[3], one[4];
  quatsimd_pose_out pose = {.rotations = quatsimd_aos_out(q), .translations = quatsimd_aos_out(t)},
                    alone = {.rotations = quatsimd_aos_out(one)};
  const uint32_t joint = 0;
  assert_int_equal(quatsimd_clip_sample(l->clip, &pose, NULL, clock, QUATSIMD_CLIP_WRAP_CLIP, 0), 0);
  assert_int_equal(
      quatsimd_clip_sample_joints(l->clip, &alone, NULL, clock, QUATSIMD_CLIP_WRAP_LOOP, &joint, 1, 0), 0);
  assert_memory_equal(q, one, sizeof q);
  int k = 0;
  while (k < KEYS - 2 && (long double)l->times[k + 1] - (long double)l->times[0] <= phase) k++;
  const long double from = (long double)l->times[k] - (long double)l->times[0],
                    u = (phase - from) / ((long double)l->times[k + 1] - (long double)l->times[k]),
                    wanted = (long double)l->angles[k] + u * (long double)(l->angles[k + 1] - l->angles[k]),
                    off = fabsl(2 * atan2l((long double)q[1], (long double)q[3]) - wanted);
  if (!(off <= 0.000873L))
    fail_msg("start %g, clock %.17g: off by %.4Lf of the bound", l->times[0], clock, off / 0.000873L);
  /* a time within rounding of a step may be on either side of it */
  const long double most = fmaxl(fabsl((long double)l->times[0]), fabsl((long double)l->times[KEYS - 1])),
                    rounding = 0x1p-24L * most + 0x1p-53L * fabsl((long double)clock);
  bool beside = phase > duration - rounding;
  int step = 0;
  for (int s = 0; s < 3; s++) {
    const long double at = (long double)l->steps[s] - (long double)l->times[0];
    beside |= fabsl(phase - at) <= rounding;
    if (phase >= at) step = s;
  }
  if (!beside && t[0] != l->held[step][0])
    fail_msg("start %g, clock %.17g: the curve that holds has %g", l->times[0], clock, (double)t[0]);
}

/* The clocks are exact numbers; between two tested moments passes a part of a frame. */
static void long_clocks(void **state) {
  (void)state;
  static const double starts[] = {0, 0.5, -3.25, 100.1, -20.04}, lengths[] = {1, 1.001, 0.7},
                      clocks[] = {0, 1, HOUR, DAY, 100 * DAY, YEAR, -1, -HOUR, -YEAR};
  enum { TIMES = 1000 };
  static loop l;
  for (int i = 0; i < 5 * 3 * 2; i++) {
    open_loop(&l, starts[i / 6], lengths[i / 2 % 3], i % 2);
    for (size_t c = 0; c < sizeof clocks / sizeof *clocks; c++)
      for (int n = 0; n < TIMES; n++) check_moment(&l, l.times[0] + clocks[c] + 1.1 * n / TIMES);
    quatsimd_clip_free(NULL, l.data);
  }
}

/* ---- rounds ---- */

/* Opens a clip with linear translations from 0 at the first time to 1 at the last time. */
static void open_ramp(loop *l, const double *times, size_t keys, bool additive, bool even) {
  static const float values[4][3] = {{0}, {0.125f}, {0.5f}, {1}};
  float ramp[4][3];
  memset(l, 0, sizeof *l);
  memcpy(ramp, values, sizeof ramp), memcpy(ramp[keys - 1], values[3], sizeof ramp[0]);
  const double none = 0;
  const quatsimd_clip_joint joint = {.parent = -1, .translation = {keys, times, ramp[0], 0}},
                            base = {.parent = -1, .translation = {1, &none, values[0], 0}};
  const quatsimd_clip_source source = {1, &joint, 0, NULL}, on = {1, &base, 0, NULL};
  quatsimd_clip_options options;
  quatsimd_clip_options_init(&options, sizeof options);
  options.translation_bound = 0.001f;
  if (additive) options.additive = QUATSIMD_CLIP_ADDITIVE_BASE, options.additive_base = &on;
  size_t size;
  assert_int_equal(quatsimd_clip_encode(&l->data, &size, &source, &options, NULL), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_open(&l->clip, &l->storage, sizeof l->storage, l->data, size), QUATSIMD_OK);
  assert_true((quatsimd_clip_rate(l->clip) > 0) == even);
}

/* Compares the times that clocks get with those of the C library's fmod. Clips that are additive to a base
 * take times exactly. */
static void rounds_are_exact(void **state) {
  (void)state;
  enum { CLIPS = 200, TIMES = 400 };
  static loop l;
  uint64_t random = 91;
  for (int i = 0; i < CLIPS; i++) {
    const bool even = i % 2;
    const double start = i % 4 < 2 ? 0 : ldexp(random_unit(&random) - 0.5, (int)(sweep_next(&random) % 12)),
                 length = ldexp(0.5 + random_unit(&random), (int)(sweep_next(&random) % 12) - 6);
    const double times[] = {start, start + 0.0371 * length, start + 0.31 * length, start + length};
    if (even) open_ramp(&l, (const double[]){start, start + length}, 2, true, true);
    else open_ramp(&l, times, 4, true, false);
    const double duration = quatsimd_clip_duration(l.clip), first = quatsimd_clip_start(l.clip);
    for (int n = 0; n < TIMES; n++) {
      const double far = ldexp(1 + random_unit(&random), (int)(sweep_next(&random) % 52)),
                   whole = floor(far) * duration,
                   x = n % 4 == 0   ? far * duration
                       : n % 4 == 1 ? whole
                       : n % 4 == 2 ? nextafter(whole, (double)INFINITY)
                                    : nextafter(whole, 0),
                   clock = first + (n % 8 < 4 ? x : -x);
      double wanted = fmod(clock - first, duration);
      if (wanted < 0) wanted += duration;
      wanted += first;
      clip_position p;
      quatsimd_clip_position_of(&p, l.clip, clock, QUATSIMD_CLIP_WRAP_LOOP);
      if (wanted >= first + duration) wanted = first; /* rounding made it the end */
      /* even frames bring times within some roundings of a double to the frame; and a time so near to the
       * end that the fraction of the interval is 1 as a float is the end's */
      const double most = even       ? 0x1p-49 * fmax(fabs(first), fabs(first + duration))
                          : p.t == 0 ? 0x1p-25 * duration
                                     : 0;
      const double off = fmin(fabs(p.time - wanted), fabs(p.time + duration - wanted));
      if (!(off <= most))
        fail_msg("start %.17g, duration %.17g, clock %.17g: %.17g, not %.17g", first, duration, clock, p.time,
                 wanted);
    }
    quatsimd_clip_free(NULL, l.data);
  }
}

/* At a rounding before the start of a round, as after the end of one, a loop has its first pose. The ends of
 * these clips differ. */
static void ends_of_rounds(void **state) {
  (void)state;
  static const double starts[] = {0, 10, -10, -1.3, 0.1, 700.7, -700.7, -0.25};
  static loop l;
  for (size_t s = 0; s < 8; s++)
    for (int even = 0; even < 2; even++) {
      double start = starts[s];
      const double times[] = {start, start + 0.4, start + 0.7, start + 1.1};
      if (even) open_ramp(&l, (const double[]){start, start + 1.1}, 2, false, true);
      else open_ramp(&l, times, 4, false, false);
      start = quatsimd_clip_start(l.clip); /* as a float, in clips with their own times */
      const double end = quatsimd_clip_frame_time(l.clip, quatsimd_clip_frame_count(l.clip) - 1),
                   rounding = 0x1p-24 * fmax(fabs(start), fabs(end));
      static const double parts[] = {0, 0.01, 0.5, 0.99};
      float first[3], t[3];
      quatsimd_pose_out pose = {.translations = quatsimd_aos_out(first)};
      assert_int_equal(quatsimd_clip_sample(l.clip, &pose, NULL, start, QUATSIMD_CLIP_WRAP_CLAMP, 0), 0);
      pose.translations = quatsimd_aos_out(t);
      for (int round = -2; round < 4; round++)
        for (int i = 0; i < 8; i++) {
          const double off = (i % 2 ? 1 : -1) * parts[i / 2] * rounding,
                       clock = start + round * quatsimd_clip_duration(l.clip) + off;
          if (clock >= start && clock <= end) continue; /* inside the clip, a time has its own rounding */
          assert_int_equal(quatsimd_clip_sample(l.clip, &pose, NULL, clock, QUATSIMD_CLIP_WRAP_LOOP, 0), 0);
          if (memcmp(first, t, sizeof t) != 0)
            fail_msg("start %g, even %d, clock %.17g: %g, not the first pose", start, even, clock,
                     (double)t[0]);
        }
      quatsimd_clip_free(NULL, l.data);
    }
}

/* Rounding may bring no time of a year's clock to a frame: the slack is that of the clip's own times. */
static void slack_is_that_of_the_clip(void **state) {
  (void)state;
  static loop l;
  for (int even = 0; even < 2; even++) {
    const double times[] = {5, 5.2718, 5.5, 6};
    if (even) open_ramp(&l, (const double[]){5, 6}, 2, false, true);
    else open_ramp(&l, times, 4, false, false);
    const double slack = 6 * 0x1p-24;
    for (int i = 1; i < 4; i++) {
      clip_position p;
      quatsimd_clip_position_of(&p, l.clip, YEAR + 5 + 1e-6 * i, QUATSIMD_CLIP_WRAP_LOOP);
      assert_true(p.t > 0 && p.time > 5);
      quatsimd_clip_position_of(&p, l.clip, DAY + 5 + slack * (1 - 0.2 * i), QUATSIMD_CLIP_WRAP_LOOP);
      assert_true(p.frame == 0 && p.t == 0 && p.time == 5);
      quatsimd_clip_position_of(&p, l.clip, DAY + 5 - slack * (1 - 0.2 * i), QUATSIMD_CLIP_WRAP_LOOP);
      assert_true(p.frame == 0 && p.t == 0 && p.time == 5);
      quatsimd_clip_position_of(&p, l.clip, DAY + 5 - slack * (1 + 0.2 * i), QUATSIMD_CLIP_WRAP_LOOP);
      assert_true(p.t > 0 && p.time < 6 && p.time > 5.9);
    }
    quatsimd_clip_free(NULL, l.data);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(long_clocks),
      cmocka_unit_test(rounds_are_exact),
      cmocka_unit_test(ends_of_rounds),
      cmocka_unit_test(slack_is_that_of_the_clip),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
