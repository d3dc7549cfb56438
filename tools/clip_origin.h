/* Where a clip comes from, as the manifest beside it says: quatsimd.json, which `quatsimd compress` writes. */
#ifndef CLIP_ORIGIN_H
#define CLIP_ORIGIN_H

#include "clip_check.h"
#include "clip_file.h"

struct clip_origin {
  char *manifest;            /* its path; null: there is none or it does not name the clip, and all else is null and 0 */
  char *input, *animation, *hash; /* may be empty; of the input, see manifest_hash */
  size_t number;             /* of the animation in the input */
  double bound[CLIP_CHECK_ERRORS], distance; /* as clip_error has them; 0: none */
};

/* False and a complaint if there is a manifest, but not one of this clip. */
bool clip_origin_read(const struct clip_file *clip, struct clip_origin *origin);
void clip_origin_free(struct clip_origin *origin);

#endif
