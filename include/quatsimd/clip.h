/* Clips: the animation of a whole skeleton in a few bits per key, sampled at any time without unpacking the
 * rest.
 *
 * A clip holds for each of its joints a rotation, a translation and a scale, each of them absent, at rest,
 * constant or moving. Beside joints it may hold tracks, which are single floats that change: the weights of a
 * face's morph targets, or any property. It is encoded once, offline, within an error that the caller states.
 * It is then sampled from the bytes as they are, in a file mapped into memory for example. docs/clip.md shows
 * the cost of clips, docs/clip-format.md the meaning of every byte.
 *
 * Time. Moving joints are stored at frames. Frame f is at the time start + f / rate, in seconds. Where keys
 * come at no even rate, each frame has a time of its own; the rate is 0 then. quatsimd_clip_time tells the
 * time of a frame in both cases. Between two frames a rotation goes from the one to the other as slerp does:
 * within 0.0005 degrees where they are up to 160 degrees apart, and 0.0014 at 180. Translations and scales
 * are interpolated linearly. Curves that do not fit such frames keep their own keys, with the same
 * interpolation between them, and so do those that jump from key to key (STEP).
 *
 * Rest pose. A curve that stays within its bound of the skeleton's rest pose (skeleton.h) is at rest: the
 * clip has no value of it, and sampling gives the rest pose that it is given. That may be another one than
 * the skeleton's: a variant with longer arms keeps its lengths.
 *
 * Bounds. They hold at every time: at any time t the pose is within its bounds of the source at t, evaluated
 * with the source's own interpolation. Three things come on top. The rounding of floats: 1e-6 radians, and
 * 2^-21 of the largest component. The rounding of times: t may be off by 2^-23 of the largest time, which
 * matters where a curve jumps. And cubic splines that move faster than 1024 straight pieces from key to key
 * follow, as those of rotations do that go through zero; quatsimd_clip_report tells what that came to.
 *
 * Determinism. Encoding and sampling depend on their input alone, not on CPU, compiler or layout, as in
 * codec.h.
 *
 * Threads. Any number of threads may read an opened clip at once. Only quatsimd_clip_encode allocates.
 *
 * Structs that may grow begin with their size, struct_size, and are filled by an init function that is told
 * sizeof the caller's struct: at least the struct's size in the first version, at most 4096. Members behind
 * that size count as their default. A struct of a later version is taken as long as its members that this
 * version does not know are zeros.
 *
 * Sources: the Cayley map as in relative.h; the discrete sine transform of type I of the difference from
 * the straight line between two knots: A. K. Jain, "A fast Karhunen-Loeve transform for a class of random
 * processes", 1976. Bounds are met by search, not by a model. */
#ifndef QUATSIMD_CLIP_H
#define QUATSIMD_CLIP_H

#include "codec.h"
#include "rotation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- encoding ---- */

/* How a curve goes from one key to the next, as glTF defines it. */
enum {
  /* Rotations slerp: toward the next key as it is where the dot product of the two is not negative, else
   * toward its negative, which is the shorter way. Others are linear. */
  QUATSIMD_CURVE_LINEAR = 0,
  QUATSIMD_CURVE_HOLD = 1, /* a key holds until the next (glTF's STEP) */
  /* Cubic Hermite splines by component (glTF's CUBICSPLINE); rotations are normalised after that. */
  QUATSIMD_CURVE_CUBIC = 2
};

/* The keys of one joint's rotation (x, y, z, w, of any length from 2^-32 to 2^32 and either sign),
 * translation or scale (x, y, z), or of a track. */
typedef struct quatsimd_curve {
  size_t keys;         /* 0: there is no curve: as if it were at rest */
  const double *times; /* seconds, each later than the one before; may be null if keys < 2 */
  /* keys * 4, 3 or 1 floats. Of QUATSIMD_CURVE_CUBIC three times as many: of each key the in-tangent,
   * the value and the out-tangent, tangents a second. */
  const float *values;
  int interpolation; /* QUATSIMD_CURVE_LINEAR, which is 0, _HOLD or _CUBIC */
} quatsimd_curve;

