/* Computes root motion in double, from samples. A movement is the rigid transform from the joint's place in
 * model space at the clip's start to its place at a time. Each round of a loop adds motion->round. */
#include "core/bits.h"
#include "core/quat64.h"
#include "pose/affine.h"
#include "pose/motion.h"

/* Adds from left to right. It is not in line because gcc 12 makes vectors of the sums of a product of
 * quaternions, and fuses them with its multiplications in spite of -ffp-contract=off. */
QUATSIMD_NOINLINE double sum_of_four(double a, double b, double c, double d) { return a + b + c + d; }

/* Computes the product a * b. `to` may equal another argument. */
static void multiply(double to[4], const double *a, const double *b) {
  const double x = sum_of_four(a[3] * b[0], a[0] * b[3], a[1] * b[2], -(a[2] * b[1])),
               y = sum_of_four(a[3] * b[1], -(a[0] * b[2]), a[1] * b[3], a[2] * b[0]),
               z = sum_of_four(a[3] * b[2], a[0] * b[1], -(a[1] * b[0]), a[2] * b[3]),
               w = sum_of_four(a[3] * b[3], -(a[0] * b[0]), -(a[1] * b[1]), -(a[2] * b[2]));
  to[0] = x, to[1] = y, to[2] = z, to[3] = w;
}

/* Returns the transform that applies b, then a. */
QUATSIMD_NOINLINE pose_rigid compose(const pose_rigid *a, const pose_rigid *b) {
  pose_rigid c = {0};
  multiply(c.q, a->q, b->q), quat64_normalise_any(c.q);
  quat64_rotate_in_line(c.t, a->q, b->t);
  for (int i = 0; i < 3; i++) c.t[i] += a->t[i];
  return c;
}

QUATSIMD_NOINLINE pose_rigid invert(const pose_rigid *a) {
  pose_rigid b = {0};
  quat64_conjugate(b.q, a->q);
  quat64_rotate_in_line(b.t, b.q, a->t);
  for (int i = 0; i < 3; i++) b.t[i] = -b.t[i];
  return b;
}

/* Applies `a` `times` times, by squaring. */
static pose_rigid repeat(pose_rigid a, double times) {
  pose_rigid result = {{0, 0, 0, 1}, {0, 0, 0}};
  for (uint64_t n = (uint64_t)times; n > 0; n >>= 1) {
    if (n & 1) result = compose(&result, &a);
    a = compose(&a, &a);
  }
  return result;
}

/* ---- the place of the joint ---- */

/* Returns the joint's place in model space. local: its rotation and translation relative to its parent. */
QUATSIMD_NOINLINE pose_rigid place_of(const quatsimd_root_motion *motion, const pose_rigid *local) {
  pose_rigid place = {0};
  multiply(place.q, motion->turned, local->q), quat64_normalise_any(place.q);
  pose_transform(place.t, motion->above, local->t);
  return place;
}

/* Keeps the parts of a point's place that count: along the up axis, and across it. */
static void keep_parts(double p[3], const quatsimd_root_motion *motion) {
  const double *const up = motion->up;
  const bool along = motion->parts & QUATSIMD_ROOT_ALONG, across = motion->parts & QUATSIMD_ROOT_ACROSS;
  if (motion->parts == QUATSIMD_ROOT_ALL) return;
  const double height = pose_dot3(p, up);
  for (int c = 0; c < 3; c++) {
    const double upward = height * up[c], sideward = p[c] - upward;
    p[c] = (along ? upward : 0) + (across ? sideward : 0);
  }
}

/* Returns the movement that rotates by x.q and moves the point `first` to `last`. */
static pose_rigid from_to(pose_rigid x, const double first[3], const double last[3]) {
  quat64_rotate_in_line(x.t, x.q, first);
  for (int c = 0; c < 3; c++) x.t[c] = last[c] - x.t[c];
  return x;
}

/* Returns the joint's movement from motion->start to a place. Only the parts in motion->parts count: turning
 * about the up axis, moving along it, moving across it. */
QUATSIMD_NOINLINE pose_rigid movement(const quatsimd_root_motion *motion, const pose_rigid *place) {
  pose_rigid x = {0}, start;
  double back[4], point[2][3];
  memcpy(&start, motion->start, sizeof start);
  quat64_conjugate(back, start.q), multiply(x.q, place->q, back);
  if (motion->parts != QUATSIMD_ROOT_ALL) {
    const double about = motion->parts & QUATSIMD_ROOT_TURN ? pose_dot3(x.q, motion->up) : 0;
    for (int c = 0; c < 3; c++) x.q[c] = about * motion->up[c];
  }
  quat64_normalise_any(x.q);
  memcpy(point[0], start.t, sizeof start.t), memcpy(point[1], place->t, sizeof place->t);
  keep_parts(point[0], motion), keep_parts(point[1], motion);
  return from_to(x, point[0], point[1]);
}

