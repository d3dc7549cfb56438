#include "clips/events.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/text.h"
#include "files/names.h"
#include "terminal/message.h"

/* Seconds are those of the file. Events outside the part that the clip is of are left out, with a message; so
 * are people told of those outside the clip, which stay. */
static void add(struct clip_result *result, const struct recipe_entry *as, double seconds, const char *name) {
  const bool cut = as && as->change.cut;
  const double time = cut ? seconds - as->change.from : seconds, start = quatsimd_clip_start(result->clip),
               end = quatsimd_clip_frame_time(result->clip, SIZE_MAX);
  const bool outside = !(time >= start - 1e-4 && time <= end + 1e-4);
  if (outside)
    complain(result->path, "animation %zu, %s: event \"%.100s\" at %.6g s is outside the clip%s",
             result->number, result->name, name, seconds, cut ? ", and left out" : "");
  if (outside && cut) return;
  result->event = memory_grow(result->event, result->events, sizeof *result->event);
  /* a time at an end of the clip that was rounded is the end's */
  const double inside = outside ? time : fmin(fmax(time, start), end);
  result->event[result->events++] = (quatsimd_bundle_event){inside, text_clean(name)};
}

static void take_extras(struct clip_result *result, const struct recipe_entry *as) {
  cJSON *tree = result->extras ? cJSON_Parse(result->extras) : NULL;
  const cJSON *events = cJSON_GetObjectItemCaseSensitive(tree, "events"), *item;
  size_t wrong = 0;
  cJSON_ArrayForEach(item, events) {
    const cJSON *time = cJSON_GetObjectItemCaseSensitive(item, "time"),
                *name = cJSON_GetObjectItemCaseSensitive(item, "name");
    if (cJSON_IsNumber(time) && fabs(time->valuedouble) <= 1e9 && cJSON_IsString(name))
      add(result, as, time->valuedouble, name->valuestring);
    else wrong++;
  }
  if (wrong > 0)
    complain(result->path, "animation %zu, %s: %s of extras.events %s without \"time\" and \"name\"",
             result->number, result->name, text_number(wrong), wrong > 1 ? "are" : "is");
  cJSON_Delete(tree);
}

void clip_events_take(struct clip_result *result, const struct recipe_entry *as) {
  take_extras(result, as);
  for (size_t i = 0; as && i < as->events; i++) add(result, as, as->event[i].time, as->event[i].name);
}
