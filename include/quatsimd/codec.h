/* Packing and unpacking of arrays of unit quaternions.
 *
 * Shapes. A quaternion is four floats in the order x, y, z, w. Three layouts:
 *   aos      one array, 4 * count floats, x y z w x y z w ...
 *   soa      four arrays of count floats each
 *   strided  count quaternions of four adjacent floats, each stride_bytes after the one before:
 *            the rotation inside an array of larger structs
 * A packed buffer is quatsimd_packed_size(format, count) bytes, the same on every CPU, byte order
 * included; docs/codec.md has the layout of every format.
 *
 * Input. The direction of a quaternion counts, its length does not: it need not be normalised, and
 * q and -q are one rotation. A quaternion is invalid if a component is NaN or infinite or if its length is
 * outside [2^-32, 2^32]; an invalid one is packed as the identity, all the others are packed as usual, and
 * the call returns QUATSIMD_WARNING_REPLACED_INVALID.
 *
 * Output. Any bytes whatever unpack to finite quaternions of length 1 (within 4e-7).
 *
 * The same bits everywhere: the result depends on the input alone, not on the CPU, the compiler, the layout,
 * the count or the position in the array, as long as the floating-point rounding mode is round-to-nearest
 * (the default). Flush-to-zero and denormals-are-zero may be on or off.
 *
 * Buffers. All are the caller's. Floats must be aligned as floats (4 bytes; not checked), packed data needs
 * no alignment. Source and destination must not overlap. Nothing is read or written outside the arrays
 * described, and nothing behind the first quatsimd_packed_size(format, count) bytes of a packed buffer. count
 * may be 0, and then pointers may be null.
 *
 * Errors. A function that fails returns a negative status and has written nothing: QUATSIMD_ERROR_BAD_FORMAT
 * for a format that there is not, QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer (unless count is 0) or a bad
 * stride, QUATSIMD_ERROR_SHORT_BUFFER where packed_size is less than quatsimd_packed_size says.
 *
 * Threads. Every function may be called from any number of threads at once; nothing allocates, locks or
 * keeps state. There is nothing to initialise.
 *
 * Sources. quatsimd_format_info names the origin of each format, docs/codec.md and docs/codec-lattice.md the
 * papers.
 */
#ifndef QUATSIMD_CODEC_H
#define QUATSIMD_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"
#include "version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Formats; values are never renumbered. Bits per quaternion behind each. */
typedef enum quatsimd_format {
  QUATSIMD_FORMAT_FLOAT4 = 1,    /* 128  four floats */
  QUATSIMD_FORMAT_HALF4 = 2,     /*  64  four IEEE binary16 */
  QUATSIMD_FORMAT_SNORM16X3 = 3, /*  48  x, y, z as snorm16, w derived */
  /*  32  tangent frame of a vertex: snorm8 x, y, z, 7-bit w, handedness */
  QUATSIMD_FORMAT_VERTEX32 = 4,
  QUATSIMD_FORMAT_CUBE32 = 5,       /*  32  cube-projected, the published pair */
  QUATSIMD_FORMAT_CUBE32C = 6,      /*  32  the same word, decoded at the centre of the cell */
  QUATSIMD_FORMAT_SMALLEST3_32 = 7, /*  32  smallest three at 10 bits */
  QUATSIMD_FORMAT_SMALLEST3_48 = 8, /*  48  at 15 bits */
  QUATSIMD_FORMAT_SMALLEST3_64 = 9, /*  64  at 20 bits */
  QUATSIMD_FORMAT_LATTICE24 = 10,   /*  24  body-centred cubic lattice in warped charts */
  QUATSIMD_FORMAT_LATTICE32 = 11,   /*  32  the same */
  QUATSIMD_FORMAT_LATTICE48 = 12,   /*  48  the same */
  QUATSIMD_FORMAT_LATTICE64 = 13,   /*  64  the same, the highest bit zero */
  /* Of others, for interchange. */
  QUATSIMD_FORMAT_SNORM16X4 = 14, /*  64  glTF's normalized short rotation */
  QUATSIMD_FORMAT_OZZ48 = 15,     /*  48  ozz-animation */
  QUATSIMD_FORMAT_UNREAL48 = 16,  /*  48  Unreal Engine's FQuatFixed48NoW */
  QUATSIMD_FORMAT_UNREAL32 = 17,  /*  32  Unreal Engine's FQuatFixed32NoW */
  QUATSIMD_FORMAT_SPZ32 = 18,     /*  32  spz version 3 and later, Unity's Netcode for GameObjects */
  QUATSIMD_FORMAT_SPZ24 = 19,     /*  24  spz version 2 */
  QUATSIMD_FORMAT_MIRROR32 = 20,  /*  32  Mirror */
  QUATSIMD_FORMAT_JOLT32 = 21,    /*  32  Jolt Physics */
  QUATSIMD_FORMAT_SPLAT32 = 22,   /*  32  .splat files */

  QUATSIMD_FORMAT_SMALLEST3_ANY = 0x100, /* 0x104..0x114: QUATSIMD_FORMAT_SMALLEST3(bits) */
  QUATSIMD_FORMAT_MIRAGE_ANY = 0x200,    /* 0x204..0x214: QUATSIMD_FORMAT_MIRAGE(bits) */
  QUATSIMD_FORMAT_MESHOPT_ANY = 0x300,   /* 0x304..0x310: QUATSIMD_FORMAT_MESHOPT(bits) */
  /* makes every value of a parameterised format one of this enum, in C++ too */
  QUATSIMD_FORMAT_MAX = 0x7fffffff
} quatsimd_format;

