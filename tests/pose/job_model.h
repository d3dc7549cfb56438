/* Computes the local pose, the movement and the events of a job in long double, as docs/pose.md defines them.
 * Samples of clips are those of quatsimd_clip_sample. */
#ifndef TESTS_JOB_MODEL_H
#define TESTS_JOB_MODEL_H

#include "jobs.h"
#include "places.h"

/* Values in long double, and how far the library may be from them. */
typedef struct model_pose {
  long double at[4][4 * MOST_JOINTS], error[4][MOST_JOINTS];
} model_pose;

/* A job's results. In an unclear job, rounding could flip a sign, or values leave the range of floats. */
typedef struct model_result {
  model_pose pose;
  place step;
  long double step_error[2]; /* rotation, translation */
  bool unclear;
} model_result;

static inline long double clamped(float f, long double low) {
  return isnan(f) ? 0 : fminl(fmaxl(f, low), 65536);
}
static inline long double weight_of(const quatsimd_pose_layer *l, int kind, size_t i, long double low) {
  const float *mask = kind == TRACK ? l->track_mask : l->mask;
  return clamped(l->weight, low) * (mask ? clamped(mask[i], low) : 1);
}

static inline bool is_over(const quatsimd_pose_layer *l) { return l->mode == QUATSIMD_POSE_MODE_OVER; }
static inline bool is_added(const quatsimd_pose_layer *l) { return quatsimd_clip_additive(l->clip) != 0; }
static inline bool is_ignored(const quatsimd_pose_layer *l) {
  return isnan(l->weight) || l->weight == 0 || (l->weight < 0 && !is_added(l));
}

/* ---- root motion ---- */

static inline bool goes_round(const quatsimd_clip *clip, quatsimd_clip_wrap wrap) {
  return quatsimd_clip_duration(clip) > 0 &&
         (wrap == QUATSIMD_CLIP_WRAP_LOOP ||
          (wrap == QUATSIMD_CLIP_WRAP_CLIP && quatsimd_clip_is_looping(clip)));
}

/* Returns the time within the clip, and stores the number of whole passes before it. */
static inline double phase(const quatsimd_clip *clip, double time, quatsimd_clip_wrap wrap, int64_t *rounds) {
  const double start = quatsimd_clip_start(clip), duration = quatsimd_clip_duration(clip),
               end = start + duration;
  *rounds = 0;
  if (isnan(time)) return start;
  if (!goes_round(clip, wrap)) return fmin(fmax(time, start), end);
  if (time >= start && time <= end) return time;
  const long double since = (long double)time - start, left = fmodl(since, duration);
  *rounds = (int64_t)roundl((since - left) / duration);
  if (left < 0) return --*rounds, (double)(start + (left + duration));
  return (double)(start + left);
}

/* As phase. In a loop the end, and times that count as it, stand for the start of the next pass, as
 * docs/clip.md says of samples. */
static inline double phase_of_sample(const quatsimd_clip *clip, double time, quatsimd_clip_wrap wrap,
                                     int64_t *rounds) {
  const double start = quatsimd_clip_start(clip), end = start + quatsimd_clip_duration(clip),
               within = phase(clip, time, wrap, rounds);
  if (!goes_round(clip, wrap) || end - within > 0x1p-24 * fmax(fabs(start), fabs(end))) return within;
  return ++*rounds, start;
}

/* Computes the place of a joint in model space, with its scale, and that of its parent. */
static inline place place_in_clip(const poses *p, const world *w, size_t joint, place *above) {
  const float *s = p->at[2] + 3 * joint;
  const place own = of(p->at[0] + 4 * joint, p->at[1] + 3 * joint, s[0]);
  *above = stays;
  place ignored;
  if (w->joint[joint].parent >= 0) *above = place_in_clip(p, w, (size_t)w->joint[joint].parent, &ignored);
  return times(above, &own);
}

