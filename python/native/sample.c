/* Samples many poses of many clips, with their places and velocities in model space. Poses go through in chunks of
 * LANES, and down the hierarchy side by side, in loops that compilers make vectors of. */
#include "clip/sample/fetch.h"
#include "clip/sample/sample.h"
#include "native.h"
#include "threads.h"

#include <stdlib.h>

enum { LANES = 8, CHUNKS_AT_ONCE = 8 };

/* Values relative to the parent that a pose has, and their numbers for each joint. */
enum { ROTATION, TRANSLATION, SCALE, ANGULAR, LINEAR, LOCALS };
static const size_t width[LOCALS] = {4, 3, 3, 3, 3};

/* A joint in model space, in each of the lanes. */
typedef struct place {
  float rotation[4][LANES], position[3][LANES], scale[LANES], angular[3][LANES], linear[3][LANES];
  float matrix[9][LANES]; /* of the rotation, three rows of three */
} place;

/* Memory of a thread. */
typedef struct scratch {
  float *local[LOCALS]; /* of LANES poses */
  place *places;        /* one for each joint */
} scratch;

typedef struct sampling {
  const quatsimd_python_poses *to;
  const quatsimd_python_motions *motions;
  const uint32_t *clip_of;
  const double *times;
  size_t count, joints, tracks;
  quatsimd_clip_wrap wrap;
  float *local[LOCALS]; /* the arrays to write; null: not wanted by the caller */
  bool model, moves;    /* places in model space are wanted; velocities are */
  bool scaled;          /* the rest pose has scales other than 1 */
  float *rest;          /* rotations, translations, scales and tracks of the rest pose */
  int32_t *parent;
  bool *has_children;
  scratch *scratch; /* one for each thread */
  size_t *failed;   /* one for each group: the first pose with a wrong scale, or SIZE_MAX */
} sampling;

static float *rest_at(const sampling *s, int kind) {
  static const size_t before[] = {0, 4, 7, 10}; /* floats of a joint that come before this kind */
  return s->rest + before[kind] * s->joints;
}

/* Returns where a value of pose i goes, in lane l of its chunk: to the caller, or to scratch. */
static float *local_at(const sampling *s, const scratch *m, int value, size_t i, size_t l) {
  const size_t floats = width[value] * s->joints;
  return s->local[value] ? s->local[value] + i * floats : m->local[value] + l * floats;
}

static void set_output(clip_output *out, int kind, float *to, const float *rest) {
  const size_t n = clip_components(kind), stride = n * sizeof(float);
  quatsimd_set_structs(&out->to, to, (int)n, stride);
  quatsimd_set_structs(&out->rest, rest, (int)n, stride);
  out->components = n, out->wanted = true, out->leave_absent = false;
}

/* ---- one pose ---- */

static void sample_pose(const sampling *s, const scratch *m, const quatsimd_clip *clip,
                        const clip_position *p, size_t i, size_t l) {
  clip_output out[QUATSIMD_CLIP_KIND_COUNT] = {{.wanted = false}};
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
    if (s->local[kind] || (s->model && (kind != SCALE || s->scaled || clip->part_at[SCALE])))
      set_output(&out[kind], kind, local_at(s, m, kind, i, l), rest_at(s, kind));
  if (s->to->tracks && s->tracks > 0)
    set_output(&out[QUATSIMD_CLIP_TRACK], QUATSIMD_CLIP_TRACK, s->to->tracks + i * s->tracks,
               rest_at(s, QUATSIMD_CLIP_TRACK));
  quatsimd_clip_sample_to(clip, out, s->joints, p);
  if (s->model && !out[SCALE].wanted)
    for (size_t f = 0; f < 3 * s->joints; f++) m->local[SCALE][3 * s->joints * l + f] = 1;
}

static void velocities(const sampling *s, const scratch *m, const quatsimd_clip *clip, size_t i, size_t l) {
  quatsimd_velocities_out out = {quatsimd_aos_out(local_at(s, m, ANGULAR, i, l)),
                                 quatsimd_aos_out(local_at(s, m, LINEAR, i, l))};
  (void)quatsimd_clip_sample_velocities(clip, &out, s->times[i], s->wrap);
}

/* ---- model space ---- */

