/* write_packets PACKETS FILE: makes streams with random options. For tests/model/stream.py it writes the
 * packets that arrive at their receivers, and the answers of these.
 * - A stream is its numbers of bodies and states, the session (lower and upper half), the number of
 *   positions, 1 if it has gravity, the number of tracks, 1 if bodies have bounds, 1 if rotations are
 *   known, the number of packets; then, in floats, the three bounds, gravity, bounds of bodies, and
 *   rotations that are known.
 * - A packet is 1 if the receiver has just started, its size, the status, its bytes; time, rotations,
 *   positions and tracks if it was decoded; an acknowledgement. */
#include "net.h"

enum { MOST_BODIES = 70, MOST_TRACKS = 40, STREAM_PACKETS = 125 };

typedef struct scene {
  quatsimd_stream_options options;
  float gravity[3], bounds[MOST_BODIES], rest[4 * MOST_BODIES];
  body bodies[MOST_BODIES];
  double place[MOST_BODIES][3], speed[MOST_BODIES][3]; /* speed: in 16 units of time */
  float xyzw[4 * MOST_BODIES], xyz[3 * MOST_BODIES], tracks[MOST_TRACKS];
  double weight[MOST_TRACKS], rise[MOST_TRACKS];
  uint32_t time;
  int clock; /* 0: time goes on evenly; else see move_scene */
  bool rests;
} scene;

typedef struct link {
  scene scene;
  side sender, receiver, stranger;
  road forth, back;
  unsigned damaged;
  uint64_t now, seed;
  bool anew, forges;
  unsigned char *packet;
  size_t longest, left;
  FILE *file;
} link;

static size_t any(size_t count, uint64_t *seed) { return (size_t)(sweep_next(seed) % count); }
static double from_to(double low, double high, uint64_t *seed) {
  return low * pow(high / low, random_unit(seed));
}

static void put(FILE *file, const void *data, size_t size) {
  if (fwrite(data, 1, size, file) != size) perror("write_packets"), exit(2);
}
static void put_word(FILE *file, uint32_t number) { put(file, &number, 4); }

/* ---- options ---- */

/* Rotations of any length. Those of bodies that turn are not read. */
static void draw_rest(scene *s, uint64_t *seed) {
  for (size_t b = 0; b < s->options.body_count; b++) {
    float *const q = s->rest + 4 * b;
    to_floats(q, random_rotation(seed));
    const float length = any(3, seed) ? 1 : (float)from_to(0x1p-31, 0x1p31, seed);
    for (int x = 0; x < 4; x++) q[x] *= s->bounds[b] > 0 ? NAN : length;
  }
}

static void draw_options(scene *s, uint64_t *seed) {
  static const int states[] = {16, 16, 64, 64, 256};
  quatsimd_stream_options *o = &s->options;
  if (quatsimd_stream_options_init(o, sizeof *o) != QUATSIMD_OK) abort();
  o->body_count = 1 + any(any(4, seed) ? 24 : MOST_BODIES, seed);
  o->bound = (float)from_to(1e-4, 0.1, seed);
  o->state_count = states[any(5, seed)];
  o->session = sweep_next(seed);
  if (any(4, seed)) o->position_count = any(2, seed) ? o->body_count : any(o->body_count + 1, seed);
  if (o->position_count) o->position_bound = (float)from_to(1e-4, 0.1, seed);
  for (int i = 0; i < 3; i++) s->gravity[i] = i == 1 ? -0.00004f : (float)(1e-6 * random_unit(seed));
  if (o->position_count && any(2, seed)) o->gravity = s->gravity;
  for (size_t b = 0; b < o->body_count; b++)
    s->bounds[b] = any(3, seed) ? (float)from_to(1e-5, 0.5, seed) : 0;
  if (!any(3, seed)) o->bounds = s->bounds;
  if (o->bounds && any(3, seed) == 2) draw_rest(s, seed), o->rest = s->rest;
  if (any(2, seed)) o->track_count = 1 + any(MOST_TRACKS, seed);
  if (o->track_count) o->track_bound = (float)from_to(1e-4, 0.1, seed);
  const size_t whole = quatsimd_stream_max_packet_size(o) - SPARE_BYTES,
               states_3 = 3 * (size_t)o->state_count;
  if (!any(3, seed))
    o->limit = 16 + 8 * whole / states_3 + any(any(2, seed) ? 4 * o->body_count : whole, seed);
  o->reliable = !any(8, seed);
}

