/* Packing and unpacking of arrays of unit quaternions. docs/codec.md: formats, errors, costs.
 *
 * Shapes. An element is four floats x, y, z, w. A view (view.h) describes where the elements are. Packed data
 * are quatsimd_packed_size(format, count) bytes, the same on every CPU. They need no alignment.
 *
 * Invalid quaternions. A quaternion is invalid if a component is NaN or infinite, or if its length is outside
 * [2^-32, 2^32]. Every other quaternion is valid: it need not be normalised, and q and -q are one rotation.
 *
 * Determinism. Results depend on the input alone: not on the CPU, the compiler, the view, the count or the
 * position in the array. The rounding mode must be round-to-nearest, the default. Flush-to-zero and
 * denormals-are-zero may be on or off.
 *
 * Memory. Source and destination must not overlap. The library detects overlap only if both begin at the same
 * address. If count is 0, pointers may be null and views are not read. A function that returns an error has
 * written nothing. No function allocates memory.
 *
 * Threads. Every function may be called from any number of threads at once.
 *
 * Sources. docs/codec.md and docs/codec-lattice.md. */
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

/* Formats. Each comment begins with the bits per quaternion. Values are never renumbered. */
typedef enum quatsimd_format {
  QUATSIMD_FORMAT_FLOAT4 = 1,    /* 128  four floats */
  QUATSIMD_FORMAT_HALF4 = 2,     /*  64  four IEEE binary16 */
  QUATSIMD_FORMAT_SNORM16X3 = 3, /*  48  x, y, z as snorm16, w derived */
  /*  32  tangent frame of a vertex: snorm8 x, y and z, a 7-bit w, a bit for the handedness */
  QUATSIMD_FORMAT_VERTEX32 = 4,
  QUATSIMD_FORMAT_CUBE32 = 5,       /*  32  cube-projected, as published */
  QUATSIMD_FORMAT_CUBE32C = 6,      /*  32  the words of cube32, decoded at the centre of the cell */
  QUATSIMD_FORMAT_SMALLEST3_32 = 7, /*  32  smallest three at 10 bits */
  QUATSIMD_FORMAT_SMALLEST3_48 = 8, /*  48  smallest three at 15 bits */
  QUATSIMD_FORMAT_SMALLEST3_64 = 9, /*  64  smallest three at 20 bits */
  QUATSIMD_FORMAT_LATTICE24 = 10,   /*  24  body-centred cubic lattice in warped charts */
  QUATSIMD_FORMAT_LATTICE32 = 11,   /*  32  the same lattice */
  QUATSIMD_FORMAT_LATTICE48 = 12,   /*  48  the same lattice */
  QUATSIMD_FORMAT_LATTICE64 = 13,   /*  64  the same lattice; the highest bit is zero */
  /* Formats of other programs, for interchange. */
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
  /* not a format: makes the numbers of parameterised formats valid values of the enum, in C++ too */
  QUATSIMD_FORMAT_MAX = 0x7fffffff
} quatsimd_format;

#ifdef __cplusplus
/* Converts a number to a format. In C++ this avoids C's cast, which compilers can warn about. */
#define QUATSIMD_FORMAT_NUMBER(number) (static_cast<quatsimd_format>(number))
#else
/* Converts a number to a format. */
#define QUATSIMD_FORMAT_NUMBER(number) ((quatsimd_format)(number))
#endif

/* Bit-packed smallest three with 4 to 20 bits per component. A quaternion takes 2 + 3 * bits bits, and there
 * are no gaps between quaternions. */
#define QUATSIMD_FORMAT_SMALLEST3(bits) QUATSIMD_FORMAT_NUMBER(QUATSIMD_FORMAT_SMALLEST3_ANY + (bits))
/* Bit-packed smallest three of Mirage since v128.2, with 4 to 20 bits per component. It differs from
 * QUATSIMD_FORMAT_SMALLEST3 in the index of the largest component, which counts from the other end. */
