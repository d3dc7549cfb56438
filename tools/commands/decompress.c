/* quatsimd decompress: a clip back into the file it was made of, or as arrays. */
#include <stdio.h>
#include <stdlib.h>

#include "clips/origin.h"
#include "commands/command.h"
#include "readers/decompress.h"
#include "base/file.h"
#include "readers/gltf.h"
#include "base/message.h"
#include "base/quantity.h"
#include "base/text.h"

struct request {
  const char *clip;
  char *into, *output, *animation; /* null where not given */
  int arrays;
};

/* A manifest that is broken is no harm where it need not say which one. */
static size_t choose_animation(const struct request *r, const struct clip_file *file,
                               const struct scene *scene) {
  struct clip_origin origin;
  if (!clip_origin_read(file, &origin) && !r->animation && scene->animations > 1) return SCENE_NONE;
  clip_origin_compare(&origin, r->clip, r->into);
  const size_t chosen = clip_origin_choose(&origin, r->into, scene, r->animation);
  clip_origin_free(&origin);
  return chosen;
}

/* Into the file. ----------------------------------------------------------------------------------------- */

typedef bool writer(const struct decompressed *d, const char *output);

/* By the names of both; null and a complaint if there is none. */
static writer *choose_writer(const struct request *r) {
  const bool glb = file_name_ends(r->output, ".glb"), bvh = file_name_ends(r->into, ".bvh");
  if (!file_is_regular(r->into)) return NULL;
  if (gltf_recognise(r->into)) {
    if (glb || file_name_ends(r->output, ".gltf")) return decompress_gltf;
    complain(r->output, "%s is glTF and stays glTF: the name must end in .glb or .gltf", r->into);
  } else if (bvh && file_name_ends(r->output, ".bvh")) return decompress_bvh;
  else if (glb) return decompress_assimp;
  else
    complain(r->output, "of %s comes a .glb%s, and the name must end so", r->into, bvh ? " or a .bvh" : "");
  return NULL;
}

/* What was done, and how far that is from what was there. */
static void report(const struct request *r, const struct decompressed *d) {
  static const char *const names[] = {"rotations", "translations", "scales"};
  char *clean = text_clean(r->output);
  printf("%s: %s key%s of animation %zu%s%s\n", clean, text_number(d->keys->keys),
         d->keys->keys == 1 ? "" : "s", d->animation->number, *d->animation->name ? ", " : "",
         d->animation->name);
  free(clean);
  for (int kind = 0; kind < SCENE_KINDS; kind++) {
    const double worst = d->keys->error[kind].worst * (kind == SCENE_ROTATION ? DEGREES : 1);
    if (d->keys->count[kind] == 0) continue;
    if (!d->keys->taken[kind]) printf("%s: as they were, the clip has none\n", names[kind]);
    else printf("%s: at most %.3g%s off\n", names[kind], worst, kind == SCENE_ROTATION ? " degrees" : "");
  }
}

static bool same_joints(const struct request *r, const quatsimd_clip *clip, const struct skeleton *skeleton) {
  if (quatsimd_clip_joints(clip) == skeleton->joints) return true;
  complain(r->clip, "has %s joints, and %s has %s: it is a clip of another file",
           text_number(quatsimd_clip_joints(clip)), r->into, text_number(skeleton->joints));
  return false;
}

static bool write_into(const struct request *r, const struct clip_file *file, struct skeleton *skeleton,
                       writer *write) {
  const quatsimd_clip *clip = file->clip;
  struct clip_keys keys;
  if (!same_joints(r, clip, skeleton)) return false;
  const size_t animation = choose_animation(r, file, &skeleton->scene);
  if (animation == SCENE_NONE || !clip_keys_decode(skeleton, animation, r->into, clip, r->clip, &keys))
    return false;
  const struct decompressed d = {r->into, &skeleton->scene, &skeleton->scene.animation[animation], &keys};
  if (!write(&d, r->output)) return false;
  report(r, &d);
  return true;
}

/* Arrays. ------------------------------------------------------------------------------------------------ */

static bool write_arrays(const struct request *r, const quatsimd_clip *clip,
                         const struct skeleton *skeleton) {
  if (skeleton && !same_joints(r, clip, skeleton)) return false;
  if (!decompress_arrays(clip, skeleton, r->output)) return false;
  char *clean = text_clean(r->output);
  printf("%s: %s frames of %s joints%s\n", clean, text_number(quatsimd_clip_frames(clip)),
         text_number(quatsimd_clip_joints(clip)),
         quatsimd_clip_is_additive(clip) ? ", to be added to a pose" : "");
  free(clean);
  return true;
}

