/* Streams of rotations: prediction, a body-centred cubic lattice of residuals, a prefix code.
 * docs/relative.md has the frame format.
 *
 * A residual r (Cayley or rotation vector) is rounded to the nearest point of h * k with the three numbers
 * of k all even or all odd. No point of space is further than h * sqrt(5) / 2 from one of them, so that h
 * is set by the bound; for the same bound these cells are 1.86 times as large as cubes. */
#include "quatsimd/stream.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/operand.h"

enum {
  /* of the bits and of the arithmetic of the operations used here: new if either changes after a release */
  FORMAT_VERSION = 1,
  HEAD_BYTES = 4,
  WRITER_SPARE = 8,
  MAX_BODIES = 1 << 24,
  MAX_QUOTIENT = 31,    /* ones in the unary part of a number; all bits set */
  MAX_BODY_BYTES = 21,  /* escape 36 bits, switch 1, a point 4 + 3 * (32 + 10) */
  MAX_MAGNITUDE = 4095, /* of the sum that the scale follows */
  FIRST_SCALE = 32,
  SWITCH_BITS = 4 /* what the other prediction must have saved, beside the cost of the switch */
};

enum { LAST, FREE, WHOLE }; /* what a rotation is coded relative to: a prediction, or none */

/* What the code of a body's next rotation depends on, beside its last two rotations. */
typedef struct body {
  uint16_t scale;     /* mean of |k0| + |k1| + |k2| over the last frames, times 16 */
  uint16_t predicted; /* prediction in use */
} body;

/* A component each of all bodies' rotations. */
typedef struct rotations {
  float *component[4];
} rotations;

struct quatsimd_stream {
  size_t bodies, room;
  /* h, 1 / h, squared length of a residual as good as none */
  float steps[QUATSIMD_CHUNK], per_step[QUATSIMD_CHUNK], none2[QUATSIMD_CHUNK];
  int width; /* bits of a component of a rotation coded by itself */
  int predictors;
  int rotation_vectors; /* else Cayley vectors */
  float zeros[QUATSIMD_CHUNK], ones[QUATSIMD_CHUNK];
  uint32_t seed;   /* of the checksum: the options */
  uint32_t number; /* of the next frame */
  uint16_t check;  /* checksum of the last frame */
  bool started;
  rotations last, before, next;
  body *body, *next_body; /* room for each */
  int16_t *advantage;     /* bits that the other prediction would have saved, of late: the encoder's alone */
};

static bool valid_options(const quatsimd_stream_options *o) {
  return o && o->bodies >= 1 && o->bodies <= MAX_BODIES && o->bound >= 1e-5f && o->bound <= 1 &&
         o->predictors >= 0 && o->predictors <= QUATSIMD_PREDICT_NONE &&
         (o->exponential == 0 || o->exponential == 1);
}

/* The bound less what float arithmetic adds at both ends: a residual of up to 180 degrees, rounded, and
 * scaled back. */
static double usable_bound(const quatsimd_stream_options *o) {
  return (double)o->bound * (1 - 0x1p-9) - 2e-6;
}

/* A difference of residuals is at least the angle between the rotations over this. */
static double radians_per_unit(const quatsimd_stream_options *o) { return o->exponential ? 1 : 4; }

static double step_of(const quatsimd_stream_options *o) {
  return usable_bound(o) / radians_per_unit(o) / 0x1.1e3779b97f4a8p+0; /* sqrt(5) / 2 */
}

/* Bits for numbers from -reach / 2 - 1 to reach / 2, with room for rounding; residuals reach to 1 or to
 * pi. */
static int width_of(const quatsimd_stream_options *o) {
  const double reach = (o->exponential ? 3.1416 : 1.0) / step_of(o) + 4;
  int width = 1;
  while ((double)(1 << width) < reach) width++;
  return width;
}

size_t quatsimd_stream_size(const quatsimd_stream_options *o) {
  if (!valid_options(o)) return 0;
  return sizeof(quatsimd_stream) +
         quatsimd_room(o->bodies) * (12 * sizeof(float) + 2 * sizeof(body) + sizeof(int16_t));
}

