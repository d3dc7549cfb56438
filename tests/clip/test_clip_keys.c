/* Tests curves with keys of their own. Writes some clips byte by byte, because no encoder writes them. */
#include "fixture.h"

#include "support/clip_bytes.h"
#include "support/denormals.h"

#include "clip/inspect.h"

/* A clip of one joint with one curve. `listed` has the times of the frames. If it is NULL, the frames have
 * the rate `rate`. */
typedef struct keyed_clip {
  int kind;
  size_t frames, keys;
  double rate, start;
  const float *listed;
  bool loop, hold, doubles, floats;
  const double *times;
  const float *values; /* always written as floats, so rotations need `floats` */
  unsigned char bytes[1000];
  size_t size;
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
} keyed_clip;

static void put_little(keyed_clip *c, uint64_t bits, size_t size) {
  assert_true(c->size + size <= sizeof c->bytes);
  store_little(c->bytes + c->size, bits, size);
  c->size += size;
}

static void put_float(keyed_clip *c, float f) { put_little(c, float_bits(f), 4); }
static void put_double(keyed_clip *c, double d) { put_little(c, double_bits(d), 8); }

/* Writes the clip's bytes and opens it. Returns the status of opening. */
static quatsimd_status open_keyed(keyed_clip *c) {
  const unsigned lattice64 = 3;
  c->size = 0;
  put_little(c, CLIP_MAGIC, 4), put_little(c, 0, 8); /* size and checksum; clip_bytes_seal sets them */
  put_little(c, 1, 4), put_little(c, c->frames, 4), put_double(c, c->listed ? 0 : c->rate);
  put_little(c,
             (unsigned)(CLIP_HAS_KIND | CLIP_HAS_KEYS) << c->kind | (c->loop ? CLIP_LOOPS : 0) |
                 (c->listed ? 0 : CLIP_HAS_START) | lattice64 * CLIP_PRECISION_AT,
             4);
  if (!c->listed) put_double(c, c->start);
  for (size_t f = 0; c->listed && f < c->frames; f++) put_float(c, c->listed[f]);
  put_little(c, QUATSIMD_CLIP_CONSTANT, 1), put_little(c, 1, 1);
  put_little(c,
             c->keys | (c->hold ? CLIP_KEYED_HOLD : 0) | (c->doubles ? CLIP_KEYED_DOUBLE : 0) |
                 (c->floats ? CLIP_KEYED_FLOATS : 0),
             4);
  for (size_t k = 0; k < c->keys; k++)
    if (c->doubles) put_double(c, c->times[k]);
    else put_float(c, (float)c->times[k]);
  for (size_t i = 0; i < components(c->kind) * c->keys; i++) put_float(c, c->values[i]);
  clip_bytes_seal(c->bytes, c->size);
  return quatsimd_clip_open(&c->clip, &c->storage, sizeof c->storage, c->bytes, c->size);
}

/* Samples the curve to `to`. Checks that sampling all joints and sampling one joint give the same bits. */
static void sample_keyed(const keyed_clip *c, double time, quatsimd_clip_wrap wrap, float to[4]) {
  const uint32_t joint = 0;
  float all[3][4] = {{0}}, again[3][4] = {{0}};
  quatsimd_pose_out pose = {quatsimd_aos_out(all[0]), quatsimd_aos_out(all[1]), quatsimd_aos_out(all[2]),
                            NULL},
                    other = {quatsimd_aos_out(again[0]), quatsimd_aos_out(again[1]),
                             quatsimd_aos_out(again[2]), NULL};
  assert_int_equal(quatsimd_clip_sample(c->clip, &pose, NULL, time, wrap, 0), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_sample_joints(c->clip, &other, NULL, time, wrap, &joint, 1, 0), QUATSIMD_OK);
  assert_memory_equal(all, again, sizeof all);
  memcpy(to, all[c->kind], sizeof *all);
}

/* ---- rotations as floats ---- */

