#include "scene/skeleton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "readers/readers.h"
#include "scene/reach.h"
#include "terminal/message.h"

bool skeleton_moves(const struct scene_channel *channel) {
  bool any = false;
  for (int kind = 0; kind < SCENE_KINDS; kind++) any = any || channel->curve[kind].keys > 0;
  return any;
}

/* joints. ------------------------------------------------------------------------------------------------ */

/* Marks the joints of skins, the nodes that move and those above them, and numbers these in the order of the
 * nodes. If there are none, no tracks and nothing unread, all nodes are joints: the file is a rig. */
static void find_joints(struct skeleton *skeleton) {
  const struct scene *scene = &skeleton->scene;
  bool *is_joint = memory_get(scene->nodes, sizeof *is_joint), any = scene->tracks + scene->unread > 0;
  for (size_t a = 0; a < scene->animations; a++) {
    skeleton->moves = skeleton->moves || scene->animation[a].track;
    for (size_t c = 0; c < scene->animation[a].channels; c++)
      if (skeleton_moves(&scene->animation[a].channel[c]))
        is_joint[scene->animation[a].channel[c].node] = skeleton->moves = true;
  }
  for (size_t n = scene->nodes; n-- > 0;) { /* children come after their parents */
    is_joint[n] = is_joint[n] || scene->node[n].in_skin;
    any = any || is_joint[n];
    if (is_joint[n] && scene->node[n].parent != SCENE_NONE) is_joint[scene->node[n].parent] = true;
  }
  skeleton->joint = memory_get(scene->nodes, sizeof *skeleton->joint);
  skeleton->joint_of = memory_get(scene->nodes, sizeof *skeleton->joint_of);
  for (size_t n = 0; n < scene->nodes; n++) {
    skeleton->joint_of[n] = SCENE_NONE;
    if (is_joint[n] || !any) skeleton->joint[skeleton->joint_of[n] = skeleton->joints++].node = n;
  }
  free(is_joint);
}

static void mention_shears(const char *path, const struct skeleton *s) {
  size_t sheared = 0;
  const char *first = NULL;
  for (size_t j = 0; j < s->joints; j++) {
    const struct scene_node *node = &s->scene.node[s->joint[j].node];
    if (node->sheared && sheared++ == 0) first = node->name;
  }
  if (sheared)
    complain(path,
             "%zu joint%s a matrix with a shear, which clips have not: \"%.100s\"%s in the wrong place, and "
             "what is below",
             sheared, sheared > 1 ? "s have" : " has", first, sheared > 1 ? " and others are" : " is");
}

/* The joints as .qsk. */
static bool make_file(const char *path, struct skeleton *s) {
  quatsimd_skeleton_joint *joint = memory_get(s->joints, sizeof *joint);
  const char **track = memory_get(s->scene.tracks, sizeof *track);
  float *track_rest = memory_get(s->scene.tracks, sizeof *track_rest);
  const quatsimd_skeleton_source source = {s->joints, joint,           s->scene.tracks,
                                           track,     s->scene.metres, track_rest};
  for (size_t j = 0; j < s->joints; j++) {
    const struct scene_node *node = &s->scene.node[s->joint[j].node];
    joint[j].name = node->name;
    joint[j].parent = node->parent == SCENE_NONE ? -1 : (int64_t)s->joint_of[node->parent];
    memcpy(joint[j].rotation, node->rest[SCENE_ROTATION], sizeof joint[j].rotation);
    memcpy(joint[j].translation, node->rest[SCENE_TRANSLATION], sizeof joint[j].translation);
    memcpy(joint[j].scale, node->rest[SCENE_SCALE], sizeof joint[j].scale);
    joint[j].inverse_bind = node->bound ? node->inverse_bind : NULL;
  }
  for (size_t t = 0; t < s->scene.tracks; t++) {
    track[t] = s->scene.track[t].name, track_rest[t] = s->scene.track[t].rest;
    s->track_of[t] = t;
  }
  skeleton_file_free(&s->file);
  const bool good = skeleton_file_make(path, &source, &s->file);
  s->file.backward = s->scene.backward, s->file.up = s->scene.up;
  for (size_t j = 0; good && j < s->joints; j++) {
    const char *human = s->scene.node[s->joint[j].node].human;
    if (human && !s->file.human) s->file.human = memory_get(s->joints, sizeof *s->file.human);
    if (human) s->file.human[j] = text_copy(human);
  }
  free(joint);
  free(track);
  free(track_rest);
  return good;
}

/* Takes the joints of the .qsk, each of which has a node or none by now. */
static void take_file(struct skeleton *s) {
  const quatsimd_skeleton *of = s->file.skeleton;
  for (size_t j = 0; j < s->joints; j++) {
    struct skeleton_joint *joint = &s->joint[j];
    quatsimd_pose_out pose = {quatsimd_aos_out(joint->rest[SCENE_ROTATION]),
                              quatsimd_aos_out(joint->rest[SCENE_TRANSLATION]),
                              quatsimd_aos_out(joint->rest[SCENE_SCALE]), NULL};
    joint->name = quatsimd_skeleton_joint_name(of, j);
    joint->parent = quatsimd_skeleton_parent(of, j);
    (void)quatsimd_skeleton_rest_pose(of, &pose, j, 1); /* of a joint that is there it cannot fail */
  }
  free(s->track_rest);
  s->track_rest = memory_get(quatsimd_skeleton_track_count(of), sizeof *s->track_rest);
  quatsimd_pose_out tracks = {.tracks = s->track_rest};
  (void)quatsimd_skeleton_rest_pose(of, &tracks, 0, 0);
  s->metres = s->scene.metres > 0 ? s->scene.metres : quatsimd_skeleton_metres(of);
}

