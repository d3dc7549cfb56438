/* Skeletons: the names, parents and rest pose of an animation's joints in one small file, read in place.
 *
 * A clip (clip.h) identifies joints by number only. A skeleton gives each joint's name, parent and rest pose,
 * its inverse bind matrix if it has one, and the names and rest values of float tracks.
 * quatsimd_skeleton_encode makes it offline. quatsimd_skeleton_open reads it in place, from a mapped file for
 * example. docs/skeleton.md: use, format, errors, costs.
 *
 * Joints are numbered from 0 in the order of the source. A parent has a smaller number than its children, so
 * one pass from the first joint to the last computes model space.
 *
 * Names are UTF-8 (RFC 3629) of any length, end with a NUL, and are compared byte by byte. They may be empty,
 * and several joints or tracks may have the same name.
 *
 * Determinism. The bytes depend on the source alone, not on CPU or compiler.
 *
 * Threads. Any number of threads may read an opened skeleton at once. Any number may encode at once. Only
 * quatsimd_skeleton_encode allocates memory. */
#ifndef QUATSIMD_SKELETON_H
#define QUATSIMD_SKELETON_H

#include "clip.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest number of joints, and of tracks, of a skeleton. */
#define QUATSIMD_SKELETON_MOST 65536

/* ---- encoding ---- */

/* One joint of the source. */
typedef struct quatsimd_skeleton_joint {
  const char *name; /* UTF-8, ends with a NUL */
  int64_t parent;   /* the number of a joint before this one; -1: none */
  /* The rest pose relative to the parent, as in glTF: a point p of the joint is at translation + rotation
   * (scale p). The rotation is x, y, z, w, with a length from 2^-32 to 2^32. A rotation of length 1 within
   * 4e-7 is stored unchanged, any other is normalised. Translation and scale are x, y, z, finite, and stored
   * unchanged. */
  float rotation[4], translation[3], scale[3];
  /* From model space to the joint's own: 12 finite floats, three rows of four, the translation last in each
   * row; null: none */
  const float *inverse_bind;
} quatsimd_skeleton_joint;

/* A skeleton, to be encoded. */
typedef struct quatsimd_skeleton_source {
  size_t joint_count;                    /* at most QUATSIMD_SKELETON_MOST; 0: joints may be null */
  const quatsimd_skeleton_joint *joints; /* an array of joint_count elements */
  size_t track_count;                    /* at most QUATSIMD_SKELETON_MOST; 0: track_names may be null */
  const char *const *track_names;        /* names of float tracks, an array of track_count elements */
  double metres;                         /* length of the unit of translations in metres; 0: not known */
  const float *track_rest; /* values of tracks at rest, track_count finite floats; null: all 0 */
} quatsimd_skeleton_source;

/* The place where encoding failed. struct_size and later versions are as in clip.h, section encoding. */
typedef struct quatsimd_skeleton_report {
  size_t struct_size;  /* set by quatsimd_skeleton_report_init */
  size_t joint, track; /* numbers of the joint or track of the error; SIZE_MAX: none */
  /* The error, a sentence without a full stop; null for QUATSIMD_OK and QUATSIMD_ERROR_NO_MEMORY */
  const char *error;
} quatsimd_skeleton_report;
/* Prepares a report for quatsimd_skeleton_encode: fills it with zeros and struct_size. struct_size is sizeof
 * *report, at most 4096. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer or a size out
 * of range. */
QUATSIMD_API quatsimd_status quatsimd_skeleton_report_init(quatsimd_skeleton_report *report,
                                                           size_t struct_size);

/* Encodes a source as a skeleton. *data points to the *size bytes of the skeleton; the caller frees them with
 * quatsimd_skeleton_free. allocator is asked for these bytes only; null: malloc and free. report may be null.
 *
 * Returns QUATSIMD_OK, or an error that report->error describes; then *data and *size are not written:
 * - QUATSIMD_ERROR_BAD_JOINT: a joint or track is not valid. report->joint or track says which.
 * - QUATSIMD_ERROR_NO_MEMORY: the allocator had none.
 * - QUATSIMD_ERROR_BAD_ARGUMENT: any other error. A report that was not initialised is refused, not written.
 *
 * A joint or track is not valid if its name is not UTF-8; if its parent is not a joint before it; if its rest
 * pose or matrix has a NaN or an infinity; or if the length of its rotation is outside [2^-32, 2^32].
 *
 * Bad arguments are null pointers, also in the allocator; more than QUATSIMD_SKELETON_MOST joints or tracks;
 * metres that are negative, infinite or NaN; and a skeleton of 2^32 bytes or more. */
