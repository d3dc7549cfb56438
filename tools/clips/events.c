#include "clips/events.h"

#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/text.h"
#include "files/names.h"
#include "terminal/message.h"

/* Seconds are those of the file. */
static void add(struct clip_result *result, const struct recipe_entry *as, double seconds, const char *name) {
  const struct animation_change *change = as && as->change.cut ? &as->change : NULL;
  if (change && !(seconds >= change->from && seconds <= change->to)) return;
  result->event = memory_grow(result->event, result->events, sizeof *result->event);
  result->event[result->events++] =
      (quatsimd_bundle_event){change ? seconds - change->from : seconds, text_clean(name)};
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
