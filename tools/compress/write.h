/* Notes what a run made, and writes bundles of it. */
#ifndef COMPRESS_WRITE_H
#define COMPRESS_WRITE_H

#include "compress/compress.h"

/* Adds a result, which it takes. */
void compress_add(struct compress *c, const struct clip_result *result, const struct compressed_clip *of);
/* Notes a bundle that is at a path, and says so. Returns the path, which the run keeps. */
const char *compress_note_bundle(struct compress *c, const char *path, const struct bundle_file *bundle,
                                 size_t clips, bool current);
/* Notes so many failures, with a copy of the messages. */
void compress_note_failure(struct compress *c, const char *path, const char *reason,
                           const struct messages *messages, size_t count);

/* False and a complaint if a name that a recipe gives, or a file, is another clip's, too. recipe: null if
 * there is none. */
bool compress_names_differ(const struct recipe *recipe, const struct clip_result *result, size_t count);

/* Writes a bundle of all clips of the files, unless some could not be made. why: the reason to replace a
 * former one; null: there is none. A bundle that fails though all its clips are good is a failure of its
 * own. */
bool compress_write(struct compress *c, const char *path, struct compressed_file *done, size_t files,
                    const char *digest, const char *why);

#endif
