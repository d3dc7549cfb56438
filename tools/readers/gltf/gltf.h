/* glTF 2.0 files: their JSON, and the numbers behind its accessors. */
#ifndef GLTF_H
#define GLTF_H

#include <cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json_span.h"
#include "readers/readers.h"
#include "terminal/message.h"

/* An array of the JSON, whose items are quick to find. */
struct gltf_list {
  size_t count;
  const cJSON **item;
};

struct gltf {
  const char *path;
  cJSON *tree;
  struct gltf_list accessors, views, buffers;
  /* the buffers that were needed so far (private), the file, where in it the JSON is and what a .glb has
   * of binary */
  struct gltf_bytes {
    unsigned char *bytes;
    size_t size;
  } * buffer, file, json, binary;
  struct gltf_bytes *view;   /* of bufferViews that are compressed: what they have, once it was needed */
  uint64_t loaded, unpacked; /* the sizes of those buffers and of those views, added up */
  uint64_t spent;            /* bytes of numbers that were taken out of accessors */
  uint64_t memory;           /* bytes of all of this, and of the tree */
  char error[240];           /* what was wrong, of functions that return false or null without a complaint */
};

/* Of reader_gltf. */
bool gltf_scene(const char *path, struct scene *scene);
bool gltf_reach(const char *path, struct reach *reach);

/* Reads the JSON. Returns false and complains if that fails or it is not glTF 2.0. The file is an input
 * (files/inputs.h), and so are the files that it names as a `uri`. */
bool gltf_open(struct gltf *gltf, const char *path);
/* The same of the files that it names, without a complaint if it cannot be read. */
void gltf_note_files(const char *path);
void gltf_close(struct gltf *gltf);

/* The array of that name, empty if there is none; its items are to be freed. */
struct gltf_list gltf_list(const cJSON *object, const char *name);

/* The text of that name; "" if there is none. */
const char *gltf_text(const cJSON *object, const char *name);

/* The extras of an animation, as they are in the file but that they are UTF-8; to be freed. Null: none. */
char *gltf_extras(struct json_span animation);

/* The number of that name. False if it is not a whole number below `end`. */
bool gltf_index(const cJSON *object, const char *name, size_t end, size_t *index);

/* The same of a size, 0 if there is none of that name; so small that two of them add up. */
bool gltf_size(const cJSON *object, const char *name, size_t *size);

/* True if the file has the name in that array: "extensionsUsed" and the like. */
bool gltf_lists(const struct gltf *gltf, const char *array, const char *name);

/* Keeps what is wrong for whoever knows what was being read. Returns false. */
PRINTF_LIKE(2, 3) bool gltf_fail(struct gltf *gltf, const char *format, ...);
/* Puts where that was before it. Returns false. */
PRINTF_LIKE(2, 3) bool gltf_fail_in(struct gltf *gltf, const char *format, ...);

/* Counts memory that the file takes. False and gltf->error if it may not take so much. */
bool gltf_may_take(struct gltf *gltf, uint64_t bytes);

/* Counts memory for numbers of accessors, which may overlap, or be made up. False and gltf->error if they are
 * out of all proportion to the file. */
bool gltf_spend(struct gltf *gltf, uint64_t bytes);

/* False if a buffer is in a file outside of this one's folder, and options do not allow that. */
bool gltf_may_read(const struct gltf *gltf, size_t b);
/* Reads what a buffer says it is, once. Null and gltf->error if that fails. */
const struct gltf_bytes *gltf_buffer(struct gltf *gltf, size_t buffer);

/* Where bytes of a bufferView, or its compressed ones, are in a buffer. False if the object does not say. */
struct gltf_place {
  size_t buffer, start, size;
};
bool gltf_find_place(const struct gltf *gltf, const cJSON *object, struct gltf_place *place);

/* A bufferView's bytes, whether or not it is compressed; they are decoded once, and live as long as the gltf.
 * False and gltf->error if there are none. */
bool gltf_view_bytes(struct gltf *gltf, size_t view, struct gltf_bytes *bytes);

/* The bytes of a bufferView in the file, compressed or not; 0 if it does not say. */
size_t gltf_view_size(const struct gltf *gltf, size_t view);

/* Has a buffer only what compressed bufferViews have, for readers that do not decode them? */
bool gltf_is_fallback(const cJSON *buffer);

/* A skin's joints, as nodes of the file, and their inverse bind matrices by rows. */
struct gltf_skin {
  size_t count, *node;
  double (*matrix)[12];
};
/* Reads one, to be freed in any case. nodes: how many the file has. False and gltf->error if it is broken. */
bool gltf_take_skin(struct gltf *gltf, const cJSON *from, size_t nodes, struct gltf_skin *skin);
void gltf_free_skin(struct gltf_skin *skin);

/* gltf_weights.c: the morph targets of all nodes become tracks of the scene, whether or not an animation
 * moves them. place: of each node of the file, where the scene has it. False and a complaint if that takes
 * too much memory. */
bool gltf_take_tracks(struct gltf *gltf, const struct gltf_list *nodes, const size_t *place,
                      struct scene *scene);

/* The first track of a node of the scene, and how many it has. */
size_t gltf_tracks_of(const struct scene *scene, size_t node, size_t *count);

/* Ends the animation behind the scene's last one. good: it is one of them from now on, with its extras from
 * its JSON in `text`; else gltf->error is complained of, and it is freed. */
void gltf_add_animation(struct gltf *gltf, struct scene *scene, struct json_span text, bool good);

/* Says in *target what an animation's channel moves, directly or by KHR_animation_pointer. False if that is a
 * node that is not among `nodes`. */
struct gltf_target {
  int kind;     /* SCENE_KINDS: no node's rotation, translation or scale, but `other` */
  bool weights; /* it is the weights of the node's morph targets */
  size_t node;
  const char *other;
};
bool gltf_target(const cJSON *channel, size_t nodes, struct gltf_target *target);

/* The elements of an accessor as floats, `width` each, to be freed; null and gltf->error if they cannot be
 * read. Integers must be normalized ones, as rotations may be. */
float *gltf_floats(struct gltf *gltf, size_t accessor, size_t width, size_t *count);
/* The same of attributes of meshes: integers that are not normalized are taken as they are. */
float *gltf_numbers(struct gltf *gltf, size_t accessor, size_t width, size_t *count);

#endif
