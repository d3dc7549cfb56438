/* Clips: compressed skeletal animation, sampled at any time straight from its bytes.
 *
 * A clip has a rotation, a translation and a scale curve for each joint, and float tracks: weights of morph
 * targets, or any property. Each curve is absent, at rest, constant, moving (a value at each frame) or keyed
 * (its own keys). quatsimd_clip_encode makes a clip offline, within error bounds that the caller states.
 * quatsimd_clip_open and quatsimd_clip_sample read it in place, from a mapped file for example. docs/clip.md:
 * use, errors, costs. docs/clip-format.md: every byte.
 *
 * Time is in seconds. Frame f is at start + f / rate, or each frame has its own time; then the rate is 0.
 *
 * Determinism. Encoding and sampling depend on their input alone, not on CPU, compiler or view layout. Where
 * a CPU flushes denormal numbers, encoding does not change. Sampled values below 1.2e-38 may then become 0,
 * and a time less than 2^-126 of the way from a frame or key to the next may count as that of the frame or
 * key.
 *
 * Threads. Any number of threads may read an opened clip at once. Any number of threads may encode at once.
 * Only quatsimd_clip_encode allocates memory.
 *
 * Sources: the Cayley map as in relative.h; the discrete sine transform of type I of the difference from the
 * straight line between two knots: A. K. Jain, "A fast Karhunen-Loeve transform for a class of random
 * processes", 1976. */
#ifndef QUATSIMD_CLIP_H
#define QUATSIMD_CLIP_H

#include "codec.h"
#include "rotation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- encoding ----
 * Options and reports begin with struct_size, so that later versions can add members. An init function fills
 * them. Its argument struct_size is sizeof the caller's struct: at least the struct's size in the first
 * version, at most 4096. Members beyond struct_size have their default. A struct of a later version is
 * accepted if all members that this version does not know are zero. */

/* How a curve is interpolated from one key to the next, as glTF defines it. */
typedef enum quatsimd_curve_interpolation {
  /* Rotations: slerp by the shorter way, which is to the next key itself if the dot product of the two keys
   * is not negative, else to its negative. Other curves: linear. */
  QUATSIMD_CURVE_LINEAR = 0,
  QUATSIMD_CURVE_HOLD = 1, /* a key holds until the next one (glTF's STEP) */
  /* Cubic Hermite splines for each component (glTF's CUBICSPLINE). Rotations are normalised afterwards. */
  QUATSIMD_CURVE_CUBIC = 2
} quatsimd_curve_interpolation;

/* The keys of one joint's rotation, translation or scale, or of a track. A rotation is x, y, z, w, with a
 * length from 2^-32 to 2^32 and either sign. A translation or scale is x, y, z. A track has one float for
 * each key. */
typedef struct quatsimd_curve {
  size_t key_count;    /* 0: there is no curve, and the rest pose stands in for it */
  const double *times; /* seconds, each later than the one before; may be null if key_count < 2 */
  /* key_count * 4, 3 or 1 floats. With QUATSIMD_CURVE_CUBIC three times as many: for each key the
   * in-tangent, the value and the out-tangent. Tangents are per second. */
  const float *values;
  quatsimd_curve_interpolation interpolation; /* QUATSIMD_CURVE_LINEAR, which is 0, _HOLD or _CUBIC */
} quatsimd_curve;

/* One joint of the source. */
typedef struct quatsimd_clip_joint {
  int64_t parent;                              /* number of a joint; -1: none. Used with object_bound only. */
  quatsimd_curve rotation, translation, scale; /* relative to the parent */
  /* This joint's own bounds, which replace those of the options; 0: the options'. object_bound and
   * object_distance are of the points fixed to this joint, not of those fixed to joints below it. A bound
   * that nothing would use is an error: of rotation, translation or scale if the options have an
   * object_bound, and object_bound and object_distance if they have none. */
  float rotation_bound, translation_bound, scale_bound, object_bound, object_distance;
} quatsimd_clip_joint;

/* One track of the source. */
typedef struct quatsimd_clip_track {
  quatsimd_curve curve; /* one float for each key */
  float bound;          /* replaces track_bound of the options; 0: the options' */
} quatsimd_clip_track;

/* The animation of a skeleton, to be encoded. */
typedef struct quatsimd_clip_source {
  size_t joint_count;                /* at most 2^20 */
  const quatsimd_clip_joint *joints; /* an array of joint_count elements; may be null if there are none */
  size_t track_count;                /* at most 2^20 */
  const quatsimd_clip_track *tracks; /* an array of track_count elements; may be null if there are none */
} quatsimd_clip_source;

