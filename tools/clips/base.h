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

/* Reads the file, and no animation is chosen. False and a complaint if it has none. changes: as of a skeleton
 * choice. */
bool clip_base_open(const char *path, const struct scene_changes *changes, struct clip_base *base);
/* Chooses an animation of the scene, or a part of it. */
void clip_base_choose(struct clip_base *base, size_t animation, const struct animation_change *change);

/* text: FILE, whose first animation it is, or FILE#NAME, by its name or else its number. False and a
 * complaint if there is none. */
bool clip_base_read(const char *text, struct clip_base *base);
void clip_base_free(struct clip_base *base);

/* Bases of clips, each read once. */
struct clip_bases {
  size_t count;
  char **key;
  struct clip_base **base;
};
void clip_bases_free(struct clip_bases *bases);
/* That of a clip: given, as above, or, if that is null, as the record says, which may be null. Where
 * `given` is a file without a name, the animation is the record's, too. Null and a complaint if there is
 * no telling. A message if the file was changed since. changes: as of a skeleton choice. */
struct made_base;
const struct clip_base *clip_base_find(struct clip_bases *bases, const char *given, const char *clip,
                                       const struct made_base *said, const struct scene_changes *changes);

const struct scene_animation *clip_base_animation(const struct clip_base *base);

/* False and a complaint if clips of a file cannot be relative to it: no joint or track that the base moves
 * has the name of one of the file's, or lengths are in another unit. */
bool clip_base_fits(const struct clip_base *base, const char *path, const struct skeleton *skeleton);

/* Gives a source what is under it: the base's joints and tracks with the source's names; of several of one
 * name the first goes with the first, and so on. Of these kinds of curves: a joint or track that the base does
 * not move stands at rest in the base's file, or, if that has none of the name, in the source's; what the
 * source does not move, and the base does, gets a key at rest in the source. One that neither moves has no
 * curve in either. */
void clip_base_put_under(const struct clip_base *base, const bool kinds[QUATSIMD_CLIP_KIND_COUNT],
                         struct clip_source *source);
/* The same of the kinds that a clip has. */
void clip_base_put_under_clip(const struct clip_base *base, const quatsimd_clip *clip, bool tracks,
                              struct clip_source *source);

#endif
