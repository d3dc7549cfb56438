/* Where a clip comes from, as the manifest beside it says: quatsimd.json, which `quatsimd compress`
 * writes. */
#ifndef CLIP_ORIGIN_H
#define CLIP_ORIGIN_H

#include "clips/file.h"
#include "clips/manifest.h"
#include "scene/skeleton.h"

struct clip_origin {
  char *path; /* of the manifest */
  struct manifest manifest;
  /* the clip's entry; null: there is no manifest or it does not name the clip, and all else is null and 0 */
  const struct manifest_clip *clip;
};

/* False and a complaint if there is a manifest, but not one of this clip. */
bool clip_origin_read(const struct clip_file *clip, struct clip_origin *origin);
void clip_origin_free(struct clip_origin *origin);

/* Reads skeleton.qsk beside a clip. Where there is none, file->skeleton is null. False and a complaint if it
 * is broken or not this clip's. */
bool clip_origin_skeleton(const struct clip_file *clip, struct skeleton_file *file);

/* False and a complaint if the clip has other joints or tracks than a file, the skeleton of which this is. */
bool clip_origin_fits(const struct clip_file *clip, const char *file, const struct skeleton *skeleton);

/* True and a word on it if the file is not the one that the clip was made of, or was changed since. That is
 * no failure: the clip may still be as near. */
bool clip_origin_compare(const struct clip_origin *origin, const char *clip, const char *file);

/* Which animation of its file the clip is: `wanted` is its name or else its number; without, the only one,
 * or as the origin says. SCENE_NONE and a complaint, with a list, if there is no telling. */
size_t clip_origin_choose(const struct clip_origin *origin, const char *file, const struct scene *scene,
                          const char *wanted);

#endif
