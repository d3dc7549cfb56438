/* clip.h: what it promises of every clip of clips.h, through the kernels in use (CTest runs this for each
 * of them). What is expected is computed here, from the source, in long double. Output arrays have guards
 * around them. */
#include "support/clips.h"
#include "support/isa.h"

#include "clip/sample/open.h" /* which curves move: what is promised between frames is not the same for all */

#include <setjmp.h>
#include <stdarg.h>
#include <time.h>
#include <cmocka.h>

/* ---- expected values ---- */

typedef struct value {
  long double v[4];
} value;

static size_t components(int kind) { return kind == QUATSIMD_CLIP_ROTATION ? 4 : 3; }
static const quatsimd_curve *curve_of(const quatsimd_clip_joint *joint, int kind) {
  return kind == QUATSIMD_CLIP_ROTATION      ? &joint->rotation
         : kind == QUATSIMD_CLIP_TRANSLATION ? &joint->translation
                                             : &joint->scale;
}

static value value_of(int kind, const float *f) {
  value q = {{0}};
  long double n2 = 0;
  for (size_t i = 0; i < components(kind); i++) q.v[i] = f[i], n2 += q.v[i] * q.v[i];
  for (size_t i = 0; kind == QUATSIMD_CLIP_ROTATION && i < 4; i++) q.v[i] /= sqrtl(n2);
  return q;
}

/* The angle of conj(a) b, or the distance. */
static long double error_between(int kind, value p, value q) {
  const long double *a = p.v, *b = q.v;
  if (kind != QUATSIMD_CLIP_ROTATION)
    return sqrtl((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                 (a[2] - b[2]) * (a[2] - b[2]));
  const long double x = a[3] * b[0] - a[0] * b[3] - a[1] * b[2] + a[2] * b[1],
                    y = a[3] * b[1] + a[0] * b[2] - a[1] * b[3] - a[2] * b[0];
  const long double z = a[3] * b[2] - a[0] * b[1] + a[1] * b[0] - a[2] * b[3],
                    w = a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  return 2 * atan2l(sqrtl(x * x + y * y + z * z), fabsl(w));
}

static value mixed(int kind, value a, value b, long double of_a, long double of_b) {
  long double dot = 0, n2 = 0;
  for (int i = 0; i < 4; i++) dot += a.v[i] * b.v[i];
  for (int i = 0; i < 4; i++)
    a.v[i] = of_a * a.v[i] + (kind == QUATSIMD_CLIP_ROTATION && dot < 0 ? -of_b : of_b) * b.v[i],
    n2 += a.v[i] * a.v[i];
  for (int i = 0; kind == QUATSIMD_CLIP_ROTATION && i < 4; i++) a.v[i] /= sqrtl(n2);
  return a;
}

/* Slerp the short way, or linear. */
static value slerped(int kind, value a, value b, long double t) {
  const long double half = kind == QUATSIMD_CLIP_ROTATION ? error_between(kind, a, b) / 2 : 0;
  return half < 1e-9L ? mixed(kind, a, b, 1 - t, t)
                      : mixed(kind, a, b, sinl((1 - t) * half) / sinl(half), sinl(t * half) / sinl(half));
}

/* The source at a time; keys within `slack` of it are there. */
static value source_at(const quatsimd_curve *curve, int kind, double time, double slack) {
  static const float none[3][4] = {{0, 0, 0, 1}, {0}, {1, 1, 1}};
  if (curve->keys == 0) return value_of(kind, none[kind]);
  size_t k = 0;
  while (k + 1 < curve->keys && curve->times[k + 1] <= time + slack) k++;
  const value a = value_of(kind, curve->values + components(kind) * k);
  if (curve->step || k + 1 == curve->keys || time <= curve->times[k] + slack) return a;
  const value b = value_of(kind, curve->values + components(kind) * (k + 1));
  return slerped(kind, a, b,
                 ((long double)time - curve->times[k]) /
                     ((long double)curve->times[k + 1] - curve->times[k]));
}

/* ---- a scene, encoded and opened ---- */

typedef struct fixture {
  const char *name;
  scene scene;
  void *data;
  size_t size;
  quatsimd_clip_report report;
  quatsimd_clip clip;
} fixture;

static void encode(fixture *f, const scene_maker *maker) {
  *f = (fixture){.name = maker->name};
  scene_make(&f->scene, maker);
  const quatsimd_status status =
      quatsimd_clip_encode(&f->scene.source, &f->scene.options, &f->data, &f->size, &f->report);
  if (status != QUATSIMD_OK)
    fail_msg("%s: %s; joint %zu, kind %d, key %zu: %s", f->name, quatsimd_status_string(status),
             f->report.joint, f->report.kind, f->report.key,
             f->report.error ? f->report.error : "no message");
  assert_null(f->report.error);
  assert_int_equal(quatsimd_clip_open(&f->clip, f->data, f->size), QUATSIMD_OK);
}

static void done(fixture *f) {
  quatsimd_clip_free(f->scene.options.allocator, f->data);
  scene_free(&f->scene);
}

static unsigned state_of(const quatsimd_clip *clip, int kind, size_t joint) {
  return clip->part[kind].masks ? clip_state(clip->part[kind].masks, joint) : CLIP_NONE;
}

static double bound_of(const scene *s, int kind, size_t joint) {
  const quatsimd_clip_joint *j = &s->source.joint[joint];
  const float own[] = {j->rotation_bound, j->translation_bound, j->scale_bound};
  const float all[] = {s->options.rotation_bound, s->options.translation_bound, s->options.scale_bound};
  if (s->options.object_bound > 0) return (double)INFINITY; /* see check_object */
  return (double)(own[kind] > 0 ? own[kind] : all[kind]);
}

/* ---- poses with guards around their arrays ---- */

enum { FILL = 0xa5, GUARD = 64 };

typedef struct room {
  float *at[3];
  size_t floats[3];
} room;

static room room_for(size_t elements) {
  room r;
  for (int kind = 0; kind < 3; kind++) {
    r.floats[kind] = components(kind) * elements;
    unsigned char *all = malloc(4 * r.floats[kind] + 2 * GUARD);
    if (!all) fail_msg("out of memory");
    memset(all, FILL, 4 * r.floats[kind] + 2 * GUARD);
    r.at[kind] = (float *)(void *)(all + GUARD);
  }
  return r;
}

static bool filled(const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (((const unsigned char *)bytes)[i] != FILL) return false;
  return true;
}

static void room_check(const room *r) {
  for (int kind = 0; kind < 3; kind++) {
    assert_true(filled((char *)r->at[kind] - GUARD, GUARD));
    assert_true(filled((char *)r->at[kind] + 4 * r->floats[kind], GUARD));
  }
}

static void room_free(room *r) {
  room_check(r);
  for (int kind = 0; kind < 3; kind++) free((char *)r->at[kind] - GUARD);
}

static quatsimd_pose aos(const room *r) {
  return (quatsimd_pose){quatsimd_aos_out(r->at[0]), quatsimd_aos_out(r->at[1]), quatsimd_aos_out(r->at[2])};
}

static void expect_same(const fixture *f, const room *a, const room *b, double time, const char *what) {
  for (int kind = 0; kind < 3; kind++)
    if (memcmp(a->at[kind], b->at[kind], 4 * a->floats[kind]) != 0) {
      size_t i = 0;
      while (memcmp(a->at[kind] + i, b->at[kind] + i, 4) == 0) i++;
      fail_msg("%s at %.17g: %s: kind %d, element %zu, component %zu: %.9g, not %.9g", f->name, time, what,
               kind, i / components(kind), i % components(kind), (double)b->at[kind][i],
               (double)a->at[kind][i]);
    }
}

static void expect_good(const fixture *f, const room *r, double time) {
  for (size_t i = 0; i < r->floats[0]; i += 4) {
    double n2 = 0;
    for (size_t c = 0; c < 4; c++) n2 += (double)r->at[0][i + c] * r->at[0][i + c];
    if (!(fabs(sqrt(n2) - 1) <= 4e-7))
      fail_msg("%s at %.17g: rotation %zu is %.9g long", f->name, time, i / 4, sqrt(n2));
  }
  for (int kind = 1; kind < 3; kind++)
    for (size_t i = 0; i < r->floats[kind]; i++)
      if (!isfinite(r->at[kind][i]))
        fail_msg("%s at %.17g: kind %d, element %zu is not finite", f->name, time, kind, i / 3);
}

static void sample(const fixture *f, double time, quatsimd_clip_wrap wrap, const room *r) {
  const quatsimd_pose pose = aos(r);
  assert_int_equal(quatsimd_clip_sample(&f->clip, time, wrap, &pose, NULL), QUATSIMD_OK);
}

/* ---- errors ---- */

/* Puts an additive pose on the base it was made for. */
static void add_base(const fixture *f, double time, const room *r) {
  const scene *s = &f->scene;
  const size_t joints = s->source.joints;
  room base = room_for(joints);
  for (size_t j = 0; j < joints; j++)
    for (int kind = 0; kind < 3; kind++) {
      quatsimd_curve curve = *curve_of(s->options.base ? &s->base.joint[j] : &s->source.joint[j], kind);
      if (!s->options.base && curve.keys > 1) curve.keys = 1;
      const value v = source_at(&curve, kind, time, 0);
      for (size_t i = 0; i < components(kind); i++) base.at[kind][components(kind) * j + i] = (float)v.v[i];
    }
  const quatsimd_pose pose = aos(r);
  assert_int_equal(quatsimd_clip_add(&pose, quatsimd_aos(base.at[0]), quatsimd_aos(base.at[1]),
                                     quatsimd_aos(base.at[2]), joints),
                   QUATSIMD_OK);
  room_free(&base);
}

static void expect_within(const fixture *f, int kind, size_t joint, double time, const float *found,
                          value wanted, double slack, long double *worst) {
  const long double error = error_between(kind, value_of(kind, found), wanted);
  if (error > *worst) *worst = error;
  if (!(error <= (long double)bound_of(&f->scene, kind, joint) * (1 + 1e-9L) + slack))
    fail_msg("%s: joint %zu, kind %d at %.17g: the error is %.9Lg, the bound %.9g", f->name, joint, kind,
             time, error, bound_of(&f->scene, kind, joint));
}

/* The part of a time that rounding to float may take, and a frame's millionth. */
static double slack_at(const quatsimd_clip *clip, double time) {
  return fabs(time) * 0x1p-22 + (clip->rate > 0 ? 0x1p-20 / clip->rate : 0);
}

/* What moves, at every frame. */
static void check_frames(const fixture *f, long double worst[3]) {
  enum { AT_ONCE = 1 << 16 };
  const quatsimd_clip *clip = &f->clip;
  const size_t joints = clip->joints, most = joints ? AT_ONCE / joints + 1 : 1;
  room r = room_for(most * joints);
  const quatsimd_pose pose = aos(&r);
  size_t *from = calloc(3 * joints + 1, sizeof *from); /* keys that are past */
  assert_non_null(from);
  for (size_t first = 0, n; first < clip->frames; first += n) {
    n = clip->frames - first < most ? clip->frames - first : most;
    assert_int_equal(quatsimd_clip_decode(clip, first, n, &pose), QUATSIMD_OK);
    for (size_t i = 0; i < n * joints; i++)
      for (int kind = 0; kind < 3; kind++) {
        const size_t j = i % joints;
        const double time = quatsimd_clip_time(clip, first + i / joints), slack = slack_at(clip, time);
        const quatsimd_curve *curve = curve_of(&f->scene.source.joint[j], kind);
        if (state_of(clip, kind, j) != CLIP_MOVING || f->scene.options.additive || curve->keys < 2) continue;
        size_t *k = &from[3 * j + (size_t)kind];
        while (*k + 2 < curve->keys && curve->times[*k + 1] + 2 * slack < time) ++*k;
        const quatsimd_curve rest = {curve->keys - *k, curve->times + *k,
                                     curve->values + components(kind) * *k, curve->step};
        const bool wraps = f->scene.options.loop && first + i / joints == clip->frames - 1;
        /* slerp is float in the encoder; that the last frame is the first one is worth a quarter of the
         * bound */
        expect_within(f, kind, j, time, r.at[kind] + components(kind) * i,
                      source_at(&rest, kind, time, slack), wraps ? 1e-9 : 5e-7, &worst[kind]);
      }
  }
  free(from);
  room_free(&r);
}

static int compare_times(const void *a, const void *b) {
  return *(const double *)a < *(const double *)b ? -1 : *(const double *)a > *(const double *)b;
}

/* Every key of the source, at its time. */
static void check_keys(const fixture *f, long double worst[3]) {
  const scene *s = &f->scene;
  const size_t joints = s->source.joints;
  size_t most = 1, n = 0, memory = quatsimd_clip_cursor_size(&f->clip),
         *next = calloc(3 * joints + 1, sizeof *next);
  for (size_t j = 0; j < joints; j++)
    for (int kind = 0; kind < 3; kind++) most += curve_of(&s->source.joint[j], kind)->keys;
  double *times = malloc(most * sizeof *times);
  quatsimd_clip_cursor *cursor;
  void *kept = malloc(memory);
  assert_true(times && next && kept);
  assert_int_equal(quatsimd_clip_cursor_init(&cursor, kept, memory, &f->clip), QUATSIMD_OK);
  times[n++] = f->clip.start;
  for (size_t j = 0; j < joints; j++)
    for (int kind = 0; kind < 3; kind++) {
      const quatsimd_curve *curve = curve_of(&s->source.joint[j], kind);
      for (size_t k = 0; curve->times && k < curve->keys; k++) times[n++] = curve->times[k];
    }
  qsort(times, n, sizeof *times, compare_times);
  room r = room_for(joints);
  const quatsimd_pose pose = aos(&r);
  for (size_t i = 0; i < n; i++) {
    if (i > 0 && times[i] == times[i - 1]) continue;
    assert_int_equal(quatsimd_clip_sample(&f->clip, times[i], QUATSIMD_WRAP_CLAMP, &pose, cursor),
                     QUATSIMD_OK);
    if (s->options.additive) add_base(f, times[i], &r);
    for (size_t j = 0; j < joints; j++)
      for (int kind = 0; kind < 3; kind++) {
        const quatsimd_curve *curve = curve_of(&s->source.joint[j], kind);
        size_t *k = &next[3 * j + (size_t)kind];
        if (*k == curve->keys || (curve->times ? curve->times[*k] : f->clip.start) != times[i]) continue;
        /* in a clip of floats' times a key is where its time is rounded to */
        expect_within(f, kind, j, times[i], r.at[kind] + components(kind) * j,
                      value_of(kind, curve->values + components(kind) * *k), s->options.additive ? 5e-7 : 0,
                      &worst[kind]);
        ++*k;
      }
  }
  for (size_t j = 0; j < joints; j++)
    for (int kind = 0; kind < 3; kind++)
      assert_int_equal(next[3 * j + (size_t)kind], curve_of(&s->source.joint[j], kind)->keys);
  room_free(&r);
  free(times), free(next), free(kept);
}

/* ---- object space ---- */

typedef struct matrix {
  long double m[3][4];
} matrix;

/* Translation, rotation and scale, on top of the parent. */
static matrix world_of(const matrix *parent, value q, value t, value s) {
  const long double x = q.v[0], y = q.v[1], z = q.v[2], w = q.v[3];
  const matrix own = {{{(1 - 2 * (y * y + z * z)) * s.v[0], 2 * (x * y - z * w) * s.v[1],
                        2 * (x * z + y * w) * s.v[2], t.v[0]},
                       {2 * (x * y + z * w) * s.v[0], (1 - 2 * (x * x + z * z)) * s.v[1],
                        2 * (y * z - x * w) * s.v[2], t.v[1]},
                       {2 * (x * z - y * w) * s.v[0], 2 * (y * z + x * w) * s.v[1],
                        (1 - 2 * (x * x + y * y)) * s.v[2], t.v[2]}}};
  if (!parent) return own;
  matrix p = {{{0}}};
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++)
      for (int k = 0; k < 4; k++) p.m[r][c] += parent->m[r][k] * (k < 3 ? own.m[k][c] : c == 3);
  return p;
}