static void load(float to[][LANES], const sampling *s, const scratch *m, int value, size_t joint,
                 size_t first, size_t n) {
  for (size_t l = 0; l < n; l++) {
    const float *const from = local_at(s, m, value, first + l, l) + width[value] * joint;
    for (size_t c = 0; c < width[value]; c++) to[c][l] = from[c];
  }
}

static void multiply(float to[4][LANES], float (*a)[LANES], float (*b)[LANES]) {
  for (int l = 0; l < LANES; l++) {
    const float x = a[3][l] * b[0][l] + a[0][l] * b[3][l] + a[1][l] * b[2][l] - a[2][l] * b[1][l],
                y = a[3][l] * b[1][l] - a[0][l] * b[2][l] + a[1][l] * b[3][l] + a[2][l] * b[0][l],
                z = a[3][l] * b[2][l] + a[0][l] * b[1][l] - a[1][l] * b[0][l] + a[2][l] * b[3][l],
                w = a[3][l] * b[3][l] - a[0][l] * b[0][l] - a[1][l] * b[1][l] - a[2][l] * b[2][l];
    /* Both lengths are 1 within rounding, so a step of Newton's keeps this one there. */
    const float by = 1.5F - 0.5F * (x * x + y * y + z * z + w * w);
    to[0][l] = x * by, to[1][l] = y * by, to[2][l] = z * by, to[3][l] = w * by;
  }
}

static void set_matrix(place *p) {
  for (int l = 0; l < LANES; l++) {
    const float x = p->rotation[0][l], y = p->rotation[1][l], z = p->rotation[2][l], w = p->rotation[3][l];
    p->matrix[0][l] = 1 - 2 * (y * y + z * z);
    p->matrix[1][l] = 2 * (x * y - w * z);
    p->matrix[2][l] = 2 * (x * z + w * y);
    p->matrix[3][l] = 2 * (x * y + w * z);
    p->matrix[4][l] = 1 - 2 * (x * x + z * z);
    p->matrix[5][l] = 2 * (y * z - w * x);
    p->matrix[6][l] = 2 * (x * z - w * y);
    p->matrix[7][l] = 2 * (y * z + w * x);
    p->matrix[8][l] = 1 - 2 * (x * x + y * y);
  }
}

/* Turns vectors by a joint's rotation, and scales them. */
static void turn(float to[3][LANES], const place *p, float (*v)[LANES], const float scale[LANES]) {
  for (int c = 0; c < 3; c++)
    for (int l = 0; l < LANES; l++)
      to[c][l] = (p->matrix[3 * c][l] * v[0][l] + p->matrix[3 * c + 1][l] * v[1][l] +
                  p->matrix[3 * c + 2][l] * v[2][l]) *
                 scale[l];
}

/* Adds the velocities of the parent to those of a joint, which is at `arm` from it. */
static void add_velocities(place *p, const place *up, float (*arm)[LANES]) {
  for (int c = 0; c < 3; c++) {
    const int d = (c + 1) % 3, e = (c + 2) % 3;
    for (int l = 0; l < LANES; l++) {
      p->linear[c][l] += up->linear[c][l] + (up->angular[d][l] * arm[e][l] - up->angular[e][l] * arm[d][l]);
      p->angular[c][l] += up->angular[c][l];
    }
  }
}

static const float ones[LANES] = {1, 1, 1, 1, 1, 1, 1, 1};

/* The scale of a joint with joints below it must be the same along all axes. Returns the first lane of which it is
 * not, or n. */
static size_t find_uneven(float (*scale)[LANES], size_t n) {
  for (size_t l = 0; l < n; l++) {
    const float x = scale[0][l], by = (float)0x1p-10 * (x < 0 ? -x : x), y = scale[1][l] - x,
                z = scale[2][l] - x;
    if (!(y <= by && -y <= by && z <= by && -z <= by)) return l;
  }
  return n;
}

