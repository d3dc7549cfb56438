/* Manifests: the clips that `quatsimd compress` made of a file, in a file beside them: so that it need not be
 * made again, and for reports. */
#ifndef MANIFEST_H
#define MANIFEST_H

#include "clips/encode.h"

#define MANIFEST_FILE "quatsimd.json"
enum { MANIFEST_VERSION = 1 };
#define MANIFEST_NONE ((size_t)-1)

/* An animation as the manifest has it. */
struct manifest_clip {
  char *name, *output; /* of the animation; of the file, beside the manifest */
  size_t number;       /* in the file; MANIFEST_NONE: it does not say */
  size_t joints, frames, keys[QUATSIMD_CLIP_KIND_COUNT], bytes;
  double track_worst, track_share, seconds, worst[CLIP_CHECK_ERRORS]; /* radians, lengths, none, length */
  double moved;                                                       /* seconds, as clip_source_move */
  double share[CLIP_CHECK_ERRORS]; /* of its bound, the largest of any joint */
  bool loop;
  char *extras;  /* as of clip_result */
  char hash[17]; /* XXH64 of the output, in lower case */
};

/* A file beside the manifest. */
struct manifest_file {
  char *output; /* its name; null: there is none */
  size_t bytes;
  char hash[17]; /* XXH64 of it, in lower case */
};

/* The animation that the clips are relative to. */
struct manifest_base {
  char *path, *hash; /* of its file, as compress was given it; null: there is none */
  size_t number;     /* there */
};

struct manifest {
  char *input, *path; /* the last part of its path; all of it, as compress was given it, or "" */
  char *hash;         /* of the input's content; "": a run replaces the files, or could not end */
  char *options;      /* that clips are made with */
  struct bounds bounds;
  double track_bound;         /* 0: it does not say */
  struct joint_bounds joints; /* that have bounds of their own, in the file's unit */
  struct manifest_base base;
  size_t left_out, empty;                  /* animations that could not be encoded; without such curves */
  size_t missed;                           /* animations whose clips are beyond a bound */
  struct manifest_file skeleton, bundle;   /* the joints of the clips; these and the clips in one */
  size_t skeleton_joints, curves_left_out; /* its joints; curves of nodes that have no joint there */
  size_t count;
  struct manifest_clip *clip;
};

/* The options that clips are made with, and the version that makes them; to be freed. */
char *manifest_options(const struct clip_settings *settings);

/* XXH3 of a file and of those that it refers to, to be freed; null and a complaint if it cannot be read. */
char *manifest_hash(const char *path);

/* XXH64 of bytes, in hexadecimal digits. */
void manifest_hash_bytes(char digits[17], const void *bytes, size_t size);

/* Reads the manifest of a folder that compress wrote. False if there is none or it is not as compress
 * writes it. */
bool manifest_read(const char *folder, struct manifest *manifest);

/* The same of one that this run found or wrote, for clips with these options. False and a complaint if that
 * fails. */
bool manifest_read_back(const char *folder, const char *options, struct manifest *manifest);

/* Reads any manifest, whose members may be missing: "", 0. False and a complaint if it is none. */
bool manifest_read_any(const char *path, struct manifest *manifest);

/* False and a complaint if the file is JSON, but not a manifest of this version: it may be of a later version
 * or of another program. A file that is not JSON is taken for a damaged manifest. */
bool manifest_may_be_replaced(const char *path);

/* Does it say that the folder has the clips and the skeleton of such an input, and is it true? */
bool manifest_is_current(const struct manifest *manifest, const char *folder, const char *hash,
                         const char *options);

/* The text of the manifest of clips made with these settings; to be freed. */
char *manifest_text(const struct manifest *manifest, const struct clip_settings *settings);

/* Forgets the clips, the skeleton and the bundle, because they could not be written. */
void manifest_drop_files(struct manifest *manifest);

void manifest_free(struct manifest *manifest);

#endif
