/* The clips of all files, in memory. */
#ifndef CLIP_RESULTS_H
#define CLIP_RESULTS_H

#include "clips/compress.h"

struct clip_results {
  size_t count;
  size_t empty; /* animations without the curves that were asked for */
  size_t bad;   /* animations that are not here because something is wrong with them */
  struct clip_result *result;
};

/* Encodes every animation of the files, one after another. False if anything was wrong, and complained of. */
bool clip_results_encode(struct clip_results *all, const struct clip_settings *settings,
                         const struct collected *files);

/* Reads the clips that compress wrote or found up to date; how long encoding took is not known then, 0. False
 * and a complaint if one cannot be read. */
bool clip_results_read(struct clip_results *all, const struct compress *compress,
                       const struct compress_sum *sum);

void clip_results_free(struct clip_results *all);

#endif
