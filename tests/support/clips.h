/* Makes synthetic clips. Computes only with + - * / and sqrt, because goldens depend on the clips. */
#ifndef QUATSIMD_TESTS_CLIPS_H
#define QUATSIMD_TESTS_CLIPS_H

#include "support/random.h"

#include "quatsimd/quatsimd.h"
#include "quatsimd/clip.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* The source of a clip, the options to encode it, and their memory. */
typedef struct scene {
  quatsimd_clip_source source, base; /* `base` is the base of an additive clip */
  quatsimd_clip_options options;
  quatsimd_clip_joint *joint;
  quatsimd_clip_track *track;
  size_t frames; /* expected number of frames; 0 if any number is right */
  double rate;   /* expected rate, if `frames` is not 0 */
  bool round;    /* a joint's sampled rotation at the end is the first key times -1 */
  struct scene_piece *pieces;
} scene;

struct scene_piece {
  struct scene_piece *next;
  double content[];
};

static inline void *scene_take(scene *s, size_t bytes) {
  struct scene_piece *piece = calloc(1, sizeof *piece + bytes);
  if (!piece) fputs("out of memory\n", stderr), abort();
  piece->next = s->pieces;
  s->pieces = piece;
  return piece->content;
}

static inline void scene_free(scene *s) {
  while (s->pieces) {
    struct scene_piece *next = s->pieces->next;
    free(s->pieces);
    s->pieces = next;
  }
}

static inline void scene_joints(scene *s, size_t joints) {
  s->options.struct_size = sizeof s->options;
  s->joint = scene_take(s, joints * sizeof *s->joint);
  for (size_t j = 0; j < joints; j++) s->joint[j].parent = (int64_t)j - 1;
  s->source = (quatsimd_clip_source){joints, s->joint, 0, NULL};
}

static inline void scene_tracks(scene *s, size_t tracks) {
  s->options.track_bound = 0.001f;
  s->track = scene_take(s, tracks * sizeof *s->track);
  s->source.track_count = tracks, s->source.tracks = s->track;
}

/* ---- times ---- */

static inline double *even_times(scene *s, size_t count, double start, double rate) {
  double *t = scene_take(s, count * sizeof *t);
  for (size_t i = 0; i < count; i++) t[i] = start + (double)i / rate;
  return t;
}

/* Makes times with gaps of 0.25 to 1.75 times the mean gap. If in_float is true, each is exactly a float. */
static inline double *uneven_times(scene *s, size_t count, double start, double rate, bool in_float,
                                   uint64_t seed) {
  double *t = scene_take(s, count * sizeof *t);
  for (size_t i = 0; i < count; i++) {
    t[i] = i == 0 ? start : t[i - 1] + (0.25 + 1.5 * random_unit(&seed)) / rate;
    if (in_float) t[i] = (double)(float)t[i];
  }
  return t;
}

/* ---- motions: functions of time, so that curves with different keys can have the same motion ---- */

static inline double lattice_noise(uint64_t seed, int64_t at) {
  uint64_t state = seed * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)at;
  sweep_next(&state);
  return 2 * random_unit(&state) - 1;
}

/* Returns smooth noise from -1 to 1. It is random at whole x and cubic between them. */
static inline double smooth_noise(uint64_t seed, double x) {
  const double shifted = x + 1e6, below = (double)(int64_t)shifted, t = shifted - below;
  const double a = lattice_noise(seed, (int64_t)below), b = lattice_noise(seed, (int64_t)below + 1);
  return a + (b - a) * (t * t * (3 - 2 * t));
}

typedef struct scene_quat {
  double v[4];
} scene_quat;

static inline scene_quat scene_product(scene_quat p, scene_quat q) {
  const double *a = p.v, *b = q.v;
  return (scene_quat){{a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                       a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                       a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                       a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]}};
}

static inline scene_quat scene_unit(scene_quat q) {
  const double n = sqrt(q.v[0] * q.v[0] + q.v[1] * q.v[1] + q.v[2] * q.v[2] + q.v[3] * q.v[3]);
  for (int i = 0; i < 4; i++) q.v[i] /= n;
  return q;
}

static inline scene_quat random_quat(uint64_t *state) {
  scene_quat q;
  double n2;
  do {
    n2 = 0;
    for (int i = 0; i < 4; i++) q.v[i] = 2 * random_unit(state) - 1, n2 += q.v[i] * q.v[i];
  } while (n2 > 1 || n2 < 0.01);
  return scene_unit(q);
}

/* Returns a rotation that swings around a random rotation, by up to about 2 * amplitude radians about each
 * axis, `speed` times a second. */
static inline scene_quat swing(uint64_t seed, double time, double amplitude, double speed) {
  uint64_t state = seed;
  const scene_quat base = random_quat(&state);
  scene_quat q = {{0, 0, 0, 1}};
  for (int i = 0; i < 3; i++) q.v[i] = amplitude * smooth_noise(seed * 4 + (uint64_t)i, time * speed);
  return scene_product(scene_unit(q), base);
}

static inline void put_quat(float *to, scene_quat q) {
  for (int i = 0; i < 4; i++) to[i] = (float)q.v[i];
}

/* ---- curves ---- */

static inline quatsimd_curve swinging(scene *s, uint64_t seed, const double *times, size_t keys,
                                      double amplitude, double speed) {
  float *values = scene_take(s, 4 * keys * sizeof *values);
  for (size_t k = 0; k < keys; k++)
    put_quat(values + 4 * k, swing(seed, times ? times[k] : 0, amplitude, speed));
  return (quatsimd_curve){keys, times, values, 0};
}

static inline quatsimd_curve drifting(scene *s, uint64_t seed, const double *times, size_t keys,
                                      double centre, double amplitude) {
  float *values = scene_take(s, 3 * keys * sizeof *values);
  for (size_t k = 0; k < keys; k++)
    for (size_t i = 0; i < 3; i++)
      values[3 * k + i] =
          (float)(centre + amplitude * smooth_noise(seed * 4 + i, (times ? times[k] : 0) * 2));
  return (quatsimd_curve){keys, times, values, 0};
}

