/* Tangent frames as quaternions, and bone transforms: what a renderer keeps for vertices, instances and bones.
 *
 * Frames. The quaternion of a frame turns the axes x, y, z into tangent, bitangent and normal, so that those are the columns of
 * its matrix. Quaternions cannot mirror: where texture coordinates run the other way the bitangent is the opposite one, and that is
 * the frame's handedness, 1 or -1:
 *   tangent = q x,  normal = q z,  bitangent = handedness * q y = handedness * cross(normal, tangent)
 * which is glTF's convention with the handedness in tangent.w. Where a handedness is read only its sign counts, 0 and NaN being
 * positive.
 *
 * Bone transforms (SQT). Eight floats: rotation x, y, z, w, translation x, y, z, uniform scale s. They take p to
 * q (s p) q^-1 + t. (Bone textures and instances as in Skyforge: Kravchenko, "Quaternions in MMO engines".)
 *
 * Arguments, aliasing, errors, threads and "the same bits everywhere" are as in rotation.h, and quaternions must be unit ones as
 * there. Additional errors have their place at each function. */
#ifndef QUATSIMD_FRAME_H
#define QUATSIMD_FRAME_H

#include "rotation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- frames of vertices ---- */

/* Make the quaternions and handedness of the frames of normals, tangents and bitangents of any lengths from 2^-32 to 2^32.
 * Normals keep their direction, tangents lose what is along the normal (Gram and Schmidt; the direction of what is left is off
 * by 2e-7 radians over the sine of the angle between the two), bitangents give the handedness alone. The largest component of a
 * quaternion is positive. What has no length, is parallel (within 2^-16 radians, or a bitangent as near to the plane of the
 * others) or no number is replaced: normals by z, tangents by some vector across the normal, handedness by 1; then the result is
 * QUATSIMD_REPLACED_INVALID. */
QUATSIMD_API quatsimd_status quatsimd_frame_from_tbn(quatsimd_target q, quatsimd_target handedness, quatsimd_source normal,
                                                     quatsimd_source tangent, quatsimd_source bitangent, size_t count);
/* The same where handedness is known and stays with the caller, as in glTF's tangents: x, y, z, handedness. With those in an array
 * `t` of four floats each, tangent is quatsimd_strided(t, 16) and handedness quatsimd_strided(t + 3, 16); q in place of `t` would
 * overwrite it. */
QUATSIMD_API quatsimd_status quatsimd_frame_from_tangents(quatsimd_target q, quatsimd_source normal, quatsimd_source tangent,
                                                          size_t count);
/* And back: the unit vectors of frames. */
QUATSIMD_API quatsimd_status quatsimd_frame_to_tbn(quatsimd_target normal, quatsimd_target tangent, quatsimd_target bitangent,
                                                   quatsimd_source q, quatsimd_source handedness, size_t count);

/* Pack `count` frames as words of vertex32 with their handedness in bit 31, 4 * count bytes; the rest as quatsimd_pack_aos and
 * the others do it (docs/codec.md). QUATSIMD_SHORT_BUFFER, and nothing done, if packed_size is less. The signs of quaternions
 * are kept, since aligned neighbours interpolate. `packed` must not overlap anything else. Where a quaternion is invalid (see
 * codec.h) the result is QUATSIMD_REPLACED_INVALID. */
QUATSIMD_API quatsimd_status quatsimd_frame_pack(void *packed, size_t packed_size, quatsimd_source q, quatsimd_source handedness,
                                                 size_t count);
/* Unpack what frame_pack and the others packed: any words are frames. */
QUATSIMD_API quatsimd_status quatsimd_frame_unpack(quatsimd_target q, quatsimd_target handedness, const void *packed,
                                                   size_t packed_size, size_t count);
/* from_tbn and pack, in one, or from_tangents and pack; errors as of both. Neighbours are not aligned then. */
QUATSIMD_API quatsimd_status quatsimd_frame_pack_tbn(void *packed, size_t packed_size, quatsimd_source normal,
                                                     quatsimd_source tangent, quatsimd_source bitangent, size_t count);
QUATSIMD_API quatsimd_status quatsimd_frame_pack_tangents(void *packed, size_t packed_size, quatsimd_source normal,
                                                          quatsimd_source tangent, quatsimd_source handedness, size_t count);

/* ---- alignment: q and -q are one frame, but between q and -q interpolation goes the long way round ---- */

/* Bytes of scratch memory for quatsimd_frame_align_mesh, 12 * count + 4 * index_count + 8; 0 if it takes no such mesh: more than 2^31
 * vertices or indices, or more bytes than a size_t can tell. */
