/* Reads recipes: JSON with comments. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/json_span.h"
#include "base/quantity.h"
#include "base/text.h"
#include "files/file.h"
#include "files/names.h"
#include "recipe/recipe.h"
#include "terminal/message.h"

struct reading {
  struct recipe *recipe;
  const char *text, *original; /* the second one with its comments */
  /* a place that was found, from which the next one is looked for */
  const char *found;
  struct recipe_place place;
};

/* A value of the file. */
struct at {
  struct reading *in;
  struct json_span span;
};

/* Lines and columns are those of the original, in characters; a mark of UTF-8 is none. */
static struct recipe_place place_of(struct reading *in, const char *at) {
  if (!in->found || at < in->found) in->found = in->text, in->place = (struct recipe_place){1, 1};
  if (in->found == in->text && strncmp(in->original, "\xef\xbb\xbf", 3) == 0 && at > in->text) in->found += 3;
  for (; in->found < at; in->found++) {
    const unsigned char c = (unsigned char)in->original[in->found - in->text];
    if (c == '\n') in->place.line++, in->place.column = 1;
    else if ((c & 0xc0) != 0x80) in->place.column++;
  }
  return in->place;
}

static void complain_at(const char *path, struct recipe_place at, const char *format, va_list arguments) {
  char what[800];
  vsnprintf(what, sizeof what, format, arguments);
  what[text_cut(what, sizeof what - 1)] = '\0';
  complain(path, "line %zu, column %zu: %s", at.line, at.column, what);
}

void recipe_complain(const struct recipe *recipe, struct recipe_place at, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  complain_at(recipe->path, at, format, arguments);
  va_end(arguments);
}

PRINTF_LIKE(2, 3) static bool refuse(const struct at *at, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  complain_at(at->in->recipe->path, place_of(at->in, at->span.text), format, arguments);
  va_end(arguments);
  return false;
}

/* Objects. ----------------------------------------------------------------------------------------------- */

/* A member of an object: how it is read to a place in a struct, and what it is like. */
struct member {
  const char *name;
  bool (*read)(const struct at *at, const cJSON *value, void *to);
  size_t offset;
  const char *like;
};

/* The key of a value. */
static struct at key_of(const struct at *value) {
  struct at key = *value;
  const char *s = value->span.text - 1;
  while (*s != ':') s--;
  while (*s != '"') s--;
  for (s--; *s != '"' || s[-1] == '\\';) s--;
  key.span.text = s;
  return key;
}

static bool refuse_name(const struct at *at, const char *name, const struct member *members) {
  struct text_guess guess = {.word = name};
  char list[400] = "";
  for (const struct member *m = members; m->name; m++) {
    const size_t length = strlen(list);
    text_guess(&guess, m->name);
    snprintf(list + length, sizeof list - length, "%s%s", length ? ", " : "", m->name);
  }
  const struct at key = key_of(at);
  return refuse(&key, "there is no member \"%.80s\" here%s%s%s", name, guess.hint,
                *guess.hint ? "" : "; there are ", *guess.hint ? "" : list);
}

static bool is_there_twice(const cJSON *object, const cJSON *member) {
  const cJSON *other = object->child;
  while (other != member && strcmp(other->string, member->string) != 0) other = other->next;
  return other != member;
}

static bool read_object(const struct at *at, const cJSON *value, const struct member *members, void *to) {
  struct at inside = {at->in, {NULL, 0}};
  if (!cJSON_IsObject(value)) return refuse(at, "this must be an object {...}");
  for (const cJSON *child = value->child; child; child = child->next) {
    inside.span = json_span_next(at->span, inside.span);
    const struct member *member = members;
    while (member->name && strcmp(member->name, child->string) != 0) member++;
    if (!member->name) return refuse_name(&inside, child->string, members);
    const struct at key = key_of(&inside);
    if (is_there_twice(value, child)) return refuse(&key, "\"%s\" is there twice", member->name);
    if (member->read) {
      if (!member->read(&inside, child, (char *)to + member->offset)) return false;
    } else if (!cJSON_IsString(child) || !*child->valuestring)
      return refuse(&inside, "\"%s\" must be a text such as %s", member->name, member->like);
    else *(char **)(void *)((char *)to + member->offset) = text_clean(child->valuestring);
  }
  return true;
}

