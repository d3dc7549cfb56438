#include "clips/speed.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/speed.h"
#include "base/text.h"
#include "terminal/message.h"

enum {
  RANDOM_POSES = 32, /* of each clip, */
  AT_LEAST = 2048,   /* of all of them */
  PLAYBACK_HERTZ = 60,
  PLAYBACK_MOST = 36000, /* poses of one clip: ten minutes */
  DECODE_MOST = 1 << 20  /* elements at once */
};

struct moment {
  uint32_t clip;
  double time;
};

struct job {
  const struct clip_result *results;
  size_t count;
  bool rotations_alone;
  float *pose[QUATSIMD_CLIP_JOINT_KIND_COUNT]; /* room for the frames that are decoded at once */
  size_t moments;
  struct moment *moment;
  double rotations[CLIP_WAYS], curves[CLIP_WAYS]; /* moving, in all those poses */
  quatsimd_status status;
};

static size_t moving(const struct clip_result *r, int kind) {
  return r->report.moving_count[kind] + r->report.keyed_count[kind];
}

static size_t playback_poses(const struct clip_result *r) {
  return (size_t)fmin(quatsimd_clip_duration(r->clip) * PLAYBACK_HERTZ, PLAYBACK_MOST - 1) + 1;
}
/* Frames that are decoded at once. */
static size_t frames_at_once(const quatsimd_clip *clip) {
  const size_t most = DECODE_MOST / (quatsimd_clip_joint_count(clip) ? quatsimd_clip_joint_count(clip) : 1);
  return quatsimd_clip_frame_count(clip) < most ? quatsimd_clip_frame_count(clip) : most ? most : 1;
}

static quatsimd_pose_out pose_of(const struct job *job) {
  quatsimd_pose_out pose = {quatsimd_aos_out(job->pose[0]), {0}, {0}, NULL};
  if (job->rotations_alone) return pose;
  pose.translations = quatsimd_aos_out(job->pose[1]);
  pose.scales = quatsimd_aos_out(job->pose[2]);
  return pose;
}

static void keep(struct job *job, quatsimd_status status) {
  if (status < 0) job->status = status;
}

static void sample(struct job *job, quatsimd_pose_out *pose, const quatsimd_clip *clip, double time) {
  keep(job, quatsimd_clip_sample(clip, pose, NULL, time, QUATSIMD_CLIP_WRAP_CLAMP, 0));
}

static void run_random(void *data) {
  struct job *job = data;
  quatsimd_pose_out pose = pose_of(job);
  for (size_t i = 0; i < job->moments; i++)
    sample(job, &pose, job->results[job->moment[i].clip].clip, job->moment[i].time);
}

static void run_playback(void *data) {
  struct job *job = data;
  quatsimd_pose_out pose = pose_of(job);
  for (size_t c = 0; c < job->count; c++) {
    const quatsimd_clip *clip = job->results[c].clip;
    const size_t poses = playback_poses(&job->results[c]);
    for (size_t i = 0; i < poses && job->status >= 0; i++)
      sample(job, &pose, clip, quatsimd_clip_start(clip) + (double)i / PLAYBACK_HERTZ);
  }
}

static void run_decode(void *data) {
  struct job *job = data;
  quatsimd_pose_out pose = pose_of(job);
  for (size_t c = 0; c < job->count; c++) {
    const quatsimd_clip *clip = job->results[c].clip;
    const size_t step = frames_at_once(clip), frames = quatsimd_clip_frame_count(clip);
    for (size_t f = 0; f < frames; f += step)
      keep(job, quatsimd_clip_decode(clip, &pose, NULL, f, step < frames - f ? step : frames - f, 0));
  }
}

static uint64_t next_random(uint64_t *state) { /* Marsaglia's xorshift */
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/* Times of all clips, in no order. */
static void make_moments(struct job *job) {
  uint64_t state = 88172645463325252u;
  const size_t each = RANDOM_POSES * job->count < AT_LEAST ? AT_LEAST / job->count + 1 : RANDOM_POSES;
  job->moments = each * job->count;
  job->moment = memory_get(job->moments, sizeof *job->moment);
  for (size_t i = 0; i < job->moments; i++) {
    const quatsimd_clip *clip = job->results[i % job->count].clip;
    const double t = (double)(next_random(&state) >> 11) * 0x1p-53;
    const struct moment moment = {(uint32_t)(i % job->count),
                                  quatsimd_clip_start(clip) + t * quatsimd_clip_duration(clip)};
    const size_t other = next_random(&state) % (i + 1);
    job->moment[i] = job->moment[other];
    job->moment[other] = moment;
  }
  for (size_t c = 0; c < job->count; c++) {
    const struct clip_result *r = &job->results[c];
    const double rotations = (double)moving(r, 0),
                 curves = rotations + (double)moving(r, 1) + (double)moving(r, 2);
    const double poses[CLIP_WAYS] = {(double)each, (double)playback_poses(r),
                                     (double)quatsimd_clip_frame_count(r->clip)};
    for (int way = 0; way < CLIP_WAYS; way++) {
      job->rotations[way] += rotations * poses[way];
      job->curves[way] += curves * poses[way];
    }
  }
}

static void make_room(struct job *job) {
  size_t elements = 1;
  for (size_t c = 0; c < job->count; c++) {
    const quatsimd_clip *clip = job->results[c].clip;
    const size_t frames = frames_at_once(clip);
    const size_t needed = quatsimd_clip_joint_count(clip) * (frames ? frames : 1);
    if (needed > elements) elements = needed;
  }
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
    job->pose[kind] = memory_get(elements, (kind == QUATSIMD_CLIP_ROTATION ? 4 : 3) * sizeof(float));
}

bool clip_speed_measure(const struct clip_result *results, size_t count, double seconds,
                        struct clip_speed *speed) {
  static void (*const runs[CLIP_WAYS])(void *) = {run_random, run_playback, run_decode};
  struct job job = {.results = results, .count = count};
  make_room(&job);
  make_moments(&job);
  *speed = (struct clip_speed){0};
  for (int way = 0; way < CLIP_WAYS; way++) {
    job.rotations_alone = true;
    if (job.rotations[way] > 0)
      speed->rotation[way] = 1e9 * speed_best_within(seconds, runs[way], &job) / job.rotations[way];
    job.rotations_alone = false;
    if (job.curves[way] > 0)
      speed->curve[way] = 1e9 * speed_best_within(seconds, runs[way], &job) / job.curves[way];
  }
  free(job.moment);
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) free(job.pose[kind]);
  if (job.status < 0)
    complain("speed", "a clip cannot be sampled: %s; please report it", quatsimd_status_string(job.status));
  return job.status >= 0;
}
