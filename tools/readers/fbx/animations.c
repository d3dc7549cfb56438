/* Animations of an FBX: the times at which a value has keys, and the values of all nodes and morph
 * targets. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "clip/encode/curve.h"
#include "readers/fbx/fbx.h"

/* ---- times ---- */

/* A list of times that grows. */
struct times {
  double *seconds;
  size_t count;
};

static void add_time(struct times *times, double time) {
  times->seconds = memory_grow(times->seconds, times->count, sizeof *times->seconds);
  times->seconds[times->count++] = time;
}

static bool repeats(ufbx_extrapolation e) {
  return e.mode == UFBX_EXTRAPOLATION_REPEAT || e.mode == UFBX_EXTRAPOLATION_MIRROR ||
         e.mode == UFBX_EXTRAPOLATION_REPEAT_RELATIVE;
}

/* Adds the times of a curve's keys and, in [from, to], those of its repetitions. */
static void add_curve(struct times *times, const ufbx_anim_curve *curve, double from, double to) {
  enum { MOST = 1 << 16 };
  const ufbx_keyframe_list *keys = &curve->keyframes;
  const double length = curve->max_time - curve->min_time;
  for (size_t k = 0; k < keys->count; k++) add_time(times, keys->data[k].time);
  if (keys->count < 2 || !(length > 1e-6)) return;
  for (int way = 0; way < 2; way++) {
    const ufbx_extrapolation e = way ? curve->post_extrapolation : curve->pre_extrapolation;
    if (e.mode == UFBX_EXTRAPOLATION_SLOPE && isfinite(way ? to : from)) add_time(times, way ? to : from);
    double count = repeats(e) ? ceil((way ? to - curve->max_time : curve->min_time - from) / length) : 0;
    if (e.repeat_count >= 0 && count > e.repeat_count) count = e.repeat_count;
    if (!isfinite(count)) count = 0; /* the file does not say how long the animation is */
    for (double n = 1; n <= count && times->count < MOST; n++)
      for (size_t k = 0; k < keys->count; k++) {
        const bool back = e.mode == UFBX_EXTRAPOLATION_MIRROR && fmod(n, 2) == 1;
        const double in = keys->data[k].time - curve->min_time, at = back ? length - in : in;
        add_time(times, curve->min_time + at + (way ? n : -n) * length);
      }
  }
}

