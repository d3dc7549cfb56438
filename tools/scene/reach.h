/* How far vertices are from the joints that move them, and how far morph targets move them: what a bound of
 * the mesh needs. */
#ifndef REACH_H
#define REACH_H

#include "scene/skeleton.h"

/* Vertices that a node has, and how far targets of its mesh move each of them at a weight of 1. */
struct reach_mesh {
  size_t node, count, targets;
  float *position, **moved; /* 3 * count each; of a target null: it moves none */
};
void reach_mesh_free(struct reach_mesh *mesh);

struct reach {
  const struct skeleton *skeleton; /* that of the file that has the meshes */
  double *scale;                   /* the most by which each joint lengthens anything, with those above it */
  double *weight;                  /* the largest of each of the scene's tracks, at rest or in an animation */
  bool *varies;                    /* true for each of the scene's tracks that an animation has keys of */
  struct reached *reached;         /* what is found */
};

/* Adds a vertex that a node moves, by rows of the matrix that takes it to the node's space. */
void reach_take(struct reach *reach, size_t node, const double matrix[12], const struct reach_mesh *mesh,
                size_t vertex);

/* The results. distance: each joint's, to the farthest vertex that it moves, 0 for none. morphs: the scale of
 * a joint and those above it, if tracks that vary move its vertices, else 0. factor: if the error of each
 * track that varies is at most a length divided by its factor, they move no vertex by more than the length;
 * 0 for tracks that move none. needed: true for each joint that moves a vertex or holds a camera or a light,
 * and for those above; moves: any moves a vertex. */
struct reached {
  double *distance, *morphs, *factor;
  bool *needed, moves;
  bool mentioned; /* people know that there are none, or that they cannot be read */
};

/* Finds that in the file at path, of which `meshes` is the skeleton. moved: the skeleton of the file with the
 * animations, which has the same joints and tracks. False and a complaint if the file's meshes cannot be
 * read. */
bool reach_find(const char *path, const struct skeleton *meshes, const struct skeleton *moved,
                struct reached *reached);
void reached_free(struct reached *reached);

#endif
