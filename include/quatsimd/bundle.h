/* Bundles: a skeleton and all its clips in one file. Clips are found by name and sampled in place.
 *
 * A bundle contains one skeleton (skeleton.h) and clips of that skeleton (clip.h). Unless it has few short
 * clips, it is smaller than their separate files, because data that clips share is stored once and their
 * tables are packed more tightly. A clip of a bundle is sampled to the same bits as the separate clip. A
 * bundle may also contain events of its clips, which clip.h reads, masks of its skeleton, and a record of
 * how it was made. quatsimd_bundle_encode makes a bundle offline. quatsimd_bundle_open reads it in place,
 * from a mapped file for example. docs/bundle.md: use, format, errors, costs.
 *
 * Clips are numbered from 0 in the order of their names, compared byte by byte. No two clips have the same
 * name. Names are UTF-8 (RFC 3629) of any length, may be empty, and end with a NUL.
 *
 * Versions. Bundles are written in version 2 of the format. Versions 1 and 2 are read by the same
 * functions.
 *
 * Determinism. The bytes depend on what the source contains alone, not on the order of clips, events and
 * masks in the source, the CPU or the compiler.
 *
 * Threads. Any number of threads may read an opened bundle at once. Any number may encode at once. Only
 * quatsimd_bundle_encode allocates memory. */
#ifndef QUATSIMD_BUNDLE_H
#define QUATSIMD_BUNDLE_H

#include "clip.h"
#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest number of clips of a bundle, of masks, and of events of all clips together. */
#define QUATSIMD_BUNDLE_MOST 1048576

/* ---- encoding ---- */

/* A mark in a clip's time, such as a footstep. */
typedef struct quatsimd_bundle_event {
  double time;      /* seconds, on the clip's clock */
  const char *name; /* UTF-8, ends with a NUL; events may share a name */
} quatsimd_bundle_event;

/* One clip of the source. Later versions may add members; those that a caller does not know are zeros. */
typedef struct quatsimd_bundle_entry {
  const char *name; /* UTF-8, ends with a NUL */
  /* A clip that quatsimd_clip_encode made with the bundle's skeleton as options.skeleton, or with one of the
   * same hash. options.bundled should have been 1, which makes the clip shorter in the bundle. */
  const void *data;
  size_t data_size;                    /* bytes of the clip */
  const quatsimd_bundle_event *events; /* event_count elements, in any order; not read if event_count is 0 */
  size_t event_count;                  /* at most QUATSIMD_BUNDLE_MOST in all clips together */
} quatsimd_bundle_entry;

/* Weights of joints and tracks, by name: factors as in quatsimd_pose_layer. */
typedef struct quatsimd_bundle_mask_entry {
  const char *name;           /* UTF-8, ends with a NUL; no two masks have the same name */
  const float *joint_weights; /* one for each joint of the skeleton, finite */
  const float *track_weights; /* one for each track of the skeleton, finite; null: 1 for each track */
} quatsimd_bundle_mask_entry;

/* A bundle, to be encoded. Filled by quatsimd_bundle_source_init, or by an initialiser that sets struct_size
 * and, if there are clips, entry_size. Later versions may add members; those that a caller does not know are
 * zeros. */
typedef struct quatsimd_bundle_source {
  size_t struct_size;                 /* sizeof(quatsimd_bundle_source) in the caller's program */
  size_t entry_size;                  /* sizeof(quatsimd_bundle_entry) in the caller's program */
  const void *skeleton;               /* a skeleton of quatsimd_skeleton_encode */
  size_t skeleton_size;               /* bytes of the skeleton */
  const quatsimd_bundle_entry *clips; /* clip_count elements, in any order; not read if clip_count is 0 */
  size_t clip_count;                  /* at most QUATSIMD_BUNDLE_MOST */
  const quatsimd_bundle_mask_entry
      *masks;        /* mask_count elements, in any order; not read if mask_count is 0 */
  size_t mask_count; /* at most QUATSIMD_BUNDLE_MOST */
  /* A record of how the bundle was made: any bytes, stored as they are. */
  const void *making;
  size_t making_size; /* bytes of the record; 0: there is none */
} quatsimd_bundle_source;
/* Prepares a source: fills it with zeros, struct_size and entry_size. struct_size is sizeof *source, at most
 * 4096; entry_size is sizeof(quatsimd_bundle_entry), at most 4096. Returns QUATSIMD_OK, or
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer or a size out of range. */
QUATSIMD_API quatsimd_status quatsimd_bundle_source_init(quatsimd_bundle_source *source, size_t struct_size,
                                                         size_t entry_size);

