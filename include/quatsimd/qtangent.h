/* QTangents: the tangent frames of vertices as quaternions (Frey and Herzeg 2011).
 *
 * Axes. A QTangent turns the axes x, y, z into tangent, bitangent and normal, so that those are the columns
 * of its matrix. A quaternion cannot mirror. Where texture coordinates run the other way the bitangent is
 * the opposite one. The handedness says so, a scalar beside the quaternion, 1 or -1:
 *   tangent = q x,  normal = q z,  bitangent = handedness * q y = handedness * cross(normal, tangent)
 * This is glTF's convention, with the handedness in tangent.w. Where a function reads a handedness only its
 * sign counts; 0 and NaN are positive.
 *
 * Shapes. A quaternion is four floats x, y, z, w, a vector three, a handedness one. Each argument is a view
 * (view.h), which says where its elements are. Quaternions must be unit quaternions, of length 1 within 1e-4,
 * but where they are packed: there any length from 2^-32 to 2^32 will do.
 *
 * Buffers. All are the caller's. An output may have the memory of an input if each element has the same
 * bytes in both views. Other overlap of more than one element is not allowed; it is refused where both views
 * begin at one address. Packed words need no alignment and must not overlap anything; they are refused where
 * they begin at one address with a view. count may be 0, and then pointers may be null and views are not
 * looked at.
 *
 * Errors. Every function returns QUATSIMD_ERROR_BAD_ARGUMENT for a null pointer, a view that breaks a rule of
 * view.h and overlap as above, and has written nothing then. Each function names its other results.
 *
 * The same bits on every CPU. Any number of threads may call every function at once. */
#ifndef QUATSIMD_QTANGENT_H
#define QUATSIMD_QTANGENT_H

#include "status.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- from the axes of vertices, and back ---- */

/* Makes QTangents and their handedness of normals, tangents and bitangents, vectors of any length from
 * 2^-32 to 2^32. The normal keeps its direction. The tangent loses its part along the normal (Gram and
 * Schmidt): its direction is off by 2e-7 radians, divided by the sine of the angle between normal and
 * tangent. The bitangent gives the handedness alone. The largest component of a quaternion is positive.
 *
 * A vector cannot be used if it has a NaN or another length, if the tangent is parallel to the normal
 * within 2^-16 radians, or if the bitangent is as near to the plane of normal and tangent. In its place the
 * normal is z, the tangent is some vector across the normal, and the handedness is 1. Then the call returns
 * QUATSIMD_WARNING_REPLACED_INVALID, else QUATSIMD_OK. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_from_tbn(quatsimd_out q, quatsimd_out handedness,
                                                        quatsimd_in normal, quatsimd_in tangent,
                                                        quatsimd_in bitangent, size_t count);
/* Makes QTangents of normals and tangents, vectors of any length from 2^-32 to 2^32, where the caller keeps
 * the handedness. The normal keeps its direction, the tangent loses its part along the normal, and the
 * largest component of a quaternion is positive. Vectors that cannot be used are replaced as
 * quatsimd_qtangent_from_tbn replaces them, and then the call returns QUATSIMD_WARNING_REPLACED_INVALID,
 * else QUATSIMD_OK.
 *
 * glTF's tangents are x, y, z, handedness. With those in an array `t` of four floats each, tangent is
 * quatsimd_strided(t, 16) and the handedness is quatsimd_strided(t + 3, 16). q must not be in place of `t`,
 * since it would overwrite the handedness. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_from_tangents(quatsimd_out q, quatsimd_in normal,
                                                             quatsimd_in tangent, size_t count);
/* Makes the unit vectors of QTangents: normal = q z, tangent = q x, bitangent = handedness * q y. Returns
 * QUATSIMD_OK. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_to_tbn(quatsimd_out normal, quatsimd_out tangent,
                                                      quatsimd_out bitangent, quatsimd_in q,
                                                      quatsimd_in handedness, size_t count);

/* Packs count QTangents as words of the format vertex32 (docs/codec.md) with the handedness in bit 31, 4 *
 * count bytes. The sign of a quaternion is kept, since aligned neighbours interpolate. A quaternion is
 * invalid if a component is NaN or infinite or if its length is outside [2^-32, 2^32]. An invalid one is
 * packed as the identity, and then the call returns QUATSIMD_WARNING_REPLACED_INVALID, else QUATSIMD_OK. It
 * returns QUATSIMD_ERROR_SHORT_BUFFER and has written nothing if packed_size is less than 4 * count. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_pack(void *packed, size_t packed_size, quatsimd_in q,
                                                    quatsimd_in handedness, size_t count);
/* Unpacks count words of vertex32, 4 * count bytes, to unit quaternions and their handedness, 1 or -1. Any
 * words are QTangents. Returns QUATSIMD_OK, or QUATSIMD_ERROR_SHORT_BUFFER and has written nothing if
 * packed_size is less than 4 * count. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_unpack(quatsimd_out q, quatsimd_out handedness,
                                                      const void *packed, size_t packed_size, size_t count);
/* Packs normals, tangents and bitangents as words of vertex32: quatsimd_qtangent_from_tbn and
 * quatsimd_qtangent_pack in one call, with the results and errors of both. Signs are not aligned with those
 * of neighbours: for shaders that interpolate vectors, not quaternions. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_pack_tbn(void *packed, size_t packed_size, quatsimd_in normal,
                                                        quatsimd_in tangent, quatsimd_in bitangent,
                                                        size_t count);
/* Packs normals, tangents and handedness as words of vertex32: quatsimd_qtangent_from_tangents and
 * quatsimd_qtangent_pack in one call, with the results and errors of both. Signs are not aligned with those
 * of neighbours: for shaders that interpolate vectors, not quaternions. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_pack_tangents(void *packed, size_t packed_size,
                                                             quatsimd_in normal, quatsimd_in tangent,
                                                             quatsimd_in handedness, size_t count);

/* ---- alignment: q and -q are one rotation, but interpolation between q and -q goes the long way ---- */

