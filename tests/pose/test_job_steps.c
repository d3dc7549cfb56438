/* Checks that steps and remaining poses put a joint where its clip has it, for jobs whose structs have any
 * size. */
#include "job_events.h"

#include "support/guarded.h"

enum { WORLDS = 10, STEPS = 24, JOBS = 4 };

/* ---- moving by steps ---- */

/* Returns where the clip has the joint, if its movement accumulates over the passes. */
static place accumulated(const world *w, const quatsimd_pose_layer *l, const root_choice *choice,
                         double time) {
  const double end = quatsimd_clip_start(l->clip) + quatsimd_clip_duration(l->clip);
  int64_t rounds;
  const double within = phase_of_sample(l->clip, time, l->wrap, &rounds);
  const place round = motion_at(w, l->clip, choice, end), all = repeated(&round, rounds),
              own = place_at(w, l->clip, choice->joint, within);
  return times(&all, &own);
}

/* Stores a place as a matrix of three rows. */
static void store_place(float to[12], const place *p) {
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++)
      to[4 * row + column] = (float)(column == 3 ? p->t[row] : p->m[row][column]);
}

static place of_matrix(const float m[12]) {
  place p;
  for (int row = 0; row < 3; row++) {
    for (int column = 0; column < 3; column++) p.m[row][column] = m[4 * row + column];
    p.t[row] = m[4 * row + 3];
  }
  return p;
}

/* Moves a character by the steps of one layer, forwards and backwards, with move_root. */
static void walk(const world *w, int kind, size_t m, quatsimd_clip_wrap wrap, unsigned char *scratch_end,
                 uint64_t *random) {
  static float model[12 * MOST_JOINTS];
  const root_choice *choice = &w->choice[kind][m];
  const quatsimd_clip *clip = w->clip[kind];
  const double duration = quatsimd_clip_duration(clip), start = quatsimd_clip_start(clip);
  quatsimd_pose_layer layer = {
      .clip = clip, .time = start, .wrap = wrap, .weight = 1, .motion = w->motion[kind][m]};
  float step[7], root[12];
  quatsimd_pose_job job = {.struct_size = sizeof job,
                           .layer_size = sizeof layer,
                           .skeleton = w->skeleton,
                           .layers = &layer,
                           .layer_count = 1,
                           .model = model,
                           .layout = QUATSIMD_MATRIX_3X4,
                           .root = root,
                           .root_rotation = step,
                           .root_translation = step + 4,
                           .move_root = 1};
  place character = stays;
  long double far = 1;
  for (int i = 0; i < STEPS; i++) {
    layer.last_time = layer.time;
    layer.time = i == 0                  ? start
                 : i == 5                ? start + 2 * duration
                 : draw_below(8, random) ? layer.time + between_numbers(-0.2, 0.4, random) * (duration + 0.1)
                                         : start + between_numbers(-3, 4, random) * (duration + 0.1);
    store_place(root, &character);
    evaluate_jobs(&job, 1, scratch_end);
    const place now = of(step, step + 4, 1), scaled = of_matrix(model + 12 * choice->joint),
                is = unscaled(&scaled), wanted = accumulated(w, &layer, choice, layer.time);
    character = times(&character, &now);
    for (int c = 0; c < 3; c++) far = fmaxl(far, fabsl(character.t[c]) + fabsl(wanted.t[c]));
    if (!(difference(&is, &wanted) < (i + 2) * 2e-6L * far))
      fail_msg("clip %d, parts %d, step %d: off by %Lg of %Lg", kind, choice->parts, i,
               difference(&is, &wanted), far);
  }
}

static void moving_by_steps(void **state) {
  (void)state;
  static world w;
  uint64_t random = 82;
  const arena scratch = arena_new(1 << 16);
  for (int i = 0; i < WORLDS; i++) {
    make_world(&w, &random);
    for (int kind = 0; kind < CLIPS; kind++)
      for (size_t m = 0; m < MOTIONS; m++)
        for (int wrap = 0; kind != ADDITIVE && wrap < 3; wrap++)
          walk(&w, kind, m, (quatsimd_clip_wrap)wrap, scratch.end, &random);
    free_world(&w);
  }
}

