/* Recipes: which files become one bundle, and the settings of each animation (docs/recipe.md). */
#ifndef RECIPE_H
#define RECIPE_H

#include "clips/encode.h"
#include "files/collect.h"
#include "quatsimd/bundle.h"
#include "scene/change.h"
#include "terminal/message.h"

struct recipe_place {
  size_t line, column;
};

struct recipe_mask {
  struct recipe_place at;
  char *name;
  struct texts joints;
};

enum recipe_flag { RECIPE_UNSET, RECIPE_FALSE, RECIPE_TRUE };
enum recipe_additive {
  RECIPE_ADDITIVE_UNSET,
  RECIPE_ADDITIVE_NONE,
  RECIPE_ADDITIVE_FIRST,
  RECIPE_ADDITIVE_BASE
};

/* What an entry of "animations" says; what it does not say is unset. */
struct recipe_entry {
  struct recipe_place at;
  char *match, *file, *name, *base; /* file: a pattern of its path; base: an animation's name; null: none */
  enum recipe_flag skip;
  int loop; /* as clip_loop; -1: unset */
  enum recipe_additive additive;
  bool has_bound;
  struct bounds_asked bound;
  double rate; /* 0: unset */
  struct animation_change change;
  struct recipe_place additive_at, cut_at, only_at; /* the entries that say so */
  size_t events;
  quatsimd_bundle_event *event; /* in seconds of the file */
  /* of a run: */
  struct texts met; /* the clips that it met */
};

struct recipe {
  char *path, *skeleton;          /* skeleton: null: the first file */
  struct texts files;             /* with patterns, as they are written */
  struct recipe_place *file_at;   /* of each */
  struct recipe_place without_at; /* of without_vertices */
  bool has_bound;
  struct bounds_asked bound;
  double track, rate; /* 0: unset */
  bool skin, by_importance;
  enum recipe_flag ignore_unmatched;
  struct joint_rules joints;
  struct scene_changes changes;
  struct recipe_place *rename_at; /* of each that is renamed */
  struct texts seen;              /* names of clips, for those that were meant */
  size_t masks;
  struct recipe_mask *mask;
  size_t entries;
  struct recipe_entry *entry;
};

/* True: a recipe's files are a share of those that it is for. Entries may meet nothing, and clips are called
 * as where there are several files. For the Python package. */
extern bool recipe_is_shared;

/* Does the name end as those of recipes? */
bool recipe_has_name(const char *name);
/* False and a complaint, with line and column, if anything is wrong with it. */
bool recipe_read(const char *path, struct recipe *recipe);
void recipe_free(struct recipe *recipe);

/* "hero.json: line 3, column 7: ..." */
void recipe_complain(const struct recipe *recipe, struct recipe_place at, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* The path of something beside the recipe, to be freed. */
char *recipe_path(const struct recipe *recipe, const char *path);
/* Finds the files. first: the path of the first one as the recipe lists them, to be freed. False and a
 * complaint if a pattern has none. */
bool recipe_collect(const struct recipe *recipe, struct collected *files, char **first);

/* A clip that is to be made of an animation. Its texts but the name are the recipe's. */
struct recipe_clip {
  size_t animation;       /* of the scene */
  bool again;             /* the scene's animation is another clip, too */
  char *name;             /* that the clip gets; null: as its animation or its file */
  struct recipe_entry as; /* of all entries that met it; some of one are in place of those before */
};
/* The clips of a file; those to skip, too. path: of the file. stem: its name without an ending if clips of
 * one animation are called so; else null. note: entries note what they met. */
struct recipe_clip *recipe_choose(struct recipe *recipe, const struct scene *scene, const char *path,
                                  const char *stem, bool note, size_t *count);
void recipe_clips_free(struct recipe_clip *clips, size_t count);
/* False and a complaint for each entry, or rule of names, that met nothing. */
bool recipe_all_met(const struct recipe *recipe);
/* On standard output, a line for each entry. */
void recipe_print_met(const struct recipe *recipe);
void recipe_add_met(cJSON *tree, const struct recipe *recipe);

#endif