static inline quatsimd_curve holding(quatsimd_curve curve) {
  curve.interpolation = QUATSIMD_CURVE_HOLD;
  return curve;
}

/* Makes a spline of a curve with several keys of `width` floats. In its middle, the two tangents differ. */
static inline quatsimd_curve splined(scene *s, quatsimd_curve curve, size_t width) {
  const size_t keys = curve.key_count;
  float *values = scene_take(s, 3 * width * keys * sizeof *values);
  for (size_t k = 0; k < keys; k++) {
    const size_t before = k > 0 ? k - 1 : 0, after = k + 1 < keys ? k + 1 : k;
    const double span = curve.times[after] - curve.times[before];
    for (size_t c = 0; c < width; c++) {
      const float *v = curve.values + c;
      const double slope = ((double)v[width * after] - (double)v[width * before]) / span;
      values[width * (3 * k) + c] = (float)(k == keys / 2 ? 0.5 * slope : slope);
      values[width * (3 * k + 1) + c] = v[width * k];
      values[width * (3 * k + 2) + c] = (float)slope;
    }
  }
  return (quatsimd_curve){keys, curve.times, values, QUATSIMD_CURVE_CUBIC};
}

/* Makes a curve with a random rotation at each key. */
static inline quatsimd_curve jumping(scene *s, uint64_t seed, const double *times, size_t keys) {
  float *values = scene_take(s, 4 * keys * sizeof *values);
  for (size_t k = 0; k < keys; k++) put_quat(values + 4 * k, random_quat(&seed));
  return (quatsimd_curve){keys, times, values, 0};
}

/* Makes a curve of equal turns about one axis. `quarter` is the tangent of a quarter of each turn. */
static inline quatsimd_curve turning(scene *s, uint64_t seed, const double *times, size_t keys,
                                     double quarter) {
  float *values = scene_take(s, 4 * keys * sizeof *values);
  scene_quat q = random_quat(&seed), axis = random_quat(&seed);
  const double n = sqrt(axis.v[0] * axis.v[0] + axis.v[1] * axis.v[1] + axis.v[2] * axis.v[2]),
               m = quarter * quarter;
  scene_quat step = {{0, 0, 0, (1 - m) / (1 + m)}};
  for (int i = 0; i < 3; i++) step.v[i] = 2 * quarter / (1 + m) * axis.v[i] / n;
  for (size_t k = 0; k < keys; k++, q = scene_unit(scene_product(step, q))) put_quat(values + 4 * k, q);
  return (quatsimd_curve){keys, times, values, 0};
}

/* Returns the values of a curve as writable memory. The public struct has them as const. */
static inline float *values_of(quatsimd_curve *curve) { return (float *)(uintptr_t)curve->values; }

static inline void scale_key(quatsimd_curve *curve, size_t k, float factor) {
  for (size_t i = 0; i < 4; i++) values_of(curve)[4 * k + i] *= factor;
}

/* ---- the scenes ---- */

static inline void bounds_of(scene *s, float rotation, float translation, float scale) {
  s->options.rotation_bound = rotation, s->options.translation_bound = translation,
  s->options.scale_bound = scale;
}

static inline void swinging_joints(scene *s, size_t joints, const double *times, size_t keys, uint64_t seed) {
  scene_joints(s, joints);
  for (size_t j = 0; j < joints; j++)
    s->joint[j].rotation = swinging(s, seed + j, times, keys, 0.05 * (double)(j % 9 + 1), 2);
}

