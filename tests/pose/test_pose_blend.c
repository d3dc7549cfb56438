/* Compares blending, adding and subtracting with docs/pose.md, in long double. */
#include "poses.h"

enum { JOINTS = 61, TRACKS = 9, POSES = 4, LAYERS = 5 };
static const quatsimd_pose_counts all_poses = {JOINTS, TRACKS, POSES}, one_pose = {JOINTS, TRACKS, 1},
                                  one_joint = {1, 0, 1};

typedef struct value {
  long double v[4];
} value;

static value none_of(int kind) {
  return kind == 0 ? (value){{0, 0, 0, 1}} : kind == 2 ? (value){{1, 1, 1}} : (value){{0}};
}
static value value_of(const poses *p, int kind, size_t element) {
  value x = {{0}};
  for (size_t c = 0; c < width_of(kind); c++) x.v[c] = p->at[kind][width_of(kind) * element + c];
  return x;
}
static value unit(value q) {
  long double n2 = 0;
  for (int c = 0; c < 4; c++) n2 += q.v[c] * q.v[c];
  for (int c = 0; c < 4; c++) q.v[c] /= sqrtl(n2);
  return q;
}
/* Returns Hamilton's product of a and b. */
static value product(value a, value b) {
  const long double *p = a.v, *q = b.v;
  return (value){{p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
                  p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
                  p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3],
                  p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2]}};
}

static long double weight_in(float w, bool any_sign) {
  if (isnan(w)) return 0;
  if (w < 0 && !any_sign) return 0;
  return fmaxl(fminl((long double)w, 65536), -65536);
}

/* Compares one element with `wanted`. The allowed rounding error is proportional to `magnitude`. */
static void expect_near(const char *what, int kind, const poses *got, size_t element, value wanted,
                        long double magnitude) {
  for (size_t c = 0; c < width_of(kind); c++) {
    const long double off = fabsl((long double)got->at[kind][width_of(kind) * element + c] - wanted.v[c]);
    if (!(off <= 1e-6L * magnitude))
      fail_msg("%s: kind %d, element %zu, component %zu is %g, not %Lg", what, kind, element, c,
               (double)got->at[kind][width_of(kind) * element + c], wanted.v[c]);
  }
}

/* ---- blending ---- */

typedef struct blend {
  poses in[LAYERS], rest, out;
  float weights[LAYERS][POSES], mask[LAYERS][JOINTS], track_mask[LAYERS][TRACKS];
  quatsimd_weighted_poses layer[LAYERS];
  size_t layers;
} blend;

static float any_weight(uint64_t *state, int round) {
  static const float odd[] = {0, -0.0f, 1, -1, 0.5f, 1e-30f, 3, 1e30f, (float)NAN, (float)INFINITY};
  const size_t chosen = sweep_next(state) % 20;
  return round % 3 == 0 && chosen < 10 ? odd[chosen] : (float)random_unit(state);
}

static void make_blend(blend *b, int round, uint64_t *state) {
  b->layers = sweep_next(state) % (LAYERS + 1);
  random_poses(&b->rest, JOINTS, state);
  for (size_t l = 0; l < b->layers; l++) {
    random_poses(&b->in[l], POSES * JOINTS, state);
    for (size_t p = 0; p < POSES; p++) b->weights[l][p] = any_weight(state, round);
    for (size_t j = 0; j < JOINTS; j++) b->mask[l][j] = any_weight(state, round + 1);
    for (size_t t = 0; t < TRACKS; t++) b->track_mask[l][t] = any_weight(state, round + 2);
    b->layer[l] = (quatsimd_weighted_poses){poses_in(&b->in[l], (int)l % LAYOUTS, POSES * JOINTS),
                                            round & 4 ? NULL : b->weights[l], round & 8 ? NULL : b->mask[l],
                                            round & 16 ? NULL : b->track_mask[l]};
    if (round % 7 == 3 && l == 1)
      b->layer[l].poses.rotations = (quatsimd_in){0}, b->layer[l].poses.tracks = NULL;
  }
}