QUATSIMD_API size_t quatsimd_frame_align_scratch(size_t count, size_t index_count);
/* Align the vertices of a mesh, in place: signs of their quaternions such that those of the ends of an edge have a positive dot
 * product, along a tree of edges through each connected part; the first vertex of a part keeps its sign. An edge whose dot
 * product is 0 or NaN connects nothing. Linear in time, no recursion. indices: three for each triangle, each of index_bytes = 2
 * or 4 bytes, of any alignment; triangles may be degenerate, vertices unused. scratch: at least that many bytes, aligned to 4,
 * apart from all else; its contents do not matter. unaligned, if not null: how many edges have a negative dot product all the
 * same, each pair of vertices counted once; none if texture coordinates are sound, but some on a closed cylinder without a seam.
 * Leave out triangles whose corners differ in handedness: they say nothing about signs, and would carry false ones
 * (docs/qtangent.md). index_count may be 0, and then indices and scratch are not looked at. QUATSIMD_BAD_ARGUMENT, and nothing
 * done, for an index that is not below count, index_count that is no multiple of 3, other index_bytes, scratch that is not
 * aligned, a mesh that is too large; QUATSIMD_SHORT_BUFFER for too little scratch. (Kravchenko, "Quaternions in MMO engines",
 * algorithm 1.1.) */
QUATSIMD_API quatsimd_status quatsimd_frame_align_mesh(quatsimd_target q, size_t count, const void *indices, int index_bytes,
                                                       size_t index_count, void *scratch, size_t scratch_size, size_t *unaligned);
/* Align a morph target with its base, in place: the sign of each vertex's quaternion such that its dot product with the base's
 * is not negative (one with NaN stays as it is). Where the target turns neighbours alike, its triangles are then as aligned as
 * the base's. */
QUATSIMD_API quatsimd_status quatsimd_frame_align_morph(quatsimd_target q, quatsimd_source base, size_t count);

/* ---- half floats ---- */

/* Floats to IEEE binary16, rounded to nearest, halves to even; too large ones become infinity, subnormals are kept, NaN becomes
 * 0x7e00. */
QUATSIMD_API quatsimd_status quatsimd_half_from_float(uint16_t *halves, const float *floats, size_t count);
/* And back, exactly; NaN becomes 0x7fc00000. */
QUATSIMD_API quatsimd_status quatsimd_half_to_float(float *floats, const uint16_t *halves, size_t count);

/* ---- bone transforms: sources and targets of eight floats, not as soa ---- */

/* Transforms in one, a after b: takes p to a (b p). The rotation is normalised. */
QUATSIMD_API quatsimd_status quatsimd_sqt_compose(quatsimd_target out, quatsimd_source a, quatsimd_source b, size_t count);
/* The inverse transform; with infinity or NaN if s is 0. */
QUATSIMD_API quatsimd_status quatsimd_sqt_invert(quatsimd_target out, quatsimd_source sqt, size_t count);
/* Points transformed: q (s p) q^-1 + t. */
QUATSIMD_API quatsimd_status quatsimd_sqt_transform_points(quatsimd_target out, quatsimd_source sqt, quatsimd_source points, size_t count);
/* Vectors transformed: q (s v) q^-1. */
QUATSIMD_API quatsimd_status quatsimd_sqt_transform_vectors(quatsimd_target out, quatsimd_source sqt, quatsimd_source vectors, size_t count);
/* To matrices of twelve floats: three rows of four, the translation last in each, as shaders multiply them with (x, y, z, 1). */
QUATSIMD_API quatsimd_status quatsimd_sqt_to_matrix3x4(quatsimd_target matrix, quatsimd_source sqt, size_t count);
/* Pack as eight halves each, 16 * count bytes, in the same order, whatever the floats are. Translations have 11 bits and end at
 * 65504. QUATSIMD_SHORT_BUFFER, and nothing done, if packed_size is less. */
QUATSIMD_API quatsimd_status quatsimd_sqt_pack(void *packed, size_t packed_size, quatsimd_source sqt, size_t count);
/* And back. The rotation is normalised, as halves of a unit quaternion are one within 1e-3 alone; one that is invalid becomes the
 * identity, which is QUATSIMD_OK. */
QUATSIMD_API quatsimd_status quatsimd_sqt_unpack(quatsimd_target sqt, const void *packed, size_t packed_size, size_t count);

/* Skinning: out = the sum over a vertex's `influences` bones of weight * (bone's sqt applied to the point). Blending the positions is
 * right; blending quaternions first is not, as q and -q are one rotation but their means are others. bones: aos, bone_count of them.
 * bone_indices and weights: `influences` of each vertex, one behind the other, nothing between; weights should sum up to 1.
 * QUATSIMD_BAD_ARGUMENT, and nothing done, for an index that is not below bone_count or influences of less than 1. */
QUATSIMD_API quatsimd_status quatsimd_sqt_skin(quatsimd_target out, quatsimd_source points, const float *bones, size_t bone_count,
                                               const uint16_t *bone_indices, const float *weights, int influences, size_t count);

#ifdef __cplusplus
}
#endif

#endif
