/* Files and clips that a recipe chooses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/json.h"
#include "base/text.h"
#include "files/file.h"
#include "files/names.h"
#include "readers/readers.h"
#include "recipe/recipe.h"
#include "system/files.h"
#include "terminal/message.h"
#include "terminal/print.h"

char *recipe_path(const struct recipe *recipe, const char *path) { return names_beside(recipe->path, path); }

/* Files. ------------------------------------------------------------------------------------------------- */

static bool has_pattern(const char *path) { return strpbrk(path, "*?") != NULL; }

/* Matches part by part: no * stands for a slash. */
static bool path_matches(const char *pattern, const char *path) {
  for (;;) {
    const size_t wanted = strcspn(pattern, "/"), has = strcspn(path, "/");
    char *part = text_copy(pattern), *name = text_copy(path);
    part[wanted] = name[has] = '\0';
    const bool good = glob_matches(part, name);
    free(part), free(name);
    if (!good || pattern[wanted] != path[has]) return false;
    if (!pattern[wanted]) return true;
    pattern += wanted + 1, path += has + 1;
  }
}

/* The path without a leading "./". */
static const char *plain(const char *path) { return strncmp(path, "./", 2) == 0 ? path + 2 : path; }

/* Adds files that are like a pattern. Its folder has a slash behind it. Returns how many folders cannot be
 * read, which are complained of. */
static size_t add_matches(const char *folder, const char *pattern, struct texts *paths) {
  struct collected all;
  const char *const operand = *folder ? folder : ".";
  size_t length = strlen(folder);
  while (length > 1 && folder[length - 1] == '/' && folder[length - 2] == '/') length--;
  collect(&operand, 1, reader_has_animations, &all);
  for (size_t i = 0; i < all.count; i++) {
    const char *path = *folder ? all.file[i].path : plain(all.file[i].path);
    if (path_matches(pattern, path + length)) texts_add(paths, path);
  }
  const size_t unread = all.unread;
  collect_free(&all);
  return unread;
}

static size_t add_files(const struct recipe *recipe, const char *text, struct texts *paths) {
  size_t unread = 0;
  char *path = recipe_path(recipe, text);
  if (has_pattern(text)) {
    char *mark = strpbrk(path, "*?"), *pattern = path;
    for (char *s = path; s < mark; s++)
      if (*s == '/') pattern = s + 1;
    char *pattern_in_folder = text_copy(pattern);
    *pattern = '\0';
    unread = add_matches(path, pattern_in_folder, paths);
    free(pattern_in_folder);
  } else texts_add(paths, plain(path));
  free(path);
  return unread;
}

bool recipe_collect(const struct recipe *recipe, struct collected *files, char **first) {
  struct texts paths = {0};
  size_t unread = 0;
  bool good = true;
  for (size_t i = 0; i < recipe->files.count; i++) {
    const size_t before = paths.count;
    unread += add_files(recipe, recipe->files.text[i], &paths);
    if (paths.count > before) continue;
    recipe_complain(recipe, recipe->file_at[i], "no file is like \"%.300s\"", recipe->files.text[i]);
    good = false;
  }
  collect((const char *const *)paths.text, paths.count, reader_has_animations, files);
  files->unread += unread;
  *first = files->count == 0 || paths.count == 0   ? NULL
           : system_is(paths.text[0], SYSTEM_FILE) ? text_copy(paths.text[0])
                                                   : text_copy(files->file[0].path);
  if (good && files->count == 0 && files->unread == 0)
    recipe_complain(recipe, recipe->file_at[0], "these files have no animations");
  texts_free(&paths);
  return good && files->count > 0;
}

/* Clips. ------------------------------------------------------------------------------------------------- */

struct choosing {
  struct recipe *recipe;
  const struct scene *scene;
  const char *path, *stem; /* path: from the recipe's folder */
  bool note;
  struct recipe_clip *clip;
  size_t count;
};

static const char *shown(const struct choosing *c, const struct recipe_clip *clip) {
  const char *name = c->scene->animation[clip->animation].name;
  return clip->name ? clip->name : c->stem ? c->stem : *name ? name : "animation";
}

static bool is_met(const struct choosing *c, const struct recipe_entry *entry,
                   const struct recipe_clip *clip) {
  if (entry->file && !path_matches(plain(entry->file), c->path)) return false;
  return glob_matches(entry->match, shown(c, clip)) ||
         (!clip->name && glob_matches(entry->match, c->scene->animation[clip->animation].name));
}

/* Puts what an entry says in place of what there is. */
static void take(struct recipe_entry *to, const struct recipe_entry *from) {
  if (from->skip) to->skip = from->skip;
  if (from->loop >= 0) to->loop = from->loop;
  if (from->additive) to->additive = from->additive, to->base = from->base, to->additive_at = from->at;
  if (from->has_bound) to->has_bound = true, to->bound = from->bound;
  if (from->rate > 0) to->rate = from->rate;
  if (from->change.cut)
    to->change.cut = true, to->change.from = from->change.from, to->change.to = from->change.to,
    to->cut_at = from->at;
  if (from->change.only.count > 0) to->change.only = from->change.only, to->only_at = from->at;
  if (from->events > 0) to->events = from->events, to->event = from->event;
}

static struct recipe_clip *add(struct choosing *c, struct recipe_clip clip) {
  c->clip = memory_grow(c->clip, c->count, sizeof *c->clip);
  c->clip[c->count] = clip;
  return &c->clip[c->count++];
}

