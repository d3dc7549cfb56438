#include "clip/encode/encoder.h"

#include "clip/constant.h"
#include "clip/sample/still.h"
#include "core/quat64.h"

/* A squared chord and its time. */
typedef struct peak {
  double chord2, time;
} peak;

static void raise_to(peak *worst, double chord2, double time) {
  if (!(chord2 <= worst->chord2)) *worst = (peak){chord2, time};
}

/* A frame or key: the truth's value, the clip's value, and the squared chord of the error between these. */
typedef struct clip_node {
  double time, wanted[CLIP_MOST_COMPONENTS], found[CLIP_MOST_COMPONENTS], chord2;
} clip_node;

typedef struct clip_trail {
  int kind;
  clip_truth truth;
  clip_truth_progress place;
  clip_node last;
  peak worst;   /* the largest error so far */
  double bound; /* the squared chord of the curve's bound */
  double least; /* the argument `least` of quatsimd_value_between */
} clip_trail;

/* Returns the squared chord of an error, or slightly less. */
static double chord2_of(int kind, double error) {
  if (kind != QUATSIMD_CLIP_ROTATION) return error * error;
  const double x = error / 4, s = 2 * x * (1 - x * x / 6);
  return s * s;
}

/* True if no error of a rotation between two nodes can have a squared chord above `allowed`. Between nodes,
 * errors grow by the factor 1 / cos(turn / 4). In turns below 30 degrees, sampling adds at most 3e-6
 * radians. */
static bool surely_within(const clip_node *a, const clip_node *b, double allowed) {
  const double dot = quat64_dot(a->wanted, b->wanted);
  const double most = a->chord2 > b->chord2 ? a->chord2 : b->chord2;
  if (!(dot > 0.966) || !(most < allowed)) return false;
  const double chord = quatsimd_sqrt(most), at_middle = chord * (1 + 2 * chord) * (0.5 + 0.5 / dot) + 1.5e-6;
  return at_middle * at_middle <= allowed;
}

/* Returns the peak of a parabola through the errors a, b, c at even times, from a to c, or b if it has none.
 * The errors change smoothly from a to c alone, so no other parabola covers the peak. */
static double peak_of_end(double a, double b, double c) {
  const double bend = (b - a) + (b - c), tilt = a < c ? c - a : a - c;
  return tilt < 2 * bend ? b + tilt * tilt / (8 * bend) : b;
}

/* Returns the largest error from t->last to `next`. place: the progress at t->last. */
static peak peak_between(const clip_trail *t, clip_truth_progress place, const clip_node *next) {
  /* PARTS: steps from a frame or key to another. KEY_PARTS: steps to a key of the truth, or most of the way:
   * if they begin at the key before, the error may change its sign. WIDE_PARTS: steps from node to node in a
   * wide turn, where sampling is ahead of slerp at some times and behind it at others. */
  enum { PARTS = 8, KEY_PARTS = 16, WIDE_PARTS = 32 };
  const clip_node *last = &t->last;
  const double allowed = t->worst.chord2 < t->bound ? t->worst.chord2 : t->bound;
  peak worst = {0, last->time};
  double event, wanted[CLIP_MOST_COMPONENTS], found[CLIP_MOST_COMPONENTS];
  if (clip_only_holds(&t->truth)) return worst;
  const bool keys = quatsimd_truth_next(&t->truth, &place, last->time, &event) && event < next->time;
  if (!keys && clip_is_straight(&t->truth)) {
    if (t->kind != QUATSIMD_CLIP_ROTATION || surely_within(last, next, allowed)) return worst;
    const int parts = quat64_dot(last->wanted, next->wanted) > 0.95 ? 4 : WIDE_PARTS;
    double error[WIDE_PARTS + 1] = {last->chord2};
    error[parts] = next->chord2;
    for (int q = 1; q < parts; q++) {
      const double part = (double)q / parts;
      quatsimd_value_slerp(t->kind, last->wanted, next->wanted, part, wanted);
      quatsimd_value_between(t->kind, last->found, next->found, part, t->least, found);
      error[q] = quatsimd_value_chord2(t->kind, wanted, found);
    }
    for (int q = 1; q < parts; q++)
      raise_to(&worst,
               (q == 1 || q == parts - 1 ? peak_of_end : clip_peak)(error[q - 1], error[q], error[q + 1]),
               last->time + (next->time - last->time) * ((double)q / parts));
    return worst;
  }
  double from = last->time, here = last->chord2;
  if (next->time == 0 && from == CLIP_BEFORE_ZERO) return worst;
  while (from < next->time) {
    const bool any = quatsimd_truth_next(&t->truth, &place, from, &event);
    const double to = any && event < next->time ? event : next->time;
    const int parts = any && event - to < to - from ? KEY_PARTS : PARTS;
    double two_before = here, before = here, time_before = from;
    for (int q = 1; q <= parts; q++) {
      const double time = q == parts ? to : from + (to - from) * ((double)q / parts);
      if (time < next->time) {
        quatsimd_truth_along(&t->truth, t->kind, time, &place, wanted);
        quatsimd_value_between(t->kind, last->found, next->found,
                               (time - last->time) / (next->time - last->time), t->least, found);
        here = quatsimd_value_chord2(t->kind, wanted, found);
        raise_to(&worst, here, time);
      } else here = next->chord2;
      if (q > 1)
        raise_to(&worst, (q == 2 || q == parts ? peak_of_end : clip_peak)(two_before, before, here),
                 time_before);
      two_before = before, before = here, time_before = time;
    }
    from = to;
  }
  return worst;
}

