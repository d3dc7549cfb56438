/* Computes matrices of model space and skinning matrices in float. At the end of a chain of 1,000 joints,
 * errors of positions are below 2^-20 of the chain's length. */
#include "core/bits.h"
#include "core/parts.h"
#include "pose/block.h"
#include "pose/operands.h"
#include "skeleton/layout.h"

/* The views of a pose's joints. */
typedef struct joint_views {
  pose_operand of[QUATSIMD_CLIP_JOINT_KIND_COUNT];
} joint_views;

/* Returns false if a view breaks a rule of view.h, or if the views do not allow writing `matrices`. */
static bool find_views(joint_views *views, const quatsimd_pose_in *pose, const float *matrices,
                       const float *root) {
  bool good = matrices && pose && matrices != root;
  for (int kind = 0; good && kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
    pose_operand *const in = &views->of[kind];
    good = quatsimd_pose_operand(in, kind, pose) && !(in->given && quatsimd_begins_at(&in->at, matrices));
  }
  return good;
}

/* Computes local matrices of `count` joints, from joint `first` on, by a block that has all else. */
static void compute_block(const quatsimd_kernels *kernels, pose_block *b, float *matrices, size_t first,
                          size_t count) {
  b->matrices = matrices, b->first = first, b->count = count;
  kernels->pose(b);
}

/* Copies n elements, from element i on, to structs, and fills these up to quatsimd_padded(n) elements. i is a
 * multiple of QUATSIMD_CHUNK. */
static void copy_elements(float *to, const pose_operand *in, int kind, size_t i, size_t n) {
  const quatsimd_operand structs = quatsimd_structs(to, (int)clip_components(kind));
  float row[4][QUATSIMD_CHUNK];
  pose_gather(in, kind, i, n, row);
  quatsimd_scatter(&structs, 0, quatsimd_padded(n), row);
}

/* Computes local matrices of elements whose views are not all tight: copies chunks to structs. Elements that
 * are the same in all chunks are copied once. */
static void compute_copies(const quatsimd_kernels *kernels, float *matrices, quatsimd_matrix_layout layout,
                           const joint_views *views, size_t count) {
  float copied[QUATSIMD_CLIP_JOINT_KIND_COUNT][4 * QUATSIMD_CHUNK],
      last[QUATSIMD_MATRIX_4X4 * QUATSIMD_MOST_LANES];
  const quatsimd_weighted_poses layer = {
      .poses = {quatsimd_aos(copied[0]), quatsimd_aos(copied[1]), quatsimd_aos(copied[2]), NULL}};
  pose_block b = {.layers = &layer, .blended = 1, .as_sampled = true, .layout = layout};
  for (size_t i = 0, n; i < count; i += n, matrices += n * layout) {
    n = quatsimd_chunk(i, count);
    const size_t whole = n / kernels->lanes * kernels->lanes;
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
      const pose_operand *const in = &views->of[kind];
      if (i == 0 || (in->given && in->at.stride > 0)) copy_elements(copied[kind], in, kind, i, n);
    }
    compute_block(kernels, &b, matrices, 0, whole);
    if (whole == n) continue;
    compute_block(kernels, &b, last, whole, n - whole);
    memcpy(matrices + whole * layout, last, (n - whole) * layout * sizeof *last);
  }
}

/* Returns the first of `count` structs without gaps, or null. */
static const float *structs_of(const pose_operand *in, int kind, size_t count) {
  if (!in->given) return count == 1 ? quatsimd_clip_none[kind] : NULL;
  return quatsimd_is_structs(&in->at) || (in->at.interleaved && count == 1) ? quatsimd_floats(in->at.first)
                                                                            : NULL;
}

/* Computes local matrices of elements. If all views are tight, computes whole vectors in one call, then the
 * last vector, of which some elements are computed again. */
static void compute_local(float *matrices, quatsimd_matrix_layout layout, const joint_views *views,
                          size_t count) {
  const quatsimd_kernels *kernels = quatsimd_active_kernels();
  if (!QUATSIMD_IS_PLAYER) kernels = quatsimd_no_longer_than(kernels, count);
  const size_t lanes = kernels->lanes, whole = count / lanes * lanes;
  const float *value[QUATSIMD_CLIP_JOINT_KIND_COUNT] = {NULL};
  bool tight = whole > 0;
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
    value[kind] = structs_of(&views->of[kind], kind, count);
    tight = tight && value[kind];
  }
  if (!tight) {
    compute_copies(kernels, matrices, layout, views, count);
    return;
  }
  const quatsimd_weighted_poses layer = {
      .poses = {quatsimd_aos(value[0]), quatsimd_aos(value[1]), quatsimd_aos(value[2]), NULL}};
  pose_block b = {.layers = &layer, .blended = 1, .as_sampled = true, .layout = layout};
  compute_block(kernels, &b, matrices, 0, whole);
  if (whole < count) compute_block(kernels, &b, matrices + (count - lanes) * layout, count - lanes, lanes);
}