static void scene_smooth(scene *s) {
  s->frames = 61, s->rate = 30;
  swinging_joints(s, 23, even_times(s, 61, 0, 30), 61, 100);
  bounds_of(s, 1e-3f, 0, 0);
}
static void scene_tight(scene *s) {
  scene_smooth(s);
  bounds_of(s, 1e-5f, 0, 0);
}
static void scene_loose(scene *s) {
  scene_smooth(s);
  bounds_of(s, 1, 0, 0);
}
/* All keys are random rotations, so curves are stored frame by frame. */
static void scene_noise(scene *s) {
  s->frames = 70, s->rate = 24;
  const double *times = even_times(s, 70, 0, 24);
  scene_joints(s, 11);
  for (size_t j = 0; j < 11; j++) s->joint[j].rotation = jumping(s, 200 + j, times, 70);
  bounds_of(s, 1e-4f, 0, 0);
}
static void scene_noisy(scene *s) { /* the bound is coarse, and joints with odd numbers swing with noise */
  scene_noise(s);
  uint64_t state = 7;
  for (size_t j = 1; j < 11; j += 2) {
    s->joint[j].rotation = swinging(s, 250 + j, s->joint[j].rotation.times, 70, 0.4, 1);
    for (size_t i = 0; i < 4 * 70; i++)
      values_of(&s->joint[j].rotation)[i] += (float)(0.002 * (double)j * random_unit(&state));
  }
  bounds_of(s, 0.02f, 0, 0);
}
/* All curves but one are constant. The next scenes change the bound, so that constants have all formats. */
static void scene_constants(scene *s) {
  const double *times = even_times(s, 20, 0, 30);
  scene_joints(s, 150);
  for (size_t j = 0; j < 150; j++) {
    quatsimd_curve *r = &s->joint[j].rotation;
    *r = swinging(s, 300 + j, times, j % 3 == 0 ? 1 : 20, 0, 1);
    if (j % 3 == 0) r->times = NULL;
    if (j % 7 == 1)
      for (size_t k = 0; k < r->key_count; k++)
        put_quat(values_of(r) + 4 * k, (scene_quat){{0, 0, 0, j % 2 ? -1 : 1}});
    if (j % 5 == 2)
      s->joint[j].translation = drifting(s, 400 + j, NULL, 1, 3, 1),
      s->joint[j].scale = drifting(s, 500 + j, NULL, 1, 1, 0);
  }
  s->joint[77].rotation = swinging(s, 77, times, 20, 0.3, 2);
  bounds_of(s, 3e-3f, 1e-3f, 1e-3f);
}
static void scene_constants_10(scene *s) { scene_constants(s), bounds_of(s, 1e-3f, 1e-3f, 1e-3f); }
static void scene_constants_1(scene *s) { scene_constants(s), bounds_of(s, 1e-4f, 1e-3f, 1e-3f); }
static void scene_constants_exact(scene *s) { scene_constants(s), bounds_of(s, 1e-5f, 1e-3f, 1e-3f); }
/* All rotations have the same bound except one, which needs the finest format. */
static void scene_constants_mixed(scene *s) { scene_constants(s), s->joint[12].rotation_bound = 1e-5f; }
/* Each joint rotates about one axis, which is not x, y or z. */
static void scene_hinge(scene *s) {
  s->frames = 601, s->rate = 60;
  const double *times = even_times(s, 601, 0, 60);
  scene_joints(s, 3);
  for (size_t j = 0; j < 3; j++) {
    uint64_t state = 900 + j;
    const scene_quat base = random_quat(&state), axis = random_quat(&state);
    s->joint[j].rotation = swinging(s, 0, times, 601, 0, 0);
    for (size_t k = 0; k < 601; k++) {
      const double turn = (double)(j + 1) * smooth_noise(600 + j, times[k]) * 0.5;
      const scene_quat q =
          scene_unit((scene_quat){{turn * axis.v[0], turn * axis.v[1], turn * axis.v[2], 1}});
      put_quat(values_of(&s->joint[j].rotation) + 4 * k, scene_product(q, base));
    }
  }
  bounds_of(s, 5e-4f, 0, 0);
}
/* Joints make full turns, slow and fast. One joint turns by almost half a turn in a frame. */
static void scene_turns(scene *s) {
  s->frames = 200, s->rate = 30;
  const double *times = even_times(s, 200, 0, 30);
  scene_joints(s, 9);
  for (size_t j = 0; j < 9; j++)
    s->joint[j].rotation = turning(s, 700 + j, times, 200, j < 8 ? 0.01 * (double)(j * j + 1) : 0.98);
  bounds_of(s, 1e-3f, 0, 0);
}
/* Keys are quaternions of three lengths and both signs. Length and sign do not change the rotation. */
static void scene_flips(scene *s) {
  scene_smooth(s);
  uint64_t state = 5;
  for (size_t j = 0; j < s->source.joint_count; j++)
    for (size_t k = 0; k < 61; k++)
      scale_key(&s->joint[j].rotation, k,
                (random_unit(&state) < 0.5 ? -1.0f : 1.0f) * (j % 2   ? 1.0f
                                                              : j % 4 ? 0x1p-31f
                                                                      : 0x1p31f));
}
/* Each joint jumps once by half a turn about x, y or z, exactly or nearly. */
static void scene_half_turns(scene *s) {
  scene_smooth(s);
  for (size_t j = 0; j < s->source.joint_count; j++)
    for (size_t k = 20 + j % 5; k < 61; k++) {
      float *q = values_of(&s->joint[j].rotation) + 4 * k;
      scene_quat half = {{0, 0, 0, j > 12 ? 1e-3 : j > 6 ? -1e-3 : 0}};
      half.v[j % 3] = 1;
      put_quat(q, scene_product(half, scene_unit((scene_quat){{q[0], q[1], q[2], q[3]}})));
    }
}
static void scene_one_frame(scene *s) {
  s->frames = 1, s->rate = 1;
  scene_joints(s, 6);
  for (size_t j = 0; j < 6; j++) {
    s->joint[j].rotation = swinging(s, 800 + j, j % 2 ? even_times(s, 1, 2.5, 1) : NULL, 1, 0.5, 1);
    s->joint[j].translation = drifting(s, 810 + j, NULL, 1, 5, 2);
    s->joint[j].scale = drifting(s, 820 + j, NULL, j == 3 ? 0 : 1, 1, 0.1);
  }
  bounds_of(s, 1e-3f, 1e-3f, 1e-3f);
}
static void scene_one_joint(scene *s) {
  s->frames = 300, s->rate = 30;
  swinging_joints(s, 1, even_times(s, 300, 0, 30), 300, 40);
  s->joint[0].rotation = swinging(s, 41, s->joint[0].rotation.times, 300, 0.5, 1);
  bounds_of(s, 1e-3f, 0, 0);
}
static void scene_no_joints(scene *s) {
  s->frames = 1, s->rate = 1;
  scene_joints(s, 0);
  bounds_of(s, 1e-3f, 0, 0);
}
static void scene_no_curves(scene *s) {
  s->frames = 1, s->rate = 1;
  scene_joints(s, 5);
}
static void scene_many_joints(scene *s) {
  s->frames = 9, s->rate = 30;
  swinging_joints(s, 10000, even_times(s, 9, 0, 30), 9, 1000);
  for (size_t j = 0; j < 10000; j += 3) s->joint[j].rotation.key_count = j % 2;
  bounds_of(s, 2e-3f, 0, 0);
}
/* There are so many joints that the numbers of their slots in a pose take three bytes. */
static void scene_crowd(scene *s) {
  s->frames = 4, s->rate = 10;
  const double *times = even_times(s, 4, 0, 10);
  scene_joints(s, 70000);
  for (size_t j = 69990; j < 70000; j++) s->joint[j].rotation = swinging(s, j, times, 4, 0.3, 2);
  s->joint[1].rotation = swinging(s, 1, times, 4, 0.2, 2),
  s->joint[300].translation = drifting(s, 3, times, 4, 0, 1);
  bounds_of(s, 1e-3f, 1e-3f, 0);
}
/* The clip lasts an hour at 120 Hz. */
static void scene_hour(scene *s) {
  s->frames = 432001, s->rate = 120;
  const double *times = even_times(s, 432001, 0, 120);
  scene_joints(s, 3);
  s->joint[0].rotation = swinging(s, 50, times, 432001, 0.3, 1);
  s->joint[1].rotation = turning(s, 51, times, 432001, 0.001);
  s->joint[2].translation = drifting(s, 52, times, 432001, 0, 1);
  bounds_of(s, 2e-3f, 1e-3f, 0);
}
/* Most curves hold their keys. Some keys are between frames. Some curves have only one or two keys. */
static void scene_steps(scene *s) {
  scene_joints(s, 9);
  const double *times = even_times(s, 31, 0, 30), *off = uneven_times(s, 12, 0.013, 14, false, 3),
               *floats = uneven_times(s, 12, -0.25, 10, true, 4);
  const double *two = even_times(s, 2, 0.1, 7);
  s->joint[0].rotation = swinging(s, 60, times, 31, 0.3, 2);
  s->joint[1].rotation = holding(jumping(s, 61, times, 31));
  s->joint[2].rotation = holding(jumping(s, 62, off, 12)),
  s->joint[2].scale = holding(drifting(s, 63, off, 12, 1, 0.5));
  s->joint[3].rotation = holding(jumping(s, 64, floats, 12)),
  s->joint[3].translation = holding(drifting(s, 65, floats, 12, 0, 9));
  s->joint[4].rotation = holding(jumping(s, 66, two, 2)),
  s->joint[4].scale = holding(drifting(s, 67, two, 2, 1, 0.5));
  s->joint[5].rotation = holding(jumping(s, 68, NULL, 1));
  s->joint[6].rotation = holding(swinging(s, 69, off, 12, 0, 1)); /* all keys are equal */
  s->joint[7].translation = drifting(s, 70, times, 31, 0, 1);
  bounds_of(s, 1e-3f, 1e-3f, 1e-3f);
}
/* Keys are at frames of an even rate, but their times are rounded to float, as in glTF. */
static void scene_steps_in_float(scene *s) {
  s->frames = 60, s->rate = 30;
  double *times = even_times(s, 60, 0, 30);
  for (size_t k = 0; k < 60; k++) times[k] = (double)(float)times[k];
  scene_joints(s, 3);
  s->joint[0].rotation = swinging(s, 90, times, 60, 0.3, 2);
  s->joint[1].rotation = holding(jumping(s, 91, times, 60)),
  s->joint[2].rotation = holding(jumping(s, 92, times + 7, 30));
  bounds_of(s, 1e-3f, 0, 0);
}
/* Keys are off by some ten-thousandths of a frame, so the clip lists the times of its frames. */
static void scene_jitter(scene *s) {
  s->frames = 61, s->rate = 0;
  double *times = even_times(s, 61, 0, 30);
  uint64_t state = 13;
  for (size_t k = 1; k < 60; k++) times[k] += (random_unit(&state) - 0.5) * 1.6e-3 / 30;
  swinging_joints(s, 5, times, 61, 190);
  s->joint[3].rotation = jumping(s, 195, times, 61);
  bounds_of(s, 1e-4f, 0, 0);
}
static void scene_steps_alone(scene *s) {
  scene_joints(s, 3);
  for (size_t j = 0; j < 3; j++)
    s->joint[j].rotation = holding(jumping(s, 71 + j, uneven_times(s, 5, 0.7, 3, false, j), 5));
  bounds_of(s, 1e-3f, 0, 0);
}
/* Keys have uneven times, which are the same in all curves. */
static void scene_uneven(scene *s) {
  s->frames = 50, s->rate = 0;
  swinging_joints(s, 10, uneven_times(s, 50, 1.5, 20, true, 8), 50, 120);
  bounds_of(s, 1e-3f, 0, 0);
}
/* Keys have uneven times, which differ from curve to curve. */
static void scene_strangers(scene *s) {
  scene_joints(s, 10);
  for (size_t j = 0; j < 10; j++) {
    const size_t keys = 20 + 5 * j;
    s->joint[j].rotation =
        swinging(s, 130 + j, uneven_times(s, keys, 0.01 * (double)j, 15, j % 2 == 0, 20 + j), keys, 0.2, 1);
    if (j > 6)
      s->joint[j].translation = drifting(s, 140 + j, uneven_times(s, keys, 0, 15, false, 40 + j), keys, 0, 1);
  }
  bounds_of(s, 1e-3f, 1e-3f, 0);
}
/* Some curves have a key at each frame. Others have fewer keys, and are interpolated between them. */
static void scene_sparse(scene *s) {
  s->frames = 61, s->rate = 30;
  const double *times = even_times(s, 61, 0, 30), *tenth = even_times(s, 7, 0, 3),
               *late = even_times(s, 3, 0.5, 2);
  scene_joints(s, 6);
  for (size_t j = 0; j < 6; j++) s->joint[j].rotation = swinging(s, 150 + j, times, 61, 0.2, 2);
  s->joint[1].rotation = swinging(s, 160, tenth, 7, 1, 3),
  s->joint[2].rotation = turning(s, 161, tenth, 7, 0.4);
  s->joint[3].rotation = swinging(s, 162, late, 3, 1, 3); /* this curve begins late and ends early */
  s->joint[4].rotation = swinging(s, 163, even_times(s, 2, 0, 0.5), 2, 1, 3);
  s->joint[5].translation = drifting(s, 164, tenth, 7, 0, 1),
  s->joint[0].scale = drifting(s, 165, late, 3, 1, 0.3);
  bounds_of(s, 1e-3f, 1e-3f, 1e-3f);
}
static void scene_late(scene *s) {
  s->frames = 40, s->rate = 30;
  swinging_joints(s, 5, even_times(s, 40, 3.7, 30), 40, 170);
  bounds_of(s, 1e-3f, 0, 0);
}
static void scene_early(scene *s) { /* times are negative floats far from 0 */
  s->frames = 40, s->rate = 30;
  double *times = even_times(s, 40, -1000, 30);
  for (size_t k = 0; k < 40; k++) times[k] = (double)(float)times[k];
  swinging_joints(s, 5, times, 40, 180);
  bounds_of(s, 1e-3f, 0, 0);
}
static void scene_bodies(scene *s) { /* rotations, translations and scales */
  s->frames = 75, s->rate = 25;
  const double *times = even_times(s, 75, 0, 25);
  scene_joints(s, 13);
  for (size_t j = 0; j < 13; j++) {
    s->joint[j].rotation = swinging(s, 190 + j, times, j == 4 ? 0 : 75, 0.2, 2);
    if (j % 2 == 0)
      s->joint[j].translation =
          drifting(s, 210 + j, times, 75, 10 * (double)j, 0.02 * (double)(j * j) + 0.001);
    if (j % 3 == 0) s->joint[j].scale = drifting(s, 230 + j, times, 75, 1, 0.02 * (double)j);
  }
  bounds_of(s, 1e-3f, 1e-3f, 1e-3f);
}
/* Some translations are so large that adjacent floats are as far apart as the bound, some are smaller, and
 * some are too large for knots. */