/* One joint of the source. */
typedef struct quatsimd_clip_joint {
  int64_t parent;                              /* a joint's number; -1: none. object_bound alone needs it. */
  quatsimd_curve rotation, translation, scale; /* relative to the parent */
  /* This joint's own bounds, as in the options; 0: those of the options */
  float rotation_bound, translation_bound, scale_bound, object_bound, object_distance;
} quatsimd_clip_joint;

/* One track of the source. */
typedef struct quatsimd_clip_track {
  quatsimd_curve curve; /* of one number a key */
  float bound;          /* as track_bound of the options; 0: that one */
} quatsimd_clip_track;

/* An animation of a skeleton, to be encoded. */
typedef struct quatsimd_clip_source {
  size_t joints;                    /* at most 2^20 */
  const quatsimd_clip_joint *joint; /* an array of `joints` elements */
  size_t tracks;                    /* at most 2^20 */
  const quatsimd_clip_track *track; /* an array of `tracks` elements; may be null if there are none */
} quatsimd_clip_source;

/* Memory for quatsimd_clip_encode; both functions must be given. Memory is aligned as malloc's. */
typedef struct quatsimd_allocator {
  void *(*allocate)(void *context, size_t size); /* null if there is none */
  void (*release)(void *context, void *memory);  /* memory may be null */
  void *context;                                 /* the first argument of both */
} quatsimd_allocator;

/* The caller's threads, for quatsimd_clip_encode, which calls `run` often, in long encodings thousands of
 * times, with tasks of some milliseconds: threads should be there already, not made by each call. */
typedef struct quatsimd_runner {
  /* must be given: calls task(data, i) once for each i below count, in any order and on any threads, and
   * returns after the last one. A task never calls it. */
  void (*run)(void *context, void (*task)(void *data, size_t i), void *data, size_t count);
  void *context; /* the first argument of run */
} quatsimd_runner;

/* The pose that a clip is to be added to. */
enum {
  QUATSIMD_CLIP_ADDITIVE_NONE = 0,  /* none: the clip is a pose by itself */
  QUATSIMD_CLIP_ADDITIVE_FIRST = 1, /* the first keys */
  QUATSIMD_CLIP_ADDITIVE_BASE = 2   /* another animation */
};

/* How a source is encoded: filled by quatsimd_clip_options_init, then changed. Bounds of joints have no
 * default. */
typedef struct quatsimd_clip_options {
  size_t struct_size; /* set by quatsimd_clip_options_init */
  /* Largest error of a rotation (the angle between two rotations, radians, 1e-5 to 1), of a translation
   * (the length of the difference, in its unit) and of a scale (the largest difference of two components).
   * It holds at every time. 0: the source has no such curves, or object_bound takes the bound's place. */
  float rotation_bound, translation_bound, scale_bound;
  /* Or one bound for all (ACL's error metric): no point at object_distance from a joint, fixed to the joint,
   * is off by more than object_bound in the space of the skeleton's root, at any time. Both are in the unit
   * of translations. Scales are applied as T R S, the point's own joint's, too. object_bound 0: not used;
   * else the three bounds above are not. object_distance 0: the joints' origins alone are held. */
  float object_bound, object_distance;
  float track_bound; /* the largest error of a track at any time, up to 2^60; 0.001 unless it is changed */
  /* frames per second, 2^-100 to 2^60; 0: the rate of the keys, where they have one in common, or else the
   * times of the keys, or a rate that is fine enough */
  double rate;
  /* 1: time goes round (see quatsimd_clip_sample). The last frame becomes the first one (a rotation perhaps
   * with the other sign). The source's last keys must equal its first keys within a quarter of their
   * bounds. */
  int loop;
  /* QUATSIMD_CLIP_ADDITIVE_NONE; _FIRST: joints are stored relative to their first key; _BASE: relative to
   * `base` at the same time. quatsimd_clip_add puts them back on a base. Bounds hold after that. */
  int additive;
  /* the base of QUATSIMD_CLIP_ADDITIVE_BASE, with as many joints and tracks as the source; a curve that
   * ends before the source's holds its last key */
  const struct quatsimd_clip_source *base;
  const quatsimd_allocator *allocator; /* null: malloc and free */
  /* The skeleton that the clip is of, an opened one (skeleton.h), with as many joints and tracks as the
   * source. Curves that stay within their bounds of its rest pose are at rest, and curves without keys
   * count as its rest pose in bounds and in additive clips; the clip gets its hash. The parents of joints
   * are its joints' where object_bound is used. Null: the rest pose is the identity, translation 0, scale
   * 1. */
  const struct quatsimd_skeleton *skeleton;
  /* 1: the clip goes into a bundle (bundle.h). It is encoded so that it is short there; by itself it is
   * longer than with 0. */
  int bundled;
  /* The threads that an animation is encoded on, to the same bytes; null: the caller's alone. It gains
   * where there are more than 256 frames. With OpenMP, `run` is a parallel loop over task(data, i). The
   * allocator must then be safe to call from several threads at once. */
  const quatsimd_runner *runner;
} quatsimd_clip_options;
/* Fills options with the defaults, zeros but for track_bound, and their size. struct_size is sizeof
 * *options as the caller knows it, at most 4096. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a
 * null pointer or another size. */
