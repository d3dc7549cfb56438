/* BVH. Assimp reads it. Its keys are replaced in its own text: numbers of MOTION one by one, nothing else
 * touched. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/message.h"
#include "base/output.h"
#include "base/quantity.h"
#include "base/text.h"
#include "quatsimd/rotation.h"
#include "readers/assimp.h"
#include "readers/readers.h"

enum { CHANNELS_MAX = 6 };

/* A joint of the text. */
struct joint {
  const struct scene_channel *channel;
  /* of each channel: SCENE_ROTATION or SCENE_TRANSLATION; 0 to 2 */
  int channels, kind[CHANNELS_MAX], axis[CHANNELS_MAX];
  int rotations, about[3]; /* axes of rotations, in the order of the text */
  bool about_first_again;  /* as in ZXZ */
  quatsimd_euler_order order;
  double before[3]; /* angles of the frame before */
};

struct text {
  const struct replacement *with;
  char *all, *at; /* zero-terminated; what is not yet read */
  size_t size, joints;
  struct joint *joint;
  FILE *out;     /* in memory */
  char *written; /* up to here the text is in it */
};

/* Are there other keys for this kind of channels? */
static bool replaces(const struct text *t, const struct joint *j, int kind) {
  return t->with->kinds[kind] && j->channel->curve[kind].keys > 0;
}

static bool fail(const struct text *t, const char *what) {
  size_t line = 1;
  for (const char *s = t->all; s < t->at; s++) line += *s == '\n';
  complain(t->with->original, "line %zu: %s", line, what);
  return false;
}

/* The next word and its length, 0 at the end; { and } are words. */
static char *next_word(struct text *t, size_t *length) {
  char *word = t->at + strspn(t->at, " \t\r\n\f\v");
  *length = *word == '{' || *word == '}' ? 1 : strcspn(word, " \t\r\n\f\v{}");
  t->at = word + *length;
  return word;
}

static bool is(const char *word, size_t length, const char *wanted) {
  return length == strlen(wanted) && memcmp(word, wanted, length) == 0;
}

/* HIERARCHY. --------------------------------------------------------------------------------------------- */

/* The order of the library about these axes. */
static quatsimd_euler_order order_about(const int axis[3]) {
  /* [first][second is the next one after it][third is the first] */
  static const quatsimd_euler_order orders[3][2][2] = {
      {{QUATSIMD_INTRINSIC_XZY, QUATSIMD_INTRINSIC_XZX}, {QUATSIMD_INTRINSIC_XYZ, QUATSIMD_INTRINSIC_XYX}},
      {{QUATSIMD_INTRINSIC_YXZ, QUATSIMD_INTRINSIC_YXY}, {QUATSIMD_INTRINSIC_YZX, QUATSIMD_INTRINSIC_YZY}},
      {{QUATSIMD_INTRINSIC_ZYX, QUATSIMD_INTRINSIC_ZYZ}, {QUATSIMD_INTRINSIC_ZXY, QUATSIMD_INTRINSIC_ZXZ}}};
  return orders[axis[0]][axis[1] == (axis[0] + 1) % 3][axis[2] == axis[0]];
}

/* False if neighbours among the one to three axes are the same. */
static bool find_order(struct joint *j) {
  const int *a = j->about;
  if (j->rotations > 3 || (j->rotations > 1 && a[1] == a[0]) || (j->rotations > 2 && a[2] == a[1]))
    return false;
  j->about_first_again = a[2] == a[0];
  if (j->rotations == 3) j->order = order_about(a);
  return true;
}

static bool read_channels(struct text *t, struct joint *j) {
  size_t length;
  const char *word = next_word(t, &length);
  j->channels = is(word, length, "0") ? 0 : length == 1 ? *word - '0' : -1;
  if (j->channels < 0 || j->channels > CHANNELS_MAX)
    return fail(t, "there are more CHANNELS than six, or no number of them");
  for (int c = 0; c < j->channels; c++) {
    word = next_word(t, &length);
    j->axis[c] = *word - 'X';
    j->kind[c] = is(word + 1, length - 1, "rotation") ? SCENE_ROTATION : SCENE_TRANSLATION;
    if (length < 2 || j->axis[c] < 0 || j->axis[c] > 2 ||
        (j->kind[c] == SCENE_TRANSLATION && !is(word + 1, length - 1, "position")))
      return fail(t, "a channel is neither a rotation nor a position");
    if (j->kind[c] != SCENE_ROTATION) continue;
    if (j->rotations < 3) j->about[j->rotations] = j->axis[c];
    j->rotations++;
  }
  return find_order(j) || fail(t, "rotations are not one to three about axes that change");
}

