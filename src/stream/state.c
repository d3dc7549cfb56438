/* Options, memory, and what encoding and decoding have in common. */
#include "stream/checksum.h"

#include "core/growing.h"

enum {
  /* of the bits and of the arithmetic of the operations used here: new if either changes after a release */
  FORMAT_VERSION = 1,
  MAX_BODIES = 1 << 24
};

/* The first version's options end with this member. */
enum { FIRST_OPTIONS = offsetof(quatsimd_stream_options, exponential) + sizeof(int) };

/* A quarter of a degree. */
static const quatsimd_stream_options defaults = {.bound = 0.0043633231f};

quatsimd_status quatsimd_stream_options_init(quatsimd_stream_options *options, size_t struct_size) {
  return growing_init(options, struct_size, &defaults, sizeof defaults, FIRST_OPTIONS)
             ? QUATSIMD_OK
             : QUATSIMD_ERROR_BAD_ARGUMENT;
}

/* The caller's options as this version knows them; false if they are not valid. */
static bool read_options(quatsimd_stream_options *own, const quatsimd_stream_options *options) {
  *own = defaults;
  return options && growing_read(own, sizeof *own, options, FIRST_OPTIONS) && own->bodies >= 1 &&
         own->bodies <= MAX_BODIES && own->bound >= 1e-5f && own->bound <= 1 &&
         (own->exponential == 0 || own->exponential == 1);
}

/* The bound less what float arithmetic adds at both ends: a residual of up to 180 degrees, rounded, and
 * scaled back. */
static double usable_bound(const quatsimd_stream_options *o) {
  return (double)o->bound * (1 - 0x1p-9) - 2e-6;
}

/* A difference of residuals is at least the angle between the rotations over this. */
static double radians_per_unit(const quatsimd_stream_options *o) { return o->exponential ? 1 : 4; }

static double quantum_of(const quatsimd_stream_options *o) {
  return usable_bound(o) / radians_per_unit(o) / 0x1.1e3779b97f4a8p+0; /* sqrt(5) / 2 */
}

/* Bits for numbers from -reach / 2 - 1 to reach / 2, with room for rounding; residuals reach to 1 or to
 * pi. */
static int width_of(const quatsimd_stream_options *o) {
  const double reach = (o->exponential ? 3.1416 : 1.0) / quantum_of(o) + 4;
  int width = 1;
  while ((double)(1 << width) < reach) width++;
  return width;
}

static size_t size_of(const quatsimd_stream_options *own) {
  return sizeof(quatsimd_stream) +
         quatsimd_room(own->bodies) * (12 * sizeof(float) + 2 * sizeof(body) + sizeof(int16_t));
}

size_t quatsimd_stream_size(const quatsimd_stream_options *options) {
  quatsimd_stream_options own;
  return read_options(&own, options) ? size_of(&own) : 0;
}

size_t quatsimd_stream_max_packet(const quatsimd_stream_options *options) {
  quatsimd_stream_options own;
  return read_options(&own, options) ? max_packet(own.bodies) : 0;
}

/* Changes with everything that both sides must have the same. */
static uint32_t seed_of(const quatsimd_stream_options *o) {
  unsigned char id[10];
  store_little(id, o->bodies, 4), store_float(id + 4, o->bound);
  id[8] = (unsigned char)o->exponential;
  id[9] = FORMAT_VERSION;
  return XXH32(id, sizeof id, 0);
}

/* Behind the stream: rotations, which are the identity, and bodies. */
static void lay_out(quatsimd_stream *s) {
  float *floats = (float *)(void *)(s + 1);
  orientations *const all[] = {&s->last, &s->before, &s->next};
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++, floats += s->room) {
      all[r]->component[c] = floats;
      for (size_t i = 0; i < s->room; i++) floats[i] = c == 3;
    }
  s->body = (body *)(void *)floats;
  s->next_body = s->body + s->room;
  s->advantage = (int16_t *)(void *)(s->next_body + s->room);
}

