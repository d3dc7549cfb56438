/* Checks goals of poses in long double, by the formulas of docs/pose.md, and the cases that it names. */
#include "pose/goals.h" /* before the type `poses`, whose name it has as an argument */

#include "poses.h"

typedef long double real;
typedef struct vec {
  real v[3];
} vec;
typedef struct quat {
  real v[4]; /* x, y, z, w */
} quat;

/* ---- vectors and rotations ---- */

static vec sum(vec a, real by, vec b) {
  for (int c = 0; c < 3; c++) a.v[c] += by * b.v[c];
  return a;
}
static vec times(vec a, real by) { return sum((vec){{0}}, by, a); }
static real dot(vec a, vec b) { return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2]; }
static real length(vec a) { return sqrtl(dot(a, a)); }
static vec unit(vec a) { return times(a, 1 / length(a)); }
static vec cross(vec a, vec b) {
  return (vec){{a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2],
                a.v[0] * b.v[1] - a.v[1] * b.v[0]}};
}
static bool parallel(vec a, vec b) {
  const vec n = cross(a, b);
  return !(dot(n, n) > 0x1p-32L * dot(a, a) * dot(b, b));
}
static vec across(vec a, vec from) { return sum(a, -dot(a, from) / dot(from, from), from); }
static vec perpendicular(vec u) {
  int k = 0;
  for (int c = 1; c < 3; c++)
    if (fabsl(u.v[c]) < fabsl(u.v[k])) k = c;
  vec axis = {{0}};
  axis.v[k] = 1;
  return unit(cross(u, axis));
}

static quat product(quat a, quat b) {
  const vec p = {{a.v[0], a.v[1], a.v[2]}}, q = {{b.v[0], b.v[1], b.v[2]}};
  const vec v = sum(sum(cross(p, q), a.v[3], q), b.v[3], p);
  return (quat){{v.v[0], v.v[1], v.v[2], a.v[3] * b.v[3] - dot(p, q)}};
}
static quat inverse(quat q) { return (quat){{-q.v[0], -q.v[1], -q.v[2], q.v[3]}}; }
static vec turned(quat q, vec a) {
  const quat r = product(product(q, (quat){{a.v[0], a.v[1], a.v[2], 0}}), inverse(q));
  return (vec){{r.v[0], r.v[1], r.v[2]}};
}
static quat about(vec axis, real angle) {
  const vec n = times(unit(axis), sinl(angle / 2));
  return (quat){{n.v[0], n.v[1], n.v[2], cosl(angle / 2)}};
}
static real angle_between(vec a, vec b) { return atan2l(length(cross(a, b)), dot(a, b)); }
static quat shortest(vec a, vec b, vec otherwise) {
  const real pi = acosl(-1), angle = angle_between(a, b);
  if (pi - angle < 1.4e-6L) {
    const quat half = about(otherwise, pi);
    return product(shortest(turned(half, a), b, otherwise), half);
  }
  return angle < 1e-18L ? (quat){{0, 0, 0, 1}} : about(cross(a, b), angle);
}
static quat mixed(quat a, quat b, real share) {
  real d = 0, n2 = 0;
  for (int c = 0; c < 4; c++) d += a.v[c] * b.v[c];
  for (int c = 0; c < 4; c++) {
    a.v[c] = (1 - share) * a.v[c] + (d < 0 ? -share : share) * b.v[c];
    n2 += a.v[c] * a.v[c];
  }
  for (int c = 0; c < 4; c++) a.v[c] /= sqrtl(n2);
  return a;
}

/* ---- matrices ---- */

typedef struct matrix {
  vec column[4];
} matrix;

static vec transformed(const matrix *m, vec a, bool point) {
  vec to = point ? m->column[3] : (vec){{0}};
  for (int c = 0; c < 3; c++) to = sum(to, a.v[c], m->column[c]);
  return to;
}
static vec back(const matrix *m, vec a, bool point) { /* by Cramer's rule */
  if (point) a = sum(a, -1, m->column[3]);
  const real volume = dot(m->column[0], cross(m->column[1], m->column[2]));
  vec to;
  for (int c = 0; c < 3; c++)
    to.v[c] = dot(a, cross(m->column[(c + 1) % 3], m->column[(c + 2) % 3])) / volume;
  return to;
}

/* ---- the model: a skeleton and one pose ---- */

enum { JOINTS = 30, DEEP = 300, POSES = 8 };

typedef struct model {
  size_t joints;
  int64_t parent[DEEP];
  quat q[DEEP];
  vec t[DEEP], s[DEEP];
} model;

