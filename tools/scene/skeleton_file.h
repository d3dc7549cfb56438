/* Skeletons as `quatsimd compress` writes them: .qsk (quatsimd/skeleton.h), in memory and in files. */
#ifndef SKELETON_FILE_H
#define SKELETON_FILE_H

#include <stdbool.h>

#include "base/json.h"
#include "quatsimd/skeleton.h"

/* Beside the clips of a file. */
#define SKELETON_FILE "skeleton.qsk"

struct skeleton_file {
  unsigned char *data;
  size_t size;
  quatsimd_skeleton *skeleton; /* null: there is none */
  quatsimd_skeleton_storage *storage;
  char **human;  /* each joint's as of nodes, of a file that has them; null: of none */
  bool backward; /* as of scenes */
  int up;        /* as of scenes; 0 of a .qsk */
};

/* Does the name end as those of skeletons? */
bool skeleton_file_has_name(const char *name);
/* Is it one, by its content or else by its name? */
bool skeleton_file_is(const char *path);

/* Returns false and complains of what is wrong. */
bool skeleton_file_read(const char *path, struct skeleton_file *file);
/* Encodes a skeleton of the file at path. Returns false and complains if there can be none. */
bool skeleton_file_make(const char *path, const quatsimd_skeleton_source *source, struct skeleton_file *file);
void skeleton_file_copy(struct skeleton_file *to, const struct skeleton_file *from);
/* The names of joints, or of tracks, as they are shown. */
cJSON *skeleton_file_names(const quatsimd_skeleton *skeleton, bool tracks);
bool skeleton_file_is_same(const struct skeleton_file *a, const struct skeleton_file *b);
void skeleton_file_free(struct skeleton_file *file);

#endif
