/* Animations of glTF 2.0 files. Targets that are no node are left out, and mentioned. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "files/names.h"
#include "quatsimd/rotation.h"
#include "readers/gltf/gltf_bundle.h"
#include "terminal/message.h"

/* nodes. ------------------------------------------------------------------------------------------------- */

struct hierarchy {
  struct gltf_list nodes;
  /* of each node in the file: its parent's number there, and where the scene has it */
  size_t *parent, *place;
};

/* Whatever of `count` numbers the array has; false if it has something else. */
static bool take_numbers(const cJSON *array, float *numbers, int count) {
  const cJSON *item;
  int i = 0;
  if (!array) return true;
  if (cJSON_GetArraySize(array) != count) return false;
  cJSON_ArrayForEach(item, array) {
    if (!cJSON_IsNumber(item)) return false;
    numbers[i++] = (float)item->valuedouble;
  }
  return true;
}

/* T R S from a matrix by columns; a mirror goes to all three scales. */
static void take_matrix(struct scene_node *node, float m[16]) {
  const float det = m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) +
                    m[8] * (m[1] * m[6] - m[2] * m[5]);
  for (int c = 0; c < 3; c++) {
    float *column = m + 4 * c;
    const float length = sqrtf(column[0] * column[0] + column[1] * column[1] + column[2] * column[2]);
    node->rest[SCENE_SCALE][c] = det < 0 ? -length : length;
    for (int i = 0; i < 3 && length > 0; i++) column[i] /= node->rest[SCENE_SCALE][c];
    node->rest[SCENE_TRANSLATION][c] = m[12 + c];
  }
  quatsimd_from_matrix4(quatsimd_aos_out(node->rest[SCENE_ROTATION]), quatsimd_aos(m), 1);
  for (int c = 0; c < 3; c++) {
    const float *a = m + 4 * c, *b = m + 4 * ((c + 1) % 3);
    node->sheared = node->sheared || fabsf(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) > 1e-4f;
  }
}

static bool take_node(struct scene_node *node, const cJSON *from, size_t number) {
  const char *name = cJSON_GetStringValue(json_member(from, "name"));
  const cJSON *matrix = json_member(from, "matrix");
  char unnamed[40];
  snprintf(unnamed, sizeof unnamed, "nodes[%zu]", number);
  node->name = text_clean(name && *name ? name : unnamed);
  node->number = number;
  node->rest[SCENE_ROTATION][3] = 1;
  for (int i = 0; i < 3; i++) node->rest[SCENE_SCALE][i] = 1;
  for (int kind = 0; kind < SCENE_KINDS; kind++)
    if (!take_numbers(json_member(from, scene_kinds[kind]), node->rest[kind], (int)scene_width(kind)))
      return false;
  float m[16];
  if (!matrix) return true;
  if (!take_numbers(matrix, m, 16)) return false;
  take_matrix(node, m);
  return true;
}

/* The number of one of the nodes. */
static bool is_node(const struct hierarchy *h, const cJSON *item, size_t *node) {
  return json_whole(item, (double)h->nodes.count, node);
}

/* Finds the nodes' parents. */
static bool find_parents(const char *path, struct hierarchy *h) {
  for (size_t n = 0; n < h->nodes.count; n++) h->parent[n] = h->place[n] = SCENE_NONE;
  for (size_t n = 0; n < h->nodes.count; n++) {
    const cJSON *child, *children = json_member(h->nodes.item[n], "children");
    if (children && !cJSON_IsArray(children) && !cJSON_IsNull(children))
      return complain(path, "node %zu: its children are not an array", n);
    cJSON_ArrayForEach(child, children) {
      size_t c;
      if (!is_node(h, child, &c)) return complain(path, "node %zu has a child that is not in the file", n);
      if (h->parent[c] != SCENE_NONE) return complain(path, "node %zu is a child of two nodes", c);
      h->parent[c] = n;
    }
  }
  return true;
}

/* Depth first, without recursion: files may be deeper than the stack. A node's children stand on it last
 * one first. */
static size_t place_nodes(struct hierarchy *h) {
  size_t *stack = memory_get(h->nodes.count, sizeof *stack), placed = 0;
  for (size_t root = 0; root < h->nodes.count; root++) {
    if (h->parent[root] != SCENE_NONE) continue;
    size_t height = 0;
    stack[height++] = root;
    while (height > 0) {
      const size_t n = stack[--height], bottom = height;
      const cJSON *child, *children = json_member(h->nodes.item[n], "children");
      h->place[n] = placed++;
      cJSON_ArrayForEach(child, children) { stack[height++] = (size_t)child->valuedouble; }
      for (size_t i = bottom, j = height; i + 1 < j; i++, j--) {
        const size_t swapped = stack[i];
        stack[i] = stack[j - 1], stack[j - 1] = swapped;
      }
    }
  }
  free(stack);
  return placed;
}

