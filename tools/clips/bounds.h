/* How far a clip may be from what it was made of: as options give it, and as JSON says it. */
#ifndef BOUNDS_H
#define BOUNDS_H

#include <cJSON.h>
#include <stdbool.h>

#include "check/check.h"
#include "clips/source.h"
#include "scene/skeleton.h"
#include "terminal/options.h"

struct bounds {
  double of[CLIP_CHECK_ERRORS]; /* as clip_error.worst; 0: none */
  double distance;              /* that the one in object space is for */
  double height;                /* of the rest pose, if that decided lengths (bounds_of_file); else 0 */
};

/* Bounds before the file is known, and what their lengths are in. */
enum bounds_in {
  BOUNDS_FILE_UNIT,
  BOUNDS_METRES,          /* where the file has no unit, the height of its rest pose counts as a metre */
  BOUNDS_METRES_OR_HEIGHT /* there, too, where it is over 20 metres high: few files are, and many have
                             centimetres that they call metres */
};
struct bounds_asked {
  struct bounds bounds;
  enum bounds_in in[CLIP_CHECK_ERRORS], distance_in; /* of rotation and scale 0 */
  double mesh; /* of vertices (LENGTH@mesh), where joints move some; 0: none */
  enum bounds_in mesh_in;
  bool mesh_by_default; /* nobody asked for it: a file without a mesh is as good */
};

/* Errors are shown in degrees and measured in radians: so many of the former are one of the latter. */
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

/* The bound of an encoder, if none is given: of the mesh and in object space, or of each joint beside its
 * parent. */
struct bounds_asked bounds_default(bool relative);
/* Reads a bound: an angle, a length, a number, LENGTH@DISTANCE or LENGTH@mesh. Null, or what is wrong with it
 * ("is not a length ..."). */
const char *bounds_read(const char *text, int of, struct bounds_asked *asked);

/* Options that were given replace what is there. False after a complaint (usage_error). */
bool bounds_understand(const char *command, const struct bounds_options *given, struct bounds_asked *asked);

/* Those of an encoder. A bound in object space stands for the others: so it is without options, ACL's 0.1 mm
 * at 3 cm. Where options give other bounds, or there are curves of one kind alone (only; -1: of all), those
 * that are not given are 0.05 degrees, 0.1 mm and 0.001. */
bool bounds_to_encode(const char *command, const struct bounds_options *given, int only,
                      struct bounds_asked *asked);

/* The bounds that were asked for, in the unit of a file. */
struct bounds bounds_of_file(const struct bounds_asked *asked, const struct skeleton *skeleton);

/* A length in the unit of a file. */
double bounds_length(double length, enum bounds_in in, const struct skeleton *skeleton);

bool bounds_are_same(const struct bounds *a, const struct bounds *b);

/* A joint's bound: its own, where there is one of this kind for all, or that. */
double bounds_of_joint(const struct bounds *bounds, const quatsimd_clip_joint *joint, int of);

/* The error that is the largest share of its joint's bound. */
struct bounds_share {
  double share, off, bound, time; /* share 0: no joint has a bound */
  size_t joint;
};

/* The error that uses most of its joint's bound, with what is forgiven. */
struct bounds_use {
  double off, bound, rounding, time;
  struct bounds_share nearest, mesh; /* of all joints; of those whose bound is that of vertices */
  size_t joint;
  bool beyond; /* by more than floats are rounded */
};

/* Of each kind. tally: of each joint; null where no joint has a bound of its own. */
void bounds_judge(const struct bounds *bounds, const struct clip_error error[CLIP_CHECK_ERRORS],
                  const struct clip_tally (*tally)[CLIP_CHECK_ERRORS], const struct clip_source *source,
                  struct bounds_use use[CLIP_CHECK_ERRORS]);

/* Is so much beyond a bound, by more than floats are rounded? */
bool bounds_beyond(double bound, double rounding, double off);

/* False and a complaint of the path for each error beyond its bound. An error that rounding explains is no
 * fault, and a message says so. ours: the path is the source's, and messages name the animation. asked: the
 * clip was made with these bounds, so that no other is nearer to them. */
bool bounds_hold(const struct bounds_use use[CLIP_CHECK_ERRORS], const struct clip_source *source,
                 const char *path, bool ours, bool asked);

/* On standard output, without the end of the line: what was asked for, and what it comes to in a file; null:
 * in files that differ. */
void bounds_print(const struct bounds_asked *asked, const struct bounds *of_file);

/* Prints what a share of the bound in object space means, as it was asked for: of vertices, or of points.
 * by_hand: some vertices have another bound. */
#define BOUNDS_BY_HAND " but those of joints and clips with bounds of their own"
void bounds_print_share(const struct bounds_asked *asked, double share, bool by_hand);

/* As members of an object; null where there is none. Read, such members may be missing or anything. */
void bounds_add_json(cJSON *object, const struct bounds *bounds);
struct bounds bounds_of_json(const cJSON *object);

#endif
