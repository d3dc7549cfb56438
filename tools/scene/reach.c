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

void reach_take(struct reach *reach, size_t node, const double matrix[12], const struct reach_mesh *mesh,
                size_t vertex) {
  double distance = length_of(matrix, mesh->position + 3 * vertex, false);
  size_t track = 0;
  while (track < reach->scene->tracks && reach->scene->track[track].node != mesh->node) track++;
  for (size_t t = 0; t < mesh->targets && track + t < reach->scene->tracks; t++)
    if (mesh->moved[t])
      distance += reach->weight[track + t] * length_of(matrix, mesh->moved[t] + 3 * vertex, true);
  if (distance > reach->of[node] && isfinite(distance)) reach->of[node] = distance;
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

void reach_take_all(struct reach *reach, const double matrix[12], const struct reach_mesh *mesh) {
  const size_t holder = reach->holder[mesh->node];
  double m[12];
  memcpy(m, matrix, sizeof m);
  if (holder == SCENE_NONE) return;
  for (size_t n = mesh->node; n != holder; n = reach->scene->node[n].parent)
    put_under(m, (const float(*)[4])reach->scene->node[n].rest);
  for (size_t v = 0; v < mesh->count; v++) reach_take(reach, holder, m, mesh, v);
}

/* The largest weight that a curve reaches, between keys, too: a spline goes beyond them by a part of its
 * tangents, at most. */
static double largest(const struct scene_curve *curve) {
  const bool cubic = curve->interpolation == QUATSIMD_CURVE_CUBIC;
  double most = 0;
  for (size_t k = 0; k < curve->keys; k++) {
    double here = fabs((double)*scene_key(curve, SCENE_TRACK, k));
    const double before = k > 0 ? curve->seconds[k] - curve->seconds[k - 1] : 0,
                 after = k + 1 < curve->keys ? curve->seconds[k + 1] - curve->seconds[k] : 0;
    if (cubic)
      here +=
          4.0 / 27 * 2 *
          fmax(before * fabs((double)curve->values[3 * k]), after * fabs((double)curve->values[3 * k + 2]));
    most = fmax(most, here);
  }
  return most;
}

static void find_holders(struct reach *reach, const struct skeleton *skeleton) {
  for (size_t n = 0; n < reach->scene->nodes; n++) {
    const size_t parent = reach->scene->node[n].parent;
    reach->holder[n] = skeleton->joint_of[n] != SCENE_NONE ? n
                       : parent == SCENE_NONE              ? SCENE_NONE
                                                           : reach->holder[parent];
  }
}

double *reach_of(const char *path, const struct skeleton *skeleton) {
  const struct scene *scene = &skeleton->scene;
  const struct reader *reader = reader_of(path);
  struct reach reach = {scene, memory_get(scene->nodes, sizeof *reach.holder),
                        memory_get(scene->tracks, sizeof *reach.weight),
                        memory_get(scene->nodes, sizeof *reach.of)};
  find_holders(&reach, skeleton);
  for (size_t t = 0; t < scene->tracks; t++) {
    reach.weight[t] = fabs((double)scene->track[t].rest);
    for (size_t a = 0; a < scene->animations; a++)
      if (scene->animation[a].track)
        reach.weight[t] = fmax(reach.weight[t], largest(&scene->animation[a].track[t]));
  }
  double *distance = memory_get(skeleton->joints, sizeof *distance);
  const bool good = reader && (!reader->reach || reader->reach(path, &reach));
  for (size_t j = 0; good && j < skeleton->joints; j++)
    if (skeleton->joint[j].node != SCENE_NONE) distance[j] = reach.of[skeleton->joint[j].node];
  free(reach.holder), free(reach.weight), free(reach.of);
  if (!good) free(distance);
  return good ? distance : NULL;
}
