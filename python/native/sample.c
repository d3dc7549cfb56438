/* Samples many poses of many clips, with their places and velocities in model space. Poses go in chunks of
 * LANES, and down the hierarchy side by side, in loops that compilers make vectors of. */
#include "clip/kernels.h"
#include "clip/sample/fetch.h"
#include "clip/sample/packed.h"
#include "clip/sample/sample.h"
#include "clip/sample/states.h"
#include "clip/sample/velocity.h"
#include "native.h"
#include "threads.h"

#include <stdlib.h>

enum { LANES = 8, CHUNKS_AT_ONCE = 8 };

/* Numbers of LANES poses: [component][lane]. */
typedef float numbers[LANES];

/* A joint of a chunk: relative to its parent, and in model space. */
typedef struct local {
  numbers rotation[4], translation[3], scale[3], angular[3], linear[3];
} local;
typedef struct place {
  numbers rotation[4], position[3], scale, angular[3], linear[3];
  numbers matrix[9]; /* the rotation, three rows of three */
} place;

/* The values that are sampled: the pose; and the pose at the farther end of the interval between two frames,
 * of which velocities are made. */
enum { ROTATION, TRANSLATION, SCALE, FAR_ROTATION, FAR_TRANSLATION, VALUES };
static const size_t width[VALUES] = {4, 3, 3, 4, 3};

/* How the curve of a kind moves. MOVES: it has a value at the farther end. KEYED: its velocity is there
 * instead, since its keys make other intervals. */
enum { MOVES = 1, KEYED = 4 };

/* Memory of a thread. */
typedef struct scratch {
  float *value[VALUES]; /* for LANES poses, where the caller wants no such array */
  uint8_t *states;      /* LANES for each joint: sums of MOVES and KEYED << kind; 0: still */
  place *places;        /* one for each joint */
} scratch;

typedef struct sampling {
  const quatsimd_python_poses *to;
  const quatsimd_python_motions *motions;
  const uint32_t *clip_of;
  const double *times;
  size_t count, joints, tracks;
  quatsimd_clip_wrap wrap;
  float *wanted[VALUES]; /* the caller's arrays, or null */
  bool model, moves;     /* places in model space are wanted; velocities are */
  bool scaled;           /* the rest pose has scales other than 1 */
  float *rest;           /* rotations, translations, scales and tracks of the rest pose */
  int32_t *parent;
  bool *has_children;
  scratch *scratch; /* one for each thread */
  size_t *failed;   /* one for each group: the first pose with a wrong scale, or SIZE_MAX */
} sampling;

typedef struct chunk {
  const sampling *s;
  place *places;
  size_t first, n;           /* poses */
  float *row[VALUES][LANES]; /* where each lane's values go; those behind the n-th are as the last one */
  uint8_t *states;
  const quatsimd_clip *clip[LANES];
  clip_position at[LANES];
  numbers per; /* 1 / the time from the pose to the farther end; 0: nothing moves */
  bool scaled; /* a scale may not be 1 */
} chunk;

static float *rest_at(const sampling *s, int kind) {
  static const size_t before[] = {0, 4, 7, 10}; /* floats of a joint that come before this kind */
  return s->rest + before[kind] * s->joints;
}

/* ---- one pose ---- */

static void set_output(clip_output *out, int kind, float *to, const sampling *s) {
  const size_t n = clip_components(kind), stride = n * sizeof(float);
  quatsimd_set_structs(&out->to, to, (int)n, stride);
  quatsimd_set_structs(&out->rest, rest_at(s, kind), (int)n, stride);
  out->components = n, out->wanted = true, out->leave_absent = false;
}

