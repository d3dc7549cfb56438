/* The nodes and animations of a file, as they are stored: nothing resampled, nothing left out. */
#ifndef SCENE_H
#define SCENE_H

#include <stdbool.h>
#include <stddef.h>

enum { SCENE_ROTATION, SCENE_TRANSLATION, SCENE_SCALE, SCENE_KINDS };
extern const char *const scene_kinds[SCENE_KINDS]; /* "rotation" and so on, as glTF has them, too */

/* Which kind the name is of; SCENE_KINDS: none. The name may be null. */
int scene_kind(const char *name);

struct scene_curve {
  size_t keys;     /* 0: there is none */
  size_t added;    /* how many of them the file does not have */
  float *values;   /* x, y, z, w of each key; of translation and scale x, y, z */
  double *seconds; /* keys */
  bool hold;       /* a key holds until the next; otherwise from key to key by slerp, or linear */
};

/* What moves one node. */
struct scene_channel {
  char *name;  /* the node's */
  size_t node; /* SCENE_NONE: no telling which has that name */
  struct scene_curve curve[SCENE_KINDS];
};

struct scene_animation {
  char *name;    /* may be empty */
  size_t number; /* in the file, where there may be more: those that could not be read */
  size_t channels;
  struct scene_channel *channel;
};

struct scene_node {
  char *name;
  size_t number;    /* in the file, where that is glTF; its own here otherwise */
  size_t parent;    /* before it; SCENE_NONE: a root */
  float rest[3][4]; /* rotation x, y, z, w, translation, scale, where nothing moves it */
};

#define SCENE_NONE ((size_t)-1)

struct scene {
  size_t nodes;
  struct scene_node *node; /* parents before their children, as the file has them among themselves */
  size_t animations;
  struct scene_animation *animation;
  size_t unread; /* animations that could not be read and are not here; complained of */
};

void scene_free(struct scene *scene);

/* Floats of a key: 4 or 3. */
static inline size_t scene_width(int kind) { return kind == SCENE_ROTATION ? 4 : 3; }

#endif