/* Places a joint of all lanes: n poses from pose `first` on. Returns n, or a lane whose scale is wrong. */
static size_t place_joint(const sampling *s, const scratch *m, size_t joint, size_t first, size_t n) {
  place *const p = &m->places[joint];
  const place *const up = s->parent[joint] < 0 ? NULL : &m->places[s->parent[joint]];
  float rotation[4][LANES] = {{0}}, translation[3][LANES] = {{0}}, scale[3][LANES] = {{0}},
        v[3][LANES] = {{0}}, w[3][LANES] = {{0}}, arm[3][LANES];
  load(rotation, s, m, ROTATION, joint, first, n);
  load(translation, s, m, TRANSLATION, joint, first, n);
  load(scale, s, m, SCALE, joint, first, n);
  if (s->moves) load(v, s, m, LINEAR, joint, first, n), load(w, s, m, ANGULAR, joint, first, n);
  if (up) {
    multiply(p->rotation, (float(*)[LANES])up->rotation, rotation);
    turn(arm, up, translation, up->scale);
    for (int c = 0; c < 3; c++)
      for (int l = 0; l < LANES; l++) p->position[c][l] = up->position[c][l] + arm[c][l];
    for (int l = 0; l < LANES; l++) p->scale[l] = up->scale[l] * scale[0][l];
    if (s->moves) {
      turn(p->linear, up, v, up->scale);
      turn(p->angular, up, w, ones);
      add_velocities(p, up, arm);
    }
  } else {
    memcpy(p->rotation, rotation, sizeof rotation), memcpy(p->position, translation, sizeof translation);
    memcpy(p->scale, scale[0], sizeof p->scale);
    memcpy(p->linear, v, sizeof v), memcpy(p->angular, w, sizeof w);
  }
  if (!s->has_children[joint]) return n;
  set_matrix(p);
  return find_uneven(scale, n);
}

/* Stores the values of a joint of n lanes: element `joint` of rows of `joints` elements, from row `first` on. */
static void store(float *to, size_t components, const float (*from)[LANES], size_t joint, size_t joints,
                  size_t first, size_t n) {
  for (size_t l = 0; to && l < n; l++)
    for (size_t c = 0; c < components; c++) to[((first + l) * joints + joint) * components + c] = from[c][l];
}

static void store_joint(const sampling *s, const place *p, size_t joint, size_t first, size_t n) {
  const quatsimd_python_poses *const to = s->to;
  const float(*const rotation)[LANES] = (const float(*)[LANES])p->rotation,
                     (*const position)[LANES] = (const float(*)[LANES])p->position,
                     (*const linear)[LANES] = (const float(*)[LANES])p->linear,
                     (*const angular)[LANES] = (const float(*)[LANES])p->angular;
  store(to->model_rotations, 4, rotation, joint, s->joints, first, n);
  store(to->model_positions, 3, position, joint, s->joints, first, n);
  store(to->model_linear, 3, linear, joint, s->joints, first, n);
  store(to->model_angular, 3, angular, joint, s->joints, first, n);
  if (joint != s->motions->root) return;
  store(to->root_rotations, 4, rotation, 0, 1, first, n);
  store(to->root_positions, 3, position, 0, 1, first, n);
  store(to->root_linear, 3, linear, 0, 1, first, n);
  store(to->root_angular, 3, angular, 0, 1, first, n);
}

/* ---- all poses ---- */

/* Samples poses first to first + n - 1, n at most LANES. Returns SIZE_MAX, or the number of a wrong pose. */
static size_t sample_chunk(const sampling *s, const scratch *m, size_t first, size_t n) {
  const quatsimd_clip *clip[LANES];
  clip_position at[LANES];
  for (size_t l = 0; l < n; l++) {
    clip[l] = s->motions->clips[s->clip_of[first + l]];
    quatsimd_clip_fetch(clip[l]);
  }
  for (size_t l = 0; l < n; l++) {
    quatsimd_clip_position_of(&at[l], clip[l], s->times[first + l], s->wrap);
    quatsimd_clip_fetch_block(clip[l], &at[l]);
  }
  for (size_t l = 0; l < n; l++) {
    sample_pose(s, m, clip[l], &at[l], first + l, l);
    if (s->moves) velocities(s, m, clip[l], first + l, l);
  }
  size_t wrong = n;
  for (size_t j = 0; s->model && j < s->joints; j++) {
    const size_t found = place_joint(s, m, j, first, n);
    if (found < wrong) wrong = found;
    store_joint(s, &m->places[j], j, first, n);
  }
  return wrong < n ? first + wrong : SIZE_MAX;
}

