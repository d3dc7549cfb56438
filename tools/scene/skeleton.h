/* Whole animations: the joints of a file and the curves that move them. */
#ifndef SKELETON_H
#define SKELETON_H

#include <stdint.h>

#include "scene/change.h"
#include "scene/skeleton_file.h"

/* A joint of a skin, a node that an animation of the file moves, or one above these; any node, if the file
 * has neither these, nor tracks, nor animations that could not be read. */
struct skeleton_joint {
  size_t node;                /* of the scene; SCENE_NONE: it has no such joint */
  int64_t parent;             /* a joint before it; -1: none */
  const char *name;           /* in the bytes of the .qsk */
  float rest[SCENE_KINDS][4]; /* as of nodes */
};

struct skeleton {
  struct scene scene; /* its animations move known nodes alone */
  bool moves;         /* any node, or a track */
  size_t joints;
  struct skeleton_joint *joint;
  size_t *joint_of;          /* each node's joint; SCENE_NONE */
  float *track_rest;         /* of each track of the .qsk */
  size_t *track_of;          /* each of the scene's tracks' number in the .qsk; SCENE_NONE */
  struct skeleton_file file; /* these joints as .qsk */
  double metres;             /* length of the unit; 0: not known */
  size_t curves_left_out;    /* of nodes that have no joint */
};

/* Which joints, and in which order. */
struct skeleton_choice {
  bool by_importance;             /* those that most hangs on first; else depth first */
  const struct skeleton_file *of; /* those of this skeleton, in its order, by their names; null: the file's */
  const char *path;               /* where it is from; null: none */
  bool first;                     /* nobody named that: it is the first of the files */
  const struct scene_changes *changes; /* of the file, before all else; null: none */
  bool ignore_unmatched;               /* nodes that move and have no joint there are left out */
  bool for_glb; /* without inverse bind matrices; what clips cannot have is not left out of the file */
};

/* Reads a file as readers.h has it. Returns false and complains if that fails. Animations that cannot be read
 * are complained of and counted in scene.unread; there may be none left. choice: null for the file's own
 * joints, depth first. */
bool skeleton_read(const char *path, const struct skeleton_choice *choice, struct skeleton *skeleton);
/* The same of a file that clips were made of, with the joints that they have: as `like` says, whichever way
 * it was made of the file. Null or empty: the file's own, in the order of which the skeleton has that hash;
 * depth first if neither has. given: the skeleton that it was matched with, if people give it again; without
 * it human bones do not match, and a file that has them is refused unless `like` is its own. changes: as of a
 * choice. False and a complaint, too, if no node moves. */
bool skeleton_read_like(const char *path, const struct skeleton_file *like, uint64_t hash,
                        const struct skeleton_file *given, const struct scene_changes *changes,
                        struct skeleton *skeleton);
void skeleton_free(struct skeleton *skeleton);

/* The skeleton that others are to have: a .qsk as it is, the joints of a file otherwise. changes: as of a
 * choice. */
bool skeleton_file_of(const char *path, bool by_importance, const struct scene_changes *changes,
                      struct skeleton_file *file);

/* Marks the joints that patterns are for (names_select). */
void skeleton_select(const struct skeleton *skeleton, const struct texts *patterns, bool *selected);

/* The curves of an animation: curve[3 * joint + kind], then those of tracks of the .qsk; null where the file
 * has none. To be freed. */
const struct scene_curve **skeleton_curves(const struct skeleton *skeleton, size_t animation);

/* Within scene. True if the channel has a curve. */
bool skeleton_moves(const struct scene_channel *channel);
/* Makes a skeleton with its own joints one with those of the other, which has the same names. False and a
 * complaint if it cannot be. */
bool skeleton_match(const char *path, const struct skeleton_choice *choice, bool silent,
                    struct skeleton *skeleton);

/* human_bones.c: bones of humans, as VRM has them: a file's motion on the joints of another file. */

/* True if both are the same bone; null: none. */
bool human_bones_match(const char *a, const char *b);

/* Makes curves of nodes those of joints, which the same human bone has and whose rest pose may be another:
 * both stand in the same pose at rest, and their bones turn alike in the world (VRMC_vrm_animation 1.0).
 * joint: each node's; SCENE_NONE. Translations of other bones than the hips are taken out. Returns how many.
 */
size_t human_bones_retarget(struct scene *scene, const struct skeleton_file *to, const size_t *joint);

#endif
