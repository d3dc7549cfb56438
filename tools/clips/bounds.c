#include "clips/bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/quantity.h"
#include "base/text.h"
#include "check/place.h"
#include "files/file.h"
#include "terminal/message.h"
#include "terminal/print.h"

double bounds_unit(int of) { return of == QUATSIMD_CLIP_ROTATION ? DEGREES : 1; }

struct bounds_asked bounds_default(bool relative) {
  struct bounds_asked asked = {.mesh = 0};
  if (relative) {
    asked.bounds.of[QUATSIMD_CLIP_ROTATION] = 0.05 / DEGREES;
    asked.bounds.of[QUATSIMD_CLIP_TRANSLATION] = 1e-4;
    asked.bounds.of[QUATSIMD_CLIP_SCALE] = 0.001;
    asked.in[QUATSIMD_CLIP_TRANSLATION] = BOUNDS_METRES_OR_HEIGHT;
  } else {
    asked.bounds.of[CLIP_CHECK_OBJECT] = 1e-4, asked.bounds.distance = 0.03;
    asked.in[CLIP_CHECK_OBJECT] = asked.distance_in = asked.mesh_in = BOUNDS_METRES_OR_HEIGHT;
    asked.mesh = 2e-4, asked.mesh_by_default = true;
  }
  return asked;
}

/* Vertices get their own bound. Joints without vertices keep the bound that is there, or the default. */
static const char *read_mesh(const char *text, struct bounds_asked *asked) {
  char *length = text_copy(text);
  bool metres = false;
  *strrchr(length, '@') = 0;
  if (!(asked->bounds.of[CLIP_CHECK_OBJECT] > 0)) *asked = bounds_default(false);
  const char *wrong = quantity_read_length(length, &asked->mesh, &metres);
  asked->mesh_in = metres ? BOUNDS_METRES : BOUNDS_FILE_UNIT, asked->mesh_by_default = false;
  free(length);
  return wrong;
}

const char *bounds_read(const char *text, int of, struct bounds_asked *asked) {
  double *bound = &asked->bounds.of[of];
  bool metres[2] = {false, false};
  const char *wrong;
  if (of == CLIP_CHECK_OBJECT && file_name_ends(text, "@mesh")) return read_mesh(text, asked);
  if (of == QUATSIMD_CLIP_ROTATION) wrong = quantity_read_angle(text, bound);
  else if (of == QUATSIMD_CLIP_SCALE) wrong = quantity_read_number(text, bound);
  else if (of == QUATSIMD_CLIP_TRANSLATION) wrong = quantity_read_length(text, bound, &metres[0]);
  else wrong = quantity_read_length_at(text, bound, &asked->bounds.distance, metres);
  if (of == QUATSIMD_CLIP_TRANSLATION || of == CLIP_CHECK_OBJECT)
    asked->in[of] = metres[0] ? BOUNDS_METRES : BOUNDS_FILE_UNIT;
  if (of == CLIP_CHECK_OBJECT)
    asked->mesh = 0, asked->distance_in = metres[1] ? BOUNDS_METRES : BOUNDS_FILE_UNIT;
  return wrong;
}

bool bounds_understand(const char *command, const struct bounds_options *given, struct bounds_asked *asked) {
  const char *const text[CLIP_CHECK_ERRORS] = {given->rotation, given->translation, given->scale,
                                               given->object};
  for (int of = 0; of < CLIP_CHECK_ERRORS; of++) {
    const char *wrong = text[of] ? bounds_read(text[of], of, asked) : NULL;
    if (wrong) return usage_error(command, "--%s: \"%s\" %s", clip_check_names[of], text[of], wrong), false;
  }
  return true;
}

bool bounds_to_encode(const char *command, const struct bounds_options *given, int only,
                      struct bounds_asked *asked) {
  const bool others = given->rotation || given->translation || given->scale;
  if (given->object && others) {
    usage_error(command, "--object does not go with --rotation, --translation or --scale");
    return false;
  }
  *asked = bounds_default(others || only >= 0);
  if (!bounds_understand(command, given, asked)) return false;
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT && only >= 0; kind++)
    if (kind != only) asked->bounds.of[kind] = 0, asked->in[kind] = BOUNDS_FILE_UNIT;
  return true;
}

/* Of a file's unit of lengths, in which its bounds are in range as floats. */
static bool is_sane(double unit) { return unit >= 1e-15 && unit <= 1e15; }

/* The factor of lengths, and whether that is the height. */
struct factor {
  double by;
  bool height;
};

