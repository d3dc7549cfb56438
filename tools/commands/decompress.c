/* quatsimd decompress: clips as a new file, for viewers or NumPy. */
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "bundles/bases.h"
#include "bundles/origin.h"
#include "clip/sample/open.h"
#include "clips/decode.h"
#include "commands/command.h"
#include "files/file.h"
#include "files/names.h"
#include "readers/limits.h"
#include "readers/readers.h"
#include "terminal/message.h"
#include "terminal/print.h"
#include "writers/writers.h"

struct request {
  const char *clip, *name; /* the file; in a bundle, of the clip, or null */
  const char *output, *base;
};

/* Arrays of a clip that was made without a skeleton need none. */
static bool has_skeleton(const struct given_clip *given, bool as_scene) {
  if (given->skeleton.skeleton || (!as_scene && quatsimd_clip_skeleton_hash(given->clip.clip) == 0))
    return true;
  complain(given->clip.path,
           "has no " SKELETON_FILE " beside it, which has the names and the rest pose of its joints");
  return false;
}

/* Joints and animations. --------------------------------------------------------------------------------- */

/* Finds the base of a clip; null if there is none, or nobody knows it. False and a complaint if it cannot be
 * read. */
static bool find_base(const struct request *r, const struct given_clip *given, const char *name,
                      struct clip_bases *bases, const struct clip_base **base) {
  const struct made_base *said = &clip_origin_bounds(&given->origin)->base;
  const quatsimd_clip_additivity additive = quatsimd_clip_additive(given->clip.clip);
  const bool first = additive == QUATSIMD_CLIP_ADDITIVE_FIRST;
  *base = NULL;
  if (!additive) return true;
  if (!first && (r->base || said->path)) {
    *base = clip_base_find(bases, r->base, given->clip.path, said, &given->making.changes);
    return *base != NULL;
  }
  complain(given->clip.path, "\"%s\" is a difference to %s: it is put on the rest pose", name,
           first ? "its first keys, which it does not have"
                 : "an animation that it does not name; see --base");
  return true;
}

/* Decodes the clips that move joints. */
static bool add_clips(const struct request *r, struct given_clip *given, bool all, struct clip_bases *bases,
                      struct skeleton *skeleton) {
  const struct clip_base *base;
  const size_t count = all ? quatsimd_bundle_clip_count(given->bundle.bundle) : 1;
  size_t tracks = 0;
  bool good = true;
  for (size_t i = 0; i < count && good; i++) {
    const char *wanted = all ? quatsimd_bundle_clip_name(given->bundle.bundle, i) : r->name;
    if (all && !given_clip_choose(given, r->clip, wanted)) return false;
    char *name = text_clean(wanted ? wanted : names_file(r->clip));
    const quatsimd_clip *clip = given->clip.clip;
    tracks += quatsimd_clip_curve_count(clip, QUATSIMD_CLIP_TRACK);
    size_t curves = 0;
    for (int kind = 0; kind < SCENE_KINDS; kind++) curves += quatsimd_clip_curve_count(clip, kind);
    if (curves > 0)
      good = good && find_base(r, given, name, bases, &base) && clip_decode(skeleton, given, name, base);
    free(name);
  }
  if (tracks) complain(r->output, "tracks are left out: only arrays have them");
  return good;
}

/* Between its frames a clip may have keys of single curves; if it has few frames, the file gets 60 in a
 * second. even: the output needs one rate, and has no scales or tracks. False and a complaint if these would
 * be too many. */
static bool find_frames(const struct request *r, const quatsimd_clip *clip, bool even,
                        struct file_frames *frames) {
  enum { USUAL_RATE = 60, FEW = 20 };
  const double seconds = quatsimd_clip_duration(clip);
  const int kinds = even ? QUATSIMD_CLIP_SCALE : QUATSIMD_CLIP_KIND_COUNT;
  size_t keyed = 0;
  for (int kind = 0; kind < kinds; kind++) keyed += clip_part_of(clip, kind).keyed;
  *frames = (struct file_frames){even ? quatsimd_clip_rate(clip) : 0, quatsimd_clip_frame_count(clip)};
  const bool few = keyed && (double)(frames->count - 1) < FEW * seconds;
  if (!few && (!even || frames->rate > 0)) return true;
  const double last = ceil(seconds * USUAL_RATE - 1e-6);
  if (last > CLIP_MOST_FRAMES) return complain(r->output, "the clip is too long for 60 frames a second");
  if (last > 0)
    complain(r->output, "the clip%s: these are 60 in a second",
             few ? " has few frames, and curves with keys of their own" : "'s frames are uneven");
  *frames = (struct file_frames){USUAL_RATE, (size_t)last + 1};
  return true;
}

static bool write_bvh(const struct request *r, const quatsimd_clip *clip, const struct scene *scene) {
  struct file_frames frames;
  return find_frames(r, clip, true, &frames) &&
         bvh_write(scene, scene->animation, quatsimd_clip_start(clip), &frames, r->output);
}

