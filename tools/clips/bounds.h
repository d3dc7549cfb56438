/* How far a clip may be from what it was made of: as options give it, and as JSON says it. */
#ifndef BOUNDS_H
#define BOUNDS_H

#include <cJSON.h>
#include <stdbool.h>

#include "base/options.h"
#include "clips/check.h"
#include "clips/source.h"

struct bounds {
  double of[CLIP_CHECK_ERRORS]; /* as clip_error.worst; 0: none */
  double distance;              /* that the one in object space is for */
};

/* What an error is shown in is so many of what it is measured in: degrees of radians. */
double bounds_unit(int of);

/* The texts of the options, null where one was not given. */
struct bounds_options {
  const char *rotation, *translation, *scale, *object;
};
#define BOUNDS_OPTIONS(given)                                                                                \
  {"rotation", 'r', .text = &(given).rotation}, {"translation", 't', .text = &(given).translation},          \
      {"scale", 's', .text = &(given).scale}, {                                                              \
    "object", 0, .text = &(given).object                                                                     \
  }

/* What was given replaces what is there. False after a complaint (usage_error). */
bool bounds_understand(const char *command, const struct bounds_options *given, struct bounds *bounds);

/* Those of an encoder: without options 0.05 degrees, 0.01, 0.001; a bound in object space stands for the
 * others. */
bool bounds_to_encode(const char *command, const struct bounds_options *given, struct bounds *bounds);

/* Is it beyond its bound, by more than floats are rounded? off: of one joint, of this kind of error. */
bool bounds_beyond_by(const struct bounds *bounds, const struct clip_error *error, int of, double off);
bool bounds_beyond(const struct bounds *bounds, const struct clip_error error[CLIP_CHECK_ERRORS], int of);

/* False and a complaint of the path for each error beyond its bound. ours: the clip was just made of the
 * source, so that it is this program's fault. */
bool bounds_hold(const struct bounds *bounds, const struct clip_error error[CLIP_CHECK_ERRORS],
                 const struct clip_source *source, const char *path, bool ours);

/* On standard output, without the end of the line. */
void bounds_print(const struct bounds *bounds);

/* As members of an object; null where there is none. Read, such members may be missing or anything. */
void bounds_add_json(cJSON *object, const struct bounds *bounds);
struct bounds bounds_of_json(const cJSON *object);

#endif
