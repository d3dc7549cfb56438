#include "check/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "check/curve.h"
#include "check/place.h"
#include "check/points.h"
#include "check/times.h"
#include "clip/encode/curve.h"
#include "clip/inspect.h"
#include "clip/sample/still.h"
#include "scene/scene.h"

const char *const clip_check_names[CLIP_CHECK_ERRORS + 1] = {"rotation", "translation", "scale", "object",
                                                             "track"};

/* A curve of the source, and what it is compared with. */
struct check_curve {
  struct curve_walk walk;
  struct curve_walk base; /* of another animation; no keys: there is none */
  double value[4];        /* at the time, once that is compared */
  bool moves;             /* does it, or the clip's? */
  bool rests;             /* it says where a joint stands at rest, and the clip leaves it out */
};

/* The way from the root to a joint: how many joints there are, how far the farthest one is from the root, and
 * the sums of their places and of the squares of these. */
struct check_way {
  double joints, farthest, sum[3], squares;
};

/* All that is compared at one time. */
struct check {
  struct clip_pair pair;
  double last, rounding;     /* time of the source; of times */
  double late;               /* how far the source may be from a time, for points */
  struct check_curve *curve; /* [3 * joint + kind] */
  size_t rests;              /* curves of which it is true */
  bool jumps, splines;       /* does one of the source's jump, go on a spline? */
  /* The largest told, between keys and at keys: of each joint, or of all in the first element. No more than
   * that need not be told, nor be right, unless `every` one is wanted. */
  double (*most)[2][CLIP_CHECK_ERRORS];
  bool by_joint, every;
  float *sampled[QUATSIMD_CLIP_JOINT_KIND_COUNT]; /* the pose out of the clip */
  float *under[QUATSIMD_CLIP_JOINT_KIND_COUNT];   /* what an additive clip goes on: first keys, or the base */
  /* of each joint, in the source and out of the clip: from there to where the root is */
  place_both (*placed)[12];
  double *off;                             /* of each joint: how far it is off there, at least */
  double *on_time, *early, *later, *other; /* the same, with the source at the time or beside it */
  double *turn;          /* of each joint: how far it turns in the step, with those above it */
  struct check_way *way; /* of each joint */
  /* of each joint: the length whose rounding its points have, at keys and where errors are told */
  double *reach;
  clip_check_found *found;
  void *context;
};

static struct check_curve *curve_of(const struct check *c, size_t joint, int kind) {
  return &c->curve[QUATSIMD_CLIP_JOINT_KIND_COUNT * joint + (size_t)kind];
}

/* times. ------------------------------------------------------------------------------------------------- */

/* Appends the times of a curve, unless the last one of several keys had the same, as most have. */
static const quatsimd_curve *append_times(double *time, size_t *times, const quatsimd_curve *curve,
                                          const quatsimd_curve *before) {
  if (curve->key_count == 0) return before;
  if (before && before->key_count == curve->key_count &&
      memcmp(before->times, curve->times, curve->key_count * sizeof *time) == 0)
    return before;
  memcpy(time + *times, curve->times, curve->key_count * sizeof *time);
  *times += curve->key_count;
  return curve->key_count > 1 ? curve : before;
}

/* Of all keys, those of the base, too, rising, each once; to be freed. */
static double *all_times(const quatsimd_clip_source *source, const quatsimd_clip_source *base,
                         size_t *count) {
  const size_t curves = QUATSIMD_CLIP_JOINT_KIND_COUNT * source->joint_count;
  size_t keys = 0, times = 0;
  const quatsimd_curve *before = NULL;
  for (size_t i = 0; i < curves; i++)
    keys += clip_any_curve(source, i)->key_count + (base ? clip_any_curve(base, i)->key_count : 0);
  double *time = memory_get(keys, sizeof *time);
  for (size_t i = 0; i < curves; i++) before = append_times(time, &times, clip_any_curve(source, i), before);
  for (size_t i = 0; base && i < curves; i++)
    before = append_times(time, &times, clip_any_curve(base, i), before);
  *count = times_sort(time, times);
  return time;
}