/* The place of an error. struct_size and later versions are as in clip.h, section encoding. */
typedef struct quatsimd_bundle_report {
  size_t struct_size;  /* set by quatsimd_bundle_report_init */
  size_t clip;         /* the clip of the error: its number in the source or bundle; SIZE_MAX: none */
  size_t other;        /* another clip or mask with the same name, its number in the source; SIZE_MAX: none */
  size_t event_number; /* the event of the error, its number in the clip's entry; SIZE_MAX: none */
  size_t mask;         /* the mask of the error, its number in the source; SIZE_MAX: none */
  /* The error, a sentence without a full stop; null for QUATSIMD_OK and QUATSIMD_ERROR_NO_MEMORY */
  const char *error;
} quatsimd_bundle_report;
/* Prepares a report for quatsimd_bundle_encode or quatsimd_bundle_check: fills it with zeros and struct_size.
 * struct_size is sizeof *report, at most 4096. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null
 * pointer or a size out of range. */
QUATSIMD_API quatsimd_status quatsimd_bundle_report_init(quatsimd_bundle_report *report, size_t struct_size);

/* Encodes a source as a bundle. *data points to the *size bytes of the bundle; the caller frees them with
 * quatsimd_bundle_free. If allocator is null, malloc and free are used. report may be null.
 *
 * Encoding needs at most this much memory: 8 KB, three times the bytes of all clips and their names, the
 * bytes of the skeleton, 1 KB for each clip, and 4 bytes for each joint and track; and in addition 64
 * bytes and five times the name's bytes for each event, four times the bytes of names and weights of
 * masks, and the bytes of the record.
 *
 * Returns QUATSIMD_OK, or an error that report->error describes; then *data and *size are not written:
 * - QUATSIMD_ERROR_BAD_CLIP: a clip is not valid in this bundle. report->clip says which.
 * - QUATSIMD_ERROR_NOT_A_SKELETON, _LATER_VERSION, _DAMAGED_SKELETON: as quatsimd_skeleton_open.
 * - QUATSIMD_ERROR_NO_MEMORY: the allocator had none, or the bundle is larger than SIZE_MAX bytes.
 * - QUATSIMD_ERROR_BAD_ARGUMENT: any other error. A report that was not initialised is refused, not
 *   written.
 *
 * A clip is not valid if its name is not UTF-8, or is the name of another clip; if its bytes are damaged,
 * not a clip, or a clip of a later version; if it was encoded with another skeleton, or without one; or if
 * an event has a time that is not finite, or a name that is null or not UTF-8. Events may be outside the
 * clip's time.
 *
 * Bad arguments are null pointers, also in the allocator, counts above the limits, struct_size or
 * entry_size out of range, members of a later version that are not zero, and masks whose weights are not
 * finite, whose name is not UTF-8, or is the name of another mask. */
QUATSIMD_API quatsimd_status quatsimd_bundle_encode(void **data, size_t *size,
                                                    const quatsimd_bundle_source *source,
                                                    const quatsimd_allocator *allocator,
                                                    quatsimd_bundle_report *report);
/* Frees the bytes that quatsimd_bundle_encode made. allocator is the one that was given there; null: malloc
 * and free. data may be null. */
QUATSIMD_API void quatsimd_bundle_free(const quatsimd_allocator *allocator, void *data);

/* ---- opening ---- */

/* An opened bundle, in the caller's memory. It points into the bundle's bytes, which must not change or move
 * while it, its skeleton or one of its clips is in use. */
typedef struct quatsimd_bundle quatsimd_bundle;

/* Memory for one opened bundle: on the stack, in a struct, anywhere. */
typedef union quatsimd_bundle_storage {
  unsigned char bytes[384];  /* at least quatsimd_bundle_memory_size() */
  double aligned;            /* not used: it aligns the bytes */
  void *aligned_as_pointers; /* not used: it aligns the bytes */
} quatsimd_bundle_storage;
/* Returns the bytes of memory that quatsimd_bundle_open needs, at most sizeof(quatsimd_bundle_storage). For
 * bindings to other languages, and for memory that is not a quatsimd_bundle_storage. */
QUATSIMD_API size_t quatsimd_bundle_memory_size(void);

