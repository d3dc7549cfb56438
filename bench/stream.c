/* Sends rotations through a stream over a simulated link, checks every packet that is decoded, and prints the
 * costs as JSON: quatsimd-bench-stream [NAME=VALUE]... < FLOATS. README.md has the names. */
#include <quatsimd/quatsimd.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "angle.h"

enum { HEAD = 4, ACKNOWLEDGEMENT = QUATSIMD_STREAM_ACKNOWLEDGEMENT_SIZE };

/* ---- settings ---- */

static struct {
  double bodies, fps, every; /* a packet for every so many frames */
  double bound, states;      /* bound: degrees */
  double delay, jitter;      /* seconds; a packet is late by delay and by 0 to jitter more */
  double loss, burst, twice; /* burst: mean number of packets lost in a row */
  double seed;
} set = {1, 60, 1, 0.25, 64, 0, 0, 0, 0, 0, 0};
static const struct {
  const char *name;
  double *value;
} names[] = {{"bodies", &set.bodies}, {"fps", &set.fps},     {"every", &set.every},   {"bound", &set.bound},
             {"states", &set.states}, {"delay", &set.delay}, {"jitter", &set.jitter}, {"loss", &set.loss},
             {"burst", &set.burst},   {"twice", &set.twice}, {"seed", &set.seed}};
enum { NAMES = sizeof names / sizeof *names };

static void must(int good, size_t packet, const char *what) {
  if (!good) fprintf(stderr, "quatsimd-bench-stream: packet %zu: %s\n", packet, what), exit(1);
}

static void understand(const char *argument) {
  char *end = NULL;
  for (int i = 0; i < NAMES && !end; i++) {
    const size_t length = strlen(names[i].name);
    if (strncmp(argument, names[i].name, length) == 0 && argument[length] == '=')
      *names[i].value = strtod(argument + length + 1, &end);
  }
  if (!end || *end)
    fprintf(stderr, "quatsimd-bench-stream: %s: bench/README.md has the settings\n", argument), exit(2);
}

static void *allocate(size_t count, size_t size) {
  void *p = calloc(count, size);
  if (!p) fputs("quatsimd-bench-stream: out of memory\n", stderr), exit(1);
  return p;
}

/* ---- the link: parcels come out late, in another order, twice or not at all ---- */

typedef struct parcel {
  double at; /* its arrival */
  size_t number;
} parcel;

typedef struct way {
  uint64_t random;
  int losing;          /* the last parcel was lost */
  parcel *coming;      /* in the order of arrival */
  size_t first, count; /* those before `first` have arrived */
} way;

