/* The options and memory of a stream, and the steps that encoding and decoding share. */
#include "stream/checksum.h"
#include "stream/figure.h"
#include "stream/tracks.h"

#include "core/growing.h"
#include "scalar/code.h"

enum {
  /* after a release, a change of the packets or of a stream_* operation needs a new version */
  FORMAT_VERSION = 3,
  MAX_BODIES = 1 << 24,
  MOST_RECEIVERS = 65536
};

enum { FIRST_OPTIONS = offsetof(quatsimd_stream_options, session) + sizeof(uint64_t) };

static const quatsimd_stream_options defaults = {
    .bound = 0.0043633231f, .state_count = 64, .receiver_count = 1}; /* bound: a quarter of a degree */

quatsimd_status quatsimd_stream_options_init(quatsimd_stream_options *options, size_t struct_size) {
  return growing_init(options, struct_size, &defaults, sizeof defaults, FIRST_OPTIONS)
             ? QUATSIMD_OK
             : QUATSIMD_ERROR_BAD_ARGUMENT;
}

/* Returns a bound less the errors that float arithmetic adds to residuals. */
static double usable(double bound) { return bound * (1 - 0x1p-9) - 2e-6; }

static const double COVERING = 0x1.1e3779b97f4a8p+0; /* sqrt(5) / 2 */
/* the quantum of key packets for bodies that never move */
static const double FINEST_QUANTUM = 0x1p-17;

static double bound_of(const quatsimd_stream_options *o, size_t body) {
  return (double)(o->bounds ? o->bounds[body] : o->bound);
}
static double quantum_of(double bound) { return bound == 0 ? FINEST_QUANTUM : usable(bound) / COVERING; }

/* Returns the argument `width` of put_whole. Residuals are at most pi long. The 4 allows for rounding. */
static int width_of(double quantum) {
  const double reach = 3.1416 / quantum + 4;
  int width = 1;
  while ((double)(1 << width) < reach) width++;
  return width;
}

static bool in_range(float bound, float least, float most) { return bound >= least && bound <= most; }
static bool is_rotation(const float q[4]) { return valid_norm2(norm2((quat){{q[0], q[1], q[2], q[3]}})); }
static bool good_bounds(const quatsimd_stream_options *o) {
  for (size_t b = 0; b < o->body_count && o->bounds; b++)
    if (o->bounds[b] != 0 && !in_range(o->bounds[b], 1e-5f, 1)) return false;
  for (size_t b = 0; b < o->body_count && o->bounds && o->rest; b++)
    if (o->bounds[b] == 0 && !is_rotation(o->rest + 4 * b)) return false;
  for (int i = 0; i < 3 && o->gravity; i++)
    if (!in_range(o->gravity[i], -0x1p40f, 0x1p40f)) return false;
  return in_range(o->bound, 1e-5f, 1) && o->position_count <= o->body_count &&
         (o->position_count == 0 || in_range(o->position_bound, 0x1p-40f, MOST_BOUND)) &&
         (o->track_count == 0 || in_range(o->track_bound, 0x1p-40f, MOST_BOUND));
}

/* Memory that is handed out in order. If `start` is NULL it is only measured. */
typedef struct supply {
  char *start;
  uint64_t used;
} supply;
static void *supplied(supply *from, uint64_t count, size_t size) {
  void *const to = from->start ? from->start + from->used : NULL;
  from->used += (count * size + 7) / 8 * 8;
  return to;
}

static void supply_state(supply *from, const quatsimd_stream *s, state *t) {
  for (int c = 0; c < 4; c++) t->rotation[c] = supplied(from, s->padded, sizeof(float));
  for (int c = 0; c < 3; c++) t->position[c] = supplied(from, s->positions, sizeof(float));
  t->errors = supplied(from, s->padded, sizeof *t->errors);
  t->rotation_scale = supplied(from, s->padded, sizeof *t->rotation_scale);
  t->position_scale = supplied(from, s->positions, sizeof *t->position_scale);
  t->last = supplied(from, s->padded, sizeof *t->last);
  t->tracks = supplied(from, s->tracks, sizeof *t->tracks);
}

/* Lays out the memory after the struct, whose numbers are set. Returns the size of all. */
static uint64_t lay_out(quatsimd_stream *s, void *memory) {
  supply from = {memory, 0};
  supplied(&from, 1, sizeof *s);
  s->receiver = supplied(&from, s->receivers, sizeof(receiver));
  s->quantum = supplied(&from, s->padded, sizeof(float));
  s->per_quantum = supplied(&from, s->padded, sizeof(float));
  s->none2 = supplied(&from, s->padded, sizeof(float));
  s->width = supplied(&from, s->padded, 1);
  for (int c = 0; c < 4; c++) s->held[c] = supplied(&from, s->padded, sizeof(float));
  s->unturned = supplied(&from, s->padded, sizeof(bool));
  for (int c = 0; c < 3; c++) s->held_position[c] = supplied(&from, s->positions, sizeof(float));
  s->held_track = supplied(&from, s->tracks, sizeof(float));
  s->parts.bytes = supplied(&from, key_bytes(s) + SPARE_BYTES, 1);
  for (int c = 0; c < 4 && s->has_rest; c++) s->rest[c] = supplied(&from, s->padded, sizeof(float));
  s->joint = supplied(&from, s->joints, sizeof *s->joint);
  s->models = supplied(&from, 1, s->model_bytes);
  for (int i = 0; i < MODEL_SETS; i++) s->sets[i] = supplied(&from, 1, s->model_bytes);
  for (uint32_t n = 0; n <= s->states; n++) {
    state measured, *const t = supplied(&from, 1, sizeof(state));
    supply_state(&from, s, t ? t : &measured);
    if (n < s->states) s->state[n] = t;
    else s->next = t;
  }
  return from.used;
}