/* Memory for an encoder, which refuses an allocator without one of its functions. Memory is aligned as
 * malloc's. */
typedef struct quatsimd_allocator {
  void *(*allocate)(void *context, size_t size); /* returns null if there is no memory */
  void (*release)(void *context, void *memory);  /* memory may be null */
  void *context;                                 /* the first argument of both functions */
} quatsimd_allocator;

/* The caller's threads for quatsimd_clip_encode. The encoder calls `run` thousands of times in a long
 * encoding, with tasks of some milliseconds. `run` should use threads that exist already, not start
 * threads. */
typedef struct quatsimd_runner {
  /* Must be given. It calls task(data, i) once for each i below count, in any order and on any threads, and
   * returns after the last call has returned. A task never calls `run`. */
  void (*run)(void *context, void (*task)(void *data, size_t i), void *data, size_t count);
  void *context; /* the first argument of run */
} quatsimd_runner;

/* The pose that a clip is added to. */
typedef enum quatsimd_clip_additivity {
  QUATSIMD_CLIP_ADDITIVE_NONE = 0,  /* none: the clip is not additive */
  QUATSIMD_CLIP_ADDITIVE_FIRST = 1, /* the first keys of the same source */
  QUATSIMD_CLIP_ADDITIVE_BASE = 2   /* another animation */
} quatsimd_clip_additivity;

/* How a source is encoded. quatsimd_clip_options_init fills it; then set the bounds of joints, which are 0
 * (none) by default, and change other members. */
typedef struct quatsimd_clip_options {
  size_t struct_size; /* set by quatsimd_clip_options_init */
  /* The largest errors at any time. Rotation: the angle between two rotations, radians, from 1e-5 to 1.
   * Translation: the length of the difference, in the unit of translations, up to 2^60. Scale: the largest
   * difference of a component, up to 2^60. 0: the source has no such curves, or object_bound is used. */
  float rotation_bound, translation_bound, scale_bound;
  /* One bound in place of those three (ACL's error metric): no point at object_distance from a joint, fixed
   * to the joint, is off by more than object_bound in model space, at any time. Both are in the unit of
   * translations, up to 2^60. Each joint transforms points by T R S, and its scale applies to its own points,
   * too. object_bound 0: the three bounds are used. object_distance 0: only the joints' origins are
   * bounded. */
  float object_bound, object_distance;
  float track_bound; /* the largest error of a track at any time, up to 2^60; the default is 0.001 */
  /* Frames per second, from 2^-100 to 2^60. 0: the encoder chooses. It takes the rate of the keys if they
   * have one in common and most of its frames have keys, else the times of the keys, or a rate that is fine
   * enough; the last frame is then at the last key of all curves that have several. Of the rates n and
   * n / 1.001, where n is 24, 25, 30, 50, 60, 90, 100, 120 or 240, it takes one exactly if with it every key
   * lies within the rounding of its own float. At a rate of your own the last frame is the first that is not
   * before the last key. */
  double rate;
  /* 1: the clip loops (see quatsimd_clip_sample), and its last frame is stored equal to its first (a rotation
   * perhaps with the other sign). The last keys of the source must equal its first keys within a quarter of
   * their bounds. 0: it does not loop. */
  int looping;
  /* QUATSIMD_CLIP_ADDITIVE_NONE; _FIRST: curves are stored relative to their first key; _BASE: relative to
   * additive_base at the same time. quatsimd_clip_add adds the base again. Bounds hold for the sum. */
  quatsimd_clip_additivity additive;
  /* The base of QUATSIMD_CLIP_ADDITIVE_BASE. It has as many joints and tracks as the source. A curve of the
   * base that ends before the source's curve holds its last key. Null with any other additivity. */
  const struct quatsimd_clip_source *additive_base;
  const quatsimd_allocator *allocator; /* null: malloc and free */
  /* The opened skeleton (skeleton.h) of the clip, with as many joints and tracks as the source. A curve that
   * never differs from the rest pose of the skeleton by more than its bound is at rest: the clip stores no
   * value for it. A curve without keys counts as the rest pose in bounds and in additive clips. The clip
   * stores the hash of the skeleton. With object_bound, parents in the source must be those of the skeleton.
   * Null: the rest pose is the identity, translation 0, scale 1 and tracks 0. */
  const struct quatsimd_skeleton *skeleton;
  /* 1: the clip is for a bundle (bundle.h). It is encoded to be short there; outside a bundle it is longer
   * than with 0. */
  int bundled;
  /* Threads to encode on. The bytes are the same with any number of threads. Null: the calling thread alone.
   * More threads help where there are more than 256 frames. With OpenMP, `run` is a parallel loop over
   * task(data, i). The allocator must be safe to call from several threads at once. */
  const quatsimd_runner *runner;
  /* 1: key times that were rounded to floats become even again. If all keys of linear curves (without any: of
   * splines) are times start + k / rate but for the rounding of their own floats, for some start and rate,
   * these keys get these times, and so do keys of other curves that lie on them, and keys of the base, which
   * may have a start and a rate of its own. Bounds then hold for the moved keys. The largest move is
   * report->snapped. If options.rate is 0, no key moves where one would move by more than 1/16 of a frame;
   * report->snap_rate then has the rate. 0: keys have their own times. */
  int snap_times;
  /* 1: the source is a loop whose last key was left out: its next frame would be its first one again. The
   * clip gets this frame, and loops. Each curve goes straight from its last key to its first one; a curve
   * that ends before others holds its last key until their end. The frame is as long as one of `rate` or of
   * the keys' own rate, or else as the mean time between the keys of the curve with the most keys. The base
   * of an additive clip must not end later. It is closed in the same way at the same time; sample it as such
   * a loop, too. A joint whose translation would go back more than 4 times as fast as it moves anywhere
   * travels: its translation and rotation go on as in the frame before, and the clip does not loop by itself
   * (quatsimd_clip_is_looping). Play it with QUATSIMD_CLIP_WRAP_LOOP and take out the joint's root motion
   * (pose.h). Encoding needs 24 bytes more for each key, or 56 for each key of a spline. 0: no frame is
   * added. */
  int close_loop;
} quatsimd_clip_options;
/* Fills options with the defaults and struct_size. All defaults are zero, except track_bound, which is 0.001.
 * struct_size is sizeof *options, at most 4096. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a
 * null pointer or a size out of range. */
