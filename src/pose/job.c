/* Sizes and checks of jobs. Functions that return a string return the error, or null. */
#include "pose/goals.h"
#include "pose/job.h"
#include "pose/motion.h"
#include "pose/operands.h"
#include "pose/scratch.h"

/* The sizes of the first version's structs. */
enum {
  FIRST_JOB = offsetof(quatsimd_pose_job, root) + sizeof(float *),
  FIRST_LAYER = offsetof(quatsimd_pose_layer, mode) + sizeof(quatsimd_pose_mode),
  FIRST_EVENT = sizeof(quatsimd_pose_event)
};

static bool is_size_of_job(size_t size) {
  return growing_is_size(size, FIRST_JOB) && size % _Alignof(quatsimd_pose_job) == 0;
}
static bool is_size_of_layer(size_t size) {
  return growing_is_size(size, FIRST_LAYER) && size % _Alignof(quatsimd_pose_layer) == 0;
}
static bool is_size_of_event(size_t size) {
  return growing_is_size(size, FIRST_EVENT) && size % _Alignof(quatsimd_pose_event) == 0;
}

size_t quatsimd_pose_scratch_size(const quatsimd_pose_job *jobs, size_t count) {
  size_t most = 0;
  if (!jobs || count == 0 || !is_size_of_job(jobs->struct_size)) return 0;
  for (size_t i = 0; i < count; i++) {
    const size_t bytes = pose_scratch_bytes(pose_job_at(jobs, i));
    if (bytes > most) most = bytes;
  }
  return most;
}

