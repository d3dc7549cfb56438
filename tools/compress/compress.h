/* The work of `quatsimd compress`: reads files, encodes their animations on threads, and writes bundles. */
#ifndef COMPRESS_H
#define COMPRESS_H

#include "bundles/bundle.h"
#include "clips/encode.h"
#include "files/collect.h"
#include "recipe/prepare.h"
#include "terminal/message.h"

/* A file, and the animations that were encoded of it. */
struct compressed_file {
  const struct collected_file *file;
  char *hash;                    /* as of made_file */
  struct made_bounds bounds;     /* of clips that have none of their own */
  struct skeleton_file skeleton; /* its own; empty if all have that of the settings */
  size_t first, count;           /* of the results */
  size_t failed, missed, empty;  /* animations that have no clip; beyond a bound; without such curves */
  size_t curves_left_out;        /* of nodes that have no joint */
  bool *needed;                  /* each joint that a mesh needs; null: there is none, or nobody looked */
  double metres;                 /* one of its unit; 0: not known */
  const char *bundle;            /* the path of that which was written; null: none */
  bool by_hand;                  /* vertices have another bound than that of the mesh (joint_bound) */
  bool read;
};

/* A bundle that was written, or found as it should be. */
struct compressed_bundle {
  char *path;
  size_t bytes, record, clips; /* without the record; of the record */
  size_t idle, idle_bytes;     /* joints that no mesh needs, and about the bytes that they take */
  bool current;
};

/* A clip of a recipe, beside its result. */
struct compressed_clip {
  bool own;     /* it has bounds or a base of its own: `bounds` */
  bool by_hand; /* as of the file */
  struct made_bounds bounds;
  const struct clip_base *base;   /* null: none */
  struct animation_change change; /* the recipe's */
};

/* A file or an animation that failed, or all files that could not be found. */
struct compress_failure {
  char *path;
  const char *reason; /* for programs (docs/command.md) */
  struct messages messages;
};

struct compress {
  const struct clip_settings *settings;
  struct recipe *recipe; /* null: there is none */
  const struct collected *files;
  const char *out; /* a bundle, or a folder of bundles; null: nothing is written */
  bool one;        /* a bundle of all files */
  bool release;    /* bundles do not say what they were made of */
  bool partial;    /* bundles are written without the animations that failed */
  bool silent;     /* no line for each bundle */
  bool again;      /* clips are needed afterwards: bundles that are current are made again */
  size_t threads;

  /* The results. */
  struct recipe_run run; /* of the recipe */
  char *options;
  struct compressed_file *done; /* in the order of the files */
  size_t done_count;
  struct clip_result *result; /* of files that are current, what their bundles say */
  struct compressed_clip *of; /* each result's */
  size_t count;
  struct compressed_bundle *bundle;
  size_t bundles;
  struct compress_failure *failure; /* in the order of the files */
  size_t failures;
  size_t failed; /* animations and files */
  bool unmet;    /* some entry of the recipe met nothing */
  double seconds;
};

/* With the members up to threads. Returns false if anything was wrong, and complained of. */
bool compress_run(struct compress *c);
void compress_free(struct compress *c);

#endif
