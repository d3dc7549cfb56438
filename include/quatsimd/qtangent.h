/* QTangents: the tangent frames of vertices as quaternions (Frey and Herzeg 2011).
 *
 * Axes. A QTangent q rotates the axis x to the tangent, z to the normal, and y to the bitangent or its
 * opposite. The columns of its matrix are the images of x, y and z. A quaternion cannot mirror, but texture
 * coordinates can. The handedness, 1 or -1, is a scalar beside the quaternion:
 *   tangent = q x,  normal = q z,  bitangent = handedness * q y = handedness * cross(normal, tangent)
 * This is glTF's convention, in which the handedness is tangent.w. Functions that read a handedness use its
 * sign alone; 0 and NaN count as positive.
 *
 * Arguments. A quaternion is four floats x, y, z, w, a vector three, a handedness one. Arrays of floats are
 * views (view.h), and view.h says which overlap is allowed. Packed words need no alignment and must not
 * overlap any view. If count is 0, pointers may be null and views are not read.
 *
 * Errors. A function that fails has written nothing. Every function returns QUATSIMD_ERROR_BAD_ARGUMENT for a
 * null pointer, a view that breaks a rule of view.h, and packed words that begin at the address of a view.
 * Each function names its other results.
 *
 * Results have the same bits on every CPU. Where a CPU flushes denormal numbers, components of input vectors
 * below 1.2e-38 may count as 0, and results below 1.2e-38 may become 0. Vectors that are converted then
 * change components of their quaternion by less than 1e-23. quatsimd_qtangent_pack and
 * quatsimd_qtangent_unpack do not change. Every function may be called from any number of threads at once.
 *
 * docs/qtangent.md: pipeline and shaders, errors, costs. */
#ifndef QUATSIMD_QTANGENT_H
#define QUATSIMD_QTANGENT_H

#include "status.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- conversion from vectors and back ---- */

/* Converts normals, tangents and bitangents to QTangents and handedness. The vectors may have any length from
 * 2^-32 to 2^32. The normal keeps its direction, within 4e-7 radians. The tangent loses its part along the
 * normal (Gram-Schmidt). Its direction is then exact within 4e-7 radians divided by the sine of the angle
 * between normal and tangent. The bitangent determines only the handedness. The largest component of each
 * quaternion is positive.
 *
 * A vector is unusable if it has a NaN or a length outside that range. A tangent is also unusable if it is
 * parallel to the normal within 2^-16 radians, and a bitangent if it is within 2^-16 radians of the plane of
 * normal and tangent. An unusable normal is replaced by z, an unusable tangent by some vector at right angles
 * to the normal, the handedness of an unusable bitangent by 1.
 *
 * Returns QUATSIMD_OK, or QUATSIMD_WARNING_REPLACED_INVALID if something was replaced. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_from_tbn(quatsimd_out q, quatsimd_out handedness,
                                                        quatsimd_in normal, quatsimd_in tangent,
                                                        quatsimd_in bitangent, size_t count);
/* Converts normals and tangents to QTangents, for callers that keep the handedness themselves. The
 * quaternions are those of quatsimd_qtangent_from_tbn. Unusable vectors are replaced in the same way. Returns
 * QUATSIMD_OK, or QUATSIMD_WARNING_REPLACED_INVALID if a vector was replaced.
 *
 * glTF's tangents are x, y, z, handedness. If t is an array of them, four floats each, the tangents are
 * quatsimd_strided(t, 16) and the handedness is quatsimd_strided(t + 3, 16). Do not write q to t: it would
 * overwrite the handedness. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_from_tangents(quatsimd_out q, quatsimd_in normal,
                                                             quatsimd_in tangent, size_t count);
/* Converts QTangents and handedness to unit vectors: normal = q z, tangent = q x,
 * bitangent = handedness * q y. Quaternions must have length 1 within 1e-4. A quaternion with a NaN or an
 * infinity gives NaN. Returns QUATSIMD_OK. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_to_tbn(quatsimd_out normal, quatsimd_out tangent,
                                                      quatsimd_out bitangent, quatsimd_in q,
                                                      quatsimd_in handedness, size_t count);

/* ---- packed words ---- Their format is vertex32 (docs/codec.md): 4 bytes each, the handedness in bit 31.
 * The functions that pack return QUATSIMD_ERROR_SHORT_BUFFER if packed_size is less than 4 * count. */