/* curves, each by itself. -------------------------------------------------------------------------------- */

static double *most_of(const struct check *c, int of, size_t joint, bool at_key) {
  return &c->most[c->by_joint ? joint : 0][at_key][of];
}

/* Is what is found told whatever it is? Means are over keys. */
static bool is_wanted(const struct check *c, bool at_key) { return c->every || (c->by_joint && at_key); }

static void tell(const struct check *c, int of, size_t joint, double time, double off, bool at_key) {
  double *most = most_of(c, of, joint, at_key);
  if (isnan(off)) off = INFINITY;
  if (!is_wanted(c, at_key) && off <= *most) return;
  *most = fmax(*most, off);
  c->found(c->context, of, joint, fmin(time, c->last), off, at_key);
}

static void compare_curve(struct check *c, size_t j, int kind, double time) {
  struct check_curve *curve = curve_of(c, j, kind);
  const quatsimd_curve *source = curve->walk.curve;
  curve_walk_on(&curve->walk, time);
  const size_t key = curve->walk.key, width = scene_width(kind);
  const bool at_key = key < source->key_count && source->times[key] == time;
  double decoded[4] = {0};
  if (curve->moves) curve_walk_value(&curve->walk, time, curve->value);
  const bool stuck = key + 1 < source->key_count && source->times[key + 1] <= time; /* times do not rise */
  if (curve->rests || (!at_key && (stuck || !curve->moves))) return;
  for (size_t n = 0; n < width; n++) decoded[n] = (double)c->sampled[kind][width * j + n];
  if (!is_wanted(c, at_key) && curve_is_within(kind, curve->value, decoded, *most_of(c, kind, j, at_key)))
    return;
  double off = curve_distance(kind, curve->value, decoded);
  if (!(off <= *most_of(c, kind, j, at_key)))
    off = curve_distance_within(source, kind, time - c->rounding, time + c->rounding, decoded);
  tell(c, kind, j, time, off, at_key);
}

/* joints, where the root is. ----------------------------------------------------------------------------- */

/* That its points are at: its own, or that of all. */
static double distance_of(const struct check *c, size_t joint) {
  const float own = c->pair.source->joints[joint].object_distance;
  return own > 0 ? (double)own : c->pair.distance;
}

/* The source as it is at the time that is compared, or a little later. */
static void place_joints(const struct check *c, double time, double later) {
  for (size_t j = 0; j < c->pair.source->joint_count; j++) {
    place_both value[QUATSIMD_CLIP_JOINT_KIND_COUNT][4];
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
      const struct check_curve *curve = curve_of(c, j, kind);
      const float *decoded = c->sampled[kind] + scene_width(kind) * j;
      const double *original = curve->value;
      double then[4];
      if (curve->moves && later != 0) {
        curve_value(curve->walk.curve, kind, curve_find(curve->walk.curve, time + later), time + later, then);
        original = then;
      }
      for (size_t i = 0; i < 3; i++) value[kind][i] = (place_both){original[i], (double)decoded[i]};
      if (kind == QUATSIMD_CLIP_ROTATION) value[kind][3] = (place_both){original[3], (double)decoded[3]};
    }
    const int64_t parent = c->pair.source->joints[j].parent; /* which is before it */
    place_matrix(c->placed[j], value[0], value[1], value[2]);
    if (parent >= 0) place_under(c->placed[j], c->placed[parent]);
  }
}

/* Each joint adds the rounding of its place, and that of its turn as far as points are away from it. Turns
 * are rounded up as often as down, so that squares add up. */
