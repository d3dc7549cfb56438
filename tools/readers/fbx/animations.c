/* Animations of an FBX: the curves of all nodes and morph targets, and what is left out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "clip/encode/curve.h"
#include "readers/fbx/fbx.h"
#include "terminal/message.h"

/* Returns the largest error of a value between keys. */
static double most_of(const struct fbx_take *take, size_t node, int kind) {
  const double degree = acos(-1) / 180;
  return kind == SCENE_ROTATION ? 0.007 * degree : kind == SCENE_TRANSLATION ? take->most_length[node] : 5e-5;
}

/* True if an animation has a curve for a kind of value itself: pivots and layers can move the others, too. */
static bool has_curve(const struct fbx_take *take, const ufbx_node *node, int kind) {
  static const char *const props[] = {UFBX_Lcl_Rotation, UFBX_Lcl_Translation, UFBX_Lcl_Scaling};
  bool any = false;
  for (size_t l = 0; l < take->anim.layers.count && !any; l++)
    any = ufbx_find_anim_prop(take->anim.layers.data[l], &node->element, props[kind]) != NULL;
  return any;
}

static void take_channel(struct fbx_take *take, size_t n) {
  const ufbx_node *node = take->fbx->node[n];
  struct scene_animation *animation = take->animation;
  struct fbx_time_list times;
  if (fbx_times_of_node(&times, take, node)) {
    const struct fbx_times at = fbx_settle_times(&times, take);
    struct scene_channel channel = {.name = text_clean(take->fbx->scene->node[n].name), .node = n};
    for (size_t i = 0; i < at.count && !fbx_spend(take->fbx, 0); i++) {
      double shear;
      fbx_local(&take->anim, node, at.seconds[i], &shear);
      fbx_note_shear(take->fbx, n, shear);
    }
    for (int kind = 0; kind < SCENE_KINDS; kind++) {
      const struct fbx_value value = {take->fbx, &take->anim, node, NULL, kind, most_of(take, n, kind)};
      struct scene_curve curve = fbx_keys(&value, &at);
      if (!has_curve(take, node, kind) && fbx_stands(&value, &curve, take->fbx->scene->node[n].rest[kind]))
        fbx_drop_keys(&value, &curve);
      channel.curve[kind] = curve;
    }
    fbx_spend(take->fbx, sizeof channel + strlen(channel.name));
    animation->channel = memory_grow(animation->channel, animation->channels, sizeof channel);
    animation->channel[animation->channels++] = channel;
  }
  fbx_free_times(take, &times);
}

static void take_track(struct fbx_take *take, size_t t) {
  const struct scene *scene = take->fbx->scene;
  const ufbx_node *node = take->fbx->node[scene->track[t].node];
  const ufbx_blend_channel *target = fbx_target(node, scene->track[t].target);
  struct fbx_time_list times = {NULL, 0};
  if (fbx_add_element(&times, take, &target->element)) {
    const struct fbx_times at = fbx_settle_times(&times, take);
    const struct fbx_value value = {take->fbx, &take->anim, node,
                                    target,    SCENE_TRACK, most_of(take, 0, SCENE_TRACK)};
    if (!take->animation->track) {
      fbx_spend(take->fbx, scene->tracks * sizeof *take->animation->track);
      take->animation->track = memory_get(scene->tracks, sizeof *take->animation->track);
    }
    take->animation->track[t] = fbx_keys(&value, &at);
  }
  fbx_free_times(take, &times);
}

/* ---- what is left out ---- */

static bool is_one_of(const char *name, const char *const *names) {
  while (*names && strcmp(*names, name) != 0) names++;
  return *names != NULL;
}

/* True if a mesh has a morph target of that name: Blender animates its weight in two places. */
static bool is_target(const ufbx_mesh *mesh, const char *name) {
  bool found = false;
  for (size_t d = 0; d < mesh->blend_deformers.count; d++)
    for (size_t c = 0; c < mesh->blend_deformers.data[d]->channels.count && !found; c++)
      found = strcmp(mesh->blend_deformers.data[d]->channels.data[c]->name.data, name) == 0;
  return found;
}