/* Names a node in a circle, where some have no place: enough steps up from one of them lead there. */
static bool complain_of_circle(const char *path, const struct hierarchy *h) {
  size_t n = 0;
  while (h->place[n] != SCENE_NONE) n++;
  for (size_t i = 0; i < h->nodes.count; i++) n = h->parent[n];
  return complain(path, "node %zu is above itself", n);
}

static bool take_nodes(const char *path, struct hierarchy *h, struct scene *scene) {
  if (!find_parents(path, h)) return false;
  if (place_nodes(h) < h->nodes.count) return complain_of_circle(path, h);
  scene->nodes = h->nodes.count;
  scene->node = memory_get(scene->nodes, sizeof *scene->node);
  for (size_t n = 0; n < scene->nodes; n++) {
    struct scene_node *node = &scene->node[h->place[n]];
    const cJSON *extensions = json_member(h->nodes.item[n], "extensions");
    node->holds = cJSON_HasObjectItem(h->nodes.item[n], "camera") ||
                  cJSON_HasObjectItem(extensions, "KHR_lights_punctual");
    node->parent = h->parent[n] == SCENE_NONE ? SCENE_NONE : h->place[h->parent[n]];
    if (!take_node(node, h->nodes.item[n], n)) return complain(path, "node %zu: its transform is broken", n);
  }
  return true;
}

/* Says which bone of a human a node is. The thumbs of VRM 0 have other names. */
static void take_human(const struct hierarchy *h, struct scene *scene, const char *bone, const cJSON *node) {
  static const char *const thumbs[][2] = {{"ThumbProximal", "ThumbMetacarpal"},
                                          {"ThumbIntermediate", "ThumbProximal"}};
  const bool is_old = json_member(node, "bone");
  size_t n;
  if (!bone || !is_node(h, json_member(node, "node"), &n)) return;
  char **human = &scene->node[h->place[n]].human, *clean = text_clean(bone), *thumb = strstr(clean, "Thumb");
  for (int i = 0; is_old && thumb && i < 2; i++)
    if (strcmp(thumb, thumbs[i][0]) == 0) {
      *thumb = 0;
      char *name = names_join(clean, "", thumbs[i][1]);
      free(clean);
      clean = name, thumb = NULL;
    }
  free(*human);
  *human = clean;
}

/* VRM 1.0 and its animations have the bones by name, VRM 0 has a list of them. */
static void take_humans(const cJSON *tree, const struct hierarchy *h, struct scene *scene) {
  static const char *const names[] = {"VRMC_vrm", "VRMC_vrm_animation", "VRM"};
  const cJSON *extensions = json_member(tree, "extensions"), *bone;
  for (int i = 0; i < 3; i++) {
    const cJSON *vrm = json_member(extensions, names[i]), *humanoid = json_member(vrm, "humanoid"),
                *bones = json_member(humanoid, "humanBones");
    cJSON_ArrayForEach(bone, bones) {
      const char *old = cJSON_GetStringValue(json_member(bone, "bone"));
      take_human(h, scene, old ? old : bone->string, bone);
      scene->backward = old != NULL;
    }
  }
}

/* skins. ------------------------------------------------------------------------------------------------- */

/* The matrices of a skin without any are 1 (glTF 2.0, 5.28). */
static bool take_joints(struct gltf *gltf, const cJSON *joints, size_t nodes, const float *m, size_t matrices,
                        struct gltf_skin *skin) {
  const cJSON *joint;
  cJSON_ArrayForEach(joint, joints) {
    const size_t j = skin->count;
    if (!json_whole(joint, (double)nodes, &skin->node[j]))
      return gltf_fail(gltf, "its joint %zu is not in the file", j);
    if (m && j == matrices) return gltf_fail(gltf, "it has %zu matrices for more joints", matrices);
    for (size_t row = 0; row < 3; row++)
      for (size_t c = 0; c < 4; c++)
        skin->matrix[j][4 * row + c] = m ? (double)m[16 * j + 4 * c + row] : row == c;
    skin->count++;
  }
  return true;
}

