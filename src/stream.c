/* Streams of rotations: prediction, a body-centred cubic lattice of residuals, a prefix code. docs/relative.md has the frame
 * format.
 *
 * A residual r (Cayley or rotation vector) is rounded to the nearest point of h * k with the three numbers of k all even
 * or all odd. No point of space is further than h * sqrt(5) / 2 from one of them, so that h is set by the bound; for the
 * same bound these cells are 1.86 times as large as cubes. */
#include "quatsimd/relative.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "operands.h"

enum {
  FORMAT_VERSION = 1, /* of the bits and of the arithmetic of the operations used here: new if either changes */
  HEAD_BYTES = 4,
  WRITER_SPARE = 8,
  MAX_BODIES = 1 << 24,
  MAX_QUOTIENT = 31,  /* ones in the unary part of a number; all bits set */
  MAX_BODY_BYTES = 21, /* escape 36 bits, switch 1, a point 4 + 3 * (32 + 10) */
  MAX_MAGNITUDE = 4095, /* of the sum that the scale follows */
  FIRST_SCALE = 32,
  SWITCH_BITS = 4     /* what the other prediction must have saved, beside the cost of the switch */
};

typedef enum prediction { LAST, FREE } prediction;

/* What the code of a body's next rotation depends on, beside its last two rotations. */
typedef struct body {
  uint16_t scale;    /* mean of |k0| + |k1| + |k2| over the last frames, times 16 */
  uint16_t predicted; /* prediction in use */
} body;

/* A component each of all bodies' rotations. */
typedef struct rotations {
  float *component[4];
} rotations;

struct quatsimd_stream {
  size_t bodies, room;
  float step;           /* h */
  float per_step[QUATSIMD_CHUNK], none2[QUATSIMD_CHUNK]; /* 1 / h, and the squared length of a residual as good as none */
  int width;            /* bits of a component of a rotation coded by itself */
  int predictors;
  quatsimd_operation map, between, turn;
  uint32_t seed;        /* of the checksum: the options */
  uint32_t number;      /* of the next frame */
  uint16_t check;       /* checksum of the last frame */
  bool started;
  rotations last, before, next;
  body *body, *next_body; /* room for each */
  int16_t *advantage; /* bits that the other prediction would have saved, of late: the encoder's alone */
};

static bool valid_options(const quatsimd_stream_options *o) {
  return o && o->bodies >= 1 && o->bodies <= MAX_BODIES && o->bound >= 1e-5f && o->bound <= 1 && o->predictors >= 0 &&
         o->predictors <= QUATSIMD_PREDICT_NONE && (o->exponential == 0 || o->exponential == 1);
}

/* The bound less what float arithmetic adds at both ends: a residual of up to 180 degrees, rounded, and scaled back. */
static double usable_bound(const quatsimd_stream_options *o) { return (double)o->bound * (1 - 0x1p-9) - 8e-7; }

/* A difference of residuals is at least the angle between the rotations over this. */
static double radians_per_unit(const quatsimd_stream_options *o) { return o->exponential ? 1 : 4; }

static double step_of(const quatsimd_stream_options *o) {
  return usable_bound(o) / radians_per_unit(o) / 0x1.1e3779b97f4a8p+0; /* sqrt(5) / 2 */
}

/* Bits for numbers from -reach / 2 - 1 to reach / 2, with room for rounding; residuals reach to 1 or to pi. */
static int width_of(const quatsimd_stream_options *o) {
  const double reach = (o->exponential ? 3.1416 : 1.0) / step_of(o) + 4;
  int width = 1;
  while ((double)(1 << width) < reach) width++;
  return width;
}

size_t quatsimd_stream_size(const quatsimd_stream_options *o) {
  if (!valid_options(o)) return 0;
  return sizeof(quatsimd_stream) + quatsimd_room(o->bodies) * (12 * sizeof(float) + 2 * sizeof(body) + sizeof(int16_t));
}

static size_t max_frame(size_t bodies) { return HEAD_BYTES + bodies * MAX_BODY_BYTES + WRITER_SPARE; }
size_t quatsimd_stream_max_frame(const quatsimd_stream_options *o) { return valid_options(o) ? max_frame(o->bodies) : 0; }

