/* Tests bounds of points in trees of joints: coarser bounds take no more bytes, a joint that misses its bound
 * leaves the others short, time is linear in depth. */
#include "fixture.h"

#include <time.h>

#include "support/random.h"

enum { MOST_JOINTS = 1024, MOST_KEYS = 60 };

typedef struct tree {
  quatsimd_clip_joint joint[MOST_JOINTS];
  double times[MOST_KEYS];
  float rotation[MOST_JOINTS][MOST_KEYS][4], translation[MOST_JOINTS][3];
} tree;

/* Makes joints that sway. They form a chain, or a tree with a parent at random. */
static void make_tree(tree *t, size_t joints, size_t keys, bool is_chain, uint64_t seed) {
  uint64_t state = seed;
  for (size_t k = 0; k < keys; k++) t->times[k] = (double)k / 30;
  for (size_t j = 0; j < joints; j++) {
    const double turn = 6 * random_unit(&state), speed = 0.05 + 0.1 * random_unit(&state);
    t->translation[j][1] = j ? 0.05f : 0;
    for (size_t k = 0; k < keys; k++) {
      const double half = 0.1 * sin(speed * (double)k + turn);
      float *q = t->rotation[j][k];
      q[0] = (float)(sin(half) * cos(turn)), q[1] = 0, q[2] = (float)(sin(half) * sin(turn)),
      q[3] = (float)cos(half);
    }
    const size_t above = (size_t)(random_unit(&state) * (double)j);
    t->joint[j] = (quatsimd_clip_joint){.parent = j == 0 ? -1 : (int64_t)(is_chain ? j - 1 : above),
                                        .rotation = {keys, t->times, t->rotation[j][0], 0},
                                        .translation = {1, NULL, t->translation[j], 0}};
  }
}

static size_t encode_tree(const tree *t, size_t joints, float bound, quatsimd_clip_report *report) {
  const quatsimd_clip_source source = {joints, t->joint, 0, NULL};
  quatsimd_clip_options options;
  void *data;
  size_t size;
  quatsimd_clip_options_init(&options, sizeof options);
  quatsimd_clip_report_init(report, sizeof *report);
  options.object_bound = bound, options.object_distance = 0.03f;
  assert_int_equal(quatsimd_clip_encode(&data, &size, &source, &options, report), QUATSIMD_OK);
  quatsimd_clip_free(NULL, data);
  return size;
}

static size_t size_of(const tree *t, size_t joints, float bound) {
  quatsimd_clip_report report;
  return encode_tree(t, joints, bound, &report);
}

/* Some joints, above and below others, get coarser bounds, step by step. */
static void coarser_is_not_larger(void **state) {
  (void)state;
  enum { DRAWS = 8, JOINTS = 24 };
  static tree t;
  size_t before = SIZE_MAX;
  for (float factor = 1; factor < 2000; factor *= 10) {
    size_t sum = 0;
    for (uint64_t draw = 1; draw <= DRAWS; draw++) {
      make_tree(&t, JOINTS, MOST_KEYS, false, draw);
      uint64_t choice = draw + 100;
      for (size_t j = 0; j < JOINTS; j++)
        t.joint[j].object_bound = random_unit(&choice) < 0.5 ? 1e-4f * factor : 1e-4f;
      sum += size_of(&t, JOINTS, 1e-4f);
    }
    if (before != SIZE_MAX && (double)sum > 1.005 * (double)before)
      fail_msg("bounds of %g: %zu bytes, more than the %zu of finer bounds", (double)(1e-4f * factor), sum,
               before);
    before = sum;
  }
}

/* A joint with a bound that floats miss, or so far away that they do, costs the floats of its own chain. */
static void one_joint_misses(void **state) {
  (void)state;
  enum { JOINTS = 300, LAST = JOINTS - 1 };
  const float bound = 1e-3f;
  static tree t;
  for (int far = 0; far < 2; far++) {
    quatsimd_clip_report report;
    make_tree(&t, JOINTS, MOST_KEYS, false, 1);
    t.joint[LAST].parent = 0;
    const size_t before = encode_tree(&t, JOINTS, bound, &report);
    assert_true(report.nearest_object.ratio <= 1);
    if (far) t.translation[LAST][0] = 1e6f;
    else t.joint[LAST].object_bound = 1e-9f;
    const size_t size = encode_tree(&t, JOINTS, bound, &report);
    assert_true(report.nearest_object.ratio > 1);
    assert_int_equal(report.nearest_object.joint, LAST);
    assert_true(far || report.worst_object <= bound);
    if ((double)size > 1.3 * (double)before) fail_msg("%zu bytes, %zu with a bound that holds", size, before);
  }
}

static double seconds_of(const tree *t, size_t joints) {
  double least = 1e9;
  for (int i = 0; i < 3; i++) {
    const clock_t start = clock();
    size_of(t, joints, 1e-3f);
    const double took = (double)(clock() - start) / CLOCKS_PER_SEC;
    least = took < least ? took : least;
  }
  return least;
}

/* Eight times the joints take about eight times as long. */
static void time_is_linear_in_depth(void **state) {
  (void)state;
  static tree t;
  make_tree(&t, MOST_JOINTS, 30, true, 1);
  const double shallow = seconds_of(&t, MOST_JOINTS / 8), deep = seconds_of(&t, MOST_JOINTS);
  if (deep > 24 * shallow)
    fail_msg("%d joints take %.3f s, %d joints %.3f s", MOST_JOINTS / 8, shallow, MOST_JOINTS, deep);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(coarser_is_not_larger),
                                     cmocka_unit_test(one_joint_misses),
                                     cmocka_unit_test(time_is_linear_in_depth)};
  return cmocka_run_group_tests_name("chains of joints", tests, NULL, NULL);
}