bool gltf_take_skin(struct gltf *gltf, const cJSON *from, size_t nodes, struct gltf_skin *skin) {
  static const char matrices[] = "inverseBindMatrices";
  const cJSON *joints = json_member(from, "joints");
  size_t accessor, count = 0;
  float *floats = NULL;
  *skin = (struct gltf_skin){0};
  if (!cJSON_IsArray(joints)) return gltf_fail(gltf, "it has no joints");
  if (json_member(from, matrices)) {
    if (!gltf_index(from, matrices, gltf->accessors.count, &accessor))
      return gltf_fail(gltf, "its matrices are in no accessor");
    floats = gltf_floats(gltf, accessor, 16, &count);
    if (!floats) return false;
  }
  skin->node = memory_get((size_t)cJSON_GetArraySize(joints), sizeof *skin->node);
  skin->matrix = memory_get((size_t)cJSON_GetArraySize(joints), sizeof *skin->matrix);
  const bool good = take_joints(gltf, joints, nodes, floats, count, skin);
  free(floats);
  return good;
}

void gltf_free_skin(struct gltf_skin *skin) { free(skin->node), free(skin->matrix); }

/* Gives joints their matrices. True if one has another matrix already. */
static bool bind(const struct gltf_skin *skin, const struct hierarchy *h, struct scene *scene) {
  bool other = false;
  for (size_t j = 0; j < skin->count; j++) {
    struct scene_node *node = &scene->node[h->place[skin->node[j]]];
    float matrix[12];
    for (int i = 0; i < 12; i++) matrix[i] = (float)skin->matrix[j][i];
    if (!node->bound) memcpy(node->inverse_bind, matrix, sizeof matrix);
    else other = other || memcmp(node->inverse_bind, matrix, sizeof matrix) != 0;
    node->in_skin = node->bound = true;
  }
  return other;
}

static bool take_skins(struct gltf *gltf, const struct hierarchy *h, struct scene *scene) {
  const struct gltf_list skins = gltf_list(gltf->tree, "skins");
  bool good = true;
  size_t left_out = 0;
  for (size_t s = 0; good && s < skins.count; s++) {
    struct gltf_skin skin;
    good = gltf_take_skin(gltf, skins.item[s], h->nodes.count, &skin);
    if (good) left_out += bind(&skin, h, scene);
    else complain(gltf->path, "skin %zu: %s", s, gltf->error);
    gltf_free_skin(&skin);
  }
  if (left_out)
    complain(gltf->path, "%zu skin%s other inverse bind matrices than a skin before: these are left out",
             left_out, left_out > 1 ? "s have" : " has");
  free(skins.item);
  return good;
}

/* animations. -------------------------------------------------------------------------------------------- */

/* An accessor's elements, read once for all channels that have it. */
struct taken {
  size_t width, count;
  float *values;
  double *seconds;
};

struct reading {
  struct gltf *gltf;
  struct hierarchy hierarchy;
  struct scene *scene;
  struct gltf_list samplers; /* of the animation being read */
  struct taken *taken;       /* of each accessor */
  struct {                   /* the channel that moves a node, and the number of its animation, from 1 */
    size_t animation, channel;
  } * channel_of;
  size_t merged;   /* keys of the animation that were at the time of the next one, with its value */
  size_t mended;   /* its rotations of length 0 */
  size_t left_out; /* its channels that clips will not have; one of these things */
  char other[120];
  bool beyond; /* one of them moves something else */
};

static bool fail(struct reading *r, const char *error) {
  snprintf(r->gltf->error, sizeof r->gltf->error, "%s", error);
  return false;
}

static const struct taken *take_floats(struct reading *r, size_t accessor, size_t width) {
  struct taken *t = &r->taken[accessor];
  if (t->values && t->width == width) return t;
  size_t count;
  float *values = gltf_floats(r->gltf, accessor, width, &count);
  if (!values) return NULL;
  *t = (struct taken){width, count, scene_share(r->scene, values), NULL};
  return t;
}

static const struct taken *take_seconds(struct reading *r, size_t accessor) {
  struct taken *t = &r->taken[accessor];
  if (!take_floats(r, accessor, 1)) return NULL;
  if (t->seconds) return t;
  t->seconds = scene_share(r->scene, memory_get(t->count, sizeof *t->seconds));
  for (size_t k = 0; k < t->count; k++) t->seconds[k] = (double)t->values[k];
  return t;
}

static bool is_empty(const struct reading *r, size_t accessor) {
  const cJSON *count = json_member(r->gltf->accessors.item[accessor], "count");
  return cJSON_IsNumber(count) && cJSON_GetNumberValue(count) == 0;
}