QUATSIMD_API quatsimd_status quatsimd_skeleton_encode(void **data, size_t *size,
                                                      const quatsimd_skeleton_source *source,
                                                      const quatsimd_allocator *allocator,
                                                      quatsimd_skeleton_report *report);
/* Frees the bytes that quatsimd_skeleton_encode made. allocator is the one that was given there; null: malloc
 * and free. data may be null. */
QUATSIMD_API void quatsimd_skeleton_free(const quatsimd_allocator *allocator, void *data);

/* ---- opening ---- */

/* An opened skeleton, in the caller's memory. It points into the skeleton's bytes, which must not change or
 * move while it is in use. */
typedef struct quatsimd_skeleton quatsimd_skeleton;

/* Memory for one opened skeleton: on the stack, in a struct, anywhere. */
typedef union quatsimd_skeleton_storage {
  unsigned char bytes[256];  /* at least quatsimd_skeleton_memory_size() */
  double aligned;            /* not used: it aligns the bytes */
  void *aligned_as_pointers; /* not used: it aligns the bytes */
} quatsimd_skeleton_storage;
/* Returns the bytes of memory that quatsimd_skeleton_open needs, at most sizeof(quatsimd_skeleton_storage).
 * For bindings to other languages, and for memory that is not a quatsimd_skeleton_storage. */
QUATSIMD_API size_t quatsimd_skeleton_memory_size(void);

/* Opens the skeleton in the `size` bytes at data, which are exactly one skeleton (see
 * quatsimd_skeleton_peek_size) and need no alignment. *skeleton is made in `memory` and stays there.
 * memory must be aligned as quatsimd_skeleton_storage is; an alignment of 8 bytes always suffices. Opening
 * copies nothing. It checks everything that the other functions rely on, and a checksum of all bytes, in
 * time linear in their number. A skeleton needs no closing.
 *
 * Returns QUATSIMD_OK, or
 * - QUATSIMD_ERROR_NOT_A_SKELETON: the bytes do not begin as a skeleton does.
 * - QUATSIMD_ERROR_LATER_VERSION: the skeleton has a later version of the format.
 * - QUATSIMD_ERROR_DAMAGED_SKELETON: the skeleton is cut off, changed, or followed by other bytes.
 * - QUATSIMD_ERROR_SHORT_BUFFER: memory_size is less than quatsimd_skeleton_memory_size().
 * - QUATSIMD_ERROR_BAD_ARGUMENT: a null pointer, except data if size is 0, or memory that is not aligned. */
QUATSIMD_API quatsimd_status quatsimd_skeleton_open(quatsimd_skeleton **skeleton, void *memory,
                                                    size_t memory_size, const void *data, size_t size);

/* Reads the length of a skeleton without opening it, to read the skeleton out of a larger file. data is the
 * first `size` bytes of the skeleton; 44 bytes are enough. *length gets the bytes of the whole skeleton,
 * which may be more than `size`. Nothing else is checked. Returns QUATSIMD_OK; QUATSIMD_ERROR_NOT_A_SKELETON,
 * QUATSIMD_ERROR_LATER_VERSION and QUATSIMD_ERROR_BAD_ARGUMENT as quatsimd_skeleton_open;
 * QUATSIMD_ERROR_DAMAGED_SKELETON for fewer than 44 bytes or a length below 44. */
QUATSIMD_API quatsimd_status quatsimd_skeleton_peek_size(size_t *length, const void *data, size_t size);

