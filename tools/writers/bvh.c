#include "writers/writers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "base/text.h"
#include "check/curve.h"
#include "clip/layout.h"
#include "files/names.h"
#include "files/output.h"
#include "terminal/message.h"

struct joint {
  size_t node;
  bool has_position;
  const struct scene_curve *curve; /* of each kind; null: it has none */
  double before[3];                /* the angles of the row before, degrees */
};

struct writer {
  const struct scene *scene;
  struct output to;
  size_t *first, *next; /* as scene_children has them */
  struct joint *joint;  /* in the order of the text */
  size_t joints;
};

static void put(struct writer *w, const char *text) { output_write(&w->to, text, strlen(text)); }

/* As short as a float allows. */
static void put_lengths(struct writer *w, const double v[3]) {
  char text[128];
  snprintf(text, sizeof text, " %.9g %.9g %.9g", v[0] + 0.0, v[1] + 0.0, v[2] + 0.0); /* -0 becomes 0 */
  put(w, text);
}

/* HIERARCHY. --------------------------------------------------------------------------------------------- */

/* Spaces and braces would end the name. */
static void put_name(struct writer *w, const char *name) {
  char *safe = text_copy(*name ? name : "joint");
  for (char *c = safe; *c; c++)
    if (strchr(" {}", *c)) *c = '_';
  put(w, safe);
  free(safe);
}

static bool leaves_rest(const struct scene_node *node, const struct scene_curve *curve) {
  for (size_t i = 0; curve && i < scene_floats(curve, SCENE_TRANSLATION); i++)
    if (curve->values[i] != node->rest[SCENE_TRANSLATION][i % 3]) return true;
  return false;
}

/* Readers disagree on whether a root's position is in addition to its OFFSET, so that is 0. */
static void put_joint(struct writer *w, size_t n, const struct scene_curve *curve) {
  const struct scene_node *node = &w->scene->node[n];
  const bool root = node->parent == SCENE_NONE;
  double offset[3] = {0};
  struct joint *joint = &w->joint[w->joints++];
  *joint = (struct joint){.node = n,
                          .has_position = root || leaves_rest(node, curve ? &curve[SCENE_TRANSLATION] : NULL),
                          .curve = curve};
  for (int i = 0; i < 3 && !root; i++) offset[i] = (double)node->rest[SCENE_TRANSLATION][i];
  put(w, root ? "ROOT " : "JOINT ");
  put_name(w, node->name);
  put(w, "\n{\nOFFSET");
  put_lengths(w, offset);
  put(w, joint->has_position ? "\nCHANNELS 6 Xposition Yposition Zposition" : "\nCHANNELS 3");
  put(w, " Zrotation Xrotation Yrotation\n");
}

static void put_hierarchy(struct writer *w, const struct scene_animation *animation) {
  const struct scene_node *node = w->scene->node;
  const struct scene_curve **curves = memory_get(w->scene->nodes, sizeof(struct scene_curve *));
  for (size_t c = 0; c < animation->channels; c++)
    curves[animation->channel[c].node] = animation->channel[c].curve;
  put(w, "HIERARCHY\n");
  for (size_t n = scene_children(w->scene, &w->first, &w->next); n != SCENE_NONE;) {
    put_joint(w, n, curves[n]);
    if (w->first[n] != SCENE_NONE) {
      n = w->first[n];
      continue;
    }
    put(w, "End Site\n{\nOFFSET 0 0 0\n}\n}\n");
    for (; w->next[n] == SCENE_NONE && node[n].parent != SCENE_NONE; put(w, "}\n")) n = node[n].parent;
    n = w->next[n];
  }
  free(curves);
}

/* MOTION. ------------------------------------------------------------------------------------------------ */

