/* Bundles: a skeleton and all its clips in one file, found by name and sampled in place.
 *
 * A bundle has the bytes of a skeleton (skeleton.h) and of clips of that skeleton (clip.h), in fewer bytes
 * than they take by themselves: what clips have in common it has once, and what sampling does not read frame
 * by frame it has in few bits. Nothing is lost: each of its clips is sampled to the same bits as the clip by
 * itself. It is made once, offline. It is then opened from the bytes as they are, in a file mapped into
 * memory for example. docs/bundle.md says how to use bundles, and the meaning of every byte.
 *
 * Clips. They are in the order of their names, compared byte by byte, and have the numbers from 0 on. No two
 * have one name. Names are UTF-8 (RFC 3629), of any length, and end with a NUL.
 *
 * Determinism. The bytes depend on the skeleton and the clips alone, not on their order, the CPU or the
 * compiler.
 *
 * Threads. Any number of threads may read an opened bundle at once. Only quatsimd_bundle_encode allocates.
 *
 * quatsimd_allocator and structs that begin with their size are as in clip.h. */
#ifndef QUATSIMD_BUNDLE_H
#define QUATSIMD_BUNDLE_H

#include "clip.h"
#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The most clips that a bundle may have. */
#define QUATSIMD_BUNDLE_MOST 1048576

/* ---- encoding ---- */

/* One clip of the source. */
typedef struct quatsimd_bundle_entry {
  const char *name; /* UTF-8, up to a NUL */
  /* A clip of quatsimd_clip_encode. Its options had the bundle's skeleton, or one of the same hash, and, that
   * it is short here, `bundled`. */
  const void *data;
  size_t size; /* bytes of the clip */
} quatsimd_bundle_entry;

/* A bundle, to be encoded. */
typedef struct quatsimd_bundle_source {
  const void *skeleton;              /* a skeleton of quatsimd_skeleton_encode */
  size_t skeleton_size;              /* its bytes */
  size_t clips;                      /* at most QUATSIMD_BUNDLE_MOST; 0: clip may be null */
  const quatsimd_bundle_entry *clip; /* an array of `clips` elements, in any order */
} quatsimd_bundle_source;

/* The place where encoding failed. */
typedef struct quatsimd_bundle_report {
  size_t struct_size; /* set by quatsimd_bundle_report_init */
  size_t clip;        /* of an error, as the source counts them; SIZE_MAX: of none in particular */
  size_t other;       /* another clip, of the same name; SIZE_MAX: none */
  /* the error, a sentence without a full stop; null for QUATSIMD_OK and QUATSIMD_ERROR_NO_MEMORY alone */
  const char *error;
} quatsimd_bundle_report;
/* Makes a report ready for quatsimd_bundle_encode: fills it with zeros and its size. struct_size is sizeof
 * *report as the caller knows it, at most 4096. Returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a
 * null pointer or another size. */
QUATSIMD_API quatsimd_status quatsimd_bundle_report_init(quatsimd_bundle_report *report, size_t struct_size);

/* Encodes a source as a bundle. *data gets *size bytes, which the caller gives back with
 * quatsimd_bundle_free. allocator may be null: malloc and free. Encoding needs twice the memory of all clips
 * and 1 KB for each of them. report may be null. Any number of threads may encode at once. Returns
 * - QUATSIMD_OK;
 * - QUATSIMD_ERROR_BAD_CLIP for a clip that the bundle cannot have: a name that is not UTF-8, or another
 *   clip's, too; bytes that are no clip, or a damaged one; a clip of another skeleton, or of none (the report
 *   says which one, and why);
 * - QUATSIMD_ERROR_NOT_A_SKELETON, QUATSIMD_ERROR_LATER_VERSION or QUATSIMD_ERROR_DAMAGED_SKELETON as
 *   quatsimd_skeleton_open;
 * - QUATSIMD_ERROR_NO_MEMORY;
 * - QUATSIMD_ERROR_BAD_ARGUMENT for all else, and report->error says for which: a null pointer, more than
 *   QUATSIMD_BUNDLE_MOST clips, a bundle of 2^32 bytes or more. A report that was not initialised is refused,
 *   too, and nothing is written to it.
 * Where it fails, *data and *size stay as they are. */
QUATSIMD_API quatsimd_status quatsimd_bundle_encode(void **data, size_t *size,
                                                    const quatsimd_bundle_source *source,
                                                    const quatsimd_allocator *allocator,
                                                    quatsimd_bundle_report *report);
/* Frees the bytes of quatsimd_bundle_encode. allocator is the one that was given there; null: malloc and
 * free. data may be null. */
QUATSIMD_API void quatsimd_bundle_free(const quatsimd_allocator *allocator, void *data);

/* ---- opening ---- */

/* An opened bundle, in the caller's memory. It points into the bundle's bytes, which must stay as they are as
 * long as it, or a clip or the skeleton of it, is in use. */
typedef struct quatsimd_bundle quatsimd_bundle;

