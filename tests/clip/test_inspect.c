/* Checks that the bytes of all joints and the common bytes add up to the size of the clip. Constant curves
 * and keys must have the sizes of docs/clip-format.md. */
#include "clip/inspect.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#include "clip/sample/open.h"

enum { JOINTS = 21, MOST = 301 };

struct body {
  quatsimd_clip_joint joint[JOINTS];
  quatsimd_clip_source source;
  double times[MOST], steps[3];
  float turns[JOINTS][MOST][4], paths[JOINTS][MOST][3];
};

/* Joints 0 to 16 turn. Joint 3 also moves smoothly, and joint 4 by noise. Joint 17 has a constant rotation,
 * 18 a constant translation, 19 a rotation with keys of its own, and 20 no curve. */
static void make_body(struct body *b, size_t keys, double start) {
  unsigned noise = 1;
  memset(b, 0, sizeof *b);
  b->source = (quatsimd_clip_source){JOINTS, b->joint, 0, NULL};
  for (size_t k = 0; k < keys; k++) b->times[k] = start + (double)k / 30;
  for (size_t i = 0; i < 3; i++)
    b->steps[i] = start + (b->times[keys - 1] - start) * (double)i * (double)i / 5;
  for (size_t j = 0; j < JOINTS; j++)
    for (size_t k = 0; k < MOST; k++) {
      const double angle = 0.5 * sin(0.1 * (double)(k * (j + 1)) + (double)j);
      b->turns[j][k][j % 3] = (float)sin(angle), b->turns[j][k][3] = (float)cos(angle);
      for (int i = 0; i < 3; i++) {
        noise = noise * 1664525 + 1013904223;
        b->paths[j][k][i] = j == 3 ? (float)sin(angle + i) : (float)(noise >> 8) / 0x1p24f;
      }
    }
  for (size_t j = 0; j < JOINTS; j++) {
    b->joint[j].parent = (int64_t)j - 1;
    if (j < 17) b->joint[j].rotation = (quatsimd_curve){keys, b->times, b->turns[j][0], 0};
    if (j == 3 || j == 4) b->joint[j].translation = (quatsimd_curve){keys, b->times, b->paths[j][0], 0};
  }
  b->joint[17].rotation = (quatsimd_curve){1, b->times, b->turns[17][0], 0};
  b->joint[18].translation = (quatsimd_curve){1, b->times, b->paths[18][0], 0};
  b->joint[19].rotation = (quatsimd_curve){3, b->steps, b->turns[19][0], 1};
}

/* Returns the number of bytes that belong to no single joint, with the bits that pad codes and knots. *raws
 * becomes the number of bytes of raw curves. */
static double common_of(const quatsimd_clip *clip, size_t *raws) {
  struct clip_sections s;
  quatsimd_inspect_sections(&s, clip);
  double common = (double)(s.head + s.times + s.padding);
  *raws = 0;
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
    const quatsimd_clip_part parts = clip_part_of(clip, kind), *part = &parts;
    common += (double)(s.bytes[CLIP_MASKS][kind] + s.bytes[CLIP_PLANS][kind]) -
              (double)(part->units ? part->moving : 0);
    common += part->moving % 2 * 0.5 * (double)s.blocks;
    *raws += s.bytes[CLIP_RAWS][kind];
    for (size_t g = 0; g * CLIP_GROUP < part->moving; g++)
      for (int a = 0; a < CLIP_AXES; a++) {
        const unsigned bits =
            part->widths[CLIP_AXES * g + (size_t)a] * (unsigned)clip_group_curves(part->moving, g);
        common += (8 - bits % 8) % 8 / 8.0 * (double)(s.blocks + 1);
      }
  }
  return common;
}

static void check(size_t keys, double start, float bound, double joint_bytes[JOINTS], size_t *raws) {
  static struct body body;
  const quatsimd_clip_options options = {
      .struct_size = sizeof options, .rotation_bound = bound, .translation_bound = bound};
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  void *data;
  size_t size;
  make_body(&body, keys, start);
  quatsimd_clip_report report;
  quatsimd_clip_report_init(&report, sizeof report);
  if (quatsimd_clip_encode(&data, &size, &body.source, &options, &report) != QUATSIMD_OK)
    fail_msg("joint %zu, key %zu: %s", report.joint, report.key, report.error);
  assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, data, size), QUATSIMD_OK);
  const double common = quatsimd_inspect_joints(clip, joint_bytes);
  double sum = common;
  for (size_t j = 0; j < JOINTS; j++) sum += joint_bytes[j];
  assert_true(sum == (double)size);
  assert_int_equal(clip->flags & CLIP_HAS_START, start == 0 ? 0 : CLIP_HAS_START);
  assert_true(common == common_of(clip, raws));
  const double value = (double)clip_constant_bytes(QUATSIMD_CLIP_ROTATION, clip_precision(clip));
  assert_true(joint_bytes[17] == value);
  assert_true(joint_bytes[18] == 12);
  assert_true(joint_bytes[20] == 0);
  if (clip_part_of(clip, 0).keyed)
    assert_true(joint_bytes[19] == 4 + 3 * (4 + value) || joint_bytes[19] == 4 + 3 * (8 + value));
  else assert_true(keys < 10);
  quatsimd_clip_free(NULL, data);
}

static void all_bytes_are_somebodys(void **state) {
  static const size_t keys[] = {2, 18, 19, 61, MOST};
  static const float bounds[] = {2e-5f, 1e-3f, 0.1f};
  size_t raws = 0, all = 0;
  double bytes[JOINTS];
  (void)state;
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++)
      for (int start = 0; start < 2; start++) check(keys[k], start, bounds[b], bytes, &raws), all += raws;
  assert_true(all > 0);
}

/* Checks that in a group of eight, joints that turn by noise have more bytes than those that turn evenly. */
static void bytes_are_the_joints_own(void **state) {
  static struct body body;
  const quatsimd_clip_options options = {.struct_size = sizeof options, .rotation_bound = 1e-3f};
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  void *data;
  size_t size;
  double bytes[8];
  (void)state;
  make_body(&body, MOST, 0);
  for (size_t j = 0; j < 8; j++) {
    for (size_t k = 0; k < MOST; k++)
      for (size_t i = 0; i < 3; i++)
        body.turns[j][k][i] =
            j % 2 ? 0.02f * body.paths[5 + j][k][i] : 0.2f * (float)sin(0.02 * (double)k + (double)(i + j));
    body.joint[j].translation.key_count = 0;
  }
  body.source.joint_count = 8;
  assert_int_equal(quatsimd_clip_encode(&data, &size, &body.source, &options, NULL), QUATSIMD_OK);
  assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, data, size), QUATSIMD_OK);
  assert_int_equal(clip_part_of(clip, 0).moving, 8);
  quatsimd_inspect_joints(clip, bytes);
  for (size_t j = 0; j < 8; j++)
    if (j % 2 ? bytes[j] < 700 : bytes[j] > 550) fail_msg("joint %zu: %g bytes", j, bytes[j]);
  quatsimd_clip_free(NULL, data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_bytes_are_somebodys),
      cmocka_unit_test(bytes_are_the_joints_own),
  };
  return cmocka_run_group_tests_name("inspect", tests, NULL, NULL);
}
