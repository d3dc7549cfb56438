/* Checks the poses of clips at frames and between frames, and curves with keys of their own. */
#include "fixture.h"

/* Returns the radians by which a sample may differ from slerp from a to b, according to clip/kernels.h. */
static long double off_slerp(int kind, value a, value b) {
  const long double degree = acosl(0) / 90, turn = error_between(kind, a, b) / degree;
  return kind ? 0 : turn < 30 ? 0.00014L * degree : turn < 160 ? 0.0005L * degree : 0.0014L * degree;
}

/* Checks that decoding a frame gives the bits of sampling at the frame's time, and that samples between two
 * frames are near the slerp of these frames' values. */
void check_between(const fixture *f) {
  enum { MOST = 500 };
  const quatsimd_clip *clip = f->clip;
  const size_t joints = clip->joints, intervals = clip->frames - 1, n = intervals < MOST ? intervals : MOST;
  guarded_pose a = guarded_pose_new(joints), b = guarded_pose_new(joints), r = guarded_pose_new(joints);
  quatsimd_pose_out pose = aos(&a), next = aos(&b);
  uint64_t state = 2;
  for (size_t i = 0; i < (joints > 5000 && n > 3 ? 3 : n); i++) {
    const size_t frame = n == intervals ? i : (size_t)(random_unit(&state) * (double)intervals);
    const double from = quatsimd_clip_frame_time(clip, frame), to = quatsimd_clip_frame_time(clip, frame + 1);
    assert_int_equal(quatsimd_clip_decode(clip, &pose, NULL, frame, 1, 0), QUATSIMD_OK);
    assert_int_equal(quatsimd_clip_decode(clip, &next, NULL, frame + 1, 1, 0), QUATSIMD_OK);
    sample(f, from, QUATSIMD_CLIP_WRAP_CLAMP, &r), expect_same(f, &a, &r, from, "decoded");
    /* the frame's time, rounded to float, must give the frame too, unless the clip is additive to a base */
    sample(f, (double)(float)from, QUATSIMD_CLIP_WRAP_CLAMP, &r);
    for (int kind = 0; kind < 3; kind++)
      for (size_t j = 0; j < joints; j++)
        if (state_of(clip, kind, j) == QUATSIMD_CLIP_MOVING &&
            clip_additive(clip) != QUATSIMD_CLIP_ADDITIVE_BASE)
          assert_memory_equal(r.at[kind] + components(kind) * j, a.at[kind] + components(kind) * j,
                              4 * components(kind));
    sample(f, to, QUATSIMD_CLIP_WRAP_CLAMP, &r), expect_same(f, &b, &r, to, "decoded");
    for (int quarter = 1; quarter < 4; quarter++) {
      const double time = from + (to - from) * quarter / 4;
      sample(f, time, QUATSIMD_CLIP_WRAP_CLAMP, &r);
      for (int kind = 0; kind < 3; kind++)
        for (size_t j = 0; j < joints; j++) {
          if (state_of(clip, kind, j) == QUATSIMD_CLIP_KEYED) continue;
          const size_t at = components(kind) * j;
          const value p = value_of(kind, a.at[kind] + at), q = value_of(kind, b.at[kind] + at),
                      found = value_of(kind, r.at[kind] + at);
          const long double t = ((long double)time - from) / ((long double)to - from);
          long double dot = 0, largest = 1;
          for (size_t c = 0; c < 4; c++)
            dot += p.v[c] * q.v[c], largest = fmaxl(largest, kind ? fmaxl(fabsl(p.v[c]), fabsl(q.v[c])) : 1);
          const long double error = error_between(kind, found, slerped(kind, p, q, t));
          /* if frames are nearly half a turn apart, samples may turn the other way; see test_clip_times */
          if (kind == 0 && fabsl(dot) < 0.0626L) continue;
          if (!(error <= 1e-6L * largest + off_slerp(kind, p, q)))
            fail_msg("%s: joint %zu, kind %d at %.17g is %.3Lg off the straight way", f->name, j, kind, time,
                     error);
        }
    }
  }
  guarded_pose_free(&a), guarded_pose_free(&b), guarded_pose_free(&r);
}

