/* Checks of a scene's clip. Each prints a line for the fault that it finds, and returns 1, else 0. */
#ifndef COMBINATIONS_CHECK_H
#define COMBINATIONS_CHECK_H

#include "truth.h"

/* A scene's clip. */
typedef struct encoded {
  void *data;
  size_t size;
  quatsimd_clip_report report;
  quatsimd_clip *clip;
  quatsimd_clip_storage storage;
} encoded;

/* Sums over all scenes, and an error of each rotation that points may have. */
typedef struct counts {
  long double slerp;                           /* radians */
  unsigned long clips, checks, bytes, allowed; /* bytes of clips, and of what they may have at most */
  double encoding;                             /* seconds */
  double worst;                                /* the largest error, of its bound */
} counts;

/* Encodes and opens; on failure there is nothing to free. */
int check_encodes(encoded *e, const scene *s);
/* Prints the scene and `what`. Returns 1. */
int complain(const scene *s, const char *what);
/* Moves keys as the encoder does, and closes the loop. After this, the scene cannot be encoded again. */
int check_settled(scene *s, const encoded *e);
void encoded_free(encoded *e);

/* Bounds and report.worst, at many times. */
int check_bounds(scene *s, const encoded *e, counts *c);
/* All ways to the same pose, with all kernels. */
int check_paths(scene *s, const encoded *e);
/* The same bytes with other kernels, and with a runner. */
int check_bytes(const scene *s, const encoded *e);
/* The clip is not larger than its keys. */
int check_size(const scene *s, const encoded *e, counts *c);
/* A coarser bound of one joint. */
int check_coarser(scene *s, const encoded *e);
/* The bundle of clips of one skeleton. */
int check_bundle(scene *scenes, const encoded *clips, size_t count);

/* Prints which scene the line is about; what it combines. */
void print_scene(const scene *s);
void print_features(const scene *s);

#endif
