/* libFuzzer over jobs: any layers, times, weights, masks, goals and destinations, right and wrong ones. All
 * jobs at once give the results that each gives alone, in the structs of a later version, with all kernels,
 * and in as little scratch as was asked for. Refused jobs write nothing. The job that the report names is
 * refused alone. */
#include "fuzz.h"

enum {
  JOINTS = 19,
  TRACKS = 3,
  KEYS = 40,
  CLIPS = 4,
  MOST_JOBS = 3,
  MOST_LAYERS = 3,
  MOST_GOALS = 3,
  MOST_EVENTS = 7,
  EVENT = sizeof(quatsimd_pose_event),
  RESULTS = 10
};

static struct {
  void *skeleton_data, *data[CLIPS];
  quatsimd_skeleton_storage skeleton_storage;
  quatsimd_skeleton *skeleton;
  quatsimd_bundle_storage bundle_storage;
  void *bundle_data, *storage[CLIPS];
  quatsimd_clip *clip[CLIPS];
  quatsimd_root_motion_storage motion_storage[CLIPS];
  quatsimd_root_motion *motion[CLIPS];
} world;

static uint64_t seed = 1;
static float any(void) { /* -1 to 1 */
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (float)(seed >> 40) * 0x1p-23f - 1;
}

static void must(quatsimd_status status) {
  if (status != QUATSIMD_OK) fuzz_fail("%s", quatsimd_status_string(status));
}

/* Clip 0 moves few joints, clip 1 all and the tracks, clip 2 is additive, clip 3 has no skeleton. */
static void make_clip(int c) {
  static float rotations[JOINTS][4 * KEYS], translations[JOINTS][3 * KEYS], weights[TRACKS][KEYS];
  static double times[KEYS];
  quatsimd_clip_joint joint[JOINTS];
  quatsimd_clip_track track[TRACKS];
  quatsimd_clip_options options;
  must(quatsimd_clip_options_init(&options, sizeof options));
  options.skeleton = c == 3 ? NULL : world.skeleton;
  options.rotation_bound = options.translation_bound = options.scale_bound = options.track_bound = 1e-3f;
  options.additive = c == 2 ? QUATSIMD_CLIP_ADDITIVE_FIRST : QUATSIMD_CLIP_ADDITIVE_NONE;
  for (size_t k = 0; k < KEYS; k++) times[k] = (double)k / 30;
  for (size_t j = 0; j < JOINTS; j++) {
    for (size_t k = 0; k < KEYS; k++) {
      float *q = rotations[j] + 4 * k;
      for (int i = 0; i < 3; i++)
        q[i] = (k ? q[i - 4] : 0) + 0.1f * any(), translations[j][3 * k + (size_t)i] = any();
      q[3] = 1;
    }
    must(quatsimd_normalize(quatsimd_aos_out(rotations[j]), quatsimd_aos(rotations[j]), KEYS));
    joint[j] = (quatsimd_clip_joint){.parent = (int64_t)j / 2 - 1};
    if (c == 1 || j % 4 == 2) joint[j].rotation = (quatsimd_curve){KEYS, times, rotations[j], 0};
    if (c > 0 && j % 3 == 0) joint[j].translation = (quatsimd_curve){KEYS, times, translations[j], 0};
    if (j == 4) joint[j].scale = (quatsimd_curve){1, times, translations[j], 0};
  }
  for (size_t t = 0; t < TRACKS; t++) {
    for (size_t k = 0; k < KEYS; k++) weights[t][k] = any();
    track[t] = (quatsimd_clip_track){{c == 1 ? KEYS : 0, times, weights[t], 0}, 0};
  }
  const quatsimd_clip_source source = {JOINTS, joint, TRACKS, track};
  size_t size;
  must(quatsimd_clip_encode(&world.data[c], &size, &source, &options, NULL));
}