quatsimd_status quatsimd_pose_to_local(float *matrices, quatsimd_matrix_layout layout,
                                       const quatsimd_pose_in *pose, size_t element_count) {
  joint_views views;
  size_t floats;
  if (!pose_is_layout(layout) || !pose_elements(&floats, 4, element_count))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (element_count == 0) return QUATSIMD_OK;
  if (!find_views(&views, pose, matrices, NULL)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  compute_local(matrices, layout, &views, element_count);
  return QUATSIMD_OK;
}

/* Returns true if the skeleton has joint_count joints or more, and memory can hold all poses' matrices. */
static bool are_few(const quatsimd_skeleton *skeleton, size_t joint_count, size_t pose_count) {
  size_t elements;
  return skeleton && joint_count <= quatsimd_skeleton_joint_count(skeleton) &&
         pose_elements(&elements, 4 * joint_count, pose_count);
}

void quatsimd_pose_place(const quatsimd_skeleton *skeleton, float *model, float *skinning, const float *local,
                         quatsimd_matrix_layout layout, const float *root, size_t first, size_t end) {
  const bool binds = skinning && skeleton->matrices > 0;
  const pose_places places = {.parents = skeleton_section(skeleton, SKELETON_PARENTS),
                              .binds = binds ? skeleton_section(skeleton, SKELETON_BINDS) : NULL,
                              .inverse_binds = binds ? skeleton_bind_matrix(skeleton, first) : NULL,
                              .local = local,
                              .root = root,
                              .model = model,
                              .skinning = skinning,
                              .layout = layout,
                              .first = first,
                              .end = end};
  quatsimd_active_kernels()->hierarchy(&places);
}

quatsimd_status quatsimd_pose_to_model(const quatsimd_skeleton *skeleton, float *matrices,
                                       quatsimd_matrix_layout layout, const quatsimd_pose_in *pose,
                                       const float *root, size_t joint_count, size_t pose_count) {
  joint_views views;
  if (!are_few(skeleton, joint_count, pose_count) || !pose_is_layout(layout))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (joint_count == 0 || pose_count == 0) return QUATSIMD_OK;
  if (!find_views(&views, pose, matrices, root)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  compute_local(matrices, layout, &views, joint_count * pose_count);
  for (size_t p = 0; p < pose_count; p++, matrices += joint_count * layout)
    quatsimd_pose_place(skeleton, matrices, NULL, matrices, layout, root, 0, joint_count);
  return QUATSIMD_OK;
}

/* Returns the ancestor that is `up` generations above the joint. */
static size_t ancestor(const quatsimd_skeleton *skeleton, size_t joint, size_t up) {
  for (; up > 0; up--) joint = (size_t)quatsimd_skeleton_parent(skeleton, joint);
  return joint;
}

static size_t count_ancestors(const quatsimd_skeleton *skeleton, size_t joint) {
  size_t count = 0;
  for (int64_t j = (int64_t)joint; (j = quatsimd_skeleton_parent(skeleton, (size_t)j)) >= 0;) count++;
  return count;
}

quatsimd_status quatsimd_pose_joint_to_model(const quatsimd_skeleton *skeleton, float *to,
                                             quatsimd_matrix_layout layout, const quatsimd_pose_in *pose,
                                             const float *root, size_t joint) {
  enum {
    AT_ONCE = 64
  }; /* joints of the chain that are computed at once, to save walks from `joint` up to each of them */
  float value[QUATSIMD_CLIP_JOINT_KIND_COUNT][4 * AT_ONCE], local[QUATSIMD_MATRIX_4X4 * AT_ONCE];
  joint_views views;
  if (!skeleton || joint >= quatsimd_skeleton_joint_count(skeleton) || !pose_is_layout(layout) ||
      !find_views(&views, pose, to, root))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  unsigned char parents[2 * AT_ONCE]; /* those of a chain */
  float above[QUATSIMD_MATRIX_4X4];
  for (size_t k = 0; k < AT_ONCE; k++) store_little(parents + 2 * k, k ? k - 1 : SKELETON_NO_PARENT, 2);
  pose_places places = {.parents = parents, .local = local, .root = root, .model = local, .layout = layout};
  for (size_t left = count_ancestors(skeleton, joint) + 1, n; left > 0; left -= n) {
    size_t chain[AT_ONCE];
    n = left < AT_ONCE ? left : AT_ONCE;
    chain[n - 1] = ancestor(skeleton, joint, left - n);
    for (size_t k = n - 1; k > 0; k--) chain[k - 1] = ancestor(skeleton, chain[k], 1);
    joint_views values;
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
      const size_t components = clip_components(kind);
      for (size_t k = 0; k < n; k++) /* may write a fourth float, which the next element replaces */
        pose_load(&views.of[kind], kind, chain[k], value[kind] + components * k);
      values.of[kind] = (pose_operand){quatsimd_structs(value[kind], (int)components), true};
    }
    compute_local(local, layout, &values, n);
    places.end = n;
    quatsimd_active_kernels()->hierarchy(&places);
    places.root = memcpy(above, local + (n - 1) * layout, layout * sizeof *above);
  }
  memcpy(to, above, layout * sizeof *to);
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_pose_to_skinning(const quatsimd_skeleton *skeleton, float *skinning,
                                          const float *model, quatsimd_matrix_layout layout,
                                          size_t joint_count, size_t pose_count) {
  if (!are_few(skeleton, joint_count, pose_count) || !pose_is_layout(layout))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (joint_count == 0 || pose_count == 0) return QUATSIMD_OK;
  if (!skinning || !model) return QUATSIMD_ERROR_BAD_ARGUMENT;
  pose_places places = {.binds = skeleton->matrices ? skeleton_section(skeleton, SKELETON_BINDS) : NULL,
                        .inverse_binds = skeleton_section(skeleton, SKELETON_MATRICES),
                        .layout = layout,
                        .end = joint_count};
  for (size_t p = 0, at = 0; p < pose_count; p++, at += joint_count * layout) {
    places.local = model + at, places.skinning = skinning + at;
    quatsimd_active_kernels()->hierarchy(&places);
  }
  return QUATSIMD_OK;
}
