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
 * the call returns QUATSIMD_REPLACED_INVALID.
 *
 * Output. Any bytes whatever unpack to finite quaternions of length 1 (within 4e-7).
 *
 * The same bits everywhere: the result depends on the input alone, not on the CPU, the compiler, the layout,
 * the count or the position in the array, as long as the floating-point rounding mode is round-to-nearest
 * (the default). Flush-to-zero and denormals-are-zero may be on or off.
 *
 * Buffers. All are the caller's. Floats must be aligned as floats (4 bytes; not checked), packed data needs no
 * alignment.
 * Source and destination must not overlap. Nothing is read or written outside the arrays described, and
 * nothing behind the first quatsimd_packed_size(format, count) bytes of a packed buffer. count may be 0, and
 * then pointers may be null.
 *
 * Errors. A function that fails returns a negative status and has written nothing: QUATSIMD_BAD_FORMAT for a format that
 * there is not, QUATSIMD_BAD_ARGUMENT for a null pointer (unless count is 0) or a bad stride, QUATSIMD_SHORT_BUFFER where
 * packed_size is less than quatsimd_packed_size says.
 *
 * Threads. Every function may be called from any number of threads at once; nothing allocates, locks or
 * keeps state. There is nothing to initialise.
 *
 * Sources. quatsimd_format_info names the origin of each format, docs/codec.md and docs/codec-lattice.md the papers.
 */
#ifndef QUATSIMD_CODEC_H
#define QUATSIMD_CODEC_H

#include <stddef.h>
#include <stdint.h>

#if defined(QUATSIMD_SHARED) && (defined(_WIN32) || defined(__CYGWIN__))
#  ifdef QUATSIMD_BUILDING
#    define QUATSIMD_API __declspec(dllexport)
#  else
#    define QUATSIMD_API __declspec(dllimport)
#  endif
#elif defined(__GNUC__)
#  define QUATSIMD_API __attribute__((visibility("default")))
#else
#  define QUATSIMD_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Formats; values are never renumbered. Bits per quaternion behind each. */
typedef enum quatsimd_format {
  QUATSIMD_FLOAT4 = 1,       /* 128  four floats */
  QUATSIMD_HALF4 = 2,        /*  64  four IEEE binary16 */
  QUATSIMD_SNORM16X3 = 3,    /*  48  x, y, z as snorm16, w derived */
  QUATSIMD_VERTEX32 = 4,     /*  32  tangent frame of a vertex: snorm8 x, y, z, 7-bit w, handedness */
  QUATSIMD_CUBE32 = 5,       /*  32  cube-projected, the published pair */
  QUATSIMD_CUBE32C = 6,      /*  32  the same word, decoded at the centre of the cell */
  QUATSIMD_SMALLEST3_32 = 7, /*  32  smallest three at 10 bits */
  QUATSIMD_SMALLEST3_48 = 8, /*  48  at 15 bits */
  QUATSIMD_SMALLEST3_64 = 9, /*  64  at 20 bits */
  QUATSIMD_LATTICE24 = 10,   /*  24  body-centred cubic lattice in warped charts */
  QUATSIMD_LATTICE32 = 11,   /*  32  the same */
  QUATSIMD_LATTICE48 = 12,   /*  48  the same */
  QUATSIMD_LATTICE64 = 13,   /*  64  the same, the highest bit zero */
  /* Of others, for interchange. */
  QUATSIMD_SNORM16X4 = 14,   /*  64  glTF's normalized short rotation */
  QUATSIMD_OZZ48 = 15,       /*  48  ozz-animation */
  QUATSIMD_UNREAL48 = 16,    /*  48  Unreal Engine's FQuatFixed48NoW */
  QUATSIMD_UNREAL32 = 17,    /*  32  Unreal Engine's FQuatFixed32NoW */
  QUATSIMD_SPZ32 = 18,       /*  32  spz version 3 and later, Unity's Netcode for GameObjects */
  QUATSIMD_SPZ24 = 19,       /*  24  spz version 2 */
  QUATSIMD_MIRROR32 = 20,    /*  32  Mirror */
  QUATSIMD_JOLT32 = 21,      /*  32  Jolt Physics */
  QUATSIMD_SPLAT32 = 22,     /*  32  .splat files */

  QUATSIMD_SMALLEST3_ANY = 0x100, /* 0x104..0x114: QUATSIMD_SMALLEST3(bits) */
  QUATSIMD_MIRAGE_ANY = 0x200,    /* 0x204..0x214: QUATSIMD_MIRAGE(bits) */
  QUATSIMD_MESHOPT_ANY = 0x300,   /* 0x304..0x310: QUATSIMD_MESHOPT(bits) */
  QUATSIMD_FORMAT_MAX = 0x7fffffff /* makes every value of a parameterised format one of this enum, in C++ too */
} quatsimd_format;