QUATSIMD_API quatsimd_status quatsimd_clip_options_init(quatsimd_clip_options *options, size_t struct_size);

/* Kinds of curves. */
enum {
  QUATSIMD_CLIP_ROTATION = 0,    /* x, y, z, w */
  QUATSIMD_CLIP_TRANSLATION = 1, /* x, y, z */
  QUATSIMD_CLIP_SCALE = 2,       /* x, y, z */
  QUATSIMD_CLIP_JOINT_KINDS = 3, /* kinds that joints have: the three above */
  QUATSIMD_CLIP_TRACK = 3,       /* one float */
  QUATSIMD_CLIP_KINDS = 4        /* how many there are; as a kind, none of them */
};

/* The outcome of encoding, or the place where it failed. */
typedef struct quatsimd_clip_report {
  size_t struct_size; /* set by quatsimd_clip_report_init */
  size_t joint, key;  /* of an error; SIZE_MAX: of none in particular. Of a track, joint is its number. */
  /* QUATSIMD_CLIP_ROTATION, ... of an error; QUATSIMD_CLIP_KINDS: of none in particular */
  int kind;
  /* the error, a sentence without a full stop; null for QUATSIMD_OK and QUATSIMD_ERROR_NO_MEMORY alone */
  const char *error;
  double rate;   /* frames per second; 0: frames have times of their own */
  size_t frames; /* of the clip */
  /* numbers of curves of each kind: those at rest, those stored once, those at frames, those with keys of
   * their own */
  size_t at_rest[4], constant[4], moving[4], keyed[4];
  /* of those with keys of their own, the curves that are stored as floats since nothing shorter holds their
   * bound */
  size_t floats[4];
  /* Largest error of each kind, as in the options: found at all frames and keys and at quarter points of
   * the intervals between them, or closer, and between these as a parabola's top. It is beyond the bound
   * only by what floats, or 1024 pieces of a spline, cannot hold. */
  float worst[4];
  float worst_object; /* the same of points, where object_bound was given */
} quatsimd_clip_report;
/* Makes a report ready for quatsimd_clip_encode: fills it with zeros and its size. struct_size is sizeof
 * *report as the caller knows it, at most 4096. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a
 * null pointer or another size. */
QUATSIMD_API quatsimd_status quatsimd_clip_report_init(quatsimd_clip_report *report, size_t struct_size);