static struct factor factor_of(enum bounds_in in, double metres, double height) {
  const bool known = is_sane(metres), high = is_sane(height);
  /* where there is no height, as of one joint, the unit is a metre */
  const double metre = known ? 1 / metres : 1;
  if (in == BOUNDS_FILE_UNIT) return (struct factor){1, false};
  if (high && (!known || (in == BOUNDS_METRES_OR_HEIGHT && height > 20 * metre)))
    return (struct factor){height, true};
  return (struct factor){metre, false};
}

/* Does any length go by the metre, or by the height, too? least: BOUNDS_METRES or the other. */
static bool has_lengths_in(const struct bounds_asked *asked, enum bounds_in least) {
  bool any = asked->distance_in >= least;
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) any = any || asked->in[i] >= least;
  return any;
}

struct bounds bounds_of_file(const struct bounds_asked *asked, const struct skeleton *skeleton) {
  struct bounds bounds = asked->bounds;
  if (!has_lengths_in(asked, BOUNDS_METRES)) return bounds;
  const double metres = skeleton->metres, height = place_height(skeleton);
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) {
    const struct factor factor = factor_of(asked->in[i], metres, height);
    bounds.of[i] *= factor.by;
    if (factor.height) bounds.height = height;
  }
  const struct factor distance = factor_of(asked->distance_in, metres, height);
  bounds.distance *= distance.by;
  if (distance.height) bounds.height = height;
  return bounds;
}

double bounds_length(double length, enum bounds_in in, const struct skeleton *skeleton) {
  return length * factor_of(in, skeleton->metres, place_height(skeleton)).by;
}

bool bounds_are_same(const struct bounds *a, const struct bounds *b) {
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++)
    if (a->of[i] != b->of[i]) return false;
  return a->distance == b->distance && a->height == b->height;
}

double bounds_of_joint(const struct bounds *bounds, const quatsimd_clip_joint *joint, int of) {
  const float own[CLIP_CHECK_ERRORS] = {joint->rotation_bound, joint->translation_bound, joint->scale_bound,
                                        joint->object_bound};
  return bounds->of[of] > 0 && own[of] > 0 ? (double)own[of] : bounds->of[of];
}

bool bounds_beyond(double bound, double rounding, double off) {
  return bound > 0 && (isinf(off) || off > bound + rounding);
}

/* By what it uses of the bound with what is forgiven, so that one that is beyond comes before one that is
 * not. */
static double use_of(const struct bounds_use *use) {
  return use->bound > 0 ? use->off / (use->bound + use->rounding) : 0;
}

static void take_share(struct bounds_share *most, const struct bounds_use *one) {
  const double share = one->bound > 0 ? one->off / one->bound : 0;
  if (share > most->share) *most = (struct bounds_share){share, one->off, one->bound, one->time, one->joint};
}

void bounds_judge(const struct bounds *bounds, const struct clip_error error[CLIP_CHECK_ERRORS],
                  const struct clip_tally (*tally)[CLIP_CHECK_ERRORS], const struct clip_source *source,
                  struct bounds_use use[CLIP_CHECK_ERRORS]) {
  for (int of = 0; of < CLIP_CHECK_ERRORS; of++) {
    struct bounds_use most = {.off = error[of].worst,
                              .bound = bounds->of[of],
                              .rounding = error[of].rounding,
                              .time = error[of].time,
                              .joint = error[of].joint};
    struct bounds_share nearest = {.share = 0}, of_mesh = nearest;
    for (size_t j = 0; tally && j < source->source.joint_count; j++) {
      const struct bounds_use one = {.off = tally[j][of].worst,
                                     .bound = bounds_of_joint(bounds, &source->joint[j], of),
                                     .rounding = tally[j][of].rounding,
                                     .time = tally[j][of].time,
                                     .joint = j};
      if (j == 0 || use_of(&one) > use_of(&most)) most = one;
      take_share(&nearest, &one);
      if (source->moves_vertices[j]) take_share(&of_mesh, &one);
    }
    most.beyond = bounds_beyond(most.bound, most.rounding, most.off);
    if (!tally) take_share(&nearest, &most);
    most.nearest = nearest, most.mesh = of_mesh;
    use[of] = most;
  }
}