static size_t max_frame(size_t bodies) { return HEAD_BYTES + bodies * MAX_BODY_BYTES + WRITER_SPARE; }
size_t quatsimd_stream_max_packet(const quatsimd_stream_options *o) {
  return valid_options(o) ? max_frame(o->bodies) : 0;
}

quatsimd_status quatsimd_stream_init(quatsimd_stream **stream, void *memory, size_t memory_size,
                                     const quatsimd_stream_options *o) {
  if (!stream || !memory || (uintptr_t)memory % 8 != 0 || !valid_options(o))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (memory_size < quatsimd_stream_size(o)) return QUATSIMD_ERROR_SHORT_BUFFER;
  quatsimd_stream *s = memory;
  memset(s, 0, quatsimd_stream_size(o));
  s->bodies = o->bodies;
  s->room = quatsimd_room(o->bodies);
  const double none = usable_bound(o) / radians_per_unit(o);
  for (int i = 0; i < QUATSIMD_CHUNK; i++)
    s->steps[i] = (float)step_of(o), s->per_step[i] = (float)(1 / step_of(o)),
    s->none2[i] = (float)(none * none), s->ones[i] = 1;
  s->width = width_of(o);
  s->predictors = o->predictors;
  s->rotation_vectors = o->exponential;
  uint32_t bound_bits;
  memcpy(&bound_bits, &o->bound, 4);
  unsigned char id[10];
  for (int i = 0; i < 4; i++)
    id[i] = (unsigned char)(o->bodies >> 8 * i), id[4 + i] = (unsigned char)(bound_bits >> 8 * i);
  id[8] = (unsigned char)o->exponential;
  id[9] = FORMAT_VERSION;
  s->seed = XXH32(id, sizeof id, 0);
  float *floats = (float *)(void *)(s + 1);
  rotations *const all[] = {&s->last, &s->before, &s->next};
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++, floats += s->room) {
      all[r]->component[c] = floats;
      for (size_t i = 0; i < s->room; i++) floats[i] = c == 3;
    }
  s->body = (body *)(void *)floats;
  s->next_body = s->body + s->room;
  s->advantage = (int16_t *)(void *)(s->next_body + s->room);
  *stream = s;
  return QUATSIMD_OK;
}

/* ---- bits, the first one lowest ---- */

static inline uint64_t little_endian(uint64_t word) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
  return __builtin_bswap64(word);
#else
  return word;
#endif
}

/* Stores eight bytes each time. */
typedef struct bit_writer {
  unsigned char *to;
  uint64_t waiting;
  int count; /* bits waiting, fewer than 8 */
} bit_writer;

static inline void put(bit_writer *w, uint64_t value, int bits) { /* bits <= 56, value without others */
  w->waiting |= value << w->count;
  w->count += bits;
  const uint64_t word = little_endian(w->waiting);
  memcpy(w->to, &word, 8);
  w->to += w->count / 8;
  w->waiting >>= w->count / 8 * 8;
  w->count %= 8;
}

/* Reads zeros behind the end, and counts them. */
typedef struct bit_reader {
  const unsigned char *bytes;
  size_t size, at; /* next byte */
  uint64_t waiting;
  int count; /* above them, bits may be there already that the next refill brings again */
} bit_reader;

static inline void refill(bit_reader *r) { /* to at least 56 bits */
  if (r->at + 8 <= r->size) {
    uint64_t word;
    memcpy(&word, r->bytes + r->at, 8);
    r->waiting |= little_endian(word) << r->count;
    const int bytes = (63 - r->count) / 8;
    r->at += (size_t)bytes, r->count += 8 * bytes;
  } else {
    for (; r->count <= 56; r->count += 8, r->at++)
      if (r->at < r->size) r->waiting |= (uint64_t)r->bytes[r->at] << r->count;
  }
}

static inline uint32_t take(bit_reader *r, int bits) {
  const uint32_t value = (uint32_t)(r->waiting & (((uint64_t)1 << bits) - 1));
  r->waiting >>= bits;
  r->count -= bits;
  return value;
}

/* ---- the code of a lattice point ---- */

/* Points of a chunk of residuals: three numbers, and the sum of their magnitudes. */
enum { SIZE = 3 };
typedef struct points {
  int32_t k[4][QUATSIMD_CHUNK];
} points;

