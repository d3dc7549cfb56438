/* The work of a runtime in every frame, on its clips: quatsimd-bench-poses FILE.qsb ADDITIVE.qsb, which
 * `quatsimd compress -o` made of one file, without and with `--additive first`. COPIES of them are
 * opened, so that clips do not stay in the cache. Each row is a way to do a work and another one beside
 * it. */
#define _DEFAULT_SOURCE
#include <quatsimd/quatsimd.h>

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

enum { LAYERS = 3, THREADS = 2, FEW = 10, FEET = 2, MATRIX = 12 /* floats */ };

static void check(int good, const char *what) {
  if (!good) fprintf(stderr, "quatsimd-bench-poses: %s\n", what), exit(1);
}
static void done(quatsimd_status status) { check(status == QUATSIMD_OK, quatsimd_status_string(status)); }

static void *allocate(size_t size) {
  void *p = aligned_alloc(64, (size + 63) / 64 * 64);
  check(p != NULL, "out of memory");
  return memset(p, 0, (size + 63) / 64 * 64);
}

/* ---- what is played ---- */

typedef struct animations {
  quatsimd_bundle_storage bundle_storage;
  quatsimd_bundle *bundle; /* the last copy */
  quatsimd_clip **clip;    /* of all copies */
  size_t clips;
} animations;

static struct {
  animations base, additive;
  quatsimd_skeleton_storage skeleton_storage;
  quatsimd_skeleton *skeleton;
  size_t joints;
  float *rest, *binds, *matrices;
  size_t scratch_bytes;
  void *scratch[THREADS];
  size_t characters;
  quatsimd_pose_job *job;
  quatsimd_pose_layer (*layer)[LAYERS];
  quatsimd_pose_layer (*laid)[LAYERS + 1]; /* two that are blended, one over them, an additive one */
  quatsimd_pose_goal (*goal)[FEET];
  bool walks; /* the skeleton has two joints with `foot` in their names, below two others */
  uint64_t frame;
} all;

static void *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  check(file && fseek(file, 0, SEEK_END) == 0, path);
  *size = (size_t)ftell(file);
  void *data = allocate(*size);
  rewind(file);
  check(fread(data, 1, *size, file) == *size, path);
  fclose(file);
  return data;
}

static void open_bundle(animations *a, const char *path, size_t copies) {
  for (size_t i = 0; i < copies; i++) {
    size_t size;
    const void *data = read_file(path, &size);
    check(quatsimd_bundle_open(&a->bundle, &a->bundle_storage, sizeof a->bundle_storage, data, size) ==
              QUATSIMD_OK,
          path);
    const size_t clips = quatsimd_bundle_clip_count(a->bundle);
    size_t memory_size = 0;
    check(clips > 0, path);
    if (i == 0) a->clip = allocate(copies * clips * sizeof *a->clip);
    for (size_t c = 0; c < clips; c++) memory_size += quatsimd_bundle_clip_memory_size(a->bundle, c);
    char *memory = allocate(memory_size);
    for (size_t c = 0; c < clips; c++) {
      const size_t bytes = quatsimd_bundle_clip_memory_size(a->bundle, c);
      done(quatsimd_bundle_open_clip(a->bundle, c, &a->clip[a->clips++], memory, bytes));
      memory += bytes;
    }
  }
}

static quatsimd_pose_out pose_at(float *p) {
  return (quatsimd_pose_out){quatsimd_aos_out(p), quatsimd_aos_out(p + 4 * all.joints),
                             quatsimd_aos_out(p + 7 * all.joints), NULL};
}
static quatsimd_pose_in read_pose(const float *p) {
  return (quatsimd_pose_in){quatsimd_aos(p), quatsimd_aos(p + 4 * all.joints),
                            quatsimd_aos(p + 7 * all.joints), NULL};
}