static inline void sample_clip(const world *w, const quatsimd_clip *clip, double time,
                               quatsimd_clip_wrap wrap, poses *to) {
  static poses rest;
  quatsimd_pose_out out = {quatsimd_aos_out(to->at[0]), quatsimd_aos_out(to->at[1]),
                           quatsimd_aos_out(to->at[2]), to->at[TRACK]},
                    rest_out = {quatsimd_aos_out(rest.at[0]), quatsimd_aos_out(rest.at[1]),
                                quatsimd_aos_out(rest.at[2]), rest.at[TRACK]};
  assert_int_equal(quatsimd_skeleton_rest_pose(w->skeleton, &rest_out, 0, w->joints), QUATSIMD_OK);
  const quatsimd_pose_in in = {quatsimd_aos(rest.at[0]), quatsimd_aos(rest.at[1]), quatsimd_aos(rest.at[2]),
                               rest.at[TRACK]};
  assert_int_equal(quatsimd_clip_sample(clip, &out, &in, time, wrap, 0), QUATSIMD_OK);
}

/* Returns a joint's place without scale, as the clip has it at a time within the clip. */
static inline place place_at(const world *w, const quatsimd_clip *clip, size_t joint, double time) {
  static poses sampled;
  place above;
  sample_clip(w, clip, time, QUATSIMD_CLIP_WRAP_CLAMP, &sampled);
  const place scaled = place_in_clip(&sampled, w, joint, &above);
  return unscaled(&scaled);
}

/* Computes the quaternion of a rotation; its fourth component is not negative. */
static inline void quaternion_of(const place *p, long double q[4]) {
  const long double trace = p->m[0][0] + p->m[1][1] + p->m[2][2];
  long double all[4][4], n2 = 0;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    all[3][i] = all[i][3] = p->m[k][j] - p->m[j][k];
    all[i][i] = 1 + 2 * p->m[i][i] - trace;
    all[i][j] = all[j][i] = p->m[i][j] + p->m[j][i];
  }
  all[3][3] = 1 + trace;
  int best = 0;
  for (int i = 1; i < 4; i++)
    if (all[i][i] > all[best][best]) best = i;
  for (int c = 0; c < 4; c++) n2 += all[best][c] * all[best][c];
  const long double sign = all[best][3] < 0 ? -1 : 1;
  for (int c = 0; c < 4; c++) q[c] = sign * all[best][c] / sqrtl(n2);
}

