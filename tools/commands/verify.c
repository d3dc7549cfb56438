/* quatsimd verify: how far clips are from the animations that they were made from. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/collect.h"
#include "base/json.h"
#include "base/message.h"
#include "base/names.h"
#include "base/progress.h"
#include "base/text.h"
#include "clip/inspect.h"
#include "clips/rest.h"
#include "commands/command.h"
#include "readers/child.h"
#include "report/verify_summary.h"
#include "system/files.h"

/* Comparing. --------------------------------------------------------------------------------------------- */

/* Can the two be compared at all? */
static bool belong_together(const struct verification *v) {
  const quatsimd_clip *clip = v->clip.clip;
  for (size_t j = 0; j < quatsimd_clip_joints(clip); j++)
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KINDS; kind++) {
      const bool absent = quatsimd_clip_curve(clip, kind, j) == QUATSIMD_CLIP_ABSENT;
      if (absent && v->base && clip_check_curve(&v->on.joint[j], kind)->keys > 0) {
        complain(v->clip.path, "has no %s of \"%s\", and there is one with %s: it was not made with that",
                 verify_kinds[kind], clip_source_joint(&v->source, j), v->base->path);
        return false;
      }
      if (absent || clip_check_curve(&v->source.joint[j], kind)->keys > 0) continue;
      complain(v->clip.path, "has a %s of \"%s\", and %s of %s has none: it is not a clip of that",
               verify_kinds[kind], clip_source_joint(&v->source, j), v->source.title, v->file);
      return false;
    }
  return true;
}

/* False and a complaint if a key was not compared. */
static bool compared_all(const struct verification *v) {
  for (size_t j = 0; j < v->source.source.joints; j++)
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KINDS; kind++) {
      const size_t count = v->tally[j][kind].count;
      if (v->source.rest[QUATSIMD_CLIP_JOINT_KINDS * j + (size_t)kind] ||
          count == clip_check_curve(&v->source.joint[j], kind)->keys)
        continue;
      complain(v->file, "%s: %s of \"%s\", key %zu: its time is not after that of the key before",
               v->source.title, verify_kinds[kind], clip_source_joint(&v->source, j), count);
      return false;
    }
  return true;
}

/* The base of a clip that is relative to one. */
static bool put_under(struct verification *v) {
  const quatsimd_clip *clip = v->clip.clip;
  if (!v->base) return true;
  const bool kinds[] = {quatsimd_clip_curves(clip, 0) > 0, quatsimd_clip_curves(clip, 1) > 0,
                        quatsimd_clip_curves(clip, 2) > 0};
  if (!clip_base_fits(v->base, v->file, v->skeleton)) return false;
  clip_base_put_under(v->base, kinds, quatsimd_clip_curves(clip, QUATSIMD_CLIP_TRACK) > 0, &v->source,
                      &v->on);
  return true;
}

static bool compare(struct verification *v) {
  clip_source_make(&v->source, v->skeleton, v->animation, -1);
  clip_source_stand_at_rest(&v->source);
  joint_bounds_apply(&v->origin.manifest.joints, &v->of_manifest, &v->source);
  if (!clip_origin_has_joints(&v->clip, v->file, v->skeleton) || !put_under(v) || !belong_together(v))
    return false;
  v->tally = memory_get(v->skeleton->joints, sizeof *v->tally);
  struct clip_rest rest;
  clip_rest_make(&rest, v->clip.clip, v->skeleton->file.skeleton);
  const quatsimd_status status =
      clip_check(&v->source.source, v->base ? &v->on.source : NULL, v->clip.clip, v->bounds.distance,
                 v->source.rest, rest.pose, v->error, v->tally);
  v->tracks = clip_tracks_check(&v->source.source, v->base ? &v->on.source : NULL, v->clip.clip, rest.pose,
                                v->track_bound);
  clip_rest_free(&rest);
  bounds_judge(&v->bounds, v->error, (const struct clip_tally(*)[CLIP_CHECK_ERRORS])v->tally, &v->source,
               v->use);
  if (status < 0) complain(v->clip.path, "cannot be sampled: %s", quatsimd_status_string(status));
  return status >= 0 && compared_all(v);
}

struct request {
  const char *against, *animation, *base; /* null where not given */
  struct bounds_asked asked;
  double track; /* 0: not given */
  bool json;
};

