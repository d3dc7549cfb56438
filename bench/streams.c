/* Sends traces of bodies and figures through a stream over a simulated link, and prints the costs:
 * quatsimd-bench-streams TRACE [NAME=VALUE]... README.md has the names and the format of traces. */
#ifdef __linux__
#define _POSIX_C_SOURCE 200809L
#endif
#include <quatsimd/quatsimd.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "angle.h"

static struct {
  double figure, bound, mm, delay, loss, jitter, rotations, states, gravity, limit, points, at, track, seed;
} set = {.bound = 0.25, .mm = 1, .delay = 6, .states = 64, .gravity = 9.81, .at = 100};
static const struct {
  const char *name;
  double *value;
} names[] = {
    {"figure", &set.figure},   {"limit", &set.limit},         {"bound", &set.bound},
    {"mm", &set.mm},           {"delay", &set.delay},         {"loss", &set.loss},
    {"jitter", &set.jitter},   {"rotations", &set.rotations}, {"states", &set.states},
    {"gravity", &set.gravity}, {"points", &set.points},       {"at", &set.at},
    {"track", &set.track},     {"seed", &set.seed},
};
enum { NAMES = sizeof names / sizeof *names };

static void must(int good, const char *what) {
  if (!good) fprintf(stderr, "quatsimd-bench-streams: %s\n", what), exit(1);
}
/* Memory until the program ends. */
static void *blocks[32];
static size_t block_count;
static void free_all(void) {
  while (block_count > 0) free(blocks[--block_count]);
}
static void *allocate(size_t count, size_t size) {
  void *const p = calloc(count ? count : 1, size);
  must(p != NULL && block_count < sizeof blocks / sizeof *blocks, "out of memory");
  return blocks[block_count++] = p;
}

/* ---- the link ---- */

static uint64_t random_state;
static void begin_random(uint64_t number) {
  random_state = 88172645463325252u + 977 * ((uint64_t)set.seed + number);
}
static double any(void) {
  random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
  return (double)(random_state >> 11) / 0x1p53;
}
/* Loses packets in bursts of 1 to 3. */
static unsigned char *arrivals(size_t count) {
  unsigned char *const arrives = allocate(count + 8, 1);
  begin_random(1);
  for (int i = 0; i < 20; i++) any();
  for (size_t i = 0; i < count;) {
    if (set.loss > 0 && any() < set.loss / (2 * (1 - set.loss))) {
      for (int burst = 1 + (int)(any() * 3); burst-- && i < count;) arrives[i++] = 0;
      if (i < count) arrives[i++] = 1;
    } else {
      arrives[i++] = 1;
    }
  }
  return arrives;
}

/* ---- traces ---- */

static struct {
  size_t frames, bodies, tracks, rate, width;
  int32_t *parents;
  float *bones, *values;
} trace;

static void read_trace(const char *path) {
  FILE *const f = fopen(path, "rb");
  int32_t head[4];
  must(f && fread(head, 4, 4, f) == 4, "no trace");
  trace.frames = (size_t)head[0], trace.bodies = (size_t)head[1], trace.tracks = (size_t)head[2];
  trace.rate = (size_t)head[3];
  trace.width = set.figure ? 3 + 4 * trace.bodies + trace.tracks : 7 * trace.bodies + trace.tracks;
  if (set.figure) {
    trace.parents = allocate(trace.bodies, 4), trace.bones = allocate(3 * trace.bodies, 4);
    must(fread(trace.parents, 4, trace.bodies, f) == trace.bodies &&
             fread(trace.bones, 12, trace.bodies, f) == trace.bodies,
         "short trace");
  }
  trace.values = allocate(trace.frames * trace.width, sizeof(float));
  must(fread(trace.values, 4 * trace.width, trace.frames, f) == trace.frames, "short trace");
  fclose(f);
}
static const float *rotations_of(size_t frame) { return trace.values + frame * trace.width + 3; }
static size_t rotation_stride(void) { return set.figure ? 16 : 28; }

static const float *tracks_of(size_t frame) {
  return trace.values + (frame + 1) * trace.width - trace.tracks;
}

/* ---- figures ---- */

