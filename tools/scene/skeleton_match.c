/* The joints of one file as those of another, by their names. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "scene/skeleton.h"
#include "terminal/message.h"

struct matching {
  const char *path;
  const struct skeleton_choice *choice;
  const quatsimd_skeleton *of;
  struct skeleton *skeleton;
  size_t matched;
  size_t *node_of; /* of each joint of the other; SCENE_NONE */
  size_t *joint;   /* of each node: that joint; SCENE_NONE */
  bool human;      /* joints match by the bones that they are of a human */
};

static const char *other(const struct matching *m) { return m->choice->path ? m->choice->path : "its .qsk"; }

/* ---- names ---- */

/* A name without the prefix that all names of its file share, as "mixamorig:". */
struct name {
  const char *text;
  size_t parent; /* the joint of the other that must be above; SCENE_NONE: none, or any */
  size_t number; /* of a joint of the other */
  size_t taken;  /* of the first of several that are equal: how many have a partner or were passed over */
};

static int compare_texts(const void *a, const void *b) {
  const struct name *p = a, *q = b;
  return p->parent != q->parent ? (p->parent < q->parent ? -1 : 1) : strcmp(p->text, q->text);
}

static int compare_names(const void *a, const void *b) {
  const struct name *p = a, *q = b;
  const int order = compare_texts(p, q);
  return order ? order : p->number < q->number ? -1 : p->number > q->number;
}

/* Counts the bytes of a name up to its last colon, and that. */
static size_t prefix_of(const char *name) {
  const char *colon = strrchr(name, ':');
  return colon ? (size_t)(colon + 1 - name) : 0;
}

/* Notes the prefix of one more name. *first: the first name with a prefix. False if that has another one. */
static bool share_prefix(const char *name, const char **first) {
  const size_t length = prefix_of(name);
  if (length > 0 && !*first) *first = name;
  return length == 0 || (prefix_of(*first) == length && strncmp(*first, name, length) == 0);
}

/* Finds the prefixes of both sides. They are passed over if there is one on each side at most, and they
 * differ. Then people are told. */
static bool pass_prefixes(const struct matching *m, bool silent) {
  const char *own = NULL, *others = NULL;
  const struct scene *scene = &m->skeleton->scene;
  bool one = true;
  for (size_t n = 0; one && n < scene->nodes; n++)
    if (m->skeleton->joint_of[n] != SCENE_NONE) one = share_prefix(scene->node[n].name, &own);
  for (size_t j = 0; one && j < quatsimd_skeleton_joint_count(m->of); j++)
    one = share_prefix(quatsimd_skeleton_joint_name(m->of, j), &others);
  const size_t length = own ? prefix_of(own) : 0, of_others = others ? prefix_of(others) : 0;
  if (!one || (length == of_others && (length == 0 || strncmp(own, others, length) == 0))) return false;
  if (!silent && length && of_others)
    complain(m->path, "names match without \"%.*s\", and those of %s without \"%.*s\"", (int)length, own,
             other(m), (int)of_others, others);
  else if (!silent && length)
    complain(m->path, "names match those of %s without \"%.*s\"", other(m), (int)length, own);
  else if (!silent)
    complain(m->path, "names match those of %s if these are without \"%.*s\"", other(m), (int)of_others,
             others);
  return true;
}

static const char *bare(const char *name, bool pass) { return name + (pass ? prefix_of(name) : 0); }

/* All joints of the other, by what is above them, if that counts, and by name. To be freed. */
static struct name *sort_names(const struct matching *m, bool pass, bool by_parent) {
  const size_t joints = quatsimd_skeleton_joint_count(m->of);
  struct name *names = memory_get(joints, sizeof *names);
  for (size_t j = 0; j < joints; j++) {
    const int64_t parent = by_parent ? quatsimd_skeleton_parent(m->of, j) : -1;
    names[j] = (struct name){bare(quatsimd_skeleton_joint_name(m->of, j), pass),
                             parent < 0 ? SCENE_NONE : (size_t)parent, j, 0};
  }
  if (joints) qsort(names, joints, sizeof *names, compare_names);
  return names;
}

static void match(struct matching *m, size_t node, size_t joint) {
  m->node_of[joint] = node;
  m->joint[node] = joint;
  m->matched++;
}

/* True if a node and a joint have the same joint above them, or none. */
static bool parents_match(const struct matching *m, size_t node, size_t joint) {
  const size_t above = m->skeleton->scene.node[node].parent;
  const int64_t parent = quatsimd_skeleton_parent(m->of, joint);
  const size_t partner = above == SCENE_NONE ? SCENE_NONE : m->joint[above];
  return parent < 0 ? partner == SCENE_NONE : partner == (size_t)parent;
}

