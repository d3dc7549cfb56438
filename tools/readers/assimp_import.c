/* The child's half: Assimp. */
#include <assimp/cimport.h>
#include <assimp/commonMetaData.h>
#include <assimp/config.h>
#include <assimp/scene.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "readers/assimp_fbx.h"
#include "readers/assimp_pipe.h"

static void put(FILE *pipe, const void *bytes, size_t size) { fwrite(bytes, 1, size, pipe); }
static void put_number(FILE *pipe, unsigned n) { put(pipe, &n, sizeof n); }
static void put_text(FILE *pipe, const char *text, size_t length) {
  put_number(pipe, (unsigned)length);
  put(pipe, text, length);
}

/* nodes. ------------------------------------------------------------------------------------------------- */

struct rest {
  float rotation[4], translation[3], scale[3];
};

struct node {
  const struct aiNode *node;
  unsigned number, parent;
  struct rest rest;
  const struct aiBone *bone; /* of the first skin; null: it is in none */
};

static void copy_vector(float *xyz, const struct aiVector3D *v) {
  xyz[0] = v->x, xyz[1] = v->y, xyz[2] = v->z;
}
static void copy_rotation(float *xyzw, const struct aiQuaternion *q) { /* stored w, x, y, z */
  xyzw[0] = q->x, xyzw[1] = q->y, xyzw[2] = q->z, xyzw[3] = q->w;
}

static struct rest rest_of(const struct aiNode *node) {
  struct aiVector3D scale, translation;
  struct aiQuaternion rotation;
  struct rest rest = {0};
  aiDecomposeMatrix(&node->mTransformation, &scale, &rotation, &translation);
  copy_rotation(rest.rotation, &rotation);
  copy_vector(rest.translation, &translation);
  copy_vector(rest.scale, &scale);
  return rest;
}

unsigned assimp_count_nodes(const struct aiNode *node) {
  unsigned count = 1;
  for (unsigned c = 0; c < node->mNumChildren; c++) count += assimp_count_nodes(node->mChildren[c]);
  return count;
}

/* Parents first. */
static void list_nodes(struct node *nodes, unsigned *count, const struct aiNode *node, unsigned parent) {
  const unsigned number = (*count)++;
  nodes[number] = (struct node){node, number, parent, rest_of(node), NULL};
  for (unsigned c = 0; c < node->mNumChildren; c++) list_nodes(nodes, count, node->mChildren[c], number);
}

static void put_nodes(FILE *pipe, const struct node *nodes, unsigned count) {
  put_number(pipe, count);
  for (unsigned n = 0; n < count; n++) {
    put_text(pipe, nodes[n].node->mName.data, nodes[n].node->mName.length);
    put_number(pipe, nodes[n].parent);
    put(pipe, &nodes[n].rest, sizeof nodes[n].rest);
    put_number(pipe, nodes[n].bone != NULL);
    if (nodes[n].bone) put(pipe, &nodes[n].bone->mOffsetMatrix, 12 * sizeof(float)); /* by rows */
  }
}

/* Which node a channel or a bone is of: all that Assimp says is its name. -------------------------------- */

static int compare_nodes(const void *a, const void *b) {
  const struct node *p = a, *q = b;
  const int order = strcmp(p->node->mName.data, q->node->mName.data);
  return order ? order : p->number < q->number ? -1 : 1;
}
static int compare_node_numbers(const void *a, const void *b) {
  const struct node *p = a, *q = b;
  return p->number < q->number ? -1 : 1;
}

/* The first of those that are sorted by name; null if there is none. */
static struct node *find_node(struct node *nodes, unsigned count, const char *name) {
  unsigned from = 0, to = count;
  while (from < to) {
    const unsigned middle = from + (to - from) / 2;
    if (strcmp(nodes[middle].node->mName.data, name) < 0) from = middle + 1;
    else to = middle;
  }
  return from < count && strcmp(nodes[from].node->mName.data, name) == 0 ? &nodes[from] : NULL;
}

static void find_bones(const struct aiScene *scene, struct node *nodes, unsigned count) {
  qsort(nodes, count, sizeof *nodes, compare_nodes);
  for (unsigned m = 0; m < scene->mNumMeshes; m++)
    for (unsigned b = 0; b < scene->mMeshes[m]->mNumBones; b++) {
      const struct aiBone *bone = scene->mMeshes[m]->mBones[b];
      struct node *node = find_node(nodes, count, bone->mName.data);
      if (node && !node->bone) node->bone = bone;
    }
  qsort(nodes, count, sizeof *nodes, compare_node_numbers);
}

struct place {
  const struct aiNodeAnim *channel;
  unsigned number;
  /* the node, null if nobody knows; the first one of that name, which Assimp takes rests from */
  const struct node *node, *first;
};

