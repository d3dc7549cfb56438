#include "clips/source.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "clip/encode/encoder.h"
#include "clip/encode/snap.h"
#include "clip/sample/still.h"
#include "files/names.h"

int clip_source_kind(const struct clip_source *source, size_t i) {
  return i < SCENE_KINDS * source->source.joint_count ? (int)(i % SCENE_KINDS) : SCENE_TRACK;
}

const float *clip_source_rest(const struct clip_source *source, size_t i) {
  const struct skeleton *skeleton = source->skeleton;
  const size_t of_joints = SCENE_KINDS * skeleton->joints;
  return i < of_joints ? skeleton->joint[i / SCENE_KINDS].rest[i % SCENE_KINDS]
                       : &skeleton->track_rest[i - of_joints];
}

bool clip_source_keeps(const struct clip_source *source, size_t i) {
  const size_t of_joints = SCENE_KINDS * source->source.joint_count;
  return !source->kept ||
         source->kept[i < of_joints ? i / SCENE_KINDS : source->source.joint_count + i - of_joints];
}

/* The curves of the file, and how many keys they have. */
static void take_curves(struct clip_source *source, size_t animation, int only) {
  const struct scene_curve **curves = skeleton_curves(source->skeleton, animation);
  double first = INFINITY, last = -INFINITY;
  for (size_t i = 0; i < clip_all_curves(&source->source); i++) {
    const struct scene_curve *from = curves[i];
    const int kind = clip_source_kind(source, i);
    if (!from || (only >= 0 && only != kind)) continue;
    *clip_curve_of_copy(&source->source, i) =
        (quatsimd_curve){from->keys, from->seconds, from->values, from->interpolation};
    source->keys[kind] += from->keys;
    first = fmin(first, from->seconds[0]), last = fmax(last, from->seconds[from->keys - 1]);
  }
  source->seconds = last > first ? last - first : 0;
  free(curves);
}

static char *title_of(const struct scene_animation *animation) {
  char number[40];
  snprintf(number, sizeof number, "animation %zu", animation->number);
  return names_join(number, *animation->name ? ", " : "", animation->name);
}

void clip_source_make(struct clip_source *source, const struct skeleton *skeleton, size_t animation,
                      int only) {
  *source =
      (struct clip_source){.skeleton = skeleton, .title = title_of(&skeleton->scene.animation[animation])};
  source->joint = memory_get(skeleton->joints, sizeof *source->joint);
  source->moves_vertices = memory_get(skeleton->joints, sizeof *source->moves_vertices);
  const size_t tracks = quatsimd_skeleton_track_count(skeleton->file.skeleton);
  source->track = memory_get(tracks, sizeof *source->track);
  source->source = (quatsimd_clip_source){skeleton->joints, source->joint, tracks, source->track};
  source->rest = memory_get(clip_all_curves(&source->source), sizeof *source->rest);
  for (size_t j = 0; j < skeleton->joints; j++) source->joint[j].parent = skeleton->joint[j].parent;
  take_curves(source, animation, only);
}

void clip_source_keep(struct clip_source *source, const struct texts *only) {
  const size_t joints = source->skeleton->joints, tracks = source->source.track_count;
  if (only->count == 0) return;
  const char **name = memory_get(tracks, sizeof(char *));
  for (size_t t = 0; t < tracks; t++) name[t] = clip_source_track(source, t);
  source->kept = memory_get(joints + tracks, sizeof *source->kept);
  skeleton_select(source->skeleton, only, source->kept);
  names_select(only, tracks, name, NULL, source->kept + joints);
  free(name);
}

void clip_source_free(struct clip_source *source) {
  quatsimd_release(&source->moved, NULL);
  for (size_t i = 0; i < source->under.pieces; i++) free(source->under.made[i]);
  free(source->under.made);
  free(source->under.joint);
  free(source->under.track);
  free(source->rest);
  free(source->kept);
  free(source->moves_vertices);
  free(source->joint);
  free(source->track);
  free(source->title);
  *source = (struct clip_source){0};
}

