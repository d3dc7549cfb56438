#include "draw_curve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"

const char *const feature_names[FEATURE_COUNT] = {
#define FEATURE(name, chance) #name,
    FEATURES(FEATURE)
#undef FEATURE
};
static const unsigned chances[FEATURE_COUNT] = {
#define FEATURE(name, chance) chance,
    FEATURES(FEATURE)
#undef FEATURE
};

struct chunk {
  chunk *next;
  _Alignas(long double) char content[];
};

void *scene_memory(scene *s, size_t size) {
  chunk *c = calloc(1, sizeof *c + size + 1);
  if (!c) perror("memory"), exit(2);
  c->next = s->memory, s->memory = c;
  return c->content;
}

void scene_free(scene *s) {
  for (chunk *next; s->memory; s->memory = next) {
    next = s->memory->next;
    free(s->memory);
  }
}

float_pose scene_floats(scene *s) {
  const size_t j = (s->joint_count + 1) * sizeof(float);
  const float_pose f = {scene_memory(s, 4 * j), scene_memory(s, 3 * j), scene_memory(s, 3 * j),
                        scene_memory(s, (s->track_count + 1) * sizeof(float))};
  return f;
}

static uint64_t mixed(uint64_t seed, const char *decision, uint64_t a, uint64_t b) {
  uint64_t state = seed;
  for (; *decision; decision++) state = sweep_next(&state) ^ (uint64_t)(unsigned char)*decision;
  state = sweep_next(&state) ^ a;
  state = sweep_next(&state) ^ b;
  return sweep_next(&state);
}

uint64_t scene_dice(const scene *s, const char *decision, size_t a, size_t b) {
  return mixed(s->seed * 16 + s->clip, decision, a, b);
}

/* For what all clips of a bundle share. */
static uint64_t shared_dice(const scene *s, const char *decision, size_t a) {
  return mixed(s->seed * 16, decision, a, 0);
}

static void draw_features(scene *s, uint32_t without) {
  for (int f = 0; f < FEATURE_COUNT; f++) {
    uint64_t dice = f == HAS_skeleton || f == HAS_bundle || f == HAS_deep || f == HAS_tracks
                        ? shared_dice(s, "feature", f)
                        : scene_dice(s, "feature", f, 0);
    if (below(&dice, 100) < chances[f]) s->has |= UINT32_C(1) << f;
  }
  s->has &= ~without;
  if (has(s, HAS_bundle)) s->has |= UINT32_C(1) << HAS_skeleton;
  if (has(s, HAS_base)) s->has &= ~(UINT32_C(1) << HAS_first);
  else s->has &= ~(UINT32_C(1) << HAS_moving);
  /* on a moving base each key becomes many, and points of a long chain would take minutes */
  if (has(s, HAS_deep) && has(s, HAS_object)) s->has &= ~(UINT32_C(1) << HAS_moving);
}

static void draw_joints(scene *s) {
  uint64_t dice = shared_dice(s, "joints", 0);
  const unsigned size = below(&dice, 100);
  s->joint_count = has(s, HAS_deep) ? 30 + below(&dice, 171)
                   : size < 40      ? 1 + below(&dice, 3)
                   : size < 90      ? 3 + below(&dice, 8)
                                    : 12 + below(&dice, 20);
  if (has(s, HAS_tracks)) s->track_count = 1 + below(&dice, 9);
  s->joints = scene_memory(s, s->joint_count * sizeof *s->joints);
  s->base_joints = scene_memory(s, s->joint_count * sizeof *s->joints);
  s->tracks = scene_memory(s, (s->track_count + 1) * sizeof *s->tracks);
  s->base_tracks = scene_memory(s, (s->track_count + 1) * sizeof *s->tracks);
  const bool chain = has(s, HAS_deep) || below(&dice, 2);
  for (size_t j = 0; j < s->joint_count; j++) {
    s->joints[j].parent = chain || j == 0 ? (int64_t)j - 1 : (int64_t)below(&dice, (uint32_t)j + 1) - 1;
    s->base_joints[j].parent = s->joints[j].parent;
  }
}