static void put_options(FILE *file, const quatsimd_stream_options *o, size_t packets) {
  const size_t numbers[] = {o->body_count,
                            (size_t)o->state_count,
                            (size_t)(o->session & UINT32_MAX),
                            (size_t)(o->session >> 32),
                            o->position_count,
                            o->gravity != NULL,
                            o->track_count,
                            o->bounds != NULL,
                            o->rest != NULL,
                            packets};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) put_word(file, (uint32_t)numbers[i]);
  put(file, &o->bound, 4), put(file, &o->position_bound, 4), put(file, &o->track_bound, 4);
  if (o->gravity) put(file, o->gravity, 12);
  if (o->bounds) put(file, o->bounds, 4 * o->body_count);
  if (o->rest) put(file, o->rest, 16 * o->body_count);
}

/* ---- motion ---- */

enum { FALLS, WALKS, GLIDES, LEAPS, FAR_AWAY, PLACES };

static void draw_bodies(scene *s, uint64_t *seed) {
  for (size_t b = 0; b < s->options.body_count; b++) {
    s->bodies[b] = new_body((int)any(MOTIONS, seed), (double)s->options.bound, seed);
    for (int i = 0; i < 3; i++) {
      s->place[b][i] = (b % PLACES == FAR_AWAY ? 1e6 : 10) * (2 * random_unit(seed) - 1);
      s->speed[b][i] = 0.1 * (2 * random_unit(seed) - 1);
    }
    move(&s->bodies[b], s->xyzw + 4 * b, seed);
  }
  for (size_t i = 0; i < s->options.track_count; i++) s->weight[i] = random_unit(seed), s->rise[i] = 0;
  s->clock = (int)any(4, seed), s->rests = any(2, seed) != 0;
}

static void move_place(scene *s, size_t b, double step, uint64_t *seed) {
  static const float special[] = {NAN, INFINITY, -0.0f, 1e-20f, 1e-40f, 1e30f, 1.09e12f};
  double *at = s->place[b], *speed = s->speed[b];
  for (int i = 0; i < 3; i++) {
    if (b % PLACES == WALKS) speed[i] = 0.005 * (2 * random_unit(seed) - 1);
    if (b % PLACES == FALLS) speed[i] += (double)s->gravity[i] * step * 16;
    if (b % PLACES == FALLS && i == 1 && at[1] < -10 && speed[1] < 0) speed[1] *= -0.7;
    at[i] += speed[i] * (b % PLACES == FALLS ? step / 16 : 1);
    if (b % PLACES == LEAPS && !any(20, seed)) at[i] += 20000 * (random_unit(seed) - 0.5);
    s->xyz[3 * b + (size_t)i] = (float)at[i];
    if (b % PLACES == LEAPS && !any(40, seed))
      s->xyz[3 * b + (size_t)i] = special[any(sizeof special / sizeof *special, seed)];
  }
}

enum { RISES, BLINKS, SWAYS, RANDOM, LARGE, WEIGHTS };

/* Most weights go from 0 to 1 and back, and rest at both ends. */
static void move_track(scene *s, size_t i, uint64_t *seed) {
  static const float special[] = {NAN, INFINITY, -0.0f, 1e-20f, 1e-40f, 1e30f, 1.09e12f, 3e6f};
  double *at = &s->weight[i], *rise = &s->rise[i];
  if (!any(10, seed)) *rise = 0.1 * (2 * random_unit(seed) - 1);
  if (i % WEIGHTS == BLINKS) *rise = any(8, seed) ? 0 : 1 - 2 * *at;
  if (i % WEIGHTS == RANDOM) *rise = random_unit(seed) - *at;
  *at += *rise;
  if (i % WEIGHTS == LARGE) *at += any(5, seed) ? 0 : 1000 * (random_unit(seed) - 0.5);
  else if (i % WEIGHTS != SWAYS) *at = *at < 0 ? 0 : *at > 1 ? 1 : *at;
  s->tracks[i] = (float)*at;
  if (i % WEIGHTS == LARGE && !any(20, seed))
    s->tracks[i] = special[any(sizeof special / sizeof *special, seed)];
}

