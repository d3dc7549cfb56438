#include "scene/reach.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "readers/readers.h"

void reach_mesh_free(struct reach_mesh *mesh) {
  for (size_t t = 0; t < mesh->targets; t++) free(mesh->moved[t]);
  free(mesh->moved);
  free(mesh->position);
}

/* The length of what a matrix makes of a vertex, or of a direction. */
static double length_of(const double m[12], const float *v, bool direction) {
  double squares = 0;
  for (int row = 0; row < 3; row++) {
    const double x = m[4 * row] * (double)v[0] + m[4 * row + 1] * (double)v[1] +
                     m[4 * row + 2] * (double)v[2] + (direction ? 0 : m[4 * row + 3]);
    squares += x * x;
  }
  return sqrt(squares);
}

static void take_more(double *most, double number) {
  if (number > *most && isfinite(number)) *most = number;
}

/* m becomes local m: both by rows. */
static void put_under(double m[12], const float rest[SCENE_KINDS][4]) {
  const float *const r = rest[SCENE_ROTATION];
  const double x = (double)r[0], y = (double)r[1], z = (double)r[2], w = (double)r[3],
               n = 2 / (x * x + y * y + z * z + w * w);
  const double turn[9] = {1 - n * (y * y + z * z), n * (x * y - z * w),     n * (x * z + y * w),
                          n * (x * y + z * w),     1 - n * (x * x + z * z), n * (y * z - x * w),
                          n * (x * z - y * w),     n * (y * z + x * w),     1 - n * (x * x + y * y)};
  double product[12] = {0};
  for (int row = 0; row < 3; row++)
    for (int c = 0; c < 4; c++) {
      for (int k = 0; k < 3; k++)
        product[4 * row + c] += turn[3 * row + k] * (double)rest[SCENE_SCALE][k] * m[4 * k + c];
      if (c == 3) product[4 * row + c] += (double)rest[SCENE_TRANSLATION][row];
    }
  memcpy(m, product, sizeof product);
}

/* Each target gets a part of the error of a vertex by the root of how far it moves it: their bounds add up to
 * one, and targets that hardly move it do not narrow the others'. */
void reach_take(struct reach *reach, size_t node, const double matrix[12], const struct reach_mesh *mesh,
                size_t vertex) {
  const struct skeleton *skeleton = reach->skeleton;
  const struct scene *scene = &skeleton->scene;
  struct reached *reached = reach->reached;
  double m[12], roots = 0;
  size_t track = 0;
  memcpy(m, matrix, sizeof m);
  for (; node != SCENE_NONE && skeleton->joint_of[node] == SCENE_NONE; node = scene->node[node].parent)
    put_under(m, (const float(*)[4])scene->node[node].rest);
  const size_t joint = node == SCENE_NONE ? SCENE_NONE : skeleton->joint_of[node];
  double distance = length_of(m, mesh->position + 3 * vertex, false);
  while (track < scene->tracks && scene->track[track].node != mesh->node) track++;
  const size_t targets = mesh->targets < scene->tracks - track ? mesh->targets : scene->tracks - track;
  for (size_t t = 0; t < targets; t++) {
    const double length = mesh->moved[t] ? length_of(m, mesh->moved[t] + 3 * vertex, true) : 0;
    if (length > 0) distance += reach->weight[track + t] * length;
    if (reach->varies[track + t]) roots += sqrt(length);
  }
  const double scale = joint == SCENE_NONE ? 1 : reach->scale[joint];
  for (size_t t = 0; t < targets && roots > 0; t++)
    if (mesh->moved[t] && reach->varies[track + t]) /* so the skeleton has the track */
      take_more(&reached->factor[skeleton->track_of[track + t]],
                scale * roots * sqrt(length_of(m, mesh->moved[t] + 3 * vertex, true)));
  if (joint == SCENE_NONE) return;
  reached->moves = reached->needed[joint] = true;
  take_more(&reached->distance[joint], distance);
  if (roots > 0) reached->morphs[joint] = scale;
}

/* The largest number of a curve, between keys, too: a spline goes beyond them by a third of its tangents, at
 * most. Null: 0. */
