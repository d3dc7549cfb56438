#include "scene/change.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/json.h"
#include "base/json_span.h"
#include "base/text.h"
#include "terminal/message.h"

void texts_add(struct texts *texts, const char *text) {
  texts->text = memory_grow(texts->text, texts->count, sizeof *texts->text);
  texts->text[texts->count++] = text_copy(text);
}

void texts_free(struct texts *texts) {
  for (size_t i = 0; i < texts->count; i++) free(texts->text[i]);
  free(texts->text);
  *texts = (struct texts){0};
}

void scene_changes_free(struct scene_changes *changes) {
  texts_free(&changes->match), texts_free(&changes->to), texts_free(&changes->left_out);
  free(changes->met);
  changes->met = NULL;
}

bool *names_like(const char *text, size_t count, const char *const *name, const size_t *parent, bool *any) {
  bool *like = memory_get(count, sizeof *like);
  char *pattern = text_copy(text);
  const size_t length = strlen(pattern);
  const bool below = length > 1 && pattern[length - 1] == '+';
  if (below) pattern[length - 1] = '\0';
  *any = false;
  for (size_t i = 0; i < count; i++) {
    like[i] =
        (below && parent && parent[i] != SCENE_NONE && like[parent[i]]) || glob_matches(pattern, name[i]);
    *any = *any || like[i];
  }
  free(pattern);
  return like;
}

void names_select(const struct texts *patterns, size_t count, const char *const *name, const size_t *parent,
                  bool *selected) {
  for (size_t p = 0; p < patterns->count; p++) {
    bool any, *like = names_like(patterns->text[p], count, name, parent, &any);
    for (size_t i = 0; i < count; i++) selected[i] = selected[i] || like[i];
    free(like);
  }
}

/* Names. ------------------------------------------------------------------------------------------------- */

/* Finds what each * of a pattern stands for, as many characters as it must. False if the name is another. */
static bool capture(const char *pattern, const char *name, struct json_span *star) {
  if (*pattern != '*') {
    if (!*pattern || !*name) return *pattern == *name;
    size_t bytes = 1;
    while (*pattern == '?' && ((unsigned char)name[bytes] & 0xc0) == 0x80) bytes++;
    return (*pattern == '?' || *pattern == *name) && capture(pattern + 1, name + bytes, star);
  }
  for (size_t length = 0;; length++) {
    if (glob_matches(pattern + 1, name + length) && capture(pattern + 1, name + length, star + 1)) {
      *star = (struct json_span){name, length};
      return true;
    }
    if (!name[length]) return false;
  }
}

char *names_changed(const char *match, const char *to, const char *name) {
  size_t stars = 0, wanted = 0;
  for (const char *s = match; *s; s++) stars += *s == '*';
  for (const char *s = to; *s; s++) wanted += *s == '*';
  struct json_span star[NAMES_MOST_STARS + 1];
  char *text = NULL;
  if (stars <= NAMES_MOST_STARS && capture(match, name, star)) {
    char *end = text = memory_get(strlen(to) + (wanted + 1) * (strlen(name) + 1), 1);
    size_t next = stars > wanted ? stars - wanted : 0;
    for (const char *s = to; *s; s++)
      if (*s != '*') *end++ = *s;
      else if (next < stars) memcpy(end, star[next].text, star[next].length), end += star[next++].length;
  }
  return text;
}

/* The first rule counts. Null: the name stays. */
static char *new_name(const struct scene_changes *changes, const char *name) {
  char *text = NULL;
  for (size_t i = 0; !text && i < changes->match.count; i++) {
    text = names_changed(changes->match.text[i], changes->to.text[i], name);
    if (text && changes->met) changes->met[i] = true;
  }
  return text;
}

struct name {
  const char *now, *before;
};

static int compare_names(const void *a, const void *b) {
  const struct name *p = a, *q = b;
  const int order = strcmp(p->now, q->now);
  return order ? order : strcmp(p->before, q->before);
}

static bool names_differ(const char *path, struct name *names, size_t count) {
  bool good = true;
  qsort(names, count, sizeof *names, compare_names);
  for (size_t i = 1; good && i < count; i++) {
    good = strcmp(names[i].now, names[i - 1].now) != 0 || strcmp(names[i].before, names[i - 1].before) == 0;
    if (!good)
      complain(path, "\"rename\" gives \"%.300s\" and \"%.300s\" one name, \"%.300s\"", names[i - 1].before,
               names[i].before, names[i].now);
  }
  return good;
}

