/* Opens the parts that bundles of all versions have: the skeleton and the settings. */
#include "bundle/layout.h"

bool quatsimd_bundle_open_its_skeleton(quatsimd_bundle *b) {
  quatsimd_skeleton_storage storage;
  quatsimd_skeleton *skeleton;
  if (quatsimd_skeleton_open(&skeleton, &storage, sizeof storage, b->skeleton, b->skeleton_size) !=
      QUATSIMD_OK)
    return false;
  b->joints = quatsimd_skeleton_joint_count(skeleton), b->tracks = quatsimd_skeleton_track_count(skeleton);
  b->hash = quatsimd_skeleton_hash(skeleton);
  return true;
}

bool quatsimd_bundle_open_settings(quatsimd_bundle *b, clip_reader *reader) {
  unsigned flags = 0;
  if (b->settings > b->clips) return false;
  b->setting = clip_take(reader, (uint64_t)BUNDLE_SETTING * b->settings);
  for (size_t s = 0; b->setting && s < b->settings; s++) flags |= load_u32(b->setting + BUNDLE_SETTING * s);
  for (int kind = 0; kind < QUATSIMD_CLIP_KIND_COUNT; kind++) {
    if (!(flags & CLIP_HAS_KIND << kind)) continue;
    b->usual[kind] = clip_take(reader, (bundle_elements(b, kind) + 3) / 4);
    b->varies[kind] = clip_take(reader, (bundle_elements(b, kind) + 7) / 8);
    if (reader->ok) quatsimd_bundle_count_states(b, kind);
  }
  return reader->ok;
}
