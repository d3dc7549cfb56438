/* Events and masks of a bundle, for people. */
#ifndef BUNDLE_MARKS_H
#define BUNDLE_MARKS_H

#include <cJSON.h>

#include "quatsimd/bundle.h"

/* Adds "events" of a clip, if it has any: their times and names. */
void bundle_add_events(cJSON *clip, const quatsimd_bundle *bundle, size_t number);
/* Adds "masks", if there are any: their names, and the joints whose weight is not 0. */
void bundle_add_masks(cJSON *tree, const quatsimd_bundle *bundle, const quatsimd_skeleton *skeleton);

/* Prints how many there are. */
void bundle_print_marks(const quatsimd_bundle *bundle);

#endif