/* Returns a blended value, computed as docs/pose.md describes. */
static value blended(const blend *b, const quatsimd_pose_in *rest, int kind, size_t pose, size_t i,
                     size_t each, long double *magnitude) {
  value sum = {{0}};
  long double all = 0;
  *magnitude = 1;
  for (size_t l = 0; l <= b->layers; l++) {
    long double w = 1 - all;
    value x = rest ? value_of(&b->rest, kind, i) : none_of(kind);
    if (l < b->layers) {
      const quatsimd_weighted_poses *of = &b->layer[l];
      const float *mask = kind == TRACK ? of->track_mask : of->mask;
      w = (of->weights ? weight_in(of->weights[pose], false) : 1) * (mask ? weight_in(mask[i], false) : 1);
      x = value_of(&b->in[l], kind, pose * each + i);
      if ((kind == 0 && !of->poses.rotations.x) || (kind == TRACK && !of->poses.tracks)) x = none_of(kind);
    }
    if (!(w > 0)) continue;
    long double dot = 0;
    for (int c = 0; c < 4; c++) dot += sum.v[c] * x.v[c];
    for (int c = 0; c < 4; c++) sum.v[c] += (kind == 0 && dot < 0 ? -w : w) * x.v[c];
    for (int c = 0; c < 4; c++) *magnitude = fmaxl(*magnitude, fabsl(x.v[c]));
    all += w;
  }
  if (kind == 0) return unit(sum);
  for (int c = 0; c < 4; c++) sum.v[c] /= all;
  return sum;
}

/* Returns true if a rounding error may change the sign of a layer's quaternion in the sum. */
static bool is_torn(const blend *b, const quatsimd_pose_in *rest, size_t pose, size_t i) {
  value sum = {{0}};
  long double all = 0;
  for (size_t l = 0; l <= b->layers; l++) {
    long double w = 1 - all, dot = 0, n2 = 0;
    value x = rest ? value_of(&b->rest, 0, i) : none_of(0);
    if (l < b->layers) {
      const quatsimd_weighted_poses *of = &b->layer[l];
      w = (of->weights ? weight_in(of->weights[pose], false) : 1) *
          (of->mask ? weight_in(of->mask[i], false) : 1);
      x = of->poses.rotations.x ? value_of(&b->in[l], 0, pose * JOINTS + i) : none_of(0);
    }
    if (!(w > 0)) continue;
    for (int c = 0; c < 4; c++) dot += sum.v[c] * x.v[c], n2 += sum.v[c] * sum.v[c];
    if (n2 > 0 && fabsl(dot) < 1e-5L * sqrtl(n2)) return true;
    for (int c = 0; c < 4; c++) sum.v[c] += (dot < 0 ? -w : w) * x.v[c];
    all += w;
  }
  return false;
}

static void blends(void **state) {
  (void)state;
  static blend b;
  uint64_t random = 21;
  for (int round = 0; round < 200; round++) {
    make_blend(&b, round, &random);
    const int layout = round % LAYOUTS;
    const quatsimd_pose_in rest = poses_in(&b.rest, layout, JOINTS), *given = round & 1 ? &rest : NULL;
    quatsimd_pose_out out = poses_out(&b.out, layout, POSES * JOINTS);
    assert_int_equal(quatsimd_pose_blend(&out, b.layer, b.layers, given, all_poses), QUATSIMD_OK);
    move_pose(&b.out, layout, POSES * JOINTS, true);
    for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
      for (size_t p = 0; p < POSES; p++)
        for (size_t i = 0, each = kind == TRACK ? TRACKS : JOINTS; i < each; i++) {
          long double magnitude;
          if (kind == 0 && is_torn(&b, given, p, i)) continue;
          const value wanted = blended(&b, given, kind, p, i, each, &magnitude);
          expect_near("blend", kind, &b.out, p * each + i, wanted, 2 * magnitude);
        }
  }
}