/* The distance of where both put a point; the largest of many points that are `distance` away from the
 * joint. */
static long double farthest_off(const matrix *a, const matrix *b, long double distance, uint64_t *state) {
  long double most = 0;
  for (int i = 0; i < 40; i++) {
    long double p[4] = {0, 0, 0, 1}, n2 = 0, d2 = 0;
    for (int c = 0; c < 3; c++)
      p[c] = i < 27 ? i /
                              (c == 0   ? 1
                               : c == 1 ? 3
                                        : 9) %
                              3 -
                          1
                    : 2 * random_unit(state) - 1,
      n2 += p[c] * p[c];
    for (int c = 0; c < 3 && n2 > 0; c++) p[c] *= distance / sqrtl(n2);
    for (int r = 0; r < 3; r++) {
      long double d = 0;
      for (int c = 0; c < 4; c++) d += (a->m[r][c] - b->m[r][c]) * p[c];
      d2 += d * d;
    }
    most = fmaxl(most, sqrtl(d2));
  }
  return most;
}

/* A joint's world matrix; parents first, wherever they are in the list. */
static matrix world(const scene *s, size_t joint, value (*v)[3]) {
  const int64_t parent = s->source.joint[joint].parent;
  if (parent < 0) return world_of(NULL, v[joint][0], v[joint][1], v[joint][2]);
  const matrix above = world(s, (size_t)parent, v);
  return world_of(&above, v[joint][0], v[joint][1], v[joint][2]);
}

static void check_object_at(const fixture *f, double time, long double *worst, uint64_t *state) {
  const scene *s = &f->scene;
  const size_t joints = s->source.joints;
  room r = room_for(joints);
  value(*wanted)[3] = calloc(joints, sizeof *wanted), (*found)[3] = calloc(joints, sizeof *found);
  assert_true(wanted && found);
  sample(f, time, QUATSIMD_WRAP_CLAMP, &r);
  if (s->options.additive) add_base(f, time, &r);
  for (size_t j = 0; j < joints; j++)
    for (int kind = 0; kind < 3; kind++) {
      wanted[j][kind] = source_at(curve_of(&s->source.joint[j], kind), kind, time, slack_at(&f->clip, time));
      found[j][kind] = value_of(kind, r.at[kind] + components(kind) * j);
    }
  for (size_t j = 0; j < joints; j++) {
    const quatsimd_clip_joint *joint = &s->source.joint[j];
    const matrix a = world(s, j, wanted), b = world(s, j, found);
    const double bound = (double)(joint->object_bound > 0 ? joint->object_bound : s->options.object_bound);
    const long double error = farthest_off(
        &a, &b, joint->object_distance > 0 ? joint->object_distance : s->options.object_distance, state);
    *worst = fmaxl(*worst, error);
    if (!(error <= bound * (1 + 1e-3) + 1e-6))
      fail_msg("%s at %.17g: points of joint %zu are %.9Lg off, the bound is %.9g", f->name, time, j, error,
               bound);
  }
  free(wanted), free(found);
  room_free(&r);
}

