#include "bundles/bases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "bundles/digest.h"
#include "bundles/origin.h"
#include "files/file.h"
#include "system/files.h"
#include "terminal/message.h"

static bool is_there(const char *path) {
  struct system_look look;
  return system_look(path, &look);
}

/* The name behind the last #, unless there is a file with it in its name; null if there is none. */
static char *take_name(char *path) {
  char *mark = is_there(path) ? NULL : strrchr(path, '#');
  if (mark) *mark++ = '\0';
  return mark;
}

bool clip_base_open(const char *path, const struct scene_changes *changes, struct clip_base *base) {
  const struct skeleton_choice choice = {.changes = changes};
  *base = (struct clip_base){.path = text_copy(path)};
  bool good = file_is_regular(path) && (base->hash = making_hash(path)) &&
              skeleton_read(path, &choice, &base->skeleton);
  if (good && base->skeleton.scene.animations == 0) {
    if (base->skeleton.scene.unread == 0) complain(path, "has no animation that could be the base");
    good = false;
  }
  return good;
}

/* name: or a number; null: the first one. */
static bool choose(struct clip_base *base, const char *name) {
  static const struct clip_origin unknown;
  if (name) base->animation = clip_origin_choose(&unknown, base->path, &base->skeleton.scene, name);
  return base->animation != SCENE_NONE;
}

bool clip_base_read(const char *text, struct clip_base *base) {
  char *path = text_copy(text);
  const char *name = take_name(path);
  const bool good = clip_base_open(path, NULL, base) && choose(base, name);
  free(path);
  if (!good) clip_base_free(base);
  return good;
}

void clip_base_choose(struct clip_base *base, size_t animation, const struct animation_change *change) {
  base->animation = animation, base->change = *change;
  if (!animation_change_is_none(change)) scene_change_animation(&base->skeleton.scene, animation, change);
}

/* The animation that a record says. */
static bool choose_number(struct clip_base *base, const struct made_base *said) {
  const size_t found = clip_origin_find(&base->skeleton.scene, said->number);
  if (found == SCENE_NONE)
    complain(base->path, "has no animation %zu, to which the clip is additive", said->number);
  else clip_base_choose(base, found, &said->change);
  return found != SCENE_NONE;
}

/* A text that tells bases apart, to be freed. */
static char *key_of(const char *given, const struct made_base *said) {
  static const struct made_base none;
  const struct animation_change *change = &(said ? said : &none)->change;
  const char *path = said ? said->path : NULL;
  struct growing_text key = {0};
  text_add(&key, "%s\n%zu %d %.17g %.17g",
           given  ? given
           : path ? path
                  : "",
           said ? said->number : 0, change->cut, change->from, change->to);
  for (size_t i = 0; i < change->only.count; i++) text_add(&key, "\n%s", change->only.text[i]);
  return key.text;
}

static bool find(const char *given, const char *clip, const struct made_base *said,
                 const struct scene_changes *changes, struct clip_base *base) {
  const bool known = said && said->path;
  if (!given && !known) {
    complain(clip, "is additive to another animation, and does not say which; give --base");
    return false;
  }
  char *path = text_copy(given ? given : said->path);
  const char *name = given ? take_name(path) : NULL;
  const bool good = clip_base_open(path, changes, base) &&
                    (name || !known ? choose(base, name) : choose_number(base, said));
  if (good && known && strcmp(base->hash, said->hash) != 0)
    complain(path, "is not the base that %s was made with, %s, or has changed since", clip, said->path);
  free(path);
  return good;
}

const struct clip_base *clip_base_find(struct clip_bases *bases, const char *given, const char *clip,
                                       const struct made_base *said, const struct scene_changes *changes) {
  char *key = key_of(given, said);
  size_t i = 0;
  while (i < bases->count && strcmp(bases->key[i], key) != 0) i++;
  if (i < bases->count) return free(key), bases->base[i];
  struct clip_base *base = memory_get(1, sizeof *base);
  if (!find(given, clip, said, changes, base)) {
    clip_base_free(base);
    free(base), free(key);
    return NULL;
  }
  bases->base = memory_grow(bases->base, bases->count, sizeof(struct clip_base *));
  bases->key = memory_grow(bases->key, bases->count, sizeof(char *));
  bases->key[bases->count] = key;
  return bases->base[bases->count++] = base;
}

void clip_bases_free(struct clip_bases *bases) {
  for (size_t i = 0; i < bases->count; i++) {
    clip_base_free(bases->base[i]);
    free(bases->base[i]), free(bases->key[i]);
  }
  free(bases->base), free(bases->key);
  *bases = (struct clip_bases){0};
}
