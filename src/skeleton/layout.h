/* Describes the bytes of a skeleton, which docs/skeleton.md defines. */
#ifndef QUATSIMD_SKELETON_LAYOUT_H
#define QUATSIMD_SKELETON_LAYOUT_H

#include "core/bytes.h"
#include "quatsimd/skeleton.h"

#include <stdbool.h>

/* Offsets of the fields in the head. */
enum {
  SKELETON_AT_NAMES = 12,
  SKELETON_AT_MATRICES = 16,
  SKELETON_AT_METRES = 20,
  SKELETON_AT_HASH = 28,
  SKELETON_AT_JOINTS = 36,
  SKELETON_AT_TRACKS = 40,
  SKELETON_HEAD = 44
};

enum { SKELETON_VERSION = 1, SKELETON_NO_PARENT = 0xffff };

/* The sections, in the order in which they follow the head. */
enum {
  SKELETON_PARENTS,
  SKELETON_NAMES,
  SKELETON_OFFSETS,
  SKELETON_ORDER,
  SKELETON_ROTATIONS,
  SKELETON_TRANSLATIONS,
  SKELETON_SCALES,
  SKELETON_TRACK_RESTS,
  SKELETON_BINDS,
  SKELETON_MATRICES,
  SKELETON_SECTIONS
};

/* SKELETON_BINDS has 3 bytes for every 8 joints. The first byte has a bit for each of these joints, 1 if the
 * joint has an inverse bind matrix. The other bytes hold the number of matrices of earlier joints. A matrix
 * has 12 floats. */
enum { SKELETON_BIND_JOINTS = 8, SKELETON_BIND_BYTES = 3, SKELETON_MATRIX = 12 };

struct quatsimd_skeleton {
  const unsigned char *data;
  size_t joints, tracks;
  size_t names, matrices;           /* bytes of all names; number of matrices */
  size_t at[SKELETON_SECTIONS + 1]; /* offsets of the sections, and the end of the last */
  double metres;
  uint64_t hash;
};

/* Returns the size of an entry of SKELETON_OFFSETS. `names` is the size of all names. */
static inline size_t skeleton_offset_bytes(uint64_t names) { return names <= 65536 ? 2 : 4; }

/* Fills in `at` and returns the size of the skeleton. `at` is valid if this size is below 2^32. */
static inline uint64_t skeleton_lay_out(size_t at[SKELETON_SECTIONS + 1], uint64_t joints, uint64_t tracks,
                                        uint64_t names, uint64_t matrices) {
  const uint64_t size[SKELETON_SECTIONS] = {
      [SKELETON_PARENTS] = 2 * joints,
      [SKELETON_NAMES] = names,
      [SKELETON_OFFSETS] = skeleton_offset_bytes(names) * (joints + tracks),
      [SKELETON_ORDER] = 2 * (joints + tracks),
      [SKELETON_ROTATIONS] = 16 * joints,
      [SKELETON_TRANSLATIONS] = 12 * joints,
      [SKELETON_SCALES] = 12 * joints,
      [SKELETON_TRACK_RESTS] = 4 * tracks,
      [SKELETON_BINDS] =
          matrices ? (joints + SKELETON_BIND_JOINTS - 1) / SKELETON_BIND_JOINTS * SKELETON_BIND_BYTES : 0,
      [SKELETON_MATRICES] = 4 * SKELETON_MATRIX * matrices};
  uint64_t end = SKELETON_HEAD;
  for (int section = 0; section < SKELETON_SECTIONS; section++)
    at[section] = (size_t)end, end += size[section];
  at[SKELETON_SECTIONS] = (size_t)end;
  return end;
}

static inline const unsigned char *skeleton_section(const quatsimd_skeleton *s, int section) {
  return s->data + s->at[section];
}

/* Returns the number of a joint's parent, or SKELETON_NO_PARENT. */
static inline unsigned skeleton_parent(const quatsimd_skeleton *s, size_t joint) {
  return load_u16(skeleton_section(s, SKELETON_PARENTS) + 2 * joint);
}

/* Returns the name of an item. Items are all joints, followed by all tracks. */
static inline const unsigned char *skeleton_item_name(const quatsimd_skeleton *s, size_t item) {
  const size_t bytes = skeleton_offset_bytes(s->names);
  return skeleton_section(s, SKELETON_NAMES) +
         (size_t)load_little(skeleton_section(s, SKELETON_OFFSETS) + bytes * item, bytes);
}

static inline const unsigned char *skeleton_bind(const quatsimd_skeleton *s, size_t joint) {
  return skeleton_section(s, SKELETON_BINDS) + joint / SKELETON_BIND_JOINTS * SKELETON_BIND_BYTES;
}

static inline unsigned skeleton_count_bits(unsigned bits) {
  unsigned count = 0;
  for (; bits; bits &= bits - 1) count++;
  return count;
}

/* Returns true if the joint has an inverse bind matrix, by the section SKELETON_BINDS, or null if no joint
 * has one. Matrices are in the order of their joints. */
static inline bool skeleton_is_in(const unsigned char *binds, size_t joint) {
  return binds &&
         (binds[joint / SKELETON_BIND_JOINTS * SKELETON_BIND_BYTES] >> joint % SKELETON_BIND_JOINTS & 1);
}
static inline bool skeleton_is_bound(const quatsimd_skeleton *s, size_t joint) {
  return s->matrices > 0 && skeleton_is_in(skeleton_section(s, SKELETON_BINDS), joint);
}

/* Returns the address of the inverse bind matrix of the joint, or of the next joint that has one. */
static inline const unsigned char *skeleton_bind_matrix(const quatsimd_skeleton *s, size_t joint) {
  const unsigned char *const matrices = skeleton_section(s, SKELETON_MATRICES);
  if (s->matrices == 0) return matrices;
  const unsigned char *const bind = skeleton_bind(s, joint);
  const unsigned before = (1u << joint % SKELETON_BIND_JOINTS) - 1;
  return matrices + 4 * SKELETON_MATRIX * (load_u16(bind + 1) + skeleton_count_bits(bind[0] & before));
}

/* A length is finite and not negative. Bits are compared, because a CPU that flushes denormals to zero would
 * not see that a denormal is negative. */
static inline bool skeleton_is_finite(uint32_t bits) { return (bits & 0x7f800000) != 0x7f800000; }
static inline bool skeleton_is_length(uint64_t bits) { return bits < 0x7ff0000000000000u; }

/* Returns the squared length of q. Rotations for which skeleton_is_unit is true are stored unchanged. */
static inline double skeleton_norm2(const float q[4]) {
  return ((double)q[0] * q[0] + (double)q[1] * q[1]) + ((double)q[2] * q[2] + (double)q[3] * q[3]);
}
static inline bool skeleton_is_unit(double norm2) { return norm2 >= 1 - 0x1p-20 && norm2 <= 1 + 0x1p-20; }

/* open.c */
/* Returns the hash of the bytes from SKELETON_AT_JOINTS to names_end. */
uint64_t quatsimd_skeleton_compute_hash(const unsigned char *data, size_t names_end);

#endif