/* Blending poses one at a time, in place, gives the same bits. Input values with weight 0 may be NaN. */
static void one_by_one(void **state) {
  (void)state;
  static blend b, one;
  uint64_t random = 22;
  for (int round = 0; round < 40; round++) {
    make_blend(&b, round, &random);
    if (b.layers == 0) continue;
    const quatsimd_pose_in rest = poses_in(&b.rest, 0, JOINTS);
    quatsimd_pose_out out = poses_out(&b.out, 0, POSES * JOINTS);
    assert_int_equal(quatsimd_pose_blend(&out, b.layer, b.layers, &rest, all_poses), QUATSIMD_OK);
    for (size_t p = 0; p < POSES; p++) {
      quatsimd_weighted_poses layer[LAYERS];
      for (size_t l = 0; l < b.layers; l++) {
        for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
          const size_t w = width_of(kind), each = kind == TRACK ? TRACKS : JOINTS;
          memcpy(one.in[l].at[kind], b.in[l].at[kind] + p * each * w, each * w * sizeof(float));
          for (size_t i = 0; i < each * w; i++) {
            const quatsimd_weighted_poses *of = &b.layer[l];
            const float *mask = kind == TRACK ? of->track_mask : of->mask;
            const bool counts = (!of->weights || of->weights[p] > 0) && (!mask || mask[i / w] > 0);
            if (!counts) one.in[l].at[kind][i] = (float)NAN;
          }
        }
        layer[l] = b.layer[l];
        const bool has = layer[l].poses.rotations.x != NULL, tracks = layer[l].poses.tracks != NULL;
        layer[l].poses = poses_in(&one.in[l], 0, JOINTS);
        if (!has) layer[l].poses.rotations = (quatsimd_in){0};
        if (!tracks) layer[l].poses.tracks = NULL;
        if (layer[l].weights) layer[l].weights += p;
      }
      quatsimd_pose_out place = poses_out(&one.in[0], 0, JOINTS);
      assert_int_equal(quatsimd_pose_blend(&place, layer, b.layers, &rest, one_pose), QUATSIMD_OK);
      for (int kind = 0; kind < 3; kind++)
        assert_true(same_bits(one.in[0].moved[kind], b.out.moved[kind] + p * JOINTS * width_of(kind),
                              JOINTS * width_of(kind)));
      assert_true(same_bits(one.in[0].at[TRACK], b.out.at[TRACK] + p * TRACKS, TRACKS));
    }
  }
}

