/* Rotations relative to others that both sides know: small in most cases, so fewer bits say them.
 *
 * Arrays of fixed-width codes: the caller has the bases. Streams, which keep the bases themselves, are in
 * stream.h.
 *
 * Arrays, buffers, bits, threads as in rotation.h and codec.h, and quaternions of any length as in the
 * latter: the same bytes on every CPU. docs/relative.md has the exact formats and what they cost. Each
 * function names its errors; where one is returned nothing was written.
 *
 * R = value base^-1 is coded by its Cayley vector, axis * tan(angle / 4), or by its rotation vector, axis *
 * angle (the exponential map). Near no rotation they are the same but for a factor of 4.
 *
 * Sources. Cayley vectors are also known as modified Rodrigues parameters (Wiener 1962); the codes are
 * our own, and docs/relative.md defines them. */
#ifndef QUATSIMD_RELATIVE_H
#define QUATSIMD_RELATIVE_H

#include "codec.h"
#include "rotation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- arrays ---- */

/* Formats of codes: bits of the components x, y, z behind each. Values are never renumbered. */
typedef enum quatsimd_relative_format {
  QUATSIMD_RELATIVE_CAYLEY24 = 1, /* 8, 8, 8 */
  QUATSIMD_RELATIVE_CAYLEY32 = 2, /* 11, 11, 10 */
  QUATSIMD_RELATIVE_CAYLEY48 = 3, /* 16, 16, 16 */
  QUATSIMD_RELATIVE_EXPMAP24 = 4, /* 8, 8, 8, by the exponential map */
  QUATSIMD_RELATIVE_EXPMAP32 = 5, /* 11, 11, 10, likewise */
  QUATSIMD_RELATIVE_EXPMAP48 = 6  /* 16, 16, 16, likewise */
} quatsimd_relative_format;

/* Bytes of count codes: 3, 4 or 6 each; 0 if the format is unknown or the size does not fit a size_t. */
QUATSIMD_API size_t quatsimd_relative_size(quatsimd_relative_format format, size_t count);

/* Pack value relative to base. largest_angle, radians, from 1e-6 to pi, is the range: components reach from
 * -tan(largest_angle / 4) to +tan(largest_angle / 4), or from -largest_angle to +largest_angle. No rotation
 * is exactly code 0, and comes back as base, normalised. The worst error of one within the range is half a
 * quantum in each component: docs/relative.md.
 *
 * A single component may be as large as the range, so that about a diagonal axis larger angles fit, up to
 * sqrt(3) times as much. A rotation with a component beyond the range is packed with its axis and as much of
 * its angle as fits; where base or value is invalid (see codec.h) no rotation is packed. beyond, which may be
 * null, gets (count + 7) / 8 bytes with bit i % 8 of byte i / 8 set for each such element, the others 0: send
 * those in an absolute format.
 *
 * Returns QUATSIMD_OK; QUATSIMD_WARNING_REPLACED_INVALID if some were invalid, else
 * QUATSIMD_WARNING_SATURATED if some were beyond the range; QUATSIMD_ERROR_BAD_FORMAT,
 * QUATSIMD_ERROR_BAD_ARGUMENT or QUATSIMD_ERROR_SHORT_BUFFER. */
QUATSIMD_API quatsimd_status quatsimd_relative_pack(quatsimd_relative_format format, float largest_angle,
                                                    void *packed, size_t packed_size, unsigned char *beyond,
                                                    quatsimd_in base, quatsimd_in value, size_t count);
/* Unpack: out = R base, of length 1. Any bytes give a rotation; where base is invalid it counts as the
 * identity. Returns QUATSIMD_OK; QUATSIMD_ERROR_BAD_FORMAT, QUATSIMD_ERROR_BAD_ARGUMENT or
 * QUATSIMD_ERROR_SHORT_BUFFER. */
QUATSIMD_API quatsimd_status quatsimd_relative_unpack(quatsimd_relative_format format, float largest_angle,
                                                      quatsimd_out out, quatsimd_in base, const void *packed,
                                                      size_t packed_size, size_t count);

#ifdef __cplusplus
}
#endif

#endif
