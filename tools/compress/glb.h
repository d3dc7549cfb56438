/* The work of `quatsimd compress --glb`: a glTF file again, with its animations as a bundle in it. */
#ifndef CLIP_GLB_H
#define CLIP_GLB_H

#include "recipe/prepare.h"

struct glb {
  const struct clip_settings *settings;
  struct recipe *recipe;         /* null: there is none */
  const struct collected *files; /* one */
  const char *path, *out;
  struct bounds_asked asked;    /* of clips that have none of their own */
  struct clip_result *result;   /* what is in the bundle */
  size_t count, empty, bad;     /* of these; animations that do not move; animations that failed */
  size_t kept;                  /* animations that stay as they are */
  size_t before;                /* bytes of the file, and of those beside it that the output has */
  size_t bundle, bytes;         /* of the bundle and of the output */
  struct gltf_rewrite *rewrite; /* the file */
};

/* With the members up to out. False if anything was wrong, and complained of; written says whether the
 * output is there. */
bool glb_make(struct glb *glb, bool *written);
void glb_free(struct glb *glb);

#endif
