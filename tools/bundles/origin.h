/* Where a clip comes from, as the record of its bundle says. */
#ifndef CLIP_ORIGIN_H
#define CLIP_ORIGIN_H

#include "bundles/bundle.h"
#include "scene/skeleton.h"

struct clip_origin {
  const struct made_file *file; /* null: it is not known */
  const struct made_clip *clip;
};

/* The bounds that the clip was made with, or none. */
const struct made_bounds *clip_origin_bounds(const struct clip_origin *origin);

/* A clip that somebody names: a file of its own, or a clip of a bundle. */
struct given_clip {
  struct clip_file clip;         /* its path is that of the file, or of the bundle */
  struct skeleton_file skeleton; /* its joints; empty if it does not say */
  struct clip_origin origin;
  struct bundle_file bundle; /* that it points into */
  struct making making;
};
/* name: of the clip in a bundle; null: the only one. The skeleton of a clip in its own file is skeleton.qsk
 * beside it, if that is there. False and a complaint if there is no such clip or anything is broken. */
bool given_clip_read(struct given_clip *given, const char *path, const char *name);
/* The same in two steps, for several clips of a bundle: each takes the place of the one before. */
bool given_bundle_read(struct given_clip *given, const char *path);
bool given_clip_choose(struct given_clip *given, const char *path, const char *name);
/* Reads that skeleton beside a clip; empty if there is none. False and a complaint if it is broken or not the
 * clip's. */
bool given_skeleton_read(const struct clip_file *clip, struct skeleton_file *file);
void given_clip_free(struct given_clip *given);

/* False and a complaint if the clip has other joints or tracks than a file, the skeleton of which this is. */
bool clip_origin_fits(const struct clip_file *clip, const char *file, const struct skeleton *skeleton);

/* True and a message if the file is not the one that clips of the bundle were made of, or was changed since.
 * That is no failure: clips may still be as near. */
bool clip_origin_changed(const struct made_file *made, const char *bundle, const char *path);

/* The animation that has this number in its file; SCENE_NONE: there is none. */
size_t clip_origin_find(const struct scene *scene, size_t number);
/* Which animation of its file the clip is: `wanted` is its name or else its number; without, the only one,
 * or as the origin says. SCENE_NONE and a complaint, with a list, if there is no telling. */
size_t clip_origin_choose(const struct clip_origin *origin, const char *file, const struct scene *scene,
                          const char *wanted);

#endif
