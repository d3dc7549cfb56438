/* Compares animations of FBX files as the command reads them with ufbx's evaluation at 97 times: every node
 * in its parent's space, and every morph weight; and bind matrices.
 * Usage: test_fbx_files FILE... It prints a line for each animation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "clip/encode/curve.h"
#include "readers/readers.h"
#include "ufbx.h"

enum { TIMES = 97 };

/* The largest differences in an animation: degrees, parts of the height, parts of 1. */
struct worst {
  double degrees, distance, scale, weight;
};

static void widen(double *most, double x) {
  if (!(x <= *most)) *most = x; /* NaN, too */
}

static double angle(const double *a, const double *b) {
  const ufbx_quat q = ufbx_quat_normalize((ufbx_quat){{{b[0], b[1], b[2], b[3]}}}); /* longer with a shear */
  double minus = 0, plus = 0;
  for (int i = 0; i < 4; i++)
    minus += (a[i] - q.v[i]) * (a[i] - q.v[i]), plus += (a[i] + q.v[i]) * (a[i] + q.v[i]);
  return 4 * asin(fmin(1, sqrt(fmin(minus, plus)) / 2)) * 180 / acos(-1);
}

static double distance(const double *a, const double *b) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* The value of a curve, or what it is without keys. */
static void value_at(const struct scene_curve *curve, int kind, const float *rest, double time,
                     double *value) {
  if (curve->keys == 0) {
    for (size_t i = 0; i < scene_width(kind); i++) value[i] = (double)rest[i];
    return;
  }
  const quatsimd_curve c = {.key_count = curve->keys,
                            .values = curve->values,
                            .times = curve->seconds,
                            .interpolation = curve->interpolation};
  quatsimd_curve_at(&c, kind, time, value);
}

static double length(const double *a) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

static ufbx_matrix matrix_of(const double value[3][4]) {
  ufbx_transform t;
  memcpy(t.rotation.v, value[0], sizeof t.rotation.v);
  memcpy(t.translation.v, value[1], sizeof t.translation.v);
  memcpy(t.scale.v, value[2], sizeof t.scale.v);
  return ufbx_transform_to_matrix(&t);
}

/* A file, read by the command and by ufbx. */
struct file {
  struct scene scene;
  ufbx_scene *whole;
  const ufbx_node **node; /* each of the scene's */
  ufbx_matrix *world;
  double height;
};

/* Lists nodes as the command does: depth first. */
static size_t list(const ufbx_node *node, const ufbx_node **to, size_t count) {
  for (size_t c = 0; c < node->children.count; c++) {
    to[count++] = node->children.data[c];
    count = list(node->children.data[c], to, count);
  }
  return count;
}

static bool open_file(struct file *f, const char *path) {
  *f = (struct file){.height = 0};
  if (!reader_scene(path, &f->scene)) return false;
  const ufbx_load_opts opts = {.file_format = UFBX_FILE_FORMAT_FBX};
  f->whole = ufbx_load_file(path, &opts, NULL);
  if (!f->whole) return false;
  f->node = memory_get(f->whole->nodes.count, sizeof(const ufbx_node *));
  f->world = memory_get(f->whole->nodes.count, sizeof *f->world);
  if (list(f->whole->root_node, f->node, 0) != f->scene.nodes) return false;
  double low[3] = {0}, high[3] = {0}; /* with the origin: a file may have one node */
  for (size_t n = 0; n < f->scene.nodes; n++)
    for (int i = 0; i < 3; i++) {
      low[i] = fmin(low[i], f->node[n]->node_to_world.cols[3].v[i]);
      high[i] = fmax(high[i], f->node[n]->node_to_world.cols[3].v[i]);
    }
  f->height = f->scene.nodes ? distance(low, high) : 1;
  if (!(f->height > 0)) f->height = 1;
  return true;
}

/* Each joint's inverse bind matrix is that of its first cluster. */
static bool same_binds(const struct file *f) {
  bool same = true;
  for (size_t n = 0; n < f->scene.nodes; n++) {
    const ufbx_skin_cluster *cluster = NULL;
    for (size_t c = f->whole->skin_clusters.count; c-- > 0;)
      if (f->whole->skin_clusters.data[c]->bone_node == f->node[n]) cluster = f->whole->skin_clusters.data[c];
    same = same && f->scene.node[n].bound == (cluster != NULL);
    for (int i = 0; same && cluster && i < 12; i++)
      same = f->scene.node[n].inverse_bind[i] == (float)cluster->geometry_to_bone.cols[i % 4].v[i / 4];
  }
  return same;
}

/* The values of a node in an animation. */
static void local_at(const struct file *f, const struct scene_animation *a, size_t n, double time,
                     double value[3][4]) {
  static const struct scene_channel none = {.node = 0};
  const struct scene_channel *channel = &none;
  for (size_t c = 0; c < a->channels; c++)
    if (a->channel[c].node == n) channel = &a->channel[c];
  for (int kind = 0; kind < SCENE_KINDS; kind++)
    value_at(&channel->curve[kind], kind, f->scene.node[n].rest[kind], time, value[kind]);
}