bool bounds_hold(const struct bounds_use use[CLIP_CHECK_ERRORS], const struct clip_source *source,
                 const char *path, bool ours, bool asked) {
  static const char *const what[] = {"the rotation", "the translation", "the scale", "a point fixed to it"},
                           *const all[] = {"rotations", "translations", "scales", "points"};
  const char *title = ours ? source->title : "", *colon = ours ? ": " : "";
  bool good = true;
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) {
    const char *unit = i == QUATSIMD_CLIP_ROTATION ? " degrees" : "";
    if (use[i].beyond)
      complain(path, "%s%s\"%s\" at %.9g seconds: %s is %.9g%s off, %.6g times its bound of %.9g%s", title,
               colon, clip_source_joint(source, use[i].joint), use[i].time, what[i],
               use[i].off * bounds_unit(i), unit, use[i].off / use[i].bound, use[i].bound * bounds_unit(i),
               unit);
    else if (use[i].nearest.share > 1)
      complain(path, "%s%s%s are up to %.5g%s off, and the bound is %.5g%s: %s", title, colon, all[i],
               use[i].nearest.off * bounds_unit(i), unit, use[i].nearest.bound * bounds_unit(i), unit,
               asked ? "no clip can be more exact" : "the rounding of floats explains it");
    good = good && !use[i].beyond;
  }
  return good;
}

/* A length as it was asked for. */
static void print_length(double length, enum bounds_in in) {
  if (in == BOUNDS_FILE_UNIT) print("%.4g", length);
  else if (length < 0.01) print("%.4g mm", 1e3 * length);
  else if (length < 1) print("%.4g cm", 1e2 * length);
  else print("%.4g m", length);
}

static void print_asked(const struct bounds_asked *asked) {
  const struct bounds *b = &asked->bounds;
  const char *comma = "bounds: ";
  if (b->distance > 0) {
    print("bound ");
    print_length(b->of[CLIP_CHECK_OBJECT], asked->in[CLIP_CHECK_OBJECT]);
    print(" for points at a distance of ");
    print_length(b->distance, asked->distance_in);
    print(" from any joint");
    if (asked->mesh > 0) {
      print(" without vertices; ");
      print_length(asked->mesh, asked->mesh_in);
      print(" for all vertices");
    }
  }
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT && b->distance == 0; kind++) {
    if (b->of[kind] == 0) continue;
    print("%s%s ", comma, scene_kinds[kind]);
    if (kind == QUATSIMD_CLIP_ROTATION) print("%g degrees", b->of[kind] * DEGREES);
    else print_length(b->of[kind], asked->in[kind]);
    comma = ", ";
  }
}

void bounds_print(const struct bounds_asked *asked, const struct bounds *of_file) {
  const bool metres = has_lengths_in(asked, BOUNDS_METRES);
  print_asked(asked);
  if (metres && !of_file)
    print("; in files without a unit%s, the rest pose's height counts as a metre",
          has_lengths_in(asked, BOUNDS_METRES_OR_HEIGHT) ? ", or over 20 m high" : "");
  else if (metres && of_file->distance > 0)
    print("; in the file's unit %.4g at %.4g", of_file->of[CLIP_CHECK_OBJECT], of_file->distance);
  else if (metres) print("; in the file's unit %.4g", of_file->of[QUATSIMD_CLIP_TRANSLATION]);
  if (of_file && of_file->height > 0)
    print("; the rest pose is %.4g high, which counts as a metre", of_file->height);
}

void bounds_print_share(const struct bounds_asked *asked, double share, bool by_hand) {
  if (asked->mesh > 0) {
    print("no vertex%s is off by more than ", by_hand ? BOUNDS_BY_HAND : "");
    print_length(share * asked->mesh, asked->mesh_in);
    return;
  }
  print("at most %.3g of ", share);
  print_length(asked->bounds.of[CLIP_CHECK_OBJECT], asked->in[CLIP_CHECK_OBJECT]);
  print(" at ");
  print_length(asked->bounds.distance, asked->distance_in);
}

static const char *const names[CLIP_CHECK_ERRORS] = {"rotation_bound_degrees", "translation_bound",
                                                     "scale_bound", "object_bound"};

void bounds_add_json(cJSON *object, const struct bounds *bounds) {
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++)
    json_add_figure(object, names[i], bounds->of[i] * bounds_unit(i), bounds->of[i] > 0);
  json_add_figure(object, "object_distance", bounds->distance, bounds->distance > 0);
  json_add_figure(object, "rest_pose_height", bounds->height, bounds->height > 0);
}

struct bounds bounds_of_json(const cJSON *object) {
  struct bounds bounds = {.distance = json_number(object, "object_distance"),
                          .height = json_number(object, "rest_pose_height")};
  for (int i = 0; i < CLIP_CHECK_ERRORS; i++) {
    const double bound = json_number(object, names[i]);
    bounds.of[i] = bound > 0 && bound <= 1e30 ? bound / bounds_unit(i) : 0;
  }
  if (!(bounds.distance > 0 && bounds.distance <= 1e30)) bounds.distance = bounds.of[CLIP_CHECK_OBJECT] = 0;
  return bounds;
}
