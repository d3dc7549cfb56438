/* Runs jobs. Samples each layer's clip to scratch memory, then blends these poses. Reads later members of the
 * caller's structs only if struct_size or layer_size includes them. */
#include "clip/sample/fetch.h"
#include "clip/sample/sample.h"
#include "core/growing.h"
#include "pose/block.h"
#include "pose/motion.h"
#include "pose/tracks.h"

/* Floats of a joint in scratch: rotation, translation, scale. */
enum { JOINT_FLOATS = 10 };

/* The sizes of the first version's structs. */
enum {
  FIRST_JOB = offsetof(quatsimd_pose_job, root) + sizeof(float *),
  FIRST_LAYER = offsetof(quatsimd_pose_layer, mode) + sizeof(quatsimd_pose_mode),
  FIRST_REPORT = offsetof(quatsimd_pose_report, error) + sizeof(char *)
};

static const quatsimd_pose_job *job_at(const quatsimd_pose_job *jobs, size_t number) {
  return (const quatsimd_pose_job *)(const void *)((const char *)jobs + number * jobs->struct_size);
}
static const quatsimd_pose_layer *layer_at(const quatsimd_pose_job *job, size_t number) {
  return (const quatsimd_pose_layer *)(const void *)((const char *)job->layers + number * job->layer_size);
}

static size_t joints_of(const quatsimd_pose_job *job) {
  return job->joint_count ? job->joint_count : quatsimd_skeleton_joint_count(job->skeleton);
}
static size_t tracks_of(const quatsimd_pose_job *job) {
  return job->local.tracks ? quatsimd_skeleton_track_count(job->skeleton) : 0;
}

/* Returns the number of joints for which poses in scratch have room: all joints, because sampling may write
 * more than the job wants, and the joints of a block. */
static size_t room_of(const quatsimd_pose_job *job) {
  const size_t joints = quatsimd_skeleton_joint_count(job->skeleton);
  return joints > QUATSIMD_OPERATION_BLOCK ? joints : QUATSIMD_OPERATION_BLOCK;
}

/* Returns the number of floats of a pose in scratch. It is even, because structs with pointers follow. */
static size_t pose_floats(const quatsimd_pose_job *job) {
  const size_t floats = JOINT_FLOATS * room_of(job) + quatsimd_skeleton_track_count(job->skeleton);
  return floats + floats % 2;
}

/* Returns the size of a job's scratch: the rest pose, the views of layers, the result, matrices of model
 * space, and a pose for each layer. Returns SIZE_MAX if the size is more than memory can have. */
static size_t scratch_bytes(const quatsimd_pose_job *job) {
  const size_t floats = pose_floats(job), layer = sizeof(quatsimd_weighted_poses) + floats * sizeof(float);
  if (job->layer_count >= PTRDIFF_MAX / layer / 2) return SIZE_MAX;
  return job->layer_count * layer + (2 * floats + QUATSIMD_MATRIX_4X4 * room_of(job)) * sizeof(float);
}

static bool is_size_of_job(size_t size) {
  return growing_is_size(size, FIRST_JOB) && size % _Alignof(quatsimd_pose_job) == 0;
}
static bool is_size_of_layer(size_t size) {
  return growing_is_size(size, FIRST_LAYER) && size % _Alignof(quatsimd_pose_layer) == 0;
}