#define QUATSIMD_FORMAT_MIRAGE(bits) QUATSIMD_FORMAT_NUMBER(QUATSIMD_FORMAT_MIRAGE_ANY + (bits))
/* The quaternion filter of EXT_meshopt_compression with 4 to 16 bits per component. A quaternion takes four
 * 16-bit numbers, 64 bits, whatever `bits` is. Meshoptimizer's codecs compress these further. */
#define QUATSIMD_FORMAT_MESHOPT(bits) QUATSIMD_FORMAT_NUMBER(QUATSIMD_FORMAT_MESHOPT_ANY + (bits))

/* Returns QUATSIMD_FORMAT_SMALLEST3(bits), for bindings of other languages. For bits outside 4 to 20 it
 * returns QUATSIMD_FORMAT_SMALLEST3_ANY, which is no format: functions refuse it. */
QUATSIMD_API quatsimd_format quatsimd_format_smallest3(unsigned bits);
/* Returns QUATSIMD_FORMAT_MIRAGE(bits). For bits outside 4 to 20 it returns QUATSIMD_FORMAT_MIRAGE_ANY, which
 * is no format. */
QUATSIMD_API quatsimd_format quatsimd_format_mirage(unsigned bits);
/* Returns QUATSIMD_FORMAT_MESHOPT(bits). For bits outside 4 to 16 it returns QUATSIMD_FORMAT_MESHOPT_ANY,
 * which is no format. */
QUATSIMD_API quatsimd_format quatsimd_format_meshopt(unsigned bits);

/* Properties of a format. */
typedef struct quatsimd_format_info {
  const char *name;   /* the name that quatsimd_format_from_name takes: "cube32", "smallest3:9" */
  const char *origin; /* where the format comes from */
  unsigned bits;      /* bits per quaternion */
  double worst_error; /* largest angle between a rotation and its round trip, radians */
  double mean_error;  /* mean of that angle over uniformly distributed rotations, radians */
  int exact_identity; /* 1 if (0, 0, 0, 1) comes back exactly, else 0 */
} quatsimd_format_info;

/* Packs count quaternions into the first quatsimd_packed_size(format, count) bytes of `packed`. packed_size
 * is the size of `packed` in bytes. The bytes after the packed data are not touched.
 * An element of `in` is four floats x, y, z, w of any length from 2^-32 to 2^32. An invalid quaternion is
 * packed as the identity. A bit-packed array ends with zero bits up to a whole byte. vertex32 gets the
 * handedness 1; quatsimd_qtangent_pack takes a handedness. `packed` and `in` must not overlap.
 * Returns QUATSIMD_OK, or QUATSIMD_WARNING_REPLACED_INVALID if a quaternion was invalid. Errors, of which the
 * first that applies is returned:
 * - QUATSIMD_ERROR_BAD_FORMAT: there is no such format;
 * - QUATSIMD_ERROR_BAD_ARGUMENT, unless count is 0: a null pointer, a view that breaks a rule of view.h, or
 *   `packed` and `in` begin at the same address;
 * - QUATSIMD_ERROR_SHORT_BUFFER: packed_size is less than quatsimd_packed_size(format, count). */
QUATSIMD_API quatsimd_status quatsimd_pack(quatsimd_format format, void *packed, size_t packed_size,
                                           quatsimd_in in, size_t count);

/* Unpacks count elements of a packed array, from element number `first` on, to the elements 0 to count - 1 of
 * `out`. `packed` points to the start of the whole array, in bit-packed formats too. packed_size is the size
 * of the whole array in bytes. It must be at least n = quatsimd_packed_size(format, first + count). Bytes
 * after the first n are not read. `packed` and `out` must not overlap.
 * An element of `out` is four floats x, y, z, w. Any bytes unpack to finite quaternions of length 1 within
 * 4e-7.
 * Returns QUATSIMD_OK. Errors, of which the first that applies is returned:
 * - QUATSIMD_ERROR_BAD_FORMAT: there is no such format;
 * - QUATSIMD_ERROR_BAD_ARGUMENT, unless count is 0: a null pointer, a view that breaks a rule of view.h, or
 *   `packed` and `out` begin at the same address;
 * - QUATSIMD_ERROR_SHORT_BUFFER: packed_size is too small. */
