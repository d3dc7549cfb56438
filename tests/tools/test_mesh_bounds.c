/* Encodes the animations of files within a bound of the mesh, and skins every vertex at 200 times, as glTF
 * has it: none may be off by more. Usage: test_mesh_bounds BOUND FILE.glb... BOUND is in the file's unit. It
 * prints a line for each file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "clip/encode/curve.h"
#include "clips/plan.h"
#include "check/rest.h"
#include "clips/source.h"
#include "readers/gltf/gltf.h"

enum { TIMES = 200 };

typedef double matrix[12]; /* by rows */

static void multiply(const matrix a, const matrix b, matrix product) {
  matrix p = {0};
  for (int row = 0; row < 3; row++)
    for (int c = 0; c < 4; c++) {
      for (int k = 0; k < 3; k++) p[4 * row + c] += a[4 * row + k] * b[4 * k + c];
      if (c == 3) p[4 * row + c] += a[4 * row + 3];
    }
  memcpy(product, p, sizeof p);
}

static void matrix_of(const double value[SCENE_KINDS][4], matrix m) {
  const double *q = value[SCENE_ROTATION], *t = value[SCENE_TRANSLATION], *s = value[SCENE_SCALE],
               n = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int row = 0; row < 3; row++) {
    const int a = (row + 1) % 3, b = (row + 2) % 3;
    m[4 * row + row] = (1 - n * (q[a] * q[a] + q[b] * q[b])) * s[row];
    m[4 * row + a] = n * (q[row] * q[a] - q[b] * q[3]) * s[a];
    m[4 * row + b] = n * (q[row] * q[b] + q[a] * q[3]) * s[b];
    m[4 * row + 3] = t[row];
  }
}

/* A file, and what its nodes are at a time: as its keys have it, and as a clip has it. */
struct file {
  struct skeleton skeleton;
  struct gltf gltf;
  struct gltf_list nodes, meshes, skins;
  size_t *place; /* where the scene has each node of the file */
  matrix *world[2];
  double *weight[2]; /* each track's */
};

static void place_nodes(struct file *f, int which, const struct clip_source *source,
                        const quatsimd_pose_out *pose, double time) {
  const struct scene *scene = &f->skeleton.scene;
  for (size_t n = 0; n < scene->nodes; n++) {
    const size_t j = f->skeleton.joint_of[n];
    double value[SCENE_KINDS][4];
    for (int kind = 0; kind < SCENE_KINDS; kind++)
      for (size_t i = 0; i < scene_width(kind); i++) value[kind][i] = (double)scene->node[n].rest[kind][i];
    if (j != SCENE_NONE && which == 0) {
      const quatsimd_curve *const curve[] = {&source->joint[j].rotation, &source->joint[j].translation,
                                             &source->joint[j].scale};
      for (int kind = 0; kind < SCENE_KINDS; kind++)
        if (curve[kind]->key_count > 0) quatsimd_curve_at(curve[kind], kind, time, value[kind]);
    } else if (j != SCENE_NONE) {
      const float *const of[] = {pose->rotations.x, pose->translations.x, pose->scales.x};
      for (int kind = 0; kind < SCENE_KINDS; kind++)
        for (size_t i = 0; i < scene_width(kind); i++)
          value[kind][i] = (double)of[kind][scene_width(kind) * j + i];
    }
    matrix_of((const double(*)[4])value, f->world[which][n]);
    if (scene->node[n].parent != SCENE_NONE)
      multiply(f->world[which][scene->node[n].parent], f->world[which][n], f->world[which][n]);
  }
}

static void apply(const matrix m, const double *v, double weight, double *sum) {
  for (int row = 0; row < 3; row++)
    sum[row] += weight * (m[4 * row] * v[0] + m[4 * row + 1] * v[1] + m[4 * row + 2] * v[2] + m[4 * row + 3]);
}

static float *numbers(struct file *f, const cJSON *attributes, const char *name, size_t width,
                      size_t *count) {
  size_t accessor;
  *count = 0;
  if (!gltf_index(attributes, name, f->gltf.accessors.count, &accessor)) return NULL;
  f->gltf.spent = f->gltf.memory = 0; /* they are read many times */
  float *found = gltf_numbers(&f->gltf, accessor, width, count);
  if (!found) complain(f->gltf.path, "%s: %s", name, f->gltf.error), exit(1);
  return found;
}

