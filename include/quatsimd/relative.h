/* Rotations relative to bases that sender and receiver know, as codes of fixed width. Such a rotation is
 * usually small, so it needs few bits. The caller keeps the bases; streams (stream.h) keep their own.
 *
 * Codes. The difference R = value base^-1 is coded as its Cayley vector, axis * tan(angle / 4), or as its
 * rotation vector, axis * angle (exponential map). For small angles these differ only by a factor of 4.
 * Cayley vectors are also known as modified Rodrigues parameters (Wiener 1962). The codes are our own.
 *
 * Arguments. Each array of quaternions is a view (view.h) of count elements, four floats x, y, z, w of any
 * length from 2^-32 to 2^32. quatsimd_one(q) is one base for all. Packed data need no alignment and must not
 * overlap anything. If count is 0, pointers may be null and views are not read.
 *
 * Results. They have the same bytes and bits on every CPU, under the conditions of codec.h. A function that
 * fails has written nothing. Every function may be called from any number of threads at once.
 *
 * docs/relative.md: every bit of the codes, errors, costs. */
#ifndef QUATSIMD_RELATIVE_H
#define QUATSIMD_RELATIVE_H

#include "codec.h"
#include "rotation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Formats of codes. The comment after each gives the bits of the components x, y, z. Values are never
 * renumbered. */
typedef enum quatsimd_relative_format {
  QUATSIMD_RELATIVE_CAYLEY24 = 1, /* 8, 8, 8 */
  QUATSIMD_RELATIVE_CAYLEY32 = 2, /* 11, 11, 10 */
  QUATSIMD_RELATIVE_CAYLEY48 = 3, /* 16, 16, 16 */
  QUATSIMD_RELATIVE_EXPMAP24 = 4, /* 8, 8, 8, by the exponential map */
  QUATSIMD_RELATIVE_EXPMAP32 = 5, /* 11, 11, 10, by the exponential map */
  QUATSIMD_RELATIVE_EXPMAP48 = 6  /* 16, 16, 16, by the exponential map */
} quatsimd_relative_format;

/* Returns the number of bytes of count codes, which have 3, 4 or 6 bytes each. Returns 0 if there is no such
 * format or if the size does not fit in a size_t. */
QUATSIMD_API size_t quatsimd_relative_packed_size(quatsimd_relative_format format, size_t count);

/* ---- packing and unpacking ---- Errors of both functions: QUATSIMD_ERROR_BAD_FORMAT if there is no such
 * format. QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a largest_angle outside its range, a view that
 * breaks a rule of view.h, and packed data that begin at the address of value, of out or, when packing, of
 * base. QUATSIMD_ERROR_SHORT_BUFFER if packed_size is less than quatsimd_relative_packed_size(format,
 * count). */

/* Packs count rotations `value` relative to `base` into the first quatsimd_relative_packed_size(format,
 * count) bytes of `packed`. largest_angle, 1e-6 to pi radians, sets the range: each component is coded
 * from -limit to +limit, where limit is tan(largest_angle / 4) for Cayley vectors and largest_angle for
 * rotation vectors. Its error is at most half a quantum (the distance of two neighbouring codes), apart
 * from float rounding. Because each component has the whole range, rotations about a diagonal axis may be
 * larger: up to sqrt(3) * largest_angle for rotation vectors, somewhat less for Cayley vectors. A value
 * that is the same rotation as its base has code 0 and unpacks to the base, normalised.
 *
 * A rotation with a component beyond the range is packed with the same axis and as much of its angle as
 * fits. If base or value is invalid (a NaN, an infinity, or a length outside [2^-32, 2^32]), the code is
 * 0. `beyond` receives (count + 7) / 8 bytes. Bit i % 8 of byte i / 8 is 1 if element i is invalid or
 * beyond the range, else 0. Use an absolute format (codec.h) to send the elements whose bit is 1. beyond
 * may be null.
 *
 * Returns QUATSIMD_OK, QUATSIMD_WARNING_REPLACED_INVALID if some elements were invalid, else
 * QUATSIMD_WARNING_SATURATED if some were beyond the range, or an error. */
QUATSIMD_API quatsimd_status quatsimd_relative_pack(quatsimd_relative_format format, float largest_angle,
                                                    void *packed, size_t packed_size, unsigned char *beyond,
                                                    quatsimd_in base, quatsimd_in value, size_t count);
/* Unpacks count codes to unit quaternions: out = R base, where R is the difference that the code stands for.
 * format and largest_angle (radians, 1e-6 to pi) must be those of quatsimd_relative_pack. Any bytes give a
 * rotation. An invalid base counts as the identity. out may use the memory of base. Returns QUATSIMD_OK or an
 * error. */
QUATSIMD_API quatsimd_status quatsimd_relative_unpack(quatsimd_relative_format format, float largest_angle,
                                                      quatsimd_out out, quatsimd_in base, const void *packed,
                                                      size_t packed_size, size_t count);

#ifdef __cplusplus
}
#endif

#endif