/* Bounds that the options do not give come from the manifest. */
static void take_bounds(struct verification *v, const struct request *r) {
  const struct clip_origin *o = &v->origin;
  v->bounds = bounds_of_file(&r->asked, v->skeleton);
  for (int kind = 0; kind < CLIP_CHECK_ERRORS; kind++) {
    v->options = v->options || v->bounds.of[kind] > 0;
    v->of_manifest.of[kind] = v->bounds.of[kind] > 0 ? 0 : o->manifest.bounds.of[kind];
    if (v->bounds.of[kind] == 0) v->bounds.of[kind] = o->manifest.bounds.of[kind];
  }
  if (v->bounds.distance == 0) v->bounds.distance = o->manifest.bounds.distance;
  v->options = v->options || r->track > 0;
  v->track_bound = r->track > 0 ? r->track : o->manifest.track_bound;
}

/* The file that clips were made from, read once for all that follow one another and have one skeleton. */
struct original {
  char *path;
  bool good;
  struct skeleton_file like; /* beside the clips, which say the hash of theirs */
  uint64_t hash;
  struct skeleton skeleton;
};

/* The base of clips, read once for all that follow one another and have the same. */
struct base_of_clips {
  char *path; /* as given, or as the manifest says it */
  size_t number;
  struct clip_base base;
};

static void base_free(struct base_of_clips *of) {
  free(of->path);
  clip_base_free(&of->base);
  *of = (struct base_of_clips){.path = NULL};
}

/* False and a complaint if the clip is relative to another animation, and that cannot be read. */
static bool read_base(const struct request *r, struct base_of_clips *of, struct verification *v) {
  if (quatsimd_clip_additive(v->clip.clip) != QUATSIMD_CLIP_ADDITIVE_BASE) return true;
  const struct manifest_base *said = &v->origin.manifest.base;
  const char *path = r->base ? r->base : said->path ? said->path : "";
  if (!of->base.path || strcmp(path, of->path) != 0 || said->number != of->number) {
    base_free(of);
    if (!clip_base_find(r->base, &v->clip, &v->origin, &of->base)) return false;
    of->path = names_join(path, "", "");
    of->number = said->number;
  }
  v->base = &of->base;
  return true;
}

static void original_free(struct original *original) {
  free(original->path);
  skeleton_file_free(&original->like);
  skeleton_free(&original->skeleton);
  *original = (struct original){0};
}

/* To be freed; null and a complaint if there is no telling. In a folder of originals it is where the clip's
 * folder is in the folder of clips, or by the name that the manifest has if that is this folder itself. */
static char *path_of_original(const struct request *r, const struct verification *v, const char *name) {
  const struct manifest *manifest = &v->origin.manifest;
  const char *slash = strrchr(name, '/'), *input = v->origin.clip ? manifest->input : "";
  if (r->against && !system_is(r->against, SYSTEM_FOLDER)) return names_join(r->against, "", "");
  if (r->against && (slash || *input)) {
    char *below = names_join(slash ? name : input, "", "");
    if (slash) below[slash - name] = '\0';
    char *path = names_join(r->against, "/", below);
    free(below);
    return path;
  }
  if (v->origin.clip && *manifest->path) return names_join(manifest->path, "", "");
  complain(v->clip.path, "no " MANIFEST_FILE " beside it says what it was made from; give --against");
  return NULL;
}

/* Takes over path and like. */
static bool read_original(struct original *original, char *path, struct skeleton_file *like, uint64_t hash) {
  if (original->path && strcmp(original->path, path) == 0 && original->hash == hash &&
      skeleton_file_is_same(&original->like, like)) {
    free(path);
    skeleton_file_free(like);
    return original->good;
  }
  original_free(original);
  original->path = path;
  original->like = *like;
  original->hash = hash;
  progress_show("reading", 0, 1, path);
  return original->good = skeleton_read_like(path, like, hash, &original->skeleton);
}

/* name: of the clip, below the folder of clips. False and a complaint if it cannot be compared. */
static bool verify(const struct request *r, struct original *original, struct base_of_clips *base,
                   const char *path, const char *name, struct verification *v) {
  struct skeleton_file like;
  *v = (struct verification){.skeleton = &original->skeleton};
  if (!clip_file_read(path, &v->clip) || !clip_origin_read(&v->clip, &v->origin) ||
      !clip_origin_skeleton(&v->clip, &like))
    return false;
  char *from = path_of_original(r, v, name);
  bool good = from && read_original(original, from, &like, quatsimd_clip_skeleton(v->clip.clip));
  if (!from) skeleton_file_free(&like);
  v->file = original->path;
  if (good) v->changed = clip_origin_compare(&v->origin, v->clip.path, v->file);
  if (good) v->animation = clip_origin_choose(&v->origin, v->file, &v->skeleton->scene, r->animation);
  good = good && v->animation != SCENE_NONE;
  if (good) take_bounds(v, r);
  good = good && read_base(r, base, v);
  if (good) progress_show("comparing", 0, 1, path);
  good = good && compare(v);
  progress_clear();
  return good;
}

