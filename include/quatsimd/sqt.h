/* Joint transforms (SQT): rotation, translation and uniform scale, as renderers keep them for joints and
 * instances (Kravchenko, "Quaternions in MMO engines", has those of Skyforge).
 *
 * Shapes. A transform is eight floats: rotation q as x, y, z, w, translation t as x, y, z, uniform scale s.
 * It takes the point p to q (s p) q^-1 + t. Points and vectors are three floats. Rotations must have length 1
 * within 1e-4.
 *
 * Arguments. Arrays of floats are views (view.h) of count elements, unless a function takes pointers. Views
 * of transforms cannot be soa or w-first. Packed bytes need no alignment and must not overlap any view. If
 * count is 0, pointers may be null and views are not read.
 *
 * Results. They have the same bits on every CPU. Errors are at most 3e-7 radians for rotations,
 * 4e-7 (|s p| + |t|) for points, 4e-7 |s v| for vectors and 4e-7 s for elements of matrices. NaN, infinity
 * and flush-to-zero modes have the effects that rotation.h describes.
 *
 * Errors. Every function returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a view that
 * breaks a rule of view.h, and packed bytes that begin at the address of a view. Each function names its
 * other errors. A function that fails has written nothing. Every function may be called from any number of
 * threads at once.
 *
 * docs/sqt.md: formulas, errors, costs. */
#ifndef QUATSIMD_SQT_H
#define QUATSIMD_SQT_H

#include "status.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Composes transforms: out takes the point p to a (b p), so b is applied first. The rotation of out is
 * normalised. */
QUATSIMD_API quatsimd_status quatsimd_sqt_compose(quatsimd_out out, quatsimd_in a, quatsimd_in b,
                                                  size_t count);
/* Inverts transforms. A scale of 0 gives infinities or NaN. */
QUATSIMD_API quatsimd_status quatsimd_sqt_invert(quatsimd_out out, quatsimd_in sqt, size_t count);
/* Transforms points: out = q (s p) q^-1 + t. */
QUATSIMD_API quatsimd_status quatsimd_sqt_transform_points(quatsimd_out out, quatsimd_in sqt,
                                                           quatsimd_in points, size_t count);
/* Transforms vectors, to which the translation is not applied: out = q (s v) q^-1. */
QUATSIMD_API quatsimd_status quatsimd_sqt_transform_vectors(quatsimd_out out, quatsimd_in sqt,
                                                            quatsimd_in vectors, size_t count);
/* Converts transforms to matrices of twelve floats: three rows of four, with the translation last in each
 * row, so that a shader multiplies each row by (x, y, z, 1). The matrices cannot be soa. */
QUATSIMD_API quatsimd_status quatsimd_sqt_to_matrix3x4(quatsimd_out matrix, quatsimd_in sqt, size_t count);
/* Packs count transforms as 16 * count bytes: eight halves each (IEEE binary16, low byte first), in the order
 * of the floats. Any floats are packed, rounded as quatsimd_half_from_float rounds them. Translations and
 * scales keep 11 significant bits if their magnitude is 2^-14 to 65504. A magnitude of 65520 or more becomes
 * infinite. Returns QUATSIMD_ERROR_SHORT_BUFFER if packed_size is less than 16 * count. */
QUATSIMD_API quatsimd_status quatsimd_sqt_pack(void *packed, size_t packed_size, quatsimd_in sqt,
                                               size_t count);
/* Unpacks count transforms from the 16 * count bytes of quatsimd_sqt_pack. The rotation is normalised,
 * because the halves of a unit quaternion have length 1 within 1e-3 only. An invalid rotation (zero, or with
 * a NaN or an infinity) becomes the identity, and the call still returns QUATSIMD_OK. Translation and scale
 * are unpacked as they are, infinities and NaN included. Returns QUATSIMD_ERROR_SHORT_BUFFER if packed_size
 * is less than 16 * count. */
QUATSIMD_API quatsimd_status quatsimd_sqt_unpack(quatsimd_out sqt, const void *packed, size_t packed_size,
                                                 size_t count);

/* Skins vertices: out is the sum, over the joints of a vertex, of weight * (q (s p) q^-1 + t). Points are
 * blended, not quaternions, because q and -q are the same rotation but give different blends.
 *
 * points and out are views of count points. joints is an array of joint_count transforms, eight floats each.
 * joint_indices and weights have influence_count elements for each vertex, one vertex directly after the
 * other. These three are pointers and must not overlap out. The weights of a vertex should sum to 1. They are
 * not normalised.
 *
 * Returns QUATSIMD_ERROR_BAD_ARGUMENT also for an index that is not below joint_count, for an influence_count
 * below 1, and if count * influence_count exceeds SIZE_MAX. */
QUATSIMD_API quatsimd_status quatsimd_sqt_skin(quatsimd_out out, quatsimd_in points, const float *joints,
                                               size_t joint_count, const uint16_t *joint_indices,
                                               const float *weights, int influence_count, size_t count);

#ifdef __cplusplus
}
#endif

#endif
