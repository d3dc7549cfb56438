/* Tests the bound on points of figures: random skeletons and motions, over links that lose packets. */
#include "sealed.h"

#include "stream/figure.h"
#include "support/isa.h"

enum { MOST_JOINTS = 200, LAG = 4 };

/* ---- figures ---- */

enum { CHAIN, STAR, TREE, FOREST, SHAPES };
enum { WALKS, LEAPS, CREEPS, RESTS, MOVES };

typedef struct figure {
  size_t joints, positions;
  quatsimd_skeleton_joint joint[MOST_JOINTS];
  quatsimd_skeleton_storage storage;
  quatsimd_skeleton *skeleton;
  void *data;
  bool turns[MOST_JOINTS];
  float q[4 * MOST_JOINTS], p[3 * MOST_JOINTS]; /* the pose that is sent */
  float got_q[4 * MOST_JOINTS], got_p[3 * MOST_JOINTS];
  float bounds[MOST_JOINTS], known[4 * MOST_JOINTS];
  quatsimd_stream_options options;
  side sender, receiver;
  unsigned char *packet;
  size_t size;
  acknowledgement acks[LAG];
  bool has[LAG];
  uint64_t seed;
} figure;

static bool one_in(unsigned n, uint64_t *seed) { return sweep_next(seed) % n == 0; }

static int64_t parent_of(int shape, size_t j, uint64_t *seed) {
  if (j == 0 || (shape == FOREST && one_in(4, seed))) return -1;
  return shape == CHAIN ? (int64_t)j - 1 : shape == STAR ? 0 : (int64_t)(sweep_next(seed) % j);
}

static void open_skeleton(figure *f) {
  const quatsimd_skeleton_source source = {.joint_count = f->joints, .joints = f->joint};
  size_t size;
  assert_int_equal(quatsimd_skeleton_encode(&f->data, &size, &source, NULL, NULL), QUATSIMD_OK);
  assert_int_equal(quatsimd_skeleton_open(&f->skeleton, &f->storage, sizeof f->storage, f->data, size),
                   QUATSIMD_OK);
}

static figure *figure_new(size_t joints, int shape, uint64_t seed) {
  figure *const f = filled(sizeof *f);
  memset(f, 0, sizeof *f);
  f->joints = joints, f->seed = seed;
  const unsigned fixed = (unsigned)(seed % 3); /* none, some or most joints never turn */
  for (size_t j = 0; j < joints; j++) {
    quatsimd_skeleton_joint *const to = f->joint + j;
    to->name = "", to->parent = parent_of(shape, j, &f->seed);
    to_floats(to->rotation, random_rotation(&f->seed));
    const float length = one_in(5, &f->seed) ? 0 : (float)(0.3 * random_unit(&f->seed)),
                scale = one_in(10, &f->seed) ? (float)(2 * random_unit(&f->seed) - 1.2) : 1;
    for (int x = 0; x < 3; x++)
      to->translation[x] = length * (float)(2 * random_unit(&f->seed) - 1), to->scale[x] = scale;
    f->turns[j] = !(fixed == 1 ? one_in(4, &f->seed) : fixed == 2 && !one_in(4, &f->seed));
    to_floats(f->q + 4 * j, random_rotation(&f->seed));
    memcpy(f->p + 3 * j, to->translation, 12);
  }
  open_skeleton(f);
  quatsimd_stream_options_init(&f->options, sizeof f->options);
  f->options.body_count = joints, f->options.session = SESSION;
  f->options.skeleton = f->skeleton, f->options.object_bound = 0.005f, f->options.object_distance = 0.1f;
  f->options.bounds = f->bounds;
  return f;
}

static quatsimd_status share(figure *f) {
  for (size_t j = 0; j < f->joints; j++) f->bounds[j] = f->turns[j] ? 1 : 0;
  f->options.position_count = f->positions;
  return quatsimd_stream_bounds(f->bounds, &f->options.position_bound, f->skeleton, f->positions,
                                f->options.object_bound, f->options.object_distance);
}