/* Assimp makes a channel for each joint of the text, in its order. */
static bool read_joint(struct text *t) {
  const struct scene_animation *animation = t->with->animation;
  size_t length;
  const char *word = next_word(t, &length);
  char *name = memory_get(length + 1, 1);
  memcpy(name, word, length);
  char *clean = text_clean(name);
  const bool known =
      t->joints < animation->channels && strcmp(clean, animation->channel[t->joints].name) == 0;
  if (known) t->joint[t->joints] = (struct joint){.channel = &animation->channel[t->joints]}, t->joints++;
  free(clean);
  free(name);
  return known || fail(t, "Assimp reads other joints");
}

static bool read_hierarchy(struct text *t) {
  size_t length;
  t->joint = memory_get(t->with->animation->channels, sizeof *t->joint);
  for (;;) {
    const char *word = next_word(t, &length);
    if (length == 0) return fail(t, "there is no MOTION");
    if (is(word, length, "MOTION"))
      return t->joints == t->with->animation->channels || fail(t, "Assimp reads other joints");
    if ((is(word, length, "ROOT") || is(word, length, "JOINT")) && !read_joint(t)) return false;
    if (is(word, length, "CHANNELS") && (t->joints == 0 || !read_channels(t, &t->joint[t->joints - 1])))
      return t->joints > 0 ? false : fail(t, "CHANNELS of nothing");
  }
}

/* MOTION. ------------------------------------------------------------------------------------------------ */

static double turns_nearest(double angle, double wanted) {
  return angle - 360 * rint((angle - wanted) / 360);
}