static void rotations_as_floats(void **state) {
  (void)state;
  enum { KEYS = 5 };
  static const double times[KEYS] = {0, 0.25, 1, 1.5, 2};
  static const float values[4 * KEYS] = {0,  0,     -0.0f,  1,     0.6f, 1e-9f, 0, 0.8f, 0.5f, -0.5f,
                                         -1, -0.7f, -0.25f, 0.25f, 0.5f, 0.3f,  0, 0,    2,    0};
  for (size_t keys = 1; keys <= KEYS; keys++)
    for (int how = 0; how < 4; how++) {
      keyed_clip c = {.frames = 61,
                      .rate = 30,
                      .floats = true,
                      .keys = keys,
                      .times = times,
                      .values = values,
                      .doubles = how & 1,
                      .hold = how >> 1};
      assert_int_equal(open_keyed(&c), QUATSIMD_OK);
      for (int i = -2; i < 50; i++) {
        const double time = i / 20.;
        float found[4];
        size_t k = 0;
        while (k + 1 < keys && times[k + 1] <= time) k++;
        value wanted = value_of(0, values + 4 * k);
        if (!c.hold && k + 1 < keys && time > times[k])
          wanted = slerped(0, wanted, value_of(0, values + 4 * (k + 1)),
                           (time - times[k]) / (times[k + 1] - times[k]));
        sample_keyed(&c, time, QUATSIMD_CLIP_WRAP_CLAMP, found);
        double n2 = 0;
        for (int a = 0; a < 4; a++) n2 += (double)found[a] * (double)found[a];
        assert_true(fabs(sqrt(n2) - 1) <= 4e-7);
        for (int a = 0; a < 4; a++) assert_true(found[a] != 0 || !signbit(found[a]));
        /* kernels may differ from slerp by this much */
        if (!(error_between(0, value_of(0, found), wanted) < 2.5e-5L))
          fail_msg("%zu keys, %d, at %g", keys, how, time);
        if (c.hold || times[k] == time)
          for (size_t a = 0; a < 4; a++) assert_true(fabsl(found[a] - wanted.v[a]) < 1.5e-7L);
      }
    }
}

/* Checks that inspection finds the size of rotations whose keys are stored as floats. */
static void floats_inspected(void **state) {
  (void)state;
  static const double times[2] = {0, 1};
  static const float values[8] = {0, 0, 0, 1, 0, 0, 1, 0};
  keyed_clip c = {.frames = 2, .rate = 1, .floats = true, .keys = 2, .times = times, .values = values};
  struct clip_sections sections;
  double own;
  assert_int_equal(open_keyed(&c), QUATSIMD_OK);
  quatsimd_inspect_sections(&sections, c.clip);
  assert_int_equal(sections.bytes[CLIP_KEYS][0], 4 + 2 * (4 + 16));
  assert_int_equal(sections.padding, 0);
  assert_true(quatsimd_inspect_joints(c.clip, &own) + own == (double)c.size && own == 4 + 2 * (4 + 16));
}

/* Checks that rotations stored as floats must have squared lengths from 1/4 to 4, and that translations must
 * not have the flag of such rotations. */
static void floats_refused(void **state) {
  (void)state;
  static const double times[2] = {0, 1};
  float values[8] = {0, 0, 0, 1, 0, 0, 0, 1};
  const float good[] = {0.5f, -0.5f, 2, -2}, bad[] = {0, 0.4999f, 2.0001f, -2.0001f, NAN, INFINITY, 1e30f};
  keyed_clip c = {.frames = 2, .rate = 1, .floats = true, .keys = 2, .times = times, .values = values};
  for (size_t at = 4; at < 8; at++) {
    memset(values + 4, 0, 16);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
      values[at] = good[i], assert_int_equal(open_keyed(&c), QUATSIMD_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
      values[at] = bad[i], assert_int_equal(open_keyed(&c), QUATSIMD_ERROR_DAMAGED_CLIP);
  }
  c.kind = QUATSIMD_CLIP_TRANSLATION;
  for (size_t i = 0; i < 8; i++) values[i] = 0.6f;
  assert_int_equal(open_keyed(&c), QUATSIMD_ERROR_DAMAGED_CLIP);
  c.floats = false;
  assert_int_equal(open_keyed(&c), QUATSIMD_OK);
}

/* ---- times ---- */

/* Tests keys so far from the clip's start that 5.001 minus the start, in double, equals 6 minus the start. */
static void keys_far_from_the_start(void **state) {
  (void)state;
  static const double times[] = {-1e16, 5, 6};
  static const float values[] = {1, 1, 1, 2, 2, 2, 3, 3, 3};
  keyed_clip c = {.kind = QUATSIMD_CLIP_TRANSLATION,
                  .frames = 2,
                  .rate = 1 / (1e16 + 6),
                  .start = -1e16,
                  .doubles = true,
                  .hold = true,
                  .keys = 3,
                  .times = times,
                  .values = values};
  assert_int_equal(open_keyed(&c), QUATSIMD_OK);
  const double asked[] = {-1e16, 0, 4.999, 5, 5.001, 5.999, 6, 1e9}, found[] = {1, 1, 1, 2, 2, 2, 3, 3};
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
    float to[4];
    sample_keyed(&c, asked[i], QUATSIMD_CLIP_WRAP_CLAMP, to);
    if (to[0] != (float)found[i]) fail_msg("%g s: %g", asked[i], (double)to[0]);
  }
}