quatsimd_status quatsimd_stream_init(quatsimd_stream **stream, void *memory, size_t memory_size,
                                     const quatsimd_stream_options *o) {
  if (!stream || !memory || (uintptr_t)memory % 8 != 0 || !valid_options(o)) return QUATSIMD_BAD_ARGUMENT;
  if (memory_size < quatsimd_stream_size(o)) return QUATSIMD_SHORT_BUFFER;
  quatsimd_stream *s = memory;
  memset(s, 0, quatsimd_stream_size(o));
  s->bodies = o->bodies;
  s->room = quatsimd_room(o->bodies);
  s->step = (float)step_of(o);
  const double none = usable_bound(o) / radians_per_unit(o);
  for (int i = 0; i < QUATSIMD_CHUNK; i++) s->per_step[i] = (float)(1 / step_of(o)), s->none2[i] = (float)(none * none);
  s->width = width_of(o);
  s->predictors = o->predictors;
  s->map = o->exponential ? QUATSIMD_OPERATION_log : QUATSIMD_OPERATION_to_cayley;
  s->between = o->exponential ? QUATSIMD_OPERATION_log_between : QUATSIMD_OPERATION_cayley_between;
  s->turn = o->exponential ? QUATSIMD_OPERATION_turn_by_exp : QUATSIMD_OPERATION_turn_by_cayley;
  uint32_t bound_bits;
  memcpy(&bound_bits, &o->bound, 4);
  unsigned char id[10];
  for (int i = 0; i < 4; i++) id[i] = (unsigned char)(o->bodies >> 8 * i), id[4 + i] = (unsigned char)(bound_bits >> 8 * i);
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

/* 0, 1, 2, ... for 0, -1, 1, -2, ...: what a component is when its parity is taken away and it is halved. */
static inline uint32_t folded(int32_t k, int32_t parity) {
  const int32_t n = (k - parity) >> 1;
  return (uint32_t)n << 1 ^ (n < 0 ? UINT32_MAX : 0);
}
static inline int32_t unfolded(uint32_t z, int32_t parity) { return 2 * ((int32_t)(z >> 1) ^ -(int32_t)(z & 1)) + parity; }

/* Classes of points: none; one component 2 or -2, the others 0; all 1 or -1; any other. */
typedef enum class { ZERO, AXIS, CORNER, OTHER, CLASSES } class;

/* The sum of magnitudes, which tells the class: 0, 2 or 3 or more than that. */
static inline uint32_t size_of(const int32_t k[3]) {
  uint32_t sum = 0;
  for (int c = 0; c < 3; c++) sum += (uint32_t)(k[c] < 0 ? -k[c] : k[c]);
  return sum;
}

/* The code for a scale: class prefixes (lowest bit first), and the low bits of a folded number that are stored as they
 * are, the rest being unary. */
typedef struct code {
  const struct prefixes *of;
  int low_bits[2]; /* even, odd */
} code;
typedef struct prefixes {
  unsigned char bits[CLASSES], length[CLASSES];
  unsigned char found[8]; /* by the next three bits: class + 4 * length */
} prefixes;

static inline code code_of(uint16_t scale) {
#define P(class, length) (class + 4 * length)
  static const prefixes all[3] = {
      {{0, 1, 3, 7}, {1, 2, 3, 3},
       {P(ZERO, 1), P(AXIS, 2), P(ZERO, 1), P(CORNER, 3), P(ZERO, 1), P(AXIS, 2), P(ZERO, 1), P(OTHER, 3)}},
      {{0, 1, 2, 3}, {2, 2, 2, 2},
       {P(ZERO, 2), P(AXIS, 2), P(CORNER, 2), P(OTHER, 2), P(ZERO, 2), P(AXIS, 2), P(CORNER, 2), P(OTHER, 2)}},
      {{3, 7, 1, 0}, {3, 3, 2, 1},
       {P(OTHER, 1), P(CORNER, 2), P(OTHER, 1), P(ZERO, 3), P(OTHER, 1), P(CORNER, 2), P(OTHER, 1), P(AXIS, 3)}}};
#undef P
  const unsigned size = scale / 44u;
  const int low = 31 - __builtin_clz(size | 1);
  return (code){&all[size > 0 ? 2 : scale >= 30], {low, low > 1 ? low : 1}};
}

/* About how many bits a point of this size takes, for a choice between two. */
static inline int about_bits(const code *c, uint32_t size) {
  if (size == 0) return c->of->length[ZERO];
  if (size <= 3) return c->of->length[size - 1] + 3;
  const uint32_t quotients = size >> c->low_bits[0];
  return c->of->length[OTHER] + 4 + 3 * c->low_bits[0] + (int)(quotients < 200 ? quotients : 200);
}

/* Prefix and parity of a point of class OTHER. */
static inline uint64_t other_head(const code *c, int32_t parity) {
  return c->of->bits[OTHER] | (uint64_t)parity << c->of->length[OTHER];
}

/* False, and nothing written, if the unary part of a number would be too long. */
static inline bool put_point(bit_writer *w, const code *c, const int32_t k[3], uint32_t size) {
  if (size == 0) {
    put(w, c->of->bits[ZERO], c->of->length[ZERO]);
  } else if (size == 2) { /* sign, then which */
    const int negative = k[0] + k[1] + k[2] < 0, which = k[0] != 0 ? 0 : k[1] != 0 ? 1 : 3;
    const int length = c->of->length[AXIS];
    put(w, c->of->bits[AXIS] | (uint64_t)(negative | which << 1) << length, length + (which ? 3 : 2));
  } else if (size == 3) {
    const int length = c->of->length[CORNER], signs = (k[0] < 0) | (k[1] < 0) << 1 | (k[2] < 0) << 2;
    put(w, c->of->bits[CORNER] | (uint64_t)signs << length, length + 3);
  } else {
    const int32_t parity = k[0] & 1;
    const int low = c->low_bits[parity];
    const uint32_t z[3] = {folded(k[0], parity), folded(k[1], parity), folded(k[2], parity)};
    if ((z[0] | z[1] | z[2]) >> low > MAX_QUOTIENT) return false;
    uint64_t head = other_head(c, parity);
    int head_bits = c->of->length[OTHER] + 1;
    for (int i = 0; i < 3; i++) { /* quotient ones, a zero, the low bits */
      const uint32_t quotient = z[i] >> low;
      const uint64_t ones = ((uint64_t)1 << quotient) - 1, rest = z[i] & ((1u << low) - 1);
      put(w, head | (ones | rest << (quotient + 1)) << head_bits, head_bits + (int)quotient + 1 + low);
      head = 0, head_bits = 0;
    }
  }
  return true;
}

/* Of the class OTHER, none at all says that something else follows. */
typedef enum taken { POINT, ESCAPE, DAMAGED } taken;
static inline int bits_of_escape(const code *c) { return c->of->length[OTHER] + 1 + 3 * (1 + c->low_bits[0]); }
static void put_escape(bit_writer *w, const code *c) { put(w, other_head(c, 0), bits_of_escape(c)); }

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
static void put_whole(bit_writer *w, int width, const int32_t k[3]) {
  const int32_t parity = k[0] & 1;
  put(w, (uint32_t)parity, 1);
  for (int i = 0; i < 3; i++) put(w, (uint32_t)(((k[i] - parity) >> 1) + (1 << (width - 1))), width);
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

/* A residual was too long for the scale, so that it grows: noise as large as that is coded after a few frames. */
static body after_whole(body b) {
  b.scale = b.scale < 16384 ? (uint16_t)(4 * b.scale) : 65535;
  return b;
}

static body after_point(body b, prediction p, uint32_t size) {
  const uint32_t magnitude = size < MAX_MAGNITUDE ? size : MAX_MAGNITUDE;
  return (body){(uint16_t)(b.scale - (b.scale >> 2) + (magnitude << 2)), (uint16_t)p};
}

enum { WHOLE = 2, RESIDUALS }; /* beside LAST and FREE: coded by itself */

/* Which code is short, switches of the prediction considered that pay later; by the sizes of the residuals' points. */
static inline int choose(quatsimd_stream *s, size_t i, const uint32_t sizes[2]) {
  const code c = code_of(s->body[i].scale);
  const int used = s->body[i].predicted, other = used ^ 1, escape = bits_of_escape(&c), whole_bits = escape + 2 + 3 * s->width;
  const int used_bits = about_bits(&c, sizes[used]);
  if (s->predictors != QUATSIMD_PREDICT_BOTH) {
    const int only = s->predictors == QUATSIMD_PREDICT_LAST ? LAST : FREE;
    return about_bits(&c, sizes[only]) > whole_bits ? WHOLE : only;
  }
  const int other_bits = about_bits(&c, sizes[other]), switched_bits = other_bits + escape + 1;
  int gain = used_bits - other_bits;
  gain = gain > 64 ? 64 : gain < -64 ? -64 : gain;
  const int advantage = s->advantage[i] + gain - s->advantage[i] / 8;
  const bool switches = advantage > SWITCH_BITS + escape || switched_bits < used_bits;
  const bool whole = (switches ? switched_bits : used_bits) > whole_bits;
  s->advantage[i] = (int16_t)(switches || whole ? 0 : advantage);
  return whole ? WHOLE : switches ? other : used;
}

/* Writes the code chosen; false, and nothing written, if there is none for that point. */
static inline bool put_body(quatsimd_stream *s, bit_writer *w, size_t i, int chosen, const int32_t k[3]) {
  const body b = s->body[i];
  const code c = code_of(b.scale);
  const bit_writer before = *w;
  if (chosen != b.predicted) {
    put_escape(w, &c);
    put(w, chosen == WHOLE, 1);
  }
  if (chosen == WHOLE) {
    put_whole(w, s->width, k);
    s->next_body[i] = after_whole(b);
    return true;
  }
  const uint32_t size = size_of(k);
  s->next_body[i] = after_point(b, (prediction)chosen, size);
  if (put_point(w, &c, k, size)) return true;
  *w = before;
  return false;
}

/* The other way; -1 for what no encoder writes. */
static inline int decode_body(quatsimd_stream *s, bit_reader *r, size_t i, int32_t k[3]) {
  const body b = s->body[i];
  const code c = code_of(b.scale);
  int used = b.predicted;
  taken t = take_point(r, &c, k);
  if (t == ESCAPE) {
    refill(r);
    if (take(r, 1)) {
      take_whole(r, s->width, k);
      s->next_body[i] = after_whole(b);
      return WHOLE;
    }
    used ^= 1;
    t = take_point(r, &c, k);
  }
  if (t != POINT) return -1;
  s->next_body[i] = after_point(b, (prediction)used, size_of(k));
  return used;
}

/* ---- frames ---- */

typedef float components[4][QUATSIMD_CHUNK];

static void run(quatsimd_operation operation, float *const *out, const float *const *in, size_t room) {
  quatsimd_active_kernels()->operation[operation](0, out, in, room);
}
#define OUT3(v) (float *[]){v[0], v[1], v[2]}
#define OF(v, i) (v)[0] + (i), (v)[1] + (i), (v)[2] + (i), (v)[3] + (i)
#define POINT_AT(k, e) {(int32_t)k[0][e], (int32_t)k[1][e], (int32_t)k[2][e]}

/* Where the bodies from the i-th on would be now if they turned on as they did. */
static void predict_free(const quatsimd_stream *s, size_t i, size_t room, components free) {
  run(QUATSIMD_OPERATION_predict, (float *[]){OF(free, 0)}, (const float *[]){OF(s->before.component, i), OF(s->last.component, i)}, room);
}

/* The next rotations: h * k from the predictions used. */
static void turn(quatsimd_stream *s, size_t i, size_t room, const int used[QUATSIMD_CHUNK], float k[3][QUATSIMD_CHUNK],
                 components free) {
  components base;
  float r[3][QUATSIMD_CHUNK];
  int whole = 0;
  for (int c = 0; c < 4; c++)
    for (size_t e = 0; e < room; e++) {
      const float last = s->last.component[c][i + e], turned = free[c][e];
      base[c][e] = used[e] == FREE ? turned : last;
    }
  for (size_t e = 0; e < room; e++) whole |= used[e];
  for (size_t e = 0; e < room && whole & WHOLE; e++)
    for (int c = 0; c < 4; c++) base[c][e] = used[e] == WHOLE ? (float)(c == 3) : base[c][e];
  const float step = s->step;
  for (int c = 0; c < 3; c++)
    for (size_t e = 0; e < room; e++) r[c][e] = k[c][e] * step;
  run(s->turn, (float *[]){OF(s->next.component, i)}, (const float *[]){OF(base, 0), r[0], r[1], r[2]}, room);
}

/* Residuals become the numbers of their points; and their sizes. */
static void to_lattice(const quatsimd_stream *s, size_t room, float k[3][QUATSIMD_CHUNK], float *size) {
  run(QUATSIMD_OPERATION_round_residual, (float *[]){k[0], k[1], k[2], size},
      (const float *[]){k[0], k[1], k[2], s->per_step, s->none2}, room);
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
  for (int c = 0; c < 4 && key; c++) memcpy(s->before.component[c], s->last.component[c], s->room * sizeof(float)); /* no velocity */
  s->number = number + 1;
  s->check = check;
  s->started = true;
}

quatsimd_status quatsimd_stream_encode(quatsimd_stream *s, int key_frame, quatsimd_source orientations, void *frame,
                                       size_t frame_size, size_t *written) {
  quatsimd_operand in;
  if (!s || !frame || !written || !quatsimd_resolve_source(&in, 4, &orientations)) return QUATSIMD_BAD_ARGUMENT;
  if (frame_size < max_frame(s->bodies)) return QUATSIMD_SHORT_BUFFER;
  const bool key = key_frame || !s->started || s->predictors == QUATSIMD_PREDICT_NONE;
  unsigned char *const head = frame;
  bit_writer w = {head + HEAD_BYTES, 0, 0};
  bool all_valid = true;
  for (size_t i = 0; i < s->bodies; i += QUATSIMD_CHUNK) {
    const size_t n = s->bodies - i < QUATSIMD_CHUNK ? s->bodies - i : QUATSIMD_CHUNK, room = quatsimd_room(n);
    components value, free;
    float k[RESIDUALS][3][QUATSIMD_CHUNK], size[RESIDUALS][QUATSIMD_CHUNK], chosen[3][QUATSIMD_CHUNK] = {{0}}, ok[QUATSIMD_CHUNK];
    int used[QUATSIMD_CHUNK] = {LAST}; /* behind the last body, too */
    quatsimd_gather(&in, i, n, room, value);
    run(QUATSIMD_OPERATION_unit_or_other, (float *[]){OF(value, 0), ok}, (const float *[]){OF(value, 0), OF(s->last.component, i)}, room);
    for (size_t e = 0; e < n; e++) all_valid &= ok[e] != 0;
    predict_free(s, i, room, free);
    if (!key) {
      run(s->between, OUT3(k[LAST]), (const float *[]){OF(s->last.component, i), OF(value, 0)}, room);
      run(s->between, OUT3(k[FREE]), (const float *[]){OF(free, 0), OF(value, 0)}, room);
      to_lattice(s, room, k[LAST], size[LAST]);
      to_lattice(s, room, k[FREE], size[FREE]);
    }
    bool have_whole = false;
    for (size_t e = 0; e < n; e++) {
      used[e] = WHOLE;
      if (!key) {
        const uint32_t sizes[2] = {(uint32_t)size[LAST][e], (uint32_t)size[FREE][e]};
        used[e] = choose(s, i + e, sizes);
      }
      if (used[e] != WHOLE) {
        for (int c = 0; c < 3; c++) chosen[c][e] = k[used[e]][c][e];
        const int32_t point[3] = POINT_AT(chosen, e);
        if (put_body(s, &w, i + e, used[e], point)) continue;
        used[e] = WHOLE;
      }
      if (!have_whole) {
        run(s->map, OUT3(k[WHOLE]), (const float *[]){OF(value, 0)}, room);
        to_lattice(s, room, k[WHOLE], size[WHOLE]);
        have_whole = true;
      }
      for (int c = 0; c < 3; c++) chosen[c][e] = k[WHOLE][c][e];
      const int32_t point[3] = POINT_AT(chosen, e);
      if (key) {
        put_whole(&w, s->width, point);
        s->next_body[i + e] = new_body;
        s->advantage[i + e] = 0;
      } else {
        (void)put_body(s, &w, i + e, WHOLE, point);
      }
    }
    turn(s, i, room, used, chosen, free);
  }
  const unsigned number = (s->number & 0x7fff) << 1 | key;
  *written = (size_t)(w.to - head) + (w.count > 0);
  const uint16_t check = checksum(s, number, head + HEAD_BYTES, *written - HEAD_BYTES);
  head[0] = (unsigned char)number, head[1] = (unsigned char)(number >> 8);
  head[2] = (unsigned char)check, head[3] = (unsigned char)(check >> 8);
  advance(s, key, s->number, check);
  return all_valid ? QUATSIMD_OK : QUATSIMD_REPLACED_INVALID;
}

static unsigned load_u16(const unsigned char *p) { return p[0] | (unsigned)p[1] << 8; }

quatsimd_status quatsimd_stream_peek(const void *frame, size_t frame_size, unsigned *number, int *key_frame) {
  if (!frame || !number || !key_frame) return QUATSIMD_BAD_ARGUMENT;
  if (frame_size < HEAD_BYTES) return QUATSIMD_BAD_FRAME;
  *number = load_u16(frame) >> 1;
  *key_frame = load_u16(frame) & 1;
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_stream_decode(quatsimd_stream *s, const void *frame, size_t frame_size, quatsimd_target orientations) {
  quatsimd_operand out;
  if (!s || !frame || !quatsimd_resolve_target(&out, 4, &orientations)) return QUATSIMD_BAD_ARGUMENT;
  if (frame_size < HEAD_BYTES) return QUATSIMD_BAD_FRAME;
  const unsigned char *const bytes = frame;
  const unsigned head = load_u16(bytes);
  const bool key = head & 1;
  const uint32_t ahead = s->started ? ((head >> 1) - s->number) & 0x7fff : 0;
  if (ahead >= 0x4000) return QUATSIMD_OLD_FRAME;
  if (!key && (!s->started || ahead != 0)) return QUATSIMD_NEED_KEY;
  if (checksum(s, head, bytes + HEAD_BYTES, frame_size - HEAD_BYTES) != load_u16(bytes + 2)) return QUATSIMD_BAD_FRAME;

  if (key && frame_size != HEAD_BYTES + (s->bodies * (size_t)(1 + 3 * s->width) + 7) / 8) return QUATSIMD_BAD_FRAME;

  bit_reader r = {bytes + HEAD_BYTES, frame_size - HEAD_BYTES, 0, 0, 0};
  for (size_t i = 0; i < s->bodies; i += QUATSIMD_CHUNK) {
    const size_t n = s->bodies - i < QUATSIMD_CHUNK ? s->bodies - i : QUATSIMD_CHUNK, room = quatsimd_room(n);
    components free;
    float k[3][QUATSIMD_CHUNK] = {{0}};
    int used[QUATSIMD_CHUNK] = {LAST};
    predict_free(s, i, room, free);
    for (size_t e = 0; e < n; e++) {
      int32_t point[3];
      if (key) {
        take_whole(&r, s->width, point);
        s->next_body[i + e] = new_body;
        used[e] = WHOLE;
      } else {
        used[e] = decode_body(s, &r, i + e, point);
        if (used[e] < 0) return QUATSIMD_BAD_FRAME;
      }
      for (int c = 0; c < 3; c++) k[c][e] = (float)point[c];
    }
    if (r.at > r.size + 8) return QUATSIMD_BAD_FRAME; /* long behind the end */
    turn(s, i, room, used, k, free);
  }
  /* all that is left are the zero bits of the last byte */
  const size_t taken_bits = 8 * r.at - (size_t)r.count;
  if ((taken_bits + 7) / 8 != r.size || r.waiting != 0) return QUATSIMD_BAD_FRAME;
  advance(s, key, s->started ? s->number + ahead : head >> 1, (uint16_t)load_u16(bytes + 2));
  for (size_t i = 0; i < s->bodies; i += QUATSIMD_CHUNK) {
    components last;
    const size_t n = s->bodies - i < QUATSIMD_CHUNK ? s->bodies - i : QUATSIMD_CHUNK;
    for (int c = 0; c < 4; c++) memcpy(last[c], s->last.component[c] + i, n * sizeof(float));
    quatsimd_scatter(&out, i, n, last);
  }
  return QUATSIMD_OK;
}