static void find_reach(struct check *c) {
  for (size_t j = 0; j < c->pair.source->joint_count; j++) {
    const int64_t parent = c->pair.source->joints[j].parent; /* which is before it */
    const place_both *m = c->placed[j];
    struct check_way way = parent < 0 ? (struct check_way){0} : c->way[parent];
    double place2 = 0, along = 0, longest = 1;
    for (int i = 0; i < 3; i++) {
      const double at = m[9 + i][PLACE_DECODED];
      way.sum[i] += at;
      place2 += at * at, along += at * way.sum[i];
      for (int column = 0; column < 3; column++)
        longest = fmax(longest, fabs(m[3 * column + i][PLACE_DECODED]));
    }
    const double own = longest * distance_of(c, j);
    way.joints++, way.squares += place2, way.farthest = fmax(way.farthest, sqrt(place2));
    const double away2 = way.joints * (place2 + own * own) - 2 * along + way.squares;
    c->way[j] = way;
    c->reach[j] = fmax(c->reach[j], way.farthest + own + 0.5 * sqrt(fmax(away2, 0)));
  }
}

/* How far a joint is off as they are placed. An error that is told must be right; one that is not told, and
 * no more than the largest, need not be. */
static double apart(const struct check *c, size_t j, bool at_key) {
  const double most = *most_of(c, CLIP_CHECK_OBJECT, j, at_key), distance = distance_of(c, j);
  if (!is_wanted(c, at_key) && points_are_within(c->placed[j], distance, most)) return 0;
  return points_apart(c->placed[j], distance);
}

/* The least errors so far, with the source later by `late` times c->late. Returns whether any is beyond
 * the largest; *changes: some error differs from that at the time itself by 0.1 %. */
static bool forgive(struct check *c, double time, bool at_key, double late, double *off, bool *changes) {
  bool far = false;
  place_joints(c, time, late * c->late);
  for (size_t j = 0; j < c->pair.source->joint_count; j++) {
    const double most = *most_of(c, CLIP_CHECK_OBJECT, j, at_key);
    if (c->off[j] <= most) continue;
    off[j] = apart(c, j, at_key);
    *changes = *changes || fabs(off[j] - c->on_time[j]) > 1e-3 * c->on_time[j];
    if (!(c->off[j] <= off[j])) c->off[j] = off[j];
    far = far || !(c->off[j] <= most);
  }
  return far;
}

/* Returns how far the source may be from a time. The rounding of floats may be more than a frame where times
 * are large. The encoder moves keys by at most 0.05 of a frame, and sampling a time by at most 0.125. */
static double most_late(const struct check *c, double time) {
  clip_position at;
  quatsimd_clip_position_of(&at, c->pair.clip, time, QUATSIMD_CLIP_WRAP_CLIP);
  const double here = quatsimd_clip_frame_time(c->pair.clip, at.frame),
               before = at.frame > 0 ? here - quatsimd_clip_frame_time(c->pair.clip, at.frame - 1) : 0,
               behind = quatsimd_clip_frame_time(c->pair.clip, at.frame + 1) - here,
               frame = fmax(before, behind);
  return frame > 0 ? fmin(c->rounding, 0.2 * frame) : c->rounding;
}

/* Tries times ever closer to the one at which a joint is least off. Returns what forgive returns. */
static bool come_nearer(struct check *c, double time, bool at_key, size_t joint) {
  enum { STEPS = 12 };
  double best = 0, least = c->on_time[joint], width = 0.5;
  bool far = true, changes = true;
  for (int i = 0; i < STEPS && far; i++, width /= 2) {
    const double middle = best;
    for (int side = -1; side <= 1 && far; side += 2) {
      const double late = middle + side * width;
      if (fabs(late) > 1 || c->off[joint] <= *most_of(c, CLIP_CHECK_OBJECT, joint, at_key)) continue;
      far = forgive(c, time, at_key, late, c->other, &changes);
      if (c->other[joint] < least) least = c->other[joint], best = late;
    }
  }
  return far;
}

/* Times are rounded, so the source is tried a little earlier and later where joints are off more than the
 * largest: both ends first, and times between them only if errors change there: near the middle, as what
 * turns fast is far off soon, and then where a joint comes nearest if it goes straight. The least error
 * counts. */
