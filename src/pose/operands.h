/* The views of poses, resolved and checked. */
#ifndef QUATSIMD_POSE_OPERANDS_H
#define QUATSIMD_POSE_OPERANDS_H

#include "clip/sample/output.h"
#include "quatsimd/pose.h"

/* An input view. If it is not given, all elements have quatsimd_clip_none of the kind. */
typedef struct pose_operand {
  quatsimd_operand at;
  bool given;
} pose_operand;

static inline bool pose_is_layout(quatsimd_matrix_layout layout) {
  return layout == QUATSIMD_MATRIX_3X4 || layout == QUATSIMD_MATRIX_4X4;
}

/* Returns true if a clip fits a skeleton. A clip that was encoded without a skeleton fits every skeleton with
 * as many joints and tracks. */
static inline bool pose_is_clip_of(const quatsimd_clip *clip, const quatsimd_skeleton *skeleton) {
  const uint64_t own = quatsimd_clip_skeleton_hash(clip);
  return quatsimd_clip_joint_count(clip) == quatsimd_skeleton_joint_count(skeleton) &&
         quatsimd_clip_track_count(clip) == quatsimd_skeleton_track_count(skeleton) &&
         (own == 0 || own == quatsimd_skeleton_hash(skeleton));
}

static inline double pose_dot3(const double a[3], const double b[3]) {
  return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/* Computes the number of elements of all poses. Returns false if memory cannot have so many elements. */
static inline bool pose_elements(size_t *elements, size_t each, size_t poses) {
  *elements = each * poses;
  return each == 0 || poses <= PTRDIFF_MAX / sizeof(float) / 4 / each;
}

/* Resolves the view of a kind. Returns false if it breaks a rule of view.h. */
bool quatsimd_pose_operand(pose_operand *in, int kind, const quatsimd_pose_in *pose);

/* Returns true if view.h allows reading `pose` while writing `out`. count: elements of each kind. */
bool quatsimd_pose_may_read(const clip_output out[QUATSIMD_CLIP_KIND_COUNT], const quatsimd_pose_in *pose,
                            const size_t count[QUATSIMD_CLIP_KIND_COUNT]);

/* The outputs of a call. count: elements of a kind in all poses. each: elements of a kind in one pose. */
typedef struct pose_call {
  clip_output out[QUATSIMD_CLIP_KIND_COUNT];
  size_t count[QUATSIMD_CLIP_KIND_COUNT], each[QUATSIMD_CLIP_KIND_COUNT];
} pose_call;

/* Resolves the views of `out`. Returns false if one breaks a rule of view.h, or has too many elements. */
bool quatsimd_pose_begin(pose_call *call, quatsimd_pose_out *out, quatsimd_pose_counts counts);
/* Computes matrices of model space, and if `skinning` is not null, skinning matrices, of the joints from
 * `first` to end - 1. model and skinning have all joints; those before `first` have their matrices in model.
 * local: the matrix of joint `first`, which may be in model. */
void quatsimd_pose_place(const quatsimd_skeleton *skeleton, float *model, float *skinning, const float *local,
                         quatsimd_matrix_layout layout, const float *root, size_t first, size_t end);

/* Loads n elements, from element i on, into arrays, and fills these up to quatsimd_padded(n) elements. */
static inline void pose_gather(const pose_operand *in, int kind, size_t i, size_t n,
                               float (*to)[QUATSIMD_CHUNK]) {
  if (in->given) {
    quatsimd_gather(&in->at, i, n, quatsimd_padded(n), to);
    return;
  }
  for (size_t c = 0; c < clip_components(kind); c++)
    for (size_t e = 0; e < quatsimd_padded(n); e++) to[c][e] = quatsimd_clip_none[kind][c];
}

static inline void pose_load(const pose_operand *in, int kind, size_t i, float to[4]) {
  if (!in->given) {
    memcpy(to, quatsimd_clip_none[kind], sizeof quatsimd_clip_none[kind]);
    return;
  }
  const char *const from = in->at.first + i * in->at.stride;
  if (!in->at.interleaved) quatsimd_load_element(&in->at, i, to);
  else if (kind == QUATSIMD_CLIP_ROTATION) memcpy(to, from, 4 * sizeof *to);
  else memcpy(to, from, clip_components(kind) * sizeof *to);
}

#endif