/* Properties of an opened skeleton. Each is 0 for a null pointer. */
QUATSIMD_API size_t quatsimd_skeleton_joint_count(const quatsimd_skeleton *skeleton); /* at most 65536 */
QUATSIMD_API size_t quatsimd_skeleton_track_count(const quatsimd_skeleton *skeleton); /* at most 65536 */
/* Returns the length of the unit of translations, in metres; 0: not known. */
QUATSIMD_API double quatsimd_skeleton_metres(const quatsimd_skeleton *skeleton);
/* Returns a hash of the joints' names and parents and of the tracks' names, all in their order. It does not
 * depend on the rest pose, the inverse bind matrices or the unit, so that variants of a skeleton with other
 * distances between joints share clips. docs/skeleton.md defines it. */
QUATSIMD_API uint64_t quatsimd_skeleton_hash(const quatsimd_skeleton *skeleton);

/* ---- joints and tracks ---- */

/* Returns the name of a joint, in the skeleton's bytes. Returns null for a null pointer, or a number that is
 * not below quatsimd_skeleton_joint_count. */
QUATSIMD_API const char *quatsimd_skeleton_joint_name(const quatsimd_skeleton *skeleton, size_t joint);
/* Returns the number of a joint's parent, or -1 if it has none. Returns -1 for a null pointer, or a number
 * that is not below quatsimd_skeleton_joint_count. */
QUATSIMD_API int64_t quatsimd_skeleton_parent(const quatsimd_skeleton *skeleton, size_t joint);
/* Returns the number of the first joint with this name, or -1 if there is none. Names are compared byte by
 * byte. The number of comparisons grows with the logarithm of the number of joints. Returns -1 for a null
 * pointer. */
QUATSIMD_API int64_t quatsimd_skeleton_find_joint(const quatsimd_skeleton *skeleton, const char *name);
/* Returns the name of a float track, in the skeleton's bytes. Returns null for a null pointer, or a number
 * that is not below quatsimd_skeleton_track_count. */
QUATSIMD_API const char *quatsimd_skeleton_track_name(const quatsimd_skeleton *skeleton, size_t track);
/* Returns the number of the first float track with this name, or -1 if there is none. Names are compared byte
 * by byte. Returns -1 for a null pointer. */
QUATSIMD_API int64_t quatsimd_skeleton_find_track(const quatsimd_skeleton *skeleton, const char *name);

/* Gives a joint, and all joints below it, the same weight in a mask (quatsimd_pose_layer, pose.h). mask has a
 * float for each joint of the skeleton; those of other joints are not written, so that a mask is filled first
 * and several calls can follow. weight may be any float; it is copied. The time grows with the number of
 * joints. Needs 9 KB of stack. Any number of threads may call it. Returns QUATSIMD_OK, or
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer or a joint that the skeleton does not have. On error nothing
 * is written. */
QUATSIMD_API quatsimd_status quatsimd_skeleton_mask(const quatsimd_skeleton *skeleton, size_t joint,
                                                    float weight, float *mask);

/* Returns 1 if a joint has an inverse bind matrix, else 0. Returns 0 for a null pointer, or a number that is
 * not below quatsimd_skeleton_joint_count. */
QUATSIMD_API int quatsimd_skeleton_has_inverse_bind(const quatsimd_skeleton *skeleton, size_t joint);
/* Reads the inverse bind matrix of a joint, from model space to the joint's own: 12 floats, three rows of
 * four, the translation last in each row. The floats have the bits of the source. Returns QUATSIMD_OK, or
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer or a joint without a matrix. On error nothing is written. */
QUATSIMD_API quatsimd_status quatsimd_skeleton_inverse_bind(const quatsimd_skeleton *skeleton,
                                                            float matrix[12], size_t joint);

/* Reads the rest pose of count joints, from joint number `first` on. Joint first + i is the i-th element of
 * the views of pose. A view of all zeros means that this kind is not wanted. Rotations have length 1 within
 * 5e-7. If count is 0 the views are not read. pose->tracks, unless it is null, gets the values of all tracks,
 * whatever first and count are. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a
 * view that breaks a rule of view.h, two views that begin at the same
 * address, or joints that are not in the skeleton. On error nothing is written. */
QUATSIMD_API quatsimd_status quatsimd_skeleton_rest_pose(const quatsimd_skeleton *skeleton,
                                                         quatsimd_pose_out *pose, size_t first, size_t count);

#ifdef __cplusplus
}
#endif

#endif