/* A joint, and what makes it matter at a distance. */
struct ranked {
  size_t node, depth;
  double scale;  /* of the joint's own space beside the root's */
  double extent; /* how far joints below it reach, bone by bone, where the root is */
  bool needed;   /* a mesh needs it, or there is none; so are those above it */
};

static int compare_ranked(const void *a, const void *b) {
  const struct ranked *p = a, *q = b;
  if (p->needed != q->needed) return p->needed ? -1 : 1;
  if (p->extent != q->extent) return p->extent > q->extent ? -1 : 1; /* a parent's is not less */
  if (p->depth != q->depth) return p->depth < q->depth ? -1 : 1;
  return p->node < q->node ? -1 : 1;
}

static double length_of(const float *v) {
  const double x = (double)v[0], y = (double)v[1], z = (double)v[2];
  return sqrt(x * x + y * y + z * z);
}

/* Notes which joints a mesh needs: all if there is none, or it cannot be read. */
static void find_needed(const char *path, struct skeleton *s, struct ranked *ranked) {
  struct reached reached = {0};
  struct messages unheard = {0}, *before = messages_keep(&unheard);
  take_file(s);
  const bool known = reach_find(path, s, s, &reached) && reached.moves;
  for (size_t j = 0; j < s->joints; j++) ranked[j].needed = !known || reached.needed[j];
  messages_keep(before);
  messages_free(&unheard);
  reached_free(&reached);
}

/* Numbers the joints by importance, those of a mesh first. They come depth first, and have a .qsk. */
static void rank_joints(const char *path, struct skeleton *s) {
  struct ranked *ranked = memory_get(s->joints, sizeof *ranked);
  for (size_t j = 0; j < s->joints; j++) {
    const struct scene_node *node = &s->scene.node[s->joint[j].node];
    const struct ranked *parent = node->parent == SCENE_NONE ? NULL : &ranked[s->joint_of[node->parent]];
    const float *by = node->rest[SCENE_SCALE];
    const double largest = (double)fmaxf(fabsf(by[0]), fmaxf(fabsf(by[1]), fabsf(by[2])));
    ranked[j] = (struct ranked){s->joint[j].node, parent ? parent->depth + 1 : 0,
                                parent ? parent->scale * largest : largest, 0, false};
  }
  find_needed(path, s, ranked);
  for (size_t j = s->joints; j-- > 0;) { /* children first */
    const struct scene_node *node = &s->scene.node[s->joint[j].node];
    if (node->parent == SCENE_NONE) continue;
    struct ranked *parent = &ranked[s->joint_of[node->parent]];
    const double reach = parent->scale * length_of(node->rest[SCENE_TRANSLATION]) + ranked[j].extent;
    if (reach > parent->extent) parent->extent = reach;
  }
  qsort(ranked, s->joints, sizeof *ranked, compare_ranked);
  for (size_t j = 0; j < s->joints; j++) s->joint_of[s->joint[j].node = ranked[j].node] = j;
  free(ranked);
}

/* Numbers them depth first again. */
static void unrank_joints(struct skeleton *s) {
  size_t joints = 0;
  for (size_t n = 0; n < s->scene.nodes; n++)
    if (s->joint_of[n] != SCENE_NONE) s->joint[s->joint_of[n] = joints++].node = n;
}

/* reading. ----------------------------------------------------------------------------------------------- */

static bool read_nodes(const char *path, bool for_glb, const struct scene_changes *changes,
                       struct skeleton *skeleton) {
  *skeleton = (struct skeleton){0};
  if (!reader_scene(path, &skeleton->scene)) return false;
  if (changes && !scene_change(path, changes, &skeleton->scene)) return skeleton_free(skeleton), false;
  scene_mention_rest(path, &skeleton->scene, for_glb);
  skeleton->track_of = memory_get(skeleton->scene.tracks, sizeof *skeleton->track_of);
  find_joints(skeleton);
  mention_shears(path, skeleton);
  return true;
}

static bool finish(struct skeleton *skeleton, bool good) {
  if (good) take_file(skeleton);
  else skeleton_free(skeleton);
  return good;
}

bool skeleton_read(const char *path, const struct skeleton_choice *choice, struct skeleton *skeleton) {
  static const struct skeleton_choice own = {0};
  if (!choice) choice = &own;
  if (!read_nodes(path, choice->for_glb, choice->changes, skeleton)) return false;
  if (choice->of) return finish(skeleton, skeleton_match(path, choice, false, skeleton));
  if (choice->by_importance && make_file(path, skeleton)) rank_joints(path, skeleton);
  for (size_t n = 0; n < skeleton->scene.nodes && choice->for_glb; n++) skeleton->scene.node[n].bound = false;
  return finish(skeleton, make_file(path, skeleton));
}