/* One pose with all the weight stays the same. Rotations half a turn apart meet halfway. */
static void simple_blends(void **state) {
  (void)state;
  static const float one[] = {0.6f, 0, 0, 0.8f}, negative[] = {-0.6f, 0, 0, -0.8f},
                     half[] = {0.8f, 0, 0, -0.6f};
  static const float three_quarters = 0.75f, quarter = 0.25f;
  float to[4];
  quatsimd_pose_out out = {.rotations = quatsimd_aos_out(to)};
  const quatsimd_pose_in a = {.rotations = quatsimd_aos(one)}, b = {.rotations = quatsimd_aos(negative)},
                         c = {.rotations = quatsimd_aos(half)};
  const quatsimd_weighted_poses alone = {.poses = a}, both[] = {{.poses = a, .weights = &three_quarters},
                                                                {.poses = b, .weights = &quarter}};
  assert_int_equal(quatsimd_pose_blend(&out, &alone, 1, NULL, one_joint), QUATSIMD_OK);
  for (int i = 0; i < 4; i++) assert_true(fabsf(to[i] - one[i]) < 1e-7f);
  assert_int_equal(quatsimd_pose_blend(&out, both, 2, NULL, one_joint), QUATSIMD_OK);
  for (int i = 0; i < 4; i++) assert_true(fabsf(to[i] - one[i]) < 2e-7f);
  const quatsimd_weighted_poses apart[] = {{.poses = a}, {.poses = c}};
  assert_int_equal(quatsimd_pose_blend(&out, apart, 2, NULL, one_joint), QUATSIMD_OK);
  assert_true(fabsf(to[0] - 1.4f / sqrtf(2)) < 3e-7f && fabsf(to[3] - 0.2f / sqrtf(2)) < 3e-7f);
  float bad[4] = {0.6f, 0, 0, 0.8f};
  sweep_set_bits(&bad[1], 0xffc12345); /* a NaN result does not depend on the bits of the NaN input */
  const quatsimd_weighted_poses unknown = {.poses = {.rotations = quatsimd_aos(bad)}};
  assert_int_equal(quatsimd_pose_blend(&out, &unknown, 1, NULL, one_joint), QUATSIMD_OK);
  for (int i = 0; i < 4; i++) {
    uint32_t bits;
    memcpy(&bits, &to[i], sizeof bits);
    assert_int_equal(bits, 0x7fc00000);
  }
  static const float lengths[] = {0x1p-60f, 1, 0x1p+45f, 0x1p+57f, 0x1p+60f},
                     weights[] = {1, 0x1p+16f, 0x1p+16f, 16,
                                  2}; /* lengths[l] * weights[l] must be below 2^62 */
  for (int l = 0; l < 5; l++) {
    const float rotation[4] = {0.6f * lengths[l], 0, 0, 0.8f * lengths[l]};
    const quatsimd_weighted_poses far = {.poses = {.rotations = quatsimd_aos(rotation)},
                                         .weights = &weights[l]};
    assert_int_equal(quatsimd_pose_blend(&out, &far, 1, NULL, one_joint), QUATSIMD_OK);
    for (int i = 0; i < 4; i++) assert_true(fabsf(to[i] - one[i]) < 5e-7f);
  }
  const float nothing[4] = {0};
  const quatsimd_weighted_poses zero = {.poses = {.rotations = quatsimd_aos(nothing)}};
  assert_int_equal(quatsimd_pose_blend(&out, &zero, 1, NULL, one_joint), QUATSIMD_OK);
  assert_true(to[0] == 0 && to[1] == 0 && to[2] == 0 && to[3] == 1);
}

/* ---- adding and subtracting ---- */

static value added(value base, value add, int kind, long double w) {
  value r = base;
  if (kind == 0) {
    add = unit(add);
    const long double by = add.v[3] < 0 ? -w : w;
    for (int c = 0; c < 4; c++) add.v[c] = by * add.v[c] + (c == 3 ? 1 - w : 0);
    return unit(product(base, unit(add)));
  }
  for (int c = 0; c < 4; c++)
    r.v[c] = kind == 2 ? base.v[c] * (1 + w * (add.v[c] - 1)) : base.v[c] + w * add.v[c];
  return r;
}

