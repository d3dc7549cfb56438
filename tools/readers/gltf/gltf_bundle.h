/* glTF with its animations as a bundle in a bufferView: docs/gltf-extension.md. */
#ifndef GLTF_BUNDLE_H
#define GLTF_BUNDLE_H

#include "readers/gltf/gltf.h"

#define GLTF_BUNDLE "QUATSIMD_bundle"
#define GLTF_BUNDLE_VERSION 2

struct gltf_bundle_track {
  size_t node, target;
};

/* A clip of an animation, which goes. */
struct gltf_bundle_animation {
  size_t number;           /* of the animation */
  const char *name, *clip; /* name: that it gets; null: the animation's */
};

/* Numbers are those of the file. */
struct gltf_bundle {
  const void *data; /* the bundle */
  size_t size;
  size_t joints, *joint; /* the node of each */
  size_t tracks;
  struct gltf_bundle_track *track;
  size_t animations; /* their numbers rise; an animation may have several clips */
  struct gltf_bundle_animation *animation;
};

/* Does the name end in .glb, .vrm or .vrma? */
bool gltf_bundle_has_name(const char *path);

/* A file that is to have a bundle. */
struct gltf_rewrite;

/* Reads all of it that the new file needs; null and a complaint if that cannot be made: the file has no
 * animations, or a bundle, or an extension that starts animations by numbers, or is broken. */
struct gltf_rewrite *gltf_rewrite_open(const char *path);
void gltf_rewrite_close(struct gltf_rewrite *r);

/* Bytes of the file, and of those beside it that become a part of the new one. */
size_t gltf_rewrite_size(const struct gltf_rewrite *r);

/* Does an extension refer to the animation by its number? Then it must not go. */
bool gltf_rewrite_keeps(const struct gltf_rewrite *r, size_t animation);

/* The bytes of the bufferViews that have an animation's keys: they stay whole if the keys stay. */
size_t gltf_rewrite_key_size(const struct gltf_rewrite *r, size_t animation);

/* Writes the file with the bundle as a .glb, once, and makes its folder. False and a complaint if that fails;
 * then a former file of that name is as it was. */
bool gltf_rewrite_write(struct gltf_rewrite *r, const struct gltf_bundle *bundle, const char *output);

/* The extension of the file's JSON; null if it has none. And its bundle; false and gltf->error if it has
 * none. */
const cJSON *gltf_bundle_of(const cJSON *tree);
bool gltf_bundle_bytes(struct gltf *gltf, const cJSON *extension, struct gltf_bytes *bytes);

/* Of a file that has the extension: the animations of its bundle, as curves, behind those of the scene, which
 * has room for them. Complains of what cannot be read, and counts it in scene->unread. place: where the scene
 * has each node of the file; before: the number of the first of these animations. */
void gltf_take_bundle(struct gltf *gltf, const size_t *place, size_t before, struct scene *scene);

#endif