static bool decompress(const struct request *r) {
  struct clip_file file;
  struct skeleton skeleton = {0};
  if (!clip_file_read(r->clip, &file)) return false;
  writer *write = r->arrays ? NULL : choose_writer(r);
  bool good = (r->arrays || write) && (!r->into || skeleton_read(r->into, &skeleton));
  if (good)
    good = write ? write_into(r, &file, &skeleton, write)
                 : write_arrays(r, file.clip, r->into ? &skeleton : NULL);
  skeleton_free(&skeleton);
  clip_file_free(&file);
  return good;
}

/* Options. ----------------------------------------------------------------------------------------------- */

static int check(const struct request *r) {
  if (!r->output) return usage_error("decompress", "there is no -o, which says where to write");
  if (!r->into && !r->arrays)
    return usage_error("decompress", "there is neither --into nor --arrays, which say what to write");
  if (!r->arrays && (file_is_same(r->output, r->into) || file_is_same(r->output, r->clip)))
    return usage_error("decompress", "-o %s is what it is made from, and would be lost", r->output);
  if (r->animation && r->arrays)
    return usage_error("decompress", "--arrays takes the clip as it is, --animation does not go with it");
  return STATUS_OK;
}

static int run(int argc, const char **argv) {
  struct request r = {0};
  int status;
  const struct poptOption options[] = {{"into", 0, POPT_ARG_STRING, &r.into, 0, NULL, NULL},
                                       {"output", 'o', POPT_ARG_STRING, &r.output, 0, NULL, NULL},
                                       {"animation", 0, POPT_ARG_STRING, &r.animation, 0, NULL, NULL},
                                       {"arrays", 0, POPT_ARG_NONE, &r.arrays, 0, NULL, NULL},
                                       COMMON_OPTIONS};
  struct arguments a;
  if (arguments_parse(&a, &command_decompress, argc, argv, options, 1, 1, &status)) {
    r.clip = a.operands[0];
    status = check(&r);
    if (status == STATUS_OK && !decompress(&r)) status = STATUS_BAD_INPUT;
  }
  free(r.into);
  free(r.output);
  free(r.animation);
  arguments_free(&a);
  return status;
}

const struct command command_decompress = {
    "decompress",
    "put a clip back into the file it was made of, to be looked at",
    "Usage: quatsimd decompress CLIP --into ORIGINAL -o OUT\n"
    "                           [--animation NAME|NUMBER]\n"
    "       quatsimd decompress CLIP --arrays [--into ORIGINAL] -o DIR\n"
    "\n"
    "CLIP is what `quatsimd compress` or `clip -o` writes (.qsc), ORIGINAL the file\n"
    "it was made of: the names and the bones are there, not in the clip. OUT is\n"
    "ORIGINAL with the keys of one animation replaced by what the clip gives at\n"
    "their times, for any viewer to show; it is another file, so that none is lost.\n"
    "How far they are from the keys of ORIGINAL is printed.\n"
    "\n"
    "  --into ORIGINAL    glTF becomes glTF, .glb or .gltf as OUT ends: keys go to\n"
    "                     new accessors, all else stays as it is. BVH becomes BVH\n"
    "                     (.bvh): only the numbers change. Whatever else Assimp\n"
    "                     reads, and BVH as well, becomes the .glb that Assimp\n"
    "                     makes of it\n"
    "  --animation NAME|NUMBER\n"
    "                     of ORIGINAL, counted from 0. Without it: the only one of\n"
    "                     ORIGINAL, or the one that quatsimd.json beside CLIP says\n"
    "  --arrays           NumPy's .npy instead, at the clip's own frames, float32:\n"
    "                       DIR/rotations.npy     (frames, joints, 4), x, y, z, w\n"
    "                       DIR/translations.npy  (frames, joints, 3)\n"
    "                       DIR/scales.npy        (frames, joints, 3)\n"
    "                       DIR/times.npy         (frames,), seconds, float64\n"
    "                     and with --into the joints' names and parents, which are\n"
    "                     joints too, or -1:\n"
    "                       DIR/joints.json\n"
    "                     There is no array of what the clip has no curves of\n"
    "  -o, --output OUT   where to write. An existing file is replaced when the new\n"
    "                     one is whole. DIR is made if it is not there\n"
    "  -h, --help         this text\n"
    "\n"
    "Kinds of curves (rotations, translations, scales) that the clip has none of\n"
    "stay as they are in ORIGINAL. An additive clip is added to the first keys of\n"
    "ORIGINAL; as arrays it stays what is to be added. Times are those of ORIGINAL:\n"
    "between keys a viewer goes its own way. In a .gltf and a .glb the old keys\n"
    "remain, unused.\n"
    "\n"
    "Examples:\n"
    "  quatsimd clip --rotation 0.5deg -o clips hero.glb\n"
    "  quatsimd decompress clips/Walk.qsc --into hero.glb --animation Walk -o n.glb\n"
    "  quatsimd decompress clips/Motion.qsc --into walk.bvh -o new.bvh\n"
    "  quatsimd decompress clips/Walk.qsc --arrays --into hero.glb -o walk\n",
    run,
};