/* The receiver knows no skeleton. */
static void open_sides(figure *f) {
  quatsimd_stream_options o = f->options;
  open_options(&f->sender, &o);
  o.skeleton = NULL;
  open_options(&f->receiver, &o);
  f->packet = filled(quatsimd_stream_max_packet_size(&f->options));
}
static void figure_free(figure *f) {
  if (f->sender.memory) close_side(&f->sender), close_side(&f->receiver), free(f->packet);
  quatsimd_skeleton_free(NULL, f->data);
  free(f);
}

/* Positions of joints below others keep their length. */
static void move_figure(figure *f, int motion) {
  const double turn = motion == WALKS ? 0.1 : 0.002;
  for (size_t j = 0; j < f->joints && motion != RESTS; j++) {
    if (!f->turns[j]) continue;
    const quat q = of_floats(f->q + 4 * j);
    to_floats(f->q + 4 * j, motion == LEAPS ? random_rotation(&f->seed)
                                            : normalised(product(random_turn(turn, &f->seed), q)));
  }
  for (size_t j = 0; j < f->positions && motion != RESTS; j++) {
    if (f->joint[j].parent < 0)
      for (size_t x = 3 * j; x < 3 * j + 3; x++) f->p[x] += (float)(0.05 * random_unit(&f->seed) - 0.02);
    else
      for (size_t x = 0; x < 3; x++) f->p[3 * j + x] = f->joint[j].translation[(x + (size_t)motion) % 3];
  }
}

static quatsimd_status send_pose(figure *f, size_t n, const float *q, int key) {
  const quatsimd_pose_in in = {.rotations = quatsimd_aos(q), .translations = quatsimd_strided(f->p, 12)};
  const size_t heard = n % LAG; /* packet n - LAG */
  if (n >= LAG && f->has[heard]) assert_int_equal(acknowledged(&f->sender, 0, f->acks[heard]), QUATSIMD_OK);
  f->has[heard] = false;
  return quatsimd_stream_encode_pose(f->sender.stream, f->packet,
                                     quatsimd_stream_max_packet_size(&f->options), &f->size, &in, (uint32_t)n,
                                     key);
}
/* Returns the time of the pose, or SIZE_MAX if the packet was part of one. */
static size_t receive(figure *f, size_t n) {
  quatsimd_pose_out out = {.rotations = quatsimd_aos_out(f->got_q),
                           .translations = quatsimd_strided_out(f->got_p, 12)};
  if (f->positions == 0) memset(&out.translations, 0, sizeof out.translations);
  uint32_t time;
  const quatsimd_status status =
      quatsimd_stream_decode_pose(f->receiver.stream, &out, &time, f->packet, f->size);
  assert_true(status == QUATSIMD_OK || (status == QUATSIMD_ERROR_NEED_KEY && f->options.limit));
  f->acks[n % LAG] = acknowledge(&f->receiver), f->has[n % LAG] = true;
  return status == QUATSIMD_OK ? time : SIZE_MAX;
}
static void receive_pose(figure *f, size_t n) { assert_int_equal(receive(f, n), n); }

/* ---- model space ---- */

typedef struct model_joint {
  quat q;
  double at[3], scale;
} model_joint;

static void put_in_model(const figure *f, model_joint *all, size_t j, const float *q, const float *p) {
  const quatsimd_skeleton_joint *const joint = f->joint + j;
  const model_joint *const parent = joint->parent < 0 ? NULL : all + joint->parent;
  const float *const local = j < f->positions ? p + 3 * j : joint->translation;
  quat bone = {{local[0], local[1], local[2], 0}};
  for (int x = 0; x < 3 && parent; x++) bone.v[x] *= parent->scale;
  if (parent) bone = product(product(parent->q, bone), conjugate(parent->q));
  for (int x = 0; x < 3; x++) all[j].at[x] = bone.v[x] + (parent ? parent->at[x] : 0);
  const quat own = of_floats(q + 4 * j);
  all[j].q = parent ? normalised(product(parent->q, own)) : own;
  all[j].scale = (parent ? parent->scale : 1) * (double)joint->scale[0];
}

