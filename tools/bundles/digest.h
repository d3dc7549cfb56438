/* Hashes by which a second run knows that a bundle is as it should be. */
#ifndef BUNDLE_DIGEST_H
#define BUNDLE_DIGEST_H

#include "clips/encode.h"

/* The options that clips are made with, and the version that makes them; to be freed. recipe: the hash of the
 * recipe; null: there is none. release: as of making_text. */
char *making_options(const struct clip_settings *settings, const char *recipe, bool release);

/* The skeleton and the mesh that files share, as a part of a digest; to be freed. */
char *making_skeleton(const struct clip_settings *settings);

/* Returns XXH3 of a file and of those that it refers to, to be freed; null and a complaint if it cannot be
 * read. */
char *making_hash(const char *path);
/* The same of a file alone, whatever it is. */
char *making_hash_of_bytes(const char *path);
/* The digest of a bundle that is made of files with these hashes; to be freed. */
char *making_digest(const char *options, char *const *hashes, size_t count);

#endif