const quatsimd_clip_source *clip_source_under(const struct clip_source *source) {
  return source->under.joint ? &source->under.source : NULL;
}

void clip_source_stand_at_rest(struct clip_source *source) {
  static const double start = 0;
  for (size_t i = 0; i < SCENE_KINDS * source->source.joint_count; i++) {
    quatsimd_curve *to = clip_curve_of_copy(&source->source, i);
    const float *rest = clip_source_rest(source, i);
    if (to->key_count > 0 || memcmp(rest, quatsimd_clip_none[i % SCENE_KINDS],
                                    scene_width((int)(i % SCENE_KINDS)) * sizeof *rest) == 0)
      continue;
    *to = (quatsimd_curve){1, &start, rest, 0};
    source->rest[i] = true;
  }
}

static void *allocate(void *context, size_t size) {
  (void)context;
  return memory_get(size, 1);
}
static void release(void *context, void *memory) {
  (void)context;
  free(memory);
}

/* Gives the curves the times of a copy's. */
static void take_times(quatsimd_clip_source *to, const quatsimd_clip_source *copy) {
  for (size_t i = 0; i < clip_all_curves(copy); i++)
    clip_curve_of_copy(to, i)->times = clip_any_curve(copy, i)->times;
}

static const quatsimd_allocator allocator = {allocate, release, NULL};

/* Takes curves of a closed copy. Its last frame is as long as the clip's to the last bit. */
static void take_closed(quatsimd_clip_source *to, const quatsimd_clip_source *copy, double end,
                        double close) {
  for (size_t i = 0; i < clip_all_curves(copy); i++) {
    const quatsimd_curve *curve = clip_any_curve(copy, i);
    if (curve->key_count > 1 && curve->times[curve->key_count - 1] > end)
      ((double *)(uintptr_t)curve->times)[curve->key_count - 1] = close;
    *clip_curve_of_copy(to, i) = *curve;
  }
}

void clip_source_close(struct clip_source *source, double seconds) {
  const quatsimd_clip_source *closed = &source->source, *under = clip_source_under(source);
  quatsimd_clip_options options;
  quatsimd_clip_report report = {0};
  quatsimd_clip_options_init(&options, sizeof options);
  double end = -INFINITY;
  options.rate = 1 / seconds;
  for (size_t i = 0; i < clip_all_curves(closed); i++) {
    const quatsimd_curve *curve = clip_any_curve(closed, i);
    if (curve->key_count > 1) end = fmax(end, curve->times[curve->key_count - 1]);
  }
  source->moved.allocator = &allocator;
  if (quatsimd_close_loop(&source->moved, &closed, &under, &options, &report) != QUATSIMD_OK ||
      closed == &source->source)
    return;
  take_closed(&source->source, closed, end, end + seconds);
  if (under) take_closed(&source->under.source, under, end, end + seconds);
}

double clip_source_move(struct clip_source *source, double rate) {
  const quatsimd_clip_source *moved = &source->source, *under = clip_source_under(source);
  quatsimd_clip_report report = {0};
  double found;
  source->moved.allocator = &allocator;
  if (quatsimd_source_check(moved, &report) != QUATSIMD_OK ||
      (under && quatsimd_source_check(under, &report) != QUATSIMD_OK) ||
      quatsimd_snap(&source->moved, &moved, &under, rate, &found, &report) != QUATSIMD_OK || found == 0)
    return 0;
  take_times(&source->source, moved);
  if (under) take_times(&source->under.source, under);
  return report.snapped;
}

const char *clip_source_joint(const struct clip_source *source, size_t joint) {
  const struct skeleton *skeleton = source->skeleton;
  return joint < skeleton->joints ? skeleton->joint[joint].name : "?";
}

const char *clip_source_track(const struct clip_source *source, size_t track) {
  const char *name = quatsimd_skeleton_track_name(source->skeleton->file.skeleton, track);
  return name ? name : "?";
}
