/* Marks in the time of clips: of glTF's extras and of recipes. */
#ifndef CLIP_EVENTS_H
#define CLIP_EVENTS_H

#include "recipe/recipe.h"

/* Gives a clip the events of its animation's extras, and those of the recipe, unless `as` is null: as far as
 * they are in the part that the clip is of. A message for extras that are no events. */
void clip_events_take(struct clip_result *result, const struct recipe_entry *as);

#endif
