/* Bundles the clips of clips.h. Clips with the same numbers of joints and tracks are in one bundle. The
 * skeleton is a chain. Each clip is in the bundle twice, with `bundled` 1 and 0. */
#ifndef QUATSIMD_TESTS_BUNDLES_H
#define QUATSIMD_TESTS_BUNDLES_H

#include "support/clips.h"

#include "quatsimd/bundle.h"

#include <string.h>

enum { BUNDLE_MOST_ENTRIES = 120, BUNDLE_MOST_EVENTS = 3, BUNDLE_MASKS = 2 };

/* A bundle's source and the memory that it points to. */
typedef struct made_bundle {
  quatsimd_bundle_source source;
  quatsimd_bundle_entry entry[BUNDLE_MOST_ENTRIES];
  char name[BUNDLE_MOST_ENTRIES][64];
  void *skeleton;
  size_t joints, tracks;
  quatsimd_bundle_event events[BUNDLE_MOST_ENTRIES][BUNDLE_MOST_EVENTS];
  quatsimd_bundle_mask_entry masks[BUNDLE_MASKS];
  float *weights[BUNDLE_MASKS];
} made_bundle;

static const char made_bundle_making[] = "{\"made by\": \"tests\"}";

static inline void made_bundle_free(made_bundle *m) {
  for (size_t i = 0; i < m->source.clip_count; i++)
    quatsimd_clip_free(NULL, (void *)(uintptr_t)m->entry[i].data);
  for (int i = 0; i < BUNDLE_MASKS; i++) free(m->weights[i]);
  quatsimd_skeleton_free(NULL, m->skeleton);
}

/* Makes a skeleton that is a chain. All its joints and tracks are called `name`. */
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

/* Adds the clip of a scene. The clip's name is the scene's name followed by `ending`. */
static inline void made_bundle_add(made_bundle *m, const scene_maker *maker, const char *ending,
                                   int bundled) {
  const size_t i = m->source.clip_count++;
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
  if (quatsimd_clip_encode(&data, &m->entry[i].data_size, &s.source, &s.options, NULL) != QUATSIMD_OK)
    abort();
  snprintf(m->name[i], sizeof m->name[i], "%s%s", maker->name, ending);
  m->entry[i].name = m->name[i], m->entry[i].data = data;
  scene_free(&s);
}

static inline void made_bundle_of(made_bundle *m, size_t joints, size_t tracks) {
  *m = (made_bundle){.source = {.struct_size = sizeof m->source, .entry_size = sizeof *m->entry}};
  m->skeleton = made_chain(&m->source.skeleton_size, joints, tracks, "b\xc3\xb6ne");
  m->source.skeleton = m->skeleton, m->source.clips = m->entry;
  m->joints = joints, m->tracks = tracks;
}

/* Adds events to some of the clips, two masks, and a record of the bundle's making. */
static inline void made_bundle_mark(made_bundle *m) {
  static const char *const names[] = {"foot.r", "foot.l", "h\xc3\xa4nde", ""};
  static const double times[] = {0.5, -0.0, 0, -1e9, 0.25};
  for (size_t i = 0; i < m->source.clip_count; i++) {
    m->entry[i].events = m->events[i], m->entry[i].event_count = i % (BUNDLE_MOST_EVENTS + 1);
    for (size_t k = 0; k < BUNDLE_MOST_EVENTS; k++)
      m->events[i][k] = (quatsimd_bundle_event){times[(2 * i + 3 * k) % 5], names[(i + k) % 4]};
  }
  for (size_t i = 0; i < BUNDLE_MASKS; i++) {
    float *weights = m->weights[i] = malloc(4 * (m->joints + m->tracks + 1));
    if (!weights) abort();
    for (size_t j = 0; j < m->joints + m->tracks; j++) weights[j] = (float)((j + i) % 5) / 4 - 0.25f;
    m->masks[i] =
        (quatsimd_bundle_mask_entry){i ? "lower" : "upper", weights, i ? weights + m->joints : NULL};
  }
  m->source.masks = m->masks, m->source.mask_count = BUNDLE_MASKS;
  m->source.making = made_bundle_making, m->source.making_size = sizeof made_bundle_making - 1;
}

/* Returns true for a scene that takes long to encode and tests nothing that other scenes do not. */
static inline bool is_long(const char *name) {
  return strcmp(name, "hour") == 0 || strcmp(name, "crowd") == 0;
}

/* `name` is the name of the bundle's first scene. */
typedef struct bundle_maker {
  const char *name;
  size_t joints, tracks;
} bundle_maker;

/* Fills `maker`, which has SCENES elements, and returns the number of bundles. */
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
  if (maker->joints != 1) made_bundle_mark(m); /* the bundle of one joint has neither events nor masks */
}

#endif
