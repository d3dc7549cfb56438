/* Compares quatsimd_clip_sample_velocities with a model in long double, written from docs/clip.md and
 * docs/clip-format.md: at frames, between them, at both ends, outside and on long clocks. Curves with a value
 * at each frame are differences of decoded frames. The model evaluates other curves and differentiates them
 * numerically.
 *
 *   test_velocities                   runs the tests
 *   test_velocities --only PATTERN    runs some
 *   test_velocities --write           prints tests/clip/velocities.txt
 *   test_velocities --bundles FILE... checks the clips of bundles, and prints the largest errors */
#include "clip/sample/still.h" /* before fixture.h, which has other meanings for some of its words */

#include "fixture.h"

#include "random_scenes.h"
#include "support/denormals.h"
#include "support/hash.h"
#include "support/kernels.h"
#include "support/sanitized.h"

#include "quatsimd/bundle.h"

#include <inttypes.h>

#include "support/skip.h"

enum { ANGULAR, LINEAR, KINDS }; /* QUATSIMD_CLIP_ROTATION and QUATSIMD_CLIP_TRANSLATION */

typedef struct vector {
  long double v[3];
} vector;

static long double length_of(vector a) { return sqrtl(a.v[0] * a.v[0] + a.v[1] * a.v[1] + a.v[2] * a.v[2]); }
static vector minus(vector a, vector b) {
  for (int i = 0; i < 3; i++) a.v[i] -= b.v[i];
  return a;
}
static vector scaled_by(vector a, long double by) {
  for (int i = 0; i < 3; i++) a.v[i] *= by;
  return a;
}

/* ---- rotations in long double ---- */

static value product_of(value a, value b) {
  const long double *p = a.v, *q = b.v;
  return (value){{p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
                  p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
                  p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3],
                  p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2]}};
}
static value inverse_of(value a) { return (value){{-a.v[0], -a.v[1], -a.v[2], a.v[3]}}; }
static value unit_value(value a) {
  const long double n = sqrtl(a.v[0] * a.v[0] + a.v[1] * a.v[1] + a.v[2] * a.v[2] + a.v[3] * a.v[3]);
  for (int i = 0; i < 4; i++) a.v[i] /= n;
  return a;
}

/* Returns the rotation vector from a to b. b counts as negated if the cosine of half the turn is below
 * `least`. */
static vector turn_from(value a, value b, long double least) {
  value d = product_of(unit_value(b), inverse_of(unit_value(a)));
  if (d.v[3] < least)
    for (int i = 0; i < 4; i++) d.v[i] = -d.v[i];
  const vector v = {{d.v[0], d.v[1], d.v[2]}};
  const long double s = length_of(v), angle = 2 * atan2l(s, d.v[3]);
  return scaled_by(v, s > 0 ? angle / s : 2);
}

/* ---- curves with their own keys ---- */

/* A moment. at_end: velocities are those before it. frame, share: the position among frames. */
typedef struct moment {
  double clock; /* the caller's time */
  quatsimd_clip_wrap wrap;
  double time; /* seconds, in the clip */
  bool at_end, outside;
  size_t frame; /* the first frame of the interval */
  double slack; /* the error of `time` by rounding the clock */
} moment;

/* Returns the number of the key at which the curve's piece begins, or SIZE_MAX if the curve does not move. */
static size_t piece_of(const clip_keyed *keys, const moment *m) {
  for (size_t k = 0; k + 1 < keys->count; k++) {
    const double from = clip_keyed_time(keys, k), to = clip_keyed_time(keys, k + 1);
    if (m->at_end ? from < m->time && m->time <= to : from <= m->time && m->time < to) return k;
  }
  return SIZE_MAX;
}

static value key_value(const clip_keyed *keys, size_t k) {
  value q = {{0}};
  if (keys->spline) {
    double number[SPLINE_NUMBERS][4];
    quatsimd_clip_load_numbers(number, keys, k, false);
    for (size_t i = 0; i < keys->components; i++) q.v[i] = number[SPLINE_VALUE][i];
  } else {
    float loaded[4] = {0};
    quatsimd_clip_load_key(loaded, keys, k);
    for (size_t i = 0; i < keys->components; i++) q.v[i] = loaded[i];
  }
  return keys->kind == QUATSIMD_CLIP_ROTATION ? unit_value(q) : q;
}

/* Evaluates the piece that begins at key k, `later` seconds after the moment, or the curve where it does not
 * move. */
static value piece_at(const clip_keyed *keys, size_t k, const moment *m, long double later) {
  if (k == SIZE_MAX) {
    size_t last = 0;
    while (last + 1 < keys->count && clip_keyed_time(keys, last + 1) <= m->time) last++;
    return key_value(keys, last);
  }
  const long double from = clip_keyed_time(keys, k), span = clip_keyed_time(keys, k + 1) - from,
                    t = (m->time - from + later) / span;
  if (keys->hold) return key_value(keys, k);
  if (!keys->spline) return slerped(keys->kind, key_value(keys, k), key_value(keys, k + 1), t);
  double n[SPLINE_NUMBERS][4];
  value q = {{0}};
  quatsimd_clip_load_numbers(n, keys, k, true);
  for (size_t i = 0; i < keys->components; i++)
    q.v[i] = (2 * t * t * t - 3 * t * t + 1) * n[SPLINE_VALUE][i] +
             (3 * t * t - 2 * t * t * t) * n[SPLINE_NEXT][i] +
             (t * t * t - 2 * t * t + t) * n[SPLINE_OUT][i] + (t * t * t - t * t) * n[SPLINE_IN][i];
  return keys->kind == QUATSIMD_CLIP_ROTATION ? unit_value(q) : q;
}