static inline place turned(const long double q[4], const long double t[3]) {
  const long double x = q[0], y = q[1], z = q[2], w = q[3];
  return (place){{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                  {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                  {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}},
                 {t[0], t[1], t[2]}};
}

/* Returns the share u of a movement that moves the point `from`: turns evenly, on a straight line. */
static inline place straight(const place *whole, long double u, const long double from[3]) {
  long double q[4], sine = 0, to[3];
  quaternion_of(whole, q);
  for (int c = 0; c < 3; c++) sine += q[c] * q[c];
  sine = sqrtl(sine);
  const long double half = atan2l(sine, q[3]) * u;
  for (int c = 0; c < 3; c++) q[c] = sine > 0 ? q[c] / sine * sinl(half) : 0;
  q[3] = cosl(half);
  place x = turned(q, (const long double[3]){0});
  for (int i = 0; i < 3; i++) {
    long double end = whole->t[i];
    for (int j = 0; j < 3; j++) end += whole->m[i][j] * from[j];
    to[i] = from[i] + u * (end - from[i]);
    x.t[i] = to[i];
    for (int j = 0; j < 3; j++) x.t[i] -= x.m[i][j] * from[j];
  }
  return x;
}

/* Returns X(t) at a time within the clip. */
static inline place motion_at(const world *w, const quatsimd_clip *clip, const root_choice *choice,
                              double time) {
  const double start = quatsimd_clip_start(clip), duration = quatsimd_clip_duration(clip);
  const int parts = choice->parts & ~QUATSIMD_ROOT_STRAIGHT;
  const bool is_straight = choice->parts & QUATSIMD_ROOT_STRAIGHT;
  long double up[3], length = 0, height = 0, from[3];
  for (int c = 0; c < 3; c++) length += (long double)choice->up[c] * choice->up[c];
  for (int c = 0; c < 3; c++) up[c] = choice->up[c] / sqrtl(length);
  const place first = place_at(w, clip, choice->joint, start),
              last = place_at(w, clip, choice->joint, is_straight ? start + duration : time),
              x = moved(&first, &last, parts, up);
  if (!is_straight) return x;
  if (!(duration > 0)) return stays;
  for (int c = 0; c < 3; c++) height += up[c] * first.t[c];
  for (int c = 0; c < 3; c++)
    from[c] = parts == QUATSIMD_ROOT_ALL
                  ? first.t[c]
                  : (parts & QUATSIMD_ROOT_ALONG ? height * up[c] : 0) +
                        (parts & QUATSIMD_ROOT_ACROSS ? first.t[c] - height * up[c] : 0);
  return straight(&x, ((long double)time - start) / duration, from);
}

/* Returns the movement between a layer's last time and its time. */
static inline place motion_between(const world *w, const quatsimd_pose_layer *l, const root_choice *choice) {
  const double end = quatsimd_clip_start(l->clip) + quatsimd_clip_duration(l->clip);
  int64_t rounds[2];
  const double from = phase(l->clip, l->last_time, l->wrap, &rounds[0]),
               to = phase(l->clip, l->time, l->wrap, &rounds[1]);
  const place a = motion_at(w, l->clip, choice, from), b = motion_at(w, l->clip, choice, to),
              round = motion_at(w, l->clip, choice, end), all = repeated(&round, rounds[1] - rounds[0]),
              inverse = back(&a), since = times(&inverse, &all);
  return times(&since, &b);
}

/* Takes the root motion out of a sample: the joint is at inverse(X(t)) times its place. */
static inline void remove_motion(const world *w, const quatsimd_pose_layer *l, const root_choice *choice,
                                 const poses *sampled, model_pose *p) {
  int64_t rounds;
  const double time = phase_of_sample(l->clip, l->time, l->wrap, &rounds);
  const place x = motion_at(w, l->clip, choice, time), x_back = back(&x);
  const size_t j = choice->joint;
  place above, own = place_in_clip(sampled, w, j, &above), above_back, local;
  long double size2 = 0;
  for (int i = 0; i < 3; i++) size2 += above.m[i][0] * above.m[i][0];
  above_back = back(&above); /* m is a rotation times a scale: its transpose is the inverse times scale^2 */
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) above_back.m[i][k] /= size2;
    above_back.t[i] /= size2;
    const long double far = fabsl(x.t[i]) + fabsl(own.t[i]) + fabsl(above.t[i]);
    p->error[1][j] = fmaxl(p->error[1][j], 1e-6L * far / sqrtl(size2));
  }
  own = times(&x_back, &own), local = times(&above_back, &own);
  for (int i = 0; i < 3; i++) {
    p->at[1][3 * j + (size_t)i] = local.t[i];
    for (int k = 0; k < 3; k++) local.m[i][k] /= sampled->at[2][3 * j];
  }
  quaternion_of(&local, p->at[0] + 4 * j);
}

/* ---- layers ---- */

static inline void sample_layer(const drawn_job *d, size_t l, model_pose *p) {
  static poses sampled;
  const world *w = d->of;
  sample_clip(w, d->layers[l].clip, d->layers[l].time, d->layers[l].wrap, &sampled);
  for (int kind = 0; kind < 4; kind++)
    for (size_t i = 0; i < (kind == TRACK ? w->tracks : w->joints); i++) {
      p->error[kind][i] = 0;
      for (size_t c = width_of(kind) * i; c < width_of(kind) * (i + 1); c++)
        p->at[kind][c] = sampled.at[kind][c],
        p->error[kind][i] = fmaxl(p->error[kind][i], 1e-6L * fabsl(p->at[kind][c]));
    }
  if (d->choice[l]) remove_motion(w, &d->layers[l], d->choice[l], &sampled, p);
}