/* A body or track that rests keeps its numbers. */
static void move_scene(scene *s, size_t f, uint64_t *seed) {
  uint32_t step = 16;
  if (s->clock == 1) step = 14 + (uint32_t)any(5, seed);
  if (s->clock == 2 && !any(10, seed)) step = any(2, seed) ? 0 : UINT32_MAX - 3;
  if (s->clock == 3 && !any(10, seed)) step = (uint32_t)(sweep_next(seed) >> any(32, seed));
  s->time += step;
  for (size_t b = 0; b < s->options.body_count; b++) {
    if (s->rests && (f / 24 + b) % 3) continue;
    move(&s->bodies[b], s->xyzw + 4 * b, seed);
    move_place(s, b, step < 100 ? step : 16, seed);
  }
  for (size_t i = 0; i < s->options.track_count; i++)
    if (!s->rests || (f / 24 + i) % 3 == 0) move_track(s, i, seed);
}

/* ---- packets ---- */

/* Numbers of some streams pass the ends of 15, 16 and 32 bits. */
static void number_packets(side *sender, uint64_t *seed) {
  static const uint32_t first[] = {0, 0, 0, 0x8000 - 40, 0x10000 - 40, UINT32_MAX - 40};
  sender->stream->coming = first[any(sizeof first / sizeof *first, seed)];
}

static void open_stream(side *s, const quatsimd_stream_options *o) {
  const size_t size = quatsimd_stream_memory_size(o);
  if (!s->memory) s->memory = filled(size);
  if (quatsimd_stream_init(&s->stream, s->memory, size, o) != QUATSIMD_OK) abort();
}

static size_t encode(link *l, const side *sender, int key) {
  const quatsimd_pose_in in = {.rotations = quatsimd_aos(l->scene.xyzw),
                               .translations = quatsimd_strided(l->scene.xyz, 12),
                               .tracks = l->scene.tracks};
  size_t size;
  if (quatsimd_status_failed(
          quatsimd_stream_encode_pose(sender->stream, l->packet, l->longest, &size, &in, l->scene.time, key)))
    abort();
  return size;
}

static quatsimd_status give(link *l, const unsigned char *bytes, size_t size) {
  const quatsimd_stream_options *o = &l->scene.options;
  float xyzw[4 * MOST_BODIES], xyz[3 * MOST_BODIES], tracks[MOST_TRACKS];
  quatsimd_pose_out out = {
      .rotations = quatsimd_aos_out(xyzw), .translations = quatsimd_strided_out(xyz, 12), .tracks = tracks};
  uint32_t time;
  const quatsimd_status status = quatsimd_stream_decode_pose(l->receiver.stream, &out, &time, bytes, size);
  put_word(l->file, l->anew), put_word(l->file, (uint32_t)size), put_word(l->file, (uint32_t)status);
  put(l->file, bytes, size);
  if (status == QUATSIMD_OK) {
    put_word(l->file, time), put(l->file, xyzw, 16 * o->body_count);
    put(l->file, xyz, 12 * o->position_count), put(l->file, tracks, 4 * o->track_count);
  }
  const acknowledgement a = acknowledge(&l->receiver);
  put(l->file, a.bytes, sizeof a.bytes);
  l->anew = false, l->left--;
  return status;
}

/* Gives a packet the checksum that the receiver computes, if it has the states that the packet needs. */
static void seal_again(link *l, unsigned char *bytes, size_t size) {
  quatsimd_stream *const s = l->receiver.stream;
  const bool key = is_key(bytes);
  const unsigned low = bytes[0] >> 1 | (unsigned)bytes[1] << 7;
  references r = {0};
  const uint32_t ahead = (low - s->newest) & 0x7fff;
  uint32_t number = s->newest + ahead - (ahead & 0x4000 ? 0x8000 : 0);
  if (key) {
    const uint32_t whole = size < KEY_HEAD ? 0 : load_u32(bytes + HEAD);
    number = whole + ((low - whole) & 0x7fff);
  }
  range_decoder d = range_decoder_new(bytes + HEAD, size - HEAD);
  if (!key && state_of(s, s->newest)) quatsimd_stream_take_head(s, &d, number, &r);
  put_little(bytes + 2, checksum_of(packet_hash(s, number, &r, bytes + HEAD, size - HEAD)), 2);
}

