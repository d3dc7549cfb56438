/* Joints that a recipe leaves out. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "recipe/prepare.h"
#include "system/files.h"
#include "terminal/message.h"

enum { LISTED = 12 };

struct leaving {
  struct recipe *recipe;
  const char *path;
  struct skeleton skeleton;
  bool *out;                      /* each joint */
  const struct joint_rule **rule; /* the last that is for a joint; null: none */
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
  bool any = rule->leave_out || recipe->skin || counts(rule, &common);
  for (size_t e = 0; e < recipe->entries; e++)
    any = any || (recipe->entry[e].has_bound && counts(rule, &recipe->entry[e].bound));
  return any;
}

/* Finds each joint's rule. False and a complaint if a rule is for no joint, or does nothing. */
static bool find_rules(struct leaving *l) {
  bool good = true;
  for (size_t i = 0; i < l->recipe->joints.count; i++) {
    const struct joint_rule *rule = &l->recipe->joints.rule[i];
    bool any, *joints = joint_rule_joints(rule, &l->skeleton, &any);
    for (size_t j = 0; j < l->skeleton.joints; j++)
      if (joints[j]) l->rule[j] = rule;
    free(joints);
    struct text_guess guess = {.word = rule->match.text[0]};
    char wrong[400];
    for (size_t j = 0; !any && j < l->skeleton.joints; j++) text_guess(&guess, l->skeleton.joint[j].name);
    snprintf(wrong, sizeof wrong, "no joint is like \"%.200s\"%s", rule->match.text[0], guess.hint);
    if (!any) complain_of_rule(l, rule, wrong);
    else if (!does_anything(l->recipe, rule))
      complain_of_rule(l, rule, "this has no bound of a kind that the bound of all joints has");
    good = good && any && does_anything(l->recipe, rule);
  }
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
  struct system_memory list;
  size_t count = 0;
  system_memory_open(&list);
  for (size_t j = 0; j < l->skeleton.joints; j++) {
    if (!l->out[j]) continue;
    texts_add(&l->recipe->changes.left_out, l->skeleton.joint[j].name);
    if (count++ < LISTED) fprintf(list.file, "%s%s", count > 1 ? ", " : "", l->skeleton.joint[j].name);
  }
  if (count > LISTED) fprintf(list.file, " and %s more", text_number(count - LISTED));
  system_memory_close(&list);
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

bool recipe_leave_out(struct recipe *recipe, const char *path) {
  struct leaving l = {.recipe = recipe, .path = path};
  const struct skeleton_choice choice = {.changes = &recipe->changes};
  if (recipe->joints.count == 0 && !recipe->skin) return true;
  if (skeleton_file_is(path)) {
    if (!leaves_out(recipe)) return true;
    complain(path, "has its joints already; \"keep\" and \"leave_out\" need the file that it was made from");
    return false;
  }
  if (!skeleton_read(path, &choice, &l.skeleton)) return false;
  l.out = memory_get(l.skeleton.joints, sizeof *l.out);
  l.rule = memory_get(l.skeleton.joints, sizeof *l.rule);
  bool good = find_rules(&l) && (!recipe->skin || leave_out_beside_skin(&l));
  for (size_t j = 0; j < l.skeleton.joints; j++)
    if (l.rule[j]) l.out[j] = l.rule[j]->leave_out;
  good = good && keep_above(&l);
  if (good) keep_names(&l), take_names(&l);
  free(l.out), free(l.rule);
  skeleton_free(&l.skeleton);
  return good;
}