/* 0, 1, 2, ... for 0, -1, 1, -2, ...: what a component is when its parity is taken away and it is halved. */
static inline uint32_t folded(int32_t k, int32_t parity) {
  const int32_t n = (k - parity) >> 1;
  return (uint32_t)n << 1 ^ (n < 0 ? UINT32_MAX : 0);
}
static inline int32_t unfolded(uint32_t z, int32_t parity) {
  return 2 * ((int32_t)(z >> 1) ^ -(int32_t)(z & 1)) + parity;
}

/* The sum of magnitudes tells the class of a point, 0, 2 or 3 or more than that: none; one component 2 or
 * -2, the others 0; all 1 or -1; any other. */
typedef enum class { ZERO, AXIS, CORNER, OTHER, CLASSES } class;

/* The code for a scale: class prefixes (lowest bit first), and the low bits of a folded number that are
 * stored as they are, the rest being unary. */
typedef struct code {
  const struct prefixes *of;
  int low_bits[2]; /* even, odd */
} code;
typedef struct prefixes {
  unsigned char bits[CLASSES], length[CLASSES];
  unsigned char few_bits[4]; /* about how many, by the size of the point, if it is of another class */
  unsigned char found[8];    /* by the next three bits: class + 4 * length */
} prefixes;

/* By the exponent of a float: x86 counts zeros at one bit per cycle or so unless it is told that it is a
 * newer one. n < 2^24. */
static inline int floor_log2(int32_t n) {
  const float f = (float)n;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return (int)(bits >> 23) - 127;
}

static inline code code_of(uint16_t scale) {
#define P(class, length) (class + 4 * length)
  static const prefixes all[3] = {
      {{0, 1, 3, 7},
       {1, 2, 3, 3},
       {1, 0, 5, 6},
       {P(ZERO, 1), P(AXIS, 2), P(ZERO, 1), P(CORNER, 3), P(ZERO, 1), P(AXIS, 2), P(ZERO, 1), P(OTHER, 3)}},
      {{0, 1, 2, 3},
       {2, 2, 2, 2},
       {2, 0, 5, 5},
       {P(ZERO, 2), P(AXIS, 2), P(CORNER, 2), P(OTHER, 2), P(ZERO, 2), P(AXIS, 2), P(CORNER, 2),
        P(OTHER, 2)}},
      {{3, 7, 1, 0},
       {3, 3, 2, 1},
       {3, 0, 6, 5},
       {P(OTHER, 1), P(CORNER, 2), P(OTHER, 1), P(ZERO, 3), P(OTHER, 1), P(CORNER, 2), P(OTHER, 1),
        P(AXIS, 3)}}};
#undef P
  const int low = floor_log2(scale / 44 | 1);
  return (code){&all[(scale >= 30) + (scale >= 44)], {low, low > 1 ? low : 1}};
}

/* About how many bits a point of this size takes, for a choice between two. Both ways are computed: which
 * it is, is hard to foresee. */
static inline int about_bits(const code *c, int32_t size) {
  const int32_t quotients = size >> c->low_bits[0];
  const int few = c->of->few_bits[size & 3],
            many = c->of->length[OTHER] + 4 + 3 * c->low_bits[0] + (quotients < 200 ? quotients : 200);
  return size <= 3 ? few : many;
}

/* Prefix and parity of a point of class OTHER. */
static inline uint64_t other_head(const code *c, int32_t parity) {
  return c->of->bits[OTHER] | (uint64_t)parity << c->of->length[OTHER];
}

/* Of the class OTHER, none at all says that something else follows. */
static inline int bits_of_escape(const code *c) {
  return c->of->length[OTHER] + 1 + 3 * (1 + c->low_bits[0]);
}
static void put_escape(bit_writer *w, const code *c) { put(w, other_head(c, 0), bits_of_escape(c)); }

/* Says first whether the prediction changes. False, and nothing is written, if the unary part of a number
 * would be too long. */
