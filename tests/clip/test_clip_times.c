/* Checks that clips are within their bounds at any time. Clips of random scenes are compared with
 * support/clip_truth.h at keys, beside keys and between keys.
 *
 * test_clip_times [--count N] [--seed S] [--family NAME] [--snap 1] tests N scenes of each family, or of the
 * family NAME; --snap 1 sets options.snap_times. The line of a failure has the options that make the scene
 * again. */
#include "random_scenes.h"

#include "clip/encode/snap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#define NEAREST 1.01 /* a factor by which the largest ratio to a bound may exceed the reported one */
enum { RANDOM_TIMES = 150, ABOUT_KEYS = 250, MOST_TIMES = RANDOM_TIMES + ABOUT_KEYS + 8, MOST_LINES = 4 };

static size_t scenes_each = 50;
static uint64_t first_seed = 1;
static int snap_times;

/* ---- one scene ---- */

typedef struct run {
  random_scene *scene;
  const char *family;
  uint64_t seed;
  truth truth;
  quatsimd_clip_report report;
  quatsimd_clip *clip;
  float pose[10 * MOST_JOINTS];
  double nearest[TRUTH_OBJECT + 1]; /* for each kind: the largest error found / the joint's own bound */
  char failure[400];                /* the first failure, or an empty string */
} run;

__attribute__((format(printf, 2, 3))) static void fails(run *r, const char *format, ...) {
  if (r->failure[0]) return;
  va_list list;
  const int at =
      snprintf(r->failure, sizeof r->failure, "--family %s --seed %llu --count 1 --snap %d: ", r->family,
               (unsigned long long)r->seed, snap_times);
  va_start(list, format);
  vsnprintf(r->failure + at, sizeof r->failure - (size_t)at, format, list);
  va_end(list);
}

/* Returns true if the source has splines of rotations. Where a spline passes through the quaternion 0, its
 * rotation jumps. No clip follows such a jump, so reports of these sources are not checked. */
static bool has_turning_splines(const quatsimd_clip_source *source) {
  for (size_t j = 0; j < source->joint_count; j++)
    if (source->joints[j].rotation.interpolation == QUATSIMD_CURVE_CUBIC) return true;
  return false;
}

static bool turns_by_splines(const run *r) {
  const quatsimd_clip_source *base = r->scene->options.additive_base;
  return has_turning_splines(&r->scene->source) || (base && has_turning_splines(base));
}

/* Returns a factor by which an error may exceed the reported one, where no rotation follows a spline: 1 %. */
static double seen_of(const run *r, bool object) {
  if (!turns_by_splines(r)) return 1.01;
  return object && r->scene->options.additive_base ? 1.5 : 1.15;
}

/* Measures one error of a joint, and compares the error with the bound and with the report. */
static void check(run *r, size_t joint, int kind, double time, const truth_pose *pose) {
  const double bound = truth_bound(&r->truth, joint, kind), distance = truth_distance(&r->truth, joint);
  const bool object = kind == TRUTH_OBJECT;
  if (object && bound == (double)INFINITY) return;
  const double rounding = object ? truth_object_rounding(&r->truth, joint, distance, time)
                                 : truth_rounding(&r->truth, joint, kind, pose);
  const double said = (double)(object ? r->report.worst_object : r->report.worst[kind]);
  const double ratio = (double)(object ? r->report.nearest_object.ratio : r->report.nearest[kind].ratio);
  double at, seen = seen_of(r, object) * said, enough = fmin(bound, seen);
  if (ratio > 0) enough = fmin(enough, NEAREST * ratio * bound); /* the bounds are of this kind */
  const double off = truth_error(&r->truth, joint, kind, distance, pose, time, enough + rounding, &at);
  if (!(off <= bound + rounding))
    fails(r, "joint %zu, kind %d at %.17g: off by %.6g, the bound is %.6g", joint, kind, time, off, bound);
  if (off > rounding) r->nearest[kind] = fmax(r->nearest[kind], (off - rounding) / bound);
  if (!(off <= seen + rounding))
    fails(r, "joint %zu, kind %d at %.17g: off by %.6g, the report says %.6g", joint, kind, time, off, said);
}