static void scene_far(scene *s) {
  s->frames = 40, s->rate = 30;
  const double *times = even_times(s, 40, 0, 30);
  scene_joints(s, 8);
  for (size_t j = 0; j < 8; j++)
    s->joint[j].translation = drifting(s, 310 + j, times, 40, j % 2 ? 0x1p+13 : 0,
                                       4.0 * (double)((j + 1) * (j + 1) * (j + 1) * (j + 1)));
  s->joint[7].translation = drifting(s, 320, times, 40, 0, 0x1p+50), s->joint[7].translation_bound = 0x1p+26f;
  s->joint[6].translation = drifting(s, 321, times, 40, 0, 0x1p+55), s->joint[6].translation_bound = 0x1p+31f;
  bounds_of(s, 0, 2e-3f, 0);
}
/* Joints have their own bounds, so the quanta of moving curves differ widely. */
static void scene_bounds(scene *s) {
  scene_bodies(s);
  for (size_t j = 0; j < 13; j++) {
    s->joint[j].rotation_bound = j % 4 ? 1e-4f * (float)((j + 1) * (j + 1)) : 0;
    s->joint[j].translation_bound = j % 3 ? 1e-4f * (float)((j + 1) * (j + 1) * (j + 1)) : 0;
  }
  s->joint[5].rotation_bound = 1e-5f, s->joint[11].rotation_bound = 1, s->joint[12].translation_bound = 50,
  s->joint[6].scale_bound = 1e-4f;
}
/* The encoded clip has more frames than the source has keys. */
static void scene_faster(scene *s) {
  scene_smooth(s);
  s->options.rate = 120;
  s->frames = 241, s->rate = 120;
}
/* Some keys are between frames. Interpolation between the frames exceeds the bound at these keys. */
static void scene_slower(scene *s) {
  scene_smooth(s);
  s->options.rate = 24;
  s->frames = 49, s->rate = 24;
}
/* Some keys are between frames, but the motion is slow enough for the bound. The signs of the keys vary. */
static void scene_retimed(scene *s) {
  s->options.rate = 45, s->frames = 91, s->rate = 45;
  const double *times = even_times(s, 61, 0, 30);
  uint64_t state = 14;
  scene_joints(s, 7);
  for (size_t j = 0; j < 7; j++) {
    s->joint[j].rotation = swinging(s, 450 + j, times, 61, 0.1, 0.5);
    for (size_t k = 0; k < 61; k++)
      scale_key(&s->joint[j].rotation, k, random_unit(&state) < 0.5 ? -1.0f : 1.0f);
  }
  bounds_of(s, 5e-3f, 0, 0);
}
static void close_up(quatsimd_curve *curve, size_t n) {
  memcpy(values_of(curve) + n * (curve->key_count - 1), curve->values, n * sizeof(float));
}
static void scene_loop(scene *s) {
  scene_bodies(s);
  s->options.looping = 1;
  for (size_t j = 0; j < 13; j++) {
    if (s->joint[j].rotation.key_count)
      close_up(&s->joint[j].rotation, 4), scale_key(&s->joint[j].rotation, 74, j % 2 ? -1.0f : 1.0f);
    if (s->joint[j].translation.key_count)
      close_up(&s->joint[j].translation, 3), values_of(&s->joint[j].translation)[3 * 74] += 2e-4f;
    if (s->joint[j].scale.key_count) close_up(&s->joint[j].scale, 3);
  }
}
static void scene_uneven_loop(scene *s) {
  scene_uneven(s);
  s->options.looping = 1;
  for (size_t j = 0; j < 10; j++) close_up(&s->joint[j].rotation, 4);
}
/* Joints make a full turn. The last key equals the first, but the sampled quaternion has the other sign. */
static void scene_round_loop(scene *s) {
  s->frames = 65, s->rate = 32;
  s->options.looping = 1, s->round = true;
  scene_joints(s, 2);
  for (size_t j = 0; j < 2; j++) {
    /* `quarter` is tan(pi / 128) */
    s->joint[j].rotation = turning(s, 330 + j, even_times(s, 65, 0, 32), 65, 0.024548622108925);
    close_up(&s->joint[j].rotation, 4);
  }
  bounds_of(s, 1e-3f, 0, 0);
}
/* Makes a clip of `frames` frames. The next scenes choose `frames` so that the lengths of blocks differ. */
static void scene_lengths_of(scene *s, size_t frames) {
  s->frames = frames, s->rate = 16;
  swinging_joints(s, frames % 11 + 1, even_times(s, frames, 0, 16), frames, 350 + frames);
  s->joint[0].translation = drifting(s, 340, s->joint[0].rotation.times, frames, 0, 1);
  bounds_of(s, 1e-3f, 1e-3f, 0);
}
static void scene_two_frames(scene *s) { scene_lengths_of(s, 2); }
static void scene_three_frames(scene *s) { scene_lengths_of(s, 3); }
static void scene_block(scene *s) { scene_lengths_of(s, 18); }
static void scene_block_and_one(scene *s) { scene_lengths_of(s, 19); }
/* The clip is small and has every kind of curve. Tests damage it. */
static void scene_small(scene *s) {
  scene_joints(s, 4);
  const double *times = even_times(s, 20, 0, 30), *off = uneven_times(s, 3, 0.1, 5, false, 9);
  s->joint[0].rotation = swinging(s, 370, times, 20, 0.3, 3),
  s->joint[0].translation = drifting(s, 371, times, 20, 0, 1);
  s->joint[1].rotation = jumping(s, 372, times, 20);
  s->joint[2].rotation = holding(jumping(s, 373, off, 3)),
  s->joint[2].scale = drifting(s, 374, NULL, 1, 2, 0.5);
  s->joint[3].rotation = swinging(s, 375, NULL, 1, 0.5, 1), s->joint[3].rotation_bound = 1e-3f;
  bounds_of(s, 1e-2f, 1e-2f, 1e-2f);
}
static void scene_small_uneven(scene *s) {
  scene_small(s);
  const double *times = uneven_times(s, 20, 0.5, 30, true, 10), *own = uneven_times(s, 4, 0.5, 6, false, 11);
  s->joint[0].rotation.times = s->joint[0].translation.times = s->joint[1].rotation.times = times;
  s->joint[3].translation = holding(drifting(s, 376, own, 4, 0, 1));
  s->options.looping = 1;
  close_up(&s->joint[0].rotation, 4), close_up(&s->joint[0].translation, 3),
      close_up(&s->joint[1].rotation, 4);
  close_up(&s->joint[2].rotation, 4), close_up(&s->joint[3].translation, 3);
}
static void scene_additive(scene *s, int additive) {
  scene_sparse(s);
  const double *times = even_times(s, 31, 0, 15), *one = even_times(s, 1, 0, 1);
  s->options.additive = additive;
  quatsimd_clip_joint *base = scene_take(s, 6 * sizeof *base);
  for (size_t j = 0; j < 6; j++) {
    const size_t keys = j % 3 == 0 ? 1 : 31;
    base[j].rotation = swinging(s, 400 + j, keys > 1 ? times : one, keys, 0.2, 1);
    base[j].translation = drifting(s, 410 + j, keys > 1 ? times : one, keys, 1, 0.3);
    if (j % 2 == 0) base[j].scale = drifting(s, 420 + j, keys > 1 ? times : one, keys, 1.5, 0.2);
  }
  s->base = (quatsimd_clip_source){6, base, 0, NULL};
  if (additive == QUATSIMD_CLIP_ADDITIVE_BASE) s->options.additive_base = &s->base;
  s->frames = 0;
}
static void scene_additive_first(scene *s) { scene_additive(s, QUATSIMD_CLIP_ADDITIVE_FIRST); }
static void scene_additive_base(scene *s) { scene_additive(s, QUATSIMD_CLIP_ADDITIVE_BASE); }

