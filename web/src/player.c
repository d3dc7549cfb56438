/* Functions that JavaScript calls to play clips, besides the functions of the headers: those that take
 * structs, with all their arrays in one block. Pointers are numbers in JavaScript.
 *
 * A pose is a block of floats: rotations (x, y, z, w) of all joints, their translations (x, y, z), their
 * scales (x, y, z), then tracks. */
#include "quatsimd.h"

#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name), used)) name

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

/* As JavaScript writes it, 32 bytes. */
struct layer {
  double time;
  const quatsimd_clip *clip;
  int wrap;
  float weight;
  const float *mask, *track_mask;
  uint32_t unused;
};

static quatsimd_pose_job job_of(const quatsimd_skeleton *skeleton, quatsimd_pose_layer *layer,
                                const struct layer *from, size_t layers, float *block) {
  for (size_t i = 0; i < layers; i++)
    layer[i] = (quatsimd_pose_layer){.clip = from[i].clip,
                                     .time = from[i].time,
                                     .wrap = (quatsimd_clip_wrap)from[i].wrap,
                                     .weight = from[i].weight,
                                     .mask = from[i].mask,
                                     .track_mask = from[i].track_mask};
  return (quatsimd_pose_job){.struct_size = sizeof(quatsimd_pose_job),
                             .layer_size = sizeof *layer,
                             .skeleton = skeleton,
                             .layers = layer,
                             .layer_count = layers,
                             .local = pose_of(block, quatsimd_skeleton_joint_count(skeleton),
                                              quatsimd_skeleton_track_count(skeleton))};
}

enum { MOST_LAYERS = 64 };

/* Bytes of scratch that evaluate needs for so many layers. */
size_t EXPORT(scratch_size)(const quatsimd_skeleton *skeleton, size_t layers) {
  quatsimd_pose_layer layer[MOST_LAYERS] = {0};
  const quatsimd_pose_job job = {.struct_size = sizeof job,
                                 .layer_size = sizeof layer[0],
                                 .skeleton = skeleton,
                                 .layers = layer,
                                 .layer_count = layers};
  return layers > MOST_LAYERS ? 0 : quatsimd_pose_scratch_size(&job, 1);
}

/* quatsimd_pose_evaluate, of at most MOST_LAYERS layers, to a pose in local space; and, where they are not
 * null, 4 x 4 matrices in model space, for skinning, and of the root. */
quatsimd_status EXPORT(evaluate)(const quatsimd_skeleton *skeleton, const struct layer *from, size_t layers,
                                 float *block, float *model, float *skinning, const float *root,
                                 void *scratch, size_t size) {
  quatsimd_pose_layer layer[MOST_LAYERS];
  if (layers > MOST_LAYERS) return QUATSIMD_ERROR_BAD_ARGUMENT;
  quatsimd_pose_job job = job_of(skeleton, layer, from, layers, block);
  job.model = model, job.skinning = skinning, job.root = root, job.layout = QUATSIMD_MATRIX_4X4;
  return quatsimd_pose_evaluate(&job, 1, scratch, size, NULL);
}

/* quatsimd_pose_to_model, to 4 x 4 matrices. */
quatsimd_status EXPORT(to_model)(const quatsimd_skeleton *skeleton, float *matrices, const float *block,
                                 const float *root) {
  const size_t joints = quatsimd_skeleton_joint_count(skeleton);
  const quatsimd_pose_in pose = pose_in_of(block, joints, 0);
  return quatsimd_pose_to_model(skeleton, matrices, QUATSIMD_MATRIX_4X4, &pose, root, joints, 1);
}