/* Bit-packed smallest three with 4..20 bits per component: 2 + 3 * bits per quaternion, back to back. */
#define QUATSIMD_SMALLEST3(bits) ((quatsimd_format)(QUATSIMD_SMALLEST3_ANY + (bits)))
/* The same with the index of the largest component counted from the other end (Mirage since v128.2). */
#define QUATSIMD_MIRAGE(bits) ((quatsimd_format)(QUATSIMD_MIRAGE_ANY + (bits)))
/* The quaternion filter of EXT_meshopt_compression with 4..16 bits: four 16-bit numbers, 64 bits per quaternion, which
 * meshoptimizer's codecs compress further. */
#define QUATSIMD_MESHOPT(bits) ((quatsimd_format)(QUATSIMD_MESHOPT_ANY + (bits)))

/* Errors are negative and nothing was written; warnings are positive. */
typedef enum quatsimd_status {
  QUATSIMD_OK = 0,               /* all is done */
  QUATSIMD_REPLACED_INVALID = 1, /* invalid quaternions were replaced, by the identity where functions say nothing else; all others are packed */
  QUATSIMD_SATURATED = 2,        /* relative.h: rotations beyond the range were packed as far as it goes */
  QUATSIMD_BAD_FORMAT = -1,      /* there is no such format */
  QUATSIMD_SHORT_BUFFER = -2,    /* a buffer or memory is smaller than the function asks for */
  QUATSIMD_BAD_ARGUMENT = -3,    /* a null pointer with count > 0; a stride below 16 or not a multiple of 4, whatever count is; what else headers name */
  /* of quatsimd_stream_decode */
  QUATSIMD_NEED_KEY = -4,        /* a frame is missing */
  QUATSIMD_OLD_FRAME = -5,       /* a frame that was decoded or passed over before */
  QUATSIMD_BAD_FRAME = -6,       /* damaged, or of another stream */
  /* of clip.h */
  QUATSIMD_BAD_CLIP = -7,        /* not a clip, or a damaged one, or of a later version */
  QUATSIMD_BAD_KEY = -8,         /* a key that cannot be encoded: the report says which and why */
  QUATSIMD_NO_MEMORY = -9        /* the allocator had none */
} quatsimd_status;

/* What there is to know about a format. */
typedef struct quatsimd_format_info {
  const char *name;     /* as quatsimd_format_from_name takes it: "cube32", "smallest3:9" */
  const char *origin;   /* where the format comes from */
  unsigned bits;        /* per quaternion */
  double worst_error;   /* largest angle between a rotation and its round trip, radians */
  double mean_error;    /* the mean of that angle over uniformly distributed rotations, radians */
  int exact_identity;   /* 1 if (0, 0, 0, 1) comes back as exactly that */
} quatsimd_format_info;

/* Pack count quaternions, of each of the layouts. Returns QUATSIMD_OK, QUATSIMD_REPLACED_INVALID or an error. Bit-packed formats end
 * with zero bits up to a whole byte. vertex32 packs handedness 0. */
QUATSIMD_API quatsimd_status quatsimd_pack_aos(quatsimd_format format, void *packed, size_t packed_size,
                                               const float *xyzw, size_t count);
