/* The animation that additive clips are relative to (QUATSIMD_CLIP_ADDITIVE_BASE), out of another file. */
#ifndef CLIP_BASE_H
#define CLIP_BASE_H

#include "clips/source.h"

struct clip_base {
  char *path, *hash; /* of the file, as making_hash */
  struct skeleton skeleton;
  size_t animation;               /* of its scene */
  struct animation_change change; /* it is so much of that; another owns the texts */
};

void clip_base_free(struct clip_base *base);

const struct scene_animation *clip_base_animation(const struct clip_base *base);

/* False and a complaint if clips of a file cannot be relative to it: no joint or track that the base moves
 * has the name of one of the file's, or lengths are in another unit. */
bool clip_base_fits(const struct clip_base *base, const char *path, const struct skeleton *skeleton);

/* Gives a source what is under it: the base's joints and tracks with the source's names; of several of one
 * name the first goes with the first, and so on. It has curves of these kinds. A joint or track that the base
 * does not move stands at rest in the base's file, or, if that has none of the name, in the source's; what
 * the source does not move, and the base does, gets a key at rest in the source. One that neither moves has
 * no curve in either. */
void clip_base_put_under(const struct clip_base *base, const bool kinds[QUATSIMD_CLIP_KIND_COUNT],
                         struct clip_source *source);
/* The same of the kinds that a clip has. */
void clip_base_put_under_clip(const struct clip_base *base, const quatsimd_clip *clip, bool tracks,
                              struct clip_source *source);

#endif