/* Checks that keys are found at their times, even if other keys or frames are close to them. */
static void keys_at_their_times(void **state) {
  (void)state;
  static const double times[] = {100, 100.000001, 150, 200};
  static const float values[] = {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4};
  keyed_clip c = {.kind = QUATSIMD_CLIP_SCALE,
                  .frames = 2,
                  .rate = 0.01,
                  .start = 100,
                  .doubles = true,
                  .keys = 4,
                  .times = times,
                  .values = values};
  for (int hold = 0; hold < 2; hold++) {
    c.hold = hold;
    assert_int_equal(open_keyed(&c), QUATSIMD_OK);
    for (size_t k = 0; k < 4; k++) {
      float to[4];
      sample_keyed(&c, times[k], QUATSIMD_CLIP_WRAP_CLAMP, to);
      /* key 1 is so close to a frame that sampling takes the frame's time */
      assert_true(to[0] == values[3 * k] || k == 1);
      if (k < 2) continue;
      /* key 3 is at the last frame, so a time just before 200 counts as 200; key 2 is at no frame */
      sample_keyed(&c, times[k] * (1 - 0x1p-25), QUATSIMD_CLIP_WRAP_CLAMP, to);
      if (hold) assert_true(to[0] == values[k == 3 ? 3 * k : 3 * k - 3]);
      else assert_true(fabsf(to[0] - values[3 * k]) < 1e-5f);
      sample_keyed(&c, times[k] * (1 - 0x1p-22), QUATSIMD_CLIP_WRAP_CLAMP, to);
      if (hold) assert_true(to[0] == values[3 * k - 3]);
    }
  }
}

/* Tests looping clips whose last frame has the time of the last key, rounded to float. Either time must count
 * as the end of the loop. */
static void ends_of_listed_rounds(void **state) {
  (void)state;
  enum { KEYS = 6, ENDS = 3 };
  static const double ends[ENDS] = {1201.00003, 3601.0001, 3600.99993};
  for (int e = 0; e < ENDS; e++) {
    double times[KEYS] = {0, 1.3, 17.77, 500.1, 1000.9};
    fixture f = {.name = "ends of listed rounds"};
    quatsimd_clip_report_init(&f.report, sizeof f.report);
    times[KEYS - 1] = ends[e];
    scene_joints(&f.scene, 2);
    f.scene.joint[0].rotation = swinging(&f.scene, 0, times, KEYS, 0.2, 2);
    f.scene.joint[1].translation = drifting(&f.scene, 1, times, KEYS, 1, 1);
    memcpy(values_of(&f.scene.joint[0].rotation) + 4 * (KEYS - 1), f.scene.joint[0].rotation.values, 16);
    memcpy(values_of(&f.scene.joint[1].translation) + 3 * (KEYS - 1), f.scene.joint[1].translation.values,
           12);
    /* the ends of this curve differ by as much as a loop may: at its end it must have its first value */
    const double held_times[] = {0, 500.1, ends[e]};
    f.scene.joint[1].scale = (quatsimd_curve){
        3, held_times, (const float[]){1, 1, 1, 1.5f, 1, 1, 1.002f, 1, 1}, QUATSIMD_CURVE_HOLD};
    f.scene.options.looping = 1;
    bounds_of(&f.scene, 1e-3f, 1e-3f, 1e-2f);
    if (quatsimd_clip_encode(&f.data, &f.size, &f.scene.source, &f.scene.options, &f.report) != QUATSIMD_OK)
      fail_msg("key %zu: %s", f.report.key, f.report.error);
    assert_int_equal(quatsimd_clip_open(&f.clip, &f.storage, sizeof f.storage, f.data, f.size), QUATSIMD_OK);
    assert_true(quatsimd_clip_rate(f.clip) == 0 && f.report.moving_count[0] == 1 &&
                f.report.moving_count[1] == 1);
    const double end = quatsimd_clip_frame_time(f.clip, f.clip->frames - 1);
    const double round[] = {
        end, ends[e], 2 * end, 2 * ends[e], -end, 1000 * end, end * (1 + 0x1p-25), end * (1 - 0x1p-25)};
    guarded_pose wanted = guarded_pose_new(2), r = guarded_pose_new(2);
    sample(&f, 0, QUATSIMD_CLIP_WRAP_CLIP, &wanted);
    for (size_t i = 0; i < sizeof round / sizeof *round; i++)
      sample(&f, round[i], QUATSIMD_CLIP_WRAP_CLIP, &r), expect_same(&f, &wanted, &r, round[i], "a round");
    sample(&f, 0.01, QUATSIMD_CLIP_WRAP_CLIP, &r);
    assert_memory_not_equal(r.at[0], wanted.at[0], 16);
    guarded_pose_free(&wanted), guarded_pose_free(&r);
    done(&f);
  }
}