static int compare_places(const void *a, const void *b) {
  const struct place *p = a, *q = b;
  const int order = strcmp(p->channel->mNodeName.data, q->channel->mNodeName.data);
  return order ? order : p->number < q->number ? -1 : 1;
}
static int compare_numbers(const void *a, const void *b) {
  const struct place *p = a, *q = b;
  return p->number < q->number ? -1 : 1;
}

/* Where a name is that of several nodes and there are as many channels, they follow each other in the same
 * order: so it is in Collada, which allows it. nodes are sorted by name. */
static void find_nodes(struct place *places, unsigned channels, const struct node *nodes, unsigned count) {
  qsort(places, channels, sizeof *places, compare_places);
  for (unsigned c = 0, n = 0, end, same; c < channels; c = end, n += same) {
    const char *name = places[c].channel->mNodeName.data;
    for (end = c + 1; end < channels && strcmp(places[end].channel->mNodeName.data, name) == 0;) end++;
    while (n < count && strcmp(nodes[n].node->mName.data, name) < 0) n++;
    for (same = 0; n + same < count && strcmp(nodes[n + same].node->mName.data, name) == 0;) same++;
    for (unsigned i = c; i < end; i++) {
      places[i].first = same ? &nodes[n] : NULL;
      places[i].node = same == end - c ? &nodes[n + i - c] : NULL;
    }
  }
  qsort(places, channels, sizeof *places, compare_numbers);
}

/* animations. -------------------------------------------------------------------------------------------- */

/* The rest transform up to rounding: importers and Assimp after them give it to channels that lack a
 * curve, as one key. That is not in the file, and is left out. */
static bool is_rest(const float *key, const float *rest, unsigned width) {
  float dot = 1;
  if (width == 4) dot = key[0] * rest[0] + key[1] * rest[1] + key[2] * rest[2] + key[3] * rest[3];
  for (unsigned i = 0; i < width; i++) {
    const float r = dot < 0 ? -rest[i] : rest[i];
    if (!(fabsf(key[i] - r) <= 1e-5f * fmaxf(1, fabsf(r)))) return false;
  }
  return true;
}

static void put_vectors(FILE *pipe, const struct aiVectorKey *keys, unsigned count, const float *rest) {
  float first[3] = {0};
  if (count) copy_vector(first, &keys[0].mValue);
  if (count == 1 && keys[0].mTime == 0 && rest && is_rest(first, rest, 3)) count = 0;
  put_number(pipe, count);
  for (unsigned k = 0; k < count; k++) {
    float xyz[3];
    copy_vector(xyz, &keys[k].mValue);
    put(pipe, xyz, sizeof xyz);
  }
  for (unsigned k = 0; k < count; k++) put(pipe, &keys[k].mTime, sizeof(double));
}

static void put_rotations(FILE *pipe, const struct aiQuatKey *keys, unsigned count, const float *rest) {
  float first[4] = {0};
  if (count) copy_rotation(first, &keys[0].mValue);
  if (count == 1 && keys[0].mTime == 0 && rest && is_rest(first, rest, 4)) count = 0;
  put_number(pipe, count);
  for (unsigned k = 0; k < count; k++) {
    float xyzw[4];
    copy_rotation(xyzw, &keys[k].mValue);
    put(pipe, xyzw, sizeof xyzw);
  }
  for (unsigned k = 0; k < count; k++) put(pipe, &keys[k].mTime, sizeof(double));
}

static void put_channel(FILE *pipe, const struct place *place) {
  const struct aiNodeAnim *channel = place->channel;
  const struct rest *rest = place->first ? &place->first->rest : NULL;
  put_text(pipe, channel->mNodeName.data, channel->mNodeName.length);
  put_number(pipe, place->node ? place->node->number : PIPE_NONE);
  put_rotations(pipe, channel->mRotationKeys, channel->mNumRotationKeys, rest ? rest->rotation : NULL);
  put_vectors(pipe, channel->mPositionKeys, channel->mNumPositionKeys, rest ? rest->translation : NULL);
  put_vectors(pipe, channel->mScalingKeys, channel->mNumScalingKeys, rest ? rest->scale : NULL);
}

static void put_animation(FILE *pipe, const struct aiAnimation *animation, const struct node *nodes,
                          unsigned count) {
  const unsigned channels = animation->mNumChannels;
  struct place *places = memory_get(channels, sizeof *places);
  for (unsigned c = 0; c < channels; c++) places[c] = (struct place){animation->mChannels[c], c, NULL, NULL};
  find_nodes(places, channels, nodes, count);
  put_text(pipe, animation->mName.data, animation->mName.length);
  put(pipe, &animation->mTicksPerSecond, sizeof(double));
  put_number(pipe, channels);
  for (unsigned c = 0; c < channels; c++) put_channel(pipe, &places[c]);
  free(places);
}

/* Null if it is not there, or of another type. */
static const void *metadata(const struct aiScene *scene, const char *key, enum aiMetadataType type) {
  const struct aiMetadata *data = scene->mMetaData;
  for (unsigned i = 0; data && i < data->mNumProperties; i++)
    if (data->mValues[i].mType == type && strcmp(data->mKeys[i].data, key) == 0)
      return data->mValues[i].mData;
  return NULL;
}