QUATSIMD_API quatsimd_status quatsimd_pack_soa(quatsimd_format format, void *packed, size_t packed_size,
                                               const float *x, const float *y, const float *z, const float *w,
                                               size_t count);
QUATSIMD_API quatsimd_status quatsimd_pack_strided(quatsimd_format format, void *packed, size_t packed_size,
                                                   const float *first, size_t stride_bytes, size_t count);

/* Unpack count quaternions, to each of the layouts. Returns QUATSIMD_OK or an error. Strided touches the four floats of each
 * quaternion and nothing between them. */
QUATSIMD_API quatsimd_status quatsimd_unpack_aos(quatsimd_format format, float *xyzw,
                                                 const void *packed, size_t packed_size, size_t count);
QUATSIMD_API quatsimd_status quatsimd_unpack_soa(quatsimd_format format, float *x, float *y, float *z, float *w,
                                                 const void *packed, size_t packed_size, size_t count);
QUATSIMD_API quatsimd_status quatsimd_unpack_strided(quatsimd_format format, float *first, size_t stride_bytes,
                                                     const void *packed, size_t packed_size, size_t count);

/* Unpack count quaternions from element `first` of a packed array on (random access; bit-packed arrays too).
 * packed is the start of the whole array and packed_size must hold first + count elements, unless count is 0. */
QUATSIMD_API quatsimd_status quatsimd_unpack_aos_at(quatsimd_format format, float *xyzw,
                                                    const void *packed, size_t packed_size,
                                                    size_t first, size_t count);

/* Convert packed quaternions from one format to another, through small blocks: what unpacking to an array of floats and packing
 * that gives, without the array; but meshopt:K to snorm16x4 goes straight to shorts, which differ from that by one unit at most
 * (docs/codec.md). The handedness of vertex32 becomes 0. Sizes and overlap are as for pack and unpack; sizes and formats are
 * checked before anything is written. Returns QUATSIMD_OK or an error. */
QUATSIMD_API quatsimd_status quatsimd_transcode(quatsimd_format to, void *packed_to, size_t to_size,
                                                quatsimd_format from, const void *packed_from, size_t from_size,
                                                size_t count);

/* Index of the first invalid quaternion of an aos array at or behind `from`; count if there is none (or xyzw is
 * null). */
QUATSIMD_API size_t quatsimd_find_invalid(const float *xyzw, size_t count, size_t from);

/* Bytes of count packed quaternions; 0 if the format is unknown or the size does not fit a size_t. */
QUATSIMD_API size_t quatsimd_packed_size(quatsimd_format format, size_t count);

/* The format of that name, exactly as quatsimd_format_info spells it, or QUATSIMD_BAD_FORMAT (*out untouched).
 * QUATSIMD_BAD_ARGUMENT if a pointer is null. */
QUATSIMD_API quatsimd_status quatsimd_format_from_name(const char *name, quatsimd_format *out);

/* Static description of a format; null if unknown. */
QUATSIMD_API const quatsimd_format_info *quatsimd_get_format_info(quatsimd_format format);

/* The i-th format in the order of the documentation, for i = 0, 1, ...; returns QUATSIMD_BAD_FORMAT behind the
 * last one. For programs that list or try all formats. */
QUATSIMD_API quatsimd_status quatsimd_format_at(size_t i, quatsimd_format *out);

/* English text for a status, never null. */
QUATSIMD_API const char *quatsimd_status_string(quatsimd_status status);

/* Name of the kernels in use: "scalar", "sse2", "avx2", "avx512", "neon" or "simd128". The best one that the
 * CPU can run is picked when the library is loaded (at the first use, where the compiler has no load-time
 * constructors); the environment variable QUATSIMD_ISA, read at that moment, picks another by name (a name that is
 * unknown or that this CPU cannot run is ignored). */
QUATSIMD_API const char *quatsimd_isa(void);

/* Version of the library linked, "major.minor.patch". */
QUATSIMD_API const char *quatsimd_version(void);

#ifdef __cplusplus
}
#endif

#endif