/* Returns the largest error of points of all joints, and of the sender's idea of the receiver's joints. */
static double worst_point(const figure *f, const float *q, const float *p, double *misled) {
  static model_joint sent[MOST_JOINTS], got[MOST_JOINTS];
  double worst = 0;
  *misled = 0;
  for (size_t j = 0; j < f->joints; j++) {
    put_in_model(f, sent, j, q, p), put_in_model(f, got, j, f->got_q, f->got_p);
    const figure_joint *const idea = f->sender.stream->joint + j;
    double off2 = 0, misled2 = 0;
    for (int x = 0; x < 3; x++) {
      off2 += (sent[j].at[x] - got[j].at[x]) * (sent[j].at[x] - got[j].at[x]);
      misled2 += (idea->at[x] - got[j].at[x]) * (idea->at[x] - got[j].at[x]);
    }
    const quat turned = {{idea->model[0], idea->model[1], idea->model[2], idea->model[3]}};
    *misled = fmax(*misled, sqrt(misled2) + angle_between(turned, got[j].q));
    const double reach = (double)f->options.object_distance * fabs(sent[j].scale),
                 error = sqrt(off2) + 2 * reach * sin(angle_between(sent[j].q, got[j].q) / 2);
    worst = fmax(worst, error);
  }
  return worst;
}

/* ---- tests ---- */

/* Joints that have positions: none; the roots that come first, and what the first root carries; all. */
static size_t positions_of(const figure *f, unsigned kind) {
  size_t most = 1;
  while (most < f->joints && f->joint[most].parent < 0) most++;
  return kind == 0 ? 0 : kind == 1 ? most : kind == 2 && most < f->joints ? most + 1 : f->joints;
}

static size_t run(uint64_t seed, size_t joints, int shape) {
  figure *const f = figure_new(joints, shape, seed);
  f->positions = positions_of(f, (unsigned)(seed / 3 % 4));
  if (seed % 5 == 0) f->options.object_bound = 0.05f, f->options.object_distance = 0;
  if (seed % 5 == 1) f->options.object_bound = 0.0003f;
  if (seed % 7 == 0) {
    memcpy(f->known, f->q, sizeof f->known);
    f->options.rest = f->known;
  }
  if (share(f) != QUATSIMD_OK) { /* too long a chain for this bound */
    f->options.object_bound = 1;
    assert_int_equal(share(f), QUATSIMD_OK);
  }
  if (seed % 4 == 1) f->options.limit = 40 + 3 * joints;
  open_sides(f);
  enum { POSES = 60 };
  static float wanted[POSES][4 * MOST_JOINTS], places[POSES][3 * MOST_JOINTS];
  size_t measured = 0;
  for (size_t n = 0; n < POSES; n++) {
    move_figure(f, seed % 2 ? (int)(n / 15) : (int)(seed / 2 % MOVES));
    float q[4 * MOST_JOINTS];
    memcpy(q, f->q, sizeof q);
    const size_t invalid = sweep_next(&f->seed) % (4 * joints);
    const bool some_invalid = n > 0 && invalid < joints && f->turns[invalid];
    if (some_invalid) { /* it counts as before */
      for (int x = 0; x < 4; x++) f->q[4 * invalid + (size_t)x] = f->sender.stream->held[x][invalid];
      make_invalid(q + 4 * invalid, n);
    }
    memcpy(wanted[n], f->q, sizeof f->q), memcpy(places[n], f->p, sizeof f->p);
    assert_int_equal(send_pose(f, n, q, one_in(20, &f->seed)),
                     some_invalid ? QUATSIMD_WARNING_REPLACED_INVALID : QUATSIMD_OK);
    if (one_in(4, &f->seed)) continue;
    const size_t time = receive(f, n);
    if (time == SIZE_MAX) continue;
    double misled;
    const quatsimd_stream *const r = f->receiver.stream;
    const state *const decoded = state_of(r, r->newest);
    assert_int_equal(decoded->time, time);
    const double most = (double)f->options.object_bound * exp2(decoded->coarse / 2.),
                 worst = worst_point(f, wanted[time], places[time], &misled);
    if (!(worst <= most) || (time == n && !(misled < 1e-6)))
      fail_msg(
          "seed %llu, shape %d, %zu joints, packet %zu: points are off by %.9g of %.9g, the sender by %g",
          (unsigned long long)seed, shape, joints, n, worst, most, misled);
    measured += joints;
  }
  figure_free(f);
  return measured;
}