static void check_object(const fixture *f) {
  const scene *s = &f->scene;
  long double worst = 0;
  uint64_t state = 6;
  if (!(s->options.object_bound > 0)) {
    assert_true(f->report.worst_object == 0);
    return;
  }
  for (size_t i = 0; i < f->clip.frames; i++)
    check_object_at(f, quatsimd_clip_time(&f->clip, i), &worst, &state);
  for (size_t j = 0; j < s->source.joints; j++)
    for (int kind = 0; kind < 3; kind++)
      for (size_t k = 0;
           curve_of(&s->source.joint[j], kind)->times && k < curve_of(&s->source.joint[j], kind)->keys; k++)
        check_object_at(f, curve_of(&s->source.joint[j], kind)->times[k], &worst, &state);
  /* theirs is a bound, some per cent above; mine is of some points alone */
  const double reported = (double)f->report.worst_object, most = (double)worst;
  if (!(most <= reported + 1e-6 && reported <= 1.3 * most))
    fail_msg("%s: points are off by up to %.9g, the report says %.9g", f->name, most, reported);
}

static void check_errors(const fixture *f) {
  long double worst[3] = {0};
  check_object(f);
  check_frames(f, worst);
  check_keys(f, worst);
  for (int kind = 0; kind < 3; kind++) {
    const double reported = (double)f->report.worst[kind], most = (double)worst[kind];
    if (!f->scene.options.additive && !(fabs(reported - most) <= 5e-7 + 1e-5 * most))
      fail_msg("%s: the largest error of kind %d is %.9g, the report says %.9g", f->name, kind, most,
               reported);
  }
}

static void check_report(const fixture *f) {
  const quatsimd_clip *clip = &f->clip;
  assert_int_equal(clip->joints, f->scene.source.joints);
  assert_int_equal(clip->frames, f->report.frames);
  assert_true(clip->rate == f->report.rate);
  assert_int_equal(clip->loop, f->scene.options.loop);
  assert_int_equal(clip->additive, f->scene.options.additive);
  if (f->scene.frames) {
    assert_int_equal(clip->frames, f->scene.frames);
    if (fabs(clip->rate - f->scene.rate) > 0)
      fail_msg("%s: the rate is %.17g, not %g", f->name, clip->rate, f->scene.rate);
  }
  for (int kind = 0; kind < 3; kind++) {
    size_t count[4] = {0};
    for (size_t j = 0; j < clip->joints; j++) count[state_of(clip, kind, j)]++;
    assert_int_equal(f->report.constant[kind], count[CLIP_CONST]);
    assert_int_equal(f->report.moving[kind], count[CLIP_MOVING]);
    assert_int_equal(f->report.keyed[kind], count[CLIP_KEYED]);
    assert_int_equal(clip->curves[kind], clip->joints - count[CLIP_NONE]);
  }
  for (size_t i = 1; i < clip->frames && i < 5000; i++)
    assert_true(quatsimd_clip_time(clip, i) > quatsimd_clip_time(clip, i - 1));
  assert_true(quatsimd_clip_time(clip, 0) == clip->start);
  assert_true(fabs(quatsimd_clip_time(clip, clip->frames - 1) - clip->start - clip->duration) <=
              1e-12 * fabs(clip->duration + fabs(clip->start)));
}

/* ---- all calls say the same ---- */

enum { STRIDE = 13 }; /* floats */

/* Every layout, some joints and a cursor give the bits of `wanted`. */
static void check_calls(const fixture *f, double time, quatsimd_clip_wrap wrap, const room *wanted,
                        quatsimd_clip_cursor *cursor, uint64_t *state) {
  const quatsimd_clip *clip = &f->clip;
  const size_t joints = clip->joints;
  room r = room_for(joints), parts = room_for(joints);
  quatsimd_pose pose = aos(&r);
  assert_int_equal(quatsimd_clip_sample(clip, time, wrap, &pose, cursor), QUATSIMD_OK);
  expect_same(f, wanted, &r, time, "with a cursor");

  float *p[3] = {parts.at[0], parts.at[1], parts.at[2]};
  pose = (quatsimd_pose){quatsimd_soa_out(p[0], p[0] + joints, p[0] + 2 * joints, p[0] + 3 * joints),
                         quatsimd_soa_out(p[1], p[1] + joints, p[1] + 2 * joints, NULL),
                         quatsimd_soa_out(p[2], p[2] + joints, p[2] + 2 * joints, NULL)};
  assert_int_equal(quatsimd_clip_sample(clip, time, wrap, &pose, random_unit(state) < 0.5 ? cursor : NULL),
                   QUATSIMD_OK);
  for (int kind = 0; kind < 3; kind++)
    for (size_t i = 0; i < r.floats[kind]; i++)
      r.at[kind][i] = p[kind][i % components(kind) * joints + i / components(kind)];
  expect_same(f, wanted, &r, time, "soa");

  /* rotation, hole, translation, hole, scale, hole */
  float *all = malloc((STRIDE * joints + 1) * sizeof *all);
  assert_non_null(all);
  memset(all, FILL, STRIDE * joints * sizeof *all);
  pose = (quatsimd_pose){quatsimd_strided_out(all, 4 * STRIDE), quatsimd_strided_out(all + 5, 4 * STRIDE),
                         quatsimd_strided_out(all + 9, 4 * STRIDE)};
  assert_int_equal(quatsimd_clip_sample(clip, time, wrap, &pose, random_unit(state) < 0.5 ? cursor : NULL),
                   QUATSIMD_OK);
  for (size_t j = 0; j < joints; j++) {
    memcpy(r.at[0] + 4 * j, all + STRIDE * j, 16), memcpy(r.at[1] + 3 * j, all + STRIDE * j + 5, 12),
        memcpy(r.at[2] + 3 * j, all + STRIDE * j + 9, 12);
    if (!filled(all + STRIDE * j + 4, 4) || !filled(all + STRIDE * j + 8, 4) ||
        !filled(all + STRIDE * j + 12, 4))
      fail_msg("%s at %.17g: written beside joint %zu", f->name, time, j);
  }
  expect_same(f, wanted, &r, time, "strided");
  free(all);

  uint32_t some[37];
  const size_t count = joints ? (size_t)(random_unit(state) * 37) : 0;
  for (size_t i = 0; i < count; i++)
    some[i] =
        i > 0 && random_unit(state) < 0.1 ? some[i - 1] : (uint32_t)(random_unit(state) * (double)joints);
  room few = room_for(count), few_wanted = room_for(count);
  for (size_t i = 0; i < count; i++)
    for (int kind = 0; kind < 3; kind++)
      memcpy(few_wanted.at[kind] + components(kind) * i, wanted->at[kind] + components(kind) * some[i],
             4 * components(kind));
  pose = aos(&few);
  assert_int_equal(quatsimd_clip_sample_joints(clip, time, wrap, some, count, &pose), QUATSIMD_OK);
  expect_same(f, &few_wanted, &few, time, "some joints");
  room_free(&few), room_free(&few_wanted);

  for (int kind = 0; kind < 3; kind++) { /* one kind alone, and nothing else written */
    room alone = room_for(joints);
    pose = (quatsimd_pose){0};
    *(kind == 0   ? &pose.rotations
      : kind == 1 ? &pose.translations
                  : &pose.scales) = quatsimd_aos_out(alone.at[kind]);
    assert_int_equal(quatsimd_clip_sample(clip, time, wrap, &pose, NULL), QUATSIMD_OK);
    assert_memory_equal(alone.at[kind], wanted->at[kind], 4 * alone.floats[kind]);
    for (int other = 0; other < 3; other++)
      assert_true(other == kind || filled(alone.at[other], 4 * alone.floats[other]));
    room_free(&alone);
  }
  room_free(&r), room_free(&parts);
}

static void check_consistency(const fixture *f) {
  enum { MOST = 400 };
  const quatsimd_clip *clip = &f->clip;
  const size_t memory = quatsimd_clip_cursor_size(clip), frames = clip->joints > 1000 ? 3 : 40;
  const double specials[] = {
      (double)NAN, (double)INFINITY, (double)-INFINITY, 1e300, -1e300, 0x1p-1074, -0.0, 1e17, -1e17};
  double times[MOST];
  size_t n = 0;
  uint64_t state = 1;
  void *kept = malloc(memory), *in_order = malloc(memory);
  quatsimd_clip_cursor *cursor, *playing;
  assert_true(kept && in_order);
  memset(kept, FILL, memory), memset(in_order, FILL, memory);
  assert_int_equal(quatsimd_clip_cursor_init(&cursor, kept, memory, clip), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_cursor_init(&playing, in_order, memory, clip), QUATSIMD_OK);
  for (size_t i = 0; i < frames; i++) {
    const size_t frame = clip->frames <= frames ? i % clip->frames
                         : i == 0               ? 0
                         : i == 1               ? clip->frames - 1
                                                : (size_t)(random_unit(&state) * (double)clip->frames);
    const double at = quatsimd_clip_time(clip, frame);
    times[n++] = at;
    times[n++] = at + random_unit(&state) * clip->duration / (double)clip->frames;
    times[n++] = clip->start + (3 * random_unit(&state) - 1) * (clip->duration + 1);
  }
  for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) times[n++] = specials[i];
  assert_true(n <= MOST);
  room r = room_for(clip->joints), again = room_for(clip->joints);
  const quatsimd_pose pose = aos(&again);
  for (size_t i = 0; i < n; i++) {
    const quatsimd_clip_wrap wrap = (quatsimd_clip_wrap)(i % 3);
    sample(f, times[i], wrap, &r);
    expect_good(f, &r, times[i]);
    check_calls(f, times[i], wrap, &r, cursor, &state);
    sample(f, times[i], QUATSIMD_WRAP_CLIP, &r);
    sample(f, times[i], clip->loop ? QUATSIMD_WRAP_LOOP : QUATSIMD_WRAP_CLAMP, &again);
    expect_same(f, &again, &r, times[i], "as the clip wraps");
  }
  qsort(times, n - 9, sizeof *times, compare_times);
  for (size_t i = 0; i < n - 9; i++) {
    sample(f, times[i], QUATSIMD_WRAP_CLIP, &r);
    assert_int_equal(quatsimd_clip_sample(clip, times[i], QUATSIMD_WRAP_CLIP, &pose, playing), QUATSIMD_OK);
    expect_same(f, &r, &again, times[i], "with a cursor, in order");
  }
  room_free(&r), room_free(&again);
  free(kept), free(in_order);
}