/* Matches a node with the first joint like the key that has no partner yet. */
static void match_first(struct matching *m, size_t node, const struct name *key, struct name *names) {
  const size_t joints = quatsimd_skeleton_joint_count(m->of);
  struct name *found = joints ? bsearch(key, names, joints, sizeof *names, compare_texts) : NULL;
  if (!found) return;
  while (found > names && compare_texts(found - 1, key) == 0) found--;
  struct name *joint = found + found->taken;
  for (; joint < names + joints && compare_texts(joint, key) == 0; joint++, found->taken++)
    if (m->node_of[joint->number] == SCENE_NONE) {
      match(m, node, joint->number);
      return;
    }
}

/* Matches nodes without a partner by their names. by_parent: what is above must be partners, or nothing. */
static void match_by_names(struct matching *m, bool pass, bool by_parent) {
  const struct scene *scene = &m->skeleton->scene;
  struct name *names = sort_names(m, pass, by_parent);
  for (size_t n = 0; n < scene->nodes; n++) {
    if (m->skeleton->joint_of[n] == SCENE_NONE || m->joint[n] != SCENE_NONE) continue;
    const size_t above = by_parent ? scene->node[n].parent : SCENE_NONE;
    const struct name key = {bare(scene->node[n].name, pass),
                             above == SCENE_NONE ? SCENE_NONE : m->joint[above], 0, 0};
    match_first(m, n, &key, names);
  }
  free(names);
}

/* Matches nodes of an animation of VRM with the joints that are the same bones. */
static void match_humans(struct matching *m) {
  const struct skeleton_file *of = m->choice->of;
  const struct scene *scene = &m->skeleton->scene;
  for (size_t n = 0; of->human && n < scene->nodes; n++)
    for (size_t j = 0; m->skeleton->joint_of[n] != SCENE_NONE && scene->node[n].human &&
                       j < quatsimd_skeleton_joint_count(m->of);
         j++)
      if (human_bones_match(of->human[j], scene->node[n].human) && m->node_of[j] == SCENE_NONE) {
        match(m, n, j);
        m->human = true;
        break;
      }
}

/* Matches names: several joints of one name by the joints above them, which come first, then what is left. */
static void match_names(struct matching *m, bool silent) {
  const bool pass = pass_prefixes(m, silent);
  for (size_t j = 0; j < quatsimd_skeleton_joint_count(m->of); j++) m->node_of[j] = SCENE_NONE;
  for (size_t n = 0; n < m->skeleton->scene.nodes; n++) m->joint[n] = SCENE_NONE;
  match_humans(m);
  match_by_names(m, pass, true);
  match_by_names(m, pass, false);
}

/* Of each node, or of each joint of the other: has any above it a partner? To be freed. */
static bool *nodes_hang(const struct matching *m) {
  const struct scene *scene = &m->skeleton->scene;
  bool *hang = memory_get(scene->nodes, sizeof *hang);
  for (size_t n = 0; n < scene->nodes; n++) {
    const size_t parent = scene->node[n].parent;
    hang[n] = parent != SCENE_NONE && (m->joint[parent] != SCENE_NONE || hang[parent]);
  }
  return hang;
}
static bool *joints_hang(const struct matching *m) {
  bool *hang = memory_get(quatsimd_skeleton_joint_count(m->of), sizeof *hang);
  for (size_t j = 0; j < quatsimd_skeleton_joint_count(m->of); j++) {
    const int64_t parent = quatsimd_skeleton_parent(m->of, j);
    hang[j] = parent >= 0 && (m->node_of[parent] != SCENE_NONE || hang[parent]);
  }
  return hang;
}

enum { QUOTE_ROOM = 320 };
static const char *quote(char text[QUOTE_ROOM], const char *name) {
  if (name) snprintf(text, QUOTE_ROOM, "\"%.300s\"", name);
  return name ? text : "no joint";
}

static bool refuse_parent(const struct matching *m, size_t n) {
  const struct scene_node *nodes = m->skeleton->scene.node, *node = &nodes[n];
  const int64_t parent = quatsimd_skeleton_parent(m->of, m->joint[n]);
  char own[QUOTE_ROOM], others[QUOTE_ROOM];
  return complain(m->path, "joint \"%.300s\" is below %s, but in %s it is below %s", node->name,
                  quote(own, node->parent == SCENE_NONE ? NULL : nodes[node->parent].name), other(m),
                  quote(others, parent < 0 ? NULL : quatsimd_skeleton_joint_name(m->of, (size_t)parent)));
}