/* Packs count QTangents and their handedness as 4 * count bytes. Quaternions may have any length from 2^-32
 * to 2^32. The sign of a quaternion is kept, because aligned neighbours are interpolated. A quaternion is
 * invalid if a component is NaN or infinite, or if its length is outside that range. An invalid quaternion is
 * packed as the identity. Returns QUATSIMD_OK, or QUATSIMD_WARNING_REPLACED_INVALID if a quaternion was
 * invalid. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_pack(void *packed, size_t packed_size, quatsimd_in q,
                                                    quatsimd_in handedness, size_t count);
/* Unpacks count words to unit quaternions and their handedness, 1 or -1. Any bytes are valid words. Returns
 * QUATSIMD_OK, or QUATSIMD_ERROR_SHORT_BUFFER if packed_size is less than 4 * count. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_unpack(quatsimd_out q, quatsimd_out handedness,
                                                      const void *packed, size_t packed_size, size_t count);
/* Packs normals, tangents and bitangents as 4 * count bytes: quatsimd_qtangent_from_tbn and
 * quatsimd_qtangent_pack in one call, with the results and errors of both. Signs are not aligned with those
 * of neighbours. Use it for shaders that interpolate vectors, not quaternions. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_pack_tbn(void *packed, size_t packed_size, quatsimd_in normal,
                                                        quatsimd_in tangent, quatsimd_in bitangent,
                                                        size_t count);
/* Packs normals, tangents and handedness as 4 * count bytes: quatsimd_qtangent_from_tangents and
 * quatsimd_qtangent_pack in one call, with the results and errors of both. Signs are not aligned with those
 * of neighbours. Use it for shaders that interpolate vectors, not quaternions. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_pack_tangents(void *packed, size_t packed_size,
                                                             quatsimd_in normal, quatsimd_in tangent,
                                                             quatsimd_in handedness, size_t count);

/* ---- alignment ---- q and -q are the same rotation, but interpolation between two quaternions whose dot
 * product is negative takes the longer way. */

/* The bytes of scratch memory that quatsimd_qtangent_align_mesh needs for count vertices and index_count
 * indices: 12 * count + 4 * index_count + 8. Returns 0 if the mesh is too large: more than 2^31 vertices or
 * indices, or more bytes than a size_t holds. */
QUATSIMD_API size_t quatsimd_qtangent_align_scratch_size(size_t count, size_t index_count);
/* Aligns the QTangents of a mesh in place: chooses their signs so that the two ends of an edge have a
 * positive dot product. It follows a tree of edges through each connected part, whose first vertex keeps
 * its sign (Kravchenko, "Quaternions in MMO engines", algorithm 1.1). An edge whose dot product is 0 or
 * NaN connects nothing. The time is linear in the size of the mesh, and there is no recursion.
 *
 * q has count quaternions. indices has index_count numbers of vertices, three for each triangle. Each has
 * index_size = 2 or 4 bytes and needs no alignment. Triangles may be degenerate, and vertices may be
 * unused. Leave out triangles whose corners differ in handedness: they would spread wrong signs
 * (docs/qtangent.md). If index_count is 0, indices and scratch are not read.
 *
 * scratch has scratch_size bytes, at least quatsimd_qtangent_align_scratch_size(count, index_count). It
 * must be aligned to 4 bytes and must not overlap anything. Its contents do not matter.
 *
 * *unaligned receives the number of edges whose dot product is still negative. Each pair of vertices
 * counts once. The number is 0 if some choice of signs aligns all edges. A closed cylinder without a seam
 * has no such choice. unaligned may be null.
 *
 * Returns QUATSIMD_OK. Returns QUATSIMD_ERROR_BAD_ARGUMENT also for an index that is not below count, an
 * index_count that is not a multiple of 3, index_size other than 2 and 4, scratch that is not aligned,
 * and a mesh that is too large. Returns QUATSIMD_ERROR_SHORT_BUFFER if scratch_size is too small. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_align_mesh(quatsimd_out q, size_t count, const void *indices,
                                                          int index_size, size_t index_count, void *scratch,
                                                          size_t scratch_size, size_t *unaligned);
/* Aligns the QTangents of a morph target with those of its base, in place: chooses the sign of each
 * quaternion of q so that its dot product with that of the base is not negative. A quaternion with a NaN is
 * unchanged. If the target turns neighbouring vertices in nearly the same way, its triangles are then as well
 * aligned as those of the base. Returns QUATSIMD_OK. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_align_morph(quatsimd_out q, quatsimd_in base, size_t count);

#ifdef __cplusplus
}
#endif

#endif
