/* libFuzzer over jobs: any layers, times, weights, masks and destinations, right and wrong ones. Results that
 * all jobs at once give, each gives alone, in the structs of a later version, with all kernels and as little
 * scratch as was asked for. Refused jobs write nothing; the job that the report names is refused alone. */
#include "fuzz.h"

enum { JOINTS = 19, TRACKS = 3, KEYS = 40, CLIPS = 4, MOST_JOBS = 3, MOST_LAYERS = 3, RESULTS = 6 };

static struct {
  void *skeleton_data, *data[CLIPS];
  quatsimd_skeleton_storage skeleton_storage;
  quatsimd_skeleton *skeleton;
  quatsimd_clip_storage storage[CLIPS];
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
  must(quatsimd_clip_open(&world.clip[c], &world.storage[c], sizeof world.storage[c], world.data[c], size));
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
  for (int c = 0; c < CLIPS; c++) {
    make_clip(c);
    if (c != 2)
      must(quatsimd_root_motion_init(&world.motion[c], &world.motion_storage[c],
                                     sizeof world.motion_storage[c], world.skeleton, world.clip[c], 0,
                                     QUATSIMD_ROOT_ALL, NULL));
  }
}

/* Where the results of a job go, in exactly their size: rotations, translations, scales, tracks, model and
 * skinning matrices. */
typedef struct place {
  fuzz_array part[RESULTS];
} place;

typedef struct problem {
  size_t jobs;
  quatsimd_pose_job job[MOST_JOBS];
  quatsimd_pose_layer layer[MOST_JOBS][MOST_LAYERS];
  unsigned wanted[MOST_JOBS];
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

static void take_problem(problem *p, fuzz_input *in) {
  p->jobs = 1 + fuzz_byte(in) % MOST_JOBS;
  for (size_t j = 0; j < JOINTS; j++) p->mask[j] = fuzz_byte(in) < 200 ? (float)(j % 3) / 2 : fuzz_float(in);
  for (size_t t = 0; t < TRACKS; t++) p->track_mask[t] = (float)fuzz_byte(in) / 64;
  for (int i = 0; i < 16; i++) p->root[i] = fuzz_float(in);
  for (size_t k = 0; k < p->jobs; k++) {
    const unsigned joints = fuzz_byte(in), how = fuzz_byte(in);
    p->wanted[k] = fuzz_byte(in);
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
}

/* Puts the job's results at places of their own. */
static place give_places(const problem *p, size_t k, quatsimd_pose_job *job) {
  const size_t joints = job->joint_count ? job->joint_count : JOINTS,
               floats[RESULTS] = {4 * joints, 3 * joints,           3 * joints,
                                  TRACKS,     job->layout * joints, job->layout * joints};
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
      (report.layer != SIZE_MAX && report.layer >= MOST_LAYERS))
    fuzz_fail("the report names job %zu, layer %zu", report.job, report.layer);
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

static quatsimd_status evaluate_later(const quatsimd_pose_job *job) {
  later_layer layers[MOST_LAYERS];
  later_job later = {.now = *job};
  size_t at_fault;
  memset(layers, 0, sizeof layers);
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

static void check_alone(const problem *p, size_t k, const place *wanted, const char *kernels) {
  quatsimd_pose_job job = p->job[k];
  place got = give_places(p, k, &job);
  if (evaluate_later(&job) != QUATSIMD_OK) fuzz_fail("refused alone, %s", kernels);
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
    for (size_t t = 0; t < n && status == QUATSIMD_OK; t++) {
      fuzz_use(tables[t]);
      check_alone(&p, k, &to[k], tables[t]->name);
    }
  }
  for (size_t k = 0; k < p.jobs; k++)
    for (int i = 0; i < RESULTS; i++) fuzz_array_free(&to[k].part[i]);
  return 0;
}