/* True if a node and its partner are the same bone of a human, whatever is above either. */
static bool is_human(const struct matching *m, size_t node) {
  return m->human &&
         human_bones_match(m->skeleton->scene.node[node].human, m->choice->of->human[m->joint[node]]);
}

/* A joint moves relative to its parent, so that must be the same one. Where no joint above has a partner,
 * on neither side, the skeletons begin. */
static bool parents_agree(const struct matching *m) {
  bool *node_hangs = nodes_hang(m), *joint_hangs = joints_hang(m), good = true;
  for (size_t n = 0; good && n < m->skeleton->scene.nodes; n++) {
    if (m->joint[n] == SCENE_NONE || is_human(m, n) || (!node_hangs[n] && !joint_hangs[m->joint[n]]))
      continue;
    if (quatsimd_skeleton_parent(m->of, m->joint[n]) < 0 || !parents_match(m, n, m->joint[n]))
      good = refuse_parent(m, n);
  }
  free(node_hangs);
  free(joint_hangs);
  return good;
}

/* Lengths come as they are. */
static bool units_agree(const struct matching *m) {
  const double own = m->skeleton->scene.metres, others = quatsimd_skeleton_metres(m->of);
  if (!(own > 0) || !(others > 0) || fabs(own - others) <= 1e-5 * others) return true;
  return complain(m->path, "its unit of lengths is %g m, and that of %s is %g m", own, other(m), others);
}

/* Values come as they are, too. */
static void mention_axes(const struct matching *m, bool silent) {
  const int own = m->skeleton->scene.up, others = m->choice->of->up;
  if (own * others < 0 && !silent)
    complain(m->path,
             "y is %s in it, and %s in %s: values are not turned, so the motion may lie on its side; export "
             "both with the same axis up",
             own > 0 ? "up" : "not up", others > 0 ? "up" : "not up", other(m));
}

static double length_of(const float v[3]) {
  return sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2]);
}

/* Positions come as they are: a file in centimetres moves a rig in metres 100 times too far. */
static void mention_lengths(const struct matching *m, bool silent) {
  const double most = 3;
  double own = 0, others = 0;
  for (size_t n = 0; n < m->skeleton->scene.nodes; n++) {
    float at[3];
    quatsimd_pose_out pose = {.translations = quatsimd_aos_out(at)};
    if (m->joint[n] == SCENE_NONE || quatsimd_skeleton_rest_pose(m->of, &pose, m->joint[n], 1) != QUATSIMD_OK)
      continue;
    own += length_of(m->skeleton->scene.node[n].rest[SCENE_TRANSLATION]), others += length_of(at);
  }
  if (!silent && own > 0 && others > 0 && (own > most * others || others > most * own))
    complain(m->path,
             "its bones are %.3g times as long as those of %s, and positions are not fitted to them: if the "
             "units differ, export both in one",
             own / others, other(m));
}

/* Moving joints without a partner. ----------------------------------------------------------------------- */

/* Marks such nodes and counts their curves. */
static void count_lost(const struct matching *m, bool *lost) {
  const struct scene *scene = &m->skeleton->scene;
  for (size_t a = 0; a < scene->animations; a++)
    for (size_t c = 0; c < scene->animation[a].channels; c++) {
      const struct scene_channel *channel = &scene->animation[a].channel[c];
      if (!skeleton_moves(channel) || m->joint[channel->node] != SCENE_NONE) continue;
      lost[channel->node] = true;
      for (int kind = 0; kind < SCENE_KINDS; kind++)
        m->skeleton->curves_left_out += channel->curve[kind].keys > 0;
    }
}

/* The names of marked nodes, to be freed; in *count how many they are. */
static char *list_of(const struct matching *m, const bool *marked, size_t *count) {
  const struct scene *scene = &m->skeleton->scene;
  struct growing_text list = {0};
  *count = 0;
  for (size_t n = 0; n < scene->nodes; n++) {
    if (!marked[n]) continue;
    text_add(&list, "%s\"%s\"%s", (*count)++ ? ", " : "", scene->node[n].name,
             quatsimd_skeleton_find_joint(m->of, scene->node[n].name) >= 0 ? " (another one of this name)"
                                                                           : "");
  }
  return list.text;
}

/* Names moving joints or tracks without a partner, and frees the list. False if there are any, and that is an
 * error. */
