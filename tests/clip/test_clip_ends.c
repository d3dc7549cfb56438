/* Checks that clips begin with the first key of all curves and end with the last one, in sources whose curves
 * interpolate in different ways and have different extents. */
#include "fixture.h"

enum { MOST_KEYS = 24, CURVES = 3 };
#define BOUND 0.001

/* Curve 0 is linear, curve 1 holds and curve 2 is a spline; each is the translation of a joint of its own. */
typedef struct drawn {
  double times[CURVES][MOST_KEYS], start, end;
  float values[CURVES][9 * MOST_KEYS];
  quatsimd_clip_joint joints[CURVES], none[CURVES];
  quatsimd_clip_source source, base;
  quatsimd_clip_options options;
} drawn;

static size_t below(uint64_t *random, size_t count) { return (size_t)(sweep_next(random) % count); }

static void draw_curve(drawn *d, int i, uint64_t *random, double rate, bool even) {
  quatsimd_curve *const curve = &d->joints[i].translation;
  const size_t keys = 2 + below(random, i == 0 ? MOST_KEYS - 2 : 6), width = i == 2 ? 9 : 3,
               at = i == 2 ? 3 : 0;
  const double longest[CURVES] = {1, 5, 9};
  /* a key of a curve that holds may lie beside the frames of the others */
  double x = d->start + (double)below(random, 6) / rate;
  for (size_t k = 0; k < keys; k++) {
    const double beside = i == 1 && below(random, 2) ? 0.3 : 0;
    d->times[i][k] = even ? d->start + (floor((x - d->start) * rate + 0.5) + beside) / rate : x;
    x += (even ? 1 + floor(longest[i] * random_unit(random)) : 0.2 + longest[i] * random_unit(random)) / rate;
    for (size_t c = 0; c < width; c++) d->values[i][width * k + c] = (float)random_unit(random) - 0.5f;
  }
  if (d->options.looping)
    memcpy(d->values[i] + width * (keys - 1) + at, d->values[i] + at, 3 * sizeof(float));
  *curve = (quatsimd_curve){keys, d->times[i], d->values[i],
                            i == 0   ? QUATSIMD_CURVE_LINEAR
                            : i == 1 ? QUATSIMD_CURVE_HOLD
                                     : QUATSIMD_CURVE_CUBIC};
  d->start = fmin(d->start, d->times[i][0]), d->end = fmax(d->end, d->times[i][keys - 1]);
}

/* Draws number n: even and uneven times, with and without a loop, all kinds of additivity. */
static void draw(drawn *d, size_t n) {
  static const double starts[] = {0, 1, -2, 12.34}, rates[] = {30, 24, 10, 7.3};
  static const float still[3] = {0.25f, 0, 0};
  uint64_t random = n;
  memset(d, 0, sizeof *d);
  quatsimd_clip_options_init(&d->options, sizeof d->options);
  d->options.translation_bound = (float)BOUND;
  d->options.looping = n / 2 % 2, d->options.additive = (quatsimd_clip_additivity)(n / 4 % 3);
  for (int i = 0; i < CURVES; i++)
    d->joints[i].parent = d->none[i].parent = -1,
    d->none[i].translation = (quatsimd_curve){1, NULL, still, QUATSIMD_CURVE_LINEAR};
  d->source = (quatsimd_clip_source){CURVES, d->joints, 0, NULL};
  d->base = (quatsimd_clip_source){CURVES, d->none, 0, NULL};
  if (d->options.additive == QUATSIMD_CLIP_ADDITIVE_BASE) d->options.additive_base = &d->base;
  const double first = starts[below(&random, 4)], rate = rates[below(&random, 4)];
  const size_t used = 1 + below(&random, 7);
  double start = INFINITY, end = -INFINITY;
  for (int i = 0; i < CURVES; i++) {
    if (!(used >> i & 1)) continue;
    d->start = first, d->end = first;
    draw_curve(d, i, &random, rate, n % 2);
    start = fmin(start, d->times[i][0]), end = fmax(end, d->end);
  }
  d->start = start, d->end = end;
}