static vector difference_of(int kind, value a, value b) {
  if (kind == QUATSIMD_CLIP_ROTATION) return turn_from(a, b, 0);
  return (vector){{b.v[0] - a.v[0], b.v[1] - a.v[1], b.v[2] - a.v[2]}};
}

/* Returns the velocity of a curve, which may be a pair. *size gets what errors are relative to, *noise the
 * model's own error by rounding. */
static vector keyed_velocity(const clip_keyed *keys, const moment *m, long double *size, long double *noise) {
  const clip_keyed base = keys->pair ? quatsimd_clip_keyed_base(keys) : *keys;
  const size_t k = piece_of(keys, m), of_base = keys->pair ? piece_of(&base, m) : SIZE_MAX;
  long double span = 1;
  if (k != SIZE_MAX) span = clip_keyed_time(keys, k + 1) - clip_keyed_time(keys, k);
  if (of_base != SIZE_MAX)
    span = fminl(span, clip_keyed_time(&base, of_base + 1) - clip_keyed_time(&base, of_base));
  const long double h = span * 1e-6L;
  value at[4];
  *size = *noise = 0;
  for (int side = 0; side < 4; side++) {
    static const int steps[] = {-2, -1, 1, 2};
    at[side] = piece_at(keys, k, m, steps[side] * h);
    const value below = piece_at(&base, of_base, m, steps[side] * h);
    for (int i = 0; i < 4; i++) *noise += 0x1p-56L * (fabsl(at[side].v[i]) + fabsl(below.v[i])) / h;
    if (!keys->pair) continue;
    if (keys->kind == QUATSIMD_CLIP_ROTATION) at[side] = product_of(inverse_of(below), at[side]);
    else
      for (int i = 0; i < 3; i++) at[side].v[i] -= below.v[i];
  }
  /* Richardson's rule: the third derivative does not matter */
  const vector v = minus(scaled_by(difference_of(keys->kind, at[1], at[2]), 4 / (6 * h)),
                         scaled_by(difference_of(keys->kind, at[0], at[3]), 1 / (12 * h)));
  if (k != SIZE_MAX)
    *size = length_of(difference_of(keys->kind, piece_at(keys, k, m, -h), piece_at(keys, k, m, h))) / (2 * h);
  if (of_base != SIZE_MAX)
    *size += length_of(
                 difference_of(keys->kind, piece_at(&base, of_base, m, -h), piece_at(&base, of_base, m, h))) /
             (2 * h);
  return v;
}

/* ---- a clip ---- */

/* A clip and the velocities that were computed last, with guards. `frames` are two decoded frames. */
typedef struct subject {
  const char *name;
  const quatsimd_clip *clip;
  size_t joints;
  float *got[KINDS], *frames[KINDS];
  long double worst[KINDS];                            /* the largest relative error */
  size_t moving, keyed, pairs, splines, holds, turned; /* how many velocities were not 0 */
  uint64_t random;
} subject;

enum { MARGIN = 8 };
static const float MARK = -12345.5f;

static void subject_open(subject *s, const char *name, const quatsimd_clip *clip, uint64_t seed) {
  *s = (subject){.name = name, .clip = clip, .joints = quatsimd_clip_joint_count(clip), .random = seed};
  for (int kind = 0; kind < KINDS; kind++) {
    s->got[kind] = malloc((3 * s->joints + MARGIN) * sizeof(float));
    s->frames[kind] = malloc((8 * s->joints + MARGIN) * sizeof(float));
    assert_true(s->got[kind] && s->frames[kind]);
  }
}
static void subject_close(subject *s) {
  for (int kind = 0; kind < KINDS; kind++) free(s->got[kind]), free(s->frames[kind]);
}

static void compute(subject *s, const moment *m) {
  quatsimd_velocities_out to = {quatsimd_aos_out(s->got[ANGULAR]), quatsimd_aos_out(s->got[LINEAR])};
  for (int kind = 0; kind < KINDS; kind++)
    for (size_t i = 0; i < 3 * s->joints + MARGIN; i++) s->got[kind][i] = MARK;
  assert_int_equal(quatsimd_clip_sample_velocities(s->clip, &to, m->clock, m->wrap), QUATSIMD_OK);
  for (int kind = 0; kind < KINDS; kind++)
    for (size_t i = 0; i < 3 * s->joints + MARGIN; i++)
      if ((s->got[kind][i] == MARK) != (i >= 3 * s->joints))
        fail_msg("%s: kind %d: float %zu of %zu is written or not", s->name, kind, i, 3 * s->joints);
}

static void expect(subject *s, const moment *m, int kind, size_t joint, vector want, long double relative_to,
                   long double slack) {
  const float *f = s->got[kind] + 3 * joint;
  const vector got = {{f[0], f[1], f[2]}};
  const long double error = length_of(minus(got, want)), size = fmaxl(relative_to, length_of(want));
  if (size > 0x1p+60L) return; /* beyond what curves of tests should have */
  if (!(error <= 2e-7L * size + slack + 0x1p-88L))
    fail_msg("%s at %.17g (wrap %d, %.17g in the clip, frame %zu, end %d, outside %d): kind %d, joint %zu: "
             "(%.9g, %.9g, %.9g), not (%.9Lg, %.9Lg, %.9Lg)",
             s->name, m->clock, (int)m->wrap, m->time, m->frame, m->at_end, m->outside, kind, joint,
             (double)f[0], (double)f[1], (double)f[2], want.v[0], want.v[1], want.v[2]);
  if (slack < 1e-9L * size) s->worst[kind] = fmaxl(s->worst[kind], error / size);
}

