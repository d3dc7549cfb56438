/* Bone transforms (SQT): rotation, translation and uniform scale, as a renderer keeps them for bones and
 * instances.
 *
 * A transform is eight floats: rotation x, y, z, w, translation x, y, z, uniform scale s. It takes the point
 * p to q (s p) q^-1 + t. (Bone textures and instances as in Skyforge: Kravchenko, "Quaternions in MMO
 * engines".)
 *
 * A view of transforms (view.h) is aos, strided, blocks or, for input, one. It is never soa, which has four
 * arrays at most, and never w-first: a transform's rotation is x, y, z, w.
 *
 * Arguments, aliasing, errors, threads and "the same bits everywhere" are as in rotation.h, and
 * quaternions must be unit ones as there. Additional errors have their place at each function. */
#ifndef QUATSIMD_SQT_H
#define QUATSIMD_SQT_H

#include "status.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Two transforms as one, a after b: takes p to a (b p). The rotation is normalised. */
QUATSIMD_API quatsimd_status quatsimd_sqt_compose(quatsimd_out out, quatsimd_in a, quatsimd_in b,
                                                  size_t count);
/* The inverse transform; with infinity or NaN if s is 0. */
QUATSIMD_API quatsimd_status quatsimd_sqt_invert(quatsimd_out out, quatsimd_in sqt, size_t count);
/* Points transformed: q (s p) q^-1 + t. */
QUATSIMD_API quatsimd_status quatsimd_sqt_transform_points(quatsimd_out out, quatsimd_in sqt,
                                                           quatsimd_in points, size_t count);
/* Vectors transformed: q (s v) q^-1. */
QUATSIMD_API quatsimd_status quatsimd_sqt_transform_vectors(quatsimd_out out, quatsimd_in sqt,
                                                            quatsimd_in vectors, size_t count);
/* To matrices of twelve floats: three rows of four, the translation last in each, as shaders multiply them
 * with (x, y, z, 1). */
QUATSIMD_API quatsimd_status quatsimd_sqt_to_matrix3x4(quatsimd_out matrix, quatsimd_in sqt, size_t count);
/* Pack as eight halves each, 16 * count bytes, in the same order, whatever the floats are. Translations
 * have 11 bits and end at 65504. QUATSIMD_ERROR_SHORT_BUFFER, and nothing done, if packed_size is less. */
QUATSIMD_API quatsimd_status quatsimd_sqt_pack(void *packed, size_t packed_size, quatsimd_in sqt,
                                               size_t count);
/* Unpacks transforms that quatsimd_sqt_pack packed. The rotation is normalised, since halves of a unit
 * quaternion have length 1 within 1e-3 only. An invalid rotation becomes the identity, and the call returns
 * QUATSIMD_OK. QUATSIMD_ERROR_SHORT_BUFFER, and nothing done, if packed_size is less than 16 * count. */
QUATSIMD_API quatsimd_status quatsimd_sqt_unpack(quatsimd_out sqt, const void *packed, size_t packed_size,
                                                 size_t count);

/* Skinning: out = the sum over a vertex's `influences` bones of weight * (bone's sqt applied to the
 * point). Blending the positions is right; blending quaternions first is not, as q and -q are one rotation
 * but their means are others. bones: aos, bone_count of them. bone_indices and weights: `influences` of
 * each vertex, one behind the other, nothing between; weights should sum up to 1.
 * QUATSIMD_ERROR_BAD_ARGUMENT, and nothing done, for an index that is not below bone_count or influences
 * of less than 1. */
QUATSIMD_API quatsimd_status quatsimd_sqt_skin(quatsimd_out out, quatsimd_in points, const float *bones,
                                               size_t bone_count, const uint16_t *bone_indices,
                                               const float *weights, int influences, size_t count);

#ifdef __cplusplus
}
#endif

#endif
