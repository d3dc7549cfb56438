/* Where glTF refers to animations, accessors, bufferViews and buffers by their numbers: itself, and in
 * extensions. */
#ifndef GLTF_REFERENCES_H
#define GLTF_REFERENCES_H

#include "readers/gltf/gltf.h"

enum gltf_array { GLTF_ANIMATIONS, GLTF_ACCESSORS, GLTF_VIEWS, GLTF_BUFFERS, GLTF_ARRAYS };
extern const char *const gltf_arrays[GLTF_ARRAYS]; /* their names */

struct gltf_reference {
  cJSON *item;              /* the number */
  enum gltf_array from, to; /* GLTF_ARRAYS: from something else */
  size_t from_number, to_number;
};
struct gltf_references {
  size_t count;
  struct gltf_reference *of;
};

/* Finds them all, rising by `to`. False and a complaint if one is no number of the array. */
bool gltf_find_references(const struct gltf *gltf, struct gltf_references *all);

/* The name of an extension that the file has and that is not known here: it may have references that are not
 * among them. Null if there is none. */
const char *gltf_unknown_extension(const cJSON *tree);

/* The name of an unknown one that seems to refer to animations by their numbers, and in where->text the place
 * of the first such number or JSON pointer. Null: none does. */
struct gltf_where {
  size_t length;
  char text[400];
};
const char *gltf_unknown_extension_of_animations(const cJSON *tree, struct gltf_where *where);

/* The name of one that starts animations by numbers that it computes; null if there is none. */
const char *gltf_extension_of_animations(const cJSON *tree);

#endif