static void set_up(void) {
  const size_t joints = all.joints = quatsimd_skeleton_joint_count(all.skeleton);
  all.job = allocate(all.characters * sizeof *all.job);
  all.layer = allocate(all.characters * sizeof *all.layer);
  all.rest = allocate(10 * joints * sizeof(float));
  quatsimd_pose_out rest = pose_at(all.rest);
  done(quatsimd_skeleton_rest_pose(all.skeleton, &rest, 0, joints));
  all.binds = allocate(MATRIX * joints * sizeof(float));
  for (size_t j = 0; j < joints; j++) {
    const float none[MATRIX] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    memcpy(all.binds + MATRIX * j, none, sizeof none);
    (void)quatsimd_skeleton_inverse_bind(all.skeleton, all.binds + MATRIX * j, j);
  }
  all.matrices = allocate(2 * all.characters * joints * MATRIX * sizeof(float));
  for (size_t i = 0; i < all.characters; i++) {
    for (size_t l = 0; l < LAYERS; l++) {
      const animations *from = l == LAYERS - 1 ? &all.additive : &all.base;
      all.layer[i][l] = (quatsimd_pose_layer){.clip = from->clip[(7 * i + l) % from->clips],
                                              .wrap = QUATSIMD_CLIP_WRAP_LOOP,
                                              .weight = (float[]){0.7f, 0.3f, 0.5f}[l]};
    }
    all.job[i] = (quatsimd_pose_job){.struct_size = sizeof all.job[i],
                                     .layer_size = sizeof all.layer[i][0],
                                     .skeleton = all.skeleton,
                                     .layers = all.layer[i],
                                     .layer_count = LAYERS,
                                     .model = all.matrices + i * joints * MATRIX,
                                     .skinning = all.matrices + (all.characters + i) * joints * MATRIX,
                                     .layout = QUATSIMD_MATRIX_3X4};
  }
  for (size_t i = 0; i < all.characters; i++) all.job[i].layer_count = LAYERS + 1;
  all.scratch_bytes = quatsimd_pose_scratch_size(all.job, all.characters);
  for (size_t i = 0; i < all.characters; i++) all.job[i].layer_count = LAYERS;
  for (int t = 0; t < THREADS; t++) all.scratch[t] = allocate(all.scratch_bytes);
}

/* Gives a goal the joint, and the limb that ends there. Returns false if there are no two joints above it. */
static bool find_limb(quatsimd_pose_goal *goal, size_t joint) {
  const int64_t middle = quatsimd_skeleton_parent(all.skeleton, joint),
                first = middle < 0 ? -1 : quatsimd_skeleton_parent(all.skeleton, (size_t)middle);
  goal->joint = (uint32_t)joint, goal->middle = (uint32_t)middle, goal->first = (uint32_t)first;
  return first >= 0;
}

/* Each character has a clip over the others, and goals for its feet, near their places at rest. */
static void set_up_ground(void) {
  const quatsimd_pose_in rest = read_pose(all.rest);
  size_t feet = 0;
  all.laid = allocate(all.characters * sizeof *all.laid);
  all.goal = allocate(all.characters * sizeof *all.goal);
  done(quatsimd_pose_to_model(all.skeleton, all.matrices, QUATSIMD_MATRIX_3X4, &rest, NULL, all.joints, 1));
  for (size_t j = 0; j < all.joints && feet < FEET; j++) {
    const float *const place = all.matrices + MATRIX * j;
    quatsimd_pose_goal goal = {.kind = QUATSIMD_POSE_GOAL_REACH, .weight = 1, .pole = {0, 0, 1}};
    if (!strstr(quatsimd_skeleton_joint_name(all.skeleton, j), "foot") || !find_limb(&goal, j)) continue;
    for (size_t i = 0; i < all.characters; i++) {
      all.goal[i][feet] = goal;
      for (size_t c = 0; c < 3; c++)
        all.goal[i][feet].target[c] = place[4 * c + 3] + 1e-4f * (float)((i + 37 * c) % 1000);
    }
    feet++;
  }
  all.walks = feet == FEET;
  for (size_t i = 0; i < all.characters; i++) {
    all.laid[i][0] = all.layer[i][0], all.laid[i][1] = all.layer[i][1], all.laid[i][3] = all.layer[i][2];
    all.laid[i][2] = (quatsimd_pose_layer){.clip = all.base.clip[(7 * i + 2) % all.base.clips],
                                           .wrap = QUATSIMD_CLIP_WRAP_LOOP,
                                           .weight = 0.5f,
                                           .mode = QUATSIMD_POSE_MODE_OVER};
  }
}

