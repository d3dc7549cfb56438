/* Functions that JavaScript calls to encode skeletons, clips and bundles: it fills sources piece by piece,
 * since structs are C's. Pointers are numbers in JavaScript; arrays of a source must stay until it is
 * encoded. */
#include "quatsimd.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name), used)) name

/* ---- clips ---- */

/* A source without keys; null: no memory. It goes with free. */
quatsimd_clip_source *EXPORT(clip_source)(size_t joints, size_t tracks) {
  const size_t begin = sizeof(quatsimd_clip_source), middle = joints * sizeof(quatsimd_clip_joint);
  char *memory = calloc(1, begin + middle + tracks * sizeof(quatsimd_clip_track));
  if (!memory) return NULL;
  quatsimd_clip_joint *joint = (quatsimd_clip_joint *)(void *)(memory + begin);
  const quatsimd_clip_source source = {joints, joint, tracks,
                                       (const quatsimd_clip_track *)(const void *)(memory + begin + middle)};
  for (size_t j = 0; j < joints; j++) joint[j].parent = -1;
  return memcpy(memory, &source, sizeof source);
}

void EXPORT(clip_parent)(quatsimd_clip_source *source, size_t joint, int parent) {
  ((quatsimd_clip_joint *)(uintptr_t)source->joints)[joint].parent = parent;
}

/* kind: QUATSIMD_CLIP_ROTATION, ... index: of the joint, or of the track. */
void EXPORT(clip_curve)(quatsimd_clip_source *source, int kind, size_t index, size_t keys,
                        const double *times, const float *values, int interpolation) {
  const quatsimd_curve curve = {keys, times, values, interpolation};
  quatsimd_clip_joint *joint = (quatsimd_clip_joint *)(uintptr_t)source->joints;
  switch (kind) {
  case QUATSIMD_CLIP_ROTATION: joint[index].rotation = curve; break;
  case QUATSIMD_CLIP_TRANSLATION: joint[index].translation = curve; break;
  case QUATSIMD_CLIP_SCALE: joint[index].scale = curve; break;
  default: ((quatsimd_clip_track *)(uintptr_t)source->tracks)[index].curve = curve;
  }
}

/* Bounds of single joints and tracks, 0: those of all. joints: of each its rotations, translations, scales,
 * points and their distance. Either may be null. */
void EXPORT(clip_bounds)(quatsimd_clip_source *source, const float (*joints)[5], const float *tracks) {
  quatsimd_clip_joint *joint = (quatsimd_clip_joint *)(uintptr_t)source->joints;
  quatsimd_clip_track *track = (quatsimd_clip_track *)(uintptr_t)source->tracks;
  for (size_t j = 0; joints && j < source->joint_count; j++) {
    joint[j].rotation_bound = joints[j][0], joint[j].translation_bound = joints[j][1];
    joint[j].scale_bound = joints[j][2];
    joint[j].object_bound = joints[j][3], joint[j].object_distance = joints[j][4];
  }
  for (size_t t = 0; tracks && t < source->track_count; t++) track[t].bound = tracks[t];
}

/* The last call of an encoder told this: where it failed, and why. */
static struct {
  const char *error;
  double where, key, kind; /* -1: none in particular */
  float worst[5], nearest[2];
} told;
const void *EXPORT(told_error)(void) { return told.error; }
const float *EXPORT(told_worst)(void) { return told.worst; }
const float *EXPORT(told_nearest)(void) { return told.nearest; }
double EXPORT(told_where)(void) { return told.where; }
double EXPORT(told_key)(void) { return told.key; }
double EXPORT(told_kind)(void) { return told.kind; }
static double number_or_none(size_t number) { return number == SIZE_MAX ? -1 : (double)number; }

/* A skeleton knows the parents. */
static void take_parents(const quatsimd_clip_source *source, const quatsimd_skeleton *skeleton) {
  quatsimd_clip_joint *joint = (quatsimd_clip_joint *)(uintptr_t)source->joints;
  if (source->joint_count != quatsimd_skeleton_joint_count(skeleton)) return; /* which encoding refuses */
  for (size_t j = 0; j < source->joint_count; j++) joint[j].parent = quatsimd_skeleton_parent(skeleton, j);
}

/* bounds: of rotations, translations, scales, objects, their distance, and tracks. base may be null. *data
 * and *size get the clip, which goes with free. */