/* Tests a key just after a frame, a day after time 0. Floats hardly tell their times apart, but the key must
 * not count as the frame's key. */
static void keys_beside_late_frames(void **state) {
  (void)state;
  enum { KEYS = 31, OFF = 15 };
  fixture f = {.name = "keys beside late frames"};
  scene_joints(&f.scene, 1);
  double *times = even_times(&f.scene, KEYS, 86400, 30);
  times[OFF] += 0.2 / 30;
  f.scene.joint[0].translation = drifting(&f.scene, 1, times, KEYS, 0, 0);
  values_of(&f.scene.joint[0].translation)[3 * OFF] = 1;
  f.scene.options.rate = 30;
  bounds_of(&f.scene, 0, 1e-3f, 0);
  assert_int_equal(quatsimd_clip_encode(&f.data, &f.size, &f.scene.source, &f.scene.options, NULL),
                   QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_open(&f.clip, &f.storage, sizeof f.storage, f.data, f.size), QUATSIMD_OK);
  guarded_pose r = guarded_pose_new(1);
  sample(&f, times[OFF], QUATSIMD_CLIP_WRAP_CLIP, &r);
  assert_true(fabsf(r.at[1][0] - 1) <= 1e-3f);
  guarded_pose_free(&r);
  done(&f);
}

/* A time counts as a frame's time if it differs by less than an error of rounding to float, and by at most an
 * eighth of a frame. With a base only the exact time counts, because the base is sampled at the same time. */
static void times_beside_late_frames(void **state) {
  (void)state;
  enum { KEYS = 31 };
  static const double off[] = {-0.14, -0.11, 0, 0.11, 0.14}, found[] = {9.86, 10, 10, 10, 10.14};
  for (int additive = 0; additive < 3; additive++) {
    fixture f = {.name = "times beside late frames"};
    scene_joints(&f.scene, 1);
    const double *times = even_times(&f.scene, KEYS, 86400, 30);
    quatsimd_clip_joint none = {.translation = drifting(&f.scene, 1, NULL, 1, 0, 0)};
    f.scene.base = (quatsimd_clip_source){1, &none, 0, NULL};
    f.scene.joint[0].translation = drifting(&f.scene, 1, times, KEYS, 0, 0);
    for (size_t k = 0; k < KEYS; k++) values_of(&f.scene.joint[0].translation)[3 * k] = (float)k;
    bounds_of(&f.scene, 0, 1e-3f, 0);
    f.scene.options.additive = additive,
    f.scene.options.additive_base = additive == QUATSIMD_CLIP_ADDITIVE_BASE ? &f.scene.base : NULL;
    assert_int_equal(quatsimd_clip_encode(&f.data, &f.size, &f.scene.source, &f.scene.options, NULL),
                     QUATSIMD_OK);
    assert_int_equal(quatsimd_clip_open(&f.clip, &f.storage, sizeof f.storage, f.data, f.size), QUATSIMD_OK);
    guarded_pose r = guarded_pose_new(1);
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
      const double wanted = additive == QUATSIMD_CLIP_ADDITIVE_BASE ? 10 + off[i] : found[i];
      sample(&f, times[10] + off[i] / 30, QUATSIMD_CLIP_WRAP_CLIP, &r);
      if (!(fabs((double)r.at[1][0] - wanted) <= 2e-3))
        fail_msg("additive %d, %g: %g", additive, off[i], (double)r.at[1][0]);
    }
    guarded_pose_free(&r);
    done(&f);
  }
}