static void draw_rest(scene *s) {
  s->rest = scene_floats(s);
  const double spread = has(s, HAS_deep) ? 0.01 : 0.1;
  for (size_t j = 0; j < s->joint_count; j++) {
    s->rest.rotations[4 * j + 3] = 1;
    for (size_t i = 0; i < 3; i++) s->rest.scales[3 * j + i] = 1;
    if (!has(s, HAS_skeleton)) continue;
    uint64_t dice = shared_dice(s, "rest", j);
    random_rotations(s->rest.rotations + 4 * j, 1, &dice);
    const float size = (float)exp(random_gauss(&dice) * spread);
    for (size_t i = 0; i < 3; i++) {
      s->rest.translations[3 * j + i] = (float)random_gauss(&dice);
      s->rest.scales[3 * j + i] = has(s, HAS_scales) ? (float)exp(random_gauss(&dice) * spread) : size;
    }
  }
  for (size_t i = 0; i < s->track_count && has(s, HAS_skeleton); i++) {
    uint64_t dice = shared_dice(s, "rest of tracks", i);
    s->rest.tracks[i] = (float)random_unit(&dice);
  }
}

/* Names do not matter; the parents do. */
static void make_skeleton(scene *s) {
  if (!has(s, HAS_skeleton)) return;
  quatsimd_skeleton_joint *joints = scene_memory(s, s->joint_count * sizeof *joints);
  const char **names = scene_memory(s, (s->track_count + 1) * sizeof *names);
  for (size_t i = 0; i < s->track_count; i++) names[i] = "track";
  for (size_t j = 0; j < s->joint_count; j++) {
    joints[j].name = "joint", joints[j].parent = s->joints[j].parent;
    memcpy(joints[j].rotation, s->rest.rotations + 4 * j, sizeof joints[j].rotation);
    memcpy(joints[j].translation, s->rest.translations + 3 * j, sizeof joints[j].translation);
    memcpy(joints[j].scale, s->rest.scales + 3 * j, sizeof joints[j].scale);
  }
  const quatsimd_skeleton_source source = {s->joint_count, joints, s->track_count,
                                           names,          1,      s->track_count ? s->rest.tracks : NULL};
  void *data = NULL;
  quatsimd_skeleton *opened = NULL;
  quatsimd_pose_out rest = {quatsimd_aos_out(s->rest.rotations), quatsimd_aos_out(s->rest.translations),
                            quatsimd_aos_out(s->rest.scales), s->rest.tracks};
  if (quatsimd_skeleton_encode(&data, &s->skeleton_size, &source, NULL, NULL) != QUATSIMD_OK ||
      !(s->skeleton_bytes = memcpy(scene_memory(s, s->skeleton_size), data, s->skeleton_size)) ||
      quatsimd_skeleton_open(&opened, &s->storage, sizeof s->storage, s->skeleton_bytes, s->skeleton_size) !=
          QUATSIMD_OK ||
      quatsimd_skeleton_rest_pose(opened, &rest, 0, s->joint_count) != QUATSIMD_OK) {
    fprintf(stderr, "seed %llu: no skeleton\n", (unsigned long long)s->seed);
    exit(2);
  }
  quatsimd_skeleton_free(NULL, data);
  s->skeleton = opened;
}

static void draw_frames(scene *s) {
  static const int rates[] = {24, 25, 30, 50, 60, 90, 100, 120, 240};
  static const double starts[] = {12.34, 36000, -7.5, 36000, -36000, 0.1, 12.34, 1e-3};
  uint64_t dice = scene_dice(s, "frames", 0, 0);
  const uint32_t rate = below(&dice, 18);
  s->rate = rate < 9 ? rates[rate] : rates[rate - 9] * 1000 / 1001.0;
  const uint32_t start = below(&dice, sizeof starts / sizeof *starts);
  s->start = has(s, HAS_starts) ? starts[start] : 0;
  /* on a moving base a key becomes many */
  const double keys = has(s, HAS_object) && has(s, HAS_moving) ? 200 : 2500,
               most = fmax(2, fmin(2000, keys / (double)s->joint_count));
  s->frames = (size_t)(2 * exp(log(most / 2) * random_unit(&dice)) + 0.5);
}

static float times_ten(uint64_t *dice, double from, double to) {
  return (float)pow(10, from + (to - from) * random_unit(dice));
}

/* From a thousandth to a thousand; one in two is one of these. */
static float draw_factor(uint64_t *dice) {
  const float any = times_ten(dice, -3, 3);
  const uint32_t end = below(dice, 4);
  return end == 0 ? 1e-3f : end == 1 ? 1e3f : any;
}