static int is_later(const void *a, const void *b) {
  const double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

/* Sorts the times, and keeps those in [from, to]. Where it leaves some out, `from` or `to` is a time itself.
 * Ticks of FBX are 2e-11 s apart: times that are nearer than CLOSE are one. */
static void settle(struct times *times, double from, double to) {
  const double close = 1e-8;
  size_t kept = 0;
  if (times->count > 0) qsort(times->seconds, times->count, sizeof *times->seconds, is_later);
  for (size_t i = 0; i < times->count; i++) {
    const double time = fmin(fmax(times->seconds[i], from), to);
    if (kept == 0 || time - times->seconds[kept - 1] > close) times->seconds[kept++] = time;
  }
  times->count = kept;
}

/* ---- what an animation moves ---- */

/* An animation that is being read. */
struct take {
  struct fbx *fbx;
  const ufbx_anim_stack *stack;
  struct scene_animation *animation;
  const double *most_length; /* each node's */
  double from, to;
  struct times weights; /* those of the layers' weights */
};

static void add_prop(struct times *times, const struct take *take, const ufbx_anim_prop *prop) {
  for (int c = 0; c < 3; c++)
    if (prop->anim_value->curves[c]) add_curve(times, prop->anim_value->curves[c], take->from, take->to);
}

/* Returns the connection of a property to the one that it takes its value from; null: it has its own. */
static const ufbx_connection *source_of(const ufbx_element *element, const ufbx_string *prop) {
  for (size_t c = 0; c < element->connections_dst.count; c++) {
    const ufbx_connection *from = &element->connections_dst.data[c];
    if (from->src_prop.length > 0 && strcmp(from->dst_prop.data, prop->data) == 0) return from;
  }
  return NULL;
}

enum { CONNECTIONS = 100 }; /* from property to property, at most */

/* Adds the times of the property that another one takes its value from. True if it is animated. */
static bool add_source(struct times *times, const struct take *take, const ufbx_connection *from) {
  bool any = false;
  for (int i = 0; i < CONNECTIONS && source_of(from->src, &from->src_prop); i++)
    from = source_of(from->src, &from->src_prop);
  for (size_t l = 0; l < take->stack->layers.count; l++) {
    const ufbx_anim_prop *prop =
        ufbx_find_anim_prop(take->stack->layers.data[l], from->src, from->src_prop.data);
    if (prop) add_prop(times, take, prop), any = true;
  }
  return any;
}

/* Adds the times of an element's keys in all layers. True if an animation has a value for it at all. */
static bool add_element(struct times *times, const struct take *take, const ufbx_element *element) {
  bool any = false;
  for (size_t l = 0; l < take->stack->layers.count; l++) {
    const ufbx_anim_prop_list props = ufbx_find_anim_props(take->stack->layers.data[l], element);
    for (size_t p = 0; p < props.count; p++) add_prop(times, take, &props.data[p]), any = true;
  }
  for (size_t c = 0; c < element->connections_dst.count; c++) {
    const ufbx_connection *from = &element->connections_dst.data[c];
    if (from->dst_prop.length > 0 && from->src_prop.length > 0) any = add_source(times, take, from) || any;
  }
  return any;
}

/* Collects the times of a node and of those whose scales its own depends on. False if nothing animates it. */
static bool times_of_node(struct times *times, const struct take *take, const ufbx_node *node) {
  *times = (struct times){NULL, 0};
  bool any = add_element(times, take, &node->element);
  if (node->inherit_mode == UFBX_INHERIT_MODE_NORMAL || !node->parent) return any;
  any = add_element(times, take, &node->parent->element) || any;
  for (const ufbx_node *n = node->parent; n->inherit_scale_node; n = n->inherit_scale_node)
    any = add_element(times, take, &n->inherit_scale_node->element) || any;
  return any;
}

/* Settles the times of a value, with those of the layers' weights. There is at least one. */
static struct fbx_times settled(struct times *times, const struct take *take) {
  for (size_t i = 0; i < take->weights.count && times->count > 0; i++)
    add_time(times, take->weights.seconds[i]);
  if (times->count == 0) add_time(times, take->from > -INFINITY ? take->from : 0);
  settle(times, take->from, take->to);
  return (struct fbx_times){times->seconds, times->count, take->fbx->file->settings.frames_per_second,
                            take->from};
}

/* Returns the largest error of a value between keys. */
static double most_of(const struct take *take, size_t node, int kind) {
  const double degree = acos(-1) / 180;
  return kind == SCENE_ROTATION ? 0.007 * degree : kind == SCENE_TRANSLATION ? take->most_length[node] : 5e-5;
}

/* True if a curve is nothing but the rest pose: pivots and layers can move each kind of value, so all are
 * tried. */
static bool is_rest(const struct scene_curve *curve, int kind, const float *rest, double most) {
  bool same = curve->interpolation != QUATSIMD_CURVE_CUBIC;
  for (size_t k = 0; same && k < curve->keys; k++) {
    const float *value = scene_key(curve, kind, k);
    double as_it_is = 0, negated = INFINITY;
    for (size_t i = 0; i < scene_width(kind); i++)
      as_it_is = fmax(as_it_is, fabs((double)value[i] - (double)rest[i]));
    for (size_t i = 0; kind == SCENE_ROTATION && i < 4; i++)
      negated = fmax(i ? negated : 0, fabs((double)value[i] + (double)rest[i]));
    same = fmin(as_it_is, negated) <= most / 8;
  }
  return same;
}

static bool has_curve(const struct take *take, const ufbx_node *node, int kind) {
  static const char *const props[] = {UFBX_Lcl_Rotation, UFBX_Lcl_Translation, UFBX_Lcl_Scaling};
  bool any = false;
  for (size_t l = 0; l < take->stack->layers.count && !any; l++)
    any = ufbx_find_anim_prop(take->stack->layers.data[l], &node->element, props[kind]) != NULL;
  return any;
}

static void take_channel(struct take *take, size_t n) {
  const ufbx_node *node = take->fbx->node[n];
  struct scene_animation *animation = take->animation;
  struct times times;
  if (times_of_node(&times, take, node)) {
    const struct fbx_times at = settled(&times, take);
    struct scene_channel channel = {.name = text_clean(take->fbx->scene->node[n].name), .node = n};
    for (size_t i = 0; i < at.count; i++) {
      double shear;
      fbx_local(take->stack->anim, node, at.seconds[i], &shear);
      fbx_note_shear(take->fbx, n, shear);
    }
    for (int kind = 0; kind < SCENE_KINDS; kind++) {
      const struct fbx_value value = {take->fbx, take->stack->anim, node, NULL, kind, most_of(take, n, kind)};
      struct scene_curve curve = fbx_keys(&value, &at);
      const bool rest = !has_curve(take, node, kind) &&
                        is_rest(&curve, kind, take->fbx->scene->node[n].rest[kind], value.most);
      if (rest) free(curve.seconds), free(curve.values);
      else channel.curve[kind] = curve;
    }
    animation->channel = memory_grow(animation->channel, animation->channels, sizeof channel);
    animation->channel[animation->channels++] = channel;
  }
  free(times.seconds);
}

static void take_track(struct take *take, size_t t) {
  const struct scene *scene = take->fbx->scene;
  const ufbx_node *node = take->fbx->node[scene->track[t].node];
  const ufbx_blend_channel *target = fbx_target(node, scene->track[t].target);
  struct times times = {NULL, 0};
  if (add_element(&times, take, &target->element)) {
    const struct fbx_times at = settled(&times, take);
    const struct fbx_value value = {take->fbx, take->stack->anim, node,
                                    target,    SCENE_TRACK,       most_of(take, 0, SCENE_TRACK)};
    if (!take->animation->track)
      take->animation->track = memory_get(scene->tracks, sizeof *take->animation->track);
    take->animation->track[t] = fbx_keys(&value, &at);
  }
  free(times.seconds);
}

/* ---- what is left out ---- */

static bool is_one_of(const char *name, const char *const *names) {
  while (*names && strcmp(*names, name) != 0) names++;
  return *names != NULL;
}

/* True if this reader takes what a property of an element does. */
static bool is_read(const ufbx_element *element, const char *prop) {
  static const char *const of_nodes[] = {UFBX_Lcl_Translation,
                                         UFBX_Lcl_Rotation,
                                         UFBX_Lcl_Scaling,
                                         UFBX_RotationOrder,
                                         UFBX_PreRotation,
                                         UFBX_PostRotation,
                                         UFBX_RotationOffset,
                                         UFBX_RotationPivot,
                                         UFBX_ScalingOffset,
                                         UFBX_ScalingPivot,
                                         NULL};
  const ufbx_element_type type = element->type;
  return type == UFBX_ELEMENT_NODE            ? is_one_of(prop, of_nodes)
         : type == UFBX_ELEMENT_BLEND_CHANNEL ? strcmp(prop, UFBX_DeformPercent) == 0
                                              : type == UFBX_ELEMENT_ANIM_LAYER;
}

/* True if the property is read, or one that takes its value, or one that takes that. */
static bool is_taken(const ufbx_element *element, const char *prop, int connections) {
  bool taken = is_read(element, prop);
  for (size_t c = 0; !taken && connections > 0 && c < element->connections_src.count; c++) {
    const ufbx_connection *to = &element->connections_src.data[c];
    taken = to->dst_prop.length > 0 && strcmp(to->src_prop.data, prop) == 0 &&
            is_taken(to->dst, to->dst_prop.data, connections - 1);
  }
  return taken;
}

/* Names the properties that are animated and are not here, to be freed; null: there are none. */
static char *left_out(const ufbx_anim_stack *stack) {
  const ufbx_anim_prop *first = NULL;
  size_t count = 0;
  for (size_t l = 0; l < stack->layers.count; l++)
    for (size_t p = 0; p < stack->layers.data[l]->anim_props.count; p++) {
      const ufbx_anim_prop *prop = &stack->layers.data[l]->anim_props.data[p];
      if (is_taken(prop->element, prop->prop_name.data, 4)) continue;
      if (count++ == 0) first = prop;
    }
  if (count == 0) return NULL;
  char text[300];
  snprintf(text, sizeof text, "%zu animated propert%s left out: %.100s of \"%.100s\"%s", count,
           count > 1 ? "ies are" : "y is", first->prop_name.data, first->element->name.data,
           count > 1 ? " and others" : "");
  return text_clean(text);
}

/* ---- all animations ---- */

/* Returns the largest error of each node's translation, in its parent's space: a part of the skeleton's
 * height, which is the largest distance of a node from the origin, bone by bone. To be freed. */
static double *most_lengths(const struct scene *scene) {
  const double part = 5e-5;
  double most = 0, *reach = memory_get(scene->nodes, sizeof *reach),
         *length = memory_get(scene->nodes, sizeof *length), *scale = memory_get(scene->nodes, sizeof *scale);
  for (size_t n = 0; n < scene->nodes; n++) {
    const struct scene_node *node = &scene->node[n];
    const float *at = node->rest[SCENE_TRANSLATION], *by = node->rest[SCENE_SCALE];
    const double of_parent = node->parent == SCENE_NONE ? 1 : scale[node->parent];
    reach[n] = (node->parent == SCENE_NONE ? 0 : reach[node->parent]) +
               of_parent * sqrt((double)at[0] * (double)at[0] + (double)at[1] * (double)at[1] +
                                (double)at[2] * (double)at[2]);
    scale[n] = of_parent * (double)fmaxf(fabsf(by[0]), fmaxf(fabsf(by[1]), fabsf(by[2])));
    length[n] = of_parent;
    most = fmax(most, reach[n]);
  }
  for (size_t n = 0; n < scene->nodes; n++)
    length[n] = length[n] > 0 ? part * (most > 0 ? most : 1) / length[n] : INFINITY;
  free(reach), free(scale);
  return length;
}

static void take_animation(struct fbx *fbx, size_t number, const double *most_length) {
  struct scene *scene = fbx->scene;
  const ufbx_anim_stack *stack = fbx->file->anim_stacks.data[number];
  scene->animation = memory_grow(scene->animation, scene->animations, sizeof *scene->animation);
  struct scene_animation *animation = &scene->animation[scene->animations++];
  const bool ranged = stack->time_end > stack->time_begin;
  struct take take = {.fbx = fbx,
                      .stack = stack,
                      .animation = animation,
                      .most_length = most_length,
                      .from = ranged ? stack->time_begin : -INFINITY,
                      .to = ranged ? stack->time_end : INFINITY};
  *animation = (struct scene_animation){
      .name = text_clean(stack->name.data), .number = number, .left_out = left_out(stack)};
  for (size_t l = 0; l < stack->layers.count; l++)
    add_element(&take.weights, &take, &stack->layers.data[l]->element);
  for (size_t n = 0; n < scene->nodes && !fbx->over; n++) take_channel(&take, n);
  for (size_t t = 0; t < scene->tracks && !fbx->over; t++) take_track(&take, t);
  free(take.weights.seconds);
}

void fbx_take_animations(struct fbx *fbx) {
  double *most_length = most_lengths(fbx->scene);
  for (size_t a = 0; a < fbx->file->anim_stacks.count && !fbx->over; a++) take_animation(fbx, a, most_length);
  free(most_length);
}
