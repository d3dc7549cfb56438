#include "clips/joint_bounds.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/file.h"
#include "base/glob.h"
#include "base/json.h"
#include "base/message.h"
#include "base/names.h"
#include "base/quantity.h"
#include "base/text.h"

/* reading. ----------------------------------------------------------------------------------------------- */

static const char *const keys[CLIP_CHECK_ERRORS] = {"rotation", "translation", "scale", "object"};

/* Where it is in the file. */
struct place {
  const char *path;
  size_t row;
};

PRINTF_LIKE(2, 3) static bool refuse(const struct place *at, const char *format, ...) {
  char what[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  complain(at->path, "joints[%zu]%s", at->row, what);
  return false;
}

/* Null, or what the text should be. */
static const char *read_bound(int of, const char *text, struct bounds_asked *asked) {
  double *bound = &asked->bounds.of[of];
  bool metres[2] = {false, false};
  const char *wrong = NULL;
  if (of == QUATSIMD_CLIP_ROTATION) wrong = quantity_read_angle(text, bound);
  else if (of == QUATSIMD_CLIP_SCALE) wrong = quantity_read_number(text, bound);
  else if (of == QUATSIMD_CLIP_TRANSLATION) wrong = quantity_read_length(text, bound, &metres[0]);
  else wrong = quantity_read_length_at(text, bound, &asked->bounds.distance, metres);
  if (metres[0]) asked->in[of] = BOUNDS_METRES;
  if (metres[1]) asked->distance_in = BOUNDS_METRES;
  return wrong;
}

static bool read_member(const struct place *at, const cJSON *member, struct joint_bound *row) {
  int of = 0;
  while (of < CLIP_CHECK_ERRORS && strcmp(member->string, keys[of]) != 0) of++;
  const bool name = strcmp(member->string, "name") == 0;
  if (of == CLIP_CHECK_ERRORS && !name)
    return refuse(at,
                  ".%.80s: there is no such member; there are name, object, rotation, translation and scale",
                  member->string);
  if (name ? row->pattern != NULL : row->asked.bounds.of[of] != 0)
    return refuse(at, ".%s is there twice", member->string);
  if (!cJSON_IsString(member))
    return refuse(at, ".%s is not a text, as \"%s\"", member->string,
                  name                              ? "*hand*"
                  : of == QUATSIMD_CLIP_ROTATION    ? "0.01deg"
                  : of == QUATSIMD_CLIP_SCALE       ? "0.001"
                  : of == QUATSIMD_CLIP_TRANSLATION ? "0.1mm"
                                                    : "0.1mm@3cm");
  const char *text = member->valuestring, *wrong = name ? NULL : read_bound(of, text, &row->asked);
  if (name) row->pattern = text_clean(text); /* as names are */
  return !wrong || refuse(at, ".%s: \"%.80s\" %s", member->string, text, wrong);
}

/* Does it have a bound of a kind that counts? */
static bool counts(const struct joint_bound *row, const struct bounds_asked *common) {
  bool any = false;
  for (int of = 0; of < CLIP_CHECK_ERRORS; of++)
    any = any || (row->asked.bounds.of[of] > 0 && common->bounds.of[of] > 0);
  return any;
}

static bool read_row(const struct place *at, const cJSON *item, const struct bounds_asked *common,
                     struct joint_bound *row) {
  if (!cJSON_IsObject(item)) return refuse(at, " is not an object {...}");
  for (const cJSON *member = item->child; member; member = member->next)
    if (!read_member(at, member, row)) return false;
  if (!row->pattern) return refuse(at, " has no name, which selects joints");
  if (counts(row, common)) return true;
  return refuse(at,
                common->bounds.distance > 0
                    ? " (\"%.80s\") has no object, the only bound that is used without --rotation, "
                      "--translation, --scale and --only"
                    : " (\"%.80s\") has no bound that is used: rotation, translation or scale of a kind "
                      "that is encoded; object is used only with --object",
                row->pattern);
}

static bool read_rows(const char *path, const cJSON *tree, const struct bounds_asked *common,
                      struct joint_bounds *bounds) {
  const cJSON *list = NULL;
  if (!cJSON_IsObject(tree)) return complain(path, "is not an object {\"joints\": [...]}"), false;
  for (const cJSON *member = tree->child; member; member = member->next) {
    if (strcmp(member->string, "joints") != 0)
      return complain(path, "%s: there is no such member; the only member is joints", member->string), false;
    if (list) return complain(path, "joints is there twice"), false;
    list = member;
  }
  if (!list) return complain(path, "has no joints"), false;
  if (!cJSON_IsArray(list)) return complain(path, "joints is not an array [...]"), false;
  const cJSON *item;
  cJSON_ArrayForEach(item, list) {
    bounds->row = memory_grow(bounds->row, bounds->count, sizeof *bounds->row);
    const struct place at = {path, bounds->count++};
    bounds->row[at.row] = (struct joint_bound){.pattern = NULL};
    if (!read_row(&at, item, common, &bounds->row[at.row])) return false;
  }
  return true;
}

static void complain_of_text(const char *path, const char *text, const char *wrong) {
  size_t line = 1;
  const char *start = text;
  for (const char *s = text; s < wrong; s++)
    if (*s == '\n') line++, start = s + 1;
  complain(path, "line %zu, character %zu: not JSON", line, (size_t)(wrong - start) + 1);
}

bool joint_bounds_read(const char *path, const struct bounds_asked *common, struct joint_bounds *bounds) {
  size_t size;
  *bounds = (struct joint_bounds){.path = names_join(path, "", "")};
  char *text = file_read(path, &size);
  const char *end = text;
  cJSON *tree = text ? cJSON_ParseWithLengthOpts(text, size + 1, &end, true) : NULL;
  const bool good = tree && read_rows(path, tree, common, bounds);
  if (text && !tree) complain_of_text(path, text, end);
  cJSON_Delete(tree);
  free(text);
  if (!good) joint_bounds_free(bounds);
  return good;
}

void joint_bounds_free(struct joint_bounds *bounds) {
  for (size_t i = 0; i < bounds->count; i++) free(bounds->row[i].pattern);
  free(bounds->row);
  free(bounds->track);
  free(bounds->path);
  *bounds = (struct joint_bounds){.path = NULL};
}

/* of a file's joints. ------------------------------------------------------------------------------------ */

struct joint_bounds joint_bounds_of_file(const struct joint_bounds *asked, const struct skeleton *skeleton) {
  struct joint_bounds in_unit = {.count = asked->count, .row = memory_get(asked->count, sizeof *in_unit.row)};
  for (size_t i = 0; i < asked->count; i++) {
    const struct joint_bound *row = &asked->row[i];
    in_unit.row[i] = (struct joint_bound){.pattern = names_join(row->pattern, "", ""),
                                          .asked = {.bounds = bounds_of_file(&row->asked, skeleton)}};
  }
  return in_unit;
}

/* Which one is a joint's; the count of all if none is. */
static size_t row_of(const struct joint_bounds *bounds, const char *name) {
  size_t row = 0;
  while (row < bounds->count && !glob_matches(bounds->row[row].pattern, name)) row++;
  return row;
}

void joint_bounds_apply(const struct joint_bounds *bounds, const struct bounds *common,
                        struct clip_source *source) {
  for (size_t t = 0; t < source->source.track_count && t < bounds->tracks; t++)
    if (bounds->track[t] > 0) source->track[t].bound = quantity_bound(bounds->track[t]);
  for (size_t j = 0; j < source->source.joint_count && bounds->count > 0; j++) {
    const size_t row = row_of(bounds, clip_source_joint(source, j));
    if (row == bounds->count) continue;
    const struct bounds *own = &bounds->row[row].asked.bounds;
    quatsimd_clip_joint *joint = &source->joint[j];
    float *const to[] = {&joint->rotation_bound, &joint->translation_bound, &joint->scale_bound,
                         &joint->object_bound};
    for (int of = 0; of < CLIP_CHECK_ERRORS; of++)
      if (common->of[of] > 0 && own->of[of] > 0) *to[of] = quantity_bound(own->of[of]);
    if (joint->object_bound > 0) joint->object_distance = (float)own->distance;
  }
}

void joint_bounds_mention_unused(const struct joint_bounds *bounds, const char *path,
                                 const struct skeleton *skeleton) {
  char list[400] = "";
  for (size_t i = 0; i < bounds->count; i++) {
    bool used = false;
    for (size_t j = 0; j < skeleton->joints && !used; j++)
      used = glob_matches(bounds->row[i].pattern, skeleton->joint[j].name);
    const size_t length = strlen(list);
    if (!used)
      snprintf(list + length, sizeof list - length, "%s\"%.80s\"", length ? ", " : "",
               bounds->row[i].pattern);
  }
  if (*list) complain(path, "no joint matches these names in %s: %s", bounds->path, list);
}

/* records. ----------------------------------------------------------------------------------------------- */

/* Numbers and texts that tell them apart from others. */
void joint_bounds_hash(const struct joint_bounds *bounds, char digits[17]) {
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < bounds->count; i++) {
    const struct bounds_asked *asked = &bounds->row[i].asked;
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    cJSON_AddStringToObject(item, "name", bounds->row[i].pattern);
    bounds_add_json(item, &asked->bounds);
    for (int of = 0; of < CLIP_CHECK_ERRORS; of++) json_add_number(item, keys[of], asked->in[of]);
    json_add_number(item, "distance", asked->distance_in);
  }
  char *text = memory_or_exit(cJSON_PrintUnformatted(list));
  snprintf(digits, 17, "%016" PRIx64, (uint64_t)XXH64(text, strlen(text), 0));
  cJSON_free(text);
  cJSON_Delete(list);
}

