/* Keys of a value that ufbx evaluates: its pivots, orders of rotation, layers and extrapolation have no
 * curves of the kind that clips are made of. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "clip/encode/curve.h"
#include "readers/fbx/fbx.h"

enum { COMPONENTS = 4 };

static void evaluate(const struct fbx_value *v, double time, double value[COMPONENTS]) {
  if (v->kind == SCENE_TRACK) {
    value[0] = ufbx_evaluate_blend_weight(v->anim, v->target, time);
    return;
  }
  const ufbx_transform t = fbx_local_again(v->fbx, v->anim, v->node, time);
  const ufbx_real *from = v->kind == SCENE_ROTATION      ? t.rotation.v
                          : v->kind == SCENE_TRANSLATION ? t.translation.v
                                                         : t.scale.v;
  for (size_t i = 0; i < scene_width(v->kind); i++) value[i] = from[i];
}

/* ---- values between keys ---- */

static double dot(const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < COMPONENTS; i++) sum += a[i] * b[i];
  return sum;
}

/* Gives a rotation the sign that is nearer to another one's. */
static void turn_towards(int kind, const double *other, double *q) {
  const double sign = kind == SCENE_ROTATION && dot(other, q) < 0 ? -1 : 1;
  for (int i = 0; i < COMPONENTS; i++) q[i] *= sign;
}

static double distance(int kind, const double *a, const double *b) {
  double squares = 0, other = 0;
  for (size_t i = 0; i < scene_width(kind); i++) {
    squares += (a[i] - b[i]) * (a[i] - b[i]);
    other += (a[i] + b[i]) * (a[i] + b[i]);
  }
  return kind != SCENE_ROTATION ? sqrt(squares) : 4 * asin(fmin(1, sqrt(fmin(squares, other)) / 2));
}

static void normalise(double *q) {
  const double length = sqrt(dot(q, q));
  for (int i = 0; i < COMPONENTS; i++) q[i] /= length;
}

/* Two keys and, if the curve is a spline, their tangents multiplied by the time between them. */
struct piece {
  double from[COMPONENTS], to[COMPONENTS], leaving[COMPONENTS], entering[COMPONENTS];
};

static void at_linear(int kind, const struct piece *p, double part, double *value) {
  double first = 1 - part, second = part;
  if (kind == SCENE_ROTATION) {
    const double angle = distance(kind, p->from, p->to) / 2;
    if (angle > 1e-6) first = sin((1 - part) * angle) / sin(angle), second = sin(part * angle) / sin(angle);
  }
  for (size_t i = 0; i < scene_width(kind); i++) value[i] = first * p->from[i] + second * p->to[i];
}

/* As in glTF 2.0, appendix C. */
static void at_cubic(int kind, const struct piece *p, double part, double *value) {
  const double t = part, t2 = t * t, t3 = t2 * t;
  for (size_t i = 0; i < scene_width(kind); i++)
    value[i] = (2 * t3 - 3 * t2 + 1) * p->from[i] + (t3 - 2 * t2 + t) * p->leaving[i] +
               (3 * t2 - 2 * t3) * p->to[i] + (t3 - t2) * p->entering[i];
  if (kind == SCENE_ROTATION) normalise(value);
}

typedef void between(int kind, const struct piece *piece, double part, double *value);

/* ---- one piece ---- */

/* Evaluates a value on one side of a time, at which it may jump: `beside` is the next time there. */
static void evaluate_beside(const struct fbx_value *v, double time, double beside, double *value) {
  double at[COMPONENTS] = {0};
  evaluate(v, beside, value), evaluate(v, time, at);
  if (distance(v->kind, at, value) <= v->most) memcpy(value, at, sizeof at);
}

static void evaluate_until(const struct fbx_value *v, double time, double value[COMPONENTS]) {
  evaluate_beside(v, time, clip_just_before(time), value);
}

