/* Checks that all calls that sample a clip, in all layouts of the pose, give the same values. */
#include "fixture.h"

enum { STRIDE = 13 }; /* floats from one joint to the next */

/* A time, and the pose `wanted` that a clip has at this time. */
struct moment {
  const fixture *f;
  double time;
  quatsimd_clip_wrap wrap;
  const guarded_pose *wanted;
};

static void check_soa(const struct moment *m) {
  const size_t joints = m->f->clip->joints;
  guarded_pose r = guarded_pose_new(joints), parts = guarded_pose_new(joints);
  float *const *p = parts.at;
  quatsimd_pose_out pose = {quatsimd_soa_out(p[0], p[0] + joints, p[0] + 2 * joints, p[0] + 3 * joints),
                            quatsimd_soa_out(p[1], p[1] + joints, p[1] + 2 * joints, NULL),
                            quatsimd_soa_out(p[2], p[2] + joints, p[2] + 2 * joints, NULL), NULL};
  assert_int_equal(quatsimd_clip_sample(m->f->clip, &pose, NULL, m->time, m->wrap, 0), QUATSIMD_OK);
  for (int kind = 0; kind < 3; kind++)
    for (size_t i = 0; i < r.floats[kind]; i++)
      r.at[kind][i] = p[kind][i % components(kind) * joints + i / components(kind)];
  expect_same(m->f, m->wanted, &r, m->time, "soa");
  guarded_pose_free(&r), guarded_pose_free(&parts);
}

/* Samples with at least one unused float behind each rotation, translation and scale. */
static void check_strided(const struct moment *m) {
  const size_t joints = m->f->clip->joints;
  guarded_pose r = guarded_pose_new(joints);
  float *all = malloc((STRIDE * joints + 1) * sizeof *all);
  assert_non_null(all);
  memset(all, FILL, STRIDE * joints * sizeof *all);
  quatsimd_pose_out pose = {quatsimd_strided_out(all, 4 * STRIDE), quatsimd_strided_out(all + 5, 4 * STRIDE),
                            quatsimd_strided_out(all + 9, 4 * STRIDE), NULL};
  assert_int_equal(quatsimd_clip_sample(m->f->clip, &pose, NULL, m->time, m->wrap, 0), QUATSIMD_OK);
  for (size_t j = 0; j < joints; j++) {
    memcpy(r.at[0] + 4 * j, all + STRIDE * j, 16), memcpy(r.at[1] + 3 * j, all + STRIDE * j + 5, 12),
        memcpy(r.at[2] + 3 * j, all + STRIDE * j + 9, 12);
    if (!filled(all + STRIDE * j + 4, 4) || !filled(all + STRIDE * j + 8, 4) ||
        !filled(all + STRIDE * j + 12, 4))
      fail_msg("%s at %.17g: written beside joint %zu", m->f->name, m->time, j);
  }
  expect_same(m->f, m->wanted, &r, m->time, "strided");
  free(all);
  guarded_pose_free(&r);
}

static void check_some_joints(const struct moment *m, uint64_t *state) {
  const size_t joints = m->f->clip->joints;
  uint32_t some[37];
  const size_t count = joints ? (size_t)(random_unit(state) * 37) : 0;
  for (size_t i = 0; i < count; i++)
    some[i] =
        i > 0 && random_unit(state) < 0.1 ? some[i - 1] : (uint32_t)(random_unit(state) * (double)joints);
  guarded_pose few = guarded_pose_new(count), wanted = guarded_pose_new(count);
  for (size_t i = 0; i < count; i++)
    for (int kind = 0; kind < 3; kind++)
      memcpy(wanted.at[kind] + components(kind) * i, m->wanted->at[kind] + components(kind) * some[i],
             4 * components(kind));
  quatsimd_pose_out pose = aos(&few);
  assert_int_equal(quatsimd_clip_sample_joints(m->f->clip, &pose, NULL, m->time, m->wrap, some, count, 0),
                   QUATSIMD_OK);
  expect_same(m->f, &wanted, &few, m->time, "some joints");
  guarded_pose_free(&few), guarded_pose_free(&wanted);
}

/* Samples the curves of one kind, and checks that the arrays of the other kinds are not written. */
static void check_alone(const struct moment *m, int kind) {
  guarded_pose alone = guarded_pose_new(m->f->clip->joints);
  quatsimd_pose_out pose = {0};
  *(kind == 0   ? &pose.rotations
    : kind == 1 ? &pose.translations
                : &pose.scales) = quatsimd_aos_out(alone.at[kind]);
  assert_int_equal(quatsimd_clip_sample(m->f->clip, &pose, NULL, m->time, m->wrap, 0), QUATSIMD_OK);
  assert_memory_equal(alone.at[kind], m->wanted->at[kind], 4 * alone.floats[kind]);
  for (int other = 0; other < 3; other++)
    assert_true(other == kind || filled(alone.at[other], 4 * alone.floats[other]));
  guarded_pose_free(&alone);
}

/* Samples in all layouts, samples some joints, and samples each kind alone. */
static void check_calls(const fixture *f, double time, quatsimd_clip_wrap wrap, const guarded_pose *wanted,
                        uint64_t *state) {
  const struct moment m = {f, time, wrap, wanted};
  check_soa(&m);
  check_strided(&m);
  check_some_joints(&m, state);
  for (int kind = 0; kind < 3; kind++) check_alone(&m, kind);
}