static double largest(const struct scene_curve *curve, int kind) {
  double most = 0;
  for (size_t k = 0; curve && k < curve->keys; k++) {
    const double before = k > 0 ? curve->seconds[k] - curve->seconds[k - 1] : 0,
                 after = k + 1 < curve->keys ? curve->seconds[k + 1] - curve->seconds[k] : 0;
    const size_t width = scene_width(kind);
    const float *value = scene_key(curve, kind, k);
    for (size_t i = 0; i < width; i++) {
      double beyond = 0;
      if (curve->interpolation == QUATSIMD_CURVE_CUBIC)
        beyond =
            fmax(before * fabs((double)(value - width)[i]), after * fabs((double)(value + width)[i])) / 3;
      most = fmax(most, fabs((double)value[i]) + beyond);
    }
  }
  return most;
}

static void find_scales(const struct skeleton *skeleton, double *scale) {
  for (size_t a = 0; a < skeleton->scene.animations; a++) {
    const struct scene_curve **curve = skeleton_curves(skeleton, a);
    for (size_t j = 0; j < skeleton->joints; j++)
      scale[j] = fmax(scale[j], largest(curve[SCENE_KINDS * j + SCENE_SCALE], SCENE_SCALE));
    free(curve);
  }
  for (size_t j = 0; j < skeleton->joints; j++) {
    const struct skeleton_joint *joint = &skeleton->joint[j];
    for (int i = 0; i < 3; i++) {
      scale[j] = fmax(scale[j], fabs((double)joint->rest[SCENE_SCALE][i]));
      if (joint->node != SCENE_NONE)
        scale[j] = fmax(scale[j], fabs((double)skeleton->scene.node[joint->node].rest[SCENE_SCALE][i]));
    }
    if (joint->parent >= 0) scale[j] *= scale[joint->parent];
  }
}

/* The largest weight of each track, and which tracks vary: by the numbers of those that have the meshes. */
static void find_weights(const struct skeleton *moved, struct reach *reach) {
  const struct skeleton *meshes = reach->skeleton;
  const struct scene *scene = &moved->scene;
  for (size_t t = 0; t < meshes->scene.tracks; t++) {
    double most = fabs((double)meshes->scene.track[t].rest);
    for (size_t u = 0; u < scene->tracks; u++) {
      if (moved->track_of[u] == SCENE_NONE || moved->track_of[u] != meshes->track_of[t]) continue;
      most = fmax(most, fabs((double)scene->track[u].rest));
      for (size_t a = 0; a < scene->animations; a++) {
        const struct scene_curve *curve = scene->animation[a].track ? &scene->animation[a].track[u] : NULL;
        reach->varies[t] = reach->varies[t] || (curve && curve->keys > 0);
        most = fmax(most, largest(curve, SCENE_TRACK));
      }
    }
    reach->weight[t] = most;
  }
}

/* Says which joints are needed beside those that move vertices, and whether targets alone move some. */
static void finish(const struct skeleton *s, struct reached *reached) {
  for (size_t t = 0; t < quatsimd_skeleton_track_count(s->file.skeleton); t++)
    reached->moves = reached->moves || reached->factor[t] > 0;
  for (size_t n = 0; n < s->scene.nodes; n++) {
    size_t above = n;
    while (above != SCENE_NONE && s->joint_of[above] == SCENE_NONE) above = s->scene.node[above].parent;
    if (s->scene.node[n].holds && above != SCENE_NONE) reached->needed[s->joint_of[above]] = true;
  }
  for (size_t j = s->joints; j-- > 0;)
    if (reached->needed[j] && s->joint[j].parent >= 0) reached->needed[s->joint[j].parent] = true;
}

bool reach_find(const char *path, const struct skeleton *meshes, const struct skeleton *moved,
                struct reached *reached) {
  const size_t joints = meshes->joints, tracks = meshes->scene.tracks,
               named = quatsimd_skeleton_track_count(meshes->file.skeleton);
  const struct reader *reader = reader_of(path);
  struct reached found = {.distance = memory_get(joints, sizeof *found.distance),
                          .morphs = memory_get(joints, sizeof *found.morphs),
                          .factor = memory_get(named, sizeof *found.factor),
                          .needed = memory_get(joints, sizeof *found.needed)};
  struct reach reach = {meshes, memory_get(joints, sizeof(double)), memory_get(tracks, sizeof(double)),
                        memory_get(tracks, sizeof(bool)), &found};
  find_scales(moved, reach.scale);
  find_weights(moved, &reach);
  const bool good = reader && (!reader->reach || reader->reach(path, &reach));
  if (good) finish(meshes, &found), *reached = found;
  else reached_free(&found);
  free(reach.scale), free(reach.weight), free(reach.varies);
  return good;
}

void reached_free(struct reached *reached) {
  free(reached->distance), free(reached->morphs), free(reached->factor), free(reached->needed);
  *reached = (struct reached){0};
}