quatsimd_status quatsimd_pose_job_init(quatsimd_pose_job *job, size_t struct_size, size_t layer_size) {
  const quatsimd_pose_job own = {.layer_size = layer_size};
  if (!is_size_of_job(struct_size) || !is_size_of_layer(layer_size) ||
      !growing_init(job, struct_size, &own, sizeof own, FIRST_JOB))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_pose_report_init(quatsimd_pose_report *report, size_t struct_size) {
  const quatsimd_pose_report own = {0};
  return growing_init(report, struct_size, &own, sizeof own, POSE_FIRST_REPORT) ? QUATSIMD_OK
                                                                                : QUATSIMD_ERROR_BAD_ARGUMENT;
}

static const char *check_mode(const quatsimd_pose_layer *layer) {
  const bool additive = quatsimd_clip_additive(layer->clip) != QUATSIMD_CLIP_ADDITIVE_NONE;
  switch (layer->mode) {
  case QUATSIMD_POSE_MODE_AUTO: return NULL;
  case QUATSIMD_POSE_MODE_BLEND: return additive ? "an additive clip cannot have the mode blend" : NULL;
  case QUATSIMD_POSE_MODE_ADD:
    return additive ? NULL : "a clip that is not additive cannot have the mode add";
  case QUATSIMD_POSE_MODE_OVER: return additive ? "an additive clip cannot have the mode over" : NULL;
  default: return "the mode is unknown";
  }
}

static const char *check_layer(const quatsimd_pose_layer *layer, const quatsimd_skeleton *skeleton,
                               size_t size) {
  if (!growing_is_known(layer, size, sizeof *layer)) return "the layer has a member of a later version";
  if (!layer->clip) return "the clip is null";
  if ((unsigned)layer->wrap > QUATSIMD_CLIP_WRAP_LOOP) return "the wrap is unknown";
  const char *const error = check_mode(layer);
  if (error || !layer->motion) return error;
  if (!pose_is_motion(layer->motion)) return "the root motion was not initialised";
  if (layer->motion->joint >= quatsimd_skeleton_joint_count(skeleton))
    return "the root motion is of a joint that the skeleton does not have";
  if (quatsimd_clip_additive(layer->clip) != QUATSIMD_CLIP_ADDITIVE_NONE)
    return "an additive clip cannot have root motion";
  return NULL;
}

/* Checks the layers of a job. Stores the first wrong layer's number and error in *found. */
static quatsimd_status check_layers(const quatsimd_pose_job *job, quatsimd_pose_report *found) {
  for (size_t l = 0; l < job->layer_count; l++) {
    const quatsimd_pose_layer *layer = pose_layer_at(job, l);
    if (pose_is_left_out(layer)) continue;
    found->error = check_layer(layer, job->skeleton, job->layer_size);
    const bool fits = found->error || pose_is_clip_of(layer->clip, job->skeleton);
    if (!fits) found->error = "the clip is not of the job's skeleton";
    if (!found->error) continue;
    found->layer = l;
    return fits ? QUATSIMD_ERROR_BAD_ARGUMENT : QUATSIMD_ERROR_WRONG_SKELETON;
  }
  return QUATSIMD_OK;
}

static const char *check_results(const quatsimd_pose_job *job) {
  clip_output out[QUATSIMD_CLIP_KIND_COUNT];
  if (!quatsimd_clip_outputs(out, &job->local, pose_joints_of(job), pose_tracks_of(job)))
    return "a view of local breaks a rule of view.h, or two begin at the same address";
  const float *const matrices[] = {job->model, job->skinning};
  for (int i = 0; i < 2; i++) {
    if (!matrices[i]) continue;
    if (!pose_is_layout(job->layout)) return "the layout of matrices is unknown";
    if (matrices[i] == job->root || (i == 1 && matrices[0] == matrices[1]))
      return "two of model, skinning and root begin at the same address";
    for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
      if (out[kind].wanted && quatsimd_begins_at(&out[kind].to, matrices[i]))
        return "matrices begin at the address of a view of local";
  }
  return NULL;
}

/* Checks the members of a job that are not of the first version. Stores the first wrong goal's number. */
static const char *check_later(const quatsimd_pose_job *given, quatsimd_pose_report *found) {
  quatsimd_pose_job own;
  const quatsimd_pose_job *const job = pose_whole_job(&own, given);
  if (job->root_rotation && job->root_rotation == job->root_translation)
    return "root_rotation and root_translation begin at the same address";
  if (job->event_count && job->event_capacity > 0) {
    if (!job->events) return "events is null";
    if (!is_size_of_event(job->event_size)) return "event_size is not the size of an event";
  }
  if (job->goal_count == 0) return NULL;
  if (!job->goals) return "goals is null";
  if (!goal_is_size(job->goal_size)) return "goal_size is not the size of a goal";
  if (job->root && !pose_is_layout(job->layout)) return "the layout of root is unknown";
  for (size_t g = 0; g < job->goal_count; g++) {
    const quatsimd_pose_goal *goal = goal_at(job->goals, job->goal_size, g);
    found->error = quatsimd_pose_check_goal(goal, job->goal_size, goal->kind, job->skeleton);
    if (found->error) return found->goal = g, found->error;
  }
  return NULL;
}

/* Checks a job without its layers. size: struct_size of the first job. */
static const char *check_job(const quatsimd_pose_job *job, size_t size) {
  if (!is_size_of_job(job->struct_size)) return "struct_size is not the size of a job";
  if (job->struct_size != size) return "struct_size is not that of the first job";
  if (!growing_is_known(job, size, sizeof *job)) return "the job has a member of a later version";
  if (!job->skeleton) return "the skeleton is null";
  if (job->joint_count > quatsimd_skeleton_joint_count(job->skeleton))
    return "joint_count is more than the skeleton's number of joints";
  if (job->layer_count && !job->layers) return "layers is null";
  if (job->layer_count && !is_size_of_layer(job->layer_size)) return "layer_size is not the size of a layer";
  return check_results(job);
}

quatsimd_status quatsimd_pose_check_jobs(const quatsimd_pose_job *jobs, size_t count, const void *scratch,
                                         size_t scratch_size, quatsimd_pose_report *found) {
  for (size_t i = 0; i < count; i++) {
    const quatsimd_pose_job *job = pose_job_at(jobs, i);
    found->job = i;
    found->error = check_job(job, jobs->struct_size);
    if (!found->error) found->error = check_later(job, found);
    if (found->error) return QUATSIMD_ERROR_BAD_ARGUMENT;
    const quatsimd_status status = check_layers(job, found);
    if (status != QUATSIMD_OK) return status;
    if (pose_scratch_bytes(job) > scratch_size) {
      found->error = "the job needs more scratch";
      return QUATSIMD_ERROR_SHORT_BUFFER;
    }
  }
  found->job = SIZE_MAX;
  if (!scratch) found->error = "scratch is null";
  else if ((uintptr_t)scratch % _Alignof(quatsimd_weighted_poses) != 0)
    found->error = "scratch is not aligned";
  return found->error ? QUATSIMD_ERROR_BAD_ARGUMENT : QUATSIMD_OK;
}
