/* Encodes and opens scenes, computes values of curves in long double, and puts guards around poses. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "support/clips.h"

#include "clip/sample/open.h" /* for the members of quatsimd_clip */

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* ---- expected values ---- */

typedef struct value {
  long double v[4];
} value;

static inline size_t components(int kind) { return kind == QUATSIMD_CLIP_ROTATION ? 4 : 3; }
static inline const quatsimd_curve *curve_of(const quatsimd_clip_joint *joint, int kind) {
  return kind == QUATSIMD_CLIP_ROTATION      ? &joint->rotation
         : kind == QUATSIMD_CLIP_TRANSLATION ? &joint->translation
                                             : &joint->scale;
}

static inline value value_of(int kind, const float *f) {
  value q = {{0}};
  long double n2 = 0;
  for (size_t i = 0; i < components(kind); i++) q.v[i] = f[i], n2 += q.v[i] * q.v[i];
  for (size_t i = 0; kind == QUATSIMD_CLIP_ROTATION && i < 4; i++) q.v[i] /= sqrtl(n2);
  return q;
}

/* Returns an angle for rotations, a distance for translations, the largest difference for scales. */
static inline long double error_between(int kind, value p, value q) {
  const long double *a = p.v, *b = q.v;
  if (kind == QUATSIMD_CLIP_SCALE)
    return fmaxl(fabsl(a[0] - b[0]), fmaxl(fabsl(a[1] - b[1]), fabsl(a[2] - b[2])));
  if (kind != QUATSIMD_CLIP_ROTATION)
    return sqrtl((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                 (a[2] - b[2]) * (a[2] - b[2]));
  const long double x = a[3] * b[0] - a[0] * b[3] - a[1] * b[2] + a[2] * b[1],
                    y = a[3] * b[1] + a[0] * b[2] - a[1] * b[3] - a[2] * b[0];
  const long double z = a[3] * b[2] - a[0] * b[1] + a[1] * b[0] - a[2] * b[3],
                    w = a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  return 2 * atan2l(sqrtl(x * x + y * y + z * z), fabsl(w));
}

static inline value mixed(int kind, value a, value b, long double of_a, long double of_b) {
  long double dot = 0, n2 = 0;
  for (int i = 0; i < 4; i++) dot += a.v[i] * b.v[i];
  for (int i = 0; i < 4; i++)
    a.v[i] = of_a * a.v[i] + (kind == QUATSIMD_CLIP_ROTATION && dot < 0 ? -of_b : of_b) * b.v[i],
    n2 += a.v[i] * a.v[i];
  for (int i = 0; kind == QUATSIMD_CLIP_ROTATION && i < 4; i++) a.v[i] /= sqrtl(n2);
  return a;
}

/* Interpolates from a to b: rotations by slerp along the shorter arc, values of other kinds linearly. */
static inline value slerped(int kind, value a, value b, long double t) {
  const long double half = kind == QUATSIMD_CLIP_ROTATION ? error_between(kind, a, b) / 2 : 0;
  return half < 1e-9L ? mixed(kind, a, b, 1 - t, t)
                      : mixed(kind, a, b, sinl((1 - t) * half) / sinl(half), sinl(t * half) / sinl(half));
}

/* Returns the components of a key's value. A spline has a tangent before and behind it. */
static inline const float *key_of(const quatsimd_curve *curve, int kind, size_t k) {
  const bool cubic = curve->interpolation == QUATSIMD_CURVE_CUBIC;
  return curve->values + components(kind) * (cubic ? 3 * k + 1 : k);
}

/* Evaluates glTF's CUBICSPLINE t of the way from key k to the next key. */
static inline value hermite(const quatsimd_curve *curve, int kind, size_t k, long double t) {
  const size_t n = components(kind);
  const float *a = key_of(curve, kind, k), *b = key_of(curve, kind, k + 1);
  const long double span = (long double)curve->times[k + 1] - curve->times[k];
  value q = {{0}};
  long double n2 = 0;
  for (size_t i = 0; i < n; i++) {
    q.v[i] = (2 * t * t * t - 3 * t * t + 1) * a[i] + span * (t * t * t - 2 * t * t + t) * a[n + i] +
             (3 * t * t - 2 * t * t * t) * b[i] + span * (t * t * t - t * t) * *(b + i - n);
    n2 += q.v[i] * q.v[i];
  }
  for (size_t i = 0; kind == QUATSIMD_CLIP_ROTATION && i < 4; i++) q.v[i] /= sqrtl(n2);
  return q;
}

/* Returns the curve's value at a time. Keys up to `slack` after this time count as reached. */
static inline value source_at(const quatsimd_curve *curve, int kind, double time, double slack) {
  static const float none[3][4] = {{0, 0, 0, 1}, {0}, {1, 1, 1}};
  if (curve->key_count == 0) return value_of(kind, none[kind]);
  size_t k = 0;
  while (k + 1 < curve->key_count && curve->times[k + 1] <= time + slack) k++;
  const value a = value_of(kind, key_of(curve, kind, k));
  if (curve->interpolation == QUATSIMD_CURVE_HOLD || k + 1 == curve->key_count ||
      time <= curve->times[k] + slack)
    return a;
  const long double t =
      ((long double)time - curve->times[k]) / ((long double)curve->times[k + 1] - curve->times[k]);
  if (curve->interpolation == QUATSIMD_CURVE_CUBIC) return hermite(curve, kind, k, t);
  return slerped(kind, a, value_of(kind, key_of(curve, kind, k + 1)), t);
}

/* ---- a scene, encoded and opened ---- */

typedef struct fixture {
  const char *name;
  scene scene;
  void *data;
  size_t size;
  quatsimd_clip_report report;
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
} fixture;

/* Encodes and opens a scene. bundled: 1 if the clip is for a bundle. */
static inline void encode_as(fixture *f, const scene_maker *maker, int bundled) {
  *f = (fixture){.name = maker->name};
  quatsimd_clip_report_init(&f->report, sizeof f->report);
  scene_make(&f->scene, maker);
  f->scene.options.bundled = bundled;
  const quatsimd_status status =
      quatsimd_clip_encode(&f->data, &f->size, &f->scene.source, &f->scene.options, &f->report);
  if (status != QUATSIMD_OK)
    fail_msg("%s: %s; joint %zu, kind %d, key %zu: %s", f->name, quatsimd_status_string(status),
             f->report.joint, f->report.kind, f->report.key,
             f->report.error ? f->report.error : "no message");
  assert_null(f->report.error);
  assert_int_equal(quatsimd_clip_open(&f->clip, &f->storage, sizeof f->storage, f->data, f->size),
                   QUATSIMD_OK);
}

static inline void encode(fixture *f, const scene_maker *maker) { encode_as(f, maker, 0); }

static inline void done(fixture *f) {
  quatsimd_clip_free(f->scene.options.allocator, f->data);
  scene_free(&f->scene);
}

static inline unsigned state_of(const quatsimd_clip *clip, int kind, size_t joint) {
  return quatsimd_clip_curve_state(clip, kind, joint);
}

static inline double bound_of(const scene *s, int kind, size_t joint) {
  const quatsimd_clip_joint *j = &s->source.joints[joint];
  const float own[] = {j->rotation_bound, j->translation_bound, j->scale_bound};
  const float all[] = {s->options.rotation_bound, s->options.translation_bound, s->options.scale_bound};
  if (s->options.object_bound > 0) return (double)INFINITY; /* check_object tests errors instead */
  return (double)(own[kind] > 0 ? own[kind] : all[kind]);
}

#define REFUSED(call) assert_int_equal(call, QUATSIMD_ERROR_BAD_ARGUMENT)

/* ---- poses with guards around their arrays ---- */

enum { FILL = 0xa5, GUARD = 64 };

typedef struct guarded_pose {
  float *at[3];
  size_t floats[3];
} guarded_pose;

static inline guarded_pose guarded_pose_new(size_t elements) {
  guarded_pose r;
  for (int kind = 0; kind < 3; kind++) {
    r.floats[kind] = components(kind) * elements;
    unsigned char *all = malloc(4 * r.floats[kind] + 2 * GUARD);
    if (!all) fail_msg("out of memory");
    memset(all, FILL, 4 * r.floats[kind] + 2 * GUARD);
    r.at[kind] = (float *)(void *)(all + GUARD);
  }
  return r;
}

static inline bool filled(const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (((const unsigned char *)bytes)[i] != FILL) return false;
  return true;
}

static inline void room_check(const guarded_pose *r) {
  for (int kind = 0; kind < 3; kind++) {
    assert_true(filled((char *)r->at[kind] - GUARD, GUARD));
    assert_true(filled((char *)r->at[kind] + 4 * r->floats[kind], GUARD));
  }
}

static inline void guarded_pose_free(guarded_pose *r) {
  room_check(r);
  for (int kind = 0; kind < 3; kind++) free((char *)r->at[kind] - GUARD);
}

static inline quatsimd_pose_out aos(const guarded_pose *r) {
  return (quatsimd_pose_out){quatsimd_aos_out(r->at[0]), quatsimd_aos_out(r->at[1]),
                             quatsimd_aos_out(r->at[2]), NULL};
}

static inline void expect_same(const fixture *f, const guarded_pose *a, const guarded_pose *b, double time,
                               const char *what) {
  for (int kind = 0; kind < 3; kind++)
    if (memcmp(a->at[kind], b->at[kind], 4 * a->floats[kind]) != 0) {
      size_t i = 0;
      while (memcmp(a->at[kind] + i, b->at[kind] + i, 4) == 0) i++;
      fail_msg("%s at %.17g: %s: kind %d, element %zu, component %zu: %.9g, not %.9g", f->name, time, what,
               kind, i / components(kind), i % components(kind), (double)b->at[kind][i],
               (double)a->at[kind][i]);
    }
}

static inline void expect_good(const fixture *f, const guarded_pose *r, double time) {
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

static inline void sample(const fixture *f, double time, quatsimd_clip_wrap wrap, const guarded_pose *r) {
  quatsimd_pose_out pose = aos(r);
  assert_int_equal(quatsimd_clip_sample(f->clip, &pose, NULL, time, wrap, 0), QUATSIMD_OK);
}

static inline const scene_maker *maker_of(const char *name) {
  for (size_t i = 0; i < SCENES; i++)
    if (strcmp(scenes[i].name, name) == 0) return &scenes[i];
  fail_msg("no scene %s", name);
  return NULL;
}

/* Returns the largest error of a time in a clip: rounding errors of floats, plus a millionth of a frame. */
static inline double slack_at(const quatsimd_clip *clip, double time) {
  return fabs(time) * 0x1p-22 + (clip->rate > 0 ? 0x1p-20 / clip->rate : 0);
}

static inline int compare_times(const void *a, const void *b) {
  return *(const double *)a < *(const double *)b ? -1 : *(const double *)a > *(const double *)b;
}

/* These functions are in check_errors.c, check_calls.c and check_frames.c. */
void check_errors(const fixture *f);
void check_consistency(const fixture *f);
void check_ends(const fixture *f);
void check_between(const fixture *f);
void check_decode(const fixture *f);
void check_keyed(const fixture *f);

#endif