/* A node in its parent's space, as ufbx places both in the world if scales are not simply handed down. */
static ufbx_transform wanted_of(const ufbx_node *node) {
  if (node->inherit_mode == UFBX_INHERIT_MODE_NORMAL) return node->local_transform;
  const ufbx_matrix into = ufbx_matrix_invert(&node->parent->node_to_world),
                    local = ufbx_matrix_mul(&into, &node->node_to_world);
  return ufbx_matrix_to_transform(&local);
}

static void compare_at(struct file *f, const struct scene_animation *a, double time, struct worst *w) {
  const ufbx_anim *anim = f->whole->anim_stacks.data[a->number]->anim;
  ufbx_scene *then = ufbx_evaluate_scene(f->whole, anim, time, NULL, NULL);
  for (size_t n = 0; n < f->scene.nodes; n++) {
    double value[3][4] = {{0}};
    local_at(f, a, n, time, value);
    const ufbx_transform wanted = wanted_of(then->nodes.data[f->node[n]->typed_id]);
    widen(&w->degrees, angle(value[0], wanted.rotation.v));
    widen(&w->scale, distance(value[2], wanted.scale.v));
    const ufbx_vec3 off = {{{value[1][0] - wanted.translation.x, value[1][1] - wanted.translation.y,
                             value[1][2] - wanted.translation.z}}};
    const size_t parent = f->scene.node[n].parent;
    const ufbx_vec3 moved = parent == SCENE_NONE ? off : ufbx_transform_direction(&f->world[parent], off);
    widen(&w->distance, length(moved.v) / f->height);
    const ufbx_matrix local = matrix_of(value);
    f->world[n] = parent == SCENE_NONE ? local : ufbx_matrix_mul(&f->world[parent], &local);
  }
  ufbx_free_scene(then);
  for (size_t t = 0; t < f->scene.tracks; t++) {
    const struct scene_track *track = &f->scene.track[t];
    const struct scene_curve none = {.keys = 0};
    double value[4] = {0};
    const ufbx_blend_deformer_list *deformers = &f->node[track->node]->mesh->blend_deformers;
    size_t d = 0, target = track->target;
    while (target >= deformers->data[d]->channels.count) target -= deformers->data[d++]->channels.count;
    value_at(a->track ? &a->track[t] : &none, SCENE_TRACK, &track->rest, time, value);
    widen(&w->weight,
          fabs(value[0] - ufbx_evaluate_blend_weight(anim, deformers->data[d]->channels.data[target], time)));
  }
}

static void widen_range(const struct scene_curve *curve, double *from, double *to) {
  if (curve->keys == 0) return;
  *from = fmin(*from, curve->seconds[0]), *to = fmax(*to, curve->seconds[curve->keys - 1]);
}

static bool compare(const char *path, struct file *f, const struct scene_animation *a) {
  double from = INFINITY, to = -INFINITY;
  size_t curves = 0, keys = 0;
  for (size_t c = 0; c < a->channels; c++)
    for (int kind = 0; kind < SCENE_KINDS; kind++) {
      const struct scene_curve *curve = &a->channel[c].curve[kind];
      widen_range(curve, &from, &to);
      curves += curve->keys > 0, keys += curve->keys;
    }
  for (size_t t = 0; a->track && t < f->scene.tracks; t++) {
    widen_range(&a->track[t], &from, &to);
    curves += a->track[t].keys > 0, keys += a->track[t].keys;
  }
  struct worst w = {0};
  const ufbx_anim_stack *stack = f->whole->anim_stacks.data[a->number];
  if (stack->time_end > stack->time_begin) from = stack->time_begin, to = stack->time_end;
  for (int t = 0; t < TIMES && from <= to; t++) /* between keys, as a rule: at a key the value may jump */
    compare_at(f, a, from + (to - from) * (t + 0.4142) / TIMES, &w);
  const bool good = w.degrees <= 0.01 && w.distance <= 1e-4 && w.scale <= 1e-4 && w.weight <= 1e-4;
  printf("%s, %zu %s: %zu curves, %zu keys, %.4g to %.4g s; %.2g degrees, %.2g of height, %.2g of scale, "
         "%.2g of weight%s\n",
         path, a->number, a->name, curves, keys, from, to, w.degrees, w.distance, w.scale, w.weight,
         good ? "" : " WRONG");
  return good;
}

/* True if a file need not be read: transparentTest.fbx has spaces where bytes of 0 belong. */
static bool is_damaged(const char *path) { return strstr(path, "/transparentTest.fbx") != NULL; }

int main(int argc, char **argv) {
  bool good = true;
  for (int i = 1; i < argc; i++) {
    struct file f;
    if (!open_file(&f, argv[i])) {
      good = is_damaged(argv[i]) && good;
      printf("%s: not read%s\n", argv[i], is_damaged(argv[i]) ? "" : " WRONG");
      continue;
    }
    if (!same_binds(&f)) good = false, printf("%s: other bind matrices WRONG\n", argv[i]);
    for (size_t a = 0; a < f.scene.animations; a++)
      good = compare(argv[i], &f, &f.scene.animation[a]) && good;
    if (f.scene.animations == 0) printf("%s: no animations, %zu nodes\n", argv[i], f.scene.nodes);
    scene_free(&f.scene);
    ufbx_free_scene(f.whole);
    free(f.node), free(f.world);
  }
  return !good;
}