/* The clip has a bound in model space and a tree of joints, some of which stretch. */
static void scene_object(scene *s) {
  s->frames = 40, s->rate = 30;
  const double *times = even_times(s, 40, 0, 30);
  scene_joints(s, 21);
  for (size_t j = 0; j < 21; j++) {
    s->joint[j].parent = j > 0 ? (int64_t)(j - 1) / 2 : -1;
    s->joint[j].rotation = swinging(s, 500 + j, times, 40, 0.05 * (double)(j % 5 + 1), 2);
    s->joint[j].translation = drifting(s, 530 + j, times, j == 0 || j == 9 ? 40 : 1, 0.2, 0.1);
    if (j % 4 == 1) s->joint[j].scale = drifting(s, 560 + j, times, j % 8 == 1 ? 40 : 1, 1.2, 0.3);
  }
  s->joint[7].rotation = holding(s->joint[7].rotation);
  s->options.object_bound = 1e-3f, s->options.object_distance = 0.05f;
}
/* Children come before their parents, there are two roots, and some joints have their own bounds. */
static void scene_object_backwards(scene *s) {
  scene_object(s);
  for (size_t j = 0; j < 21; j++) s->joint[j].parent = j < 19 ? (int64_t)(j + 2) : -1;
  s->joint[0].object_bound = 1e-4f, s->joint[5].object_bound = 1, s->joint[8].object_distance = 2,
  s->joint[20].object_bound = 5e-3f;
}
static void scene_object_additive(scene *s) {
  scene_additive(s, QUATSIMD_CLIP_ADDITIVE_BASE);
  quatsimd_clip_joint *base = (quatsimd_clip_joint *)(uintptr_t)s->base.joints;
  /* Between the base's keys, the slerps of base and clip do not add up exactly to the source's slerp. */
  for (size_t j = 0; j < 6; j++) {
    s->joint[j].parent = j < 2 ? -1 : (int64_t)j - 2;
    base[j].rotation = swinging(s, 590 + j, even_times(s, 61, 0, 30), 61, 0.2, 1);
  }
  bounds_of(s, 0, 0, 0);
  s->options.object_bound = 2e-3f, s->options.object_distance = 0.5f;
}

