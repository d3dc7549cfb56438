/* Bytes that may be a bundle: opened, everything in it found, and sampled in every way there is. For tests
 * and the fuzzer. */
#ifndef QUATSIMD_TESTS_BUNDLE_BYTES_H
#define QUATSIMD_TESTS_BUNDLE_BYTES_H

#include "support/clip_bytes.h"

#include "quatsimd/bundle.h"

/* The head: docs/bundle.md. */
enum { QSB_CHECKSUM = 4, QSB_SIZE = 8, QSB_CLIPS = 12, QSB_SETTINGS = 16, QSB_SKELETON = 20, QSB_HEAD = 24 };

static inline void qsb_put(unsigned char *p, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) p[i] = (unsigned char)(value >> 8 * i);
}
static inline uint32_t qsb_get(const unsigned char *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Makes size and checksum what they must be. */
static inline void bundle_bytes_seal(unsigned char *bytes, size_t size) {
  if (size < QSB_HEAD) return;
  qsb_put(bytes + QSB_SIZE, size, 4);
  qsb_put(bytes + QSB_CHECKSUM, XXH32(bytes + QSB_SIZE, size - QSB_SIZE, 0), 4);
}

/* Where sampling goes, as clip_bytes_try does it, of a clip that is open. */
static inline const char *bundle_bytes_sample(const quatsimd_clip *clip, uint64_t *state) {
  const size_t joints = quatsimd_clip_joint_count(clip), tracks = quatsimd_clip_track_count(clip),
               floats = clip_bytes_floats(clip) + CLIP_BYTES_GUARD;
  if (joints > CLIP_BYTES_MOST || tracks > CLIP_BYTES_MOST) return NULL; /* it takes too long */
  float *to = malloc(4 * floats);
  const char *wrong = NULL;
  if (!to) abort();
  for (size_t i = 0; i < floats; i++) to[i] = CLIP_BYTES_FILL;
  quatsimd_pose_out pose = clip_bytes_pose(to, clip, 1);
  for (int i = 0; i < 4 && !wrong; i++) {
    const double part = i < 2 ? i : random_unit(state),
                 time = quatsimd_clip_start(clip) + part * quatsimd_clip_duration(clip);
    if (quatsimd_clip_sample(clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_CLIP, 0) != QUATSIMD_OK)
      wrong = "sample fails";
    if (!wrong) wrong = clip_bytes_wrong(to, joints, tracks);
  }
  const size_t frame = (size_t)(sweep_next(state) % quatsimd_clip_frame_count(clip));
  if (!wrong && quatsimd_clip_decode(clip, &pose, NULL, 0, frame, 1) != QUATSIMD_OK) wrong = "decode fails";
  if (!wrong) wrong = clip_bytes_wrong(to, joints, tracks);
  free(to);
  return wrong;
}

/* True if the bytes are a bundle; *wrong is what came of it that must not. */
static inline bool bundle_bytes_try(const unsigned char *bytes, size_t size, uint64_t *state,
                                    const char **wrong) {
  quatsimd_bundle_storage storage;
  quatsimd_skeleton_storage of_skeleton;
  quatsimd_bundle *bundle;
  quatsimd_skeleton *skeleton;
  if (quatsimd_bundle_open(&bundle, &storage, sizeof storage, bytes, size) != QUATSIMD_OK) return false;
  if (quatsimd_bundle_open_skeleton(bundle, &skeleton, &of_skeleton, sizeof of_skeleton) != QUATSIMD_OK ||
      quatsimd_skeleton_hash(skeleton) != quatsimd_bundle_skeleton_hash(bundle))
    return *wrong = "no skeleton", true;
  if (quatsimd_bundle_find_clip(bundle, "\xff") != -1)
    return *wrong = "a name is found that is not there", true;
  for (size_t i = 0; i < quatsimd_bundle_clip_count(bundle) && !*wrong; i++) {
    const size_t memory = quatsimd_bundle_clip_memory_size(bundle, i);
    unsigned char *room = malloc(memory + 1);
    quatsimd_clip *clip;
    if (!room) abort();
    room[memory] = 0xa5;
    const char *name = quatsimd_bundle_clip_name(bundle, i);
    if (!name || quatsimd_bundle_find_clip(bundle, name) != (int64_t)i) *wrong = "a clip is not found";
    else if (quatsimd_bundle_open_clip(bundle, i, &clip, room, memory) != QUATSIMD_OK) *wrong = "no clip";
    else if (quatsimd_clip_skeleton_hash(clip) != quatsimd_bundle_skeleton_hash(bundle))
      *wrong = "a clip's hash";
    else *wrong = bundle_bytes_sample(clip, state);
    if (room[memory] != 0xa5) *wrong = "written behind the memory of a clip";
    free(room);
  }
  return true;
}

#endif