static void check_ends(const fixture *f) {
  const quatsimd_clip *clip = &f->clip;
  const double start = clip->start, end = quatsimd_clip_time(clip, clip->frames - 1);
  room first = room_for(clip->joints), last = room_for(clip->joints), r = room_for(clip->joints);
  sample(f, start, QUATSIMD_WRAP_CLAMP, &first);
  sample(f, end, QUATSIMD_WRAP_CLAMP, &last);
  const double before[] = {start - 1e-3, start - 1e9, (double)-INFINITY, (double)NAN},
               after[] = {end + 1e-3, end + 1e9, (double)INFINITY};
  for (int i = 0; i < 4; i++)
    sample(f, before[i], QUATSIMD_WRAP_CLAMP, &r), expect_same(f, &first, &r, before[i], "before the start");
  for (int i = 0; i < 3; i++)
    sample(f, after[i], QUATSIMD_WRAP_CLAMP, &r), expect_same(f, &last, &r, after[i], "behind the end");
  sample(f, (double)NAN, QUATSIMD_WRAP_LOOP, &r), expect_same(f, &first, &r, (double)NAN, "no time");
  sample(f, end, QUATSIMD_WRAP_LOOP, &r), expect_same(f, &first, &r, end, "the end of a round");
  for (size_t i = 0; clip->frames > 1 && clip->rate > 0 && i < clip->frames - 1; i += clip->frames / 40 + 1)
    for (int rounds = -3; rounds < 4; rounds++) {
      const double time = quatsimd_clip_time(clip, i), round = time + rounds * clip->duration;
      sample(f, time, QUATSIMD_WRAP_CLAMP, &first), sample(f, round, QUATSIMD_WRAP_LOOP, &r);
      expect_same(f, &first, &r, round, "a frame some rounds later");
    }
  for (int i = 0; clip->frames > 1 && i < 40; i++) { /* and between frames */
    const double part = clip->duration * (i + 0.37) / 40;
    sample(f, start + part, QUATSIMD_WRAP_CLAMP, &first),
        sample(f, start + part - 2 * clip->duration, QUATSIMD_WRAP_LOOP, &r);
    for (size_t j = 0; j < clip->joints; j++)
      if (state_of(clip, 0, j) == CLIP_MOVING)
        assert_true(error_between(0, value_of(0, first.at[0] + 4 * j), value_of(0, r.at[0] + 4 * j)) < 1e-5);
  }
  sample(f, start, QUATSIMD_WRAP_CLAMP, &first);
  /* closed to the bit; one that goes round ends at the negative, which is not */
  for (int kind = 0; clip->loop && kind < 3; kind++)
    for (size_t j = 0; j < clip->joints; j++) {
      if (kind == 0 && state_of(clip, 0, j) == CLIP_MOVING && f->scene.round) continue;
      if (state_of(clip, kind, j) == CLIP_MOVING)
        assert_memory_equal(first.at[kind] + components(kind) * j, last.at[kind] + components(kind) * j,
                            4 * components(kind));
    }
  room_free(&first), room_free(&last), room_free(&r);
}

/* Frames: decode has the bits of sample; between two of them is nlerp of both. */
static void check_between(const fixture *f) {
  enum { MOST = 500 };
  const quatsimd_clip *clip = &f->clip;
  const size_t joints = clip->joints, intervals = clip->frames - 1, n = intervals < MOST ? intervals : MOST;
  room a = room_for(joints), b = room_for(joints), r = room_for(joints);
  const quatsimd_pose pose = aos(&a), next = aos(&b);
  uint64_t state = 2;
  for (size_t i = 0; i < (joints > 5000 && n > 3 ? 3 : n); i++) {
    const size_t frame = n == intervals ? i : (size_t)(random_unit(&state) * (double)intervals);
    const double from = quatsimd_clip_time(clip, frame), to = quatsimd_clip_time(clip, frame + 1);
    assert_int_equal(quatsimd_clip_decode(clip, frame, 1, &pose), QUATSIMD_OK);
    assert_int_equal(quatsimd_clip_decode(clip, frame + 1, 1, &next), QUATSIMD_OK);
    sample(f, from, QUATSIMD_WRAP_CLAMP, &r), expect_same(f, &a, &r, from, "decoded");
    sample(f, (double)(float)from, QUATSIMD_WRAP_CLAMP, &r); /* the time in float is the frame's, too */
    for (int kind = 0; kind < 3; kind++)
      for (size_t j = 0; j < joints; j++)
        if (state_of(clip, kind, j) == CLIP_MOVING)
          assert_memory_equal(r.at[kind] + components(kind) * j, a.at[kind] + components(kind) * j,
                              4 * components(kind));
    sample(f, to, QUATSIMD_WRAP_CLAMP, &r), expect_same(f, &b, &r, to, "decoded");
    for (int quarter = 1; quarter < 4; quarter++) {
      const double time = from + (to - from) * quarter / 4;
      sample(f, time, QUATSIMD_WRAP_CLAMP, &r);
      for (int kind = 0; kind < 3; kind++)
        for (size_t j = 0; j < joints; j++) {
          if (state_of(clip, kind, j) == CLIP_KEYED) continue;
          const size_t at = components(kind) * j;
          const value p = value_of(kind, a.at[kind] + at), q = value_of(kind, b.at[kind] + at),
                      found = value_of(kind, r.at[kind] + at);
          const long double t = ((long double)time - from) / ((long double)to - from);
          long double dot = 0, largest = 1;
          for (size_t c = 0; c < 4; c++)
            dot += p.v[c] * q.v[c], largest = fmaxl(largest, kind ? fmaxl(fabsl(p.v[c]), fabsl(q.v[c])) : 1);
          long double error = error_between(kind, found, mixed(kind, p, q, 1 - t, t));
          /* half a turn: both ways are as short */
          if (kind == 0 && fabsl(dot) < 1e-6L)
            error = fminl(error, error_between(kind, found, mixed(kind, p, q, 1 - t, -t)));
          if (!(error <= 1e-6L * largest))
            fail_msg("%s: joint %zu, kind %d at %.17g is %.3Lg off the straight way", f->name, j, kind, time,
                     error);
        }
    }
  }
  room_free(&a), room_free(&b), room_free(&r);
}

/* Any frames decoded at once are those decoded one by one, in all layouts. */
static void check_decode(const fixture *f) {
  enum { MOST = 100 };
  const quatsimd_clip *clip = &f->clip;
  const size_t joints = clip->joints, most = joints > 1000 ? 2 : MOST;
  uint64_t state = 3;
  for (int i = 0; i < 12; i++) {
    const size_t first = (size_t)(random_unit(&state) * (double)clip->frames), rest = clip->frames - first;
    const size_t n = i == 0 ? 0 : (size_t)(random_unit(&state) * (double)(rest < most ? rest : most)) + 1,
                 all = n * joints;
    room r = room_for(all), one = room_for(joints), wanted = room_for(all);
    quatsimd_pose pose = aos(&r), at = aos(&one);
    assert_int_equal(quatsimd_clip_decode(clip, first, n, &pose), QUATSIMD_OK);
    for (size_t k = 0; k < n; k++) {
      assert_int_equal(quatsimd_clip_decode(clip, first + k, 1, &at), QUATSIMD_OK);
      for (int kind = 0; kind < 3; kind++)
        memcpy(wanted.at[kind] + k * one.floats[kind], one.at[kind], 4 * one.floats[kind]);
    }
    expect_same(f, &wanted, &r, (double)first, "frames at once");
    float *p[3] = {r.at[0], r.at[1], r.at[2]};
    room back = room_for(all);
    pose = (quatsimd_pose){quatsimd_soa_out(p[0], p[0] + all, p[0] + 2 * all, p[0] + 3 * all),
                           quatsimd_soa_out(p[1], p[1] + all, p[1] + 2 * all, NULL),
                           quatsimd_soa_out(p[2], p[2] + all, p[2] + 2 * all, NULL)};
    assert_int_equal(quatsimd_clip_decode(clip, first, n, &pose), QUATSIMD_OK);
    for (int kind = 0; kind < 3; kind++)
      for (size_t k = 0; k < back.floats[kind]; k++)
        back.at[kind][k] = p[kind][k % components(kind) * all + k / components(kind)];
    expect_same(f, &wanted, &back, (double)first, "frames at once, soa");
    room_free(&r), room_free(&one), room_free(&wanted), room_free(&back);
  }
  quatsimd_pose nothing = {0};
  assert_int_equal(quatsimd_clip_decode(clip, clip->frames, 0, &nothing), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_decode(clip, clip->frames, 1, &nothing), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_decode(clip, 0, clip->frames + 1, &nothing), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_decode(clip, 1, SIZE_MAX, &nothing), QUATSIMD_ERROR_BAD_ARGUMENT);
}