/* True if a property has more than one value in an animation. */
static bool moves(const ufbx_anim_prop *prop) {
  bool any = false;
  for (int c = 0; c < 3; c++) {
    const ufbx_anim_curve *curve = prop->anim_value->curves[c];
    any = any || (curve && curve->keyframes.count > 1 && curve->max_value > curve->min_value);
  }
  return any;
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
  if (type == UFBX_ELEMENT_MESH) return is_target(ufbx_as_mesh(element), prop);
  return type == UFBX_ELEMENT_NODE            ? is_one_of(prop, of_nodes)
         : type == UFBX_ELEMENT_BLEND_CHANNEL ? strcmp(prop, UFBX_DeformPercent) == 0
                                              : type == UFBX_ELEMENT_ANIM_LAYER;
}

/* True if the property is read, or one that takes its value, or one that takes that. */
static bool is_taken(struct fbx *fbx, const ufbx_element *element, const char *prop, int connections) {
  bool taken = is_read(element, prop) || fbx_spend(fbx, 0);
  for (size_t c = 0; !taken && connections > 0 && c < element->connections_src.count; c++) {
    const ufbx_connection *to = &element->connections_src.data[c];
    taken = to->dst_prop.length > 0 && strcmp(to->src_prop.data, prop) == 0 &&
            is_taken(fbx, to->dst, to->dst_prop.data, connections - 1);
  }
  return taken;
}