/* Bytes of scratch memory that quatsimd_qtangent_align_mesh needs for count vertices and index_count
 * indices: 12 * count + 4 * index_count + 8. 0 if the mesh is too large: more than 2^31 vertices or
 * indices, or more bytes than a size_t can tell. */
QUATSIMD_API size_t quatsimd_qtangent_align_scratch(size_t count, size_t index_count);
/* Aligns the QTangents of a mesh, in place: chooses the signs of quaternions so that the two ends of an
 * edge have a positive dot product. It goes along a tree of edges through each connected part, whose first
 * vertex keeps its sign (Kravchenko, "Quaternions in MMO engines", algorithm 1.1). An edge whose dot
 * product is 0 or NaN connects nothing. Time is linear, and there is no recursion.
 *
 * q has count quaternions. indices are three for each triangle, index_count in all, each of index_bytes = 2
 * or 4 bytes, of any alignment. Triangles may be degenerate, and vertices may be unused. Leave out
 * triangles whose corners differ in handedness: these say nothing about signs and would carry false ones
 * (docs/qtangent.md). scratch is scratch_size bytes of memory, at least
 * quatsimd_qtangent_align_scratch(count, index_count), aligned to 4 bytes and apart from all else. Its
 * contents do not matter. index_count may be 0, and then indices and scratch are not looked at.
 *
 * *unaligned, if not null, gets the number of edges whose dot product is negative all the same, each pair
 * of vertices counted once. It is 0 for sound texture coordinates, but not for a closed cylinder without a
 * seam.
 *
 * Returns QUATSIMD_OK. Returns QUATSIMD_ERROR_BAD_ARGUMENT also for an index that is not below count, an
 * index_count that is no multiple of 3, other index_bytes, scratch that is not aligned and a mesh that is
 * too large, and QUATSIMD_ERROR_SHORT_BUFFER for too little scratch. It has written nothing then. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_align_mesh(quatsimd_out q, size_t count, const void *indices,
                                                          int index_bytes, size_t index_count, void *scratch,
                                                          size_t scratch_size, size_t *unaligned);
/* Aligns the QTangents of a morph target with those of its base, in place: chooses the sign of each
 * quaternion of q so that its dot product with the base's is not negative. One with a NaN stays as it is.
 * Where the target turns neighbours alike, its triangles are then as aligned as the base's. Returns
 * QUATSIMD_OK. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_align_morph(quatsimd_out q, quatsimd_in base, size_t count);

#ifdef __cplusplus
}
#endif

#endif
