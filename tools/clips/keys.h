/* A clip's samples at the keys of the animation that it was made of. */
#ifndef CLIP_KEYS_H
#define CLIP_KEYS_H

#include "clips/check.h"
#include "scene/skeleton.h"

struct clip_keys {
  bool taken[SCENE_KINDS];   /* the clip has curves of this kind; keys of others stay as they are */
  size_t count[SCENE_KINDS]; /* of curves in the animation */
  size_t keys;               /* of those that are taken */
  size_t added;              /* keys that were not there */
  size_t tracks;             /* that are taken, and how far their keys are off */
  double track_worst;
  struct clip_error error[CLIP_CHECK_ERRORS]; /* how far they are from the keys that were there */
};

/* Replaces the keys of an animation, in place. The clip has as many joints as the skeleton. may_add: for a
 * file that has a time for each key, as a float. Different times must be different floats then; where
 * neighbouring keys of a rotation are, or were, more than a third of a turn apart, keys are added between
 * them, so that slerp from key to key goes where the clip goes. base: what a clip that is additive to another
 * animation is put on; else null. Returns false and complains if the clip cannot be that animation's. */
bool clip_keys_decode(struct skeleton *skeleton, size_t animation, const char *original,
                      const quatsimd_clip *clip, const quatsimd_clip_source *base, const char *clip_path,
                      bool may_add, struct clip_keys *keys);

#endif