size_t quatsimd_pose_scratch_size(const quatsimd_pose_job *jobs, size_t count) {
  size_t most = 0;
  if (!jobs || count == 0 || !is_size_of_job(jobs->struct_size)) return 0;
  for (size_t i = 0; i < count; i++) {
    const size_t bytes = scratch_bytes(job_at(jobs, i));
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
  return growing_init(report, struct_size, &own, sizeof own, FIRST_REPORT) ? QUATSIMD_OK
                                                                           : QUATSIMD_ERROR_BAD_ARGUMENT;
}

/* ---- checking: functions that return a string return the error, or null ---- */

/* Negative weights are kept, since they count for additive clips. */
static bool is_left_out(const quatsimd_pose_layer *layer) {
  return !(layer->weight > 0 || layer->weight < 0);
}

static const char *check_mode(const quatsimd_pose_layer *layer) {
  const bool additive = quatsimd_clip_additive(layer->clip) != QUATSIMD_CLIP_ADDITIVE_NONE;
  switch (layer->mode) {
  case QUATSIMD_POSE_MODE_AUTO: return NULL;
  case QUATSIMD_POSE_MODE_BLEND: return additive ? "an additive clip cannot have the mode blend" : NULL;
  case QUATSIMD_POSE_MODE_ADD:
    return additive ? NULL : "a clip that is not additive cannot have the mode add";
  case QUATSIMD_POSE_MODE_OVER: return "this version of the library has no mode over";
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
    const quatsimd_pose_layer *layer = layer_at(job, l);
    if (is_left_out(layer)) continue;
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
  if (!quatsimd_clip_outputs(out, &job->local, joints_of(job), tracks_of(job)))
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

/* Checks all jobs, then the scratch memory's address. Stores number and error of the first wrong job. */
static quatsimd_status check_jobs(const quatsimd_pose_job *jobs, size_t count, const void *scratch,
                                  size_t scratch_size, quatsimd_pose_report *found) {
  for (size_t i = 0; i < count; i++) {
    const quatsimd_pose_job *job = job_at(jobs, i);
    found->job = i;
    found->error = check_job(job, jobs->struct_size);
    if (found->error) return QUATSIMD_ERROR_BAD_ARGUMENT;
    const quatsimd_status status = check_layers(job, found);
    if (status != QUATSIMD_OK) return status;
    if (scratch_bytes(job) > scratch_size) {
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

/* ---- computing ---- */

typedef struct scratch {
  size_t room, lanes;
  float *rest, *result, *model, *poses;
  quatsimd_weighted_poses *layers;
  const clip_position *at; /* [l]: position in the clip of layer l, for the first AHEAD layers */
  /* views of a layer's pose, whose addresses sample_to_scratch sets, and of the rest pose */
  clip_output out[QUATSIMD_CLIP_KIND_COUNT];
} scratch;

/* Returns where a kind's values are in a pose. */
static float *kind_at(float *pose, size_t room, int kind) {
  static const size_t first[] = {0, 4, 7, JOINT_FLOATS}; /* floats of a joint that come before this kind */
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
    out->wanted = kind != QUATSIMD_CLIP_TRACK || tracks_of(job) > 0;
  }
}

/* Divides the scratch memory. Loads the rest pose, unless the previous job had the same skeleton, `held`. */
static void divide(scratch *s, void *memory, const quatsimd_pose_job *job, const quatsimd_skeleton *held) {
  const size_t floats = pose_floats(job), joints = quatsimd_skeleton_joint_count(job->skeleton);
  s->rest = memory, s->room = room_of(job), s->lanes = quatsimd_active_kernels()->lanes;
  s->layers = (quatsimd_weighted_poses *)(void *)(s->rest + floats);
  s->result = (float *)(void *)(s->layers + job->layer_count), s->model = s->result + floats;
  s->poses = s->model + QUATSIMD_MATRIX_4X4 * s->room;
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
    const quatsimd_pose_layer *layer = layer_at(job, l);
    if (is_left_out(layer)) continue;
    quatsimd_clip_position_of(&at[l], layer->clip, layer->time, layer->wrap);
    quatsimd_clip_fetch_block(layer->clip, &at[l]);
  }
}
static void look_two_ahead(const quatsimd_pose_job *job) {
  for (size_t l = 0; l < job->layer_count && l < AHEAD; l++) {
    const quatsimd_pose_layer *layer = layer_at(job, l);
    if (!is_left_out(layer)) quatsimd_clip_fetch(layer->clip);
  }
}

/* Samples a layer to `to`. out: the views of `to` and of the rest pose. */
static void sample(const quatsimd_pose_job *job, size_t number, const scratch *s, quatsimd_pose_out *to,
                   clip_output out[QUATSIMD_CLIP_KIND_COUNT]) {
  const quatsimd_pose_layer *layer = layer_at(job, number);
  const bool additive = quatsimd_clip_additive(layer->clip) != 0;
  clip_position late;
  if (number >= AHEAD) quatsimd_clip_position_of(&late, layer->clip, layer->time, layer->wrap);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    const float *const rest = additive ? quatsimd_clip_none[kind] : kind_at(s->rest, s->room, kind);
    out[kind].rest.first = (const char *)rest;
    out[kind].rest.stride = additive ? 0 : out[kind].components * sizeof(float);
  }
  quatsimd_clip_sample_to(layer->clip, out, joints_of(job), number < AHEAD ? &s->at[number] : &late);
  if (layer->motion && layer->motion->joint < joints_of(job))
    (void)quatsimd_root_motion_remove(layer->motion, to, joints_of(job), 1);
}

/* Samples layer number `number` to pose number `pose` in scratch. */
static quatsimd_pose_out sample_to_scratch(const quatsimd_pose_job *job, size_t number, scratch *s,
                                           size_t pose) {
  float *const p = s->poses + pose * pose_floats(job);
  quatsimd_pose_out to = pose_at(p, s->room);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++)
    s->out[kind].to.first = (const char *)kind_at(p, s->room, kind);
  fill_up(p, s->room, joints_of(job), s->lanes);
  sample(job, number, s, &to, s->out);
  return to;
}

/* Samples the additive layers, or if not `additive` the others, to scratch. Appends their poses to the
 * `count` ones in s->layers and returns how many there are then. Ignores the layers' modes: check_mode has
 * made sure that they fit the clips. */
static size_t sample_layers(const quatsimd_pose_job *job, scratch *s, bool additive, size_t count) {
  for (size_t l = 0; l < job->layer_count; l++) {
    const quatsimd_pose_layer *layer = layer_at(job, l);
    if (is_left_out(layer) || (quatsimd_clip_additive(layer->clip) != 0) != additive) continue;
    if (!additive && layer->weight < 0) continue;
    quatsimd_pose_out to = sample_to_scratch(job, l, s, count);
    s->layers[count++] =
        (quatsimd_weighted_poses){to_read(&to), &layer->weight, layer->mask, layer->track_mask};
  }
  return count;
}

/* Returns the only layer that is not additive, if its weight is 1 or more, without masks. Else SIZE_MAX. */
static size_t only_layer(const quatsimd_pose_job *job) {
  size_t only = SIZE_MAX;
  for (size_t l = 0; l < job->layer_count; l++) {
    const quatsimd_pose_layer *layer = layer_at(job, l);
    if (is_left_out(layer) || quatsimd_clip_additive(layer->clip) != 0) continue;
    if (only != SIZE_MAX || layer->mask || layer->track_mask || !(layer->weight >= 1)) return SIZE_MAX;
    only = l;
  }
  return only;
}

/* True if a job is a layer as it is sampled: a blended one, `only`, and no matrices are wanted. */
static bool is_sample(const quatsimd_pose_job *job, size_t only) {
  bool alone = only != SIZE_MAX && !layer_at(job, only)->motion && !job->model && !job->skinning &&
               joints_of(job) == quatsimd_skeleton_joint_count(job->skeleton);
  for (size_t l = 0; alone && l < job->layer_count; l++) alone = l == only || is_left_out(layer_at(job, l));
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
  for (size_t l = 0; l < b->added; l++) quatsimd_pose_add_tracks(call, to, &b->layers[b->blended + l]);
}

/* Computes joints in blocks. The last block begins before the end of the one before, so that it is whole. If
 * the pose is short, or a view is no array of structs without gaps, values go to scratch first. */
static void compute_joints(const quatsimd_pose_job *job, const scratch *s, const pose_call *call,
                           pose_block *b) {
  const size_t joints = joints_of(job);
  const bool matrices = job->model || job->skinning;
  float local[QUATSIMD_OPERATION_BLOCK * QUATSIMD_MATRIX_4X4], *value[QUATSIMD_CLIP_JOINT_KIND_COUNT];
  bool direct[QUATSIMD_CLIP_JOINT_KIND_COUNT];
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
    const clip_output *out = &call->out[kind];
    direct[kind] = out->wanted && !is_short(joints, s->lanes) && quatsimd_is_structs(&out->to);
    value[kind] = !out->wanted   ? NULL
                  : direct[kind] ? quatsimd_floats(out->to.first)
                                 : kind_at(s->result, s->room, kind);
  }
  b->count = joints < QUATSIMD_OPERATION_BLOCK ? joints : QUATSIMD_OPERATION_BLOCK;
  b->matrices = matrices ? local : NULL;
  for (size_t j = 0; j < joints; j = b->first + b->count) {
    b->first = joints - j < b->count ? joints - b->count : j;
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
      b->to[kind] = value[kind] ? value[kind] + clip_components(kind) * b->first : NULL;
    quatsimd_active_kernels()->pose(b); /* not by way of `s`, for linkers: see core/dispatch.c */
    if (matrices)
      quatsimd_pose_place(job->skeleton, job->model ? job->model : s->model, job->skinning,
                          local + (j - b->first) * job->layout, job->layout, job->root, j,
                          b->first + b->count);
  }
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
    if (value[kind] && !direct[kind]) copy(&call->out[kind], value[kind], joints);
}

static void evaluate(const quatsimd_pose_job *job, const clip_position at[AHEAD], void *memory,
                     const quatsimd_skeleton *held) {
  scratch s; /* divide sets all else */
  s.at = at;
  divide(&s, memory, job, held);
  quatsimd_pose_out to = job->local, whole = pose_at(s.rest, s.room);
  const quatsimd_pose_in rest = to_read(&whole);
  const size_t only = only_layer(job);
  pose_block b = {.layers = s.layers, .rest = &rest, .as_sampled = only != SIZE_MAX, .layout = job->layout};
  pose_call call;
  (void)quatsimd_pose_begin(&call, &to, (quatsimd_pose_counts){joints_of(job), tracks_of(job), 1});
  if (is_sample(job, only)) {
    for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) call.out[kind].rest = s.out[kind].rest;
    sample(job, only, &s, &to, call.out);
    return;
  }
  b.blended = sample_layers(job, &s, false, 0);
  b.added = sample_layers(job, &s, true, b.blended) - b.blended;
  if (call.out[QUATSIMD_CLIP_TRACK].wanted) compute_tracks(&call, &b);
  compute_joints(job, &s, &call, &b);
}