/* The next frame at 60 Hz, at which each character is at a time of its own. */
static void next_frame(void) {
  all.frame++;
  for (size_t i = 0; i < all.characters; i++) {
    const double time = (double)all.frame / 60 + 0.37 * (double)i;
    for (size_t l = 0; l < LAYERS; l++) all.layer[i][l].time = time;
    for (size_t l = 0; l <= LAYERS; l++) all.laid[i][l].time = time;
  }
}

/* ---- works: a frame of all characters ---- */

static void evaluate(void) {
  done(quatsimd_pose_evaluate(all.job, all.characters, all.scratch[0], all.scratch_bytes, NULL));
}

static void *evaluate_share(void *share) {
  const size_t t = (size_t)(uintptr_t)share, first = t * all.characters / THREADS,
               end = (t + 1) * all.characters / THREADS;
  done(quatsimd_pose_evaluate(all.job + first, end - first, all.scratch[t], all.scratch_bytes, NULL));
  return NULL;
}
static void evaluate_on_threads(void) {
  pthread_t id;
  check(pthread_create(&id, NULL, evaluate_share, (void *)(uintptr_t)1) == 0, "no thread");
  (void)evaluate_share(NULL);
  (void)pthread_join(id, NULL);
}

static void sample(size_t i, size_t l, float *to) {
  quatsimd_pose_out pose = pose_at(to);
  const quatsimd_pose_in rest = read_pose(all.rest);
  const quatsimd_pose_layer *layer = &all.layer[i][l];
  done(quatsimd_clip_sample(layer->clip, &pose, &rest, layer->time, layer->wrap, 0));
}

/* Functions of pose.h, one after the other. */
static void call_by_call(void) {
  float *const p = all.scratch[0]; /* room for three poses and the rest pose at least */
  const size_t floats = 10 * all.joints;
  const quatsimd_pose_counts counts = {all.joints, 0, 1};
  quatsimd_pose_out out = pose_at(p);
  const quatsimd_pose_in in = read_pose(p), rest = read_pose(all.rest);
  for (size_t i = 0; i < all.characters; i++) {
    for (size_t l = 0; l < LAYERS; l++) sample(i, l, p + l * floats);
    const quatsimd_weighted_poses blended[] = {{.poses = in, .weights = &all.layer[i][0].weight},
                                               {.poses = read_pose(p + floats),
                                                .weights = &all.layer[i][1].weight}},
                                  added = {.poses = read_pose(p + 2 * floats),
                                           .weights = &all.layer[i][2].weight};
    done(quatsimd_pose_blend(&out, blended, 2, &rest, counts));
    done(quatsimd_pose_add(&out, &in, &added, counts));
    done(quatsimd_pose_to_model(all.skeleton, all.job[i].model, QUATSIMD_MATRIX_3X4, &in, NULL, all.joints,
                                1));
    done(quatsimd_pose_to_skinning(all.skeleton, all.job[i].skinning, all.job[i].model, QUATSIMD_MATRIX_3X4,
                                   all.joints, 1));
  }
}

/* Rows of four. */
static void multiply(float *c, const float *a, const float *b) {
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < 4; k++)
      c[4 * r + k] =
          a[4 * r] * b[k] + a[4 * r + 1] * b[4 + k] + a[4 * r + 2] * b[8 + k] + (k == 3 ? a[4 * r + 3] : 0);
}