static inline bool put_residual(bit_writer *w, const code *c, bool other_prediction, const points *p,
                                size_t e) {
  const int32_t k[3] = {p->k[0][e], p->k[1][e], p->k[2][e]}, size = p->k[SIZE][e];
  const int32_t parity = k[0] & 1;
  const int low = c->low_bits[parity];
  const uint32_t z[3] = {folded(k[0], parity), folded(k[1], parity), folded(k[2], parity)};
  if ((z[0] | z[1] | z[2]) >> low > MAX_QUOTIENT) return false;
  if (other_prediction) {
    put_escape(w, c);
    put(w, 0, 1);
  }
  if (size <= 3) {
    const unsigned which = k[0] != 0   ? 0
                           : k[1] != 0 ? 1
                                       : 3,
                   signs = (k[0] < 0) | (k[1] < 0) << 1 | (unsigned)(k[2] < 0) << 2;
    const unsigned kind = size == 0 ? ZERO : (unsigned)size - 1;
    const unsigned rest = size == 0 ? 0 : size == 2 ? (signs != 0) | which << 1 : signs;
    const int rest_bits = size == 2 ? (which ? 3 : 2) : size;
    put(w, c->of->bits[kind] | (uint64_t)rest << c->of->length[kind], c->of->length[kind] + rest_bits);
  } else {
    uint64_t part[3]; /* quotient ones, a zero, the low bits */
    int bits[3];
    for (int i = 0; i < 3; i++) {
      const uint32_t quotient = z[i] >> low;
      part[i] = (((uint64_t)1 << quotient) - 1) | (uint64_t)(z[i] & ((1u << low) - 1)) << (quotient + 1);
      bits[i] = (int)quotient + 1 + low;
    }
    part[0] = other_head(c, parity) | part[0] << (c->of->length[OTHER] + 1);
    bits[0] += c->of->length[OTHER] + 1;
    if (bits[0] + bits[1] + bits[2] <= 56) {
      put(w, part[0] | part[1] << bits[0] | part[2] << (bits[0] + bits[1]), bits[0] + bits[1] + bits[2]);
    } else {
      for (int i = 0; i < 3; i++) put(w, part[i], bits[i]);
    }
  }
  return true;
}

typedef enum taken { POINT, ESCAPE, DAMAGED } taken;
static inline taken take_point(bit_reader *r, const code *c, int32_t k[3]) {
  refill(r);
  const int found = c->of->found[r->waiting & 7];
  (void)take(r, found / 4);
  k[0] = k[1] = k[2] = 0;
  if (found % 4 == ZERO) return POINT;
  if (found % 4 == AXIS) {
    const int32_t value = take(r, 1) ? -2 : 2;
    k[take(r, 1) == 0 ? 0 : take(r, 1) == 0 ? 1 : 2] = value;
    return POINT;
  }
  if (found % 4 == CORNER) {
    const int signs = (int)take(r, 3);
    for (int i = 0; i < 3; i++) k[i] = 1 - (signs >> i & 1) * 2;
    return POINT;
  }
  const int32_t parity = (int32_t)take(r, 1);
  const int low = c->low_bits[parity];
  uint32_t any = (uint32_t)parity;
  for (int i = 0; i < 3; i++) {
    if (i > 0) refill(r);
    const int quotient = __builtin_ctzll(~r->waiting | (uint64_t)1 << 63);
    if (quotient > MAX_QUOTIENT) return DAMAGED;
    (void)take(r, quotient + 1);
    const uint32_t z = (uint32_t)quotient << low | take(r, low);
    any |= z;
    k[i] = unfolded(z, parity);
  }
  return any ? POINT : ESCAPE;
}

/* A rotation by itself: parity and three numbers of fixed width. */
static void put_whole(bit_writer *w, int width, const points *p, size_t e) {
  const int32_t parity = p->k[0][e] & 1;
  put(w, (uint32_t)parity, 1);
  for (int i = 0; i < 3; i++) put(w, (uint32_t)(((p->k[i][e] - parity) >> 1) + (1 << (width - 1))), width);
}
static void take_whole(bit_reader *r, int width, int32_t k[3]) {
  refill(r);
  const int32_t parity = (int32_t)take(r, 1);
  for (int i = 0; i < 3; i++) {
    refill(r);
    k[i] = 2 * ((int32_t)take(r, width) - (1 << (width - 1))) + parity;
  }
}