/* Makes the skeleton of the trace. */
static quatsimd_skeleton *skeleton_of_trace(quatsimd_skeleton_storage *storage) {
  quatsimd_skeleton_joint *const joints = allocate(trace.bodies, sizeof *joints);
  for (size_t j = 0; j < trace.bodies; j++) {
    const float *const bone = trace.bones + 3 * j;
    joints[j] = (quatsimd_skeleton_joint){.name = "",
                                          .parent = trace.parents[j],
                                          .rotation = {0, 0, 0, 1},
                                          .translation = {bone[0], bone[1], bone[2]},
                                          .scale = {1, 1, 1}};
  }
  const quatsimd_skeleton_source source = {.joint_count = trace.bodies, .joints = joints, .metres = 1};
  quatsimd_skeleton *skeleton = NULL;
  void *data;
  size_t size;
  must(quatsimd_skeleton_encode(&data, &size, &source, NULL, NULL) == QUATSIMD_OK &&
           quatsimd_skeleton_open(&skeleton, storage, sizeof *storage, data, size) == QUATSIMD_OK,
       "the trace has no skeleton");
  return skeleton;
}

static int ever_turns(size_t joint) {
  for (size_t n = 1; n < trace.frames; n++)
    if (memcmp(rotations_of(n) + 4 * joint, rotations_of(0) + 4 * joint, 16) != 0) return 1;
  return 0;
}

/* Sets the options for a bound on points in model space. */
static void bound_points(quatsimd_stream_options *o) {
  static quatsimd_skeleton_storage storage;
  float *const bounds = allocate(trace.bodies, sizeof(float));
  for (size_t j = 0; j < trace.bodies; j++) bounds[j] = (float)ever_turns(j);
  o->skeleton = skeleton_of_trace(&storage), o->bounds = bounds, o->rest = rotations_of(0);
  o->object_bound = (float)(set.points / 1000), o->object_distance = (float)(set.at / 1000);
  must(quatsimd_stream_bounds(bounds, &o->position_bound, o->skeleton, 1, o->object_bound,
                              o->object_distance) == QUATSIMD_OK,
       "no bounds of joints hold this bound of points");
}

/* ---- errors ---- */

static double distance(const float *p, const float *q) {
  double d2 = 0;
  for (int i = 0; i < 3; i++) d2 += ((double)p[i] - q[i]) * ((double)p[i] - q[i]);
  return sqrt(d2);
}

