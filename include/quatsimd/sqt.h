/* Joint transforms (SQT): rotation, translation and uniform scale, as a renderer keeps them for joints and
 * instances (Kravchenko, "Quaternions in MMO engines", has those of Skyforge).
 *
 * Shapes. A transform is eight floats: rotation x, y, z, w, translation x, y, z, uniform scale s. It takes
 * the point p to q (s p) q^-1 + t. Points and vectors are three floats. Each argument is a view (view.h),
 * which says where its elements are. A view of transforms is aos, strided, blocks or, for input, one. It is
 * never soa, which has four arrays at most, and never w-first. Rotations must be unit quaternions, of length
 * 1 within 1e-4.
 *
 * Buffers. All are the caller's. An output may have the memory of an input if each element has the same
 * bytes in both views. Other overlap of more than one element is not allowed; it is refused where both views
 * begin at one address. Packed bytes need no alignment and must not overlap anything; they are refused where
 * they begin at one address with a view. count may be 0, and then pointers may be null and views are not
 * looked at.
 *
 * Errors. Every function returns QUATSIMD_OK, or QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a view that
 * breaks a rule of view.h and overlap as above. Each function names its other errors. A function that fails
 * has written nothing.
 *
 * Accuracy. Rotations are within 3e-7 radians; points and vectors within 4e-7 of the length of s v, and of t
 * where it is added; elements of matrices within 4e-7 s.
 *
 * The same bits on every CPU. NaN, infinity and flush-to-zero are as in rotation.h. Any number of threads
 * may call every function at once. */
#ifndef QUATSIMD_SQT_H
#define QUATSIMD_SQT_H

#include "status.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Composes two transforms: out takes the point p to a (b p), b first, then a. Its rotation is normalised. */
QUATSIMD_API quatsimd_status quatsimd_sqt_compose(quatsimd_out out, quatsimd_in a, quatsimd_in b,
                                                  size_t count);
/* Inverts transforms. The result has infinities or NaN where the scale is 0. */
QUATSIMD_API quatsimd_status quatsimd_sqt_invert(quatsimd_out out, quatsimd_in sqt, size_t count);
/* Transforms points: q (s p) q^-1 + t. */
QUATSIMD_API quatsimd_status quatsimd_sqt_transform_points(quatsimd_out out, quatsimd_in sqt,
                                                           quatsimd_in points, size_t count);
/* Transforms vectors, which do not move with the translation: q (s v) q^-1. */
QUATSIMD_API quatsimd_status quatsimd_sqt_transform_vectors(quatsimd_out out, quatsimd_in sqt,
                                                            quatsimd_in vectors, size_t count);
/* Makes matrices of transforms, twelve floats each: three rows of four, the translation last in each row,
 * as shaders multiply them with (x, y, z, 1). */
QUATSIMD_API quatsimd_status quatsimd_sqt_to_matrix3x4(quatsimd_out matrix, quatsimd_in sqt, size_t count);
/* Packs count transforms as eight halves each (IEEE binary16, low byte first), 16 * count bytes, in the
 * order of the floats. Any floats are packed as quatsimd_half_from_float rounds them. Components of
 * translations keep 11 significant bits, and beyond 65504 they become infinite. QUATSIMD_ERROR_SHORT_BUFFER
 * if packed_size is less than 16 * count. */
QUATSIMD_API quatsimd_status quatsimd_sqt_pack(void *packed, size_t packed_size, quatsimd_in sqt,
                                               size_t count);
/* Unpacks count transforms that quatsimd_sqt_pack packed, 16 * count bytes. The rotation is normalised,
 * since the halves of a unit quaternion have the length 1 within 1e-3 only. An invalid rotation (with a NaN
 * or an infinity, or zero) becomes the identity, and the call returns QUATSIMD_OK.
 * QUATSIMD_ERROR_SHORT_BUFFER if packed_size is less than 16 * count. */
QUATSIMD_API quatsimd_status quatsimd_sqt_unpack(quatsimd_out sqt, const void *packed, size_t packed_size,
                                                 size_t count);

/* Skins vertices: a vertex's point goes to the sum, over its `influences` joints, of weight * (q (s p) q^-1
 * + t). joints are joint_count transforms, one behind the other. joint_indices and weights have `influences`
 * elements for each vertex, one vertex behind the other, without gaps. The weights of a vertex should sum
 * up to 1; they are not normalised. These three are pointers, not views, since joints are read by index and
 * indices are no floats; they must not overlap out. Points are blended, not quaternions, because q and -q
 * are one rotation but blend to others. QUATSIMD_ERROR_BAD_ARGUMENT also for an index that is not below
 * joint_count, for influences below 1, and for more indices than a size_t can count. */
QUATSIMD_API quatsimd_status quatsimd_sqt_skin(quatsimd_out out, quatsimd_in points, const float *joints,
                                               size_t joint_count, const uint16_t *joint_indices,
                                               const float *weights, int influences, size_t count);

#ifdef __cplusplus
}
#endif

#endif