/* Reads the times and values of a sampler. No times: *times becomes null. */
static bool take_accessors(struct reading *r, const cJSON *sampler, size_t width, const struct taken **times,
                           const struct taken **values) {
  size_t input, output;
  *times = *values = NULL;
  if (!gltf_index(sampler, "input", r->gltf->accessors.count, &input) ||
      !gltf_index(sampler, "output", r->gltf->accessors.count, &output))
    return fail(r, "its sampler has no accessor");
  if (is_empty(r, input)) return true;
  *times = take_seconds(r, input);
  if (*times) *values = take_floats(r, output, width);
  return *values != NULL;
}

/* Keys and times as the file has them. */
static bool take_keys(struct reading *r, const cJSON *sampler, int kind, struct scene_curve *curve) {
  const size_t each = curve->interpolation == QUATSIMD_CURVE_CUBIC ? 3 : 1;
  const struct taken *times, *values;
  if (!take_accessors(r, sampler, scene_width(kind), &times, &values)) return false;
  if (!times) return true;
  curve->keys = times->count, curve->seconds = times->seconds, curve->values = values->values;
  curve->shared = true;
  if (each * times->count == values->count) return true;
  snprintf(r->gltf->error, sizeof r->gltf->error, "it has %zu times for %zu %s", times->count, values->count,
           each > 1 ? "values and tangents" : "keys");
  return false;
}

/* The channel's sampler, and its interpolation; null if there is none. */
static const cJSON *take_sampler(struct reading *r, const cJSON *channel, struct scene_curve *curve) {
  static const char *const names[] = {"LINEAR", "STEP", "CUBICSPLINE"}; /* QUATSIMD_CURVE_LINEAR, ... */
  size_t s;
  if (!gltf_index(channel, "sampler", r->samplers.count, &s))
    return fail(r, "its channel has no sampler"), NULL;
  const cJSON *mode = json_member(r->samplers.item[s], "interpolation");
  const char *name = mode ? cJSON_GetStringValue(mode) : names[0];
  int found = 0;
  while (found < 3 && !(name && strcmp(name, names[found]) == 0)) found++;
  if (found == 3) return fail(r, "its interpolation is unknown"), NULL;
  curve->interpolation = found;
  return r->samplers.item[s];
}

/* Keys at equal times become one, or the curve jumps there. Rotations of length 0 become the ones before
 * them. Counts the arrays of its own that the curve gets then. */
static bool settle(struct reading *r, int kind, struct scene_curve *curve) {
  const size_t bytes = scene_floats(curve, kind) * sizeof(float) + curve->keys * sizeof(double);
  r->merged += scene_settle_times(curve, kind);
  if (kind == SCENE_ROTATION) r->mended += scene_mend_rotations(curve);
  return curve->shared || gltf_spend(r->gltf, bytes);
}

/* Counts a channel that clips will not have. Returns true. */
static bool leave_out(struct reading *r, const char *other) {
  if (r->left_out++ == 0) {
    char *clean = text_clean(other);
    snprintf(r->other, sizeof r->other, "%s", clean);
    free(clean);
  }
  return true;
}

static bool is_same(const struct scene_curve *a, const struct scene_curve *b, int kind) {
  return a->keys == b->keys && a->interpolation == b->interpolation &&
         memcmp(a->seconds, b->seconds, a->keys * sizeof *a->seconds) == 0 &&
         memcmp(a->values, b->values, scene_floats(a, kind) * sizeof *a->values) == 0;
}

/* Some exporters write a channel twice. */
static bool take_curve(struct reading *r, const cJSON *channel, int kind, struct scene_curve *curve) {
  struct scene_curve taken = {.keys = 0};
  const cJSON *sampler = take_sampler(r, channel, &taken);
  if (!sampler || !take_keys(r, sampler, kind, &taken)) return false;
  const bool empty = taken.keys == 0;
  if (!settle(r, kind, &taken)) return scene_free_curve(&taken), false;
  if (taken.keys == 0)
    return scene_free_curve(&taken), leave_out(r, empty ? "a channel without keys" : "rotations of length 0");
  if (curve->keys == 0) *curve = taken;
  else {
    const bool same = is_same(curve, &taken, kind);
    scene_free_curve(&taken);
    return same ? leave_out(r, "a channel that is there twice")
                : fail(r, "two channels of the animation move it");
  }
  return true;
}