/* Calls with each item of an array. */
typedef bool read_item(const struct at *at, const cJSON *value, void *to);
static bool read_list(const struct at *at, const cJSON *value, read_item *read, void *to) {
  struct at inside = {at->in, {NULL, 0}};
  const cJSON *item;
  if (!cJSON_IsArray(value)) return refuse(at, "this must be an array [...]");
  cJSON_ArrayForEach(item, value) {
    inside.span = json_span_next(at->span, inside.span);
    if (!read(&inside, item, to)) return false;
  }
  return true;
}

/* Values. ------------------------------------------------------------------------------------------------ */

static bool add_text(const struct at *at, const cJSON *value, void *to) {
  if (!cJSON_IsString(value) || !*value->valuestring) return refuse(at, "this must be a text");
  char *clean = text_clean(value->valuestring);
  texts_add(to, clean);
  free(clean);
  return true;
}

/* One or several. */
static bool read_texts(const struct at *at, const cJSON *value, void *to) {
  if (!cJSON_IsArray(value)) return add_text(at, value, to);
  if (!value->child) return refuse(at, "the array is empty");
  return read_list(at, value, add_text, to);
}

static bool read_flag(const struct at *at, const cJSON *value, void *to) {
  if (!cJSON_IsBool(value)) return refuse(at, "this must be true or false");
  *(enum recipe_flag *)to = cJSON_IsTrue(value) ? RECIPE_TRUE : RECIPE_FALSE;
  return true;
}

static bool is_above_0(const cJSON *value, double most) {
  return cJSON_IsNumber(value) && value->valuedouble > 0 && value->valuedouble <= most;
}

static bool read_rate(const struct at *at, const cJSON *value, void *to) {
  if (!is_above_0(value, 1e6)) return refuse(at, "\"rate\" must be a number above 0: frames per second");
  *(double *)to = value->valuedouble;
  return true;
}

static bool read_track(const struct at *at, const cJSON *value, void *to) {
  if (!is_above_0(value, 1e18)) return refuse(at, "\"track\" must be a number above 0");
  *(double *)to = value->valuedouble;
  return true;
}

/* Reads one of two words; true in *to: the second. */
static bool read_choice(const struct at *at, const cJSON *value, const char *no, const char *yes, bool *to) {
  *to = cJSON_IsString(value) && strcmp(value->valuestring, yes) == 0;
  if (*to || (cJSON_IsString(value) && strcmp(value->valuestring, no) == 0)) return true;
  return refuse(at, "this must be \"%s\" or \"%s\"", no, yes);
}
static bool read_keep(const struct at *at, const cJSON *value, void *to) {
  return read_choice(at, value, "all", "skin", to);
}
static bool read_order(const struct at *at, const cJSON *value, void *to) {
  return read_choice(at, value, "depth", "importance", to);
}

/* Bounds. ------------------------------------------------------------------------------------------------ */

static bool read_bound_text(const struct at *at, const cJSON *value, int of, struct bounds_asked *to) {
  if (!cJSON_IsString(value))
    return refuse(at, "a bound must be a text such as \"0.2mm@mesh\" or \"0.1mm@3cm\"");
  const char *wrong = bounds_read(value->valuestring, of, to);
  return !wrong || refuse(at, "\"%.80s\" %s", value->valuestring, wrong);
}
static bool read_rotation(const struct at *at, const cJSON *value, void *to) {
  return read_bound_text(at, value, QUATSIMD_CLIP_ROTATION, to);
}
static bool read_translation(const struct at *at, const cJSON *value, void *to) {
  return read_bound_text(at, value, QUATSIMD_CLIP_TRANSLATION, to);
}
static bool read_scale(const struct at *at, const cJSON *value, void *to) {
  return read_bound_text(at, value, QUATSIMD_CLIP_SCALE, to);
}

/* "0.1mm@3cm", "0.2mm@mesh", or of each joint beside its parent. */
static bool read_bound(const struct at *at, const cJSON *value, void *to) {
  static const struct member kinds[] = {{"rotation", read_rotation, 0, NULL},
                                        {"translation", read_translation, 0, NULL},
                                        {"scale", read_scale, 0, NULL},
                                        {NULL, NULL, 0, NULL}};
  *(struct bounds_asked *)to = (struct bounds_asked){0};
  if (!cJSON_IsObject(value)) return read_bound_text(at, value, CLIP_CHECK_OBJECT, to);
  if (!value->child) return refuse(at, "there is neither rotation, translation nor scale");
  return read_object(at, value, kinds, to);
}

