/* Clips as animations of their own skeleton, to be written into files. */
#ifndef CLIP_DECODE_H
#define CLIP_DECODE_H

#include "bundles/origin.h"
#include "clips/base.h"

/* Makes a skeleton of a .qsk: nodes that are its joints, without animations. To be freed. */
void clip_decode_start(const struct skeleton_file *from, struct skeleton *skeleton);

/* Appends a clip as an animation of this name, without tracks. Its keys are the clip's frames, or the own
 * keys of its curves. A linear rotation has more keys where neighbours are more than a third of a turn apart,
 * so that the short way from key to key is the clip's. An additive clip is put on the base, with more keys
 * where the sum bends; base null: on the rest pose. Returns false and complains if the base does not fit. */
bool clip_decode(struct skeleton *skeleton, const struct given_clip *given, const char *name,
                 const struct clip_base *base);

#endif