/* Curves with keys of their own: steps hold, others are straight from key to key. */
static void check_keyed(const fixture *f) {
  const quatsimd_clip *clip = &f->clip;
  for (int kind = 0; kind < 3; kind++)
    for (size_t j = 0; j < clip->joints; j++) {
      if (state_of(clip, kind, j) != CLIP_KEYED || f->scene.options.additive) continue;
      const quatsimd_curve *curve = curve_of(&f->scene.source.joint[j], kind);
      const uint32_t joint = (uint32_t)j;
      room a = room_for(1), b = room_for(1), r = room_for(1);
      const quatsimd_pose from = aos(&a), to = aos(&b), pose = aos(&r);
      for (size_t k = 0; k + 1 < curve->keys; k++) {
        assert_int_equal(
            quatsimd_clip_sample_joints(clip, curve->times[k], QUATSIMD_WRAP_CLAMP, &joint, 1, &from),
            QUATSIMD_OK);
        assert_int_equal(
            quatsimd_clip_sample_joints(clip, curve->times[k + 1], QUATSIMD_WRAP_CLAMP, &joint, 1, &to),
            QUATSIMD_OK);
        for (int part = 1; part < 100; part += part == 1 || part == 75 ? 24 : 25) {
          const double time = curve->times[k] + (curve->times[k + 1] - curve->times[k]) * part / 100;
          assert_int_equal(quatsimd_clip_sample_joints(clip, time, QUATSIMD_WRAP_CLAMP, &joint, 1, &pose),
                           QUATSIMD_OK);
          if (curve->step) {
            if (memcmp(r.at[kind], a.at[kind], 4 * components(kind)) != 0)
              fail_msg("%s: joint %zu, kind %d at %.17g: the step does not hold", f->name, j, kind, time);
            continue;
          }
          const value p = value_of(kind, a.at[kind]), q = value_of(kind, b.at[kind]);
          long double largest = 1;
          for (size_t c = 0; kind && c < 3; c++)
            largest = fmaxl(largest, fmaxl(fabsl(p.v[c]), fabsl(q.v[c])));
          const long double t =
              ((long double)time - curve->times[k]) / ((long double)curve->times[k + 1] - curve->times[k]);
          if (!(error_between(kind, value_of(kind, r.at[kind]), mixed(kind, p, q, 1 - t, t)) <=
                2e-6L * largest))
            fail_msg("%s: joint %zu, kind %d at %.17g is off the straight way between keys", f->name, j, kind,
                     time);
        }
      }
      /* holds the first key before it, the last one behind it */
      for (int at_end = 0; at_end < 2; at_end++) {
        const double time = at_end ? curve->times[curve->keys - 1] : curve->times[0];
        assert_int_equal(quatsimd_clip_sample_joints(clip, time, QUATSIMD_WRAP_CLAMP, &joint, 1, &from),
                         QUATSIMD_OK);
        assert_int_equal(
            quatsimd_clip_sample_joints(clip, at_end ? 1e9 : -1e9, QUATSIMD_WRAP_CLAMP, &joint, 1, &pose),
            QUATSIMD_OK);
        assert_memory_equal(a.at[kind], r.at[kind], 4 * components(kind));
      }
      room_free(&a), room_free(&b), room_free(&r);
    }
}

static void a_scene(void **state) {
  fixture f;
  encode(&f, *state);
  check_report(&f);
  check_errors(&f);
  check_consistency(&f);
  check_ends(&f);
  check_between(&f);
  check_decode(&f);
  check_keyed(&f);
  done(&f);
}

/* ---- what scenes are made for ---- */

static const scene_maker *maker_of(const char *name) {
  for (size_t i = 0; i < SCENES; i++)
    if (strcmp(scenes[i].name, name) == 0) return &scenes[i];
  fail_msg("no scene %s", name);
  return NULL;
}

static void expect_counts(const char *name, int kind, size_t constant, size_t moving, size_t keyed) {
  fixture f;
  encode(&f, maker_of(name));
  if (f.report.constant[kind] != constant || f.report.moving[kind] != moving || f.report.keyed[kind] != keyed)
    fail_msg("%s, kind %d: %zu constant, %zu moving, %zu keyed curves, not %zu, %zu, %zu", name, kind,
             f.report.constant[kind], f.report.moving[kind], f.report.keyed[kind], constant, moving, keyed);
  done(&f);
}

static void kinds_of_curves(void **state) {
  (void)state;
  expect_counts("smooth", 0, 0, 23, 0);
  expect_counts("noise", 0, 0, 11, 0);
  expect_counts("turns", 0, 0, 9, 0);
  expect_counts("steps", 0, 2, 1, 4);
  expect_counts("steps", 1, 0, 1, 1);
  expect_counts("steps", 2, 0, 0, 2);
  expect_counts("steps_alone", 0, 0, 0, 3);
  expect_counts("uneven", 0, 0, 10, 0);
  expect_counts("sparse", 0, 0, 6, 0);
  expect_counts("retimed", 0, 0, 7, 0);
  expect_counts("no_curves", 0, 0, 0, 0);
}

/* A coarser bound, a loop's closed end, the sign and the length of quaternions: what must and what must
 * not make a difference. */
static void sizes(void **state) {
  (void)state;
  fixture smooth, tight, loose, flips;
  encode(&smooth, maker_of("smooth")), encode(&tight, maker_of("tight")), encode(&loose, maker_of("loose")),
      encode(&flips, maker_of("flips"));
  assert_true(loose.size < smooth.size && 2 * smooth.size < tight.size);
  assert_true(smooth.size < 61 * 23 * 4); /* no smaller bound than this: a quarter of quaternions */
  assert_true(flips.size <= smooth.size + smooth.size / 50 && smooth.size <= flips.size + flips.size / 50);
  done(&smooth), done(&tight), done(&loose), done(&flips);
}

/* Every number of frames from one to three blocks. */
static void all_lengths(void **state) {
  (void)state;
  for (size_t frames = 1; frames <= 56; frames++) {
    fixture f = {.name = "all lengths"};
    scene_lengths_of(&f.scene, frames);
    assert_int_equal(quatsimd_clip_encode(&f.scene.source, &f.scene.options, &f.data, &f.size, &f.report),
                     QUATSIMD_OK);
    assert_int_equal(quatsimd_clip_open(&f.clip, f.data, f.size), QUATSIMD_OK);
    assert_int_equal(f.clip.frames, frames);
    check_errors(&f);
    check_between(&f);
    check_decode(&f);
    done(&f);
  }
}

/* Encoding does not depend on what was encoded before, where memory is, or whether a report is wanted. */
static void same_bytes(void **state) {
  (void)state;
  fixture f, g;
  encode(&f, maker_of("bodies")), encode(&g, maker_of("bodies"));
  assert_int_equal(f.size, g.size);
  assert_memory_equal(f.data, g.data, f.size);
  void *data;
  size_t size;
  assert_int_equal(quatsimd_clip_encode(&f.scene.source, &f.scene.options, &data, &size, NULL), QUATSIMD_OK);
  assert_int_equal(f.size, size);
  assert_memory_equal(f.data, data, size);
  quatsimd_clip_free(NULL, data);
  for (size_t offset = 0; offset < 9; offset++) { /* bytes of any alignment */
    unsigned char *moved = malloc(f.size + offset);
    assert_non_null(moved);
    memcpy(moved + offset, f.data, f.size);
    g.clip = (quatsimd_clip){0};
    assert_int_equal(quatsimd_clip_open(&g.clip, moved + offset, f.size), QUATSIMD_OK);
    room a = room_for(13), b = room_for(13);
    sample(&f, 1.2345, QUATSIMD_WRAP_CLIP, &a), sample(&g, 1.2345, QUATSIMD_WRAP_CLIP, &b);
    expect_same(&f, &a, &b, 1.2345, "at another address");
    room_free(&a), room_free(&b);
    free(moved);
  }
  done(&f), done(&g);
}

/* Two keys in the first and last of the times a float can tell apart from a frame's. */
static void times_near_frames(void **state) {
  (void)state;
  fixture f;
  encode(&f, maker_of("smooth"));
  room wanted = room_for(23), r = room_for(23);
  for (size_t i = 0; i < 61; i++) {
    const double time = quatsimd_clip_time(&f.clip, i);
    sample(&f, time, QUATSIMD_WRAP_CLAMP, &wanted);
    for (int side = -1; side < 2; side += 2) {
      sample(&f, time + side * 0x1p-21 / 30, QUATSIMD_WRAP_CLAMP, &r);
      expect_same(&f, &wanted, &r, time, "nearly a frame");
    }
    if (i == 0 || i == 60) continue;
    sample(&f, time + 1e-3, QUATSIMD_WRAP_CLAMP, &r);
    assert_memory_not_equal(r.at[0], wanted.at[0], 4 * r.floats[0]);
  }
  room_free(&wanted), room_free(&r);
  done(&f);
}

/* ---- additive ---- */

