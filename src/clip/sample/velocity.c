/* Velocities of joints: the derivatives of what sampling gives. docs/clip.md defines them. */
#include "clip/sample/fetch.h"
#include "clip/sample/groups.h"
#include "clip/sample/states.h"
#include "clip/sample/still.h"
#include "clip/sample/velocity.h"

/* Made by generate/rotation_polynomials.py: 2 s / sin(s), of cos(s) from -0.07 to 1, within 6e-9. Between two
 * frames half a turn s is up to 93.6 degrees, see CLIP_HALF_TURN. */
static const double velocity_past_half[] = {
    0x1.921fb52502cdap+1, -0x1.000002ab72384p+1, 0x1.9220a3c8277d6p+0, -0x1.5555aa48ce97cp+0,
    0x1.2d12042e7e9fep+0, -0x1.0bf1339fe661ap+0, 0x1.c6b72c5796e91p-1, -0x1.4cae4ed6de60ep-1,
    0x1.6f5afc82536cap-2, -0x1.024b1cc7eb30cp-3, 0x1.50c1ba6ae4ba4p-6};
enum { VELOCITY_TERMS = sizeof velocity_past_half / sizeof *velocity_past_half };

/* Returns the reciprocal of a time, which flushing denormals may have made 0. All products that follow stay
 * finite. */
static double velocity_per(double seconds) { return 1 / (seconds > 0x1p-400 ? seconds : 0x1p-400); }

/* Computes the rotation vector from a to b in the coordinates of the parent, times `per`. Both are rotations
 * with lengths near 1. b counts as negated if their dot product is below `least`. */
static inline void velocity_of_turn(double to[3], const double a[4], const double b[4], double least,
                                    double per) {
  const double from[4] = {-a[0], -a[1], -a[2], a[3]};
  double d[4];
  quat64_multiply(d, b, from);
  const double length = 1.5 - 0.5 * quat64_dot(d, d), r = d[3] < least ? -length : length, w = d[3] * r;
  double arc = velocity_past_half[VELOCITY_TERMS - 1];
  for (int i = VELOCITY_TERMS - 2; i >= 0; i--) arc = arc * w + velocity_past_half[i];
  const double factor = arc * r * per;
  for (int i = 0; i < 3; i++) to[i] = d[i] * factor;
}

static void velocity_store(const clip_output *out, size_t joint, const double v[3]) {
  clip_store(out, joint, (const float[4]){spline_rounded(v[0]), spline_rounded(v[1]), spline_rounded(v[2])});
}

/* A moment: the interval of frames and, for curves with their own keys, the time. */
typedef struct velocity_moment {
  clip_position frame; /* the interval's first frame */
  double time, per;    /* per: 1 / the interval's length */
  bool at_end;         /* velocities are those before this moment, otherwise those after it */
  bool outside;        /* no frame is before, or none after the moment */
} velocity_moment;

static velocity_moment velocity_moment_of(const quatsimd_clip *clip, const clip_position *p) {
  const size_t end = clip->frames - 1;
  velocity_moment m = {.time = p->t > 0 || p->outside ? p->time : clip_frame_time(clip, p->frame),
                       .at_end = !p->outside && p->frame == end,
                       .outside = p->outside || end == 0};
  if (m.outside) return m;
  quatsimd_clip_position_of_frame(&m.frame, clip, p->frame - m.at_end, 0);
  m.per = clip->times ? velocity_per(clip_frame_time(clip, m.frame.frame + 1) - m.frame.time) : clip->rate;
  return m;
}

/* ---- curves with a value at each frame ---- */

/* Computes the velocities of a group from its values at two frames. Loops over lanes have no branches, and
 * compilers make vectors of them. */
static void velocities_of_group(float to[3][CLIP_GROUP], const float value[2][CLIP_GROUP][4], int kind,
                                double per) {
  double v[3][CLIP_GROUP];
  if (kind == QUATSIMD_CLIP_ROTATION) {
    double q[2][4][CLIP_GROUP];
    for (int f = 0; f < 2; f++)
      for (int i = 0; i < CLIP_GROUP; i++)
        for (int c = 0; c < 4; c++) q[f][c][i] = (double)value[f][i][c];
    for (int i = 0; i < CLIP_GROUP; i++) {
      const double a[4] = {q[0][0][i], q[0][1][i], q[0][2][i], q[0][3][i]},
                   b[4] = {q[1][0][i], q[1][1][i], q[1][2][i], q[1][3][i]};
      double one[3];
      velocity_of_turn(one, a, b, -4 * (double)CLIP_HALF_TURN, per);
      v[0][i] = one[0], v[1][i] = one[1], v[2][i] = one[2];
    }
  } else
    for (int i = 0; i < CLIP_GROUP; i++)
      for (int c = 0; c < 3; c++) v[c][i] = ((double)value[1][i][c] - (double)value[0][i][c]) * per;
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < CLIP_GROUP; i++) to[c][i] = spline_rounded(v[c][i]);
}

