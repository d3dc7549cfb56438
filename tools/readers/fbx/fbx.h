/* FBX, which ufbx reads: within readers/fbx. */
#ifndef FBX_H
#define FBX_H

#include <stdint.h>

#include "scene/scene.h"
#include "ufbx.h"

/* A file that is being read. */
struct fbx {
  const char *path;
  const ufbx_scene *file;
  struct scene *scene;
  const ufbx_node **node;    /* each of the scene's */
  struct fbx_recent *recent; /* FBX_RECENT transforms of fbx_local_again */
  bool *sheared;             /* nodes that have a shear at some time */
  double start;              /* of reading, by fbx_now */
  uint64_t bytes;            /* of the file and of keys that were read */
  size_t wild;               /* values that change faster than keys can follow */
  const ufbx_node *wildest;  /* the first that has one */
  bool over;                 /* they take more than the reader may: keys are not added any more */
};

/* Seconds on a clock: of reader.c, or of WebAssembly's. */
double fbx_now(void);

/* read.c: the scene of the bytes of a file, which is called `path` in complaints. False if it fails.
 * They are no more than reader_memory allows. */
bool fbx_read(const char *path, const void *bytes, size_t size, struct scene *scene);

/* local.c: the transform of a node in its parent's space; of a null animation that of the rest pose.
 * *shear gets 0 if translation, rotation and scale can say all of it, and at most 1. */
ufbx_transform fbx_local(const ufbx_anim *anim, const ufbx_node *node, double time, double *shear);

/* local.c: the same, without the shear. Keeps transforms that it evaluates, since each kind of value asks for
 * those at the same times. fbx->recent is of one animation: clear it for the next. */
enum { FBX_RECENT_BITS = 12, FBX_RECENT = 1 << FBX_RECENT_BITS };
struct fbx_recent {
  const ufbx_node *node; /* null: there is no transform yet */
  double time;
  ufbx_transform local;
};
ufbx_transform fbx_local_again(struct fbx *fbx, const ufbx_anim *anim, const ufbx_node *node, double time);

/* read.c: the same, of vertices. */
struct reach;
bool fbx_reach(const char *path, const void *bytes, size_t size, struct reach *reach);

/* reach.c */
void fbx_take_reach(const struct fbx *fbx, struct reach *reach);

/* nodes.c: the nodes, depth first, and the tracks of morph weights. */
void fbx_take_nodes(struct fbx *fbx);

void fbx_note_shear(struct fbx *fbx, size_t node, double shear);

/* A morph target of a node's mesh; null: there are not so many. */
const ufbx_blend_channel *fbx_target(const ufbx_node *node, size_t target);

/* animations.c: all animations. */
void fbx_take_animations(struct fbx *fbx);

/* Counts keys, and sets `over` if they take too many bytes or reading takes too long. Returns `over`. */
bool fbx_spend(struct fbx *fbx, size_t bytes);

/* A value that an animation moves: a node's rotation, translation or scale, or a morph weight. */
struct fbx_value {
  struct fbx *fbx;
  const ufbx_anim *anim;
  const ufbx_node *node;
  const ufbx_blend_channel *target; /* of tracks */
  int kind;
  double most; /* the largest error between keys: an angle in radians, a length or a number */
};

/* Times at which the file has keys, rising, and how many frames there are in a second. */
struct fbx_times {
  const double *seconds;
  size_t count;
  double rate;
};

/* times.c: */

/* A list of times that grows. */
struct fbx_time_list {
  double *seconds;
  size_t count;
};

/* An animation that is being read. */
struct fbx_take {
  struct fbx *fbx;
  ufbx_anim anim; /* of layers that play */
  struct scene_animation *animation;
  const double *most_length; /* each node's */
  double from, to;
  struct fbx_time_list weights; /* those of the layers' weights */
};

/* Adds the times of an element's keys in all layers. True if an animation has a value for it at all. */
bool fbx_add_element(struct fbx_time_list *times, const struct fbx_take *take, const ufbx_element *element);

/* Collects the times of a node and of those whose scales its own depends on. False if nothing animates it. */
bool fbx_times_of_node(struct fbx_time_list *times, const struct fbx_take *take, const ufbx_node *node);

/* Settles the times of a value, with those of the layers' weights and the ends of the animation. There is at
 * least one. */
struct fbx_times fbx_settle_times(struct fbx_time_list *times, const struct fbx_take *take);
void fbx_free_times(const struct fbx_take *take, struct fbx_time_list *times);

/* keys.c: the keys of a value at these times, and as few more as its largest error allows. */
struct scene_curve fbx_keys(const struct fbx_value *value, const struct fbx_times *times);
void fbx_drop_keys(const struct fbx_value *value, struct scene_curve *curve);

/* True if a curve is nothing but this value. */
bool fbx_stands(const struct fbx_value *value, const struct scene_curve *curve, const float *rest);

#endif
