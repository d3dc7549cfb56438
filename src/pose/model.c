/* Computes matrices of model space and skinning matrices in float. At the end of a chain of 1,000 joints,
 * errors of positions are below 2^-20 of the chain's length. */
#include "core/bits.h"
#include "core/parts.h"
#include "pose/block.h"
#include "pose/operands.h"
#include "simd/vec/here.h"
#include "skeleton/layout.h"

/* A matrix, as in memory. 3x4: three rows of four floats; the last float of each row is a component of the
 * translation. 4x4: four columns of four floats; the last float of each column is not used here. Products of
 * both layouts add the same numbers in the same order. */
enum { PARTS = 4 / V_LANES };
typedef struct matrix {
  vf line[4][PARTS];
} matrix;

QUATSIMD_INLINE int lines_of(quatsimd_matrix_layout layout) { return layout == QUATSIMD_MATRIX_3X4 ? 3 : 4; }

QUATSIMD_INLINE matrix load_matrix(const float *p, quatsimd_matrix_layout layout) {
  matrix a;
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < PARTS; k++)
      a.line[i][k] = i < lines_of(layout) ? v_load(p + 4 * i + V_LANES * k) : v_set(0);
  return a;
}

/* Keeps the first three numbers of a line, or if `others`, the fourth. Other numbers become 0. */
QUATSIMD_INLINE vf keep_three(vf line, int k, bool others) {
  static const float is_kept[2][4] = {{1, 1, 1, 0}, {0, 0, 0, 1}};
  return v_keep(v_gt(v_load(is_kept[others] + V_LANES * k), v_set(0)), line);
}

QUATSIMD_INLINE vf with(vf line, const float bits[4], int k) {
  return v_from_bits(v_or(v_bits(line), v_bits(v_load(bits + V_LANES * k))));
}

/* Loads a matrix of the caller's. The last numbers of 4x4's columns may be anything: they become 0, 0, 0 and
 * 1. */
QUATSIMD_INLINE matrix load_given(const float *p, quatsimd_matrix_layout layout) {
  static const float one[4] = {0, 0, 0, 1};
  matrix a = load_matrix(p, layout);
  for (int k = 0; k < PARTS && layout == QUATSIMD_MATRIX_4X4; k++) {
    for (int i = 0; i < 4; i++) a.line[i][k] = keep_three(a.line[i][k], k, false);
    a.line[3][k] = with(a.line[3][k], one, k);
  }
  return a;
}

/* Stores a matrix. *ordered becomes false in lanes that have a NaN: see give_bits_to_nans. The last numbers
 * of 4x4's first three columns are 0, -0 or NaN, and become 0. That of the fourth is 1 or NaN. */
QUATSIMD_INLINE void store_matrix(float *p, quatsimd_matrix_layout layout, matrix a, vm *ordered) {
  const int lines = lines_of(layout);
  for (int k = 0; k < PARTS; k++) {
    for (int i = 0; i < lines; i++) {
      vf *const line = &a.line[i][k];
      if (layout == QUATSIMD_MATRIX_4X4 && i < 3) *line = keep_three(*line, k, false);
      v_store(p + 4 * i + V_LANES * k, *line);
    }
    for (int i = 0; i < lines; i += 2)
      *ordered = v_both(*ordered, v_ordered(a.line[i][k], a.line[i + 1 < lines ? i + 1 : i][k]));
  }
}

/* Replaces each NaN by the one that the library returns on all CPUs. NaNs are rare, and matrices of NaNs give
 * matrices of NaNs. So this is done once, after all matrices are stored. */
static void give_bits_to_nans(float *p, size_t floats, quatsimd_matrix_layout layout) {
  for (size_t i = 0; i < floats; i++)
    p[i] = layout == QUATSIMD_MATRIX_4X4 && i % 16 == 15 ? 1 : clip_number(p[i]);
}

/* Returns part k of x times line 0, y times line 1 and z times line 2. */
QUATSIMD_INLINE vf weighed(const matrix *lines, vf x, vf y, vf z, int k) {
  return v_add(v_add(v_mul(lines->line[0][k], x), v_mul(lines->line[1][k], y)), v_mul(lines->line[2][k], z));
}

/* Returns part k of `row`, with -0 for the row's first three numbers: adding -0 changes no number. */
QUATSIMD_INLINE vf last_of(vf row, int k) {
  static const float others[4] = {-0.0f, -0.0f, -0.0f, 0};
  return with(keep_three(row, k, true), others, k);
}

QUATSIMD_INLINE matrix multiply(const matrix *a, const matrix *b, quatsimd_matrix_layout layout) {
  const bool rows = layout == QUATSIMD_MATRIX_3X4;
  matrix c = *a; /* so that the fourth line of 3x4 has a value */
  for (int i = 0; i < lines_of(layout); i++) {
    const vf *const by = (rows ? a : b)->line[i];
    for (int k = 0; k < PARTS; k++) {
      c.line[i][k] = weighed(rows ? b : a, HERE_EVERY(by, 0), HERE_EVERY(by, 1), HERE_EVERY(by, 2), k);
      if (rows) c.line[i][k] = v_add(c.line[i][k], last_of(by[k], k));
      else if (i == 3) c.line[i][k] = v_add(c.line[i][k], a->line[3][k]);
    }
  }
  return c;
}