/* Checks that frames decoded in one call equal frames decoded one by one, in the layouts aos and soa. */
void check_decode(const fixture *f) {
  enum { MOST = 100 };
  const quatsimd_clip *clip = f->clip;
  const size_t joints = clip->joints, most = joints > 1000 ? 2 : MOST;
  uint64_t state = 3;
  for (int i = 0; i < 12; i++) {
    const size_t first = (size_t)(random_unit(&state) * (double)clip->frames), left = clip->frames - first;
    const size_t n = i == 0 ? 0 : (size_t)(random_unit(&state) * (double)(left < most ? left : most)) + 1,
                 all = n * joints;
    guarded_pose r = guarded_pose_new(all), one = guarded_pose_new(joints), wanted = guarded_pose_new(all);
    quatsimd_pose_out pose = aos(&r), at = aos(&one);
    assert_int_equal(quatsimd_clip_decode(clip, &pose, NULL, first, n, 0), QUATSIMD_OK);
    for (size_t k = 0; k < n; k++) {
      assert_int_equal(quatsimd_clip_decode(clip, &at, NULL, first + k, 1, 0), QUATSIMD_OK);
      for (int kind = 0; kind < 3; kind++)
        memcpy(wanted.at[kind] + k * one.floats[kind], one.at[kind], 4 * one.floats[kind]);
    }
    expect_same(f, &wanted, &r, (double)first, "frames at once");
    float *p[3] = {r.at[0], r.at[1], r.at[2]};
    guarded_pose back = guarded_pose_new(all);
    pose = (quatsimd_pose_out){quatsimd_soa_out(p[0], p[0] + all, p[0] + 2 * all, p[0] + 3 * all),
                               quatsimd_soa_out(p[1], p[1] + all, p[1] + 2 * all, NULL),
                               quatsimd_soa_out(p[2], p[2] + all, p[2] + 2 * all, NULL), NULL};
    assert_int_equal(quatsimd_clip_decode(clip, &pose, NULL, first, n, 0), QUATSIMD_OK);
    for (int kind = 0; kind < 3; kind++)
      for (size_t k = 0; k < back.floats[kind]; k++)
        back.at[kind][k] = p[kind][k % components(kind) * all + k / components(kind)];
    expect_same(f, &wanted, &back, (double)first, "frames at once, soa");
    guarded_pose_free(&r), guarded_pose_free(&one), guarded_pose_free(&wanted), guarded_pose_free(&back);
  }
  quatsimd_pose_out nothing = {0};
  assert_int_equal(quatsimd_clip_decode(clip, &nothing, NULL, clip->frames, 0, 0), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_decode(clip, &nothing, NULL, clip->frames + 1, 0, 0),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_decode(clip, &nothing, NULL, clip->frames, 1, 0),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_decode(clip, &nothing, NULL, 0, clip->frames + 1, 0),
                   QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_clip_decode(clip, &nothing, NULL, 1, SIZE_MAX, 0), QUATSIMD_ERROR_BAD_ARGUMENT);
}

/* Checks curves with keys of their own. */
void check_keyed(const fixture *f) {
  const quatsimd_clip *clip = f->clip;
  for (int kind = 0; kind < 3; kind++)
    for (size_t j = 0; j < clip->joints; j++) {
      if (state_of(clip, kind, j) != QUATSIMD_CLIP_KEYED || f->scene.options.additive) continue;
      const quatsimd_curve *curve = curve_of(&f->scene.source.joints[j], kind);
      const uint32_t joint = (uint32_t)j;
      if (curve->key_count < 2) continue; /* the curve is a constant, which is stored as floats */
      guarded_pose a = guarded_pose_new(1), b = guarded_pose_new(1), r = guarded_pose_new(1);
      quatsimd_pose_out from = aos(&a), to = aos(&b), pose = aos(&r);
      for (size_t k = 0; k + 1 < curve->key_count; k++) {
        assert_int_equal(quatsimd_clip_sample_joints(clip, &from, NULL, curve->times[k],
                                                     QUATSIMD_CLIP_WRAP_CLAMP, &joint, 1, 0),
                         QUATSIMD_OK);
        assert_int_equal(quatsimd_clip_sample_joints(clip, &to, NULL, curve->times[k + 1],
                                                     QUATSIMD_CLIP_WRAP_CLAMP, &joint, 1, 0),
                         QUATSIMD_OK);
        for (int part = 1; part < 100; part += part == 1 || part == 75 ? 24 : 25) {
          const double time = curve->times[k] + (curve->times[k + 1] - curve->times[k]) * part / 100;
          assert_int_equal(
              quatsimd_clip_sample_joints(clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_CLAMP, &joint, 1, 0),
              QUATSIMD_OK);
          if (curve->interpolation == QUATSIMD_CURVE_CUBIC) continue; /* test_clip_spline.c tests these */
          if (curve->interpolation == QUATSIMD_CURVE_HOLD) {
            if (memcmp(r.at[kind], a.at[kind], 4 * components(kind)) != 0)
              fail_msg("%s: joint %zu, kind %d at %.17g: the key does not hold", f->name, j, kind, time);
            continue;
          }
          const value p = value_of(kind, a.at[kind]), q = value_of(kind, b.at[kind]);
          long double largest = 1;
          for (size_t c = 0; kind && c < 3; c++)
            largest = fmaxl(largest, fmaxl(fabsl(p.v[c]), fabsl(q.v[c])));
          const long double t =
              ((long double)time - curve->times[k]) / ((long double)curve->times[k + 1] - curve->times[k]);
          /* a key that the encoder adds in a wide turn may have an error as large as the bound */
          const long double added = kind == QUATSIMD_CLIP_ROTATION && error_between(kind, p, q) > 1.9L
                                        ? f->scene.options.rotation_bound
                                        : 0;
          if (!(error_between(kind, value_of(kind, r.at[kind]), slerped(kind, p, q, t)) <=
                2e-6L * largest + off_slerp(kind, p, q) + added))
            fail_msg("%s: joint %zu, kind %d at %.17g is off the straight way between keys", f->name, j, kind,
                     time);
        }
      }
      /* before its first key a curve has the first key's value, after its last key the last key's value */
      for (int at_end = 0; at_end < 2; at_end++) {
        const double time = at_end ? curve->times[curve->key_count - 1] : curve->times[0];
        assert_int_equal(
            quatsimd_clip_sample_joints(clip, &from, NULL, time, QUATSIMD_CLIP_WRAP_CLAMP, &joint, 1, 0),
            QUATSIMD_OK);
        assert_int_equal(quatsimd_clip_sample_joints(clip, &pose, NULL, at_end ? 1e9 : -1e9,
                                                     QUATSIMD_CLIP_WRAP_CLAMP, &joint, 1, 0),
                         QUATSIMD_OK);
        assert_memory_equal(a.at[kind], r.at[kind], 4 * components(kind));
      }
      guarded_pose_free(&a), guarded_pose_free(&b), guarded_pose_free(&r);
    }
}