/* Reads the bound of all joints. Kinds that are not there have their default. */
static bool read_whole_bound(const struct at *at, const cJSON *value, void *to) {
  struct bounds_asked *asked = to, given;
  if (!read_bound(at, value, &given)) return false;
  if (!cJSON_IsObject(value)) return *asked = given, true;
  *asked = bounds_default(true);
  for (int of = 0; of < QUATSIMD_CLIP_JOINT_KIND_COUNT; of++)
    if (given.bounds.of[of] > 0) asked->bounds.of[of] = given.bounds.of[of], asked->in[of] = given.in[of];
  return true;
}

static bool read_common_bound(const struct at *at, const cJSON *value, void *to) {
  struct recipe *recipe = to;
  return recipe->has_bound = read_whole_bound(at, value, &recipe->bound);
}
static bool read_entry_bound(const struct at *at, const cJSON *value, void *to) {
  struct recipe_entry *entry = to;
  return entry->has_bound = read_whole_bound(at, value, &entry->bound);
}

/* "2mm@3cm" for all joints without vertices. */
static bool read_without(const struct at *at, const cJSON *value, void *to) {
  struct recipe *recipe = to;
  struct bounds_asked *asked = &recipe->joints.without_vertices;
  recipe->without_at = place_of(at->in, at->span.text);
  if (!read_bound_text(at, value, CLIP_CHECK_OBJECT, asked)) return false;
  return asked->mesh == 0 || refuse(at, "joints without vertices need a distance, such as \"2mm@3cm\"");
}

/* Joints. ------------------------------------------------------------------------------------------------ */

static bool read_distance(const struct at *at, const cJSON *value, void *to) {
  struct joint_rule *rule = to;
  bool metres;
  const char *text = cJSON_GetStringValue(value);
  const char *wrong = text ? quantity_read_length(text, &rule->distance, &metres) : "";
  if (wrong) return refuse(at, "\"distance\" must be a length such as \"90cm\"");
  rule->distance_in = metres ? BOUNDS_METRES : BOUNDS_FILE_UNIT;
  return true;
}

static bool read_leave_out(const struct at *at, const cJSON *value, void *to) {
  enum recipe_flag flag = RECIPE_UNSET;
  if (!read_flag(at, value, &flag)) return false;
  struct joint_rule *rule = to;
  rule->leave_out = flag == RECIPE_TRUE, rule->keep = flag == RECIPE_FALSE;
  return true;
}

static bool add_joint(const struct at *at, const cJSON *value, void *to) {
  static const struct member members[] = {{"match", read_texts, offsetof(struct joint_rule, match), NULL},
                                          {"bound", read_bound, offsetof(struct joint_rule, asked), NULL},
                                          {"distance", read_distance, 0, NULL},
                                          {"leave_out", read_leave_out, 0, NULL},
                                          {NULL, NULL, 0, NULL}};
  struct joint_rules *rules = to;
  rules->rule = memory_grow(rules->rule, rules->count, sizeof *rules->rule);
  struct joint_rule *rule = &rules->rule[rules->count++];
  const struct recipe_place place = place_of(at->in, at->span.text);
  *rule = (struct joint_rule){.line = place.line, .column = place.column};
  if (!read_object(at, value, members, rule)) return false;
  if (rule->match.count == 0) return refuse(at, "there is no \"match\", which chooses joints");
  return true;
}

static bool read_joints(const struct at *at, const cJSON *value, void *to) {
  return read_list(at, value, add_joint, to);
}

struct rename {
  char *match, *to;
};