static void additions(void **state) {
  (void)state;
  static poses base, add, out;
  static float weights[POSES], mask[JOINTS], track_mask[TRACKS];
  uint64_t random = 23;
  for (int round = 0; round < 100; round++) {
    random_poses(&base, POSES * JOINTS, &random), random_poses(&add, POSES * JOINTS, &random);
    for (size_t p = 0; p < POSES; p++) weights[p] = (float)(random_unit(&random) * 4 - 2);
    for (size_t j = 0; j < JOINTS; j++) mask[j] = (float)random_unit(&random);
    for (size_t t = 0; t < TRACKS; t++) track_mask[t] = (float)random_unit(&random);
    if (round % 5 == 0) weights[0] = 0, weights[1] = 1, weights[2] = (float)NAN;
    const int layout = round % LAYOUTS;
    const quatsimd_weighted_poses layer = {poses_in(&add, layout, POSES * JOINTS), round & 4 ? NULL : weights,
                                           round & 8 ? NULL : mask, round & 16 ? NULL : track_mask};
    const quatsimd_pose_in under = poses_in(&base, 0, POSES * JOINTS);
    memset(&out, 0, sizeof out);
    const bool in_place = round % 3 == 0 && layout == 0;
    if (in_place) out = base;
    quatsimd_pose_out to = poses_out(in_place ? &base : &out, layout, POSES * JOINTS);
    const poses before = base;
    assert_int_equal(quatsimd_pose_add(&to, &under, &layer, all_poses), QUATSIMD_OK);
    if (in_place) out = base, base = before;
    move_pose(&out, layout, POSES * JOINTS, true);
    for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
      for (size_t p = 0; p < POSES; p++)
        for (size_t i = 0, each = kind == TRACK ? TRACKS : JOINTS; i < each; i++) {
          const float *factor = kind == TRACK ? layer.track_mask : layer.mask;
          const long double w = (layer.weights ? weight_in(weights[p], true) : 1) * (factor ? factor[i] : 1);
          const value a = value_of(&add, kind, p * each + i);
          if (kind == 0 && fabsl(a.v[3]) < 1e-6L) continue; /* a half turn: either direction is right */
          expect_near("add", kind, &out, p * each + i, added(value_of(&base, kind, p * each + i), a, kind, w),
                      40);
        }
  }
}

/* Adding the difference of a pose and a base to the base gives the pose. */
static void subtractions(void **state) {
  (void)state;
  static poses base, pose, difference, back;
  uint64_t random = 24;
  for (int round = 0; round < 40; round++) {
    random_poses(&base, POSES * JOINTS, &random), random_poses(&pose, POSES * JOINTS, &random);
    if (round % 4 == 1) base.at[2][7] = 0;
    const int layout = round % LAYOUTS;
    const quatsimd_pose_in under = poses_in(&base, layout, POSES * JOINTS),
                           from = poses_in(&pose, 1, POSES * JOINTS);
    quatsimd_pose_out to = poses_out(&difference, layout, POSES * JOINTS);
    assert_int_equal(quatsimd_pose_subtract(&to, &from, &under, all_poses), QUATSIMD_OK);
    move_pose(&difference, layout, POSES * JOINTS, true);
    for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
      for (size_t i = 0, all = POSES * (kind == TRACK ? TRACKS : JOINTS); i < all; i++) {
        const value a = value_of(&pose, kind, i), b = value_of(&base, kind, i);
        value wanted = kind ? a : product((value){{-b.v[0], -b.v[1], -b.v[2], b.v[3]}}, a);
        for (int c = 0; c < 3 && kind; c++)
          wanted.v[c] = kind != 2 ? a.v[c] - b.v[c] : b.v[c] == 0 ? 1 : a.v[c] / b.v[c];
        expect_near("subtract", kind, &difference, i, wanted, 20);
      }
    if (round % 4 == 1) continue;
    const quatsimd_weighted_poses layer = {.poses = poses_in(&difference, layout, POSES * JOINTS)};
    quatsimd_pose_out again = poses_out(&back, layout, POSES * JOINTS);
    assert_int_equal(quatsimd_pose_add(&again, &under, &layer, all_poses), QUATSIMD_OK);
    move_pose(&back, layout, POSES * JOINTS, true);
    for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
      for (size_t i = 0, all = POSES * (kind == TRACK ? TRACKS : JOINTS); i < all; i++) {
        value wanted = value_of(&pose, kind, i);
        float *q = back.at[0] + 4 * i;
        if (kind == 0 && q[0] * pose.at[0][4 * i] + q[1] * pose.at[0][4 * i + 1] +
                                 q[2] * pose.at[0][4 * i + 2] + q[3] * pose.at[0][4 * i + 3] <
                             0)
          for (int c = 0; c < 4; c++) wanted.v[c] = -wanted.v[c]; /* -q is the same rotation */
        expect_near("back", kind, &back, i, wanted, 20);
      }
  }
}

