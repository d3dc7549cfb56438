/* The JSON of glTF, changed where it has to be: all else keeps its digits and its escapes. */
#ifndef GLTF_EDIT_H
#define GLTF_EDIT_H

#include "readers/gltf/gltf.h"

/* Below this item texts and numbers become what the file has, which cJSON would write otherwise: no number
 * can be read from now on. */
void gltf_keep_literals(struct gltf *gltf);

/* Sets a member, in its place if it is there. */
void gltf_set_number(cJSON *object, const char *name, size_t n);

/* Appends an object to an array, which there may not be yet. */
cJSON *gltf_append(cJSON *object, const char *array);

/* Up to a multiple of 4. */
size_t gltf_padded(size_t size);

/* Behind the chunks of JSON and binary; nothing in a .gltf. */
struct gltf_bytes gltf_other_chunks(const struct gltf *gltf);

/* A word to the wise if the output is in another folder and the file names others, which are looked for
 * beside it. taken: of each buffer, whether the output has it; null: none. */
void gltf_mention_files(const struct gltf *gltf, const char *output, const bool *taken);

/* Writes a .glb of JSON, binary and other chunks, and makes its folder. text: null if there was no memory.
 * False and a complaint if that fails. */
bool gltf_write_glb(const char *path, const char *text, const struct gltf_bytes *binary,
                    const struct gltf_bytes *others);

#endif
