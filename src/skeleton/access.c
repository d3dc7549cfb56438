/* Reads an opened skeleton. */
#include "clip/sample/output.h"
#include "skeleton/layout.h"
#include "skeleton/name.h"

size_t quatsimd_skeleton_joint_count(const quatsimd_skeleton *skeleton) {
  return skeleton ? skeleton->joints : 0;
}
size_t quatsimd_skeleton_track_count(const quatsimd_skeleton *skeleton) {
  return skeleton ? skeleton->tracks : 0;
}
double quatsimd_skeleton_metres(const quatsimd_skeleton *skeleton) { return skeleton ? skeleton->metres : 0; }
uint64_t quatsimd_skeleton_hash(const quatsimd_skeleton *skeleton) { return skeleton ? skeleton->hash : 0; }

static bool has(const quatsimd_skeleton *skeleton, size_t joint) {
  return skeleton && joint < skeleton->joints;
}

const char *quatsimd_skeleton_joint_name(const quatsimd_skeleton *skeleton, size_t joint) {
  return has(skeleton, joint) ? (const char *)skeleton_item_name(skeleton, joint) : NULL;
}

const char *quatsimd_skeleton_track_name(const quatsimd_skeleton *skeleton, size_t track) {
  if (!skeleton || track >= skeleton->tracks) return NULL;
  return (const char *)skeleton_item_name(skeleton, skeleton->joints + track);
}

int64_t quatsimd_skeleton_parent(const quatsimd_skeleton *skeleton, size_t joint) {
  if (!has(skeleton, joint)) return -1;
  const unsigned parent = skeleton_parent(skeleton, joint);
  return parent == SKELETON_NO_PARENT ? -1 : (int64_t)parent;
}

/* Finds a name among the `count` items from item `first` on. Returns the least number of an item with this
 * name, counted from `first`, or -1. */
static int64_t find(const quatsimd_skeleton *s, size_t first, size_t count, const char *name) {
  const unsigned char *wanted = (const unsigned char *)name,
                      *order = skeleton_section(s, SKELETON_ORDER) + 2 * first;
  size_t low = 0, high = count; /* names before `low` are less than `name`, those from `high` on are not */
  while (low < high) {
    const size_t middle = low + (high - low) / 2, item = load_u16(order + 2 * middle);
    if (quatsimd_name_compare(skeleton_item_name(s, first + item), wanted) < 0) low = middle + 1;
    else high = middle;
  }
  if (low == count) return -1;
  const size_t item = load_u16(order + 2 * low);
  return quatsimd_name_compare(skeleton_item_name(s, first + item), wanted) == 0 ? (int64_t)item : -1;
}

int64_t quatsimd_skeleton_find_joint(const quatsimd_skeleton *skeleton, const char *name) {
  return skeleton && name ? find(skeleton, 0, skeleton->joints, name) : -1;
}

int64_t quatsimd_skeleton_find_track(const quatsimd_skeleton *skeleton, const char *name) {
  return skeleton && name ? find(skeleton, skeleton->joints, skeleton->tracks, name) : -1;
}

quatsimd_status quatsimd_skeleton_mask(const quatsimd_skeleton *skeleton, size_t joint, float weight,
                                       float *mask) {
  if (!mask || !has(skeleton, joint)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  /* A bit for each joint. Roots have the parent 65,535. Only the last joint can set its bit, so no root is
   * below `joint`. */
  unsigned char weighted[QUATSIMD_SKELETON_MOST / 8] = {0};
  for (size_t j = joint; j < skeleton->joints; j++) { /* parents have smaller numbers */
    const unsigned parent = skeleton_parent(skeleton, j);
    if (j != joint && !(weighted[parent / 8] >> parent % 8 & 1)) continue;
    weighted[j / 8] |= (unsigned char)(1u << j % 8);
    mask[j] = weight;
  }
  return QUATSIMD_OK;
}

int quatsimd_skeleton_has_inverse_bind(const quatsimd_skeleton *skeleton, size_t joint) {
  return has(skeleton, joint) && skeleton_is_bound(skeleton, joint);
}

quatsimd_status quatsimd_skeleton_inverse_bind(const quatsimd_skeleton *skeleton, float matrix[12],
                                               size_t joint) {
  if (!matrix || !quatsimd_skeleton_has_inverse_bind(skeleton, joint)) return QUATSIMD_ERROR_BAD_ARGUMENT;
  const unsigned char *p = skeleton_bind_matrix(skeleton, joint);
  for (size_t i = 0; i < SKELETON_MATRIX; i++) matrix[i] = load_float(p + 4 * i);
  return QUATSIMD_OK;
}

quatsimd_status quatsimd_skeleton_rest_pose(const quatsimd_skeleton *skeleton, quatsimd_pose_out *pose,
                                            size_t first, size_t count) {
  static const int section[] = {SKELETON_ROTATIONS, SKELETON_TRANSLATIONS, SKELETON_SCALES};
  clip_output out[QUATSIMD_CLIP_KIND_COUNT];
  if (!skeleton || !pose || first > skeleton->joints || count > skeleton->joints - first ||
      !quatsimd_clip_outputs(out, pose, count, skeleton->tracks))
    return QUATSIMD_ERROR_BAD_ARGUMENT;
  if (out[QUATSIMD_CLIP_TRACK].wanted)
    load_floats(pose->tracks, skeleton_section(skeleton, SKELETON_TRACK_RESTS), skeleton->tracks);
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
    if (!out[kind].wanted) continue;
    const size_t components = out[kind].components;
    const unsigned char *p = skeleton_section(skeleton, section[kind]) + 4 * components * first;
    const bool tight = quatsimd_is_structs(&out[kind].to);
    if (tight) load_floats(quatsimd_floats(out[kind].to.first), p, components * count);
    for (size_t i = 0; i < count && !tight; i++) {
      float value[4] = {0};
      for (size_t c = 0; c < components; c++, p += 4) value[c] = load_float(p);
      clip_store(&out[kind], i, value);
    }
  }
  return QUATSIMD_OK;
}
