/* Bundles (quatsimd/bundle.h): .qsb, in memory and in files. */
#ifndef CLIPS_BUNDLE_H
#define CLIPS_BUNDLE_H

#include "bundles/file.h"
#include "bundles/making.h"
#include "quatsimd/bundle.h"

struct bundle_file {
  unsigned char *data;
  size_t size;
  quatsimd_bundle *bundle; /* null: there is none */
  quatsimd_bundle_storage *storage;
};

/* Does the name end as those of bundles? */
bool bundle_file_has_name(const char *name);
/* True if it is one, by its content or else by its name, or glTF, which may have one. */
bool bundle_file_is(const char *path);
/* Of glTF that which it has. Returns false and complains of what is wrong. */
bool bundle_file_read(const char *path, struct bundle_file *file);
void bundle_file_free(struct bundle_file *file);

/* A clip that goes into a bundle. */
struct bundle_part {
  const char *name, *from; /* there; what a complaint calls where it comes from */
  const void *data;
  size_t size;
  const quatsimd_bundle_event *event;
  size_t events;
};

struct bundle_masks {
  size_t count;
  const quatsimd_bundle_mask_entry *mask;
};

/* Makes a bundle for the file at path. No two parts have the same name. masks: null: none.
 * making: its record; null: none. False
 * and a complaint if there can be none. */
bool bundle_file_make(const char *path, const struct skeleton_file *skeleton, const struct bundle_part *part,
                      size_t count, const struct bundle_masks *masks, const char *making,
                      struct bundle_file *file);
/* False and a complaint if it cannot be written; then what was there before stays. */
bool bundle_file_write(const char *path, const struct bundle_file *file);

/* The place of a bundle that is to be made, and the bundle that is there. */
struct bundle_place {
  bool current;            /* that bundle was made in the same way */
  const char *why;         /* it must be replaced; null: there is none, or it is current */
  struct bundle_file file; /* and what it says of itself */
  struct making making;
};
/* False and a complaint if something else is there. */
bool bundle_place_look(struct bundle_place *place, const char *path, const char *digest, const char *options);
void bundle_place_free(struct bundle_place *place);

/* Opens a clip, which points into the bundle; its size is that of its record. False if there is none. */
bool bundle_file_open_clip(const struct bundle_file *file, const char *name, struct clip_file *clip);
/* Returns the bytes of a clip's record; 0 if there is no such clip. */
size_t bundle_file_clip_size(const struct bundle_file *file, const char *name);
/* Copies the skeleton. */
void bundle_file_take_skeleton(const struct bundle_file *file, struct skeleton_file *skeleton);

#endif
