/* Bones of humans, as VRM has them: a file's motion on the joints of another file. */
#ifndef HUMAN_BONES_H
#define HUMAN_BONES_H

#include "scene/skeleton.h"

/* True if both are the same bone; null: none. */
bool human_bones_match(const char *a, const char *b);

/* Makes curves of nodes those of joints, which the same human bone has and whose rest pose may be another:
 * both stand in the same pose at rest, and their bones turn alike in the world (VRMC_vrm_animation 1.0).
 * joint: each node's; SCENE_NONE. Translations of other bones than the hips are taken out. Returns how many.
 */
size_t human_bones_retarget(struct scene *scene, const struct skeleton_file *to, const size_t *joint);

#endif
