#include "clips/joint_bounds.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/quantity.h"
#include "base/text.h"

void joint_rules_free(struct joint_rules *rules) {
  for (size_t i = 0; i < rules->count; i++) texts_free(&rules->rule[i].match);
  free(rules->rule);
  *rules = (struct joint_rules){0};
}

bool *joint_rule_joints(const struct joint_rule *rule, const struct skeleton *skeleton, bool *any) {
  bool *selected = memory_get(skeleton->joints, sizeof *selected);
  skeleton_select(skeleton, &rule->match, selected);
  *any = false;
  for (size_t j = 0; j < skeleton->joints; j++) *any = *any || selected[j];
  return selected;
}

void joint_bounds_free(struct joint_bounds *bounds) {
  free(bounds->row);
  free(bounds->track);
  *bounds = (struct joint_bounds){0};
}

bool joint_bounds_are_by_hand(const struct joint_bounds *bounds) {
  size_t i = 0;
  while (i < bounds->count && !bounds->row[i].by_hand) i++;
  return i < bounds->count;
}

bool joint_bounds_are_same(const struct joint_bounds *a, const struct joint_bounds *b) {
  bool same = a->count == b->count && a->tracks == b->tracks;
  for (size_t i = 0; same && i < a->count; i++)
    same = a->row[i].joint == b->row[i].joint && a->row[i].mesh == b->row[i].mesh &&
           bounds_are_same(&a->row[i].bounds, &b->row[i].bounds);
  for (size_t t = 0; same && t < a->tracks; t++) same = a->track[t] == b->track[t];
  return same;
}

void joint_bounds_apply(const struct joint_bounds *bounds, const struct bounds *common,
                        struct clip_source *source) {
  for (size_t t = 0; t < source->source.track_count && t < bounds->tracks; t++)
    if (bounds->track[t] > 0) source->track[t].bound = quantity_bound(bounds->track[t]);
  for (size_t i = 0; i < bounds->count; i++) {
    const struct joint_bound *row = &bounds->row[i];
    if (row->joint >= source->source.joint_count) continue;
    quatsimd_clip_joint *joint = &source->joint[row->joint];
    float *const to[] = {&joint->rotation_bound, &joint->translation_bound, &joint->scale_bound,
                         &joint->object_bound};
    for (int of = 0; of < CLIP_CHECK_ERRORS; of++)
      if (common->of[of] > 0 && row->bounds.of[of] > 0) *to[of] = quantity_bound(row->bounds.of[of]);
    if (joint->object_bound > 0) joint->object_distance = (float)row->bounds.distance;
    source->moves_vertices[row->joint] = row->mesh && joint->object_bound > 0;
  }
}

void joint_bounds_add_json(cJSON *object, const struct joint_bounds *bounds,
                           const quatsimd_skeleton *skeleton) {
  cJSON *tracks = bounds->tracks > 0 ? cJSON_AddArrayToObject(object, "track_bounds") : NULL;
  for (size_t t = 0; t < bounds->tracks; t++)
    cJSON_AddItemToArray(tracks, cJSON_CreateNumber(bounds->track[t]));
  cJSON *list = bounds->count > 0 ? cJSON_AddArrayToObject(object, "joint_bounds") : NULL;
  for (size_t i = 0; i < bounds->count; i++) {
    const struct joint_bound *row = &bounds->row[i];
    cJSON *item = json_append(list);
    json_add_number(item, "joint", (double)row->joint);
    json_add_text(item, "name", quatsimd_skeleton_joint_name(skeleton, row->joint));
    if (row->mesh) cJSON_AddTrueToObject(item, "mesh");
    if (row->by_hand) cJSON_AddTrueToObject(item, "by_hand");
    bounds_add_json(item, &row->bounds);
  }
}

struct joint_bounds joint_bounds_of_json(const cJSON *object) {
  struct joint_bounds bounds = {0};
  const cJSON *item;
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(object, "track_bounds")) {
    bounds.track = memory_grow(bounds.track, bounds.tracks, sizeof *bounds.track);
    bounds.track[bounds.tracks++] =
        cJSON_IsNumber(item) && item->valuedouble <= 0x1p60 ? item->valuedouble : 0;
  }
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(object, "joint_bounds")) {
    const double joint = json_number(item, "joint");
    if (!(joint >= 0 && joint <= 0x1p31)) continue;
    bounds.row = memory_grow(bounds.row, bounds.count, sizeof *bounds.row);
    bounds.row[bounds.count++] =
        (struct joint_bound){.joint = (size_t)joint,
                             .mesh = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(item, "mesh")),
                             .by_hand = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(item, "by_hand")),
                             .bounds = bounds_of_json(item)};
  }
  return bounds;
}