/* Memory for one opened bundle: on the stack, in a struct, anywhere. */
typedef union quatsimd_bundle_storage {
  unsigned char bytes[256];  /* at least quatsimd_bundle_size() */
  double aligned;            /* not used: it aligns the bytes */
  void *aligned_as_pointers; /* not used: it aligns the bytes */
} quatsimd_bundle_storage;
/* Bytes of memory that quatsimd_bundle_open needs, at most sizeof(quatsimd_bundle_storage): for bindings to
 * other languages and for memory from elsewhere. */
QUATSIMD_API size_t quatsimd_bundle_size(void);

/* Opens the bundle in `size` bytes at data, of any alignment: all of the bundle and no byte more. *bundle is
 * made in memory_size bytes of memory, and stays there. The memory is aligned as quatsimd_bundle_storage is;
 * 8 bytes are always enough. Nothing needs to be closed. Opening checks everything that the other functions
 * and sampling rely on, the skeleton, all clips and a checksum of all bytes included, once, and copies
 * nothing. It takes 40 KB of stack, and time for each byte and for each joint of each clip. Returns
 * QUATSIMD_OK; QUATSIMD_ERROR_NOT_A_BUNDLE if the bytes do not begin as a bundle does;
 * QUATSIMD_ERROR_LATER_VERSION for a bundle of a later version of the format; QUATSIMD_ERROR_DAMAGED_BUNDLE
 * for one that is cut off, changed or followed by other bytes (quatsimd_bundle_peek tells how many are the
 * bundle's); QUATSIMD_ERROR_SHORT_BUFFER if memory_size is less than quatsimd_bundle_size();
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, but data where size is 0, or memory of another
 * alignment. */
QUATSIMD_API quatsimd_status quatsimd_bundle_open(quatsimd_bundle **bundle, void *memory, size_t memory_size,
                                                  const void *data, size_t size);

/* Reads the length of a bundle from its first `size` bytes, of which 24 are enough, without opening it:
 * *length gets the bytes of the whole bundle, for reading it out of a larger file. They may be more than
 * `size`. Nothing else is checked. Returns QUATSIMD_OK; QUATSIMD_ERROR_NOT_A_BUNDLE,
 * QUATSIMD_ERROR_LATER_VERSION and QUATSIMD_ERROR_BAD_ARGUMENT as quatsimd_bundle_open;
 * QUATSIMD_ERROR_DAMAGED_BUNDLE for fewer than 24 bytes or a length below 24. */
QUATSIMD_API quatsimd_status quatsimd_bundle_peek(size_t *length, const void *data, size_t size);

/* ---- what it has ---- */

/* How many clips; 0 for a null pointer. */
QUATSIMD_API size_t quatsimd_bundle_clips(const quatsimd_bundle *bundle);
/* The hash of its skeleton, as quatsimd_skeleton_hash gives it; 0 for a null pointer. */
QUATSIMD_API uint64_t quatsimd_bundle_hash(const quatsimd_bundle *bundle);
/* The name of a clip, in the bundle's bytes. Null for a null pointer or a number that is not below
 * quatsimd_bundle_clips. */
QUATSIMD_API const char *quatsimd_bundle_name(const quatsimd_bundle *bundle, size_t clip);
/* The number of the clip of this name; -1 for none, and for a null pointer. Names are compared byte by byte,
 * in time that grows with the logarithm of the number of clips. */
QUATSIMD_API int64_t quatsimd_bundle_find(const quatsimd_bundle *bundle, const char *name);

/* Opens the bundle's skeleton, as quatsimd_skeleton_open does, in memory_size bytes of memory. Returns
 * QUATSIMD_OK; QUATSIMD_ERROR_SHORT_BUFFER if memory_size is less than quatsimd_skeleton_size();
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer or memory of another alignment. */
QUATSIMD_API quatsimd_status quatsimd_bundle_skeleton(const quatsimd_bundle *bundle,
                                                      quatsimd_skeleton **skeleton, void *memory,
                                                      size_t memory_size);

/* Bytes of memory, a multiple of 8, that are enough for any opened clip of this bundle: quatsimd_clip_size(),
 * and some bytes for each curve that moves. 0 for a null pointer. */
QUATSIMD_API size_t quatsimd_bundle_clip_size(const quatsimd_bundle *bundle);
/* Opens a clip of the bundle. It is made in memory_size bytes of memory, and stays there: its tables, while
 * its curves stay in the bundle's bytes. The memory is aligned as quatsimd_clip_storage is. Nothing needs to
 * be closed. It is an opened clip as of quatsimd_clip_open: all functions of clip.h take it, and give the
 * bits that they give for the clip by itself. Opening takes a microsecond or so, and no checksum: the
 * bundle's has been checked. Returns QUATSIMD_OK; QUATSIMD_ERROR_SHORT_BUFFER if memory_size is less than
 * quatsimd_bundle_clip_size(bundle); QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, memory of another
 * alignment or a number that is not below quatsimd_bundle_clips. */
QUATSIMD_API quatsimd_status quatsimd_bundle_clip(const quatsimd_bundle *bundle, size_t number,
                                                  quatsimd_clip **clip, void *memory, size_t memory_size);

#ifdef __cplusplus
}
#endif

#endif
