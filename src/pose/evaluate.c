/* Runs jobs. Samples each layer's clip to scratch memory, then blends these poses. */
#include "clip/sample/fetch.h"
#include "clip/sample/sample.h"
#include "pose/block.h"
#include "pose/goals.h"
#include "pose/job.h"
#include "pose/motion.h"
#include "pose/operands.h"
#include "pose/scratch.h"
#include "pose/tracks.h"

typedef struct scratch {
  size_t room, lanes;
  float *rest, *result, *model, *poses;
  quatsimd_weighted_poses *layers;
  quatsimd_weighted_poses so_far; /* the pose that goals changed, as a layer */
  bool *over;        /* [i]: of the layers that are not blended, the i-th is laid over the pose so far */
  const float *root; /* after the step */
  const clip_position *at; /* [l]: position in the clip of layer l, for the first AHEAD layers */
  /* views of a layer's pose, whose addresses sample_to_scratch sets, and of the rest pose */
  clip_output out[QUATSIMD_CLIP_KIND_COUNT];
} scratch;

/* Returns where a kind's values are in a pose. */
static float *kind_at(float *pose, size_t room, int kind) {
  static const size_t first[] = {0, 4, 7,
                                 POSE_JOINT_FLOATS}; /* floats of a joint that come before this kind */
  return pose + first[kind] * room;
}

static quatsimd_pose_out pose_at(float *p, size_t room) {
  return (quatsimd_pose_out){
      quatsimd_aos_out(p), quatsimd_aos_out(kind_at(p, room, QUATSIMD_CLIP_TRANSLATION)),
      quatsimd_aos_out(kind_at(p, room, QUATSIMD_CLIP_SCALE)), kind_at(p, room, QUATSIMD_CLIP_TRACK)};
}
static quatsimd_pose_in to_read(quatsimd_pose_out *p) {
  return (quatsimd_pose_in){quatsimd_to_read(p->rotations), quatsimd_to_read(p->translations),
                            quatsimd_to_read(p->scales), p->tracks};
}

/* True if a pose's last vector has more joints than the pose. That vectors may overlap is not enough then. */
static bool is_short(size_t joints, size_t lanes) {
  return joints < QUATSIMD_OPERATION_BLOCK && joints % lanes != 0;
}

/* Gives values to the joints behind those of a short pose. */
static void fill_up(float *pose, size_t room, size_t joints, size_t lanes) {
  for (int kind = 0; is_short(joints, lanes) && kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
    const size_t bytes = clip_components(kind) * sizeof(float);
    memset((char *)kind_at(pose, room, kind) + bytes * joints, 0, bytes * (lanes - joints % lanes));
  }
}

static void find_views(scratch *s, const quatsimd_pose_job *job) {
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    clip_output *const out = &s->out[kind];
    const size_t n = clip_components(kind), stride = n * sizeof(float);
    quatsimd_set_structs(&out->to, s->poses, (int)n, stride);
    quatsimd_set_structs(&out->rest, kind_at(s->rest, s->room, kind), (int)n, stride);
    out->components = n, out->leave_absent = false;
    out->wanted = kind != QUATSIMD_CLIP_TRACK || pose_tracks_of(job) > 0;
  }
}

/* Divides the scratch memory. Loads the rest pose, unless the previous job had the same skeleton, `held`. */
static void divide(scratch *s, void *memory, const quatsimd_pose_job *job, const quatsimd_skeleton *held) {
  const size_t floats = pose_floats(job), joints = quatsimd_skeleton_joint_count(job->skeleton);
  s->rest = memory, s->room = pose_room_of(job), s->lanes = quatsimd_active_kernels()->lanes;
  s->layers = (quatsimd_weighted_poses *)(void *)(s->rest + floats);
  s->result = (float *)(void *)(s->layers + job->layer_count), s->model = s->result + floats;
  s->poses = s->model + QUATSIMD_MATRIX_4X4 * s->room;
  s->over = (bool *)(s->poses + job->layer_count * floats);
  find_views(s, job);
  if (job->skeleton == held) return;
  quatsimd_pose_out rest = pose_at(s->rest, s->room);
  fill_up(s->rest, s->room, joints, s->lanes);
  (void)quatsimd_skeleton_rest_pose(job->skeleton, &rest, 0, joints);
}