/* Returns the share of the movement of a whole pass: a turn at a constant rate, and a straight path. */
static pose_rigid straight_movement(const quatsimd_root_motion *motion, double share) {
  pose_rigid x = {0}, round;
  double first[3], last[3];
  memcpy(first, motion->start + 4, sizeof first), memcpy(&round, motion->round, sizeof round);
  keep_parts(first, motion);
  quat64_rotate_in_line(last, round.q, first);
  for (int c = 0; c < 3; c++) last[c] = first[c] + share * (last[c] + round.t[c] - first[c]);
  if (round.q[3] < 0) quat64_negate(round.q);
  quat64_power(x.q, round.q, share);
  return from_to(x, first, last);
}

/* Samples the joint's place at a time. Curves at rest or absent take their values from motion->rest. */
static pose_rigid place_at(const quatsimd_root_motion *motion, const quatsimd_clip *clip, double time) {
  float q[4], t[3];
  const uint32_t joint = (uint32_t)motion->joint;
  quatsimd_pose_out pose = {.rotations = quatsimd_aos_out(q), .translations = quatsimd_aos_out(t)};
  (void)quatsimd_clip_sample_joints(clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_CLAMP, &joint, 1, 0);
  const bool turns = quatsimd_clip_curve_state(clip, QUATSIMD_CLIP_ROTATION, joint) > QUATSIMD_CLIP_REST,
             moves = quatsimd_clip_curve_state(clip, QUATSIMD_CLIP_TRANSLATION, joint) > QUATSIMD_CLIP_REST;
  pose_rigid local = {0};
  for (int c = 0; c < 4; c++) local.q[c] = turns ? q[c] : motion->rest[c];
  for (int c = 0; c < 3; c++) local.t[c] = moves ? t[c] : motion->rest[4 + c];
  return place_of(motion, &local);
}

/* Returns the movement from the clip's start to a time within the clip, at which the joint is at `place`. */
static pose_rigid movement_at(const quatsimd_root_motion *motion, const quatsimd_clip *clip, double time,
                              const pose_rigid *place) {
  if (!motion->straight) return movement(motion, place);
  const double duration = quatsimd_clip_duration(clip), passed = time - quatsimd_clip_start(clip);
  return straight_movement(motion, !(passed > 0) ? 0 : passed < duration ? passed / duration : 1);
}

/* ---- making ---- */

/* Finds the values of a joint's curves at rest, absent or constant. Returns false if the joint has a curve
 * that moves or has keys. */
static bool find_still(float q[4], float t[3], float s[3], const quatsimd_skeleton *skeleton,
                       const quatsimd_clip *clip, uint32_t joint) {
  float constant[10];
  quatsimd_pose_out rest = {
      .rotations = quatsimd_aos_out(q), .translations = quatsimd_aos_out(t), .scales = quatsimd_aos_out(s)};
  quatsimd_pose_out start = {.rotations = quatsimd_aos_out(constant),
                             .translations = quatsimd_aos_out(constant + 4),
                             .scales = quatsimd_aos_out(constant + 7)};
  (void)quatsimd_skeleton_rest_pose(skeleton, &rest, joint, 1);
  (void)quatsimd_clip_sample_joints(clip, &start, NULL, quatsimd_clip_start(clip), QUATSIMD_CLIP_WRAP_CLAMP,
                                    &joint, 1, 0);
  float *const value[] = {q, t, s};
  for (int kind = 0, first = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT;
       first += (int)clip_components(kind++)) {
    const quatsimd_clip_state state = quatsimd_clip_curve_state(clip, (quatsimd_clip_kind)kind, joint);
    if (state > QUATSIMD_CLIP_CONSTANT) return false;
    if (state == QUATSIMD_CLIP_CONSTANT)
      memcpy(value[kind], constant + first, clip_components(kind) * sizeof(float));
  }
  return true;
}

/* Multiplies the matrices and the rotations of all ancestors of motion->joint. Returns false if an ancestor
 * changes, or if the product has no inverse because a scale is 0. */