quatsimd_status quatsimd_stream_init(quatsimd_stream **stream, void *memory, size_t memory_size,
                                     const quatsimd_stream_options *options) {
  quatsimd_stream_options o;
  if (!stream || !memory || (uintptr_t)memory % 8 != 0 || !read_options(&o, options))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (memory_size < size_of(&o)) return QUATSIMD_ERROR_SHORT_BUFFER;
  quatsimd_stream *s = memory;
  memset(s, 0, size_of(&o));
  s->bodies = o.bodies;
  s->room = quatsimd_room(o.bodies);
  const double none = usable_bound(&o) / radians_per_unit(&o);
  for (int i = 0; i < QUATSIMD_CHUNK; i++)
    s->quantum[i] = (float)quantum_of(&o), s->per_quantum[i] = (float)(1 / quantum_of(&o)),
    s->none2[i] = (float)(none * none), s->ones[i] = 1;
  s->width = width_of(&o);
  s->predictors = QUATSIMD_PREDICT_BOTH;
  s->rotation_vectors = o.exponential;
  s->seed = seed_of(&o);
  lay_out(s);
  *stream = s;
  return QUATSIMD_OK;
}

void quatsimd_stream_use_predictors(quatsimd_stream *stream, int predictors) {
  stream->predictors = predictors;
}

void quatsimd_stream_run(const quatsimd_stream *s, quatsimd_operation operation, float *const *out,
                         const float *const *in, size_t room) {
  quatsimd_active_kernels()->operation[operation](s->rotation_vectors, out, in, room);
}

void quatsimd_stream_predict(const quatsimd_stream *s, size_t i, size_t room, components free) {
  quatsimd_stream_run(
      s, QUATSIMD_OPERATION_stream_predict, (float *[]){ROTATIONS_AT(free, 0)},
      (const float *[]){ROTATIONS_AT(s->before.component, i), ROTATIONS_AT(s->last.component, i)}, room);
}

void quatsimd_stream_turn(quatsimd_stream *s, size_t i, size_t n, size_t room, uint32_t used[QUATSIMD_CHUNK],
                          points *p, components free) {
  components base, k;
  for (size_t e = n; e < room; e++) {
    used[e] = LAST;
    for (int c = 0; c < 3; c++) p->k[c][e] = 0;
  }
  uint32_t any_whole = 0;
  for (size_t e = 0; e < room; e++) any_whole |= used[e] & WHOLE;
  for (int c = 0; c < 4; c++)
    for (size_t e = 0; e < room; e++) {
      const float last = s->last.component[c][i + e], turned = free[c][e];
      base[c][e] = used[e] == FREE ? turned : last;
    }
  for (size_t e = 0; e < room && any_whole; e++)
    for (int c = 0; c < 4; c++) base[c][e] = used[e] == WHOLE ? (float)(c == 3) : base[c][e];
  for (int c = 0; c < 3; c++)
    for (size_t e = 0; e < room; e++) k[c][e] = (float)p->k[c][e];
  quatsimd_stream_run(s, QUATSIMD_OPERATION_stream_turn, (float *[]){ROTATIONS_AT(s->next.component, i)},
                      (const float *[]){ROTATIONS_AT(base, 0), k[0], k[1], k[2], s->quantum}, room);
}

void quatsimd_stream_advance(quatsimd_stream *s, bool key, uint32_t number, uint16_t check) {
  const orientations oldest = s->before;
  s->before = s->last, s->last = s->next, s->next = oldest;
  body *const old = s->body;
  s->body = s->next_body, s->next_body = old;
  /* no velocity */
  for (int c = 0; c < 4 && key; c++)
    memcpy(s->before.component[c], s->last.component[c], s->room * sizeof(float));
  s->number = number + 1;
  s->check = check;
  s->started = true;
}
