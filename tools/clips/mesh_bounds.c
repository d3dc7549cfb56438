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

/* Finds what meshes ask for. False and a complaint if they cannot be read. */
static bool find(const struct skeleton_choice *choice, const char *path, const struct skeleton *skeleton,
                 struct reached *reached) {
  if (!choice->path || skeleton_file_is(choice->path)) return reach_find(path, skeleton, skeleton, reached);
  const struct skeleton_choice own = {.by_importance = choice->by_importance};
  struct skeleton chosen; /* has the same joints */
  if (!skeleton_read(choice->path, &own, &chosen)) return false;
  const bool good = reach_find(choice->path, &chosen, skeleton, reached);
  skeleton_free(&chosen);
  return good;
}

/* The part of the bound that errors of weights get, by numbers of curves: of tracks and of rotations that
 * move vertices together. Without such joints it is all of it. */
static double part_of_tracks(const struct skeleton *skeleton, const struct reached *r) {
  const size_t tracks = quatsimd_skeleton_track_count(skeleton->file.skeleton);
  size_t curves = 0, joints = 0;
  bool *above = memory_get(skeleton->joints, sizeof *above); /* true at and above joints that count */
  for (size_t t = 0; t < tracks; t++) curves += r->factor[t] > 0;
  for (size_t j = skeleton->joints; j-- > 0;) {
    const int64_t parent = skeleton->joint[j].parent;
    above[j] = above[j] || r->morphs[j] > 0;
    if (above[j] && parent >= 0) above[parent] = true;
    joints += above[j];
  }
  free(above);
  return curves ? (double)curves / (double)(curves + 3 * joints) : 0;
}

/* A joint's bound. Where tracks move its vertices, too, they have their part of it, and move vertices farther
 * by that. Of joints of one name the first row decides: it gets the farthest vertex of all of them. */
static struct bounds bounds_of(const struct skeleton *skeleton, const struct reached *r, size_t joint,
                               double bound, double of_tracks) {
  struct bounds own = {.of[CLIP_CHECK_OBJECT] = bound};
  for (size_t j = 0; j < skeleton->joints; j++) {
    if (strcmp(skeleton->joint[j].name, skeleton->joint[joint].name) != 0) continue;
    const double farther = r->morphs[j] > 0 ? of_tracks / r->morphs[j] : 0;
    own.distance = fmax(own.distance, (r->distance[j] + farther) * (1 + 1e-6)); /* floats are rounded */
    if (r->morphs[j] > 0) own.of[CLIP_CHECK_OBJECT] = bound - of_tracks;
  }
  return own;
}

/* Returns the number of tracks that move vertices. */
static size_t add_tracks(struct joint_bounds *bounds, const struct clip_settings *settings,
                         const struct skeleton *skeleton, const double *factor, double length) {
  size_t count = 0;
  bounds->tracks = quatsimd_skeleton_track_count(skeleton->file.skeleton);
  bounds->track = memory_get(bounds->tracks, sizeof *bounds->track);
  for (size_t t = 0; t < bounds->tracks; t++) {
    if (!(factor[t] > 0)) continue;
    const double own = fmin(length / factor[t], 0x1p60);
    bounds->track[t] = settings->track_given ? fmin(settings->track_bound, own) : own;
    count++;
  }
  if (count == 0) bounds->tracks = 0;
  return count;
}

bool mesh_bounds_add(struct joint_bounds *bounds, const struct clip_settings *settings, const char *path,
                     const struct skeleton *skeleton) {
  const double bound = bounds_of_mesh(&settings->asked, skeleton);
  struct reached r;
  if (!find(&settings->skeleton, path, skeleton, &r)) return false;
  const double of_tracks = bound * part_of_tracks(skeleton, &r);
  size_t count = add_tracks(bounds, settings, skeleton, r.factor, of_tracks);
  for (size_t j = 0; j < skeleton->joints; j++) {
    if (!(r.distance[j] > 0)) continue;
    bounds->row = memory_grow(bounds->row, bounds->count, sizeof *bounds->row);
    bounds->row[bounds->count++] = (struct joint_bound){
        pattern_of(skeleton->joint[j].name), {.bounds = bounds_of(skeleton, &r, j, bound, of_tracks)}};
    count++;
  }
  if (count == 0) complain(path, "has no mesh: the bound of the mesh does not count");
  reached_free(&r);
  return true;
}