static void forgive_rounding(struct check *c, double time, bool at_key) {
  static const double late[] = {-0.125, 0.125, -0.25, 0.25, -0.5, 0.5};
  enum { LATE = sizeof late / sizeof *late, NEAREST = 8 };
  const size_t joints = c->pair.source->joint_count;
  bool changes = false;
  memcpy(c->on_time, c->off, joints * sizeof *c->off);
  c->late = most_late(c, time);
  bool far = forgive(c, time, at_key, -1, c->early, &changes);
  far = far && forgive(c, time, at_key, 1, c->later, &changes);
  for (int i = 0; i < LATE && far && changes; i++)
    far = forgive(c, time, at_key, late[i], c->other, &changes);
  size_t next = 0;
  for (int i = 0; i < NEAREST && far && changes; i++) {
    while (next < joints && c->off[next] <= *most_of(c, CLIP_CHECK_OBJECT, next, at_key)) next++;
    if (next == joints) return;
    /* of a parabola through the squares */
    const double here = c->on_time[next] * c->on_time[next], before = c->early[next] * c->early[next],
                 behind = c->later[next] * c->later[next], bend = before - 2 * here + behind,
                 nearest = 0.5 * (before - behind) / bend;
    if (bend > 0 && fabs(nearest) < 1) far = forgive(c, time, at_key, nearest, c->other, &changes);
    if (far && c->late < c->rounding) far = come_nearer(c, time, at_key, next); /* a wide range */
    next++;
  }
}

static void check_objects(struct check *c, double time, bool at_key) {
  bool far = false;
  place_joints(c, time, 0);
  for (size_t j = 0; j < c->pair.source->joint_count; j++) {
    c->off[j] = apart(c, j, at_key);
    far = far || !(c->off[j] <= *most_of(c, CLIP_CHECK_OBJECT, j, at_key));
  }
  if (at_key || far) find_reach(c);
  if (far) forgive_rounding(c, time, at_key);
  for (size_t j = 0; j < c->pair.source->joint_count; j++)
    tell(c, CLIP_CHECK_OBJECT, j, time, c->off[j], at_key);
}

/* -------------------------------------------------------------------------------------------------------- */

/* The reference of an additive clip: the first keys, or the base at a time. */
static void take_under(struct check *c, double time) {
  for (size_t j = 0; j < c->pair.source->joint_count; j++)
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
      struct check_curve *curve = curve_of(c, j, kind);
      const quatsimd_curve *source = curve->walk.curve;
      float *under = c->under[kind] + scene_width(kind) * j;
      if (curve->base.curve && curve->base.curve->key_count) {
        double value[4];
        curve_walk_on(&curve->base, time);
        curve_walk_value(&curve->base, time, value);
        for (size_t i = 0; i < scene_width(kind); i++) under[i] = (float)value[i];
      } else
        memcpy(under, source->key_count ? curve_key(source, kind, 0) : quatsimd_clip_none[kind],
               scene_width(kind) * sizeof *under);
    }
  quatsimd_normalize(quatsimd_aos_out(c->under[0]), quatsimd_aos(c->under[0]), c->pair.source->joint_count);
}

/* A curve of one key may have it at a time outside of the clip, which means the nearer end; and there the
 * clip ends while a longer base goes on. */
static double clip_time(const struct check *c, double time) {
  const double start = quatsimd_clip_start(c->pair.clip), end = start + quatsimd_clip_duration(c->pair.clip);
  return fmin(fmax(time, start), end);
}

static quatsimd_pose_in view_of(float *const values[QUATSIMD_CLIP_JOINT_KIND_COUNT]) {
  return (quatsimd_pose_in){quatsimd_aos(values[0]), quatsimd_aos(values[1]), quatsimd_aos(values[2]), NULL};
}