static void check_time(run *r, double time) {
  const size_t n = r->scene->source.joint_count;
  quatsimd_pose_out to = {quatsimd_aos_out(r->pose), quatsimd_aos_out(r->pose + 4 * n),
                          quatsimd_aos_out(r->pose + 7 * n), NULL};
  if (quatsimd_clip_sample(r->clip, &to, NULL, time, QUATSIMD_CLIP_WRAP_CLIP, 0) != QUATSIMD_OK)
    fails(r, "it cannot be sampled at %.17g", time);
  const truth_pose pose = {{r->pose, r->pose + 4 * n, r->pose + 7 * n}};
  for (size_t j = 0; j < n; j++)
    for (int kind = 0; kind <= TRUTH_OBJECT; kind++) check(r, j, kind, time, &pose);
}

static size_t all_keys(const quatsimd_clip_source *source) {
  size_t count = 0;
  for (size_t i = 0; i < 3 * source->joint_count; i++)
    count += truth_curve(&source->joints[i / 3], (int)(i % 3))->key_count;
  return count;
}

/* Writes times of keys, beside keys and halfway to the next key. Returns their number, at most ABOUT_KEYS.
 * Leaves out keys at random if there are too many. */
static size_t about_keys(const quatsimd_clip_source *source, uint64_t *random, double *times) {
  const double part = (double)ABOUT_KEYS / (3 * (double)(all_keys(source) + 1));
  size_t count = 0;
  for (size_t i = 0; i < 3 * source->joint_count; i++) {
    const quatsimd_curve *c = truth_curve(&source->joints[i / 3], (int)(i % 3));
    for (size_t k = 0; k < c->key_count && c->times; k++) {
      if (!chance(random, part) || count + 3 > ABOUT_KEYS) continue;
      const double at = c->times[k], next = k + 1 < c->key_count ? c->times[k + 1] : at;
      const double beside = ANY(random, 0x1p-50, 1e-12, 1e-7, 1e-6, 1e-3, 0.01);
      times[count++] = at, times[count++] = (at + next) / 2;
      times[count++] = at + (chance(random, 0.5) ? beside : -beside) * fmax(fabs(at), next - at);
    }
  }
  return count;
}

static void check_times(run *r) {
  uint64_t random = r->seed ^ 0x5eed;
  const double first = r->truth.first, length = r->truth.last - first;
  const bool loop = r->scene->options.looping;
  double times[MOST_TIMES];
  size_t count = about_keys(&r->scene->source, &random, times);
  if (r->scene->options.additive == QUATSIMD_CLIP_ADDITIVE_BASE && count <= ABOUT_KEYS / 2) {
    double more[MOST_TIMES];
    const size_t of_base = about_keys(&r->scene->base, &random, more);
    for (size_t i = 0; i < of_base && count < ABOUT_KEYS; i++)
      if (more[i] >= first && more[i] <= first + length) times[count++] = more[i];
  }
  for (size_t i = 0; i < RANDOM_TIMES; i++) {
    const double around = i % 8 ? 0 : loop ? 2 : 0.1;
    times[count++] = first + length * in_range(&random, -around, 1 + around);
  }
  times[count++] = first, times[count++] = first + length;
  for (size_t i = 0; i < count && !r->failure[0]; i++) check_time(r, times[i]);
}