static void verification_free(struct verification *v) {
  free(v->tally);
  clip_base_on_free(&v->on);
  clip_source_free(&v->source);
  clip_origin_free(&v->origin);
  clip_file_free(&v->clip);
}

static bool holds(const struct verification *v) {
  const bool hold = bounds_hold(v->use, &v->source, v->clip.path, false);
  if (clip_tracks_hold(&v->tracks)) return hold;
  complain(v->clip.path, "track \"%.300s\" at %.9g seconds is %.9g off, and the bound is %.9g",
           clip_source_track(&v->source, v->tracks.track), v->tracks.of.time, v->tracks.of.worst,
           v->track_bound);
  return false;
}

static bool verify_one(const struct request *r, const char *path) {
  struct original original = {0};
  struct verification v;
  struct base_of_clips base = {.path = NULL};
  bool good = verify(r, &original, &base, path, names_file(path), &v);
  if (good && r->json) json_print(verify_report_tree(&v));
  else if (good) verify_report_print(&v);
  good = good && holds(&v);
  verification_free(&v);
  base_free(&base);
  original_free(&original);
  return good;
}

/* Folders. ----------------------------------------------------------------------------------------------- */

static bool is_clip_or_manifest(const char *name) {
  return clip_file_has_name(name) || strcmp(name, MANIFEST_FILE) == 0;
}

/* How many clips and skeletons that it names are not beside it; they are complained of. */
static size_t count_missing(const char *path) {
  struct manifest manifest;
  struct system_look look;
  size_t missing = 0;
  if (!manifest_read_any(path, &manifest)) return 1;
  char *folder = names_folder(path), *skeleton = names_join(folder, "", SKELETON_FILE);
  if (manifest.skeleton.output && !system_look(skeleton, &look))
    complain(skeleton, "is missing: %s names it", path), missing++;
  free(skeleton);
  for (size_t i = 0; i < manifest.count; i++) {
    char *clip = names_join(folder, "", manifest.clip[i].output);
    if (!system_look(clip, &look)) complain(clip, "is missing: %s names it", path), missing++;
    free(clip);
  }
  free(folder);
  manifest_free(&manifest);
  return missing;
}

static bool verify_folder(const struct request *r, const char *folder) {
  struct verify_summary summary = {.list = r->json ? cJSON_CreateArray() : NULL};
  struct base_of_clips base = {.path = NULL};
  struct original original = {0};
  struct collected files;
  bool good = true;
  collect(&folder, 1, is_clip_or_manifest, &files);
  summary.failed = files.unread;
  for (size_t i = 0; i < files.count; i++) {
    const struct collected_file *file = &files.file[i];
    struct verification v;
    if (!clip_file_has_name(file->name)) {
      summary.failed += count_missing(file->path);
      continue;
    }
    if (verify(r, &original, &base, file->path, file->name, &v)) {
      verify_summary_add(&summary, &v, file->name);
      good = holds(&v) && good;
    } else summary.failed++;
    verification_free(&v);
  }
  if (files.count == 0) complain(folder, "there are no clips in it: no names end in .qsc");
  verify_summary_print(&summary);
  good = good && files.count > 0 && summary.failed == 0;
  verify_summary_free(&summary);
  base_free(&base);
  original_free(&original);
  collect_free(&files);
  return good;
}

static int run(int argc, char **argv) {
  struct request r = {0};
  struct bounds_options given = {0};
  bool has_track = false;
  int status;
  const struct option_row options[] = {{"against", 'a', .text = &r.against, .is_path = true},
                                       {"animation", 0, .text = &r.animation},
                                       {"base", 0, .text = &r.base, .is_path = true},
                                       BOUNDS_OPTIONS(given),
                                       {"track", 0, .number = &r.track, .flag = &has_track},
                                       {"json", 0, .flag = &r.json},
                                       CHILD_OPTIONS,
                                       {0}};
  const struct command_line line = {"verify", command_verify.help, options, 1, 1};
  struct arguments a;
  if (!arguments_parse(&a, &line, argc, argv, &status)) return status;
  if (!bounds_understand("verify", &given, &r.asked)) return STATUS_BAD_USAGE;
  if (has_track && !(r.track > 0 && r.track <= 1e18))
    return usage_error("verify", "--track: %g is not above 0", r.track);
  const bool folder = system_is(a.operands[0], SYSTEM_FOLDER);
  if (folder && r.animation)
    return usage_error("verify", "--animation goes with one clip, not with a folder");
  return (folder ? verify_folder : verify_one)(&r, a.operands[0]) ? STATUS_OK : STATUS_BAD_INPUT;
}

