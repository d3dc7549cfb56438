/* Opens bytes that may be a skeleton, reads the skeleton in every way, and encodes it again. */
#ifndef QUATSIMD_TESTS_SKELETON_BYTES_H
#define QUATSIMD_TESTS_SKELETON_BYTES_H

#include "quatsimd/skeleton.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/hash.h"

/* Offsets in a skeleton's head, as docs/skeleton.md defines them. */
enum {
  QSK_CHECKSUM = 4,
  QSK_SIZE = 8,
  QSK_NAMES = 12,
  QSK_MATRICES = 16,
  QSK_METRES = 20,
  QSK_HASH = 28,
  QSK_JOINTS = 36,
  QSK_TRACKS = 40,
  QSK_HEAD = 44
};

static inline void qsk_put(unsigned char *p, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) p[i] = (unsigned char)(value >> 8 * i);
}
static inline uint64_t qsk_get(const unsigned char *p, size_t bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; i++) value |= (uint64_t)p[i] << 8 * i;
  return value;
}

/* Corrects the size, the hash and the checksum of a skeleton. */
static inline void skeleton_bytes_seal(unsigned char *bytes, size_t size) {
  if (size < QSK_HEAD) return;
  const uint64_t end = QSK_HEAD + 2 * qsk_get(bytes + QSK_JOINTS, 4) + qsk_get(bytes + QSK_NAMES, 4);
  qsk_put(bytes + QSK_SIZE, size, 4);
  if (end <= size) qsk_put(bytes + QSK_HASH, XXH64(bytes + QSK_JOINTS, (size_t)end - QSK_JOINTS, 0), 8);
  qsk_put(bytes + QSK_CHECKSUM, XXH32(bytes + QSK_SIZE, size - QSK_SIZE, 0), 4);
}

/* Reads a skeleton into *source. skeleton_bytes_free frees it. Returns the text of an error, or NULL. */
static inline const char *skeleton_bytes_read(const quatsimd_skeleton *skeleton,
                                              quatsimd_skeleton_source *source) {
  const size_t joints = quatsimd_skeleton_joint_count(skeleton),
               tracks = quatsimd_skeleton_track_count(skeleton);
  quatsimd_skeleton_joint *joint = calloc(joints + 1, sizeof *joint);
  const char **track = calloc(tracks + 1, sizeof *track);
  float(*matrix)[12] = calloc(joints + 1, sizeof *matrix),
  *track_rest = calloc(tracks + 1, sizeof *track_rest);
  if (!joint || !track || !matrix || !track_rest) abort();
  /* store the matrices after the last joint, where skeleton_bytes_free finds them */
  joint[joints].inverse_bind = matrix[0];
  *source = (quatsimd_skeleton_source){joints,    joint, tracks, track, quatsimd_skeleton_metres(skeleton),
                                       track_rest};
  quatsimd_pose_out pose = {quatsimd_strided_out(joint->rotation, sizeof *joint),
                            quatsimd_strided_out(joint->translation, sizeof *joint),
                            quatsimd_strided_out(joint->scale, sizeof *joint), track_rest};
  if (quatsimd_skeleton_rest_pose(skeleton, &pose, 0, joints) != QUATSIMD_OK) return "rest fails";
  /* this text is not UTF-8, and is greater than all names */
  if (quatsimd_skeleton_find_joint(skeleton, "\xff") != -1 ||
      quatsimd_skeleton_find_track(skeleton, "\xff") != -1)
    return "a name is found that is not there";
  for (size_t j = 0; j < joints; j++) {
    double n2 = 0;
    for (int i = 0; i < 4; i++) n2 += (double)joint[j].rotation[i] * (double)joint[j].rotation[i];
    if (!(fabs(sqrt(n2) - 1) <= 5e-7)) return "a rotation is not of length 1";
    for (int i = 0; i < 3; i++)
      if (!isfinite(joint[j].translation[i]) || !isfinite(joint[j].scale[i])) return "a number is not finite";
    joint[j].name = quatsimd_skeleton_joint_name(skeleton, j);
    joint[j].parent = quatsimd_skeleton_parent(skeleton, j);
    if (!joint[j].name || joint[j].parent < -1 || joint[j].parent >= (int64_t)j)
      return "a name or a parent is missing";
    const int64_t found = quatsimd_skeleton_find_joint(skeleton, joint[j].name);
    if (found < 0 || found > (int64_t)j || strcmp(joint[found].name, joint[j].name) != 0)
      return "a joint is not found";
    const int has = quatsimd_skeleton_has_inverse_bind(skeleton, j);
    if (quatsimd_skeleton_inverse_bind(skeleton, matrix[j], j) !=
        (has ? QUATSIMD_OK : QUATSIMD_ERROR_BAD_ARGUMENT))
      return "a matrix is there and not there";
    for (int i = 0; i < 12; i++)
      if (!isfinite(matrix[j][i])) return "a matrix is not finite";
    joint[j].inverse_bind = has ? matrix[j] : NULL;
  }
  for (size_t t = 0; t < tracks; t++) {
    track[t] = quatsimd_skeleton_track_name(skeleton, t);
    if (!track[t]) return "a track has no name";
    if (!isfinite(track_rest[t])) return "a track is not finite at rest";
    const int64_t found = quatsimd_skeleton_find_track(skeleton, track[t]);
    if (found < 0 || found > (int64_t)t || strcmp(track[found], track[t]) != 0) return "a track is not found";
  }
  return NULL;
}

static inline void skeleton_bytes_free(quatsimd_skeleton_source *source) {
  free((void *)(uintptr_t)source->joints[source->joint_count].inverse_bind);
  free((void *)(uintptr_t)source->joints);
  free((void *)(uintptr_t)source->track_names);
  free((void *)(uintptr_t)source->track_rest);
}

/* Returns true if the bytes open as a skeleton. Then *wrong becomes the text of an error, or NULL. */
static inline bool skeleton_bytes_try(const unsigned char *bytes, size_t size, const char **wrong) {
  quatsimd_skeleton_storage storage;
  quatsimd_skeleton *skeleton;
  if (quatsimd_skeleton_open(&skeleton, &storage, sizeof storage, bytes, size) != QUATSIMD_OK) return false;
  quatsimd_skeleton_source source;
  *wrong = skeleton_bytes_read(skeleton, &source);
  void *data = NULL;
  size_t again = 0;
  if (!*wrong && quatsimd_skeleton_encode(&data, &again, &source, NULL, NULL) != QUATSIMD_OK)
    *wrong = "it is not encoded again";
  if (!*wrong && (again != size || memcmp(data, bytes, size) != 0))
    *wrong = "encoded again it is another one";
  quatsimd_skeleton_free(NULL, data);
  skeleton_bytes_free(&source);
  return true;
}

#endif
