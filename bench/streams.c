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
  double figure, bound, mm, delay, loss, jitter, rotations, states, gravity, limit;
} set = {.bound = 0.25, .mm = 1, .delay = 6, .states = 64, .gravity = 9.81};
static const struct {
  const char *name;
  double *value;
} names[] = {
    {"figure", &set.figure},   {"limit", &set.limit},         {"bound", &set.bound},
    {"mm", &set.mm},           {"delay", &set.delay},         {"loss", &set.loss},
    {"jitter", &set.jitter},   {"rotations", &set.rotations}, {"states", &set.states},
    {"gravity", &set.gravity},
};
enum { NAMES = sizeof names / sizeof *names };

static void must(int good, const char *what) {
  if (!good) fprintf(stderr, "quatsimd-bench-streams: %s\n", what), exit(1);
}
static void *allocate(size_t count, size_t size) {
  void *p = calloc(count ? count : 1, size);
  must(p != NULL, "out of memory");
  return p;
}

/* ---- the link ---- */

static uint64_t seed;
static double any(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (double)(seed >> 11) / 0x1p53;
}
/* Loses packets in bursts of 1 to 3. */
static unsigned char *arrivals(size_t count) {
  unsigned char *const arrives = allocate(count + 8, 1);
  seed = 88172645463325252u + 977;
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

/* ---- errors ---- */

static double distance(const float *p, const float *q) {
  double d2 = 0;
  for (int i = 0; i < 3; i++) d2 += ((double)p[i] - q[i]) * ((double)p[i] - q[i]);
  return sqrt(d2);
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

int main(int argc, char **argv) {
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
  read_trace(argv[1]);
  const size_t F = trace.frames, N = trace.bodies, delay = (size_t)set.delay;
  unsigned char *const arrives = arrivals(F);
  quatsimd_stream_options o;
  quatsimd_stream_options_init(&o, sizeof o);
  const float gravity[3] = {0, 0, (float)(-set.gravity / (double)(trace.rate * trace.rate))};
  o.body_count = N, o.bound = (float)(set.bound / DEGREES), o.limit = (size_t)set.limit,
  o.state_count = (int)set.states;
  if (!set.rotations)
    o.position_count = set.figure ? 1 : N, o.position_bound = (float)(set.mm / 1000), o.gravity = gravity;
  quatsimd_stream *const sender = open_stream(&o), *const receiver = open_stream(&o);
  const size_t most = quatsimd_stream_max_packet_size(&o);
  unsigned char *const packet = allocate(most, 1), (*const acks)[12] = allocate(F, 12);
  size_t *const heard_at = allocate(F, sizeof(size_t)), *const since = allocate(N, sizeof(size_t));
  float *const got = allocate(4 * N, 4), *const before = allocate(4 * N, 4), *const at = allocate(3 * N, 4),
               *const at_before = allocate(3 * N, 4);
  double bytes = 0, worst_angle = 0, worst_mm = 0, encode_ns = 0, decode_ns = 0, longest = 0;
  size_t far = 0, decoded = 0, keys = 0, rest = 0, trembling = 0;
  seed = 99991;
  for (size_t n = 0; n < F; n++) heard_at[n] = n + delay + (size_t)(any() * (set.jitter + 1));
  for (size_t n = 0; n < F; n++) {
    for (size_t m = n < 100 ? 0 : n - 100; m < n; m++)
      if (arrives[m] && heard_at[m] == n) quatsimd_stream_acknowledged(sender, 0, acks[m], 12);
    const float *const q = rotations_of(n), *const p = trace.values + n * trace.width;
    quatsimd_pose_in in = {.rotations = quatsimd_strided(q, rotation_stride()),
                           .translations = quatsimd_strided(p, set.figure ? 12 : 28)};
    size_t written = 0;
    double start = now();
    const quatsimd_status status =
        quatsimd_stream_encode_pose(sender, packet, most, &written, &in, (uint32_t)n, 0);
    encode_ns += now() - start;
    must(status == QUATSIMD_OK, "encode");
    bytes += (double)written, keys += packet[0] & 1;
    if (!(packet[0] & 1) && (double)written > longest) longest = (double)written;
    if (!arrives[n]) continue;
    quatsimd_pose_out out = {.rotations = quatsimd_aos_out(got)};
    if (!set.rotations) out.translations = quatsimd_strided_out(at, 12);
    uint32_t time = 0;
    start = now();
    const quatsimd_status s = quatsimd_stream_decode_pose(receiver, &out, &time, packet, written);
    decode_ns += now() - start;
    must(s == QUATSIMD_OK, quatsimd_status_string(s));
    must(time == n, "has another time");
    decoded++;
    quatsimd_stream_acknowledge(receiver, acks[n]);
    for (size_t b = 0; b < N; b++) {
      const float *const from = trace.values + n * trace.width + (set.figure ? 3 + 4 * b : 7 * b + 3);
      worst_angle = fmax(worst_angle, angle(from, got + 4 * b));
      if (!set.rotations && b < o.position_count) {
        const double mm = 1000 * distance(trace.values + n * trace.width + 7 * b, at + 3 * b);
        worst_mm = fmax(worst_mm, mm), far += mm > 10;
      }
      since[b] = 0;
      const size_t width = set.figure ? 16 : 28, bytes_before = trace.width * 4;
      const char *const now_ = (const char *)(set.figure ? from : from - 3);
      for (size_t m = 1; m <= trace.rate && m <= n; m++) {
        if (memcmp(now_, now_ - m * bytes_before, width) != 0) break;
        since[b] = m;
      }
      if (since[b] < trace.rate) continue;
      rest++;
      trembling += memcmp(got + 4 * b, before + 4 * b, 16) != 0 ||
                   (b < o.position_count && memcmp(at + 3 * b, at_before + 3 * b, 12) != 0);
    }
    memcpy(before, got, 16 * N), memcpy(at_before, at, 12 * N);
  }
  printf("%-12s %6.2f kbit/s %5.2f bits/body keys %zu longest %.0f | worst %.4f deg %.4f mm | rest %zu "
         "trembles %zu (%.2f%%)",
         strrchr(argv[1], '/') ? strrchr(argv[1], '/') + 1 : argv[1],
         bytes * 8 / (double)F * (double)trace.rate / 1000, bytes * 8 / (double)(F * N), keys, longest,
         worst_angle, worst_mm, rest, trembling, rest ? 100. * (double)trembling / (double)rest : 0);
  printf(" | beyond 10 mm %.2f%%", 100. * (double)far / (double)(decoded * N));
  printf(" | encode %.2f decode %.2f us | memory %zu\n", encode_ns / (double)F / 1000,
         decode_ns / (double)decoded / 1000, quatsimd_stream_memory_size(&o));
  return 0;
}