/* ---- bodies ---- */

static const body new_body = {FIRST_SCALE, FREE}; /* of a key frame */

/* A residual was too long for the scale, so that it grows: noise as large as that is coded after a few
 * frames. */
static body after_whole(body b) {
  b.scale = b.scale < 16384 ? (uint16_t)(4 * b.scale) : 65535;
  return b;
}

static body after_point(body b, uint32_t used, int32_t size) {
  const int32_t magnitude = size < MAX_MAGNITUDE ? size : MAX_MAGNITUDE;
  return (body){(uint16_t)(b.scale - (b.scale >> 2) + 4 * magnitude), (uint16_t)used};
}

/* Which code is short, switches of the prediction considered that pay later; by the sizes of the
 * residuals' points. */
static inline uint32_t choose(const quatsimd_stream *s, const code *c, body b, int16_t *advantage,
                              int32_t last_size, int32_t free_size) {
  const int escape = bits_of_escape(c), whole_bits = escape + 2 + 3 * s->width;
  if (s->predictors != QUATSIMD_PREDICT_BOTH) {
    const bool last = s->predictors == QUATSIMD_PREDICT_LAST;
    return about_bits(c, last ? last_size : free_size) > whole_bits ? WHOLE : last ? LAST : FREE;
  }
  const int32_t used_size = b.predicted == LAST ? last_size : free_size;
  const int used_bits = about_bits(c, used_size),
            other_bits = about_bits(c, last_size + free_size - used_size);
  const int switched_bits = other_bits + escape + 1;
  int gain = used_bits - other_bits;
  gain = gain > 64 ? 64 : gain < -64 ? -64 : gain;
  const int with_gain = *advantage + gain - *advantage / 8;
  const bool switches = with_gain > SWITCH_BITS + escape || switched_bits < used_bits;
  const bool whole = (switches ? switched_bits : used_bits) > whole_bits;
  *advantage = (int16_t)(switches || whole ? 0 : with_gain);
  return whole ? WHOLE : (uint32_t)b.predicted ^ switches;
}

/* Reads the code of a body; WHOLE + 1 for what no encoder writes. */
static inline uint32_t take_body(const quatsimd_stream *s, bit_reader *r, body b, body *next, int32_t k[3]) {
  const code c = code_of(b.scale);
  uint32_t used = b.predicted;
  taken t = take_point(r, &c, k);
  if (t == ESCAPE) {
    refill(r);
    if (take(r, 1)) {
      take_whole(r, s->width, k);
      *next = after_whole(b);
      return WHOLE;
    }
    used ^= 1;
    t = take_point(r, &c, k);
  }
  if (t != POINT) return WHOLE + 1;
  *next = after_point(b, used, abs(k[0]) + abs(k[1]) + abs(k[2]));
  return used;
}

/* ---- frames ---- */

typedef float components[4][QUATSIMD_CHUNK];
static void run(const quatsimd_stream *s, quatsimd_operation operation, float *const *out,
                const float *const *in, size_t room) {
  quatsimd_active_kernels()->operation[operation](s->rotation_vectors, out, in, room);
}
#define OF(v, i) (v)[0] + (i), (v)[1] + (i), (v)[2] + (i), (v)[3] + (i)

/* Where the bodies from the i-th on would be now if they turned on as they did. */
static void predict_free(const quatsimd_stream *s, size_t i, size_t room, components free) {
  run(s, QUATSIMD_OPERATION_stream_predict, (float *[]){OF(free, 0)},
      (const float *[]){OF(s->before.component, i), OF(s->last.component, i)}, room);
}

static void find_points(const quatsimd_stream *s, const float *const predicted[4], components value,
                        size_t room, points *p) {
  components k;
  run(s, QUATSIMD_OPERATION_stream_residual, (float *[]){OF(k, 0)},
      (const float *[]){OF(predicted, 0), OF(value, 0), s->per_step, s->none2}, room);
  for (int c = 0; c < 4; c++)
    for (size_t e = 0; e < room; e++) p->k[c][e] = (int32_t)k[c][e];
}

