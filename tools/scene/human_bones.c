#include "scene/skeleton.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* A pose at rest in the world. Scales are not turned by what is above them. */
struct place {
  double q[4], at[3], scale[3];
};

static void multiply(const double *a, const double *b, double *product) {
  const double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
               y = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
               z = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
               w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
  product[0] = x, product[1] = y, product[2] = z, product[3] = w;
}

static void conjugate(const double *q, double *conjugated) {
  for (int i = 0; i < 4; i++) conjugated[i] = i < 3 ? -q[i] : q[i];
}

static void turn(const double *q, const double *v, double *turned) {
  const double p[4] = {v[0], v[1], v[2], 0};
  double back[4], product[4];
  conjugate(q, back);
  multiply(q, p, product);
  multiply(product, back, product);
  memcpy(turned, product, 3 * sizeof *turned);
}

/* Puts a place below another one. */
static struct place below(const struct place *above, const float *rotation, const float *translation,
                          const float *scale) {
  struct place place;
  double q[4], at[3];
  for (int i = 0; i < 4; i++) q[i] = (double)rotation[i];
  for (int i = 0; i < 3; i++) at[i] = (double)translation[i] * above->scale[i];
  multiply(above->q, q, place.q);
  turn(above->q, at, place.at);
  for (int i = 0; i < 3; i++) place.at[i] += above->at[i];
  for (int i = 0; i < 3; i++) place.scale[i] = above->scale[i] * (double)scale[i];
  return place;
}

static const struct place origin = {{0, 0, 0, 1}, {0, 0, 0}, {1, 1, 1}},
                          half_turn = {{0, 1, 0, 0}, {0, 0, 0}, {1, 1, 1}}; /* about y */

/* turned: of what is above all nodes. */
static struct place *places_of_scene(const struct scene *scene, const struct place *turned) {
  struct place *place = memory_get(scene->nodes, sizeof *place);
  for (size_t n = 0; n < scene->nodes; n++) {
    const size_t parent = scene->node[n].parent;
    float(*const rest)[4] = scene->node[n].rest;
    place[n] = below(parent == SCENE_NONE ? turned : &place[parent], rest[SCENE_ROTATION],
                     rest[SCENE_TRANSLATION], rest[SCENE_SCALE]);
  }
  return place;
}

static struct place *places_of_skeleton(const quatsimd_skeleton *skeleton) {
  const size_t joints = quatsimd_skeleton_joint_count(skeleton);
  struct place *place = memory_get(joints, sizeof *place);
  for (size_t j = 0; j < joints; j++) {
    float rest[SCENE_KINDS][4];
    quatsimd_pose_out pose = {quatsimd_aos_out(rest[SCENE_ROTATION]),
                              quatsimd_aos_out(rest[SCENE_TRANSLATION]), quatsimd_aos_out(rest[SCENE_SCALE]),
                              NULL};
    const int64_t parent = quatsimd_skeleton_parent(skeleton, j);
    (void)quatsimd_skeleton_rest_pose(skeleton, &pose, j, 1); /* of a joint that is there it cannot fail */
    place[j] = below(parent < 0 ? &origin : &place[parent], rest[SCENE_ROTATION], rest[SCENE_TRANSLATION],
                     rest[SCENE_SCALE]);
  }
  return place;
}

/* Turns keys and tangents about what is above both bones, and about what they are at rest. */
static void turn_keys(struct scene_curve *curve, const struct place *above, const struct place *own,
                      const struct place *other_above, const struct place *other) {
  double left[4], right[4], back[4];
  scene_unshare(curve, SCENE_ROTATION);
  conjugate(other_above->q, back);
  multiply(back, above->q, left);
  conjugate(own->q, back);
  multiply(back, other->q, right);
  for (size_t i = 0; i < scene_floats(curve, SCENE_ROTATION); i += 4) {
    double q[4];
    for (int c = 0; c < 4; c++) q[c] = (double)curve->values[i + (size_t)c];
    multiply(left, q, q);
    multiply(q, right, q);
    for (int c = 0; c < 4; c++) curve->values[i + (size_t)c] = (float)q[c];
  }
}

/* Moves keys of the hips: as much higher as the other's hips are above the ground. */
static void move_keys(struct scene_curve *curve, const struct place *above, const struct place *own,
                      const struct place *other_above, const struct place *other) {
  const double size = own->at[1] > 0 && other->at[1] > 0 ? other->at[1] / own->at[1] : 1;
  const size_t each = curve->interpolation == QUATSIMD_CURVE_CUBIC ? 3 : 1;
  double back[4];
  scene_unshare(curve, SCENE_TRANSLATION);
  conjugate(other_above->q, back);
  for (size_t i = 0; i < each * curve->keys; i++) {
    const bool is_tangent = each == 3 && i % 3 != 1;
    float *value = curve->values + 3 * i;
    double at[3];
    for (int c = 0; c < 3; c++) at[c] = (double)value[c] * above->scale[c];
    turn(above->q, at, at);
    for (int c = 0; c < 3; c++)
      at[c] = size * (at[c] + (is_tangent ? 0 : above->at[c])) - (is_tangent ? 0 : other_above->at[c]);
    turn(back, at, at);
    for (int c = 0; c < 3; c++) value[c] = (float)(at[c] / other_above->scale[c]);
  }
}

bool human_bones_match(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

size_t human_bones_retarget(struct scene *scene, const struct skeleton_file *to, const size_t *joint) {
  const struct place *turned = scene->backward == to->backward ? &origin : &half_turn;
  struct place *own = places_of_scene(scene, turned), *other = places_of_skeleton(to->skeleton);
  size_t taken_out = 0;
  for (size_t a = 0; a < scene->animations; a++)
    for (size_t c = 0; c < scene->animation[a].channels; c++) {
      struct scene_channel *channel = &scene->animation[a].channel[c];
      const size_t n = channel->node, j = joint[n];
      if (j == SCENE_NONE || !human_bones_match(scene->node[n].human, to->human[j])) continue;
      const size_t parent = scene->node[n].parent;
      const int64_t other_parent = quatsimd_skeleton_parent(to->skeleton, j);
      const struct place *above = parent == SCENE_NONE ? turned : &own[parent],
                         *other_above = other_parent < 0 ? &origin : &other[other_parent];
      struct scene_curve *moved = &channel->curve[SCENE_TRANSLATION];
      turn_keys(&channel->curve[SCENE_ROTATION], above, &own[n], other_above, &other[j]);
      if (strcmp(scene->node[n].human, "hips") == 0) move_keys(moved, above, &own[n], other_above, &other[j]);
      else if (moved->keys > 0) {
        scene_free_curve(moved);
        *moved = (struct scene_curve){.keys = 0};
        taken_out++;
      }
    }
  free(own);
  free(other);
  return taken_out;
}