/* Copies the caller's options to *own, with defaults for members that the caller's version lacks. Returns
 * false if the options are not valid. */
static bool read_options(quatsimd_stream_options *own, const quatsimd_stream_options *options) {
  *own = defaults;
  return options && growing_read(own, sizeof *own, options, FIRST_OPTIONS) && own->body_count >= 1 &&
         own->body_count <= MAX_BODIES && own->track_count <= MAX_BODIES && good_bounds(own) &&
         quatsimd_figure_holds(own) && own->state_count >= 16 && own->state_count <= MOST_STATES &&
         (own->state_count & (own->state_count - 1)) == 0 && own->receiver_count >= 1 &&
         own->receiver_count <= MOST_RECEIVERS && (own->reliable == 0 || own->reliable == 1);
}

/* Returns the number of bits of a body's rotation in key packets. */
static size_t whole_bits_of(const quatsimd_stream_options *o, size_t body) {
  return 1 + 3 * (size_t)width_of(quantum_of(bound_of(o, body)));
}

/* Sets the numbers of a stream. Returns the size of its memory, or 0 if the options are not valid or the
 * size exceeds SIZE_MAX. */
static size_t measure(quatsimd_stream *s, quatsimd_stream_options *o,
                      const quatsimd_stream_options *options) {
  if (!read_options(o, options)) return 0;
  memset(s, 0, sizeof *s);
  s->bodies = o->body_count, s->positions = o->position_count, s->tracks = o->track_count;
  s->padded = quatsimd_padded(o->body_count);
  s->states = (uint32_t)o->state_count, s->receivers = (uint32_t)o->receiver_count;
  s->track_models_at = o->position_count ? sizeof(models) : offsetof(models, way);
  s->model_bytes = s->track_models_at + (o->track_count ? sizeof(track_models) : 0);
  s->joints = o->skeleton ? o->body_count : 0;
  s->has_rest = o->rest && o->bounds;
  if (!o->bounds) s->whole_bits = o->body_count * whole_bits_of(o, 0);
  for (size_t b = 0; b < o->body_count && o->bounds; b++)
    if (!s->has_rest || o->bounds[b] > 0) s->whole_bits += whole_bits_of(o, b);
  s->whole_bits += o->position_count ? 5 + o->position_count * 97 : 0;
  s->whole_bits += o->track_count ? 5 + o->track_count * 33 : 0;
  s->whole_bits += 8 + s->whole_bits / 4096; /* the range coder rounds */
  s->limit = o->limit != 0 && o->limit < key_bytes(s) ? o->limit : key_bytes(s);
  if (s->limit < key_bytes(s) &&
      (s->limit <= HEAD_BYTES + PART_BYTES || parts_of(key_bytes(s) - HEAD_BYTES, s->limit) > most_parts(s)))
    return 0;
  const uint64_t size = lay_out(s, NULL);
  return size <= SIZE_MAX ? (size_t)size : 0;
}

size_t quatsimd_stream_memory_size(const quatsimd_stream_options *options) {
  quatsimd_stream_options own;
  quatsimd_stream s;
  return measure(&s, &own, options);
}

size_t quatsimd_stream_max_packet_size(const quatsimd_stream_options *options) {
  quatsimd_stream_options own;
  quatsimd_stream s;
  return measure(&s, &own, options) ? s.limit + SPARE_BYTES : 0;
}

/* Returns the seed of hashes, made of the options that must be equal on both sides. */
static uint32_t seed_of(const quatsimd_stream_options *o) {
  unsigned char id[47];
  store_little(id, o->body_count, 4), store_float(id + 4, o->bound),
      store_little(id + 8, (uint64_t)o->state_count, 2);
  id[10] = FORMAT_VERSION;
  store_little(id + 11, o->session, 8);
  store_little(id + 19, o->position_count, 4);
  store_float(id + 23, o->position_count ? o->position_bound : 0);
  for (int i = 0; i < 3; i++)
    store_float(id + 27 + 4 * i, o->position_count && o->gravity ? o->gravity[i] : 0);
  store_little(id + 39, o->track_count, 4), store_float(id + 43, o->track_count ? o->track_bound : 0);
  uint32_t seed = XXH32(id, sizeof id, 0);
  for (size_t b = 0; b < o->body_count && o->bounds; b++) {
    store_float(id, o->bounds[b]);
    seed = XXH32(id, 4, seed);
  }
  for (size_t b = 0; b < o->body_count && o->bounds && o->rest; b++) {
    if (o->bounds[b] > 0) continue;
    for (size_t x = 0; x < 4; x++) store_float(id + 4 * x, o->rest[4 * b + x]);
    seed = XXH32(id, 16, seed);
  }
  return seed;
}

