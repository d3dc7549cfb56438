/* An animation of a file as quatsimd_clip_encode wants it. */
#ifndef CLIP_SOURCE_H
#define CLIP_SOURCE_H

#include <stdbool.h>

#include "clip/encode/memory.h"
#include "scene/skeleton.h"

/* An animation that another one is relative to. */
struct clip_under {
  quatsimd_clip_source source; /* with as many joints and tracks */
  quatsimd_clip_joint *joint;
  quatsimd_clip_track *track;
  size_t pieces; /* arrays of curves that were cut */
  void **made;
};

struct clip_source {
  const struct skeleton *skeleton;
  char *title;                 /* "animation 3, Walk", for messages */
  quatsimd_clip_source source; /* points into the skeleton */
  quatsimd_clip_joint *joint;
  quatsimd_clip_track *track;            /* of the skeleton */
  size_t keys[QUATSIMD_CLIP_KIND_COUNT]; /* in the file */
  double seconds;                        /* from the first key to the last */
  bool *rest;            /* of each curve: it is a key at rest, which the file does not have */
  bool *moves_vertices;  /* true for each joint whose bound is that of the vertices that it moves */
  bool *kept;            /* true for each joint, then each track, that clips may have curves of; null: all */
  quatsimd_memory moved; /* of clip_source_move */
  struct clip_under under; /* of clip_base_put_under */
};

/* Takes one kind of curves; -1: all. */
void clip_source_make(struct clip_source *source, const struct skeleton *skeleton, size_t animation,
                      int only);
void clip_source_free(struct clip_source *source);

/* Curves have numbers: first those of joints, 3 * joint + kind, then those of tracks. */
int clip_source_kind(const struct clip_source *source, size_t curve);
/* The value that a curve has at rest, as the file says. */
const float *clip_source_rest(const struct clip_source *source, size_t curve);
/* True if clips may have it (clip_source_keep). */
bool clip_source_keeps(const struct clip_source *source, size_t curve);

/* The animation under it; null: there is none. */
const quatsimd_clip_source *clip_source_under(const struct clip_source *source);

/* Notes which joints and tracks patterns are for (names_select); none: all. */
void clip_source_keep(struct clip_source *source, const struct texts *only);

/* Joints that the animation does not move get one key: where the file has them. Where other joints are
 * depends on them. */
void clip_source_stand_at_rest(struct clip_source *source);

/* Moves the keys of a source, and of what is under it, as quatsimd_clip_encode does with options.snap_times
 * and this rate. Returns the largest move in seconds; 0: none moved. */
double clip_source_move(struct clip_source *source, double rate);

/* Adds the frame that closes a loop, so many seconds long, as quatsimd_clip_encode does with
 * options.close_loop, to the source and to what is under it. */
void clip_source_close(struct clip_source *source, double seconds);

/* The name of a joint, or a track. */
const char *clip_source_joint(const struct clip_source *source, size_t joint);
const char *clip_source_track(const struct clip_source *source, size_t track);

#endif
