/* The nodes and animations of a file, as they are stored: nothing resampled, nothing left out. */
#ifndef SCENE_H
#define SCENE_H

#include <stdbool.h>
#include <stddef.h>

#include "quatsimd/clip.h"

enum {
  SCENE_ROTATION,
  SCENE_TRANSLATION,
  SCENE_SCALE,
  SCENE_KINDS, /* of a joint */
  SCENE_TRACK = SCENE_KINDS
};
extern const char *const scene_kinds[SCENE_KINDS + 1]; /* "rotation" and so on, as glTF has them, too */

/* Which kind the name is of; SCENE_KINDS: none. The name may be null. */
int scene_kind(const char *name);

struct scene_curve {
  size_t keys;       /* 0: there is none */
  int interpolation; /* QUATSIMD_CURVE_LINEAR, _HOLD or _CUBIC */
  float *values;     /* as in quatsimd_curve: x, y, z, w of each key; of translation and scale x, y, z */
  double *seconds;   /* keys */
  bool shared;       /* both arrays are the scene's, perhaps for several curves: copied before they change */
};

/* The curves of one node. */
struct scene_channel {
  char *name; /* the node's */
  size_t node;
  struct scene_curve curve[SCENE_KINDS];
};

/* A float that animations may move: the weight of a morph target of a node's mesh. */
struct scene_track {
  char *name;          /* "mesh.target"; where several nodes have the mesh "node.mesh.target" */
  size_t node, target; /* target: its number there; those of a node follow each other */
  float rest;
};

struct scene_animation {
  char *name;         /* may be empty */
  char *extras;       /* what glTF has beside it, JSON as it is in the file; null: nothing */
  const char *beyond; /* what of it is not here; null: nothing, or nobody asked */
  char *left_out;     /* as beyond, of a clip: which channels it will not have; null: none */
  size_t merged;      /* keys that became one with the next, if that is not yet said */
  size_t mended;      /* rotations of length 0, in whose place the ones before stand */
  size_t number;      /* in the file, where there may be more: those that could not be read */
  size_t channels;
  struct scene_channel *channel;
  struct scene_curve *track; /* of each of the scene's tracks; null: it moves none */
};

struct scene_node {
  char *name;
  size_t number;    /* in the file, where that is glTF; its own here otherwise */
  size_t parent;    /* before it; SCENE_NONE: a root */
  float rest[3][4]; /* rotation x, y, z, w, translation, scale, where nothing moves it */
  char *human;      /* the bone that it is of a human, as VRM 1.0 calls it: "hips"; null: none */
  bool in_skin;     /* a joint of a skin; of BVH: any joint */
  bool holds;       /* it has a camera or a light */
  bool sheared;     /* its matrix in glTF has a shear, which `rest` has not */
  bool bound;       /* it has an inverse bind matrix, three rows of four: of the first skin that it is in */
  float inverse_bind[12];
};

#define SCENE_NONE ((size_t)-1)

struct scene {
  size_t nodes;
  struct scene_node *node; /* depth first, siblings in the file's order */
  size_t tracks;
  struct scene_track *track;
  size_t animations;
  struct scene_animation *animation;
  double metres; /* one unit of lengths outside all nodes; 0: the file does not say */
  int up;        /* 1: y is up; -1: another axis; 0: the file does not say */
  bool backward; /* a human that faces -z at rest, as VRM 0 has it; others face z */
  size_t unread; /* animations that could not be read and are not here; complained of */
  size_t shared;
  void **share; /* arrays of shared curves */
};

void scene_free(struct scene *scene);
void scene_free_animation(struct scene_animation *animation, size_t tracks);

/* The scene frees the array in the end. Returns it. */
void *scene_share(struct scene *scene, void *array);
/* Keys at equal neighbouring times become one, or the curve jumps there. How many are merged. */
size_t scene_settle_times(struct scene_curve *curve, int kind);
/* Rotations of length 0 become the ones before them, or after them at the beginning. Returns how many; if
 * there is no other, the curve has no keys any more. */
size_t scene_mend_rotations(struct scene_curve *curve);
/* Finds each node's first child and the next child of its parent, or SCENE_NONE; to be freed. Returns the
 * first root; the next of a root is the next root. */
size_t scene_children(const struct scene *scene, size_t **first, size_t **next);
/* Tells people what clips of all animations will not have. stays: those that no clip can have all of stay as
 * they are. */
void scene_mention_rest(const char *path, const struct scene *scene, bool stays);

void scene_free_curve(struct scene_curve *curve);
/* It has no keys any more. */
void scene_drop_curve(struct scene_curve *curve);
/* A curve of arrays of its own. */
void scene_unshare(struct scene_curve *curve, int kind);

/* A key's time as files have it that have floats: just before a jump there is another one. */
float scene_time(const struct scene_curve *curve, size_t key);

/* Floats of a value: 4, 3 or 1. */
static inline size_t scene_width(int kind) {
  return kind == SCENE_ROTATION ? 4 : kind == SCENE_TRACK ? 1 : 3;
}

/* A key's value, between its tangents if the curve is cubic, and the floats of a whole curve. */
static inline float *scene_key(const struct scene_curve *curve, int kind, size_t key) {
  return curve->values +
         scene_width(kind) * (curve->interpolation == QUATSIMD_CURVE_CUBIC ? 3 * key + 1 : key);
}
static inline size_t scene_floats(const struct scene_curve *curve, int kind) {
  return curve->keys * scene_width(kind) * (curve->interpolation == QUATSIMD_CURVE_CUBIC ? 3 : 1);
}

#endif
