/* Draws skeletons, and clips of all kinds with root motion and events. The bits are the same on all machines:
 * nothing here depends on a libm. */
#ifndef TESTS_WORLDS_H
#define TESTS_WORLDS_H

#include "poses.h"

#include "quatsimd/bundle.h"

enum { MOST_JOINTS = 24, MOST_TRACKS = 3, MOST_KEYS = 25, MOTIONS = 4, MASKS = 3, CLIP_EVENTS = 5 };
/* The clips of a world. In LOW the hips stand still, and the joint below them moves. */
enum { WALK, HALF_TURN, HOLDS, SPLINE, LOOPING, ADDITIVE, ONE_FRAME, LOW, FOREIGN, CLIPS };

typedef struct root_choice {
  size_t joint;
  int parts;
  float up[3];
} root_choice;

typedef struct world {
  size_t joints, tracks, hips;
  quatsimd_skeleton_joint joint[MOST_JOINTS];
  float bind[MOST_JOINTS][12], mask[MASKS][MOST_JOINTS], track_mask[MOST_TRACKS];
  void *skeleton_data, *data[CLIPS], *bundle_data, *opened[CLIPS];
  quatsimd_skeleton_storage skeleton_storage;
  quatsimd_skeleton *skeleton;
  quatsimd_bundle_storage bundle_storage;
  quatsimd_bundle_event event[CLIPS][CLIP_EVENTS];
  quatsimd_clip *clip[CLIPS];
  root_choice choice[CLIPS][MOTIONS];
  quatsimd_root_motion_storage motion_storage[CLIPS][MOTIONS];
  quatsimd_root_motion *motion[CLIPS][MOTIONS]; /* null for ADDITIVE */
} world;

static inline double between_numbers(double low, double high, uint64_t *random) {
  return low + (high - low) * random_unit(random);
}
static inline size_t draw_below(size_t count, uint64_t *random) {
  return (size_t)(sweep_next(random) % count);
}

static inline void draw_unit(float *v, size_t width, uint64_t *random) {
  double n2 = 0, d[4];
  for (size_t c = 0; c < width; c++) d[c] = between_numbers(-1, 1, random), n2 += d[c] * d[c];
  for (size_t c = 0; c < width; c++) v[c] = (float)(d[c] / sqrt(n2));
}

static inline void draw_skeleton(world *w, uint64_t *random) {
  static const char *const names[MOST_TRACKS] = {"a", "b", "c"};
  static const float track_rest[MOST_TRACKS] = {0.5f, 0.25f, -1};
  w->joints = draw_below(4, random) ? 4 + draw_below(MOST_JOINTS - 3, random) : 1 + draw_below(3, random);
  w->tracks = draw_below(MOST_TRACKS + 1, random), w->hips = w->joints > 3 ? 2 : 0;
  for (size_t j = 0; j < w->joints; j++) {
    quatsimd_skeleton_joint *joint = &w->joint[j];
    *joint = (quatsimd_skeleton_joint){.name = "", .inverse_bind = j % 4 == 3 ? NULL : w->bind[j]};
    /* a chain as far as the joint below the hips */
    joint->parent = j <= 3 ? (int64_t)j - 1 : (int64_t)(2 + draw_below(j - 2, random));
    draw_unit(joint->rotation, 4, random);
    const float sign = draw_below(8, random) ? 1 : -1, size = sign * (float)between_numbers(0.25, 2, random);
    for (size_t c = 0; c < 3; c++) {
      joint->translation[c] = (float)between_numbers(-2, 2, random);
      joint->scale[c] = size * (j > w->hips + 1 ? (float)between_numbers(0.75, 1.25, random) : 1);
    }
    for (int c = 0; c < 12; c++) w->bind[j][c] = (float)between_numbers(-1, 1, random);
    for (size_t m = 0; m < MASKS; m++) w->mask[m][j] = (float)between_numbers(m == 1 ? -0.5 : 0, 1.5, random);
    if (j % 5 == 2) w->mask[1][j] = NAN;
    if (j % 3) w->mask[2][j] = j % 3 == 1;
  }
  for (size_t t = 0; t < w->tracks; t++) w->track_mask[t] = (float)between_numbers(-0.2, 1.2, random);
  const quatsimd_skeleton_source source = {w->joints, w->joint, w->tracks, names, 1, track_rest};
  w->skeleton = open_skeleton(&w->skeleton_data, &w->skeleton_storage, &source);
}

/* The keys of one curve of one joint. */
typedef struct keys {
  double at[MOST_KEYS];
  float values[3 * 4 * MOST_KEYS]; /* splines have tangents beside each value */
} keys;