/* Opens clips from a bundle, where they have events. Clip 3 has no skeleton, so it is not in the bundle. */
static void open_clips(void) {
  static const char *const names[CLIPS] = {"a", "b", "c", ""};
  static const quatsimd_bundle_event events[] = {{0, "step"}, {1.3, "step"}, {0.5, "x"}, {-1, "y"}, {9, ""}};
  quatsimd_bundle_entry entry[CLIPS];
  quatsimd_bundle *bundle;
  size_t size;
  for (int c = 0; c < CLIPS; c++) {
    must(quatsimd_clip_peek_size(&size, world.data[c], 32));
    entry[c] = (quatsimd_bundle_entry){names[c], world.data[c], size, events, c == 1 ? 5 : 2};
  }
  world.storage[3] = malloc(sizeof(quatsimd_clip_storage));
  must(quatsimd_clip_open(&world.clip[3], world.storage[3], sizeof(quatsimd_clip_storage), world.data[3],
                          size));
  must(quatsimd_skeleton_peek_size(&size, world.skeleton_data, 44));
  const quatsimd_bundle_source source = {.struct_size = sizeof source,
                                         .entry_size = sizeof entry[0],
                                         .skeleton = world.skeleton_data,
                                         .skeleton_size = size,
                                         .clips = entry,
                                         .clip_count = 3};
  must(quatsimd_bundle_encode(&world.bundle_data, &size, &source, NULL, NULL));
  must(quatsimd_bundle_open(&bundle, &world.bundle_storage, sizeof world.bundle_storage, world.bundle_data,
                            size));
  for (size_t c = 0; c < 3; c++) {
    size = quatsimd_bundle_clip_memory_size(bundle, c), world.storage[c] = malloc(size);
    must(quatsimd_bundle_open_clip(bundle, c, &world.clip[c], world.storage[c], size));
  }
}

static void make_world(void) {
  static const char *const names[TRACKS] = {"a", "b", "c"};
  static const float bind[12] = {0, 1, 0, 2, -1, 0, 0, 3, 0, 0, 1, 4};
  quatsimd_skeleton_joint joint[JOINTS];
  for (size_t j = 0; j < JOINTS; j++)
    joint[j] = (quatsimd_skeleton_joint){.name = "",
                                         .parent = (int64_t)j / 2 - 1,
                                         .rotation = {0, j % 2 ? 0.6f : 0.8f, 0, j % 2 ? 0.8f : 0.6f},
                                         .translation = {0, 1, any()},
                                         .scale = {1, 1, j == 3 ? -2 : 1},
                                         .inverse_bind = j % 3 ? bind : NULL};
  const quatsimd_skeleton_source source = {JOINTS, joint, TRACKS, names, 1, NULL};
  size_t size;
  must(quatsimd_skeleton_encode(&world.skeleton_data, &size, &source, NULL, NULL));
  must(quatsimd_skeleton_open(&world.skeleton, &world.skeleton_storage, sizeof world.skeleton_storage,
                              world.skeleton_data, size));
  static const int parts[CLIPS] = {QUATSIMD_ROOT_ALL, QUATSIMD_ROOT_ALL + QUATSIMD_ROOT_STRAIGHT, 0,
                                   QUATSIMD_ROOT_ACROSS + QUATSIMD_ROOT_TURN};
  for (int c = 0; c < CLIPS; c++) make_clip(c);
  open_clips();
  for (int c = 0; c < CLIPS; c++)
    if (c != 2)
      must(quatsimd_root_motion_init(&world.motion[c], &world.motion_storage[c],
                                     sizeof world.motion_storage[c], world.skeleton, world.clip[c], 0,
                                     parts[c], (const float[]){0, 1, 0}));
}

/* Where the results of a job go, in exactly their size: rotations, translations, scales, tracks, model and
 * skinning matrices, the rotation and the translation of the step, the number of events, and events. */
typedef struct place {
  fuzz_array part[RESULTS];
} place;

