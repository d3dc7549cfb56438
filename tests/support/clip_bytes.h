/* Opens bytes that may be a clip, and samples the clip in every way. */
#ifndef QUATSIMD_TESTS_CLIP_BYTES_H
#define QUATSIMD_TESTS_CLIP_BYTES_H

#include "support/random.h"

#include "quatsimd/quatsimd.h"
#include "quatsimd/clip.h"

#include "clip/sample/open.h"
#include "core/container.h"

#include <stdbool.h>
#include <stdlib.h>

#include "support/hash.h"

/* Corrects the size and the checksum of a clip. */
static inline void clip_bytes_seal(unsigned char *bytes, size_t size) {
  if (size < CONTAINER_AT_SIZE + 4) return;
  for (int i = 0; i < 4; i++) bytes[CONTAINER_AT_SIZE + i] = (unsigned char)(size >> 8 * i);
  const uint32_t sum = XXH32(bytes + CONTAINER_AT_SIZE, size - CONTAINER_AT_SIZE, 0);
  for (int i = 0; i < 4; i++) bytes[CONTAINER_AT_CHECKSUM + i] = (unsigned char)(sum >> 8 * i);
}

/* CLIP_BYTES_GUARD: floats in the guard behind a pose. CLIP_BYTES_MOST: most joints or tracks to sample. */
enum { CLIP_BYTES_GUARD = 8, CLIP_BYTES_MOST = 4096 };
#define CLIP_BYTES_FILL 0x1.234p+77f

/* Returns the number of floats in a pose: ten for a joint, one for a track. */
static inline size_t clip_bytes_floats(const quatsimd_clip *clip) {
  return 10 * quatsimd_clip_joint_count(clip) + quatsimd_clip_track_count(clip);
}
/* Returns views of poses in `to`: all rotations, then all translations, all scales and all tracks. */
static inline quatsimd_pose_out clip_bytes_pose(float *to, const quatsimd_clip *clip, size_t poses) {
  const size_t elements = poses * quatsimd_clip_joint_count(clip);
  return (quatsimd_pose_out){quatsimd_aos_out(to), quatsimd_aos_out(to + 4 * elements),
                             quatsimd_aos_out(to + 7 * elements), to + 10 * elements};
}

/* Checks the floats of a pose and the guard behind them. Returns the text of an error, or NULL. */
static inline const char *clip_bytes_wrong(const float *to, size_t joints, size_t tracks) {
  const size_t floats = 10 * joints + tracks;
  for (size_t j = 0; j < joints; j++) {
    double n2 = 0;
    for (size_t i = 0; i < 4; i++) n2 += (double)to[4 * j + i] * (double)to[4 * j + i];
    if (!(fabs(sqrt(n2) - 1) <= 4e-7)) return "a rotation is not of length 1";
  }
  for (size_t i = 4 * joints; i < floats; i++)
    if (!(to[i] - to[i] == 0)) return "a translation, a scale or a track is not finite";
  for (size_t i = floats; i < floats + CLIP_BYTES_GUARD; i++)
    if (!(to[i] == CLIP_BYTES_FILL)) return "written behind the pose";
  return NULL;
}

/* Returns true if the bytes open as a clip. *wrong must be NULL. After an error it is the error's text. */
static inline bool clip_bytes_try(const unsigned char *bytes, size_t size, uint64_t *state,
                                  const char **wrong) {
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  if (quatsimd_clip_open(&clip, &storage, sizeof storage, bytes, size) != QUATSIMD_OK) return false;
  const size_t joints = clip->joints, tracks = clip->tracks, frames = clip->frames,
               floats = clip_bytes_floats(clip) + CLIP_BYTES_GUARD;
  if (joints > CLIP_BYTES_MOST || tracks > CLIP_BYTES_MOST) return true; /* sampling would take too long */
  float *to = malloc(4 * floats);
  if (!to) abort();
  for (size_t i = 0; i < floats; i++) to[i] = CLIP_BYTES_FILL;
  quatsimd_pose_out pose = clip_bytes_pose(to, clip, 1);
  const double middle = clip->start + random_unit(state) * clip->duration;
  const double times[] = {clip->start,
                          clip->start + clip->duration,
                          middle,
                          clip->start - 1e30,
                          middle + 1e30,
                          (double)NAN,
                          (double)INFINITY,
                          2 * middle + 1,
                          0};
  for (size_t i = 0; i < sizeof times / sizeof *times && !*wrong; i++) {
    const quatsimd_clip_wrap wrap = (quatsimd_clip_wrap)(sweep_next(state) % 3);
    if (quatsimd_clip_sample(clip, &pose, NULL, times[i], wrap, 0) != QUATSIMD_OK) *wrong = "sample fails";
    if (!*wrong) *wrong = clip_bytes_wrong(to, joints, tracks);
    if (joints == 0) continue;
    const uint32_t joint = (uint32_t)(sweep_next(state) % joints);
    float one[10 + CLIP_BYTES_GUARD];
    for (int f = 0; f < 10 + CLIP_BYTES_GUARD; f++) one[f] = CLIP_BYTES_FILL;
    quatsimd_pose_out of_one = {quatsimd_aos_out(one), quatsimd_aos_out(one + 4), quatsimd_aos_out(one + 7),
                                NULL};
    if (quatsimd_clip_sample_joints(clip, &of_one, NULL, times[i], wrap, &joint, 1, 0) != QUATSIMD_OK ||
        clip_bytes_wrong(one, 1, 0) || memcmp(one, to + 4 * joint, 16) != 0 ||
        memcmp(one + 4, to + 4 * joints + 3 * joint, 12) != 0 ||
        memcmp(one + 7, to + 7 * joints + 3 * joint, 12) != 0)
      *wrong = "one joint alone is not that of all";
  }
  for (int i = 0; i < 3 && !*wrong; i++) {
    const size_t frame = i < 2 ? (size_t)i * (frames - 1) : (size_t)(sweep_next(state) % frames);
    if (quatsimd_clip_decode(clip, &pose, NULL, frame, 1, 0) != QUATSIMD_OK) *wrong = "decode fails";
    if (!*wrong) *wrong = clip_bytes_wrong(to, joints, tracks);
  }
  free(to);
  return true;
}

#endif