/* Returns component x of a curve at a time, as glTF defines it. */
static double true_value(const quatsimd_curve *curve, double time) {
  const size_t width = curve->interpolation == QUATSIMD_CURVE_CUBIC ? 9 : 3, at = width == 9 ? 3 : 0,
               last = curve->key_count - 1;
  const float *v = curve->values;
  size_t k = 0;
  while (k < last && curve->times[k + 1] <= time) k++;
  if (time <= curve->times[0] || k == last || curve->interpolation == QUATSIMD_CURVE_HOLD)
    return (double)v[width * k + at];
  const double length = curve->times[k + 1] - curve->times[k], u = (time - curve->times[k]) / length;
  const double a = (double)v[width * k + at], b = (double)v[width * (k + 1) + at];
  if (width == 3) return a + (b - a) * u;
  const double out = length * (double)v[9 * k + 6], in = length * (double)v[9 * (k + 1)];
  return (2 * u * u * u - 3 * u * u + 1) * a + (u * u * u - 2 * u * u + u) * out +
         (3 * u * u - 2 * u * u * u) * b + (u * u * u - u * u) * in;
}

static void check_at(const drawn *d, const quatsimd_clip *clip, size_t n, double time) {
  float to[3 * CURVES];
  quatsimd_pose_out pose = {.translations = quatsimd_aos_out(to)};
  /* at its end a loop has its first pose */
  if (time < d->start || time > d->end || (d->options.looping && time > d->end - 1e-5)) return;
  assert_int_equal(quatsimd_clip_sample(clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_CLIP, 0), QUATSIMD_OK);
  for (int i = 0; i < CURVES; i++) {
    const quatsimd_curve *curve = &d->joints[i].translation;
    if (curve->key_count == 0) continue;
    const double before = d->options.additive == QUATSIMD_CLIP_ADDITIVE_FIRST  ? true_value(curve, -1e9)
                          : d->options.additive == QUATSIMD_CLIP_ADDITIVE_BASE ? 0.25
                                                                               : 0;
    const double off = fabs((double)to[3 * i] + before - true_value(curve, time));
    if (!(off <= BOUND + 1e-6))
      fail_msg("draw %zu, curve %d at %.9g: off by %g, the clip is from %.9g to %.9g", n, i, time, off,
               d->start, d->end);
  }
}

static void ends_are_those_of_all_curves(void **state) {
  (void)state;
  enum { DRAWS = 1200, TIMES = 300 };
  for (size_t n = 0; n < DRAWS; n++) {
    static drawn d;
    quatsimd_clip_storage storage;
    quatsimd_clip *clip;
    quatsimd_clip_report report;
    void *data;
    size_t size;
    draw(&d, n);
    quatsimd_clip_report_init(&report, sizeof report);
    if (quatsimd_clip_encode(&data, &size, &d.source, &d.options, &report) != QUATSIMD_OK)
      fail_msg("draw %zu: %s", n, report.error);
    assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, data, size), QUATSIMD_OK);
    const double start = quatsimd_clip_start(clip), end = start + quatsimd_clip_duration(clip);
    if (!(fabs(start - d.start) <= 4e-6) || !(fabs(end - d.end) <= 4e-6))
      fail_msg("draw %zu: the clip is from %.9g to %.9g, the source from %.9g to %.9g", n, start, end,
               d.start, d.end);
    for (int i = 0; i < TIMES; i++) check_at(&d, clip, n, d.start + (d.end - d.start) * (i + 0.41) / TIMES);
    for (int i = 0; i < CURVES; i++)
      for (size_t k = 0; k < d.joints[i].translation.key_count; k++)
        check_at(&d, clip, n, d.times[i][k] + 1e-5), check_at(&d, clip, n, d.times[i][k] - 1e-5);
    quatsimd_clip_free(NULL, data);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_are_those_of_all_curves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
