#include "check/place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void place_matrix(place_both m[12], const place_both q[4], const place_both t[3], const place_both s[3]) {
  const place_both x = q[0], y = q[1], z = q[2], w = q[3], n = 2 / (x * x + y * y + z * z + w * w);
  const place_both r[9] = {1 - n * (y * y + z * z), n * (x * y + z * w),     n * (x * z - y * w),
                           n * (x * y - z * w),     1 - n * (x * x + z * z), n * (y * z + x * w),
                           n * (x * z + y * w),     n * (y * z - x * w),     1 - n * (x * x + y * y)};
  for (int i = 0; i < 9; i++) m[i] = r[i] * s[i / 3];
  for (int i = 0; i < 3; i++) m[9 + i] = t[i];
}

void place_under(place_both m[12], const place_both parent[12]) {
  for (int c = 0; c < 4; c++) {
    const place_both x = m[3 * c], y = m[3 * c + 1], z = m[3 * c + 2];
    for (int i = 0; i < 3; i++) {
      m[3 * c + i] = parent[i] * x + parent[3 + i] * y + parent[6 + i] * z;
      if (c == 3) m[9 + i] += parent[9 + i];
    }
  }
}

/* Of each joint: does an animation move it itself, and not only joints below it? */
static bool *find_moved(const struct skeleton *skeleton) {
  bool *moved = memory_get(skeleton->joints, sizeof *moved);
  for (size_t a = 0; a < skeleton->scene.animations; a++)
    for (size_t c = 0; c < skeleton->scene.animation[a].channels; c++) {
      const struct scene_channel *channel = &skeleton->scene.animation[a].channel[c];
      for (int kind = 0; kind < SCENE_KINDS; kind++)
        if (channel->curve[kind].keys > 0 && skeleton->joint_of[channel->node] != SCENE_NONE)
          moved[skeleton->joint_of[channel->node]] = true;
    }
  return moved;
}

/* Returns how high a figure is by the lengths of its bones, whatever its pose: PART of the longest way
 * from an end up to a root and down to another end, or of the longest way from a root that has one branch. */
static double height_by_bones(const struct scene *scene) {
  const double part =
      0.6273941136457415; /* so that CMU's figure in 01_01.bvh is as high as it stands there */
  double *length = memory_get(scene->nodes, sizeof *length), most = 0;
  size_t *branch = memory_get(scene->nodes, sizeof *branch), *root = memory_get(scene->nodes, sizeof *root);
  double *reach = memory_get(scene->nodes, sizeof *reach);         /* of each branch */
  double(*longest)[2] = memory_get(scene->nodes, sizeof *longest); /* branches of each root */
  for (size_t n = 0; n < scene->nodes; n++) {
    const struct scene_node *node = &scene->node[n];
    root[n] = node->parent == SCENE_NONE ? n : root[node->parent];
    if (node->parent == SCENE_NONE) continue;
    const float *at = node->rest[SCENE_TRANSLATION];
    const bool top = scene->node[node->parent].parent == SCENE_NONE;
    branch[n] = top ? n : branch[node->parent];
    length[n] = length[node->parent] + sqrt((double)at[0] * (double)at[0] + (double)at[1] * (double)at[1] +
                                            (double)at[2] * (double)at[2]);
    reach[branch[n]] = fmax(reach[branch[n]], length[n]);
  }
  for (size_t n = 0; n < scene->nodes; n++) {
    double *two = longest[root[n]];
    if (reach[n] > two[0]) two[1] = two[0], two[0] = reach[n];
    else two[1] = fmax(two[1], reach[n]);
    most = fmax(most, two[0] + two[1]);
  }
  free(length), free(branch), free(root), free(reach), free(longest);
  return part * most;
}

double place_height(const struct skeleton *skeleton) {
  if (!(skeleton->scene.metres > 0)) return height_by_bones(&skeleton->scene);
  place_both(*matrix)[12] = memory_get(skeleton->joints, sizeof *matrix); /* both are the same */
  bool *moved = find_moved(skeleton);
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, height = 0;
  for (size_t j = 0; j < skeleton->joints; j++) {
    const struct skeleton_joint *joint = &skeleton->joint[j];
    place_both value[SCENE_KINDS][4];
    for (int kind = 0; kind < SCENE_KINDS; kind++)
      for (size_t i = 0; i < scene_width(kind); i++) {
        const double rest = (double)joint->rest[kind][i];
        value[kind][i] = (place_both){rest, rest};
      }
    place_matrix(matrix[j], value[SCENE_ROTATION], value[SCENE_TRANSLATION], value[SCENE_SCALE]);
    if (joint->parent >= 0) place_under(matrix[j], matrix[joint->parent]);
    for (int i = 0; i < 3 && moved[j]; i++)
      low[i] = fmin(low[i], matrix[j][9 + i][0]), high[i] = fmax(high[i], matrix[j][9 + i][0]);
  }
  for (int i = 0; i < 3; i++)
    if (i == 1 || skeleton->scene.up != 1) height = fmax(height, high[i] - low[i]);
  free(matrix), free(moved);
  return isfinite(height) ? height : 0;
}
