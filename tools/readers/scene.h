/* The nodes and animations of a file, as they are stored: nothing resampled, nothing left out. */
#ifndef SCENE_H
#define SCENE_H

#include <stdbool.h>
#include <stddef.h>

enum { SCENE_ROTATION, SCENE_TRANSLATION, SCENE_SCALE, SCENE_KINDS };

struct scene_curve {
  size_t keys;     /* 0: there is none */
  float *values;   /* x, y, z, w of each key; of translation and scale x, y, z */
  double *seconds; /* keys */
  bool step;       /* a key holds until the next; otherwise from key to key by slerp, or linear */
  /* one key that is not in the file: Assimp gives a channel that lacks a curve the node's rest transform */
  bool made_up;
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

/* Reads whatever Assimp reads. Names come clean (text_clean). Returns false and complains if it cannot. */
bool scene_read_assimp(const char *path, struct scene *scene);

/* A file whose animation has other keys. */
struct scene_export {
  const char *path;
  const struct scene_animation *animation; /* as scene_read_assimp had it, but for values */
  bool kinds[SCENE_KINDS];                 /* which values to take from it */
};

/* What Assimp makes of it as a .glb, to be freed. Returns null and complains if it cannot. */
unsigned char *scene_export_assimp(const struct scene_export *job, size_t *size);
void scene_free(struct scene *scene);

/* "Assimp 5.2", or "no Assimp". */
const char *scene_reader(void);

/* Floats of a key: 4 or 3. */
static inline size_t scene_width(int kind) { return kind == SCENE_ROTATION ? 4 : 3; }

#endif
