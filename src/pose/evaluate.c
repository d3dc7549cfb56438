/* Jobs: clips are sampled into scratch, a pose each, and blended from there. All is checked before, so that
 * no step fails. */
#include "clip/sample/fetch.h"
#include "clip/sample/sample.h"
#include "pose/blend.h"

/* Floats of a joint in scratch: rotation, translation, scale. */
enum { JOINT_FLOATS = 10 };

static size_t joints_of(const quatsimd_pose_job *job) {
  return job->joints ? job->joints : quatsimd_skeleton_joint_count(job->skeleton);
}
static size_t tracks_of(const quatsimd_pose_job *job) {
  return job->local.tracks ? quatsimd_skeleton_track_count(job->skeleton) : 0;
}

static bool is_whole(const quatsimd_pose_job *job) {
  return joints_of(job) == quatsimd_skeleton_joint_count(job->skeleton);
}

/* Floats of a pose of all joints, since sampling fewer may write others. They are even: pointers come
 * behind. */
static size_t pose_floats(const quatsimd_pose_job *job) {
  const size_t floats = JOINT_FLOATS * quatsimd_skeleton_joint_count(job->skeleton) +
                        quatsimd_skeleton_track_count(job->skeleton);
  return floats + floats % 2;
}

/* The rest pose; the views of layers; the result and a pose for each layer. SIZE_MAX if no memory has so
 * many bytes. */
static size_t scratch_bytes(const quatsimd_pose_job *job) {
  const size_t floats = pose_floats(job), layer = sizeof(quatsimd_weighted_poses) + floats * sizeof(float);
  if (job->layers >= PTRDIFF_MAX / layer / 2) return SIZE_MAX;
  return job->layers * layer + 2 * floats * sizeof(float);
}

size_t quatsimd_pose_scratch_size(const quatsimd_pose_job *jobs, size_t count) {
  size_t most = 0;
  for (size_t i = 0; jobs && i < count; i++) {
    const size_t bytes = scratch_bytes(&jobs[i]);
    if (bytes > most) most = bytes;
  }
  return most;
}

/* ---- checking ---- */

/* It may be empty. Negative weights are not left out: they count where clips are additive. */
static bool is_left_out(const quatsimd_pose_layer *layer) {
  return !(layer->weight > 0 || layer->weight < 0);
}

static bool is_good_layer(const quatsimd_pose_layer *layer, const quatsimd_skeleton *skeleton) {
  return layer->clip && (unsigned)layer->wrap <= QUATSIMD_CLIP_WRAP_LOOP &&
         (!layer->motion || (layer->motion->joint < quatsimd_skeleton_joint_count(skeleton) &&
                             quatsimd_clip_additive(layer->clip) == QUATSIMD_CLIP_ADDITIVE_NONE));
}

static bool is_good(const quatsimd_pose_job *job) {
  clip_output out[QUATSIMD_CLIP_KIND_COUNT];
  if (!job->skeleton || job->joints > quatsimd_skeleton_joint_count(job->skeleton) ||
      (job->layers && !job->layer) ||
      !quatsimd_clip_outputs(out, &job->local, joints_of(job), tracks_of(job)))
    return false;
  const float *const matrices[] = {job->model, job->skinning};
  for (int i = 0; i < 2; i++) {
    if (!matrices[i]) continue;
    if (!pose_is_layout(job->layout) || matrices[i] == job->root || (i == 1 && matrices[0] == matrices[1]))
      return false;
    for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
      if (out[kind].wanted && quatsimd_begins_at(&out[kind].to, matrices[i])) return false;
  }
  for (size_t l = 0; l < job->layers; l++)
    if (!is_left_out(&job->layer[l]) && !is_good_layer(&job->layer[l], job->skeleton)) return false;
  return true;
}

static bool has_own_clips(const quatsimd_pose_job *job) {
  for (size_t l = 0; l < job->layers; l++)
    if (!is_left_out(&job->layer[l]) && !pose_is_clip_of(job->layer[l].clip, job->skeleton)) return false;
  return true;
}

/* ---- computing ---- */

/* The scratch memory of one job. */
typedef struct scratch {
  float *rest, *result, *poses; /* poses: of layers */
  quatsimd_weighted_poses *layer;
  quatsimd_operand at_rest[QUATSIMD_CLIP_KIND_COUNT],
      none[QUATSIMD_CLIP_KIND_COUNT]; /* of clips, of additive ones */
  const clip_position *at;            /* of the first layers */
} scratch;

