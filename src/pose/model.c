/* From local space to model space, and on to matrices for skinning. In float: matrices of a chain of n joints
 * are off by some n * 2^-22 of its length. */
#include "core/bits.h"
#include "pose/operands.h"

/* Four floats of a matrix: a vector of the compilers', any instruction set's. */
typedef float four __attribute__((vector_size(16)));
typedef int32_t four_bits __attribute__((vector_size(16)));
#define INLINE static inline __attribute__((always_inline))

/* As it lies in memory: three rows of four, the translation last in each, or four columns of four, whose
 * last elements may be anything. Products of both add the same numbers in the same order. */
typedef struct matrix {
  four line[4];
} matrix;

INLINE int lines_of(quatsimd_matrix_layout layout) { return layout == QUATSIMD_MATRIX_3X4 ? 3 : 4; }

INLINE matrix load_matrix(const float *p, quatsimd_matrix_layout layout) {
  matrix a = {{{0}}};
  for (int i = 0; i < lines_of(layout); i++) memcpy(&a.line[i], p + 4 * i, sizeof a.line[i]);
  return a;
}

INLINE void store_matrix(float *p, quatsimd_matrix_layout layout, const matrix *a) {
  for (int i = 0; i < lines_of(layout); i++) {
    const four_bits is = a->line[i] == a->line[i];
    four_bits bits = (is & (four_bits)a->line[i]) | (~is & 0x7fc00000);
    if (layout == QUATSIMD_MATRIX_4X4)
      bits = (bits & (four_bits){-1, -1, -1, 0}) | (four_bits){0, 0, 0, i == 3 ? 0x3f800000 : 0};
    memcpy(p + 4 * i, &bits, sizeof bits);
  }
}

INLINE matrix multiply(const matrix *a, const matrix *b, quatsimd_matrix_layout layout) {
  matrix c = {{{0}}};
  for (int i = 0; i < lines_of(layout); i++)
    if (layout == QUATSIMD_MATRIX_3X4) {
      const four row = a->line[i];
      const four_bits last = ((four_bits)row & (four_bits){0, 0, 0, -1}) |
                             (four_bits){INT32_MIN, INT32_MIN, INT32_MIN, 0}; /* -0 changes nothing */
      c.line[i] = ((b->line[0] * row[0] + b->line[1] * row[1]) + b->line[2] * row[2]) + (four)last;
    } else {
      const four column = b->line[i];
      c.line[i] = (a->line[0] * column[0] + a->line[1] * column[1]) + a->line[2] * column[2];
      if (i == 3) c.line[3] += a->line[3];
    }
  return c;
}

/* Of a rotation of any length but 0, which counts as the identity. */
INLINE matrix local_matrix(const float q[4], const float t[3], const float s[3],
                           quatsimd_matrix_layout layout) {
  const float n2 = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]), two = n2 == 0 ? 0 : 2 / n2;
  const float x = q[0] * two, y = q[1] * two, z = q[2] * two;
  const float xx = q[0] * x, yy = q[1] * y, zz = q[2] * z, xy = q[0] * y, xz = q[0] * z, yz = q[1] * z,
              wx = q[3] * x, wy = q[3] * y, wz = q[3] * z;
  if (layout == QUATSIMD_MATRIX_4X4)
    return (matrix){{(four){1 - (yy + zz), xy + wz, xz - wy, 0} * s[0],
                     (four){xy - wz, 1 - (xx + zz), yz + wx, 0} * s[1],
                     (four){xz + wy, yz - wx, 1 - (xx + yy), 0} * s[2],
                     {t[0], t[1], t[2], 0}}};
  const four scale = {s[0], s[1], s[2], 1};
  return (matrix){{(four){1 - (yy + zz), xy - wz, xz + wy, t[0]} * scale,
                   (four){xy + wz, 1 - (xx + zz), yz - wx, t[1]} * scale,
                   (four){xz - wy, yz + wx, 1 - (xx + yy), t[2]} * scale}};
}

/* The joints' views of a pose. */
typedef struct joint_views {
  pose_operand of[QUATSIMD_CLIP_JOINT_KINDS];
} joint_views;

static bool resolve(joint_views *views, const quatsimd_pose_in *pose) {
  bool good = pose != NULL;
  for (int kind = 0; good && kind < QUATSIMD_CLIP_JOINT_KINDS; kind++)
    good = quatsimd_pose_operand(&views->of[kind], kind, pose);
  return good;
}

/* The local matrix of an element of the pose. */
INLINE matrix local_of(const joint_views *views, size_t element, quatsimd_matrix_layout layout) {
  float value[QUATSIMD_CLIP_JOINT_KINDS][4];
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KINDS; kind++)
    pose_load(&views->of[kind], kind, element, value[kind]);
  return local_matrix(value[0], value[1], value[2], layout);
}

static bool is_layout(quatsimd_matrix_layout layout) {
  return layout == QUATSIMD_MATRIX_3X4 || layout == QUATSIMD_MATRIX_4X4;
}