static bool add_rename(const struct at *at, const cJSON *value, void *to) {
  static const struct member members[] = {{"match", NULL, offsetof(struct rename, match), "\"mixamorig:*\""},
                                          {"to", NULL, offsetof(struct rename, to), "\"*\""},
                                          {NULL, NULL, 0, NULL}};
  struct recipe *recipe = to;
  struct scene_changes *changes = &recipe->changes;
  struct rename rename = {NULL, NULL};
  bool good = read_object(at, value, members, &rename);
  if (good && (!rename.match || !rename.to)) good = refuse(at, "\"match\" and \"to\" must both be there");
  size_t stars = 0, wanted = 0;
  for (const char *s = good && rename.match ? rename.match : ""; *s; s++) stars += *s == '*';
  for (const char *s = good && rename.to ? rename.to : ""; *s; s++) wanted += *s == '*';
  if (wanted > stars) good = refuse(at, "\"to\" has more * than \"match\"");
  if (stars > NAMES_MOST_STARS) good = refuse(at, "\"match\" has more than %d *", NAMES_MOST_STARS);
  if (good) {
    recipe->rename_at = memory_grow(recipe->rename_at, changes->match.count, sizeof *recipe->rename_at);
    recipe->rename_at[changes->match.count] = place_of(at->in, at->span.text);
    texts_add(&changes->match, rename.match), texts_add(&changes->to, rename.to);
  }
  free(rename.match), free(rename.to);
  return good;
}

static bool read_renames(const struct at *at, const cJSON *value, void *to) {
  return read_list(at, value, add_rename, to);
}

static bool add_mask(const struct at *at, const cJSON *value, void *to) {
  static const struct member members[] = {{"name", NULL, offsetof(struct recipe_mask, name), "\"upper\""},
                                          {"joints", read_texts, offsetof(struct recipe_mask, joints), NULL},
                                          {NULL, NULL, 0, NULL}};
  struct recipe *recipe = to;
  recipe->mask = memory_grow(recipe->mask, recipe->masks, sizeof *recipe->mask);
  struct recipe_mask *mask = &recipe->mask[recipe->masks++];
  *mask = (struct recipe_mask){.at = place_of(at->in, at->span.text)};
  if (!read_object(at, value, members, mask)) return false;
  if (!mask->name || mask->joints.count == 0) return refuse(at, "\"name\" and \"joints\" must both be there");
  for (size_t i = 0; i + 1 < recipe->masks; i++)
    if (strcmp(recipe->mask[i].name, mask->name) == 0)
      return refuse(at, "another mask has the name \"%.80s\"", mask->name);
  return true;
}

static bool read_masks(const struct at *at, const cJSON *value, void *to) {
  return read_list(at, value, add_mask, to);
}

/* Animations. -------------------------------------------------------------------------------------------- */

static bool read_loop(const struct at *at, const cJSON *value, void *to) {
  const char *text = cJSON_GetStringValue(value);
  if (cJSON_IsBool(value)) *(int *)to = cJSON_IsTrue(value) ? CLIP_LOOP_ALL : CLIP_LOOP_NONE;
  else if (text && strcmp(text, "close") == 0) *(int *)to = CLIP_LOOP_CLOSE;
  else if (text && strcmp(text, "auto") == 0) *(int *)to = CLIP_LOOP_AUTO;
  else return refuse(at, "\"loop\" must be true, false, \"close\" or \"auto\"");
  return true;
}

static bool read_additive(const struct at *at, const cJSON *value, void *to) {
  static const struct member members[] = {
      {"animation", NULL, offsetof(struct recipe_entry, base), "\"Idle\""}, {NULL, NULL, 0, NULL}};
  struct recipe_entry *entry = to;
  const char *text = cJSON_GetStringValue(value);
  if (cJSON_IsFalse(value)) return entry->additive = RECIPE_ADDITIVE_NONE, true;
  if (text && strcmp(text, "first") == 0) return entry->additive = RECIPE_ADDITIVE_FIRST, true;
  if (!cJSON_IsObject(value) || !value->child)
    return refuse(at, "\"additive\" must be \"first\", {\"animation\": \"Idle\"} or false");
  entry->additive = RECIPE_ADDITIVE_BASE;
  return read_object(at, value, members, entry);
}

static bool read_range(const struct at *at, const cJSON *value, void *to) {
  struct animation_change *change = to;
  const cJSON *from = cJSON_GetArrayItem(value, 0), *end = cJSON_GetArrayItem(value, 1);
  if (!cJSON_IsArray(value) || cJSON_GetArraySize(value) != 2 || !cJSON_IsNumber(from) ||
      !cJSON_IsNumber(end))
    return refuse(at, "\"range\" must be two times in seconds, such as [0.2, 1.4]");
  change->from = from->valuedouble, change->to = end->valuedouble, change->cut = true;
  if (!(fabs(change->from) <= 1e9 && fabs(change->to) <= 1e9 && change->from < change->to))
    return refuse(at, "the end of a range must be after its start");
  return true;
}

