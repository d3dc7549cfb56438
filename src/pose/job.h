/* Jobs as callers give them: structs of any version, whose sizes are read first. */
#ifndef QUATSIMD_POSE_JOB_H
#define QUATSIMD_POSE_JOB_H

#include "clip/sample/output.h"
#include "core/growing.h"
#include "quatsimd/pose.h"

/* Return a struct of the caller's array. Only members of the first version may be read. */
static inline const quatsimd_pose_job *pose_job_at(const quatsimd_pose_job *jobs, size_t number) {
  return (const quatsimd_pose_job *)(const void *)((const char *)jobs + number * jobs->struct_size);
}
static inline const quatsimd_pose_layer *pose_layer_at(const quatsimd_pose_job *job, size_t number) {
  return (const quatsimd_pose_layer *)(const void *)((const char *)job->layers + number * job->layer_size);
}

/* Returns a job with all members of this version: the caller's, or if its struct is shorter, a copy in *own,
 * where members that the caller's struct lacks are zeros. */
static inline const quatsimd_pose_job *pose_whole_job(quatsimd_pose_job *own, const quatsimd_pose_job *job) {
  if (job->struct_size >= sizeof *own) return job;
  memset(own, 0, sizeof *own);
  return memcpy(own, job, job->struct_size);
}
static inline double pose_last_time(const quatsimd_pose_job *job, const quatsimd_pose_layer *layer) {
  return job->layer_size > offsetof(quatsimd_pose_layer, last_time) ? layer->last_time : 0;
}

static inline size_t pose_joints_of(const quatsimd_pose_job *job) {
  return job->joint_count ? job->joint_count : quatsimd_skeleton_joint_count(job->skeleton);
}
static inline size_t pose_tracks_of(const quatsimd_pose_job *job) {
  return job->local.tracks ? quatsimd_skeleton_track_count(job->skeleton) : 0;
}

/* True if the layer's weight is 0 or NaN. Its clip may then be null. */
static inline bool pose_is_left_out(const quatsimd_pose_layer *layer) {
  return !(layer->weight > 0 || layer->weight < 0);
}
/* Returns the mode of a layer that is not left out, and whose mode fits its clip. It is not _AUTO. */
static inline quatsimd_pose_mode pose_mode_of(const quatsimd_pose_layer *layer) {
  if (quatsimd_clip_additive(layer->clip) != QUATSIMD_CLIP_ADDITIVE_NONE) return QUATSIMD_POSE_MODE_ADD;
  return layer->mode == QUATSIMD_POSE_MODE_OVER ? QUATSIMD_POSE_MODE_OVER : QUATSIMD_POSE_MODE_BLEND;
}

/* True if the layer changes the pose. Layers of mode add may have negative weights. */
static inline bool pose_counts(const quatsimd_pose_layer *layer) {
  return !pose_is_left_out(layer) && (layer->weight > 0 || pose_mode_of(layer) == QUATSIMD_POSE_MODE_ADD);
}

/* job.c */
/* Checks all jobs, then the scratch memory's address. Stores the place and the reason of the first error. */
quatsimd_status quatsimd_pose_check_jobs(const quatsimd_pose_job *jobs, size_t count, const void *scratch,
                                         size_t scratch_size, quatsimd_pose_report *found);
enum { POSE_FIRST_REPORT = offsetof(quatsimd_pose_report, error) + sizeof(char *) };

/* step.c */
/* Blends the movements of layers. Writes the step to the job's root_rotation and root_translation, unless
 * they are null. If the job's root moves, computes the root after the step to `moved` and returns it. Else
 * returns the job's root. */
const float *quatsimd_pose_step(const quatsimd_pose_job *job, float moved[QUATSIMD_MATRIX_4X4]);
/* Writes the events that the layers passed, and their number. */
void quatsimd_pose_events(const quatsimd_pose_job *job);

#endif