static void velocities_moving(const quatsimd_clip *clip, int kind, const velocity_moment *m,
                              const clip_output *out) {
  const clip_position *const p = &m->frame;
  clip_walk w = quatsimd_clip_walk_block(clip, kind, p->block, p->intervals);
  const quatsimd_clip_row row[2] = {clip_row_of(p->intervals, p->inner),
                                    clip_row_of(p->intervals, p->inner + 1)},
                          rows[2][2] = {{row[0], row[0]}, {row[1], row[1]}};
  for (size_t g = 0; g < clip_groups(w.part.moving); g++) {
    const size_t curves = clip_walk_curves(&w);
    quatsimd_clip_group group;
    float value[2][CLIP_GROUP][4];
    float velocity[3][CLIP_GROUP];
    quatsimd_clip_unpack_group(&group, &w);
    for (size_t f = 0; f < 2; f++) {
      clip_position at = *p;
      at.inner += f;
      quatsimd_clip_evaluate(value[f], clip, kind, &group, &at, rows[f], w.kernels);
    }
    velocities_of_group(velocity, (const float(*)[CLIP_GROUP][4])value, kind, m->per);
    for (size_t i = 0; i < curves; i++)
      clip_store(out, clip_slot(w.part.slots, w.part.slot_bytes, CLIP_GROUP * g + i),
                 (const float[4]){velocity[0][i], velocity[1][i], velocity[2][i]});
  }
}

/* ---- curves with their own keys ---- */

/* Computes the velocity of a spline, `share` of the way from key to key. */
static void velocity_of_spline(double to[3], const clip_keyed *keys, size_t k, double share, double per) {
  double number[SPLINE_NUMBERS][4] = {{0}}, at[4] = {0}, slope[4] = {0};
  quatsimd_clip_load_numbers(number, keys, k, true);
  spline_between(at, number, keys->components, share);
  spline_slope(slope, number, keys->components, share);
  if (keys->kind == QUATSIMD_CLIP_ROTATION) {
    const double n2 = quat64_dot(at, at);
    double back[4], turned[4];
    if (!spline_has_direction(n2)) return;
    quat64_conjugate(back, at);
    quat64_multiply(turned, slope, back);
    for (int i = 0; i < 3; i++) to[i] = 2 * turned[i] / n2 * per;
  } else
    for (size_t c = 0; c < CLIP_AXES; c++) to[c] = slope[c] * per;
}

/* Returns the key before the moment, or key 0. The key at the moment counts as before it, except at_end. */
static size_t velocity_key(const clip_keyed *keys, const velocity_moment *m) {
  const size_t k = quatsimd_clip_key_at(keys, m->time);
  return k > 0 && m->at_end && clip_keyed_time(keys, k) >= m->time ? k - 1 : k;
}

/* Computes the velocity of a curve with keys, which is no pair, or of one part of a pair. */
static void velocity_of_part(double to[3], const clip_keyed *keys, const velocity_moment *m) {
  const size_t k = velocity_key(keys, m);
  const double from = clip_keyed_time(keys, k);
  to[0] = to[1] = to[2] = 0;
  if (keys->hold || k + 1 == keys->count || !(m->at_end ? m->time > from : m->time >= from)) return;
  const double length = clip_keyed_time(keys, k + 1) - from, per = velocity_per(length);
  if (keys->spline) {
    velocity_of_spline(to, keys, k, length > 0 ? (m->time - from) / length : 0, per);
    return;
  }
  float key[2][4] = {{0}};
  double a[4], b[4];
  quatsimd_clip_load_key(key[0], keys, k), quatsimd_clip_load_key(key[1], keys, k + 1);
  const bool negated = keys->kind == QUATSIMD_CLIP_ROTATION && clip_key_dot(key[0], key[1]) < 0;
  for (int c = 0; c < 4; c++) a[c] = (double)key[0][c], b[c] = (double)(negated ? -key[1][c] : key[1][c]);
  if (keys->kind == QUATSIMD_CLIP_ROTATION) velocity_of_turn(to, a, b, -1, per);
  else
    for (int c = 0; c < 3; c++) to[c] = (b[c] - a[c]) * per;
}