QUATSIMD_API quatsimd_status quatsimd_clip_options_init(quatsimd_clip_options *options, size_t struct_size);

/* Kinds of curves. */
typedef enum quatsimd_clip_kind {
  QUATSIMD_CLIP_ROTATION = 0,    /* x, y, z, w */
  QUATSIMD_CLIP_TRANSLATION = 1, /* x, y, z */
  QUATSIMD_CLIP_SCALE = 2,       /* x, y, z */
  QUATSIMD_CLIP_TRACK = 3,       /* one float */
  QUATSIMD_CLIP_NO_KIND = 4      /* in a report: none in particular */
} quatsimd_clip_kind;
/* The number of kinds that joints have: the first three. */
#define QUATSIMD_CLIP_JOINT_KIND_COUNT 3
/* The number of kinds. */
#define QUATSIMD_CLIP_KIND_COUNT 4

/* The error that is largest as a multiple of the bound of its own joint or track. */
typedef struct quatsimd_clip_worst {
  float ratio;  /* error / bound; 0: there is no error, or no bound of this kind */
  size_t joint; /* the joint or track */
  double time;  /* a time at which the error is as large, or nearly: seconds, in the clip */
} quatsimd_clip_worst;

/* The outcome of encoding, or the place of the error. */
typedef struct quatsimd_clip_report {
  size_t struct_size; /* set by quatsimd_clip_report_init */
  /* The place of the error; for a track, joint is its number. SIZE_MAX: none in particular; 0: no error */
  size_t joint, key;
  /* The kind of curve of the error; QUATSIMD_CLIP_NO_KIND: none in particular */
  quatsimd_clip_kind kind;
  /* The error, a sentence without a full stop; null for QUATSIMD_OK and QUATSIMD_ERROR_NO_MEMORY */
  const char *error;
  double rate;        /* frames per second of the clip; 0: frames have their own times */
  size_t frame_count; /* number of frames of the clip */
  /* Numbers of curves of each kind: at rest, stored as one value, stored at frames, stored with their own
   * keys */
  size_t rest_count[4], constant_count[4], moving_count[4], keyed_count[4];
  /* Numbers of curves with their own keys that are stored as floats, because nothing shorter holds their
   * bound */
  size_t float_count[4];
  /* The largest error of each kind, in the units of the bounds. It is measured at all frames and keys and at
   * quarter points of the intervals between them, or closer; between these points a parabola is fitted and
   * its top counts. It exceeds the bound only by the rounding of floats, or where 1024 pieces are too few.
   * Errors of scales of an additive clip are multiplied by the largest scale of the base. */
  float worst[4];
  float worst_object; /* the largest error of points, if object_bound was given */
  double snapped;     /* the largest move of a key by options.snap_times, seconds; 0: none moved */
  /* If not 0: options.snap_times moved no key, since one would move by more than 1/16 of a frame. With this
   * rate as options.rate they move. */
  double snap_rate;
  /* For each kind, and for points: the error nearest to its own bound, or farthest above it. It is measured
   * as `worst` is. The true ratio may be up to 1 % larger, where no spline of rotations passes near zero;
   * that of points may be more: 13 % was the most in trials. With object_bound, rotations, translations and
   * scales have no bounds. */
  quatsimd_clip_worst nearest[4], nearest_object;
  /* With options.close_loop: the length of the added frame, seconds; 0: none was needed */
  double loop_gap;
  /* For each kind: the largest difference between the first and the last key of a curve that was closed, in
   * the units of the bounds. If it is much larger than what the curve moves in a frame, the source is no
   * loop. */
  float loop_ends[4];
  size_t travelling_count; /* number of joints that travel */
} quatsimd_clip_report;
/* Prepares a report for quatsimd_clip_encode: fills it with zeros and struct_size. struct_size is sizeof
 * *report, at most 4096. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer or a size out
 * of range. */