static quatsimd_status sample(struct check *c, double time) {
  quatsimd_pose_out pose = {quatsimd_aos_out(c->sampled[0]), quatsimd_aos_out(c->sampled[1]),
                            quatsimd_aos_out(c->sampled[2]), NULL};
  const double within = clip_time(c, time), at = quatsimd_clip_is_looping(c->pair.clip) ? within : time,
               under = fabs(within - time) <= c->rounding ? time : within; /* the clip's ends are floats */
  quatsimd_status status =
      quatsimd_clip_sample(c->pair.clip, &pose, c->pair.pose, at, QUATSIMD_CLIP_WRAP_CLIP, 0);
  if (c->pair.base) take_under(c, under);
  if (status >= 0 && quatsimd_clip_additive(c->pair.clip)) {
    const quatsimd_pose_in under_it = view_of(c->under), sampled = view_of(c->sampled);
    status = quatsimd_clip_add(&pose, &under_it, &sampled, c->pair.source->joint_count, 0);
  }
  for (size_t j = 0; c->rests && j < c->pair.source->joint_count; j++)
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
      if (curve_of(c, j, kind)->rests)
        memcpy(c->sampled[kind] + scene_width(kind) * j,
               curve_key(clip_curve(c->pair.source, kind, j), kind, 0), scene_width(kind) * sizeof(float));
  return status;
}

/* Compares at one time. key: a curve, whichever, has a key there. */
static quatsimd_status check_at(struct check *c, double time, bool key) {
  const quatsimd_status status = sample(c, time);
  if (status < 0) return status;
  for (size_t j = 0; j < c->pair.source->joint_count; j++)
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) compare_curve(c, j, kind, time);
  if (c->pair.distance > 0) check_objects(c, time, key);
  return status;
}

static double change_of(struct check_curve *curve, double seconds, double more) {
  double change = curve->moves ? curve_walk_change(&curve->walk, seconds, more) : 0;
  if (curve->base.curve) change += curve_walk_change(&curve->base, seconds, more);
  return change;
}

/* How many steps, so that errors between them are at most 1 % larger, or by what sampling differs from slerp,
 * as far as the clip turns as the source does? Two, unless something goes on a spline or a joint turns much,
 * with those above it, whose turns add up. A joint that slides or grows on one that turns makes errors come
 * and go as if it turned, too: by `slide` radians if by its whole length. */
static size_t steps_of(const struct check *c, double seconds) {
  const double alone = 0.2, together = 0.5, each = 0.25, slide = 3; /* radians */
  enum { FEW = 2, MORE = 4, MOST = 512 };
  bool more = c->every || c->pair.base;
  double most = 0;
  for (size_t j = 0; j < c->pair.source->joint_count; j++) {
    /* Turns add up for objects alone. The parent is before its joint. */
    const int64_t parent = c->pair.distance > 0 ? c->pair.source->joints[j].parent : -1;
    const double above = parent < 0 ? 0 : c->turn[parent], turn = change_of(curve_of(c, j, 0), seconds, 0);
    c->turn[j] = above + turn;
    if (above > 0)
      c->turn[j] += slide * change_of(curve_of(c, j, QUATSIMD_CLIP_TRANSLATION), seconds, distance_of(c, j));
    if (c->turn[j] > 0) c->turn[j] += slide * change_of(curve_of(c, j, QUATSIMD_CLIP_SCALE), seconds, 0);
    most = fmax(most, c->turn[j]);
    more = more || turn > alone;
  }
  if (!more && !c->splines && most <= together) return FEW;
  return most < MOST * each ? (size_t)fmax(ceil(most / each), MORE) : MOST;
}

/* At steps from the one time to the other; where curves jump, just behind the one and before the other, too,
 * but for the rounding of times. */
static quatsimd_status check_between(struct check *c, double from, double to) {
  const double length = to - from, edge = fmax(length / 1024, 4 * c->rounding);
  const bool edges = c->jumps && edge < length / 4;
  quatsimd_status status = edges ? check_at(c, from + edge, false) : QUATSIMD_OK;
  const size_t steps = steps_of(c, length);
  for (size_t step = 1; step < steps && status >= 0; step++)
    status = check_at(c, from + length * (double)step / (double)steps, false);
  return edges && status >= 0 ? check_at(c, to - edge, false) : status;
}

/* At all keys of the source and times of the clip, and between them. Times that are at a key but for rounding
 * are left out. */
