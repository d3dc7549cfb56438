/* Functions that JavaScript calls to play clips, besides the functions of the headers: those that take
 * structs, with all their arrays in one block. Pointers are numbers in JavaScript.
 *
 * A pose is a block of floats: rotations (x, y, z, w) of all joints, their translations (x, y, z), their
 * scales (x, y, z), then tracks. */
#include "quatsimd.h"

#include <stddef.h>
#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name), used)) name

/* Where JavaScript writes and reads the members of layers, goals, events and reports. */
_Static_assert(sizeof(quatsimd_pose_layer) == 48 && offsetof(quatsimd_pose_layer, time) == 8 &&
                   offsetof(quatsimd_pose_layer, wrap) == 16 && offsetof(quatsimd_pose_layer, motion) == 32 &&
                   offsetof(quatsimd_pose_layer, last_time) == 40,
               "the layout of layers is not that in player.js");
_Static_assert(sizeof(quatsimd_pose_goal) == 64 && offsetof(quatsimd_pose_goal, joint) == 8 &&
                   offsetof(quatsimd_pose_goal, target) == 20 && offsetof(quatsimd_pose_goal, limit) == 60,
               "the layout of goals is not that in player.js");
_Static_assert(sizeof(quatsimd_clip_event) == 24 && offsetof(quatsimd_clip_event, time) == 8,
               "the layout of events is not that in player.js");
_Static_assert(sizeof(quatsimd_pose_report) == 20 && offsetof(quatsimd_pose_report, layer) == 8,
               "the layout of reports is not that in player.js");

static quatsimd_pose_out pose_of(float *block, size_t joints, size_t tracks) {
  float *const translations = block + 4 * joints, *const scales = translations + 3 * joints;
  return (quatsimd_pose_out){quatsimd_aos_out(block), quatsimd_aos_out(translations),
                             quatsimd_aos_out(scales), tracks ? scales + 3 * joints : NULL};
}

static quatsimd_pose_in pose_in_of(const float *block, size_t joints, size_t tracks) {
  const float *const translations = block + 4 * joints, *const scales = translations + 3 * joints;
  return (quatsimd_pose_in){quatsimd_aos(block), quatsimd_aos(translations), quatsimd_aos(scales),
                            tracks ? scales + 3 * joints : NULL};
}

/* quatsimd_skeleton_rest_pose, of all joints. */
quatsimd_status EXPORT(rest)(const quatsimd_skeleton *skeleton, float *block) {
  const size_t joints = quatsimd_skeleton_joint_count(skeleton);
  quatsimd_pose_out pose = pose_of(block, joints, quatsimd_skeleton_track_count(skeleton));
  return quatsimd_skeleton_rest_pose(skeleton, &pose, 0, joints);
}

/* quatsimd_clip_sample. rest may be null. */
quatsimd_status EXPORT(sample)(const quatsimd_clip *clip, float *block, const float *rest, double time,
                               int wrap) {
  const size_t joints = quatsimd_clip_joint_count(clip), tracks = quatsimd_clip_track_count(clip);
  quatsimd_pose_out pose = pose_of(block, joints, tracks);
  const quatsimd_pose_in at_rest = pose_in_of(rest, joints, tracks);
  return quatsimd_clip_sample(clip, &pose, rest ? &at_rest : NULL, time, (quatsimd_clip_wrap)wrap, 0);
}

/* Bytes of scratch that evaluate needs for so many layers. */
size_t EXPORT(scratch_size)(const quatsimd_skeleton *skeleton, size_t layers) {
  const quatsimd_pose_job job = {.struct_size = sizeof job, .skeleton = skeleton, .layer_count = layers};
  return quatsimd_pose_scratch_size(&job, 1);
}

/* quatsimd_pose_evaluate, to a pose in local space; to the step, a rotation and a translation; and, where
 * they are not null, to 4 x 4 matrices in model space and for skinning. root may be null. */
quatsimd_status EXPORT(evaluate)(const quatsimd_skeleton *skeleton, const quatsimd_pose_layer *layers,
                                 size_t layer_count, const quatsimd_pose_goal *goals, size_t goal_count,
                                 float *block, float *model, float *skinning, const float *root,
                                 int move_root, float *step, void *scratch, size_t size,
                                 quatsimd_pose_report *report) {
  quatsimd_pose_job job = {.struct_size = sizeof job,
                           .layer_size = sizeof *layers,
                           .skeleton = skeleton,
                           .layers = layers,
                           .layer_count = layer_count,
                           .local = pose_of(block, quatsimd_skeleton_joint_count(skeleton),
                                            quatsimd_skeleton_track_count(skeleton)),
                           .model = model,
                           .skinning = skinning,
                           .layout = QUATSIMD_MATRIX_4X4,
                           .root = root,
                           .goals = goals,
                           .goal_size = sizeof *goals,
                           .goal_count = goal_count,
                           .root_rotation = step,
                           .root_translation = step + 4,
                           .move_root = move_root};
  report->struct_size = sizeof *report;
  return quatsimd_pose_evaluate(&job, 1, scratch, size, report);
}

/* quatsimd_pose_to_model, to 4 x 4 matrices. */
quatsimd_status EXPORT(to_model)(const quatsimd_skeleton *skeleton, float *matrices, const float *block,
                                 const float *root) {
  const size_t joints = quatsimd_skeleton_joint_count(skeleton);
  const quatsimd_pose_in pose = pose_in_of(block, joints, 0);
  return quatsimd_pose_to_model(skeleton, matrices, QUATSIMD_MATRIX_4X4, &pose, root, joints, 1);
}