/* All three angles, degrees: of those that mean the same the ones nearest to the frame before. */
static void find_three(const struct joint *j, const float *q, double best[3]) {
  float radians[3];
  double least = INFINITY;
  quatsimd_to_euler(quatsimd_aos_out(radians), quatsimd_aos(q), j->order, 1);
  for (int other = 0; other < 2; other++) {
    double angle[3], off = 0;
    for (int i = 0; i < 3; i++) angle[i] = radians[i] * DEGREES;
    if (other) {
      angle[0] += 180, angle[2] += 180;
      angle[1] = j->about_first_again ? -angle[1] : 180 - angle[1];
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
  const int a = j->about[0], b = j->about[1], c = 3 - a - b;
  const double x = q[a], y = q[b], w = q[3], z = b == (a + 1) % 3 ? q[c] : -q[c];
  const double sum = atan2(x + y, w - z), difference = atan2(x - y, w + z);
  angle[0] = (sum + difference) * DEGREES, angle[1] = (sum - difference) * DEGREES;
}

static void find_angles(struct joint *j, const float *q) {
  double angle[3] = {0};
  if (j->rotations == 3) find_three(j, q, angle);
  else if (j->rotations == 2) find_two(j, q, angle);
  else angle[0] = 2 * atan2(q[j->about[0]], q[3]) * DEGREES;
  for (int i = 0; i < j->rotations; i++) j->before[i] = turns_nearest(angle[i], j->before[i]);
}

static void put_number(struct text *t, const char *word, int decimals, double number) {
  if (fabs(number) < 0.5 * pow(10, -decimals)) number = 0; /* not -0.000 */
  fwrite(t->written, 1, (size_t)(word - t->written), t->out);
  fprintf(t->out, "%.*f", decimals, number);
  t->written = t->at;
}

/* The numbers of a joint in a frame. */
static bool write_frame(struct text *t, struct joint *j, size_t frame) {
  char *word[CHANNELS_MAX] = {0}, *end[CHANNELS_MAX] = {0};
  const struct scene_curve *curve = j->channel->curve;
  int rotation = 0;
  for (int c = 0; c < j->channels; c++) {
    size_t length;
    word[c] = next_word(t, &length), end[c] = t->at;
    if (length == 0) return fail(t, "the motion is cut off");
    /* the first frame stays at what angles the text has */
    if (frame == 0 && j->kind[c] == SCENE_ROTATION) j->before[rotation++] = strtod(word[c], NULL);
  }
  if (j->rotations > 0 && replaces(t, j, SCENE_ROTATION))
    find_angles(j, curve[SCENE_ROTATION].values + 4 * frame);
  rotation = 0;
  for (int c = 0; c < j->channels; c++) {
    t->at = end[c];
    if (!replaces(t, j, j->kind[c])) continue;
    if (j->kind[c] == SCENE_ROTATION) put_number(t, word[c], 6, j->before[rotation++]);
    else put_number(t, word[c], 9, (double)curve[SCENE_TRANSLATION].values[3 * frame + (size_t)j->axis[c]]);
  }
  return true;
}

/* All curves that are replaced have as many keys as there are frames. */
static bool check_frames(const struct text *t, size_t frames) {
  for (const struct joint *j = t->joint; j < t->joint + t->joints; j++)
    for (int c = 0; c < j->channels; c++)
      if (replaces(t, j, j->kind[c]) && j->channel->curve[j->kind[c]].keys != frames)
        return fail(t, "Assimp reads another number of frames");
  return true;
}

static bool read_head(struct text *t, size_t *frames) {
  static const char *const words[] = {"Frames:", NULL, "Frame", "Time:", NULL};
  for (int i = 0; i < 5; i++) {
    size_t length;
    const char *word = next_word(t, &length);
    if (words[i] ? !is(word, length, words[i]) : length == 0)
      return fail(t, "MOTION does not begin with Frames: and Frame Time:");
    if (i == 1) *frames = strtoul(word, NULL, 10);
  }
  return check_frames(t, *frames);
}

/* Without, frames have no numbers, and the text may claim any count of them. */
static bool has_channels(const struct text *t) {
  bool any = false;
  for (size_t j = 0; j < t->joints; j++) any = any || t->joint[j].channels > 0;
  return any;
}

static bool write_motion(struct text *t) {
  size_t frames = 0;
  if (!read_head(t, &frames)) return false;
  if (!has_channels(t)) frames = 0;
  for (size_t f = 0; f < frames; f++)
    for (size_t j = 0; j < t->joints; j++)
      if (!write_frame(t, &t->joint[j], f)) return false;
  fwrite(t->written, 1, (size_t)(t->all + t->size - t->written), t->out);
  return true;
}

static bool write_text(const char *path, const char *text, size_t size) {
  struct output o;
  if (!output_open(&o, path)) return false;
  output_write(&o, text, size);
  return output_close(&o);
}

static bool replace_in_text(const struct replacement *with, const char *output) {
  struct text t = {.with = with};
  char *text = NULL;
  size_t size;
  t.at = t.written = t.all = file_read(with->original, &t.size);
  if (!t.all) return false;
  t.out = memory_or_exit(open_memstream(&text, &size));
  bool good = read_hierarchy(&t) && write_motion(&t);
  if (fclose(t.out) != 0) memory_or_exit(NULL);
  good = good && write_text(output, text, size);
  free(text);
  free(t.joint);
  free(t.all);
  return good;
}

/* The reader. -------------------------------------------------------------------------------------------- */

static bool recognise(const char *path) { return file_begins(path, "HIERARCHY", 9); }

static bool replace_keys(const struct replacement *r, const char *output) {
  return (file_name_ends(output, ".bvh") ? replace_in_text : assimp_replace_keys)(r, output);
}

const struct reader reader_bvh = {.name = "a BVH file",
                                  .endings = {".bvh"},
                                  .copies = {".glb", ".bvh"},
                                  .as_many = ".bvh",
                                  .recognise = recognise,
                                  .scene = assimp_scene,
                                  .replace_keys = replace_keys};