static bool mention(const struct matching *m, const char *what, char *list, size_t count, bool silent) {
  if (count && !silent)
    complain(m->path, "%s %s%s and %s no match in %s%s: %s", text_number(count), what,
             count > 1 ? "s move" : " moves", count > 1 ? "have" : "has", other(m),
             m->choice->ignore_unmatched ? ", so their curves are left out"
             : m->choice->changes        ? " (\"ignore_unmatched\": true leaves them out)"
                                         : " (--ignore-unmatched leaves them out)",
             list);
  free(list);
  return count == 0 || m->choice->ignore_unmatched;
}

static bool mention_lost(const struct matching *m, bool silent) {
  bool *lost = memory_get(m->skeleton->scene.nodes, sizeof *lost);
  size_t count;
  count_lost(m, lost);
  char *list = list_of(m, lost, &count);
  free(lost);
  return mention(m, "joint", list, count, silent);
}

/* Tracks belong together by their names, too: the first ones of a name. Those that move and have no
 * partner. */
static char *match_tracks(const struct matching *m, size_t *count) {
  struct skeleton *s = m->skeleton;
  struct growing_text list = {0};
  bool *taken = memory_get(quatsimd_skeleton_track_count(m->of), sizeof *taken);
  *count = 0;
  for (size_t t = 0; t < s->scene.tracks; t++) {
    const int64_t track = quatsimd_skeleton_find_track(m->of, s->scene.track[t].name);
    size_t moving = 0;
    const bool found = track >= 0 && !taken[track];
    s->track_of[t] = found ? (size_t)track : SCENE_NONE;
    if (found) taken[track] = true;
    for (size_t a = 0; !found && a < s->scene.animations; a++)
      moving += s->scene.animation[a].track && s->scene.animation[a].track[t].keys > 0;
    if (moving) text_add(&list, "%s\"%s\"", (*count)++ ? ", " : "", s->scene.track[t].name);
    s->curves_left_out += moving;
  }
  free(taken);
  return list.text;
}

static bool mention_lost_tracks(const struct matching *m, bool silent) {
  size_t count;
  char *list = match_tracks(m, &count);
  return mention(m, "track", list, count, silent);
}

/* -------------------------------------------------------------------------------------------------------- */

static bool has_common_track(const struct matching *m) {
  const struct scene *scene = &m->skeleton->scene;
  size_t t = 0;
  while (t < scene->tracks && quatsimd_skeleton_find_track(m->of, scene->track[t].name) < 0) t++;
  return t < scene->tracks;
}

/* Gives bones of a human the motion that the other's rest pose needs. */
static void retarget(const struct matching *m, bool silent) {
  const size_t count = human_bones_retarget(&m->skeleton->scene, m->choice->of, m->joint);
  m->skeleton->curves_left_out += count;
  if (count && !silent)
    complain(m->path, "%zu translation%s of a human bone other than the hips %s left out", count,
             count > 1 ? "s" : "", count > 1 ? "are" : "is");
}

/* Puts the joints of the other in the place of the own ones. */
static void take_over(const struct matching *m) {
  struct skeleton *s = m->skeleton;
  skeleton_file_free(&s->file);
  skeleton_file_copy(&s->file, m->choice->of);
  free(s->joint);
  s->joints = quatsimd_skeleton_joint_count(m->of);
  s->joint = memory_get(s->joints, sizeof *s->joint);
  for (size_t j = 0; j < s->joints; j++) s->joint[j].node = m->node_of[j];
  for (size_t n = 0; n < s->scene.nodes; n++) s->joint_of[n] = m->joint[n];
}

bool skeleton_match(const char *path, const struct skeleton_choice *choice, bool silent,
                    struct skeleton *skeleton) {
  struct matching m = {.path = path, .choice = choice, .of = choice->of->skeleton, .skeleton = skeleton};
  m.node_of = memory_get(quatsimd_skeleton_joint_count(m.of), sizeof *m.node_of);
  m.joint = memory_get(skeleton->scene.nodes, sizeof *m.joint);
  match_names(&m, silent);
  bool good = m.matched > 0 || (skeleton->joints == 0 && has_common_track(&m));
  if (!good) complain(path, "has no joint in common with %s", other(&m));
  good = good && units_agree(&m) && parents_agree(&m) && mention_lost(&m, silent);
  good = good && mention_lost_tracks(&m, silent);
  if (good) mention_axes(&m, silent);
  if (good && !m.human) mention_lengths(&m, silent);
  if (good && m.human) retarget(&m, silent);
  if (good) take_over(&m);
  free(m.joint);
  free(m.node_of);
  return good;
}