/* Decodes the frames of the moment's interval. */
static void decode_interval(subject *s, const moment *m) {
  quatsimd_pose_out pose = {.rotations = quatsimd_aos_out(s->frames[ANGULAR]),
                            .translations = quatsimd_aos_out(s->frames[LINEAR])};
  assert_int_equal(quatsimd_clip_decode(s->clip, &pose, NULL, m->frame, 2, 0), QUATSIMD_OK);
}

static void check(subject *s, const moment *m) {
  const bool two = quatsimd_clip_frame_count(s->clip) > 1 && !m->outside;
  const long double rate = quatsimd_clip_rate(s->clip),
                    apart = rate > 0 ? 1 / rate
                                     : (long double)quatsimd_clip_frame_time(s->clip, m->frame + 1) -
                                           quatsimd_clip_frame_time(s->clip, m->frame);
  compute(s, m);
  if (two) decode_interval(s, m);
  for (int kind = 0; kind < KINDS; kind++) {
    const quatsimd_clip_part part = clip_part_of(s->clip, kind);
    const unsigned char *keys_at = part.keys;
    const size_t n = components(kind);
    for (size_t j = 0; j < s->joints; j++) {
      const quatsimd_clip_state state = quatsimd_clip_curve_state(s->clip, kind, j);
      vector want = {{0}};
      long double size = 0, slack = 0, noise = 0;
      if (state == QUATSIMD_CLIP_MOVING && two) {
        const value a = value_of(kind, s->frames[kind] + n * j),
                    b = value_of(kind, s->frames[kind] + n * (s->joints + j));
        want = kind == ANGULAR ? turn_from(a, b, -1 / 16.0L) : difference_of(kind, a, b);
        s->turned += kind == ANGULAR && length_of(want) > 3.1416L;
        want = scaled_by(want, 1 / apart);
        noise = 0x1p-60L / apart;
        s->moving += length_of(want) > 0;
      } else if (state == QUATSIMD_CLIP_KEYED) {
        const clip_keyed keys = clip_keyed_at(s->clip, kind, keys_at);
        want = keyed_velocity(&keys, m, &size, &noise);
        /* the turn of a base between its keys is that of sampling, which differs from slerp */
        if (keys.pair && kind == ANGULAR && !quatsimd_clip_keyed_base(&keys).spline) slack = 1.3e-5L * size;
        for (int side = -1; side < 2 && m->slack > 0; side += 2) {
          moment near = *m;
          long double unused[2];
          near.time += side * m->slack;
          slack =
              fmaxl(slack, 2 * length_of(minus(keyed_velocity(&keys, &near, &unused[0], &unused[1]), want)));
        }
        s->keyed += length_of(want) > 0, s->pairs += keys.pair && length_of(want) > 0;
        s->splines += keys.spline && length_of(want) > 0, s->holds += keys.hold;
        keys_at = quatsimd_clip_keyed_end(&keys);
      }
      expect(s, m, kind, j, want, size, slack + noise);
    }
  }
}

/* ---- moments ---- */

static bool loops_as(const subject *s, quatsimd_clip_wrap wrap) {
  return wrap == QUATSIMD_CLIP_WRAP_LOOP ||
         (wrap == QUATSIMD_CLIP_WRAP_CLIP && quatsimd_clip_is_looping(s->clip));
}

/* Returns the moment at a frame: that after it, or at the end of a clip that does not loop, before it. */
static moment at_frame(const subject *s, size_t frame, quatsimd_clip_wrap wrap) {
  const size_t last = quatsimd_clip_frame_count(s->clip) - 1;
  moment m = {.wrap = wrap, .frame = frame, .clock = quatsimd_clip_frame_time(s->clip, frame)};
  if (frame == last && loops_as(s, wrap)) m.frame = frame = 0;
  m.time = quatsimd_clip_frame_time(s->clip, frame);
  m.at_end = frame == last;
  if (m.at_end && last > 0) m.frame--;
  return m;
}

static moment between_frames(const subject *s, size_t frame, double share, quatsimd_clip_wrap wrap) {
  const double from = quatsimd_clip_frame_time(s->clip, frame),
               time = from + share * (quatsimd_clip_frame_time(s->clip, frame + 1) - from);
  return (moment){.wrap = wrap, .frame = frame, .clock = time, .time = time};
}

/* Moves a moment's clock by whole rounds, unless the clock is then too coarse for it. */
static void check_later(subject *s, moment m, double rounds, bool is_frame) {
  const double duration = quatsimd_clip_duration(s->clip), clock = m.clock + rounds * duration,
               coarse = fabs(clock) * 0x1p-51 + fabs(m.time) * 0x1p-51;
  const size_t last = quatsimd_clip_frame_count(s->clip) - 1;
  const double end = quatsimd_clip_frame_time(s->clip, last), start = quatsimd_clip_start(s->clip);
  double shortest = duration; /* the shorter interval beside the moment */
  for (size_t f = m.frame ? m.frame - 1 : 0; f <= m.frame + 1 && f < last; f++)
    shortest =
        fmin(shortest, quatsimd_clip_frame_time(s->clip, f + 1) - quatsimd_clip_frame_time(s->clip, f));
  if (!(duration > 0) || !loops_as(s, m.wrap) || coarse > 0.05 * shortest) return;
  const bool snaps = quatsimd_clip_additive(s->clip) != QUATSIMD_CLIP_ADDITIVE_BASE &&
                     coarse < 0.9 * 0x1p-24 * fmax(fabs(start), fabs(end));
  if (is_frame && !snaps) return;
  m.clock = clock, m.slack = is_frame ? 0 : coarse;
  check(s, &m);
}

