/* Checks goals of jobs with a root: hands are at their targets, axes point to theirs. Errors name goals. */
#include "job_places.h"

#include "support/guarded.h"

enum { WORLDS = 12, ROUNDS = 60, FIRST = 1, MIDDLE = 2, HAND = 3 };

/* Returns a joint's matrix in model space, without the root. */
static matrix in_model(const drawn_job *d, const poses *p, size_t joint) {
  matrix m = local(p->moved[0] + 4 * joint, p->moved[1] + 3 * joint, p->moved[2] + 3 * joint);
  for (int64_t j = (int64_t)joint; (j = d->of->joint[j].parent) >= 0;) {
    const matrix above = local(p->moved[0] + 4 * j, p->moved[1] + 3 * j, p->moved[2] + 3 * j);
    m = multiply(&above, &m);
  }
  return m;
}

static long double distance(const matrix *a, const matrix *b) {
  long double d2 = 0;
  for (int c = 0; c < 3; c++) d2 += (a->m[c][3] - b->m[c][3]) * (a->m[c][3] - b->m[c][3]);
  return sqrtl(d2);
}

/* Stores the place to which the root leads a point of model space. */
static void to_target(float target[3], const matrix *root, const long double v[3]) {
  for (int c = 0; c < 3; c++)
    target[c] = (float)(root->m[c][0] * v[0] + root->m[c][1] * v[1] + root->m[c][2] * v[2] + root->m[c][3]);
}

/* A target that the limb can reach: the hand comes to it, in the space of the root. */
static void reaches(drawn_job *d, result *r, unsigned char *scratch_end, uint64_t *random) {
  d->job.goal_count = 0;
  quatsimd_pose_job job = want(d, WANT_ALL, 0, r);
  evaluate_jobs(&job, 1, scratch_end);
  const matrix shoulder = in_model(d, &r->pose, FIRST), elbow = in_model(d, &r->pose, MIDDLE),
               hand = in_model(d, &r->pose, HAND);
  const long double upper = distance(&shoulder, &elbow), lower = distance(&elbow, &hand), all = upper + lower,
                    least = fabsl(upper - lower) + 0.05L * all,
                    far = least + (0.95L * all - least) * random_unit(random);
  long double wanted[3], away;
  float direction[3];
  draw_unit(direction, 3, random);
  for (int c = 0; c < 3; c++) wanted[c] = shoulder.m[c][3] + far * direction[c];
  const matrix root = root_of(d, r, &away);
  d->goals[0] = (quatsimd_pose_goal){
      .kind = QUATSIMD_POSE_GOAL_REACH, .weight = 1, .joint = HAND, .middle = MIDDLE, .first = FIRST};
  to_target(d->goals[0].target, &root, wanted);
  if (draw_below(2, random)) draw_unit(d->goals[0].pole, 3, random);
  d->job.goal_count = 1;
  job = want(d, WANT_ALL, 0, r);
  evaluate_jobs(&job, 1, scratch_end);
  const matrix is = of_floats(r->model + HAND * d->job.layout, d->job.layout);
  for (int c = 0; c < 3; c++)
    if (!(fabsl(is.m[c][3] - d->goals[0].target[c]) < 1e-5L * away * (all + largest_of(&shoulder))))
      fail_msg("the hand is off by %Lg", is.m[c][3] - d->goals[0].target[c]);
  expect_matrices(d, r);
}

/* The axis of a joint points to the target, both in model space. */
static void aims(drawn_job *d, result *r, unsigned char *scratch_end, uint64_t *random) {
  const size_t joint = draw_below(HAND + 1, random);
  quatsimd_pose_goal *goal = &d->goals[0];
  *goal = (quatsimd_pose_goal){.kind = QUATSIMD_POSE_GOAL_AIM, .weight = 2, .joint = (uint32_t)joint};
  goal->first = goal->joint, d->job.goal_count = 1;
  long double v[3], away, dot = 0, length[2] = {0, 0};
  for (int c = 0; c < 3; c++) v[c] = between_numbers(-9, 9, random);
  draw_unit(goal->axis, 3, random);
  result before = *r;
  quatsimd_pose_job job = want(d, WANT_ALL, 0, &before);
  evaluate_jobs(&job, 1, scratch_end); /* for the step, which the goal does not change */
  const matrix root = root_of(d, &before, &away);
  to_target(goal->target, &root, v);
  job = want(d, WANT_ALL, 0, r);
  evaluate_jobs(&job, 1, scratch_end);
  const matrix is = in_model(d, &r->pose, joint);
  if (away > 100) return; /* floats do not have the target as finely */
  for (int c = 0; c < 3; c++) {
    const long double axis = is.m[c][0] * goal->axis[0] + is.m[c][1] * goal->axis[1] +
                             is.m[c][2] * goal->axis[2],
                      to = v[c] - is.m[c][3];
    dot += axis * to, length[0] += axis * axis, length[1] += to * to;
  }
  if (length[1] > 1) assert_true(dot > (1 - 1e-6L) * sqrtl(length[0]) * sqrtl(length[1]));
}