/* Weights of so many targets are key by key, of splines in-tangents, values and out-tangents: as a curve for
 * each target. */
static bool divide_weights(struct reading *r, struct scene_curve *track, size_t targets,
                           const struct scene_curve *all, const struct taken *values) {
  const size_t each = all->interpolation == QUATSIMD_CURVE_CUBIC ? 3 : 1, floats = each * all->keys;
  if (floats * targets != values->count) {
    snprintf(r->gltf->error, sizeof r->gltf->error, "it has %zu times for %zu weights of %zu targets",
             all->keys, values->count, targets);
    return false;
  }
  if (!gltf_spend(r->gltf, values->count * sizeof(float))) return false;
  for (size_t t = 0; t < targets; t++) {
    float *own = scene_share(r->scene, memory_get(floats, sizeof *own));
    for (size_t i = 0; i < floats; i++) own[i] = values->values[targets * i + t];
    track[t] = *all;
    track[t].values = own;
    if (!settle(r, SCENE_TRACK, &track[t])) return false;
  }
  return true;
}

static bool take_weights(struct reading *r, struct scene_animation *animation, const cJSON *channel,
                         size_t node) {
  size_t targets;
  const size_t first = gltf_tracks_of(r->scene, node, &targets);
  if (targets == 0) return leave_out(r, "weights of a node without morph targets");
  struct scene_curve all = {.keys = 0};
  const struct taken *times, *values;
  const cJSON *sampler = take_sampler(r, channel, &all);
  if (!sampler || !take_accessors(r, sampler, 1, &times, &values)) return false;
  if (!times) return leave_out(r, "a channel without keys");
  all.keys = times->count, all.seconds = times->seconds, all.shared = true;
  if (!animation->track) animation->track = memory_get(r->scene->tracks, sizeof *animation->track);
  struct scene_curve *track = animation->track + first;
  if (track->keys == 0) return divide_weights(r, track, targets, &all, values);
  struct scene_curve *again = memory_get(targets, sizeof *again);
  bool good = divide_weights(r, again, targets, &all, values), same = true;
  for (size_t t = 0; t < targets; t++) {
    same = same && good && is_same(&track[t], &again[t], SCENE_TRACK);
    scene_free_curve(&again[t]);
  }
  free(again);
  return good && (same ? leave_out(r, "a channel that is there twice")
                       : fail(r, "two channels of the animation move it"));
}

/* The channel of a node; a new one if it has none yet. */
static struct scene_channel *channel_of(struct reading *r, struct scene_animation *animation, size_t node) {
  if (r->channel_of[node].animation != animation->number + 1) {
    r->channel_of[node].animation = animation->number + 1;
    r->channel_of[node].channel = animation->channels;
    animation->channel = memory_grow(animation->channel, animation->channels, sizeof *animation->channel);
    animation->channel[animation->channels++] =
        (struct scene_channel){.name = text_clean(r->scene->node[node].name), .node = node};
  }
  return &animation->channel[r->channel_of[node].channel];
}

static bool take_channel(struct reading *r, struct scene_animation *animation, const cJSON *channel) {
  struct gltf_target target;
  if (!gltf_target(channel, r->scene->nodes, &target)) return fail(r, "a channel's node is not in the file");
  if (target.weights) {
    const size_t node = r->hierarchy.place[target.node];
    return take_weights(r, animation, channel, node) ||
           gltf_fail_in(r->gltf, "weights of %.80s", r->scene->node[node].name);
  }
  if (target.kind == SCENE_KINDS) r->beyond = true;
  if (target.kind == SCENE_KINDS) return leave_out(r, target.other);
  struct scene_channel *c = channel_of(r, animation, r->hierarchy.place[target.node]);
  if (take_curve(r, channel, target.kind, &c->curve[target.kind])) return true;
  return gltf_fail_in(r->gltf, "%.80s: %s", c->name, scene_kinds[target.kind]);
}

static bool take_animation(struct reading *r, struct scene_animation *animation, const cJSON *from,
                           size_t number) {
  const char *name = cJSON_GetStringValue(json_member(from, "name"));
  const cJSON *channels = json_member(from, "channels");
  *animation = (struct scene_animation){.name = text_clean(name ? name : ""), .number = number};
  r->samplers = gltf_list(from, "samplers");
  r->merged = r->mended = r->left_out = 0, r->beyond = false;
  bool good = cJSON_IsArray(channels) || fail(r, "it has no channels");
  for (const cJSON *channel = good ? channels->child : NULL; channel && good; channel = channel->next)
    good = take_channel(r, animation, channel);
  free(r->samplers.item);
  return good;
}