/* Takes the rotations of bodies that never turn. Those of others are not used. */
static void take_rest(quatsimd_stream *s, const float *rest) {
  for (size_t b = 0; b < s->padded; b++)
    for (size_t x = 0; x < 4; x++)
      s->rest[x][b] = b < s->bodies && s->none2[b] == 0 ? rest[4 * b + x] : (float)(x == 3);
  for (size_t i = 0; i < s->padded; i += QUATSIMD_OPERATION_BLOCK) {
    float valid[QUATSIMD_OPERATION_BLOCK];
    stream_run(QUATSIMD_OPERATION_stream_unit, (float *[]){ROTATIONS_AT(s->rest, i), valid},
               (const float *[]){ROTATIONS_AT(s->rest, i), ROTATIONS_AT(s->rest, i)},
               QUATSIMD_OPERATION_BLOCK);
  }
}

_Static_assert(_Alignof(quatsimd_stream) <= 8 && _Alignof(receiver) <= 8 && _Alignof(state) <= 8,
               "memory is supplied in multiples of 8 bytes");

quatsimd_status quatsimd_stream_init(quatsimd_stream **stream, void *memory, size_t memory_size,
                                     const quatsimd_stream_options *options) {
  quatsimd_stream_options o;
  quatsimd_stream numbers;
  const size_t size = stream && memory && (uintptr_t)memory % 8 == 0 ? measure(&numbers, &o, options) : 0;
  if (size == 0) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (memory_size < size) return QUATSIMD_ERROR_SHORT_BUFFER;
  quatsimd_stream *s = memory;
  memset(s, 0, size);
  *s = numbers;
  lay_out(s, memory);
  for (size_t b = 0; b < o.body_count; b++) {
    const double bound = bound_of(&o, b), quantum = quantum_of(bound), none = usable(bound);
    s->quantum[b] = (float)quantum, s->width[b] = (uint8_t)width_of(quantum);
    s->per_quantum[b] = (float)(1 / quantum), s->none2[b] = bound == 0 ? 0 : (float)(none * none);
  }
  if (o.position_count) {
    s->position_bound = o.position_bound;
    s->position_quantum = (float)((double)o.position_bound * (1 - 0x1p-9) / COVERING);
  }
  if (o.track_count) quatsimd_stream_init_tracks(s, o.track_bound);
  for (int i = 0; i < 3 && o.gravity; i++) s->gravity[i] = o.gravity[i];
  s->reliable = o.reliable != 0;
  s->seed = seed_of(&o);
  if (s->has_rest) take_rest(s, o.rest);
  if (is_figure(s)) quatsimd_figure_init(s, &o);
  for (size_t b = 0; b < s->padded; b++) s->held[3][b] = 1;
  *stream = s;
  return QUATSIMD_OK;
}

/* ---- packets ---- */

uint32_t quatsimd_stream_expected(const state *base, uint32_t distance) {
  const uint64_t ahead = base->distance ? (uint64_t)base->interval * distance / base->distance : 0;
  return base->time + (uint32_t)ahead;
}

static void reset(void *all, size_t size) {
  for (size_t i = 0; i < size / sizeof(model); i++) ((model *)all)[i] = FIRST_MODEL;
}

void quatsimd_stream_begin(quatsimd_stream *s, const state *base, uint32_t number) {
  state *const next = s->next;
  next->number = number, next->distance = base ? number - base->number : 0;
  next->coarse = 0, next->anchors = 0;
  if (base) next->head = base->head;
  else reset(&next->head, sizeof next->head);
}

void quatsimd_stream_set_time(quatsimd_stream *s, const state *base, uint32_t time) {
  s->next->time = time, s->next->interval = base ? time - base->time : 0;
}

static models **set_of(quatsimd_stream *s, uint32_t number) {
  return &s->sets[number / models_apart(s) % MODEL_SETS];
}

void quatsimd_stream_begin_models(quatsimd_stream *s, const references *r) {
  if (r->models) {
    memcpy(s->models, *set_of(s, r->models->number), s->model_bytes);
    return;
  }
  reset(s->models, s->model_bytes);
  first_point_models(&s->models->rotation);
  if (s->positions) first_point_models(&s->models->position);
  if (s->tracks) quatsimd_stream_first_track_models(track_models_of(s, s->models));
}

void quatsimd_stream_keep(quatsimd_stream *s, uint32_t hash) {
  state *const kept = s->next;
  kept->hash = hash, kept->filled = true;
  state **const place = &s->state[kept->number % s->states];
  s->next = *place, *place = kept;
  if (kept->number % models_apart(s) != 0) return;
  models **const set = set_of(s, kept->number), *const left = *set;
  *set = s->models, s->models = left;
}