static void sample_pose(const chunk *c, size_t l) {
  const sampling *const s = c->s;
  clip_output out[QUATSIMD_CLIP_KIND_COUNT] = {{.wanted = false}};
  for (int kind = ROTATION; kind <= SCALE; kind++)
    if (s->wanted[kind] || (s->model && (kind != SCALE || c->scaled)) || (s->moves && kind != SCALE))
      set_output(&out[kind], kind, c->row[kind][l], s);
  if (s->to->tracks && s->tracks > 0)
    set_output(&out[QUATSIMD_CLIP_TRACK], QUATSIMD_CLIP_TRACK, s->to->tracks + (c->first + l) * s->tracks, s);
  quatsimd_clip_sample_to(c->clip[l], out, s->joints, &c->at[l]);
}

static void mark(chunk *c, size_t l, size_t joint, int how, int kind) {
  c->states[LANES * joint + l] |= (uint8_t)(how << kind);
}

/* Samples the moving curves of a kind. */
static void sample_moving(chunk *c, size_t l, int kind, const clip_position *p, const clip_output *out) {
  const quatsimd_clip *const clip = c->clip[l];
  quatsimd_clip_row row[2];
  clip_load_rows(row, p);
  clip_walk w = quatsimd_clip_walk_block(clip, kind, p->block, p->intervals);
  for (size_t i = 0; i < w.part.moving; i++)
    mark(c, l, clip_slot(w.part.slots, w.part.slot_bytes, i), MOVES, kind);
  while (w.group < clip_groups(w.part.moving)) {
    const size_t group = w.group, left = clip_groups(w.part.moving) - group;
    float value[CLIP_GROUP][4];
    if (quatsimd_clip_sample_groups(&w, left < CLIP_AT_ONCE ? left : CLIP_AT_ONCE, p, row, out)) continue;
    quatsimd_clip_sample_group(value, &w, p, row);
    clip_put_group(value, &w.part, out, 0, group);
  }
}

/* Computes the velocities of curves with their own keys. */
static void sample_keyed(chunk *c, size_t l, int kind, const clip_output *out) {
  const quatsimd_clip *const clip = c->clip[l];
  quatsimd_clip_part part;
  quatsimd_clip_keyed_velocities(clip, kind, &c->at[l], out);
  clip_find_still(&part, clip, kind);
  for (size_t first = 0; first < clip->joints; first += CLIP_STATE_JOINTS)
    for (uint64_t left = quatsimd_clip_load_states(&part, clip->joints, first).keyed; left; left &= left - 1)
      mark(c, l, first + quatsimd_lowest_bit(left) / 2, KEYED, kind);
}

/* Samples the farther end of the interval in which a pose is: curves that are still are not written. */
static void sample_far(chunk *c, size_t l) {
  const quatsimd_clip *const clip = c->clip[l];
  const bool at_end = c->at[l].frame + 1 == clip->frames, back = at_end || c->at[l].t > 0.5F;
  clip_position far = c->at[l];
  if (far.outside || clip->frames == 1) return;
  const size_t before = far.frame - at_end;
  const double length = clip->times ? clip_frame_time(clip, before + 1) - clip_frame_time(clip, before)
                                    : 1 / clip->rate,
               part = at_end ? -1
                      : back ? -(double)far.t
                             : 1 - (double)far.t;
  c->per[l] = (float)(1 / (length * part));
  far.inner = at_end ? far.inner - 1 : back ? far.inner : far.inner + 1;
  far.frame = before + !back, far.t = 0;
  for (int kind = ROTATION; kind <= TRANSLATION; kind++) {
    const quatsimd_clip_still *const curves = clip_still_of(clip, kind);
    clip_output out;
    set_output(&out, kind, c->row[FAR_ROTATION + kind][l], c->s);
    if (curves->moving > 0) sample_moving(c, l, kind, &far, &out);
    out.components = 3; /* a velocity has three, be it in the place of a rotation */
    if (curves->keyed > 0) sample_keyed(c, l, kind, &out);
  }
}

/* ---- loads and stores ---- */

/* Loads `components` floats of a joint of each lane. */
static inline void load(numbers *to, float *const row[LANES], size_t components, size_t joint) {
  for (size_t l = 0; l < LANES; l++)
    for (size_t i = 0; i < components; i++) to[i][l] = row[l][components * joint + i];
}

