/* Draws layers, modes, masks, motions, goals, events, layouts and wanted results together. Compares jobs with
 * models in long double, and crowds with single jobs, with all kernels. */
#include "job_events.h"
#include "job_places.h"

#include "support/guarded.h"
#include "support/kernels.h"

enum { WORLDS = 3, JOBS = 9, WHOLE_ROUNDS = 12, ROUNDS = 12 };

/* Checks a job that writes everything. `got` gets its results. */
static void check_alone(const drawn_job *d, unsigned char *scratch_end, result *got, int *compared) {
  static result before;
  static model_result model;
  drawn_job copy = *d;
  quatsimd_pose_job job = want(d, WANT_ALL, 0, got);
  evaluate_jobs(&job, 1, scratch_end);
  copy.job.goal_count = 0;
  job = want(&copy, WANT_ALL, 0, &before);
  evaluate_jobs(&job, 1, scratch_end);
  compute_model(d, &model);
  if (!model.unclear) {
    ++*compared;
    expect_pose(d, &before, &model.pose), expect_step(got, &model);
    expect_goals(d, &before, got, 2e-3L);
  }
  expect_matrices(d, got), expect_events(d, got->events, sizeof *got->events, got->event_count);
}

/* Fills a result with the bytes that a job writes, which are some of those in `all`. */
static void take_wanted(const drawn_job *d, const result *all, result *to) {
  const size_t joints = computed_joints(d), matrices = joints * d->job.layout;
  memset(to, 0xa5, sizeof *to);
  for (int kind = 0; kind < 3; kind++)
    for (size_t i = 0; d->wanted >> kind & 1 && i < joints; i++)
      for (size_t w = width_of(kind), c = 0; c < w; c++)
        to->pose.moved[kind][place_of(d->layout, w, joints, i, c)] = all->pose.moved[kind][w * i + c];
  if (d->wanted & 8) memcpy(to->pose.at[TRACK], all->pose.at[TRACK], d->of->tracks * sizeof(float));
  if (d->wanted & 16) memcpy(to->model, all->model, matrices * sizeof(float));
  if (d->wanted & 32) memcpy(to->skinning, all->skinning, matrices * sizeof(float));
  if (d->wanted & 64) memcpy(to->step, all->step, 4 * sizeof(float));
  if (d->wanted & 128) memcpy(to->step + 4, all->step + 4, 3 * sizeof(float));
  if (d->wanted & 256) to->event_count = all->event_count;
  for (size_t e = 0; e < events_written(d, d->wanted, all); e++) to->events[e] = all->events[e];
}

static void expect_same(const drawn_job *d, size_t i, const result *got, const result *wanted,
                        const char *kernels, const char *how) {
  if (!same_result(d, d->wanted, wanted, got)) fail_msg("job %zu differs, %s, %s kernels", i, how, kernels);
}

/* Evaluates all jobs at once, and each alone, with the kernels in use. */
static void check_crowd(const drawn_job *drawn, const result *wanted, unsigned char *scratch_end,
                        const char *kernels) {
  static result got[JOBS];
  quatsimd_pose_job job[JOBS];
  memset(got, 0xa5, sizeof got);
  for (size_t i = 0; i < JOBS; i++) job[i] = want(&drawn[i], drawn[i].wanted, drawn[i].layout, &got[i]);
  evaluate_jobs(job, JOBS, scratch_end);
  for (size_t i = 0; i < JOBS; i++) expect_same(&drawn[i], i, &got[i], &wanted[i], kernels, "in a crowd");
  memset(got, 0xa5, sizeof got);
  for (size_t i = JOBS; i-- > 0;) {
    evaluate_jobs(&job[i], 1, scratch_end);
    expect_same(&drawn[i], i, &got[i], &wanted[i], kernels, "alone");
  }
}

static void combinations(void **state) {
  (void)state;
  static world w[WORLDS];
  static drawn_job drawn[JOBS];
  static result all, wanted[JOBS];
  uint64_t random = 91;
  const arena scratch = arena_new(1 << 17);
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t count = all_kernels(tables);
  int compared = 0;
  for (int whole = 0; whole < WHOLE_ROUNDS; whole++) {
    for (int i = 0; i < WORLDS; i++) make_world(&w[i], &random);
    for (int round = 0; round < ROUNDS; round++) {
      quatsimd_use_kernels(scalar_kernels());
      for (size_t i = 0; i < JOBS; i++) {
        draw_job(&w[draw_below(WORLDS, &random)], &drawn[i], &random);
        memset(&all, 0xa5, sizeof all);
        check_alone(&drawn[i], scratch.end, &all, &compared);
        take_wanted(&drawn[i], &all, &wanted[i]);
      }
      for (size_t k = 0; k < count; k++) {
        if (!can_run(tables[k])) continue;
        quatsimd_use_kernels(tables[k]);
        check_crowd(drawn, wanted, scratch.end, tables[k]->name);
      }
    }
    for (int i = 0; i < WORLDS; i++) free_world(&w[i]);
  }
  quatsimd_use_kernels(NULL);
  assert_true(compared > WHOLE_ROUNDS * ROUNDS * JOBS * 4 / 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(combinations)};
  return cmocka_run_group_tests_name("combined jobs", tests, NULL, NULL);
}
