/* Joints that a recipe leaves out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "recipe/prepare.h"
#include "terminal/message.h"

enum { LISTED = 12 };

struct leaving {
  struct recipe *recipe;
  const char *path;
  struct skeleton skeleton;
  bool *out, *named;              /* each joint: it is left out; a rule is for it */
  const struct joint_rule **rule; /* the last that leaves it out; null: none */
};

static void complain_of_rule(const struct leaving *l, const struct joint_rule *rule, const char *wrong) {
  recipe_complain(l->recipe, (struct recipe_place){rule->line, rule->column}, "%s", wrong);
}

/* Rules. ------------------------------------------------------------------------------------------------- */

/* True if a rule has a bound of a kind that the bound of all joints has. */
static bool counts(const struct joint_rule *rule, const struct bounds_asked *common) {
  bool any = rule->distance > 0 && common->bounds.distance > 0;
  for (int of = 0; of < CLIP_CHECK_ERRORS; of++)
    any = any || (rule->asked.bounds.of[of] > 0 && rule->asked.mesh == 0 && common->bounds.of[of] > 0);
  return any || (rule->asked.mesh > 0 && common->mesh > 0);
}

/* True if a rule does anything: leaves joints out, keeps them, or bounds some. */
static bool does_anything(const struct recipe *recipe, const struct joint_rule *rule) {
  const struct bounds_asked common = recipe->has_bound ? recipe->bound : bounds_default(false);
  bool any = rule->leave_out || rule->keep || recipe->skin || counts(rule, &common);
  for (size_t e = 0; e < recipe->entries; e++)
    any = any || (recipe->entry[e].has_bound && counts(rule, &recipe->entry[e].bound));
  return any;
}

/* Finds the joints of a rule. False and a complaint if a pattern has none, or it does nothing. */
static bool follow_rule(struct leaving *l, const struct joint_rule *rule) {
  bool good = true;
  for (size_t p = 0; p < rule->match.count && good; p++) {
    const struct joint_rule one = {.match = {1, &rule->match.text[p]}};
    bool *joints = joint_rule_joints(&one, &l->skeleton, &good);
    struct text_guess guess = {.word = rule->match.text[p]};
    char wrong[400];
    for (size_t j = 0; j < l->skeleton.joints; j++) {
      text_guess(&guess, l->skeleton.joint[j].name);
      if (!joints[j]) continue;
      l->named[j] = true;
      if (rule->leave_out) l->rule[j] = rule;
      if (rule->keep) l->rule[j] = NULL;
    }
    free(joints);
    snprintf(wrong, sizeof wrong, "no joint is like \"%.200s\"%s", rule->match.text[p], guess.hint);
    if (!good) complain_of_rule(l, rule, wrong);
  }
  if (!good || does_anything(l->recipe, rule)) return good;
  complain_of_rule(l, rule, "this has no bound of a kind that the bound of all joints has");
  return false;
}

/* False and a complaint if one of them does nothing. */
static bool follow_rules(struct leaving *l) {
  bool good = true, mesh = !l->recipe->has_bound || l->recipe->bound.mesh > 0;
  for (size_t e = 0; e < l->recipe->entries; e++) mesh = mesh || l->recipe->entry[e].bound.mesh > 0;
  if (l->recipe->joints.without_vertices.bounds.distance > 0 && !mesh) {
    recipe_complain(l->recipe, l->recipe->without_at,
                    "this needs a bound of the mesh, such as \"0.2mm@mesh\"");
    good = false;
  }
  for (size_t i = 0; i < l->recipe->joints.count; i++)
    good = follow_rule(l, &l->recipe->joints.rule[i]) && good;
  return good;
}

/* Joints. ------------------------------------------------------------------------------------------------ */

/* Leaves out joints that nothing needs. False and a complaint if there is no telling. */
static bool leave_out_beside_skin(struct leaving *l) {
  const struct skeleton *s = &l->skeleton;
  struct reached reached;
  if (!reach_find(l->path, s, s, &reached)) return false;
  const bool moves = reached.moves;
  if (!moves) complain(l->path, "has no mesh, which \"keep\": \"skin\" needs");
  for (size_t j = 0; j < s->joints; j++) l->out[j] = !reached.needed[j];
  reached_free(&reached);
  return moves;
}