/* The sum of one element of several layers. */
typedef struct model_sum {
  long double weight, v[4], error;
} model_sum;

static inline void add_to_sum(model_sum *s, int kind, long double weight, const long double *v,
                              long double error, bool *unclear) {
  const size_t width = width_of(kind);
  long double dot = 0, largest = 0;
  for (size_t c = 0; c < width; c++) dot += s->v[c] * v[c], largest = fmaxl(largest, fabsl(v[c]));
  if (!(weight > 0)) return;
  if (kind == 0 && s->weight > 0 && fabsl(dot) < 1e-4L * fmaxl(1, s->weight)) *unclear = true;
  for (size_t c = 0; c < width; c++) s->v[c] += (kind == 0 && dot < 0 ? -1 : 1) * weight * v[c];
  s->weight += weight, s->error += weight * (error + 2e-6L * largest);
}

/* Divides a sum as docs/pose.md says, after the rest pose got what is left. */
static inline void finish_sum(model_sum *s, int kind, const long double *rest, long double rest_error,
                              bool *unclear) {
  if (s->weight < 1 - 0x1p-20L) add_to_sum(s, kind, 1 - s->weight, rest, rest_error, unclear);
  long double by = fmaxl(s->weight, 1), n2 = 0;
  if (kind == 0) {
    for (int c = 0; c < 4; c++) n2 += s->v[c] * s->v[c];
    by = sqrtl(n2);
  }
  for (size_t c = 0; c < width_of(kind); c++) s->v[c] /= by;
  s->error /= by;
}

static inline size_t elements_of(const world *w, int kind) { return kind == TRACK ? w->tracks : w->joints; }

/* Blends layers: those in a list, with `rest` as the rest pose, which may be `to`. */
static inline void model_blend(const drawn_job *d, const size_t *list, size_t count, const model_pose *rest,
                               model_pose *to, bool *unclear) {
  static model_pose samples[MOST_LAYERS];
  for (size_t i = 0; i < count; i++) sample_layer(d, list[i], &samples[i]);
  for (int kind = 0; kind < 4; kind++)
    for (size_t e = 0; e < elements_of(d->of, kind); e++) {
      const size_t width = width_of(kind);
      model_sum sum = {0, {0}, 0};
      for (size_t i = 0; i < count; i++)
        add_to_sum(&sum, kind, weight_of(&d->layers[list[i]], kind, e, 0), samples[i].at[kind] + width * e,
                   samples[i].error[kind][e], unclear);
      finish_sum(&sum, kind, rest->at[kind] + width * e, rest->error[kind][e], unclear);
      for (size_t c = 0; c < width; c++) to->at[kind][width * e + c] = sum.v[c];
      to->error[kind][e] = sum.error;
    }
}

