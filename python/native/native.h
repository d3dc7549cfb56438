/* Private: functions of the Python package in C, beside those of the library. */
#ifndef QUATSIMD_PYTHON_NATIVE_H
#define QUATSIMD_PYTHON_NATIVE_H

#include "command.h"
#include "quatsimd/quatsimd.h"

/* Finds the first quaternion whose length is not 1 within 1e-4 and returns its number, or count if there is
 * none, or if the view breaks a rule of view.h. */
QUATSIMD_API size_t quatsimd_python_find_not_unit(quatsimd_in q, size_t count);

/* Joins bundles of one skeleton. names: of all clips, in the order of the bundles, and in each of its clips.
 * The masks are those of the first one. Result and report are as of quatsimd_bundle_encode; other errors as
 * of quatsimd_bundle_open and _open_clip, or QUATSIMD_ERROR_WRONG_SKELETON. */
QUATSIMD_API quatsimd_status quatsimd_python_join(void **data, size_t *size, const void *const *part,
                                                  const size_t *part_size, size_t parts,
                                                  const char *const *names, const void *making,
                                                  size_t making_size, quatsimd_bundle_report *report);

/* ---- the motion library: many poses of many clips by one call ---- */

/* Opens the clips numbers[0] to numbers[count - 1] of a bundle, on up to `threads` threads. clips has a
 * pointer for each clip of the bundle; those that are null get a clip in memory of malloc. *bytes grows by
 * its size. No number may be there twice. Returns QUATSIMD_OK, or the error of the first of `numbers` that
 * cannot be opened, whose place in `numbers` is then in *failed; the others are opened all the same. An
 * additive clip is QUATSIMD_ERROR_BAD_CLIP. */
QUATSIMD_API quatsimd_status quatsimd_python_open_clips(quatsimd_clip **clips, const quatsimd_bundle *bundle,
                                                        const uint32_t *numbers, size_t count, size_t threads,
                                                        size_t *bytes, size_t *failed);
/* Frees the clips that are not null. */
QUATSIMD_API void quatsimd_python_close_clips(quatsimd_clip **clips, size_t count);
/* Writes the start and the duration of opened clips, in seconds. */
QUATSIMD_API void quatsimd_python_clip_times(quatsimd_clip *const *clips, size_t count, double *starts,
                                             double *durations);

/* Arrays to write, C-contiguous: row i is of pose i. Those that are null are not wanted. The skeleton has J
 * joints and T tracks. Positions are of the joints' origins. Velocities are per second, in rad/s and in the
 * unit of translations. */
typedef struct quatsimd_python_poses {
  /* Relative to the parent, as quatsimd_clip_sample gives them: (J, 4), (J, 3), (J, 3), (T) */
  float *rotations, *translations, *scales, *tracks;
  float *local_linear, *local_angular; /* in the parent's space, as quatsimd_clip_sample_velocities: (J, 3) */
  float *model_rotations, *model_positions; /* in model space: (J, 4), (J, 3) */
  float *model_linear, *model_angular; /* in model space: of each joint's origin, and of the joint: (J, 3) */
  float *root_rotations, *root_positions, *root_linear, *root_angular; /* those of one joint: (4), (3) */
} quatsimd_python_poses;

/* A skeleton with opened clips. */
typedef struct quatsimd_python_motions {
  const quatsimd_skeleton *skeleton;
  quatsimd_clip *const *clips;
  size_t root; /* the joint of root_rotations and the others */
} quatsimd_python_motions;

/* Samples `count` poses: pose i is clip clip_of[i] at times[i], which is finite. On up to `threads` threads;
 * the bits do not depend on them. Clips are opened and not additive. Returns QUATSIMD_OK;
 * QUATSIMD_ERROR_NO_MEMORY; or QUATSIMD_ERROR_BAD_ARGUMENT if outputs in model space are wanted and a pose
 * has, at a joint with joints below it, a scale that differs by axis: its number is then in *failed, and some
 * rows are not written. */
QUATSIMD_API quatsimd_status quatsimd_python_sample(const quatsimd_python_poses *to,
                                                    const quatsimd_python_motions *motions,
                                                    const uint32_t *clip_of, const double *times,
                                                    size_t count, quatsimd_clip_wrap wrap, size_t threads,
                                                    size_t *failed);

#endif
