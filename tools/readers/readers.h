/* The file formats that commands read: one table for all of them. */
#ifndef READERS_H
#define READERS_H

#include <stdbool.h>

#include "readers/arrays/npy.h"
#include "scene/scene.h"

struct reach;
typedef bool reader_file(void *context, const char *path);

/* A format. Of the functions any may be null. Those that read complain if they cannot. */
struct reader {
  const char *name;        /* what a file of it is: "an array" */
  const char *endings[16]; /* of its files' names, ".npy"; null behind the last */
  bool still;              /* its rotations are of things that do not move */

  /* Such files begin with one of these texts; or the function knows them. Neither: there is no mark. */
  const char *begins[2];
  bool (*recognise)(const char *path);

  /* The rotations x, y, z, w, to be freed, and in *shape their shape (..., 4) and count of floats, without
   * data. Null if it fails. */
  float *(*rotations)(const char *path, struct npy *shape);

  /* Nodes and animations. Names come clean (text_clean). An animation that is broken, or more than clips
   * can be, is complained of and counted in scene->unread, the others are read. */
  bool (*scene)(const char *path, struct scene *scene);

  /* Finds how far vertices are from the nodes that move them (scene/reach.h). False if that fails. */
  bool (*reach)(const char *path, struct reach *reach);

  /* Calls with the path of each other file that belongs to this one, until a call returns false. False
   * then, or if there is no telling which. Null: there are none. */
  bool (*parts)(const char *path, reader_file *call, void *context);
};

/* The table: a new format is a line here, for the reader_NAME of its file. */
#define READERS(READER)                                                                                      \
  READER(npy)                                                                                                \
  READER(npz)                                                                                                \
  READER(ply)                                                                                                \
  READER(splat)                                                                                              \
  READER(gltf)                                                                                               \
  READER(bvh)                                                                                                \
  READER(fbx)

#define READER_DECLARATION(name) extern const struct reader reader_##name;
READERS(READER_DECLARATION)

/* The reader for a file. Its content decides: the first reader that recognises it; where the content has
 * no mark, the ending. So a name that lies is passed over without a word. Of pipes and devices, which can
 * be read once, only arrays are taken. Null and a complaint if there is no such file, or no reader for it. */
const struct reader *reader_of(const char *path);

/* "ufbx 0.23.1" */
const char *reader_fbx_version(void);

/* Does the name end as those of files with animations? */
bool reader_has_animations(const char *name);

/* Reads the nodes and animations of a regular file. False and a complaint if that fails or such files have
 * none. */
bool reader_scene(const char *path, struct scene *scene);

#endif