/* Returns the same where b has three rows, whatever the layout of `a` is. */
QUATSIMD_INLINE matrix multiply_by_rows(const matrix *a, const matrix *b, quatsimd_matrix_layout layout) {
  if (layout == QUATSIMD_MATRIX_3X4) return multiply(a, b, layout);
  matrix c;
#define COLUMN(i)                                                                                            \
  weighed(a, HERE_EVERY(b->line[0], i), HERE_EVERY(b->line[1], i), HERE_EVERY(b->line[2], i), k)
  for (int k = 0; k < PARTS; k++) {
    c.line[0][k] = COLUMN(0), c.line[1][k] = COLUMN(1), c.line[2][k] = COLUMN(2);
    c.line[3][k] = v_add(COLUMN(3), a->line[3][k]);
  }
#undef COLUMN
  return c;
}

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

/* Multiplies the matrix of joint j by its inverse bind matrix, at *bind, and moves *bind on. A joint without
 * one keeps its matrix. */
QUATSIMD_INLINE matrix skin(const quatsimd_skeleton *skeleton, const matrix *m, const unsigned char **bind,
                            size_t j, quatsimd_matrix_layout layout) {
  if (!skeleton_is_bound(skeleton, j)) return *m;
  float rows[SKELETON_MATRIX];
  load_floats(rows, *bind, SKELETON_MATRIX);
  *bind += 4 * SKELETON_MATRIX;
  const matrix inverse = load_matrix(rows, QUATSIMD_MATRIX_3X4);
  return multiply_by_rows(m, &inverse, layout);
}

/* Multiplies local matrices by those of parents, and the products by inverse bind matrices. local: the matrix
 * of joint `first`; may be model + first * layout. skinning: may be null. layout is known at compile time. */
QUATSIMD_INLINE void place(const quatsimd_skeleton *skeleton, float *model, float *skinning,
                           const float *local, quatsimd_matrix_layout layout, const float *root, size_t first,
                           size_t end) {
  const unsigned char *bind = skinning ? skeleton_bind_matrix(skeleton, first) : NULL;
  matrix above;
  vm ordered = v_ordered(v_set(0), v_set(0));
  if (root) above = load_given(root, layout);
  for (size_t j = first; j < end; j++, local += layout) {
    const unsigned parent = skeleton_parent(skeleton, j);
    matrix m = load_matrix(local, layout);
    if (parent != SKELETON_NO_PARENT) {
      const matrix from = load_matrix(model + (size_t)parent * layout, layout);
      m = multiply(&from, &m, layout);
    } else if (root) m = multiply(&above, &m, layout);
    store_matrix(model + j * layout, layout, m, &ordered);
    if (skinning) store_matrix(skinning + j * layout, layout, skin(skeleton, &m, &bind, j, layout), &ordered);
  }
  if (QUATSIMD_LIKELY(v_all(ordered))) return;
  give_bits_to_nans(model + first * layout, (end - first) * layout, layout);
  if (skinning) give_bits_to_nans(skinning + first * layout, (end - first) * layout, layout);
}

void quatsimd_pose_place(const quatsimd_skeleton *skeleton, float *model, float *skinning, const float *local,
                         quatsimd_matrix_layout layout, const float *root, size_t first, size_t end) {
  if (layout == QUATSIMD_MATRIX_3X4)
    place(skeleton, model, skinning, local, QUATSIMD_MATRIX_3X4, root, first, end);
  else place(skeleton, model, skinning, local, QUATSIMD_MATRIX_4X4, root, first, end);
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
  matrix m;
  bool above = root != NULL;
  if (above) m = load_matrix(root, layout);
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
    for (size_t k = 0; k < n; k++, above = true) { /* multiplies from the root on, like place */
      const matrix next = load_matrix(local + layout * k, layout);
      m = above ? multiply(&m, &next, layout) : next;
    }
  }
  vm ordered = v_ordered(v_set(0), v_set(0));
  store_matrix(to, layout, m, &ordered);
  give_bits_to_nans(to, layout, layout);
  return QUATSIMD_OK;
}

/* Multiplies matrices of model space by inverse bind matrices. `layout` is known at compile time. */
QUATSIMD_INLINE void compute_skinning(const quatsimd_skeleton *skeleton, float *skinning, const float *model,
                                      quatsimd_matrix_layout layout, size_t joint_count) {
  const unsigned char *bind = skeleton_section(skeleton, SKELETON_MATRICES);
  vm ordered = v_ordered(v_set(0), v_set(0));
  for (size_t j = 0; j < joint_count; j++) {
    const matrix m = load_given(model + j * layout, layout);
    store_matrix(skinning + j * layout, layout, skin(skeleton, &m, &bind, j, layout), &ordered);
  }
  if (!QUATSIMD_LIKELY(v_all(ordered))) give_bits_to_nans(skinning, joint_count * layout, layout);
}

quatsimd_status quatsimd_pose_to_skinning(const quatsimd_skeleton *skeleton, float *skinning,
                                          const float *model, quatsimd_matrix_layout layout,
                                          size_t joint_count, size_t pose_count) {
  if (!are_few(skeleton, joint_count, pose_count) || !pose_is_layout(layout))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (joint_count == 0 || pose_count == 0) return QUATSIMD_OK;
  if (!skinning || !model) return QUATSIMD_ERROR_BAD_ARGUMENT;
  for (size_t p = 0, at = 0; p < pose_count; p++, at += joint_count * layout)
    if (layout == QUATSIMD_MATRIX_3X4)
      compute_skinning(skeleton, skinning + at, model + at, QUATSIMD_MATRIX_3X4, joint_count);
    else compute_skinning(skeleton, skinning + at, model + at, QUATSIMD_MATRIX_4X4, joint_count);
  return QUATSIMD_OK;
}
