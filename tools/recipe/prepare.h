/* The clips of each file, as a recipe asks for them, ready to be encoded. */
#ifndef RECIPE_PREPARE_H
#define RECIPE_PREPARE_H

#include "clips/plan.h"
#include "recipe/recipe.h"

struct recipe_base;

struct recipe_run {
  struct recipe *recipe;
  const struct collected *files;
  size_t bases;
  struct recipe_base **base; /* those that were looked for */
};
void recipe_run_free(struct recipe_run *run);

/* A clip to encode. */
struct prepared {
  size_t animation; /* of the scene */
  char *name;       /* that it gets; null: as its animation */
  struct clip_settings settings;
  struct clip_plan plan;
  struct recipe_entry as; /* the recipe's */
};
void prepared_free(struct prepared *prepared);

/* Prepares all clips of a file, and changes its scene. Returns them, each to be freed, and the array, too. In
 * *failed counts those that cannot be made, which are complained of. settings: of all files. */
struct prepared **recipe_prepare(struct recipe_run *run, const struct collected_file *file,
                                 const struct clip_settings *settings, struct skeleton *skeleton,
                                 struct reached *reached, size_t *count, size_t *failed);

/* Chooses which joints are left out, and adds them to the recipe's changes, whose order and skeleton all
 * files get. skeleton: the path. False and a complaint if that cannot be. */
bool recipe_leave_out(struct recipe *recipe, const char *skeleton);

/* Makes the masks of a bundle with this skeleton. False and a complaint if one has no joint. */
bool recipe_make_masks(const struct recipe *recipe, const quatsimd_skeleton *skeleton,
                       quatsimd_bundle_mask_entry **mask);
void recipe_masks_free(const struct recipe *recipe, quatsimd_bundle_mask_entry *mask);

#endif