static void sample_group(void *data, size_t group, size_t worker) {
  sampling *const s = data;
  const size_t begin = group * LANES * CHUNKS_AT_ONCE, left = s->count - begin,
               end = begin + (left < LANES * CHUNKS_AT_ONCE ? left : LANES * CHUNKS_AT_ONCE);
  s->failed[group] = SIZE_MAX;
  for (size_t i = begin; i < end; i += LANES) {
    const size_t found = sample_chunk(s, &s->scratch[worker], i, end - i < LANES ? end - i : LANES);
    if (found < s->failed[group]) s->failed[group] = found;
  }
}

/* Takes n elements of `size` bytes from memory at *at. */
static void *take(char **at, size_t n, size_t size) {
  char *const from = *at;
  *at += (n * size + 63) / 64 * 64;
  return from;
}

/* Divides memory, or if it is null counts the bytes that are needed. */
static size_t divide(sampling *s, char *memory, size_t groups, size_t threads) {
  char *at = memory;
  s->scratch = take(&at, threads, sizeof *s->scratch);
  s->failed = take(&at, groups, sizeof *s->failed);
  s->parent = take(&at, s->joints, sizeof *s->parent);
  s->has_children = take(&at, s->joints, sizeof *s->has_children);
  s->rest = take(&at, 10 * s->joints + s->tracks, sizeof *s->rest);
  for (size_t t = 0; t < threads; t++) {
    scratch m;
    m.places = take(&at, s->joints, sizeof *m.places);
    for (int v = 0; v < LOCALS; v++) m.local[v] = take(&at, LANES * s->joints * width[v], sizeof(float));
    if (memory) s->scratch[t] = m;
  }
  return (size_t)(at - memory);
}

static void read_skeleton(sampling *s, const quatsimd_skeleton *skeleton) {
  quatsimd_pose_out rest = {quatsimd_aos_out(rest_at(s, ROTATION)), quatsimd_aos_out(rest_at(s, TRANSLATION)),
                            quatsimd_aos_out(rest_at(s, SCALE)), rest_at(s, QUATSIMD_CLIP_TRACK)};
  (void)quatsimd_skeleton_rest_pose(skeleton, &rest, 0, s->joints);
  for (size_t f = 0; f < 3 * s->joints; f++) s->scaled = s->scaled || rest_at(s, SCALE)[f] != 1;
  for (size_t j = 0; j < s->joints; j++) {
    s->parent[j] = (int32_t)quatsimd_skeleton_parent(skeleton, j);
    s->has_children[j] = false;
    if (s->parent[j] >= 0) s->has_children[s->parent[j]] = true;
  }
}

quatsimd_status quatsimd_python_sample(const quatsimd_python_poses *to,
                                       const quatsimd_python_motions *motions, const uint32_t *clip_of,
                                       const double *times, size_t count, quatsimd_clip_wrap wrap,
                                       size_t threads, size_t *failed) {
  const size_t at_once = LANES * CHUNKS_AT_ONCE, groups = (count + at_once - 1) / at_once,
               most = threads < THREADS_MOST ? threads : THREADS_MOST;
  sampling s = {.to = to,
                .motions = motions,
                .clip_of = clip_of,
                .times = times,
                .count = count,
                .joints = quatsimd_skeleton_joint_count(motions->skeleton),
                .tracks = quatsimd_skeleton_track_count(motions->skeleton),
                .wrap = wrap,
                .local = {to->rotations, to->translations, to->scales, to->local_angular, to->local_linear}};
  const bool model_moves = to->model_linear || to->model_angular || to->root_linear || to->root_angular;
  s.moves = model_moves || to->local_linear || to->local_angular;
  s.model =
      model_moves || to->model_rotations || to->model_positions || to->root_rotations || to->root_positions;
  char *const memory = malloc(divide(&s, NULL, groups, most));
  if (!memory) return QUATSIMD_ERROR_NO_MEMORY;
  divide(&s, memory, groups, most);
  read_skeleton(&s, motions->skeleton);
  threads_run(sample_group, &s, groups, most);
  *failed = SIZE_MAX;
  for (size_t g = 0; g < groups; g++)
    if (s.failed[g] < *failed) *failed = s.failed[g];
  free(memory);
  return *failed == SIZE_MAX ? QUATSIMD_OK : QUATSIMD_ERROR_BAD_ARGUMENT;
}
