/* quatsimd decompress: a clip back into the file it was made of, or as arrays. */
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/message.h"
#include "base/names.h"
#include "base/quantity.h"
#include "base/text.h"
#include "clip/inspect.h"
#include "clips/arrays.h"
#include "clips/base.h"
#include "clips/keys.h"
#include "clips/origin.h"
#include "commands/command.h"
#include "readers/limits.h"
#include "readers/readers.h"

struct request {
  const char *clip, *name;                      /* the file; in a bundle, of the clip, or null */
  const char *into, *output, *animation, *base; /* null where not given */
  bool arrays;
};

/* base: of clips that are additive to one, read. */
static size_t choose_animation(const struct request *r, const struct given_clip *given,
                               const struct scene *scene, struct clip_base *base) {
  const struct clip_origin *origin = &given->origin;
  const size_t chosen = clip_origin_choose(origin, r->into, scene, r->animation);
  if (chosen != SCENE_NONE && quatsimd_clip_additive(given->clip.clip) == QUATSIMD_CLIP_ADDITIVE_BASE &&
      !clip_base_find(r->base, r->clip, origin->file ? &made_bounds_of(origin->file, origin->clip)->base : NULL, NULL, base))
    return SCENE_NONE;
  return chosen;
}

/* Into the file. ----------------------------------------------------------------------------------------- */

/* The reader of the file, if it can write a copy that ends as the output does; null and a complaint
 * otherwise. */
static const struct reader *choose_reader(const struct request *r) {
  const struct reader *reader = file_is_regular(r->into) ? reader_of(r->into) : NULL;
  if (!reader) return NULL;
  if (!reader->replace_keys) {
    complain(r->into, "is %s, and has no animations", reader->name);
    return NULL;
  }
  for (const char *const *copy = reader->copies; *copy; copy++)
    if (file_name_ends(r->output, *copy)) return reader;
  complain(r->output, "the name must end in %s%s%s, because %s is %s", reader->copies[0],
           reader->copies[1] ? " or " : "", reader->copies[1] ? reader->copies[1] : "", r->into,
           reader->name);
  return NULL;
}

/* The result, and how far it is from the original. */
static void report(const struct request *r, const struct scene_animation *animation,
                   const struct clip_keys *keys) {
  char *clean = text_clean(r->output);
  printf("%s: %s key%s of animation %zu%s%s\n", clean, text_number(keys->keys), text_plural(keys->keys),
         animation->number, *animation->name ? ", " : "", animation->name);
  free(clean);
  if (keys->added)
    printf("%s more key%s, where rotations turn so far that only they say which way\n",
           text_number(keys->added), text_plural(keys->added));
  for (int kind = 0; kind < SCENE_KINDS; kind++) {
    const double worst = keys->error[kind].at_keys * (kind == SCENE_ROTATION ? DEGREES : 1);
    if (keys->count[kind] == 0) continue;
    if (!keys->taken[kind]) printf("%ss: as they were, the clip has none\n", scene_kinds[kind]);
    else
      printf("%ss: at most %.3g%s off\n", scene_kinds[kind], worst, kind == SCENE_ROTATION ? " degrees" : "");
  }
  if (keys->tracks)
    printf("%s track%s: at most %.3g off\n", text_number(keys->tracks), text_plural(keys->tracks),
           keys->track_worst);
}

/* The clip's keys in place of those of the animation, put on the base, if there is one. */
static bool decode(const struct request *r, const struct clip_file *file, const struct clip_base *base,
                   struct skeleton *skeleton, size_t animation, bool may_add, struct clip_keys *keys) {
  const quatsimd_clip *clip = file->clip;
  if (!base->path) return clip_keys_decode(skeleton, animation, r->into, clip, NULL, r->clip, may_add, keys);
  const bool kinds[] = {quatsimd_clip_curve_count(clip, 0) > 0, quatsimd_clip_curve_count(clip, 1) > 0,
                        quatsimd_clip_curve_count(clip, 2) > 0};
  struct clip_source source;
  struct clip_base_on on;
  if (!clip_base_fits(base, r->into, skeleton)) return false;
  clip_source_make(&source, skeleton, animation, -1);
  clip_base_put_under(base, kinds, quatsimd_clip_curve_count(clip, QUATSIMD_CLIP_TRACK) > 0, &source, &on);
  const bool good = clip_keys_decode(skeleton, animation, r->into, clip, &on.source, r->clip, may_add, keys);
  clip_base_on_free(&on);
  clip_source_free(&source);
  return good;
}