/* Moves to the clip's next frame or key. Returns the squared chord of the error there. *between gets that of
 * the largest error on the way. */
static double go_on(clip_trail *t, bool first, double time, const double *found, double *between) {
  peak most = {0, time};
  const clip_truth_progress place = t->place;
  clip_node next = {.time = time};
  quatsimd_truth_along(&t->truth, t->kind, time, &t->place, next.wanted);
  memcpy(next.found, found, sizeof next.found);
  next.chord2 = quatsimd_value_chord2(t->kind, next.wanted, found);
  raise_to(&t->worst, next.chord2, time);
  if (!first) most = peak_between(t, place, &next);
  raise_to(&t->worst, most.chord2, most.time);
  *between = most.chord2;
  t->last = next;
  return next.chord2;
}

/* Returns the squared chord of the error at the truth's last key, or 0 if this key is not after t->last. */
static double chord2_behind(clip_trail *t) {
  double time = t->last.time, wanted[CLIP_MOST_COMPONENTS];
  while (quatsimd_truth_next(&t->truth, &t->place, time, &time))
    quatsimd_truth_along(&t->truth, t->kind, time, &t->place, wanted);
  if (!(time > t->last.time)) return 0;
  const double chord2 = quatsimd_value_chord2(t->kind, wanted, t->last.found);
  raise_to(&t->worst, chord2, time);
  return chord2;
}

static clip_worst worst_of(const clip_trail *t) {
  return (clip_worst){quatsimd_chord2_error(t->kind, t->worst.chord2), t->worst.time};
}

static clip_trail trail_of(const clip_encoder *e, int kind, size_t joint) {
  return (clip_trail){.kind = kind,
                      .truth = quatsimd_encode_truth(e, kind, joint),
                      .bound = chord2_of(kind, e->bound[kind][joint])};
}

/* Notes an error above the bound. `first` and `frames` are those of quatsimd_encode_violation. */
static void note(clip_encoder *e, const clip_trail *t, size_t joint, size_t first, size_t frames,
                 double chord2) {
  if (chord2 <= t->bound) return;
  const double error = quatsimd_chord2_error(t->kind, chord2), bound = e->bound[t->kind][joint];
  if (!(error <= bound)) quatsimd_encode_violation(e, t->kind, joint, first, frames, error / bound);
}

/* ---- curves that do not move, or have keys of their own ---- */

