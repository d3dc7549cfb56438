#include "clips/mesh_bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

bool mesh_bounds_find(const struct skeleton_choice *choice, const char *path, const struct skeleton *skeleton,
                      struct reached *reached) {
  if (!choice->path || skeleton_file_is(choice->path)) return reach_find(path, skeleton, skeleton, reached);
  const struct skeleton_choice own = {.by_importance = choice->by_importance, .changes = choice->changes};
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

/* The bound of a joint that moves vertices. Where tracks move them, too, they have their part of it, and move
 * vertices farther by that. */
static struct bounds bounds_of(const struct reached *r, size_t joint, double bound, double of_tracks) {
  struct bounds own = {.of[CLIP_CHECK_OBJECT] = bound};
  const bool morphs = r->morphs[joint] > 0;
  const double farther = morphs ? of_tracks / r->morphs[joint] : 0;
  own.distance = (r->distance[joint] + farther) * (1 + 1e-6); /* floats are rounded */
  if (morphs) own.of[CLIP_CHECK_OBJECT] = bound - of_tracks;
  return own;
}

/* Tracks that move vertices get the bounds that keep these within a length. */
static void add_tracks(struct joint_bounds *bounds, const struct clip_settings *settings,
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
}

/* Puts a rule on top of those before. first: the joint's row without rules. common: of all joints. */
static void follow(const struct joint_rule *rule, const struct bounds_asked *asked,
                   const struct skeleton *skeleton, const struct bounds *common,
                   const struct joint_bound *first, struct joint_bound *row) {
  const struct bounds own = bounds_of_file(&rule->asked, skeleton);
  double *object = &row->bounds.of[CLIP_CHECK_OBJECT];
  for (int of = 0; of < QUATSIMD_CLIP_JOINT_KIND_COUNT; of++)
    if (own.of[of] > 0) row->bounds.of[of] = own.of[of];
  if (rule->asked.mesh > 0) {
    const double all = bounds_length(asked->mesh, asked->mesh_in, skeleton);
    const double share = bounds_length(rule->asked.mesh, rule->asked.mesh_in, skeleton) / all;
    if (first->mesh) {
      *object = share * first->bounds.of[CLIP_CHECK_OBJECT], row->bounds.distance = first->bounds.distance;
      row->by_hand = share > 1, row->mesh = share <= 1;
    }
  } else if (own.of[CLIP_CHECK_OBJECT] > 0) {
    *object = own.of[CLIP_CHECK_OBJECT], row->bounds.distance = own.distance;
    row->by_hand = first->mesh, row->mesh = false;
  }
  if (rule->distance > 0) {
    if (*object == 0) *object = common->of[CLIP_CHECK_OBJECT];
    row->bounds.distance = bounds_length(rule->distance, rule->distance_in, skeleton);
    row->by_hand = first->mesh, row->mesh = false;
  }
}

static bool has_bound(const struct bounds *bounds) {
  bool any = false;
  for (int of = 0; of < CLIP_CHECK_ERRORS; of++) any = any || bounds->of[of] > 0;
  return any;
}

struct joint_bounds mesh_bounds_make(const struct clip_settings *settings, const struct bounds_asked *asked,
                                     const struct skeleton *skeleton, const struct reached *reached) {
  static const struct joint_rules none;
  const struct joint_rules *rules = settings->joints ? settings->joints : &none;
  const bool of_mesh = asked->mesh > 0;
  const struct bounds common = bounds_of_file(asked, skeleton),
                      without = bounds_of_file(&rules->without_vertices, skeleton);
  const double mesh = of_mesh ? bounds_length(asked->mesh, asked->mesh_in, skeleton) : 0,
               of_tracks = of_mesh ? mesh * part_of_tracks(skeleton, reached) : 0;
  struct joint_bounds bounds = {0};
  if (of_mesh) add_tracks(&bounds, settings, skeleton, reached->factor, of_tracks);
  struct joint_bound *row = memory_get(skeleton->joints, sizeof *row);
  for (size_t j = 0; j < skeleton->joints; j++) {
    row[j] = (struct joint_bound){.joint = j, .mesh = of_mesh && reached->distance[j] > 0};
    if (row[j].mesh) row[j].bounds = bounds_of(reached, j, mesh, of_tracks);
    else if (of_mesh) row[j].bounds = without;
  }
  struct joint_bound *first = memory_get(skeleton->joints, sizeof *first);
  if (skeleton->joints > 0) memcpy(first, row, skeleton->joints * sizeof *first);
  for (size_t i = 0; i < rules->count; i++) {
    bool any, *joints = joint_rule_joints(&rules->rule[i], skeleton, &any);
    for (size_t j = 0; j < skeleton->joints; j++)
      if (joints[j]) follow(&rules->rule[i], asked, skeleton, &common, &first[j], &row[j]);
    free(joints);
  }
  for (size_t j = 0; j < skeleton->joints; j++) {
    if (!has_bound(&row[j].bounds)) continue;
    bounds.row = memory_grow(bounds.row, bounds.count, sizeof *bounds.row);
    bounds.row[bounds.count++] = row[j];
  }
  free(row), free(first);
  return bounds;
}