/* Names the properties that are animated and are not here, to be freed; null: there are none. */
static char *left_out(struct fbx *fbx, const ufbx_anim *anim) {
  const ufbx_anim_prop *first = NULL;
  size_t count = 0;
  for (size_t l = 0; l < anim->layers.count; l++)
    for (size_t p = 0; p < anim->layers.data[l]->anim_props.count; p++) {
      const ufbx_anim_prop *prop = &anim->layers.data[l]->anim_props.data[p];
      if (!moves(prop) || is_taken(fbx, prop->element, prop->prop_name.data, 4)) continue;
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

static bool is_set(const ufbx_anim_layer *layer, const char *prop) {
  return ufbx_find_bool(&layer->props, prop, false);
}

/* Returns the layers that play, to be freed: not those with Mute, and those with Solo alone if there are any.
 * Names the others. */
static ufbx_anim_layer **playing_layers(struct fbx *fbx, const ufbx_anim_stack *stack, size_t *count) {
  ufbx_anim_layer **playing = memory_get(stack->layers.count, sizeof(ufbx_anim_layer *));
  bool any_solo = false;
  *count = 0;
  for (size_t l = 0; l < stack->layers.count; l++)
    any_solo = any_solo || is_set(stack->layers.data[l], "Solo");
  for (size_t l = 0; l < stack->layers.count; l++) {
    ufbx_anim_layer *layer = stack->layers.data[l];
    const bool muted = is_set(layer, "Mute");
    if (!muted && (!any_solo || is_set(layer, "Solo"))) playing[(*count)++] = layer;
    else
      complain(fbx->path, "\"%.100s\": layer \"%.100s\" is left out: %s", stack->name.data, layer->name.data,
               muted ? "it is muted" : "another one plays solo");
  }
  return playing;
}

/* Names values with two sets of curves in a layer: ufbx evaluates the first. */
static void mention_twice(const struct fbx *fbx, const ufbx_anim_stack *stack, const ufbx_anim *anim) {
  const ufbx_anim_prop *first = NULL;
  size_t count = 0;
  for (size_t l = 0; l < anim->layers.count; l++)
    for (size_t p = 1; p < anim->layers.data[l]->anim_props.count; p++) {
      const ufbx_anim_prop *prop = &anim->layers.data[l]->anim_props.data[p], *last = prop - 1;
      if (last->element != prop->element || strcmp(last->prop_name.data, prop->prop_name.data) != 0) continue;
      if (count++ == 0) first = prop;
    }
  if (count)
    complain(fbx->path, "\"%.100s\": %.100s of \"%.100s\"%s curves twice: the first are read",
             stack->name.data, first->prop_name.data, first->element->name.data,
             count > 1 ? " and others have" : " has");
}

static void take_animation(struct fbx *fbx, size_t number, const double *most_length) {
  struct scene *scene = fbx->scene;
  const ufbx_anim_stack *stack = fbx->file->anim_stacks.data[number];
  scene->animation = memory_grow(scene->animation, scene->animations, sizeof *scene->animation);
  struct scene_animation *animation = &scene->animation[scene->animations++];
  const double longest = 1e8; /* files without a range have 0 to 0, or to the largest time, some 2e8 s */
  const bool ranged = stack->time_end > stack->time_begin && stack->time_end - stack->time_begin < longest;
  struct fbx_take take = {.fbx = fbx,
                          .anim = *stack->anim,
                          .animation = animation,
                          .most_length = most_length,
                          .from = ranged ? stack->time_begin : -INFINITY,
                          .to = ranged ? stack->time_end : INFINITY};
  memset(fbx->recent, 0, FBX_RECENT * sizeof *fbx->recent);
  take.anim.layers.data = playing_layers(fbx, stack, &take.anim.layers.count);
  mention_twice(fbx, stack, &take.anim);
  *animation = (struct scene_animation){
      .name = text_clean(stack->name.data), .number = number, .left_out = left_out(fbx, &take.anim)};
  for (size_t l = 0; l < take.anim.layers.count; l++)
    fbx_add_element(&take.weights, &take, &take.anim.layers.data[l]->element);
  for (size_t n = 0; n < scene->nodes && !fbx_spend(fbx, 0); n++) take_channel(&take, n);
  for (size_t t = 0; t < scene->tracks && !fbx_spend(fbx, 0); t++) take_track(&take, t);
  fbx_free_times(&take, &take.weights);
  free(take.anim.layers.data);
}

/* Returns a curve whose keys do not rise in time; null: there is none. */
static const ufbx_anim_prop *unordered(const ufbx_anim_stack *stack) {
  for (size_t l = 0; l < stack->layers.count; l++)
    for (size_t p = 0; p < stack->layers.data[l]->anim_props.count; p++)
      for (int c = 0; c < 3; c++) {
        const ufbx_anim_prop *prop = &stack->layers.data[l]->anim_props.data[p];
        const ufbx_anim_curve *curve = prop->anim_value->curves[c];
        for (size_t k = 1; curve && k < curve->keyframes.count; k++)
          if (!(curve->keyframes.data[k - 1].time <= curve->keyframes.data[k].time)) return prop;
      }
  return NULL;
}

/* True and a complaint if an animation cannot be read. */
static bool is_broken(struct fbx *fbx, size_t number) {
  const ufbx_anim_stack *stack = fbx->file->anim_stacks.data[number];
  const ufbx_anim_prop *prop = unordered(stack);
  if (!prop) return false;
  complain(fbx->path, "animation %zu%s%.80s: keys of %.80s of \"%.80s\" are not in the order of time", number,
           stack->name.length > 0 ? ", " : "", stack->name.data, prop->prop_name.data,
           prop->element->name.data);
  fbx->scene->unread++;
  return true;
}

void fbx_take_animations(struct fbx *fbx) {
  double *most_length = most_lengths(fbx->scene);
  for (size_t a = 0; a < fbx->file->anim_stacks.count && !fbx_spend(fbx, sizeof *fbx->scene->animation); a++)
    if (!is_broken(fbx, a)) take_animation(fbx, a, most_length);
  free(most_length);
}