static void evaluate_from(const struct fbx_value *v, double time, double value[COMPONENTS]) {
  evaluate_beside(v, time, nextafter(time, INFINITY), value);
}

/* Evaluates the ends of a piece. */
static void take_ends(const struct fbx_value *v, double from, double to, struct piece *p) {
  evaluate_from(v, from, p->from);
  evaluate_until(v, to, p->to);
  turn_towards(v->kind, p->from, p->to);
}

/* Finds the spline through four values, if there is one. Rotations keep their signs along it. */
static void take_spline(const struct fbx_value *v, double from, double to, struct piece *p) {
  double at[2][COMPONENTS] = {{0}};
  evaluate_from(v, from, p->from);
  for (int i = 0; i < 2; i++) {
    evaluate(v, from + (to - from) * (i + 1) / 3, at[i]);
    turn_towards(v->kind, i ? at[0] : p->from, at[i]);
  }
  evaluate_until(v, to, p->to);
  turn_towards(v->kind, at[1], p->to);
  for (size_t i = 0; i < scene_width(v->kind); i++) {
    const double a = 27 * at[0][i] - 20 * p->from[i] - 7 * p->to[i],
                 b = 27 * at[1][i] - 7 * p->from[i] - 20 * p->to[i];
    p->leaving[i] = (2 * a - b) / 6, p->entering[i] = (a - 2 * b) / 6;
  }
}

/* True if a piece has at most the largest error at some times, which no period of a turn can match. */
static bool is_near(const struct fbx_value *v, double from, double to, const struct piece *p, between *way) {
  enum { TIMES = 27 };
  const double golden = (sqrt(5) - 1) / 2;
  bool near = true;
  for (int i = 1; near && i <= TIMES; i++) {
    const double part = i * golden - floor(i * golden);
    double wanted[COMPONENTS] = {0}, found[COMPONENTS] = {0};
    evaluate(v, from + (to - from) * part, wanted);
    way(v->kind, p, part, found);
    near = distance(v->kind, wanted, found) <= v->most;
  }
  return near;
}

/* ---- a curve ---- */

static size_t bytes_of_key(const struct fbx_value *v, const struct scene_curve *curve) {
  const size_t each = curve->interpolation == QUATSIMD_CURVE_CUBIC ? 3 : 1;
  return sizeof(double) + each * scene_width(v->kind) * sizeof(float);
}

/* Adds a key, of a spline without its tangents. */
static void add_key(const struct fbx_value *v, struct scene_curve *curve, double time, const double *value,
                    double sign) {
  const size_t k = curve->keys, width = scene_width(v->kind);
  curve->seconds = memory_grow(curve->seconds, k, sizeof *curve->seconds);
  curve->values = memory_grow(curve->values, k, bytes_of_key(v, curve) - sizeof(double));
  curve->seconds[curve->keys++] = time;
  for (size_t i = 0; i < width; i++) scene_key(curve, v->kind, k)[i] = (float)(sign * value[i]);
  fbx_spend(v->fbx, bytes_of_key(v, curve));
}

void fbx_drop_keys(const struct fbx_value *v, struct scene_curve *curve) {
  v->fbx->bytes -= curve->keys * bytes_of_key(v, curve);
  free(curve->seconds), free(curve->values);
  *curve = (struct scene_curve){.keys = 0};
}

bool fbx_stands(const struct fbx_value *v, const struct scene_curve *curve, const float *rest) {
  double stands[COMPONENTS] = {0}, value[COMPONENTS] = {0};
  bool same = curve->interpolation != QUATSIMD_CURVE_CUBIC;
  for (size_t i = 0; i < scene_width(v->kind); i++) stands[i] = (double)rest[i];
  for (size_t k = 0; same && k < curve->keys; k++) {
    for (size_t i = 0; i < scene_width(v->kind); i++) value[i] = (double)scene_key(curve, v->kind, k)[i];
    same = distance(v->kind, value, stands) <= v->most / 8;
  }
  return same;
}

