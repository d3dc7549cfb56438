/* Skeletons: the names, parents and rest pose of an animation's joints in one small file, read in place.
 *
 * A clip (clip.h) knows its joints by their numbers alone. A skeleton says what these numbers mean: each
 * joint's name and parent, its rest pose, its inverse bind matrix where it has one, and the names of float
 * tracks. It is encoded once, offline. It is then opened from the bytes as they are, in a file mapped into
 * memory for example. docs/skeleton.md says how to use skeletons, and the meaning of every byte.
 *
 * Joints. They have the numbers from 0 on, in the order of the source. A parent has a smaller number than its
 * children, so that one pass from the first joint to the last computes model space. The rest pose is relative
 * to the parent, as in glTF: a point p of the joint is at translation + rotation (scale p), with a scale for
 * each axis. Tracks have a value at rest, too: of a morph target the weight that its mesh has.
 *
 * Names. They are UTF-8 (RFC 3629), of any length, and end with a NUL. They may be empty, and several joints
 * or tracks may have one name: lookup gives the first of them.
 *
 * Determinism. The bytes depend on the source alone, not on CPU or compiler. Floats come back with the bits
 * that the file has.
 *
 * Threads. Any number of threads may read an opened skeleton at once. Only quatsimd_skeleton_encode
 * allocates.
 *
 * quatsimd_allocator, quatsimd_pose and structs that begin with their size are as in clip.h. */
#ifndef QUATSIMD_SKELETON_H
#define QUATSIMD_SKELETON_H

#include "clip.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The most joints, and the most tracks, that a skeleton may have. */
#define QUATSIMD_SKELETON_MOST 65536

/* ---- encoding ---- */

/* One joint of the source. */
typedef struct quatsimd_skeleton_joint {
  const char *name; /* UTF-8, up to a NUL */
  int64_t parent;   /* the number of a joint before this one; -1: none */
  /* The rest pose. The rotation is x, y, z, w, of any length from 2^-32 to 2^32; what is of length 1 within
   * 4e-7 is kept as it is, other rotations are normalised. The others are x, y, z, finite. */
  float rotation[4], translation[3], scale[3];
  /* 12 finite floats, three rows of four, the translation last in each row, as in sqt.h; null: none */
  const float *inverse_bind;
} quatsimd_skeleton_joint;

/* A skeleton, to be encoded. */
typedef struct quatsimd_skeleton_source {
  size_t joints;                        /* at most QUATSIMD_SKELETON_MOST; 0: joint may be null */
  const quatsimd_skeleton_joint *joint; /* an array of `joints` elements */
  size_t tracks;                        /* at most QUATSIMD_SKELETON_MOST; 0: track may be null */
  const char *const *track;             /* names of float tracks, an array of `tracks` elements */
  double metres;                        /* length of the unit of translations; 0: not known */
  const float *track_rest;              /* the rest pose of tracks, `tracks` finite floats; null: 0 */
} quatsimd_skeleton_source;

/* The place where encoding failed. */
typedef struct quatsimd_skeleton_report {
  size_t struct_size;  /* set by quatsimd_skeleton_report_init */
  size_t joint, track; /* of an error; SIZE_MAX: of none in particular */
  /* the error, a sentence without a full stop; null for QUATSIMD_OK and QUATSIMD_ERROR_NO_MEMORY alone */
  const char *error;
} quatsimd_skeleton_report;
/* Makes a report ready for quatsimd_skeleton_encode: fills it with zeros and its size. struct_size is sizeof
 * *report as the caller knows it, at most 4096. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a
 * null pointer or another size. */
QUATSIMD_API quatsimd_status quatsimd_skeleton_report_init(quatsimd_skeleton_report *report,
                                                           size_t struct_size);

/* Encodes a source as a skeleton. *data gets *size bytes, which the caller gives back with
 * quatsimd_skeleton_free. allocator may be null: malloc and free. It is asked for these bytes and for nothing
 * else. report may be null. Any number of threads may encode at once. Returns
 * - QUATSIMD_OK;
 * - QUATSIMD_ERROR_BAD_JOINT for a name that is not UTF-8, a parent that is not a joint before its child, a
 *   rest pose or a matrix with a NaN or an infinity, or a rotation whose length is not from 2^-32 to 2^32
 *   (the report says which joint or track, and why);
 * - QUATSIMD_ERROR_NO_MEMORY;
 * - QUATSIMD_ERROR_BAD_ARGUMENT for all else, and report->error says for which: a null pointer, more than
 *   QUATSIMD_SKELETON_MOST joints or tracks, metres that are negative, infinite or a NaN, a skeleton of 2^32
 *   bytes or more. A report that was not initialised is refused, too, and nothing is written to it.
 * Where it fails, *data and *size stay as they are. */
QUATSIMD_API quatsimd_status quatsimd_skeleton_encode(void **data, size_t *size,
                                                      const quatsimd_skeleton_source *source,
                                                      const quatsimd_allocator *allocator,
                                                      quatsimd_skeleton_report *report);
/* Frees the bytes of quatsimd_skeleton_encode. allocator is the one that was given there; null: malloc and
 * free. data may be null. */
QUATSIMD_API void quatsimd_skeleton_free(const quatsimd_allocator *allocator, void *data);

/* ---- opening ---- */

/* An opened skeleton, in the caller's memory. It points into the skeleton's bytes, which must stay as they
 * are as long as it is in use. */
typedef struct quatsimd_skeleton quatsimd_skeleton;

/* Memory for one opened skeleton: on the stack, in a struct, anywhere. */
typedef union quatsimd_skeleton_storage {
  unsigned char bytes[256];  /* at least quatsimd_skeleton_size() */
  double aligned;            /* not used: it aligns the bytes */
  void *aligned_as_pointers; /* not used: it aligns the bytes */
} quatsimd_skeleton_storage;
/* Bytes of memory that quatsimd_skeleton_open needs, at most sizeof(quatsimd_skeleton_storage): for bindings
 * to other languages and for memory from elsewhere. */