/* Relative to the identity. */
static void find_whole(const quatsimd_stream *s, components value, size_t room, points *p) {
  find_points(s, (const float *[]){s->zeros, s->zeros, s->zeros, s->ones}, value, room, p);
}

/* The next rotations: h * k from the predictions used. Behind the last body nothing moves. */
static void turn(quatsimd_stream *s, size_t i, size_t n, size_t room, uint32_t used[QUATSIMD_CHUNK],
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
  run(s, QUATSIMD_OPERATION_stream_turn, (float *[]){OF(s->next.component, i)},
      (const float *[]){OF(base, 0), k[0], k[1], k[2], s->steps}, room);
}

static uint16_t checksum(const quatsimd_stream *s, unsigned head, const unsigned char *payload, size_t size) {
  const uint32_t before = head & 1 ? 0 : s->check;
  const uint32_t h = XXH32(payload, size, s->seed ^ (head | before << 16));
  return (uint16_t)(h ^ h >> 16);
}

/* The frame that was made or read becomes the last one. */
static void advance(quatsimd_stream *s, bool key, uint32_t number, uint16_t check) {
  const rotations oldest = s->before;
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

quatsimd_status quatsimd_stream_encode(quatsimd_stream *s, int key_frame, quatsimd_in orientations,
                                       void *frame, size_t frame_size, size_t *written) {
  quatsimd_operand in;
  if (!s || !frame || !written || !quatsimd_resolve_in(&in, 4, &orientations))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (frame_size < max_frame(s->bodies)) return QUATSIMD_ERROR_SHORT_BUFFER;
  const bool key = key_frame || !s->started || s->predictors == QUATSIMD_PREDICT_NONE;
  unsigned char *const head = frame;
  bit_writer w = {head + HEAD_BYTES, 0, 0};
  bool all_valid = true;
  for (size_t i = 0; i < s->bodies; i += QUATSIMD_CHUNK) {
    const size_t n = quatsimd_chunk(i, s->bodies), room = quatsimd_room(n);
    components value, free;
    points from[WHOLE + 1], sent; /* from each prediction, and those chosen */
    float ok[QUATSIMD_CHUNK];
    uint32_t used[QUATSIMD_CHUNK];
    quatsimd_gather(&in, i, n, room, value);
    run(s, QUATSIMD_OPERATION_stream_unit, (float *[]){OF(value, 0), ok},
        (const float *[]){OF(value, 0), OF(s->last.component, i)}, room);
    for (size_t e = 0; e < n; e++) all_valid &= ok[e] != 0;
    predict_free(s, i, room, free);
    if (key) {
      find_whole(s, value, room, &from[WHOLE]);
      for (size_t e = 0; e < n; e++) {
        put_whole(&w, s->width, &from[WHOLE], e);
        s->next_body[i + e] = new_body;
        s->advantage[i + e] = 0;
        used[e] = WHOLE;
      }
      turn(s, i, n, room, used, &from[WHOLE], free);
      continue;
    }
    find_points(s, (const float *[]){OF(s->last.component, i)}, value, room, &from[LAST]);
    find_points(s, (const float *[]){OF(free, 0)}, value, room, &from[FREE]);
    bool have_whole = false;
    for (size_t e = 0; e < n; e++) {
      const body b = s->body[i + e];
      const code c = code_of(b.scale);
      used[e] = choose(s, &c, b, &s->advantage[i + e], from[LAST].k[SIZE][e], from[FREE].k[SIZE][e]);
      /* by any other it would move, as near as the bound in each frame */
      used[e] = ok[e] == 0 ? LAST : used[e];
      if (used[e] != WHOLE && !put_residual(&w, &c, used[e] != b.predicted, &from[used[e]], e))
        used[e] = WHOLE;
      if (used[e] == WHOLE) {
        if (!have_whole) find_whole(s, value, room, &from[WHOLE]);
        have_whole = true;
        put_escape(&w, &c);
        put(&w, 1, 1);
        put_whole(&w, s->width, &from[WHOLE], e);
      }
      for (int k = 0; k < 3; k++) sent.k[k][e] = from[used[e]].k[k][e];
      s->next_body[i + e] =
          used[e] == WHOLE ? after_whole(b) : after_point(b, used[e], from[used[e]].k[SIZE][e]);
    }
    turn(s, i, n, room, used, &sent, free);
  }
  const unsigned number = (s->number & 0x7fff) << 1 | key;
  *written = (size_t)(w.to - head) + (w.count > 0);
  const uint16_t check = checksum(s, number, head + HEAD_BYTES, *written - HEAD_BYTES);
  head[0] = (unsigned char)number, head[1] = (unsigned char)(number >> 8);
  head[2] = (unsigned char)check, head[3] = (unsigned char)(check >> 8);
  advance(s, key, s->number, check);
  return all_valid ? QUATSIMD_OK : QUATSIMD_WARNING_REPLACED_INVALID;
}

static unsigned load_u16(const unsigned char *p) { return p[0] | (unsigned)p[1] << 8; }

quatsimd_status quatsimd_stream_peek(const void *frame, size_t frame_size, unsigned *number, int *key_frame) {
  if (!frame || !number || !key_frame) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (frame_size < HEAD_BYTES) return QUATSIMD_ERROR_BAD_PACKET;
  *number = load_u16(frame) >> 1;
  *key_frame = load_u16(frame) & 1;
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_stream_decode(quatsimd_stream *s, const void *frame, size_t frame_size,
                                       quatsimd_out orientations) {
  quatsimd_operand out;
  if (!s || !frame || !quatsimd_resolve_out(&out, 4, &orientations)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (frame_size < HEAD_BYTES) return QUATSIMD_ERROR_BAD_PACKET;
  const unsigned char *const bytes = frame;
  const unsigned head = load_u16(bytes);
  const bool key = head & 1;
  const uint32_t ahead = s->started ? ((head >> 1) - s->number) & 0x7fff : 0;
  if (ahead >= 0x4000) return QUATSIMD_ERROR_OLD_PACKET;
  if (!key && (!s->started || ahead != 0)) return QUATSIMD_ERROR_NEED_KEY;
  if (checksum(s, head, bytes + HEAD_BYTES, frame_size - HEAD_BYTES) != load_u16(bytes + 2))
    return QUATSIMD_ERROR_BAD_PACKET;

  if (key && frame_size != HEAD_BYTES + (s->bodies * (size_t)(1 + 3 * s->width) + 7) / 8)
    return QUATSIMD_ERROR_BAD_PACKET;

  bit_reader r = {bytes + HEAD_BYTES, frame_size - HEAD_BYTES, 0, 0, 0};
  for (size_t i = 0; i < s->bodies; i += QUATSIMD_CHUNK) {
    const size_t n = quatsimd_chunk(i, s->bodies), room = quatsimd_room(n);
    components free;
    points got;
    uint32_t used[QUATSIMD_CHUNK];
    predict_free(s, i, room, free);
    for (size_t e = 0; e < n; e++) {
      int32_t k[3];
      if (key) {
        take_whole(&r, s->width, k);
        s->next_body[i + e] = new_body;
        used[e] = WHOLE;
      } else {
        used[e] = take_body(s, &r, s->body[i + e], &s->next_body[i + e], k);
        if (used[e] > WHOLE) return QUATSIMD_ERROR_BAD_PACKET;
      }
      for (int c = 0; c < 3; c++) got.k[c][e] = k[c];
    }
    if (r.at > r.size + 8) return QUATSIMD_ERROR_BAD_PACKET; /* long behind the end */
    turn(s, i, n, room, used, &got, free);
  }
  /* all that is left are the zero bits of the last byte */
  const size_t taken_bits = 8 * r.at - (size_t)r.count;
  if ((taken_bits + 7) / 8 != r.size || r.waiting != 0) return QUATSIMD_ERROR_BAD_PACKET;
  advance(s, key, s->started ? s->number + ahead : head >> 1, (uint16_t)load_u16(bytes + 2));
  for (size_t i = 0; i < s->bodies; i += QUATSIMD_CHUNK) {
    components last;
    const size_t n = quatsimd_chunk(i, s->bodies);
    for (int c = 0; c < 4; c++) memcpy(last[c], s->last.component[c] + i, n * sizeof(float));
    quatsimd_scatter(&out, i, n, last);
  }
  return QUATSIMD_OK;
}