/* ---- tracks ---- */

/* Makes splines of all kinds, beside a linear curve. Joint 3's rotation passes near zero, its other splines
 * are so exact that numbers are floats, and their keys are at the times of frames. */
static void splines(scene *s, size_t joints) {
  scene_joints(s, joints);
  bounds_of(s, 1e-3f, 1e-3f, 1e-3f);
  for (size_t j = 0; j < joints; j++) {
    const double *times = j % 2 ? uneven_times(s, 9, 0.25, 4, j == 1, 800 + j) : even_times(s, 9, 0, 4);
    quatsimd_clip_joint *joint = &s->joint[j];
    joint->rotation = splined(s, swinging(s, 810 + j, times, 9, 0.3, 2), 4);
    joint->translation = splined(s, drifting(s, 820 + j, times, 9, (double)j, 0.5), 3);
    joint->scale = splined(s, drifting(s, 830 + j, times, 9, 1, 0.1), 3);
  }
}
static void scene_splines(scene *s) {
  splines(s, 5);
  scene_tracks(s, 2);
  s->joint[4].rotation = swinging(s, 840, even_times(s, 3, 0, 1), 3, 0.3, 1);
  s->joint[4].scale = (quatsimd_curve){0};
  float *q = values_of(&s->joint[3].rotation);
  for (size_t c = 0; c < 4; c++) { /* in the middle of keys 2 and 3 */
    q[12 * 3 + 4 + c] = (float)(-0.995 * (double)q[12 * 2 + 4 + c]);
    q[12 * 2 + 8 + c] = q[12 * 3 + c] = 0;
  }
  s->joint[3].translation_bound = s->joint[3].scale_bound = 5e-7f;
  s->track[0].curve = splined(s, drifting(s, 850, even_times(s, 7, 0, 3), 7, 0, 1), 1);
  s->track[1].curve = splined(s, drifting(s, 851, uneven_times(s, 7, 0, 3, true, 852), 7, 0, 1000), 1);
}
static void scene_splines_first(scene *s) {
  scene_splines(s);
  s->options.additive = QUATSIMD_CLIP_ADDITIVE_FIRST;
}
static void scene_splines_object(scene *s) {
  splines(s, 5);
  bounds_of(s, 0, 0, 0);
  s->options.object_bound = 1e-3f, s->options.object_distance = 0.1f;
}
/* The clip has few bytes, because tests change each byte. */
static void scene_small_splines(scene *s) {
  const double *times = even_times(s, 3, 0, 1);
  scene_joints(s, 1);
  scene_tracks(s, 1);
  s->joint[0].rotation = splined(s, swinging(s, 860, times, 3, 0.3, 1), 4);
  s->track[0].curve = splined(s, drifting(s, 861, times, 3, 0, 1), 1);
  s->track[0].bound = 1e-8f;
  bounds_of(s, 1e-3f, 0, 0);
}
/* Curves on bases that move, which are stored as both: splines, lines and steps on each other. */
static void pairs(scene *s, size_t joints, size_t keys) {
  quatsimd_clip_joint *base = scene_take(s, joints * sizeof *base);
  scene_joints(s, joints);
  bounds_of(s, 1e-4f, 1e-4f, 1e-4f);
  for (size_t j = 0; j < joints; j++) {
    const double *own = even_times(s, keys, 0, 2), *other = uneven_times(s, keys, 0, 3, j % 2, 870 + j);
    quatsimd_clip_joint *joint = &s->joint[j];
    joint->rotation = swinging(s, 880 + j, own, keys, 0.4, 1), base[j] = *joint;
    joint->translation = drifting(s, 890 + j, own, keys, (double)j, 0.5);
    joint->scale = drifting(s, 900 + j, own, keys, 1, 0.1);
    base[j].rotation = swinging(s, 910 + j, other, keys, 0.3, 1);
    base[j].translation = drifting(s, 920 + j, other, keys, 1, 0.5);
    base[j].scale = drifting(s, 930 + j, other, keys, 1, 0.3);
    if (j % 4 == 1) joint->rotation = splined(s, joint->rotation, 4), joint->scale = (quatsimd_curve){0};
    if (j % 4 == 1) joint->translation = splined(s, joint->translation, 3);
    if (j % 4 == 2) base[j].rotation = splined(s, base[j].rotation, 4), joint->scale = holding(joint->scale);
    if (j % 4 == 2) base[j].translation = holding(base[j].translation);
    if (j % 4 == 3) base[j].scale = splined(s, base[j].scale, 3), joint->scale = splined(s, joint->scale, 3);
  }
  s->base = (quatsimd_clip_source){joints, base, 0, NULL};
  s->options.additive = QUATSIMD_CLIP_ADDITIVE_BASE, s->options.additive_base = &s->base;
}
static void scene_pairs(scene *s) {
  quatsimd_clip_track *base = scene_take(s, 2 * sizeof *base);
  pairs(s, 6, 6);
  scene_tracks(s, 2);
  s->track[0].curve = splined(s, drifting(s, 940, even_times(s, 5, 0, 2), 5, 0, 1), 1);
  s->track[1].curve = drifting(s, 941, even_times(s, 5, 0, 2), 5, 0, 1);
  base[0].curve = splined(s, drifting(s, 942, uneven_times(s, 5, 0, 2, true, 943), 5, 0, 1), 1);
  base[1].curve = splined(s, drifting(s, 944, uneven_times(s, 5, 0, 2, false, 945), 5, 0, 1), 1);
  s->base.tracks = base, s->base.track_count = 2;
}
static void scene_pairs_object(scene *s) {
  pairs(s, 5, 6);
  bounds_of(s, 0, 0, 0);
  s->options.object_bound = 1e-3f, s->options.object_distance = 0.1f;
}
static void scene_small_pairs(scene *s) { pairs(s, 2, 2); }

