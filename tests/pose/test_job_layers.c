/* Compares random jobs with a model in long double: layers of any mode, root motion, and the step. */
#include "job_model.h"

#include "support/guarded.h"

enum { WORLDS = 12, ROUNDS = 150 };

/* Layers of all modes and kinds of clips, masks, weights and times. */
static void layers_and_steps(void **state) {
  (void)state;
  static world w;
  static drawn_job d;
  static result got;
  static model_result model;
  uint64_t random = 81;
  const arena scratch = arena_new(1 << 16);
  int compared = 0;
  for (int i = 0; i < WORLDS; i++) {
    make_world(&w, &random);
    for (int round = 0; round < ROUNDS; round++) {
      draw_job(&w, &d, &random);
      d.job.goal_count = 0;
      quatsimd_pose_job job = want(&d, WANT_ALL, 0, &got);
      evaluate_jobs(&job, 1, scratch.end);
      compute_model(&d, &model);
      if (model.unclear) continue;
      compared++;
      expect_pose(&d, &got, &model.pose), expect_step(&got, &model);
    }
    free_world(&w);
  }
  assert_true(compared > WORLDS * ROUNDS * 4 / 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(layers_and_steps)};
  return cmocka_run_group_tests_name("layers", tests, NULL, NULL);
}