static void points_are_within_the_bound(void **unused) {
  (void)unused;
  static const size_t counts[] = {1, 2, 3, 7, 20, 31, 55, 129, 200};
  size_t measured = 0;
  for (uint64_t seed = 0; seed < 210; seed++)
    measured += run(seed, counts[seed % (sizeof counts / sizeof *counts)], (int)(seed / 3 % SHAPES));
  assert_true(measured > 300000);
  run(1079, 200, FOREST); /* positions of joints that never turn, one below the other */
}

/* The points of a walk are nearly as far off as they may be, and cost less than without the skeleton. */
static void a_figure_costs_less_than_its_joints(void **unused) {
  (void)unused;
  double worst = 0, misled;
  size_t bytes[2] = {0};
  for (int plain = 0; plain < 2; plain++) {
    figure *const f = figure_new(31, TREE, 300);
    f->positions = 1;
    assert_int_equal(share(f), QUATSIMD_OK);
    if (plain) f->options.skeleton = NULL;
    open_sides(f);
    for (size_t n = 0; n < 200; n++) {
      move_figure(f, WALKS);
      assert_int_equal(send_pose(f, n, f->q, 0), QUATSIMD_OK);
      receive_pose(f, n);
      bytes[plain] += n > LAG ? f->size : 0;
      if (!plain) worst = fmax(worst, worst_point(f, f->q, f->p, &misled));
    }
    if (!plain) assert_true(worst > 0.97 * (double)f->options.object_bound);
    figure_free(f);
  }

  assert_true((double)bytes[0] < 0.91 * (double)bytes[1]);
}

/* A figure that rests is the same from packet to packet, whatever is lost. */
static void figures_that_rest_do_not_tremble(void **unused) {
  (void)unused;
  for (unsigned loss = 0; loss < 40; loss += 13) {
    figure *const f = figure_new(31, TREE, 400 + 3 * loss);
    f->positions = 1;
    assert_int_equal(share(f), QUATSIMD_OK);
    open_sides(f);
    float q[4 * 31], p[3];
    size_t compared = 0;
    for (size_t n = 0; n < 120; n++) {
      if (n < 60) move_figure(f, WALKS);
      assert_int_equal(send_pose(f, n, f->q, 0), QUATSIMD_OK);
      if (sweep_next(&f->seed) % 100 < loss) continue;
      receive_pose(f, n);
      if (n > 95) {
        assert_memory_equal(q, f->got_q, sizeof q), assert_memory_equal(p, f->got_p, sizeof p);
        compared++;
      }
      memcpy(q, f->got_q, sizeof q), memcpy(p, f->got_p, sizeof p);
    }
    assert_true(compared > 5);
    figure_free(f);
  }
}

/* So are the joints that rest, if those that carry them do, whatever the others teach the models. */
static void joints_that_rest_beside_others_do_not_tremble(void **unused) {
  (void)unused;
  enum { RESTING = 5 };
  figure *const f = figure_new(31, STAR, 450);
  assert_int_equal(share(f), QUATSIMD_OK);
  open_sides(f);
  float q[4 * RESTING];
  for (size_t n = 0; n < 200; n++) {
    const quat turn = {{0.01, 0, 0, 1}};
    for (size_t j = n > 60 ? RESTING : 0; j < f->joints; j++)
      to_floats(f->q + 4 * j, normalised(product(of_floats(f->q + 4 * j), turn)));
    assert_int_equal(send_pose(f, n, f->q, 0), QUATSIMD_OK);
    if (n > 100) assert_false(is_key(f->packet));
    receive_pose(f, n);
    if (n > 120) assert_memory_equal(q, f->got_q, sizeof q);
    memcpy(q, f->got_q, sizeof q);
  }
  figure_free(f);
}