static bool read_time(const struct at *at, const cJSON *value, void *to) {
  if (!cJSON_IsNumber(value) || !(fabs(value->valuedouble) <= 1e9))
    return refuse(at, "\"time\" must be a number of seconds");
  *(double *)to = value->valuedouble;
  return true;
}

static bool add_event(const struct at *at, const cJSON *value, void *to) {
  static const struct member members[] = {{"time", read_time, offsetof(quatsimd_bundle_event, time), NULL},
                                          {"name", NULL, offsetof(quatsimd_bundle_event, name), "\"foot.l\""},
                                          {NULL, NULL, 0, NULL}};
  struct recipe_entry *entry = to;
  entry->event = memory_grow(entry->event, entry->events, sizeof *entry->event);
  quatsimd_bundle_event *event = &entry->event[entry->events++];
  *event = (quatsimd_bundle_event){(double)NAN, NULL};
  if (!read_object(at, value, members, event)) return false;
  return (event->name && !isnan(event->time)) || refuse(at, "\"time\" and \"name\" must both be there");
}

static bool read_events(const struct at *at, const cJSON *value, void *to) {
  return read_list(at, value, add_event, to);
}

static bool add_entry(const struct at *at, const cJSON *value, void *to) {
  static const struct member members[] = {
      {"match", NULL, offsetof(struct recipe_entry, match), "\"Walk*\""},
      {"file", NULL, offsetof(struct recipe_entry, file), "\"takes/*.fbx\""},
      {"name", NULL, offsetof(struct recipe_entry, name), "\"Run\""},
      {"skip", read_flag, offsetof(struct recipe_entry, skip), NULL},
      {"loop", read_loop, offsetof(struct recipe_entry, loop), NULL},
      {"additive", read_additive, 0, NULL},
      {"only", read_texts, offsetof(struct recipe_entry, change.only), NULL},
      {"bound", read_entry_bound, 0, NULL},
      {"rate", read_rate, offsetof(struct recipe_entry, rate), NULL},
      {"range", read_range, offsetof(struct recipe_entry, change), NULL},
      {"events", read_events, 0, NULL},
      {NULL, NULL, 0, NULL}};
  struct recipe *recipe = to;
  recipe->entry = memory_grow(recipe->entry, recipe->entries, sizeof *recipe->entry);
  struct recipe_entry *entry = &recipe->entry[recipe->entries++];
  *entry = (struct recipe_entry){.at = place_of(at->in, at->span.text), .loop = -1};
  if (!read_object(at, value, members, entry)) return false;
  return entry->match || refuse(at, "there is no \"match\", which chooses animations");
}

static bool read_animations(const struct at *at, const cJSON *value, void *to) {
  return read_list(at, value, add_entry, to);
}

/* The file. ---------------------------------------------------------------------------------------------- */

static bool add_file(const struct at *at, const cJSON *value, void *to) {
  struct recipe *recipe = to;
  recipe->file_at = memory_grow(recipe->file_at, recipe->files.count, sizeof *recipe->file_at);
  recipe->file_at[recipe->files.count] = place_of(at->in, at->span.text);
  return add_text(at, value, &recipe->files);
}

static bool read_files(const struct at *at, const cJSON *value, void *to) {
  if (!cJSON_IsArray(value)) return add_file(at, value, to);
  if (!value->child) return refuse(at, "the array is empty");
  return read_list(at, value, add_file, to);
}

static bool read_schema(const struct at *at, const cJSON *value, void *to) {
  (void)at, (void)value, (void)to;
  return true; /* editors read it */
}

