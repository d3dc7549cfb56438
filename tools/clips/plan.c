#include "clips/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/text.h"
#include "clips/mesh_bounds.h"
#include "terminal/message.h"

/* False and a complaint if the mesh cannot be read, and somebody asked for its bound. */
static bool find_mesh(struct clip_plan *plan, struct reached *reached) {
  const struct skeleton_choice *choice = &plan->settings->skeleton;
  if (reached->distance || mesh_bounds_find(choice, plan->path, plan->skeleton, reached)) return true;
  if (!plan->asked.mesh_by_default) return false;
  if (!reached->mentioned) complain(plan->path, "its mesh cannot be read, so its vertices have no bound");
  reached->mentioned = true;
  plan->asked.mesh = 0;
  return true;
}

bool clip_plan_make(struct clip_plan *plan, const struct clip_settings *settings, const char *path,
                    const struct skeleton *skeleton, struct reached *reached) {
  struct bounds_asked *asked = &plan->asked;
  *plan =
      (struct clip_plan){.settings = settings, .path = path, .skeleton = skeleton, .asked = settings->asked};
  if (settings->base && !clip_base_fits(settings->base, path, skeleton)) return false;
  if (asked->mesh > 0 && !find_mesh(plan, reached)) return false;
  if (asked->mesh > 0 && !reached->moves) {
    if (!asked->mesh_by_default && !reached->mentioned)
      reached->mentioned = true, complain(path, "has no mesh: the bound of the mesh does not count");
    asked->mesh = 0;
  }
  plan->bounds = bounds_of_file(asked, skeleton);
  plan->joints = mesh_bounds_make(settings, asked, skeleton, reached);
  return true;
}

void clip_plan_free(struct clip_plan *plan) {
  joint_bounds_free(&plan->joints);
  *plan = (struct clip_plan){.settings = NULL};
}

static void complain_of_name(const struct clip_plan *plan, const char *pattern) {
  const struct scene *scene = &plan->skeleton->scene;
  char list[1600] = "";
  for (size_t a = 0; a < scene->animations; a++) {
    const size_t length = strlen(list);
    if (length + 200 > sizeof list) {
      snprintf(list + length, sizeof list - length, " and %s more", text_number(scene->animations - a));
      break;
    }
    snprintf(list + length, sizeof list - length, "%s\"%.120s\"", a ? ", " : "", scene->animation[a].name);
  }
  complain(plan->path, "no animation is called \"%.200s\"; there %s %s", pattern,
           scene->animations == 1 ? "is" : "are", *list ? list : "none");
}

bool *clip_plan_choose(const struct clip_plan *plan, size_t *missing) {
  const struct scene *scene = &plan->skeleton->scene;
  const char *const *pattern = plan->settings->animations;
  bool *chosen = memory_get(scene->animations, sizeof *chosen);
  *missing = 0;
  for (size_t a = 0; a < scene->animations; a++) chosen[a] = !pattern;
  for (; pattern && *pattern; pattern++) {
    char *clean = text_clean(*pattern); /* as names are */
    bool any = false;
    for (size_t a = 0; a < scene->animations; a++)
      if (glob_matches(clean, scene->animation[a].name)) chosen[a] = any = true;
    if (!any && !plan->settings->sifts) complain_of_name(plan, clean), ++*missing;
    free(clean);
  }
  return chosen;
}