QUATSIMD_API quatsimd_status quatsimd_clip_report_init(quatsimd_clip_report *report, size_t struct_size);

/* Encodes a source as a clip. *data points to the *size bytes of the clip; the caller frees them with
 * quatsimd_clip_free. report may be null.
 *
 * Bounds hold at every time t: the clip sampled at t differs from the source at t by at most the bounds. The
 * source is evaluated with its own interpolation. Five errors add to the bounds. Floats are rounded: 1e-6
 * radians, and 2^-21 of the largest component; points, as docs/clip.md says. Between a curve's own keys,
 * which are at most 120 degrees apart, sampling follows slerp within 6.5e-6 radians. Components of keys
 * below 2^-90 count as 0. Times are rounded: t may be off by 2^-23 of the largest time, or with options.rate
 * by 2^-22 of it, which matters where a curve jumps; so may the time of a base that moves. A curve relative
 * to such a base has the first two errors twice. A bound below 2^-90 counts as 2^-90. No source is refused
 * for its bounds: a curve that nothing shorter holds is stored as floats.
 *
 * Encoding needs at most this much memory: 128 KB, 5 KB for each joint and track, and 160 bytes for each
 * key of all curves, or 224 bytes in additive clips and if any curve is a spline. For splines, and curves
 * on moving bases, the pieces that they are divided into count as keys. If the clip has more frames than a
 * curve has keys, frames count as its keys. report->frame_count has the frames. An object bound needs 128
 * bytes more for each frame, 81 bytes for each joint at each frame, at most 10 MB for poses that are
 * measured again and again and, for each thread but the first, 3 KB and 2 KB for each joint.
 *
 * Returns QUATSIMD_OK, or an error that report->error describes:
 * - QUATSIMD_ERROR_BAD_KEY: a key cannot be encoded. report->joint, kind and key say which.
 * - QUATSIMD_ERROR_NO_MEMORY: the allocator had none.
 * - QUATSIMD_ERROR_BAD_ARGUMENT: any other error. A report that was not initialised is refused, not
 *   written.
 *
 * A key cannot be encoded if it has a NaN, an infinity, a component of a translation, scale, track or
 * tangent beyond 2^60, a time beyond 2^60 seconds or not later than that of the previous key, or a
 * quaternion with a length outside [2^-32, 2^32]; if the spline that follows it, or its difference from
 * the base, goes beyond 2^60; if a base's scale is 0 or changes its sign; or if it is the last key of a
 * loop that does not close.
 *
 * Bad arguments are null pointers; options that were not initialised; options, parents or curves that are
 * not valid; a curve without a bound, or a bound or base that nothing would use; an allocator or runner
 * without its functions; more than 2^20 joints or tracks, or 2^26 frames; a curve of 2^29
 * keys or more; a clip of 2^32 bytes or more; and frames less than 2^-100 seconds apart, or too close for
 * times in double to tell apart. */
QUATSIMD_API quatsimd_status quatsimd_clip_encode(void **data, size_t *size,
                                                  const quatsimd_clip_source *source,
                                                  const quatsimd_clip_options *options,
                                                  quatsimd_clip_report *report);
/* Frees the bytes that quatsimd_clip_encode made. allocator is the one that its options had; null: malloc and
 * free. data may be null. */
QUATSIMD_API void quatsimd_clip_free(const quatsimd_allocator *allocator, void *data);

