/* Packing and unpacking of arrays of unit quaternions.
 *
 * Shapes. Floats are where a view says (view.h): quatsimd_aos(p) for x y z w x y z w ..., quatsimd_soa for an
 * array for each component, quatsimd_strided for the rotations inside larger structs, quatsimd_blocks for
 * blocks of 4 and 8, quatsimd_wxyz for memory that has w first. Packed data are quatsimd_packed_size(format,
 * count) bytes, the same on every CPU, byte order included; docs/codec.md has the layout of every format.
 *
 * Input. The direction of a quaternion counts, its length does not: it need not be normalised, and
 * q and -q are one rotation. A quaternion is invalid if a component is NaN or infinite or if its length is
 * outside [2^-32, 2^32]. An invalid one is packed as the identity, all others are packed as usual, and
 * the call returns QUATSIMD_WARNING_REPLACED_INVALID.
 *
 * Output. Any bytes unpack to finite quaternions of length 1 (within 4e-7).
 *
 * The same bits everywhere. The result depends on the input alone: not on the CPU, the compiler, the view,
 * the count or the position in the array. The floating-point rounding mode must be round-to-nearest (the
 * default). Flush-to-zero and denormals-are-zero may be on or off.
 *
 * Buffers. All are the caller's. Packed data need no alignment. Source and destination must not overlap;
 * where both begin at one address that is QUATSIMD_ERROR_BAD_ARGUMENT. Nothing is read or written outside
 * the elements of views, and nothing behind the first quatsimd_packed_size(format, count) bytes of packed
 * data. count may be 0: then pointers may be null and views are not looked at.
 *
 * Errors. A function that fails returns a negative status and has written nothing:
 * QUATSIMD_ERROR_BAD_FORMAT for a format that does not exist, whatever else is wrong;
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a view that is not one (view.h) or overlap as above;
 * QUATSIMD_ERROR_SHORT_BUFFER if packed_size is less than quatsimd_packed_size says.
 *
 * Threads. Every function may be called from any number of threads at once. Nothing allocates, locks or
 * keeps state, and there is nothing to initialise.
 *
 * Sources. quatsimd_get_format_info names the origin of each format, docs/codec.md and docs/codec-lattice.md
 * the papers.
 */