typedef struct problem {
  size_t jobs;
  quatsimd_pose_job job[MOST_JOBS];
  quatsimd_pose_layer layer[MOST_JOBS][MOST_LAYERS];
  quatsimd_pose_goal goal[MOST_JOBS][MOST_GOALS];
  unsigned wanted[MOST_JOBS];     /* [i]: bit b: result b of job i */
  fuzz_array own_root[MOST_JOBS]; /* the root in exactly its size, which is 0 for an unknown layout */
  float mask[JOINTS], track_mask[TRACKS], root[16];
} problem;

static void take_layer(problem *p, quatsimd_pose_layer *layer, fuzz_input *in) {
  const unsigned which = fuzz_byte(in), how = fuzz_byte(in);
  const unsigned c = which % CLIPS;
  *layer = (quatsimd_pose_layer){.clip = which == 255 ? NULL : world.clip[c],
                                 .time = how & 1 ? fuzz_double(in) : (double)fuzz_float(in),
                                 .wrap = (quatsimd_clip_wrap)(how == 254 ? 3 : how / 2 % 3),
                                 .mode = (quatsimd_pose_mode)(which < 128 ? 0 : which / CLIPS % 5),
                                 .weight = how & 64 ? fuzz_float(in) : (float)(how % 5) / 4,
                                 .mask = how & 8 ? p->mask : NULL,
                                 .track_mask = how & 16 ? p->track_mask : NULL,
                                 .motion = how & 32 ? world.motion[c == 2 && how & 128 ? 0 : c] : NULL};
}

/* Takes a goal. Its joints are often above each other, as the parent of joint j is j / 2 - 1. */
static void take_goal(quatsimd_pose_goal *goal, fuzz_input *in) {
  const unsigned which = fuzz_byte(in), how = fuzz_byte(in);
  *goal = (quatsimd_pose_goal){.kind = (quatsimd_pose_goal_kind)(how == 255 ? 3 : 1 + how % 2),
                               .weight = how & 64 ? fuzz_float(in) : 1,
                               .joint = which % (JOINTS + (which > 250))};
  goal->middle = goal->joint / 2 - 1, goal->first = goal->middle / 2 - 1;
  if (which % 3 == 0) goal->middle = fuzz_byte(in), goal->first = fuzz_byte(in);
  else if (goal->joint < 6) goal->kind = QUATSIMD_POSE_GOAL_AIM, goal->first = goal->joint;
  for (int c = 0; c < 3; c++) goal->target[c] = how & 2 ? fuzz_float(in) : (float)(fuzz_byte(in) % 16) - 8;
  for (int c = 0; c < 3; c++) goal->pole[c] = how & 4 ? fuzz_float(in) : 0;
  for (int c = 0; c < 3; c++) goal->axis[c] = how & 8 ? fuzz_float(in) : c == 1;
  if (how & 16) goal->softness = fuzz_float(in), goal->limit = fuzz_float(in);
}

/* Takes what this version added to jobs. It comes after all else, so that older inputs stay what they are. */
static void take_later(problem *p, size_t k, fuzz_input *in) {
  const unsigned how = fuzz_byte(in), capacity = fuzz_byte(in);
  quatsimd_pose_job *job = &p->job[k];
  p->wanted[k] |= how << 6 & 0x3c0;
  job->move_root = how & 16 ? 1 : 0;
  job->goals = p->goal[k], job->goal_count = how / 32 % (MOST_GOALS + 1);
  job->goal_size = sizeof p->goal[k][0], job->event_size = EVENT;
  job->event_capacity = capacity % (MOST_EVENTS + 1);
  if (how & 128 && capacity & 128) job->layout = (quatsimd_matrix_layout)0;
  p->own_root[k] = fuzz_array_new(job->layout * sizeof(float), 0);
  memcpy(p->own_root[k].data, p->root, p->own_root[k].size);
  if (job->root) job->root = (const float *)(const void *)p->own_root[k].data;
  for (size_t g = 0; g < MOST_GOALS; g++) take_goal(&p->goal[k][g], in);
  for (size_t l = 0; l < MOST_LAYERS; l++) {
    const unsigned last = fuzz_byte(in);
    p->layer[k][l].last_time = last & 1 ? fuzz_double(in) : p->layer[k][l].time - (double)last / 64;
  }
}