/* Finds the positions of the next job's first AHEAD layers in their clips. Prefetches their blocks. */
enum { AHEAD = 8 };
static void look_ahead(const quatsimd_pose_job *job, clip_position at[AHEAD]) {
  for (size_t l = 0; l < job->layer_count && l < AHEAD; l++) {
    const quatsimd_pose_layer *layer = pose_layer_at(job, l);
    if (pose_is_left_out(layer)) continue;
    quatsimd_clip_position_of(&at[l], layer->clip, layer->time, layer->wrap);
    quatsimd_clip_fetch_block(layer->clip, &at[l]);
  }
}
static void look_two_ahead(const quatsimd_pose_job *job) {
  for (size_t l = 0; l < job->layer_count && l < AHEAD; l++) {
    const quatsimd_pose_layer *layer = pose_layer_at(job, l);
    if (!pose_is_left_out(layer)) quatsimd_clip_fetch(layer->clip);
  }
}

/* Samples a layer to `to`. out: the views of `to` and of the rest pose. */
static void sample(const quatsimd_pose_job *job, size_t number, const scratch *s, quatsimd_pose_out *to,
                   clip_output out[QUATSIMD_CLIP_KIND_COUNT]) {
  const quatsimd_pose_layer *layer = pose_layer_at(job, number);
  const bool additive = quatsimd_clip_additive(layer->clip) != 0;
  clip_position late;
  const clip_position *const at = number < AHEAD ? &s->at[number] : &late;
  if (number >= AHEAD) quatsimd_clip_position_of(&late, layer->clip, layer->time, layer->wrap);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const float *const rest = additive ? quatsimd_clip_none[kind] : kind_at(s->rest, s->room, kind);
    out[kind].rest.first = (const char *)rest;
    out[kind].rest.stride = additive ? 0 : out[kind].components * sizeof(float);
  }
  quatsimd_clip_sample_to(layer->clip, out, pose_joints_of(job), at);
  if (layer->motion && layer->motion->joint < pose_joints_of(job))
    quatsimd_pose_remove(layer->motion, layer->clip, to, pose_joints_of(job), 1, at->time);
}

/* Samples layer number `number` to pose number `pose` in scratch. */
static quatsimd_pose_out sample_to_scratch(const quatsimd_pose_job *job, size_t number, scratch *s,
                                           size_t pose) {
  float *const p = s->poses + pose * pose_floats(job);
  quatsimd_pose_out to = pose_at(p, s->room);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    s->out[kind].to.first = (const char *)kind_at(p, s->room, kind);
  fill_up(p, s->room, pose_joints_of(job), s->lanes);
  sample(job, number, s, &to, s->out);
  return to;
}

/* Samples the blended layers to scratch, or if not `blended` the others. Appends their poses to the `count`
 * ones in s->layers and returns how many there are then. */
static size_t sample_layers(const quatsimd_pose_job *job, scratch *s, bool blended, size_t count) {
  for (size_t l = 0, others = 0; l < job->layer_count; l++) {
    const quatsimd_pose_layer *layer = pose_layer_at(job, l);
    if (!pose_counts(layer)) continue;
    const quatsimd_pose_mode mode = pose_mode_of(layer);
    if ((mode == QUATSIMD_POSE_MODE_BLEND) != blended) continue;
    quatsimd_pose_out to = sample_to_scratch(job, l, s, count);
    if (!blended) s->over[others++] = mode == QUATSIMD_POSE_MODE_OVER;
    s->layers[count++] =
        (quatsimd_weighted_poses){to_read(&to), &layer->weight, layer->mask, layer->track_mask};
  }
  return count;
}

/* Returns the only layer of mode blend, if its weight is 1 or more, without masks. Else SIZE_MAX. */
static size_t only_layer(const quatsimd_pose_job *job) {
  size_t only = SIZE_MAX;
  for (size_t l = 0; l < job->layer_count; l++) {
    const quatsimd_pose_layer *layer = pose_layer_at(job, l);
    if (pose_is_left_out(layer) || pose_mode_of(layer) != QUATSIMD_POSE_MODE_BLEND) continue;
    if (only != SIZE_MAX || layer->mask || layer->track_mask || !(layer->weight >= 1)) return SIZE_MAX;
    only = l;
  }
  return only;
}