/* A joint that never turns is a little off, and what is far from it is by more. */
static void joints_that_never_turn_count(void **unused) {
  (void)unused;
  double most = 0;
  for (uint64_t seed = 0; seed < 100; seed++) {
    figure *const f = figure_new(3, CHAIN, 470 + seed);
    quatsimd_skeleton_free(NULL, f->data);
    for (int i = 0; i < 9; i++)
      f->joint[i / 3].translation[i % 3] = (float)(i % 4 == 0), f->joint[i / 3].scale[i % 3] = 1;
    open_skeleton(f);
    f->turns[0] = f->turns[2] = true, f->turns[1] = false, f->options.object_bound = 6e-5f,
    f->options.object_distance = 0;
    assert_int_equal(share(f), QUATSIMD_OK);
    open_sides(f);
    assert_int_equal(send_pose(f, 0, f->q, 1), QUATSIMD_OK);
    receive_pose(f, 0);
    const double off = angle_of_floats(f->q + 4, f->got_q + 4); /* at distance 1 */
    assert_true(quatsimd_figure_budget(&f->options) + off <= (double)f->options.object_bound);
    most = fmax(most, off);
    figure_free(f);
  }
  assert_true(most > 7e-6);
}

/* A joint that is 10 km away, or comes from there, is within the bound. */
static void far_figures_are_within_the_bound(void **unused) {
  (void)unused;
  figure *const f = figure_new(20, TREE, 500);
  f->positions = 1;
  assert_int_equal(share(f), QUATSIMD_OK);
  open_sides(f);
  for (size_t n = 0; n < 60; n++) {
    double misled;
    move_figure(f, WALKS);
    if (n % 10 == 5) f->p[0] = n % 20 == 5 ? 10000.1f : -0.1f;
    assert_int_equal(send_pose(f, n, f->q, 0), QUATSIMD_OK);
    receive_pose(f, n);
    assert_true(worst_point(f, f->q, f->p, &misled) <= (double)f->options.object_bound);
  }
  figure_free(f);
}

/* A figure walks far away from a joint that never turns, whose error turns the way if it is not known. */
static void far_from_joints_that_never_turn(void **unused) {
  (void)unused;
  const double far = 1000;
  for (int known = 0; known < 2; known++) {
    double most = 0, misled;
    for (uint64_t seed = 510; seed < 540; seed++) {
      figure *const f = figure_new(3, CHAIN, seed);
      quatsimd_skeleton_free(NULL, f->data);
      for (int i = 0; i < 9; i++) f->joint[i / 3].scale[i % 3] = 1;
      open_skeleton(f);
      f->turns[0] = false, f->turns[1] = f->turns[2] = true, f->positions = 2;
      memcpy(f->known, f->q, sizeof f->known);
      if (known) f->options.rest = f->known;
      assert_int_equal(share(f), QUATSIMD_OK);
      open_sides(f);
      f->p[4] = (float)far;
      assert_int_equal(send_pose(f, 0, f->q, 1), QUATSIMD_OK);
      receive_pose(f, 0);
      most = fmax(most, worst_point(f, f->q, f->p, &misled));
      figure_free(f);
    }
    const double bound = (double)0.005f;
    assert_true(most <= bound + (known ? 3e-7 : 1e-5) * far && (known || most > bound + 3e-6 * far));
  }
}

/* Rotations may be known that encode takes, and no others. */
static void known_rotations_are_as_long_as_others(void **unused) {
  (void)unused;
  uint64_t seed = 603;
  quatsimd_stream_options o;
  float q[4], bound = 0;
  size_t accepted[2] = {0}, near = 0;
  assert_int_equal(quatsimd_stream_options_init(&o, sizeof o), QUATSIMD_OK);
  o.body_count = 1, o.bounds = &bound, o.rest = q;
  for (int i = 0; i < 2000; i++) {
    const double length = i % 2 ? 0x1p32 : 0x1p-32;
    quat r = random_rotation(&seed);
    double n2 = 0;
    for (int x = 0; x < 4; x++) r.v[x] *= length, q[x] = (float)r.v[x], n2 += (double)q[x] * (double)q[x];
    const bool valid = quatsimd_find_invalid(quatsimd_aos(q), 1, 0) == 1;
    assert_int_equal(quatsimd_stream_memory_size(&o) > 0, valid);
    accepted[valid]++, near += valid != (i % 2 ? n2 <= length * length : n2 >= length * length);
  }
  assert_true(accepted[0] > 100 && accepted[1] > 100 && near > 10);
}