static void check_frame(subject *s, size_t frame, quatsimd_clip_wrap wrap) {
  const size_t last = quatsimd_clip_frame_count(s->clip) - 1;
  moment m = at_frame(s, frame, wrap);
  check(s, &m);
  const double rounded = (double)(float)m.clock, off = 8.1 * fabs(rounded - m.clock);
  const double before = frame ? m.clock - quatsimd_clip_frame_time(s->clip, frame - 1) : INFINITY,
               after = frame < last ? quatsimd_clip_frame_time(s->clip, frame + 1) - m.clock : INFINITY;
  const bool inside = frame > 0 && frame < last;
  if (quatsimd_clip_additive(s->clip) != QUATSIMD_CLIP_ADDITIVE_BASE && off < before && off < after &&
      (inside || !loops_as(s, wrap))) {
    moment near = m;
    near.clock = rounded;
    check(s, &near);
  }
  if (frame == last) return;
  static const double rounds[] = {1, -1, 7, -1000, 3e6};
  for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) check_later(s, m, rounds[i], true);
  m = between_frames(s, frame, 0.13 + 0.74 * random_unit(&s->random), wrap);
  check(s, &m);
  for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) check_later(s, m, rounds[i], false);
}

/* Checks times before and after the clip, those that are infinite, and NaN. */
static void check_outside(subject *s, quatsimd_clip_wrap wrap) {
  const size_t last = quatsimd_clip_frame_count(s->clip) - 1;
  const double start = quatsimd_clip_frame_time(s->clip, 0), end = quatsimd_clip_frame_time(s->clip, last),
               some = 1e-5 + 1e-3 * (end - start) + 1e-5 * fmax(fabs(start), fabs(end));
  moment m = at_frame(s, 0, wrap);
  m.clock = NAN;
  check(s, &m);
  for (int sign = -1; sign < 2; sign += 2) {
    static const double much[] = {1, 1e3, 1e6, 1e30, INFINITY};
    for (size_t i = 0; i < sizeof much / sizeof *much && !loops_as(s, wrap); i++) {
      const double clock = (sign < 0 ? start : end) + sign * some * much[i];
      m = (moment){.wrap = wrap, .clock = clock, .time = clock, .outside = true};
      check(s, &m);
    }
    if (loops_as(s, wrap)) {
      m = at_frame(s, 0, wrap);
      m.clock = sign * (double)INFINITY;
      check(s, &m);
    }
  }
}

static void check_clip(subject *s) {
  const size_t frames = quatsimd_clip_frame_count(s->clip), most = s->joints > 200 ? 3 : 40;
  for (int wrap = QUATSIMD_CLIP_WRAP_CLIP; wrap <= QUATSIMD_CLIP_WRAP_LOOP; wrap++) {
    for (size_t i = 0; i < frames && i < most; i++) /* the first and last ones, and some of the others */
      check_frame(s,
                  frames <= most || i < most / 3 ? i
                  : i < 2 * most / 3             ? frames - 1 - (i - most / 3)
                                                 : (size_t)(random_unit(&s->random) * (double)frames),
                  wrap);
    check_outside(s, wrap);
  }
}

/* ---- the tests ---- */

/* A clip that a test makes of a scene. */
typedef struct own_clip {
  scene made;
  void *data;
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
} own_clip;

static void own_encode(own_clip *o) {
  size_t size;
  assert_int_equal(quatsimd_clip_encode(&o->data, &size, &o->made.source, &o->made.options, NULL),
                   QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_open(&o->clip, &o->storage, sizeof o->storage, o->data, size), QUATSIMD_OK);
}
static void own_done(own_clip *o) { quatsimd_clip_free(NULL, o->data), scene_free(&o->made); }

static void velocities_of_one(const own_clip *o, double time, float got[6]) {
  quatsimd_velocities_out to = {quatsimd_aos_out(got), quatsimd_aos_out(got + 3)};
  assert_int_equal(quatsimd_clip_sample_velocities(o->clip, &to, time, QUATSIMD_CLIP_WRAP_CLIP), QUATSIMD_OK);
}

/* Encodes joints that make half turns, so coarsely that some of the stored turns are longer than half a turn.
 * Velocities follow the stored turn, as sampling does. */
static void turns_beyond_half_a_turn(void **state) {
  (void)state;
  enum { JOINTS = 12, FRAMES = 60 };
  own_clip o = {0};
  subject s;
  scene_joints(&o.made, JOINTS);
  for (size_t j = 0; j < JOINTS; j++) {
    quatsimd_curve *const c = &o.made.joint[j].rotation;
    uint64_t random = j;
    *c = turning(&o.made, 40 + j, even_times(&o.made, FRAMES, 0, 30), FRAMES, 0.99 + 0.002 * (double)(j % 5));
    for (size_t i = 0; i < 4 * FRAMES; i++) values_of(c)[i] += (float)(0.01 * (random_unit(&random) - 0.5));
  }
  bounds_of(&o.made, 0.05f, 0, 0);
  own_encode(&o);
  subject_open(&s, "half turns", o.clip, 1);
  check_clip(&s);
  assert_true(s.turned > 100);
  subject_close(&s), own_done(&o);
}

