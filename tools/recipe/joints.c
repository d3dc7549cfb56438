/* Joints that a recipe leaves out. */
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/text.h"
#include "recipe/prepare.h"
#include "system/files.h"
#include "terminal/message.h"

struct leaving {
  struct recipe *recipe;
  const char *path;
  struct skeleton skeleton;
  bool *out; /* each joint */
};

/* The last rule that a name is like; null: none. */
static const struct joint_rule *rule_of(const struct recipe *recipe, const char *name) {
  const struct joint_rule *rule = NULL;
  for (size_t i = 0; i < recipe->joints.count; i++)
    if (glob_matches(recipe->joints.rule[i].match, name)) rule = &recipe->joints.rule[i];
  return rule;
}

/* Leaves out joints that nothing needs. */
static bool leave_out_beside_skin(struct leaving *l) {
  const struct skeleton *s = &l->skeleton;
  struct reached reached;
  if (!reach_find(l->path, s, s, &reached)) return false;
  for (size_t j = 0; j < s->joints; j++) l->out[j] = !reached.needed[j];
  reached_free(&reached);
  return true;
}

static void follow_rules(struct leaving *l) {
  for (size_t j = 0; j < l->skeleton.joints; j++) {
    const struct joint_rule *rule = rule_of(l->recipe, l->skeleton.joint[j].name);
    if (rule) l->out[j] = rule->leave_out;
  }
}

/* Joints above others stay with them. False and a complaint if a rule leaves out such a joint. */
static bool keep_above(struct leaving *l) {
  const struct skeleton *s = &l->skeleton;
  for (size_t j = s->joints; j-- > 0;) {
    const int64_t parent = s->joint[j].parent;
    if (l->out[j] || parent < 0 || !l->out[parent]) continue;
    const struct joint_rule *rule = rule_of(l->recipe, s->joint[parent].name);
    l->out[parent] = false;
    if (!rule) continue;
    recipe_complain(l->recipe, (struct recipe_place){rule->line, rule->column},
                    "\"%.200s\" cannot be left out: \"%.200s\" below it stays", s->joint[parent].name,
                    s->joint[j].name);
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
  struct system_memory list;
  size_t count = 0;
  system_memory_open(&list);
  for (size_t j = 0; j < l->skeleton.joints; j++) {
    if (!l->out[j]) continue;
    texts_add(&l->recipe->changes.left_out, l->skeleton.joint[j].name);
    fprintf(list.file, "%s%s", count++ ? ", " : "", l->skeleton.joint[j].name);
  }
  system_memory_close(&list);
  if (count > 0)
    complain(l->path, "%s of %s joints %s left out: %s", text_number(count), text_number(l->skeleton.joints),
             count > 1 ? "are" : "is", list.text);
  free(list.text);
}

static bool has_rule(const struct recipe *recipe) {
  bool any = recipe->skin;
  for (size_t i = 0; i < recipe->joints.count; i++) any = any || recipe->joints.rule[i].leave_out;
  return any;
}

/* False and a complaint if a rule is for no joint. */
static bool rules_have_joints(const struct leaving *l) {
  bool good = true;
  for (size_t i = 0; i < l->recipe->joints.count; i++) {
    const struct joint_rule *rule = &l->recipe->joints.rule[i];
    size_t j = 0;
    while (j < l->skeleton.joints && !glob_matches(rule->match, l->skeleton.joint[j].name)) j++;
    if (j < l->skeleton.joints) continue;
    recipe_complain(l->recipe, (struct recipe_place){rule->line, rule->column}, "no joint is like \"%.200s\"",
                    rule->match);
    good = false;
  }
  return good;
}

bool recipe_leave_out(struct recipe *recipe, const char *path) {
  struct leaving l = {.recipe = recipe, .path = path};
  const struct skeleton_choice choice = {.changes = &recipe->changes};
  if (recipe->joints.count == 0 && !recipe->skin) return true;
  if (skeleton_file_is(path)) {
    if (!has_rule(recipe)) return true;
    complain(path, "has its joints already; \"keep\" and \"leave_out\" need the file that it was made from");
    return false;
  }
  if (!skeleton_read(path, &choice, &l.skeleton)) return false;
  l.out = memory_get(l.skeleton.joints, sizeof *l.out);
  bool good = rules_have_joints(&l) && (!recipe->skin || leave_out_beside_skin(&l));
  if (good) follow_rules(&l);
  good = good && keep_above(&l);
  if (good) keep_names(&l), take_names(&l);
  free(l.out);
  skeleton_free(&l.skeleton);
  return good;
}