/* quatsimd_root_motion_remove_at leaves what jobs leave, and refuses what it cannot do. */
static void removing_at_a_time(void **state) {
  (void)state;
  static world w;
  static poses p;
  static result got;
  uint64_t random = 83;
  const arena scratch = arena_new(1 << 16);
  for (int i = 0; i < WORLDS; i++) {
    make_world(&w, &random);
    for (int round = 0; round < 200; round++) {
      const int kind = (int)draw_below(CLIPS, &random), wrap = (int)draw_below(3, &random);
      if (kind == ADDITIVE) continue;
      const quatsimd_pose_layer layer = {.clip = w.clip[kind],
                                         .time = draw_time(w.clip[kind], 0, &random),
                                         .wrap = (quatsimd_clip_wrap)wrap,
                                         .weight = 1,
                                         .motion = w.motion[kind][0]};
      quatsimd_pose_out to = poses_out(&got.pose, 0, w.joints), view = {0};
      quatsimd_pose_job job = {.struct_size = sizeof job,
                               .layer_size = sizeof layer,
                               .skeleton = w.skeleton,
                               .layers = &layer,
                               .layer_count = 1,
                               .local = to};
      evaluate_jobs(&job, 1, scratch.end);
      sample_clip(&w, layer.clip, layer.time, layer.wrap, &p);
      view.rotations = quatsimd_aos_out(p.at[0]), view.translations = quatsimd_aos_out(p.at[1]);
      assert_int_equal(
          quatsimd_root_motion_remove_at(layer.motion, &view, w.joints, layer.clip, layer.time, layer.wrap),
          QUATSIMD_OK);
      assert_true(same_bits(p.at[0], got.pose.moved[0], 4 * w.joints));
      assert_true(same_bits(p.at[1], got.pose.moved[1], 3 * w.joints));
      const bool is_straight = w.choice[kind][0].parts & QUATSIMD_ROOT_STRAIGHT;
      assert_int_equal(quatsimd_root_motion_remove(layer.motion, &view, w.joints, 1),
                       is_straight ? QUATSIMD_ERROR_BAD_ARGUMENT : QUATSIMD_OK);
    }
    quatsimd_pose_out view = {.rotations = quatsimd_aos_out(p.at[0]),
                              .translations = quatsimd_aos_out(p.at[1])};
    REFUSED(quatsimd_root_motion_remove_at(w.motion[WALK][0], &view, w.joints, NULL, 0, 0));
    REFUSED(quatsimd_root_motion_remove_at(NULL, &view, w.joints, w.clip[WALK], 0, 0));
    REFUSED(quatsimd_root_motion_remove_at(w.motion[WALK][0], NULL, w.joints, w.clip[WALK], 0, 0));
    REFUSED(quatsimd_root_motion_remove_at(w.motion[WALK][0], &view, w.joints, w.clip[ADDITIVE], 0, 0));
    REFUSED(quatsimd_root_motion_remove_at(w.motion[WALK][0], &view, w.joints, w.clip[WALK], 0,
                                           (quatsimd_clip_wrap)3));
    REFUSED(quatsimd_root_motion_remove_at(w.motion[WALK][0], &view, w.choice[WALK][0].joint, w.clip[WALK], 0,
                                           0));
    free_world(&w);
  }
}

/* ---- sizes of structs ---- */

/* Structs of a later version. */
typedef struct later_layer {
  quatsimd_pose_layer now;
  double later[2];
} later_layer;
typedef struct later_goal {
  quatsimd_pose_goal now;
  float later[3];
} later_goal;
typedef struct later_event {
  quatsimd_pose_event now;
  double later[3];
} later_event;
typedef struct later_job {
  quatsimd_pose_job now;
  size_t later[4];
} later_job;

/* Jobs with larger structs give the same results. Events of that size end with zeros. */
static void larger_structs(void **state) {
  (void)state;
  static world w;
  static drawn_job d;
  static result wanted, got;
  static later_layer layers[MOST_LAYERS];
  static later_goal goals[MOST_GOALS];
  static later_event events[MOST_EVENTS];
  uint64_t random = 84;
  const arena scratch = arena_new(1 << 16);
  for (int i = 0; i < WORLDS; i++) {
    make_world(&w, &random);
    for (int round = 0; round < 100; round++) {
      draw_job(&w, &d, &random);
      memset(&wanted, 0xa5, sizeof wanted), memset(&got, 0xa5, sizeof got);
      memset(events, 0xa5, sizeof events);
      quatsimd_pose_job job = want(&d, WANT_ALL, 0, &wanted);
      evaluate_jobs(&job, 1, scratch.end);
      expect_events(&d, wanted.events, sizeof wanted.events[0], wanted.event_count);
      later_job later = {.now = want(&d, WANT_ALL, 0, &got)};
      for (size_t l = 0; l < MOST_LAYERS; l++) layers[l] = (later_layer){.now = d.layers[l]};
      for (size_t g = 0; g < MOST_GOALS; g++) goals[g] = (later_goal){.now = d.goals[g]};
      later.now.struct_size = sizeof later, later.now.layer_size = sizeof layers[0];
      later.now.goal_size = sizeof goals[0], later.now.event_size = sizeof events[0];
      later.now.layers = &layers[0].now, later.now.goals = &goals[0].now, later.now.events = &events[0].now;
      evaluate_jobs(&later.now, 1, scratch.end);
      assert_memory_equal(&got, &wanted, offsetof(result, events));
      expect_events(&d, &events[0].now, sizeof events[0], got.event_count);
      for (size_t e = events_written(&d, WANT_ALL, &got); e < MOST_EVENTS; e++)
        for (size_t b = 0; b < sizeof events[0]; b++)
          assert_int_equal(((const unsigned char *)&events[e])[b], 0xa5);
    }
    free_world(&w);
  }
}

