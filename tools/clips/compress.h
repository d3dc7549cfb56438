/* The work of `quatsimd compress` on one file. */
#ifndef COMPRESS_H
#define COMPRESS_H

#include <stdio.h>

#include "base/collect.h"
#include "clips/encode.h"

struct compress {
  const struct clip_settings *settings;
  const char *out; /* the folder */
  char *options;   /* of the settings, see manifest.h */
  const struct collected *files;
  bool *missing; /* of each file: this run has no clips of it, but OUT may have some of a former one */
};

/* part: some of its animations failed; still: no node moves in it, or none of its animations is chosen */
enum compress_outcome {
  COMPRESS_DONE,
  COMPRESS_PART,
  COMPRESS_CURRENT,
  COMPRESS_STILL,
  COMPRESS_FAILED,
  COMPRESS_OUTCOMES
};

/* The result of a file, or of several. */
struct compress_sum {
  size_t files[COMPRESS_OUTCOMES], clips, left_out, missed, empty, keys[QUATSIMD_CLIP_KIND_COUNT],
      encoded_keys, bytes;
  size_t skeleton_bytes, bundle_bytes;    /* of all of these */
  size_t curves_left_out;                 /* of nodes that have no joint in --skeleton */
  double track_worst, raw_bytes, seconds; /* of animation */
  double encode_seconds, work_seconds;    /* of the encoder, and of all work on files */
  double worst[CLIP_CHECK_ERRORS];        /* radians, lengths, none, length */
  double moved;                           /* seconds, the largest move of a key */
  double share[CLIP_CHECK_ERRORS];        /* of its bound, the largest of any clip; 0: without a bound */
  struct bounds bounds;                   /* of the first clips */
  bool mixed;                             /* others have others: lengths are not of one unit */
};
void compress_add(struct compress_sum *sum, const struct compress_sum *of);

/* Makes the clips of files->file[item] and their manifest, unless they are there. Writes its sum to
 * `answer`, as it is in memory, and behind it a line for each clip. */
void compress_file(const struct compress *compress, size_t item, FILE *answer);

#endif