/* The start is so far from 0 that a time near 0 counts as a frame's by more than its own rounding. Then it
 * counts as the frame's for curves with their own keys, too. */
static void keys_at_a_frame_far_from_the_start(void **state) {
  (void)state;
  enum { KEYS = 1003 };
  static const double few[] = {-1000, 0, 2};
  static const float moved[] = {0, 0, 0, 1000, 0, 0, 1006, 0, 0};
  own_clip o = {0};
  float got[6];
  scene_joints(&o.made, 1);
  o.made.joint[0].rotation = swinging(&o.made, 5, even_times(&o.made, KEYS, -1000, 1), KEYS, 0.5, 1);
  o.made.joint[0].translation = (quatsimd_curve){3, few, moved, QUATSIMD_CURVE_LINEAR};
  bounds_of(&o.made, 1e-3f, 1e-3f, 0), o.made.options.rate = 1;
  own_encode(&o);
  assert_int_equal(quatsimd_clip_curve_state(o.clip, QUATSIMD_CLIP_TRANSLATION, 0), QUATSIMD_CLIP_KEYED);
  static const struct {
    double time;
    float want;
  } cases[] = {{-1e-3, 1}, {-1e-6, 3}, {0, 3}, {1e-6, 3}, {2, 3}, {2 + 1e-6, 3}, {2.1, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    velocities_of_one(&o, cases[i].time, got);
    if (fabsf(got[3] - cases[i].want) > 1e-3f) fail_msg("at %g: %g", cases[i].time, (double)got[3]);
  }
  own_done(&o);
}

/* A spline whose quaternion passes through 0 has no angular velocity there. */
static void a_spline_without_direction(void **state) {
  (void)state;
  static const double times[] = {0, 2, 4};
  static const float values[] = {0, 0,  0, 0, 0, 0, 0, 1, 0, 0, 0,    0, 0, 0,    0, 0, 0, 0,
                                 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0.6f, 0, 0, 0.8f, 0, 0, 0, 0};
  own_clip o = {0};
  float got[6];
  scene_joints(&o.made, 1);
  o.made.joint[0].rotation = (quatsimd_curve){3, times, values, QUATSIMD_CURVE_CUBIC};
  bounds_of(&o.made, 1e-3f, 0, 0);
  own_encode(&o);
  assert_int_equal(quatsimd_clip_curve_state(o.clip, QUATSIMD_CLIP_ROTATION, 0), QUATSIMD_CLIP_KEYED);
  velocities_of_one(&o, 1, got);
  assert_true(got[0] == 0 && got[1] == 0 && got[2] == 0);
  velocities_of_one(&o, 3, got);
  assert_true(got[0] != 0 && got[1] == 0 && got[2] == 0);
  own_done(&o);
}

/* The base of a pair jumps at the end of the clip. The velocity at the end is that before the jump. */
static void a_base_that_jumps_at_the_end(void **state) {
  (void)state;
  enum { KEYS = 9 };
  own_clip o = {0};
  float before[6], at[6];
  scene *const s = &o.made;
  scene_joints(s, 1);
  const double *times = even_times(s, KEYS, 0, 2);
  s->joint[0].rotation = splined(s, swinging(s, 7, times, KEYS, 0.4, 1), 4);
  quatsimd_clip_joint *const base = scene_take(s, sizeof *base);
  base->parent = -1, base->rotation = holding(jumping(s, 8, times, KEYS));
  s->base = (quatsimd_clip_source){1, base, 0, NULL};
  s->options.additive = QUATSIMD_CLIP_ADDITIVE_BASE, s->options.additive_base = &s->base;
  bounds_of(s, 1e-3f, 0, 0);
  own_encode(&o);
  const quatsimd_clip_part part = clip_part_of(o.clip, QUATSIMD_CLIP_ROTATION);
  assert_true(part.keyed == 1 && clip_keyed_at(o.clip, QUATSIMD_CLIP_ROTATION, part.keys).pair);
  velocities_of_one(&o, times[KEYS - 1] - 1e-6, before), velocities_of_one(&o, times[KEYS - 1], at);
  for (int c = 0; c < 3; c++) assert_true(fabsf(before[c] - at[c]) < 1e-3f);
  assert_true(fabsf(at[0]) + fabsf(at[1]) + fabsf(at[2]) > 0.05f);
  own_done(&o);
}

/* A joint that turns by 1 radian a second about z and moves by 2 units a second along x, by hand. */
static void a_known_motion(void **state) {
  (void)state;
  enum { KEYS = 31 };
  own_clip o = {0};
  float rotations[4 * KEYS] = {0}, translations[3 * KEYS] = {0}, got[6];
  double times[KEYS];
  for (int k = 0; k < KEYS; k++) {
    times[k] = k / 30.0, translations[3 * k] = (float)(2 * times[k]);
    rotations[4 * k + 2] = (float)sin(times[k] / 2), rotations[4 * k + 3] = (float)cos(times[k] / 2);
  }
  scene_joints(&o.made, 1);
  o.made.joint[0].rotation = (quatsimd_curve){KEYS, times, rotations, QUATSIMD_CURVE_LINEAR};
  o.made.joint[0].translation = (quatsimd_curve){KEYS, times, translations, QUATSIMD_CURVE_LINEAR};
  bounds_of(&o.made, 1e-5f, 1e-5f, 0);
  own_encode(&o);
  for (int i = -5; i < 36; i++) {
    const bool outside = i < 0 || i > 30;
    velocities_of_one(&o, i / 30.0, got);
    for (int c = 0; c < 6; c++)
      assert_true(fabs((double)got[c] - (outside ? 0 : c == 2 ? 1 : c == 3 ? 2 : 0)) < 1e-3);
  }
  own_done(&o);
}

static size_t floats_in(const fixture *f) {
  return quatsimd_clip_frame_count(f->clip) * quatsimd_clip_joint_count(f->clip);
}

static void scenes_follow_the_model(void **state) {
  (void)state;
  subject all = {0};
  for (size_t i = 0; i < SCENES; i++) {
    fixture f;
    subject s;
    if (SANITIZED && (strcmp(scenes[i].name, "hour") == 0 || strcmp(scenes[i].name, "crowd") == 0)) continue;
    encode(&f, &scenes[i]);
    subject_open(&s, scenes[i].name, f.clip, i + 1);
    check_clip(&s);
    all.moving += s.moving, all.keyed += s.keyed, all.pairs += s.pairs, all.splines += s.splines;
    all.holds += s.holds, all.turned += s.turned;
    subject_close(&s), done(&f);
  }
  assert_true(all.moving > 10000 && all.keyed > 1000 && all.pairs > 1000 && all.splines > 1000);
  assert_true(all.holds > 1000 && all.turned > 0);
}

static void random_clips_follow_the_model(void **state) {
  (void)state;
  static random_scene random;
  subject all = {0};
  for (size_t f = 0; f < FAMILIES; f++)
    for (uint64_t seed = 1; seed < (SANITIZED ? 4 : 13); seed++) {
      void *data;
      size_t size;
      quatsimd_clip_storage storage;
      quatsimd_clip *clip;
      char name[60];
      subject s;
      scene_of_family(&random, &families[f], seed);
      if (quatsimd_clip_encode(&data, &size, &random.source, &random.options, NULL) != QUATSIMD_OK) continue;
      assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, data, size), QUATSIMD_OK);
      snprintf(name, sizeof name, "%s %d", families[f].name, (int)seed);
      subject_open(&s, name, clip, seed);
      check_clip(&s);
      all.moving += s.moving, all.keyed += s.keyed, all.pairs += s.pairs, all.splines += s.splines;
      subject_close(&s), quatsimd_clip_free(NULL, data);
    }
  assert_true(all.moving > 10000 && all.keyed > 1000 && all.pairs > 1000 && all.splines > 1000);
}

