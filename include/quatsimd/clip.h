/* Clips: the animation of a whole skeleton in a few bits per key, sampled at any time without unpacking the
 * rest.
 *
 * A clip holds for each of its joints a rotation, a translation and a scale, each of them absent, constant or
 * moving. It is encoded once, offline, within an error that the caller states, and then sampled from the
 * bytes as they are: in a file mapped into memory, say. docs/clip.md shows what clips cost,
 * docs/clip-format.md what every byte means.
 *
 * Time. Moving joints are stored at frames. Frame f is at the time start + f / rate, seconds, or, where keys
 * come at no even rate, at a time of its own (rate is 0 then; quatsimd_clip_time). Between two frames a
 * rotation is the normalised linear interpolation (nlerp) of the frames' rotations the short way,
 * translations and scales are interpolated linearly. Curves that do not fit such frames, and those that jump
 * from key to key (STEP), keep their own keys.
 *
 * The same bits everywhere: encoding and sampling depend on their input alone, not on CPU, compiler or
 * layout, as in codec.h.
 *
 * Threads. A clip that was opened is only read, by any number of threads; a cursor is one thread's at a time.
 * Only quatsimd_clip_encode allocates.
 *
 * Sources: the Cayley map as in relative.h; the discrete sine transform of type I of what straight lines
 * between knots leave over: A. K. Jain, "A fast Karhunen-Loeve transform for a class of random processes",
 * 1976. Bounds are met by search, not by a model. */
#ifndef QUATSIMD_CLIP_H
#define QUATSIMD_CLIP_H

#include "codec.h"
#include "rotation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- encoding ---- */

/* The keys of one joint's rotation (x, y, z, w: of any length that codec.h takes, and either sign),
 * translation or scale (x, y, z). */
typedef struct quatsimd_curve {
  size_t keys;         /* 0: there is none, which is no rotation, no translation, scale 1 */
  const double *times; /* seconds, each later than the one before; may be null if keys < 2 */
  const float *values; /* keys * 4 or keys * 3 floats */
  /* 0: between keys slerp, or linear; 1: a key holds until the next (glTF's STEP) */
  int step;
} quatsimd_curve;

/* One joint of the source. */
typedef struct quatsimd_clip_joint {
  int64_t parent;                              /* a joint's number; -1: none. Needed for `object` alone. */
  quatsimd_curve rotation, translation, scale; /* relative to the parent */
  /* Largest errors, as in the options, where this joint's differ; 0: they do not. */
  float rotation_bound, translation_bound, scale_bound, object_bound, object_distance;
} quatsimd_clip_joint;

/* What is encoded: an animation of a skeleton. */
typedef struct quatsimd_clip_source {
  size_t joints;                    /* at most 2^20 */
  const quatsimd_clip_joint *joint; /* so many */
} quatsimd_clip_source;

/* Where encode gets memory from; both must be given. Memory is aligned as malloc's. */
typedef struct quatsimd_allocator {
  void *(*allocate)(void *context, size_t size); /* null if there is none */
  void (*release)(void *context, void *memory);  /* memory may be null */
  void *context;                                 /* what both are called with */
} quatsimd_allocator;

/* What a clip is to be added to. */
enum {
  QUATSIMD_CLIP_ADDITIVE_NONE = 0,  /* nothing: it is a pose by itself */
  QUATSIMD_CLIP_ADDITIVE_FIRST = 1, /* the first keys */
  QUATSIMD_CLIP_ADDITIVE_BASE = 2   /* another animation */
};

/* How a source is encoded. All zeros are valid but for the bounds. */
typedef struct quatsimd_clip_options {
  /* Largest error at any key of the source and, of curves that are stored at frames, any frame (those with
   * keys of their own go from key to key by nlerp, not slerp; additive ones are measured against the
   * difference of the curves): the angle between two rotations, radians, 1e-5 to 1; the length of the
   * difference of two translations, in their unit; the largest difference of two scales' components. 0:
   * the source has no such curves, or `object` says it. */
  float rotation_bound, translation_bound, scale_bound;
  /* Or one for all: no point at object_distance from a joint, fixed to it, may be off by more than
   * object_bound where the skeleton's root is (ACL's error metric), at the time of any key, which keys of
   * other joints no further away than times in float are rounded have, too. Both in the unit of
   * translations; 0: not used. Scales are applied as T R S. */
  float object_bound, object_distance;
  /* frames per second, 2^-100 to 2^60; 0: the keys' own, where they have one in common, else one fine
   * enough */
  double rate;
  /* 1: time goes round (see sample). The last frame becomes the first one (a rotation perhaps with the
   * other sign), which the source's last keys must equal within a quarter of their bounds. */
  int loop;
  /* joints are stored relative to their first key (FIRST), or to `base` (BASE) at the same time;
   * quatsimd_clip_add puts them back. Bounds hold after that, at the keys of both, but for what its sums
   * in float are rounded by. */
  int additive;
  /* as many joints; of its curves the shorter ones hold their last key */
  const struct quatsimd_clip_source *base;
  const quatsimd_allocator *allocator; /* null: malloc and free */
} quatsimd_clip_options;