/* How far the farthest vertex of a primitive is off. */
static double primitive_off(struct file *f, const cJSON *primitive, size_t node, const cJSON *skin) {
  const cJSON *attributes = cJSON_GetObjectItemCaseSensitive(primitive, "attributes"), *target;
  const struct scene *scene = &f->skeleton.scene;
  size_t count, same, matrices, track = 0, t = 0;
  float *position = numbers(f, attributes, "POSITION", 3, &count),
        *joints = skin ? numbers(f, attributes, "JOINTS_0", 4, &same) : NULL,
        *weights = skin ? numbers(f, attributes, "WEIGHTS_0", 4, &same) : NULL,
        *bind = skin ? numbers(f, skin, "inverseBindMatrices", 16, &matrices) : NULL;
  const struct gltf_list list = gltf_list(skin, "joints");
  double *at[2] = {memory_get(count, 3 * sizeof(double)), memory_get(count, 3 * sizeof(double))}, most = 0;
  while (track < scene->tracks && scene->track[track].node != node) track++;
  for (size_t i = 0; i < 3 * count; i++) at[0][i] = at[1][i] = (double)position[i];
  cJSON_ArrayForEach(target, cJSON_GetObjectItemCaseSensitive(primitive, "targets")) {
    float *moved = numbers(f, target, "POSITION", 3, &same);
    for (size_t i = 0; moved && i < 3 * count; i++)
      for (int which = 0; which < 2; which++) at[which][i] += f->weight[which][track + t] * (double)moved[i];
    free(moved);
    t++;
  }
  for (size_t v = 0; v < count; v++) {
    double sum[2][3] = {{0}}, whole = 0, squares = 0;
    for (int k = 0; k < 4 && joints; k++) whole += (double)weights[4 * v + (size_t)k];
    for (int which = 0; which < 2; which++) {
      if (!joints) apply(f->world[which][node], at[which] + 3 * v, 1, sum[which]);
      for (int k = 0; k < 4 && joints; k++) {
        const double w = (double)weights[4 * v + (size_t)k] / whole;
        const size_t j = (size_t)joints[4 * v + (size_t)k];
        matrix m = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
        if (!(w > 0)) continue;
        for (int row = 0; row < 3; row++)
          for (int c = 0; c < 4 && bind; c++) m[4 * row + c] = (double)bind[16 * j + (size_t)(4 * c + row)];
        multiply(f->world[which][f->place[(size_t)list.item[j]->valuedouble]], m, m);
        apply(m, at[which] + 3 * v, w, sum[which]);
      }
    }
    for (int i = 0; i < 3; i++) squares += (sum[0][i] - sum[1][i]) * (sum[0][i] - sum[1][i]);
    most = fmax(most, sqrt(squares));
  }
  free(position), free(joints), free(weights), free(bind), free(list.item), free(at[0]), free(at[1]);
  return most;
}

static double mesh_off(struct file *f, size_t n) {
  const cJSON *primitive;
  size_t m, s;
  double most = 0;
  if (!gltf_index(f->nodes.item[n], "mesh", f->meshes.count, &m)) return 0;
  const cJSON *skin = gltf_index(f->nodes.item[n], "skin", f->skins.count, &s) ? f->skins.item[s] : NULL;
  cJSON_ArrayForEach(primitive, cJSON_GetObjectItemCaseSensitive(f->meshes.item[m], "primitives")) most =
      fmax(most, primitive_off(f, primitive, f->place[n], skin));
  return most;
}