static bool rename_all(const char *path, const struct scene_changes *changes, struct scene *scene) {
  struct name *names = memory_get(scene->nodes, sizeof *names);
  for (size_t n = 0; n < scene->nodes; n++) {
    char *now = new_name(changes, scene->node[n].name);
    names[n] = (struct name){now ? now : text_copy(scene->node[n].name), scene->node[n].name};
  }
  for (size_t a = 0; a < scene->animations; a++)
    for (size_t c = 0; c < scene->animation[a].channels; c++) {
      struct scene_channel *channel = &scene->animation[a].channel[c];
      free(channel->name);
      channel->name = text_copy(names[channel->node].now);
    }
  struct name *sorted = memory_get(scene->nodes, sizeof *sorted);
  memcpy(sorted, names, scene->nodes * sizeof *sorted);
  const bool good = names_differ(path, sorted, scene->nodes);
  for (size_t n = 0; n < scene->nodes; n++) {
    free(scene->node[n].name);
    scene->node[n].name = (char *)(uintptr_t)names[n].now;
  }
  free(names), free(sorted);
  return good;
}

/* Joints. ------------------------------------------------------------------------------------------------ */

static bool has(const struct texts *texts, const char *text) {
  size_t i = 0;
  while (i < texts->count && strcmp(texts->text[i], text) != 0) i++;
  return i < texts->count;
}

static void leave_out(const struct texts *names, struct scene *scene) {
  bool *out = memory_get(scene->nodes, sizeof *out);
  for (size_t n = 0; n < scene->nodes; n++)
    if ((out[n] = has(names, scene->node[n].name))) scene->node[n].in_skin = false;
  for (size_t a = 0; a < scene->animations; a++)
    for (size_t c = 0; c < scene->animation[a].channels; c++) {
      struct scene_channel *channel = &scene->animation[a].channel[c];
      for (int kind = 0; out[channel->node] && kind < SCENE_KINDS; kind++)
        scene_drop_curve(&channel->curve[kind]);
    }
  free(out);
}

bool scene_change(const char *path, const struct scene_changes *changes, struct scene *scene) {
  if (changes->match.count > 0 && !rename_all(path, changes, scene)) return false;
  if (changes->left_out.count > 0) leave_out(&changes->left_out, scene);
  return true;
}

/* Records. ----------------------------------------------------------------------------------------------- */

static void add_texts(cJSON *object, const char *name, const struct texts *texts) {
  cJSON *list = texts->count > 0 ? cJSON_AddArrayToObject(object, name) : NULL;
  for (size_t i = 0; list && i < texts->count; i++)
    cJSON_AddItemToArray(list, cJSON_CreateString(texts->text[i]));
}

static void read_texts(const cJSON *object, const char *name, struct texts *texts) {
  const cJSON *item;
  cJSON_ArrayForEach(item, json_member(object, name)) {
    texts_add(texts, cJSON_IsString(item) ? item->valuestring : "");
  }
}

void scene_changes_add_json(cJSON *object, const struct scene_changes *changes) {
  add_texts(object, "renamed", &changes->match);
  add_texts(object, "renamed_to", &changes->to);
  add_texts(object, "left_out", &changes->left_out);
}

void scene_changes_of_json(const cJSON *object, struct scene_changes *changes) {
  read_texts(object, "renamed", &changes->match);
  read_texts(object, "renamed_to", &changes->to);
  read_texts(object, "left_out", &changes->left_out);
  while (changes->to.count < changes->match.count) texts_add(&changes->to, "*");
}

bool animation_change_is_none(const struct animation_change *change) {
  return !change->cut && change->only.count == 0;
}

void animation_change_free(struct animation_change *change) { texts_free(&change->only); }

void animation_change_add_json(cJSON *object, const struct animation_change *change) {
  if (change->cut) {
    json_add_exact(object, "from", change->from);
    json_add_exact(object, "to", change->to);
  }
  add_texts(object, "only", &change->only);
}

void animation_change_of_json(const cJSON *object, struct animation_change *change) {
  *change = (struct animation_change){.from = json_number(object, "from"), .to = json_number(object, "to")};
  change->cut = change->to > change->from && change->to - change->from <= 1e9 && fabs(change->from) <= 1e9;
  read_texts(object, "only", &change->only);
}
