/* Bounds of single joints and of tracks, as recipes and meshes ask for them. */
#ifndef JOINT_BOUNDS_H
#define JOINT_BOUNDS_H

#include "clips/bounds.h"

/* A rule of a recipe for joints whose names are like a pattern (base/glob.h). Later rules come on top. */
struct joint_rule {
  struct texts match;        /* one or several; NAME+ is a joint and all below it */
  struct bounds_asked asked; /* its bounds; 0: as all others' */
  double distance;           /* in place of all other distances; 0: none */
  enum bounds_in distance_in;
  bool leave_out, keep; /* it says so; neither: it says nothing of that */
  size_t line, column;  /* of the recipe */
};
struct joint_rules {
  size_t count;
  struct joint_rule *rule;
  struct bounds_asked without_vertices; /* beside a bound of the mesh; object 0: as always */
};
void joint_rules_free(struct joint_rules *rules);
/* Marks the joints that a rule is for; to be freed. any: there is one. */
bool *joint_rule_joints(const struct joint_rule *rule, const struct skeleton *skeleton, bool *any);

struct joint_bound {
  size_t joint;
  bool mesh;    /* its bound is that of the vertices that it moves */
  bool by_hand; /* it moves vertices, and has another bound than theirs */
  struct bounds bounds;
};

/* In the unit of a file. */
struct joint_bounds {
  size_t count;
  struct joint_bound *row;
  size_t tracks; /* the skeleton's, or 0: none has its own */
  double *track; /* each one's bound; 0: it has none of its own */
};
void joint_bounds_free(struct joint_bounds *bounds);
/* True if some vertices have another bound than that of the mesh. */
bool joint_bounds_are_by_hand(const struct joint_bounds *bounds);
bool joint_bounds_are_same(const struct joint_bounds *a, const struct joint_bounds *b);

/* Gives joints of a source, in whose unit they are, and tracks their bounds, of kinds of which there is one
 * in common. */
void joint_bounds_apply(const struct joint_bounds *bounds, const struct bounds *common,
                        struct clip_source *source);

/* As members of a record: nothing if there are none. Read, it may be missing or anything. */
void joint_bounds_add_json(cJSON *object, const struct joint_bounds *bounds,
                           const quatsimd_skeleton *skeleton);
struct joint_bounds joint_bounds_of_json(const cJSON *object);

#endif
