/* The animations of a file to encode, and how. */
#ifndef CLIP_PLAN_H
#define CLIP_PLAN_H

#include "clips/encode.h"
#include "scene/reach.h"

/* Points to all it is given but reached, which begins as zero: plans of one file share it. False and a
 * complaint if no animation of the file can be encoded so. */
bool clip_plan_make(struct clip_plan *plan, const struct clip_settings *settings, const char *path,
                    const struct skeleton *skeleton, struct reached *reached);
void clip_plan_free(struct clip_plan *plan);

/* Of each animation: is it one of those that were asked for? To be freed. Each name of which the file has
 * none is complained of, with the names there are, and counted in *missing, unless files are sifted. */
bool *clip_plan_choose(const struct clip_plan *plan, size_t *missing);

#endif