static void add_layouts(void **state) {
  (void)state;
  enum { JOINTS = 131 };
  float base[10 * JOINTS], made[10 * JOINTS], soa[10 * JOINTS];
  uint64_t random = 12;
  for (size_t j = 0; j < JOINTS; j++) {
    put_quat(base + 10 * j, random_quat(&random)), put_quat(made + 10 * j, random_quat(&random));
    for (size_t i = 4; i < 10; i++)
      base[10 * j + i] = (float)random_unit(&random) * 4, made[10 * j + i] = (float)random_unit(&random);
    for (size_t i = 0; i < 10; i++) soa[JOINTS * i + j] = made[10 * j + i];
  }
  float before[10 * JOINTS];
  memcpy(before, made, sizeof before);
  const quatsimd_in r = quatsimd_strided(base, 40), t = quatsimd_strided(base + 4, 40),
                    s = quatsimd_strided(base + 7, 40);
  const quatsimd_pose pose = {quatsimd_strided_out(made, 40), quatsimd_strided_out(made + 4, 40),
                              quatsimd_strided_out(made + 7, 40)};
  assert_int_equal(quatsimd_clip_add(&pose, r, t, s, JOINTS), QUATSIMD_OK);
  for (size_t j = 0; j < JOINTS; j++) {
    scene_quat p, q;
    for (int i = 0; i < 4; i++) p.v[i] = base[10 * j + (size_t)i], q.v[i] = before[10 * j + (size_t)i];
    p = scene_product(p, q);
    for (size_t i = 0; i < 4; i++) assert_true(fabs(p.v[i] - (double)made[10 * j + i]) < 1e-6);
    for (size_t i = 4; i < 7; i++) assert_true(made[10 * j + i] == before[10 * j + i] + base[10 * j + i]);
    for (size_t i = 7; i < 10; i++) assert_true(made[10 * j + i] == before[10 * j + i] * base[10 * j + i]);
  }
  float *p = soa;
  const quatsimd_pose parts = {quatsimd_soa_out(p, p + JOINTS, p + 2 * JOINTS, p + 3 * JOINTS),
                               quatsimd_soa_out(p + 4 * JOINTS, p + 5 * JOINTS, p + 6 * JOINTS, NULL),
                               {0}};
  assert_int_equal(quatsimd_clip_add(&parts, r, t, (quatsimd_in){0}, JOINTS), QUATSIMD_OK);
  for (size_t j = 0; j < JOINTS; j++)
    for (size_t i = 0; i < 10; i++) assert_true(soa[JOINTS * i + j] == (i < 7 ? made : before)[10 * j + i]);
  assert_int_equal(quatsimd_clip_add(&pose, r, t, (quatsimd_in){0}, JOINTS), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_add(NULL, r, t, s, JOINTS), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_add(&pose, (quatsimd_in){0}, (quatsimd_in){0}, (quatsimd_in){0}, 0),
                   QUATSIMD_OK);
}

/* ---- the order of joints ---- */

/* A skeleton whose joint j has the number place[j]; its parent comes before it. Returns the seconds that
 * encoding takes; *worst: points are off by so much. */
static double encode_in_order(const size_t *place, const size_t *parent, size_t joints, float *worst) {
  scene s = {0};
  const double *times = even_times(&s, 3, 0, 30);
  scene_joints(&s, joints);
  for (size_t j = 0; j < joints; j++) {
    quatsimd_clip_joint *joint = &s.joint[place[j]];
    joint->parent = j > 0 ? (int64_t)place[parent[j]] : -1;
    if (j < 20)
      joint->rotation = swinging(&s, j, times, 3, 0.2, 2),
      joint->translation = drifting(&s, j, times, 3, 0.2, 0.1);
  }
  s.options.object_bound = 1e-3f, s.options.object_distance = 0.05f;
  void *data;
  size_t size;
  quatsimd_clip_report report;
  const clock_t start = clock();
  assert_int_equal(quatsimd_clip_encode(&s.source, &s.options, &data, &size, &report), QUATSIMD_OK);
  const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  *worst = report.worst_object;
  quatsimd_clip_free(NULL, data);
  scene_free(&s);
  return seconds;
}

/* Errors do not depend on where joints are in the list, nor does time, much: a chain from its end on once
 * took its length squared. */
static void orders_of_joints(void **state) {
  (void)state;
  enum { MOST = 100000, TREE = 1000 };
  size_t *forward = malloc(MOST * sizeof *forward), *other = malloc(MOST * sizeof *other),
         *parent = malloc(MOST * sizeof *parent);
  float worst, worst_other;
  assert_true(forward && other && parent);
  for (size_t j = 0; j < MOST; j++) forward[j] = j, other[j] = MOST - 1 - j, parent[j] = j - 1;
  const double seconds = encode_in_order(forward, parent, MOST, &worst),
               backwards = encode_in_order(other, parent, MOST, &worst_other);
  assert_true(worst > 0 && worst <= 1e-3f && worst_other == worst);
  if (backwards > 4 * seconds + 0.5)
    fail_msg("a chain of %d joints takes %.3g s, from its end on %.3g s", MOST, seconds, backwards);
  uint64_t random = 15;
  for (size_t j = 0; j < TREE; j++) other[j] = j, parent[j] = (size_t)(random_unit(&random) * (double)j);
  for (size_t j = TREE; j-- > 1;) { /* shuffled */
    const size_t with = (size_t)(random_unit(&random) * (double)(j + 1)), kept = other[j];
    other[j] = other[with], other[with] = kept;
  }
  encode_in_order(forward, parent, TREE, &worst), encode_in_order(other, parent, TREE, &worst_other);
  assert_true(worst > 0 && worst <= 1e-3f && worst_other == worst);
  free(forward), free(other), free(parent);
}

/* ---- memory ---- */

typedef struct counting {
  long live, count, fail_at; /* fail_at: the allocation that fails, from 0 on; -1: none */
} counting;

static void *count_allocate(void *context, size_t size) {
  counting *c = context;
  if (c->count++ == c->fail_at) return NULL;
  void *p = malloc(size ? size : 1);
  if (p) memset(p, FILL, size), c->live++;
  return p;
}
static void count_release(void *context, void *memory) {
  if (memory) ((counting *)context)->live--;
  free(memory);
}

static void no_memory(void **state) {
  (void)state;
  const char *names[] = {"small",     "small_uneven",  "no_joints",      "one_frame",
                         "strangers", "additive_base", "additive_first", "object_additive"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    counting c = {0, 0, -1};
    const quatsimd_allocator allocator = {count_allocate, count_release, &c};
    fixture f;
    encode(&f, maker_of(names[n]));
    f.scene.options.allocator = &allocator;
    void *data, *untouched = &data;
    size_t size = 0;
    assert_int_equal(quatsimd_clip_encode(&f.scene.source, &f.scene.options, &data, &size, NULL),
                     QUATSIMD_OK);
    assert_int_equal(c.live, 1);
    assert_int_equal(size, f.size);
    assert_memory_equal(data, f.data, size); /* memory that is not zeros makes no difference */
    quatsimd_clip_free(&allocator, data);
    const long allocations = c.count, step = allocations / 400 + 1;
    assert_int_equal(c.live, 0);
    assert_true(allocations > 3);
    for (c.fail_at = 0; c.fail_at < allocations; c.fail_at += c.fail_at < 60 ? 1 : step) {
      data = untouched, size = 17, c.count = 0;
      const quatsimd_status status =
          quatsimd_clip_encode(&f.scene.source, &f.scene.options, &data, &size, &f.report);
      if (status != QUATSIMD_ERROR_NO_MEMORY || c.live != 0 || data != untouched || size != 17)
        fail_msg("%s: without the allocation %ld of %ld: %s, %ld pieces leak", names[n], c.fail_at,
                 allocations, quatsimd_status_string(status), c.live);
    }
    f.scene.options.allocator = NULL;
    done(&f);
  }
}

/* ---- errors ---- */

static void expect_bad_key(scene *s, size_t joint, int kind, size_t key, const char *what) {
  quatsimd_clip_report report;
  void *data, *untouched = &data;
  size_t size = 17;
  counting c = {0, 0, -1};
  const quatsimd_allocator allocator = {count_allocate, count_release, &c};
  data = untouched;
  s->options.allocator = &allocator;
  const quatsimd_status status = quatsimd_clip_encode(&s->source, &s->options, &data, &size, &report);
  if (status != QUATSIMD_ERROR_BAD_KEY || report.joint != joint || report.kind != kind || report.key != key ||
      !report.error || !*report.error)
    fail_msg("%s: %s, joint %zu, kind %d, key %zu: %s", what, quatsimd_status_string(status), report.joint,
             report.kind, report.key, report.error ? report.error : "no message");
  assert_true(data == untouched && size == 17 && c.live == 0);
  assert_true(report.error[strlen(report.error) - 1] != '.');
  assert_int_equal(quatsimd_clip_encode(&s->source, &s->options, &data, &size, NULL), QUATSIMD_ERROR_BAD_KEY);
}

static void bad_keys(void **state) {
  (void)state;
  const float bad[] = {NAN, INFINITY, -INFINITY};
  for (int kind = 0; kind < 3; kind++)
    for (size_t i = 0; i < 3 * components(kind); i++) {
      scene s;
      scene_make(&s, maker_of("bodies"));
      values_of((quatsimd_curve *)(uintptr_t)curve_of(&s.joint[6], kind))[components(kind) * 33 + i / 3] =
          bad[i % 3];
      expect_bad_key(&s, 6, kind, 33, "not finite");
      scene_free(&s);
    }
  const float lengths[] = {0, 0x1p-33f, 0x1p+33f, -0.0f};
  for (int i = 0; i < 4; i++) {
    scene s;
    scene_make(&s, maker_of("smooth"));
    float *q = values_of(&s.joint[22].rotation) + 4 * 60;
    for (int c = 0; c < 4; c++) q[c] = c == i ? lengths[i] : 0;
    expect_bad_key(&s, 22, QUATSIMD_CLIP_ROTATION, 60, "no direction");
    scene_free(&s);
  }
  const double times[] = {0, 0.5, (double)NAN, (double)INFINITY, (double)-INFINITY, 1e300};
  for (int i = 0; i < 6; i++) {
    scene s;
    scene_make(&s, maker_of("smooth"));
    double *t = (double *)(uintptr_t)s.joint[3].rotation.times;
    s.joint[4].rotation.times = memcpy(scene_take(&s, 61 * sizeof *t), t, 61 * sizeof *t);
    t = (double *)(uintptr_t)s.joint[4].rotation.times;
    t[17] = i == 0 ? t[16] : times[i];
    const bool falls = i == 1; /* 0.5 is behind the next one */
    if (falls) t[17] = t[18];
    expect_bad_key(&s, 4, QUATSIMD_CLIP_ROTATION, falls ? 18 : 17, "times");
    scene_free(&s);
  }
  for (int kind = 0; kind < 3; kind++) { /* the loop stays open */
    scene s;
    scene_make(&s, maker_of("loop"));
    values_of((quatsimd_curve *)(uintptr_t)curve_of(&s.joint[6], kind))[components(kind) * 74] += 0.01f;
    expect_bad_key(&s, 6, kind, 74, "open loop");
    scene_free(&s);
  }
}