/* Bodies that never turn, and that both sides know, are in no packet. */
static void known_rotations_are_in_no_packet(void **unused) {
  (void)unused;
  size_t sizes[2];
  for (int known = 0; known < 2; known++) {
    figure *const f = figure_new(31, TREE, 602);
    size_t fixed = 0;
    for (size_t j = 0; j < f->joints; j++) fixed += !f->turns[j];
    assert_true(fixed > 15);
    memcpy(f->known, f->q, sizeof f->known);
    for (size_t i = 0; i < 4 * f->joints && known; i++) f->known[i] *= f->turns[i / 4] ? NAN : 3;
    if (known) f->options.rest = f->known;
    assert_int_equal(share(f), QUATSIMD_OK);
    open_sides(f);
    for (size_t n = 0; n < 20; n++) {
      move_figure(f, WALKS);
      assert_int_equal(send_pose(f, n, f->q, 0), QUATSIMD_OK);
      if (n == 0) sizes[known] = f->size;
      receive_pose(f, n);
      for (size_t j = 0; j < f->joints; j++)
        if (!f->turns[j])
          assert_true(angle_of_floats(f->q + 4 * j, f->got_q + 4 * j) <= (known ? 3e-7 : 1e-5));
    }
    if (known) {
      size_t j = 0;
      while (f->turns[j]) j++;
      /* the sender knows what the receiver has, even of a joint that turns after all */
      double misled;
      to_floats(f->q + 4 * j, random_rotation(&f->seed));
      for (size_t n = 20; n < 23; n++) {
        assert_int_equal(send_pose(f, n, f->q, n == 21), QUATSIMD_OK);
        receive_pose(f, n);
        worst_point(f, f->q, f->p, &misled);
        assert_true(misled < 1e-6);
      }
      /* a receiver that knows another rotation */
      close_side(&f->receiver);
      f->known[4 * j] += 0.1f;
      quatsimd_stream_options o = f->options;
      o.skeleton = NULL;
      open_options(&f->receiver, &o);
      uint32_t time;
      assert_int_equal(send_pose(f, 23, f->q, 1), QUATSIMD_OK);
      assert_int_equal(
          quatsimd_stream_decode(f->receiver.stream, quatsimd_aos_out(f->got_q), &time, f->packet, f->size),
          QUATSIMD_ERROR_BAD_PACKET);
      for (int i = 0; i < 3; i++) { /* no rotations */
        f->known[4 * j] = i == 0 ? NAN : i == 1 ? INFINITY : 0;
        if (i == 2) memset(f->known + 4 * j, 0, 16);
        assert_int_equal(quatsimd_stream_memory_size(&o), 0);
      }
    }
    figure_free(f);
  }
  assert_true(sizes[1] + 100 < sizes[0]);
}

static void bounds_keep_their_promises(void **unused) {
  (void)unused;
  size_t tight = 0;
  for (uint64_t seed = 0; seed < 40; seed++) {
    figure *const f = figure_new(1 + seed * 3, (int)(seed % SHAPES), seed + 700);
    f->positions = positions_of(f, 1);
    for (size_t j = 0; j < f->joints; j++) f->bounds[j] = f->turns[j] ? NAN : -0.0f;
    f->options.position_count = f->positions, f->options.object_bound = 0.02f;
    assert_int_equal(
        quatsimd_stream_bounds(f->bounds, &f->options.position_bound, f->skeleton, f->positions, 0.02f, 0.1f),
        QUATSIMD_OK);
    for (size_t j = 0; j < f->joints; j++)
      assert_true(f->turns[j] ? f->bounds[j] >= 1e-5f && f->bounds[j] <= 1 : f->bounds[j] == 0);
    assert_true(quatsimd_stream_memory_size(&f->options) > 0);
    bool all = true; /* no bound could be larger */
    for (size_t j = 0; j < f->joints; j++)
      all &= f->bounds[j] < 1, f->bounds[j] *= f->bounds[j] < 1 ? 1.02f : 1;
    f->options.position_bound *= 1.02f;
    if (all) assert_int_equal(quatsimd_stream_memory_size(&f->options), 0); /* nothing was left over */
    tight += all;
    figure_free(f);
  }
  assert_true(tight > 20);
}

