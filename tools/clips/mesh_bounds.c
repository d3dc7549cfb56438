#include "clips/mesh_bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/names.h"
#include "base/text.h"
#include "scene/reach.h"

/* A pattern that a name is like, and few others. To be freed. */
static char *pattern_of(const char *name) {
  char *pattern = names_join(name, "", "");
  for (char *s = pattern; *s; s++)
    if (*s == '*') *s = '?';
  return pattern;
}

/* Of joints of one name the first row decides: it gets the farthest vertex of all of them. */
static double farthest(const struct skeleton *skeleton, const double *distance, size_t joint) {
  double most = distance[joint];
  for (size_t j = 0; j < skeleton->joints; j++)
    if (strcmp(skeleton->joint[j].name, skeleton->joint[joint].name) == 0) most = fmax(most, distance[j]);
  return most;
}

/* The distance of each joint, to be freed; null and a complaint if meshes cannot be read. */
static double *distances(const struct skeleton_choice *choice, const char *path,
                         const struct skeleton *skeleton) {
  if (!choice->path || skeleton_file_is(choice->path)) return reach_of(path, skeleton);
  const struct skeleton_choice own = {.by_importance = choice->by_importance};
  struct skeleton chosen; /* has the same joints */
  if (!skeleton_read(choice->path, &own, &chosen)) return NULL;
  double *distance = reach_of(choice->path, &chosen);
  skeleton_free(&chosen);
  return distance;
}

bool mesh_bounds_add(struct joint_bounds *bounds, const struct clip_settings *settings, const char *path,
                     const struct skeleton *skeleton) {
  const double bound = bounds_of_mesh(&settings->asked, skeleton);
  double *distance = distances(&settings->skeleton, path, skeleton);
  size_t count = 0;
  for (size_t j = 0; distance && j < skeleton->joints; j++) {
    if (!(distance[j] > 0)) continue;
    bounds->row = memory_grow(bounds->row, bounds->count, sizeof *bounds->row);
    struct bounds own = {.distance = farthest(skeleton, distance, j) * (1 + 1e-6)}; /* floats are rounded */
    own.of[CLIP_CHECK_OBJECT] = bound;
    bounds->row[bounds->count++] = (struct joint_bound){pattern_of(skeleton->joint[j].name), {.bounds = own}};
    count++;
  }
  if (distance && count == 0) complain(path, "has no mesh: the bound of the mesh does not count");
  free(distance);
  return distance != NULL;
}