static bool read_recipe(const struct at *at, const cJSON *tree, struct recipe *recipe) {
  static const struct member members[] = {
      {"$schema", read_schema, 0, NULL},
      {"skeleton", NULL, offsetof(struct recipe, skeleton), "\"hero.glb\""},
      {"files", read_files, 0, NULL},
      {"bound", read_common_bound, 0, NULL},
      {"track", read_track, offsetof(struct recipe, track), NULL},
      {"rate", read_rate, offsetof(struct recipe, rate), NULL},
      {"keep", read_keep, offsetof(struct recipe, skin), NULL},
      {"order", read_order, offsetof(struct recipe, by_importance), NULL},
      {"without_vertices", read_without, 0, NULL},
      {"joints", read_joints, offsetof(struct recipe, joints), NULL},
      {"rename", read_renames, 0, NULL},
      {"ignore_unmatched", read_flag, offsetof(struct recipe, ignore_unmatched), NULL},
      {"masks", read_masks, 0, NULL},
      {"animations", read_animations, 0, NULL},
      {NULL, NULL, 0, NULL}};
  if (!read_object(at, tree, members, recipe)) return false;
  return recipe->files.count > 0 ||
         refuse(at, "there is no \"files\", such as [\"hero.glb\", \"takes/*.fbx\"]");
}

/* Puts spaces in place of comments, and of a comma behind the last item: then it is JSON. */
static void blank_comments(char *text) {
  char *comma = NULL, *end, before = '[';
  for (char *s = text; *s; s++) {
    if (s[0] == '/' && s[1] == '/')
      for (; *s && *s != '\n'; s++) *s = ' ';
    else if (s[0] == '/' && s[1] == '*' && (end = strstr(s + 2, "*/"))) {
      for (; s < end + 2; s++)
        if (*s != '\n') *s = ' ';
      s--;
    }
    if (!*s) break;
    if ((unsigned char)*s <= ' ') continue;
    if ((*s == ']' || *s == '}') && comma) *comma = ' ';
    comma = *s == ',' && !strchr("[{,", before) ? s : NULL;
    before = *s;
    if (*s == '"')
      for (s++; *s && *s != '"'; s++)
        if (*s == '\\' && s[1]) s++;
    if (!*s) break;
  }
}

bool recipe_has_name(const char *name) {
  return file_name_ends(name, ".json") || file_name_ends(name, ".jsonc");
}

bool recipe_read(const char *path, struct recipe *recipe) {
  size_t size;
  *recipe = (struct recipe){.path = text_copy(path)};
  char *text = file_read(path, &size);
  if (!text) return recipe_free(recipe), false;
  const char *end = text;
  bool good = strlen(text) == size && text_is_utf8(text);
  if (!good) complain(path, "is not text in UTF-8");
  char *original = names_join(good ? text : "", "", "");
  struct reading in = {.recipe = recipe, .text = text, .original = original};
  if (good) blank_comments(text);
  cJSON *tree = good ? cJSON_ParseWithLengthOpts(text, size + 1, &end, true) : NULL;
  if (good && !tree) recipe_complain(recipe, place_of(&in, end), "this is not JSON");
  if (tree) {
    const char *start = text;
    while ((unsigned char)*start <= ' ' || (unsigned char)*start >= 0x80) start++; /* there may be a mark */
    const struct at at = {&in, {start, (size_t)(text + size - start)}};
    good = read_recipe(&at, tree, recipe);
  }
  good = good && tree;
  recipe->changes.met = memory_get(recipe->changes.match.count, sizeof *recipe->changes.met);
  cJSON_Delete(tree);
  free(text), free(original);
  if (!good) recipe_free(recipe);
  return good;
}

void recipe_free(struct recipe *recipe) {
  for (size_t m = 0; m < recipe->masks; m++) free(recipe->mask[m].name), texts_free(&recipe->mask[m].joints);
  for (size_t e = 0; e < recipe->entries; e++) {
    struct recipe_entry *entry = &recipe->entry[e];
    for (size_t i = 0; i < entry->events; i++) free((char *)(uintptr_t)entry->event[i].name);
    free(entry->match), free(entry->file), free(entry->name), free(entry->base), free(entry->event);
    animation_change_free(&entry->change), texts_free(&entry->met);
  }
  joint_rules_free(&recipe->joints);
  scene_changes_free(&recipe->changes);
  texts_free(&recipe->files), texts_free(&recipe->seen);
  free(recipe->rename_at), free(recipe->file_at);
  free(recipe->mask), free(recipe->entry), free(recipe->path), free(recipe->skeleton);
  *recipe = (struct recipe){0};
}