static matrix local_of(const model *m, size_t joint) {
  matrix to;
  for (int c = 0; c < 3; c++) {
    vec axis = {{0}};
    axis.v[c] = m->s[joint].v[c];
    to.column[c] = turned(m->q[joint], axis);
  }
  to.column[3] = m->t[joint];
  return to;
}
/* The matrix from a joint's space to that of an ancestor, or to model space if `top` is -1. */
static matrix matrix_to(const model *m, size_t joint, int64_t top) {
  matrix to = {{{{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}, {{0}}}};
  for (int64_t j = (int64_t)joint; j != top; j = m->parent[j]) {
    const matrix above = local_of(m, (size_t)j);
    for (int c = 0; c < 4; c++) to.column[c] = transformed(&above, to.column[c], c == 3);
  }
  return to;
}
static vec vec_of(const float *f) { return (vec){{f[0], f[1], f[2]}}; }

/* A rotation of length 1; the identity in place of 0. */
static quat quat_of(const float *f) {
  quat q = {{0, 0, 0, 1}};
  const real n = sqrtl((real)f[0] * f[0] + (real)f[1] * f[1] + (real)f[2] * f[2] + (real)f[3] * f[3]);
  for (int c = 0; c < 4 && n > 0; c++) q.v[c] = f[c] / n;
  return q;
}

static real clamped(real x, real low, real high) { return x < low ? low : x > high ? high : x; }

static real distance_of(real d, real a, real b, real softness) {
  const real l = a + b, s = clamped(softness, 0, 1), x = d - (1 - s) * l;
  if (s > 0 && x > 0) d = (1 - s) * l + s * l * x / (x + s * l);
  return clamped(d, fabsl(a - b), l);
}

static void model_reach(model *m, const quatsimd_pose_goal *g) {
  const matrix place = matrix_to(m, g->first, -1), of_middle = matrix_to(m, g->middle, g->first),
               of_joint = matrix_to(m, g->joint, g->first);
  const vec t = back(&place, vec_of(g->target), true), p = back(&place, vec_of(g->pole), false),
            u = of_middle.column[3], v = sum(of_joint.column[3], -1, u);
  const real a = length(u), b = length(v), d = distance_of(length(t), a, b, g->softness);
  const vec e = unit(length(t) > 0 ? t : sum(u, 1, v));
  vec n;
  if (!parallel(u, v)) n = unit(cross(u, v));
  else if (length(p) > 0 && !parallel(p, u)) n = unit(cross(across(p, u), u));
  else n = perpendicular(u);
  const vec w = cross(n, times(u, 1 / a));
  const real f = acosl(clamped((d * d - a * a - b * b) / (2 * a * b), -1, 1)),
             h = d > 0 ? acosl(clamped((d * d + a * a - b * b) / (2 * a * d), -1, 1)) : acosl(0);
  const quat bend = shortest(v, sum(times(u, cosl(f) / a), sinl(f), w), n),
             swing = shortest(sum(times(u, cosl(h) / a), sinl(h), w), e, n);
  quat twist = {{0, 0, 0, 1}}, above = m->q[g->middle];
  if (length(p) > 0 && !parallel(p, e)) twist = shortest(cross(e, turned(swing, n)), across(p, e), e);
  for (int64_t j = m->parent[g->middle]; j != (int64_t)g->first; j = m->parent[j])
    above = product(m->q[j], above);
  const quat first = product(product(m->q[g->first], twist), swing),
             middle = product(m->q[g->middle], product(inverse(above), product(bend, above)));
  m->q[g->first] = mixed(m->q[g->first], first, clamped(g->weight, 0, 1));
  m->q[g->middle] = mixed(m->q[g->middle], middle, clamped(g->weight, 0, 1));
}

/* stored: the rotations that the library gave. Of weight 1, the next joint starts from them. */
static void model_aim(model *m, const quatsimd_pose_goal *g, const float *stored) {
  const model before = *m;
  model solved = *m;
  size_t chain[DEEP], count = 0;
  for (size_t j = g->joint;; j = (size_t)m->parent[j]) {
    chain[count++] = j;
    if (j == g->first) break;
  }
  const matrix old = matrix_to(&before, g->joint, -1);
  const vec y_there = transformed(&old, vec_of(g->axis), false);
  for (size_t k = count; k > 0; k--) {
    const size_t j = chain[k - 1];
    const matrix place = matrix_to(&solved, j, -1), below = matrix_to(&solved, g->joint, (int64_t)j);
    const vec t = back(&place, vec_of(g->target), true), y = back(&place, y_there, false),
              x = transformed(&below, vec_of(g->axis), false), c = below.column[3];
    vec z = unit(sum(t, -1, c));
    if (g->limit > 0 && g->limit < 3.14f && angle_between(y, z) > g->limit)
      z = sum(times(unit(y), cosl(g->limit)), sinl(g->limit), unit(across(z, y)));
    const quat turn = shortest(x, z, perpendicular(x));
    solved.q[j] = product(solved.q[j], mixed((quat){{0, 0, 0, 1}}, turn, 1 / (real)k));
    m->q[j] = mixed(m->q[j], solved.q[j], clamped(g->weight, 0, 1));
    if (g->weight >= 1) solved.q[j] = quat_of(stored + 4 * j);
  }
}

/* ---- random worlds ---- */

typedef struct world {
  quatsimd_skeleton_storage storage;
  quatsimd_skeleton *skeleton;
  void *data;
  size_t joints;
  int64_t parent[DEEP];
} world;

/* Makes a skeleton whose joints are mostly children of the joint before. */
static void make_world(world *w, size_t joints, double branches, uint64_t *random) {
  static quatsimd_skeleton_joint joint[DEEP];
  w->joints = joints;
  for (size_t j = 0; j < joints; j++) {
    w->parent[j] = (int64_t)j - 1;
    if (j > 0 && random_unit(random) < branches) w->parent[j] = (int64_t)(sweep_next(random) % (j + 1)) - 1;
    joint[j] = (quatsimd_skeleton_joint){
        .name = "", .parent = w->parent[j], .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
  }
  const quatsimd_skeleton_source source = {joints, joint, 0, NULL, 1, NULL};
  w->skeleton = open_skeleton(&w->data, &w->storage, &source);
}

static void read_model(model *m, const world *w, const poses *p, size_t pose) {
  m->joints = w->joints;
  for (size_t j = 0; j < w->joints; j++) {
    const size_t e = pose * w->joints + j;
    m->parent[j] = w->parent[j], m->q[j] = quat_of(&p->at[0][4 * e]);
    m->t[j] = vec_of(&p->at[1][3 * e]), m->s[j] = vec_of(&p->at[2][3 * e]);
  }
}

static const char *check_goal(const quatsimd_pose_goal *goal, const quatsimd_skeleton *skeleton) {
  return quatsimd_pose_check_goal(goal, sizeof *goal, goal->kind, skeleton);
}

static void expect_ok(quatsimd_status status) { assert_int_equal(status, QUATSIMD_OK); }

static float random_in(double low, double high, uint64_t *random) {
  return (float)(low + (high - low) * random_unit(random));
}

/* Draws joints of a goal. Returns false if no joint is far enough down. */
static bool draw_joints(quatsimd_pose_goal *g, const world *w, bool reach, uint64_t *random) {
  for (int trial = 0; trial < 1000; trial++) {
    size_t up[2] = {0, 0}, j = sweep_next(random) % w->joints;
    g->joint = (uint32_t)j;
    for (int i = 0; i < 2; i++) up[i] = sweep_next(random) % 3 + (reach ? 1 : 0);
    int64_t at = (int64_t)j;
    for (size_t i = 0; i < up[0] && at >= 0; i++) at = w->parent[at];
    g->middle = (uint32_t)at;
    for (size_t i = 0; i < up[1] && at >= 0; i++) at = w->parent[at];
    g->first = (uint32_t)at;
    if (at >= 0) return true;
  }
  return false;
}

/* Makes the scales of a goal's chain the same along all axes. */
static void even_scales(poses *p, const world *w, size_t pose, const quatsimd_pose_goal *g) {
  for (int64_t j = g->joint;; j = w->parent[j]) {
    float *const s = &p->at[2][3 * (pose * w->joints + (size_t)j)];
    s[1] = s[2] = s[0];
    if (j == (int64_t)g->first) return;
  }
}

/* Draws the numbers of a goal. kind 0: within reach mostly; 1: beyond; 2: too near. */
static void draw_goal(quatsimd_pose_goal *g, const model *m, int kind, uint64_t *random) {
  const matrix place = matrix_to(m, g->first, -1), middle = matrix_to(m, g->middle, g->first),
               joint = matrix_to(m, g->joint, g->first);
  const real a = length(middle.column[3]), b = length(sum(joint.column[3], -1, middle.column[3]));
  vec way;
  for (int c = 0; c < 3; c++) {
    way.v[c] = random_unit(random) - 0.5, g->pole[c] = random_in(-5, 5, random),
    g->axis[c] = random_in(-2, 2, random);
  }
  const double low = (double)fabsl(a - b), high = (double)(a + b);
  const double far = kind == 0   ? random_in(low + 0.02 * (high - low), high - 0.02 * (high - low), random)
                     : kind == 1 ? high * random_in(1.01, 30, random)
                                 : low * random_in(0.01, 0.95, random);
  const vec target = transformed(&place, times(unit(way), far), true);
  for (int c = 0; c < 3; c++) g->target[c] = (float)target.v[c];
  if (sweep_next(random) % 3 == 0) memset(g->pole, 0, sizeof g->pole);
  g->weight = sweep_next(random) % 2 ? 1 : random_in(0, 1.2, random);
  g->softness = kind == 1 && sweep_next(random) % 2 ? random_in(-0.1, 1.1, random) : 0;
  g->limit = sweep_next(random) % 2 ? random_in(0, 3.5, random) : 0;
}

/* The largest difference of the rotations of one pose from the model. Signs count. */
static real worst_of(const model *m, const poses *p, size_t pose) {
  real worst = 0;
  for (size_t j = 0; j < m->joints; j++)
    for (size_t c = 0; c < 4; c++) {
      const real error = fabsl(p->at[0][4 * (pose * m->joints + j) + c] - m->q[j].v[c]);
      if (!(error <= worst)) worst = error;
    }
  return worst;
}

/* The distance from the hand to its target in the space of `first`, in lengths of the limb. */
static real distance_from(const world *w, const poses *p, size_t pose, const quatsimd_pose_goal *g) {
  static model m;
  read_model(&m, w, p, pose);
  const matrix place = matrix_to(&m, g->first, -1), middle = matrix_to(&m, g->middle, g->first),
               joint = matrix_to(&m, g->joint, g->first);
  const vec u = middle.column[3], v = sum(joint.column[3], -1, u);
  return length(sum(back(&place, vec_of(g->target), true), -1, joint.column[3])) / (length(u) + length(v));
}

/* The angle between the axis and the direction of its target, in the space of the joint. */
static real angle_off(const world *w, const poses *p, size_t pose, const quatsimd_pose_goal *g) {
  static model m;
  read_model(&m, w, p, pose);
  const matrix place = matrix_to(&m, g->joint, -1);
  return angle_between(vec_of(g->axis), back(&place, vec_of(g->target), true));
}

static quatsimd_status run(bool reach, const world *w, poses *p, int layout, const quatsimd_pose_goal *g,
                           size_t goals, size_t count) {
  const size_t all = w->joints * count;
  move_pose(p, layout, all, false);
  quatsimd_pose_out to = poses_out(p, layout, all);
  const quatsimd_status status = reach ? quatsimd_pose_reach(w->skeleton, &to, g, sizeof *g, goals,
                                                             (quatsimd_pose_counts){w->joints, 0, count})
                                       : quatsimd_pose_aim(w->skeleton, &to, g, sizeof *g, goals,
                                                           (quatsimd_pose_counts){w->joints, 0, count});
  move_pose(p, layout, all, true);
  return status;
}

/* ---- tests ---- */

/* Goals of many poses in all layouts. The limits are those of docs/pose.md. */
static void as_the_model(void **state) {
  (void)state;
  static world w;
  static poses p, before;
  static model m[POSES];
  uint64_t random = 61;
  real worst[2] = {0, 0}, missed[2] = {0, 0};
  for (int round = 0; round < 1000; round++) {
    const bool reach = round % 2 == 0;
    quatsimd_pose_goal g[POSES] = {{0}};
    int kind[POSES];
    make_world(&w, JOINTS, 0.3, &random);
    random_poses(&p, POSES * JOINTS, &random);
    for (size_t i = 0; i < POSES; i++) {
      assert_true(draw_joints(&g[i], &w, reach, &random));
      even_scales(&p, &w, i, &g[i]);
      read_model(&m[i], &w, &p, i);
      draw_goal(&g[i], &m[i], kind[i] = (int)(sweep_next(&random) % 3), &random);
    }
    before = p;
    expect_ok(run(reach, &w, &p, round % LAYOUTS, g, 1, POSES));
    for (int k = 1; k < 3; k++) assert_true(same_bits(p.at[k], before.at[k], 3 * POSES * JOINTS));
    for (size_t i = 0; i < POSES; i++) {
      if (reach) model_reach(&m[i], &g[i]);
      else model_aim(&m[i], &g[i], &p.at[0][4 * i * JOINTS]);
      const real error = worst_of(&m[i], &p, i);
      if (!(error <= worst[reach])) worst[reach] = error;
      const bool whole = g[i].weight >= 1 && (reach ? kind[i] == 0 : g[i].limit == 0);
      const real off = !whole ? 0 : reach ? distance_from(&w, &p, i, &g[i]) : angle_off(&w, &p, i, &g[i]);
      if (!(off <= missed[reach])) missed[reach] = off;
    }
    quatsimd_skeleton_free(NULL, w.data);
  }
  if (!(worst[1] <= 3e-7L && worst[0] <= 3e-7L && missed[1] <= 2e-7L && missed[0] <= 3e-7L))
    fail_msg("errors: reach %.3Lg, aim %.3Lg, hand %.3Lg, axis %.3Lg", worst[1], worst[0], missed[1],
             missed[0]);
}

/* Many goals in a call are the same bits as one after the other, in a call and in a job. */
static void in_their_order(void **state) {
  (void)state;
  enum { GOALS = 5 };
  static world w;
  static poses p, alone, job;
  static model m;
  uint64_t random = 62;
  for (int round = 0; round < 40; round++) {
    const bool reach = round % 2 == 0;
    quatsimd_pose_goal g[POSES][GOALS] = {{{0}}};
    make_world(&w, JOINTS, 0.3, &random);
    random_poses(&p, POSES * JOINTS, &random);
    for (size_t i = 0; i < POSES; i++)
      for (int k = 0; k < GOALS; k++) {
        assert_true(draw_joints(&g[i][k], &w, reach, &random));
        read_model(&m, &w, &p, i);
        draw_goal(&g[i][k], &m, 0, &random);
        g[i][k].kind = reach ? QUATSIMD_POSE_GOAL_REACH : QUATSIMD_POSE_GOAL_AIM;
      }
    job = alone = p;
    expect_ok(run(reach, &w, &p, round % LAYOUTS, g[0], GOALS, POSES));
    for (int k = 0; k < GOALS; k++) {
      quatsimd_pose_goal one[POSES];
      for (size_t i = 0; i < POSES; i++) one[i] = g[i][k];
      expect_ok(run(reach, &w, &alone, 0, one, 1, POSES));
    }
    assert_true(same_bits(p.at[0], alone.at[0], 4 * POSES * JOINTS));
    for (size_t i = 0; i < POSES; i++) {
      float *const value[] = {&job.at[0][4 * i * JOINTS], &job.at[1][3 * i * JOINTS],
                              &job.at[2][3 * i * JOINTS]};
      for (int k = 0; k < GOALS; k++) assert_null(check_goal(&g[i][k], w.skeleton));
      quatsimd_pose_apply_goals(g[i], sizeof g[i][0], GOALS, w.skeleton, value, JOINTS, NULL, 0);
    }
    assert_true(same_bits(p.at[0], job.at[0], 4 * POSES * JOINTS));
    quatsimd_skeleton_free(NULL, w.data);
  }
}

/* A root is one more joint above all. Goals of both kinds; joints from joint_count on are left alone. */
static void under_a_root(void **state) {
  (void)state;
  static poses p, moved;
  static model m;
  static world w;
  uint64_t random = 63;
  for (int round = 0; round < 40; round++) {
    make_world(&w, JOINTS, 0, &random);
    random_poses(&p, JOINTS, &random);
    read_model(&m, &w, &p, 0);
    const matrix top = local_of(&m, 0);
    const quatsimd_matrix_layout layout = round % 2 ? QUATSIMD_MATRIX_3X4 : QUATSIMD_MATRIX_4X4;
    float root[16] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 4; c++)
        root[layout == QUATSIMD_MATRIX_3X4 ? 4 * r + c : 4 * c + r] = (float)top.column[c].v[r];
    moved = p;
    const float still[] = {0, 0, 0, 1}, zero[] = {0, 0, 0}, one[] = {1, 1, 1};
    memcpy(moved.at[0], still, sizeof still), memcpy(moved.at[1], zero, sizeof zero),
        memcpy(moved.at[2], one, sizeof one);
    quatsimd_pose_goal g[4] = {{0}};
    for (int k = 0; k < 4; k++) {
      g[k] = (quatsimd_pose_goal){.joint = 3, .middle = 2, .first = 1};
      draw_goal(&g[k], &m, 0, &random);
      g[k].kind = k % 2 ? QUATSIMD_POSE_GOAL_REACH : QUATSIMD_POSE_GOAL_AIM;
    }
    g[3].joint = 20, g[3].middle = 10, g[3].first = 5;
    float *const value[2][3] = {{p.at[0], p.at[1], p.at[2]}, {moved.at[0], moved.at[1], moved.at[2]}};
    quatsimd_pose_apply_goals(g, sizeof g[0], 4, w.skeleton, value[0], 20, NULL, 0);
    quatsimd_pose_apply_goals(g, sizeof g[0], 4, w.skeleton, value[1], 20, root, layout);
    for (size_t i = 4; i < 4 * JOINTS; i++) assert_true(fabsf(p.at[0][i] - moved.at[0][i]) < 1e-4f);
    read_model(&m, &w, &moved, 0);
    assert_true(worst_of(&m, &p, 0) > 0);
    /* a root without an inverse changes nothing */
    static poses flat;
    float none[16] = {0};
    float *const flat_value[3] = {flat.at[0], flat.at[1], flat.at[2]};
    flat = p;
    quatsimd_pose_apply_goals(g, sizeof g[0], 4, w.skeleton, flat_value, JOINTS, none, layout);
    assert_true(same_bits(flat.at[0], p.at[0], 4 * JOINTS));
    quatsimd_skeleton_free(NULL, w.data);
  }
}

/* Chains of more joints than the library remembers at once. */
static void far_down(void **state) {
  (void)state;
  static world w;
  static poses p;
  static model m;
  uint64_t random = 64;
  make_world(&w, DEEP, 0, &random);
  for (int round = 0; round < 8; round++) {
    const bool reach = round % 2 == 0;
    random_poses(&p, DEEP, &random);
    for (size_t i = 0; i < 3 * DEEP; i++) p.at[2][i] = 1; /* the product of many scales would overflow */
    quatsimd_pose_goal g = {.weight = 1,
                            .joint = DEEP - 1 - (uint32_t)round,
                            .middle = 150,
                            .first = reach ? 140 : 128 + (uint32_t)round,
                            .axis = {1, 2, 3},
                            .target = {3, -4, 5},
                            .pole = {1, 0, 2},
                            .softness = 0.5f};
    read_model(&m, &w, &p, 0);
    expect_ok(run(reach, &w, &p, 0, &g, 1, 1));
    if (reach) model_reach(&m, &g);
    else model_aim(&m, &g, p.at[0]);
    assert_true(worst_of(&m, &p, 0) < 2e-7L);
  }
  quatsimd_skeleton_free(NULL, w.data);
}

/* The last joint of the largest skeleton has the number that stands for no parent. */
static void the_last_joint(void **state) {
  (void)state;
  enum { FULL = 65536, UPPER = FULL - 3, LOWER, LAST };
  static quatsimd_skeleton_joint joint[FULL];
  static float q[FULL][4], t[FULL][3];
  quatsimd_skeleton_storage storage;
  void *data;
  for (size_t j = 0; j < FULL; j++) {
    joint[j] = (quatsimd_skeleton_joint){.name = "joint",
                                         .parent = j > UPPER ? (int64_t)j - 1 : -1,
                                         .rotation = {0, 0, 0, 1},
                                         .scale = {1, 1, 1}};
    q[j][3] = 1, t[j][0] = 1;
  }
  const quatsimd_skeleton_source source = {FULL, joint, 0, NULL, 1, NULL};
  quatsimd_skeleton *const skeleton = open_skeleton(&data, &storage, &source);
  quatsimd_pose_out pose = {.rotations = quatsimd_aos_out(q[0]), .translations = quatsimd_aos_out(t[0])};
  const quatsimd_pose_counts counts = {FULL, 0, 1};
  quatsimd_pose_goal g = {.weight = 1, .joint = LAST, .middle = LOWER, .first = UPPER, .target = {2, 1, 0}};
  float m[12];
  const quatsimd_pose_in in = {.rotations = quatsimd_aos(q[0]), .translations = quatsimd_aos(t[0])};
  expect_ok(quatsimd_pose_reach(skeleton, &pose, &g, sizeof g, 1, counts));
  expect_ok(quatsimd_pose_joint_to_model(skeleton, m, QUATSIMD_MATRIX_3X4, &in, NULL, LAST));
  for (int c = 0; c < 3; c++) assert_true(fabsf(m[4 * c + 3] - g.target[c]) < 1e-6f);
  g = (quatsimd_pose_goal){.weight = 1, .joint = LAST, .first = LAST, .axis = {0, 1, 0}, .target = {2, 5, 0}};
  expect_ok(quatsimd_pose_aim(skeleton, &pose, &g, sizeof g, 1, counts));
  expect_ok(quatsimd_pose_joint_to_model(skeleton, m, QUATSIMD_MATRIX_3X4, &in, NULL, LAST));
  assert_true(fabsf(m[1]) < 1e-6f && fabsf(m[5] - 1) < 1e-6f);
  quatsimd_skeleton_free(NULL, data);
}

/* ---- an arm of four joints: a body, a shoulder, an elbow, a hand ---- */

enum { BODY, SHOULDER, ELBOW, HAND, ARM };

typedef struct arm {
  float q[ARM][4], t[ARM][3], s[ARM][3];
} arm;

static void make_arm(world *w, arm *a, float elbow_sine) {
  uint64_t random = 1;
  make_world(w, ARM, 0, &random);
  memset(a, 0, sizeof *a);
  for (int j = 0; j < ARM; j++) a->q[j][3] = a->s[j][0] = a->s[j][1] = a->s[j][2] = 1;
  a->t[SHOULDER][1] = 4, a->t[ELBOW][0] = 3, a->t[HAND][0] = 2;
  a->q[ELBOW][2] = elbow_sine, a->q[ELBOW][3] = sqrtf(1 - elbow_sine * elbow_sine);
}
static quatsimd_pose_out arm_out(arm *a) {
  return (quatsimd_pose_out){quatsimd_aos_out(a->q[0]), quatsimd_aos_out(a->t[0]), quatsimd_aos_out(a->s[0]),
                             NULL};
}
static quatsimd_pose_goal arm_goal(float x, float y, float z) {
  return (quatsimd_pose_goal){.kind = QUATSIMD_POSE_GOAL_REACH,
                              .weight = 1,
                              .joint = HAND,
                              .middle = ELBOW,
                              .first = SHOULDER,
                              .target = {x, 4 + y, z}};
}
static void reach_with(const world *w, arm *a, const quatsimd_pose_goal *g) {
  quatsimd_pose_out to = arm_out(a);
  expect_ok(quatsimd_pose_reach(w->skeleton, &to, g, sizeof *g, 1, (quatsimd_pose_counts){ARM, 0, 1}));
}
static void aim_with(const world *w, arm *a, const quatsimd_pose_goal *g) {
  quatsimd_pose_out to = arm_out(a);
  expect_ok(quatsimd_pose_aim(w->skeleton, &to, g, sizeof *g, 1, (quatsimd_pose_counts){ARM, 0, 1}));
}

/* Expects a joint at a place relative to the shoulder. */
static void expect_at(const world *w, const arm *a, size_t joint, double x, double y, double z) {
  const quatsimd_pose_in in = {quatsimd_aos(a->q[0]), quatsimd_aos(a->t[0]), quatsimd_aos(a->s[0]), NULL};
  float m[16];
  expect_ok(quatsimd_pose_joint_to_model(w->skeleton, m, QUATSIMD_MATRIX_4X4, &in, NULL, joint));
  const double off = fabs(m[12] - x) + fabs(m[13] - 4 - y) + fabs(m[14] - z);
  if (!(off < 4e-6)) fail_msg("joint %zu is at %g %g %g", joint, m[12], m[13] - 4.0, (double)m[14]);
}

static void defined_cases(void **state) {
  (void)state;
  world w;
  arm a;
  quatsimd_pose_goal g;
  const double root = sqrt(0.5);
  /* beyond reach: straight, and toward the target */
  make_arm(&w, &a, 0.5f), g = arm_goal(0, 100, 100), reach_with(&w, &a, &g);
  expect_at(&w, &a, ELBOW, 0, 3 * root, 3 * root), expect_at(&w, &a, HAND, 0, 5 * root, 5 * root);
  quatsimd_skeleton_free(NULL, w.data);
  /* the same for a straight arm, whose hand points away: half a turn about z, the perpendicular of x x y */
  make_arm(&w, &a, 0), g = arm_goal(-100, 0, 0), reach_with(&w, &a, &g);
  expect_at(&w, &a, ELBOW, -3, 0, 0), expect_at(&w, &a, HAND, -5, 0, 0);
  quatsimd_skeleton_free(NULL, w.data);
  /* too near: folded */
  make_arm(&w, &a, 0.5f), g = arm_goal(0, 0, 0.25f), reach_with(&w, &a, &g);
  expect_at(&w, &a, ELBOW, 0, 0, 3), expect_at(&w, &a, HAND, 0, 0, 1);
  quatsimd_skeleton_free(NULL, w.data);
  /* a target at the shoulder: folded toward the hand as it was, here along (3 + 2 c, 2 s) of c = s = r */
  make_arm(&w, &a, sinf(0.39269908f)), g = arm_goal(0, 0, 0), reach_with(&w, &a, &g);
  const double x = 3 + 2 * root, y = 2 * root, n = hypot(x, y);
  expect_at(&w, &a, HAND, x / n, y / n, 0);
  /* the same with parts of one length: the hand comes to the shoulder, and the elbow stays in the plane */
  quatsimd_skeleton_free(NULL, w.data);
  make_arm(&w, &a, 0.5f), a.t[HAND][0] = 3, reach_with(&w, &a, &g), expect_at(&w, &a, HAND, 0, 0, 0);
  quatsimd_skeleton_free(NULL, w.data);
  /* a bent arm on the pole's axis stays in its plane, z = 0 */
  for (float sign = -1; sign <= 1; sign += 2) {
    make_arm(&w, &a, 0.5f), g = arm_goal(0, 3, 0), g.pole[1] = sign, reach_with(&w, &a, &g);
    expect_at(&w, &a, HAND, 0, 3, 0);
    expect_at(&w, &a, ELBOW, sqrt(9 - 7.0 / 3 * 7 / 3), 7.0 / 3, 0); /* (9 - 4 + 9) / (2 3) = 7 / 3 */
    quatsimd_skeleton_free(NULL, w.data);
  }
  /* with a pole across, the elbow is on its side, however long the pole is, and wherever the arm was */
  for (int i = 0; i < 6; i++) {
    make_arm(&w, &a, (float)(i % 3 - 1) * 0.5f), g = arm_goal(0, 3, 0);
    g.pole[2] = i < 3 ? -1e-20f : 1e20f, reach_with(&w, &a, &g);
    expect_at(&w, &a, HAND, 0, 3, 0);
    expect_at(&w, &a, ELBOW, 0, 7.0 / 3, (i < 3 ? -1 : 1) * sqrt(9 - 7.0 / 3 * 7 / 3));
    quatsimd_skeleton_free(NULL, w.data);
  }
  /* a straight arm along x bends about its perpendicular, x cross y = z, so that the elbow goes to -y */
  make_arm(&w, &a, 0), g = arm_goal(3, 0, 0), reach_with(&w, &a, &g);
  expect_at(&w, &a, HAND, 3, 0, 0), expect_at(&w, &a, ELBOW, 7.0 / 3, -sqrt(9 - 7.0 / 3 * 7 / 3), 0);
  quatsimd_skeleton_free(NULL, w.data);
  /* the soft limit: at (1 - s) L + s L the hand is half of s L before its end */
  make_arm(&w, &a, 0.5f), g = arm_goal(0, 5, 0), g.softness = 0.2f, reach_with(&w, &a, &g);
  expect_at(&w, &a, HAND, 0, 4.5, 0);
  quatsimd_skeleton_free(NULL, w.data);
}

static void unchanged(bool reach, const world *w, const arm *from, const quatsimd_pose_goal *g) {
  arm a = *from;
  if (reach) reach_with(w, &a, g);
  else aim_with(w, &a, g);
  assert_memory_equal(&a, from, sizeof a);
}

static void nothing_changes(void **state) {
  (void)state;
  const float bad[] = {NAN, INFINITY, -INFINITY};
  world w;
  arm made, a;
  make_arm(&w, &made, 0.5f);
  const quatsimd_pose_goal usual = {.weight = 1,
                                    .joint = HAND,
                                    .middle = ELBOW,
                                    .first = SHOULDER,
                                    .target = {2, 6, 1},
                                    .pole = {1, 1, 1},
                                    .axis = {0, 1, 0}};
  quatsimd_pose_goal g = usual;
  a = made, reach_with(&w, &a, &g), assert_memory_not_equal(&a, &made, sizeof a);
  a = made, aim_with(&w, &a, &g), assert_memory_not_equal(&a, &made, sizeof a);
  for (int i = 0; i < 3; i++) {
    for (int c = 0; c < 3; c++) {
      g = usual, g.target[c] = bad[i], unchanged(true, &w, &made, &g), unchanged(false, &w, &made, &g);
      g = usual, g.pole[c] = bad[i], unchanged(true, &w, &made, &g);
      g = usual, g.axis[c] = bad[i], unchanged(false, &w, &made, &g);
    }
    g = usual, g.softness = bad[i], unchanged(true, &w, &made, &g);
    g = usual;
    for (int j = 0; j < ARM; j++)
      for (int c = 0; c < 4; c++) {
        a = made, a.q[j][c] = bad[i], unchanged(false, &w, &a, &g);
        if (j < HAND) unchanged(true, &w, &a, &g);
        if (c == 3) continue;
        a = made, a.t[j][c] = bad[i], unchanged(true, &w, &a, &g), unchanged(false, &w, &a, &g);
        a = made, a.s[j][c] = bad[i], unchanged(false, &w, &a, &g);
        if (j < HAND && i == 0) unchanged(true, &w, &a, &g);
      }
  }
  g = usual, g.limit = NAN, unchanged(false, &w, &made, &g);
  g = usual, g.limit = -1, unchanged(false, &w, &made, &g);
  g = usual, memset(g.axis, 0, sizeof g.axis), unchanged(false, &w, &made, &g);
  g = usual, a = made, a.t[HAND][0] = 0, unchanged(true, &w, &a, &g);
  a = made, a.t[ELBOW][0] = 0, unchanged(true, &w, &a, &g);
  for (int j = 0; j < HAND; j++) {
    a = made, memset(a.s[j], 0, sizeof a.s[j]), unchanged(true, &w, &a, &g), unchanged(false, &w, &a, &g);
  }
  /* the hand at its own place, aimed by itself; and a folded arm whose target and hand are at the shoulder */
  g = usual, g.first = HAND, a = made, a.q[ELBOW][2] = 0, a.q[ELBOW][3] = 1;
  g.target[0] = 5, g.target[1] = 4, g.target[2] = 0, unchanged(false, &w, &a, &g);
  g = arm_goal(0, 0, 0), a = made, a.t[HAND][0] = 3, a.q[ELBOW][2] = 1, a.q[ELBOW][3] = 0;
  unchanged(true, &w, &a, &g);
  /* weights, with joints that no skeleton has */
  const float ignored[] = {0, -1, NAN, -INFINITY};
  for (int i = 0; i < 4; i++) {
    memset(&g, 0xff, sizeof g), g.weight = ignored[i];
    unchanged(true, &w, &made, &g), unchanged(false, &w, &made, &g);
    assert_null(check_goal(&g, w.skeleton));
  }
  /* rotations of length 0 are the identity, and others count as normalised */
  arm b;
  g = usual, a = b = made;
  memset(a.q[SHOULDER], 0, sizeof a.q[SHOULDER]), memset(a.q[BODY], 0, sizeof a.q[BODY]);
  reach_with(&w, &a, &g), reach_with(&w, &b, &g), assert_memory_equal(a.q[1], b.q[1], 2 * sizeof a.q[1]);
  a = made, b = made;
  for (int c = 0; c < 4; c++) a.q[BODY][c] *= 8, a.q[SHOULDER][c] *= 4, a.q[ELBOW][c] *= 0.5f;
  reach_with(&w, &a, &g), reach_with(&w, &b, &g), assert_memory_equal(a.q[1], b.q[1], 2 * sizeof a.q[1]);
  quatsimd_skeleton_free(NULL, w.data);
}

/* The axis z of the hand and of joints above it. */
static void aimed_cases(void **state) {
  (void)state;
  world w;
  arm a;
  const float half = sqrtf(0.5f);
  /* half a turn, about the perpendicular z x x = y */
  make_arm(&w, &a, 0);
  quatsimd_pose_goal g = {.weight = 1, .joint = BODY, .first = BODY, .axis = {0, 0, 9}, .target = {0, 0, -2}};
  aim_with(&w, &a, &g);
  assert_true(fabsf(fabsf(a.q[BODY][1]) - 1) < 1e-7f && fabsf(a.q[BODY][3]) < 1e-7f);
  quatsimd_skeleton_free(NULL, w.data);
  /* the same with a limit of a right angle: the axis comes to its perpendicular, y */
  make_arm(&w, &a, 0), g.limit = 1.57079633f, aim_with(&w, &a, &g);
  assert_true(fabsf(a.q[BODY][0] + half) < 1e-7f && fabsf(a.q[BODY][3] - half) < 1e-7f);
  quatsimd_skeleton_free(NULL, w.data);
  /* two joints do half each of a quarter turn about x */
  make_arm(&w, &a, 0), g = (quatsimd_pose_goal){.weight = 1, .joint = 1, .axis = {0, 0, 1}};
  memset(a.t[SHOULDER], 0, sizeof a.t[SHOULDER]), g.target[1] = 1, aim_with(&w, &a, &g);
  for (int j = 0; j < 2; j++) assert_true(fabsf(a.q[j][0] + sinf(0.39269908f)) < 1e-7f);
  quatsimd_skeleton_free(NULL, w.data);
}

/* Straight arms bend by the pole, or without one about their perpendicular. */
static void straight_limbs(void **state) {
  (void)state;
  world w;
  static model m;
  static poses p;
  uint64_t random = 65;
  real worst = 0;
  for (int round = 0; round < 300; round++) {
    arm a;
    make_arm(&w, &a, 0);
    random_poses(&p, ARM, &random);
    memcpy(&p.at[0][4 * ELBOW], a.q[ELBOW], sizeof a.q[ELBOW]);
    memcpy(&p.at[1][3 * ELBOW], a.t[ELBOW], 2 * sizeof a.t[ELBOW]);
    quatsimd_pose_goal g = arm_goal(0, 0, 0);
    even_scales(&p, &w, 0, &g);
    read_model(&m, &w, &p, 0);
    draw_goal(&g, &m, 0, &random);
    if (round % 10 == 0) { /* a pole along the arm is none */
      const matrix shoulder = matrix_to(&m, SHOULDER, -1);
      for (int c = 0; c < 3; c++) g.pole[c] = (float)shoulder.column[0].v[c];
    }
    model_reach(&m, &g);
    expect_ok(run(true, &w, &p, round % LAYOUTS, &g, 1, 1));
    const real error = worst_of(&m, &p, 0);
    if (!(error <= worst)) worst = error;
    quatsimd_skeleton_free(NULL, w.data);
  }
  if (!(worst <= 3e-7L)) fail_msg("error %.3Lg", worst);
}

/* On either side of half a turn, rotations have the sign nearest to the present ones. */
static void half_turns(void **state) {
  (void)state;
  world w;
  arm a;
  for (int i = 0; i < 64; i++) {
    make_arm(&w, &a, 0);
    quatsimd_pose_goal g = arm_goal(-100, (float)(i % 8 - 4) * 1e-5f, (float)(i / 8 - 4) * 1e-5f);
    g.target[1] = (float)(i % 8 - 4) * 1e-5f, a.t[SHOULDER][1] = 0;
    reach_with(&w, &a, &g);
    assert_true(a.q[SHOULDER][3] >= 0 && a.q[SHOULDER][3] < 1e-6f && a.q[ELBOW][3] >= 0);
    for (int c = 0; c < 4; c++) a.q[SHOULDER][c] = c == 3;
    g.first = SHOULDER, g.joint = SHOULDER, g.axis[0] = 1;
    aim_with(&w, &a, &g);
    assert_true(a.q[SHOULDER][3] >= 0 && a.q[SHOULDER][3] < 1e-6f);
    quatsimd_skeleton_free(NULL, w.data);
  }
}

/* Poses of fewer joints than the skeleton has. */
static void fewer_joints(void **state) {
  (void)state;
  world w;
  arm a, four[2];
  make_arm(&w, &a, 0.5f), four[0] = four[1] = a;
  float q[2][HAND][4];
  for (int i = 0; i < 2; i++) memcpy(q[i], a.q, sizeof q[i]);
  quatsimd_pose_goal g[2] = {{.weight = 1, .joint = ELBOW, .axis = {0, 1, 0}, .target = {7, 8, 9}}, {0}};
  g[1] = g[0], g[1].target[0] = -5;
  for (int i = 0; i < 2; i++) {
    memset(four[i].t, 0, sizeof four[i].t);
    aim_with(&w, &four[i], &g[i]);
  }
  quatsimd_pose_out to = {.rotations = quatsimd_aos_out(q[0][0])};
  expect_ok(quatsimd_pose_aim(w.skeleton, &to, g, sizeof g[0], 1, (quatsimd_pose_counts){HAND, 0, 2}));
  for (int i = 0; i < 2; i++) assert_memory_equal(q[i], four[i].q, sizeof q[i]);
  quatsimd_skeleton_free(NULL, w.data);
}

static void refusals(void **state) {
  (void)state;
  world w;
  arm a, untouched;
  make_arm(&w, &a, 0.5f), untouched = a;
  quatsimd_pose_out to = arm_out(&a);
  quatsimd_pose_goal g[2] = {arm_goal(1, 1, 1), arm_goal(1, 1, 1)};
  const size_t size = sizeof g[0];
  typedef quatsimd_status function(const quatsimd_skeleton *, quatsimd_pose_out *, const quatsimd_pose_goal *,
                                   size_t, size_t, quatsimd_pose_counts);
  function *const functions[] = {quatsimd_pose_reach, quatsimd_pose_aim};
  for (int i = 0; i < 2; i++) {
    function *const f = functions[i];
    REFUSED(f(NULL, &to, g, size, 1, (quatsimd_pose_counts){ARM, 0, 1}));
    REFUSED(f(w.skeleton, NULL, g, size, 1, (quatsimd_pose_counts){ARM, 0, 1}));
    REFUSED(f(w.skeleton, &to, NULL, size, 1, (quatsimd_pose_counts){ARM, 0, 1}));
    REFUSED(f(w.skeleton, &to, g, 0, 1, (quatsimd_pose_counts){ARM, 0, 1}));
    REFUSED(f(w.skeleton, &to, g, size - 4, 1, (quatsimd_pose_counts){ARM, 0, 1}));
    REFUSED(f(w.skeleton, &to, g, size + 2, 1, (quatsimd_pose_counts){ARM, 0, 1}));
    REFUSED(f(w.skeleton, &to, g, 4100, 1, (quatsimd_pose_counts){ARM, 0, 1}));
    REFUSED(f(w.skeleton, &to, g, 2 * size, 1,
              (quatsimd_pose_counts){ARM, 0, 1})); /* members of a later version are not zero */
    REFUSED(
        f(w.skeleton, &to, (const void *)((const char *)g + 1), size, 1, (quatsimd_pose_counts){ARM, 0, 1}));
    REFUSED(f(w.skeleton, &to, g, size, 1, (quatsimd_pose_counts){ARM + 1, 0, 1}));
    REFUSED(f(w.skeleton, &to, g, size, SIZE_MAX / 2, (quatsimd_pose_counts){ARM, 0, 3}));
    REFUSED(f(w.skeleton, &to, g, size, 1, (quatsimd_pose_counts){ARM, 0, PTRDIFF_MAX / 8}));
    to.rotations = (quatsimd_out){0},
    REFUSED(f(w.skeleton, &to, g, size, 1, (quatsimd_pose_counts){ARM, 0, 1}));
    to.rotations = quatsimd_strided_out(a.q[0], 12),
    REFUSED(f(w.skeleton, &to, g, size, 1, (quatsimd_pose_counts){ARM, 0, 1}));
    to = arm_out(&a), to.translations = quatsimd_aos_out(a.q[0]);
    REFUSED(f(w.skeleton, &to, g, size, 1, (quatsimd_pose_counts){ARM, 0, 1}));
    to = arm_out(&a), to.scales = quatsimd_aos_out(a.q[0]);
    REFUSED(f(w.skeleton, &to, g, size, 1, (quatsimd_pose_counts){ARM, 0, 1}));
    to = arm_out(&a), to.scales = quatsimd_strided_out(a.s[0], 13);
    REFUSED(f(w.skeleton, &to, g, size, 1, (quatsimd_pose_counts){ARM, 0, 1}));
    to = arm_out(&a);
    g[1].joint = ARM, REFUSED(f(w.skeleton, &to, g, size, 2, (quatsimd_pose_counts){ARM, 0, 1}));
    g[1].joint = UINT32_MAX, REFUSED(f(w.skeleton, &to, g, size, 2, (quatsimd_pose_counts){ARM, 0, 1}));
    g[1] = g[0], g[1].first = i ? UINT32_MAX : ELBOW,
    REFUSED(f(w.skeleton, &to, g, size, 2, (quatsimd_pose_counts){ARM, 0, 1}));
    g[1] = g[0], g[1].joint = BODY,
    REFUSED(
        f(w.skeleton, &to, g, size, 1, (quatsimd_pose_counts){ARM, 0, 2})); /* the goal is that of pose 1 */
    g[1] = g[0];
    expect_ok(f(w.skeleton, NULL, NULL, 0, 0, (quatsimd_pose_counts){ARM, 0, 1}));
    expect_ok(f(w.skeleton, NULL, NULL, 0, 1, (quatsimd_pose_counts){ARM, 0, 0}));
    expect_ok(f(w.skeleton, NULL, NULL, 0, 1, (quatsimd_pose_counts){0, 0, 1}));
    expect_ok(
        f(w.skeleton, &to, g, size, 2, (quatsimd_pose_counts){HAND, 0, 1})); /* the hand is not in the pose */
  }
  g[1].middle = HAND,
  REFUSED(quatsimd_pose_reach(w.skeleton, &to, g, size, 2, (quatsimd_pose_counts){ARM, 0, 1}));
  g[1].middle = UINT32_MAX,
  REFUSED(quatsimd_pose_reach(w.skeleton, &to, g, size, 2, (quatsimd_pose_counts){ARM, 0, 1}));
  g[1] = g[0], g[1].kind = (quatsimd_pose_goal_kind)0;
  assert_non_null(check_goal(&g[1], w.skeleton));
  g[1].kind = (quatsimd_pose_goal_kind)3, assert_non_null(check_goal(&g[1], w.skeleton));
  g[1] = g[0], g[1].first = HAND, assert_non_null(check_goal(&g[1], w.skeleton));
  g[1].kind = QUATSIMD_POSE_GOAL_AIM, assert_null(check_goal(&g[1], w.skeleton));
  assert_memory_equal(&a, &untouched, sizeof a);
  /* views that are all zeros, and goals with members of a later version that are zero */
  struct {
    quatsimd_pose_goal goal;
    float later;
  } longer[2] = {{g[0], 0}, {g[0], 0}};
  for (int k = 0; k < 2; k++) longer[k].goal.axis[2] = 1;
  uint64_t random = 5;
  quatsimd_skeleton_free(NULL, w.data);
  make_world(&w, ARM, 0, &random), to.translations = to.scales = (quatsimd_out){0};
  expect_ok(quatsimd_pose_aim(w.skeleton, &to, &longer[0].goal, sizeof longer[0], 2,
                              (quatsimd_pose_counts){ARM, 0, 1}));
  assert_memory_not_equal(&a, &untouched, sizeof a);
  untouched = a;
  expect_ok(quatsimd_pose_reach(w.skeleton, &to, &longer[0].goal, sizeof longer[0], 2,
                                (quatsimd_pose_counts){ARM, 0, 1}));
  assert_memory_equal(&a, &untouched, sizeof a); /* a limb without lengths */
  quatsimd_skeleton_free(NULL, w.data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_the_model),    cmocka_unit_test(in_their_order), cmocka_unit_test(under_a_root),
      cmocka_unit_test(far_down),        cmocka_unit_test(the_last_joint), cmocka_unit_test(defined_cases),
      cmocka_unit_test(nothing_changes), cmocka_unit_test(aimed_cases),    cmocka_unit_test(straight_limbs),
      cmocka_unit_test(half_turns),      cmocka_unit_test(fewer_joints),   cmocka_unit_test(refusals)};
  return cmocka_run_group_tests_name("goals of poses", tests, NULL, NULL);
}