/* Adds layer l, an additive one, to a pose. */
static inline void model_add(const drawn_job *d, size_t l, model_pose *p, bool *unclear) {
  static model_pose added;
  sample_layer(d, l, &added);
  for (int kind = 0; kind < 4; kind++)
    for (size_t e = 0; e < elements_of(d->of, kind); e++) {
      const long double w = weight_of(&d->layers[l], kind, e, -65536);
      long double *base = p->at[kind] + width_of(kind) * e, *error = &p->error[kind][e],
                  *a = added.at[kind] + width_of(kind) * e;
      if (kind == 0) {
        long double n2 = 0, n = 0, b[4];
        for (int c = 0; c < 4; c++) n2 += a[c] * a[c];
        if (fabsl(a[3]) < 1e-4L) *unclear = true;
        for (int c = 0; c < 4; c++)
          a[c] = w * a[c] / sqrtl(n2) * (a[3] < 0 ? -1 : 1) + (1 - w) * (c == 3), n += a[c] * a[c];
        for (int c = 0; c < 4; c++) a[c] /= sqrtl(n), b[c] = base[c];
        base[0] = b[3] * a[0] + b[0] * a[3] + b[1] * a[2] - b[2] * a[1];
        base[1] = b[3] * a[1] + b[1] * a[3] + b[2] * a[0] - b[0] * a[2];
        base[2] = b[3] * a[2] + b[2] * a[3] + b[0] * a[1] - b[1] * a[0];
        base[3] = b[3] * a[3] - b[0] * a[0] - b[1] * a[1] - b[2] * a[2];
        *error += 2e-6L * fmaxl(1, fabsl(w));
        continue;
      }
      long double factor = 1, largest = 0;
      for (size_t c = 0; c < width_of(kind); c++) {
        const long double f = 1 + w * (a[c] - 1);
        largest = fmaxl(largest, kind == 2 ? fabsl(base[c]) * (1 + fabsl(w) * (fabsl(a[c]) + 1))
                                           : fabsl(base[c]) + fabsl(w * a[c]));
        factor = fmaxl(factor, kind == 2 ? fabsl(f) : 1);
        base[c] = kind == 2 ? base[c] * f : base[c] + w * a[c];
      }
      *error = *error * factor + 2e-6L * largest;
    }
}

static inline void model_rest(const world *w, model_pose *p, bool normalised) {
  for (int kind = 0; kind < 4; kind++)
    for (size_t e = 0; e < elements_of(w, kind); e++) {
      const quatsimd_skeleton_joint *j = &w->joint[e];
      static const float track_rest[MOST_TRACKS] = {0.5f, 0.25f, -1};
      const float *v = kind == 0   ? j->rotation
                       : kind == 1 ? j->translation
                       : kind == 2 ? j->scale
                                   : &track_rest[e];
      long double n2 = 0;
      for (size_t c = 0; c < width_of(kind); c++) n2 += (long double)v[c] * v[c];
      for (size_t c = 0; c < width_of(kind); c++)
        p->at[kind][width_of(kind) * e + c] = normalised && kind == 0 ? v[c] / sqrtl(n2) : v[c];
      p->error[kind][e] = 1e-6L * sqrtl(n2);
    }
}

/* ---- the step ---- */

typedef struct model_step {
  model_sum rotation, translation;
} model_step;

static inline void add_to_step(model_step *s, long double weight, const place *x, bool *unclear) {
  long double q[4];
  quaternion_of(x, q);
  add_to_sum(&s->rotation, 0, weight, q, 0, unclear);
  add_to_sum(&s->translation, 1, weight, x->t, 0, unclear);
}

/* Finishes a blend of movements with `rest` as the rest pose. */
static inline place finish_step(model_step *s, const place *rest, const long double error[2], bool *unclear) {
  long double q[4];
  quaternion_of(rest, q);
  finish_sum(&s->rotation, 0, q, error[0], unclear),
      finish_sum(&s->translation, 1, rest->t, error[1], unclear);
  return turned(s->rotation.v, s->translation.v);
}

static inline void compute_step(const drawn_job *d, model_result *r) {
  const size_t count = d->job.layer_count;
  size_t first_joint = SIZE_MAX;
  for (size_t l = count; l-- > 0;)
    if (!is_ignored(&d->layers[l]) && d->choice[l]) first_joint = d->choice[l]->joint;
  r->step = stays, r->step_error[0] = r->step_error[1] = 1e-6L;
  if (first_joint == SIZE_MAX) return;
  for (int over = 0; over < 2; over++) {
    model_step sum = {{0, {0}, 0}, {0, {0}, 0}};
    for (size_t l = 0; l < count; l++) {
      const quatsimd_pose_layer *layer = &d->layers[l];
      if (is_ignored(layer) || is_added(layer) || is_over(layer) != over) continue;
      const size_t joint = d->choice[l] ? d->choice[l]->joint : first_joint;
      const long double mask = layer->mask && joint < computed_joints(d) ? clamped(layer->mask[joint], 0) : 1,
                        weight = clamped(layer->weight, 0) * mask;
      const place x = d->choice[l] ? motion_between(d->of, layer, d->choice[l]) : stays;
      add_to_step(&sum, weight, &x, &r->unclear);
      if (!over) continue;
      r->step = finish_step(&sum, &r->step, r->step_error, &r->unclear);
      r->step_error[0] = sum.rotation.error, r->step_error[1] = sum.translation.error;
      sum = (model_step){{0, {0}, 0}, {0, {0}, 0}};
    }
    if (over) continue;
    r->step = finish_step(&sum, &stays, r->step_error, &r->unclear);
    r->step_error[0] = sum.rotation.error, r->step_error[1] = sum.translation.error;
  }
}

