/* Encoding: errors, bytes, sizes. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw_curve.h"
#include "support/kernels.h"

static quatsimd_status encode(void **data, size_t *size, const scene *s, const quatsimd_clip_options *options,
                              quatsimd_clip_report *report) {
  quatsimd_clip_report_init(report, sizeof *report);
  return quatsimd_clip_encode(data, size, &s->source, options, report);
}

int complain(const scene *s, const char *what) {
  print_scene(s);
  printf("%s", what);
  print_features(s);
  return 1;
}

int check_encodes(encoded *e, const scene *s) {
  memset(e, 0, sizeof *e);
  if (encode(&e->data, &e->size, s, &s->options, &e->report) != QUATSIMD_OK) {
    print_scene(s);
    printf("not encoded: %s (kind %d, number %zu, key %zu)",
           e->report.error ? e->report.error : "out of memory", (int)e->report.kind, e->report.joint,
           e->report.key);
    print_features(s);
    return 1;
  }
  if (quatsimd_clip_open(&e->clip, &e->storage, sizeof e->storage, e->data, e->size) == QUATSIMD_OK) return 0;
  quatsimd_clip_free(NULL, e->data);
  return complain(s, "not opened");
}

void encoded_free(encoded *e) { quatsimd_clip_free(NULL, e->data); }

static void run_backwards(void *context, void (*task)(void *data, size_t i), void *data, size_t count) {
  (void)context;
  while (count > 0) task(data, --count);
}

int check_bytes(const scene *s, const encoded *e) {
  uint64_t dice = scene_dice(s, "bytes", 0, 0);
  const quatsimd_runner runner = {run_backwards, NULL};
  quatsimd_clip_options options = s->options;
  options.runner = &runner;
  const quatsimd_kernels *tables[MAX_KERNELS];
  const quatsimd_kernels *k = tables[below(&dice, (uint32_t)all_kernels(tables))];
  if (below(&dice, 8) != 0) return 0;
  if (can_run(k)) quatsimd_use_kernels(k);
  void *data = NULL;
  size_t size = 0;
  quatsimd_clip_report report;
  const bool good = encode(&data, &size, s, &options, &report) == QUATSIMD_OK && size == e->size &&
                    memcmp(data, e->data, size) == 0 &&
                    memcmp(report.worst, e->report.worst, sizeof report.worst) == 0;
  quatsimd_use_kernels(NULL);
  quatsimd_clip_free(NULL, data);
  return good ? 0 : complain(s, "other bytes with another kernel and a runner");
}

/* Returns the bytes that a curve may take: 4 for itself, times that are no floats have 8, and a turn of more
 * than 120 degrees may need another key. */
static size_t floats_of(const quatsimd_curve *c, int kind) {
  const bool cubic = c->interpolation == QUATSIMD_CURVE_CUBIC;
  const size_t n = (size_t)components_of[kind];
  size_t keys = c->key_count, time = 4;
  for (size_t k = 0; k < c->key_count && c->key_count > 1; k++)
    if ((double)(float)c->times[k] != c->times[k]) time = 8;
  for (size_t k = 1; k < c->key_count && kind == 0 && c->interpolation == QUATSIMD_CURVE_LINEAR; k++) {
    const float *a = c->values + n * (k - 1), *b = a + n;
    double dot = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < n; i++)
      dot += (double)(a[i] * b[i]), aa += (double)(a[i] * a[i]), bb += (double)(b[i] * b[i]);
    keys += fabs(dot) < 0.501 * sqrt(aa * bb);
  }
  return 4 * (keys > 0) + keys * (time + 4 * n * (cubic ? 3 : 1));
}

static size_t most_bytes(const scene *s) {
  size_t bytes = 128 + s->joint_count + s->track_count;
  for (int kind = 0; kind < 4; kind++)
    for (size_t i = 0; i < count_of(s, kind); i++) {
      bytes += floats_of(curve_of(s->joints, s->tracks, kind, i), kind);
      bytes += floats_of(curve_of(s->base_joints, s->base_tracks, kind, i), kind);
    }
  return bytes;
}

/* Encodes the scene with bounds of points `times` as large. Returns the clip's bytes. */
static size_t size_with_bounds(const scene *s, float times) {
  scene coarse = *s;
  quatsimd_clip_joint *joints = malloc((s->joint_count + 1) * sizeof *joints);
  if (!joints) abort();
  for (size_t j = 0; j < s->joint_count; j++) joints[j] = s->joints[j], joints[j].object_bound *= times;
  coarse.joints = joints, coarse.options.object_bound *= times;
  void *data = NULL;
  size_t size = 0;
  quatsimd_clip_report report;
  const bool good = encode(&data, &size, &coarse, &coarse.options, &report) == QUATSIMD_OK;
  quatsimd_clip_free(NULL, data);
  free(joints);
  return good ? size : SIZE_MAX;
}

int check_size(const scene *s, const encoded *e, counts *c) {
  const size_t most = most_bytes(s);
  c->bytes += e->size, c->allowed += most;
  /* keys that are far apart, or on a base, add errors: the finest bounds of points need nearer ones */
  if (e->size <= most || (s->options.object_bound > 0 && size_with_bounds(s, 256) <= most)) return 0;
  print_scene(s);
  printf("%zu bytes; keys, times and tangents, 128 bytes and 1 for each joint: %zu", e->size, most);
  print_features(s);
  return 1;
}

int check_coarser(scene *s, const encoded *e) {
  uint64_t dice = scene_dice(s, "coarser", 0, 0);
  quatsimd_clip_joint *joint = &s->joints[below(&dice, (uint32_t)s->joint_count)];
  const quatsimd_clip_joint before = *joint;
  const quatsimd_clip_options *o = &s->options;
  static const char *const names[] = {"rotation", "translation", "scale"};
  const uint32_t kind = below(&dice, 3);
  float *own[] = {&joint->rotation_bound, &joint->translation_bound, &joint->scale_bound};
  const float common[] = {o->rotation_bound, o->translation_bound, o->scale_bound};
  const bool points = o->object_bound > 0;
  float *bound = points ? &joint->object_bound : own[kind];
  *bound = 10 * (*bound > 0 ? *bound : points ? o->object_bound : common[kind]);
  if (!points && kind == 0 && *bound > 1) *bound = 1;
  void *data = NULL;
  size_t size = 0;
  quatsimd_clip_report report;
  const quatsimd_status status = encode(&data, &size, s, o, &report);
  quatsimd_clip_free(NULL, data);
  const size_t number = (size_t)(joint - s->joints);
  *joint = before;
  if (status == QUATSIMD_OK && (double)size <= 1.005 * (double)e->size + 8) return 0;
  print_scene(s);
  printf("%zu bytes, and %zu where the bound of joint %zu for %s is ten times as large", e->size, size,
         number, points ? "points" : names[kind]);
  print_features(s);
  return 1;
}