/* Returns the distance from a time to the nearest frame, or to the nearest key of a curve. */
static double room_at(const quatsimd_clip *clip, double time) {
  double room = INFINITY;
  for (size_t f = 0; f < quatsimd_clip_frame_count(clip); f++)
    room = fmin(room, fabs(time - quatsimd_clip_frame_time(clip, f)));
  for (int kind = 0; kind < KINDS; kind++) {
    const quatsimd_clip_part part = clip_part_of(clip, kind);
    const unsigned char *at = part.keys;
    for (size_t i = 0; i < part.keyed; i++) {
      clip_keyed keys = clip_keyed_at(clip, kind, at);
      at = quatsimd_clip_keyed_end(&keys);
      for (int both = 0; both < (keys.pair ? 2 : 1); both++) {
        const clip_keyed of = both ? quatsimd_clip_keyed_base(&keys) : keys;
        for (size_t k = 0; k < of.count; k++) room = fmin(room, fabs(time - clip_keyed_time(&of, k)));
      }
    }
  }
  return room;
}

/* Compares with differences of quatsimd_clip_sample alone, by Richardson's rule. Their errors: floats are
 * rounded, and rotations between frames differ from slerp. */
static void sampling_has_these_velocities(void **state) {
  (void)state;
  size_t compared = 0;
  for (size_t i = 0; i < SCENES; i++) {
    fixture f;
    subject s;
    encode(&f, &scenes[i]);
    if (floats_in(&f) > 20000 || floats_in(&f) == 0 || !(f.clip->duration > 0)) {
      done(&f);
      continue;
    }
    subject_open(&s, scenes[i].name, f.clip, i + 1);
    guarded_pose pose[4];
    for (int p = 0; p < 4; p++) pose[p] = guarded_pose_new(s.joints);
    for (int n = 0; n < 60; n++) {
      const double time = f.clip->start + random_unit(&s.random) * f.clip->duration,
                   room = 0.9 * room_at(f.clip, time), h[4] = {-room, -room / 2, room / 2, room};
      const moment m = {.clock = time, .wrap = QUATSIMD_CLIP_WRAP_CLIP};
      if (room < 1e-3 || room < 1e-6 * fabs(time)) continue;
      compute(&s, &m);
      for (int p = 0; p < 4; p++) sample(&f, time + h[p], QUATSIMD_CLIP_WRAP_CLIP, &pose[p]);
      for (int kind = 0; kind < KINDS; kind++)
        for (size_t j = 0; j < s.joints; j++) {
          const size_t c = components(kind);
          value at[4];
          long double size = 0;
          for (int p = 0; p < 4; p++) at[p] = value_of(kind, pose[p].at[kind] + c * j);
          for (size_t e = 0; e < c; e++) size += fabsl(at[0].v[e]) + fabsl(at[3].v[e]) + 0.05L;
          const vector wide = scaled_by(difference_of(kind, at[0], at[3]), 1 / (2 * (long double)room)),
                       near = scaled_by(difference_of(kind, at[1], at[2]), 1 / (long double)room),
                       best = minus(scaled_by(near, 4 / 3.0L), scaled_by(wide, 1 / 3.0L));
          const long double slope = length_of(minus(wide, near)),
                            noise = (kind == ANGULAR ? 5e-5L : 1e-6L * size) / room;
          /* a spline that passes near zero may turn within less time than this */
          const float *got = s.got[kind] + 3 * j;
          if (kind == ANGULAR &&
              (length_of(wide) + fabsf(got[0]) + fabsf(got[1]) + fabsf(got[2])) * room > 0.5L)
            continue;
          expect(&s, &m, kind, j, best, 0, 0.7L * slope + noise);
          compared += length_of(best) > 10 * (0.7L * slope + noise);
        }
    }
    for (int p = 0; p < 4; p++) guarded_pose_free(&pose[p]);
    subject_close(&s), done(&f);
  }
  assert_true(compared > 20000);
}

