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

static void place(double to[3], const figure_joint *j, const double *model, const double *at,
                  const double *position) {
  double bone[3];
  for (int x = 0; x < 3; x++) bone[x] = position ? j->scale * position[x] : j->bone[x];
  if (model) add_rotated(to, at, model, bone);
  else memcpy(to, bone, sizeof bone);
}

static void turn(double to[4], const double *model, const double q[4]) {
  if (model) quat64_multiply(to, model, q);
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
static double strain_of(const quatsimd_stream *s, const figure_joint *j, const double q[4], double larger) {
  double model[4], e[4], off[3], away2 = 0;
  if (j->parent < 0) memcpy(model, q, sizeof model);
  else quat64_multiply(model, s->joint[j->parent].model, q);
  /* e: from the caller's rotation to this one, in model space; its vector has half the length of the way that
   * a point at distance 1 goes */
  const double *const from = j->source;
  quat64_multiply(e, model, (double[]){-from[0], -from[1], -from[2], from[3]});
  for (int x = 0; x < 3; x++) off[x] = j->at[x] - j->from[x];
  const double chord = 2 * length_of(e),
               own = (length_of(off) + chord * j->distance) / (s->points_bound * larger);
  double worst = own * own;
  for (uint32_t p = j->part; p; p = s->joint[p].next_part) {
    const figure_joint *const part = s->joint + p;
    double way[3], turned[3];
    for (int x = 0; x < 3; x++) way[x] = part->from[x] - j->from[x];
    quat64_rotate(turned, e, way);
    for (int x = 0; x < 3; x++) {
      const double by = turned[x] - way[x] + off[x];
      away2 += by * by;
    }
    const double most = part->before * larger;
    double strain = away2 / (most * most);
    if (!part->turns) {
      const double off_by = (quatsimd_sqrt(away2) + chord * part->distance) / most;
      strain = off_by * off_by;
    }
    if (!(strain <= worst)) worst = strain;
    away2 = 0;
  }
  return worst;
}

bool quatsimd_figure_may_be(const quatsimd_stream *s, size_t i, const float rotation[4]) {
  double q[4];
  for (int x = 0; x < 4; x++) q[x] = (double)rotation[x];
  return strain_of(s, s->joint + i, q, (double)coarseness(s->next->coarse)) <= 1;
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

/* Finds the points that are nearest to the wanted rotation, as seen from both predictions, or in a key packet
 * from one. */
static void nearest_points(const quatsimd_stream *s, const chunk *c, size_t b, bool key, int32_t k[2][3]) {
  const size_t i = c->i + b;
  const float larger = coarseness(s->next->coarse);
  lanes from, to;
  float per[LANES], none2[LANES], found[3][LANES], target[4];
  wanted(s, i, target);
  for (int n = 0; n < LANES; n++) {
    for (int x = 0; x < 4; x++)
      from[x][n] = n % 2 && !key ? c->moved[x][b] : c->held[x][b], to[x][n] = target[x];
    per[n] = s->per_quantum[i] / larger, none2[n] = s->none2[i] * (larger * larger);
  }
  stream_run(QUATSIMD_OPERATION_stream_residual, (float *[]){found[0], found[1], found[2]},
             (const float *[]){LANES_OF(from), LANES_OF(to), per, none2}, LANES);
  for (int w = 0; w < 2; w++)
    for (int x = 0; x < 3; x++) k[w][x] = (int32_t)found[x][w];
}

static void candidates(const int32_t nearest[3], int32_t k[LANES][3]) {
  for (int n = 0; n < LANES; n++)
    for (int x = 0; x < 3; x++) {
      const int corner = n - 1, side = n - 9;
      int32_t by = 0;
      if (n >= 1 && n <= 8) by = corner >> x & 1 ? 1 : -1;
      else if (n >= 9 && n <= 14) by = side / 2 == x ? (side % 2 ? 2 : -2) : 0;
      k[n][x] = n == ZERO ? 0 : nearest[x] + by;
    }
}

static void turn_all(const chunk *c, size_t b, bool moves, const int32_t k[LANES][3], lanes to) {
  lanes from, number;
  float quantum[LANES];
  for (int n = 0; n < LANES; n++) {
    for (int x = 0; x < 4; x++) from[x][n] = moves ? c->moved[x][b] : c->held[x][b];
    for (int x = 0; x < 3; x++) number[x][n] = (float)k[n][x];
    quantum[n] = c->quantum[b];
  }
  stream_run(QUATSIMD_OPERATION_stream_turn, (float *[]){LANES_OF(to)},
             (const float *[]){LANES_OF(from), number[0], number[1], number[2], quantum}, LANES);
}

void quatsimd_figure_choose(quatsimd_stream *s, const chunk *c, const figure_coding *of, figure_choice *to) {
  enum {
    FULL = 38
  }; /* what a choice costs that leaves nothing of what its parts may have, in 256ths of a bit */
  const size_t b = of->body;
  const figure_joint *const j = s->joint + c->i + b;
  const double larger = (double)coarseness(s->next->coarse);
  point_models *const m = &s->models->rotation;
  int32_t near[2][3], k[LANES][3];
  uint32_t cost[2];
  nearest_points(s, c, b, false, near);
  for (int w = 0; w < 2; w++) cost[w] = of->way[w] + point_cost(m, of->context[w], &of->of, near[w]);
  to->moves = cost[1] < cost[0];
  candidates(near[to->moves], k);
  lanes q;
  turn_all(c, b, to->moves, k, q);
  if (!to->moves && c->stays[b])
    for (int n = 0; n < LANES; n++)
      for (int x = 0; x < 4 && is_zero(k[n]); x++) q[x][n] = c->held[x][b];
  int best = NEAREST;
  double least = HUGE_VAL;
  for (int n = 0; n < LANES; n++) {
    const double strain = strain_of(
        s, j, (double[]){(double)q[0][n], (double)q[1][n], (double)q[2][n], (double)q[3][n]}, larger);
    if (!(strain <= 1)) continue;
    const uint32_t bits = of->way[to->moves] + point_cost(m, of->context[to->moves], &of->of, k[n]);
    const double all = (double)bits + FULL * strain;
    if (all < least) least = all, best = n, to->cost = bits;
  }
  if (least == HUGE_VAL) to->cost = cost[to->moves];
  memcpy(to->k, k[best], sizeof to->k);
  for (int x = 0; x < 4; x++) to->rotation[x] = q[x][best];
}

void quatsimd_figure_choose_whole(quatsimd_stream *s, const chunk *c, size_t b, figure_choice *to) {
  int32_t near[2][3], k[LANES][3];
  lanes q;
  nearest_points(s, c, b, true, near);
  for (int n = 0; n < LANES; n++) memcpy(k[n], near[0], sizeof k[n]);
  turn_all(c, b, false, k, q);
  memcpy(to->k, near[0], sizeof to->k);
  for (int x = 0; x < 4; x++) to->rotation[x] = q[x][NEAREST];
}