/* Encodes a source as a clip, within the bounds of the options. *data gets *size bytes, which the caller
 * gives back with quatsimd_clip_free. Encoding needs at most so many bytes of memory:
 * - 128 KB, 5 KB for each joint and track, and 64 for each key of all curves, 96 of additive clips; splines
 *   and curves on moving bases count with the pieces that they are divided into, and if options.rate asks
 *   for more frames than there are keys, curves that move count with the frames;
 * - with an object bound 128 more for each frame, 81 for each joint at each frame and, for each thread but
 *   the first, 2 KB for each joint and 3 KB.
 * report may be null. Any number of threads may encode at once. Returns
 * - QUATSIMD_OK;
 * - QUATSIMD_ERROR_BAD_KEY for a NaN, an infinity, a length, tangent or time beyond 2^60, a quaternion
 *   whose length is not from 2^-32 to 2^32, a base's scale of 0, times that do not rise or a loop that
 *   does not close (the report says which joint and key);
 * - QUATSIMD_ERROR_NO_MEMORY;
 * - QUATSIMD_ERROR_BAD_ARGUMENT for all else, and report->error says for which: options that were not
 *   initialised; options, parents or curves that are not valid; a curve without a bound; more than 2^20
 *   joints or tracks, 2^26 frames, 2^29 keys of a curve or 2^32 bytes of a clip; frames less than 2^-100
 *   seconds apart, or so near that times in double hardly tell them apart. A report that was not
 *   initialised is refused, too, and nothing is written to it.
 * No source is refused for its bounds: curves that nothing shorter holds are stored as floats. */
QUATSIMD_API quatsimd_status quatsimd_clip_encode(void **data, size_t *size,
                                                  const quatsimd_clip_source *source,
                                                  const quatsimd_clip_options *options,
                                                  quatsimd_clip_report *report);
/* Frees the bytes of quatsimd_clip_encode. allocator is the one that the options had there; null: malloc and
 * free. data may be null. */
QUATSIMD_API void quatsimd_clip_free(const quatsimd_allocator *allocator, void *data);

/* ---- opening ---- */

/* An opened clip, in the caller's memory. It points into the clip's bytes, which must stay as they are as
 * long as it is in use. */
typedef struct quatsimd_clip quatsimd_clip;

/* Memory for one opened clip: on the stack, in a struct, anywhere. A clip of a bundle needs more
 * (quatsimd_bundle_clip_size). */
typedef union quatsimd_clip_storage {
  unsigned char bytes[768];  /* at least quatsimd_clip_size() */
  double aligned;            /* not used: it aligns the bytes */
  void *aligned_as_pointers; /* not used: it aligns the bytes */
} quatsimd_clip_storage;
/* Bytes of memory that quatsimd_clip_open needs, at most sizeof(quatsimd_clip_storage): for bindings to
 * other languages and for memory from elsewhere. */
QUATSIMD_API size_t quatsimd_clip_size(void);

/* Opens the clip in `size` bytes at data, of any alignment: all of the clip and no byte more. *clip is
 * made in memory_size bytes of memory, and stays there. The memory is aligned as quatsimd_clip_storage is;
 * 8 bytes are always enough. Nothing needs to be closed. Opening checks everything that sampling relies
 * on, a checksum of all bytes included, and copies nothing. Returns QUATSIMD_OK; QUATSIMD_ERROR_NOT_A_CLIP
 * if the bytes do not begin as a clip does; QUATSIMD_ERROR_LATER_VERSION for a clip of a later version of
 * the format; QUATSIMD_ERROR_DAMAGED_CLIP for one that is cut off, changed or followed by other bytes
 * (quatsimd_clip_peek tells how many are the clip's); QUATSIMD_ERROR_SHORT_BUFFER if memory_size is less
 * than quatsimd_clip_size(); QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, but data where size is 0, or
 * memory of another alignment. */
QUATSIMD_API quatsimd_status quatsimd_clip_open(quatsimd_clip **clip, void *memory, size_t memory_size,
                                                const void *data, size_t size);

/* Reads the length of a clip from its first `size` bytes, of which 32 are enough, without opening it: *length
 * gets the bytes of the whole clip, for reading it out of a larger file. They may be more than `size`.
 * Nothing else is checked. Returns QUATSIMD_OK; QUATSIMD_ERROR_NOT_A_CLIP, QUATSIMD_ERROR_LATER_VERSION and
 * QUATSIMD_ERROR_BAD_ARGUMENT as quatsimd_clip_open; QUATSIMD_ERROR_DAMAGED_CLIP for fewer than 32 bytes or
 * a length below 32. */
QUATSIMD_API quatsimd_status quatsimd_clip_peek(size_t *length, const void *data, size_t size);