/* splitmix64, by Sebastiano Vigna. */
static uint64_t mixed(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* Returns a random number from 0 to less than 1. */
static double any(way *w) {
  w->random += 0x9e3779b97f4a7c15u;
  return (double)(mixed(w->random) >> 11) * 0x1p-53;
}

static way open_way(uint64_t number, size_t most) {
  way w = {.random = mixed(mixed((uint64_t)(int64_t)set.seed) + number)};
  w.losing = any(&w) < set.loss;
  w.coming = allocate(2 * most, sizeof *w.coming);
  return w;
}

/* Gilbert's model: a parcel after a lost one is lost more often than others. The mean number of parcels that
 * are lost in a row is set.burst, and the share of all set.loss. */
static int loses(way *w) {
  const double ends = 1 / set.burst, begins = ends * set.loss / (1 - set.loss);
  w->losing = any(w) < (w->losing ? 1 - ends : begins);
  return w->losing;
}

static void deliver(way *w, double now, size_t number) {
  const double at = now + set.delay + set.jitter * any(w);
  size_t i = w->count++;
  for (; i > w->first && w->coming[i - 1].at > at; i--) w->coming[i] = w->coming[i - 1];
  w->coming[i] = (parcel){at, number};
}

static void post(way *w, double now, size_t number) {
  if (loses(w)) return;
  deliver(w, now, number);
  if (any(w) < set.twice) deliver(w, now, number);
}

/* Returns the next parcel that arrives until then, or null. */
static const parcel *take(way *w, double until) {
  return w->first < w->count && w->coming[w->first].at <= until ? &w->coming[w->first++] : NULL;
}

/* ---- sender and receiver ---- */

typedef struct packet {
  unsigned char *bytes;
  size_t size;
  enum { MISSING, ARRIVED, DECODED } state;
} packet;

static struct {
  quatsimd_stream_options options;
  quatsimd_stream *sender, *receiver;
  const float *rotations;
  float *decoded;
  packet *packets;
  size_t bodies, count;
  way forth, back;
  unsigned char (*acknowledgements)[ACKNOWLEDGEMENT];
  size_t acknowledgement_count, newest, arrived, decoded_count, late, again;
  double worst; /* degrees */
} all;

static uint32_t frame_of(size_t number) { return (uint32_t)(number * (size_t)set.every); }
static const float *rotations_of(size_t number) { return all.rotations + 4 * all.bodies * frame_of(number); }

static quatsimd_stream *open_stream(void) {
  quatsimd_stream *stream = NULL;
  const size_t size = quatsimd_stream_memory_size(&all.options);
  must(size > 0 && quatsimd_stream_init(&stream, allocate(size, 1), size, &all.options) == QUATSIMD_OK, 0,
       "no stream has these settings");
  return stream;
}

static void check(size_t number, uint32_t time) {
  for (size_t b = 0; b < all.bodies; b++) {
    const double off = angle(rotations_of(number) + 4 * b, all.decoded + 4 * b);
    must(off <= set.bound, number, "a rotation is beyond its bound");
    all.worst = fmax(all.worst, off);
  }
  must(time == frame_of(number), number, "has another time");
}

static void decode(size_t number) {
  packet *p = &all.packets[number];
  uint32_t time = 0;
  const quatsimd_status status =
      quatsimd_stream_decode(all.receiver, quatsimd_aos_out(all.decoded), &time, p->bytes, p->size);
  if (p->state == MISSING) all.arrived++;
  else all.again++;
  if (status == QUATSIMD_OK) {
    must(p->state != DECODED, number, "was decoded twice");
    check(number, time);
    p->state = DECODED, all.decoded_count++;
    if (number > all.newest) all.newest = number;
  } else if (p->state == MISSING) {
    must(number + (size_t)set.states / 4 <= all.newest, number, quatsimd_status_string(status));
    p->state = ARRIVED, all.late++; /* its baseline may be gone */
  }
}

static void receive(double until) {
  for (const parcel *next; (next = take(&all.forth, until));) {
    decode(next->number);
    if (quatsimd_stream_acknowledge(all.receiver, all.acknowledgements[all.acknowledgement_count]) ==
        QUATSIMD_OK)
      post(&all.back, next->at, all.acknowledgement_count++);
  }
}

static void hear(double until) {
  for (const parcel *next; (next = take(&all.back, until));)
    must(quatsimd_stream_acknowledged(all.sender, 0, all.acknowledgements[next->number], ACKNOWLEDGEMENT) ==
             QUATSIMD_OK,
         next->number, "is a bad acknowledgement");
}

static void send(size_t number, double now) {
  const size_t longest = quatsimd_stream_max_packet_size(&all.options);
  packet *p = &all.packets[number];
  p->bytes = allocate(longest, 1);
  const quatsimd_status status = quatsimd_stream_encode(
      all.sender, p->bytes, longest, &p->size, quatsimd_aos(rotations_of(number)), frame_of(number), 0);
  must(status == QUATSIMD_OK, number, quatsimd_status_string(status));
  post(&all.forth, now, number);
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* Sends all packets. Returns the ages of the newest decoded packet, in seconds, at each moment that a packet
 * is sent, in order of size. */
static double *run(size_t *ages) {
  double *age = allocate(all.count, sizeof *age);
  for (size_t number = 0; number < all.count; number++) {
    const double interval = set.every / set.fps, now = (double)number * interval;
    receive(now), hear(now);
    send(number, now);
    receive(now);
    if (all.decoded_count) age[(*ages)++] = now - (double)all.newest * interval;
  }
  receive(INFINITY);
  qsort(age, *ages, sizeof *age, compare);
  return age;
}

static void report(const double *age, size_t ages) {
  size_t bytes = 0, keys = 0, key_bytes = 0, bursts = 0;
  for (size_t i = 0; i < all.count; i++) {
    const packet *p = &all.packets[i];
    const int key = p->bytes[0] & 1;
    bytes += p->size;
    if (key) keys++, key_bytes += p->size;
    bursts += p->state == MISSING && (i == 0 || all.packets[i - 1].state != MISSING);
  }
  const double bits = 8 * (double)bytes, others = (double)(all.count - keys), bodies = set.bodies,
               payload = 8 * ((double)(bytes - key_bytes) - HEAD * others);
  printf("{\"packets\": %zu, \"key_packets\": %zu, \"bytes\": %zu, \"lost\": %zu, \"bursts\": %zu, ",
         all.count, keys, bytes, all.count - all.arrived, bursts);
  printf("\"again\": %zu, \"late\": %zu, \"decoded\": %zu, ", all.again, all.late, all.decoded_count);
  printf("\"bits_per_rotation\": %.9g, \"payload_bits\": %.9g, \"bits_per_second\": %.9g, ",
         bits / bodies / (double)all.count, others > 0 ? payload / bodies / others : 0,
         bits * set.fps / set.every / (double)all.count);
  printf("\"median_age\": %.9g, \"age_99_percent\": %.9g, \"worst_error\": %.9g}\n",
         ages ? age[(ages - 1) / 2] : 0, ages ? age[(99 * ages + 99) / 100 - 1] : 0, all.worst);
}

static float *read_all(size_t *count) {
  size_t space = 1 << 16;
  float *floats = allocate(space, sizeof *floats);
  for (size_t got; (got = fread(floats + *count, sizeof *floats, space - *count, stdin)) > 0;)
    if ((*count += got) == space) {
      float *more = allocate(space *= 2, sizeof *more);
      memcpy(more, floats, *count * sizeof *more);
      free(floats);
      floats = more;
    }
  return floats;
}

int main(int argc, char **argv) {
  size_t floats = 0, ages = 0;
  for (int i = 1; i < argc; i++) understand(argv[i]);
  if (set.burst == 0) set.burst = 1 / (1 - set.loss); /* each packet is lost independently */
  quatsimd_stream_options_init(&all.options, sizeof all.options);
  all.options.body_count = all.bodies = (size_t)set.bodies, all.options.state_count = (int)set.states;
  all.options.bound = (float)(set.bound / DEGREES);
  all.sender = open_stream(), all.receiver = open_stream();
  all.rotations = read_all(&floats);
  all.count = (size_t)ceil((double)(floats / 4 / all.bodies) / set.every);
  all.decoded = allocate(4 * all.bodies, sizeof *all.decoded);
  all.packets = allocate(all.count, sizeof *all.packets);
  all.acknowledgements = allocate(2 * all.count, sizeof *all.acknowledgements);
  all.forth = open_way(0, all.count), all.back = open_way(1, 2 * all.count);
  const double *age = run(&ages);
  report(age, ages);
  return 0;
}
