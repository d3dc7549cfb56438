/* BVH again, from its own text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/quantity.h"
#include "base/text.h"
#include "quatsimd/rotation.h"
#include "readers/bvh/bvh.h"

struct joint {
  const struct bvh_joint *has;
  const struct scene_curve *curve[SCENE_KINDS]; /* null: its numbers stay */
  double before[3];                             /* angles of the frame before */
};

/* Angles. ------------------------------------------------------------------------------------------------ */

/* The order of the library about these axes. */
static quatsimd_euler_order order_about(const int axis[3]) {
  /* [first][second is the next one after it][third is the first] */
  static const quatsimd_euler_order orders[3][2][2] = {
      {{QUATSIMD_INTRINSIC_XZY, QUATSIMD_INTRINSIC_XZX}, {QUATSIMD_INTRINSIC_XYZ, QUATSIMD_INTRINSIC_XYX}},
      {{QUATSIMD_INTRINSIC_YXZ, QUATSIMD_INTRINSIC_YXY}, {QUATSIMD_INTRINSIC_YZX, QUATSIMD_INTRINSIC_YZY}},
      {{QUATSIMD_INTRINSIC_ZYX, QUATSIMD_INTRINSIC_ZYZ}, {QUATSIMD_INTRINSIC_ZXY, QUATSIMD_INTRINSIC_ZXZ}}};
  return orders[axis[0]][axis[1] == (axis[0] + 1) % 3][axis[2] == axis[0]];
}

static double turns_nearest(double angle, double wanted) {
  return angle - 360 * rint((angle - wanted) / 360);
}

/* All three angles, degrees: of those that mean the same the ones nearest to the frame before. */
static void find_three(const struct joint *j, const float *q, double best[3]) {
  const int *about = j->has->about;
  float radians[3];
  double least = INFINITY;
  quatsimd_to_euler(quatsimd_aos_out(radians), quatsimd_aos(q), order_about(about), 1);
  for (int other = 0; other < 2; other++) {
    double angle[3], off = 0;
    for (int i = 0; i < 3; i++) angle[i] = radians[i] * DEGREES;
    if (other) {
      angle[0] += 180, angle[2] += 180;
      angle[1] = about[2] == about[0] ? -angle[1] : 180 - angle[1]; /* the former as in ZXZ */
    }
    for (int i = 0; i < 3; i++) {
      angle[i] = turns_nearest(angle[i], j->before[i]);
      off += fabs(angle[i] - j->before[i]);
    }
    if (off < least) least = off, memcpy(best, angle, sizeof angle);
  }
}

/* Two axes do not reach all rotations. The nearest one has the largest product with q, which is the sum of
 * a cosine of half the sum of the angles and one of half their difference. */
static void find_two(const struct joint *j, const float *q, double angle[3]) {
  const int a = j->has->about[0], b = j->has->about[1], c = 3 - a - b;
  const double x = q[a], y = q[b], w = q[3], z = b == (a + 1) % 3 ? q[c] : -q[c];
  const double sum = atan2(x + y, w - z), difference = atan2(x - y, w + z);
  angle[0] = (sum + difference) * DEGREES, angle[1] = (sum - difference) * DEGREES;
}

static void find_angles(struct joint *j, const float *q) {
  double angle[3] = {0};
  if (j->has->rotations == 3) find_three(j, q, angle);
  else if (j->has->rotations == 2) find_two(j, q, angle);
  else angle[0] = 2 * atan2(q[j->has->about[0]], q[3]) * DEGREES;
  for (int i = 0; i < j->has->rotations; i++) j->before[i] = turns_nearest(angle[i], j->before[i]);
}

/* Text. -------------------------------------------------------------------------------------------------- */

struct copy {
  struct bvh *from;
  const char *written; /* up to here the text is in the copy */
  size_t joints;
  struct joint *joint;
  struct output to;
};