/* ---- refusals ---- */

static void refusals(void **state) {
  (void)state;
  static poses a, b, out;
  uint64_t random = 25;
  random_poses(&a, JOINTS, &random), random_poses(&b, JOINTS, &random);
  quatsimd_pose_out to = poses_out(&out, 0, JOINTS);
  const quatsimd_pose_in in = poses_in(&a, 0, JOINTS);
  const quatsimd_weighted_poses layer = {.poses = in};
  memset(&out, 0x5a, sizeof out);
  const poses before = out;
  REFUSED(quatsimd_pose_blend(NULL, &layer, 1, NULL, one_pose));
  REFUSED(quatsimd_pose_blend(&to, NULL, 1, NULL, one_pose));
  REFUSED(quatsimd_pose_blend(&to, &layer, 1, NULL, (quatsimd_pose_counts){SIZE_MAX / 8, TRACKS, 4}));
  REFUSED(quatsimd_pose_blend(&to, &layer, 1, NULL, (quatsimd_pose_counts){JOINTS, SIZE_MAX / 2, 4}));
  REFUSED(quatsimd_pose_add(&to, NULL, &layer, one_pose));
  REFUSED(quatsimd_pose_add(&to, &in, NULL, one_pose));
  REFUSED(quatsimd_pose_subtract(&to, NULL, &in, one_pose));
  REFUSED(quatsimd_pose_subtract(&to, &in, NULL, one_pose));
  /* `meets` overlaps the output's rotations, first with its translations and later with its rotations. */
  quatsimd_pose_in meets = in;
  meets.translations = quatsimd_aos(out.moved[0]);
  const quatsimd_weighted_poses bad = {.poses = meets};
  REFUSED(quatsimd_pose_blend(&to, &bad, 1, NULL, one_pose));
  REFUSED(quatsimd_pose_blend(&to, &layer, 1, &meets, one_pose));
  REFUSED(quatsimd_pose_add(&to, &meets, &layer, one_pose));
  REFUSED(quatsimd_pose_add(&to, &in, &bad, one_pose));
  REFUSED(quatsimd_pose_subtract(&to, &meets, &in, one_pose));
  meets = in, meets.rotations = quatsimd_strided(out.moved[0], 32);
  REFUSED(quatsimd_pose_subtract(&to, &in, &meets, one_pose));
  meets.rotations = quatsimd_strided(out.moved[0], 3);
  REFUSED(quatsimd_pose_subtract(&to, &in, &meets, one_pose));
  /* The rest pose may be in the output's memory if there is one pose, but not if there are several. */
  const quatsimd_pose_in own = poses_in(&out, 0, JOINTS);
  REFUSED(quatsimd_pose_blend(&to, &layer, 1, &own, (quatsimd_pose_counts){JOINTS / 2, TRACKS / 2, 2}));
  const quatsimd_pose_in parts[] = {{.rotations = own.rotations},
                                    {.translations = own.translations},
                                    {.scales = own.scales},
                                    {.tracks = own.tracks}};
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    REFUSED(
        quatsimd_pose_blend(&to, &layer, 1, &parts[kind], (quatsimd_pose_counts){JOINTS / 2, TRACKS / 2, 2}));
  out = before;
  assert_memory_equal(&out, &before, sizeof out);
  assert_int_equal(quatsimd_pose_blend(&to, &layer, 1, &own, one_pose), QUATSIMD_OK);
  assert_int_equal(quatsimd_pose_blend(&to, NULL, 0, NULL, (quatsimd_pose_counts){0, 0, 7}), QUATSIMD_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(blends),        cmocka_unit_test(one_by_one),
                                     cmocka_unit_test(simple_blends), cmocka_unit_test(additions),
                                     cmocka_unit_test(subtractions),  cmocka_unit_test(refusals)};
  return cmocka_run_group_tests_name("poses", tests, NULL, NULL);
}