static void draw_bounds(scene *s) {
  uint64_t dice = scene_dice(s, "bounds", 0, 0);
  quatsimd_clip_options *o = &s->options;
  const float size = has(s, HAS_big) ? 100 : 1;
  const float rotation = times_ten(&dice, -4.5, -1.3), translation = size * times_ten(&dice, -5, -1),
              scale = times_ten(&dice, -5, -1.5), point = size * times_ten(&dice, -4, -1);
  const float distance = below(&dice, 6) ? times_ten(&dice, -2, 1) : 0;
  if (has(s, HAS_object)) o->object_bound = point, o->object_distance = distance;
  else o->rotation_bound = rotation, o->translation_bound = translation, o->scale_bound = scale;
  if (below(&dice, 2)) o->track_bound = times_ten(&dice, -5, -1);
  for (size_t j = 0; j < s->joint_count && has(s, HAS_own); j++) {
    quatsimd_clip_joint *joint = &s->joints[j];
    dice = scene_dice(s, "own bounds", j, 0);
    if (below(&dice, 2)) {
      const float factor[3] = {draw_factor(&dice), draw_factor(&dice), draw_factor(&dice)};
      const bool mine[3] = {below(&dice, 3), below(&dice, 2), below(&dice, 2)};
      const float other = times_ten(&dice, -2, 1);
      if (has(s, HAS_object)) {
        if (mine[0]) joint->object_bound = point * factor[0];
        if (mine[1]) joint->object_distance = other;
      } else {
        if (mine[0]) joint->rotation_bound = fminf(fmaxf(rotation * factor[0], 1e-5f), 1);
        if (mine[1]) joint->translation_bound = translation * factor[1];
        if (mine[2]) joint->scale_bound = scale * factor[2];
      }
    }
  }
  for (size_t i = 0; i < s->track_count && has(s, HAS_own); i++) {
    dice = scene_dice(s, "own bound of a track", i, 0);
    if (below(&dice, 2)) s->tracks[i].bound = o->track_bound * times_ten(&dice, -3, 3);
  }
}

static void draw_options(scene *s) {
  quatsimd_clip_options *o = &s->options;
  quatsimd_clip_options_init(o, sizeof *o);
  draw_bounds(s);
  o->looping = has(s, HAS_loop);
  o->skeleton = s->skeleton;
  o->bundled = has(s, HAS_bundle);
  o->additive = has(s, HAS_first)  ? QUATSIMD_CLIP_ADDITIVE_FIRST
                : has(s, HAS_base) ? QUATSIMD_CLIP_ADDITIVE_BASE
                                   : QUATSIMD_CLIP_ADDITIVE_NONE;
  if (has(s, HAS_base)) o->additive_base = &s->base;
  uint64_t dice = scene_dice(s, "given rate", 0, 0);
  static const double given[] = {24, 30, 60, 30000 / 1001.0, 7};
  if (has(s, HAS_given) && !has(s, HAS_loop)) o->rate = given[below(&dice, 5)];
  o->snap_times = has(s, HAS_snapped);
  o->close_loop = has(s, HAS_closed) && !has(s, HAS_loop);
}

static double last_key(const scene *s, quatsimd_clip_joint *joints, quatsimd_clip_track *tracks) {
  double last = -INFINITY;
  for (int kind = 0; kind <= TRACK; kind++)
    for (size_t i = 0; i < count_of(s, kind); i++) {
      const quatsimd_curve *curve = curve_of(joints, tracks, kind, i);
      if (curve->key_count > 1) last = fmax(last, curve->times[curve->key_count - 1]);
    }
  return last;
}

void scene_draw(scene *s, uint64_t seed, unsigned clip, uint32_t without) {
  memset(s, 0, sizeof *s);
  s->seed = seed, s->clip = clip;
  draw_features(s, without);
  draw_joints(s);
  draw_rest(s);
  make_skeleton(s);
  draw_frames(s);
  draw_options(s);
  for (int base = 0; base < 2; base++)
    for (int kind = 0; kind < 4; kind++)
      for (size_t i = 0; i < count_of(s, kind); i++) draw_curve(s, base, kind, i);
  const quatsimd_clip_source source = {s->joint_count, s->joints, s->track_count, s->tracks},
                             base = {s->joint_count, s->base_joints, s->track_count, s->base_tracks};
  s->source = source, s->base = base;
  /* a loop cannot be closed where the base goes on */
  if (last_key(s, s->base_joints, s->base_tracks) > last_key(s, s->joints, s->tracks))
    s->options.close_loop = 0;
}
