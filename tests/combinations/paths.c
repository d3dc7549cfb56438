/* All ways to a pose give the same bits. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw_curve.h"
#include "quatsimd/pose.h"
#include "support/kernels.h"
#include "times.h"

static quatsimd_pose_out out_of(const float_pose *f) {
  const quatsimd_pose_out out = {quatsimd_aos_out(f->rotations), quatsimd_aos_out(f->translations),
                                 quatsimd_aos_out(f->scales), f->tracks};
  return out;
}
static quatsimd_pose_in in_of(const float_pose *f) {
  const quatsimd_pose_in in = {quatsimd_aos(f->rotations), quatsimd_aos(f->translations),
                               quatsimd_aos(f->scales), f->tracks};
  return in;
}

/* Poses of `count` elements one after the other. */
static float_pose poses(scene *s, size_t joints, size_t tracks) {
  const float_pose f = {
      scene_memory(s, (joints + 1) * 4 * sizeof(float)), scene_memory(s, (joints + 1) * 3 * sizeof(float)),
      scene_memory(s, (joints + 1) * 3 * sizeof(float)), scene_memory(s, (tracks + 1) * sizeof(float))};
  return f;
}

static bool same(const float_pose *a, size_t at, const float_pose *b, size_t first, size_t joints) {
  return memcmp(a->rotations + 4 * at, b->rotations + 4 * first, 4 * joints * sizeof(float)) == 0 &&
         memcmp(a->translations + 3 * at, b->translations + 3 * first, 3 * joints * sizeof(float)) == 0 &&
         memcmp(a->scales + 3 * at, b->scales + 3 * first, 3 * joints * sizeof(float)) == 0;
}
static bool same_tracks(const float_pose *a, size_t at, const float_pose *b, size_t tracks) {
  return memcmp(a->tracks + at, b->tracks, tracks * sizeof(float)) == 0;
}

static int differ(const scene *s, const char *what, const char *kernels, double time) {
  print_scene(s);
  printf("%s with kernels %s has other bits at %.17g s", what, kernels, time);
  print_features(s);
  return 1;
}

static bool sampled(const scene *s, const quatsimd_clip *clip, float_pose *f, moment m) {
  quatsimd_pose_out out = out_of(f);
  const quatsimd_pose_in rest = in_of(&s->rest);
  memset(f->rotations, 0xab, 4 * s->joint_count * sizeof(float));
  return quatsimd_clip_sample(clip, &out, &rest, m.time, m.wrap, 0) == QUATSIMD_OK;
}

/* Some joints in any order, one of them twice. */
static bool some_joints(scene *s, const quatsimd_clip *clip, const float_pose *wanted, float_pose *f,
                        moment m) {
  uint64_t dice = scene_dice(s, "joints to sample", (size_t)(m.time * 1000 > 0 ? m.time * 1000 : 0), 0);
  const size_t count = 1 + below(&dice, (uint32_t)s->joint_count);
  uint32_t *joints = scene_memory(s, count * sizeof *joints);
  for (size_t i = 0; i < count; i++) joints[i] = below(&dice, (uint32_t)s->joint_count);
  if (count > 1) joints[count - 1] = joints[0];
  quatsimd_pose_out out = out_of(f);
  const quatsimd_pose_in rest = in_of(&s->rest);
  if (quatsimd_clip_sample_joints(clip, &out, &rest, m.time, m.wrap, joints, count, 0) != QUATSIMD_OK)
    return false;
  for (size_t i = 0; i < count; i++)
    if (!same(f, i, wanted, joints[i], 1)) return false;
  return true;
}

/* An additive clip is added to the rest pose, by the functions that pose.h names for it. */
static bool evaluated(const scene *s, const quatsimd_clip *clip, const float_pose *wanted, float_pose *f,
                      float_pose *sum, moment m) {
  const bool additive = quatsimd_clip_additive(clip) != QUATSIMD_CLIP_ADDITIVE_NONE;
  const quatsimd_pose_layer layer = {.clip = clip, .time = m.time, .wrap = m.wrap, .weight = 1};
  quatsimd_pose_job job;
  quatsimd_pose_job_init(&job, sizeof job, sizeof layer);
  job.skeleton = s->skeleton, job.layers = &layer, job.layer_count = 1, job.local = out_of(f);
  const size_t size = quatsimd_pose_scratch_size(&job, 1);
  void *scratch = malloc(size);
  const bool ran = quatsimd_pose_evaluate(&job, 1, scratch, size, NULL) == QUATSIMD_OK;
  free(scratch);
  if (additive) {
    quatsimd_pose_out out = out_of(sum);
    const quatsimd_pose_in rest = in_of(&s->rest), blended = in_of(sum);
    const quatsimd_weighted_poses add = {in_of(wanted), NULL, NULL, NULL};
    const quatsimd_pose_counts of_one = {s->joint_count, s->track_count, 1};
    if (quatsimd_pose_blend(&out, NULL, 0, &rest, of_one) != QUATSIMD_OK ||
        quatsimd_pose_add(&out, &blended, &add, of_one) != QUATSIMD_OK)
      return false;
    wanted = sum;
  }
  return ran && same(f, 0, wanted, 0, s->joint_count) && same_tracks(f, 0, wanted, s->track_count);
}

enum { MOMENTS = 6, FRAMES = 24 };