/* Makes the velocity of a pair's curve that of the pair, which is conjugate(base) * curve for rotations. */
static void velocity_of_pair(double to[3], const clip_keyed *keys, const velocity_moment *m) {
  const clip_keyed base = quatsimd_clip_keyed_base(keys);
  double own[3], turn[4] = {0, 0, 0, 1};
  velocity_of_part(own, &base, m);
  for (int c = 0; c < 3; c++) to[c] -= own[c];
  if (keys->kind != QUATSIMD_CLIP_ROTATION) return;
  if (base.hold) { /* at the end, a key that begins there does not count yet */
    float held[4];
    quatsimd_clip_load_key(held, &base, velocity_key(&base, m));
    for (int c = 0; c < 4; c++) turn[c] = (double)held[c];
  } else quatsimd_clip_sample_part(turn, &base, m->time);
  quat64_conjugate(turn, turn);
  quat64_normalise(turn);
  quat64_rotate(to, turn, to);
}

static void velocities_keyed(const quatsimd_clip *clip, int kind, const velocity_moment *m,
                             const clip_output *out) {
  quatsimd_clip_part part;
  clip_find_still(&part, clip, kind);
  const unsigned char *at = part.keys;
  for (size_t first = 0; first < clip->joints; first += CLIP_STATE_JOINTS)
    for (uint64_t left = quatsimd_clip_load_states(&part, clip->joints, first).keyed; left;
         left &= left - 1) {
      const clip_keyed keys = clip_keyed_at(clip, kind, at);
      double velocity[3];
      velocity_of_part(velocity, &keys, m);
      if (keys.pair) velocity_of_pair(velocity, &keys, m);
      velocity_store(out, first + quatsimd_lowest_bit(left) / 2, velocity);
      at = quatsimd_clip_keyed_end(&keys);
    }
}

void quatsimd_clip_keyed_velocities(const quatsimd_clip *clip, int kind, const clip_position *p,
                                    const clip_output *out) {
  const velocity_moment m = velocity_moment_of(clip, p);
  if (!m.outside) velocities_keyed(clip, kind, &m, out);
}

/* ---- all joints ---- */

static void velocities_of_kind(const quatsimd_clip *clip, int kind, const velocity_moment *m,
                               const clip_output *out) {
  const quatsimd_clip_still *const still = clip_still_of(clip, kind);
  const bool moves = still->moving > 0 && !m->outside;
  if (!out->wanted) return;
  for (size_t j = 0; j < clip->joints && !(moves && still->moving == clip->joints); j++)
    clip_store(out, j, (const float[4]){0});
  if (still->keyed > 0 && !m->outside) velocities_keyed(clip, kind, m, out);
  if (moves) velocities_moving(clip, kind, m, out);
}

quatsimd_status quatsimd_clip_sample_velocities(const quatsimd_clip *clip,
                                                quatsimd_velocities_out *velocities, double time,
                                                quatsimd_clip_wrap wrap) {
  clip_output out[QUATSIMD_CLIP_KIND_COUNT];
  clip_position p;
  if (!clip || !velocities || (unsigned)wrap > QUATSIMD_CLIP_WRAP_LOOP) return QUATSIMD_ERROR_BAD_ARGUMENT;
  /* angular velocities have three components, as scales have */
  const quatsimd_pose_out vectors = {.translations = velocities->linear, .scales = velocities->angular};
  if (!quatsimd_clip_outputs(out, &vectors, clip->joints, 0)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  quatsimd_clip_fetch(clip);
  quatsimd_clip_position_of(&p, clip, time, wrap);
  quatsimd_clip_fetch_block(clip, &p);
  const velocity_moment m = velocity_moment_of(clip, &p);
  velocities_of_kind(clip, QUATSIMD_CLIP_ROTATION, &m, &out[QUATSIMD_CLIP_SCALE]);
  velocities_of_kind(clip, QUATSIMD_CLIP_TRANSLATION, &m, &out[QUATSIMD_CLIP_TRANSLATION]);
  return QUATSIMD_OK;
}
