/* Figures of fuzz_stream.c: small skeletons, their joints' bounds, and how far their points are off. */
#ifndef QUATSIMD_FUZZ_FIGURE_H
#define QUATSIMD_FUZZ_FIGURE_H

#include "core/quat64.h"
#include "fuzz.h"

enum { MOST_JOINTS = 8 };

typedef struct figure {
  size_t joints; /* 0: none */
  quatsimd_skeleton_joint joint[MOST_JOINTS];
  bool turns[MOST_JOINTS], turned[MOST_JOINTS]; /* turned: some joint above it turns */
  double bone[MOST_JOINTS];
  size_t above[MOST_JOINTS]; /* the number of joints above it */
  quatsimd_skeleton_storage storage;
  quatsimd_skeleton *skeleton;
  void *data;
} figure;

static inline double figure_norm(const double *v) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }
static inline double figure_length(const float *v) {
  return figure_norm((const double[]){(double)v[0], (double)v[1], (double)v[2]});
}

static inline int64_t figure_parent(unsigned shape, size_t j, unsigned byte) {
  if (j == 0 || (shape == 3 && byte % 4 == 0)) return -1;                        /* several roots */
  return shape == 0 ? (int64_t)j - 1 : shape == 1 ? 0 : (int64_t)(byte / 4 % j); /* a chain, a star, a tree */
}

static inline void figure_take(figure *f, fuzz_input *in, size_t joints) {
  const unsigned how = fuzz_byte(in);
  const float unit = how & 4 ? ldexpf(1, (int)(how >> 3) - 16) : 1;
  f->joints = joints;
  for (size_t j = 0; j < joints; j++) {
    quatsimd_skeleton_joint *const to = f->joint + j;
    const unsigned byte = fuzz_byte(in), scale = fuzz_byte(in);
    *to = (quatsimd_skeleton_joint){.name = "", .rotation = {0, 0, 0, 1}};
    to->parent = figure_parent(how % 4, j, byte);
    for (int x = 0; x < 3; x++) {
      to->translation[x] = byte & 128 ? 0 : unit * (float)((int)fuzz_byte(in) - 128) / 128;
      to->scale[x] = scale < 200 ? 1 : (float)((int)scale - 220) / 16;
    }
    f->bone[j] = figure_length(to->translation);
    f->turns[j] = scale % 4 != 0;
    if (to->parent < 0) continue;
    f->above[j] = f->above[to->parent] + 1;
    f->turned[j] = f->turns[to->parent] || f->turned[to->parent];
  }
  const quatsimd_skeleton_source source = {.joint_count = joints, .joints = f->joint};
  size_t size;
  if (quatsimd_skeleton_encode(&f->data, &size, &source, NULL, NULL) != QUATSIMD_OK ||
      quatsimd_skeleton_open(&f->skeleton, &f->storage, sizeof f->storage, f->data, size) != QUATSIMD_OK)
    fuzz_fail("no skeleton");
}

/* Shares a bound among the joints. Returns false if a joint would need too small a bound. Then takes smaller
 * bounds for some, or larger ones, with which the library may refuse the options. */
static inline bool figure_share(const figure *f, fuzz_input *in, quatsimd_stream_options *o, float *bounds) {
  const unsigned bound = fuzz_byte(in), distance = fuzz_byte(in), change = fuzz_byte(in);
  o->object_bound = ldexpf(1 + (float)(bound % 8) / 8, (int)(bound / 8) - 16);
  o->object_distance = distance % 4 ? ldexpf((float)(distance % 4), (int)(distance / 4) - 32) : 0;
  for (size_t j = 0; j < f->joints; j++) bounds[j] = f->turns[j];
  if (quatsimd_stream_bounds(bounds, &o->position_bound, f->skeleton, o->position_count, o->object_bound,
                             o->object_distance) != QUATSIMD_OK)
    return false;
  o->bounds = bounds, o->skeleton = f->skeleton;
  if (quatsimd_stream_memory_size(o) == 0) fuzz_fail("the bounds of a figure are refused");
  for (size_t j = 0; j < f->joints && change & 1; j++) {
    const float by = change & 2 ? 1 + (float)fuzz_byte(in) / 1024 : (float)fuzz_byte(in) / 255;
    if (f->turns[j]) bounds[j] = fminf(fmaxf(bounds[j] * by, fminf(1e-5f, bounds[j])), 1);
  }
  const bool held = quatsimd_stream_memory_size(o) != 0;
  if (!held && !(change & 2)) fuzz_fail("smaller bounds of a figure are refused");
  return held;
}

