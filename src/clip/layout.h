/* The clip format of docs/clip-format.md in C, shared by encoder and sampler. */
#ifndef QUATSIMD_CLIP_LAYOUT_H
#define QUATSIMD_CLIP_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arithmetic.h"
#include "core/bits.h"
#include "core/bytes.h"
#include "core/dispatch.h"
#include "quatsimd/clip.h"

enum {
  CLIP_MOST_JOINTS = 1 << 20, /* the most joints of a clip, and the most tracks */
  CLIP_MOST_FRAMES = 1 << 26,
  CLIP_INTERVALS = 17, /* the most intervals between frames in a block */
  CLIP_INNER = 16,     /* the most frames between a block's knots; number of a channel's coefficients */
  CLIP_GROUP = 8,      /* curves that are unpacked together */
  CLIP_AXES = 3,       /* rotations, translations and scales have three, tracks one */
  CLIP_PROFILES = 256,
  CLIP_KNOT_BITS = 22, /* the most bits of a component of a knot */
  CLIP_RAW_BITS = 22,  /* the most bits of a component of a raw curve at a frame */
  /* the largest sum of a channel's absolute coefficients. Their dot product with a row of the sine transform
   * then fits 32 bits. In damaged clips it may wrap, alike on every CPU */
  CLIP_MOST_SUM = 65000,
  CLIP_RAW = 15,      /* the code of a curve that a block stores frame by frame, without coefficients */
  CLIP_OVERREAD = 32, /* the most bytes that unpacking reads behind blocks, knots and units */
  /* components of bases are from -512 to 511, in units of 1 / 512; clips store them plus CLIP_BASE_HALF */
  CLIP_BASE_HALF = 512,
  CLIP_BASE_NONE = 512 << 20 | 512 << 10 | 512, /* the base that is the identity */
  CLIP_BASE_COARSE = 5                          /* low bits of each component that coarse bases omit */
};

enum {
  CLIP_AT_MAGIC = 0, /* "QSC" and the version; then a checksum and the size, see core/container.h */
  CLIP_AT_JOINTS = 12,
  CLIP_AT_FRAMES = 16,
  CLIP_AT_RATE = 20, /* double */
  CLIP_AT_FLAGS = 28,
  CLIP_HEAD = 32 /* bytes. If flags say so, start (a double), skeleton's hash and number of tracks follow */
};
#define CLIP_MAGIC 0x02435351u
#define CLIP_MAGIC_3 0x03435351u /* version 3: some curve with its own keys has a CLIP_KEYED_3 flag */

/* Flags of a clip. Those up to CLIP_HAS_KEYS are shifted left by the kind. */
#define CLIP_HAS_KIND 1u
#define CLIP_HAS_UNITS (1u << 4) /* each moving curve has a byte for its unit */
#define CLIP_WIDE (1u << 8)      /* the offsets of block ends have 32 bits, not 16 */
#define CLIP_HAS_KEYS (1u << 12) /* a second mask says which constants are keyed */
#define CLIP_LOOPS (1u << 16)
#define CLIP_ADDITIVE (1u << 17) /* two bits: a quatsimd_clip_additivity */
#define CLIP_HAS_START (1u << 19)
#define CLIP_DOUBLE_TIMES CLIP_HAS_START /* the same bit, if the rate is 0: listed times are doubles */
#define CLIP_HAS_AXES (1u << 20)
#define CLIP_PRECISION_AT (1u << 21) /* two bits: the format of constant rotations, see constant.h */
#define CLIP_HAS_SKELETON (1u << 23) /* the head has the skeleton's hash */
#define CLIP_HAS_TRACKS (1u << 24)   /* the head has the number of tracks */
/* Flags of opened clips. In files, these bits mean nothing. */
#define CLIP_IS_3 (1u << 25)       /* the clip has version 3 */
#define CLIP_HAS_EVENTS (1u << 26) /* a quatsimd_clip_events follows the struct quatsimd_clip */
#define CLIP_OPENED_FLAGS (CLIP_IS_3 | CLIP_HAS_EVENTS)