void joint_bounds_add_json(cJSON *object, const struct joint_bounds *in_unit) {
  cJSON *tracks = in_unit->tracks > 0 ? cJSON_AddArrayToObject(object, "track_bounds") : NULL;
  for (size_t t = 0; t < in_unit->tracks; t++)
    cJSON_AddItemToArray(tracks, cJSON_CreateNumber(in_unit->track[t]));
  if (in_unit->count == 0) return;
  cJSON *list = cJSON_AddArrayToObject(object, "joint_bounds");
  for (size_t i = 0; i < in_unit->count; i++) {
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    json_add_text(item, "name", in_unit->row[i].pattern);
    bounds_add_json(item, &in_unit->row[i].asked.bounds);
  }
}

struct joint_bounds joint_bounds_of_json(const cJSON *object) {
  struct joint_bounds bounds = {.path = NULL};
  const cJSON *item;
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(object, "track_bounds")) {
    bounds.track = memory_grow(bounds.track, bounds.tracks, sizeof *bounds.track);
    bounds.track[bounds.tracks++] =
        cJSON_IsNumber(item) && item->valuedouble <= 0x1p60 ? item->valuedouble : 0;
  }
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(object, "joint_bounds")) {
    bounds.row = memory_grow(bounds.row, bounds.count, sizeof *bounds.row);
    bounds.row[bounds.count++] =
        (struct joint_bound){.pattern = json_text(item, "name"), .asked = {.bounds = bounds_of_json(item)}};
  }
  return bounds;
}