#ifndef QUATSIMD_CODEC_H
#define QUATSIMD_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"
#include "version.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Formats, with the bits per quaternion behind each. Values are never renumbered. */
typedef enum quatsimd_format {
  QUATSIMD_FORMAT_FLOAT4 = 1,    /* 128  four floats */
  QUATSIMD_FORMAT_HALF4 = 2,     /*  64  four IEEE binary16 */
  QUATSIMD_FORMAT_SNORM16X3 = 3, /*  48  x, y, z as snorm16, w derived */
  /*  32  tangent frame of a vertex: snorm8 x, y, z, 7-bit w, handedness */
  QUATSIMD_FORMAT_VERTEX32 = 4,
  QUATSIMD_FORMAT_CUBE32 = 5,       /*  32  cube-projected, the published pair */
  QUATSIMD_FORMAT_CUBE32C = 6,      /*  32  the same word, decoded at the centre of the cell */
  QUATSIMD_FORMAT_SMALLEST3_32 = 7, /*  32  smallest three at 10 bits */
  QUATSIMD_FORMAT_SMALLEST3_48 = 8, /*  48  smallest three at 15 bits */
  QUATSIMD_FORMAT_SMALLEST3_64 = 9, /*  64  smallest three at 20 bits */
  QUATSIMD_FORMAT_LATTICE24 = 10,   /*  24  body-centred cubic lattice in warped charts */
  QUATSIMD_FORMAT_LATTICE32 = 11,   /*  32  the same lattice */
  QUATSIMD_FORMAT_LATTICE48 = 12,   /*  48  the same lattice */
  QUATSIMD_FORMAT_LATTICE64 = 13,   /*  64  the same lattice, the highest bit zero */
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

#ifdef __cplusplus
/* A number as a format, without C's cast, of which C++ compilers can warn. */
#define QUATSIMD_FORMAT_NUMBER(number) (static_cast<quatsimd_format>(number))
#else
/* A number as a format. */
#define QUATSIMD_FORMAT_NUMBER(number) ((quatsimd_format)(number))
#endif

/* Bit-packed smallest three with 4 to 20 bits per component: 2 + 3 * bits per quaternion, without gaps. */
#define QUATSIMD_FORMAT_SMALLEST3(bits) QUATSIMD_FORMAT_NUMBER(QUATSIMD_FORMAT_SMALLEST3_ANY + (bits))
/* Bit-packed smallest three with 4 to 20 bits per component, the index of the largest component counted from
 * the other end (Mirage since v128.2). */
#define QUATSIMD_FORMAT_MIRAGE(bits) QUATSIMD_FORMAT_NUMBER(QUATSIMD_FORMAT_MIRAGE_ANY + (bits))
/* The quaternion filter of EXT_meshopt_compression with 4 to 16 bits: four 16-bit numbers, 64 bits per
 * quaternion, which meshoptimizer's codecs compress further. */
#define QUATSIMD_FORMAT_MESHOPT(bits) QUATSIMD_FORMAT_NUMBER(QUATSIMD_FORMAT_MESHOPT_ANY + (bits))

/* Properties of a format. */
typedef struct quatsimd_format_info {
  const char *name;   /* as quatsimd_format_from_name takes it: "cube32", "smallest3:9" */
  const char *origin; /* where the format comes from */
  unsigned bits;      /* per quaternion */
  double worst_error; /* largest angle between a rotation and its round trip, radians */
  double mean_error;  /* the mean of that angle over uniformly distributed rotations, radians */
  int exact_identity; /* 1 if (0, 0, 0, 1) comes back as exactly that */
} quatsimd_format_info;

/* Packs count quaternions into the first quatsimd_packed_size(format, count) bytes of `packed`. An element
 * of `in` is four floats x, y, z, w, of any length from 2^-32 to 2^32. An invalid quaternion is packed as
 * the identity. Bit-packed formats end with zero bits up to a whole byte. vertex32 packs the handedness 1;
 * quatsimd_qtangent_pack takes a handedness. Returns QUATSIMD_OK; QUATSIMD_WARNING_REPLACED_INVALID if some
 * were invalid; QUATSIMD_ERROR_BAD_FORMAT, QUATSIMD_ERROR_BAD_ARGUMENT or QUATSIMD_ERROR_SHORT_BUFFER, in
 * this order where several apply. */
QUATSIMD_API quatsimd_status quatsimd_pack(quatsimd_format format, void *packed, size_t packed_size,
                                           quatsimd_in in, size_t count);

/* Unpacks count quaternions, from element `first` of the packed array on, to the elements 0 to count - 1 of
 * `out`, four floats x, y, z, w of length 1 each. `packed` is the beginning of the whole array in every
 * format, bit-packed ones too, and packed_size must hold first + count elements. Returns QUATSIMD_OK;
 * QUATSIMD_ERROR_BAD_FORMAT, QUATSIMD_ERROR_BAD_ARGUMENT or QUATSIMD_ERROR_SHORT_BUFFER, in this order
 * where several apply. */
QUATSIMD_API quatsimd_status quatsimd_unpack(quatsimd_format format, quatsimd_out out, const void *packed,
                                             size_t packed_size, size_t first, size_t count);

/* Converts count packed quaternions from one format to another. The bytes are those of quatsimd_unpack to
 * an array of floats and quatsimd_pack of that array, but there is no such array. A handedness in vertex32
 * is lost and becomes 1. The two buffers must not overlap. Both formats and both sizes are checked before
 * anything is written. Returns QUATSIMD_OK; QUATSIMD_ERROR_BAD_FORMAT; QUATSIMD_ERROR_BAD_ARGUMENT for a
 * null pointer or one buffer for both, unless count is 0; QUATSIMD_ERROR_SHORT_BUFFER. */
QUATSIMD_API quatsimd_status quatsimd_transcode(quatsimd_format to, void *packed_to, size_t to_size,
                                                quatsimd_format from, const void *packed_from,
                                                size_t from_size, size_t count);

/* Converts count quaternions of the quaternion filter of EXT_meshopt_compression, of any number of bits
 * (QUATSIMD_FORMAT_MESHOPT), to glTF's normalized shorts (QUATSIMD_FORMAT_SNORM16X4), as loaders of glTF
 * need them: 8 * count bytes to 8 * count bytes. Each short is the one nearest to 32767 times the component
 * that quatsimd_unpack gives, of any word; it is not normalised on the way, so that it may differ by 1 from
 * that of quatsimd_transcode. The two buffers must not overlap and need no alignment. Returns QUATSIMD_OK;
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer or one buffer for both, unless count is 0;
 * QUATSIMD_ERROR_SHORT_BUFFER. */
QUATSIMD_API quatsimd_status quatsimd_meshopt_to_snorm16x4(void *shorts, size_t shorts_size,
                                                           const void *packed, size_t packed_size,
                                                           size_t count);

/* Finds the first invalid quaternion at or behind element `from` and returns its number. A quaternion is
 * invalid if a component is NaN or infinite or if its length is outside [2^-32, 2^32]. Returns count if
 * there is none, or if the view breaks a rule of view.h. A loop over all of them:
 *   for (i = quatsimd_find_invalid(q, count, 0); i < count; i = quatsimd_find_invalid(q, count, i + 1)) */
QUATSIMD_API size_t quatsimd_find_invalid(quatsimd_in q, size_t count, size_t from);

/* Bytes of count packed quaternions. 0 if there is no such format or the size does not fit a size_t. */
QUATSIMD_API size_t quatsimd_packed_size(quatsimd_format format, size_t count);

/* Finds the format of a name, which is spelled exactly as in quatsimd_format_info: "cube32", "smallest3:9".
 * Returns QUATSIMD_OK; QUATSIMD_ERROR_BAD_FORMAT if there is none, and *out stays as it is;
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer. */
QUATSIMD_API quatsimd_status quatsimd_format_from_name(quatsimd_format *out, const char *name);

/* The properties of a format, in static memory. Null if there is no such format. */
QUATSIMD_API const quatsimd_format_info *quatsimd_get_format_info(quatsimd_format format);

/* The i-th of all formats, for i = 0, 1, ..., in the order of the documentation: for programs that list or
 * try all. Returns QUATSIMD_OK; QUATSIMD_ERROR_BAD_FORMAT behind the last one, and *out stays as it is;
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer. */
QUATSIMD_API quatsimd_status quatsimd_format_at(quatsimd_format *out, size_t i);

#ifdef __cplusplus
}
#endif

#endif