/* Damages some bits, or all bytes from a place on, or changes the size. */
static void give_damaged(link *l, const parcel *p) {
  uint64_t *const seed = &l->seed;
  const size_t longer = p->size + any(any(10, seed) ? 4 : 400, seed);
  unsigned char *bytes = filled(longer);
  memcpy(bytes, p->bytes, p->size);
  const size_t size = any(2, seed) ? longer : any(longer, seed);
  const bool sealed = l->forges && size > HEAD;
  const size_t from = sealed ? HEAD : 0;
  for (size_t i = any(4, seed); i > 0; i--)
    bytes[from + any(longer - from, seed)] ^= (unsigned char)(1u << any(8, seed));
  const unsigned ones = any(4, seed) ? 0 : 0xff;
  for (size_t i = from + any(4 * longer, seed); i < longer; i++)
    bytes[i] = (unsigned char)(sweep_next(seed) | ones);
  if (sealed) seal_again(l, bytes, size);
  give(l, bytes, size);
  free(bytes);
}

static void begin_anew(link *l) {
  open_stream(&l->receiver, &l->scene.options);
  l->anew = true;
}

static void take(link *l, const parcel *p) {
  if (happens(l->damaged, &l->seed)) give_damaged(l, p);
  if (l->left && give(l, p->bytes, p->size) == QUATSIMD_ERROR_RESTARTED) begin_anew(l);
}

static void tick(link *l, size_t f) {
  scene *s = &l->scene;
  uint64_t *seed = &l->seed;
  parcel p;
  while (road_take(&l->back, l->now, &p)) {
    quatsimd_stream_acknowledged(l->sender.stream, 0, p.bytes, p.size);
    free(p.bytes);
  }
  if (!any(150, seed)) open_stream(&l->sender, &s->options);
  if (!any(300, seed)) begin_anew(l);
  move_scene(s, f, seed);
  if (!any(50, seed) && l->left) give(l, l->packet, encode(l, &l->stranger, any(2, seed) != 0));
  road_send(&l->forth, l->now, f, l->packet, encode(l, &l->sender, !any(100, seed)), seed);
  while (l->left && road_take(&l->forth, l->now, &p)) {
    take(l, &p);
    free(p.bytes);
    const acknowledgement a = acknowledge(&l->receiver);
    road_send(&l->back, l->now, 0, a.bytes, sizeof a.bytes, seed);
  }
  l->now++;
}

static void write_stream(FILE *file, size_t packets, uint64_t seed) {
  static const unsigned lost[] = {0, 50, 200};
  link *l = filled(sizeof *l);
  memset(l, 0, sizeof *l);
  l->file = file, l->left = packets, l->seed = seed;
  scene *s = &l->scene;
  draw_options(s, &l->seed), draw_bodies(s, &l->seed);
  put_options(file, &s->options, packets);
  const unsigned delay = (unsigned)any(12, &l->seed),
                 jitter = (unsigned)any(any(4, &l->seed) ? 4 : 30, &l->seed);
  if (!s->options.reliable)
    l->forth.weather = l->back.weather = (weather){lost[any(3, &l->seed)], 2, delay / 2, jitter, 20};
  l->damaged = any(2, &l->seed) ? 200 : 0, l->forges = any(2, &l->seed) != 0;
  quatsimd_stream_options other = s->options;
  other.session++;
  open_stream(&l->sender, &s->options), open_stream(&l->receiver, &s->options);
  open_stream(&l->stranger, &other);
  number_packets(&l->sender, &l->seed);
  l->longest = quatsimd_stream_max_packet_size(&s->options);
  l->packet = filled(l->longest);
  for (size_t f = 0; l->left; f++) tick(l, f);
  road_clear(&l->forth), road_clear(&l->back);
  close_side(&l->sender), close_side(&l->receiver), close_side(&l->stranger);
  free(l->packet), free(l);
}

int main(int argc, char **argv) {
  if (argc != 3) return fputs("write_packets PACKETS FILE\n", stderr), 2;
  FILE *file = fopen(argv[2], "wb");
  if (!file) return perror(argv[2]), 2;
  const size_t packets = strtoul(argv[1], NULL, 10);
  for (size_t i = 0; i < packets; i += STREAM_PACKETS)
    write_stream(file, packets - i < STREAM_PACKETS ? packets - i : STREAM_PACKETS, i);
  return fclose(file) == 0 ? 0 : 2;
}
