/* The record of the making in a bundle: what its clips were made of, within which bounds, and how far they
 * are off. It makes a second run short, and gives `verify`, `info` and reports what they say. */
#ifndef MAKING_H
#define MAKING_H

#include "clips/encode.h"
#include "quatsimd/bundle.h"

enum { MAKING_VERSION = 1 };

/* The animation that clips are relative to. */
struct made_base {
  char *path, *hash; /* of its file; null: there is none, or the record does not say */
  size_t number;
  struct animation_change change;
};

/* The bounds of clips, in the unit of their file, and what they are relative to. */
struct made_bounds {
  struct bounds bounds;
  double mesh; /* of vertices; 0: none */
  double track_bound;
  struct joint_bounds joints; /* that have bounds of their own */
  struct made_base base;
};

struct made_clip {
  char *clip, *name; /* its name in the bundle; that of the animation */
  size_t number;     /* of the animation in its file; SCENE_NONE: the record does not say (--release) */
  bool own;          /* it has bounds of its own */
  struct made_bounds bounds;
  struct animation_change change; /* what it is made of is so much of the animation */
  double closed;                  /* seconds of the frame that closes the loop; 0: none */
  size_t keys[QUATSIMD_CLIP_KIND_COUNT];
  double seconds, moved, worst[CLIP_CHECK_ERRORS], share[CLIP_CHECK_ERRORS], track_worst, track_share;
  char *extras, *nearest;
  double nearest_share, nearest_time; /* these members are as of clip_result */
};

/* A file of animations. Lengths are in its unit. */
struct made_file {
  char *path;                /* to open it; null: the record does not say */
  char *name;                /* below its folder, as struct collected_file */
  char *hash;                /* of its bytes (making_hash) */
  struct made_bounds bounds; /* of clips that have none of their own */
  size_t empty;              /* animations without such curves, which have no clip */
  size_t count;
  struct made_clip *clip;
};

struct making {
  char *digest;  /* of all that was read, the options and the version; null: there is no record */
  char *options; /* null: the record does not say */
  struct scene_changes changes;
  size_t count;
  struct made_file *file;
};

/* The record of a bundle at `path`, whose folder exists: origins are relative to it. To be freed. release:
 * without origins, errors and extras. */
char *making_text(const struct making *making, const char *path, const quatsimd_skeleton *skeleton,
                  bool release);

/* Reads the record of the bundle at `path`, of which any member may be missing. Origins become paths from the
 * current folder. */
void making_read(struct making *making, const char *path, const quatsimd_bundle *bundle);
void making_free(struct making *making);

/* The bounds of a clip of a file. */
const struct made_bounds *made_bounds_of(const struct made_file *file, const struct made_clip *clip);

#endif
