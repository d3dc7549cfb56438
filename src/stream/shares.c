/* Shares a bound on points in model space among the joints of a skeleton. */
#include "core/root.h"
#include "skeleton/layout.h"
#include "stream/figure.h"

/* Errors of a joint's rotation that no bound covers: by float arithmetic on both sides, and of the key packet
 * if it never turns. */
static const double ROUNDING = 0x1p-22, NEVER_TURNS = 9e-6;
enum { STEPS_TO_ROOT = 12 };
static const double LEAST_BOUND = 1e-5, USED = 1 - 0x1p-10;

static double float_at(const quatsimd_skeleton *s, int section, size_t i) {
  return (double)load_float(skeleton_section(s, section) + 4 * i);
}
static double scale_of(const quatsimd_skeleton *s, size_t j) {
  return fabs(float_at(s, SKELETON_SCALES, 3 * j));
}
static double bone_of(const quatsimd_skeleton *s, size_t j) {
  double sum = 0;
  for (size_t i = 3 * j; i < 3 * j + 3; i++) {
    const double t = float_at(s, SKELETON_TRANSLATIONS, i);
    sum += t * t;
  }
  return quatsimd_sqrt(sum);
}
static bool scales_are_even(const quatsimd_skeleton *s) {
  for (size_t j = 0; j < s->joints; j++)
    for (size_t i = 1; i < 3; i++)
      if (float_at(s, SKELETON_SCALES, 3 * j + i) != float_at(s, SKELETON_SCALES, 3 * j)) return false;
  return true;
}

/* The errors that are added up: a factor for each kind. */
typedef struct kinds {
  double turns, positions, others;
} kinds;

/* Returns the error of points at `distance` from joint j, in model space, if each joint is off by its bound.
 * A joint that turns is right in model space, whatever its parents are: a parent's error moves its place.
 * *scale gets the joint's own scale in model space. */
static double error_of(const quatsimd_stream_options *o, const float *bounds, kinds count, double distance,
                       size_t j, double *scale) {
  const quatsimd_skeleton *const s = o->skeleton;
  double error = 0, near = distance, far = distance; /* near: the point's distance, as this joint turns it */
  *scale = 1;
  for (size_t i = j;;) {
    const double own = scale_of(s, i), turns = (double)bounds[i];
    *scale *= own, error *= own, near *= own, far *= own;
    error +=
        count.turns * turns * near + count.others * (ROUNDING * far + (turns > 0 ? 0 : NEVER_TURNS * near));
    if (i < o->position_count) error += count.positions * (double)o->position_bound;
    const unsigned parent = skeleton_parent(s, i);
    if (parent == SKELETON_NO_PARENT) return error;
    const double bone = bone_of(s, i);
    near = turns > 0 ? bone : near + bone, far += bone;
    i = parent;
  }
}

/* Returns the largest error of all joints' points. */
static double worst_of(const quatsimd_stream_options *o, const float *bounds, kinds count) {
  double worst = 0, scale;
  for (size_t j = 0; j < o->skeleton->joints; j++) {
    const double error = error_of(o, bounds, count, (double)o->object_distance, j, &scale);
    worst = error > worst ? error : error <= worst ? worst : HUGE_VAL;
  }
  return worst;
}

double quatsimd_figure_budget(const quatsimd_stream_options *o) {
  return (double)o->object_bound * USED - worst_of(o, o->bounds, (kinds){.others = 1});
}

static bool names_figure(const quatsimd_stream_options *o) {
  return o->skeleton->joints == o->body_count && o->object_bound > 0 && o->object_bound <= 0x1p60f &&
         o->object_distance >= 0 && o->object_distance <= 0x1p60f && scales_are_even(o->skeleton);
}

bool quatsimd_figure_holds(const quatsimd_stream_options *o) {
  if (!o->skeleton) return true;
  if (!names_figure(o) || !o->bounds) return false;
  return worst_of(o, o->bounds, (kinds){1, 1, 1}) <= (double)o->object_bound * USED;
}

/* Returns the number of the joint that carries joint j, or j if none does. *length gets the length of the way
 * from there, to points at `distance` from j, in the scale of the joint that carries it. Joints whose number
 * in `bounds` is positive turn. */
static size_t carrier_of(const quatsimd_skeleton *s, const float *bounds, size_t j, double distance,
                         double *length) {
  *length = distance;
  for (size_t i = j;;) {
    const unsigned parent = skeleton_parent(s, i);
    if (parent == SKELETON_NO_PARENT) return j;
    *length += bone_of(s, i);
    i = parent;
    if (bounds[i] > 0) return i;
    *length *= scale_of(s, i);
  }
}

static double least(double a, double b) { return a < b ? a : b; }