QUATSIMD_API quatsimd_status quatsimd_unpack(quatsimd_format format, quatsimd_out out, const void *packed,
                                             size_t packed_size, size_t first, size_t count);

/* Converts count packed quaternions from one format to another. The result is the same, bit for bit, as
 * quatsimd_unpack to an array of floats and quatsimd_pack of that array, without the memory for the array.
 * A handedness in vertex32 is lost: it becomes 1. The two buffers must not overlap. to_size and from_size are
 * their sizes in bytes.
 * Returns QUATSIMD_OK. Errors, of which the first that applies is returned:
 * - QUATSIMD_ERROR_BAD_FORMAT: one of the two formats does not exist;
 * - QUATSIMD_ERROR_BAD_ARGUMENT, unless count is 0: a null pointer, or the same pointer for both buffers;
 * - QUATSIMD_ERROR_SHORT_BUFFER: a size is less than quatsimd_packed_size of its format and count. */
QUATSIMD_API quatsimd_status quatsimd_transcode(quatsimd_format to, void *packed_to, size_t to_size,
                                                quatsimd_format from, const void *packed_from,
                                                size_t from_size, size_t count);

/* Converts count quaternions from EXT_meshopt_compression's quaternion filter (QUATSIMD_FORMAT_MESHOPT of any
 * number of bits) to glTF's normalized shorts (QUATSIMD_FORMAT_SNORM16X4), for loaders of glTF. It reads
 * 8 * count bytes and writes 8 * count bytes. Each short is the integer nearest to 32767 times the component
 * that quatsimd_unpack gives. quatsimd_transcode normalises once more, so its shorts may differ by 1 from
 * these. shorts_size and packed_size are sizes in bytes. The two buffers must not overlap and need no
 * alignment.
 * Returns QUATSIMD_OK. Errors, of which the first that applies is returned:
 * - QUATSIMD_ERROR_BAD_ARGUMENT, unless count is 0: a null pointer, or the same pointer for both buffers;
 * - QUATSIMD_ERROR_SHORT_BUFFER: a size is less than 8 * count. */
QUATSIMD_API quatsimd_status quatsimd_meshopt_to_snorm16x4(void *shorts, size_t shorts_size,
                                                           const void *packed, size_t packed_size,
                                                           size_t count);

/* Finds the first invalid quaternion among the elements from, from + 1, ..., count - 1 and returns its index.
 * A quaternion is invalid if a component is NaN or infinite, or if its length is outside [2^-32, 2^32].
 * Returns count if no quaternion is invalid, or if the view breaks a rule of view.h. A loop over all of them:
 *   for (i = quatsimd_find_invalid(q, count, 0); i < count; i = quatsimd_find_invalid(q, count, i + 1)) */
QUATSIMD_API size_t quatsimd_find_invalid(quatsimd_in q, size_t count, size_t from);

/* Returns the number of bytes that count packed quaternions take. Returns 0 if there is no such format, if
 * count is 0, or if the size does not fit a size_t. */
QUATSIMD_API size_t quatsimd_packed_size(quatsimd_format format, size_t count);

/* Writes to *out the format that has a name. The name is spelled exactly as in quatsimd_format_info:
 * "cube32", "smallest3:9". Returns QUATSIMD_OK, QUATSIMD_ERROR_BAD_FORMAT if no format has this name, or
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer. After an error *out is unchanged. */
QUATSIMD_API quatsimd_status quatsimd_format_from_name(quatsimd_format *out, const char *name);

/* Returns the properties of a format, in static memory, or null if there is no such format. */
QUATSIMD_API const quatsimd_format_info *quatsimd_get_format_info(quatsimd_format format);

/* Writes format number i to *out, for programs that list or try every format. Formats are numbered from 0 in
 * the order of `quatsimd formats`. Returns QUATSIMD_OK, QUATSIMD_ERROR_BAD_FORMAT if i is not less than the
 * number of formats, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer. After an error *out is unchanged. */
QUATSIMD_API quatsimd_status quatsimd_format_at(quatsimd_format *out, size_t i);

#ifdef __cplusplus
}
#endif

#endif