quatsimd_status EXPORT(encode_clip)(void **data, size_t *size, const quatsimd_clip_source *source,
                                    const float bounds[6], const quatsimd_skeleton *skeleton, double rate,
                                    int loop, int additive, const quatsimd_clip_source *base, int bundled) {
  quatsimd_clip_options options;
  quatsimd_clip_report report;
  quatsimd_clip_options_init(&options, sizeof options);
  quatsimd_clip_report_init(&report, sizeof report);
  options.rotation_bound = bounds[0], options.translation_bound = bounds[1], options.scale_bound = bounds[2];
  options.object_bound = bounds[3], options.object_distance = bounds[4], options.track_bound = bounds[5];
  options.skeleton = skeleton, options.rate = rate, options.looping = loop;
  options.additive = (quatsimd_clip_additivity)additive, options.additive_base = base,
  options.bundled = bundled;
  if (skeleton) take_parents(source, skeleton);
  if (skeleton && base) take_parents(base, skeleton);
  const quatsimd_status status = quatsimd_clip_encode(data, size, source, &options, &report);
  told.error = report.error, told.where = number_or_none(report.joint), told.key = number_or_none(report.key);
  told.kind = report.kind == QUATSIMD_CLIP_NO_KIND ? -1 : report.kind;
  for (int i = 0; i < 4; i++) told.worst[i] = report.worst[i];
  told.worst[4] = report.worst_object;
  told.nearest[0] = report.nearest_object.ratio, told.nearest[1] = report.nearest[QUATSIMD_CLIP_TRACK].ratio;
  return status;
}

/* ---- skeletons ---- */

/* A source with the identity as its rest pose and without names; null: no memory. It goes with free. */
quatsimd_skeleton_source *EXPORT(skeleton_source)(size_t joints, size_t tracks, double metres) {
  const size_t begin = sizeof(quatsimd_skeleton_source), middle = joints * sizeof(quatsimd_skeleton_joint);
  char *memory = calloc(1, begin + middle + tracks * sizeof(char *));
  if (!memory) return NULL;
  quatsimd_skeleton_joint *joint = (quatsimd_skeleton_joint *)(void *)(memory + begin);
  const quatsimd_skeleton_source source = {
      joints, joint, tracks, (const char *const *)(const void *)(memory + begin + middle), metres, NULL};
  return memcpy(memory, &source, sizeof source);
}

/* rest: rotation, translation and scale, 10 floats. inverse_bind: 12, or null. */
void EXPORT(skeleton_joint)(quatsimd_skeleton_source *source, size_t joint, const char *name, int parent,
                            const float *rest, const float *inverse_bind) {
  quatsimd_skeleton_joint *j = (quatsimd_skeleton_joint *)(uintptr_t)source->joints + joint;
  *j = (quatsimd_skeleton_joint){.name = name, .parent = parent, .inverse_bind = inverse_bind};
  memcpy(j->rotation, rest, sizeof j->rotation);
  memcpy(j->translation, rest + 4, sizeof j->translation);
  memcpy(j->scale, rest + 7, sizeof j->scale);
}

/* rest: of all tracks, may be null. */
void EXPORT(skeleton_tracks)(quatsimd_skeleton_source *source, const char *const *names, const float *rest) {
  memcpy((void *)(uintptr_t)source->track_names, names, source->track_count * sizeof *names);
  source->track_rest = rest;
}

quatsimd_status EXPORT(encode_skeleton)(void **data, size_t *size, const quatsimd_skeleton_source *source) {
  quatsimd_skeleton_report report;
  quatsimd_skeleton_report_init(&report, sizeof report);
  const quatsimd_status status = quatsimd_skeleton_encode(data, size, source, NULL, &report);
  told.error = report.error,
  told.where = number_or_none(report.joint == SIZE_MAX ? report.track : report.joint);
  told.key = told.kind = -1;
  return status;
}

/* ---- bundles ---- */

/* names, clips and sizes: of so many clips. */
quatsimd_status EXPORT(encode_bundle)(void **data, size_t *size, const void *skeleton, size_t skeleton_size,
                                      size_t clips, const char *const *names, const void *const *clip,
                                      const size_t *sizes) {
  quatsimd_bundle_entry *entry = calloc(clips + 1, sizeof *entry);
  quatsimd_bundle_report report;
  if (!entry) return QUATSIMD_ERROR_NO_MEMORY;
  for (size_t i = 0; i < clips; i++)
    entry[i] = (quatsimd_bundle_entry){.name = names[i], .data = clip[i], .data_size = sizes[i]};
  const quatsimd_bundle_source source = {.struct_size = sizeof source,
                                         .entry_size = sizeof *entry,
                                         .skeleton = skeleton,
                                         .skeleton_size = skeleton_size,
                                         .clips = entry,
                                         .clip_count = clips};
  quatsimd_bundle_report_init(&report, sizeof report);
  const quatsimd_status status = quatsimd_bundle_encode(data, size, &source, NULL, &report);
  free(entry);
  told.error = report.error, told.where = number_or_none(report.clip), told.key = told.kind = -1;
  return status;
}