/* Stores the floats of a joint of n lanes: element `joint` of rows of `joints` elements, from row `first` on.
 * */
static inline void store(float *to, numbers *from, size_t components, size_t joint, size_t joints,
                         size_t first, size_t n) {
  for (size_t l = 0; to && l < n; l++)
    for (size_t i = 0; i < components; i++) to[((first + l) * joints + joint) * components + i] = from[i][l];
}

/* ---- velocities ---- */

/* 2 s / sin(s) as a polynomial of cos(s): see clip/sample/velocity.c */
static const float turns[] = {0x1.921fb6p+1F, -0x1.000002p+1F, 0x1.9220a4p+0F, -0x1.5555aap+0F,
                              0x1.2d1204p+0F, -0x1.0bf134p+0F, 0x1.c6b72cp-1F, -0x1.4cae4ep-1F,
                              0x1.6f5afcp-2F, -0x1.024b1cp-3F, 0x1.50c1bap-6F};
enum { TURNS = sizeof turns / sizeof *turns };

/* Computes the rotation vector from a to b, in their parent's space, times `per`. b counts as negated where
 * sampling does so. */
static void turn_between(numbers to[3], numbers *a, numbers *b, const float *per) {
  for (int l = 0; l < LANES; l++) {
    const float x = b[0][l] * a[3][l] - b[3][l] * a[0][l] - b[1][l] * a[2][l] + b[2][l] * a[1][l],
                y = b[1][l] * a[3][l] - b[3][l] * a[1][l] - b[2][l] * a[0][l] + b[0][l] * a[2][l],
                z = b[2][l] * a[3][l] - b[3][l] * a[2][l] - b[0][l] * a[1][l] + b[1][l] * a[0][l],
                w = b[3][l] * a[3][l] + b[0][l] * a[0][l] + b[1][l] * a[1][l] + b[2][l] * a[2][l],
                norm = 1.5F - 0.5F * (x * x + y * y + z * z + w * w),
                sign = w < -4 * CLIP_HALF_TURN ? -norm : norm, cosine = w * sign;
    float arc = turns[TURNS - 1];
    for (int i = TURNS - 2; i >= 0; i--) arc = arc * cosine + turns[i];
    const float by = arc * sign * per[l];
    to[0][l] = x * by, to[1][l] = y * by, to[2][l] = z * by;
  }
}

/* Returns true if a curve moves in any lane. */
static bool any(const uint8_t *states, int kind) {
  unsigned all = 0;
  for (int l = 0; l < LANES; l++) all |= states[l];
  return all & (MOVES + KEYED) << kind;
}

/* Takes the lanes that move, or have the velocity itself, and makes the others 0. */
static void choose(numbers v[3], numbers *keyed, const uint8_t *states, int kind) {
  for (int l = 0; l < LANES; l++) {
    const bool is_keyed = states[l] & KEYED << kind, moves = states[l] & MOVES << kind;
    for (int i = 0; i < 3; i++) v[i][l] = moves ? v[i][l] : is_keyed ? keyed[i][l] : 0;
  }
}

static void load_velocities(local *p, const chunk *c, size_t joint) {
  const uint8_t *const states = c->states + LANES * joint;
  numbers rotation[4], translation[3];
  memset(p->angular, 0, sizeof p->angular), memset(p->linear, 0, sizeof p->linear);
  if (any(states, ROTATION)) {
    load(rotation, c->row[FAR_ROTATION], 4, joint);
    turn_between(p->angular, p->rotation, rotation, c->per);
    choose(p->angular, rotation, states, ROTATION);
  }
  if (any(states, TRANSLATION)) {
    load(translation, c->row[FAR_TRANSLATION], 3, joint);
    for (int i = 0; i < 3; i++)
      for (int l = 0; l < LANES; l++)
        p->linear[i][l] = (translation[i][l] - p->translation[i][l]) * c->per[l];
    choose(p->linear, translation, states, TRANSLATION);
  }
  store(c->s->to->local_angular, p->angular, 3, joint, c->s->joints, c->first, c->n);
  store(c->s->to->local_linear, p->linear, 3, joint, c->s->joints, c->first, c->n);
}

