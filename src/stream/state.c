/* The options and memory of a stream, and the steps that encoding and decoding share. */
#include "stream/checksum.h"

#include "core/growing.h"
#include "stream/first_models.h"

enum {
  /* after a release, a change of the packets or of a stream_* operation needs a new version */
  FORMAT_VERSION = 2,
  MAX_BODIES = 1 << 24,
  MOST_RECEIVERS = 65536,
  LONGEST_HORIZON = 64 /* the largest value of a stream's horizon */
};

enum { FIRST_OPTIONS = offsetof(quatsimd_stream_options, session) + sizeof(uint64_t) };

static const quatsimd_stream_options defaults = {
    .bound = 0.0043633231f, .state_count = 64, .receiver_count = 1}; /* bound: a quarter of a degree */

quatsimd_status quatsimd_stream_options_init(quatsimd_stream_options *options, size_t struct_size) {
  return growing_init(options, struct_size, &defaults, sizeof defaults, FIRST_OPTIONS)
             ? QUATSIMD_OK
             : QUATSIMD_ERROR_BAD_ARGUMENT;
}

/* Returns the bound less the errors that float arithmetic adds to residuals. */
static double usable_bound(const quatsimd_stream_options *o) {
  return (double)o->bound * (1 - 0x1p-9) - 2e-6;
}

static double quantum_of(const quatsimd_stream_options *o) {
  return usable_bound(o) / 0x1.1e3779b97f4a8p+0; /* sqrt(5) / 2 */
}

/* Returns the argument `width` of put_whole. Residuals are at most pi long. The 4 allows for rounding. */
static int width_of(const quatsimd_stream_options *o) {
  const double reach = 3.1416 / quantum_of(o) + 4;
  int width = 1;
  while ((double)(1 << width) < reach) width++;
  return width;
}

enum { FLOATS = 11 }; /* number of floats for each body in a state */

/* Returns the number of bytes of a stream's memory, or 0 if it exceeds SIZE_MAX. */
static size_t size_of(const quatsimd_stream_options *own) {
  const uint64_t padded = quatsimd_padded(own->body_count), states = (uint64_t)own->state_count + 1,
                 bytes = sizeof(quatsimd_stream) + (uint64_t)own->receiver_count * sizeof(receiver) +
                         states * sizeof(state) + padded * 4 * sizeof(float) +
                         states * padded * (FLOATS * sizeof(float) + sizeof(scales));
  return bytes <= SIZE_MAX ? (size_t)bytes : 0;
}

/* Copies the caller's options to *own, with defaults for members that the caller's version lacks. Returns
 * false if the options are not valid. */
static bool read_options(quatsimd_stream_options *own, const quatsimd_stream_options *options) {
  *own = defaults;
  return options && growing_read(own, sizeof *own, options, FIRST_OPTIONS) && own->body_count >= 1 &&
         own->body_count <= MAX_BODIES && own->bound >= 1e-5f && own->bound <= 1 && own->state_count >= 16 &&
         own->state_count <= MOST_STATES && (own->state_count & (own->state_count - 1)) == 0 &&
         own->receiver_count >= 1 && own->receiver_count <= MOST_RECEIVERS &&
         (own->reliable == 0 || own->reliable == 1) && size_of(own) != 0;
}

size_t quatsimd_stream_memory_size(const quatsimd_stream_options *options) {
  quatsimd_stream_options own;
  return read_options(&own, options) ? size_of(&own) : 0;
}

size_t quatsimd_stream_max_packet_size(const quatsimd_stream_options *options) {
  quatsimd_stream_options own;
  if (!read_options(&own, options)) return 0;
  const quatsimd_stream s = {.bodies = own.body_count, .width = width_of(&own)};
  return whole_bytes(&s) + SPARE_BYTES;
}

/* Returns the seed of hashes, made of the options that must be equal on both sides. */
static uint32_t seed_of(const quatsimd_stream_options *o) {
  unsigned char id[19];
  store_little(id, o->body_count, 4), store_float(id + 4, o->bound),
      store_little(id + 8, (uint64_t)o->state_count, 2);
  id[10] = FORMAT_VERSION;
  store_little(id + 11, o->session, 8);
  return XXH32(id, sizeof id, 0);
}

_Static_assert(sizeof(quatsimd_stream) % _Alignof(receiver) == 0 && sizeof(receiver) % _Alignof(state) == 0 &&
                   sizeof(state) % _Alignof(float) == 0,
               "the arrays after a stream are aligned");

/* Lays out the memory after the struct: receivers, states, and the arrays with an element for each body. */
static void lay_out(quatsimd_stream *s) {
  s->receiver = (receiver *)(void *)(s + 1);
  state *const states = (state *)(void *)(s->receiver + s->receivers);
  float *floats = (float *)(void *)(states + s->states + 1);
  for (int c = 0; c < 4; c++, floats += s->padded) {
    s->held[c] = floats;
    for (size_t i = 0; i < s->padded; i++) floats[i] = c == 3;
  }
  for (uint32_t n = 0; n <= s->states; n++) {
    state *const t = &states[n];
    if (n < s->states) s->state[n] = t;
    float **const of[] = {&t->rotation[0], &t->rotation[1], &t->rotation[2], &t->rotation[3],
                          &t->moved[0],    &t->moved[1],    &t->moved[2],    &t->error[0],
                          &t->error[1],    &t->error[2],    &t->error[3]};
    for (int c = 0; c < FLOATS; c++, floats += s->padded) *of[c] = floats;
  }
  s->next = &states[s->states];
  scales *scale = (scales *)(void *)floats;
  for (uint32_t n = 0; n <= s->states; n++, scale += s->padded) states[n].scale = scale;
}