/* Draws a curve. It begins and ends with the same value in a loop. Rotations turn about one axis, by nearly
 * half a turn if kind is HALF_TURN. */
static inline quatsimd_curve draw_curve(keys *k, size_t width, int kind, size_t count, double start,
                                        double duration, uint64_t *random) {
  const bool cubic = kind == SPLINE, rotates = width == 4;
  float axis[4], first[4];
  draw_unit(axis, 3, random), draw_unit(first, width, random);
  double drift = 0;
  for (size_t i = 0; i < count; i++) {
    double x = (double)i / (double)(count - (count > 1)), v[4], n2 = 0;
    if (kind == HOLDS && i > 0 && i < count - 1) x += between_numbers(-0.3, 0.3, random) / (double)count;
    k->at[i] = start + duration * x;
    drift = i == 0 || (kind == LOOPING && i == count - 1) ? 0 : drift + between_numbers(-0.2, 0.3, random);
    float *value = k->values + width * (cubic ? 3 * i + 1 : i);
    const double turn = kind == HALF_TURN ? 0.9995 * x : 0.2 * drift;
    for (size_t c = 0; c < width; c++) {
      v[c] = rotates ? (c == 3 ? 1 - turn : turn * (double)axis[c])
                     : (double)first[c] + (c ? 0.5 : 1) * drift + (kind == LOOPING ? 0 : x);
      n2 += v[c] * v[c];
    }
    for (size_t c = 0; c < width; c++) value[c] = (float)(rotates ? v[c] / sqrt(n2) : v[c]);
    if (cubic)
      for (size_t c = 0; c < width; c++)
        value[width + c] = (value - width)[c] = (float)between_numbers(-0.2, 0.2, random);
  }
  const quatsimd_curve_interpolation how = kind == HOLDS ? QUATSIMD_CURVE_HOLD
                                           : cubic       ? QUATSIMD_CURVE_CUBIC
                                                         : QUATSIMD_CURVE_LINEAR;
  return (quatsimd_curve){count, k->at, k->values, how};
}

static inline void draw_clip(world *w, int kind, uint64_t *random) {
  static keys memory[4][MOST_JOINTS];
  quatsimd_clip_joint joint[MOST_JOINTS];
  quatsimd_clip_track track[MOST_TRACKS];
  quatsimd_clip_options options;
  quatsimd_clip_options_init(&options, sizeof options);
  options.skeleton = kind == FOREIGN ? NULL : w->skeleton;
  options.additive = kind == ADDITIVE ? QUATSIMD_CLIP_ADDITIVE_FIRST : QUATSIMD_CLIP_ADDITIVE_NONE;
  options.looping = kind == LOOPING, options.bundled = kind != FOREIGN;
  options.rotation_bound = options.translation_bound = options.scale_bound = 1e-3f;
  const size_t count = kind == ONE_FRAME ? 1 : 2 + draw_below(MOST_KEYS - 1, random);
  const double start = between_numbers(-3, 3, random), duration = between_numbers(0.25, 2, random);
  const size_t moving = w->hips + (kind == LOW && w->joints > w->hips + 1); /* the first joint that moves */
  for (size_t j = 0; j < w->joints; j++) {
    const bool moves = j >= moving && (j == moving || draw_below(3, random)),
               constant = j < moving && draw_below(2, random);
    const size_t keys_of = constant ? 1 : kind == HALF_TURN ? MOST_KEYS : count;
    joint[j] = (quatsimd_clip_joint){.parent = w->joint[j].parent};
    if (!moves && !constant) continue;
    const int of_curve = kind == HALF_TURN && j != moving ? WALK : kind == HOLDS && j == moving ? WALK : kind;
    joint[j].rotation = draw_curve(&memory[0][j], 4, of_curve, keys_of, start, duration, random);
    if (j == moving || draw_below(2, random))
      joint[j].translation = draw_curve(&memory[1][j], 3, of_curve, keys_of, start, duration, random);
    if (j > w->hips + 1 && draw_below(4, random) == 0)
      joint[j].scale = draw_curve(&memory[2][j], 3, of_curve, keys_of, start, duration, random);
  }
  for (size_t t = 0; t < w->tracks; t++) {
    track[t] = (quatsimd_clip_track){.bound = 0};
    if (t != 1) track[t].curve = draw_curve(&memory[3][t], 1, kind, count, start, duration, random);
  }
  const quatsimd_clip_source source = {w->joints, joint, w->tracks, track};
  size_t size;
  quatsimd_clip_report report;
  quatsimd_clip_report_init(&report, sizeof report);
  if (quatsimd_clip_encode(&w->data[kind], &size, &source, &options, &report) != QUATSIMD_OK)
    fail_msg("clip %d: %s", kind, report.error);
  for (size_t e = 0; e < CLIP_EVENTS; e++) {
    static const char *const names[CLIP_EVENTS] = {"left", "right", "", "clap", "left"};
    const double end = start + (kind == ONE_FRAME ? 0 : duration),
                 time = between_numbers(start - 0.1, end + 0.1, random);
    w->event[kind][e] = (quatsimd_bundle_event){e == 0 && draw_below(2, random)   ? start
                                                : e == 1 && draw_below(2, random) ? end
                                                                                  : time,
                                                names[e]};
  }
}

