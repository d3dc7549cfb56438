#include "check/rest.h"

#include <stdlib.h>

#include "base/text.h"
#include "scene/scene.h"

void clip_rest_make(struct clip_rest *rest, const quatsimd_clip *clip, const quatsimd_skeleton *skeleton) {
  const size_t joints = quatsimd_skeleton_joint_count(skeleton),
               tracks = quatsimd_skeleton_track_count(skeleton);
  *rest = (struct clip_rest){.pose = NULL};
  if (joints + tracks == 0 || quatsimd_clip_skeleton_hash(clip) == 0) return;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    rest->values[kind] =
        memory_get(kind == QUATSIMD_CLIP_TRACK ? tracks : joints, scene_width(kind) * sizeof(float));
  float *const weights = rest->values[QUATSIMD_CLIP_TRACK];
  quatsimd_pose_out pose = {quatsimd_aos_out(rest->values[0]), quatsimd_aos_out(rest->values[1]),
                            quatsimd_aos_out(rest->values[2]), weights};
  (void)quatsimd_skeleton_rest_pose(skeleton, &pose, 0, joints); /* of all joints it cannot fail */
  rest->views = (quatsimd_pose_in){quatsimd_aos(rest->values[0]), quatsimd_aos(rest->values[1]),
                                   quatsimd_aos(rest->values[2]), weights};
  rest->pose = &rest->views;
}

void clip_rest_free(struct clip_rest *rest) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) free(rest->values[kind]);
  *rest = (struct clip_rest){.pose = NULL};
}