static quatsimd_pose_out pose_at(float *p, size_t joints) {
  return (quatsimd_pose_out){quatsimd_aos_out(p), quatsimd_aos_out(p + 4 * joints),
                             quatsimd_aos_out(p + 7 * joints), p + JOINT_FLOATS * joints};
}
static quatsimd_pose_in to_read(quatsimd_pose_out *p) {
  return (quatsimd_pose_in){quatsimd_to_read(p->rotations), quatsimd_to_read(p->translations),
                            quatsimd_to_read(p->scales), p->tracks};
}

/* held: the skeleton whose rest pose is there already. */
static scratch divide(void *memory, const quatsimd_pose_job *job, const quatsimd_skeleton *held) {
  scratch s = {.rest = memory};
  const size_t floats = pose_floats(job);
  s.layer = (quatsimd_weighted_poses *)(void *)(s.rest + floats);
  s.result = (float *)(void *)(s.layer + job->layers), s.poses = s.result + floats;
  const size_t joints = quatsimd_skeleton_joint_count(job->skeleton);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    static const size_t first[] = {0, 4, 7, JOINT_FLOATS}; /* for each joint so many floats are before */
    s.at_rest[kind] = (quatsimd_operand){.first = (const char *)(s.rest + first[kind] * joints),
                                         .stride = clip_components(kind) * sizeof(float),
                                         .interleaved = true};
    s.none[kind] = (quatsimd_operand){.first = (const char *)quatsimd_clip_none[kind], .interleaved = true};
  }
  if (job->skeleton == held) return s;
  quatsimd_pose_out rest = pose_at(s.rest, joints);
  (void)quatsimd_skeleton_rest_pose(job->skeleton, &rest, 0, quatsimd_skeleton_joint_count(job->skeleton));
  return s;
}

/* Parts of the pose that are not wanted go to scratch, as the wanted ones need them. */
static quatsimd_pose_out destination(const quatsimd_pose_job *job, float *instead) {
  quatsimd_pose_out to = pose_at(instead, joints_of(job));
  if (job->local.rotations.layout != QUATSIMD_VIEW_NONE) to.rotations = job->local.rotations;
  if (job->local.translations.layout != QUATSIMD_VIEW_NONE) to.translations = job->local.translations;
  if (job->local.scales.layout != QUATSIMD_VIEW_NONE) to.scales = job->local.scales;
  to.tracks = job->local.tracks;
  return to;
}

/* Where the first layers' times are in their clips, found a job ahead. */
enum { AHEAD = 8 };
static void look_ahead(const quatsimd_pose_job *job, clip_position at[AHEAD]) {
  for (size_t l = 0; l < job->layers && l < AHEAD; l++) {
    const quatsimd_pose_layer *layer = &job->layer[l];
    if (is_left_out(layer)) continue;
    quatsimd_clip_position_of(&at[l], layer->clip, layer->time, layer->wrap);
    quatsimd_clip_fetch_block(layer->clip, &at[l]);
  }
}
static void look_two_ahead(const quatsimd_pose_job *job) {
  for (size_t l = 0; l < job->layers && l < AHEAD; l++)
    if (!is_left_out(&job->layer[l])) quatsimd_clip_fetch(job->layer[l].clip);
}

/* out: the places of `to`, which has room for all joints, without the rest pose's. */
static void sample(const quatsimd_pose_job *job, const quatsimd_pose_layer *layer, const scratch *s,
                   quatsimd_pose_out *to, clip_output out[QUATSIMD_CLIP_KIND_COUNT]) {
  const size_t number = (size_t)(layer - job->layer);
  clip_position late;
  if (number >= AHEAD) quatsimd_clip_position_of(&late, layer->clip, layer->time, layer->wrap);
  const bool additive = quatsimd_clip_additive(layer->clip) != 0;
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    out[kind].rest = additive ? s->none[kind] : s->at_rest[kind];
  quatsimd_clip_sample_to(layer->clip, out, joints_of(job), number < AHEAD ? &s->at[number] : &late);
  if (layer->motion && layer->motion->joint < joints_of(job))
    (void)quatsimd_root_motion_remove(layer->motion, to, joints_of(job), 1);
}

/* To a pose in scratch. */
static quatsimd_pose_out sample_to_scratch(const quatsimd_pose_job *job, const quatsimd_pose_layer *layer,
                                           const scratch *s, size_t number) {
  const size_t joints = quatsimd_skeleton_joint_count(job->skeleton);
  quatsimd_pose_out to = pose_at(s->poses + number * pose_floats(job), joints);
  clip_output out[QUATSIMD_CLIP_KIND_COUNT];
  if (!job->local.tracks) to.tracks = NULL;
  (void)quatsimd_clip_outputs(out, &to, joints, tracks_of(job));
  sample(job, layer, s, &to, out);
  return to;
}

/* The layers that are additive, or those that are not, if they have a weight: sampled, and their views.
 * Returns how many. */