/* Of Collada, Assimp scales the root by the metres in a unit; where a file does not say them, they are 1 by
 * definition. FBX has centimetres in a unit: Assimp 5.2 leaves the root alone, later ones scale it. */
static double metres(const struct aiScene *scene) {
  const float *centimetres = metadata(scene, "UnitScaleFactor", AI_FLOAT);
  const struct aiString *format = metadata(scene, AI_METADATA_SOURCE_FORMAT, AI_AISTRING);
  const struct aiMatrix4x4 *root = scene->mRootNode ? &scene->mRootNode->mTransformation : NULL;
  const double scale = root ? sqrt(root->a1 * root->a1 + root->b1 * root->b1 + root->c1 * root->c1) : 0;
  if (centimetres && *centimetres > 0 && isfinite(*centimetres) && scale > 0)
    return *centimetres / 100.0 / scale;
  return format && strcmp(format->data, "Collada Importer") == 0 ? 1 : 0;
}

static void put_scene(FILE *pipe, const struct aiScene *scene, const struct assimp_remarks *remarks) {
  unsigned nodes = scene->mRootNode ? assimp_count_nodes(scene->mRootNode) : 0, count = 0;
  struct node *node = memory_get(nodes, sizeof *node);
  if (nodes) list_nodes(node, &count, scene->mRootNode, PIPE_NONE);
  find_bones(scene, node, nodes);
  const double unit = metres(scene);
  put_number(pipe, PIPE_READ);
  put(pipe, &unit, sizeof unit);
  put_number(pipe, remarks->sheared);
  put_number(pipe, remarks->unread);
  put_text(pipe, remarks->reason, strlen(remarks->reason));
  put_nodes(pipe, node, nodes);
  qsort(node, nodes, sizeof *node, compare_nodes);
  put_number(pipe, scene->mNumAnimations);
  for (unsigned a = 0; a < scene->mNumAnimations; a++)
    put_animation(pipe, scene->mAnimations[a], node, nodes);
  put_number(pipe, PIPE_END);
  free(node);
}

/* io: null for files as they are. */
static const struct aiScene *import(const char *path, bool meshes, bool animations, struct aiFileIO *io) {
  struct aiPropertyStore *properties = aiCreatePropertyStore();
  /* on by default, it drops curves whose keys are all the same */
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_OPTIMIZE_EMPTY_ANIMATION_CURVES, 0);
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 0);
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_READ_ANIMATIONS, animations);
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, !meshes);
  /* joints of skins that move no vertex */
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_REMOVE_EMPTY_BONES, meshes);
  /* other files, by name: they are read by themselves */
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_SMD_LOAD_ANIMATION_LIST, 0);
  const unsigned no_post_processing = 0;
  return aiImportFileExWithProperties(path, no_post_processing, io, properties);
}

/* Assimp says in its log alone which parts of an FBX it cannot read, curves with equal times among them. */
static void hear(const char *message, char *remarks_as_bytes) {
  struct assimp_remarks *remarks = (struct assimp_remarks *)(void *)remarks_as_bytes;
  const char *reason = strstr(message, "FBX-DOM");
  if (strncmp(message, "Error", 5) != 0 || !reason || remarks->unread++ > 0) return;
  snprintf(remarks->reason, sizeof remarks->reason, "%.*s", (int)strcspn(reason, "\n"), reason);
}

const struct aiScene *assimp_import(const char *path, bool meshes, struct assimp_remarks *remarks) {
  *remarks = (struct assimp_remarks){0};
  if (!fbx_is_likely(path)) return import(path, meshes, true, NULL);
  struct fbx_files files, turned;
  const struct aiLogStream log = {hear, (char *)remarks};
  aiAttachLogStream(&log);
  fbx_files_init(&files, fbx_properties, FBX_ROTATION);
  const struct aiScene *scene = import(path, meshes, true, &files.io), *scaled = NULL;
  if (!scene) return NULL;
  aiDetachLogStream(&log);
  fbx_files_init(&turned, fbx_properties, FBX_PROPERTIES);
  if (fbx_needs_scales(scene)) scaled = import(path, false, false, &turned.io);
  remarks->sheared = fbx_place(scene, scaled, meshes);
  return scene;
}

void assimp_import_failed(FILE *pipe) {
  const char *error = aiGetErrorString();
  put_number(pipe, PIPE_FAILED);
  put_text(pipe, error, strlen(error));
  put_number(pipe, PIPE_END);
}

void assimp_import_to(FILE *pipe, const char *path) {
  struct assimp_remarks remarks;
  const struct aiScene *scene = assimp_import(path, false, &remarks); /* without meshes it saves time */
  if (scene) put_scene(pipe, scene, &remarks);
  else assimp_import_failed(pipe);
}