static void wrong_figures_are_refused(void **unused) {
  (void)unused;
  figure *const f = figure_new(5, CHAIN, 3);
  f->positions = 1;
  for (size_t j = 0; j < 5; j++) f->turns[j] = true;
  assert_int_equal(share(f), QUATSIMD_OK);
  for (int i = 0; i < 8; i++) {
    quatsimd_stream_options o = f->options;
    assert_true(quatsimd_stream_memory_size(&o) > 0);
    if (i == 0) o.bounds = NULL;
    if (i == 1) o.body_count = 4;
    if (i == 2) o.object_bound = 0;
    if (i == 3) o.object_bound = NAN;
    if (i == 4) o.object_bound = 0.004f;
    if (i == 5) o.object_distance = -1;
    if (i == 6) o.object_distance = 0.2f;
    if (i == 7) o.position_bound *= 40;
    assert_int_equal(quatsimd_stream_memory_size(&o), 0);
  }
  float b[5] = {1, 1, 1, 1, 1}, p;
  assert_int_equal(quatsimd_stream_bounds(NULL, &p, f->skeleton, 1, 1, 1), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_stream_bounds(b, NULL, f->skeleton, 1, 1, 1), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_stream_bounds(b, &p, NULL, 1, 1, 1), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_stream_bounds(b, &p, f->skeleton, 6, 1, 1), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_stream_bounds(b, &p, f->skeleton, 1, NAN, 1), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_stream_bounds(b, &p, f->skeleton, 1, 1, INFINITY), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_stream_bounds(b, &p, f->skeleton, 1, 1e-6f, 1), QUATSIMD_ERROR_BAD_ARGUMENT);
  assert_int_equal(quatsimd_stream_bounds(b, NULL, f->skeleton, 0, 1, 1), QUATSIMD_OK);
  figure_free(f);
  figure *const uneven = figure_new(5, CHAIN, 3);
  quatsimd_skeleton_free(NULL, uneven->data);
  uneven->joint[2].scale[1] += 0.5f;
  open_skeleton(uneven);
  assert_int_equal(share(uneven), QUATSIMD_ERROR_BAD_ARGUMENT);
  figure_free(uneven);
  figure *const huge = figure_new(20, CHAIN, 3); /* the product of its scales is no double */
  quatsimd_skeleton_free(NULL, huge->data);
  for (size_t i = 0; i < 60; i++) huge->joint[i / 3].scale[i % 3] = 1e38f;
  open_skeleton(huge);
  for (size_t i = 0; i < 60; i++) huge->joint[i / 3].translation[i % 3] = 0;
  assert_int_equal(share(huge), QUATSIMD_ERROR_BAD_ARGUMENT);
  quatsimd_skeleton_free(NULL, huge->data);
  open_skeleton(huge);
  assert_int_equal(share(huge), QUATSIMD_ERROR_BAD_ARGUMENT);
  figure_free(huge);
  figure *const tiny = figure_new(2, CHAIN, 3);
  quatsimd_skeleton_free(NULL, tiny->data);
  for (size_t i = 0; i < 6; i++) tiny->joint[i / 3].scale[i % 3] = 1e-38f;
  open_skeleton(tiny);
  tiny->positions = 2, tiny->options.object_bound = 0x1p60f;
  assert_int_equal(share(tiny), QUATSIMD_OK);
  assert_true(tiny->options.position_bound == 0x1p30f);
  figure_free(tiny);
}

int main(int argc, char **argv) {
  skip_other_kernels();
  if (argc == 3 && strcmp(argv[1], "--only") == 0) cmocka_set_test_filter(argv[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_are_within_the_bound),
      cmocka_unit_test(a_figure_costs_less_than_its_joints),
      cmocka_unit_test(figures_that_rest_do_not_tremble),
      cmocka_unit_test(joints_that_rest_beside_others_do_not_tremble),
      cmocka_unit_test(joints_that_never_turn_count),
      cmocka_unit_test(far_figures_are_within_the_bound),
      cmocka_unit_test(far_from_joints_that_never_turn),
      cmocka_unit_test(known_rotations_are_as_long_as_others),
      cmocka_unit_test(known_rotations_are_in_no_packet),
      cmocka_unit_test(bounds_keep_their_promises),
      cmocka_unit_test(wrong_figures_are_refused),
  };
  return cmocka_run_group_tests_name("figures", tests, NULL, NULL);
}