/* Bit-packed smallest three with 4..20 bits per component: 2 + 3 * bits per quaternion, back to back. */
#define QUATSIMD_FORMAT_SMALLEST3(bits) ((quatsimd_format)(QUATSIMD_FORMAT_SMALLEST3_ANY + (bits)))
/* The same with the index of the largest component counted from the other end (Mirage since v128.2). */
#define QUATSIMD_FORMAT_MIRAGE(bits) ((quatsimd_format)(QUATSIMD_FORMAT_MIRAGE_ANY + (bits)))
/* The quaternion filter of EXT_meshopt_compression with 4..16 bits: four 16-bit numbers, 64 bits per
 * quaternion, which meshoptimizer's codecs compress further. */
#define QUATSIMD_FORMAT_MESHOPT(bits) ((quatsimd_format)(QUATSIMD_FORMAT_MESHOPT_ANY + (bits)))

/* What there is to know about a format. */
typedef struct quatsimd_format_info {
  const char *name;   /* as quatsimd_format_from_name takes it: "cube32", "smallest3:9" */
  const char *origin; /* where the format comes from */
  unsigned bits;      /* per quaternion */
  double worst_error; /* largest angle between a rotation and its round trip, radians */
  double mean_error;  /* the mean of that angle over uniformly distributed rotations, radians */
  int exact_identity; /* 1 if (0, 0, 0, 1) comes back as exactly that */
} quatsimd_format_info;

/* Pack count quaternions, of each of the layouts. Returns QUATSIMD_OK, QUATSIMD_WARNING_REPLACED_INVALID
 * or an error. Bit-packed formats end with zero bits up to a whole byte. vertex32 packs handedness 0. */
QUATSIMD_API quatsimd_status quatsimd_pack_aos(quatsimd_format format, void *packed, size_t packed_size,
                                               const float *xyzw, size_t count);
QUATSIMD_API quatsimd_status quatsimd_pack_soa(quatsimd_format format, void *packed, size_t packed_size,
                                               const float *x, const float *y, const float *z, const float *w,
                                               size_t count);
QUATSIMD_API quatsimd_status quatsimd_pack_strided(quatsimd_format format, void *packed, size_t packed_size,
                                                   const float *first, size_t stride_bytes, size_t count);

/* Unpack count quaternions, to each of the layouts. Returns QUATSIMD_OK or an error. Strided touches the
 * four floats of each quaternion and nothing between them. */
QUATSIMD_API quatsimd_status quatsimd_unpack_aos(quatsimd_format format, float *xyzw, const void *packed,
                                                 size_t packed_size, size_t count);
QUATSIMD_API quatsimd_status quatsimd_unpack_soa(quatsimd_format format, float *x, float *y, float *z,
                                                 float *w, const void *packed, size_t packed_size,
                                                 size_t count);
QUATSIMD_API quatsimd_status quatsimd_unpack_strided(quatsimd_format format, float *first,
                                                     size_t stride_bytes, const void *packed,
                                                     size_t packed_size, size_t count);

/* Unpack count quaternions from element `first` of a packed array on (random access; bit-packed arrays
 * too). packed is the start of the whole array and packed_size must hold first + count elements, unless
 * count is 0. */
QUATSIMD_API quatsimd_status quatsimd_unpack_aos_at(quatsimd_format format, float *xyzw, const void *packed,
                                                    size_t packed_size, size_t first, size_t count);

/* Convert packed quaternions from one format to another, through small blocks: what unpacking to an array
 * of floats and packing that gives, without the array; but meshopt:K to snorm16x4 goes straight to shorts,
 * which differ from that by one unit at most (docs/codec.md). The handedness of vertex32 becomes 0. Sizes
 * and overlap are as for pack and unpack; sizes and formats are checked before anything is written.
 * Returns QUATSIMD_OK or an error. */
QUATSIMD_API quatsimd_status quatsimd_transcode(quatsimd_format to, void *packed_to, size_t to_size,
                                                quatsimd_format from, const void *packed_from,
                                                size_t from_size, size_t count);

/* Index of the first invalid quaternion of an aos array at or behind `from`; count if there is none (or
 * xyzw is null). */
QUATSIMD_API size_t quatsimd_find_invalid(const float *xyzw, size_t count, size_t from);

/* Bytes of count packed quaternions; 0 if the format is unknown or the size does not fit a size_t. */
QUATSIMD_API size_t quatsimd_packed_size(quatsimd_format format, size_t count);

/* The format of that name, exactly as quatsimd_format_info spells it, or QUATSIMD_ERROR_BAD_FORMAT (*out
 * untouched). QUATSIMD_ERROR_BAD_ARGUMENT if a pointer is null. */
QUATSIMD_API quatsimd_status quatsimd_format_from_name(const char *name, quatsimd_format *out);

/* Static description of a format; null if unknown. */
QUATSIMD_API const quatsimd_format_info *quatsimd_get_format_info(quatsimd_format format);

/* The i-th format in the order of the documentation, for i = 0, 1, ...; returns QUATSIMD_ERROR_BAD_FORMAT
 * behind the last one. For programs that list or try all formats. */
QUATSIMD_API quatsimd_status quatsimd_format_at(size_t i, quatsimd_format *out);

#ifdef __cplusplus
}
#endif

#endif