/* Makes positions of joints that are turned no longer than their bones. */
static inline void figure_hold(const figure *f, float *p, size_t positions) {
  for (size_t j = 0; j < positions && j < f->joints; j++) {
    float *const at = p + 3 * j;
    const double length = figure_length(at);
    if (!f->turned[j] || !isfinite(length) || length <= f->bone[j]) continue;
    for (int x = 0; x < 3; x++) at[x] = (float)((double)at[x] * (f->bone[j] / length) * (1 - 1e-6));
  }
}

/* A joint in model space. */
typedef struct figure_place {
  double q[4], at[3], scale;
} figure_place;

static inline void figure_set(const figure *f, figure_place *all, size_t j, const float *q,
                              const float *local) {
  static const figure_place none = {{0, 0, 0, 1}, {0, 0, 0}, 1};
  const int64_t parent = f->joint[j].parent;
  const figure_place *const up = parent < 0 ? &none : all + parent;
  const double own[4] = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]},
               bone[3] = {up->scale * (double)local[0], up->scale * (double)local[1],
                          up->scale * (double)local[2]};
  quat64_rotate(all[j].at, up->q, bone);
  for (int x = 0; x < 3; x++) all[j].at[x] += up->at[x];
  quat64_multiply(all[j].q, up->q, own), quat64_normalise(all[j].q);
  all[j].scale = up->scale * (double)f->joint[j].scale[0];
}

/* Fails if points of a decoded pose are further off than `most`. If no joint above a joint turns, its
 * position may be longer than its bone; errors of the joints above it then move it further: see
 * quatsimd_stream_bounds. */
static inline void figure_check(const figure *f, const quatsimd_stream_options *o, double most,
                                const float *q, const float *p, const float *got_q, const float *got_p) {
  figure_place sent[MOST_JOINTS], got[MOST_JOINTS];
  double more[MOST_JOINTS];
  for (size_t j = 0; j < f->joints; j++) {
    const bool goes = j < o->position_count;
    const float *const bone = f->joint[j].translation;
    const int64_t parent = f->joint[j].parent;
    figure_set(f, sent, j, q + 4 * j, goes ? p + 3 * j : bone);
    figure_set(f, got, j, got_q + 4 * j, goes ? got_p + 3 * j : bone);
    const double scale = parent < 0 ? 1 : fabs(sent[parent].scale),
                 length = goes ? figure_length(p + 3 * j) : f->bone[j];
    more[j] = (parent < 0 ? 0 : more[parent]) + 1e-14 * scale * length; /* of arithmetic in double */
    if (!f->turned[j])
      more[j] += (double)f->above[j] * (o->rest ? 3e-7 : 1e-5) * scale * fmax(0, length - f->bone[j]);
    double way[3], turn[4], back[4];
    for (int x = 0; x < 3; x++) way[x] = got[j].at[x] - sent[j].at[x];
    quat64_conjugate(back, sent[j].q), quat64_multiply(turn, got[j].q, back);
    const double reach = fabs(sent[j].scale) * (double)o->object_distance,
                 off = figure_norm(way) + 2 * reach * figure_norm(turn);
    if (!(off <= most + more[j])) fuzz_fail("points of joint %zu are %.9g off, of %.9g", j, off, most);
  }
}

#endif