/* Without pose.h: functions for arrays of quaternions, and loops; scales are one number. */
static void without_poses(void) {
  float *const p = all.scratch[0];
  const size_t joints = all.joints, floats = 10 * joints;
  for (size_t i = 0; i < all.characters; i++) {
    const float t = all.layer[i][1].weight;
    for (size_t l = 0; l < LAYERS; l++) sample(i, l, p + l * floats);
    done(quatsimd_nlerp(quatsimd_aos_out(p), quatsimd_aos(p), quatsimd_aos(p + floats), quatsimd_one(&t),
                        joints));
    for (size_t k = 4 * joints; k < floats; k++) p[k] += t * (p[floats + k] - p[k]);
    quatsimd_pose_out added = pose_at(p + 2 * floats);
    const quatsimd_pose_in base = read_pose(p), additive = read_pose(p + 2 * floats);
    done(quatsimd_clip_add(&added, &base, &additive, joints, 0)); /* with all its weight */
    float *const model = all.job[i].model, *const q = p + 2 * floats;
    for (size_t j = 0; j < joints; j++) {
      float sqt[8], local[MATRIX];
      const int64_t parent = quatsimd_skeleton_parent(all.skeleton, j);
      memcpy(sqt, q + 4 * j, 4 * sizeof *q), memcpy(sqt + 4, q + 4 * joints + 3 * j, 3 * sizeof *q);
      sqt[7] = q[7 * joints + 3 * j];
      done(quatsimd_sqt_to_matrix3x4(quatsimd_aos_out(parent < 0 ? model + MATRIX * j : local),
                                     quatsimd_aos(sqt), 1));
      if (parent >= 0) multiply(model + MATRIX * j, model + MATRIX * (size_t)parent, local);
      multiply(all.job[i].skinning + MATRIX * j, model + MATRIX * j, all.binds + MATRIX * j);
    }
  }
}

static void sample_poses(void) {
  for (size_t i = 0; i < all.characters; i++) sample(i, 0, all.scratch[0]);
}
/* Samples so many joints, spread over the skeleton, other ones for each character. */
static void sample_joints(size_t count) {
  float value[10 * FEW];
  quatsimd_pose_out pose = {quatsimd_aos_out(value), quatsimd_aos_out(value + 4 * count),
                            quatsimd_aos_out(value + 7 * count), NULL};
  const quatsimd_pose_in rest = read_pose(all.rest);
  for (size_t i = 0; i < all.characters; i++) {
    const quatsimd_pose_layer *layer = &all.layer[i][0];
    uint32_t joints[FEW];
    for (size_t e = 0; e < count; e++) joints[e] = (uint32_t)((i + e * all.joints / count) % all.joints);
    done(quatsimd_clip_sample_joints(layer->clip, &pose, &rest, layer->time, layer->wrap, joints, count, 0));
  }
}
static void sample_one(void) { sample_joints(1); }
static void sample_few(void) { sample_joints(FEW); }

static void evaluate_few(void) {
  for (size_t i = 0; i < all.characters; i++) all.job[i].joint_count = FEW;
  evaluate();
  for (size_t i = 0; i < all.characters; i++) all.job[i].joint_count = 0;
}

/* Evaluates the layers with a clip over them, and goals. */
static void evaluate_ground(size_t layers, size_t goals) {
  for (size_t i = 0; i < all.characters; i++) {
    quatsimd_pose_job *const job = &all.job[i];
    job->layers = all.laid[i], job->layer_count = layers;
    job->goals = all.goal[i], job->goal_size = sizeof all.goal[i][0], job->goal_count = goals;
  }
  evaluate();
  for (size_t i = 0; i < all.characters; i++)
    all.job[i].layers = all.layer[i], all.job[i].layer_count = LAYERS, all.job[i].goal_count = 0;
}
static void evaluate_over(void) { evaluate_ground(LAYERS, 0); }
static void evaluate_over_and_feet(void) { evaluate_ground(LAYERS, FEET); }
static void evaluate_four_and_feet(void) { evaluate_ground(LAYERS + 1, FEET); }