quatsimd_status quatsimd_stream_init(quatsimd_stream **stream, void *memory, size_t memory_size,
                                     const quatsimd_stream_options *options) {
  quatsimd_stream_options o;
  if (!stream || !memory || (uintptr_t)memory % 8 != 0 || !read_options(&o, options))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (memory_size < size_of(&o)) return QUATSIMD_ERROR_SHORT_BUFFER;
  quatsimd_stream *s = memory;
  memset(s, 0, size_of(&o));
  s->bodies = o.body_count;
  s->padded = quatsimd_padded(o.body_count);
  const double none = usable_bound(&o);
  for (int i = 0; i < QUATSIMD_CHUNK; i++)
    s->quantum[i] = (float)quantum_of(&o), s->per_quantum[i] = (float)(1 / quantum_of(&o)),
    s->none2[i] = (float)(none * none);
  s->width = width_of(&o);
  s->reliable = o.reliable != 0;
  s->seed = seed_of(&o);
  s->states = (uint32_t)o.state_count, s->receivers = (uint32_t)o.receiver_count;
  lay_out(s);
  *stream = s;
  return QUATSIMD_OK;
}

/* ---- packets ---- */

uint32_t quatsimd_stream_expected(const state *base, uint32_t distance) {
  const uint64_t ahead = base->distance ? (uint64_t)base->interval * distance / base->distance : 0;
  return base->time + (uint32_t)ahead;
}

static float horizon_of(const state *base, const state *next) {
  if (base->interval == 0) return 0;
  const float horizon = (float)next->interval / (float)base->interval;
  return horizon < LONGEST_HORIZON ? horizon : LONGEST_HORIZON;
}

void quatsimd_stream_begin(quatsimd_stream *s, const state *base, uint32_t number) {
  state *const next = s->next;
  next->number = number;
  next->distance = base ? number - base->number : 0;
  if (base) {
    next->steady = base->steady, next->whole = base->whole, next->models = base->models;
  } else {
    next->steady = (model){0xf000, 0xf000}, next->whole = (model){0x0800, 0x0800};
    quatsimd_stream_first_models(&next->models);
  }
}

void quatsimd_stream_set_time(quatsimd_stream *s, const state *base, uint32_t time) {
  state *const next = s->next;
  next->time = time, next->interval = base ? time - base->time : 0;
  const float horizon = base ? horizon_of(base, next) : 0;
  for (int e = 0; e < QUATSIMD_CHUNK; e++) s->horizon[e] = horizon;
}

void quatsimd_stream_keep(quatsimd_stream *s, uint32_t hash) {
  state *const kept = s->next;
  kept->hash = hash, kept->filled = true;
  state **const place = &s->state[kept->number % s->states];
  s->next = *place, *place = kept;
}

void quatsimd_stream_predict(const quatsimd_stream *s, const state *base, size_t i, size_t padded,
                             components predicted) {
  if (!base) {
    for (int c = 0; c < 4; c++)
      for (size_t e = 0; e < padded; e++) predicted[c][e] = c == 3;
    return;
  }
  stream_run(QUATSIMD_OPERATION_stream_predict, (float *[]){ROTATIONS_AT(predicted, 0)},
             (const float *[]){ROTATIONS_AT(base->rotation, i), VECTORS_AT(base->moved, i),
                               ROTATIONS_AT(base->error, i), s->horizon},
             padded);
}

void quatsimd_stream_advance(quatsimd_stream *s, const state *base, size_t i, size_t n, size_t padded,
                             components predicted, points k) {
  state *const next = s->next;
  float number[3][QUATSIMD_CHUNK];
  for (int c = 0; c < 3; c++)
    for (size_t e = 0; e < padded; e++) number[c][e] = e < n ? (float)k[e][c] : 0;
  stream_run(QUATSIMD_OPERATION_stream_turn, (float *[]){ROTATIONS_AT(next->rotation, i)},
             (const float *[]){ROTATIONS_AT(predicted, 0), VECTORS_AT(number, 0), s->quantum}, padded);
  if (!base) {
    for (int c = 0; c < 3; c++) memset(next->moved[c] + i, 0, padded * sizeof(float));
    for (int c = 0; c < 4; c++) memset(next->error[c] + i, 0, padded * sizeof(float));
    for (size_t e = 0; e < n; e++) next->scale[i + e] = (scales){{FIRST_SCALE, FIRST_SCALE, FIRST_SCALE}};
    return;
  }
  stream_run(QUATSIMD_OPERATION_stream_learn,
             (float *[]){VECTORS_AT(next->moved, i), ROTATIONS_AT(next->error, i)},
             (const float *[]){ROTATIONS_AT(base->rotation, i), ROTATIONS_AT(next->rotation, i),
                               VECTORS_AT(base->moved, i), ROTATIONS_AT(base->error, i), s->horizon},
             padded);
  for (size_t e = 0; e < n; e++) next->scale[i + e] = next_scales(base->scale[i + e], k[e]);
}