const struct command command_verify = {
    "verify",
    "compare clips with the files they were made from",
    {"Usage: quatsimd verify CLIP|DIR [--against FILE|DIR]\n"
     "                       [--animation NAME|NUMBER] [--base FILE[#NAME]]\n"
     "                       [--rotation ANGLE] [--translation LENGTH] [--scale S]\n"
     "                       [--object LENGTH@DISTANCE] [--track X] [--json]\n"
     "\n"
     "Samples CLIP (.qsc, of quatsimd compress) at every key that FILE has and\n"
     "between keys, and prints how far off each joint is. FILE is glTF 2.0 (.gltf,\n"
     ".glb), BVH or anything else that Assimp reads: FBX, Collada and others. In a\n"
     "DIR all clips are compared, and those below it, with a line for each and one\n"
     "for all. What a manifest names, clips and skeleton.qsk, must be there. Where\n"
     "skeleton.qsk is beside a clip, its joints are those of the clip.\n"
     "\n"
     "  -a, --against FILE|DIR        what CLIP was made from. Without it: the path\n"
     "                                in the manifest that compress writes beside its\n"
     "                                clips (quatsimd.json). In a DIR files are where\n"
     "                                folders of clips are in the DIR of clips: of\n"
     "                                clips/heroes/knight.glb/Walk.qsc, verified in\n"
     "                                clips, that is DIR/heroes/knight.glb\n"
     "  --animation NAME|NUMBER       of FILE; numbers begin with 0. Without it: the\n"
     "                                only one, or as the manifest says\n"
     "  --base FILE[#NAME]            the animation that clips are additive to, as\n"
     "                                compress was given it. Without it: as the\n"
     "                                manifest says. CLIP is put on it, and that is\n"
     "                                compared\n"
     "\n"
     "How far off it may be, at any time; what is not given is as the manifest says,\n"
     "and without a manifest anything goes. So are bounds of single joints, unless an\n"
     "option gives a bound of their kind:\n"
     "  -r, --rotation ANGLE          as 0.05, 0.05deg or 0.001rad\n"
     "  -t, --translation LENGTH      as 0.1mm or 0.01cm, in metres as compress has\n"
     "                                them; or a number alone, in FILE's unit\n"
     "  -s, --scale S                 of each of a scale's components\n"
     "  --object LENGTH@DISTANCE      also compare points at DISTANCE from a joint,\n"
     "                                fixed to it, where the skeleton's root is.\n"
     "                                Joints that do not move stand at rest\n"
     "  --track X                     of tracks, the weights of morph targets\n"
     "\n"
     "  --json                        as JSON, with all digits\n"
     "  -h, --help                    this text\n"
     "\n" CHILD_HELP "\n"
     "Errors of rotations are in degrees, of translations and points in FILE's unit.\n"
     "Between keys FILE is what its own interpolation makes of them: it is looked at\n"
     "in steps from each key or frame of FILE or CLIP to the next, of any joint, so\n"
     "small that errors between these are at most 1 % larger, as far as CLIP turns as\n"
     "FILE does. A time may be off by the rounding of floats, 2^-23 of the largest\n"
     "time: where a curve jumps either side of it is right. Of bounds rounding is\n"
     "forgiven, too: 1e-6 radians, 2^-21 of the largest component. The mean is over\n"
     "keys, of points over the times of all keys. Curves that are missing in CLIP are\n"
     "as far off as they are long; of kinds that were left out (quatsimd compress\n"
     "--only) the manifest has no bound.\n"
     "\n"
     "The exit status is 1 if anything is beyond its bound or cannot be compared. If\n"
     "FILE was changed since, that is said (in JSON as file_changed), and the bounds\n"
     "alone decide.\n"
     "\n"
     "Examples:\n"
     "  quatsimd verify walk.qsc --against walk.bvh --rotation 0.05deg\n"
     "  quatsimd verify clips/hero.glb/Walk.qsc --against hero.glb\n"
     "  quatsimd verify clips --against animations    as compress -o clips made them\n"
     "  quatsimd verify Walk.qsc --against hero.glb --animation Walk --object 1mm@3cm\n"},
    run,
};
