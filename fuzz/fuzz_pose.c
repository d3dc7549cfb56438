/* libFuzzer over poses of any floats: blends, additions, differences, matrices and goals are the same bits
 * with all kernels, and of many poses at once as of each alone. Nothing is written behind the results. */
#include "fuzz.h"

enum { MOST_JOINTS = 50, MOST_POSES = 3, MOST_LAYERS = 3, TRACKS = 2, GOALS = 2 };

/* Of so many poses: rotations, translations, scales and tracks, in exactly their size. */
typedef struct poses {
  fuzz_array part[QUATSIMD_CLIP_KIND_COUNT];
} poses;

static const size_t widths[QUATSIMD_CLIP_KIND_COUNT] = {4, 3, 3, 1};

static poses poses_new(size_t joints, size_t tracks, fuzz_input *in) {
  poses p;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const size_t floats = widths[kind] * (kind == QUATSIMD_CLIP_TRACK ? tracks : joints);
    p.part[kind] = fuzz_array_new(floats * sizeof(float), 0);
    for (size_t i = 0; in && i < floats; i++) ((float *)(void *)p.part[kind].data)[i] = fuzz_float(in);
  }
  return p;
}
static void poses_free(poses *p) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) fuzz_array_free(&p->part[kind]);
}
static float *at(const poses *p, int kind, size_t element) {
  return (float *)(void *)p->part[kind].data + widths[kind] * element;
}
static quatsimd_pose_out pose_out(const poses *p, size_t joint, size_t track) {
  return (quatsimd_pose_out){quatsimd_aos_out(at(p, 0, joint)), quatsimd_aos_out(at(p, 1, joint)),
                             quatsimd_aos_out(at(p, 2, joint)), at(p, QUATSIMD_CLIP_TRACK, track)};
}
static quatsimd_pose_in pose_in(const poses *p, size_t joint, size_t track) {
  return (quatsimd_pose_in){quatsimd_aos(at(p, 0, joint)), quatsimd_aos(at(p, 1, joint)),
                            quatsimd_aos(at(p, 2, joint)), at(p, QUATSIMD_CLIP_TRACK, track)};
}

typedef struct problem {
  size_t joints, tracks, poses, layers;
  quatsimd_skeleton *skeleton;
  poses in[MOST_LAYERS + 1]; /* the last: of rest */
  float weights[MOST_LAYERS][MOST_POSES], mask[MOST_JOINTS];
  quatsimd_matrix_layout layout;
  bool masked;
  quatsimd_pose_goal goals[2][MOST_POSES * GOALS]; /* to reach, and to aim at */
} problem;

typedef struct results {
  poses blend, add, subtract, reach, aim;
  float matrices[2][16 * MOST_JOINTS * MOST_POSES];
} results;

/* Copies sampled poses and applies goals to the copies. Rotations that a goal changes have length 1. */
static void reach_goals(const problem *p, results *r, size_t first, size_t count) {
  const size_t joint = first * p->joints;
  for (int i = 0; i < 2; i++) {
    poses *const to = i ? &r->aim : &r->reach;
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
      if (count * p->joints > 0)
        memcpy(at(to, kind, joint), at(&p->in[i], kind, joint),
               count * p->joints * widths[kind] * sizeof(float));
    quatsimd_pose_out views = pose_out(to, joint, 0);
    const quatsimd_pose_goal *const goals = p->goals[i] + GOALS * first;
    if ((i ? quatsimd_pose_aim : quatsimd_pose_reach)(p->skeleton, &views, goals, sizeof *goals, GOALS,
                                                      (quatsimd_pose_counts){p->joints, 0, count}) !=
        QUATSIMD_OK)
      fuzz_fail("a goal is refused");
    for (size_t q = 0; q < count * p->joints; q++) {
      const float *const now = at(to, 0, joint + q), *const before = at(&p->in[i], 0, joint + q);
      const float n2 = now[0] * now[0] + now[1] * now[1] + now[2] * now[2] + now[3] * now[3];
      if (memcmp(now, before, 4 * sizeof *now) != 0 && !(n2 > 1 - 1e-6f && n2 < 1 + 1e-6f))
        fuzz_fail("a goal makes a rotation of another length");
    }
  }
}

/* `count` poses from number `first` on. */
static void compute(const problem *p, results *r, size_t first, size_t count) {
  const size_t joint = first * p->joints, track = first * p->tracks;
  const quatsimd_pose_counts counts = {p->joints, p->tracks, count};
  quatsimd_pose_out blend = pose_out(&r->blend, joint, track), add = pose_out(&r->add, joint, track),
                    subtract = pose_out(&r->subtract, joint, track);
  const quatsimd_pose_in rest = pose_in(&p->in[MOST_LAYERS], 0, 0),
                         blended = pose_in(&r->blend, joint, track);
  quatsimd_weighted_poses layer[MOST_LAYERS];
  for (size_t l = 0; l < MOST_LAYERS; l++)
    layer[l] = (quatsimd_weighted_poses){pose_in(&p->in[l], joint, track), p->weights[l] + first,
                                         p->masked ? p->mask : NULL, NULL};
  float *const model = r->matrices[0] + joint * p->layout, *const skinning =
                                                               r->matrices[1] + joint * p->layout;
  if (quatsimd_pose_blend(&blend, layer, p->layers, &rest, counts) != QUATSIMD_OK ||
      quatsimd_pose_add(&add, &blended, layer, counts) != QUATSIMD_OK ||
      quatsimd_pose_subtract(&subtract, &layer[1].poses, &blended, counts) != QUATSIMD_OK ||
      quatsimd_pose_to_model(p->skeleton, model, p->layout, &layer[0].poses, NULL, p->joints, count) !=
          QUATSIMD_OK ||
      quatsimd_pose_to_skinning(p->skeleton, skinning, model, p->layout, p->joints, count) != QUATSIMD_OK)
    fuzz_fail("a pose is refused");
  reach_goals(p, r, first, count);
}

