/* Bundles: a skeleton and all its clips in one file. Clips are found by name and sampled in place.
 *
 * A bundle contains one skeleton (skeleton.h) and clips of that skeleton (clip.h). It is smaller than their
 * separate files, because data that clips share is stored once and their tables are packed more tightly. A
 * clip of a bundle is sampled to the same bits as the separate clip. quatsimd_bundle_encode makes a bundle
 * offline. quatsimd_bundle_open reads it in place, from a mapped file for example. docs/bundle.md: use,
 * format, errors, costs.
 *
 * Clips are numbered from 0 in the order of their names, compared byte by byte. No two clips have the same
 * name. Names are UTF-8 (RFC 3629) of any length, may be empty, and end with a NUL.
 *
 * Determinism. The bytes depend on the skeleton and the clips alone, not on the clips' order in the source,
 * the CPU or the compiler.
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

/* The largest number of clips of a bundle. */
#define QUATSIMD_BUNDLE_MOST 1048576

/* ---- encoding ---- */

/* One clip of the source. */
typedef struct quatsimd_bundle_entry {
  const char *name; /* UTF-8, ends with a NUL */
  /* A clip that quatsimd_clip_encode made with the bundle's skeleton as options.skeleton, or with one of the
   * same hash. options.bundled should have been 1, which makes the clip shorter in the bundle. */
  const void *data;
  size_t size; /* bytes of the clip */
} quatsimd_bundle_entry;

/* A bundle, to be encoded. */
typedef struct quatsimd_bundle_source {
  const void *skeleton;              /* a skeleton of quatsimd_skeleton_encode */
  size_t skeleton_size;              /* bytes of the skeleton */
  size_t clips;                      /* at most QUATSIMD_BUNDLE_MOST; 0: clip may be null */
  const quatsimd_bundle_entry *clip; /* an array of `clips` elements, in any order */
} quatsimd_bundle_source;

/* The place where encoding failed. struct_size and later versions are as in clip.h, section encoding. */
typedef struct quatsimd_bundle_report {
  size_t struct_size; /* set by quatsimd_bundle_report_init */
  size_t clip;        /* the clip of the error, its number in the source; SIZE_MAX: none */
  size_t other;       /* another clip with the same name, its number in the source; SIZE_MAX: none */
  /* The error, a sentence without a full stop; null for QUATSIMD_OK and QUATSIMD_ERROR_NO_MEMORY */
  const char *error;
} quatsimd_bundle_report;
/* Prepares a report for quatsimd_bundle_encode: fills it with zeros and struct_size. struct_size is sizeof
 * *report, at most 4096. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer or a size out
 * of range. */
QUATSIMD_API quatsimd_status quatsimd_bundle_report_init(quatsimd_bundle_report *report, size_t struct_size);

/* Encodes a source as a bundle. *data points to the *size bytes of the bundle; the caller frees them with
 * quatsimd_bundle_free. If allocator is null, malloc and free are used. report may be null.
 *
 * Encoding needs at most this much memory: 8 KB, three times the bytes of all clips and their names, the
 * bytes of the skeleton, 1 KB for each clip, and 4 bytes for each joint and track.
 *
 * Returns QUATSIMD_OK, or an error that report->error describes; then *data and *size are not written:
 * - QUATSIMD_ERROR_BAD_CLIP: a clip is not valid in this bundle. report->clip says which.
 * - QUATSIMD_ERROR_NOT_A_SKELETON, _LATER_VERSION, _DAMAGED_SKELETON: as quatsimd_skeleton_open.
 * - QUATSIMD_ERROR_NO_MEMORY: the allocator had none.
 * - QUATSIMD_ERROR_BAD_ARGUMENT: any other error. A report that was not initialised is refused, not written.
 *
 * A clip is not valid if its name is not UTF-8, or is the name of another clip; if its bytes are damaged, not
 * a clip, or a clip of a later version; or if it was encoded with another skeleton, or without one.
 *
 * Bad arguments are null pointers, more than QUATSIMD_BUNDLE_MOST clips, and a bundle of 2^32 bytes or
 * more. */
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
  unsigned char bytes[256];  /* at least quatsimd_bundle_memory_size() */
  double aligned;            /* not used: it aligns the bytes */
  void *aligned_as_pointers; /* not used: it aligns the bytes */
} quatsimd_bundle_storage;
/* Returns the bytes of memory that quatsimd_bundle_open needs, at most sizeof(quatsimd_bundle_storage). For
 * bindings to other languages, and for memory that is not a quatsimd_bundle_storage. */