/* ---- opening ---- */

/* An opened clip, in the caller's memory. It points into the clip's bytes, which must not change or move
 * while it is in use. */
typedef struct quatsimd_clip quatsimd_clip;

/* Memory for one opened clip: on the stack, in a struct, anywhere. A clip of a bundle needs another size
 * (quatsimd_bundle_clip_memory_size). */
typedef union quatsimd_clip_storage {
  unsigned char bytes[384];  /* at least quatsimd_clip_memory_size() */
  double aligned;            /* not used: it aligns the bytes */
  void *aligned_as_pointers; /* not used: it aligns the bytes */
} quatsimd_clip_storage;
/* Returns the bytes of memory that quatsimd_clip_open needs, at most sizeof(quatsimd_clip_storage). For
 * bindings to other languages, and for memory that is not a quatsimd_clip_storage. */
QUATSIMD_API size_t quatsimd_clip_memory_size(void);

/* Opens the clip in the `size` bytes at data, which are exactly one clip (see quatsimd_clip_peek_size) and
 * need no alignment. *clip is made in `memory` and stays there. memory must be aligned as
 * quatsimd_clip_storage is; an alignment of 8 bytes always suffices. Opening copies nothing. It checks
 * everything that sampling relies on, and a checksum of all bytes; the time grows with the bytes. Opening
 * needs 20 KB of stack. A clip needs no closing.
 *
 * Returns QUATSIMD_OK, or
 * - QUATSIMD_ERROR_NOT_A_CLIP: the bytes do not begin as a clip does.
 * - QUATSIMD_ERROR_LATER_VERSION: the clip has a later version of the format.
 * - QUATSIMD_ERROR_DAMAGED_CLIP: the clip is cut off, changed, or followed by other bytes.
 * - QUATSIMD_ERROR_SHORT_BUFFER: memory_size is less than quatsimd_clip_memory_size().
 * - QUATSIMD_ERROR_BAD_ARGUMENT: a null pointer, except data if size is 0, or memory that is not aligned. */
QUATSIMD_API quatsimd_status quatsimd_clip_open(quatsimd_clip **clip, void *memory, size_t memory_size,
                                                const void *data, size_t size);

/* Reads the length of a clip without opening it, to read the clip out of a larger file. data is the first
 * `size` bytes of the clip; 32 bytes are enough. *length gets the bytes of the whole clip, which may be more
 * than `size`. Nothing else is checked. Returns QUATSIMD_OK; QUATSIMD_ERROR_NOT_A_CLIP,
 * QUATSIMD_ERROR_LATER_VERSION and QUATSIMD_ERROR_BAD_ARGUMENT as quatsimd_clip_open;
 * QUATSIMD_ERROR_DAMAGED_CLIP for fewer than 32 bytes or a length below 32. */
QUATSIMD_API quatsimd_status quatsimd_clip_peek_size(size_t *length, const void *data, size_t size);

/* Properties of an opened clip. Each is 0 for a null pointer. */
QUATSIMD_API size_t quatsimd_clip_joint_count(const quatsimd_clip *clip); /* at most 2^20 */
QUATSIMD_API size_t quatsimd_clip_track_count(const quatsimd_clip *clip); /* at most 2^20 */
QUATSIMD_API size_t quatsimd_clip_frame_count(const quatsimd_clip *clip); /* 1 to 2^26 */
/* Returns the frames per second; 0: frames have their own times. */
QUATSIMD_API double quatsimd_clip_rate(const quatsimd_clip *clip);
/* Returns the time of the first frame, in seconds. */
QUATSIMD_API double quatsimd_clip_start(const quatsimd_clip *clip);
/* Returns the time from the first frame to the last, in seconds. */
QUATSIMD_API double quatsimd_clip_duration(const quatsimd_clip *clip);
/* Returns the time of a frame, in seconds. A frame after the last one has the time of the last one. */
QUATSIMD_API double quatsimd_clip_frame_time(const quatsimd_clip *clip, size_t frame);
/* Returns 1 if the clip was encoded to loop, else 0. */
QUATSIMD_API int quatsimd_clip_is_looping(const quatsimd_clip *clip);
/* Returns QUATSIMD_CLIP_ADDITIVE_NONE, which is 0, _FIRST or _BASE. */
QUATSIMD_API quatsimd_clip_additivity quatsimd_clip_additive(const quatsimd_clip *clip);
/* Returns the hash of the skeleton that the clip was encoded with (quatsimd_skeleton_hash); 0: it was encoded
 * without one. Compare it with the hash of your skeleton before you play a clip from an unknown file.
 * Sampling does not check it. */