static bool is_over(const struct fbx_value *v) { return fbx_spend(v->fbx, 0); }

/* True if pieces between frames of a rate are near; rate 0: there is one piece. If `curve` is not null, adds
 * the keys that begin the pieces instead. */
static bool divide(const struct fbx_value *v, double from, double to, double rate,
                   struct scene_curve *curve) {
  struct piece p = {.from = {0}};
  bool near = true;
  double frame = rate > 0 ? floor(from * rate + 0.05) + 1 : 0, time = from;
  while (near && time < to && !is_over(v)) {
    double next = rate > 0 ? frame++ / rate : to;
    if (!(next < to - 0.05 / rate)) next = to;
    take_ends(v, time, next, &p);
    if (curve) add_key(v, curve, time, p.from, 1);
    else near = is_near(v, time, next, &p, at_linear);
    time = next;
  }
  return near;
}

/* Adds the keys from one time of the file's to the next, without the last one: at frames or parts of them if
 * there must be more. False if even these are not near. */
static bool add_pieces(const struct fbx_value *v, double from, double to, double rate,
                       struct scene_curve *curve) {
  enum { LEVELS = 6 };
  double of_level = 0, next = rate;
  bool near = divide(v, from, to, of_level, NULL);
  for (int level = 0; level < LEVELS && !near; level++) {
    of_level = next, next *= 2;
    near = divide(v, from, to, of_level, NULL);
  }
  divide(v, from, to, of_level, curve);
  return near;
}

/* True if the value is not the same just before a time as from that time on. */
static bool jumps_at(const struct fbx_value *v, double time) {
  double before[COMPONENTS] = {0}, from[COMPONENTS] = {0};
  evaluate_until(v, time, before), evaluate_from(v, time, from);
  return distance(v->kind, before, from) > v->most;
}

/* True if the value stays the same from each time to the next. */
static bool is_held(const struct fbx_value *v, const struct fbx_times *times) {
  bool held = times->count > 1;
  for (size_t k = 0; held && k + 1 < times->count && !is_over(v); k++) {
    struct piece p = {.from = {0}};
    evaluate_from(v, times->seconds[k], p.from);
    memcpy(p.to, p.from, sizeof p.to);
    held = is_near(v, times->seconds[k], times->seconds[k + 1], &p, at_linear);
  }
  return held;
}

/* Adds a piece of a spline behind the last key. Where that is not at the beginning of the piece, the value
 * jumps there. Rotations go on with the sign of the last key. */
static void add_spline(const struct fbx_value *v, struct scene_curve *curve, double from, double to,
                       const struct piece *p) {
  const size_t width = scene_width(v->kind);
  if (curve->keys == 0 || curve->seconds[curve->keys - 1] < from) add_key(v, curve, from, p->from, 1);
  const size_t k = curve->keys - 1;
  double product = 0;
  for (size_t i = 0; i < width && v->kind == SCENE_ROTATION; i++)
    product += (double)scene_key(curve, v->kind, k)[i] * p->from[i];
  const double sign = product < 0 ? -1 : 1;
  add_key(v, curve, to, p->to, sign);
  float *const leaving = scene_key(curve, v->kind, k) + width, *const entering =
                                                                   scene_key(curve, v->kind, k + 1) - width;
  for (size_t i = 0; i < width; i++) leaving[i] = (float)(sign * p->leaving[i] / (to - from));
  for (size_t i = 0; i < width; i++) entering[i] = (float)(sign * p->entering[i] / (to - from));
}

/* Adds splines from one time to another, and halves what is not near: down to 2^-depth of the time, where
 * the value is as good as a jump. False if there are too many halves. */