typedef struct place {
  double q[4], at[3];
} place;
/* Computes joint j in model space. `local` is its rotation, and `bone` its place in the parent. */
static void put_in_model(place *all, size_t j, const float *local, const float *bone) {
  static const place origin = {{0, 0, 0, 1}, {0, 0, 0}};
  const place *const p = trace.parents[j] < 0 ? &origin : all + trace.parents[j];
  const double *const a = p->q;
  const double length = sqrt((double)local[0] * local[0] + (double)local[1] * local[1] +
                             (double)local[2] * local[2] + (double)local[3] * local[3]);
  const double b[4] = {local[0] / length, local[1] / length, local[2] / length, local[3] / length};
  all[j].q[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
  for (int i = 0, k = 1, l = 2; i < 3; k = l, l = i++) {
    /* i, k, l are a cyclic order of the axes */
    all[j].q[i] = a[3] * b[i] + a[i] * b[3] + a[k] * b[l] - a[l] * b[k];
  }
  double t[3];
  for (int i = 0, k = 1, l = 2; i < 3; k = l, l = i++) t[i] = 2 * (a[k] * bone[l] - a[l] * bone[k]);
  for (int i = 0, k = 1, l = 2; i < 3; k = l, l = i++)
    all[j].at[i] = p->at[i] + bone[i] + a[3] * t[i] + a[k] * t[l] - a[l] * t[k];
}

/* Returns the largest error, in mm, of points that are fixed to a joint at the distance `at` from it. Adds
 * each joint's to *sum. */
static double worst_point(const float *root, const float *rotations, const float *got_root, const float *got,
                          double *sum) {
  static place *sent, *back;
  double worst = 0;
  if (!sent) sent = allocate(trace.bodies, sizeof *sent), back = allocate(trace.bodies, sizeof *back);
  for (size_t j = 0; j < trace.bodies; j++) {
    const float *const bone = trace.bones + 3 * j;
    put_in_model(sent, j, rotations + 4 * j, j ? bone : root);
    put_in_model(back, j, got + 4 * j, j ? bone : got_root);
    double dot = 0, chord2 = 0, off2 = 0;
    for (int i = 0; i < 4; i++) dot += sent[j].q[i] * back[j].q[i];
    for (int i = 0; i < 4; i++) {
      const double by = sent[j].q[i] - copysign(1, dot) * back[j].q[i];
      chord2 += by * by;
    }
    for (int i = 0; i < 3; i++) off2 += (sent[j].at[i] - back[j].at[i]) * (sent[j].at[i] - back[j].at[i]);
    /* chord2 is 2 - 2 cos of half the angle; points go 2 sin of it */
    const double mm = 1000 * sqrt(off2) + set.at * sqrt(chord2 * (4 - chord2));
    worst = fmax(worst, mm), *sum += mm;
  }
  return worst;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static quatsimd_stream *open_stream(const quatsimd_stream_options *options) {
  quatsimd_stream *stream = NULL;
  const size_t size = quatsimd_stream_memory_size(options);
  must(size && quatsimd_stream_init(&stream, allocate(size, 1), size, options) == QUATSIMD_OK,
       "no stream has these settings");
  return stream;
}

static void read_settings(int argc, char **argv) {
  must(argc > 1, "no trace");
  for (int a = 2; a < argc; a++) {
    int known = 0;
    for (int i = 0; i < NAMES; i++) {
      const size_t length = strlen(names[i].name);
      if (strncmp(argv[a], names[i].name, length) == 0 && argv[a][length] == '=')
        *names[i].value = atof(argv[a] + length + 1), known = 1;
    }
    must(known, argv[a]);
  }
}

static quatsimd_stream_options options_of_trace(void) {
  static float gravity[3];
  quatsimd_stream_options o;
  quatsimd_stream_options_init(&o, sizeof o);
  gravity[2] = (float)(-set.gravity / (double)(trace.rate * trace.rate));
  o.body_count = trace.bodies, o.bound = (float)(set.bound / DEGREES), o.limit = (size_t)set.limit;
  o.state_count = (int)set.states;
  if (!set.rotations)
    o.position_count = set.figure ? 1 : trace.bodies, o.position_bound = (float)(set.mm / 1000);
  if (!set.rotations && !set.figure) o.gravity = gravity;
  if (set.track > 0) o.track_count = trace.tracks, o.track_bound = (float)set.track;
  if (set.points > 0) {
    must(set.figure && !set.rotations, "only figures with positions have points");
    bound_points(&o);
  }
  return o;
}

/* ---- results ---- */

typedef struct pose {
  float *rotations, *positions, *tracks;
} pose;
static pose new_pose(void) {
  return (pose){allocate(4 * trace.bodies, 4), allocate(3 * trace.bodies, 4), allocate(trace.tracks, 4)};
}

static struct {
  double bytes, longest, encode_ns, decode_ns;
  double angle, mm, point, track; /* the worst errors */
  double points;                  /* the sum of errors of points */
  size_t far, decoded, keys, rest, trembling;
} result;

static void compare(size_t frame, pose got, const quatsimd_stream_options *o) {
  const float *const p = trace.values + frame * trace.width, *const q = rotations_of(frame);
  for (size_t b = 0; b < trace.bodies; b++) {
    result.angle = fmax(result.angle, angle(q + b * rotation_stride() / 4, got.rotations + 4 * b));
    if (b >= o->position_count) continue;
    const double mm = 1000 * distance(p + 7 * b, got.positions + 3 * b);
    result.mm = fmax(result.mm, mm), result.far += mm > 10;
  }
  for (size_t t = 0; t < o->track_count; t++)
    result.track = fmax(result.track, fabs((double)got.tracks[t] - tracks_of(frame)[t]));
  if (set.figure && !set.rotations)
    result.point = fmax(result.point, worst_point(p, q, got.positions, got.rotations, &result.points));
}

/* Returns how many frames a body has rested, at most a second. */
static size_t rested(size_t frame, size_t body) {
  const float *const root = trace.values + frame * trace.width, *const own =
                                                                    set.figure
                                                                        ? rotations_of(frame) + 4 * body
                                                                        : root + 7 * body;
  size_t frames = 0;
  for (size_t m = 1; m <= trace.rate && m <= frame; m++, frames++)
    if (memcmp(own, own - m * trace.width, rotation_stride()) != 0 ||
        (set.points > 0 && memcmp(root, root - m * trace.width, 12) != 0))
      break;
  return frames;
}

/* Counts bodies that had rested for a second, and those of them that changed. */
static void count_rest(size_t frame, pose got, pose before, const quatsimd_stream_options *o) {
  static size_t *since;
  if (!since) since = allocate(trace.bodies, sizeof *since);
  for (size_t b = 0; b < trace.bodies; b++) {
    since[b] = rested(frame, b);
    /* a joint that is coded for its place in model space rests if those above it do */
    if (set.points > 0 && trace.parents[b] >= 0 && since[trace.parents[b]] < since[b])
      since[b] = since[trace.parents[b]];
    if (since[b] < trace.rate) continue;
    result.rest++;
    result.trembling +=
        memcmp(got.rotations + 4 * b, before.rotations + 4 * b, 16) != 0 ||
        (b < o->position_count && memcmp(got.positions + 3 * b, before.positions + 3 * b, 12) != 0);
  }
}

static void print(const char *path, const quatsimd_stream_options *o) {
  const double frames = (double)trace.frames, poses = (double)(result.decoded * trace.bodies);
  printf("%-12s %6.2f kbit/s %5.2f bits/body keys %zu longest %.0f | worst %.4f deg %.4f mm | rest %zu "
         "trembles %zu (%.2f%%)",
         strrchr(path, '/') ? strrchr(path, '/') + 1 : path,
         result.bytes * 8 / frames * (double)trace.rate / 1000,
         result.bytes * 8 / (frames * (double)trace.bodies), result.keys, result.longest, result.angle,
         result.mm, result.rest, result.trembling,
         result.rest ? 100. * (double)result.trembling / (double)result.rest : 0);
  if (set.figure)
    printf(" | points: worst %.4f mean %.4f mm, tracks: worst %.5f", result.point, result.points / poses,
           result.track);
  printf(" | beyond 10 mm %.2f%%", 100. * (double)result.far / poses);
  printf(" | encode %.2f decode %.2f us | memory %zu\n", result.encode_ns / frames / 1000,
         result.decode_ns / (double)result.decoded / 1000, quatsimd_stream_memory_size(o));
}

/* ---- the two sides ---- */

/* Encodes a frame. Returns the size of the packet. */
static size_t encode(quatsimd_stream *sender, unsigned char *packet, size_t most, size_t frame) {
  const quatsimd_pose_in in = {.rotations = quatsimd_strided(rotations_of(frame), rotation_stride()),
                               .translations =
                                   quatsimd_strided(trace.values + frame * trace.width, set.figure ? 12 : 28),
                               .tracks = tracks_of(frame)};
  size_t size = 0;
  const double start = now();
  const quatsimd_status status =
      quatsimd_stream_encode_pose(sender, packet, most, &size, &in, (uint32_t)frame, 0);
  result.encode_ns += now() - start;
  must(status == QUATSIMD_OK, "encode");
  result.bytes += (double)size, result.keys += packet[0] & 1;
  if (!(packet[0] & 1)) result.longest = fmax(result.longest, (double)size);
  return size;
}

/* Decodes a packet. Returns false if it is a part of a key packet. */
static int decode(quatsimd_stream *receiver, const unsigned char *packet, size_t size, size_t frame,
                  pose to) {
  quatsimd_pose_out out = {.rotations = quatsimd_aos_out(to.rotations)};
  if (!set.rotations) out.translations = quatsimd_strided_out(to.positions, 12);
  if (set.track > 0) out.tracks = to.tracks;
  uint32_t time = 0;
  const double start = now();
  const quatsimd_status status = quatsimd_stream_decode_pose(receiver, &out, &time, packet, size);
  result.decode_ns += now() - start;
  if (set.limit > 0 && packet[0] & 1 && (status == QUATSIMD_ERROR_NEED_KEY || time != frame)) return 0;
  must(status == QUATSIMD_OK, quatsimd_status_string(status));
  must(time == frame, "has another time");
  result.decoded++;
  return 1;
}

int main(int argc, char **argv) {
  atexit(free_all);
  read_settings(argc, argv);
  read_trace(argv[1]);
  const size_t F = trace.frames, delay = (size_t)set.delay;
  const unsigned char *const arrives = arrivals(F);
  const quatsimd_stream_options o = options_of_trace();
  quatsimd_stream *const sender = open_stream(&o), *const receiver = open_stream(&o);
  const size_t most = quatsimd_stream_max_packet_size(&o);
  unsigned char *const packet = allocate(most, 1), (*const acks)[12] = allocate(F, 12);
  size_t *const heard_at = allocate(F, sizeof(size_t));
  const pose got = new_pose(), before = new_pose();
  begin_random(1000);
  for (size_t n = 0; n < F; n++) heard_at[n] = n + delay + (size_t)(any() * (set.jitter + 1));
  for (size_t n = 0; n < F; n++) {
    for (size_t m = n < 100 ? 0 : n - 100; m < n; m++)
      if (arrives[m] && heard_at[m] == n) quatsimd_stream_acknowledged(sender, 0, acks[m], 12);
    const size_t size = encode(sender, packet, most, n);
    if (!arrives[n]) continue;
    const int complete = decode(receiver, packet, size, n, got);
    quatsimd_stream_acknowledge(receiver, acks[n]);
    if (!complete) continue;
    compare(n, got, &o);
    count_rest(n, got, before, &o);
    memcpy(before.rotations, got.rotations, 16 * trace.bodies);
    memcpy(before.positions, got.positions, 12 * trace.bodies);
  }
  print(argv[1], &o);
  return 0;
}