QUATSIMD_API uint64_t quatsimd_clip_skeleton_hash(const quatsimd_clip *clip);

/* The state of a curve. */
typedef enum quatsimd_clip_state {
  QUATSIMD_CLIP_ABSENT = 0,   /* the clip does not have it */
  QUATSIMD_CLIP_REST = 1,     /* it equals the rest pose */
  QUATSIMD_CLIP_CONSTANT = 2, /* it has one value */
  QUATSIMD_CLIP_MOVING = 3,   /* it has a value at each frame */
  QUATSIMD_CLIP_KEYED = 4     /* it has its own keys */
} quatsimd_clip_state;
/* Returns the state of a joint's curve of a kind. For QUATSIMD_CLIP_TRACK, `joint` is a track's number.
 * Returns QUATSIMD_CLIP_ABSENT for a null pointer, an unknown kind or a number that is not in the clip. */
QUATSIMD_API quatsimd_clip_state quatsimd_clip_curve_state(const quatsimd_clip *clip, quatsimd_clip_kind kind,
                                                           size_t joint);
/* Returns the number of joints (for QUATSIMD_CLIP_TRACK, of tracks) whose curve of this kind is not absent.
 * Returns 0 for a null pointer or an unknown kind. */
QUATSIMD_API size_t quatsimd_clip_curve_count(const quatsimd_clip *clip, quatsimd_clip_kind kind);

/* ---- sampling ---- */

/* The memory that a pose is written to. Joint j's rotation (x, y, z, w), translation (x, y, z) and scale (x,
 * y, z) are the j-th elements of their views. Track t's value is tracks[t]. A view of all zeros, or a null
 * pointer, means that this kind is not wanted. `tracks` is not used for a clip without tracks. The views must
 * not overlap; two views that begin at the same address are refused with QUATSIMD_ERROR_BAD_ARGUMENT. */
typedef struct quatsimd_pose_out {
  quatsimd_out rotations, translations, scales; /* as many elements as there are joints */
  float *tracks;                                /* as many floats as there are tracks, aligned to 4 bytes */
} quatsimd_pose_out;

/* A pose that is read. Joint j's values are the j-th elements of the views. Track t's value is tracks[t]. In
 * a rest pose and in pose.h, a view of all zeros stands for the identity, translation 0 or scale 1, and a
 * null pointer for tracks of 0.
 *
 * As the rest pose of a sampling function it gives the values of curves that are at rest or absent; they are
 * copied unchanged. It may differ from the rest pose that the clip was encoded with: a variant with longer
 * arms keeps its lengths. A null pointer stands for a pose whose views are all zeros. Additive clips do not
 * use a rest pose: their curves at rest, or absent, are the identity, translation 0, scale 1 and tracks 0. A
 * rest pose must not overlap the pose that is written. Kinds that are not wanted are not read from it. */
typedef struct quatsimd_pose_in {
  quatsimd_in rotations, translations, scales; /* as many elements as there are joints */
  const float *tracks;                         /* as many floats as there are tracks */
} quatsimd_pose_in;

/* The meaning of times before the start or after the end of a clip. */
typedef enum quatsimd_clip_wrap {
  QUATSIMD_CLIP_WRAP_CLIP = 0,  /* as the clip was encoded: _LOOP if quatsimd_clip_is_looping, else _CLAMP */
  QUATSIMD_CLIP_WRAP_CLAMP = 1, /* the time of the nearer end */
  QUATSIMD_CLIP_WRAP_LOOP = 2   /* time repeats with the clip's duration */
} quatsimd_clip_wrap;
/* Samples the pose of all joints and tracks at a time, in seconds; the first frame is at
 * quatsimd_clip_start. pose is written. rest is the rest pose, and may be null. leave_absent 0: elements
 * whose curves are absent get the rest pose. 1: they are not written, for a clip that is laid over another
 * one.
 *
 * Between two frames rotations follow slerp within 0.0005 degrees if they are up to 160 degrees apart, and
 * within 0.0014 degrees at 180. Translations, scales and tracks are linear. A curve with its own keys is
 * interpolated between them in the same way, or holds each key until the next one.
 *
 * When looping, whole rounds of quatsimd_clip_duration are first taken away from a time outside the clip,
 * exactly, so that clocks may run for years. Times may have been rounded to float: a time inside the clip
 * counts as a frame's time if the difference is at most 2^-24 of the time or of the clip's start, and at
 * most an eighth of the time to the next frame. After rounds are taken away, 2^-24 of the clip's end counts,
 * or of its start if that is farther from 0. Clips that are additive to a base take times exactly, because
 * the caller samples the base at the same time. When looping, the last frame's time, or a time that counts
 * as it, stands for the first frame's. Curves with their own keys are sampled at the time that results. A
 * time that is NaN is the start. An infinite time is the end on its side, or the start when looping.
 *
 * Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null clip or pose, a view that breaks a rule
 * of view.h, leave_absent that is not 0 or 1, a view of rest that begins at the same address as a view of
 * pose, or an unknown wrap. On error nothing is written. */