static inline void open_clips(world *w) {
  static const char *const names[FOREIGN] = {"0", "1", "2", "3", "4", "5", "6", "7"};
  quatsimd_bundle_entry entry[FOREIGN];
  quatsimd_bundle *bundle;
  size_t size;
  assert_int_equal(quatsimd_clip_peek_size(&size, w->data[FOREIGN], 32), QUATSIMD_OK);
  w->opened[FOREIGN] = malloc(sizeof(quatsimd_clip_storage));
  assert_non_null(w->opened[FOREIGN]);
  assert_int_equal(quatsimd_clip_open(&w->clip[FOREIGN], w->opened[FOREIGN], sizeof(quatsimd_clip_storage),
                                      w->data[FOREIGN], size),
                   QUATSIMD_OK);
  for (int c = 0; c < FOREIGN; c++) {
    entry[c] = (quatsimd_bundle_entry){
        .name = names[c], .data = w->data[c], .events = w->event[c], .event_count = CLIP_EVENTS};
    assert_int_equal(quatsimd_clip_peek_size(&entry[c].data_size, w->data[c], 32), QUATSIMD_OK);
  }
  quatsimd_bundle_source source;
  quatsimd_bundle_source_init(&source, sizeof source, sizeof entry[0]);
  source.clips = entry, source.clip_count = FOREIGN, source.skeleton = w->skeleton_data;
  assert_int_equal(quatsimd_skeleton_peek_size(&source.skeleton_size, w->skeleton_data, 44), QUATSIMD_OK);
  assert_int_equal(quatsimd_bundle_encode(&w->bundle_data, &size, &source, NULL, NULL), QUATSIMD_OK);
  assert_int_equal(
      quatsimd_bundle_open(&bundle, &w->bundle_storage, sizeof w->bundle_storage, w->bundle_data, size),
      QUATSIMD_OK);
  for (size_t c = 0; c < FOREIGN; c++) {
    const size_t memory_size = quatsimd_bundle_clip_memory_size(bundle, c);
    w->opened[c] = malloc(memory_size);
    assert_non_null(w->opened[c]);
    assert_int_equal(quatsimd_bundle_open_clip(bundle, c, &w->clip[c], w->opened[c], memory_size),
                     QUATSIMD_OK);
  }
}

/* Draws the root motion of the clip's first moving joint, or of one above it, with any parts. */
static inline void draw_motion(world *w, int kind, size_t m, uint64_t *random) {
  const size_t moving = w->hips + (kind == LOW && w->joints > w->hips + 1);
  root_choice *choice = &w->choice[kind][m];
  choice->joint = draw_below(4, random) ? moving : draw_below(moving + 1, random);
  choice->parts = draw_below(3, random) ? 1 + (int)draw_below(7, random) : QUATSIMD_ROOT_ALL;
  choice->parts += draw_below(2, random) ? QUATSIMD_ROOT_STRAIGHT : 0;
  draw_unit(choice->up, 3, random);
  for (int c = 0; c < 3; c++) choice->up[c] *= 7;
  if (kind == ADDITIVE) return;
  assert_int_equal(quatsimd_root_motion_init(&w->motion[kind][m], &w->motion_storage[kind][m],
                                             sizeof w->motion_storage[kind][m], w->skeleton, w->clip[kind],
                                             choice->joint, choice->parts, choice->up),
                   QUATSIMD_OK);
}

static inline void make_world(world *w, uint64_t *random) {
  memset(w, 0, sizeof *w);
  draw_skeleton(w, random);
  for (int kind = 0; kind < CLIPS; kind++) draw_clip(w, kind, random);
  open_clips(w);
  for (int kind = 0; kind < CLIPS; kind++)
    for (size_t m = 0; m < MOTIONS; m++) draw_motion(w, kind, m, random);
}

static inline void free_world(world *w) {
  quatsimd_skeleton_free(NULL, w->skeleton_data), quatsimd_bundle_free(NULL, w->bundle_data);
  for (int c = 0; c < CLIPS; c++) quatsimd_clip_free(NULL, w->data[c]), free(w->opened[c]);
}

#endif