/* Are so many joints of so many poses no more than memory has? */
static bool are_few(const quatsimd_skeleton *skeleton, size_t joints, size_t poses) {
  size_t elements;
  return skeleton && joints <= quatsimd_skeleton_joints(skeleton) &&
         pose_elements(&elements, 4 * joints, poses);
}

static bool may_write(const joint_views *views, const float *matrices, const float *root) {
  bool meet = matrices == root;
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KINDS; kind++)
    meet = meet || (views->of[kind].given && quatsimd_begins_at(&views->of[kind].at, matrices));
  return !meet;
}

/* layout is known when it is compiled. */
INLINE void compute_model(const quatsimd_skeleton *skeleton, float *matrices, quatsimd_matrix_layout layout,
                          const joint_views *views, const float *root, size_t joints, size_t poses) {
  matrix above = {{{0}}};
  if (root) above = load_matrix(root, layout);
  for (size_t p = 0; p < poses; p++) {
    float *const to = matrices + p * joints * layout;
    for (size_t j = 0; j < joints; j++) {
      const int64_t parent = quatsimd_skeleton_parent(skeleton, j);
      matrix m = local_of(views, p * joints + j, layout);
      if (parent >= 0) {
        const matrix from = load_matrix(to + (size_t)parent * layout, layout);
        m = multiply(&from, &m, layout);
      } else if (root) m = multiply(&above, &m, layout);
      store_matrix(to + j * layout, layout, &m);
    }
  }
}

quatsimd_status quatsimd_pose_to_model(const quatsimd_skeleton *skeleton, float *matrices,
                                       quatsimd_matrix_layout layout, const quatsimd_pose_in *pose,
                                       const float *root, size_t joints, size_t poses) {
  joint_views views;
  if (!are_few(skeleton, joints, poses) || !is_layout(layout)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (joints == 0 || poses == 0) return QUATSIMD_OK;
  if (!matrices || !resolve(&views, pose) || !may_write(&views, matrices, root))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (layout == QUATSIMD_MATRIX_3X4)
    compute_model(skeleton, matrices, QUATSIMD_MATRIX_3X4, &views, root, joints, poses);
  else compute_model(skeleton, matrices, QUATSIMD_MATRIX_4X4, &views, root, joints, poses);
  return QUATSIMD_OK;
}

/* As many joints up. */
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
  enum { AT_ONCE = 64 }; /* so many joints of the chain are noted, or the chain would be walked for each */
  joint_views views;
  if (!skeleton || joint >= quatsimd_skeleton_joints(skeleton) || !is_layout(layout) || !to ||
      !resolve(&views, pose) || !may_write(&views, to, root))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  matrix m = {{{0}}};
  bool above = root != NULL;
  if (above) m = load_matrix(root, layout);
  for (size_t left = count_ancestors(skeleton, joint) + 1, n; left > 0; left -= n) {
    size_t chain[AT_ONCE];
    n = left < AT_ONCE ? left : AT_ONCE;
    chain[n - 1] = ancestor(skeleton, joint, left - n);
    for (size_t k = n - 1; k > 0; k--) chain[k - 1] = ancestor(skeleton, chain[k], 1);
    for (size_t k = 0; k < n; k++, above = true) { /* from the root on, as above */
      const matrix local = local_of(&views, chain[k], layout);
      m = above ? multiply(&m, &local, layout) : local;
    }
  }
  store_matrix(to, layout, &m);
  return QUATSIMD_OK;
}

/* layout is known when it is compiled. */
INLINE void compute_skinning(const quatsimd_skeleton *skeleton, float *skinning, const float *model,
                             quatsimd_matrix_layout layout, size_t joints, size_t poses) {
  for (size_t j = 0; j < joints; j++) {
    float bind[12];
    const bool bound = quatsimd_skeleton_inverse_bind(skeleton, bind, j) == QUATSIMD_OK;
    matrix inverse = {{{0}}};
    if (bound && layout == QUATSIMD_MATRIX_3X4) inverse = load_matrix(bind, layout);
    for (int i = 0; bound && i < 4 && layout == QUATSIMD_MATRIX_4X4; i++)
      inverse.line[i] = (four){bind[i], bind[4 + i], bind[8 + i], 0};
    for (size_t p = 0; p < poses; p++) {
      const size_t at = (p * joints + j) * layout;
      matrix m = load_matrix(model + at, layout);
      if (bound) m = multiply(&m, &inverse, layout);
      store_matrix(skinning + at, layout, &m);
    }
  }
}

quatsimd_status quatsimd_pose_to_skinning(const quatsimd_skeleton *skeleton, float *skinning,
                                          const float *model, quatsimd_matrix_layout layout, size_t joints,
                                          size_t poses) {
  if (!are_few(skeleton, joints, poses) || !is_layout(layout)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (joints == 0 || poses == 0) return QUATSIMD_OK;
  if (!skinning || !model) return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (layout == QUATSIMD_MATRIX_3X4)
    compute_skinning(skeleton, skinning, model, QUATSIMD_MATRIX_3X4, joints, poses);
  else compute_skinning(skeleton, skinning, model, QUATSIMD_MATRIX_4X4, joints, poses);
  return QUATSIMD_OK;
}