/* Tests a key of a HOLD curve just after a frame. If the key is later by less than rounding / 2, its value
 * begins rounding / 2 before the frame. If not, its value begins at the key's time. */
static void held_keys_beside_frames(void **state) {
  (void)state;
  enum { KEYS = 31 };
  static const double off[] = {0.4, 0.9}, asked[] = {-0.6, -0.4, 0.45, 1};
  static const float found[][4] = {{0, 1, 1, 1}, {0, 0, 0, 1}};
  for (int i = 0; i < 2; i++) {
    fixture f = {.name = "held keys beside frames"};
    scene_joints(&f.scene, 2);
    const double *times = even_times(&f.scene, KEYS, 3600, 30), rounding = clip_rounding(times[KEYS - 1]);
    const double held[] = {times[0], times[10] + off[i] * rounding, times[KEYS - 1]};
    f.scene.joint[0].rotation = swinging(&f.scene, 0, times, KEYS, 0.2, 2);
    f.scene.joint[1].translation = holding(drifting(&f.scene, 1, held, 3, 0, 0));
    for (size_t k = 0; k < 3; k++) values_of(&f.scene.joint[1].translation)[3 * k] = (float)k;
    bounds_of(&f.scene, 1e-3f, 1e-3f, 0);
    assert_int_equal(quatsimd_clip_encode(&f.data, &f.size, &f.scene.source, &f.scene.options, NULL),
                     QUATSIMD_OK);
    assert_int_equal(quatsimd_clip_open(&f.clip, &f.storage, sizeof f.storage, f.data, f.size), QUATSIMD_OK);
    guarded_pose r = guarded_pose_new(2);
    for (size_t t = 0; t < sizeof asked / sizeof *asked; t++) {
      sample(&f, times[10] + asked[t] * rounding, QUATSIMD_CLIP_WRAP_CLIP, &r);
      if (r.at[1][3] != found[i][t]) fail_msg("%g, at %g: %g", off[i], asked[t], (double)r.at[1][3]);
    }
    guarded_pose_free(&r);
    done(&f);
  }
}

/* Checks that encoding adds a key halfway between keys more than 120 degrees apart, and adds no others. */
static void keys_of_wide_turns(void **state) {
  (void)state;
  enum { KEYS = 5 };
  static const double times[KEYS] = {0, 0.11, 0.5, 0.77, 1},
                      quarters[] = {0.56, 0.59}; /* 117 and 122 degrees */
  for (size_t i = 0; i < 2; i++) {
    fixture f = {.name = "keys of wide turns"};
    scene_joints(&f.scene, 1);
    f.scene.joint[0].rotation = turning(&f.scene, 1, times, KEYS, quarters[i]);
    f.scene.options.rate = 3; /* at this rate only the first and last key are at frames */
    bounds_of(&f.scene, 1e-3f, 0, 0);
    assert_int_equal(quatsimd_clip_encode(&f.data, &f.size, &f.scene.source, &f.scene.options, NULL),
                     QUATSIMD_OK);
    assert_int_equal(quatsimd_clip_open(&f.clip, &f.storage, sizeof f.storage, f.data, f.size), QUATSIMD_OK);
    assert_int_equal(state_of(f.clip, 0, 0), QUATSIMD_CLIP_KEYED);
    assert_int_equal(clip_keyed_at(f.clip, 0, clip_part_of(f.clip, 0).keys).count, i ? 2 * KEYS - 1 : KEYS);
    done(&f);
  }
}

/* Opens the clip with `start` and `rate` in place of its own. */
static quatsimd_status open_retimed(fixture *f, double start, double rate) {
  unsigned char *bytes = f->data;
  store_double(bytes + CLIP_AT_RATE, rate), store_double(bytes + CLIP_HEAD, start);
  clip_bytes_seal(bytes, f->size);
  return quatsimd_clip_open(&f->clip, &f->storage, sizeof f->storage, bytes, f->size);
}