/* The properties of an opened clip; 0 for a null pointer. */
QUATSIMD_API size_t quatsimd_clip_joints(const quatsimd_clip *clip); /* at most 2^20 */
QUATSIMD_API size_t quatsimd_clip_tracks(const quatsimd_clip *clip); /* at most 2^20 */
QUATSIMD_API size_t quatsimd_clip_frames(const quatsimd_clip *clip); /* 1 to 2^26 */
/* Frames per second; 0: frames have times of their own. */
QUATSIMD_API double quatsimd_clip_rate(const quatsimd_clip *clip);
/* The time of the first frame, seconds. */
QUATSIMD_API double quatsimd_clip_start(const quatsimd_clip *clip);
/* The time from the first frame to the last, seconds. */
QUATSIMD_API double quatsimd_clip_duration(const quatsimd_clip *clip);
/* The time of a frame, seconds. A frame behind the last one has the last one's time. */
QUATSIMD_API double quatsimd_clip_time(const quatsimd_clip *clip, size_t frame);
/* 1 if time goes round, else 0. */
QUATSIMD_API int quatsimd_clip_is_looping(const quatsimd_clip *clip);
/* QUATSIMD_CLIP_ADDITIVE_NONE, which is 0, _FIRST or _BASE. */
QUATSIMD_API int quatsimd_clip_additive(const quatsimd_clip *clip);
/* The hash of the skeleton that the clip is of, as quatsimd_skeleton_hash gives it; 0: it was encoded without
 * one. A runtime refuses clips of another skeleton by it. Sampling does not ask for it. */
QUATSIMD_API uint64_t quatsimd_clip_skeleton(const quatsimd_clip *clip);

/* The state of a joint's curve. */
typedef enum quatsimd_clip_state {
  QUATSIMD_CLIP_ABSENT = 0,   /* the clip does not have it */
  QUATSIMD_CLIP_REST = 1,     /* it is as the rest pose */
  QUATSIMD_CLIP_CONSTANT = 2, /* it has one value */
  QUATSIMD_CLIP_MOVING = 3,   /* it has a value at each frame */
  QUATSIMD_CLIP_KEYED = 4     /* it has keys of its own */
} quatsimd_clip_state;
/* The state of a joint's curve of a kind, or of a track, whose number is in the joint's place.
 * QUATSIMD_CLIP_ABSENT for a null pointer, another kind or a number that is not in the clip. */
QUATSIMD_API quatsimd_clip_state quatsimd_clip_curve(const quatsimd_clip *clip, int kind, size_t joint);
/* How many joints have a curve of this kind, at rest or not; of QUATSIMD_CLIP_TRACK how many tracks do. 0
 * for another kind. */
QUATSIMD_API size_t quatsimd_clip_curves(const quatsimd_clip *clip, int kind);

/* ---- sampling ---- */

/* The memory that a pose goes to. Joint j's rotation (x, y, z, w) goes to the j-th element of rotations,
 * its translation (x, y, z) and scale (x, y, z) likewise, and track number t to tracks[t]. A view of all
 * zeros, or a null pointer, says that this kind is not wanted. The views must not overlap; where two begin
 * at one address the call returns QUATSIMD_ERROR_BAD_ARGUMENT. Of a clip without tracks `tracks` is not
 * looked at. */
typedef struct quatsimd_pose {
  quatsimd_out rotations, translations, scales; /* as many elements as there are joints */
  float *tracks;                                /* as many floats as there are tracks, aligned to 4 bytes */
  /* 1: elements of curves that the clip does not have stay as they are, for clips that lie over others; 0:
   * these get the rest pose, too */
  int leave_absent;
} quatsimd_pose;

/* A pose that is read: joint j's elements are the j-th of the views, track t's is tracks[t]. A view of all
 * zeros and a null pointer stand for the identity, translation 0, scale 1 and tracks 0.
 *
 * As a rest pose it has the values of curves that are at rest, and of curves that the clip does not have.
 * They are copied as they are. A null pointer in its place stands for all zeros, and so does any rest pose
 * where the clip is additive. It must not overlap the pose. Kinds that the pose does not want are not looked
 * at. */
