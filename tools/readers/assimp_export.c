/* The child's half of writing through Assimp. */
#include <assimp/cexport.h>
#include <assimp/scene.h>
#include <limits.h>
#include <stdint.h>

#include "base/text.h"
#include "readers/assimp_pipe.h"
#include "readers/readers.h"

/* Where keys were added or left out, Assimp's old array is left to the end of this process, which is near. */
static bool set_rotations(struct aiNodeAnim *channel, const struct scene_curve *curve,
                          double ticks_per_second) {
  if (curve->keys == 0) return true; /* what Assimp made up stays */
  if (curve->retimed && curve->keys <= UINT_MAX) {
    channel->mRotationKeys = memory_get(curve->keys, sizeof *channel->mRotationKeys);
    channel->mNumRotationKeys = (unsigned)curve->keys;
    for (size_t k = 0; k < curve->keys; k++)
      channel->mRotationKeys[k].mTime = (double)scene_time(curve, k) * ticks_per_second;
  }
  if (channel->mNumRotationKeys != curve->keys) return false;
  for (size_t k = 0; k < curve->keys; k++) {
    const float *q = curve->values + 4 * k;
    channel->mRotationKeys[k].mValue = (struct aiQuaternion){.x = q[0], .y = q[1], .z = q[2], .w = q[3]};
  }
  return true;
}

static bool set_vectors(struct aiVectorKey **keys, unsigned *count, const struct scene_curve *curve,
                        double ticks_per_second) {
  if (curve->keys == 0) return true;
  if (curve->retimed && curve->keys <= UINT_MAX) {
    *keys = memory_get(curve->keys, sizeof **keys);
    *count = (unsigned)curve->keys;
    for (size_t k = 0; k < curve->keys; k++)
      (*keys)[k].mTime = (double)scene_time(curve, k) * ticks_per_second;
  }
  if (*count != curve->keys) return false;
  for (size_t k = 0; k < curve->keys; k++) {
    const float *v = curve->values + 3 * k;
    (*keys)[k].mValue = (struct aiVector3D){v[0], v[1], v[2]};
  }
  return true;
}

/* False if the file is not what it was. */
static bool set_keys(const struct aiScene *scene, const struct replacement *r) {
  const struct scene_animation *from = r->animation;
  if (from->number >= scene->mNumAnimations) return false;
  const struct aiAnimation *to = scene->mAnimations[from->number];
  const double rate = to->mTicksPerSecond;
  bool good = to->mNumChannels == from->channels;
  for (unsigned c = 0; good && c < to->mNumChannels; c++) {
    struct aiNodeAnim *channel = to->mChannels[c];
    const struct scene_curve *curve = from->channel[c].curve;
    if (r->kinds[SCENE_ROTATION]) good = set_rotations(channel, &curve[SCENE_ROTATION], rate);
    if (r->kinds[SCENE_TRANSLATION])
      good = good && set_vectors(&channel->mPositionKeys, &channel->mNumPositionKeys,
                                 &curve[SCENE_TRANSLATION], rate);
    if (r->kinds[SCENE_SCALE])
      good =
          good && set_vectors(&channel->mScalingKeys, &channel->mNumScalingKeys, &curve[SCENE_SCALE], rate);
  }
  return good;
}

static void put(FILE *pipe, const void *bytes, size_t size) { fwrite(bytes, 1, size, pipe); }
static void put_number(FILE *pipe, unsigned n) { put(pipe, &n, sizeof n); }

static void put_blob(FILE *pipe, const struct aiExportDataBlob *blob) {
  const uint64_t size = blob->size;
  put_number(pipe, PIPE_READ);
  put(pipe, &size, sizeof size);
  put(pipe, blob->data, blob->size);
  put_number(pipe, PIPE_END);
}

void assimp_export_to(FILE *pipe, const struct replacement *r) {
  struct assimp_remarks remarks; /* which were made when it was read */
  const struct aiScene *scene = assimp_import(r->original, true, &remarks);
  if (!scene) {
    assimp_import_failed(pipe);
    return;
  }
  for (unsigned a = 0; a < scene->mNumAnimations; a++) /* as the reader takes it; glTF has seconds */
    if (!(scene->mAnimations[a]->mTicksPerSecond > 0)) scene->mAnimations[a]->mTicksPerSecond = 25;
  if (!set_keys(scene, r)) return; /* the answer breaks off */
  const struct aiExportDataBlob *blob = aiExportSceneToBlob(scene, "glb2", 0);
  if (blob) put_blob(pipe, blob);
  else assimp_import_failed(pipe);
}