/* Any view gets the same floats, and a kind that is not wanted changes nothing. */
static void views_have_the_same_bits(void **state) {
  (void)state;
  static const char *const names[] = {"bodies", "pairs", "splines", "constants", "uneven_loop"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    fixture f;
    subject s;
    encode(&f, maker_of(names[i]));
    subject_open(&s, names[i], f.clip, 3);
    const moment m = {.clock = f.clip->start + 0.377 * f.clip->duration};
    compute(&s, &m);
    const size_t n = s.joints, padded = (n + 7) / 8 * 8;
    float *x = calloc(14 * padded, sizeof *x);
    assert_non_null(x);
    for (int kind = 0; kind < KINDS; kind++)
      for (int view = 0; view < 4; view++) {
        const quatsimd_out out = view == 0   ? quatsimd_soa_out(x, x + padded, x + 2 * padded, NULL)
                                 : view == 1 ? quatsimd_strided_out(x, 7 * sizeof *x)
                                 : view == 2 ? quatsimd_blocks_out(x, 4)
                                             : quatsimd_blocks_out(x, 8);
        quatsimd_velocities_out to = {{0}, {0}};
        *(kind == ANGULAR ? &to.angular : &to.linear) = out;
        assert_int_equal(quatsimd_clip_sample_velocities(f.clip, &to, m.clock, m.wrap), QUATSIMD_OK);
        for (size_t e = 0; e < 3 * n; e++) {
          const size_t j = e / 3, c = e % 3, block = view == 2 ? 4 : 8,
                       at = view == 0   ? c * padded + j
                            : view == 1 ? 7 * j + c
                                        : j / block * 3 * block + c * block + j % block;
          if (memcmp(&x[at], &s.got[kind][e], 4) != 0)
            fail_msg("%s: kind %d, view %d, joint %zu", names[i], kind, view, j);
        }
      }
    free(x), subject_close(&s), done(&f);
  }
}

static void wrong_arguments_are_refused(void **state) {
  (void)state;
  fixture f;
  encode(&f, maker_of("bodies"));
  float *to = calloc(6 * quatsimd_clip_joint_count(f.clip) + 1, sizeof *to);
  assert_non_null(to);
  quatsimd_velocities_out good = {quatsimd_aos_out(to),
                                  quatsimd_aos_out(to + 3 * quatsimd_clip_joint_count(f.clip))},
                          bad = good;
  const quatsimd_clip_wrap clip = QUATSIMD_CLIP_WRAP_CLIP;
  REFUSED(quatsimd_clip_sample_velocities(NULL, &good, 0, clip));
  REFUSED(quatsimd_clip_sample_velocities(f.clip, NULL, 0, clip));
  REFUSED(quatsimd_clip_sample_velocities(f.clip, &good, 0, (quatsimd_clip_wrap)3));
  REFUSED(quatsimd_clip_sample_velocities(f.clip, &good, 0, (quatsimd_clip_wrap)-1));
  bad.linear = bad.angular;
  REFUSED(quatsimd_clip_sample_velocities(f.clip, &bad, 0, clip));
  bad = good, bad.angular.x = NULL;
  REFUSED(quatsimd_clip_sample_velocities(f.clip, &bad, 0, clip));
  bad = good, bad.linear = quatsimd_strided_out(to, 8);
  REFUSED(quatsimd_clip_sample_velocities(f.clip, &bad, 0, clip));
  for (size_t i = 0; i < 6 * quatsimd_clip_joint_count(f.clip); i++) assert_true(to[i] == 0);
  bad = (quatsimd_velocities_out){{0}, {0}};
  assert_int_equal(quatsimd_clip_sample_velocities(f.clip, &bad, 0, clip), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_sample_velocities(f.clip, &good, 0, clip), QUATSIMD_OK);
  free(to), done(&f);
  encode(&f, maker_of("no_joints"));
  bad.angular.layout = (quatsimd_view_layout)99; /* views of a clip without joints are not read */
  assert_int_equal(quatsimd_clip_sample_velocities(f.clip, &bad, 0, clip), QUATSIMD_OK);
  done(&f);
}

/* ---- goldens ---- */

enum { MOST_BYTES = 20000 }; /* larger clips have no goldens */

/* Returns the hash of velocities at times like those of test_clip_kernels. */
static uint64_t hash_of(const fixture *f, bool flush) {
  enum { TIMES = 56 };
  uint64_t hash = 0;
  const size_t joints = quatsimd_clip_joint_count(f->clip);
  float *to = calloc(6 * joints + 1, sizeof *to);
  assert_non_null(to);
  quatsimd_velocities_out out = {quatsimd_aos_out(to), quatsimd_aos_out(to + 3 * joints)};
  for (int i = 0; i < TIMES; i++) {
    const double time = quatsimd_clip_start(f->clip) + quatsimd_clip_duration(f->clip) * (i - 4) / 47;
    flush_denormals(flush);
    const quatsimd_status status =
        quatsimd_clip_sample_velocities(f->clip, &out, time, QUATSIMD_CLIP_WRAP_CLIP);
    flush_denormals(false);
    assert_int_equal(status, QUATSIMD_OK);
    put_floats(to, to, 6 * joints);
    hash = XXH64(to, 6 * joints * sizeof *to, hash);
  }
  free(to);
  return hash;
}