static bool write_scene(const struct request *r, struct given_clip *given, bool bvh, bool all) {
  struct skeleton skeleton;
  struct clip_bases bases = {0};
  clip_decode_start(&given->skeleton, &skeleton);
  bool good = add_clips(r, given, all, &bases, &skeleton);
  if (good && r->base && bases.count == 0)
    complain(r->base, "is given as --base, but no clip is additive to another animation"), good = false;
  if (good && skeleton.scene.animations == 0) complain(r->clip, "moves no joint"), good = false;
  const size_t animations = skeleton.scene.animations;
  good =
      good && (bvh ? write_bvh(r, given->clip.clip, &skeleton.scene) : glb_write(&skeleton.scene, r->output));
  if (good)
    print_about(r->output, "%s of %s\n", text_count(animations, "animation"),
                text_count(skeleton.joints, "joint"));
  clip_bases_free(&bases);
  skeleton_free(&skeleton);
  return good;
}

/* Arrays. ------------------------------------------------------------------------------------------------ */

static bool write_arrays(const struct request *r, const struct given_clip *given) {
  const quatsimd_clip *clip = given->clip.clip;
  if (r->base) return complain(r->base, "is given as --base, but arrays have the clip as it is"), false;
  struct file_frames frames;
  if (!find_frames(r, clip, false, &frames) ||
      !npy_write_clip(clip, given->skeleton.skeleton, &frames, r->output))
    return false;
  print_about(r->output, "%s frames of %s joints", text_number(frames.count),
              text_number(quatsimd_clip_joint_count(clip)));
  if (quatsimd_clip_curve_count(clip, QUATSIMD_CLIP_TRACK))
    print(" and %s tracks", text_number(quatsimd_clip_track_count(clip)));
  print("%s\n", quatsimd_clip_additive(clip) ? ", to be added to a pose" : "");
  return true;
}

static bool decompress(const struct request *r) {
  struct given_clip given;
  const bool glb = file_name_ends(r->output, ".glb"), bvh = file_name_ends(r->output, ".bvh"),
             all = glb && !r->name && bundle_file_is(r->clip);
  if (!(all ? given_bundle_read(&given, r->clip) : given_clip_read(&given, r->clip, r->name))) return false;
  const bool good = (all || has_skeleton(&given, glb || bvh)) &&
                    (glb || bvh ? write_scene(r, &given, bvh, all) : write_arrays(r, &given));
  given_clip_free(&given);
  return good;
}

/* Options. ----------------------------------------------------------------------------------------------- */

static int check(const struct request *r) {
  if (!r->output) return usage_error("decompress", "-o OUT is missing");
  if (!file_name_ends(r->output, ".glb") && !file_name_ends(r->output, ".bvh") &&
      reader_has_animations(r->output))
    return usage_error("decompress", "-o: %s: only .glb, .bvh and folders of .npy can be written", r->output);
  return STATUS_OK;
}

static int run(int argc, char **argv) {
  struct request r = {0};
  int status;
  const struct option_row options[] = {{"output", 'o', .text = &r.output, .is_path = true},
                                       {"base", 0, .text = &r.base, .is_path = true},
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
    "write clips as .glb, .bvh or arrays",
    {"Usage: quatsimd decompress CLIP|BUNDLE [NAME] -o OUT [--base FILE[#NAME]]\n"
     "\n"
     "Writes a new file of a clip: NAME of a BUNDLE (.qsb), or a CLIP (.qsc) of\n"
     "`quatsimd extract` with skeleton.qsk beside it. By its name, OUT is\n"
     "\n"
     "  NAME.glb   the joints, with lines between them, and the clip; all clips of\n"
     "             BUNDLE without NAME. Lengths are in metres, if their unit is known\n"
     "  NAME.bvh   the joints and one clip\n"
     "  a folder   arrays of NumPy of one clip, in float32:\n"
     "               rotations.npy     (frames, joints, 4), x, y, z, w\n"
     "               translations.npy  (frames, joints, 3)\n"
     "               scales.npy        (frames, joints, 3)\n"
     "               tracks.npy        (frames, tracks)\n"
     "               times.npy         (frames,), seconds, float64\n"
     "               joints.json       names of joints and numbers of their parents\n"
     "               tracks.json       names of tracks, such as morph weights\n"
     "             A kind without curves in the clip has no array\n"
     "\n"
     "Frames are the clip's. A clip with curves that have keys of their own, and with\n"
     "fewer than 20 frames a second, gets 60; so does a .bvh of uneven frames\n"
     "\n"
     "  --base FILE[#NAME]  the animation that clips are additive to, as given to\n"
     "                      `quatsimd compress --additive`. Default: the one that\n"
     "                      BUNDLE names. Without, they are put on the rest pose\n"
     "  -o, --output OUT    an existing file is replaced once the new one is\n"
     "                      complete. Missing folders are made\n"
     "  -h, --help          print this text\n"
     "\n" READER_HELP "\n"
     "Examples:\n"
     "  quatsimd decompress hero.qsb -o clips.glb        all clips, for any viewer\n"
     "  quatsimd decompress walk.qsb -o walk.bvh         motion capture\n"
     "  quatsimd decompress hero.qsb Walk -o walk        arrays for NumPy\n"
     "\n"
     "docs/clip.md says how keys are made, and what files cannot have\n"},
    run,
};