static void put_number(struct copy *copy, const struct bvh_number *was, int decimals, double number) {
  char text[64];                                           /* a float's largest has 39 digits */
  if (fabs(number) < 0.5 * pow(10, -decimals)) number = 0; /* not -0.000 */
  const int length = snprintf(text, sizeof text, "%.*f", decimals, number);
  output_write(&copy->to, copy->written,
               (size_t)(was->word - copy->written)); /* output_close tells of failure */
  output_write(&copy->to, text, (size_t)length);
  copy->written = was->end;
}

/* The numbers of a joint in a frame. */
static void put_joint(struct copy *copy, struct joint *j, size_t frame, const struct bvh_number *number) {
  const struct scene_curve *turns = j->curve[SCENE_ROTATION];
  const struct bvh_joint *has = j->has;
  for (int c = 0, r = 0; c < has->channels && frame == 0;
       c++) /* which begins at the angles that the text has */
    if (has->kind[c] == SCENE_ROTATION) j->before[r++] = number[c].value;
  if (turns) find_angles(j, turns->values + 4 * frame);
  for (int c = 0, r = 0; c < has->channels; c++) {
    if (has->kind[c] == SCENE_ROTATION && turns) put_number(copy, &number[c], 6, j->before[r++]);
    const struct scene_curve *curve = j->curve[has->kind[c]];
    if (has->kind[c] != SCENE_ROTATION && curve)
      put_number(copy, &number[c], 9, (double)curve->values[3 * frame + (size_t)has->axis[c]]);
  }
}

/* Writes how many frames there are, where the text claims another number. */
static void put_count(struct copy *copy) {
  const struct bvh *b = copy->from;
  char text[32];
  if (b->claimed == b->frames) return;
  const int length = snprintf(text, sizeof text, "%zu", b->frames);
  output_write(&copy->to, copy->written, (size_t)(b->claim - copy->written));
  output_write(&copy->to, text, (size_t)length);
  copy->written = b->claim + strspn(b->claim, "0123456789");
}

static bool put_motion(struct copy *copy) {
  struct bvh *b = copy->from;
  struct bvh_number *numbers = memory_get(b->columns, sizeof *numbers);
  bool good = true;
  for (size_t f = 0; good && f < b->frames; f++) {
    const struct bvh_number *next = numbers;
    good = bvh_next_frame(b, numbers);
    for (size_t j = 0; good && j < copy->joints; next += copy->joint[j++].has->channels)
      put_joint(copy, &copy->joint[j], f, next);
  }
  free(numbers);
  return good;
}

/* False if the file is not what it was. */
static bool find_curves(struct copy *copy, const struct replacement *with) {
  const struct bvh *b = copy->from;
  const struct scene_animation *animation = with->animation;
  copy->joint = memory_get(b->nodes, sizeof *copy->joint);
  for (size_t n = 0; n < b->nodes; n++) {
    if (b->joint[n].end_site) continue;
    if (copy->joints == animation->channels) return false;
    const struct scene_curve *curve = animation->channel[copy->joints].curve;
    struct joint *j = &copy->joint[copy->joints++];
    j->has = &b->joint[n];
    for (int kind = 0; kind < SCENE_KINDS; kind++) {
      if (with->kinds[kind] && curve[kind].keys > 0) j->curve[kind] = &curve[kind];
      if (j->curve[kind] && curve[kind].keys != b->frames) return false;
    }
  }
  return copy->joints == animation->channels;
}

bool bvh_replace_in_text(const struct replacement *with, const char *output) {
  struct bvh b;
  if (!bvh_open(&b, with->original)) return false;
  struct copy copy = {.from = &b, .written = b.text};
  bool good = find_curves(&copy, with);
  if (!good) complain(with->original, "changed while it was read");
  good = good && output_open(&copy.to, output);
  if (good) put_count(&copy);
  if (good && put_motion(&copy)) {
    const char *end = b.cut ? b.at : b.text + b.size; /* without a frame that is cut */
    output_write(&copy.to, copy.written, (size_t)(end - copy.written));
    if (b.cut) output_write(&copy.to, "\n", 1);
    good = output_close(&copy.to);
  } else if (good) {
    output_cancel(&copy.to);
    good = false;
  }
  free(copy.joint);
  bvh_close(&b);
  return good;
}