static void goals_with_a_root(void **state) {
  (void)state;
  static world w;
  static drawn_job d;
  static result r;
  uint64_t random = 86;
  const arena scratch = arena_new(1 << 16);
  for (int i = 0; i < WORLDS; i++) {
    do {
      make_world(&w, &random);
      if (w.joints <= HAND) free_world(&w);
    } while (w.joints <= HAND);
    for (int round = 0; round < ROUNDS; round++) {
      draw_job(&w, &d, &random);
      d.job.joint_count = 0;
      if (round % 8) d.job.root = d.root;
      if (round % 2) reaches(&d, &r, scratch.end, &random);
      else aims(&d, &r, scratch.end, &random);
    }
    free_world(&w);
  }
}

/* Evaluates two good jobs, of which the second one has one bad goal. */
static void expect_bad_goal(drawn_job d[2], size_t goal, const void *goals, size_t goal_size) {
  static result r[2];
  static double scratch[1 << 13];
  quatsimd_pose_report report;
  memset(r, 0xa5, sizeof r);
  const result before = r[1];
  quatsimd_pose_job job[2] = {want(&d[0], WANT_ALL, 0, &r[0]), want(&d[1], WANT_ALL, 0, &r[1])};
  job[1].goals = goals, job[1].goal_size = goal_size, job[1].goal_count = MOST_GOALS;
  quatsimd_pose_report_init(&report, sizeof report);
  REFUSED(quatsimd_pose_evaluate(job, 2, scratch, sizeof scratch, &report));
  assert_true(report.job == 1 && report.layer == SIZE_MAX && report.goal == goal && report.error);
  assert_memory_equal(&r[0], &before, sizeof before);
  assert_memory_equal(&r[1], &before, sizeof before);
}

static void bad_goals(void **state) {
  (void)state;
  static world w;
  static drawn_job d[2];
  uint64_t random = 87;
  do make_world(&w, &random);
  while (w.joints < 6);
  draw_job(&w, &d[0], &random), draw_job(&w, &d[1], &random);
  const quatsimd_pose_goal limb = {
      .kind = QUATSIMD_POSE_GOAL_REACH, .weight = 1, .joint = HAND, .middle = MIDDLE, .first = FIRST};
  struct {
    quatsimd_pose_goal now;
    int later;
  } goals[MOST_GOALS];
  const uint32_t joints = (uint32_t)w.joints;
  for (size_t bad = 0; bad < MOST_GOALS; bad++)
    for (int how = 0; how < 10; how++) {
      for (size_t g = 0; g < MOST_GOALS; g++) memset(&goals[g], 0, sizeof goals[g]), goals[g].now = limb;
      quatsimd_pose_goal *goal = &goals[bad].now;
      if (how >= 6) goal->kind = QUATSIMD_POSE_GOAL_AIM;
      if (how == 0) goal->kind = (quatsimd_pose_goal_kind)0;
      if (how == 1) goal->kind = (quatsimd_pose_goal_kind)3;
      if (how == 2) goal->joint = joints;
      if (how == 3) goal->middle = HAND;
      if (how == 4) goal->first = MIDDLE;
      if (how == 5) goals[bad].later = 1;
      if (how == 6) goal->joint = joints;
      if (how == 7) goal->first = joints;
      if (how == 8) goal->joint = FIRST, goal->first = MIDDLE;
      if (how == 9) goal->first = UINT32_MAX;
      expect_bad_goal(d, bad, goals, sizeof goals[0]);
    }
  /* a size that no version has */
  static const size_t sizes[] = {0, 4, sizeof limb - 4, sizeof limb + 1, 5000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) expect_bad_goal(d, SIZE_MAX, goals, sizes[i]);
  expect_bad_goal(d, SIZE_MAX, NULL, sizeof limb);
  free_world(&w);
}

/* Without matrices, the layout is that of the root, which goals read. Without goals it is not used: the root
 * is not read then, because its size is not known. */
static void layout_of_the_root(void **state) {
  (void)state;
  static world w;
  static drawn_job d;
  static result r;
  static double scratch[1 << 13];
  static const quatsimd_matrix_layout layout[] = {(quatsimd_matrix_layout)0, QUATSIMD_MATRIX_3X4,
                                                  QUATSIMD_MATRIX_4X4, (quatsimd_matrix_layout)13};
  uint64_t random = 88;
  const arena memory = arena_new(4);
  make_world(&w, &random);
  for (int i = 0; i < 400; i++) {
    draw_job(&w, &d, &random);
    quatsimd_pose_job job = want(&d, d.wanted & ~48u, 0, &r);
    const bool known = i % 4 == 1 || i % 4 == 2;
    float *const root = (float *)(void *)memory.end - (known ? layout[i % 4] : 0);
    job.layout = layout[i % 4], job.root = root;
    if (known) draw_root(d.root, job.layout, &random), memcpy(root, d.root, job.layout * sizeof *root);
    const quatsimd_status status = quatsimd_pose_evaluate(&job, 1, scratch, sizeof scratch, NULL);
    assert_int_equal(status, job.goal_count && !known ? QUATSIMD_ERROR_BAD_ARGUMENT : QUATSIMD_OK);
  }
  free_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(goals_with_a_root), cmocka_unit_test(bad_goals),
                                     cmocka_unit_test(layout_of_the_root)};
  return cmocka_run_group_tests_name("goals of jobs", tests, NULL, NULL);
}
