/* BVH files: their hierarchy, and the numbers of their frames. */
#ifndef BVH_H
#define BVH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "readers/readers.h"

enum { BVH_CHANNELS_MAX = 9 };

/* The CHANNELS of a node. */
struct bvh_joint {
  bool end_site;                                                /* not a joint: the end of one */
  int channels, kind[BVH_CHANNELS_MAX], axis[BVH_CHANNELS_MAX]; /* SCENE_ROTATION and so on; 0 to 2 */
  int rotations, about[3]; /* axes of the rotations, in the order of the channels; no neighbours are equal */
};

struct bvh {
  const char *path;
  char *text, *at; /* zero-terminated; what is not yet read */
  size_t size;
  uint64_t spent; /* bytes of the text and of its nodes */
  size_t nodes;   /* joints and end sites, as the text has them */
  struct scene_node *node;
  struct bvh_joint *joint; /* of each node */
  size_t columns;          /* numbers of a frame */
  size_t frames, frame;    /* how many whole ones, and how many were read */
  size_t claimed, cut;     /* frames that the text claims; numbers of a frame behind the whole ones */
  double frame_seconds, usual_rate; /* Frame Time; the rate that it stands for, or 0 */
};

/* A number in the text. */
struct bvh_number {
  double value; /* in the range of float */
  char *word, *end;
};

/* Reads all before the frames. False and a complaint if that fails; so do the others. */
bool bvh_open(struct bvh *b, const char *path);
void bvh_close(struct bvh *b);

/* Says if there are other frames than the text claims. */
void bvh_mention_frames(const struct bvh *b);

/* The numbers of the next frame, as many as there are columns. Nothing but space may follow the last one. */
bool bvh_next_frame(struct bvh *b, struct bvh_number *numbers);

/* The float nearest to the text: (float)value would round twice. */
float bvh_float(const struct bvh_number *number);

#endif