static int check_decode(scene *s, const encoded *e, const char *kernels, float_pose *decoded,
                        float_pose *one) {
  uint64_t dice = scene_dice(s, "frames to decode", 0, 0);
  const size_t all = quatsimd_clip_frame_count(e->clip), first = below(&dice, (uint32_t)all),
               count = all - first < FRAMES ? all - first : FRAMES;
  quatsimd_pose_out out = out_of(decoded);
  const quatsimd_pose_in rest = in_of(&s->rest);
  if (quatsimd_clip_decode(e->clip, &out, &rest, first, count, 0) != QUATSIMD_OK)
    return differ(s, "decode", kernels, 0);
  for (size_t i = 0; i < count; i++) {
    const moment m = {quatsimd_clip_frame_time(e->clip, first + i), QUATSIMD_CLIP_WRAP_CLAMP};
    if (!sampled(s, e->clip, one, m) || !same(decoded, i * s->joint_count, one, 0, s->joint_count) ||
        !same_tracks(decoded, i * s->track_count, one, s->track_count))
      return differ(s, "decode", kernels, m.time);
  }
  return 0;
}

int check_paths(scene *s, const encoded *e) {
  moment moments[MOST_MOMENTS];
  const size_t n = draw_moments(moments, s, e->clip, MOMENTS);
  float_pose wanted[MOMENTS], one = scene_floats(s), sum = scene_floats(s),
                              decoded = poses(s, FRAMES * s->joint_count, FRAMES * s->track_count);
  quatsimd_use_kernels(scalar_kernels());
  for (size_t i = 0; i < n; i++) {
    wanted[i] = scene_floats(s);
    if (!sampled(s, e->clip, &wanted[i], moments[i])) return differ(s, "sample", "scalar", moments[i].time);
  }
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t count = all_kernels(tables);
  int bad = 0;
  for (size_t k = 0; k < count && !bad; k++) {
    if (!can_run(tables[k])) continue;
    quatsimd_use_kernels(tables[k]);
    const char *name = tables[k]->name;
    for (size_t i = 0; i < n && !bad; i++) {
      const double time = moments[i].time;
      if (!sampled(s, e->clip, &one, moments[i]) || !same(&one, 0, &wanted[i], 0, s->joint_count) ||
          !same_tracks(&one, 0, &wanted[i], s->track_count))
        bad = differ(s, "sample", name, time);
      else if (!some_joints(s, e->clip, &wanted[i], &one, moments[i]))
        bad = differ(s, "sample_joints", name, time);
      else if (s->skeleton && !evaluated(s, e->clip, &wanted[i], &one, &sum, moments[i]))
        bad = differ(s, "pose_evaluate", name, time);
    }
    if (!bad) bad = check_decode(s, e, name, &decoded, &one);
  }
  quatsimd_use_kernels(NULL);
  return bad;
}

int check_bundle(scene *scenes, const encoded *clips, size_t count) {
  quatsimd_bundle_source source;
  quatsimd_bundle_source_init(&source, sizeof source, sizeof(quatsimd_bundle_entry));
  quatsimd_bundle_entry entries[8] = {{0}};
  static const char *const names[8] = {"h", "g", "f", "e", "d", "c", "b", "a"};
  scene *s = &scenes[0];
  for (size_t i = 0; i < count; i++)
    entries[i].name = names[i], entries[i].data = clips[i].data, entries[i].data_size = clips[i].size;
  source.skeleton = s->skeleton_bytes, source.skeleton_size = s->skeleton_size;
  source.clips = entries, source.clip_count = count;
  void *data = NULL;
  size_t size = 0;
  quatsimd_bundle_report report;
  quatsimd_bundle_report_init(&report, sizeof report);
  if (quatsimd_bundle_encode(&data, &size, &source, NULL, &report) != QUATSIMD_OK)
    return differ(s, report.error ? report.error : "bundle_encode", "of the CPU", 0);
  quatsimd_bundle_storage storage;
  quatsimd_bundle *bundle = NULL;
  int bad = 0;
  if (quatsimd_bundle_open(&bundle, &storage, sizeof storage, data, size) != QUATSIMD_OK)
    bad = differ(s, "bundle_open", "of the CPU", 0);
  for (size_t i = 0; i < count && !bad; i++) {
    const size_t number = (size_t)quatsimd_bundle_find_clip(bundle, names[i]),
                 need = quatsimd_bundle_clip_memory_size(bundle, number);
    void *memory = malloc(need + 1);
    quatsimd_clip *clip = NULL;
    if (quatsimd_bundle_open_clip(bundle, number, &clip, memory, need) != QUATSIMD_OK)
      bad = differ(&scenes[i], "bundle_open_clip", "of the CPU", 0);
    moment moments[MOST_MOMENTS];
    const size_t n = draw_moments(moments, &scenes[i], clips[i].clip, MOMENTS);
    float_pose a = scene_floats(&scenes[i]), b = scene_floats(&scenes[i]);
    for (size_t k = 0; k < n && !bad; k++)
      if (!sampled(&scenes[i], clips[i].clip, &a, moments[k]) || !sampled(&scenes[i], clip, &b, moments[k]) ||
          !same(&a, 0, &b, 0, s->joint_count) || !same_tracks(&a, 0, &b, s->track_count))
        bad = differ(&scenes[i], "a clip of a bundle", "of the CPU", moments[k].time);
    free(memory);
  }
  quatsimd_bundle_free(NULL, data);
  return bad;
}
