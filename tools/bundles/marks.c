#include "bundles/marks.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/text.h"
#include "bundle/layout.h"
#include "core/bytes.h"
#include "terminal/print.h"

/* The events of a clip are from one of these numbers to the other. Returns the first event. */
static const unsigned char *events_of(const quatsimd_bundle *bundle, const unsigned char *section,
                                      size_t clip, size_t range[2]) {
  range[0] = clip == 0 ? 0 : load_u32(section + 4 * clip);
  range[1] = load_u32(section + 4 + 4 * clip);
  return section + 4 + 4 * quatsimd_bundle_clip_count(bundle);
}

void bundle_add_events(cJSON *clip, const quatsimd_bundle *bundle, size_t number) {
  const unsigned char *section = quatsimd_bundle_section(bundle, SECTION_EVENTS).at;
  if (!section) return;
  size_t range[2];
  const unsigned char *event = events_of(bundle, section, number, range),
                      *text = event + EVENT_ENTRY * (size_t)load_u32(section);
  cJSON *list = range[0] < range[1] ? cJSON_AddArrayToObject(clip, "events") : NULL;
  for (size_t i = range[0]; i < range[1]; i++) {
    cJSON *item = json_append(list);
    json_add_number(item, "time", load_double(event + EVENT_ENTRY * i));
    json_add_text(item, "name", (const char *)text + load_u32(event + EVENT_ENTRY * i + 8));
  }
}

void bundle_add_masks(cJSON *tree, const quatsimd_bundle *bundle, const quatsimd_skeleton *skeleton) {
  const unsigned char *section = quatsimd_bundle_section(bundle, SECTION_MASKS).at;
  if (!section) return;
  const size_t joints = quatsimd_skeleton_joint_count(skeleton),
               weights = joints + quatsimd_skeleton_track_count(skeleton), count = load_u32(section);
  const unsigned char *weight = section + 4 + 4 * count, *text = weight + 4 * weights * count;
  cJSON *list = cJSON_AddArrayToObject(tree, "masks");
  for (size_t m = 0; m < count; m++, weight += 4 * weights) {
    cJSON *item = json_append(list);
    json_add_text(item, "name", (const char *)text + load_u32(section + 4 + 4 * m));
    cJSON *names = cJSON_AddArrayToObject(item, "joints");
    for (size_t j = 0; j < joints; j++) {
      if (load_float(weight + 4 * j) == 0) continue;
      char *clean = text_clean(quatsimd_skeleton_joint_name(skeleton, j));
      cJSON_AddItemToArray(names, cJSON_CreateString(clean));
      free(clean);
    }
  }
}

void bundle_print_marks(const quatsimd_bundle *bundle) {
  const unsigned char *events = quatsimd_bundle_section(bundle, SECTION_EVENTS).at,
                      *masks = quatsimd_bundle_section(bundle, SECTION_MASKS).at;
  if (events) print("%s\n", text_count(load_u32(events), "event"));
  if (masks) print("%s\n", text_count(load_u32(masks), "mask"));
}