static bool halve(const struct fbx_value *v, double from, double to, int depth, size_t *halves,
                  struct scene_curve *curve) {
  struct piece p = {.from = {0}};
  take_spline(v, from, to, &p);
  if (depth == 0 || is_near(v, from, to, &p, at_cubic)) {
    add_spline(v, curve, from, to, &p);
    return true;
  }
  const double middle = from + (to - from) / 2;
  return *halves > 0 && --*halves > 0 && !is_over(v) && halve(v, from, middle, depth - 1, halves, curve) &&
         halve(v, middle, to, depth - 1, halves, curve);
}

/* Makes a spline with the keys of the file and as few more as its error allows. False if it turns too
 * wildly. */
static bool take_splines(const struct fbx_value *v, const struct fbx_times *times,
                         struct scene_curve *curve) {
  enum { DEEPEST = 24, HALVES = 64 };
  bool near = times->count > 1;
  *curve = (struct scene_curve){.interpolation = QUATSIMD_CURVE_CUBIC};
  for (size_t k = 0; near && k + 1 < times->count; k++) {
    const double from = times->seconds[k], next = times->seconds[k + 1],
                 to = jumps_at(v, next) ? clip_just_before(next) : next;
    size_t halves = HALVES + (size_t)fmin(64 * times->rate * (to - from), 1e8);
    near = from < to && halve(v, from, to, DEEPEST, &halves, curve);
  }
  const double last = times->seconds[times->count - 1];
  if (near && curve->seconds[curve->keys - 1] < last) {
    double value[COMPONENTS] = {0};
    evaluate(v, last, value);
    add_key(v, curve, last, value, 1);
  }
  if (!near) fbx_drop_keys(v, curve);
  return near;
}

static bool is_linear(const struct fbx_value *v, const struct fbx_times *times) {
  bool linear = true;
  for (size_t k = 0; linear && k + 1 < times->count && !is_over(v); k++)
    linear =
        !jumps_at(v, times->seconds[k + 1]) && divide(v, times->seconds[k], times->seconds[k + 1], 0, NULL);
  return linear;
}

/* Adds the first key, the last one and those at which the value jumps. */
static void add_held(const struct fbx_value *v, const struct fbx_times *times, struct scene_curve *curve) {
  double value[COMPONENTS] = {0};
  for (size_t k = 0; k < times->count && !is_over(v); k++) {
    const bool jump = k > 0 && jumps_at(v, times->seconds[k]);
    if (jump) curve->interpolation = QUATSIMD_CURVE_HOLD;
    if (!jump && k > 0 && k + 1 < times->count) continue;
    evaluate_from(v, times->seconds[k], value);
    add_key(v, curve, times->seconds[k], value, 1);
  }
}

/* Adds a key just before each time at which the value jumps. */
static void add_linear(const struct fbx_value *v, const struct fbx_times *times, struct scene_curve *curve) {
  double value[COMPONENTS] = {0};
  bool near = true;
  for (size_t k = 0; k + 1 < times->count && !is_over(v); k++) {
    const double from = times->seconds[k], to = times->seconds[k + 1], before = clip_just_before(to);
    const bool jump = before > from && jumps_at(v, to);
    near = add_pieces(v, from, jump ? before : to, times->rate, curve) && near;
    if (!jump) continue;
    evaluate(v, before, value);
    add_key(v, curve, before, value, 1);
  }
  evaluate(v, times->seconds[times->count - 1], value);
  add_key(v, curve, times->seconds[times->count - 1], value, 1);
  if (!near && v->fbx->wild++ == 0) v->fbx->wildest = v->node;
}

struct scene_curve fbx_keys(const struct fbx_value *v, const struct fbx_times *times) {
  struct scene_curve curve = {.interpolation = QUATSIMD_CURVE_LINEAR};
  struct fbx_value still = *v; /* what moves slowly does not hold */
  still.most /= 1024;
  if (is_held(&still, times)) add_held(&still, times, &curve);
  else if (is_linear(v, times) || !take_splines(v, times, &curve)) add_linear(v, times, &curve);
  return curve;
}