/* Kinds of curves. */
enum {
  QUATSIMD_CLIP_ROTATION = 0,    /* x, y, z, w */
  QUATSIMD_CLIP_TRANSLATION = 1, /* x, y, z */
  QUATSIMD_CLIP_SCALE = 2,       /* x, y, z */
  QUATSIMD_CLIP_KINDS = 3        /* how many there are; as a kind, none of them */
};

/* What encode did, or where it failed. */
typedef struct quatsimd_clip_report {
  size_t joint, key; /* of an error; SIZE_MAX: of none in particular */
  /* QUATSIMD_CLIP_ROTATION, ... of an error; QUATSIMD_CLIP_KINDS: of none in particular */
  int kind;
  /* what is wrong there, a sentence without a full stop; null for QUATSIMD_OK and QUATSIMD_ERROR_NO_MEMORY
   * alone */
  const char *error;
  double rate;   /* frames per second; 0: frames have times of their own */
  size_t frames; /* that the clip has */
  /* curves of each kind: stored once, at frames, with keys of their own */
  size_t constant[3], moving[3], keyed[3];
  float worst[3];     /* largest error found at any key or frame, of each kind, as in the options */
  float worst_object; /* the same where object_bound was given */
} quatsimd_clip_report;

/* Encode a source as a clip. *data gets *size bytes, to be given back with quatsimd_clip_free or the
 * allocator's release. Needs some 20 bytes of memory per key and 100 KB. report may be null. Returns
 * QUATSIMD_OK; QUATSIMD_ERROR_BAD_KEY for a NaN, an infinity, a quaternion without a direction, times that
 * do not rise or a loop that does not close (report says which joint and key); QUATSIMD_ERROR_NO_MEMORY;
 * QUATSIMD_ERROR_BAD_ARGUMENT for all else, which report->error tells: options, parents or curves that are
 * not what they must be; a curve without a bound; more than 2^20 joints or 2^26 frames, 2^30 keys of a
 * curve, 2^32 bytes of a clip; frames less than 2^-100 seconds apart; and bounds that cannot be held.
 * Those are of two kinds: an object_bound that is too small for values in float, and keys, of curves that
 * have their own, so near in time to each other or a frame that sampling takes one for the other (see
 * quatsimd_clip_sample). Two STEP keys 1e-6 seconds apart at the start of 100 seconds are, if these have
 * no frames but at their ends; a rate gives them more. */
QUATSIMD_API quatsimd_status quatsimd_clip_encode(const quatsimd_clip_source *source,
                                                  const quatsimd_clip_options *options, void **data,
                                                  size_t *size, quatsimd_clip_report *report);
/* Give back what encode made with this allocator (null: free). */
QUATSIMD_API void quatsimd_clip_free(const quatsimd_allocator *allocator, void *data);

/* ---- sampling ---- */

/* A clip in use: points into the bytes, which must stay as they are. Read what you like, change nothing. */
typedef struct quatsimd_clip {
  const unsigned char *data; /* the bytes that were opened */
  size_t size;               /* how many */
  size_t joints, frames;     /* numbers of them */
  /* seconds, frames per second (0: frames have times of their own), seconds from the first to the last
   * frame */
  double start, rate, duration;
  /* as in the options */
  int loop, additive;
  size_t curves[3]; /* rotations, translations and scales that are there */
  /* Private, like what follows. */
  struct quatsimd_clip_part {
    size_t constants, moving, keyed, row;
    float unit;
    const unsigned char *masks, *widths, *ends, *units, *blocks, *knots, *bases, *slots, *constant, *keys;
  } part[3];                  /* private */
  const unsigned char *times; /* private */
  unsigned flags;             /* private */
} quatsimd_clip;