void check_consistency(const fixture *f) {
  enum { MOST = 400 };
  const quatsimd_clip *clip = f->clip;
  const size_t frames = clip->joints > 1000 ? 3 : 40;
  const double specials[] = {
      (double)NAN, (double)INFINITY, (double)-INFINITY, 1e300, -1e300, 0x1p-1074, -0.0, 1e17, -1e17};
  double times[MOST];
  size_t n = 0;
  uint64_t state = 1;
  for (size_t i = 0; i < frames; i++) {
    const size_t frame = clip->frames <= frames ? i % clip->frames
                         : i == 0               ? 0
                         : i == 1               ? clip->frames - 1
                                                : (size_t)(random_unit(&state) * (double)clip->frames);
    const double at = quatsimd_clip_frame_time(clip, frame);
    times[n++] = at;
    times[n++] = at + random_unit(&state) * clip->duration / (double)clip->frames;
    times[n++] = clip->start + (3 * random_unit(&state) - 1) * (clip->duration + 1);
  }
  for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) times[n++] = specials[i];
  assert_true(n <= MOST);
  guarded_pose r = guarded_pose_new(clip->joints), again = guarded_pose_new(clip->joints);
  for (size_t i = 0; i < n; i++) {
    const quatsimd_clip_wrap wrap = (quatsimd_clip_wrap)(i % 3);
    sample(f, times[i], wrap, &r);
    expect_good(f, &r, times[i]);
    check_calls(f, times[i], wrap, &r, &state);
    sample(f, times[i], QUATSIMD_CLIP_WRAP_CLIP, &r);
    sample(f, times[i], clip_loops(clip) ? QUATSIMD_CLIP_WRAP_LOOP : QUATSIMD_CLIP_WRAP_CLAMP, &again);
    expect_same(f, &again, &r, times[i], "as the clip wraps");
  }
  guarded_pose_free(&r), guarded_pose_free(&again);
}

void check_ends(const fixture *f) {
  const quatsimd_clip *clip = f->clip;
  const double start = clip->start, end = quatsimd_clip_frame_time(clip, clip->frames - 1);
  guarded_pose first = guarded_pose_new(clip->joints), last = guarded_pose_new(clip->joints),
               r = guarded_pose_new(clip->joints);
  sample(f, start, QUATSIMD_CLIP_WRAP_CLAMP, &first);
  sample(f, end, QUATSIMD_CLIP_WRAP_CLAMP, &last);
  const double before[] = {start - 1e-3, start - 1e9, (double)-INFINITY, (double)NAN},
               after[] = {end + 1e-3, end + 1e9, (double)INFINITY};
  for (int i = 0; i < 4; i++)
    sample(f, before[i], QUATSIMD_CLIP_WRAP_CLAMP, &r),
        expect_same(f, &first, &r, before[i], "before the start");
  for (int i = 0; i < 3; i++)
    sample(f, after[i], QUATSIMD_CLIP_WRAP_CLAMP, &r), expect_same(f, &last, &r, after[i], "behind the end");
  sample(f, (double)NAN, QUATSIMD_CLIP_WRAP_LOOP, &r), expect_same(f, &first, &r, (double)NAN, "no time");
  sample(f, end, QUATSIMD_CLIP_WRAP_LOOP, &r), expect_same(f, &first, &r, end, "the end of a round");
  for (size_t i = 0; clip->frames > 1 && clip->rate > 0 && i < clip->frames - 1; i += clip->frames / 40 + 1)
    for (int rounds = -3; rounds < 4; rounds++) {
      const double time = quatsimd_clip_frame_time(clip, i), round = time + rounds * clip->duration;
      sample(f, time, QUATSIMD_CLIP_WRAP_CLAMP, &first), sample(f, round, QUATSIMD_CLIP_WRAP_LOOP, &r);
      expect_same(f, &first, &r, round, "a frame some rounds later");
    }
  for (int i = 0; clip->frames > 1 && i < 40; i++) { /* times between frames */
    const double part = clip->duration * (i + 0.37) / 40;
    sample(f, start + part, QUATSIMD_CLIP_WRAP_CLAMP, &first),
        sample(f, start + part - 2 * clip->duration, QUATSIMD_CLIP_WRAP_LOOP, &r);
    for (size_t j = 0; j < clip->joints; j++)
      if (state_of(clip, 0, j) == QUATSIMD_CLIP_MOVING)
        assert_true(error_between(0, value_of(0, first.at[0] + 4 * j), value_of(0, r.at[0] + 4 * j)) < 1e-5);
  }
  sample(f, start, QUATSIMD_CLIP_WRAP_CLAMP, &first);
  /* a loop ends with the bits of its first pose; in `round` scenes the last rotations are negated */
  for (int kind = 0; clip_loops(clip) && kind < 3; kind++)
    for (size_t j = 0; j < clip->joints; j++) {
      if (kind == 0 && state_of(clip, 0, j) == QUATSIMD_CLIP_MOVING && f->scene.round) continue;
      if (state_of(clip, kind, j) == QUATSIMD_CLIP_MOVING)
        assert_memory_equal(first.at[kind] + components(kind) * j, last.at[kind] + components(kind) * j,
                            4 * components(kind));
    }
  guarded_pose_free(&first), guarded_pose_free(&last), guarded_pose_free(&r);
}