/* Flags in the head of a curve with its own keys. The bits below them are the number of keys. */
#define CLIP_KEYED_HOLD (1u << 31)   /* the value of a key holds until the next key */
#define CLIP_KEYED_DOUBLE (1u << 30) /* the keys' times are doubles */
#define CLIP_KEYED_FLOATS (1u << 29) /* rotations are four floats, as the clip's format is too coarse */
/* Only in version 3, where the number of keys has three bits fewer. */
#define CLIP_KEYED_SPLINE (1u << 28) /* the curve is a spline. CLIP_KEYED_FLOATS: its numbers are floats */
#define CLIP_KEYED_FRAMES (1u << 27) /* times are numbers of frames: 2 bytes, or with CLIP_KEYED_DOUBLE 4 */
#define CLIP_KEYED_PAIR (1u << 26)   /* the curve is relative to another, its base, which follows */
#define CLIP_KEYED_3 (CLIP_KEYED_SPLINE | CLIP_KEYED_FRAMES | CLIP_KEYED_PAIR)
#define CLIP_MOST_KEYS_3 (CLIP_KEYED_PAIR - 1)
/* Packed splines: the most bits of a number, and how many units of values are the unit of tangents. */
enum { CLIP_SPLINE_BITS = 25, CLIP_SPLINE_TANGENT = 8 };

enum { CLIP_STATES = QUATSIMD_CLIP_KEYED + 1 };

/* Quanta are multiples of a curve's unit: CLIP_KNOT_QUANTUM for knots and raw frames,
 * quatsimd_clip_quantum[code] for coefficients. */
#define CLIP_KNOT_QUANTUM 1.1f
/* the last element is 0, because raw curves have no coefficients */
extern const float quatsimd_clip_quantum[CLIP_RAW + 1];
/* Element i is 2^(-i / 16). */
extern const float quatsimd_clip_sixteenth[16];
/* Element `intervals` is sqrt(2 / intervals) / 32767. */
extern const float quatsimd_clip_norm[CLIP_INTERVALS + 1];
/* The player makes the CLIP_MADE tables when it is loaded, or when a clip is opened if that comes first. */
#ifdef QUATSIMD_PLAYER
#define CLIP_MADE
void quatsimd_clip_make_tables(void);
#else
#define CLIP_MADE const
static inline void quatsimd_clip_make_tables(void) {}
#endif
/* Sine transform: clip_basis_row(intervals, frame)[k] is round(32767 sin(pi (k + 1) frame / intervals)). */
enum { CLIP_ROWS = CLIP_INTERVALS * (CLIP_INTERVALS + 3) / 2 };
extern CLIP_MADE int16_t quatsimd_clip_rows[CLIP_ROWS][CLIP_INNER];
static inline const int16_t *clip_basis_row(size_t intervals, size_t frame) {
  return quatsimd_clip_rows[(intervals - 1) * (intervals + 2) / 2 + frame];
}

/* Unpacks a channel of 16 coefficients. Fields 8 to 15 are loaded from byte quatsimd_clip_second[profile] on.
 * shuffle: brings each field's two bytes together. up: a factor that shifts the field to the top of 16 bits.
 * keep: clears the bits below the field. down: a factor that shifts the field right. */
typedef struct quatsimd_clip_plan {
  int8_t shuffle[32];
  int16_t up[CLIP_INNER], keep[CLIP_INNER], down[CLIP_INNER];
} quatsimd_clip_plan;
extern CLIP_MADE quatsimd_clip_plan quatsimd_clip_plans[CLIP_PROFILES];
/* For kernels that permute 32 bytes. byte: each field's two bytes, counted from the channel's first. left:
 * the shift that brings the field to the top of 16 bits, or 16 if its width is 0. right: the arithmetic shift
 * that then brings it to the bottom. */
typedef struct quatsimd_clip_shift_plan {
  uint8_t byte[32];
  int16_t left[CLIP_INNER], right[CLIP_INNER];
} quatsimd_clip_shift_plan;
extern const quatsimd_clip_shift_plan quatsimd_clip_shift_plans[CLIP_PROFILES];
extern const uint8_t quatsimd_clip_second[CLIP_PROFILES], quatsimd_clip_widths[CLIP_PROFILES][CLIP_INNER];
extern CLIP_MADE uint8_t quatsimd_clip_bytes[CLIP_PROFILES], quatsimd_clip_offsets[CLIP_PROFILES][CLIP_INNER];

/* The plan that unpacks one component of eight knots. Knots 4 to 7 are loaded from byte width / 2 on. */
typedef struct quatsimd_clip_knot_plan {
  int8_t shuffle[32];
  int32_t up[CLIP_GROUP];
} quatsimd_clip_knot_plan;
extern const quatsimd_clip_knot_plan quatsimd_clip_knot_plans[CLIP_KNOT_BITS + 1];

/* Eight unpacked curves of a block. In the members up to `right`, each row of eight lanes lies within one
 * cache line. Lanes without a curve have finite values. */
