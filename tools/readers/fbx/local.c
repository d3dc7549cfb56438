/* The transform of a node in its parent's space. With some of FBX's InheritTypes a node does not get its
 * parent's scale; glTF and clips hand all scales down, so the node's own transform takes it away again. */
#include <math.h>
#include <string.h>

#include "readers/fbx/fbx.h"

static ufbx_vec3 times(ufbx_vec3 a, ufbx_vec3 b) { return (ufbx_vec3){{{a.x * b.x, a.y * b.y, a.z * b.z}}}; }

static ufbx_transform plain(const ufbx_anim *anim, const ufbx_node *node, double time) {
  return anim ? ufbx_evaluate_transform(anim, node, time) : node->local_transform;
}

/* Returns the scale that a node's children may get or not. */
static ufbx_vec3 handed_down(const ufbx_anim *anim, const ufbx_node *node, double time) {
  ufbx_vec3 scale = plain(anim, node, time).scale;
  while (node->inherit_mode != UFBX_INHERIT_MODE_NORMAL && node->inherit_scale_node) {
    node = node->inherit_scale_node;
    scale = times(scale, plain(anim, node, time).scale);
  }
  return scale;
}

/* Returns the largest cosine of two columns, which is 0 without a shear. */
static double shear_of(const ufbx_matrix *m) {
  double most = 0;
  for (int a = 0, b = 1; a < 3; a++, b = (a + 1) % 3) {
    const ufbx_vec3 p = m->cols[a], q = m->cols[b];
    const double lengths = sqrt((p.x * p.x + p.y * p.y + p.z * p.z) * (q.x * q.x + q.y * q.y + q.z * q.z));
    if (lengths > 0) most = fmax(most, fabs(p.x * q.x + p.y * q.y + p.z * q.z) / lengths);
  }
  return most;
}

static double inverse(double scale) { return fabs(scale) > 1e-12 ? 1 / scale : 1; }

ufbx_transform fbx_local(const ufbx_anim *anim, const ufbx_node *node, double time, double *shear) {
  ufbx_transform local = plain(anim, node, time);
  *shear = 0;
  if (node->inherit_mode == UFBX_INHERIT_MODE_NORMAL || !node->parent) return local;
  const ufbx_vec3 parent = handed_down(anim, node->parent, time),
                  away = {{{inverse(parent.x), inverse(parent.y), inverse(parent.z)}}};
  local.scale = handed_down(anim, node, time);
  if (fabs(away.x - away.y) + fabs(away.x - away.z) <= 1e-9 * fabs(away.x)) {
    local.scale = times(local.scale, (ufbx_vec3){{{away.x, away.x, away.x}}});
    return local;
  }
  ufbx_matrix m = ufbx_transform_to_matrix(&local);
  for (int c = 0; c < 3; c++) m.cols[c] = times(away, m.cols[c]);
  *shear = shear_of(&m);
  local = ufbx_matrix_to_transform(&m);
  local.rotation = ufbx_quat_normalize(local.rotation);
  return local;
}

ufbx_transform fbx_local_again(struct fbx *fbx, const ufbx_anim *anim, const ufbx_node *node, double time) {
  uint64_t bits;
  double shear;
  memcpy(&bits, &time, sizeof bits);
  /* the top bits of this product depend on all bits of the time */
  struct fbx_recent *recent = &fbx->recent[bits * 0x9e3779b97f4a7c15 >> (64 - FBX_RECENT_BITS)];
  if (recent->node != node || memcmp(&recent->time, &time, sizeof time) != 0)
    *recent = (struct fbx_recent){node, time, fbx_local(anim, node, time, &shear)};
  return recent->local;
}
