/* Bundles (quatsimd/bundle.h) as `quatsimd compress --bundle` writes them: .qsb, in memory and in files. */
#ifndef CLIPS_BUNDLE_H
#define CLIPS_BUNDLE_H

#include "clips/compress.h"
#include "quatsimd/bundle.h"

struct bundle_file {
  unsigned char *data;
  size_t size;
  quatsimd_bundle *bundle; /* null: there is none */
  quatsimd_bundle_storage *storage;
};

/* Does the name end as those of bundles? */
bool bundle_file_has_name(const char *name);
/* Is it one, by its content or else by its name? glTF may have one. */
bool bundle_file_is(const char *path);
/* Of glTF that which it has. Returns false and complains of what is wrong. */
bool bundle_file_read(const char *path, struct bundle_file *file);
void bundle_file_free(struct bundle_file *file);

/* A clip that goes into a bundle. */
struct bundle_part {
  char *name, *from; /* there; what a complaint calls where it comes from */
  const void *data;
  size_t size;
};

/* Makes a bundle of the file at path. Equal names get numbers. False and a complaint if there can be none. */
bool bundle_file_make(const char *path, const struct skeleton_file *skeleton, const struct bundle_part *part,
                      size_t count, struct bundle_file *file);

/* The name of a clip in a bundle: that of its animation, or of its file, `output`, where that has none. To be
 * freed. */
char *bundle_clip_name(const char *animation, const char *output);
/* The name of the bundle of a file: a/knight.glb has knight.qsb, as names_safe makes it. To be freed. */
char *bundle_file_name(const char *path);

/* Writes OUT/NAME.qsb, of the clips that all files have in OUT, where these have one skeleton, that of the
 * file NAME. Prints what it is, or that it is up to date, unless silent. False and a complaint if that
 * fails, and then what was there before stays. *bytes gets its size. */
bool bundle_all(const struct compress *compress, bool silent, size_t *bytes);

#endif
