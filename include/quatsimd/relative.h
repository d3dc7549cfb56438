/* Rotations relative to others that both sides know. Such a rotation is small in most cases, so that few
 * bits say it. The codes are of fixed width, and the caller has the bases; streams, which keep the bases
 * themselves, are in stream.h.
 *
 * Codes. The difference R = value base^-1 is coded by its Cayley vector, axis * tan(angle / 4), or by its
 * rotation vector, axis * angle (the exponential map). For small angles the two differ by a factor of 4
 * alone.
 *
 * Buffers. Each array of quaternions is a view (view.h), four floats x, y, z, w an element, of any length
 * from 2^-32 to 2^32; quatsimd_one(q) is one base for all. All memory is the caller's. Packed data need no
 * alignment and must not overlap anything. The output of unpacking may have the memory of the bases if each
 * element has the same bytes in both views. Other overlap is refused where the output begins at one address
 * with the bases, or packed data with a view that they are made from or become. count may be 0, and then
 * pointers may be null and views are not looked at.
 *
 * The same bytes and bits on every CPU, under the conditions of codec.h. A function that returns an error
 * has written nothing. Any number of threads may call every function at once.
 *
 * Sources. Cayley vectors are also known as modified Rodrigues parameters (Wiener 1962). The codes are our
 * own; docs/relative.md defines every bit and has their errors. */
#ifndef QUATSIMD_RELATIVE_H
#define QUATSIMD_RELATIVE_H

#include "codec.h"
#include "rotation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Formats of codes, with the bits of the components x, y, z behind each. Values are never renumbered. */
typedef enum quatsimd_relative_format {
  QUATSIMD_RELATIVE_CAYLEY24 = 1, /* 8, 8, 8 */
  QUATSIMD_RELATIVE_CAYLEY32 = 2, /* 11, 11, 10 */
  QUATSIMD_RELATIVE_CAYLEY48 = 3, /* 16, 16, 16 */
  QUATSIMD_RELATIVE_EXPMAP24 = 4, /* 8, 8, 8, by the exponential map */
  QUATSIMD_RELATIVE_EXPMAP32 = 5, /* 11, 11, 10, by the exponential map */
  QUATSIMD_RELATIVE_EXPMAP48 = 6  /* 16, 16, 16, by the exponential map */
} quatsimd_relative_format;

/* Bytes of count codes, 3, 4 or 6 each. 0 if there is no such format or the size does not fit a size_t. */
QUATSIMD_API size_t quatsimd_relative_size(quatsimd_relative_format format, size_t count);

/* Packs count rotations `value` relative to `base` into the first quatsimd_relative_size(format, count)
 * bytes of `packed`. largest_angle, in radians, 1e-6 to pi, is the range. Components reach from -limit to
 * +limit, where limit is tan(largest_angle / 4) for Cayley vectors and largest_angle for rotation vectors.
 * The error of a component is at most half a quantum. A value that is the same rotation as its base has
 * code 0 and comes back as the base, normalised. About a diagonal axis rotations of up to sqrt(3) times the
 * range fit, because each component has the range by itself.
 *
 * A rotation with a component beyond the range is packed with its axis and as much of its angle as fits.
 * Where base or value is invalid (with a NaN or an infinity, or of another length) the code is 0. `beyond`,
 * which may be null, gets (count + 7) / 8 bytes. Bit i % 8 of byte i / 8 is 1 for each of these elements
 * and 0 for all others. Send these in an absolute format.
 *
 * Returns QUATSIMD_OK; QUATSIMD_WARNING_REPLACED_INVALID if some were invalid, else
 * QUATSIMD_WARNING_SATURATED if some were beyond the range; QUATSIMD_ERROR_BAD_FORMAT if there is no such
 * format; QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, another largest_angle, a view that breaks a rule
 * of view.h or overlap as above; QUATSIMD_ERROR_SHORT_BUFFER if packed_size is less than
 * quatsimd_relative_size says. */
QUATSIMD_API quatsimd_status quatsimd_relative_pack(quatsimd_relative_format format, float largest_angle,
                                                    void *packed, size_t packed_size, unsigned char *beyond,
                                                    quatsimd_in base, quatsimd_in value, size_t count);
/* Unpacks count codes: out = R base, of length 1, where R is the difference that the code says. format and
 * largest_angle (radians) are those of quatsimd_relative_pack. Any bytes give a rotation. An invalid base
 * counts as the identity. Returns QUATSIMD_OK; QUATSIMD_ERROR_BAD_FORMAT if there is no such format;
 * QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, another largest_angle, a view that breaks a rule of
 * view.h or overlap as above; QUATSIMD_ERROR_SHORT_BUFFER if packed_size is less than
 * quatsimd_relative_size says. */
QUATSIMD_API quatsimd_status quatsimd_relative_unpack(quatsimd_relative_format format, float largest_angle,
                                                      quatsimd_out out, quatsimd_in base, const void *packed,
                                                      size_t packed_size, size_t count);

#ifdef __cplusplus
}
#endif

#endif