/* The name that an entry gives, in which * is what one of its match stands for. To be freed. */
static char *name_of(const struct choosing *c, const struct recipe_entry *entry,
                     const struct recipe_clip *clip) {
  const char *animation = c->scene->animation[clip->animation].name;
  char *name = names_changed(entry->match, entry->name, shown(c, clip));
  if (!name) name = names_changed(entry->match, entry->name, animation);
  return name ? name : text_copy(entry->name);
}

/* An entry with a name makes another clip of an animation, beside those that have a name already. The first
 * of each animation has none, and stays if it is alone. */
static void follow(struct choosing *c, struct recipe_entry *entry, size_t first) {
  const size_t count = c->count;
  for (size_t i = first; i < count; i++) {
    if (i == first && count - first > 1 && !entry->name) continue; /* it has clips with names by now */
    if (!is_met(c, entry, &c->clip[i])) continue;
    if (c->note) texts_add(&entry->met, shown(c, &c->clip[i]));
    struct recipe_clip *to = &c->clip[i];
    if (entry->name && i == first) to = add(c, c->clip[i]);
    if (entry->name) {
      char *name = name_of(c, entry, &c->clip[i]);
      if (to == &c->clip[i]) free(to->name);
      to->name = name;
    }
    take(&to->as, entry);
  }
}

struct recipe_clip *recipe_choose(struct recipe *recipe, const struct scene *scene, const char *path,
                                  const char *stem, bool note, size_t *count) {
  char *folder = names_folder(recipe->path);
  const size_t length = strchr(recipe->path, '/') ? strlen(folder) : 0;
  struct choosing c = {.recipe = recipe, .scene = scene, .stem = stem, .note = note, .path = path};
  if (length > 0 && strncmp(path, folder, length) == 0) c.path += length;
  c.path = plain(c.path);
  for (size_t a = 0; a < scene->animations; a++) {
    const size_t first = c.count;
    add(&c, (struct recipe_clip){.animation = a, .as = {.loop = -1}});
    if (note) texts_add(&recipe->seen, shown(&c, &c.clip[first]));
    for (size_t e = 0; e < recipe->entries; e++) follow(&c, &recipe->entry[e], first);
    const bool several = c.count - first > 1;
    if (several) c.clip[first].as.skip = RECIPE_TRUE;
    for (size_t i = first; several && i < c.count; i++) c.clip[i].again = i + 1 < c.count;
  }
  free(folder);
  *count = c.count;
  return c.clip;
}

void recipe_clips_free(struct recipe_clip *clips, size_t count) {
  for (size_t i = 0; i < count; i++) free(clips[i].name);
  free(clips);
}

/* Adds the name that was meant, or the first names that there are. */
static void complain_of_match(const struct recipe *recipe, const struct recipe_entry *entry) {
  struct text_guess guess = {.word = entry->match};
  char list[400] = "";
  for (size_t i = 0; i < recipe->seen.count; i++) {
    const size_t length = strlen(list);
    text_guess(&guess, recipe->seen.text[i]);
    if (i < 6)
      snprintf(list + length, sizeof list - length, "%s\"%.50s\"", i ? ", " : "", recipe->seen.text[i]);
  }
  list[text_cut(list, sizeof list - 1)] = '\0';
  recipe_complain(recipe, entry->at, "no animation is like \"%.200s\"%s%s%s%s%s", entry->match,
                  entry->file ? " in such files" : "", guess.hint, *guess.hint ? "" : "; there are ",
                  *guess.hint ? "" : list, *guess.hint || recipe->seen.count <= 6 ? "" : " and others");
}

bool recipe_is_shared;

bool recipe_all_met(const struct recipe *recipe) {
  bool good = true;
  if (recipe_is_shared) return true;
  for (size_t e = 0; e < recipe->entries; e++)
    if (recipe->entry[e].met.count == 0) complain_of_match(recipe, &recipe->entry[e]), good = false;
  for (size_t i = 0; i < recipe->changes.match.count; i++)
    if (!recipe->changes.met[i]) {
      recipe_complain(recipe, recipe->rename_at[i], "no joint is like \"%.200s\"",
                      recipe->changes.match.text[i]);
      good = false;
    }
  return good;
}

void recipe_print_met(const struct recipe *recipe) {
  enum { SHOWN = 6 };
  for (size_t e = 0; e < recipe->entries; e++) {
    const struct recipe_entry *entry = &recipe->entry[e];
    if (entry->met.count == 0) continue; /* nobody looked: the bundle is up to date */
    print("line %zu, \"%s\": ", entry->at.line, entry->match);
    for (size_t i = 0; i < entry->met.count && i < SHOWN; i++)
      print("%s%s", i ? ", " : "", entry->met.text[i]);
    if (entry->met.count > SHOWN) print(" and %s more", text_number(entry->met.count - SHOWN));
    print("\n");
  }
}

void recipe_add_met(cJSON *tree, const struct recipe *recipe) {
  cJSON *list = cJSON_AddArrayToObject(tree, "recipe");
  for (size_t e = 0; e < recipe->entries; e++) {
    const struct recipe_entry *entry = &recipe->entry[e];
    cJSON *item = cJSON_CreateObject(), *met = cJSON_AddArrayToObject(item, "met");
    cJSON_AddItemToArray(list, item);
    json_add_number(item, "line", (double)entry->at.line);
    json_add_text(item, "match", entry->match);
    for (size_t i = 0; i < entry->met.count; i++)
      cJSON_AddItemToArray(met, cJSON_CreateString(entry->met.text[i]));
  }
}
