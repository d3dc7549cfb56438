/* What the command decompress writes. All return false and complain if they cannot; then the file is as it
 * was. */
#ifndef DECOMPRESS_H
#define DECOMPRESS_H

#include "clips/keys.h"

/* A file whose animation has other keys now. */
struct decompressed {
  const char *original;
  const struct scene *scene;
  const struct scene_animation *animation;
  const struct clip_keys *keys;
};

bool decompress_gltf(const struct decompressed *d, const char *output);
bool decompress_bvh(const struct decompressed *d, const char *output);
bool decompress_assimp(const struct decompressed *d, const char *output);

/* skeleton: for names; may be null. */
bool decompress_arrays(const quatsimd_clip *clip, const struct skeleton *skeleton, const char *directory);

/* Is it a curve with keys of the clip? */
static inline bool decompressed_curve(const struct decompressed *d, const struct scene_channel *channel,
                                      int kind) {
  return d->keys->taken[kind] && channel->curve[kind].keys > 0 && !channel->curve[kind].made_up;
}

#endif
