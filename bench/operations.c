/* The functions of rotation.h, qtangent.h, relative.h and clip.h, called as users call them, with every
 * kernel table that this machine can run, and loops over GLM and Eigen beside them. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <quatsimd/quatsimd.h>

#include "bench.h"
#include "core/cpu.h"
#include "core/dispatch.h"
#include "baselines.h"
#include "peers.h"
#include "shim.h"

#define LARGEST_ANGLE 0.5f /* of rotations relative to others */
#define BODIES 4096
#define PACKETS (ROTATIONS / BODIES)
#define COUNTED_PACKETS 4
#define COUNTED_POSES 64

/* ---- operations ---- */

/* The content of an argument. */
typedef enum kind {
  NOTHING,
  UNIT,     /* uniformly distributed rotations */
  FREE,     /* the same, of lengths from 0.5 to 2 */
  NEAR,     /* the first argument turned by up to LARGEST_ANGLE */
  ONE_UNIT, /* one for all */
  POINT,    /* components from -1 to 1 */
  TURN,     /* rotation vectors of UNIT */
  VELOCITY, /* components from -4 to 4 */
  EULER,    /* -pi to pi, the second -pi/2 to pi/2 */
  FRACTION, /* 0 to 1 */
  ONE_STEP, /* 1/60 for all */
  /* only arrays of structs: */
  MATRIX,    /* 4x4, of UNIT */
  MATRIX3,   /* the same, 3x3 */
  MATRIX3X4, /* only results */
  SQT,       /* UNIT, POINT, a scale from 0.5 to 2 */
  CODE       /* 32 bits */
} kind;
static const struct {
  int components;
  bool one;
} kinds[] = {
    [UNIT] = {4, false},       [FREE] = {4, false},    [NEAR] = {4, false},    [ONE_UNIT] = {4, true},
    [POINT] = {3, false},      [TURN] = {3, false},    [EULER] = {3, false},   [VELOCITY] = {3, false},
    [FRACTION] = {1, false},   [ONE_STEP] = {1, true}, [MATRIX] = {16, false}, [MATRIX3] = {9, false},
    [MATRIX3X4] = {12, false}, [SQT] = {8, false},     [CODE] = {1, false},
};

enum { MOST_INPUTS = 3 };
typedef struct arguments {
  quatsimd_out out;
  quatsimd_in in[MOST_INPUTS];
  size_t count;
} arguments;

typedef struct operation {
  const char *name;
  kind out, in[MOST_INPUTS];
  quatsimd_status (*call)(const arguments *a);
  peer_fn *glm, *eigen;
  baseline_structs_fn *native, *clang;     /* plain loops over arrays of structs */
  baseline_soa_fn *native_soa, *clang_soa; /* and over arrays of components */
  bool kernel_alone;                       /* the gate counts the kernel (kernels.c), not calls */
} operation;