/* Checks that frames are found at their times up to the highest rate that opening accepts. */
static void nearest_frames(void **state) {
  (void)state;
  static const double starts[] = {1e12, -1e12, 0x1p+40, -0x1.fffffffffp+39, 12345678.9, -1e-3, 1e25};
  fixture f;
  encode(&f, maker_of("late"));
  assert_true(f.clip->flags & CLIP_HAS_START);
  const size_t joints = f.clip->joints, frames = f.clip->frames;
  guarded_pose wanted = guarded_pose_new(joints), r = guarded_pose_new(joints);
  quatsimd_pose_out pose = aos(&wanted);
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    for (int k = 0; k < 40; k++) {
      const double rate = 0x1p+48 / fabs(starts[i]) * (1 - 1e-12 - k * 0.013);
      if (open_retimed(&f, starts[i], rate) != QUATSIMD_OK) {
        assert_true(k == 0 && starts[i] > 0); /* the end may be too far from 0, though the start is not */
        continue;
      }
      for (size_t frame = 0; frame < frames; frame++) {
        const double time = quatsimd_clip_frame_time(f.clip, frame);
        assert_int_equal(quatsimd_clip_decode(f.clip, &pose, NULL, frame, 1, 0), QUATSIMD_OK);
        sample(&f, time, QUATSIMD_CLIP_WRAP_CLAMP, &r), expect_same(&f, &wanted, &r, time, "decoded");
      }
      assert_int_equal(open_retimed(&f, starts[i], 0x1p+48 / fabs(starts[i]) * (1 + 1e-12 + k * 0.1)),
                       QUATSIMD_ERROR_DAMAGED_CLIP);
    }
  assert_int_equal(open_retimed(&f, -(double)(frames - 1) / 0x1p+100, 0x1p+100), QUATSIMD_OK);
  guarded_pose_free(&wanted), guarded_pose_free(&r);
  done(&f);
}

/* Checks that a clip's only frame is found at 1e20 s. With two frames at such times, the clip is refused. */
static void one_late_frame(void **state) {
  (void)state;
  static const double time = 1e20;
  static const float values[] = {0, 0, 1, 0};
  keyed_clip c = {
      .frames = 1, .rate = 1e10, .start = time, .floats = true, .keys = 1, .times = &time, .values = values};
  float to[4];
  assert_int_equal(open_keyed(&c), QUATSIMD_OK);
  sample_keyed(&c, time, QUATSIMD_CLIP_WRAP_CLIP, to);
  assert_memory_equal(to, values, sizeof to);
  c.frames = 2;
  assert_int_equal(open_keyed(&c), QUATSIMD_ERROR_DAMAGED_CLIP);
}

/* Tests keys whose times differ by a denormal. If denormals are flushed, the earlier key is sampled. */
static void denormals(void **state) {
  (void)state;
  static const double times[] = {0x1p-1022, 0x1.8p-1022, 1};
  static const float values[] = {0, 0, 0, 1, 0.6f, 0, 0.8f, 0, 0, 0, 1, 0};
  for (int kind = 0; kind < 3; kind++) {
    keyed_clip c = {.kind = kind,
                    .frames = 2,
                    .rate = 1,
                    .floats = kind == 0,
                    .doubles = true,
                    .keys = 3,
                    .times = times,
                    .values = values};
    float to[4];
    assert_int_equal(open_keyed(&c), QUATSIMD_OK);
    if (!flush_denormals(true)) skip();
    sample_keyed(&c, 0x1.4p-1022, QUATSIMD_CLIP_WRAP_CLAMP, to);
    flush_denormals(false);
    assert_memory_equal(to, values, 4 * components(kind));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rotations_as_floats),      cmocka_unit_test(floats_refused),
      cmocka_unit_test(floats_inspected),         cmocka_unit_test(keys_far_from_the_start),
      cmocka_unit_test(keys_at_their_times),      cmocka_unit_test(ends_of_listed_rounds),
      cmocka_unit_test(nearest_frames),           cmocka_unit_test(denormals),
      cmocka_unit_test(keys_beside_late_frames),  cmocka_unit_test(one_late_frame),
      cmocka_unit_test(times_beside_late_frames), cmocka_unit_test(held_keys_beside_frames),
      cmocka_unit_test(keys_of_wide_turns)};
  return cmocka_run_group_tests_name("clip keys", tests, NULL, NULL);
}