/* Makes a curve of bumps like the weights of a face: from 0 to about 1, with 0 between bumps. */
static inline quatsimd_curve bumps(scene *s, uint64_t seed, const double *times, size_t keys) {
  float *v = scene_take(s, keys * sizeof *v);
  for (size_t k = 0; k < keys; k++) {
    const double x = 1.6 * smooth_noise(seed, 3 * times[k]) - 0.6;
    v[k] = x > 0 ? (float)(x + 0.0003 * lattice_noise(seed, (int64_t)k)) : 0;
  }
  return (quatsimd_curve){keys, times, v, QUATSIMD_CURVE_LINEAR};
}
static inline quatsimd_curve noise_track(scene *s, uint64_t seed, const double *times, size_t keys,
                                         double amplitude) {
  /* spline_track needs three floats for each key; a linear curve uses the first `keys` floats */
  float *v = scene_take(s, 3 * keys * sizeof *v);
  for (size_t k = 0; k < 3 * keys; k++) v[k] = (float)(amplitude * lattice_noise(seed, (int64_t)k));
  return (quatsimd_curve){keys, times, v, QUATSIMD_CURVE_LINEAR};
}
static inline quatsimd_curve spline_track(quatsimd_curve curve) {
  curve.interpolation = QUATSIMD_CURVE_CUBIC;
  return curve;
}
/* The clip has every kind of track. Some tracks have keys at their own times, or their own bounds. */
static void scene_face_alone(scene *s) {
  const double *times = even_times(s, 121, 0, 60), *off = uneven_times(s, 20, 0.1, 12, false, 5),
               *few = even_times(s, 5, 0, 2);
  scene_joints(s, 0);
  scene_tracks(s, 37);
  for (size_t t = 0; t < 37; t++) s->track[t].curve = bumps(s, 700 + t, times, 121);
  s->track[3].curve = noise_track(s, 740, times, 121, 1);
  s->track[4].curve = noise_track(s, 741, times, 121, 1000);
  s->track[5].curve = noise_track(s, 742, times, 1, 1);
  s->track[6].curve = noise_track(s, 743, times, 121, 0.0009);
  s->track[7].curve = (quatsimd_curve){0};
  s->track[8].curve = holding(noise_track(s, 744, off, 20, 1));
  s->track[9].curve = noise_track(s, 745, off, 20, 1);
  s->track[10].curve = spline_track(noise_track(s, 746, few, 5, 1));
  s->track[11].bound = 0.1f, s->track[12].bound = 1e-5f, s->track[13].bound = 1e-9f;
}
/* The clip has few bytes, because tests change each byte. */
static void scene_small_face(scene *s) {
  const double *times = even_times(s, 30, 0, 30), *off = uneven_times(s, 3, 0.1, 5, false, 9);
  scene_joints(s, 1);
  scene_tracks(s, 10);
  s->joint[0].rotation = swinging(s, 760, times, 30, 0.3, 3);
  for (size_t t = 0; t < 5; t++) s->track[t].curve = bumps(s, 770 + t, times, 30);
  s->track[5].curve = noise_track(s, 780, times, 30, 1e6);
  s->track[6].curve = noise_track(s, 781, off, 1, 1);
  s->track[7].curve = noise_track(s, 782, off, 3, 1e-4);
  s->track[8].curve = holding(noise_track(s, 783, off, 3, 1));
  s->options.track_bound = 0.01f;
  bounds_of(s, 1e-2f, 0, 0);
}
static void scene_face(scene *s) {
  quatsimd_clip_track *track;
  scene_face_alone(s);
  track = s->track;
  scene_bodies(s);
  s->frames = 0;
  s->source.track_count = 37, s->source.tracks = s->track = track;
}
static void scene_face_loop(scene *s) {
  scene_face_alone(s);
  s->options.looping = 1;
  for (size_t t = 0; t < 37; t++)
    if (s->track[t].curve.key_count > 1 && t != 10) close_up(&s->track[t].curve, 1);
  s->track[10].curve = (quatsimd_curve){0};
}
static void scene_face_additive(scene *s) {
  scene_face(s);
  s->options.additive = QUATSIMD_CLIP_ADDITIVE_FIRST;
}
static void scene_face_object(scene *s) {
  scene_face(s);
  s->options.object_bound = 0.01f, s->options.object_distance = 0.1f;
}