static size_t sample_layers(const quatsimd_pose_job *job, const scratch *s, bool additive) {
  size_t count = 0;
  for (size_t l = 0; l < job->layers; l++) {
    const quatsimd_pose_layer *layer = &job->layer[l];
    if (is_left_out(layer) || (quatsimd_clip_additive(layer->clip) != 0) != additive) continue;
    if (!additive && layer->weight < 0) continue;
    quatsimd_pose_out to = sample_to_scratch(job, layer, s, count);
    s->layer[count++] =
        (quatsimd_weighted_poses){to_read(&to), &layer->weight, layer->mask, layer->track_mask};
  }
  return count;
}

/* The only layer that is not additive, if it has all the weight everywhere; else null. */
static const quatsimd_pose_layer *only_layer(const quatsimd_pose_job *job) {
  const quatsimd_pose_layer *only = NULL;
  for (size_t l = 0; l < job->layers; l++) {
    const quatsimd_pose_layer *layer = &job->layer[l];
    if (is_left_out(layer) || quatsimd_clip_additive(layer->clip) != 0) continue;
    if (only || layer->mask || layer->track_mask || !(layer->weight >= 1)) return NULL;
    only = layer;
  }
  return only;
}

/* A layer as it is, to where there is no room for all joints. */
static void copy(const pose_call *call, quatsimd_pose_out *from) {
  const quatsimd_pose_in view = to_read(from);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    pose_operand in;
    if (!call->out[kind].wanted) continue;
    (void)quatsimd_pose_operand(&in, kind, &view);
    for (size_t i = 0, n; i < call->count[kind]; i += n) {
      float value[4][QUATSIMD_CHUNK];
      n = quatsimd_chunk(i, call->count[kind]);
      pose_gather(&in, kind, i, n, value);
      quatsimd_scatter(&call->out[kind].to, i, n, value);
    }
  }
}

static void evaluate(const quatsimd_pose_job *job, const clip_position at[AHEAD], void *memory,
                     const quatsimd_skeleton *held) {
  scratch s = divide(memory, job, held);
  s.at = at;
  const size_t joints = joints_of(job), tracks = tracks_of(job);
  quatsimd_pose_out to = destination(job, s.result),
                    whole = pose_at(s.rest, quatsimd_skeleton_joint_count(job->skeleton));
  const quatsimd_pose_in rest = to_read(&whole), pose = to_read(&to);
  const quatsimd_pose_layer *only = only_layer(job);
  pose_call call;
  (void)quatsimd_pose_begin(&call, &to, joints, tracks, 1);
  if (only && is_whole(job)) sample(job, only, &s, &to, call.out);
  else if (only) {
    quatsimd_pose_out all = sample_to_scratch(job, only, &s, 0);
    copy(&call, &all);
  } else quatsimd_pose_blend_to(&call, s.layer, sample_layers(job, &s, false), &rest);
  for (size_t l = 0, count = sample_layers(job, &s, true); l < count; l++)
    quatsimd_pose_add_to(&call, &pose, &s.layer[l]);
  float *const model = job->model ? job->model : job->skinning;
  if (!model) return;
  (void)quatsimd_pose_to_model(job->skeleton, model, job->layout, &pose, job->root, joints, 1);
  if (job->skinning)
    (void)quatsimd_pose_to_skinning(job->skeleton, job->skinning, model, job->layout, joints, 1);
}

quatsimd_status quatsimd_pose_evaluate(const quatsimd_pose_job *jobs, size_t count, void *scratch_memory,
                                       size_t scratch_size) {
  if (count == 0) return QUATSIMD_OK;
  if (!jobs || !scratch_memory || (uintptr_t)scratch_memory % _Alignof(quatsimd_weighted_poses) != 0)
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (size_t i = 0; i < count; i++) {
    if (!is_good(&jobs[i])) return QUATSIMD_ERROR_BAD_ARGUMENT;
    if (!has_own_clips(&jobs[i])) return QUATSIMD_ERROR_WRONG_SKELETON;
    if (scratch_bytes(&jobs[i]) > scratch_size) return QUATSIMD_ERROR_SHORT_BUFFER;
  }
  clip_position at[2][AHEAD];
  look_ahead(&jobs[0], at[0]);
  for (size_t i = 0; i < count; i++) {
    if (i + 2 < count) look_two_ahead(&jobs[i + 2]);
    if (i + 1 < count) look_ahead(&jobs[i + 1], at[(i + 1) % 2]);
    evaluate(&jobs[i], at[i % 2], scratch_memory, i ? jobs[i - 1].skeleton : NULL);
  }
  return QUATSIMD_OK;
}