/* Joints above others stay with them. False and a complaint if a rule leaves out such a joint. */
static bool keep_above(struct leaving *l) {
  const struct skeleton *s = &l->skeleton;
  for (size_t j = s->joints; j-- > 0;) {
    const int64_t parent = s->joint[j].parent;
    if (l->out[j] || parent < 0 || !l->out[parent]) continue;
    char wrong[600];
    l->out[parent] = false;
    if (!l->rule[parent]) continue;
    snprintf(wrong, sizeof wrong, "\"%.200s\" cannot be left out: \"%.200s\" below it stays",
             s->joint[parent].name, s->joint[j].name);
    complain_of_rule(l, l->rule[parent], wrong);
    return false;
  }
  return true;
}

/* Joints that go are chosen by their names: one that stays keeps all of its name. */
static void keep_names(struct leaving *l) {
  const struct skeleton *s = &l->skeleton;
  for (size_t j = 0; j < s->joints; j++)
    for (size_t i = 0; !l->out[j] && i < s->joints; i++)
      if (strcmp(s->joint[i].name, s->joint[j].name) == 0) l->out[i] = false;
}

static void take_names(const struct leaving *l) {
  struct growing_text list = {0};
  size_t count = 0;
  for (size_t j = 0; j < l->skeleton.joints; j++) {
    if (!l->out[j]) continue;
    texts_add(&l->recipe->changes.left_out, l->skeleton.joint[j].name);
    if (count++ < LISTED) text_add(&list, "%s%s", count > 1 ? ", " : "", l->skeleton.joint[j].name);
  }
  if (count > LISTED) text_add(&list, " and %s more", text_number(count - LISTED));
  if (count > 0)
    complain(l->path, "%s of %s joints %s left out: %s", text_number(count), text_number(l->skeleton.joints),
             count > 1 ? "are" : "is", list.text);
  free(list.text);
}

static bool leaves_out(const struct recipe *recipe) {
  bool any = recipe->skin;
  for (size_t i = 0; i < recipe->joints.count; i++) any = any || recipe->joints.rule[i].leave_out;
  return any;
}

/* The joints of a .qsk, whose rules are looked at, too. */
static bool read_joints(struct leaving *l) {
  struct skeleton_file file;
  if (!skeleton_file_read(l->path, &file)) return false;
  struct skeleton *s = &l->skeleton;
  s->file = file, s->joints = quatsimd_skeleton_joint_count(file.skeleton);
  s->joint = memory_get(s->joints, sizeof *s->joint);
  for (size_t j = 0; j < s->joints; j++) {
    s->joint[j].name = quatsimd_skeleton_joint_name(file.skeleton, j);
    s->joint[j].parent = quatsimd_skeleton_parent(file.skeleton, j);
  }
  if (!leaves_out(l->recipe)) return true;
  complain(l->path, "has its joints already; \"keep\" and \"leave_out\" need the file that it was made from");
  return false;
}

/* False and a complaint if it cannot be. */
static bool choose(struct leaving *l) {
  const struct skeleton_choice choice = {.changes = &l->recipe->changes};
  const bool file = !skeleton_file_is(l->path);
  if (!(file ? skeleton_read(l->path, &choice, &l->skeleton) : read_joints(l))) return false;
  const size_t joints = l->skeleton.joints;
  l->out = memory_get(joints, sizeof *l->out);
  l->named = memory_get(joints, sizeof *l->named);
  l->rule = memory_get(joints, sizeof(struct joint_rule *));
  if (!follow_rules(l) || (l->recipe->skin && !leave_out_beside_skin(l))) return false;
  for (size_t j = 0; j < joints; j++) l->out[j] = l->rule[j] || (l->out[j] && !l->named[j]);
  if (!keep_above(l)) return false;
  keep_names(l), take_names(l);
  return true;
}

bool recipe_leave_out(struct recipe *recipe, const char *path) {
  struct leaving l = {.recipe = recipe, .path = path};
  if (recipe->joints.count == 0 && !recipe->skin && recipe->joints.without_vertices.bounds.distance == 0)
    return true;
  const bool good = choose(&l);
  free(l.out), free(l.named), free(l.rule);
  skeleton_free(&l.skeleton);
  return good;
}