typedef struct scene_maker {
  const char *name;
  void (*make)(scene *s);
} scene_maker;
#define SCENE(name)                                                                                          \
  { #name, scene_##name }
static const scene_maker scenes[] = {SCENE(smooth),
                                     SCENE(tight),
                                     SCENE(loose),
                                     SCENE(noise),
                                     SCENE(noisy),
                                     SCENE(constants),
                                     SCENE(constants_10),
                                     SCENE(constants_1),
                                     SCENE(constants_exact),
                                     SCENE(constants_mixed),
                                     SCENE(hinge),
                                     SCENE(turns),
                                     SCENE(flips),
                                     SCENE(half_turns),
                                     SCENE(one_frame),
                                     SCENE(one_joint),
                                     SCENE(no_joints),
                                     SCENE(no_curves),
                                     SCENE(many_joints),
                                     SCENE(crowd),
                                     SCENE(hour),
                                     SCENE(steps),
                                     SCENE(steps_alone),
                                     SCENE(steps_in_float),
                                     SCENE(jitter),
                                     SCENE(uneven),
                                     SCENE(strangers),
                                     SCENE(sparse),
                                     SCENE(late),
                                     SCENE(early),
                                     SCENE(bodies),
                                     SCENE(far),
                                     SCENE(bounds),
                                     SCENE(faster),
                                     SCENE(slower),
                                     SCENE(retimed),
                                     SCENE(loop),
                                     SCENE(uneven_loop),
                                     SCENE(round_loop),
                                     SCENE(two_frames),
                                     SCENE(three_frames),
                                     SCENE(block),
                                     SCENE(block_and_one),
                                     SCENE(small),
                                     SCENE(small_uneven),
                                     SCENE(additive_first),
                                     SCENE(additive_base),
                                     SCENE(object),
                                     SCENE(object_backwards),
                                     SCENE(object_additive),
                                     SCENE(splines),
                                     SCENE(splines_first),
                                     SCENE(splines_object),
                                     SCENE(small_splines),
                                     SCENE(pairs),
                                     SCENE(pairs_object),
                                     SCENE(small_pairs),
                                     SCENE(face),
                                     SCENE(face_alone),
                                     SCENE(face_loop),
                                     SCENE(face_additive),
                                     SCENE(face_object),
                                     SCENE(small_face)};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

static inline void scene_make(scene *s, const scene_maker *maker) {
  *s = (scene){0};
  maker->make(s);
  if (s->options.additive_base) s->options.additive_base = &s->base; /* s->base may have moved */
}

#endif
