/* The child's half: Assimp. */
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/scene.h>
#include <stdlib.h>
#include <string.h>

#include "clip_assimp.h"

static void put(FILE *pipe, const void *bytes, size_t size) { fwrite(bytes, 1, size, pipe); }
static void put_number(FILE *pipe, unsigned n) { put(pipe, &n, sizeof n); }
static void put_text(FILE *pipe, const char *text, size_t length) {
  put_number(pipe, (unsigned)length);
  put(pipe, text, length);
}

static unsigned count_tracks(const struct aiAnimation *animation) {
  unsigned tracks = 0;
  for (unsigned c = 0; c < animation->mNumChannels; c++)
    if (animation->mChannels[c]->mNumRotationKeys > 0) tracks++;
  return tracks;
}

static void put_track(FILE *pipe, const struct aiNodeAnim *channel) {
  put_text(pipe, channel->mNodeName.data, channel->mNodeName.length);
  put_number(pipe, channel->mNumRotationKeys);
  for (unsigned k = 0; k < channel->mNumRotationKeys; k++) {
    const struct aiQuaternion q = channel->mRotationKeys[k].mValue; /* stored w, x, y, z */
    const float xyzw[4] = {(float)q.x, (float)q.y, (float)q.z, (float)q.w};
    put(pipe, xyzw, sizeof xyzw);
  }
  for (unsigned k = 0; k < channel->mNumRotationKeys; k++)
    put(pipe, &channel->mRotationKeys[k].mTime, sizeof(double));
}

static void put_scene(FILE *pipe, const struct aiScene *scene) {
  put_number(pipe, CLIP_READ);
  put_number(pipe, scene->mNumAnimations);
  for (unsigned a = 0; a < scene->mNumAnimations; a++) {
    const struct aiAnimation *animation = scene->mAnimations[a];
    put_text(pipe, animation->mName.data, animation->mName.length);
    put(pipe, &animation->mTicksPerSecond, sizeof(double));
    put_number(pipe, count_tracks(animation));
    for (unsigned c = 0; c < animation->mNumChannels; c++)
      if (animation->mChannels[c]->mNumRotationKeys > 0) put_track(pipe, animation->mChannels[c]);
  }
  put_number(pipe, CLIP_END);
}

void clip_import_to(FILE *pipe, const char *path) {
  struct aiPropertyStore *properties = aiCreatePropertyStore();
  /* on by default, it drops tracks whose keys are all the same */
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_OPTIMIZE_EMPTY_ANIMATION_CURVES, 0);
  /* saves making meshes for files that hold a skeleton alone */
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);

  const unsigned no_post_processing = 0;
  const struct aiScene *scene = aiImportFileExWithProperties(path, no_post_processing, NULL, properties);
  if (scene) {
    put_scene(pipe, scene);
    return;
  }
  const char *error = aiGetErrorString();
  put_number(pipe, CLIP_FAILED);
  put_text(pipe, error, strlen(error));
  put_number(pipe, CLIP_END);
}
