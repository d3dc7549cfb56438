#include "truth.h"

#include <math.h>
#include <string.h>

truth_pose truth_memory(scene *s) {
  const truth_pose pose = {scene_memory(s, (s->joint_count + 1) * sizeof(placed)),
                           scene_memory(s, (s->track_count + 1) * sizeof(real))};
  return pose;
}

static real dot(const real *a, const real *b, int n) {
  real sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static void normalise(real *q) {
  const real length = sqrtl(dot(q, q, 4));
  for (int i = 0; i < 4; i++) q[i] /= length;
}

/* The angle between two directions of four components. */
static real angle_between(const real *a, const real *b) {
  real difference = 0, sum = 0;
  for (int i = 0; i < 4; i++) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    sum += (a[i] + b[i]) * (a[i] + b[i]);
  }
  return 2 * atan2l(sqrtl(difference), sqrtl(sum));
}

static void key_value(real *out, const quatsimd_curve *c, int kind, size_t key, size_t part) {
  const size_t n = (size_t)components_of[kind];
  const float *v = c->values + n * (c->interpolation == QUATSIMD_CURVE_CUBIC ? 3 * key + part : key);
  for (size_t i = 0; i < n; i++) out[i] = (real)v[i];
}

static void slerp(real *out, const real *from, const real *to, real t) {
  real a[4], b[4];
  memcpy(a, from, sizeof a), memcpy(b, to, sizeof b);
  const bool negated = dot(a, b, 4) < 0;
  normalise(a), normalise(b);
  if (negated)
    for (int i = 0; i < 4; i++) b[i] = -b[i];
  const real angle = angle_between(a, b);
  const real first = angle < 1e-8L ? 1 - t : sinl((1 - t) * angle) / sinl(angle),
             second = angle < 1e-8L ? t : sinl(t * angle) / sinl(angle);
  for (int i = 0; i < 4; i++) out[i] = first * a[i] + second * b[i];
}

/* glTF 2.0, appendix C, "Cubic Spline Interpolation". */
static void spline(real *out, const quatsimd_curve *c, int kind, size_t key, real t, real seconds) {
  real value[2][4], leaving[4], entering[4];
  key_value(value[0], c, kind, key, 1), key_value(value[1], c, kind, key + 1, 1);
  key_value(leaving, c, kind, key, 2), key_value(entering, c, kind, key + 1, 0);
  const real t2 = t * t, t3 = t2 * t;
  for (int i = 0; i < components_of[kind]; i++)
    out[i] = (2 * t3 - 3 * t2 + 1) * value[0][i] + seconds * (t3 - 2 * t2 + t) * leaving[i] +
             (-2 * t3 + 3 * t2) * value[1][i] + seconds * (t3 - t2) * entering[i];
}

static void own_key(real *out, const quatsimd_curve *c, int kind, size_t key) {
  key_value(out, c, kind, key, 1);
  if (kind == ROTATION) normalise(out);
}

void truth_of_curve(real *out, const quatsimd_curve *c, int kind, const float *rest, real time) {
  if (c->key_count < 2 || !(time > (real)c->times[0])) {
    truth_first(out, c, kind, rest);
    return;
  }
  size_t key = 0, end = c->key_count; /* the last key that is not after the time is in [key, end) */
  while (end - key > 1) {
    const size_t middle = key + (end - key) / 2;
    if ((real)c->times[middle] <= time) key = middle;
    else end = middle;
  }
  if (key + 1 == c->key_count || c->interpolation == QUATSIMD_CURVE_HOLD) {
    own_key(out, c, kind, key);
    return;
  }
  const real seconds = (real)c->times[key + 1] - (real)c->times[key],
             t = (time - (real)c->times[key]) / seconds;
  if (c->interpolation == QUATSIMD_CURVE_CUBIC) {
    spline(out, c, kind, key, t, seconds);
  } else {
    real a[4], b[4];
    key_value(a, c, kind, key, 1), key_value(b, c, kind, key + 1, 1);
    if (kind == ROTATION) slerp(out, a, b, t);
    else
      for (int i = 0; i < components_of[kind]; i++) out[i] = (1 - t) * a[i] + t * b[i];
  }
  if (kind == ROTATION) normalise(out);
}

void truth_first(real *out, const quatsimd_curve *c, int kind, const float *rest) {
  if (c->key_count > 0) own_key(out, c, kind, 0);
  else {
    for (int i = 0; i < components_of[kind]; i++) out[i] = (real)rest[i];
    if (kind == ROTATION) normalise(out);
  }
}

static real *value_in(truth_pose *pose, int kind, size_t number) {
  return kind == TRACK ? pose->tracks + number : pose->joints[number].part[kind];
}

void truth_at(truth_pose *out, const scene *s, real time, real of_holds) {
  for (int kind = 0; kind < 4; kind++)
    for (size_t i = 0; i < count_of(s, kind); i++) {
      const quatsimd_curve *curve = curve_of(s->joints, s->tracks, kind, i);
      truth_of_curve(value_in(out, kind, i), curve, kind, rest_of(s, kind, i),
                     curve->interpolation == QUATSIMD_CURVE_HOLD ? of_holds : time);
    }
}