QUATSIMD_API quatsimd_status quatsimd_clip_sample(const quatsimd_clip *clip, quatsimd_pose_out *pose,
                                                  const quatsimd_pose_in *rest, double time,
                                                  quatsimd_clip_wrap wrap, int leave_absent);
/* Samples some joints, without tracks. The i-th elements of pose are those of joint number joints[i].
 * Numbers may be in any order and repeat. rest has all joints, and may be null. time, wrap and
 * leave_absent are as in quatsimd_clip_sample. The call takes the time of unpacking the groups of eight
 * curves that contain curves of these joints. If the clip has up to 256 joints and count is more than 2 and
 * a twentieth of them, it takes little more than quatsimd_clip_sample takes. It needs 20 KB of stack. If
 * count is 0, joints may be null and the views of pose are not read. Returns QUATSIMD_OK, or
 * QUATSIMD_ERROR_BAD_ARGUMENT for the errors of quatsimd_clip_sample, null joints, or a number that is not
 * below quatsimd_clip_joint_count. On error nothing is written. */
QUATSIMD_API quatsimd_status quatsimd_clip_sample_joints(const quatsimd_clip *clip, quatsimd_pose_out *pose,
                                                         const quatsimd_pose_in *rest, double time,
                                                         quatsimd_clip_wrap wrap, const uint32_t *joints,
                                                         size_t count, int leave_absent);
/* Decodes the poses at count frames, from frame number `first` on. Poses are one after the other in
 * memory: with J = quatsimd_clip_joint_count(clip) and T = quatsimd_clip_track_count(clip), joint j at
 * frame first + i is element i * J + j, and track t is tracks[i * T + t]. rest is one pose of all joints,
 * and may be null. leave_absent is as in quatsimd_clip_sample. The bits are those of quatsimd_clip_sample
 * at the frame's time. If count is 0 the views of pose are not read. Returns QUATSIMD_OK, or
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null clip or pose, a view that breaks a rule of view.h, leave_absent
 * that is not 0 or 1, a view of rest that begins at the same address as a view of pose, or frames that are
 * not in the clip. On error nothing is written. */
QUATSIMD_API quatsimd_status quatsimd_clip_decode(const quatsimd_clip *clip, quatsimd_pose_out *pose,
                                                  const quatsimd_pose_in *rest, size_t first, size_t count,
                                                  int leave_absent);

/* The memory that velocities are written to. Joint j's angular and linear velocities, x, y and z, are the
 * j-th elements of their views. A view of all zeros means that this kind is not wanted. The views must not
 * overlap; two that begin at the same address are refused with QUATSIMD_ERROR_BAD_ARGUMENT. */
typedef struct quatsimd_velocities_out {
  quatsimd_out angular; /* radians per second about the axes of the parent's space; one for each joint */
  quatsimd_out linear;  /* units of translations per second, in the parent's space; one for each joint */
} quatsimd_velocities_out;
/* Computes the velocities of all joints at a time, in seconds: the derivatives of the rotations and
 * translations that quatsimd_clip_sample gives. velocities is written. time and wrap are as in
 * quatsimd_clip_sample.
 *
 * Between two frames both velocities are constant: the difference of the translations, and the rotation
 * vector of the turn by slerp from one rotation to the next, each divided by the time between the frames. The
 * turn is the one that sampling makes. Between linear keys the same holds. A spline has its derivative. Keys
 * that hold, constant curves, and curves that are at rest or absent have velocity 0. A curve that is stored
 * relative to a base that moves has the velocity of the difference. Scales and tracks have no velocities.
 * Velocities of an additive clip are those of the values that it gives, not of the sum with a base.
 *
 * At a frame or key the velocity is that after it. At the end of a clip that does not loop it is that before
 * it. When looping, the end stands for the start. Outside a clip that does not loop velocities are 0, and so
 * are those of a clip of one frame. Components are finite: they are clamped to -2^100 to 2^100, and become 0
 * below 2^-90. The result differs from this definition by at most 2e-7 of its length; docs/clip.md has the
 * formulas, and the error of curves relative to a base.
 *
 * Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null clip or velocities, a view that breaks a
 * rule of view.h, or an unknown wrap. If the clip has no joints the views are not read. On error nothing is
 * written. */