static quatsimd_status check_times(struct check *c, const double *time, size_t keys, const double *of_clip,
                                   size_t times) {
  const double least = 2 * c->rounding;
  quatsimd_status status = QUATSIMD_OK;
  double last = -INFINITY;
  for (size_t key = 0, other = 0; (key < keys || other < times) && status >= 0;) {
    const double to_key = key < keys ? time[key] : INFINITY,
                 to_other = other < times ? of_clip[other] : INFINITY, now = fmin(to_key, to_other);
    key += now == to_key, other += now == to_other;
    if (now != to_key && (to_key - now <= least || now - last <= least)) continue;
    if (isfinite(last) && now - last > least) status = check_between(c, last, now);
    if (status >= 0) status = check_at(c, now, now == to_key);
    last = now;
  }
  /* the last key jumps there, and holds from then on */
  if (keys > 0 && status >= 0 && !quatsimd_clip_is_looping(c->pair.clip))
    status = check_at(c, c->last + 1, false);
  return status;
}

/* Do all keys have the value of the first, and no tangents? */
static bool stands_still(const quatsimd_curve *curve, int kind) {
  const size_t width = scene_width(kind);
  if (curve->key_count > 1 && curve->interpolation == QUATSIMD_CURVE_CUBIC) return false;
  for (size_t k = 1; k < curve->key_count; k++)
    if (memcmp(curve->values, curve->values + width * k, width * sizeof(float)) != 0) return false;
  return curve->key_count > 0;
}

static void start_curve(struct check *c, size_t j, int kind) {
  struct check_curve *curve = curve_of(c, j, kind);
  const quatsimd_curve *source = clip_curve(c->pair.source, kind, j),
                       *base = c->pair.base ? clip_curve(c->pair.base, kind, j) : NULL;
  const quatsimd_clip_state state = quatsimd_clip_curve_state(c->pair.clip, kind, j);
  const bool base_moves = base && base->key_count > 1,
             constant = state <= QUATSIMD_CLIP_CONSTANT && !base_moves;
  const float *first = source->key_count ? curve_key(source, kind, 0) : quatsimd_clip_none[kind];
  *curve = (struct check_curve){.walk = {.curve = source, .kind = kind},
                                .base = {.curve = base, .kind = kind},
                                .moves = source->key_count > 0 && !(constant && stands_still(source, kind)),
                                .rests = c->pair.rest &&
                                         c->pair.rest[QUATSIMD_CLIP_JOINT_KIND_COUNT * j + (size_t)kind] &&
                                         state == QUATSIMD_CLIP_ABSENT};
  for (size_t i = 0; i < scene_width(kind); i++) curve->value[i] = (double)first[i];
  c->rests += curve->rests;
  c->splines = c->splines || (source->key_count > 1 && source->interpolation == QUATSIMD_CURVE_CUBIC);
  c->jumps = c->jumps || (source->key_count > 1 && source->interpolation == QUATSIMD_CURVE_HOLD) ||
             (base_moves && base->interpolation == QUATSIMD_CURVE_HOLD);
}

/* reach, if it is not null: of each joint, the length whose rounding its points have. */
static quatsimd_status check_all(const struct clip_pair *pair, bool by_joint, bool every, double *reach,
                                 clip_check_found *found, void *context) {
  const size_t joints = pair->source->joint_count;
  struct check c = {.pair = *pair, .by_joint = by_joint, .every = every, .found = found, .context = context};
  quatsimd_status status = QUATSIMD_OK;
  size_t times, others;
  double *time = all_times(pair->source, pair->base, &times),
         *of_clip = times_of_clip(pair->clip, 0, QUATSIMD_CLIP_JOINT_KIND_COUNT, 0, &others);
  others = times_sort(of_clip, others);
  if (times > 0) c.last = time[times - 1], c.rounding = 0x1p-23 * fmax(fabs(time[0]), fabs(c.last));
  c.curve = memory_get(QUATSIMD_CLIP_JOINT_KIND_COUNT * joints, sizeof *c.curve);
  c.most = memory_get(joints, sizeof *c.most);
  c.placed = memory_get(joints, sizeof *c.placed);
  c.way = memory_get(joints, sizeof *c.way);
  double **const of_joint[] = {&c.off, &c.on_time, &c.early, &c.later, &c.other, &c.turn, &c.reach};
  for (size_t i = 0; i < sizeof of_joint / sizeof *of_joint; i++)
    *of_joint[i] = memory_get(joints, sizeof **of_joint[i]);
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
    c.sampled[kind] = memory_get(joints, scene_width(kind) * sizeof(float));
    c.under[kind] = memory_get(joints, scene_width(kind) * sizeof(float));
  }
  for (size_t j = 0; j < joints; j++)
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) start_curve(&c, j, kind);
  if (!pair->base) take_under(&c, 0);
  status = check_times(&c, time, times, of_clip, others);
  if (reach) memcpy(reach, c.reach, joints * sizeof *reach);
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
    free(c.sampled[kind]), free(c.under[kind]);
  for (size_t i = 0; i < sizeof of_joint / sizeof *of_joint; i++) free(*of_joint[i]);
  free(c.placed);
  free(c.way);
  free(c.most);
  free(c.curve);
  free(time);
  free(of_clip);
  return status;
}

