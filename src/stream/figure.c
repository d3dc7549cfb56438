/* Finds how to code the joints of a figure, given what the receiver has for their parents. */
#include "stream/figure.h"

#include "core/quat64.h"
#include "skeleton/layout.h"

/* ---- the skeleton ---- */

static void read_joint(figure_joint *all, size_t j, const quatsimd_stream_options *o) {
  const quatsimd_skeleton *const s = o->skeleton;
  figure_joint *const to = all + j;
  const unsigned parent = skeleton_parent(s, j);
  const unsigned char *const scale = skeleton_section(s, SKELETON_SCALES);
  to->parent = parent == SKELETON_NO_PARENT ? -1 : (int64_t)parent;
  to->scale = 1;
  if (to->parent >= 0) to->scale = all[parent].scale * (double)load_float(scale + 12 * (size_t)parent);
  for (size_t i = 0; i < 3; i++)
    to->bone[i] = to->scale * (double)load_float(skeleton_section(s, SKELETON_TRANSLATIONS) + 12 * j + 4 * i);
  to->distance = (double)o->object_distance * fabs(to->scale * (double)load_float(scale + 12 * j));
  to->turns = o->bounds[j] > 0;
}

static double length_of(const double v[3]) {
  return quatsimd_sqrt((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]);
}

/* Returns what a joint's position may be off. */
static double position_error(const quatsimd_stream *s, size_t j) {
  return j < s->positions ? fabs(s->joint[j].scale) * (double)s->position_bound : 0;
}

/* Joint j becomes a part of the joint that carries it, if one does. That one's place may be off by what is
 * left for its part if it turns by its bound. */
static void become_part(const quatsimd_stream *s, size_t j, const float *bounds) {
  figure_joint *const all = s->joint, *const part = all + j;
  double length = length_of(part->bone);
  int64_t carrier = part->parent;
  part->before = part->most - position_error(s, j);
  for (; carrier >= 0 && !all[carrier].turns; carrier = all[carrier].parent)
    length += length_of(all[carrier].bone), part->before -= position_error(s, (size_t)carrier);
  if (carrier < 0) return;
  figure_joint *const by = all + carrier;
  part->next_part = by->part, by->part = (uint32_t)j;
  if (!part->turns) length += part->distance;
  const double left = part->before - (double)bounds[carrier] * length;
  if (left < by->most) by->most = left;
}

void quatsimd_figure_init(quatsimd_stream *s, const quatsimd_stream_options *o) {
  s->points_bound = quatsimd_figure_budget(o);
  for (size_t j = 0; j < s->joints; j++) {
    figure_joint *const to = s->joint + j;
    read_joint(s->joint, j, o);
    to->most = s->points_bound - (to->turns ? (double)o->bounds[j] * to->distance : 0);
  }
  for (size_t j = s->joints; j-- > 0;) become_part(s, j, o->bounds);
}

/* ---- model space ---- */

/* Rotates v by q and adds it to `from`. */
static void add_rotated(double to[3], const double from[3], const double q[4], const double v[3]) {
  quat64_rotate(to, q, v);
  for (int x = 0; x < 3; x++) to[x] += from[x];
}

static void place(double to[3], const figure_joint *j, const double *turned, const double *at,
                  const double *position) {
  double bone[3];
  for (int x = 0; x < 3; x++) bone[x] = position ? j->scale * position[x] : j->bone[x];
  if (turned) add_rotated(to, at, turned, bone);
  else memcpy(to, bone, sizeof bone);
}

static void turn(double to[4], const double *parent, const double q[4]) {
  if (parent) quat64_multiply(to, parent, q);
  else memcpy(to, q, 4 * sizeof *q);
  quat64_normalise(to);
}

void quatsimd_figure_source(quatsimd_stream *s) {
  for (size_t i = 0; i < s->joints; i++) {
    figure_joint *const j = s->joint + i, *const parent = j->parent < 0 ? NULL : s->joint + j->parent;
    double q[4], position[3];
    j->rests = true;
    for (int x = 0; x < 4; x++) {
      j->rests &= j->held[x] == s->held[x][i];
      j->held[x] = s->held[x][i], q[x] = (double)j->held[x];
    }
    for (int x = 0; x < 3 && i < s->positions; x++) position[x] = (double)s->held_position[x][i];
    place(j->from, j, parent ? parent->source : NULL, parent ? parent->from : NULL,
          i < s->positions ? position : NULL);
    turn(j->source, parent ? parent->source : NULL, q);
  }
}

void quatsimd_figure_place(quatsimd_stream *s, size_t i, const float position[3]) {
  figure_joint *const j = s->joint + i;
  const figure_joint *const parent = j->parent < 0 ? NULL : s->joint + j->parent;
  double p[3];
  for (int x = 0; x < 3 && position; x++) p[x] = (double)position[x];
  place(j->at, j, parent ? parent->model : NULL, parent ? parent->at : NULL, position ? p : NULL);
}