struct quatsimd_clip_group {
  _Alignas(32) int16_t
      pair[CLIP_AXES][CLIP_INNER / 2][CLIP_GROUP][2]; /* element [axis][i]: coefficients 2i and 2i + 1 */
  float knot[2][CLIP_AXES][CLIP_GROUP];               /* as multiples of knot_quantum */
  float knot_quantum[CLIP_GROUP], quantum[CLIP_GROUP];
  /* bases of rotations; for other kinds, right[0..2] are the bases, which are vectors */
  float left[4][CLIP_GROUP], right[4][CLIP_GROUP];
  const unsigned char *raw[CLIP_GROUP]; /* if `raws`: a raw curve's widths, then its frames; others: null */
  size_t inner;                         /* number of frames between the block's knots */
  int raws;                             /* true if some pointer in `raw` is not null */
  /* bytes from the output's start to each curve's value. Lanes without a curve have the offset of lane 0:
   * lane 0 is stored last and so replaces their values */
  size_t offset[CLIP_GROUP];
};
typedef struct quatsimd_clip_group quatsimd_clip_group;

/* Returns true if the ends of a kind's blocks need 32 bits. block_bytes: the bytes of all these blocks. */
static inline bool clip_is_wide(size_t block_bytes) { return block_bytes > UINT16_MAX; }

/* A clip's blocks share the intervals between frames evenly. */
static inline size_t clip_blocks(size_t frames) { return (frames - 1 + CLIP_INTERVALS - 1) / CLIP_INTERVALS; }
static inline size_t clip_block_start(size_t block, size_t frames) {
  return (size_t)((uint64_t)block * (frames - 1) / clip_blocks(frames));
}
static inline size_t clip_block_of(size_t interval, size_t frames) {
  return (size_t)((((uint64_t)interval + 1) * clip_blocks(frames) - 1) / (frames - 1));
}

/* Returns the largest distance between adjacent floats near `time`. */
static inline double clip_rounding(double time) { return 0x1p-23 * (time < 0 ? -time : time); }

/* These return the number of axes of a curve's vectors, and of components of its values. */
static inline size_t clip_axes(int kind) { return kind == QUATSIMD_CLIP_TRACK ? 1 : CLIP_AXES; }
static inline size_t clip_components(int kind) {
  return kind == QUATSIMD_CLIP_ROTATION ? 4 : clip_axes(kind);
}

/* keyed: a bit for each joint, or null if no curve has its own keys */
static inline quatsimd_clip_state clip_state(const unsigned char *masks, const unsigned char *keyed,
                                             size_t joint) {
  const unsigned state = masks[joint / 4] >> joint % 4 * 2 & 3u;
  return keyed && state == QUATSIMD_CLIP_CONSTANT && keyed[joint / 8] >> joint % 8 & 1
             ? QUATSIMD_CLIP_KEYED
             : (quatsimd_clip_state)state;
}
static inline unsigned clip_code(const unsigned char *codes, size_t i) {
  return codes[i / 2] >> i % 2 * 4 & 15u;
}
static inline size_t clip_group_curves(size_t moving, size_t group) {
  return moving - CLIP_GROUP * group < CLIP_GROUP ? moving - CLIP_GROUP * group : CLIP_GROUP;
}
/* Returns the bytes of a raw curve in a block, including its widths. */
static inline size_t clip_raw_bytes(const unsigned char *width, size_t axes, size_t inner) {
  const size_t bits = (axes > 1 ? (size_t)width[0] + width[1] + width[2] : width[0]) * inner;
  return axes + (bits + 7) / 8;
}
/* Returns the bytes of a group's knots at one frame. */
static inline size_t clip_row_bytes(const unsigned char *width, size_t axes, size_t curves) {
  const size_t bytes = (width[0] * curves + 7) / 8; /* `axes` is 1 or 3 */
  return axes == 1 ? bytes : bytes + (width[1] * curves + 7) / 8 + (width[2] * curves + 7) / 8;
}
static inline size_t clip_slot(const unsigned char *slots, size_t slot_bytes, size_t i) {
  const unsigned char *p = slots + slot_bytes * i;
  return slot_bytes == 1 ? *p : load_u16(p) | (slot_bytes > 2 ? (size_t)p[2] << 16 : 0);
}
static inline size_t clip_slot_bytes(size_t joints) { return joints <= 256 ? 1 : joints <= 65536 ? 2 : 3; }
static inline float clip_unit(float unit, unsigned exponent) {
  return unit * quatsimd_clip_sixteenth[exponent % 16] * float_from_bits((127 - exponent / 16) << 23);
}

#endif
