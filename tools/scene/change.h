/* Changes of what a file has, before clips are made of it: names of joints, joints that are left out, and of
 * an animation its part. Records of bundles have them, so that `verify` makes them again. */
#ifndef CHANGE_H
#define CHANGE_H

#include <cJSON.h>

#include "scene/scene.h"

struct texts {
  size_t count;
  char **text;
};
void texts_add(struct texts *texts, const char *text);
void texts_free(struct texts *texts);

/* Of all files of a bundle. */
struct scene_changes {
  struct texts match, to; /* names that are like the first become the second, in which each * is what the last
                             ones of the match stand for */
  bool *met;              /* of each match: a name was like it; null: nobody asks */
  struct texts left_out;  /* names of joints */
};
void scene_changes_free(struct scene_changes *changes);

/* False and a complaint if joints with different names would have the same one. */
bool scene_change(const char *path, const struct scene_changes *changes, struct scene *scene);

/* Of one animation; none if all is zero. */
struct animation_change {
  bool cut; /* from and to count: seconds, of which the first becomes 0 */
  double from, to;
  struct texts only; /* joints and tracks whose curves stay (names_select); none: all do */
};
bool animation_change_is_none(const struct animation_change *change);
void animation_change_free(struct animation_change *change);
/* Leaves the keys between two times, with keys at these; beyond its own keys the curve stays as it is at
 * them. start: the time that becomes 0. */
void scene_cut_curve(struct scene_curve *curve, int kind, double from, double to, double start);
void scene_change_animation(struct scene *scene, size_t animation, const struct animation_change *change);

/* The first and the last time of any key. */
void scene_find_ends(const struct scene *scene, size_t animation, double ends[2]);
/* Adds a copy of an animation, and returns its place. */
size_t scene_copy_animation(struct scene *scene, size_t animation);

/* Marks the names that patterns are like (base/glob.h); NAME+ marks those below, too. parent: of each name
 * one before it, or SCENE_NONE; null: none has one. */
void names_select(const struct texts *patterns, size_t count, const char *const *name, const size_t *parent,
                  bool *selected);
/* The names that one pattern is like, to be freed. */
bool *names_like(const char *pattern, size_t count, const char *const *name, const size_t *parent, bool *any);

enum { NAMES_MOST_STARS = 16 };
/* A name, changed by a rule with so many * at most: each * of `to` is what one of the match stands for, the
 * last of both first. To be freed; null: it is not like the match, or that has more. */
char *names_changed(const char *match, const char *to, const char *name);

/* As members of a record; read, they may be missing or anything. */
void scene_changes_add_json(cJSON *object, const struct scene_changes *changes);
void scene_changes_of_json(const cJSON *object, struct scene_changes *changes);
void animation_change_add_json(cJSON *object, const struct animation_change *change);
void animation_change_of_json(const cJSON *object, struct animation_change *change);

#endif