QUATSIMD_API quatsimd_status quatsimd_clip_sample_velocities(const quatsimd_clip *clip,
                                                             quatsimd_velocities_out *velocities, double time,
                                                             quatsimd_clip_wrap wrap);

/* ---- events ----
 * A clip that quatsimd_bundle_open_clip opened has the events that the bundle has for it: marks in time, such
 * as footsteps. Other clips have none. Events are numbered from 0 in the order of their times, and at the
 * same time in the order of their names, compared byte by byte. */

/* An event that a clock passed. */
typedef struct quatsimd_clip_event {
  const char *name; /* UTF-8, in the bundle's bytes */
  double time;      /* seconds, on the clip's clock, as in the bundle */
  double clock;     /* seconds, on the caller's clock: the moment at which it was passed */
} quatsimd_clip_event;

/* Returns the number of events; 0 for a null pointer. */
QUATSIMD_API size_t quatsimd_clip_event_count(const quatsimd_clip *clip);
/* Returns the time of an event on the clip's clock, in seconds. Returns 0 for a null pointer, or a number
 * that is not below quatsimd_clip_event_count. */
QUATSIMD_API double quatsimd_clip_event_time(const quatsimd_clip *clip, size_t number);
/* Returns the name of an event, in the bundle's bytes. Returns null for a null pointer, or a number that is
 * not below quatsimd_clip_event_count. */
QUATSIMD_API const char *quatsimd_clip_event_name(const quatsimd_clip *clip, size_t number);

/* Finds the events that a clock passes on its way from one time to another, in seconds, such as the times of
 * two frames of a game. Forward (from < to) these are the events with from < clock <= to, backward
 * (to < from) those with to <= clock < from. So a clock that goes on from where it was passes each event
 * once. If both times are equal, or one is NaN, there are none. Times may be infinite.
 *
 * If the clip does not loop (QUATSIMD_CLIP_WRAP_CLAMP, QUATSIMD_CLIP_WRAP_CLIP if quatsimd_clip_is_looping
 * is 0, or a duration of 0), an event's clock is its time, also outside the clip. If it loops, events from
 * the clip's first frame to its last frame are passed in each round: in round k, a whole number from -2^52 to
 * 2^52, the clock is time + k * duration, where the product and the sum are rounded to double. Times may have
 * been rounded to float, so events up to 2^-24 of the clip's start or end outside count, whichever is farther
 * from 0. Others are never passed. An event at the last frame is passed just before one at the first frame.
 * Rounds are those of quatsimd_clip_sample: at the clock of an event it gives the pose at the event's time.
 *
 * Events are written in the order of passing: round by round, in a round by number; backward in the reverse
 * order. Returns the number of all events, at most SIZE_MAX, and writes the first `capacity` of them to
 * `events`. A null pointer counts them and writes none. The time grows with the events that are written and
 * with the logarithm of the clip's events, not with the rounds. Returns 0 for a null clip or an unknown wrap.
 * `events` must not overlap the clip. Any number of threads may call it. */
QUATSIMD_API size_t quatsimd_clip_events_between(const quatsimd_clip *clip, quatsimd_clip_event *events,
                                                 size_t capacity, double from, double to,
                                                 quatsimd_clip_wrap wrap);

/* Adds an additive pose of joint_count joints and track_count tracks to a base. Rotations become base *
 * additive (Hamilton's product), translations and tracks base + additive, scales base * additive for each
 * component. A kind whose view in out is all zeros, or null tracks, is left out. In base and additive a view
 * of all zeros stands for the identity, translation 0 or scale 1, and null tracks for 0. A view of out may
 * have the memory of the same kind in base or additive if each element occupies the same bytes in both views.
 * Other overlap is not allowed; it is refused where a view of out and one that is read, or two of out, begin
 * at the same address. If joint_count is 0 the views are not read; if track_count is 0, the tracks. Undefined
 * results are the quiet NaN 0x7fc00000. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null
 * pointer, a view that breaks a rule of view.h, or overlap. On error nothing is written. */
QUATSIMD_API quatsimd_status quatsimd_clip_add(quatsimd_pose_out *out, const quatsimd_pose_in *base,
                                               const quatsimd_pose_in *additive, size_t joint_count,
                                               size_t track_count);

#ifdef __cplusplus
}
#endif

#endif