/* Opens the bundle in the `size` bytes at data, which are exactly one bundle (see
 * quatsimd_bundle_peek_size) and need no alignment. *bundle is made in `memory` and stays there. memory
 * must be aligned as quatsimd_bundle_storage is; an alignment of 8 bytes always suffices. Opening copies
 * nothing. It reads and checks the head, the tables, the names, the skeleton, the events and the masks, and
 * not the clips: the time grows with the bytes of these, and with the number of clips. Each clip is checked
 * when it is opened. A
 * bundle of version 1 has one checksum of all bytes, so that opening reads all of them. Opening needs
 * 4 KB of stack. A bundle needs no closing.
 *
 * Returns QUATSIMD_OK, or
 * - QUATSIMD_ERROR_NOT_A_BUNDLE: the bytes do not begin as a bundle does.
 * - QUATSIMD_ERROR_LATER_VERSION: the bundle has a later version of the format, or a part that only later
 *   versions of this library read and without which a bundle must not be read.
 * - QUATSIMD_ERROR_DAMAGED_BUNDLE: the bundle is cut off, changed, or followed by other bytes.
 * - QUATSIMD_ERROR_SHORT_BUFFER: memory_size is less than quatsimd_bundle_memory_size().
 * - QUATSIMD_ERROR_BAD_ARGUMENT: a null pointer, except data if size is 0, or memory that is not aligned. */
QUATSIMD_API quatsimd_status quatsimd_bundle_open(quatsimd_bundle **bundle, void *memory, size_t memory_size,
                                                  const void *data, size_t size);

/* Reads the length of a bundle without opening it, to read the bundle out of a larger file. data is the first
 * `size` bytes of the bundle; 24 bytes are enough. *length gets the bytes of the whole bundle, which may be
 * more than `size`. Nothing else is checked. Returns QUATSIMD_OK; QUATSIMD_ERROR_NOT_A_BUNDLE,
 * QUATSIMD_ERROR_LATER_VERSION and QUATSIMD_ERROR_BAD_ARGUMENT as quatsimd_bundle_open;
 * QUATSIMD_ERROR_DAMAGED_BUNDLE for fewer than 24 bytes or a length below 24; QUATSIMD_ERROR_NO_MEMORY for a
 * length above SIZE_MAX, which a 32-bit machine cannot open. */
QUATSIMD_API quatsimd_status quatsimd_bundle_peek_size(size_t *length, const void *data, size_t size);

/* From this call on, clips of the bundle are opened without computing their checksums, which find accidental
 * changes. Everything else is checked as before, so that no bytes lead to reads or writes outside. For files
 * whose bytes were checked elsewhere. Call it before other threads use the bundle. A null pointer is
 * ignored. */
QUATSIMD_API void quatsimd_bundle_trust(quatsimd_bundle *bundle);

/* Checks everything in a bundle that opening does not read: all clips, and the checksums of all sections. The
 * time grows with the bytes, and with the joints of each clip. report may be null. Needs 20 KB of stack.
 *
 * Returns QUATSIMD_OK, or an error that report->error describes:
 * - QUATSIMD_ERROR_DAMAGED_CLIP: report->clip, its number in the bundle, is the first clip that cannot be
 *   opened.
 * - QUATSIMD_ERROR_DAMAGED_BUNDLE: something else is damaged.
 * - QUATSIMD_ERROR_LATER_VERSION: nothing is damaged as far as this version can tell, but report->clip is the
 *   first clip of a later version of the format.
 * - QUATSIMD_ERROR_BAD_ARGUMENT: bundle is null, or the report was not initialised, and is not written. */
QUATSIMD_API quatsimd_status quatsimd_bundle_check(const quatsimd_bundle *bundle,
                                                   quatsimd_bundle_report *report);

/* ---- contents ---- */

/* Returns the number of clips; 0 for a null pointer. */
QUATSIMD_API size_t quatsimd_bundle_clip_count(const quatsimd_bundle *bundle);
/* Returns the hash of the skeleton, as quatsimd_skeleton_hash; 0 for a null pointer. */
QUATSIMD_API uint64_t quatsimd_bundle_skeleton_hash(const quatsimd_bundle *bundle);
/* Returns the name of a clip, in the bundle's bytes. Returns null for a null pointer, or a number that is not
 * below quatsimd_bundle_clip_count. */
QUATSIMD_API const char *quatsimd_bundle_clip_name(const quatsimd_bundle *bundle, size_t number);
/* Returns the number of the clip with this name, or -1 if there is none. Names are compared byte by byte. The
 * number of comparisons grows with the logarithm of the number of clips. Returns -1 for a null pointer. */
QUATSIMD_API int64_t quatsimd_bundle_find_clip(const quatsimd_bundle *bundle, const char *name);

/* Opens the bundle's skeleton in `memory`, as quatsimd_skeleton_open does. memory must be aligned as
 * quatsimd_skeleton_storage is. Returns QUATSIMD_OK; QUATSIMD_ERROR_SHORT_BUFFER if memory_size is less
 * than quatsimd_skeleton_memory_size(); QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer or memory that is
 * not aligned. */