/* Returns the number of kernels, times two for flushed denormals, whose velocities differ from the golden. */
static size_t wrong_hashes(const fixture *f, uint64_t wanted) {
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t n = all_kernels(tables);
  size_t bad = 0;
  for (size_t t = 0; t < n; t++)
    for (int flush = 0; flush < (flush_denormals(false) ? 2 : 1) && can_run(tables[t]); flush++) {
      quatsimd_use_kernels(tables[t]);
      if (hash_of(f, flush) == wanted) continue;
      print_error("%s, %s%s: velocities differ from the golden\n", tables[t]->name, f->name,
                  flush ? ", denormals flushed" : "");
      bad++;
    }
  quatsimd_use_kernels(NULL);
  return bad;
}

static void goldens(void **state) {
  (void)state;
  FILE *file = fopen(QUATSIMD_VELOCITY_GOLDENS, "r");
  if (!file) fail_msg("no %s", QUATSIMD_VELOCITY_GOLDENS);
  char line[200], name[100];
  size_t found = 0, bad = 0;
  while (fgets(line, sizeof line, file)) {
    uint64_t wanted;
    fixture f;
    if (line[0] == '#') continue;
    assert_int_equal(sscanf(line, "%99s %" SCNx64, name, &wanted), 2);
    encode(&f, maker_of(name));
    bad += wrong_hashes(&f, wanted), found++;
    done(&f);
  }
  fclose(file);
  assert_int_equal(bad, 0);
  assert_true(found > 40);
}

static int write_goldens(void) {
  puts("# Velocities of the clips of clips.h with at most 20,000 bytes: XXH64 (see test_velocities.c, which "
       "prints this with --write).");
  for (size_t i = 0; i < SCENES; i++) {
    fixture f;
    encode(&f, &scenes[i]);
    if (f.size <= MOST_BYTES) printf("%s %016" PRIx64 "\n", scenes[i].name, hash_of(&f, false));
    done(&f);
  }
  return 0;
}

/* ---- bundles ---- */

static void *read_all(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  long end = 0;
  if (!file || fseek(file, 0, SEEK_END) != 0 || (end = ftell(file)) < 0) fail_msg("cannot read %s", path);
  rewind(file);
  *size = (size_t)end;
  void *data = malloc(*size + 1);
  if (!data || fread(data, 1, *size, file) != *size) fail_msg("cannot read %s", path);
  fclose(file);
  return data;
}

static char **bundles;
static int bundle_count;
static void clips_of_bundles_follow_the_model(void **state) {
  (void)state;
  for (int b = 0; b < bundle_count; b++) {
    size_t size;
    void *data = read_all(bundles[b], &size), *memory = malloc(quatsimd_bundle_memory_size());
    quatsimd_bundle *bundle;
    long double worst[KINDS] = {0};
    assert_int_equal(quatsimd_bundle_open(&bundle, memory, quatsimd_bundle_memory_size(), data, size),
                     QUATSIMD_OK);
    for (size_t i = 0; i < quatsimd_bundle_clip_count(bundle); i++) {
      const size_t bytes = quatsimd_bundle_clip_memory_size(bundle, i);
      void *own = malloc(bytes);
      quatsimd_clip *clip;
      subject s;
      assert_int_equal(quatsimd_bundle_open_clip(bundle, i, &clip, own, bytes), QUATSIMD_OK);
      subject_open(&s, bundles[b], clip, i + 1);
      check_clip(&s);
      for (int kind = 0; kind < KINDS; kind++) worst[kind] = fmaxl(worst[kind], s.worst[kind]);
      subject_close(&s), free(own);
    }
    print_message("%s: largest relative errors: angular %.2Lg, linear %.2Lg\n", bundles[b], worst[ANGULAR],
                  worst[LINEAR]);
    free(memory), free(data);
  }
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--write") == 0) return write_goldens();
  if (argc > 2 && strcmp(argv[1], "--bundles") == 0) {
    bundles = argv + 2, bundle_count = argc - 2;
    const struct CMUnitTest test[] = {cmocka_unit_test(clips_of_bundles_follow_the_model)};
    return cmocka_run_group_tests_name("velocities of bundles", test, NULL, NULL);
  }
  if (argc == 3 && strcmp(argv[1], "--only") == 0) cmocka_set_test_filter(argv[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_known_motion),
      cmocka_unit_test(a_base_that_jumps_at_the_end),
      cmocka_unit_test(keys_at_a_frame_far_from_the_start),
      cmocka_unit_test(a_spline_without_direction),
      cmocka_unit_test(turns_beyond_half_a_turn),
      cmocka_unit_test(scenes_follow_the_model),
      cmocka_unit_test(random_clips_follow_the_model),
      cmocka_unit_test(sampling_has_these_velocities),
      cmocka_unit_test(views_have_the_same_bits),
      cmocka_unit_test(wrong_arguments_are_refused),
      cmocka_unit_test(goldens),
  };
  return cmocka_run_group_tests_name("velocities", tests, NULL, NULL);
}