static void take_problem(problem *p, fuzz_input *in) {
  p->jobs = 1 + fuzz_byte(in) % MOST_JOBS;
  for (size_t j = 0; j < JOINTS; j++) p->mask[j] = fuzz_byte(in) < 200 ? (float)(j % 3) / 2 : fuzz_float(in);
  for (size_t t = 0; t < TRACKS; t++) p->track_mask[t] = (float)fuzz_byte(in) / 64;
  for (int i = 0; i < 16; i++) p->root[i] = fuzz_float(in);
  for (size_t k = 0; k < p->jobs; k++) {
    const unsigned joints = fuzz_byte(in), how = fuzz_byte(in);
    p->wanted[k] = fuzz_byte(in) & 63;
    p->job[k] = (quatsimd_pose_job){.struct_size = sizeof p->job[k],
                                    .layer_size = sizeof p->layer[k][0],
                                    .skeleton = how == 255 ? NULL : world.skeleton,
                                    .layers = p->layer[k],
                                    .layer_count = how % (MOST_LAYERS + 1),
                                    .joint_count = joints < 100 ? 0 : joints % (JOINTS + (joints > 250)),
                                    .layout = how & 16 ? QUATSIMD_MATRIX_4X4 : QUATSIMD_MATRIX_3X4,
                                    .root = how & 32 ? p->root : NULL};
    for (size_t l = 0; l < MOST_LAYERS; l++) take_layer(p, &p->layer[k][l], in);
  }
  for (size_t k = 0; k < p->jobs; k++) take_later(p, k, in);
}

/* Puts the job's results at places of their own. */
static place give_places(const problem *p, size_t k, quatsimd_pose_job *job) {
  const size_t joints = job->joint_count ? job->joint_count : JOINTS,
               floats[RESULTS] = {4 * joints,
                                  3 * joints,
                                  3 * joints,
                                  TRACKS,
                                  job->layout * joints,
                                  job->layout * joints,
                                  4,
                                  3,
                                  sizeof(size_t) / sizeof(float),
                                  job->event_capacity * (EVENT / sizeof(float))};
  place to;
  float *at[RESULTS];
  for (int i = 0; i < RESULTS; i++) {
    to.part[i] = fuzz_array_new(floats[i] * sizeof(float), 0);
    at[i] = p->wanted[k] >> i & 1 ? (float *)(void *)to.part[i].data : NULL;
  }
  if (at[0]) job->local.rotations = quatsimd_aos_out(at[0]);
  if (at[1]) job->local.translations = quatsimd_aos_out(at[1]);
  if (at[2]) job->local.scales = quatsimd_aos_out(at[2]);
  job->local.tracks = at[3], job->model = at[4], job->skinning = at[5];
  job->root_rotation = at[6], job->root_translation = at[7];
  job->event_count = (size_t *)(void *)at[8], job->events = (quatsimd_pose_event *)(void *)at[9];
  return to;
}

/* Stores the number of the job at fault. */
static quatsimd_status evaluate(quatsimd_pose_job *jobs, size_t count, size_t *at_fault) {
  const size_t size = quatsimd_pose_scratch_size(jobs, count);
  fuzz_array scratch = fuzz_array_new(size, 0);
  quatsimd_pose_report report;
  must(quatsimd_pose_report_init(&report, sizeof report));
  const quatsimd_status status = quatsimd_pose_evaluate(jobs, count, scratch.data, size, &report);
  if ((status == QUATSIMD_OK) != (!report.error && report.job == SIZE_MAX) ||
      (status != QUATSIMD_OK && report.job >= count) ||
      (report.layer != SIZE_MAX && report.layer >= MOST_LAYERS) ||
      (report.goal != SIZE_MAX && report.goal >= MOST_GOALS))
    fuzz_fail("the report names job %zu, layer %zu, goal %zu", report.job, report.layer, report.goal);
  *at_fault = report.job;
  fuzz_array_free(&scratch);
  return status;
}

