/* Reads the animations that additive clips are relative to. */
#ifndef BUNDLE_BASES_H
#define BUNDLE_BASES_H

#include "bundles/making.h"

/* Reads the file, and no animation is chosen. False and a complaint if it has none. changes: as of a skeleton
 * choice. */
bool clip_base_open(const char *path, const struct scene_changes *changes, struct clip_base *base);
/* Chooses an animation of the scene, or a part of it. */
void clip_base_choose(struct clip_base *base, size_t animation, const struct animation_change *change);

/* text: FILE, whose first animation it is, or FILE#NAME, by its name or else its number. False and a
 * complaint if there is none. */
bool clip_base_read(const char *text, struct clip_base *base);
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
const struct clip_base *clip_base_find(struct clip_bases *bases, const char *given, const char *clip,
                                       const struct made_base *said, const struct scene_changes *changes);

#endif