QUATSIMD_API size_t quatsimd_skeleton_size(void);

/* Opens the skeleton in `size` bytes at data, of any alignment: all of the skeleton and no byte more.
 * *skeleton is made in memory_size bytes of memory, and stays there. The memory is aligned as
 * quatsimd_skeleton_storage is; 8 bytes are always enough. Nothing needs to be closed. Opening checks
 * everything that the other functions rely on, a checksum of all bytes included, once and in linear time, and
 * copies nothing. Returns QUATSIMD_OK; QUATSIMD_ERROR_NOT_A_SKELETON if the bytes do
 * not begin as a skeleton does; QUATSIMD_ERROR_LATER_VERSION for a skeleton of a later version of the format;
 * QUATSIMD_ERROR_DAMAGED_SKELETON for one that is cut off, changed or followed by other bytes
 * (quatsimd_skeleton_peek tells how many are the skeleton's); QUATSIMD_ERROR_SHORT_BUFFER if memory_size is
 * less than quatsimd_skeleton_size(); QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, but data where size is
 * 0, or memory of another alignment. */
QUATSIMD_API quatsimd_status quatsimd_skeleton_open(quatsimd_skeleton **skeleton, void *memory,
                                                    size_t memory_size, const void *data, size_t size);

/* Reads the length of a skeleton from its first `size` bytes, of which 44 are enough, without opening it:
 * *length gets the bytes of the whole skeleton, for reading it out of a larger file. They may be more than
 * `size`. Nothing else is checked. Returns QUATSIMD_OK; QUATSIMD_ERROR_NOT_A_SKELETON,
 * QUATSIMD_ERROR_LATER_VERSION and QUATSIMD_ERROR_BAD_ARGUMENT as quatsimd_skeleton_open;
 * QUATSIMD_ERROR_DAMAGED_SKELETON for fewer than 44 bytes or a length below 44. */
QUATSIMD_API quatsimd_status quatsimd_skeleton_peek(size_t *length, const void *data, size_t size);

/* The properties of an opened skeleton; 0 for a null pointer. */
QUATSIMD_API size_t quatsimd_skeleton_joints(const quatsimd_skeleton *skeleton); /* at most 65536 */
QUATSIMD_API size_t quatsimd_skeleton_tracks(const quatsimd_skeleton *skeleton); /* at most 65536 */
/* The length of the unit of translations, metres; 0: not known. */
QUATSIMD_API double quatsimd_skeleton_metres(const quatsimd_skeleton *skeleton);
/* A hash of the joints' names and parents and of the tracks' names, all in their order. The rest pose and
 * inverse bind matrices do not count: variants of a skeleton with other distances between joints have the
 * same hash, and share clips. docs/skeleton.md says how it is made. */
QUATSIMD_API uint64_t quatsimd_skeleton_hash(const quatsimd_skeleton *skeleton);

/* ---- joints and tracks ---- */

/* The name of a joint, in the skeleton's bytes. Null for a null pointer or a number that is not below
 * quatsimd_skeleton_joints. */
QUATSIMD_API const char *quatsimd_skeleton_name(const quatsimd_skeleton *skeleton, size_t joint);
/* The number of a joint's parent; -1 for a joint without one, and as the name is null. */
QUATSIMD_API int64_t quatsimd_skeleton_parent(const quatsimd_skeleton *skeleton, size_t joint);
/* The number of the joint of this name, the first where there are several; -1 for none, and for a null
 * pointer. Names are compared byte by byte, in time that grows with the logarithm of the number of joints. */
QUATSIMD_API int64_t quatsimd_skeleton_find(const quatsimd_skeleton *skeleton, const char *name);
/* The name of a float track, in the skeleton's bytes. Null for a null pointer or a number that is not below
 * quatsimd_skeleton_tracks. */
QUATSIMD_API const char *quatsimd_skeleton_track_name(const quatsimd_skeleton *skeleton, size_t track);
/* The number of the track of this name, as quatsimd_skeleton_find. */
QUATSIMD_API int64_t quatsimd_skeleton_find_track(const quatsimd_skeleton *skeleton, const char *name);

/* 1 if a joint has an inverse bind matrix, else 0, also for a null pointer or a number that is not below
 * quatsimd_skeleton_joints. */
QUATSIMD_API int quatsimd_skeleton_has_inverse_bind(const quatsimd_skeleton *skeleton, size_t joint);
/* Reads the inverse bind matrix of a joint, from model space to the joint's own: 12 floats, three rows of
 * four, the translation last in each row. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null
 * pointer or a joint that has none, and has written nothing then. */
QUATSIMD_API quatsimd_status quatsimd_skeleton_inverse_bind(const quatsimd_skeleton *skeleton,
                                                            float matrix[12], size_t joint);

/* Reads the rest pose of the joints first to first + count - 1. The i-th elements of the pose's views are
 * those of joint first + i. A view of all zeros says that this kind is not wanted. Rotations are of length 1
 * within 5e-7. Where count is 0 the views are not looked at. pose->tracks, if it is not null, gets the values
 * of all tracks, whatever first and count are. Returns QUATSIMD_OK, or
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a view that breaks a rule of view.h, two views that begin
 * at one address or joints that are not in the skeleton, and has written nothing then. */
QUATSIMD_API quatsimd_status quatsimd_skeleton_rest(const quatsimd_skeleton *skeleton,
                                                    const quatsimd_pose *pose, size_t first, size_t count);

#ifdef __cplusplus
}
#endif

#endif