/* The largest error of any vertex in a clip. */
static double clip_off(struct file *f, size_t animation, const struct clip_result *result) {
  const struct scene *scene = &f->skeleton.scene;
  struct clip_source source;
  const size_t joints = f->skeleton.joints, tracks = scene->tracks;
  float *q = memory_get(joints, 4 * sizeof *q), *t = memory_get(joints, 3 * sizeof *t),
        *s = memory_get(joints, 3 * sizeof *s), *w = memory_get(tracks, sizeof *w);
  quatsimd_pose_out pose = {quatsimd_aos_out(q), quatsimd_strided_out(t, 12), quatsimd_strided_out(s, 12), w};
  struct clip_rest rest;
  double most = 0;
  clip_source_make(&source, &f->skeleton, animation, -1);
  clip_rest_make(&rest, result->clip, f->skeleton.file.skeleton);
  if (result->report.snapped > 0) clip_source_move(&source, NULL, 0);
  const double start = quatsimd_clip_start(result->clip), seconds = quatsimd_clip_duration(result->clip);
  for (int k = 0; k < TIMES; k++) {
    const double time = start + seconds * k / (TIMES - 1);
    if (quatsimd_clip_sample(result->clip, &pose, rest.pose, time, QUATSIMD_CLIP_WRAP_CLAMP, 0) !=
        QUATSIMD_OK)
      abort();
    place_nodes(f, 0, &source, NULL, time);
    place_nodes(f, 1, NULL, &pose, time);
    for (size_t i = 0; i < tracks; i++) {
      const quatsimd_curve *curve = &source.track[i].curve;
      double value[4] = {(double)scene->track[i].rest}; /* quatsimd_curve_at writes four */
      if (curve->key_count > 0) quatsimd_curve_at(curve, SCENE_TRACK, time, value);
      f->weight[0][i] = value[0], f->weight[1][i] = (double)w[i];
    }
    for (size_t n = 0; n < f->nodes.count; n++) most = fmax(most, mesh_off(f, n));
  }
  clip_rest_free(&rest);
  clip_source_free(&source);
  free(q), free(t), free(s), free(w);
  return most;
}

static bool open_file(struct file *f, const char *path) {
  *f = (struct file){.place = NULL};
  if (!skeleton_read(path, NULL, &f->skeleton)) return false;
  if (!gltf_open(&f->gltf, path)) return skeleton_free(&f->skeleton), false;
  f->nodes = gltf_list(f->gltf.tree, "nodes"), f->meshes = gltf_list(f->gltf.tree, "meshes");
  f->skins = gltf_list(f->gltf.tree, "skins");
  const size_t nodes = f->skeleton.scene.nodes, tracks = f->skeleton.scene.tracks;
  f->place = memory_get(nodes, sizeof *f->place);
  for (size_t n = 0; n < nodes; n++) f->place[f->skeleton.scene.node[n].number] = n;
  for (int which = 0; which < 2; which++) {
    f->world[which] = memory_get(nodes, sizeof *f->world[which]);
    f->weight[which] = memory_get(tracks, sizeof *f->weight[which]);
  }
  return true;
}

static void close_file(struct file *f) {
  free(f->nodes.item), free(f->meshes.item), free(f->skins.item), free(f->place);
  for (int which = 0; which < 2; which++) free(f->world[which]), free(f->weight[which]);
  gltf_close(&f->gltf);
  skeleton_free(&f->skeleton);
}

/* Encodes a file's animations. Returns the largest error of any vertex; infinity if one is not encoded. */
static double file_off(struct file *f, const struct clip_plan *plan, size_t *bytes) {
  double most = 0;
  for (size_t a = 0; a < f->skeleton.scene.animations; a++) {
    struct clip_result result;
    const enum clip_outcome outcome = clip_encode(plan, a, &result);
    if (outcome == CLIP_GOOD) most = fmax(most, clip_off(f, a, &result)), *bytes += result.size;
    if (outcome == CLIP_GOOD || outcome == CLIP_MISSED || outcome == CLIP_WRONG) clip_result_free(&result);
    if (outcome == CLIP_BAD || outcome == CLIP_WRONG) most = INFINITY;
  }
  return most;
}

static bool check(const char *path, double bound) {
  struct file f;
  if (!open_file(&f, path)) return false;
  struct clip_settings settings = {.track_bound = 0.001, .only = -1};
  settings.asked.bounds.of[CLIP_CHECK_OBJECT] = 1e-4, settings.asked.bounds.distance = 0.03;
  settings.asked.mesh = bound;
  struct clip_plan plan;
  struct reached reached = {0};
  double most = INFINITY;
  size_t bytes = 0;
  if (clip_plan_make(&plan, &settings, path, &f.skeleton, &reached)) {
    most = file_off(&f, &plan, &bytes);
    clip_plan_free(&plan);
    reached_free(&reached);
  }
  printf("%s: %zu joints, %zu animations, %zu bytes: no vertex is off by more than %.3g of the bound\n", path,
         f.skeleton.joints, f.skeleton.scene.animations, bytes, most / bound);
  close_file(&f);
  return most <= bound * (1 + 1e-4);
}

int main(int argc, char **argv) {
  bool good = argc > 2;
  for (int i = 2; i < argc; i++) good = check(argv[i], atof(argv[1])) && good;
  return !good;
}