static void check_report(run *r) {
  const size_t joints = r->scene->source.joint_count;
  if (turns_by_splines(r)) return;
  for (int kind = 0; kind <= TRUTH_OBJECT; kind++) {
    double most = 0;
    const double said = (double)(kind == TRUTH_OBJECT ? r->report.worst_object : r->report.worst[kind]);
    for (size_t j = 0; j < joints; j++) most = fmax(most, truth_bound(&r->truth, j, kind));
    /* allows rounding errors of values of about 1, or of points up to some tens away */
    const double rounding = kind == QUATSIMD_CLIP_ROTATION ? 1e-6 : kind == TRUTH_OBJECT ? 0x1p-15 : 0x1p-19;
    if (!(said <= most + rounding))
      fails(r, "kind %d: the report says %.6g, the bound is %.6g", kind, said, most);
  }
}

/* The source and the base as options.snap_times moves their keys. */
typedef struct moved {
  quatsimd_memory memory;
  const quatsimd_clip_source *source, *base;
  quatsimd_clip_options options;
} moved;

/* Checks that each key is within the rounding of its float, and in order. */
static void check_moves(run *r, const quatsimd_clip_source *own, const quatsimd_clip_source *to) {
  for (size_t i = 0; i < 3 * own->joint_count; i++) {
    const quatsimd_curve *from = truth_curve(&own->joints[i / 3], (int)(i % 3)),
                         *now = truth_curve(&to->joints[i / 3], (int)(i % 3));
    for (size_t k = 0; k < from->key_count && from->key_count > 1; k++) {
      const double half = from->times[k] == 0 ? 0 : ldexp(1.001, ilogb(from->times[k]) - 24),
                   off = now->times[k] - from->times[k];
      if (off != 0 && !(fabs(off) <= half && fabs(off) <= r->report.snapped))
        fails(r, "curve %zu, key %zu at %.17g is moved by %g", i, k, from->times[k], off);
      if (k > 0 && !(now->times[k] > now->times[k - 1])) fails(r, "curve %zu, key %zu: the order", i, k);
    }
  }
}

/* Bounds hold for the moved keys, so the truth gets these. */
static void move_keys(run *r, moved *m) {
  quatsimd_clip_report report = {0};
  double rate;
  const bool has_base = r->scene->options.additive == QUATSIMD_CLIP_ADDITIVE_BASE;
  *m = (moved){
      .source = &r->scene->source, .base = has_base ? &r->scene->base : NULL, .options = r->scene->options};
  const quatsimd_clip_source *source = m->source, *base = m->base;
  if (quatsimd_snap(&m->memory, &m->source, &m->base, m->options.rate, &rate, &report) != QUATSIMD_OK)
    fails(r, "keys cannot be moved");
  if (report.snapped != r->report.snapped) fails(r, "the report has another move");
  check_moves(r, source, m->source);
  if (base) check_moves(r, base, m->base), m->options.additive_base = m->base;
  r->truth = truth_make(m->source, &m->options);
}

/* Compares the errors that the report calls nearest to their bounds with those that were found. */
static void check_nearest(run *r) {
  const bool objects = r->scene->options.object_bound > 0;
  if (turns_by_splines(r)) return;
  for (int kind = 0; kind <= TRUTH_OBJECT; kind++) {
    const bool object = kind == TRUTH_OBJECT;
    const quatsimd_clip_worst *said = object ? &r->report.nearest_object : &r->report.nearest[kind];
    if (objects != object && said->ratio != 0)
      fails(r, "kind %d has no bound, but a ratio of %.6g", kind, (double)said->ratio);
    if (objects != object || said->ratio == 0) continue;
    if (!(r->nearest[kind] <= NEAREST * (double)said->ratio))
      fails(r, "kind %d: off by %.6g times the bound, the report says %.6g", kind, r->nearest[kind],
            (double)said->ratio);
    if (said->joint >= r->scene->source.joint_count)
      fails(r, "kind %d: the report names joint %zu", kind, said->joint);
    if (!(said->time >= quatsimd_clip_start(r->clip) - 1e-3 * fabs(said->time) &&
          said->time <= quatsimd_clip_start(r->clip) + quatsimd_clip_duration(r->clip) + 1e-3))
      fails(r, "kind %d: the report names the time %.17g", kind, said->time);
  }
}