void quatsimd_figure_turn(quatsimd_stream *s, size_t i, const float rotation[4]) {
  figure_joint *const j = s->joint + i;
  double q[4];
  for (int x = 0; x < 4; x++) q[x] = (double)rotation[x];
  turn(j->model, j->parent < 0 ? NULL : s->joint[j->parent].model, q);
}

/* ---- what a joint may be ---- */

enum { LANES = QUATSIMD_OPERATION_BLOCK };
typedef float lanes[4][LANES];

/* Makes the matrix of the turns from the caller's rotation of a joint to the receiver's, in model space: they
 * are linear in the joint's own rotation. */
static void turns_of(double m[4][4], const quatsimd_stream *s, const figure_joint *j) {
  static const double one[4] = {0, 0, 0, 1};
  const double *const parent = j->parent < 0 ? one : s->joint[j->parent].model;
  for (int x = 0; x < 4; x++) {
    double q[4] = {x == 0, x == 1, x == 2, x == 3}, e[4], back[4];
    quat64_conjugate(back, j->source);
    quat64_multiply(e, parent, q), quat64_multiply(e, e, back);
    for (int y = 0; y < 4; y++) m[y][x] = e[y];
  }
}

/* Computes the squares of the largest errors of a joint and its parts, as shares of what they may have, if
 * the joint is at its place and has one of the first `count` rotations q. */
static void strains_of(const quatsimd_stream *s, const figure_joint *j, lanes q, int count,
                       double strain[LANES]) {
  const double larger = (double)coarseness(s->next->coarse), bound = s->points_bound * larger;
  double m[4][4], e[4][LANES], chord[LANES], off[3], off2 = 0;
  turns_of(m, s, j);
  for (int x = 0; x < 3; x++) off[x] = j->at[x] - j->from[x], off2 += off[x] * off[x];
  const double away = quatsimd_sqrt(off2) / bound, distance = j->distance / bound;
  for (int y = 0; y < 4; y++)
    for (int n = 0; n < count; n++)
      e[y][n] = (m[y][0] * (double)q[0][n] + m[y][1] * (double)q[1][n]) +
                (m[y][2] * (double)q[2][n] + m[y][3] * (double)q[3][n]);
  for (int n = 0; n < count; n++) {
    /* the way of a point at distance 1 is twice as long as the vector of e */
    chord[n] = 2 * quatsimd_sqrt((e[0][n] * e[0][n] + e[1][n] * e[1][n]) + e[2][n] * e[2][n]);
    const double own = away + chord[n] * distance;
    strain[n] = own * own;
  }
  for (uint32_t p = j->part; p; p = s->joint[p].next_part) {
    const figure_joint *const part = s->joint + p;
    const double most = part->before * larger, by = 1 / (most * most);
    double b[3], moved2[LANES];
    for (int x = 0; x < 3; x++) b[x] = 2 * (part->from[x] - j->from[x]);
    for (int n = 0; n < count; n++) {
      const double x = e[1][n] * b[2] - e[2][n] * b[1], y = e[2][n] * b[0] - e[0][n] * b[2],
                   z = e[0][n] * b[1] - e[1][n] * b[0], w = e[3][n];
      const double to[3] = {off[0] + w * x + (e[1][n] * z - e[2][n] * y),
                            off[1] + w * y + (e[2][n] * x - e[0][n] * z),
                            off[2] + w * z + (e[0][n] * y - e[1][n] * x)};
      moved2[n] = (to[0] * to[0] + to[1] * to[1]) + to[2] * to[2];
    }
    for (int n = 0; n < count && !part->turns; n++) {
      const double with_points = quatsimd_sqrt(moved2[n]) + chord[n] * part->distance;
      moved2[n] = with_points * with_points;
    }
    for (int n = 0; n < count; n++) strain[n] = moved2[n] * by > strain[n] ? moved2[n] * by : strain[n];
  }
}

bool quatsimd_figure_may_be(const quatsimd_stream *s, size_t i, const float rotation[4]) {
  lanes q;
  double strain[LANES];
  for (int x = 0; x < 4; x++) q[x][0] = rotation[x];
  strains_of(s, s->joint + i, q, 1, strain);
  return strain[0] <= 1;
}

/* ---- the choice ---- */

enum { NEAREST = 0, ZERO = 15 };
#define LANES_OF(v) (v)[0], (v)[1], (v)[2], (v)[3]
_Static_assert(LANES == 16, "there are 16 candidates: the nearest point, 8 and 6 neighbours, and 0");

/* Returns the rotation that joint i should have: its own in model space, given the receiver's parent. One
 * that never turns cannot follow its parents. */
static void wanted(const quatsimd_stream *s, size_t i, float to[4]) {
  const figure_joint *const j = s->joint + i;
  double q[4];
  if (!j->turns) {
    memcpy(to, j->held, sizeof j->held);
    return;
  }
  if (j->parent < 0) memcpy(q, j->source, sizeof q);
  else quat64_relative(q, s->joint[j->parent].model, j->source);
  for (int x = 0; x < 4; x++) to[x] = q[x] < -0x1p-60 || q[x] > 0x1p-60 ? (float)q[x] : 0;
}

