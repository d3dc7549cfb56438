/* libFuzzer over clips: what opens must sample to finite numbers and rotations of length 1, the same with
 * all kernels and while the CPU flushes denormals, and nothing may be read or written outside. Velocities
 * are finite and the same with all kernels. If the first byte is odd, size and checksum of the rest are made
 * good before it is opened: hardly anything would get past them. */
#include "fuzz.h"

#include "support/clip_bytes.h"
#include "support/denormals.h"

enum { MOST_FRAMES = 40, MOST_ELEMENTS = 4096 };

/* The samples at some frames and times, one behind the other. */
static size_t sample(const quatsimd_clip *clip, float *to) {
  const size_t joints = quatsimd_clip_joint_count(clip),
               frames = quatsimd_clip_frame_count(clip) < MOST_FRAMES ? quatsimd_clip_frame_count(clip)
                                                                      : MOST_FRAMES,
               first = quatsimd_clip_frame_count(clip) - frames;
  const size_t most = MOST_ELEMENTS / frames / 4, floats = clip_bytes_floats(clip);
  if (joints > most || quatsimd_clip_track_count(clip) > most) return 0;
  quatsimd_pose_out all = clip_bytes_pose(to, clip, frames);
  if (quatsimd_clip_decode(clip, &all, NULL, first, frames, 0) != QUATSIMD_OK) fuzz_fail("decode fails");
  float *at = to + frames * floats;
  for (int i = 0; i < 4; i++, at += floats) {
    quatsimd_pose_out pose = clip_bytes_pose(at, clip, 1);
    if (quatsimd_clip_sample(clip, &pose, NULL,
                             quatsimd_clip_start(clip) + quatsimd_clip_duration(clip) * (0.13 + 0.31 * i),
                             QUATSIMD_CLIP_WRAP_CLIP, 0) != QUATSIMD_OK)
      fuzz_fail("sample fails");
  }
  return (size_t)(at - to);
}

/* Velocities at the same times, at the ends and outside: finite, below 2^101, the same with all kernels. */
static size_t sample_velocities(const quatsimd_clip *clip, float *to) {
  const size_t joints = quatsimd_clip_joint_count(clip);
  float *at = to;
  if (joints > MOST_ELEMENTS / 8) return 0;
  for (int i = -1; i < 7; i++, at += 6 * joints) {
    quatsimd_velocities_out out = {quatsimd_aos_out(at), quatsimd_aos_out(at + 3 * joints)};
    const double time = quatsimd_clip_start(clip) + quatsimd_clip_duration(clip) * (i < 4    ? 0.13 + 0.31 * i
                                                                                    : i == 4 ? 0
                                                                                             : i - 4);
    if (quatsimd_clip_sample_velocities(clip, &out, time, (quatsimd_clip_wrap)(i & 1)) != QUATSIMD_OK)
      fuzz_fail("velocities fail");
  }
  for (const float *v = to; v < at; v++)
    if (!(*v >= -0x1p+100f && *v <= 0x1p+100f)) fuzz_fail("a velocity is %g", (double)*v);
  return (size_t)(at - to);
}

/* Results that are computed with denormals flushed are checked without. */
static void sample_flushed(const quatsimd_clip *clip, const char *kernels) {
  static float to[11 * MOST_ELEMENTS + CLIP_BYTES_GUARD];
  const size_t joints = quatsimd_clip_joint_count(clip), tracks = quatsimd_clip_track_count(clip);
  quatsimd_pose_out pose = clip_bytes_pose(to, clip, 1);
  if (joints > MOST_ELEMENTS || tracks > MOST_ELEMENTS) return;
  for (size_t i = 0; i < clip_bytes_floats(clip) + CLIP_BYTES_GUARD; i++) to[i] = CLIP_BYTES_FILL;
  for (int i = 0; i < 4; i++) {
    const double time = quatsimd_clip_start(clip) + quatsimd_clip_duration(clip) * (0.31 * i);
    flush_denormals(true);
    const quatsimd_status status = quatsimd_clip_sample(clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_CLIP, 0);
    flush_denormals(false);
    const char *wrong = status == QUATSIMD_OK ? clip_bytes_wrong(to, joints, tracks) : "sample fails";
    if (wrong) fuzz_fail("%s, denormals flushed: %s", kernels, wrong);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static float wanted[20 * MOST_ELEMENTS], got[20 * MOST_ELEMENTS], velocities_wanted[6 * MOST_ELEMENTS],
      got_velocities[6 * MOST_ELEMENTS];
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t n = fuzz_tables(tables);
  if (size == 0) return 0;
  const char *wrong = NULL;
  fuzz_array copy = fuzz_array_new(size - 1, data[0] / 2 % 16);
  if (size > 1) memcpy(copy.data, data + 1, size - 1);
  if (data[0] % 2) clip_bytes_seal(copy.data, copy.size);
  for (size_t t = 0; t < n; t++) {
    uint64_t state = size;
    quatsimd_clip_storage storage;
    quatsimd_clip *clip;
    fuzz_use(tables[t]);
    if (!clip_bytes_try(copy.data, copy.size, &state, &wrong)) break;
    if (wrong) fuzz_fail("%s: %s", tables[t]->name, wrong);
    quatsimd_clip_open(&clip, &storage, sizeof storage, copy.data, copy.size);
    const size_t floats = sample(clip, t ? got : wanted);
    const size_t velocities = sample_velocities(clip, t ? got_velocities : velocities_wanted);
    sample_flushed(clip, tables[t]->name);
    if (t && memcmp(got, wanted, 4 * floats) != 0) fuzz_fail("%s: not the poses of scalar", tables[t]->name);
    if (t && memcmp(got_velocities, velocities_wanted, 4 * velocities) != 0)
      fuzz_fail("%s: not the velocities of scalar", tables[t]->name);
  }
  fuzz_array_free(&copy);
  return 0;
}