void truth_base(truth_pose *out, const scene *s, real time) {
  static const real identity[4][4] = {{0, 0, 0, 1}, {0}, {1, 1, 1}, {0}};
  for (int kind = 0; kind < 4; kind++)
    for (size_t i = 0; i < count_of(s, kind); i++) {
      real *to = value_in(out, kind, i);
      if (s->options.additive == QUATSIMD_CLIP_ADDITIVE_BASE)
        truth_of_curve(to, curve_of(s->base_joints, s->base_tracks, kind, i), kind, rest_of(s, kind, i),
                       time);
      else if (s->options.additive == QUATSIMD_CLIP_ADDITIVE_FIRST)
        truth_first(to, curve_of(s->joints, s->tracks, kind, i), kind, rest_of(s, kind, i));
      else memcpy(to, identity[kind], (size_t)components_of[kind] * sizeof *to);
    }
}

static void multiply(real *out, const real *a, const real *b) {
  out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
  out[1] = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
  out[2] = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
  out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

void truth_add(truth_pose *out, const scene *s, const truth_pose *base, const float_pose *sampled) {
  for (size_t j = 0; j < s->joint_count; j++) {
    placed *to = &out->joints[j];
    const placed *from = &base->joints[j];
    real q[4];
    for (int i = 0; i < 4; i++) q[i] = (real)sampled->rotations[4 * j + (size_t)i];
    multiply(to->part[ROTATION], from->part[ROTATION], q);
    normalise(to->part[ROTATION]);
    for (size_t i = 0; i < 3; i++) {
      to->part[TRANSLATION][i] = from->part[TRANSLATION][i] + (real)sampled->translations[3 * j + i];
      to->part[SCALE][i] = from->part[SCALE][i] * (real)sampled->scales[3 * j + i];
    }
  }
  for (size_t i = 0; i < s->track_count; i++) out->tracks[i] = base->tracks[i] + (real)sampled->tracks[i];
}

/* ---- points ---- */

static void local_matrix(affine *out, const placed *p) {
  const real *q = p->part[ROTATION], x = q[0], y = q[1], z = q[2], w = q[3];
  const real rotation[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                               {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                               {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) out->a[r][c] = rotation[r][c] * p->part[SCALE][c];
    out->b[r] = p->part[TRANSLATION][r];
  }
}

void truth_model(affine *out, const scene *s, const truth_pose *pose) {
  for (size_t j = 0; j < s->joint_count; j++) {
    affine own;
    local_matrix(&own, &pose->joints[j]);
    if (s->joints[j].parent < 0) {
      out[j] = own;
      continue;
    }
    const affine *parent = &out[s->joints[j].parent];
    for (int r = 0; r < 3; r++) {
      out[j].b[r] = parent->b[r];
      for (int k = 0; k < 3; k++) out[j].b[r] += parent->a[r][k] * own.b[k];
      for (int c = 0; c < 3; c++) {
        out[j].a[r][c] = 0;
        for (int k = 0; k < 3; k++) out[j].a[r][c] += parent->a[r][k] * own.a[k][c];
      }
    }
  }
}

real truth_difference(int kind, const real *a, const real *b) {
  if (kind == ROTATION) {
    const real angle = angle_between(a, b), pi = acosl(-1);
    return 2 * (angle > pi / 2 ? pi - angle : angle);
  }
  real most = 0, sum = 0;
  for (int i = 0; i < components_of[kind]; i++) {
    const real d = fabsl(a[i] - b[i]);
    sum += d * d;
    if (!(d <= most)) most = d;
  }
  return kind == TRANSLATION ? sqrtl(sum) : most;
}

/* |m u + v| for a direction u, and the direction in which it grows. */
static real reach(real m[3][3], const real *v, real *u) {
  real to[3], next[3], length = 0, next_length = 0;
  for (int r = 0; r < 3; r++) {
    to[r] = v[r];
    for (int c = 0; c < 3; c++) to[r] += m[r][c] * u[c];
    length += to[r] * to[r];
  }
  for (int c = 0; c < 3; c++) {
    next[c] = 0;
    for (int r = 0; r < 3; r++) next[c] += m[r][c] * to[r];
    next_length += next[c] * next[c];
  }
  if (next_length > 0)
    for (int c = 0; c < 3; c++) u[c] = next[c] / sqrtl(next_length);
  return sqrtl(length);
}

real truth_apart(const affine *a, const affine *b, real distance, real enough) {
  real m[3][3], v[3], size = 0, shift = 0, most = 0;
  for (int r = 0; r < 3; r++) {
    v[r] = b->b[r] - a->b[r];
    shift += v[r] * v[r];
    for (int c = 0; c < 3; c++) {
      m[r][c] = distance * (b->a[r][c] - a->a[r][c]);
      size += m[r][c] * m[r][c];
    }
  }
  const real above = sqrtl(size) + sqrtl(shift);
  if (above <= enough) return above;
  for (int axis = 0; axis < 6; axis++) { /* the ascent from one direction could end at a lower top */
    real u[3] = {0.1L, 0.2L, 0.3L};
    u[axis / 2] = axis % 2 ? -1 : 1;
    const real length = sqrtl(dot(u, u, 3));
    for (int i = 0; i < 3; i++) u[i] /= length;
    for (int step = 0; step < 12; step++) {
      const real reached = reach(m, v, u);
      if (!(reached <= most)) most = reached;
    }
  }
  return most;
}