/* Compares the truth with one value, at the keys of the curve in e->source and between these keys. */
static void measure_still(clip_encoder *e, clip_trail *t, size_t joint, const double *value) {
  const quatsimd_curve *curve = clip_curve(e->source, t->kind, joint);
  double between;
  for (size_t k = 0; k < curve->key_count; k++)
    go_on(t, k == 0, curve->key_count > 1 ? curve->times[k] : e->grid.start, value, &between);
  note(e, t, joint, 0, 0, t->worst.chord2);
}

/* Returns the squared chord of the error of a curve that is stored as it is, at a time. */
static double chord2_at(clip_trail *t, const clip_keyed *keys, double time, double *wanted) {
  double found[CLIP_MOST_COMPONENTS];
  float value[CLIP_MOST_COMPONENTS];
  quatsimd_truth_along(&t->truth, t->kind, time, &t->place, wanted);
  quatsimd_clip_sample_keys(value, keys, time);
  clip_widen(found, value, t->kind);
  const double chord2 = quatsimd_value_chord2(t->kind, wanted, found);
  raise_to(&t->worst, chord2, time);
  return chord2;
}

/* Measures a spline or pair from key to key of the truth. A rotation may pass near 0. */
static void measure_whole(clip_encoder *e, clip_trail *t, size_t joint, const quatsimd_clip *clip,
                          const clip_keyed *keys) {
  const int parts = t->kind != QUATSIMD_CLIP_ROTATION ? 16 : keys->floats ? 64 : 32;
  double wanted[CLIP_MOST_COMPONENTS], chord2[3] = {0}, to, before = 0;
  double from = -0x1p+1000; /* before all times */
  bool first = true;
  while (quatsimd_truth_next(&t->truth, &t->place, from, &to)) {
    for (int part = first ? parts : 1; part <= parts; part++) {
      const double time = part < parts ? from + (to - from) * ((double)part / parts) : to;
      chord2[2] = chord2_at(t, keys, time, wanted);
      if (part > 1 && !first) /* else chord2[1] is at a key, where the error has a corner */
        raise_to(&t->worst,
                 (part == 2 || part == parts ? peak_of_end : clip_peak)(chord2[0], chord2[1], chord2[2]),
                 before);
      chord2[0] = chord2[1], chord2[1] = chord2[2], before = time;
    }
    from = to, first = false;
  }
  if (clip_loops(clip)) { /* at its end the clip has the value of its start */
    float value[CLIP_MOST_COMPONENTS];
    double found[CLIP_MOST_COMPONENTS];
    quatsimd_clip_sample_keys(value, keys, e->grid.start);
    clip_widen(found, value, t->kind);
    raise_to(&t->worst, quatsimd_value_chord2(t->kind, found, wanted), before);
  }
  note(e, t, joint, 0, 0, t->worst.chord2);
}

static void measure_keys(clip_encoder *e, clip_trail *t, size_t joint, const quatsimd_clip *clip,
                         const clip_keyed *keys) {
  float value[CLIP_MOST_COMPONENTS];
  double found[CLIP_MOST_COMPONENTS], first[CLIP_MOST_COMPONENTS], between;
  for (size_t k = 0; k < keys->count; k++) {
    quatsimd_clip_load_key(value, keys, k);
    clip_widen(found, value, t->kind);
    if (k == 0) memcpy(first, found, sizeof first);
    go_on(t, k == 0, clip_keyed_time(keys, k), found, &between);
  }
  if (clip_loops(clip)) /* the clip loops: at its end it has the value of the first key */
    raise_to(&t->worst, quatsimd_value_chord2(t->kind, first, t->last.wanted), t->last.time);
  note(e, t, joint, 0, 0, t->worst.chord2);
}