QUATSIMD_API quatsimd_status quatsimd_bundle_open_skeleton(const quatsimd_bundle *bundle,
                                                           quatsimd_skeleton **skeleton, void *memory,
                                                           size_t memory_size);

/* Returns the bytes of memory that quatsimd_bundle_open_clip needs for this clip, a multiple of 8. They
 * depend on the kinds of its curves, its tables and its events (docs/bundle.md). Returns 0 for a null
 * pointer, a number that is not below quatsimd_bundle_clip_count, and a clip that quatsimd_bundle_open_clip
 * refuses whatever the memory. The call checks the clip, so it takes about as long as opening the clip.
 * Needs 20 KB of stack. */
QUATSIMD_API size_t quatsimd_bundle_clip_memory_size(const quatsimd_bundle *bundle, size_t number);
/* Opens a clip of the bundle in `memory`. The clip and its tables stay there; its curves stay in the
 * bundle's bytes. memory must be aligned as quatsimd_clip_storage is. All functions of clip.h take the
 * clip, and give the same bits as for the separate clip; and the clip has its events, which a separate clip
 * has not (quatsimd_clip_event_count). The clip's checksum and everything that sampling
 * relies on is checked; the time grows with the clip's bytes and joints. Needs 20 KB of stack. A clip needs
 * no closing.
 *
 * Returns QUATSIMD_OK, or
 * - QUATSIMD_ERROR_DAMAGED_CLIP: the clip is changed, or was never valid.
 * - QUATSIMD_ERROR_LATER_VERSION: the clip has a later version of the format. Other clips can be opened.
 * - QUATSIMD_ERROR_SHORT_BUFFER: memory_size is less than quatsimd_bundle_clip_memory_size(bundle, number).
 * - QUATSIMD_ERROR_BAD_ARGUMENT: a null pointer, memory that is not aligned, or a number that is not below
 *   quatsimd_bundle_clip_count. */
QUATSIMD_API quatsimd_status quatsimd_bundle_open_clip(const quatsimd_bundle *bundle, size_t number,
                                                       quatsimd_clip **clip, void *memory,
                                                       size_t memory_size);
/* Opens the clip with this name, as quatsimd_bundle_find_clip and quatsimd_bundle_open_clip do. Returns what
 * the latter returns, or QUATSIMD_ERROR_NO_SUCH_CLIP if no clip has this name; QUATSIMD_ERROR_BAD_ARGUMENT
 * for a null name. */
QUATSIMD_API quatsimd_status quatsimd_bundle_open_named(const quatsimd_bundle *bundle, const char *name,
                                                        quatsimd_clip **clip, void *memory,
                                                        size_t memory_size);

/* Returns the number of masks; 0 for a null pointer, and for a bundle of version 1. Masks are numbered from 0
 * in the order of their names, compared byte by byte. */
QUATSIMD_API size_t quatsimd_bundle_mask_count(const quatsimd_bundle *bundle);
/* Returns the name of a mask, in the bundle's bytes. Returns null for a null pointer, or a number that is not
 * below quatsimd_bundle_mask_count. */
QUATSIMD_API const char *quatsimd_bundle_mask_name(const quatsimd_bundle *bundle, size_t number);
/* Copies the mask with this name: joint_weights gets a weight for each joint of the skeleton, and
 * track_weights one for each track: `mask` and `track_mask` of a quatsimd_pose_layer. All are finite. A mask
 * that was encoded without track_weights has 1 for each track. Either pointer may be null: then these weights
 * are not wanted. Names are compared byte by byte; the number of comparisons grows with the logarithm of the
 * number of masks. Returns QUATSIMD_OK, QUATSIMD_ERROR_NO_SUCH_MASK if no mask has this name, or
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null bundle or name. On error nothing is written. */
QUATSIMD_API quatsimd_status quatsimd_bundle_mask(const quatsimd_bundle *bundle, const char *name,
                                                  float *joint_weights, float *track_weights);

/* Finds the record of the making, in the bundle's bytes: *making points to its *making_size bytes. Without a
 * record these become null and 0. Reads the record, to compare its checksum. Returns QUATSIMD_OK;
 * QUATSIMD_ERROR_DAMAGED_BUNDLE if the record is changed; QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer. */
QUATSIMD_API quatsimd_status quatsimd_bundle_making(const quatsimd_bundle *bundle, const void **making,
                                                    size_t *making_size);

#ifdef __cplusplus
}
#endif

#endif