/* ---- measuring ---- */

typedef struct row {
  const char *name;
  void (*work)(void);
  const char *beside;
  void (*other)(void);
} row;

/* The CPU time of one thread is not that of two. */
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static double time_frames(const row *r, void (*work)(void), size_t frames) {
  const bool threads = r->work == evaluate_on_threads;
  double spent = 0;
  for (; frames > 0; frames--) {
    next_frame();
    const double start = threads ? now() : seconds();
    work();
    spent += threads ? now() - start : seconds_since(start);
  }
  return spent;
}
static double time_work(void *context, size_t frames) {
  return time_frames(context, ((const row *)context)->work, frames);
}
static double time_other(void *context, size_t frames) {
  return time_frames(context, ((const row *)context)->other, frames);
}

static row rows[] = {
    {"pose_evaluate, 3 clips to skinning", evaluate, "pose.h, call by call", call_by_call},
    {"pose_evaluate, 3 clips to skinning", evaluate, "without pose.h", without_poses},
    {"the same on 2 threads", evaluate_on_threads, "on 1 thread", evaluate},
    {"the same, first 10 joints", evaluate_few, "all joints", evaluate},
    {"2 clips blended, 1 over", evaluate_over, "2 blended, 1 added", evaluate},
    {"the same, 2 feet reach", evaluate_over_and_feet, "2 blended, 1 added", evaluate},
    {"1 more added, 2 feet reach", evaluate_four_and_feet, "2 blended, 1 added", evaluate},
    {"clip_sample_joints, one joint", sample_one, "clip_sample, all joints", sample_poses},
    {"clip_sample_joints, 10 joints", sample_few, "clip_sample, all joints", sample_poses},
};

int main(int argc, char **argv) {
  const int characters = argc > 3 ? atoi(argv[3]) : 1000, copies = argc > 4 ? atoi(argv[4]) : 1;
  check(argc >= 3 && argc <= 5 && characters > 0 && copies > 0,
        "usage: quatsimd-bench-poses FILE.qsb ADDITIVE.qsb [CHARACTERS [COPIES]]");
  all.characters = (size_t)characters;
  open_bundle(&all.base, argv[1], (size_t)copies), open_bundle(&all.additive, argv[2], (size_t)copies);
  done(quatsimd_bundle_open_skeleton(all.base.bundle, &all.skeleton, &all.skeleton_storage,
                                     sizeof all.skeleton_storage));
  set_up(), set_up_ground();
  printf("%zu characters of %zu joints, %zu clips and %zu additive ones, kernels %s; ns a character; ?: "
         "repeats differ by "
         "more than %.0f %%\n",
         all.characters, all.joints, all.base.clips, all.additive.clips, quatsimd_isa(), 100 * NOISE);
  printf("%-36s %8s   %-24s %8s  %5s\n", "", "ns", "beside it", "ns", "ratio");
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    if (!all.walks && (rows[r].work == evaluate_over_and_feet || rows[r].work == evaluate_four_and_feet)) {
      printf("%-36s left out: no two joints have foot in their names\n", rows[r].name);
      continue;
    }
    const measurement m = measure(time_work, time_other, &rows[r]);
    const double ns = 1e9 / (double)all.characters;
    printf("%-36s %8.0f   %-24s %8.0f  %5.2f%s\n", rows[r].name, ns * m.call.seconds, rows[r].beside,
           ns * m.beside.seconds, m.call.seconds / m.beside.seconds,
           fmax(m.call.spread, m.beside.spread) > NOISE ? " ?" : "");
  }
  return 0;
}