static void bad_bases(void **state) {
  (void)state;
  scene s;
  scene_make(&s, maker_of("additive_base")); /* a scale that nothing can be relative to */
  values_of((quatsimd_curve *)(uintptr_t)&s.base.joint[4].scale)[3 * 7 + 1] = 0;
  expect_bad_key(&s, 4, QUATSIMD_CLIP_SCALE, 7, "scale 0");
  scene_free(&s);
  scene_make(&s, maker_of("additive_base")); /* a difference that is too large, of two that are not */
  s.joint[4].translation = drifting(&s, 1, s.base.joint[4].translation.times, 31, 0x1p+60, 0);
  values_of((quatsimd_curve *)(uintptr_t)&s.base.joint[4].translation)[3 * 9] = -0x1p+60f;
  expect_bad_key(&s, 4, QUATSIMD_CLIP_TRANSLATION, 9, "difference");
  void *data;
  size_t size;
  quatsimd_clip_report report;
  s.options.allocator = NULL; /* whose context is gone */
  assert_int_equal(quatsimd_clip_encode(&s.source, &s.options, &data, &size, &report),
                   QUATSIMD_ERROR_BAD_KEY);
  assert_non_null(strstr(report.error, "difference"));
  scene_free(&s);
  scene_make(&s, maker_of("additive_base"));
  values_of((quatsimd_curve *)(uintptr_t)&s.base.joint[1].rotation)[4 * 5] = NAN;
  expect_bad_key(&s, 1, QUATSIMD_CLIP_ROTATION, 5, "no number in the base");
  scene_free(&s);
  scene_make(&s, maker_of("additive_base"));
  values_of(&s.joint[1].rotation)[4 * 5 + 3] = INFINITY;
  expect_bad_key(&s, 1, QUATSIMD_CLIP_ROTATION, 5, "no number in the source");
  scene_free(&s);
  scene_make(&s, maker_of("additive_base")); /* steps on what moves */
  s.joint[2].rotation.step = 1;
  expect_bad_key(&s, 2, QUATSIMD_CLIP_ROTATION, 0, "steps");
  scene_free(&s);
}

enum { ALL = QUATSIMD_CLIP_KINDS }; /* of no kind in particular; SIZE_MAX: of no joint, no key */