/* ---- model space ---- */

static void multiply(numbers to[4], numbers *a, numbers *b) {
  for (int l = 0; l < LANES; l++) {
    const float x = a[3][l] * b[0][l] + a[0][l] * b[3][l] + a[1][l] * b[2][l] - a[2][l] * b[1][l],
                y = a[3][l] * b[1][l] - a[0][l] * b[2][l] + a[1][l] * b[3][l] + a[2][l] * b[0][l],
                z = a[3][l] * b[2][l] + a[0][l] * b[1][l] - a[1][l] * b[0][l] + a[2][l] * b[3][l],
                w = a[3][l] * b[3][l] - a[0][l] * b[0][l] - a[1][l] * b[1][l] - a[2][l] * b[2][l];
    /* Both lengths are 1 within rounding, so that a step of Newton's keeps this one there. */
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

/* Turns vectors by a joint's rotation. */
static void turn(numbers to[3], place *by, numbers *v) {
  for (int i = 0; i < 3; i++)
    for (int l = 0; l < LANES; l++)
      to[i][l] = by->matrix[3 * i][l] * v[0][l] + by->matrix[3 * i + 1][l] * v[1][l] +
                 by->matrix[3 * i + 2][l] * v[2][l];
}

static void scale_by(numbers v[3], const float *scale) {
  for (int i = 0; i < 3; i++)
    for (int l = 0; l < LANES; l++) v[i][l] *= scale[l];
}

/* Adds the velocities of the parent to those of a joint, which is at `arm` from it. */
static void add_velocities(place *p, place *up, numbers *arm) {
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    for (int l = 0; l < LANES; l++) {
      p->linear[i][l] += up->linear[i][l] + (up->angular[j][l] * arm[k][l] - up->angular[k][l] * arm[j][l]);
      p->angular[i][l] += up->angular[i][l];
    }
  }
}

static void place_below(place *p, place *up, local *here, const chunk *c) {
  numbers arm[3];
  multiply(p->rotation, up->rotation, here->rotation);
  turn(arm, up, here->translation);
  if (c->scaled) scale_by(arm, up->scale);
  for (int i = 0; i < 3; i++)
    for (int l = 0; l < LANES; l++) p->position[i][l] = up->position[i][l] + arm[i][l];
  for (int l = 0; c->scaled && l < LANES; l++) p->scale[l] = up->scale[l] * here->scale[0][l];
  if (!c->s->moves) return;
  turn(p->linear, up, here->linear);
  turn(p->angular, up, here->angular);
  if (c->scaled) scale_by(p->linear, up->scale);
  add_velocities(p, up, arm);
}

static void place_root(place *p, local *here) {
  memcpy(p->rotation, here->rotation, sizeof p->rotation);
  memcpy(p->position, here->translation, sizeof p->position);
  memcpy(p->scale, here->scale[0], sizeof p->scale);
  memcpy(p->linear, here->linear, sizeof p->linear);
  memcpy(p->angular, here->angular, sizeof p->angular);
}

static void store_place(const chunk *c, place *p, size_t joint) {
  const sampling *const s = c->s;
  const quatsimd_python_poses *const to = s->to;
  store(to->model_rotations, p->rotation, 4, joint, s->joints, c->first, c->n);
  store(to->model_positions, p->position, 3, joint, s->joints, c->first, c->n);
  store(to->model_linear, p->linear, 3, joint, s->joints, c->first, c->n);
  store(to->model_angular, p->angular, 3, joint, s->joints, c->first, c->n);
  if (joint != s->motions->root) return;
  store(to->root_rotations, p->rotation, 4, 0, 1, c->first, c->n);
  store(to->root_positions, p->position, 3, 0, 1, c->first, c->n);
  store(to->root_linear, p->linear, 3, 0, 1, c->first, c->n);
  store(to->root_angular, p->angular, 3, 0, 1, c->first, c->n);
}

/* Returns the first lane in which a joint's scale differs by axis, or LANES. */
static size_t find_uneven(numbers *scale) {
  for (size_t l = 0; l < LANES; l++) {
    const float x = scale[0][l], by = 0x1p-10F * (x < 0 ? -x : x), y = scale[1][l] - x, z = scale[2][l] - x;
    if (!(y <= by && -y <= by && z <= by && -z <= by)) return l;
  }
  return LANES;
}

/* Computes velocities and the place of a joint. Returns LANES, or a lane whose scale is wrong. */
static size_t place_joint(const chunk *c, size_t joint) {
  const sampling *const s = c->s;
  place *const p = &c->places[joint];
  local here;
  load(here.rotation, c->row[ROTATION], 4, joint);
  load(here.translation, c->row[TRANSLATION], 3, joint);
  if (s->moves) load_velocities(&here, c, joint);
  if (!s->model) return LANES;
  if (c->scaled) load(here.scale, c->row[SCALE], 3, joint);
  if (s->parent[joint] < 0) place_root(p, &here);
  else place_below(p, &c->places[s->parent[joint]], &here, c);
  store_place(c, p, joint);
  if (!s->has_children[joint]) return LANES;
  set_matrix(p);
  return c->scaled ? find_uneven(here.scale) : LANES;
}

/* ---- all poses ---- */

/* Returns SIZE_MAX, or the number of a wrong pose. */
static size_t sample_chunk(chunk *c) {
  const sampling *const s = c->s;
  size_t wrong = SIZE_MAX;
  c->scaled = s->scaled;
  for (size_t l = 0; l < c->n; l++) {
    c->clip[l] = s->motions->clips[s->clip_of[c->first + l]];
    quatsimd_clip_fetch(c->clip[l]);
  }
  for (size_t l = 0; l < c->n; l++) {
    const quatsimd_clip_still *const scales = clip_still_of(c->clip[l], SCALE);
    c->scaled = c->scaled || scales->constants + scales->moving + scales->keyed > 0;
    quatsimd_clip_position_of(&c->at[l], c->clip[l], s->times[c->first + l], s->wrap);
    quatsimd_clip_fetch_block(c->clip[l], &c->at[l]);
  }
  if (s->moves) memset(c->states, 0, LANES * s->joints);
  for (size_t l = 0; l < c->n; l++) {
    sample_pose(c, l);
    if (s->moves) sample_far(c, l);
  }
  for (size_t j = 0; (s->model || s->moves) && j < s->joints; j++) {
    const size_t lane = place_joint(c, j);
    if (lane < LANES && c->first + lane < wrong) wrong = c->first + lane;
  }
  return wrong;
}

static void sample_group(void *data, size_t group, size_t worker) {
  const sampling *const s = data;
  const scratch *const m = &s->scratch[worker];
  const size_t begin = group * LANES * CHUNKS_AT_ONCE, left = s->count - begin,
               end = begin + (left < LANES * CHUNKS_AT_ONCE ? left : LANES * CHUNKS_AT_ONCE);
  s->failed[group] = SIZE_MAX;
  for (size_t i = begin; i < end; i += LANES) {
    chunk c = {
        .s = s, .places = m->places, .states = m->states, .first = i, .n = end - i < LANES ? end - i : LANES};
    for (int v = 0; v < VALUES; v++)
      for (size_t l = 0; l < LANES; l++) {
        const size_t row = l < c.n ? l : c.n - 1, floats = width[v] * s->joints;
        c.row[v][l] = s->wanted[v] ? s->wanted[v] + (i + row) * floats : m->value[v] + row * floats;
      }
    const size_t found = sample_chunk(&c);
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
    for (int v = 0; v < VALUES; v++) m.value[v] = take(&at, LANES * s->joints * width[v], sizeof(float));
    m.states = take(&at, LANES * s->joints, sizeof *m.states);
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
                .wanted = {to->rotations, to->translations, to->scales}};
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
