/* Checks matrices and goals of jobs with a root, in long double, from the local poses that jobs write. */
#ifndef TESTS_JOB_PLACES_H
#define TESTS_JOB_PLACES_H

#include "job_model.h"
#include "matrices.h"

/* Returns the matrix that stands for the parent of joints without one: the root, after the step if it moves.
 * `far` gets the largest number of its computation. */
static inline matrix root_of(const drawn_job *d, const result *got, long double *far) {
  const float none[3] = {0}, one[3] = {1, 1, 1}, identity[4] = {0, 0, 0, 1};
  matrix root = local(identity, none, one);
  *far = 1;
  if (!d->job.root) return root;
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++)
      root.m[row][column] =
          d->root[d->job.layout == QUATSIMD_MATRIX_3X4 ? 4 * row + column : 4 * column + row];
  const matrix step = d->job.move_root ? local(got->step, got->step + 4, one) : local(identity, none, one);
  *far = largest_of(&root) * (1 + largest_of(&step));
  return multiply(&root, &step);
}

/* Checks that matrices are those of the local pose. All results must have been wanted, in layout 0. */
static inline void expect_matrices(const drawn_job *d, const result *got) {
  const size_t layout = d->job.layout;
  const poses *p = &got->pose;
  for (size_t j = 0; j < computed_joints(d); j++) {
    const int64_t above = d->of->joint[j].parent;
    long double far = 0;
    const matrix parent = above < 0 ? root_of(d, got, &far)
                                    : of_floats(got->model + layout * (size_t)above, d->job.layout),
                 own = local(p->moved[0] + 4 * j, p->moved[1] + 3 * j, p->moved[2] + 3 * j),
                 wanted = multiply(&parent, &own);
    const long double most = fmaxl(far, largest_of(&parent));
    if (!(most < 1e15L && largest_of(&own) < 1e15L && largest_of(&wanted) < 1e30L)) continue;
    expect_near(got->model + layout * j, d->job.layout, &wanted, 2e-6L * most * (1 + largest_of(&own)));
    const matrix is = of_floats(got->model + layout * j, d->job.layout);
    const float *bind = d->of->joint[j].inverse_bind;
    if (!bind) assert_true(same_bits(got->skinning + layout * j, got->model + layout * j, layout));
    if (!bind) continue;
    const matrix inverse = of_floats(bind, QUATSIMD_MATRIX_3X4), skinning = multiply(&is, &inverse);
    expect_near(got->skinning + layout * j, d->job.layout, &skinning,
                2e-6L * largest_of(&is) * (1 + largest_of(&inverse)));
  }
}

/* Solves m v = b for a 3 x 3 matrix by Cramer's rule. */
static inline void solve(const matrix *a, const long double b[3], long double v[3]) {
  const long double(*m)[4] = a->m;
  long double minor[3][3], determinant = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int r = (i + 1) % 3, s = (i + 2) % 3, c = (j + 1) % 3, e = (j + 2) % 3;
      minor[i][j] = m[r][c] * m[s][e] - m[r][e] * m[s][c];
    }
  for (int j = 0; j < 3; j++) determinant += m[0][j] * minor[0][j];
  for (int j = 0; j < 3; j++)
    v[j] = (minor[0][j] * b[0] + minor[1][j] * b[1] + minor[2][j] * b[2]) / determinant;
}

/* Returns the goal with target and pole mapped by the inverse of the root. */
static inline quatsimd_pose_goal without_root(const quatsimd_pose_goal *goal, const matrix *root) {
  quatsimd_pose_goal to = *goal;
  long double v[3], b[3];
  for (int c = 0; c < 3; c++) b[c] = goal->target[c] - root->m[c][3];
  solve(root, b, v);
  for (int c = 0; c < 3; c++) to.target[c] = (float)v[c], b[c] = goal->pole[c];
  solve(root, b, v);
  for (int c = 0; c < 3; c++) to.pole[c] = (float)v[c];
  return to;
}

/* Changes a pose in layout 0 by the job's goals, one call for each, without a root. */
static inline void apply_goals(const drawn_job *d, const result *got, poses *p) {
  const size_t joints = computed_joints(d);
  quatsimd_pose_out view = poses_out(p, 0, joints);
  long double far;
  const matrix root = root_of(d, got, &far);
  for (size_t g = 0; g < d->job.goal_count; g++) {
    const quatsimd_pose_goal *given = &d->goals[g], goal = without_root(given, &root);
    if (!(goal.weight > 0) || goal.joint >= joints) continue;
    assert_int_equal(goal.kind == QUATSIMD_POSE_GOAL_REACH
                         ? quatsimd_pose_reach(d->job.skeleton, &view, &goal, sizeof goal, 1,
                                               (quatsimd_pose_counts){joints, 0, 1})
                         : quatsimd_pose_aim(d->job.skeleton, &view, &goal, sizeof goal, 1,
                                             (quatsimd_pose_counts){joints, 0, 1}),
                     QUATSIMD_OK);
  }
}

/* Compares a job's pose with that of the same job without goals, `before`, changed by apply_goals. */
static inline void expect_goals(const drawn_job *d, const result *before, const result *got,
                                long double error) {
  static poses wanted;
  const size_t joints = computed_joints(d);
  wanted = before->pose;
  apply_goals(d, got, &wanted);
  for (size_t j = 0; j < joints; j++) {
    long double q[4];
    for (size_t c = 0; c < 4; c++) q[c] = wanted.moved[0][4 * j + c];
    expect_values("the rotation after goals", j, got->pose.moved[0] + 4 * j, q, 4, error);
  }
  for (int kind = 1; kind < 3; kind++)
    assert_true(same_bits(got->pose.moved[kind], before->pose.moved[kind], 3 * joints));
}

#endif