/* Computes everything but goals, matrices and events. */
static inline void compute_model(const drawn_job *d, model_result *r) {
  static model_pose rest;
  size_t list[MOST_LAYERS], blended = 0;
  memset(r, 0, sizeof *r);
  model_rest(d->of, &rest, false), model_rest(d->of, &r->pose, true);
  for (size_t l = 0; l < d->job.layer_count; l++)
    if (!is_ignored(&d->layers[l]) && !is_added(&d->layers[l]) && !is_over(&d->layers[l]))
      list[blended++] = l;
  if (blended > 0) model_blend(d, list, blended, &rest, &r->pose, &r->unclear);
  for (size_t l = 0; l < d->job.layer_count; l++) {
    if (is_ignored(&d->layers[l])) continue;
    if (is_added(&d->layers[l])) model_add(d, l, &r->pose, &r->unclear);
    else if (is_over(&d->layers[l])) model_blend(d, &l, 1, &r->pose, &r->pose, &r->unclear);
  }
  compute_step(d, r);
  for (int kind = 0; kind < 4; kind++)
    for (size_t c = 0; c < width_of(kind) * elements_of(d->of, kind); c++)
      if (!(fabsl(r->pose.at[kind][c]) < 1e15L)) r->unclear = true;
}

/* ---- comparing ---- */

/* Rotations may have the other sign. */
static inline void expect_values(const char *what, size_t number, const float *got, const long double *wanted,
                                 size_t width, long double error) {
  long double dot = 0, most = 0;
  for (size_t c = 0; c < width; c++) dot += got[c] * wanted[c];
  const long double sign = width == 4 && dot < 0 ? -1 : 1;
  for (size_t c = 0; c < width; c++) most = fmaxl(most, fabsl(got[c] - sign * wanted[c]));
  if (!(most <= error)) {
    for (size_t c = 0; c < width; c++) print_error("%.9g, not %.9Lg\n", (double)got[c], sign * wanted[c]);
    fail_msg("%s %zu is off by %Lg, more than %Lg", what, number, most, error);
  }
}

/* Compares the pose that a job wrote, in layout 0, with the model. */
static inline void expect_pose(const drawn_job *d, const result *got, const model_pose *p) {
  static const char *const names[] = {"rotation", "translation", "scale", "track"};
  for (int kind = 0; kind < 4; kind++) {
    const float *floats = kind == TRACK ? got->pose.at[TRACK] : got->pose.moved[kind];
    const size_t width = width_of(kind), count = kind == TRACK ? d->of->tracks : computed_joints(d);
    for (size_t e = 0; e < count; e++)
      expect_values(names[kind], e, floats + width * e, p->at[kind] + width * e, width,
                    p->error[kind][e] + 1e-7L);
  }
}

static inline void expect_step(const result *got, const model_result *r) {
  long double q[4];
  quaternion_of(&r->step, q);
  expect_values("the step's rotation", 0, got->step, q, 4, r->step_error[0] + 2e-6L);
  expect_values("the step's translation", 0, got->step + 4, r->step.t, 3, r->step_error[1] + 2e-6L);
}

#endif
