/* Clips as animations of a scene. */
#ifndef FROM_CLIP_H
#define FROM_CLIP_H

#include "quatsimd/skeleton.h"
#include "scene/scene.h"

struct from_clip {
  const quatsimd_clip *clip;
  struct scene *scene;        /* has the arrays of the curves */
  const size_t *node, *track; /* in the scene: of each joint, and of each track; track null: without tracks */
  const quatsimd_skeleton *skeleton; /* its rest pose stands in for curves at rest; may be null */
  /* Counts memory, and returns false if there may not be so much; null: any */
  bool (*may_take)(void *context, uint64_t bytes);
  void *context;
};

/* Makes the curves that the clip has. Their keys are the clip's frames or own keys; a curve that does not
 * move has one at each end of the clip. Curves relative to a moving base become
 * linear. Returns false if may_take did; then the animation is to be freed, too. */
bool scene_take_clip(const struct from_clip *from, struct scene_animation *animation);

#endif