/* Says which channels the clips of an animation will not have. */
static void keep_rest(struct reading *r, struct scene_animation *animation) {
  char text[sizeof r->other + 100];
  snprintf(text, sizeof text, "%zu channel%s left out: %s%s", r->left_out, r->left_out > 1 ? "s are" : " is",
           r->other, r->left_out > 1 ? " and others" : "");
  if (r->left_out) animation->left_out = text_copy(text);
  animation->merged = r->merged, animation->mended = r->mended;
}

static bool has_more(const cJSON *object, const char *known) {
  const cJSON *extensions = json_member(object, "extensions");
  const cJSON *first = extensions ? extensions->child : NULL;
  const bool is_known = first && first->string && known && !first->next && strcmp(first->string, known) == 0;
  return json_member(object, "extras") || (extensions && !is_known);
}

/* The part of an animation that its curves do not have; null if they have all. */
static const char *beyond_curves(const struct reading *r, const cJSON *animation) {
  const cJSON *item;
  if (r->beyond) return "it moves something else than nodes and morph weights";
  cJSON_ArrayForEach(item, json_member(animation, "channels")) {
    if (has_more(item, NULL) || has_more(json_member(item, "target"), "KHR_animation_pointer"))
      return "a channel of it has extras or extensions";
  }
  cJSON_ArrayForEach(item, json_member(animation, "samplers")) {
    if (has_more(item, NULL)) return "a sampler of it has extras or extensions";
  }
  return NULL;
}

void gltf_add_animation(struct gltf *gltf, struct scene *scene, struct json_span text, bool good) {
  struct scene_animation *animation = &scene->animation[scene->animations];
  if (good) {
    animation->extras = gltf_extras(text);
    scene->animations++;
    return;
  }
  complain(gltf->path, "animation %zu%s%.80s: %s", animation->number, *animation->name ? ", " : "",
           animation->name, gltf->error);
  scene_free_animation(animation, scene->tracks);
  scene->unread++;
}

static void take_animations(struct reading *r) {
  struct scene *scene = r->scene;
  const struct gltf_list list = gltf_list(r->gltf->tree, "animations");
  const cJSON *bundled = json_member(gltf_bundle_of(r->gltf->tree), "animations");
  scene->animation = memory_get(list.count + (size_t)cJSON_GetArraySize(bundled), sizeof *scene->animation);
  r->channel_of = memory_get(scene->nodes, sizeof *r->channel_of);
  r->taken = memory_get(r->gltf->accessors.count, sizeof *r->taken);
  const struct json_span all = {(const char *)r->gltf->json.bytes, r->gltf->json.size},
                         texts = json_span_member(all, "animations");
  struct json_span text = {NULL, 0};
  for (size_t a = 0; a < list.count; a++) {
    struct scene_animation *animation = &scene->animation[scene->animations];
    text = json_span_next(texts, text);
    const bool good = take_animation(r, animation, list.item[a], a);
    animation->beyond = beyond_curves(r, list.item[a]);
    if (good) keep_rest(r, animation);
    gltf_add_animation(r->gltf, scene, text, good);
  }
  gltf_take_bundle(r->gltf, r->hierarchy.place, list.count, scene);
  free(r->channel_of);
  free(r->taken);
  free(list.item);
}

bool gltf_scene(const char *path, struct scene *scene) {
  struct gltf gltf;
  *scene = (struct scene){.metres = 1, .up = 1};
  if (!gltf_open(&gltf, path)) return false;
  struct reading r = {.gltf = &gltf, .hierarchy = {.nodes = gltf_list(gltf.tree, "nodes")}, .scene = scene};
  r.hierarchy.parent = memory_get(r.hierarchy.nodes.count, sizeof *r.hierarchy.parent);
  r.hierarchy.place = memory_get(r.hierarchy.nodes.count, sizeof *r.hierarchy.place);
  bool good = take_nodes(path, &r.hierarchy, scene) && take_skins(&gltf, &r.hierarchy, scene);
  if (good) take_humans(gltf.tree, &r.hierarchy, scene);
  good = good && gltf_take_tracks(&gltf, &r.hierarchy.nodes, r.hierarchy.place, scene);
  if (good) take_animations(&r);
  else scene_free(scene);
  free(r.hierarchy.place);
  free(r.hierarchy.parent);
  free(r.hierarchy.nodes.item);
  gltf_close(&gltf);
  return good;
}