/* Refused, with a report of this joint, kind and key whose text has `says` in it. */
static void expect_bad_argument(scene *s, size_t joint, int kind, size_t key, const char *says,
                                const char *what) {
  void *data, *untouched = &data;
  size_t size = 17;
  quatsimd_clip_report report;
  counting c = {0, 0, -1};
  const quatsimd_allocator allocator = {count_allocate, count_release, &c};
  data = untouched;
  s->options.allocator = &allocator;
  const quatsimd_status status = quatsimd_clip_encode(&s->source, &s->options, &data, &size, &report);
  if (status != QUATSIMD_ERROR_BAD_ARGUMENT || report.joint != joint || report.kind != kind ||
      report.key != key || !report.error || !strstr(report.error, says))
    fail_msg("%s: %s, joint %zd, kind %d, key %zd: %s", what, quatsimd_status_string(status),
             (ptrdiff_t)report.joint, report.kind, (ptrdiff_t)report.key,
             report.error ? report.error : "no message");
  assert_true(data == untouched && size == 17 && c.live == 0);
  assert_true(report.error[strlen(report.error) - 1] != '.');
  assert_int_equal(quatsimd_clip_encode(&s->source, &s->options, &data, &size, NULL),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
}

#define BAD_OF(name, joint, kind, says, what)                                                                \
  do {                                                                                                       \
    scene s;                                                                                                 \
    scene_make(&s, maker_of(name));                                                                          \
    what;                                                                                                    \
    expect_bad_argument(&s, joint, kind, SIZE_MAX, says, name ": " #what);                                   \
    scene_free(&s);                                                                                          \
  } while (0)

static void bad_options(void **state) {
  (void)state;
#define BAD(kind, says, what) BAD_OF("bodies", SIZE_MAX, kind, says, what)
  BAD(0, "rotation_bound", s.options.rotation_bound = -1e-3f);
  BAD(0, "rotation_bound", s.options.rotation_bound = 0.9e-5f);
  BAD(0, "rotation_bound", s.options.rotation_bound = 1.1f);
  BAD(0, "rotation_bound", s.options.rotation_bound = NAN);
  BAD(1, "translation_bound", s.options.translation_bound = -1);
  BAD(1, "translation_bound", s.options.translation_bound = NAN);
  BAD(1, "translation_bound", s.options.translation_bound = INFINITY);
  BAD(2, "scale_bound", s.options.scale_bound = NAN);
  BAD(2, "scale_bound", s.options.scale_bound = -1);
  BAD(ALL, "object_bound", s.options.object_bound = NAN);
  BAD(ALL, "object_bound", s.options.object_bound = INFINITY);
  BAD(ALL, "object_distance", s.options.object_distance = -1);
  BAD(ALL, "rate is not", s.options.rate = -1);
  BAD(ALL, "rate is not", s.options.rate = (double)NAN);
  BAD(ALL, "rate is not", s.options.rate = (double)INFINITY);
  BAD(ALL, "rate is not", s.options.rate = 1e20);
  BAD(ALL, "rate is not", s.options.rate = 0x1p-101);
  BAD(ALL, "loop is not", s.options.loop = 2);
  BAD(ALL, "loop is not", s.options.loop = -1);
  BAD(ALL, "additive is not", s.options.additive = -1);
  BAD(ALL, "additive is not", s.options.additive = 3);
  BAD(ALL, "base is null", s.options.additive = QUATSIMD_CLIP_ADDITIVE_BASE);
#undef BAD
}

static void bad_joints(void **state) {
  (void)state;
#define BAD(joint, kind, says, what) BAD_OF("bodies", joint, kind, says, what)
  BAD(SIZE_MAX, ALL, "more than 2^20 joints", s.source.joints = (1 << 20) + 1);
  BAD(SIZE_MAX, ALL, "joint is null", s.source.joint = NULL);
  BAD(1, 0, "values is null", s.joint[1].rotation.values = NULL);
  BAD(2, 1, "values is null", s.joint[2].translation.values = NULL);
  BAD(1, 0, "times is null", s.joint[1].rotation.times = NULL);
  BAD(2, 0, "2^30 keys", s.joint[2].rotation.keys = 1 << 30);
  BAD(2, 0, "rotation_bound", s.joint[2].rotation_bound = NAN);
  BAD(2, 0, "rotation_bound", s.joint[2].rotation_bound = -1);
  BAD(2, 0, "rotation_bound", s.joint[2].rotation_bound = 0.9e-5f);
  BAD(2, 0, "rotation_bound", s.joint[2].rotation_bound = 1.1f);
  BAD(2, 1, "translation_bound", s.joint[2].translation_bound = -1);
  BAD(3, 2, "scale_bound", s.joint[3].scale_bound = INFINITY);
  BAD(1, ALL, "object_bound", s.joint[1].object_bound = NAN);
  BAD(1, ALL, "object_bound", s.joint[1].object_bound = -1);
  BAD(1, ALL, "object_distance", s.joint[1].object_distance = INFINITY);
  /* curves that nothing bounds: the first of each kind that has no bound of its own */
  BAD(0, 0, "no bound", s.options.rotation_bound = 0);
  BAD(1, 0, "no bound", (s.options.rotation_bound = 0, s.joint[0].rotation_bound = 1e-3f));
  BAD(0, 1, "no bound", s.options.translation_bound = 0);
  BAD(0, 2, "no bound", s.options.scale_bound = 0);
#undef BAD
  BAD_OF("additive_base", SIZE_MAX, ALL, "base has more or fewer joints", s.base.joints = 5);
  BAD_OF("additive_base", 1, 0, "values is null",
         ((quatsimd_clip_joint *)(uintptr_t)s.base.joint)[1].rotation.values = NULL);
  BAD_OF("object", 4, ALL, "parent is not", s.joint[4].parent = 21);
  BAD_OF("object", 4, ALL, "parent is not", s.joint[4].parent = -2);
  BAD_OF("object", 20, ALL, "parent is not", s.joint[20].parent = INT64_MAX);
  BAD_OF("object", 4, ALL, "circle", s.joint[4].parent = 4);
  BAD_OF("object", 1, ALL, "circle", s.joint[1].parent = 9);
  /* joints below it are not to blame */
  BAD_OF("object_backwards", 18, ALL, "circle", s.joint[20].parent = 18);
}

/* Sources that are valid, and cannot be encoded. */
static void too_extreme(void **state) {
  (void)state;
  BAD_OF("bodies", SIZE_MAX, ALL, "2^26 frames at this rate", s.options.rate = 1e12);
  /* finer than floats; 15 hangs on most joints */
  BAD_OF("object", 15, ALL, "object_bound cannot be held", s.options.object_bound = 1e-12f);

  scene s = {0}; /* reaches that overflow leave nothing of the bound */
  scene_joints(&s, 40);
  for (size_t j = 0; j < 40; j++)
    s.joint[j].translation = drifting(&s, j, NULL, 1, 1, 0),
    s.joint[j].scale = drifting(&s, j, NULL, 1, 0x1p+60, 0);
  s.options.object_bound = 1e-3f;
  expect_bad_argument(&s, 0, QUATSIMD_CLIP_SCALE, SIZE_MAX, "object_bound cannot be held",
                      "reaches that overflow");
  scene_free(&s);

  const double instant[] = {0, 0x1p-101}, shortest[] = {0, 0x1p-100}, denormal[] = {-0x1p-1040, 0x1p-1060};
  s = (scene){0};
  scene_joints(&s, 1);
  s.joint[0].rotation = jumping(&s, 1, instant, 2);
  bounds_of(&s, 1e-3f, 0, 0);
  expect_bad_argument(&s, SIZE_MAX, ALL, SIZE_MAX, "2^-100 seconds apart", "an instant");
  s.joint[0].rotation.step = 0;
  s.joint[0].rotation.times = denormal; /* at an infinite rate */
  expect_bad_argument(&s, SIZE_MAX, ALL, SIZE_MAX, "2^-100 seconds apart", "less than an instant");
  s.joint[0].rotation.step = 1;
  s.joint[0].rotation.times = shortest;
  s.options.allocator = NULL;
  void *data;
  size_t size;
  assert_int_equal(quatsimd_clip_encode(&s.source, &s.options, &data, &size, NULL), QUATSIMD_OK);
  quatsimd_clip_free(NULL, data);
  scene_free(&s);

  const double near[] = {0, 1e-6, 50, 100}; /* frames are at 0 and 100 alone */
  for (int kind = 0; kind < 2; kind++) {
    s = (scene){0};
    scene_joints(&s, 5);
    if (kind)
      s.joint[3].translation = stepping(drifting(&s, 2, near, 4, 0, 1)),
      values_of(&s.joint[3].translation)[3] = 7;
    else s.joint[3].rotation = stepping(jumping(&s, 1, near, 4));
    bounds_of(&s, 1e-3f, 1e-3f, 0);
    expect_bad_argument(&s, 3, kind, 1, "too near in time", "steps at a frame");
    s.options.additive = QUATSIMD_CLIP_ADDITIVE_FIRST;
    expect_bad_argument(&s, 3, kind, 1, "too near in time", "steps at a frame, additive");
    s.base = s.source, s.options.additive = QUATSIMD_CLIP_ADDITIVE_BASE, s.options.base = &s.base;
    quatsimd_clip_joint still[5] = {{0}};
    s.base.joint = still;
    expect_bad_argument(&s, 3, kind, SIZE_MAX, "too near in time", "steps at a frame, on a base");
    /* with more frames they are told apart */
    s.options.additive = QUATSIMD_CLIP_ADDITIVE_NONE, s.options.allocator = NULL, s.options.rate = 30;
    assert_int_equal(quatsimd_clip_encode(&s.source, &s.options, &data, &size, NULL), QUATSIMD_OK);
    quatsimd_clip_free(NULL, data);
    scene_free(&s);
  }
}
#undef BAD_OF

static void bad_arguments(void **state) {
  (void)state;
  fixture f;
  encode(&f, maker_of("bodies"));
  void *data;
  size_t size;
  for (int i = 0; i < 4; i++) {
    quatsimd_clip_report report;
    assert_int_equal(quatsimd_clip_encode(i == 0 ? NULL : &f.scene.source, i == 1 ? NULL : &f.scene.options,
                                          i == 2 ? NULL : &data, i == 3 ? NULL : &size, &report),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_true(report.joint == SIZE_MAX && report.key == SIZE_MAX && report.kind == ALL && report.error &&
                strstr(report.error, "null"));
    assert_int_equal(quatsimd_clip_encode(i == 0 ? NULL : &f.scene.source, i == 1 ? NULL : &f.scene.options,
                                          i == 2 ? NULL : &data, i == 3 ? NULL : &size, NULL),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
  }

  quatsimd_clip clip;
  memset(&clip, FILL, sizeof clip);
  assert_int_equal(quatsimd_clip_open(NULL, f.data, f.size), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_open(&clip, NULL, f.size), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_open(&clip, NULL, 0), QUATSIMD_ERROR_BAD_CLIP);
  assert_true(filled(&clip, sizeof clip));

  room r = room_for(13);
  quatsimd_pose pose = aos(&r);
  const uint32_t joints[] = {0, 12, 13, 1};
  const quatsimd_clip_wrap beyond = (quatsimd_clip_wrap)3;
  assert_int_equal(quatsimd_clip_sample(NULL, 0, QUATSIMD_WRAP_CLIP, &pose, NULL),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_sample(&f.clip, 0, QUATSIMD_WRAP_CLIP, NULL, NULL),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_sample(&f.clip, 0, beyond, &pose, NULL), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_sample_joints(&f.clip, 0, QUATSIMD_WRAP_CLIP, joints, 4, &pose),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_sample_joints(&f.clip, 0, beyond, joints, 2, &pose),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_sample_joints(&f.clip, 0, QUATSIMD_WRAP_CLIP, NULL, 1, &pose),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_sample_joints(&f.clip, 0, QUATSIMD_WRAP_CLIP, joints, 2, NULL),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_sample_joints(NULL, 0, QUATSIMD_WRAP_CLIP, joints, 2, &pose),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_decode(NULL, 0, 1, &pose), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_decode(&f.clip, 0, 1, NULL), QUATSIMD_ERROR_BAD_ARGUMENT);
  const quatsimd_out bad[] = {quatsimd_strided_out(r.at[0], 8), quatsimd_strided_out(r.at[0], 18),
                              quatsimd_aos_out(NULL), quatsimd_soa_out(r.at[0], NULL, r.at[0], r.at[0])};
  for (int i = 0; i < 4; i++) {
    quatsimd_pose wrong = pose;
    wrong.rotations = bad[i];
    assert_int_equal(quatsimd_clip_sample(&f.clip, 0, QUATSIMD_WRAP_CLIP, &wrong, NULL),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_clip_sample_joints(&f.clip, 0, QUATSIMD_WRAP_CLIP, joints, 1, &wrong),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
    assert_int_equal(quatsimd_clip_decode(&f.clip, 0, 1, &wrong), QUATSIMD_ERROR_BAD_ARGUMENT);
    wrong = pose, wrong.scales = bad[i];
    assert_int_equal(quatsimd_clip_sample(&f.clip, 0, QUATSIMD_WRAP_CLIP, &wrong, NULL),
                     QUATSIMD_ERROR_BAD_ARGUMENT);
  }
  /* nothing was written */
  for (int kind = 0; kind < 3; kind++) assert_true(filled(r.at[kind], 4 * r.floats[kind]));
  room_free(&r);

  /* cursors */
  const size_t need = quatsimd_clip_cursor_size(&f.clip);
  unsigned char *memory = malloc(need + 8);
  quatsimd_clip_cursor *cursor = NULL;
  assert_non_null(memory);
  assert_int_equal(quatsimd_clip_cursor_size(NULL), 0);
  assert_int_equal(quatsimd_clip_cursor_init(&cursor, memory, need - 1, &f.clip),
                   QUATSIMD_ERROR_SHORT_BUFFER);
  assert_int_equal(quatsimd_clip_cursor_init(&cursor, memory + 4, need, &f.clip),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_cursor_init(&cursor, NULL, need, &f.clip), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_cursor_init(&cursor, memory, need, NULL), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_cursor_init(NULL, memory, need, &f.clip), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_null(cursor);
  assert_int_equal(quatsimd_clip_cursor_init(&cursor, memory, need, &f.clip), QUATSIMD_OK);
  fixture other;
  encode(&other, maker_of("smooth"));
  room s = room_for(23);
  pose = aos(&s);
  assert_int_equal(quatsimd_clip_sample(&other.clip, 0, QUATSIMD_WRAP_CLIP, &pose, cursor),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  room_free(&s);
  done(&other);
  free(memory);
  done(&f);
}

/* test_clip [--small]: without the clips of an hour and of a thousand joints, for emulators. */
int main(int argc, char **argv) {
  skip_other_kernels();
  const bool small = argc == 2 && strcmp(argv[1], "--small") == 0;
  enum { OTHERS = 14 };
  const struct CMUnitTest others[OTHERS] = {
      cmocka_unit_test(kinds_of_curves),   cmocka_unit_test(sizes),
      cmocka_unit_test(all_lengths),       cmocka_unit_test(same_bytes),
      cmocka_unit_test(times_near_frames), cmocka_unit_test(add_layouts),
      cmocka_unit_test(orders_of_joints),  cmocka_unit_test(no_memory),
      cmocka_unit_test(bad_keys),          cmocka_unit_test(bad_bases),
      cmocka_unit_test(bad_options),       cmocka_unit_test(bad_joints),
      cmocka_unit_test(too_extreme),       cmocka_unit_test(bad_arguments)};
  struct CMUnitTest tests[SCENES + OTHERS];
  size_t count = 0;
  for (size_t i = 0; i < SCENES; i++) {
    const bool large = strcmp(scenes[i].name, "hour") == 0 || strcmp(scenes[i].name, "many_joints") == 0;
    if (small && large) printf("SKIP: %s takes minutes in an emulator\n", scenes[i].name);
    else
      tests[count++] =
          (struct CMUnitTest){scenes[i].name, a_scene, NULL, NULL, (void *)(uintptr_t)&scenes[i]};
  }
  memcpy(tests + count, others, sizeof others);
  return _cmocka_run_group_tests("clips", tests, count + OTHERS, NULL, NULL);
}