typedef struct quatsimd_pose_in {
  quatsimd_in rotations, translations, scales; /* as many elements as there are joints */
  const float *tracks;                         /* as many floats as there are tracks */
} quatsimd_pose_in;

/* The meaning of times beyond the ends of a clip. */
typedef enum quatsimd_clip_wrap {
  QUATSIMD_CLIP_WRAP_CLIP = 0,  /* as the clip was encoded: see quatsimd_clip_is_looping */
  QUATSIMD_CLIP_WRAP_CLAMP = 1, /* they are the time of that end */
  QUATSIMD_CLIP_WRAP_LOOP = 2   /* time goes round */
} quatsimd_clip_wrap;
/* Samples the pose at a time, in seconds on the clip's scale, which begins at quatsimd_clip_start. pose
 * says where rotations, translations, scales and tracks go. rest may be null. A NaN counts as the start, and
 * an infinite time as the end on its side, or as the start where time goes round.
 * Times may have been floats: a time within 2^-24 of the largest one from a frame's time, but no more than
 * an eighth of the way to the next frame, is that frame's. A clip that is additive to a base takes times
 * as they are, since its base is sampled at the same. Where time goes round, the last frame's time is the
 * first one's, and what is near is, too. Curves with keys of their own are sampled at the same time.
 * Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null clip or pose, a view that breaks a rule of
 * view.h, leave_absent that is not 0 or 1, a view of rest that begins where one of the pose does, or another
 * wrap, and has written nothing then. */
QUATSIMD_API quatsimd_status quatsimd_clip_sample(const quatsimd_clip *clip, const quatsimd_pose *pose,
                                                  const quatsimd_pose_in *rest, double time,
                                                  quatsimd_clip_wrap wrap);
/* Samples the pose of `count` joints alone, without tracks, at a time as in quatsimd_clip_sample. The i-th
 * elements of the pose are those of joint number joint[i], in any order and any number of times. rest,
 * which may be null, is of all joints. The cost is that of unpacking these joints' groups of eight, and 20
 * KB of stack. Where count is 0 joint may be null, and the pose's views are not looked at. Returns
 * QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a view that breaks a rule of view.h,
 * another wrap or a number that is not below quatsimd_clip_joints, and has written nothing then. */
QUATSIMD_API quatsimd_status quatsimd_clip_sample_joints(const quatsimd_clip *clip, const quatsimd_pose *pose,
                                                         const quatsimd_pose_in *rest, double time,
                                                         quatsimd_clip_wrap wrap, const uint32_t *joint,
                                                         size_t count);
/* Decodes the poses at the frames first to first + count - 1. Element i * quatsimd_clip_joints(clip) + j
 * of the pose is joint j's at frame first + i; track t's is number i * quatsimd_clip_tracks(clip) + t.
 * rest, which may be null, is of all joints, once. The bits are those of quatsimd_clip_sample at the
 * frame's time. Where count is 0 the pose's views are not looked at. Returns QUATSIMD_OK, or
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a view that breaks a rule of view.h or frames that are
 * not in the clip, and has written nothing then. */
QUATSIMD_API quatsimd_status quatsimd_clip_decode(const quatsimd_clip *clip, const quatsimd_pose *pose,
                                                  const quatsimd_pose_in *rest, size_t first, size_t count);

/* Puts an additive pose of `joints` joints and `tracks` tracks on a base, in place in `additive`:
 * rotations become base * additive, translations base + additive, scales base * additive by component,
 * tracks base + additive. Kinds whose view in `additive` is all zeros are left out. A base may have the
 * memory of its own kind in `additive` if each element has the same bytes in both views. Other overlap is
 * not allowed; it is refused where a base and a view of `additive`, or two views of `additive`, begin at
 * one address. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a view that breaks
 * a rule of view.h or overlap, and has written nothing then. Where joints is 0 views are not looked at. */
QUATSIMD_API quatsimd_status quatsimd_clip_add(const quatsimd_pose *additive, const quatsimd_pose_in *base,
                                               size_t joints, size_t tracks);

#ifdef __cplusplus
}
#endif

#endif