/* Measures all curves of a kind that are at rest, constant or keyed. */
static void measure_others(clip_encoder *e, const quatsimd_clip *clip, int kind, clip_worst *worst) {
  const quatsimd_clip_part part = clip_part_of(clip, kind);
  const unsigned char *keys_at = part.keys, *constant = part.constant;
  for (size_t j = 0; j < clip_elements(clip, kind); j++) {
    const quatsimd_clip_state state = clip_part_state(&part, j);
    clip_trail t = trail_of(e, kind, j);
    float value[CLIP_MOST_COMPONENTS];
    double found[CLIP_MOST_COMPONENTS];
    clip_keyed keys = {.count = 0};
    worst[j] = (clip_worst){0};
    if (state == QUATSIMD_CLIP_MOVING || state == QUATSIMD_CLIP_ABSENT) continue;
    if (state == QUATSIMD_CLIP_KEYED) {
      keys = clip_keyed_at(clip, kind, keys_at);
      keys_at = quatsimd_clip_keyed_end(&keys);
      quatsimd_clip_load_key(value, &keys, 0);
    }
    if (state == QUATSIMD_CLIP_CONSTANT) {
      quatsimd_constant_load(value, kind, clip_precision(clip), constant, 1);
      constant += clip_constant_bytes(kind, clip_precision(clip));
    }
    if (state == QUATSIMD_CLIP_CONSTANT || state == QUATSIMD_CLIP_KEYED) clip_widen(found, value, kind);
    else clip_rest_value(found, e, kind, j);
    if (keys.spline || keys.pair) measure_whole(e, &t, j, clip, &keys);
    else if (keys.count > 1) measure_keys(e, &t, j, clip, &keys);
    else measure_still(e, &t, j, found);
    worst[j] = worst_of(&t);
  }
}

/* ---- moving curves ---- */

quatsimd_status quatsimd_measure(clip_encoder *e, const quatsimd_clip *clip, int kind, clip_worst *worst) {
  const size_t joints = clip_elements(clip, kind), n = clip_components(kind),
               moving = clip_part_of(clip, kind).moving;
  const clip_grid *grid = &e->grid;
  measure_others(e, clip, kind, worst);
  if (moving == 0) return QUATSIMD_OK;
  const size_t most = joints < 512 ? 16384 / (joints + 1) + 1 : 32,
               at_once = clip->frames < most ? clip->frames : most;
  float *decoded = quatsimd_take(&e->memory, at_once * joints + 1, n * sizeof *decoded);
  clip_trail *trail = quatsimd_take(&e->memory, moving, sizeof *trail);
  size_t *joint = quatsimd_take(&e->memory, moving, sizeof *joint), trails = 0;
  if (!decoded || !trail || !joint) return QUATSIMD_ERROR_NO_MEMORY;
  for (size_t j = 0; j < joints; j++)
    if (clip_state_of(clip, kind, j) == QUATSIMD_CLIP_MOVING)
      joint[trails] = j, trail[trails] = trail_of(e, kind, j), trail[trails++].least = -CLIP_FRAMES_TURN;
  quatsimd_pose_out pose = {0};
  quatsimd_out *const outs[] = {&pose.rotations, &pose.translations, &pose.scales};
  if (kind == QUATSIMD_CLIP_TRACK) pose.tracks = decoded;
  else *outs[kind] = quatsimd_aos_out(decoded);
  for (size_t first = 0, count; first < clip->frames; first += count) {
    count = clip->frames - first < at_once ? clip->frames - first : at_once;
    quatsimd_clip_decode(clip, &pose, NULL, first, count, 0);
    for (size_t i = 0; i < trails; i++)
      for (size_t f = 0; f < count; f++) {
        double found[CLIP_MOST_COMPONENTS], between;
        clip_widen(found, decoded + n * (joints * f + joint[i]), kind);
        const double here =
            go_on(&trail[i], first + f == 0, clip_grid_time(grid, first + f), found, &between);
        note(e, &trail[i], joint[i], first + f, 1, here);
        if (first + f > 0) note(e, &trail[i], joint[i], first + f - 1, 2, between);
      }
  }
  for (size_t i = 0; i < trails; i++) {
    if (!clip_loops(clip)) note(e, &trail[i], joint[i], clip->frames - 1, 1, chord2_behind(&trail[i]));
    worst[joint[i]] = worst_of(&trail[i]);
  }
  return QUATSIMD_OK;
}
