/* Checks errors at frames, at keys and in model space against the bounds and the report. */
#include "fixture.h"

/* Adds the additive pose r to the pose of the base at `time`. r becomes the sum. */
static void add_base(const fixture *f, double time, const guarded_pose *r) {
  const scene *s = &f->scene;
  const size_t joints = s->source.joint_count;
  guarded_pose base = guarded_pose_new(joints);
  for (size_t j = 0; j < joints; j++)
    for (int kind = 0; kind < 3; kind++) {
      quatsimd_curve curve =
          *curve_of(s->options.additive_base ? &s->base.joints[j] : &s->source.joints[j], kind);
      if (!s->options.additive_base && curve.key_count > 1) curve.key_count = 1;
      const value v = source_at(&curve, kind, time, 0);
      for (size_t i = 0; i < components(kind); i++) base.at[kind][components(kind) * j + i] = (float)v.v[i];
    }
  quatsimd_pose_out pose = aos(r);
  assert_int_equal(quatsimd_clip_add(&pose,
                                     &(quatsimd_pose_in){quatsimd_aos(base.at[0]), quatsimd_aos(base.at[1]),
                                                         quatsimd_aos(base.at[2]), NULL},
                                     &(quatsimd_pose_in){quatsimd_aos(r->at[0]), quatsimd_aos(r->at[1]),
                                                         quatsimd_aos(r->at[2]), NULL},
                                     joints, 0),
                   QUATSIMD_OK);
  guarded_pose_free(&base);
}

static void expect_within(const fixture *f, int kind, size_t joint, double time, const float *found,
                          value wanted, double slack, long double *worst) {
  const long double error = error_between(kind, value_of(kind, found), wanted);
  if (error > *worst) *worst = error;
  if (!(error <= (long double)bound_of(&f->scene, kind, joint) * (1 + 1e-9L) + slack))
    fail_msg("%s: joint %zu, kind %d at %.17g: the error is %.9Lg, the bound %.9g", f->name, joint, kind,
             time, error, bound_of(&f->scene, kind, joint));
}

/* Checks the errors of moving curves at every frame. Raises worst[kind] to the largest error of the kind. */
static void check_frames(const fixture *f, long double worst[3]) {
  enum { AT_ONCE = 1 << 16 };
  const quatsimd_clip *clip = f->clip;
  const size_t joints = clip->joints, most = joints ? AT_ONCE / joints + 1 : 1;
  guarded_pose r = guarded_pose_new(most * joints);
  quatsimd_pose_out pose = aos(&r);
  /* for each curve, the number of keys that this frame and later frames do not need */
  size_t *from = calloc(3 * joints + 1, sizeof *from);
  assert_non_null(from);
  for (size_t first = 0, n; first < clip->frames; first += n) {
    n = clip->frames - first < most ? clip->frames - first : most;
    assert_int_equal(quatsimd_clip_decode(clip, &pose, NULL, first, n, 0), QUATSIMD_OK);
    for (size_t i = 0; i < n * joints; i++)
      for (int kind = 0; kind < 3; kind++) {
        const size_t j = i % joints;
        const double time = quatsimd_clip_frame_time(clip, first + i / joints), slack = slack_at(clip, time);
        const quatsimd_curve *curve = curve_of(&f->scene.source.joints[j], kind);
        if (state_of(clip, kind, j) != QUATSIMD_CLIP_MOVING || f->scene.options.additive ||
            curve->key_count < 2)
          continue;
        size_t *k = &from[3 * j + (size_t)kind];
        while (*k + 2 < curve->key_count && curve->times[*k + 1] + 2 * slack < time) ++*k;
        const quatsimd_curve later_keys = {curve->key_count - *k, curve->times + *k,
                                           key_of(curve, kind, *k) - (key_of(curve, kind, 0) - curve->values),
                                           curve->interpolation};
        const bool wraps = f->scene.options.looping && first + i / joints == clip->frames - 1;
        /* slerp in float may be off by 5e-7; the last frame of a loop repeats the first one without slerp */
        expect_within(f, kind, j, time, r.at[kind] + components(kind) * i,
                      source_at(&later_keys, kind, time, slack), wraps ? 1e-9 : 5e-7, &worst[kind]);
      }
  }
  free(from);
  guarded_pose_free(&r);
}

/* Checks the clip's error at the time of every key. */
static void check_keys(const fixture *f, long double worst[3]) {
  const scene *s = &f->scene;
  const size_t joints = s->source.joint_count;
  size_t most = 1, n = 0, *next = calloc(3 * joints + 1, sizeof *next);
  for (size_t j = 0; j < joints; j++)
    for (int kind = 0; kind < 3; kind++) most += curve_of(&s->source.joints[j], kind)->key_count;
  double *times = malloc(most * sizeof *times);
  assert_true(times && next);
  times[n++] = f->clip->start;
  for (size_t j = 0; j < joints; j++)
    for (int kind = 0; kind < 3; kind++) {
      const quatsimd_curve *curve = curve_of(&s->source.joints[j], kind);
      for (size_t k = 0; curve->times && k < curve->key_count; k++) times[n++] = curve->times[k];
    }
  qsort(times, n, sizeof *times, compare_times);
  guarded_pose r = guarded_pose_new(joints);
  quatsimd_pose_out pose = aos(&r);
  for (size_t i = 0; i < n; i++) {
    if (i > 0 && times[i] == times[i - 1]) continue;
    assert_int_equal(quatsimd_clip_sample(f->clip, &pose, NULL, times[i], QUATSIMD_CLIP_WRAP_CLAMP, 0),
                     QUATSIMD_OK);
    if (s->options.additive) add_base(f, times[i], &r);
    for (size_t j = 0; j < joints; j++)
      for (int kind = 0; kind < 3; kind++) {
        const quatsimd_curve *curve = curve_of(&s->source.joints[j], kind);
        size_t *k = &next[3 * j + (size_t)kind];
        if (*k == curve->key_count || (curve->times ? curve->times[*k] : f->clip->start) != times[i])
          continue;
        /* the clip may store a key's time as a float, but must have the key's value at the exact time */
        expect_within(f, kind, j, times[i], r.at[kind] + components(kind) * j,
                      value_of(kind, key_of(curve, kind, *k)), s->options.additive ? 5e-7 : 0, &worst[kind]);
        ++*k;
      }
  }
  for (size_t j = 0; j < joints; j++)
    for (int kind = 0; kind < 3; kind++)
      assert_int_equal(next[3 * j + (size_t)kind], curve_of(&s->source.joints[j], kind)->key_count);
  guarded_pose_free(&r);
  free(times), free(next);
}