/* A job whose struct ends anywhere behind that of the first version is one whose other members are 0. So is a
 * layer: its last time counts as 0. Nothing behind the structs is read. */
static void smaller_structs(void **state) {
  (void)state;
  static world w;
  static drawn_job d;
  static result wanted, got;
  uint64_t random = 85;
  const arena scratch = arena_new(1 << 16), jobs = arena_new(sizeof(quatsimd_pose_job)),
              layers = arena_new(sizeof d.layers);
  const size_t layer_size = offsetof(quatsimd_pose_layer, last_time);
  for (int i = 0; i < WORLDS; i++) {
    make_world(&w, &random);
    for (int round = 0; round < 100; round++) {
      draw_job(&w, &d, &random);
      const size_t first = offsetof(quatsimd_pose_job, goals),
                   size = first + 8 * draw_below((sizeof d.job - first) / 8 + 1, &random);
      memset(&wanted, 0xa5, sizeof wanted), memset(&got, 0xa5, sizeof got);
      unsigned char *const own_layers = layers.end - layer_size * d.job.layer_count;
      for (size_t l = 0; l < MOST_LAYERS; l++) {
        if (l < d.job.layer_count) memcpy(own_layers + l * layer_size, &d.layers[l], layer_size);
        d.layers[l].last_time = 0;
      }
      quatsimd_pose_job job = want(&d, d.wanted, 0, &wanted), cut = want(&d, d.wanted, 0, &got);
      cut.struct_size = size, cut.layer_size = layer_size;
      cut.layers = (const quatsimd_pose_layer *)(const void *)own_layers;
      memcpy(jobs.end - size, &cut, size);
      memset((char *)&job + size, 0, sizeof job - size);
      evaluate_jobs(&job, 1, scratch.end);
      evaluate_jobs((quatsimd_pose_job *)(void *)(jobs.end - size), 1, scratch.end);
      d.job.event_capacity = job.event_capacity;
      unsigned wanted_parts = d.wanted;
      if (!job.event_count) wanted_parts &= ~256u;
      assert_true(same_result(&d, wanted_parts, &wanted, &got));
    }
    free_world(&w);
  }
}

/* Results of steps and events that jobs refuse. Nothing is written. */
static void refused_results(void **state) {
  (void)state;
  static world w;
  static drawn_job d;
  static result got, before;
  static double scratch[1 << 13];
  static const size_t sizes[] = {0, sizeof(quatsimd_pose_event) - 8, sizeof(quatsimd_pose_event) + 4, 4104};
  uint64_t random = 89;
  make_world(&w, &random), draw_job(&w, &d, &random);
  d.job.event_capacity = 1;
  memset(&before, 0xa5, sizeof before);
  for (int how = 0; how < 6; how++) {
    got = before;
    quatsimd_pose_job job = want(&d, WANT_ALL, 0, &got);
    if (how < 4) job.event_size = sizes[how];
    if (how == 4) job.events = NULL;
    if (how == 5) job.root_translation = job.root_rotation;
    REFUSED(quatsimd_pose_evaluate(&job, 1, scratch, sizeof scratch, NULL));
    assert_memory_equal(&got, &before, sizeof got);
    job.event_count = NULL, job.root_translation = NULL; /* then none of these is used */
    assert_int_equal(quatsimd_pose_evaluate(&job, 1, scratch, sizeof scratch, NULL), QUATSIMD_OK);
  }
  free_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(moving_by_steps), cmocka_unit_test(removing_at_a_time),
                                     cmocka_unit_test(larger_structs), cmocka_unit_test(smaller_structs),
                                     cmocka_unit_test(refused_results)};
  return cmocka_run_group_tests_name("steps", tests, NULL, NULL);
}