static void value_at(const struct writer *w, const struct joint *j, int kind, double seconds,
                     double value[4]) {
  const struct scene_curve *c = j->curve ? &j->curve[kind] : NULL;
  for (size_t i = 0; i < scene_width(kind); i++) value[i] = (double)w->scene->node[j->node].rest[kind][i];
  if (!c || c->keys == 0) return;
  const quatsimd_curve curve = {c->keys, c->seconds, c->values, c->interpolation};
  curve_value(&curve, kind, curve_find(&curve, seconds + clip_rounding(seconds)), seconds, value);
}

/* The angles about z, x and y, in this order, of those that mean the same the nearest to the row before. Half
 * the sum and half the difference of the first and the last are found each by itself: so they are right where
 * the one in the middle is 90 degrees, too. */
static void find_angles(struct joint *j, const double q[4]) {
  const double sum[] = {q[3] + q[0], q[2] + q[1]}, difference[] = {q[3] - q[0], q[2] - q[1]},
               s = atan2(sum[1], sum[0]), d = atan2(difference[1], difference[0]), a = hypot(sum[0], sum[1]),
               b = hypot(difference[0], difference[1]);
  const double found[] = {(s + d) * DEGREES, 2 * atan2(a - b, a + b) * DEGREES, (s - d) * DEGREES};
  double best[3], least = INFINITY;
  for (int other = 0; other < 2; other++) {
    double angle[] = {found[0] + 180 * other, other ? 180 - found[1] : found[1], found[2] + 180 * other},
           off = 0;
    for (int i = 0; i < 3; i++) {
      angle[i] -= 360 * rint((angle[i] - j->before[i]) / 360);
      off += fabs(angle[i] - j->before[i]);
    }
    if (off < least) least = off, memcpy(best, angle, sizeof best);
  }
  memcpy(j->before, best, sizeof best);
}

static void put_row(struct writer *w, double seconds) {
  for (size_t i = 0; i < w->joints; i++) {
    struct joint *j = &w->joint[i];
    double value[4];
    char text[128];
    if (j->has_position) value_at(w, j, SCENE_TRANSLATION, seconds, value), put_lengths(w, value);
    value_at(w, j, SCENE_ROTATION, seconds, value);
    find_angles(j, value);
    for (int k = 0; k < 3; k++) value[k] = rint(j->before[k] * 1e6) / 1e6 + 0.0;
    snprintf(text, sizeof text, " %.6f %.6f %.6f", value[0], value[1], value[2]);
    put(w, text);
  }
  put(w, "\n");
}

/* True if a node has a scale of other than 1. */
static bool has_scales(const struct scene *scene, const struct scene_animation *animation) {
  bool any = false;
  for (size_t n = 0; n < scene->nodes; n++)
    for (int i = 0; i < 3; i++) any = any || scene->node[n].rest[SCENE_SCALE][i] != 1;
  for (size_t c = 0; c < animation->channels; c++) {
    const struct scene_curve *curve = &animation->channel[c].curve[SCENE_SCALE];
    for (size_t k = 0; k < 3 * curve->keys; k++)
      any = any || scene_key(curve, SCENE_SCALE, k / 3)[k % 3] != 1;
  }
  return any;
}

bool bvh_write(const struct scene *scene, const struct scene_animation *animation, double start,
               const struct file_frames *frames, const char *output) {
  struct writer w = {.scene = scene, .joint = memory_get(scene->nodes, sizeof *w.joint)};
  char text[100];
  bool good = names_make_directory_of(output) && output_open(&w.to, output);
  if (good) {
    if (has_scales(scene, animation)) complain(output, "scales are left out, which BVH does not have");
    put_hierarchy(&w, animation);
    snprintf(text, sizeof text, "MOTION\nFrames: %zu\nFrame Time: %.9g\n", frames->count, 1 / frames->rate);
    put(&w, text);
    for (size_t row = 0; row < frames->count; row++) put_row(&w, start + (double)row / frames->rate);
    good = output_close(&w.to); /* tells of what failed before */
  }
  free(w.first), free(w.next);
  free(w.joint);
  return good;
}