QUATSIMD_API size_t quatsimd_bundle_memory_size(void);

/* Opens the bundle in the `size` bytes at data, which are exactly one bundle (see
 * quatsimd_bundle_peek_size) and need no alignment. *bundle is made in `memory` and stays there. memory
 * must be aligned as quatsimd_bundle_storage is; an alignment of 8 bytes always suffices. Opening copies
 * nothing. It checks the skeleton, all clips, a checksum of all bytes, and everything else that the other
 * functions and sampling rely on. The time grows with the bytes. Opening needs 20 KB of stack. A bundle
 * needs no closing.
 *
 * Returns QUATSIMD_OK, or
 * - QUATSIMD_ERROR_NOT_A_BUNDLE: the bytes do not begin as a bundle does.
 * - QUATSIMD_ERROR_LATER_VERSION: the bundle has a later version of the format.
 * - QUATSIMD_ERROR_DAMAGED_BUNDLE: the bundle is cut off, changed, or followed by other bytes.
 * - QUATSIMD_ERROR_SHORT_BUFFER: memory_size is less than quatsimd_bundle_memory_size().
 * - QUATSIMD_ERROR_BAD_ARGUMENT: a null pointer, except data if size is 0, or memory that is not aligned. */
QUATSIMD_API quatsimd_status quatsimd_bundle_open(quatsimd_bundle **bundle, void *memory, size_t memory_size,
                                                  const void *data, size_t size);

/* Reads the length of a bundle without opening it, to read the bundle out of a larger file. data is the first
 * `size` bytes of the bundle; 24 bytes are enough. *length gets the bytes of the whole bundle, which may be
 * more than `size`. Nothing else is checked. Returns QUATSIMD_OK; QUATSIMD_ERROR_NOT_A_BUNDLE,
 * QUATSIMD_ERROR_LATER_VERSION and QUATSIMD_ERROR_BAD_ARGUMENT as quatsimd_bundle_open;
 * QUATSIMD_ERROR_DAMAGED_BUNDLE for fewer than 24 bytes or a length below 24. */
QUATSIMD_API quatsimd_status quatsimd_bundle_peek_size(size_t *length, const void *data, size_t size);

/* ---- contents ---- */

/* Returns the number of clips; 0 for a null pointer. */
QUATSIMD_API size_t quatsimd_bundle_clip_count(const quatsimd_bundle *bundle);
/* Returns the hash of the skeleton, as quatsimd_skeleton_hash; 0 for a null pointer. */
QUATSIMD_API uint64_t quatsimd_bundle_skeleton_hash(const quatsimd_bundle *bundle);
/* Returns the name of a clip, in the bundle's bytes. Returns null for a null pointer, or a number that is not
 * below quatsimd_bundle_clip_count. */
QUATSIMD_API const char *quatsimd_bundle_clip_name(const quatsimd_bundle *bundle, size_t clip);
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

/* Returns the bytes of memory that quatsimd_bundle_open_clip needs for this clip, a multiple of 8. Each clip
 * has a size of its own, which depends on the kinds of its curves and on its tables (docs/bundle.md). The
 * call reads the clip's tables, so it takes about as long as opening the clip. Returns 0 for a null pointer,
 * or a number that is not below quatsimd_bundle_clip_count. */
QUATSIMD_API size_t quatsimd_bundle_clip_memory_size(const quatsimd_bundle *bundle, size_t number);
/* Opens a clip of the bundle in `memory`. The clip and its tables stay there; its curves stay in the
 * bundle's bytes. memory must be aligned as quatsimd_clip_storage is. All functions of clip.h take the
 * clip, and give the same bits as for the separate clip. Opening takes about a microsecond: the bundle's
 * checksum is not computed again. It needs 12 KB of stack. A clip needs no closing. Returns QUATSIMD_OK;
 * QUATSIMD_ERROR_SHORT_BUFFER if memory_size is less than quatsimd_bundle_clip_memory_size(bundle, number);
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, memory that is not aligned, or a number that is not
 * below quatsimd_bundle_clip_count. */
QUATSIMD_API quatsimd_status quatsimd_bundle_open_clip(const quatsimd_bundle *bundle, size_t number,
                                                       quatsimd_clip **clip, void *memory,
                                                       size_t memory_size);

#ifdef __cplusplus
}
#endif

#endif
