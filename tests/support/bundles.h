/* Bundles of the clips of clips.h: those with as many joints and tracks have a skeleton in common, which is a
 * chain at rest. Each clip is there twice, as it is by itself and as it is for bundles. */
#ifndef QUATSIMD_TESTS_BUNDLES_H
#define QUATSIMD_TESTS_BUNDLES_H

#include "support/clips.h"

#include "quatsimd/bundle.h"

#include <string.h>

enum { BUNDLE_MOST_ENTRIES = 120 };

/* A source, and the memory that it is in. */
typedef struct made_bundle {
  quatsimd_bundle_source source;
  quatsimd_bundle_entry entry[BUNDLE_MOST_ENTRIES];
  char name[BUNDLE_MOST_ENTRIES][64];
  void *skeleton;
} made_bundle;

static inline void made_bundle_free(made_bundle *m) {
  for (size_t i = 0; i < m->source.clips; i++) quatsimd_clip_free(NULL, (void *)(uintptr_t)m->entry[i].data);
  quatsimd_skeleton_free(NULL, m->skeleton);
}

/* A chain at rest. Names say which skeleton it is. */
static inline void *made_chain(size_t *size, size_t joints, size_t tracks, const char *name) {
  quatsimd_skeleton_joint *joint = calloc(joints + 1, sizeof *joint);
  const char **track = calloc(tracks + 1, sizeof *track);
  void *data = NULL;
  if (!joint || !track) abort();
  for (size_t j = 0; j < joints; j++)
    joint[j] = (quatsimd_skeleton_joint){
        .name = name, .parent = (int64_t)j - 1, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
  for (size_t t = 0; t < tracks; t++) track[t] = name;
  const quatsimd_skeleton_source source = {joints, joint, tracks, track, 1, NULL};
  if (quatsimd_skeleton_encode(&data, size, &source, NULL, NULL) != QUATSIMD_OK) abort();
  free(joint), free((void *)track);
  return data;
}

/* Adds the clip of a scene. */
static inline void made_bundle_add(made_bundle *m, const scene_maker *maker, const char *ending,
                                   int bundled) {
  const size_t i = m->source.clips++;
  quatsimd_skeleton_storage storage;
  scene s;
  void *data = NULL;
  if (i == BUNDLE_MOST_ENTRIES) abort();
  scene_make(&s, maker);
  for (size_t j = 0; j < s.source.joint_count; j++) s.joint[j].parent = (int64_t)j - 1;
  if (quatsimd_skeleton_open((quatsimd_skeleton **)(uintptr_t)&s.options.skeleton, &storage, sizeof storage,
                             m->skeleton, m->source.skeleton_size) != QUATSIMD_OK)
    abort();
  s.options.bundled = bundled;
  if (quatsimd_clip_encode(&data, &m->entry[i].size, &s.source, &s.options, NULL) != QUATSIMD_OK) abort();
  snprintf(m->name[i], sizeof m->name[i], "%s%s", maker->name, ending);
  m->entry[i].name = m->name[i], m->entry[i].data = data;
  scene_free(&s);
}

static inline void made_bundle_of(made_bundle *m, size_t joints, size_t tracks) {
  *m = (made_bundle){.skeleton = NULL};
  m->skeleton = made_chain(&m->source.skeleton_size, joints, tracks, "b\xc3\xb6ne");
  m->source.skeleton = m->skeleton, m->source.clip = m->entry;
}

/* Takes long to encode, and shows nothing that others do not. */
static inline bool is_long(const char *name) {
  return strcmp(name, "hour") == 0 || strcmp(name, "crowd") == 0;
}

/* The bundles: each has the name of its first clip. */
typedef struct bundle_maker {
  const char *name;
  size_t joints, tracks;
} bundle_maker;

/* Fills `maker`, which has room for SCENES. Returns how many there are. */
static inline size_t bundle_makers(bundle_maker *maker) {
  size_t count = 0;
  for (size_t i = 0; i < SCENES; i++) {
    scene s;
    size_t known = 0;
    if (is_long(scenes[i].name)) continue;
    scene_make(&s, &scenes[i]);
    while (known < count &&
           (maker[known].joints != s.source.joint_count || maker[known].tracks != s.source.track_count))
      known++;
    if (known == count)
      maker[count++] = (bundle_maker){scenes[i].name, s.source.joint_count, s.source.track_count};
    scene_free(&s);
  }
  return count;
}

static inline void bundle_make(made_bundle *m, const bundle_maker *maker) {
  made_bundle_of(m, maker->joints, maker->tracks);
  for (size_t i = 0; i < SCENES; i++) {
    scene s;
    if (is_long(scenes[i].name)) continue;
    scene_make(&s, &scenes[i]);
    const bool is_of = s.source.joint_count == maker->joints && s.source.track_count == maker->tracks;
    scene_free(&s);
    if (!is_of) continue;
    made_bundle_add(m, &scenes[i], " short", 1);
    made_bundle_add(m, &scenes[i], "", 0);
  }
}

#endif