/* Open size bytes at data, of any alignment. Everything that sampling relies on is checked here, a
 * checksum of all bytes included; nothing is copied. QUATSIMD_ERROR_BAD_CLIP: these are not a clip, or a
 * damaged one, or of a later version; QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer. */
QUATSIMD_API quatsimd_status quatsimd_clip_open(quatsimd_clip *clip, const void *data, size_t size);

/* The time of a frame below clip->frames, seconds. */
QUATSIMD_API double quatsimd_clip_time(const quatsimd_clip *clip, size_t frame);

/* Where a pose goes: joint j's rotation (four floats), translation and scale (three each) to the j-th
 * elements. What is not wanted is all zeros. Joints without a curve get no rotation, no translation, scale
 * 1. */
typedef struct quatsimd_pose {
  quatsimd_out rotations, translations, scales; /* as many elements as there are joints */
} quatsimd_pose;

/* Optional memory between samples of one clip, for playback: what was unpacked last is kept, and what
 * never changes. Results are the same bits with a cursor and without. Poses of one layout after the other
 * are faster than layouts in turn. */
typedef struct quatsimd_clip_cursor quatsimd_clip_cursor;
/* Bytes of memory that a cursor of this clip needs. */
QUATSIMD_API size_t quatsimd_clip_cursor_size(const quatsimd_clip *clip);
/* Make a cursor in size bytes of memory, which is aligned to 8 bytes, the caller's, and stays where it is.
 * QUATSIMD_ERROR_SHORT_BUFFER if size is less than quatsimd_clip_cursor_size(clip),
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer or another alignment. */
QUATSIMD_API quatsimd_status quatsimd_clip_cursor_init(quatsimd_clip_cursor **cursor, void *memory,
                                                       size_t size, const quatsimd_clip *clip);

/* What time does beyond the ends of a clip. */
typedef enum quatsimd_clip_wrap {
  QUATSIMD_WRAP_CLIP = 0,  /* what the clip's loop flag says */
  QUATSIMD_WRAP_CLAMP = 1, /* it stays there */
  QUATSIMD_WRAP_LOOP = 2   /* it goes round */
} quatsimd_clip_wrap;
/* The pose at a time, seconds, on the clip's scale, which begins at clip->start. NaN counts as the start.
 * A time within 2^-20 (relative) of a frame's, the rounding of times in float, is that frame's, of several
 * the nearest one's. cursor may be null. QUATSIMD_ERROR_BAD_ARGUMENT for targets as in rotation.h or a
 * cursor of another clip, else QUATSIMD_OK. */
QUATSIMD_API quatsimd_status quatsimd_clip_sample(const quatsimd_clip *clip, double time,
                                                  quatsimd_clip_wrap wrap, const quatsimd_pose *pose,
                                                  quatsimd_clip_cursor *cursor);
/* The pose of some joints alone: the i-th element is joint[i]'s. Costs as much as unpacking these joints'
 * groups of eight. QUATSIMD_ERROR_BAD_ARGUMENT if one is not below clip->joints, and nothing is written. */
QUATSIMD_API quatsimd_status quatsimd_clip_sample_joints(const quatsimd_clip *clip, double time,
                                                         quatsimd_clip_wrap wrap, const uint32_t *joint,
                                                         size_t count, const quatsimd_pose *pose);
/* The poses at frames first to first + count - 1, joint j of frame first + i being element i *
 * clip->joints + j: the bits that sample gives at the frame's time. QUATSIMD_ERROR_BAD_ARGUMENT if there
 * are no such frames. */
QUATSIMD_API quatsimd_status quatsimd_clip_decode(const quatsimd_clip *clip, size_t first, size_t count,
                                                  const quatsimd_pose *pose);

/* Put an additive pose on a base: rotations multiplied (base * additive), translations added, scales
 * multiplied, in place in `additive`, where all zeros are left out. QUATSIMD_ERROR_BAD_ARGUMENT for
 * targets and sources as in rotation.h, else QUATSIMD_OK. */
QUATSIMD_API quatsimd_status quatsimd_clip_add(const quatsimd_pose *additive, quatsimd_in rotations,
                                               quatsimd_in translations, quatsimd_in scales, size_t joints);

#ifdef __cplusplus
}
#endif

#endif