static bool write_into(const struct request *r, const struct given_clip *given, struct skeleton *skeleton,
                       const struct reader *reader) {
  const struct clip_file *file = &given->clip;
  struct clip_keys keys;
  struct clip_base base = {.path = NULL};
  if (!clip_origin_fits(file, r->into, skeleton)) return false;
  const size_t animation = choose_animation(r, given, &skeleton->scene, &base);
  const bool may_add = !reader->as_many || !file_name_ends(r->output, reader->as_many);
  const bool good = animation != SCENE_NONE && decode(r, file, &base, skeleton, animation, may_add, &keys);
  clip_base_free(&base);
  if (!good) return false;
  const bool *kinds = keys.taken;
  const struct replacement replacement = {r->into,
                                          &skeleton->scene,
                                          &skeleton->scene.animation[animation],
                                          {kinds[0], kinds[1], kinds[2], keys.tracks > 0}};
  if (!names_make_directory_of(r->output) || !reader->replace_keys(&replacement, r->output)) return false;
  report(r, replacement.animation, &keys);
  return true;
}

/* Arrays. ------------------------------------------------------------------------------------------------ */

/* A word on values that only the skeleton has. */
static void mention_rest(const struct request *r, const quatsimd_clip *clip) {
  size_t curves[CLIP_STATES][QUATSIMD_CLIP_KIND_COUNT];
  quatsimd_inspect_states(clip, curves);
  const size_t *rest = curves[QUATSIMD_CLIP_REST],
               count = rest[0] + rest[1] + rest[2] + rest[QUATSIMD_CLIP_TRACK];
  if (count && quatsimd_clip_skeleton_hash(clip) && !quatsimd_clip_additive(clip))
    complain(
        r->clip,
        "%s curve%s at rest, but no " SKELETON_FILE
        " beside it has the values: the arrays have the identity, 0 and 1 there; --into gives the values",
        text_number(count), count > 1 ? "s are" : " is");
}

static bool write_arrays(const struct request *r, const struct clip_file *file,
                         const struct skeleton_file *beside, const struct skeleton *into) {
  const quatsimd_clip *clip = file->clip;
  if (r->into && !clip_origin_fits(file, r->into, into)) return false;
  const quatsimd_skeleton *skeleton = r->into ? into->file.skeleton : beside->skeleton;
  if (!clip_arrays_write(clip, skeleton, r->output)) return false;
  if (!skeleton) mention_rest(r, clip);
  char *clean = text_clean(r->output);
  printf("%s: %s frames of %s joints", clean, text_number(quatsimd_clip_frame_count(clip)),
         text_number(quatsimd_clip_joint_count(clip)));
  if (quatsimd_clip_curve_count(clip, QUATSIMD_CLIP_TRACK))
    printf(" and %s tracks", text_number(quatsimd_clip_track_count(clip)));
  printf("%s\n", quatsimd_clip_additive(clip) ? ", to be added to a pose" : "");
  free(clean);
  return true;
}

static bool uses_base(const struct request *r, const struct clip_file *file) {
  if (!r->base || quatsimd_clip_additive(file->clip) == QUATSIMD_CLIP_ADDITIVE_BASE) return true;
  complain(r->clip, "is not additive to another animation, so --base does not go with it");
  return false;
}

static bool decompress(const struct request *r) {
  struct given_clip given;
  struct skeleton skeleton = {0};
  if (!given_clip_read(&given, r->clip, r->name)) return false;
  const struct reader *reader = r->arrays ? NULL : choose_reader(r);
  bool good = (r->arrays || reader) && uses_base(r, &given.clip);
  good =
      good && (!r->into || skeleton_read_like(r->into, &given.skeleton,
                                              quatsimd_clip_skeleton_hash(given.clip.clip), NULL, NULL, &skeleton));
  if (good && r->into && given.origin.file) (void)clip_origin_changed(given.origin.file, r->clip, r->into);
  if (good)
    good = reader ? write_into(r, &given, &skeleton, reader)
                  : write_arrays(r, &given.clip, &given.skeleton, &skeleton);
  skeleton_free(&skeleton);
  given_clip_free(&given);
  return good;
}

/* Options. ----------------------------------------------------------------------------------------------- */

static int check(const struct request *r) {
  if (!r->output) return usage_error("decompress", "-o OUT is missing");
  if (!r->into && !r->arrays)
    return usage_error("decompress", "neither --into nor --arrays is given; one of them is needed");
  if (!r->arrays && (file_is_same(r->output, r->into) || file_is_same(r->output, r->clip)))
    return usage_error("decompress", "-o: %s is also an input, and would be overwritten", r->output);
  if (r->base && r->arrays)
    return usage_error("decompress", "--base does not go with --arrays, which writes the clip as it is");
  if (r->animation && r->arrays)
    return usage_error("decompress", "--animation does not go with --arrays, which writes the clip as it is");
  return STATUS_OK;
}

static int run(int argc, char **argv) {
  struct request r = {0};
  int status;
  const struct option_row options[] = {{"into", 0, .text = &r.into, .is_path = true},
                                       {"output", 'o', .text = &r.output, .is_path = true},
                                       {"animation", 0, .text = &r.animation},
                                       {"base", 0, .text = &r.base, .is_path = true},
                                       {"arrays", 0, .flag = &r.arrays},
                                       READER_OPTIONS,
                                       {0}};
  const struct command_line line = {"decompress", command_decompress.help, options, 1, 2};
  struct arguments a;
  if (arguments_parse(&a, &line, argc, argv, &status)) {
    r.clip = a.operands[0], r.name = a.count > 1 ? a.operands[1] : NULL;
    status = check(&r);
    if (status == STATUS_OK && !decompress(&r)) status = STATUS_BAD_INPUT;
  }
  return status;
}

