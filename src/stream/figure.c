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

/* Joint j becomes a part of the joint that carries it, if one does. That one's place may be off by what is
 * left for its part if it turns by its bound. */
static void become_part(figure_joint *all, size_t j, const float *bounds) {
  double length = length_of(all[j].bone);
  int64_t carrier = all[j].parent;
  while (carrier >= 0 && !all[carrier].turns)
    length += length_of(all[carrier].bone), carrier = all[carrier].parent;
  if (carrier < 0) return;
  figure_joint *const by = all + carrier;
  all[j].next_part = by->part, by->part = (uint32_t)j;
  if (!all[j].turns) length += all[j].distance;
  const double left = all[j].before - (double)bounds[carrier] * length;
  if (left < by->most) by->most = left;
}

void quatsimd_figure_init(quatsimd_stream *s, const quatsimd_stream_options *o) {
  s->points_bound = quatsimd_figure_budget(o);
  for (size_t j = 0; j < s->joints; j++) {
    figure_joint *const to = s->joint + j;
    read_joint(s->joint, j, o);
    to->most = s->points_bound - (to->turns ? (double)o->bounds[j] * to->distance : 0);
  }
  for (size_t j = s->joints; j-- > 0;) {
    figure_joint *const to = s->joint + j;
    to->before = to->most - (j < s->positions ? fabs(to->scale) * (double)s->position_bound : 0);
    become_part(s->joint, j, o->bounds);
  }
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

/* Returns the square of the largest error of a joint and its parts, as a share of what they may have, if the
 * joint is at its place and has rotation q. */
static double strain_of(const quatsimd_stream *s, const figure_joint *j, const float rotation[4],
                        double larger) {
  const double q[4] = {(double)rotation[0], (double)rotation[1], (double)rotation[2], (double)rotation[3]};
  double turned[4], e[4], off[3];
  if (j->parent < 0) memcpy(turned, q, sizeof turned);
  else quat64_multiply(turned, s->joint[j->parent].model, q);
  /* e: the turn from the caller's rotation to this one, in model space. Its vector is half as long as the way
   * of a point at distance 1. */
  const double *const from = j->source;
  quat64_multiply(e, turned, (double[]){-from[0], -from[1], -from[2], from[3]});
  for (int x = 0; x < 3; x++) off[x] = j->at[x] - j->from[x];
  const double chord = 2 * length_of(e);
  double worst = (length_of(off) + chord * j->distance) / (s->points_bound * larger);
  for (uint32_t p = j->part; p; p = s->joint[p].next_part) {
    const figure_joint *const part = s->joint + p;
    double way[3], moved[3];
    for (int x = 0; x < 3; x++) way[x] = part->from[x] - j->from[x];
    quat64_rotate(moved, e, way);
    for (int x = 0; x < 3; x++) moved[x] += off[x] - way[x];
    const double strain =
        (length_of(moved) + (part->turns ? 0 : chord * part->distance)) / (part->before * larger);
    if (!(strain <= worst)) worst = strain;
  }
  return worst * worst;
}

bool quatsimd_figure_may_be(const quatsimd_stream *s, size_t i, const float rotation[4]) {
  return strain_of(s, s->joint + i, rotation, (double)coarseness(s->next->coarse)) <= 1;
}

/* ---- the choice ---- */

enum { LANES = QUATSIMD_OPERATION_BLOCK, NEAREST = 0, ZERO = 15 };
typedef float lanes[4][LANES];
#define LANES_OF(v) (v)[0], (v)[1], (v)[2], (v)[3]
_Static_assert(LANES == 16, "there are 16 candidates: the nearest point, 8 and 6 neighbours, and 0");

/* Returns the rotation that joint i should have: its own in model space, given the receiver's parent. One that
 * never turns cannot follow its parents. */
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

static void turn_all(const chunk *c, size_t b, const int32_t k[LANES][3], lanes to) {
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
  enum { FULL = 38 }; /* what it costs, in 256ths of a bit, to leave nothing of what parts may have */
  const figure_joint *const j = s->joint + c->i + b;
  const double larger = (double)coarseness(s->next->coarse);
  figure_choice best;
  int32_t k[LANES][3];
  lanes q;
  nearest_point(s, c, b, best.k);
  candidates(best.k, k);
  turn_all(c, b, k, q);
  double least = HUGE_VAL;
  for (int n = 0; n < LANES; n++) {
    float rotation[4];
    for (int x = 0; x < 4; x++) rotation[x] = c->stays[b] && is_zero(k[n]) ? c->held[x][b] : q[x][n];
    const double strain = strain_of(s, j, rotation, larger);
    if (!(strain <= 1 || n == NEAREST)) continue; /* the nearest point always may be */
    const uint32_t cost = point_cost(&s->models->rotation, context, of, k[n]);
    const double all = (double)cost + FULL * strain;
    if (!(all < least)) continue;
    least = all, best.cost = cost;
    memcpy(best.k, k[n], sizeof best.k), memcpy(best.rotation, rotation, sizeof rotation);
  }
  return best;
}

figure_choice quatsimd_figure_choose_whole(const quatsimd_stream *s, const chunk *c, size_t b) {
  figure_choice best = {.cost = 0};
  int32_t k[LANES][3];
  lanes q;
  nearest_point(s, c, b, best.k);
  for (int n = 0; n < LANES; n++) memcpy(k[n], best.k, sizeof best.k);
  turn_all(c, b, k, q);
  for (int x = 0; x < 4; x++) best.rotation[x] = q[x][0];
  return best;
}