/* True if a job is a layer as it is sampled: a blended one, `only`, and no matrices are wanted. */
static bool is_sample(const quatsimd_pose_job *job, size_t only) {
  bool alone = only != SIZE_MAX && !pose_layer_at(job, only)->motion && !job->model && !job->skinning &&
               job->goal_count == 0 && pose_joints_of(job) == quatsimd_skeleton_joint_count(job->skeleton);
  for (size_t l = 0; alone && l < job->layer_count; l++)
    alone = l == only || pose_is_left_out(pose_layer_at(job, l));
  return alone;
}

/* Copies n structs to any view. */
static void copy(const clip_output *out, const float *from, size_t n) {
  const quatsimd_operand in = quatsimd_structs(from, (int)out->components);
  for (size_t i = 0, some; i < n; i += some) {
    float value[4][QUATSIMD_CHUNK];
    some = quatsimd_chunk(i, n);
    quatsimd_gather(&in, i, some, some, value);
    quatsimd_scatter(&out->to, i, some, value);
  }
}

/* Computes the tracks of the layers in s->layers. */
static void compute_tracks(const pose_call *call, const pose_block *b) {
  float *const to = quatsimd_floats(call->out[QUATSIMD_CLIP_TRACK].to.first);
  if (b->as_sampled) memcpy(to, b->layers->poses.tracks, call->count[QUATSIMD_CLIP_TRACK] * sizeof *to);
  else quatsimd_pose_blend_tracks(call, b->layers, b->blended, b->rest);
  const quatsimd_pose_in so_far = {.tracks = to};
  for (size_t l = 0; l < b->others; l++) {
    const quatsimd_weighted_poses *const layer = &b->layers[b->blended + l];
    if (b->over[l]) quatsimd_pose_blend_tracks(call, layer, 1, &so_far);
    else quatsimd_pose_add_tracks(call, to, layer);
  }
}

/* Computes joints in blocks. The last block begins before the end of the one before, so that it is whole.
 * value: where the values of joint 0 go, or null. local: memory for a block's local matrices; null: matrices
 * are not wanted. */
static void compute_blocks(const quatsimd_pose_job *job, const scratch *s, pose_block *b, float *const *value,
                           float *local) {
  const size_t joints = pose_joints_of(job);
  b->count = joints < QUATSIMD_OPERATION_BLOCK ? joints : QUATSIMD_OPERATION_BLOCK;
  b->matrices = local;
  for (size_t j = 0; j < joints; j = b->first + b->count) {
    b->first = joints - j < b->count ? joints - b->count : j;
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
      b->to[kind] = value[kind] ? value[kind] + clip_components(kind) * b->first : NULL;
    quatsimd_active_kernels()->pose(b); /* not by way of `s`, for linkers: see core/dispatch.c */
    if (local)
      quatsimd_pose_place(job->skeleton, job->model ? job->model : s->model, job->skinning,
                          local + (j - b->first) * job->layout, job->layout, s->root, j, b->first + b->count);
  }
}

/* Computes the pose in scratch, then changes it by the job's goals. From there it is taken as it is. */
static void reach_goals(const quatsimd_pose_job *job, scratch *s, pose_block *b) {
  quatsimd_pose_out result = pose_at(s->result, s->room);
  float *value[QUATSIMD_CLIP_JOINT_KIND_COUNT];
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
    value[kind] = kind_at(s->result, s->room, kind);
  compute_blocks(job, s, b, value, NULL);
  quatsimd_pose_apply_goals(job->goals, job->goal_size, job->goal_count, job->skeleton, value,
                            pose_joints_of(job), s->root, job->layout);
  s->so_far = (quatsimd_weighted_poses){.poses = to_read(&result)};
  b->layers = &s->so_far, b->blended = 1, b->others = 0, b->as_sampled = true;
}

/* Computes values and matrices of joints. If the pose is short, or a view is no array of structs without
 * gaps, values go to scratch first. */
