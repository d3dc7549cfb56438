#include "bundles/marks.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/text.h"
#include "terminal/print.h"
#include "terminal/table.h"

/* ---- JSON ---- */

void bundle_add_events(cJSON *to, const quatsimd_clip *clip) {
  const size_t count = quatsimd_clip_event_count(clip);
  cJSON *list = count > 0 ? cJSON_AddArrayToObject(to, "events") : NULL;
  for (size_t i = 0; i < count; i++) {
    cJSON *item = json_append(list);
    json_add_number(item, "time", quatsimd_clip_event_time(clip, i));
    json_add_text(item, "name", quatsimd_clip_event_name(clip, i));
  }
}

/* The weights of a mask: those of all joints, then those of all tracks. The caller frees them. */
static float *weights_of(const quatsimd_bundle *bundle, size_t mask, size_t joints, size_t tracks) {
  float *weights = memory_get(joints + tracks, sizeof *weights);
  (void)quatsimd_bundle_mask(bundle, quatsimd_bundle_mask_name(bundle, mask), weights, weights + joints);
  return weights;
}

/* Adds the names of the joints, or tracks, whose weight is not 0. */
static void add_weighted(cJSON *item, const char *key, const float *weights, size_t count,
                         const quatsimd_skeleton *skeleton,
                         const char *(*name)(const quatsimd_skeleton *, size_t)) {
  cJSON *names = cJSON_AddArrayToObject(item, key);
  for (size_t i = 0; i < count; i++) {
    if (weights[i] == 0) continue;
    char *clean = text_clean(name(skeleton, i));
    cJSON_AddItemToArray(names, cJSON_CreateString(clean));
    free(clean);
  }
}

void bundle_add_masks(cJSON *tree, const quatsimd_bundle *bundle, const quatsimd_skeleton *skeleton) {
  const size_t joints = quatsimd_skeleton_joint_count(skeleton),
               tracks = quatsimd_skeleton_track_count(skeleton), count = quatsimd_bundle_mask_count(bundle);
  cJSON *list = count > 0 ? cJSON_AddArrayToObject(tree, "masks") : NULL;
  for (size_t m = 0; m < count; m++) {
    cJSON *item = json_append(list);
    float *weights = weights_of(bundle, m, joints, tracks);
    json_add_text(item, "name", quatsimd_bundle_mask_name(bundle, m));
    add_weighted(item, "joints", weights, joints, skeleton, quatsimd_skeleton_joint_name);
    add_weighted(item, "tracks", weights + joints, tracks, skeleton, quatsimd_skeleton_track_name);
    free(weights);
  }
}

/* ---- text ---- */

void bundle_add_event_rows(struct table *table, const quatsimd_clip *clip, size_t number) {
  for (size_t i = 0; i < quatsimd_clip_event_count(clip); i++) {
    if (table->cells == 0) table_row(table, (const char *const[]){"clip", "at", "event"});
    table_cell(table, "%zu", number);
    table_cell(table, "%.3f", quatsimd_clip_event_time(clip, i));
    table_cell(table, "%s", quatsimd_clip_event_name(clip, i));
  }
}

static size_t count_weights(const float *weights, size_t count) {
  size_t found = 0;
  for (size_t i = 0; i < count; i++) found += weights[i] != 0;
  return found;
}

void bundle_print_masks(const quatsimd_bundle *bundle, const quatsimd_skeleton *skeleton) {
  const size_t joints = quatsimd_skeleton_joint_count(skeleton),
               tracks = quatsimd_skeleton_track_count(skeleton), count = quatsimd_bundle_mask_count(bundle);
  struct table table = {.columns = 3, .left = 1 << 2};
  if (count == 0) return;
  table_row(&table, (const char *const[]){"joints", "tracks", "mask"});
  for (size_t m = 0; m < count; m++) {
    float *weights = weights_of(bundle, m, joints, tracks);
    table_cell(&table, "%zu", count_weights(weights, joints));
    table_cell(&table, "%zu", count_weights(weights + joints, tracks));
    table_cell(&table, "%s", quatsimd_bundle_mask_name(bundle, m));
    free(weights);
  }
  print("\n");
  table_print(&table, 1);
}
