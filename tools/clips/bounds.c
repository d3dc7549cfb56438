#include "clips/bounds.h"

#include <stdio.h>

#include "base/json.h"
#include "base/message.h"
#include "base/quantity.h"

double bounds_unit(int of) { return of == QUATSIMD_CLIP_ROTATION ? DEGREES : 1; }

bool bounds_understand(const char *command, const struct bounds_options *given, struct bounds *bounds) {
  return quantity_angle(command, "--rotation", given->rotation, &bounds->of[QUATSIMD_CLIP_ROTATION]) &&
         quantity_length(command, "--translation", given->translation,
                         &bounds->of[QUATSIMD_CLIP_TRANSLATION]) &&
         quantity_number(command, "--scale", given->scale, &bounds->of[QUATSIMD_CLIP_SCALE]) &&
         quantity_length_at(command, "--object", given->object, &bounds->of[CLIP_CHECK_OBJECT],
                            &bounds->distance);
}

bool bounds_to_encode(const char *command, const struct bounds_options *given, struct bounds *bounds) {
  *bounds = (struct bounds){{0}, 0};
  if (!given->object) {
    bounds->of[QUATSIMD_CLIP_ROTATION] = 0.05 / DEGREES;
    bounds->of[QUATSIMD_CLIP_TRANSLATION] = 0.01;
    bounds->of[QUATSIMD_CLIP_SCALE] = 0.001;
  } else if (given->rotation || given->translation || given->scale) {
    usage_error(command, "--object stands for the other bounds");
    return false;
  }
  return bounds_understand(command, given, bounds);
}

bool bounds_beyond_by(const struct bounds *bounds, const struct clip_error *error, int of, double off) {
  return bounds->of[of] > 0 && off > bounds->of[of] + error->rounding;
}

bool bounds_beyond(const struct bounds *bounds, const struct clip_error error[CLIP_CHECK_ERRORS], int of) {
  return bounds_beyond_by(bounds, &error[of], of, error[of].worst);
}

bool bounds_hold(const struct bounds *bounds, const struct clip_error error[CLIP_CHECK_ERRORS],
                 const struct clip_source *source, const char *path, bool ours) {
  static const char *const what[] = {"the rotation", "the translation", "the scale", "what hangs on it"};
  bool good = true;
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) {
    if (!bounds_beyond(bounds, error, i)) continue;
    complain(path, "%s%s\"%s\" at %.9g seconds: %s is %.9g%s off, and the bound is %.9g%s",
             ours ? source->title : "", ours ? ": " : "", clip_source_joint(source, error[i].joint),
             error[i].time, what[i], error[i].worst * bounds_unit(i),
             i == QUATSIMD_CLIP_ROTATION ? " degrees" : "", bounds->of[i] * bounds_unit(i),
             ours ? "; please report it" : "");
    good = false;
  }
  return good;
}

void bounds_print(const struct bounds *b) {
  if (b->distance > 0)
    printf("bound %g for points at a distance of %g from any joint", b->of[CLIP_CHECK_OBJECT], b->distance);
  else
    printf("bounds: rotation %g degrees, translation %g, scale %g", b->of[QUATSIMD_CLIP_ROTATION] * DEGREES,
           b->of[QUATSIMD_CLIP_TRANSLATION], b->of[QUATSIMD_CLIP_SCALE]);
}

static const char *const names[CLIP_CHECK_ERRORS] = {"rotation_bound_degrees", "translation_bound",
                                                     "scale_bound", "object_bound"};

void bounds_add_json(cJSON *object, const struct bounds *bounds) {
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++)
    json_add_figure(object, names[i], bounds->of[i] * bounds_unit(i), bounds->of[i] > 0);
  json_add_figure(object, "object_distance", bounds->distance, bounds->distance > 0);
}

struct bounds bounds_of_json(const cJSON *object) {
  struct bounds bounds = {.distance = json_number(object, "object_distance")};
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) {
    const double bound = json_number(object, names[i]);
    bounds.of[i] = bound > 0 ? bound / bounds_unit(i) : 0;
  }
  if (!(bounds.distance > 0)) bounds.distance = bounds.of[CLIP_CHECK_OBJECT] = 0;
  return bounds;
}