static void compute_joints(const quatsimd_pose_job *job, const scratch *s, const pose_call *call,
                           pose_block *b) {
  const size_t joints = pose_joints_of(job);
  float local[QUATSIMD_OPERATION_BLOCK * QUATSIMD_MATRIX_4X4], *value[QUATSIMD_CLIP_JOINT_KIND_COUNT];
  bool direct[QUATSIMD_CLIP_JOINT_KIND_COUNT];
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
    const clip_output *out = &call->out[kind];
    direct[kind] = out->wanted && !is_short(joints, s->lanes) && quatsimd_is_structs(&out->to);
    value[kind] = !out->wanted   ? NULL
                  : direct[kind] ? quatsimd_floats(out->to.first)
                                 : kind_at(s->result, s->room, kind);
  }
  compute_blocks(job, s, b, value, job->model || job->skinning ? local : NULL);
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
    if (value[kind] && !direct[kind]) copy(&call->out[kind], value[kind], joints);
}

/* Computes the pose of a job, and matrices. */
static void evaluate_pose(const quatsimd_pose_job *job, const float *root, const clip_position at[AHEAD],
                          void *memory, const quatsimd_skeleton *held) {
  scratch s; /* divide and reach_goals set all else */
  s.root = root, s.at = at;
  divide(&s, memory, job, held);
  quatsimd_pose_out to = job->local, whole = pose_at(s.rest, s.room);
  const quatsimd_pose_in rest = to_read(&whole);
  const size_t only = only_layer(job);
  pose_block b = {.layers = s.layers, .rest = &rest, .as_sampled = only != SIZE_MAX, .layout = job->layout};
  pose_call call;
  (void)quatsimd_pose_begin(&call, &to, (quatsimd_pose_counts){pose_joints_of(job), pose_tracks_of(job), 1});
  if (is_sample(job, only)) {
    for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) call.out[kind].rest = s.out[kind].rest;
    sample(job, only, &s, &to, call.out);
    return;
  }
  b.blended = sample_layers(job, &s, true, 0);
  b.others = sample_layers(job, &s, false, b.blended) - b.blended, b.over = s.over;
  if (call.out[QUATSIMD_CLIP_TRACK].wanted) compute_tracks(&call, &b);
  if (job->goal_count > 0) reach_goals(job, &s, &b);
  compute_joints(job, &s, &call, &b);
}

static void evaluate(const quatsimd_pose_job *given, const clip_position at[AHEAD], void *memory,
                     const quatsimd_skeleton *held) {
  quatsimd_pose_job own;
  const quatsimd_pose_job *const job = pose_whole_job(&own, given);
  float moved[QUATSIMD_MATRIX_4X4];
  evaluate_pose(job, quatsimd_pose_step(job, moved), at, memory, held);
  if (job->event_count) quatsimd_pose_events(job);
}

static void evaluate_all(const quatsimd_pose_job *jobs, size_t count, void *memory) {
  clip_position at[2][AHEAD];
  look_ahead(jobs, at[0]);
  for (size_t i = 0; i < count; i++) {
    if (i + 2 < count) look_two_ahead(pose_job_at(jobs, i + 2));
    if (i + 1 < count) look_ahead(pose_job_at(jobs, i + 1), at[(i + 1) % 2]);
    evaluate(pose_job_at(jobs, i), at[i % 2], memory, i ? pose_job_at(jobs, i - 1)->skeleton : NULL);
  }
}

quatsimd_status quatsimd_pose_evaluate(quatsimd_pose_job *jobs, size_t count, void *scratch_memory,
                                       size_t scratch_size, quatsimd_pose_report *report) {
  quatsimd_pose_report found = {.job = SIZE_MAX, .layer = SIZE_MAX, .goal = SIZE_MAX};
  quatsimd_status status = QUATSIMD_ERROR_BAD_ARGUMENT;
  if (report && !growing_is_size(report->struct_size, POSE_FIRST_REPORT)) return status;
  if (count == 0) status = QUATSIMD_OK;
  else if (!jobs) found.error = "jobs is null";
  else status = quatsimd_pose_check_jobs(jobs, count, scratch_memory, scratch_size, &found);
  if (status == QUATSIMD_OK && count > 0) evaluate_all(jobs, count, scratch_memory);
  if (report) growing_write(report, &found, sizeof found);
  return status;
}