#define CALL1(name)                                                                                          \
  static quatsimd_status name(const arguments *a) { return quatsimd_##name(a->out, a->in[0], a->count); }
#define CALL2(name)                                                                                          \
  static quatsimd_status name(const arguments *a) {                                                          \
    return quatsimd_##name(a->out, a->in[0], a->in[1], a->count);                                            \
  }
#define CALL3(name)                                                                                          \
  static quatsimd_status name(const arguments *a) {                                                          \
    return quatsimd_##name(a->out, a->in[0], a->in[1], a->in[2], a->count);                                  \
  }
#define EULER_CALL(name)                                                                                     \
  static quatsimd_status name(const arguments *a) {                                                          \
    return quatsimd_##name(a->out, a->in[0], QUATSIMD_ROLL_PITCH_YAW, a->count);                             \
  }
CALL1(normalize)
CALL1(conjugate)
CALL1(inverse)
CALL2(scale)
CALL2(dot)
CALL1(norm)
CALL2(multiply)
CALL2(rotate)
CALL3(nlerp)
CALL3(lerp)
CALL3(slerp)
static quatsimd_status add_of(const arguments *a) {
  return quatsimd_add(a->out, a->in[0], a->in[1], a->count);
}
static quatsimd_status exp_of(const arguments *a) { return quatsimd_exp(a->out, a->in[0], a->count); }
static quatsimd_status log_of(const arguments *a) { return quatsimd_log(a->out, a->in[0], a->count); }
CALL1(from_matrix4)
CALL1(to_matrix4)
CALL1(from_matrix3)
CALL1(to_matrix3)
CALL2(sqt_compose)
CALL2(sqt_transform_points)
CALL1(sqt_to_matrix3x4)
static quatsimd_status qtangent_pack_tbn(const arguments *a) {
  const quatsimd_status status =
      quatsimd_qtangent_pack_tbn(a->out.x, 4 * a->count, a->in[0], a->in[1], a->in[2], a->count);
  /* some three of random vectors are in one plane */
  return status == QUATSIMD_WARNING_REPLACED_INVALID ? QUATSIMD_OK : status;
}
EULER_CALL(from_euler)
EULER_CALL(to_euler)
CALL3(integrate)

static quatsimd_status relative_pack(const arguments *a) {
  return quatsimd_relative_pack(QUATSIMD_RELATIVE_CAYLEY32, LARGEST_ANGLE, a->out.x, 4 * a->count, NULL,
                                a->in[0], a->in[1], a->count);
}
static quatsimd_status relative_unpack(const arguments *a) {
  return quatsimd_relative_unpack(QUATSIMD_RELATIVE_CAYLEY32, LARGEST_ANGLE, a->out, a->in[0], a->in[1].x,
                                  4 * a->count, a->count);
}

#ifdef QUATSIMD_BENCH_PEERS
#define PEERS(name) glm_##name, eigen_##name
#define PEER_GLM(name) glm_##name, NULL
const char *peer_versions(void) { return peers_versions; }
#else
#define PEERS(name) NULL, NULL
#define PEER_GLM(name) NULL, NULL
const char *peer_versions(void) { return "none"; }
#endif

#ifdef QUATSIMD_BENCH_NATIVE
#define NATIVE(name) native_##name
#else
#define NATIVE(name) NULL
#endif
#ifdef QUATSIMD_BENCH_CLANG
#define CLANG(name) clang_##name
#else
#define CLANG(name) NULL
#endif
#define STRUCTS(name) NATIVE(structs_##name), CLANG(structs_##name)
#define SOA(name) NATIVE(name), CLANG(name)
#define NONE NULL, NULL

static const operation operations[] = {
    {"multiply", UNIT, {UNIT, UNIT}, multiply, PEERS(multiply), STRUCTS(multiply), SOA(multiply), false},
    {"rotate", POINT, {UNIT, POINT}, rotate, PEERS(rotate), STRUCTS(rotate), SOA(rotate), false},
    {"rotate_by_one", POINT, {ONE_UNIT, POINT}, rotate, NONE, STRUCTS(rotate_by_one), NONE, false},
    {"nlerp", UNIT, {UNIT, UNIT, FRACTION}, nlerp, PEER_GLM(nlerp), STRUCTS(nlerp), SOA(nlerp), false},
    {"lerp", POINT, {POINT, POINT, FRACTION}, lerp, NONE, STRUCTS(lerp), NONE, false},
    {"slerp", UNIT, {UNIT, UNIT, FRACTION}, slerp, PEERS(slerp), STRUCTS(slerp), NONE, false},
    {"exp", UNIT, {TURN}, exp_of, PEERS(exp), STRUCTS(exp), NONE, false},
    {"log", TURN, {UNIT}, log_of, PEERS(log), STRUCTS(log), NONE, false},
    {"normalize", UNIT, {FREE}, normalize, PEERS(normalize), STRUCTS(normalize), SOA(normalize), false},
    {"conjugate", UNIT, {UNIT}, conjugate, PEERS(conjugate), STRUCTS(conjugate), SOA(conjugate), true},
    {"inverse", FREE, {FREE}, inverse, PEERS(inverse), STRUCTS(inverse), SOA(inverse), true},
    {"add", FREE, {UNIT, UNIT}, add_of, PEERS(add), STRUCTS(add), SOA(add), true},
    {"scale", FREE, {UNIT, FRACTION}, scale, PEERS(scale), STRUCTS(scale), SOA(scale), true},
    {"dot", FRACTION, {UNIT, UNIT}, dot, PEERS(dot), STRUCTS(dot), SOA(dot), true},
    {"norm", FRACTION, {FREE}, norm, PEERS(norm), STRUCTS(norm), SOA(norm), true},
    {"from_matrix4", UNIT, {MATRIX}, from_matrix4, NONE, STRUCTS(from_matrix4), NONE, false},
    {"to_matrix4", MATRIX, {UNIT}, to_matrix4, NONE, STRUCTS(to_matrix4), NONE, false},
    {"from_matrix3", UNIT, {MATRIX3}, from_matrix3, NONE, STRUCTS(from_matrix3), NONE, false},
    {"to_matrix3", MATRIX3, {UNIT}, to_matrix3, NONE, STRUCTS(to_matrix3), NONE, false},
    {"sqt_compose", SQT, {SQT, SQT}, sqt_compose, NONE, STRUCTS(sqt_compose), NONE, false},
    {"sqt_transform_points",
     POINT,
     {SQT, POINT},
     sqt_transform_points,
     NONE,
     STRUCTS(sqt_transform_points),
     NONE,
     false},
    {"sqt_to_matrix3x4", MATRIX3X4, {SQT}, sqt_to_matrix3x4, NONE, STRUCTS(sqt_to_matrix3x4), NONE, false},
    {"from_euler", UNIT, {EULER}, from_euler, NONE, STRUCTS(from_euler), NONE, false},
    {"to_euler", EULER, {UNIT}, to_euler, NONE, STRUCTS(to_euler), NONE, false},
    {"integrate", UNIT, {UNIT, VELOCITY, ONE_STEP}, integrate, NONE, STRUCTS(integrate), NONE, false},
    {"qtangent_pack_tbn", CODE, {POINT, POINT, POINT}, qtangent_pack_tbn, NONE, NONE, NONE, false},
    {"relative_pack", CODE, {UNIT, NEAR}, relative_pack, NONE, NONE, NONE, false},
    {"relative_unpack", UNIT, {UNIT, CODE}, relative_unpack, NONE, NONE, NONE, false},
};

/* Bytes of an element, read and written. An operand that is one for all stays in the first cache. */
static size_t element_bytes(const operation *o) {
  size_t floats = (size_t)kinds[o->out].components;
  for (int i = 0; i < MOST_INPUTS; i++)
    floats += kinds[o->in[i]].one ? 0 : (size_t)kinds[o->in[i]].components;
  return floats * sizeof(float);
}

/* ---- data ---- */

/* The arguments of one operation, and what memcpy copies. */
static struct {
  const void *of;
  quatsimd_view_layout layout;
  arguments a;
  size_t copy_bytes;
  char *memory, *at, *copy_from, *copy_to;
} ready;

static void *take(size_t bytes) {
  char *p = ready.at;
  ready.at += (bytes + 63) / 64 * 64 + APART;
  return p;
}

static void *allocate(size_t bytes) {
  void *p = malloc(bytes);
  if (!p) die("out of memory");
  return p;
}

static void check(quatsimd_status status) {
  if (status != QUATSIMD_OK) die(quatsimd_status_string(status));
}

static float between(float low, float high, uint64_t *state) {
  return low + (high - low) * (float)(random_bits(state) >> 40) * 0x1p-24f;
}

/* Every page is written before anything is timed, see formats.c. */
static void start_data(const void *of, size_t bytes, size_t copy_bytes) {
  free_buffers();
  free(ready.memory);
  const size_t total = bytes + 2 * copy_bytes + 32 * (APART + 64);
  ready.memory = allocate(total);
  memset(ready.memory, 1, total);
  ready.at = ready.memory + (64 - (uintptr_t)ready.memory % 64);
  ready.of = of;
  ready.copy_bytes = copy_bytes;
  ready.copy_from = take(copy_bytes);
  ready.copy_to = take(copy_bytes);
}

static void fill(kind k, float *to, const float *base, size_t count, uint64_t seed) {
  uint64_t state = seed * 1000003;
  switch (k) {
  case UNIT:
  case ONE_UNIT: random_rotations(to, count, seed); break;
  case FREE:
    random_rotations(to, count, seed);
    for (size_t i = 0; i < count; i++) {
      const float length = between(0.5f, 2, &state);
      for (int c = 0; c < 4; c++) to[4 * i + c] *= length;
    }
    break;
  case NEAR: /* components below 0.57 of the largest angle: the length is below it */
    for (size_t i = 0; i < count; i++) {
      float v[3], turn[4];
      for (int c = 0; c < 3; c++) v[c] = between(-0.57f * LARGEST_ANGLE, 0.57f * LARGEST_ANGLE, &state);
      check(quatsimd_exp(quatsimd_aos_out(turn), quatsimd_aos(v), 1));
      check(
          quatsimd_multiply(quatsimd_aos_out(to + 4 * i), quatsimd_aos(turn), quatsimd_aos(base + 4 * i), 1));
    }
    break;
  case POINT:
  case VELOCITY:
    for (size_t i = 0; i < 3 * count; i++) to[i] = between(-1, 1, &state) * (k == VELOCITY ? 4 : 1);
    break;
  case TURN:
  case MATRIX:
  case MATRIX3:
  case SQT: {
    float *q = allocate(16 * count);
    random_rotations(q, count, seed);
    if (k != SQT)
      check((k == TURN      ? quatsimd_log
             : k == MATRIX3 ? quatsimd_to_matrix3
                            : quatsimd_to_matrix4)(quatsimd_aos_out(to), quatsimd_aos(q), count));
    for (size_t i = 0; k == SQT && i < count; i++) {
      memcpy(to + 8 * i, q + 4 * i, 16);
      for (size_t c = 4; c < 7; c++) to[8 * i + c] = between(-1, 1, &state);
      to[8 * i + 7] = between(0.5f, 2, &state);
    }
    free(q);
    break;
  }
  case EULER:
    for (size_t i = 0; i < 3 * count; i++)
      to[i] = between(-1, 1, &state) * (i % 3 == 1 ? 1.570796f : 3.141592f);
    break;
  case FRACTION:
    for (size_t i = 0; i < count; i++) to[i] = between(0, 1, &state);
    break;
  case ONE_STEP: *to = 1.0f / 60; break;
  case CODE: {
    float *value = allocate(16 * count);
    fill(NEAR, value, base, count, seed);
    check(quatsimd_relative_pack(QUATSIMD_RELATIVE_CAYLEY32, LARGEST_ANGLE, to, 4 * count, NULL,
                                 quatsimd_aos(base), quatsimd_aos(value), count));
    free(value);
    break;
  }
  case MATRIX3X4:
  case NOTHING: break;
  }
}

static bool is_soa(kind k, quatsimd_view_layout layout) {
  return layout == QUATSIMD_VIEW_SOA && k < MATRIX && !kinds[k].one;
}

static void prepare(const operation *o, quatsimd_view_layout layout, size_t count) {
  if (ready.of == o && ready.layout == layout && ready.a.count == count) return;
  quatsimd_use_kernels(NULL);
  const size_t bytes = element_bytes(o) * count;
  start_data(o, bytes, bytes / 2);
  ready.layout = layout;
  ready.a.count = count;
  float *first = NULL; /* the first argument as array of structs */
  for (int i = 0; i < MOST_INPUTS && o->in[i] != NOTHING; i++) {
    const kind k = o->in[i];
    const size_t components = (size_t)kinds[k].components, n = kinds[k].one ? 1 : count;
    float *aos = allocate(n * components * sizeof(float));
    fill(k, aos, first, n, (uint64_t)i + 1);
    if (is_soa(k, layout)) {
      float *part[4] = {NULL};
      for (size_t c = 0; c < components; c++) {
        part[c] = take(n * sizeof(float));
        for (size_t e = 0; e < n; e++) part[c][e] = aos[e * components + c];
      }
      ready.a.in[i] =
          components == 1 ? quatsimd_aos(part[0]) : quatsimd_soa(part[0], part[1], part[2], part[3]);
    } else {
      float *to = take(n * components * sizeof(float));
      memcpy(to, aos, n * components * sizeof(float));
      ready.a.in[i] = kinds[k].one ? quatsimd_one(to) : quatsimd_aos(to);
    }
    if (i == 0) first = aos;
    else free(aos);
  }
  free(first);
  const int components = kinds[o->out].components;
  if (is_soa(o->out, layout)) {
    float *part[4] = {NULL};
    for (int c = 0; c < components; c++) part[c] = take(count * sizeof(float));
    ready.a.out = quatsimd_soa_out(part[0], part[1], part[2], part[3]);
  } else {
    ready.a.out = quatsimd_aos_out(take(count * (size_t)components * sizeof(float)));
  }
}

/* ---- streams ---- */

static struct {
  quatsimd_stream_options options;
  float *motion, *out; /* poses, one behind the other */
  unsigned char *packets, *spare;
  size_t count, most, size[PACKETS], memory_size, bytes;
  void *memory;
} stream = {.options = {sizeof(quatsimd_stream_options), BODIES, 1e-3f, .state_count = 16,
                        .receiver_count = 1, .reliable = 1}};
static const char stream_key;

/* Turns at a velocity that wanders: about 2 radians a second, seen 60 times a second. */
static void make_motion(void) {
  const float dt = 1.0f / 60;
  static float velocity[3 * BODIES];
  uint64_t state = 1;
  random_rotations(stream.motion, BODIES, 1);
  for (size_t i = 0; i < 3 * BODIES; i++) velocity[i] = between(-3.5f, 3.5f, &state);
  for (size_t f = 1; f < stream.count; f++) {
    for (size_t i = 0; i < 3 * BODIES; i++) velocity[i] = 0.98f * velocity[i] + between(-0.7f, 0.7f, &state);
    check(quatsimd_integrate(quatsimd_aos_out(stream.motion + 4 * BODIES * f),
                             quatsimd_aos(stream.motion + 4 * BODIES * (f - 1)), quatsimd_aos(velocity),
                             quatsimd_one(&dt), BODIES));
  }
}

static void encode_all(unsigned char *packets) {
  quatsimd_stream *s;
  check(quatsimd_stream_init(&s, stream.memory, stream.memory_size, &stream.options));
  for (size_t f = 0; f < stream.count; f++)
    check(quatsimd_stream_encode(s, packets + stream.most * f, stream.most, &stream.size[f],
                                 quatsimd_aos(stream.motion + 4 * BODIES * f), (uint32_t)f, 0));
}

static void decode_all(void) {
  quatsimd_stream *s;
  uint32_t time;
  check(quatsimd_stream_init(&s, stream.memory, stream.memory_size, &stream.options));
  for (size_t f = 0; f < stream.count; f++)
    check(quatsimd_stream_decode(s, quatsimd_aos_out(stream.out + 4 * BODIES * f), &time,
                                 stream.packets + stream.most * f, stream.size[f]));
}

static void prepare_stream(size_t packets) {
  if (ready.of == &stream_key && stream.count == packets) return;
  quatsimd_use_kernels(NULL);
  stream.count = packets;
  stream.most = quatsimd_stream_max_packet_size(&stream.options);
  stream.memory_size = quatsimd_stream_memory_size(&stream.options);
  if (!stream.most || !stream.memory_size) die("options of a stream");
  const size_t floats = (size_t)4 * BODIES * packets * sizeof(float);
  start_data(&stream_key, 2 * floats + 2 * packets * stream.most + stream.memory_size, floats);
  stream.motion = take(floats);
  stream.out = take(floats);
  stream.packets = take(packets * stream.most);
  stream.spare = take(packets * stream.most);
  stream.memory = take(stream.memory_size);
  make_motion();
  encode_all(stream.packets);
  stream.bytes = 0;
  for (size_t f = 0; f < stream.count; f++) stream.bytes += stream.size[f];
  ready.copy_bytes = (floats + stream.bytes) / 2;
  decode_all();
  for (size_t i = 0; i < BODIES * packets; i++) { /* the chord is at most half the angle */
    double minus = 0, plus = 0;
    for (int c = 0; c < 4; c++) {
      const double a = stream.motion[4 * i + c], b = stream.out[4 * i + c];
      minus += (a - b) * (a - b), plus += (a + b) * (a + b);
    }
    if (!(sqrt(minus < plus ? minus : plus) <= 0.5 * (double)stream.options.bound))
      die("a stream is beyond its bound");
  }
}

/* ---- measuring ---- */

/* Functions that are no operations on arrays. */
typedef struct special {
  const char *name;
  size_t count; /* in the row's name */
  bool is_stream;
  void (*call)(void);
} special;
static void stream_encode(void) { encode_all(stream.spare); }
static const special others[] = {
    {"stream_encode", BODIES, true, stream_encode},
    {"stream_decode", BODIES, true, decode_all},
    /* for the gate alone: `quatsimd compress` shows what clips take */
    {"clip_seek", CLIP_JOINTS, false, seek_clip},
    {"pose_evaluate", CLIP_JOINTS, false, evaluate_jobs},
    {"clip_decode", CLIP_JOINTS, false, decode_clip},
    {"clip_encode", ENCODED_JOINTS, false, encode_clip},
};
static size_t stream_packets = PACKETS, clip_poses = 16;

typedef struct operation_case {
  char name[96];
  const operation *operation; /* null: `other` */
  const special *other;
  const quatsimd_kernels *table; /* null: a peer or a plain loop */
  peer_fn *peer;
  baseline_soa_fn *loop;
  quatsimd_view_layout layout;
  size_t count, elements, calls /* that are counted */;
} operation_case;

static void prepare_case(operation_case *c) {
  if (c->operation) {
    prepare(c->operation, c->layout, c->count);
    c->elements = c->count;
  } else if (c->other->is_stream) {
    prepare_stream(stream_packets);
    c->elements = BODIES * stream.count;
  } else {
    if (ready.of != c->other) {
      quatsimd_use_kernels(NULL);
      ready.copy_bytes = prepare_clip(c->other->count, clip_poses) / 2;
      start_data(c->other, 0, ready.copy_bytes);
    }
    c->elements = clip_poses * c->other->count;
  }
}

static void call_loop(baseline_soa_fn *loop, const arguments *a) {
  const float *in[4 * MOST_INPUTS];
  size_t n = 0;
  for (int k = 0; k < MOST_INPUTS && a->in[k].x; k++) {
    const float *const component[] = {a->in[k].x, a->in[k].y, a->in[k].z, a->in[k].w};
    for (int c = 0; c < 4 && component[c]; c++) in[n++] = component[c];
  }
  loop((float *[]){a->out.x, a->out.y, a->out.z, a->out.w}, in, a->count);
}

static double time_calls(void *context, size_t calls) {
  const operation_case *c = context;
  const arguments *a = &ready.a;
  quatsimd_use_kernels(c->table);
  const double start = seconds();
  for (; calls > 0; calls--)
    if (!c->operation) c->other->call();
    else if (c->loop) call_loop(c->loop, a);
    else if (c->peer) c->peer(a->out.x, a->in[0].x, a->in[1].x, a->in[2].x, a->count);
    else check(c->operation->call(a));
  return seconds_since(start);
}

static double time_copies(void *context, size_t calls) {
  (void)context;
  const double start = seconds();
  for (; calls > 0; calls--) memcpy(ready.copy_to, ready.copy_from, ready.copy_bytes);
  return seconds_since(start);
}

/* Both sides of a comparison must compute the same, but for a few results that a rounding decides: which arc
 * is the shorter one. */
static void take_results(float *to, const operation_case *c) {
  const size_t components = (size_t)kinds[c->operation->out].components;
  const quatsimd_out *out = &ready.a.out;
  float *const component[] = {out->x, out->y, out->z, out->w};
  for (size_t i = 0; i < c->count; i++)
    for (size_t k = 0; k < components; k++)
      to[components * i + k] = c->layout == QUATSIMD_VIEW_SOA ? component[k][i] : out->x[components * i + k];
}

static void compare_peer(operation_case *c) {
  const size_t components = (size_t)kinds[c->operation->out].components, floats = components * c->count;
  float *theirs = allocate(floats * sizeof(float)), *ours = allocate(floats * sizeof(float));
  time_calls(c, 1);
  take_results(theirs, c);
  check(c->operation->call(&ready.a));
  take_results(ours, c);
  size_t different = 0;
  for (size_t i = 0; i < floats; i += components) {
    bool same = true;
    for (size_t k = 0; k < components; k++) same &= fabsf(ours[i + k] - theirs[i + k]) <= 1e-3f;
    different += !same;
  }
  free(theirs), free(ours);
  if (different > c->count / 10000) {
    fprintf(stderr, "quatsimd-bench: %s: %zu of %zu results differ from ours\n", c->name, different,
            c->count);
    exit(1);
  }
}

static void run(void *context, bench_state *state) {
  operation_case *c = context;
  prepare_case(c);
  if (c->peer || c->loop) compare_peer(c);
  const measurement m = measure(time_calls, time_copies, c);
  quatsimd_use_kernels(NULL);

  const double elements = (double)c->elements;
  bench_set_time(state, m.call);
  bench_set_counter(state, "ns_per_quat", m.call.seconds / elements * 1e9);
  bench_set_counter(state, "memcpy_ns_per_quat", m.beside.seconds / elements * 1e9);
  bench_set_counter(state, "memcpy_ratio", m.call.seconds / m.beside.seconds);
  bench_set_counter(state, "bytes_per_second", 2.0 * (double)ready.copy_bytes / m.call.seconds);
  bench_set_counter(state, "ghz", m.ghz);
  if (c->other && c->other->is_stream)
    bench_set_counter(state, "bits_per_quat", 8.0 * (double)stream.bytes / elements);
}

/* For --count. */
static size_t prepare_call(void *context, size_t times) {
  operation_case *c = context;
  c->calls = c->count == 1 ? times * GATE_CALLS : 1;
  if (c->count > 1) c->count = times * GATE_COUNT;
  stream_packets = times * COUNTED_PACKETS;
  clip_poses = times * COUNTED_POSES;
  ready.of = NULL;
  prepare_case(c);
  return c->elements * c->calls;
}

static void call_once(void *context) {
  const operation_case *c = context;
  time_calls(context, c->calls);
  quatsimd_use_kernels(NULL);
}

static void add(const operation *o, const special *other, const char *kernels, const quatsimd_kernels *table,
                peer_fn *peer, baseline_soa_fn *loop, quatsimd_view_layout layout, size_t count) {
  operation_case *c = calloc(1, sizeof *c);
  if (!c) die("out of memory");
  c->operation = o;
  c->other = other;
  c->table = table;
  c->peer = peer;
  c->loop = loop;
  c->layout = layout;
  c->count = count;
  snprintf(c->name, sizeof c->name, "operation/%s/%s/%s/%zu", kernels, o ? o->name : other->name,
           layout == QUATSIMD_VIEW_SOA ? "soa" : "aos", count);
  add_row(c->name, run, prepare_call, call_once, c);
}

void add_operations(bench_extent extent) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
    const operation *o = &operations[i];
    const bool any_soa = is_soa(o->out, QUATSIMD_VIEW_SOA) || is_soa(o->in[0], QUATSIMD_VIEW_SOA);
    /* aos and soa, if any is, and aos of the largest count; the gate counts calls for one element instead */
    for (int round = 0; round < (extent == QUICK ? 2 : 3); round++) {
      if (round == 1 && !any_soa) continue;
      if (round < 2 && extent == GATE && o->kernel_alone) continue;
      const quatsimd_view_layout layout = round == 1 ? QUATSIMD_VIEW_SOA : QUATSIMD_VIEW_AOS;
      const size_t count = extent != GATE ? round == 2 ? MOST : ROTATIONS : round == 2 ? 1 : GATE_COUNT;
      for (size_t k = 0; quatsimd_kernel_list[k]; k++) {
        const quatsimd_kernels *table = quatsimd_kernel_list[k];
        if (has_arrays(k) && (round < 2 || quatsimd_kernel_list[k + 1])) /* scalar takes too long */
          add(o, NULL, table->name, table, NULL, NULL, layout, count);
      }
      if (extent == GATE) continue;
      if (round == 0 && o->glm) add(o, NULL, "glm", NULL, o->glm, NULL, layout, count);
      if (round == 0 && o->eigen) add(o, NULL, "eigen", NULL, o->eigen, NULL, layout, count);
      if (round == 0 && o->native) add(o, NULL, "c-native", NULL, o->native, NULL, layout, count);
      if (round == 0 && o->clang) add(o, NULL, "c-clang", NULL, o->clang, NULL, layout, count);
      if (round == 1 && o->native_soa) add(o, NULL, "c-native", NULL, NULL, o->native_soa, layout, count);
      if (round == 1 && o->clang_soa) add(o, NULL, "c-clang", NULL, NULL, o->clang_soa, layout, count);
    }
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    for (size_t k = 0; quatsimd_kernel_list[k]; k++)
      if (others[i].is_stream ? has_arrays(k)
                              : extent == GATE && quatsimd_cpu_can_run(quatsimd_kernel_list[k]->name))
        add(NULL, &others[i], quatsimd_kernel_list[k]->name, quatsimd_kernel_list[k], NULL, NULL,
            QUATSIMD_VIEW_AOS, others[i].count);
}