static void check_scene(run *r) {
  quatsimd_clip_storage storage;
  void *data = NULL;
  size_t size = 0;
  r->truth = truth_make(&r->scene->source, &r->scene->options);
  quatsimd_clip_report_init(&r->report, sizeof r->report);
  const quatsimd_status status =
      quatsimd_clip_encode(&data, &size, &r->scene->source, &r->scene->options, &r->report);
  if (status != QUATSIMD_OK) {
    fails(r, "%s: joint %zu, kind %d, key %zu: %s", quatsimd_status_string(status), r->report.joint,
          r->report.kind, r->report.key, r->report.error ? r->report.error : "no message");
    return;
  }
  if (quatsimd_clip_open(&r->clip, &storage, sizeof storage, data, size) != QUATSIMD_OK)
    fails(r, "it does not open");
  else {
    moved m = {.source = NULL};
    if (snap_times) move_keys(r, &m);
    check_times(r), check_report(r), check_nearest(r);
    quatsimd_release(&m.memory, NULL);
  }
  quatsimd_clip_free(NULL, data);
}

/* Rounds the times of the keys to floats, where these stay in order. */
static void round_times(quatsimd_clip_source *source) {
  for (size_t i = 0; i < 3 * source->joint_count; i++) {
    const quatsimd_curve *c = truth_curve(&source->joints[i / 3], (int)(i % 3));
    double *times = (double *)(uintptr_t)c->times;
    bool apart = times != NULL;
    for (size_t k = 1; k < c->key_count && apart; k++) apart = (float)times[k] > (float)times[k - 1];
    for (size_t k = 0; k < c->key_count && apart; k++) times[k] = (double)(float)times[k];
  }
}

static void a_family(void **state) {
  const family *f = *state;
  static random_scene scene;
  static run r;
  size_t failed = 0, moved_scenes = 0;
  for (uint64_t i = 0; i < scenes_each; i++) {
    r = (run){.scene = &scene, .family = f->name, .seed = first_seed + i};
    scene_of_family(&scene, f, r.seed);
    scene.options.snap_times = snap_times;
    if (snap_times && r.seed % 4) round_times(&scene.source), round_times(&scene.base);
    check_scene(&r);
    moved_scenes += r.report.snapped > 0;
    if (r.failure[0] && ++failed <= MOST_LINES) print_error("%s\n", r.failure);
  }
  if (snap_times && scenes_each >= 50 && strcmp(f->name, "uneven") && strcmp(f->name, "cubic_uneven"))
    assert_true(moved_scenes > scenes_each / 20);
  if (failed) fail_msg("%s: %zu of %zu scenes fail", f->name, failed, scenes_each);
}

int main(int argc, char **argv) {
  struct CMUnitTest tests[FAMILIES];
  const char *only = NULL;
  size_t count = 0;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) return fprintf(stderr, "%s needs a value\n", argv[i]), 2;
    if (strcmp(argv[i], "--count") == 0) scenes_each = strtoul(argv[i + 1], NULL, 10);
    else if (strcmp(argv[i], "--seed") == 0) first_seed = strtoull(argv[i + 1], NULL, 10);
    else if (strcmp(argv[i], "--snap") == 0) snap_times = atoi(argv[i + 1]);
    else if (strcmp(argv[i], "--family") == 0) only = argv[i + 1];
    else return fprintf(stderr, "there is no option %s\n", argv[i]), 2;
  }
  for (size_t i = 0; i < FAMILIES; i++)
    if (!only || strcmp(only, families[i].name) == 0)
      tests[count++] =
          (struct CMUnitTest){families[i].name, a_family, NULL, NULL, (void *)(uintptr_t)&families[i]};
  if (count == 0) return fprintf(stderr, "there is no family %s\n", only), 2;
  return _cmocka_run_group_tests("clips at any time", tests, count, NULL, NULL);
}