static void evaluate_all(const quatsimd_pose_job *jobs, size_t count, void *memory) {
  clip_position at[2][AHEAD];
  look_ahead(jobs, at[0]);
  for (size_t i = 0; i < count; i++) {
    if (i + 2 < count) look_two_ahead(job_at(jobs, i + 2));
    if (i + 1 < count) look_ahead(job_at(jobs, i + 1), at[(i + 1) % 2]);
    evaluate(job_at(jobs, i), at[i % 2], memory, i ? job_at(jobs, i - 1)->skeleton : NULL);
  }
}

quatsimd_status quatsimd_pose_evaluate(quatsimd_pose_job *jobs, size_t count, void *scratch_memory,
                                       size_t scratch_size, quatsimd_pose_report *report) {
  quatsimd_pose_report found = {.job = SIZE_MAX, .layer = SIZE_MAX};
  quatsimd_status status = QUATSIMD_ERROR_BAD_ARGUMENT;
  if (report && !growing_is_size(report->struct_size, FIRST_REPORT)) return status;
  if (count == 0) status = QUATSIMD_OK;
  else if (!jobs) found.error = "jobs is null";
  else status = check_jobs(jobs, count, scratch_memory, scratch_size, &found);
  if (status == QUATSIMD_OK && count > 0) evaluate_all(jobs, count, scratch_memory);
  if (report) growing_write(report, &found, sizeof found);
  return status;
}