/* Finds the point that is nearest to the wanted rotation. */
static void nearest_point(const quatsimd_stream *s, const chunk *c, size_t b, int32_t k[3]) {
  const size_t i = c->i + b;
  const float larger = coarseness(s->next->coarse);
  lanes from, to;
  float per[LANES], none2[LANES], found[3][LANES], target[4];
  wanted(s, i, target);
  for (int n = 0; n < LANES; n++) {
    for (int x = 0; x < 4; x++) from[x][n] = c->held[x][b], to[x][n] = target[x];
    per[n] = s->per_quantum[i] / larger, none2[n] = s->none2[i] * (larger * larger);
  }
  stream_run(QUATSIMD_OPERATION_stream_residual, (float *[]){found[0], found[1], found[2]},
             (const float *[]){LANES_OF(from), LANES_OF(to), per, none2}, LANES);
  for (int x = 0; x < 3; x++) k[x] = (int32_t)found[x][0];
}

static void candidates(const int32_t nearest[3], int32_t k[LANES][3]) {
  for (int n = 0; n < LANES; n++)
    for (int x = 0; x < 3; x++) {
      const int corner = n - 1, side = n - 9;
      int32_t by = 0;
      if (n >= 1 && n <= 8) by = corner >> x & 1 ? 1 : -1;
      else if (n >= 9 && n <= 14) by = side / 2 != x ? 0 : side % 2 ? 2 : -2;
      k[n][x] = n == ZERO ? 0 : nearest[x] + by;
    }
}

static void turn_all(const chunk *c, size_t b, int32_t k[LANES][3], lanes to) {
  lanes from, number;
  float quantum[LANES];
  for (int n = 0; n < LANES; n++) {
    for (int x = 0; x < 4; x++) from[x][n] = c->held[x][b];
    for (int x = 0; x < 3; x++) number[x][n] = (float)k[n][x];
    quantum[n] = c->quantum[b];
  }
  stream_run(QUATSIMD_OPERATION_stream_turn, (float *[]){LANES_OF(to)},
             (const float *[]){LANES_OF(from), number[0], number[1], number[2], quantum}, LANES);
}

figure_choice quatsimd_figure_choose(quatsimd_stream *s, const chunk *c, size_t b, const scales *of,
                                     int context) {
  enum {
    FULL = 38, /* the cost, in 256ths of a bit, of leaving parts nothing of their bounds */
    LARGER = 3 /* points that are larger than the smallest one by more are hardly ever the cheapest */
  };
  figure_choice best = {.cost = 0};
  int32_t k[LANES][3];
  lanes q;
  nearest_point(s, c, b, best.k);
  candidates(best.k, k);
  turn_all(c, b, k, q);
  for (int n = 0; n < LANES && c->stays[b]; n++)
    for (int x = 0; x < 4 && is_zero(k[n]); x++) q[x][n] = c->held[x][b];
  double strain[LANES], least = HUGE_VAL;
  strains_of(s, s->joint + c->i + b, q, LANES, strain);
  uint32_t size[LANES], smallest = UINT32_MAX;
  for (int n = 0; n < LANES; n++) {
    size[n] = abs_of(k[n][0]) + abs_of(k[n][1]) + abs_of(k[n][2]);
    if (!(strain[n] <= 1 || n == NEAREST)) size[n] = UINT32_MAX; /* the nearest point always may be */
    if (size[n] < smallest) smallest = size[n];
  }
  int chosen = NEAREST;
  for (int n = 0; n < LANES; n++) {
    const double left = least - FULL * strain[n];
    if (size[n] > smallest + LARGER || !(left > 0)) continue;
    const uint32_t most = left < 0x1p31 ? (uint32_t)left : UINT32_MAX,
                   cost = point_cost(&s->models->rotation, context, of, k[n], most);
    const double all = (double)cost + FULL * strain[n];
    if (all < least) least = all, best.cost = cost, chosen = n;
  }
  memcpy(best.k, k[chosen], sizeof best.k);
  for (int x = 0; x < 4; x++) best.rotation[x] = q[x][chosen];
  return best;
}

figure_choice quatsimd_figure_choose_whole(const quatsimd_stream *s, const chunk *c, size_t b) {
  figure_choice best = {.cost = 0};
  int32_t k[LANES][3];
  lanes q;
  nearest_point(s, c, b, best.k);
  if (!is_in_keys(s, c->i + b)) memset(best.k, 0, sizeof best.k);
  for (int n = 0; n < LANES; n++) memcpy(k[n], best.k, sizeof best.k);
  turn_all(c, b, k, q);
  for (int x = 0; x < 4; x++) best.rotation[x] = q[x][0];
  return best;
}
