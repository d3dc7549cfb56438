/* QTangents: the tangent frames of vertices as quaternions (Frey and Herzeg 2011).
 *
 * Axes. A QTangent turns the axes x, y, z into tangent, bitangent and normal, so that those are the columns
 * of its matrix. Quaternions cannot mirror: where texture coordinates run the other way the bitangent is the
 * opposite one, and that is the QTangent's handedness, 1 or -1:
 *   tangent = q x,  normal = q z,  bitangent = handedness * q y = handedness * cross(normal, tangent)
 * which is glTF's convention with the handedness in tangent.w. Where a handedness is read only its sign
 * counts, 0 and NaN being positive.
 *
 * Arguments, aliasing, errors, threads and "the same bits everywhere" are as in rotation.h, and
 * quaternions must be unit ones as there. Additional errors have their place at each function. */
#ifndef QUATSIMD_QTANGENT_H
#define QUATSIMD_QTANGENT_H

#include "status.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- from the axes of vertices, and back ---- */

/* Make QTangents and their handedness of normals, tangents and bitangents of any lengths from 2^-32 to
 * 2^32. Normals keep their direction, tangents lose what is along the normal (Gram and
 * Schmidt; the direction of what is left is off by 2e-7 radians over the sine of the angle between the
 * two), bitangents give the handedness alone. The largest component of a quaternion is positive. What has
 * no length, is parallel (within 2^-16 radians, or a bitangent as near to the plane of the others) or no
 * number is replaced: normals by z, tangents by some vector across the normal, handedness by 1; then the
 * result is QUATSIMD_WARNING_REPLACED_INVALID. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_from_tbn(quatsimd_out q, quatsimd_out handedness,
                                                        quatsimd_in normal, quatsimd_in tangent,
                                                        quatsimd_in bitangent, size_t count);
/* The same where handedness is known and stays with the caller, as in glTF's tangents: x, y, z,
 * handedness. With those in an array `t` of four floats each, tangent is quatsimd_strided(t, 16) and
 * handedness quatsimd_strided(t + 3, 16); q in place of `t` would overwrite it. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_from_tangents(quatsimd_out q, quatsimd_in normal,
                                                             quatsimd_in tangent, size_t count);
/* And back: the unit vectors of QTangents. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_to_tbn(quatsimd_out normal, quatsimd_out tangent,
                                                      quatsimd_out bitangent, quatsimd_in q,
                                                      quatsimd_in handedness, size_t count);

/* Pack `count` QTangents as words of vertex32 with their handedness in bit 31, 4 * count bytes; the rest as
 * quatsimd_pack does it (docs/codec.md). QUATSIMD_ERROR_SHORT_BUFFER, and nothing done,
 * if packed_size is less. The signs of quaternions are kept, since aligned neighbours interpolate.
 * `packed` must not overlap anything else. Where a quaternion is invalid (see codec.h) the result is
 * QUATSIMD_WARNING_REPLACED_INVALID. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_pack(void *packed, size_t packed_size, quatsimd_in q,
                                                    quatsimd_in handedness, size_t count);
/* Unpack what qtangent_pack and the others packed: any words are QTangents. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_unpack(quatsimd_out q, quatsimd_out handedness,
                                                      const void *packed, size_t packed_size, size_t count);
/* from_tbn and pack, in one, or from_tangents and pack; errors as of both. Neighbours are not aligned
 * then. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_pack_tbn(void *packed, size_t packed_size, quatsimd_in normal,
                                                        quatsimd_in tangent, quatsimd_in bitangent,
                                                        size_t count);
QUATSIMD_API quatsimd_status quatsimd_qtangent_pack_tangents(void *packed, size_t packed_size,
                                                             quatsimd_in normal, quatsimd_in tangent,
                                                             quatsimd_in handedness, size_t count);

/* ---- alignment: q and -q are one rotation, but between q and -q interpolation goes the long way round ---- */

/* Bytes of scratch memory for quatsimd_qtangent_align_mesh, 12 * count + 4 * index_count + 8; 0 if it
 * takes no such mesh: more than 2^31 vertices or indices, or more bytes than a size_t can tell. */
QUATSIMD_API size_t quatsimd_qtangent_align_scratch(size_t count, size_t index_count);
/* Align the vertices of a mesh, in place: signs of their quaternions such that those of the ends of an
 * edge have a positive dot product, along a tree of edges through each connected part; the first vertex of
 * a part keeps its sign. An edge whose dot product is 0 or NaN connects nothing. Linear in time, no
 * recursion. indices: three for each triangle, each of index_bytes = 2 or 4 bytes, of any alignment;
 * triangles may be degenerate, vertices unused. scratch: at least that many bytes, aligned to 4, apart
 * from all else; its contents do not matter. unaligned, if not null: how many edges have a negative dot
 * product all the same, each pair of vertices counted once; none if texture coordinates are sound, but
 * some on a closed cylinder without a seam. Leave out triangles whose corners differ in handedness: they
 * say nothing about signs, and would carry false ones (docs/qtangent.md). index_count may be 0, and then
 * indices and scratch are not looked at. QUATSIMD_ERROR_BAD_ARGUMENT, and nothing done, for an index that
 * is not below count, index_count that is no multiple of 3, other index_bytes, scratch that is not
 * aligned, a mesh that is too large; QUATSIMD_ERROR_SHORT_BUFFER for too little scratch. (Kravchenko,
 * "Quaternions in MMO engines", algorithm 1.1.) */
QUATSIMD_API quatsimd_status quatsimd_qtangent_align_mesh(quatsimd_out q, size_t count, const void *indices,
                                                          int index_bytes, size_t index_count, void *scratch,
                                                          size_t scratch_size, size_t *unaligned);
/* Align a morph target with its base, in place: the sign of each vertex's quaternion such that its dot
 * product with the base's is not negative (one with NaN stays as it is). Where the target turns neighbours
 * alike, its triangles are then as aligned as the base's. */
QUATSIMD_API quatsimd_status quatsimd_qtangent_align_morph(quatsimd_out q, quatsimd_in base, size_t count);

#ifdef __cplusplus
}
#endif

#endif
