/* Events and masks of a bundle, for people. */
#ifndef BUNDLE_MARKS_H
#define BUNDLE_MARKS_H

#include <cJSON.h>

#include "quatsimd/bundle.h"
#include "terminal/table.h"

/* Adds "events" of a clip, if it has any: their times and names. */
void bundle_add_events(cJSON *to, const quatsimd_clip *clip);
/* Adds "masks", if there are any: their names, and the joints and tracks whose weight is not 0. */
void bundle_add_masks(cJSON *tree, const quatsimd_bundle *bundle, const quatsimd_skeleton *skeleton);

/* Adds a row for each event of a clip to a table of three columns: the clip's number in the bundle, the
 * event's time and its name. The first row is preceded by a header. */
void bundle_add_event_rows(struct table *table, const quatsimd_clip *clip, size_t number);
/* Prints a row for each mask, if there are any: its name, and how many joints and tracks have a weight that
 * is not 0. */
void bundle_print_masks(const quatsimd_bundle *bundle, const quatsimd_skeleton *skeleton);

#endif
