/* Bounds of single joints, chosen by their names, and of tracks: as a JSON file has them, and as records
 * do. */
#ifndef JOINT_BOUNDS_H
#define JOINT_BOUNDS_H

#include "clips/bounds.h"

struct joint_bound {
  char *pattern; /* of names (base/glob.h) */
  struct bounds_asked asked;
};

/* Of a joint the first one counts whose pattern its name is like, and no other. */
struct joint_bounds {
  char *path; /* of the file; null: of a record */
  size_t count;
  struct joint_bound *row;
  size_t tracks; /* the skeleton's, or 0: none has its own. Files have none, records do */
  double *track; /* each one's bound; 0: it has none of its own */
};

/* Reads the file: {"joints": [{"name": "*hand*", "object": "0.05mm@2cm"}, ...]}. common: of all other joints,
 * which say which kinds of bounds count. False and a complaint, with the place, if anything is wrong with it.
 * */
bool joint_bounds_read(const char *path, const struct bounds_asked *common, struct joint_bounds *bounds);
void joint_bounds_free(struct joint_bounds *bounds);

/* The same in the unit of a file. */
struct joint_bounds joint_bounds_of_file(const struct joint_bounds *asked, const struct skeleton *skeleton);

/* Gives joints of a source, in whose unit they are, and tracks their bounds, of kinds of which there is one
 * in common. */
void joint_bounds_apply(const struct joint_bounds *bounds, const struct bounds *common,
                        struct clip_source *source);

/* Warns of patterns that no joint's name is like. */
void joint_bounds_mention_unused(const struct joint_bounds *bounds, const char *path,
                                 const struct skeleton *skeleton);

/* XXH64 of what they are, in hexadecimal digits. */
void joint_bounds_hash(const struct joint_bounds *bounds, char digits[17]);

/* As a member of a record, in a file's unit: nothing if there are none. Read, it may be missing or
 * anything. */
void joint_bounds_add_json(cJSON *object, const struct joint_bounds *in_unit);
struct joint_bounds joint_bounds_of_json(const cJSON *object);

#endif
