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

/* Writes a .glb of JSON, binary and other chunks, and makes its folder. text: null if there was no memory.
 * False and a complaint if that fails. */
bool gltf_write_glb(const char *path, const char *text, const struct gltf_bytes *binary,
                    const struct gltf_bytes *others);

/* ---- gltf_references.c: where glTF refers to animations, accessors, bufferViews and buffers by their
 * numbers: itself, and in extensions ---- */

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

/* ---- gltf_cut.c: the bytes of buffers in one, without those that only bufferViews have that go ---- */

/* Where one bufferView's bytes are, or the compressed ones that it has elsewhere. */
struct gltf_range {
  size_t view;
  cJSON *holder; /* that says it, with its byteOffset */
  struct gltf_place at;
  bool goes;
};

struct gltf_cut {
  bool *taken;           /* of each buffer: its bytes are here; others stay as they are. The cut's own */
  struct gltf_bytes all; /* with room for more behind */
  size_t pieces;
  struct gltf_piece { /* rising in their buffer, and buffers one after another */
    size_t buffer, start, end, to;
  } * piece;
};

/* Reads the buffers that are taken. False and a complaint if they have not what they say. */
bool gltf_cut_check(struct gltf *gltf, const struct gltf_range *range, size_t ranges,
                    const struct gltf_cut *cut);
/* Then: takes their bytes, and of what goes leaves out only whole multiples of 8: so all alignment stays.
 * room: bytes to be free behind them. */
void gltf_cut_make(const struct gltf *gltf, const struct gltf_range *range, size_t ranges, size_t room,
                   struct gltf_cut *cut);
void gltf_cut_free(struct gltf_cut *cut);

/* Where a byte is that stays. */
size_t gltf_cut_place(const struct gltf_cut *cut, size_t buffer, size_t at);

#endif