const struct command command_decompress = {
    "decompress",
    "write a clip back into its file, or as arrays",
    {"Usage: quatsimd decompress CLIP|BUNDLE [NAME] --into ORIGINAL -o OUT\n"
     "                           [--animation NAME|NUMBER] [--base FILE[#NAME]]\n"
     "       quatsimd decompress CLIP|BUNDLE [NAME] --arrays [--into ORIGINAL]\n"
     "                           -o DIR\n"
     "\n"
     "Writes a clip back into a file that any viewer can show. The clip is NAME of a\n"
     "BUNDLE (.qsb), its only one without NAME, or a CLIP (.qsc) of\n"
     "`quatsimd extract`. ORIGINAL is the file that it was made from, which has the\n"
     "nodes. OUT is a copy of ORIGINAL: the keys of one animation are\n"
     "replaced by the values of the clip at their times. The largest errors of these\n"
     "keys are printed. OUT must be none of the files that are read: CLIP, ORIGINAL,\n"
     "the base, and what these refer to.\n"
     "\n"
     "The bundle, or the file skeleton.qsk beside CLIP, tells which nodes the joints\n"
     "are. Without it, they are the joints of ORIGINAL, depth first.\n"
     "\n"
     "  --into ORIGINAL    glTF becomes glTF, .glb or .gltf by the name of OUT. Keys\n"
     "                     go to new accessors, and all else stays as it is. BVH\n"
     "                     becomes BVH (.bvh), in which only the numbers change, or a\n"
     "                     .glb of its joints with lines between them. FBX becomes\n"
     "                     such a .glb, too\n"
     "  --animation NAME|NUMBER\n"
     "                     the animation of ORIGINAL; numbers begin with 0.\n"
     "                     Default: the only animation, or the one that BUNDLE names\n"
     "  --base FILE[#NAME]\n"
     "                     the animation that CLIP is additive to, as given to\n"
     "                     `quatsimd compress --additive`. Default: the one that\n"
     "                     BUNDLE names. It is an error if the clip is not additive\n"
     "                     to an animation\n"
     "  --arrays           write the clip's own frames as NumPy's .npy, in float32:\n"
     "                       DIR/rotations.npy     (frames, joints, 4), x, y, z, w\n"
     "                       DIR/translations.npy  (frames, joints, 3)\n"
     "                       DIR/scales.npy        (frames, joints, 3)\n"
     "                       DIR/tracks.npy        (frames, tracks)\n"
     "                       DIR/times.npy         (frames,), seconds, float64\n"
     "                     A kind without curves in the clip has no array. If\n"
     "                     the joints are known, or with --into, also two lists:\n"
     "                       DIR/joints.json       names of joints and their parents\n"
     "                       DIR/tracks.json       names of tracks, morph weights\n"
     "                     A parent is the number of a joint, or -1\n"
     "  -o, --output OUT   the file or folder to write. An existing file is replaced\n"
     "                     once the new one is complete. Missing folders are made\n"
     "  -h, --help         print this text\n"
     "\n" READER_HELP "\n"
     "Viewers turn from key to key the short way. If neighbouring keys are more than\n"
     "a third of a turn apart, keys of the clip are added between them, because near\n"
     "a half turn an error within the bound can change which way is the short one. A\n"
     ".bvh cannot have more keys; there a viewer interpolates in its own way from\n"
     "frame to frame.\n"
     "\n"
     "Lengths stay in the unit of ORIGINAL. An FBX file in centimetres therefore\n"
     "becomes a .glb that viewers show 100 times as large.\n"
     "\n",
     "Kinds of curves (rotations, translations, scales, tracks) that the clip lacks\n"
     "stay as they are in ORIGINAL. An additive clip is added to the first keys of\n"
     "ORIGINAL, or to its base; as arrays it remains a difference. Apart from added\n"
     "keys, times are those of ORIGINAL. It is an error if two different times of a\n"
     "curve become equal as floats, which glTF uses for times. If ORIGINAL is glTF,\n"
     "the old keys remain in OUT, unused.\n"
     "\n"
     "Examples:\n"
     "  quatsimd compress -r 0.5deg hero.glb -o hero.qsb\n"
     "                                        make clips with a coarse bound\n"
     "  quatsimd decompress hero.qsb Walk --into hero.glb -o new.glb\n"
     "                                        see how the bound looks\n"
     "  quatsimd decompress walk.qsb --into walk.bvh -o new.bvh\n"
     "                                        the same for a motion capture\n"
     "  quatsimd decompress hero.qsb Walk --arrays -o walk\n"
     "                                        arrays for NumPy\n"},
    run,
};