/* Structs of a later version, with a member that is not used. */
typedef struct later_layer {
  quatsimd_pose_layer now;
  double later;
} later_layer;
typedef struct later_job {
  quatsimd_pose_job now;
  size_t later[2];
} later_job;

typedef struct later_goal {
  quatsimd_pose_goal now;
  float later;
} later_goal;

static quatsimd_status evaluate_later(const quatsimd_pose_job *job) {
  later_layer layers[MOST_LAYERS];
  later_goal goals[MOST_GOALS];
  later_job later = {.now = *job};
  size_t at_fault;
  memset(layers, 0, sizeof layers), memset(goals, 0, sizeof goals);
  for (size_t g = 0; g < job->goal_count; g++) goals[g].now = job->goals[g];
  later.now.goals = &goals[0].now, later.now.goal_size = sizeof goals[0];
  for (size_t l = 0; l < job->layer_count; l++) layers[l].now = job->layers[l];
  later.now.struct_size = sizeof later, later.now.layer_size = sizeof layers[0];
  later.now.layers = &layers[0].now;
  return evaluate(&later.now, 1, &at_fault);
}

static bool is_untouched(const fuzz_array *a) {
  bool same = true;
  for (size_t i = 0; i < a->size; i++) same = same && a->data[i] == 0xa5;
  return same;
}

/* Clears the gaps of the structs of events, which may be any bytes. */
static void clear_gaps(const place *to) {
  for (size_t e = 0; e < to->part[9].size; e += EVENT)
    memset(to->part[9].data + e + offsetof(quatsimd_pose_event, weight) + sizeof(float), 0,
           offsetof(quatsimd_pose_event, name) - offsetof(quatsimd_pose_event, weight) - sizeof(float));
}

static void check_alone(const problem *p, size_t k, const place *wanted, const char *kernels) {
  quatsimd_pose_job job = p->job[k];
  place got = give_places(p, k, &job);
  if (evaluate_later(&job) != QUATSIMD_OK) fuzz_fail("refused alone, %s", kernels);
  clear_gaps(&got);
  for (int i = 0; i < RESULTS; i++) {
    if (memcmp(got.part[i].data, wanted->part[i].data, got.part[i].size) != 0)
      fuzz_fail("result %d is other bits alone, %s", i, kernels);
    fuzz_array_free(&got.part[i]);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t n = fuzz_tables(tables);
  fuzz_input in = {data, size};
  static problem p;
  quatsimd_pose_job job[MOST_JOBS];
  place to[MOST_JOBS];
  if (!world.skeleton) make_world();
  take_problem(&p, &in);
  for (size_t k = 0; k < p.jobs; k++) job[k] = p.job[k], to[k] = give_places(&p, k, &job[k]);
  fuzz_use(tables[0]);
  size_t at_fault;
  const quatsimd_status status = evaluate(job, p.jobs, &at_fault);
  if (status != QUATSIMD_OK && evaluate_later(&job[at_fault]) != status)
    fuzz_fail("job %zu is good alone", at_fault);
  for (size_t k = 0; k < p.jobs; k++) {
    for (int i = 0; i < RESULTS; i++)
      if ((status != QUATSIMD_OK || !(p.wanted[k] >> i & 1)) && !is_untouched(&to[k].part[i]))
        fuzz_fail("result %d of job %zu was written", i, k);
    clear_gaps(&to[k]);
    for (size_t t = 0; t < n && status == QUATSIMD_OK; t++) {
      fuzz_use(tables[t]);
      check_alone(&p, k, &to[k], tables[t]->name);
    }
  }
  for (size_t k = 0; k < p.jobs; k++) {
    for (int i = 0; i < RESULTS; i++) fuzz_array_free(&to[k].part[i]);
    fuzz_array_free(&p.own_root[k]);
  }
  return 0;
}
