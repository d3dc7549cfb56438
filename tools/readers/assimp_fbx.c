/* The transforms of FBX's nodes. */
#include "readers/assimp_fbx.h"

#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "readers/assimp_pipe.h"
#include "readers/turn.h"

enum {
  PRE_ROTATION,
  POST_ROTATION,
  ROTATION_OFFSET,
  ROTATION_PIVOT,
  SCALING_OFFSET,
  SCALING_PIVOT,
  GEOMETRIC_TRANSLATION,
  GEOMETRIC_ROTATION,
  GEOMETRIC_SCALING
};
const char *const fbx_properties[FBX_PROPERTIES] = {
    "PreRotation",  "PostRotation",         "RotationOffset",    "RotationPivot",    "ScalingOffset",
    "ScalingPivot", "GeometricTranslation", "GeometricRotation", "GeometricScaling", "Lcl Rotation"};

static const struct vector zeros = {0, 0, 0}, ones = {1, 1, 1};
static const struct aiVector3D no_scale = {1, 1, 1};
static const struct aiQuaternion unturned = {.w = 1};

static bool is_same(struct vector a, struct vector b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* Transforms. -------------------------------------------------------------------------------------------- */

struct transform {
  struct aiVector3D translation, scale;
  struct aiQuaternion rotation;
};

static struct vector vector_of(const struct aiVector3D *v) { return (struct vector){v->x, v->y, v->z}; }
static struct aiVector3D from_vector(struct vector v) {
  return (struct aiVector3D){(float)v.x, (float)v.y, (float)v.z};
}
static struct turn
turn_of(const struct aiQuaternion *q) { /* where a scale is 0, Assimp's are not of length 1 */
  const double x = q->x, y = q->y, z = q->z, w = q->w, length = sqrt(x * x + y * y + z * z + w * w);
  return length > 0 ? (struct turn){x / length, y / length, z / length, w / length}
                    : (struct turn){0, 0, 0, 1};
}
static struct aiQuaternion from_turn(struct turn q) {
  return (struct aiQuaternion){.x = (float)q.x, .y = (float)q.y, .z = (float)q.z, .w = (float)q.w};
}

static struct transform transform_of(const struct aiMatrix4x4 *matrix) {
  struct transform t;
  aiDecomposeMatrix(matrix, &t.scale, &t.rotation, &t.translation);
  return t;
}

static struct aiMatrix4x4 matrix_of(const struct transform *t) {
  const struct turn q = turn_of(&t->rotation);
  const struct aiVector3D x = from_vector(turn_apply(q, (struct vector){t->scale.x, 0, 0})),
                          y = from_vector(turn_apply(q, (struct vector){0, t->scale.y, 0})),
                          z = from_vector(turn_apply(q, (struct vector){0, 0, t->scale.z}));
  return (struct aiMatrix4x4){x.x, y.x, z.x, t->translation.x, x.y, y.y, z.y, t->translation.y,
                              x.z, y.z, z.z, t->translation.z, 0,   0,   0,   1};
}

/* Pivots. ------------------------------------------------------------------------------------------------ */

/* FBX: Translation RotationOffset RotationPivot PreRotation Rotation PostRotation^-1 RotationPivot^-1
 * ScalingOffset ScalingPivot Scaling ScalingPivot^-1. */
struct pivots {
  bool any, geometric;
  struct vector first, second, scaling; /* the translations: before rotation, before scale, behind it */
  struct turn before, after;            /* the rotations beside the node's own */
  struct transform geometry;            /* where meshes are from their node; children are not concerned */
};

/* Takes it out, since it is no metadata of the file. Sets *is_there unless it is `otherwise`. */
static struct vector take_property(struct aiMetadata *data, int property, struct vector otherwise,
                                   bool *is_there) {
  struct vector found = otherwise;
  char alias[FBX_ALIAS_ROOM];
  fbx_alias(alias, fbx_properties[property]);
  unsigned kept = 0;
  for (unsigned i = 0; data && i < data->mNumProperties; i++)
    if (strcmp(data->mKeys[i].data, alias) != 0) {
      data->mKeys[kept] = data->mKeys[i];
      data->mValues[kept++] = data->mValues[i];
    } else if (data->mValues[i].mType == AI_AIVECTOR3D) found = vector_of(data->mValues[i].mData);
  if (data) data->mNumProperties = kept;
  if (!is_same(found, otherwise)) *is_there = true;
  return found;
}

static struct pivots take_pivots(struct aiMetadata *data) {
  struct pivots p = {0};
  struct vector v[FBX_PROPERTIES];
  for (int i = 0; i < GEOMETRIC_TRANSLATION; i++) v[i] = take_property(data, i, zeros, &p.any);
  p.before = turn_of_degrees(v[PRE_ROTATION]);
  p.after = turn_inverse(turn_of_degrees(v[POST_ROTATION]));
  p.first = vector_add(v[ROTATION_OFFSET], v[ROTATION_PIVOT]);
  p.scaling = v[SCALING_PIVOT];
  p.second = vector_subtract(vector_add(v[SCALING_OFFSET], p.scaling), v[ROTATION_PIVOT]);

  for (int i = GEOMETRIC_TRANSLATION; i < GEOMETRIC_SCALING; i++)
    v[i] = take_property(data, i, zeros, &p.geometric);
  v[GEOMETRIC_SCALING] = take_property(data, GEOMETRIC_SCALING, ones, &p.geometric);
  p.geometry = (struct transform){.translation = from_vector(v[GEOMETRIC_TRANSLATION]),
                                  .rotation = from_turn(turn_of_degrees(v[GEOMETRIC_ROTATION])),
                                  .scale = from_vector(v[GEOMETRIC_SCALING])};
  return p;
}

/* Nodes. ------------------------------------------------------------------------------------------------- */

struct place {
  struct aiNode *node;
  const struct place *parent; /* null: a root */
  unsigned number;
  struct pivots pivots;
  struct transform rest; /* as Assimp has it, without the pivots */
  /* Assimp has half turns where two axes are mirrored, or another two than it says: what its scale is to be
   * multiplied by, and its rotation, to be those of the file. */
  struct vector mirror;
  struct turn half;
  bool without_parents_scale;
};

enum { INHERIT_NO_SCALE = 2 }; /* Rrs; of the other two, TRS can only say what Assimp does */

static int inherit_type(const struct aiMetadata *data) {
  for (unsigned i = 0; data && i < data->mNumProperties; i++)
    if (data->mValues[i].mType == AI_INT32 && strcmp(data->mKeys[i].data, "InheritType") == 0)
      return *(const int32_t *)data->mValues[i].mData;
  return 0;
}

static double sign(double x) { return x < 0 ? -1 : 1; }

/* How a node is mirrored, if the numbers of axes are both even or both odd. */
static void find_mirror(struct place *p, const struct aiMatrix4x4 *scaled) {
  const struct aiVector3D *is = &p->rest.scale;
  const struct vector m = {sign(scaled->a1) * sign(is->x), sign(scaled->b2) * sign(is->y),
                           sign(scaled->c3) * sign(is->z)};
  if (m.x * m.y * m.z < 0 || m.x + m.y + m.z == 3) return;
  p->mirror = m;
  p->half = (struct turn){m.x > 0, m.y > 0, m.z > 0, 0};
}

/* Parents first. `scaled` may be null. */
static void list_nodes(struct place *places, unsigned *count, struct aiNode *node, const struct place *parent,
                       const struct aiNode *scaled) {
  struct place *p = &places[*count];
  *p = (struct place){.node = node, .parent = parent, .number = *count, .mirror = ones, .half = {0, 0, 0, 1}};
  ++*count;
  p->rest = transform_of(&node->mTransformation);
  p->without_parents_scale = parent && inherit_type(node->mMetaData) == INHERIT_NO_SCALE;
  p->pivots = take_pivots(node->mMetaData);
  if (scaled) find_mirror(p, &scaled->mTransformation);
  if (scaled && scaled->mNumChildren != node->mNumChildren) scaled = NULL;
  for (unsigned c = 0; c < node->mNumChildren; c++)
    list_nodes(places, count, node->mChildren[c], p, scaled ? scaled->mChildren[c] : NULL);
}

static bool is_moved(const struct place *p) { return p->pivots.any || p->without_parents_scale; }

/* A node's own translation, rotation and scale with all that FBX adds. Where the parent's scale is not to be
 * handed down and differs by axis, the transform of a turned child is a shear: neither glTF nor a clip has
 * one, so the lengths of its axes are right and their angles are not. */
static struct transform whole(const struct place *p, struct transform own, struct aiVector3D parents_scale) {
  const struct pivots *v = &p->pivots;
  const struct turn rotation = turn_multiply(turn_of(&own.rotation), p->half),
                    all = turn_multiply(v->before, turn_multiply(rotation, v->after));
  const struct vector scale = vector_scale(p->mirror, vector_of(&own.scale)),
                      arm = vector_subtract(v->second, vector_scale(scale, v->scaling));
  struct transform t = {.rotation = from_turn(turn_multiply(all, p->half)), .scale = own.scale};
  t.translation =
      from_vector(vector_add(vector_of(&own.translation), vector_add(v->first, turn_apply(all, arm))));
  if (!p->without_parents_scale || !parents_scale.x || !parents_scale.y || !parents_scale.z) return t;
  const struct vector less = {1 / (double)parents_scale.x, 1 / (double)parents_scale.y,
                              1 / (double)parents_scale.z};
  const double as = sign(less.x); /* Assimp's scales are all negative, or none is */
  const struct vector x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
  const struct vector by = {as * vector_length(vector_scale(less, turn_apply(all, x))),
                            as * vector_length(vector_scale(less, turn_apply(all, y))),
                            as * vector_length(vector_scale(less, turn_apply(all, z)))};
  t.scale = from_vector(vector_scale(by, vector_of(&own.scale)));
  return t;
}

/* Meshes that are not where their node is get a node of their own, a child beside the others. */
static void place_meshes(struct aiNode *node, const struct transform *geometry) {
  struct aiNode *own = memory_get(1, sizeof *own),
                **children = memory_get(node->mNumChildren + 1, sizeof(struct aiNode *));
  static const char ending[] = "_geometry";
  *own = (struct aiNode){.mName = node->mName, .mTransformation = matrix_of(geometry), .mParent = node};
  own->mMeshes = node->mMeshes, own->mNumMeshes = node->mNumMeshes;
  if (own->mName.length + sizeof ending <= sizeof own->mName.data) {
    memcpy(own->mName.data + own->mName.length, ending, sizeof ending);
    own->mName.length += (unsigned)sizeof ending - 1;
  }
  node->mMeshes = NULL, node->mNumMeshes = 0;
  for (unsigned c = 0; c < node->mNumChildren; c++) children[c] = node->mChildren[c];
  children[node->mNumChildren++] = own;
  node->mChildren = children; /* the old array is left to the end of this process, which is near */
}

/* Channels. ---------------------------------------------------------------------------------------------- */

/* Sorted by name, to find what a channel moves. */
static int compare_places(const void *a, const void *b) {
  const struct place *p = *(const struct place *const *)a, *q = *(const struct place *const *)b;
  const int order = strcmp(p->node->mName.data, q->node->mName.data);
  return order ? order : p->number < q->number ? -1 : 1;
}

/* Null if none has that name, or several: it is not said which of them is meant. */
static const struct place *find_place(const struct place **sorted, unsigned count, const char *name) {
  unsigned from = 0, to = count;
  while (from < to) {
    const unsigned middle = from + (to - from) / 2;
    if (strcmp(sorted[middle]->node->mName.data, name) < 0) from = middle + 1;
    else to = middle;
  }
  if (from == count || strcmp(sorted[from]->node->mName.data, name) != 0) return NULL;
  return from + 1 < count && strcmp(sorted[from + 1]->node->mName.data, name) == 0 ? NULL : sorted[from];
}

/* The last key that is not after this time, or the first one; *part: how far on the way to the next. */
static unsigned find_key(const void *keys, size_t size, unsigned count, double time, float *part) {
  const char *first = keys; /* both kinds of keys begin with their time */
  unsigned from = 0, to = count;
  while (to - from > 1) {
    const unsigned middle = from + (to - from) / 2;
    if (*(const double *)(const void *)(first + middle * size) <= time) from = middle;
    else to = middle;
  }
  const double at = *(const double *)(const void *)(first + from * size);
  *part = 0;
  if (to < count && time > at)
    *part = (float)((time - at) / (*(const double *)(const void *)(first + to * size) - at));
  return from;
}

static struct aiVector3D vector_at(const struct aiVectorKey *keys, unsigned count, double time,
                                   struct aiVector3D otherwise) {
  if (count == 0) return otherwise;
  float part;
  const unsigned k = find_key(keys, sizeof *keys, count, time, &part);
  struct aiVector3D v = keys[k].mValue;
  if (part > 0) {
    const struct aiVector3D *next = &keys[k + 1].mValue;
    v = (struct aiVector3D){v.x + part * (next->x - v.x), v.y + part * (next->y - v.y),
                            v.z + part * (next->z - v.z)};
  }
  return v;
}

static struct aiQuaternion rotation_at(const struct aiQuatKey *keys, unsigned count, double time,
                                       struct aiQuaternion otherwise) {
  if (count == 0) return otherwise;
  float part;
  const unsigned k = find_key(keys, sizeof *keys, count, time, &part);
  struct aiQuaternion q = keys[k].mValue;
  if (part > 0) aiQuaternionInterpolate(&q, &keys[k].mValue, &keys[k + 1].mValue, part);
  return q;
}

/* Radians, by the shorter way. */
static double angle_between(struct aiQuaternion a, struct aiQuaternion b) {
  const struct turn t = turn_multiply(turn_inverse(turn_of(&a)), turn_of(&b));
  return 2 * atan2(sqrt(t.x * t.x + t.y * t.y + t.z * t.z), fabs(t.w));
}

static bool scale_moves(const struct aiNodeAnim *channel) {
  bool moves = false;
  for (unsigned k = 1; channel && k < channel->mNumScalingKeys; k++)
    moves = moves || !is_same(vector_of(&channel->mScalingKeys[k].mValue),
                              vector_of(&channel->mScalingKeys[0].mValue));
  return moves;
}

static int compare_times(const void *a, const void *b) {
  const double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

/* Of all keys, each once. */
static double *list_times(const struct aiNodeAnim *channel, const struct aiNodeAnim *parent,
                          unsigned *count) {
  double *times = memory_get((size_t)channel->mNumPositionKeys + channel->mNumRotationKeys +
                                 channel->mNumScalingKeys + (parent ? parent->mNumScalingKeys : 0),
                             sizeof *times);
  unsigned n = 0, kept = 0;
  for (unsigned k = 0; k < channel->mNumPositionKeys; k++) times[n++] = channel->mPositionKeys[k].mTime;
  for (unsigned k = 0; k < channel->mNumRotationKeys; k++) times[n++] = channel->mRotationKeys[k].mTime;
  for (unsigned k = 0; k < channel->mNumScalingKeys; k++) times[n++] = channel->mScalingKeys[k].mTime;
  for (unsigned k = 0; parent && k < parent->mNumScalingKeys; k++) times[n++] = parent->mScalingKeys[k].mTime;
  qsort(times, n, sizeof *times, compare_times);
  for (unsigned k = 0; k < n; k++)
    if (k == 0 || times[k] != times[kept - 1]) times[kept++] = times[k];
  *count = kept;
  return times;
}

/* Where a node turns about a pivot, its translation is on an arc between two keys, and would be on the chord.
 * Of parts of 5 degrees, the chord is 0.001 of the pivot's distance from the arc. */
static double *list_arcs(const struct aiNodeAnim *channel, double *times, unsigned *count) {
  const double most = 5 * acos(-1) / 180;
  unsigned all = 0;
  double *finer = NULL;
  for (unsigned k = 0; k < *count; k++) {
    const double from = times[k], to = k + 1 < *count ? times[k + 1] : from;
    const double parts =
        ceil(angle_between(rotation_at(channel->mRotationKeys, channel->mNumRotationKeys, from, unturned),
                           rotation_at(channel->mRotationKeys, channel->mNumRotationKeys, to, unturned)) /
             most);
    unsigned part = 0;
    do {
      finer = memory_grow(finer, all, sizeof *finer);
      finer[all++] = from + (to - from) * (part / fmax(parts, 1));
    } while (++part < parts);
  }
  free(times);
  *count = all;
  return finer;
}

/* parent: the channel of the parent as Assimp has it, may be null. */
static void place_channel(struct aiNodeAnim *channel, const struct place *p,
                          const struct aiNodeAnim *parent) {
  unsigned count;
  double *times = list_times(channel, scale_moves(parent) ? parent : NULL, &count);
  if (!is_same(p->pivots.second, zeros) || !is_same(p->pivots.scaling, zeros))
    times = list_arcs(channel, times, &count);
  struct aiVectorKey *translations = memory_get(count, sizeof *translations),
                     *scales = memory_get(count, sizeof *scales);
  struct aiQuatKey *rotations = memory_get(count, sizeof *rotations);
  for (unsigned k = 0; k < count; k++) {
    const double time = times[k];
    const struct transform own = {
        .translation =
            vector_at(channel->mPositionKeys, channel->mNumPositionKeys, time, p->rest.translation),
        .rotation = rotation_at(channel->mRotationKeys, channel->mNumRotationKeys, time, p->rest.rotation),
        .scale = vector_at(channel->mScalingKeys, channel->mNumScalingKeys, time, p->rest.scale)};
    struct aiVector3D parents_scale = no_scale;
    if (p->parent)
      parents_scale = vector_at(parent ? parent->mScalingKeys : NULL, parent ? parent->mNumScalingKeys : 0,
                                time, p->parent->rest.scale);
    const struct transform t = whole(p, own, parents_scale);
    translations[k].mTime = rotations[k].mTime = scales[k].mTime = time;
    translations[k].mValue = t.translation, rotations[k].mValue = t.rotation, scales[k].mValue = t.scale;
  }
  free(times);
  channel->mPositionKeys = translations, channel->mRotationKeys = rotations, channel->mScalingKeys = scales;
  channel->mNumPositionKeys = channel->mNumRotationKeys = channel->mNumScalingKeys = count;
}

/* Of a node that has none, and must move since its parent's scale does. */
static struct aiNodeAnim *add_channel(struct aiAnimation *animation, const struct place *p) {
  struct aiNodeAnim **channels = memory_get(animation->mNumChannels + 1, sizeof(struct aiNodeAnim *)),
                    *channel = memory_get(1, sizeof *channel);
  for (unsigned c = 0; c < animation->mNumChannels; c++) channels[c] = animation->mChannels[c];
  channel->mNodeName = p->node->mName;
  channels[animation->mNumChannels++] = channel;
  animation->mChannels = channels;
  return channel;
}

static void place_animation(struct aiAnimation *animation, const struct place *places,
                            const struct place **sorted, unsigned count) {
  struct aiNodeAnim **channel_of = memory_get(count, sizeof(struct aiNodeAnim *));
  for (unsigned c = 0; c < animation->mNumChannels; c++) {
    const struct place *p = find_place(sorted, count, animation->mChannels[c]->mNodeName.data);
    if (p) channel_of[p->number] = animation->mChannels[c];
  }
  for (unsigned n = count; n-- > 0;) { /* children first: they need the parent's own scale */
    const struct place *p = &places[n];
    const struct aiNodeAnim *parent = p->without_parents_scale ? channel_of[p->parent->number] : NULL;
    if (!channel_of[n] && scale_moves(parent)) channel_of[n] = add_channel(animation, p);
    if (channel_of[n] && is_moved(p)) place_channel(channel_of[n], p, parent);
  }
  free(channel_of);
}

/* The whole scene. --------------------------------------------------------------------------------------- */

static bool is_uneven(const struct aiVector3D *scale) {
  const double x = fabs((double)scale->x), y = fabs((double)scale->y), z = fabs((double)scale->z);
  return !(fmax(x, fmax(y, z)) - fmin(x, fmin(y, z)) <= 1e-4 * fmax(x, fmax(y, z)));
}

/* How many nodes would be sheared, since their parent's scale differs by axis and is not handed down as it is
 * in glTF. */
static unsigned count_sheared(const struct aiScene *scene, const struct place *places,
                              const struct place **sorted, unsigned nodes) {
  enum { INHERIT_AS_GLTF = 1 }; /* RSrs */
  bool *uneven = memory_get(nodes, sizeof *uneven);
  unsigned sheared = 0;
  for (unsigned n = 0; n < nodes; n++) uneven[n] = is_uneven(&places[n].rest.scale);
  for (unsigned a = 0; a < scene->mNumAnimations; a++)
    for (unsigned c = 0; c < scene->mAnimations[a]->mNumChannels; c++) {
      const struct aiNodeAnim *channel = scene->mAnimations[a]->mChannels[c];
      const struct place *p = find_place(sorted, nodes, channel->mNodeName.data);
      for (unsigned k = 0; p && k < channel->mNumScalingKeys; k++)
        uneven[p->number] = uneven[p->number] || is_uneven(&channel->mScalingKeys[k].mValue);
    }
  for (unsigned n = 0; n < nodes; n++)
    sheared += places[n].parent && uneven[places[n].parent->number] &&
               inherit_type(places[n].node->mMetaData) != INHERIT_AS_GLTF;
  free(uneven);
  return sheared;
}

static bool node_needs_scales(const struct aiNode *node) {
  static const int turning[] = {POST_ROTATION, ROTATION_PIVOT, SCALING_OFFSET, SCALING_PIVOT};
  for (unsigned i = 0; node->mMetaData && i < node->mMetaData->mNumProperties; i++)
    for (size_t t = 0; t < sizeof turning / sizeof *turning; t++) {
      char alias[FBX_ALIAS_ROOM];
      fbx_alias(alias, fbx_properties[turning[t]]);
      const struct aiMetadataEntry *value = &node->mMetaData->mValues[i];
      if (value->mType == AI_AIVECTOR3D && strcmp(node->mMetaData->mKeys[i].data, alias) == 0 &&
          !is_same(vector_of(value->mData), zeros))
        return true;
    }
  bool needs = false;
  for (unsigned c = 0; c < node->mNumChildren; c++) needs = needs || node_needs_scales(node->mChildren[c]);
  return needs;
}

bool fbx_needs_scales(const struct aiScene *scene) {
  return scene->mRootNode && node_needs_scales(scene->mRootNode);
}

unsigned fbx_place(const struct aiScene *scene, const struct aiScene *scaled, bool meshes) {
  if (!scene->mRootNode) return 0;
  const unsigned nodes = assimp_count_nodes(scene->mRootNode);
  struct place *places = memory_get(nodes, sizeof *places);
  const struct place **sorted = memory_get(nodes, sizeof(struct place *));
  unsigned count = 0;
  list_nodes(places, &count, scene->mRootNode, NULL, scaled ? scaled->mRootNode : NULL);
  for (unsigned n = 0; n < nodes; n++) sorted[n] = &places[n];
  qsort(sorted, nodes, sizeof(struct place *), compare_places);
  const unsigned sheared = count_sheared(scene, places, sorted, nodes);
  for (unsigned a = 0; a < scene->mNumAnimations; a++)
    place_animation(scene->mAnimations[a], places, sorted, nodes);
  for (unsigned n = 0; n < nodes; n++) {
    const struct place *p = &places[n];
    const struct transform t = whole(p, p->rest, p->parent ? p->parent->rest.scale : no_scale);
    if (is_moved(p)) p->node->mTransformation = matrix_of(&t);
    if (meshes && p->pivots.geometric && p->node->mNumMeshes > 0) place_meshes(p->node, &p->pivots.geometry);
  }
  free(sorted);
  free(places);
  return sheared;
}