quatsimd_status clip_check_each(const struct clip_pair *pair, clip_check_found *found, void *context) {
  return check_all(pair, true, true, NULL, found, context);
}

/* -------------------------------------------------------------------------------------------------------- */

void clip_tally_add(struct clip_tally *tally, double off, double time, bool at_key) {
  if (off > tally->worst) tally->worst = off, tally->time = time;
  if (at_key) tally->count++, tally->sum += off, tally->at_keys = fmax(tally->at_keys, off);
  else tally->between = fmax(tally->between, off);
}

struct worst {
  struct clip_error *error;
  struct clip_tally (*tally)[CLIP_CHECK_ERRORS]; /* may be null */
};

static void keep_worst(void *context, int of, size_t joint, double time, double off, bool at_key) {
  const struct worst *w = context;
  struct clip_error *error = &w->error[of];
  if (off > error->worst) error->worst = off, error->joint = joint, error->time = time;
  if (at_key) error->at_keys = fmax(error->at_keys, off);
  else error->between = fmax(error->between, off);
  if (w->tally) clip_tally_add(&w->tally[joint][of], off, time, at_key);
}

static double largest_component(const quatsimd_curve *curve, int kind) {
  double largest = 0;
  for (size_t k = 0; k < curve->key_count; k++)
    for (size_t i = 0; i < scene_width(kind); i++)
      largest = fmax(largest, fabs((double)curve_key(curve, kind, k)[i]));
  return largest;
}

/* The error that float arithmetic may add: of the components of the source, and of the parts of a sum. */
static double rounding_of(const struct clip_pair *pair, size_t joint, int kind, double reach) {
  if (kind == QUATSIMD_CLIP_ROTATION) return 1e-6;
  if (kind == CLIP_CHECK_OBJECT) return 0x1p-21 * reach;
  const double own = largest_component(clip_curve(pair->source, kind, joint), kind);
  return 0x1p-21 *
         (pair->base ? fmax(own, largest_component(clip_curve(pair->base, kind, joint), kind)) : own);
}

quatsimd_status clip_check(const struct clip_pair *pair, struct clip_error error[CLIP_CHECK_ERRORS],
                           struct clip_tally (*tally)[CLIP_CHECK_ERRORS]) {
  const quatsimd_clip_source *source = pair->source;
  struct worst worst = {error, tally};
  double *reach = memory_get(source->joint_count, sizeof *reach);
  memset(error, 0, CLIP_CHECK_ERRORS * sizeof *error);
  const quatsimd_status status = check_all(pair, tally != NULL, false, reach, keep_worst, &worst);
  for (size_t j = 0; j < source->joint_count; j++)
    for (int of = 0; of < CLIP_CHECK_ERRORS; of++) {
      const double rounding = rounding_of(pair, j, of, reach[j]);
      error[of].rounding = fmax(error[of].rounding, rounding);
      if (tally) tally[j][of].rounding = rounding;
    }
  free(reach);
  return status;
}