/* Sums over the joints that a joint carries, for a share t. */
typedef struct carried {
  double most;  /* the largest share that leaves joints that do not turn and the joint itself something */
  double start; /* not less than the best share; HUGE_VAL if no joint that it carries turns */
  double sum, slope; /* t * sum is 1 for the best share; the derivative of t * sum */
} carried;
static carried carried_by(const quatsimd_stream_options *o, const float *count, size_t j, double t) {
  const quatsimd_skeleton *const s = o->skeleton;
  const double own = (double)o->object_distance * scale_of(s, j);
  carried c = {.most = own > 0 ? 1 / own : HUGE_VAL, .start = HUGE_VAL};
  for (size_t i = j + 1; i < s->joints; i++) {
    const double n = (double)count[i], reach = n > 0 ? 0 : (double)o->object_distance * scale_of(s, i);
    double length;
    if (carrier_of(s, count, i, reach, &length) != j) continue;
    length *= scale_of(s, j);
    if (!(length > 0)) continue;
    if (n > 0) {
      const double left = 1 - length * t;
      c.start = least(1 / (length * (1 + n)), c.start);
      c.sum += n * length / left, c.slope += n * length / (left * left);
    } else {
      c.most = least(1 / length, c.most);
    }
  }
  return c;
}

/* The joints that joint j carries move by its bound times their lengths. Their own bounds have the rest, so
 * the best share t of what j's place has left over maximises log t + sum of n log(1 - length t), where n is
 * the number of joints that turn, from a part on. `count` has n for joints after j, and -1 - n for joints
 * that do not turn. */
static double share_of(const quatsimd_stream_options *o, const float *count, size_t j) {
  carried c = carried_by(o, count, j, 0);
  double t = c.start;
  for (int step = 1; step < STEPS_TO_ROOT && t < HUGE_VAL; step++) {
    c = carried_by(o, count, j, t);
    t -= (t * c.sum - 1) / c.slope; /* Newton from above: t sum is convex */
  }
  return least(t, c.most);
}

static float rounded_down(double x) {
  const float f = (float)x;
  return (double)f > x ? f * (1 - 0x1p-23f) : f;
}

quatsimd_status quatsimd_stream_bounds(float *bounds, float *position_bound,
                                       const quatsimd_skeleton *skeleton, size_t position_count,
                                       float object_bound, float object_distance) {
  const size_t joints = skeleton ? skeleton->joints : 0;
  quatsimd_stream_options o = {.skeleton = skeleton,
                               .body_count = joints,
                               .position_count = position_count,
                               .position_bound = 1,
                               .object_bound = object_bound,
                               .object_distance = object_distance};
  if (!bounds || !skeleton || position_count > joints || (position_count > 0 && !position_bound) ||
      !names_figure(&o))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (size_t j = 0; j < joints; j++) bounds[j] = bounds[j] != 0;
  const double all = (double)object_bound * USED * USED - worst_of(&o, bounds, (kinds){.others = 1}),
               placed = worst_of(&o, bounds, (kinds){.positions = 1});
  size_t turning = 0;
  for (size_t j = 0; j < joints; j++) turning += bounds[j] > 0, bounds[j] = bounds[j] > 0 ? 1 : -1;
  for (size_t j = joints; j-- > 0;) {
    const unsigned parent = skeleton_parent(skeleton, j);
    if (parent == SKELETON_NO_PARENT) continue;
    const float count = bounds[j] > 0 ? bounds[j] : -1 - bounds[j];
    bounds[parent] += bounds[parent] > 0 ? count : -count;
  }
  /* a place has as many numbers as a rotation */
  const double share = (double)position_count / (double)(position_count + turning);
  o.position_bound =
      placed > 0 ? rounded_down(least(all * share / placed, (double)MOST_BOUND)) : object_bound;
  const double left = placed > 0 ? all * (1 - share) : all;
  bool good =
      all > 0 && (position_count == 0 || (o.position_bound >= 0x1p-40f && o.position_bound <= MOST_BOUND));
  for (size_t j = 0; j < joints; j++) {
    if (bounds[j] < 0) {
      bounds[j] = 0;
      continue;
    }
    const double t = share_of(&o, bounds, j);
    bounds[j] = 0;
    double scale;
    const double has = left - error_of(&o, bounds, (kinds){.turns = 1}, 0, j, &scale),
                 bound = scale > 0 ? has / scale * scale_of(skeleton, j) * t : 1;
    bounds[j] = bound < 1 ? rounded_down(bound) : 1;
    good &= (double)bounds[j] >= LEAST_BOUND;
  }
  if (position_bound) *position_bound = o.position_bound;
  return good ? QUATSIMD_OK : QUATSIMD_ERROR_BAD_ARGUMENT;
}
