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
  HEAD_BYTES = 4,
  MAX_BODIES = 1 << 24,
  MAX_QUOTIENT = 24,  /* ones in the unary part of a number */
  MAX_MAGNITUDE = 4095, /* of the sum that the scale follows */
  FIRST_SCALE = 32,
  SWITCH_BITS = 4     /* what the other prediction must have saved, beside the cost of the switch */
};

typedef enum prediction { LAST, FREE } prediction;

/* What the code of a body's next rotation depends on, beside its last two rotations. */
typedef struct body {
  uint16_t scale;    /* mean of |k0| + |k1| + |k2| over the last frames, times 16 */
  uint8_t predicted; /* prediction in use */
  uint8_t jumped;    /* the rotation was coded by itself: there is no velocity */
} body;

/* A component each of all bodies' rotations. */
typedef struct rotations {
  float *component[4];
} rotations;

struct quatsimd_stream {
  size_t bodies, room;
  float step, per_step; /* of h, and 1 / h */
  float zero2;          /* squared length of a residual that is as good as none */
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
         o->predictors <= QUATSIMD_PREDICT_BOTH && (o->exponential == 0 || o->exponential == 1);
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

/* Escape, at most 36 bits: two of the class, one of the parity, three numbers 0 with up to ten bits each; one more bit, and
 * the rotation by itself. */
size_t quatsimd_stream_max_frame(const quatsimd_stream_options *o) {
  return valid_options(o) ? HEAD_BYTES + (o->bodies * (size_t)(38 + 3 * width_of(o)) + 7) / 8 : 0;
}

quatsimd_status quatsimd_stream_init(quatsimd_stream **stream, void *memory, size_t memory_size,
                                     const quatsimd_stream_options *o) {
  if (!stream || !memory || (uintptr_t)memory % 8 != 0 || !valid_options(o)) return QUATSIMD_BAD_ARGUMENT;
  if (memory_size < quatsimd_stream_size(o)) return QUATSIMD_SHORT_BUFFER;
  quatsimd_stream *s = memory;
  memset(s, 0, quatsimd_stream_size(o));
  s->bodies = o->bodies;
  s->room = quatsimd_room(o->bodies);
  s->step = (float)step_of(o);
  s->per_step = (float)(1 / step_of(o));
  const double zero = usable_bound(o) / radians_per_unit(o);
  s->zero2 = (float)(zero * zero);
  s->width = width_of(o);
  s->predictors = o->predictors;
  s->map = o->exponential ? QUATSIMD_OPERATION_log : QUATSIMD_OPERATION_to_cayley;
  s->between = o->exponential ? QUATSIMD_OPERATION_log_between : QUATSIMD_OPERATION_cayley_between;
  s->turn = o->exponential ? QUATSIMD_OPERATION_turn_by_exp : QUATSIMD_OPERATION_turn_by_cayley;
  uint32_t bound_bits;
  memcpy(&bound_bits, &o->bound, 4);
  unsigned char id[9];
  for (int i = 0; i < 4; i++) id[i] = (unsigned char)(o->bodies >> 8 * i), id[4 + i] = (unsigned char)(bound_bits >> 8 * i);
  id[8] = (unsigned char)o->exponential;
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

typedef struct bit_writer {
  unsigned char *to;
  uint64_t waiting;
  int count; /* bits waiting, fewer than 32 */
} bit_writer;

static inline void put(bit_writer *w, uint32_t value, int bits) { /* bits <= 32, value without others */
  w->waiting |= (uint64_t)value << w->count;
  w->count += bits;
  if (w->count >= 32) {
    for (int i = 0; i < 4; i++) w->to[i] = (unsigned char)(w->waiting >> 8 * i);
    w->to += 4, w->waiting >>= 32, w->count -= 32;
  }
}

static void put_end(bit_writer *w) {
  for (; w->count > 0; w->count -= 8, w->waiting >>= 8) *w->to++ = (unsigned char)w->waiting;
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
    uint64_t word = 0;
    for (size_t i = 0; i < 8; i++) word |= (uint64_t)r->bytes[r->at + i] << 8 * i;
    r->waiting |= word << r->count;
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
  return (uint32_t)(n << 1) ^ (uint32_t)(n >> 31);
}
static inline int32_t unfolded(uint32_t z, int32_t parity) { return 2 * ((int32_t)(z >> 1) ^ -(int32_t)(z & 1)) + parity; }

/* Classes of points: none; one component 2 or -2, the others 0; all 1 or -1; any other. */
typedef enum class { ZERO, AXIS, CORNER, OTHER, CLASSES } class;

/* The code for a scale: class prefixes (lowest bit first), and the low bits of a folded number that are stored as they
 * are, the rest being unary. */
typedef struct code {
  const unsigned char *prefix, *prefix_bits, *class_of; /* class_of: by the next three bits */
  int low_bits[2]; /* even, odd */
} code;

static inline code code_of(uint16_t scale) {
  static const unsigned char prefixes[3][CLASSES] = {{0, 1, 3, 7}, {0, 1, 2, 3}, {3, 7, 1, 0}};
  static const unsigned char bits[3][CLASSES] = {{1, 2, 3, 3}, {2, 2, 2, 2}, {3, 3, 2, 1}};
  static const unsigned char classes[3][8] = {{ZERO, AXIS, ZERO, CORNER, ZERO, AXIS, ZERO, OTHER},
                                              {ZERO, AXIS, CORNER, OTHER, ZERO, AXIS, CORNER, OTHER},
                                              {OTHER, CORNER, OTHER, ZERO, OTHER, CORNER, OTHER, AXIS}};
  const unsigned size = scale / 44u;
  const int i = size > 0 ? 2 : scale >= 30;
  int low = 0;
  for (unsigned left = size; left > 1; left >>= 1) low++;
  return (code){prefixes[i], bits[i], classes[i], {low, low > 1 ? low : 1}};
}

static inline uint32_t size_of(const int32_t k[3]) {
  uint32_t sum = 0;
  for (int c = 0; c < 3; c++) sum += (uint32_t)(k[c] < 0 ? -k[c] : k[c]);
  return sum;
}

/* Bits of a point; NOT_CODED where its numbers are too long. */
enum { NOT_CODED = 1000 };
static inline int bits_of_point(const code *c, const int32_t k[3], uint32_t size) {
  if (size == 0) return c->prefix_bits[ZERO];
  if (size == 2) return c->prefix_bits[AXIS] + 1 + (k[0] != 0 ? 1 : 2);
  if (size == 3) return c->prefix_bits[CORNER] + 3;
  const int32_t parity = k[0] & 1;
  const int low = c->low_bits[parity];
  uint32_t quotients = 0, longest = 0;
  for (int i = 0; i < 3; i++) {
    const uint32_t quotient = folded(k[i], parity) >> low;
    quotients += quotient;
    longest = quotient > longest ? quotient : longest;
  }
  return longest > MAX_QUOTIENT ? NOT_CODED : c->prefix_bits[OTHER] + 1 + 3 * (1 + low) + (int)quotients;
}

static void put_point(bit_writer *w, const code *c, const int32_t k[3], uint32_t size) {
  if (size == 0) {
    put(w, c->prefix[ZERO], c->prefix_bits[ZERO]);
  } else if (size == 2) {
    put(w, c->prefix[AXIS], c->prefix_bits[AXIS]);
    put(w, k[0] + k[1] + k[2] < 0, 1);
    if (k[0] != 0) put(w, 0, 1);
    else put(w, k[1] != 0 ? 1 : 3, 2);
  } else if (size == 3) {
    put(w, c->prefix[CORNER], c->prefix_bits[CORNER]);
    for (int i = 0; i < 3; i++) put(w, k[i] < 0, 1);
  } else {
    const int32_t parity = k[0] & 1;
    const int low = c->low_bits[parity];
    put(w, c->prefix[OTHER], c->prefix_bits[OTHER]);
    put(w, (uint32_t)parity, 1);
    for (int i = 0; i < 3; i++) {
      const uint32_t z = folded(k[i], parity), quotient = z >> low;
      put(w, (1u << quotient) - 1, (int)quotient + 1);
      put(w, z & ((1u << low) - 1), low);
    }
  }
}

/* Of the class OTHER, none at all says that something else follows. */
typedef enum taken { POINT, ESCAPE, DAMAGED } taken;
static void put_escape(bit_writer *w, const code *c) {
  put(w, c->prefix[OTHER], c->prefix_bits[OTHER]);
  put(w, 0, 1);
  for (int i = 0; i < 3; i++) put(w, 0, 1 + c->low_bits[0]);
}
static int bits_of_escape(const code *c) { return c->prefix_bits[OTHER] + 1 + 3 * (1 + c->low_bits[0]); }

static inline taken take_point(bit_reader *r, const code *c, int32_t k[3]) {
  refill(r);
  const class found = (class)c->class_of[r->waiting & 7];
  (void)take(r, c->prefix_bits[found]);
  k[0] = k[1] = k[2] = 0;
  if (found == ZERO) return POINT;
  if (found == AXIS) {
    const int32_t value = take(r, 1) ? -2 : 2;
    k[take(r, 1) == 0 ? 0 : take(r, 1) == 0 ? 1 : 2] = value;
    return POINT;
  }
  if (found == CORNER) {
    for (int i = 0; i < 3; i++) k[i] = take(r, 1) ? -1 : 1;
    return POINT;
  }
  const int32_t parity = (int32_t)take(r, 1);
  const int low = c->low_bits[parity];
  uint32_t any = (uint32_t)parity;
  for (int i = 0; i < 3; i++) {
    refill(r);
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

static body after_whole(const quatsimd_stream *s, uint16_t scale) {
  return (body){scale, s->predictors == QUATSIMD_PREDICT_LAST ? LAST : FREE, 1};
}

static body after_point(body b, prediction p, uint32_t size) {
  const uint32_t magnitude = size < MAX_MAGNITUDE ? size : MAX_MAGNITUDE;
  return (body){(uint16_t)(b.scale - (b.scale >> 2) + (magnitude << 2)), (uint8_t)p, 0};
}

/* Writes the code of a rotation whose residuals from both predictions, and whole, are given. Returns which of the three the
 * decoder will have used. */
enum { WHOLE = 2, RESIDUALS };
static inline int encode_body(quatsimd_stream *s, bit_writer *w, size_t i, int32_t k[RESIDUALS][3]) {
  const body b = s->body[i];
  const code c = code_of(b.scale);
  const int used = b.predicted, other = used ^ 1, escape = bits_of_escape(&c);
  const uint32_t sizes[2] = {size_of(k[LAST]), size_of(k[FREE])};
  const int used_bits = bits_of_point(&c, k[used], sizes[used]);
  const int other_bits = s->predictors == QUATSIMD_PREDICT_BOTH ? bits_of_point(&c, k[other], sizes[other]) : NOT_CODED;
  int gain = used_bits - other_bits, advantage = s->advantage[i];
  gain = gain > 64 ? 64 : gain < -64 ? -64 : gain;
  advantage += gain - advantage / 8;
  const int switched_bits = other_bits + escape + 1, whole_bits = escape + 2 + 3 * s->width;
  int chosen = used;
  if (other_bits < NOT_CODED && (advantage > SWITCH_BITS + escape || switched_bits < used_bits)) chosen = other;
  if ((chosen == used ? used_bits : switched_bits) > whole_bits) chosen = WHOLE;
  s->advantage[i] = (int16_t)(chosen == used ? advantage : 0);
  if (chosen == WHOLE) {
    put_escape(w, &c);
    put(w, 1, 1);
    put_whole(w, s->width, k[WHOLE]);
    s->next_body[i] = after_whole(s, b.scale);
    return WHOLE;
  }
  if (chosen != used) {
    put_escape(w, &c);
    put(w, 0, 1);
  }
  put_point(w, &c, k[chosen], sizes[chosen]);
  s->next_body[i] = after_point(b, (prediction)chosen, sizes[chosen]);
  return chosen;
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
      s->next_body[i] = after_whole(s, b.scale);
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
#define OUT4(v) (float *[]){v[0], v[1], v[2], v[3]}
#define OF(rotations, i) (rotations).component[0] + (i), (rotations).component[1] + (i), (rotations).component[2] + (i), (rotations).component[3] + (i)

/* Where the bodies from the i-th on would be now if they turned on as they did. */
static void predict_free(const quatsimd_stream *s, size_t i, size_t room, components free) {
  run(QUATSIMD_OPERATION_predict, OUT4(free), (const float *[]){OF(s->before, i), OF(s->last, i)}, room);
}

/* The next rotations: h * k from the predictions used. */
static void turn(quatsimd_stream *s, size_t i, size_t room, const int used[QUATSIMD_CHUNK], int32_t k[3][QUATSIMD_CHUNK],
                 components free) {
  components base;
  float r[3][QUATSIMD_CHUNK];
  for (size_t e = 0; e < room; e++) {
    for (int c = 0; c < 4; c++)
      base[c][e] = used[e] == WHOLE ? (float)(c == 3) : used[e] == FREE ? free[c][e] : s->last.component[c][i + e];
    for (int c = 0; c < 3; c++) r[c][e] = (float)k[c][e] * s->step;
  }
  run(s->turn, (float *[]){OF(s->next, i)}, (const float *[]){base[0], base[1], base[2], base[3], r[0], r[1], r[2]}, room);
}

static float round_to_even(float t) { return (t + 0x1.8p23f) - 0x1.8p23f; } /* |t| < 2^22 */

/* The nearest point; none for a residual within the bound. */
static void quantize(const quatsimd_stream *s, size_t room, float r[3][QUATSIMD_CHUNK], int32_t k[3][QUATSIMD_CHUNK]) {
  for (size_t e = 0; e < room; e++) {
    float even[3], odd[3], even2 = 0, odd2 = 0;
    for (int c = 0; c < 3; c++) {
      const float x = r[c][e] * s->per_step;
      even[c] = 2 * round_to_even(x * 0.5f);
      odd[c] = 2 * round_to_even((x - 1) * 0.5f) + 1;
      even2 += (x - even[c]) * (x - even[c]);
      odd2 += (x - odd[c]) * (x - odd[c]);
    }
    const bool none = (r[0][e] * r[0][e] + r[1][e] * r[1][e]) + r[2][e] * r[2][e] <= s->zero2;
    for (int c = 0; c < 3; c++) k[c][e] = none ? 0 : (int32_t)(odd2 < even2 ? odd[c] : even[c]);
  }
}

static uint16_t checksum(const quatsimd_stream *s, unsigned head, const unsigned char *payload, size_t size) {
  const uint32_t before = head & 1 ? 0 : s->check;
  const uint32_t h = XXH32(payload, size, s->seed ^ (head | before << 16));
  return (uint16_t)(h ^ h >> 16);
}

/* The frame that was made or read becomes the last one. */
static void advance(quatsimd_stream *s, uint32_t number, uint16_t check) {
  const rotations oldest = s->before;
  s->before = s->last, s->last = s->next, s->next = oldest;
  body *const old = s->body;
  s->body = s->next_body, s->next_body = old;
  for (size_t i = 0; i < s->bodies; i++)
    if (s->body[i].jumped)
      for (int c = 0; c < 4; c++) s->before.component[c][i] = s->last.component[c][i];
  s->number = number + 1;
  s->check = check;
  s->started = true;
}

quatsimd_status quatsimd_stream_encode(quatsimd_stream *s, int key_frame, quatsimd_source orientations, void *frame,
                                       size_t frame_size, size_t *written) {
  quatsimd_operand in;
  if (!s || !frame || !written || !quatsimd_resolve_source(&in, 4, &orientations)) return QUATSIMD_BAD_ARGUMENT;
  if (frame_size < HEAD_BYTES + (s->bodies * (size_t)(38 + 3 * s->width) + 7) / 8) return QUATSIMD_SHORT_BUFFER;
  const bool key = key_frame || !s->started || s->predictors == QUATSIMD_PREDICT_NONE;
  unsigned char *const head = frame;
  bit_writer w = {head + HEAD_BYTES, 0, 0};
  bool all_valid = true;
  for (size_t i = 0; i < s->bodies; i += QUATSIMD_CHUNK) {
    const size_t n = s->bodies - i < QUATSIMD_CHUNK ? s->bodies - i : QUATSIMD_CHUNK, room = quatsimd_room(n);
    components value, free;
    float r[RESIDUALS][3][QUATSIMD_CHUNK];
    int32_t k[RESIDUALS][3][QUATSIMD_CHUNK], chosen[3][QUATSIMD_CHUNK];
    int used[QUATSIMD_CHUNK];
    quatsimd_gather(&in, i, n, room, value);
    for (size_t e = 0; e < room; e++) {
      const double x = (double)value[0][e], y = (double)value[1][e], z = (double)value[2][e], u = (double)value[3][e];
      const bool valid = quatsimd_valid_norm2((x * x + y * y) + (z * z + u * u));
      for (int c = 0; c < 4; c++) value[c][e] = valid ? value[c][e] : s->last.component[c][i + e];
      all_valid &= valid;
    }
    run(QUATSIMD_OPERATION_normalize, OUT4(value), (const float *[]){value[0], value[1], value[2], value[3]}, room);
    predict_free(s, i, room, free);
    const float *const of_value[] = {value[0], value[1], value[2], value[3]};
    run(s->map, OUT3(r[WHOLE]), of_value, room);
    quantize(s, room, r[WHOLE], k[WHOLE]);
    if (!key) {
      run(s->between, OUT3(r[LAST]), (const float *[]){OF(s->last, i), value[0], value[1], value[2], value[3]}, room);
      run(s->between, OUT3(r[FREE]), (const float *[]){free[0], free[1], free[2], free[3], value[0], value[1], value[2], value[3]}, room);
      quantize(s, room, r[LAST], k[LAST]);
      quantize(s, room, r[FREE], k[FREE]);
    }
    for (size_t e = 0; e < room; e++) {
      used[e] = WHOLE;
      if (e < n) {
        int32_t of_body[RESIDUALS][3];
        for (int p = key ? WHOLE : 0; p < RESIDUALS; p++)
          for (int c = 0; c < 3; c++) of_body[p][c] = k[p][c][e];
        if (key) {
          put_whole(&w, s->width, of_body[WHOLE]);
          s->next_body[i + e] = after_whole(s, FIRST_SCALE);
          s->advantage[i + e] = 0;
        } else {
          used[e] = encode_body(s, &w, i + e, of_body);
        }
      }
      for (int c = 0; c < 3; c++) chosen[c][e] = k[used[e]][c][e];
    }
    turn(s, i, room, used, chosen, free);
  }
  put_end(&w);
  const unsigned number = (s->number & 0x7fff) << 1 | key;
  *written = (size_t)(w.to - head);
  const uint16_t check = checksum(s, number, head + HEAD_BYTES, *written - HEAD_BYTES);
  head[0] = (unsigned char)number, head[1] = (unsigned char)(number >> 8);
  head[2] = (unsigned char)check, head[3] = (unsigned char)(check >> 8);
  advance(s, s->number, check);
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

  bit_reader r = {bytes + HEAD_BYTES, frame_size - HEAD_BYTES, 0, 0, 0};
  for (size_t i = 0; i < s->bodies; i += QUATSIMD_CHUNK) {
    const size_t n = s->bodies - i < QUATSIMD_CHUNK ? s->bodies - i : QUATSIMD_CHUNK, room = quatsimd_room(n);
    components free;
    int32_t k[3][QUATSIMD_CHUNK] = {{0}};
    int used[QUATSIMD_CHUNK] = {LAST};
    predict_free(s, i, room, free);
    for (size_t e = 0; e < n; e++) {
      int32_t point[3];
      if (key) {
        take_whole(&r, s->width, point);
        s->next_body[i + e] = after_whole(s, FIRST_SCALE);
        used[e] = WHOLE;
      } else {
        used[e] = decode_body(s, &r, i + e, point);
        if (used[e] < 0) return QUATSIMD_BAD_FRAME;
      }
      for (int c = 0; c < 3; c++) k[c][e] = point[c];
    }
    turn(s, i, room, used, k, free);
  }
  /* all that is left are the zero bits of the last byte */
  const size_t taken_bits = 8 * r.at - (size_t)r.count;
  if ((taken_bits + 7) / 8 != r.size || r.waiting != 0) return QUATSIMD_BAD_FRAME;
  advance(s, s->started ? s->number + ahead : head >> 1, (uint16_t)load_u16(bytes + 2));
  for (size_t i = 0; i < s->bodies; i += QUATSIMD_CHUNK) {
    components last;
    const size_t n = s->bodies - i < QUATSIMD_CHUNK ? s->bodies - i : QUATSIMD_CHUNK;
    for (int c = 0; c < 4; c++) memcpy(last[c], s->last.component[c] + i, n * sizeof(float));
    quatsimd_scatter(&out, i, n, last);
  }
  return QUATSIMD_OK;
}