static bool equal(const poses *a, const poses *b) {
  bool same = true;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    same = same && memcmp(a->part[kind].data, b->part[kind].data, a->part[kind].size) == 0;
  return same;
}

static void expect(const problem *p, const results *a, const results *b, const char *what) {
  const size_t bytes = p->poses * p->joints * p->layout * sizeof(float);
  if (!equal(&a->blend, &b->blend) || !equal(&a->add, &b->add) || !equal(&a->subtract, &b->subtract) ||
      !equal(&a->reach, &b->reach) || !equal(&a->aim, &b->aim) ||
      memcmp(a->matrices[0], b->matrices[0], bytes) != 0 ||
      memcmp(a->matrices[1], b->matrices[1], bytes) != 0)
    fuzz_fail("other bits %s", what);
}

static void results_new(const problem *p, results *r) {
  poses *const all[] = {&r->blend, &r->add, &r->subtract, &r->reach, &r->aim};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    *all[i] = poses_new(p->poses * p->joints, p->poses * p->tracks, NULL);
}
static void results_free(results *r) {
  poses_free(&r->blend), poses_free(&r->add), poses_free(&r->subtract);
  poses_free(&r->reach), poses_free(&r->aim);
}

static void *make_skeleton(problem *p, quatsimd_skeleton_storage *storage, fuzz_input *in) {
  quatsimd_skeleton_joint joint[MOST_JOINTS];
  static const float bind[12] = {0, 1, 0, 2, -1, 0, 0, 3, 0, 0, 1, 4};
  for (size_t j = 0; j < p->joints; j++)
    joint[j] = (quatsimd_skeleton_joint){.name = "",
                                         .parent = (int64_t)(fuzz_byte(in) % (j + 1)) - 1,
                                         .rotation = {0, 0, 0, 1},
                                         .inverse_bind = j % 3 ? bind : NULL};
  const quatsimd_skeleton_source source = {p->joints, joint, 0, NULL, 0, NULL};
  void *data = NULL;
  size_t size;
  if (quatsimd_skeleton_encode(&data, &size, &source, NULL, NULL) != QUATSIMD_OK ||
      quatsimd_skeleton_open(&p->skeleton, storage, sizeof *storage, data, size) != QUATSIMD_OK)
    abort();
  return data;
}

/* The joint `up` generations above a joint, or the last one that there is. */
static uint32_t above(const problem *p, uint32_t joint, int up) {
  for (; up > 0; up--) {
    const int64_t parent = quatsimd_skeleton_parent(p->skeleton, joint);
    if (parent >= 0) joint = (uint32_t)parent;
  }
  return joint;
}

/* Goals of any numbers, of joints that are far enough down. Others are of weight 0, with any joints. */
static void make_goals(problem *p, fuzz_input *in) {
  for (int i = 0; i < 2; i++)
    for (size_t k = 0; k < p->poses * GOALS; k++) {
      quatsimd_pose_goal *const g = &p->goals[i][k];
      const uint32_t joint = p->joints ? (uint32_t)(fuzz_byte(in) % p->joints) : 0;
      const unsigned up = fuzz_byte(in);
      *g =
          (quatsimd_pose_goal){.weight = fuzz_float(in), .softness = fuzz_float(in), .limit = fuzz_float(in)};
      for (int c = 0; c < 3; c++)
        g->target[c] = fuzz_float(in), g->pole[c] = fuzz_float(in), g->axis[c] = fuzz_float(in);
      g->joint = joint, g->middle = above(p, joint, 1 + up % 4);
      g->first = i ? above(p, joint, up % 16) : above(p, g->middle, 1 + up / 4 % 4);
      if (i ? p->joints == 0 : g->joint == g->middle || g->middle == g->first)
        g->weight = g->weight > 0 ? 0 : g->weight, g->joint = UINT32_MAX;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t n = fuzz_tables(tables);
  fuzz_input in = {data, size};
  static results first, other;
  static problem p;
  quatsimd_skeleton_storage storage;
  const unsigned how = fuzz_byte(&in);
  p = (problem){.joints = fuzz_byte(&in) % (MOST_JOINTS + 1),
                .tracks = how % (TRACKS + 1),
                .poses = 1 + how / 4 % MOST_POSES,
                .layers = how / 16 % (MOST_LAYERS + 1),
                .layout = how & 64 ? QUATSIMD_MATRIX_4X4 : QUATSIMD_MATRIX_3X4,
                .masked = how & 128};
  void *const bytes = make_skeleton(&p, &storage, &in);
  for (size_t l = 0; l < MOST_LAYERS; l++)
    for (size_t k = 0; k < p.poses; k++) p.weights[l][k] = fuzz_float(&in);
  for (size_t j = 0; j < p.joints; j++) p.mask[j] = fuzz_float(&in);
  for (size_t l = 0; l <= MOST_LAYERS; l++) p.in[l] = poses_new(p.poses * p.joints, p.poses * p.tracks, &in);
  make_goals(&p, &in);
  results_new(&p, &first);
  fuzz_use(tables[0]);
  compute(&p, &first, 0, p.poses);
  for (size_t k = 0; k < n; k++) {
    results_new(&p, &other);
    fuzz_use(tables[k]);
    for (size_t pose = 0; pose < p.poses; pose++) compute(&p, &other, pose, 1);
    expect(&p, &first, &other, tables[k]->name);
    results_free(&other);
  }
  results_free(&first);
  for (size_t l = 0; l <= MOST_LAYERS; l++) poses_free(&p.in[l]);
  quatsimd_skeleton_free(NULL, bytes);
  return 0;
}