static bool is_like(const struct skeleton *s, const struct skeleton_file *like, uint64_t hash) {
  return like ? skeleton_file_is_same(like, &s->file) : quatsimd_skeleton_hash(s->file.skeleton) == hash;
}

static bool has_human_bones(const struct scene *scene) {
  size_t n = 0;
  while (n < scene->nodes && !scene->node[n].human) n++;
  return n < scene->nodes;
}

bool skeleton_read_like(const char *path, const struct skeleton_file *like, uint64_t hash,
                        const struct skeleton_file *given, const struct scene_changes *changes,
                        struct skeleton *skeleton) {
  if (like && !like->skeleton) like = NULL;
  if (!read_nodes(path, false, changes, skeleton)) return false;
  if (!skeleton->moves && skeleton->scene.unread == 0) {
    complain(path, "no node moves in this file");
    return finish(skeleton, false);
  }
  if (!make_file(path, skeleton)) return finish(skeleton, false);
  if (is_like(skeleton, like, hash)) return finish(skeleton, true);
  rank_joints(path, skeleton);
  if (!make_file(path, skeleton)) return finish(skeleton, false);
  if (is_like(skeleton, like, hash)) return finish(skeleton, true);
  if (like) {
    struct skeleton_file of = *like;
    const struct skeleton_choice choice = {.of = &of, .ignore_unmatched = true};
    if (given && skeleton_file_is_same(given, like)) of.human = given->human;
    else if (given) {
      complain(path, "has clips of another skeleton than that of --skeleton");
      return finish(skeleton, false);
    } else if (has_human_bones(&skeleton->scene)) {
      complain(path, "has human bones, and these may have matched: `verify --skeleton` compares them if it "
                     "gets the skeleton's file again");
      return finish(skeleton, false);
    }
    return finish(skeleton, skeleton_match(path, &choice, true, skeleton));
  }
  unrank_joints(skeleton);
  return finish(skeleton, make_file(path, skeleton));
}

bool skeleton_file_of(const char *path, bool by_importance, const struct scene_changes *changes,
                      struct skeleton_file *file) {
  const struct skeleton_choice choice = {.by_importance = by_importance, .changes = changes};
  struct skeleton skeleton;
  *file = (struct skeleton_file){0};
  if (skeleton_file_is(path)) {
    if (by_importance) complain(path, "already has an order of joints, so --order does not go with it");
    return !by_importance && skeleton_file_read(path, file);
  }
  if (!skeleton_read(path, &choice, &skeleton)) return false;
  if (skeleton.joints == 0 && skeleton.scene.tracks == 0)
    complain(path, skeleton.scene.unread ? "has no joints: its animations could not be read"
                                         : "has no nodes, which joints could be");
  else skeleton_file_copy(file, &skeleton.file);
  skeleton_free(&skeleton);
  return file->skeleton != NULL;
}

void skeleton_free(struct skeleton *skeleton) {
  scene_free(&skeleton->scene);
  skeleton_file_free(&skeleton->file);
  free(skeleton->joint);
  free(skeleton->joint_of);
  free(skeleton->track_of);
  free(skeleton->track_rest);
  *skeleton = (struct skeleton){0};
}

const struct scene_curve **skeleton_curves(const struct skeleton *skeleton, size_t animation) {
  const struct scene_animation *from = &skeleton->scene.animation[animation];
  const size_t of_joints = SCENE_KINDS * skeleton->joints;
  const struct scene_curve **curves = memory_get(
      of_joints + quatsimd_skeleton_track_count(skeleton->file.skeleton), sizeof(struct scene_curve *));
  for (size_t c = 0; c < from->channels; c++) {
    const size_t joint = skeleton->joint_of[from->channel[c].node];
    if (joint == SCENE_NONE) continue;
    for (int kind = 0; kind < SCENE_KINDS; kind++)
      if (from->channel[c].curve[kind].keys > 0)
        curves[SCENE_KINDS * joint + (size_t)kind] = &from->channel[c].curve[kind];
  }
  for (size_t t = 0; from->track && t < skeleton->scene.tracks; t++)
    if (from->track[t].keys > 0 && skeleton->track_of[t] != SCENE_NONE)
      curves[of_joints + skeleton->track_of[t]] = &from->track[t];
  return curves;
}

void skeleton_select(const struct skeleton *skeleton, const struct texts *patterns, bool *selected) {
  const char **name = memory_get(skeleton->joints, sizeof(char *));
  size_t *parent = memory_get(skeleton->joints, sizeof *parent);
  for (size_t j = 0; j < skeleton->joints; j++) {
    name[j] = skeleton->joint[j].name;
    parent[j] = skeleton->joint[j].parent < 0 ? SCENE_NONE : (size_t)skeleton->joint[j].parent;
  }
  names_select(patterns, skeleton->joints, name, parent, selected);
  free(name), free(parent);
}