/* ---- model space ---- */

typedef struct matrix {
  long double m[3][4];
} matrix;

/* Returns a joint's matrix in model space. q, t and s are relative to the parent. */
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

/* Moves 40 points at `distance` from a joint by the matrices a and b. Returns the largest distance between
 * the two places of a point. */
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

/* Returns a joint's matrix in model space. Recursive, because a parent may come after its child. */
static matrix world(const scene *s, size_t joint, value (*v)[3]) {
  const int64_t parent = s->source.joints[joint].parent;
  if (parent < 0) return world_of(NULL, v[joint][0], v[joint][1], v[joint][2]);
  const matrix above = world(s, (size_t)parent, v);
  return world_of(&above, v[joint][0], v[joint][1], v[joint][2]);
}

static void check_object_at(const fixture *f, double time, long double *worst, uint64_t *state) {
  const scene *s = &f->scene;
  const size_t joints = s->source.joint_count;
  guarded_pose r = guarded_pose_new(joints);
  value(*wanted)[3] = calloc(joints, sizeof *wanted), (*found)[3] = calloc(joints, sizeof *found);
  assert_true(wanted && found);
  sample(f, time, QUATSIMD_CLIP_WRAP_CLAMP, &r);
  if (s->options.additive) add_base(f, time, &r);
  for (size_t j = 0; j < joints; j++)
    for (int kind = 0; kind < 3; kind++) {
      wanted[j][kind] = source_at(curve_of(&s->source.joints[j], kind), kind, time, slack_at(f->clip, time));
      found[j][kind] = value_of(kind, r.at[kind] + components(kind) * j);
    }
  for (size_t j = 0; j < joints; j++) {
    const quatsimd_clip_joint *joint = &s->source.joints[j];
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
  guarded_pose_free(&r);
}

static void check_object(const fixture *f) {
  const scene *s = &f->scene;
  long double worst = 0;
  uint64_t state = 6;
  if (!(s->options.object_bound > 0)) {
    assert_true(f->report.worst_object == 0);
    return;
  }
  for (size_t i = 0; i < f->clip->frames; i++)
    check_object_at(f, quatsimd_clip_frame_time(f->clip, i), &worst, &state);
  for (size_t j = 0; j < s->source.joint_count; j++)
    for (int kind = 0; kind < 3; kind++)
      for (size_t k = 0;
           curve_of(&s->source.joints[j], kind)->times && k < curve_of(&s->source.joints[j], kind)->key_count;
           k++)
        check_object_at(f, curve_of(&s->source.joints[j], kind)->times[k], &worst, &state);
  /* the report may be some per cent too high; `worst` may be too low, because few points are tried */
  const double reported = (double)f->report.worst_object, most = (double)worst;
  if (!(most <= reported + 1e-6 && reported <= 1.3 * most))
    fail_msg("%s: points are off by up to %.9g, the report says %.9g", f->name, most, reported);
}

/* Checks splines between keys. */
static void check_splines(const fixture *f, long double worst[3]) {
  enum { PARTS = 64 };
  const scene *s = &f->scene;
  for (uint32_t j = 0; j < s->source.joint_count; j++)
    for (int kind = 0; kind < 3; kind++) {
      const quatsimd_curve *curve = curve_of(&s->source.joints[j], kind);
      if (curve->interpolation != QUATSIMD_CURVE_CUBIC || s->options.additive) continue;
      guarded_pose r = guarded_pose_new(1);
      quatsimd_pose_out pose = aos(&r);
      for (size_t i = 0; i < PARTS * (curve->key_count - 1); i++) {
        const double *t = curve->times + i / PARTS, time = t[0] + (t[1] - t[0]) * (double)(i % PARTS) / PARTS;
        quatsimd_clip_sample_joints(f->clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_CLAMP, &j, 1, 0);
        expect_within(f, kind, j, time, r.at[kind], source_at(curve, kind, time, 0), 0, &worst[kind]);
      }
      guarded_pose_free(&r);
    }
}

void check_errors(const fixture *f) {
  long double worst[3] = {0};
  check_object(f);
  check_frames(f, worst);
  check_keys(f, worst);
  check_splines(f, worst);
  for (int kind = 0; kind < 3; kind++) {
    const double reported = (double)f->report.worst[kind], most = (double)worst[kind];
    /* the report also has estimates of errors between frames and keys */
    if (!f->scene.options.additive &&
        !(most - reported <= 5e-7 + 1e-5 * most && reported - most <= 5e-7 + 0.125 * most))
      fail_msg("%s: the largest error of kind %d is %.9g, the report says %.9g", f->name, kind, most,
               reported);
  }
}