static bool find_parents(quatsimd_root_motion *motion, const quatsimd_skeleton *skeleton,
                         const quatsimd_clip *clip) {
  double m[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, turned[4] = {0, 0, 0, 1};
  float q[4], t[3], s[3];
  for (int64_t j = (int64_t)motion->joint; (j = quatsimd_skeleton_parent(skeleton, (size_t)j)) >= 0;) {
    if (!find_still(q, t, s, skeleton, clip, (uint32_t)j)) return false;
    const double r[4] = {q[0], q[1], q[2], q[3]};
    multiply(turned, r, turned), quat64_normalise_any(turned);
    for (int column = 0; column < 4; column++) {
      double v[3];
      for (int row = 0; row < 3; row++) v[row] = m[4 * row + column] * s[row];
      quat64_rotate_in_line(v, r, v);
      for (int row = 0; row < 3; row++) m[4 * row + column] = v[row] + (column == 3 ? t[row] : 0);
    }
  }
  memcpy(motion->above, m, sizeof m), memcpy(motion->turned, turned, sizeof turned);
  return pose_invert(motion->below, m);
}

static bool is_motion_of(const quatsimd_root_motion *motion, const quatsimd_clip *clip) {
  return motion && clip && pose_is_motion(motion) && motion->joint < quatsimd_clip_joint_count(clip) &&
         quatsimd_clip_additive(clip) == QUATSIMD_CLIP_ADDITIVE_NONE;
}

_Static_assert(sizeof(quatsimd_root_motion) <= sizeof(quatsimd_root_motion_storage),
               "root motion does not fit");
_Static_assert(_Alignof(quatsimd_root_motion) <= _Alignof(quatsimd_root_motion_storage),
               "root motion needs more than its storage's alignment");

size_t quatsimd_root_motion_memory_size(void) { return sizeof(quatsimd_root_motion); }

quatsimd_status quatsimd_root_motion_init(quatsimd_root_motion **motion, void *memory, size_t memory_size,
                                          const quatsimd_skeleton *skeleton, const quatsimd_clip *clip,
                                          size_t joint, int parts, const float up[3]) {
  quatsimd_root_motion made = {.joint = joint, .turned = {0, 0, 0, 1}};
  made.straight = parts >= QUATSIMD_ROOT_STRAIGHT;
  parts -= made.straight ? QUATSIMD_ROOT_STRAIGHT : 0, made.parts = parts;
  if (!motion || !memory || (uintptr_t)memory % _Alignof(quatsimd_root_motion) != 0 || !skeleton || !clip ||
      joint >= quatsimd_skeleton_joint_count(skeleton) || parts < 1 || parts > QUATSIMD_ROOT_ALL ||
      (parts != QUATSIMD_ROOT_ALL && !up))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (memory_size < sizeof made) return QUATSIMD_ERROR_SHORT_BUFFER;
  if (!pose_is_clip_of(clip, skeleton)) return QUATSIMD_ERROR_WRONG_SKELETON;
  if (!is_motion_of(&made, clip) || !find_parents(&made, skeleton, clip)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (parts != QUATSIMD_ROOT_ALL) {
    for (int c = 0; c < 3; c++) made.up[c] = up[c];
    const double n2 = pose_dot3(made.up, made.up), by = 1 / quatsimd_sqrt(n2);
    if (!(n2 > 0 && by > 0)) return QUATSIMD_ERROR_BAD_ARGUMENT;
    for (int c = 0; c < 3; c++) made.up[c] *= by;
  }
  float rest[7];
  quatsimd_pose_out pose = {.rotations = quatsimd_aos_out(rest), .translations = quatsimd_aos_out(rest + 4)};
  (void)quatsimd_skeleton_rest_pose(skeleton, &pose, joint, 1);
  for (int c = 0; c < 7; c++) made.rest[c] = rest[c];
  const double start = quatsimd_clip_start(clip);
  pose_rigid at = place_at(&made, clip, start);
  memcpy(made.start, &at, sizeof at);
  at = place_at(&made, clip, start + quatsimd_clip_duration(clip));
  at = movement(&made, &at);
  memcpy(made.round, &at, sizeof at);
  *motion = memory;
  **motion = made;
  return QUATSIMD_OK;
}

/* ---- between two times ---- */

/* A time within the clip, and the number of whole rounds before this time. */
typedef struct moment {
  double within, rounds;
} moment;

/* If the clip repeats, brings the time within the clip as sampling does, and counts rounds. */
static moment moment_of(const quatsimd_clip *clip, double time, quatsimd_clip_wrap wrap) {
  const double duration = quatsimd_clip_duration(clip),
               most = 0x1p+52; /* doubles of this size or more are whole numbers */
  clip_position p;
  if (!clip_loops_with(clip, wrap) || !(duration > 0) || time != time) return (moment){time, 0};
  quatsimd_clip_position_of(&p, clip, time, wrap);
  const double rounds = (time - p.time) / duration; /* whole except for rounding */
  if (!(clip_absolute(rounds) < most)) return (moment){p.time, rounds < 0 ? -most : most};
  return (moment){p.time, (double)(int64_t)(rounds < 0 ? rounds - 0.5 : rounds + 0.5)};
}

pose_rigid quatsimd_pose_movement(const quatsimd_root_motion *motion, const quatsimd_clip *clip, double from,
                                  double to, quatsimd_clip_wrap wrap) {
  const moment a = moment_of(clip, from, wrap), b = moment_of(clip, to, wrap);
  pose_rigid first = {0}, last = {0}, round;
  if (!motion->straight) first = place_at(motion, clip, a.within), last = place_at(motion, clip, b.within);
  pose_rigid x = movement_at(motion, clip, a.within, &first), y = movement_at(motion, clip, b.within, &last);
  memcpy(&round, motion->round, sizeof round);
  const double rounds = b.rounds - a.rounds;
  if (rounds < 0) round = invert(&round);
  round = repeat(round, clip_absolute(rounds));
  x = invert(&x), y = compose(&round, &y), x = compose(&x, &y);
  if (x.q[3] < 0) quat64_negate(x.q);
  return x;
}

quatsimd_status quatsimd_root_motion_between(const quatsimd_root_motion *motion, float rotation[4],
                                             float translation[3], const quatsimd_clip *clip, double from,
                                             double to, quatsimd_clip_wrap wrap) {
  if (!is_motion_of(motion, clip) || !rotation || !translation || (unsigned)wrap > QUATSIMD_CLIP_WRAP_LOOP)
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  const pose_rigid x = quatsimd_pose_movement(motion, clip, from, to, wrap);
  for (int c = 0; c < 4; c++) rotation[c] = clip_number((float)x.q[c]);
  for (int c = 0; c < 3; c++) translation[c] = clip_number((float)x.t[c]);
  return QUATSIMD_OK;
}

/* ---- removing root motion ---- */

/* Finds the views of rotations and translations. Returns false for what quatsimd_root_motion_remove
 * refuses. */
static bool find_views_of_joint(quatsimd_operand *q, quatsimd_operand *t, const quatsimd_root_motion *motion,
                                quatsimd_pose_out *pose, size_t joint_count, size_t pose_count) {
  size_t elements;
  return motion && pose && pose_is_motion(motion) && motion->joint < joint_count &&
         pose_elements(&elements, joint_count, pose_count) && quatsimd_resolve_out(q, 4, &pose->rotations) &&
         quatsimd_resolve_out(t, 3, &pose->translations) && !quatsimd_meet(q, t);
}

void quatsimd_pose_remove(const quatsimd_root_motion *motion, const quatsimd_clip *clip,
                          quatsimd_pose_out *pose, size_t joint_count, size_t pose_count, double within) {
  quatsimd_operand q, t;
  if (!find_views_of_joint(&q, &t, motion, pose, joint_count, pose_count)) return;
  for (size_t p = 0; p < pose_count; p++) {
    const size_t element = p * joint_count + motion->joint;
    float rotation[4], translation[3];
    quatsimd_load_element(&q, element, rotation), quatsimd_load_element(&t, element, translation);
    const pose_rigid local = {{rotation[0], rotation[1], rotation[2], rotation[3]},
                              {translation[0], translation[1], translation[2]}};
    pose_rigid place = place_of(motion, &local), x = movement_at(motion, clip, within, &place);
    double up[4], left[3];
    x = invert(&x), place = compose(&x, &place);
    quat64_conjugate(up, motion->turned), multiply(up, up, place.q), quat64_normalise_any(up);
    pose_transform(left, motion->below, place.t);
    for (int c = 0; c < 4; c++) rotation[c] = clip_number((float)up[c]);
    for (int c = 0; c < 3; c++) translation[c] = clip_number((float)left[c]);
    quatsimd_store_element(&q, element, rotation), quatsimd_store_element(&t, element, translation);
  }
}

quatsimd_status quatsimd_root_motion_remove(const quatsimd_root_motion *motion, quatsimd_pose_out *pose,
                                            size_t joint_count, size_t pose_count) {
  quatsimd_operand q, t;
  if (!find_views_of_joint(&q, &t, motion, pose, joint_count, pose_count) || motion->straight)
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  quatsimd_pose_remove(motion, NULL, pose, joint_count, pose_count, 0);
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_root_motion_remove_at(const quatsimd_root_motion *motion, quatsimd_pose_out *pose,
                                               size_t joint_count, const quatsimd_clip *clip, double time,
                                               quatsimd_clip_wrap wrap) {
  quatsimd_operand q, t;
  if (!is_motion_of(motion, clip) || !find_views_of_joint(&q, &t, motion, pose, joint_count, 1) ||
      (unsigned)wrap > QUATSIMD_CLIP_WRAP_LOOP)
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  quatsimd_pose_remove(motion, clip, pose, joint_count, 1, moment_of(clip, time, wrap).within);
  return QUATSIMD_OK;
}
