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
#include "readers/limits.h"
#include "report/verify_summary.h"
#include "system/files.h"

/* Comparing. --------------------------------------------------------------------------------------------- */

/* Can the two be compared at all? */
static bool belong_together(const struct verification *v) {
  const quatsimd_clip *clip = v->clip.clip;
  for (size_t j = 0; j < quatsimd_clip_joint_count(clip); j++)
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
      const bool absent = quatsimd_clip_curve_state(clip, kind, j) == QUATSIMD_CLIP_ABSENT;
      if (absent && v->base && clip_check_curve(&v->on.joint[j], kind)->key_count > 0) {
        complain(v->clip.path,
                 "has no %s of \"%s\", but the base %s moves it: the clip was made with another base",
                 verify_kinds[kind], clip_source_joint(&v->source, j), v->base->path);
        return false;
      }
      if (absent || clip_check_curve(&v->source.joint[j], kind)->key_count > 0) continue;
      complain(v->clip.path, "has a %s of \"%s\", but %s of %s has none: it is a clip of another animation",
               verify_kinds[kind], clip_source_joint(&v->source, j), v->source.title, v->file);
      return false;
    }
  return true;
}

/* False and a complaint if a key was not compared. */
static bool compared_all(const struct verification *v) {
  for (size_t j = 0; j < v->source.source.joint_count; j++)
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
      const size_t count = v->tally[j][kind].count;
      if (v->source.rest[QUATSIMD_CLIP_JOINT_KIND_COUNT * j + (size_t)kind] ||
          count == clip_check_curve(&v->source.joint[j], kind)->key_count)
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
  const bool kinds[] = {quatsimd_clip_curve_count(clip, 0) > 0, quatsimd_clip_curve_count(clip, 1) > 0,
                        quatsimd_clip_curve_count(clip, 2) > 0};
  if (!clip_base_fits(v->base, v->file, v->skeleton)) return false;
  clip_base_put_under(v->base, kinds, quatsimd_clip_curve_count(clip, QUATSIMD_CLIP_TRACK) > 0, &v->source,
                      &v->on);
  return true;
}

/* Moves keys as compress did, or none if the manifest says so. Clips made with --rate have that rate. */
static void move_keys(struct verification *v) {
  quatsimd_clip_source *base = v->base ? &v->on.source : NULL;
  const struct manifest_clip *made = v->origin.clip;
  if (made && made->moved == 0) return;
  v->moved = clip_source_move(&v->source, base, 0);
  if (v->moved == 0) v->moved = clip_source_move(&v->source, base, quatsimd_clip_rate(v->clip.clip));
}

static bool compare(struct verification *v) {
  clip_source_make(&v->source, v->skeleton, v->animation, -1);
  clip_source_stand_at_rest(&v->source);
  joint_bounds_apply(&v->origin.manifest.joints, &v->of_manifest, &v->source);
  if (!clip_origin_fits(&v->clip, v->file, v->skeleton) || !put_under(v) || !belong_together(v)) return false;
  move_keys(v);
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
  const char *against, *animation, *base, *skeleton; /* null where not given */
  struct skeleton_file given;
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
  if (r->track > 0) v->origin.manifest.joints.tracks = 0;
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
  bool used; /* by any clip so far */
};

static void base_free(struct base_of_clips *of) {
  free(of->path);
  clip_base_free(&of->base);
  *of = (struct base_of_clips){.used = of->used};
}

/* False and a complaint if --base is given and none of the clips, which were compared, is relative to one. */
static bool uses_base(const struct request *r, const struct base_of_clips *of) {
  if (!r->base || of->used) return true;
  complain(r->base, "is given as --base, but no clip that was compared is additive to another animation");
  return false;
}

/* False and a complaint if the clip is relative to another animation, and that cannot be read. */
static bool read_base(const struct request *r, struct base_of_clips *of, struct verification *v) {
  if (quatsimd_clip_additive(v->clip.clip) != QUATSIMD_CLIP_ADDITIVE_BASE) return true;
  of->used = true;
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
  complain(v->clip.path,
           "no " MANIFEST_FILE " beside it names the file that it was made from; give --against");
  return NULL;
}

/* Takes over path and like. */
static bool read_original(const struct request *r, struct original *original, char *path,
                          struct skeleton_file *like, uint64_t hash) {
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
  return original->good =
             skeleton_read_like(path, like, hash, r->skeleton ? &r->given : NULL, &original->skeleton);
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
  bool good = from && read_original(r, original, from, &like, quatsimd_clip_skeleton_hash(v->clip.clip));
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
  const bool hold = bounds_hold(v->use, &v->source, v->clip.path, false, !v->options);
  return clip_tracks_hold(&v->tracks, &v->source, v->clip.path, false) && hold;
}

static bool verify_one(const struct request *r, const char *path) {
  struct original original = {0};
  struct verification v;
  struct base_of_clips base = {.path = NULL};
  bool good = verify(r, &original, &base, path, names_file(path), &v);
  if (good && r->json) json_print(verify_report_tree(&v));
  else if (good) verify_report_print(&v);
  good = good && holds(&v) && uses_base(r, &base);
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
  if (files.count == 0) complain(folder, "there are no clips in it: no name ends in .qsc");
  verify_summary_print(&summary);
  good = (summary.count == 0 || uses_base(r, &base)) && good;
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
                                       {"skeleton", 0, .text = &r.skeleton, .is_path = true},
                                       {"json", 0, .flag = &r.json},
                                       READER_OPTIONS,
                                       {0}};
  const struct command_line line = {"verify", command_verify.help, options, 1, 1};
  struct arguments a;
  if (!arguments_parse(&a, &line, argc, argv, &status)) return status;
  if (!bounds_understand("verify", &given, &r.asked)) return STATUS_BAD_USAGE;
  if (r.asked.mesh > 0)
    return usage_error("verify",
                       "--object: clips have a bound of the mesh from quatsimd.json, not from here");
  if (has_track && !(r.track > 0 && r.track <= 1e18))
    return usage_error("verify", "--track: %g is not above 0", r.track);
  const bool folder = system_is(a.operands[0], SYSTEM_FOLDER);
  if (folder && r.animation)
    return usage_error("verify", "--animation goes with one clip, not with a folder");
  if (r.skeleton && !skeleton_file_of(r.skeleton, false, &r.given)) return STATUS_BAD_INPUT;
  const bool good = (folder ? verify_folder : verify_one)(&r, a.operands[0]);
  skeleton_file_free(&r.given);
  return good ? STATUS_OK : STATUS_BAD_INPUT;
}

const struct command command_verify = {
    "verify",
    "compare clips with the files they were made from",
    {"Usage: quatsimd verify CLIP|DIR [--against FILE|DIR]\n"
     "                       [--animation NAME|NUMBER] [--base FILE[#NAME]]\n"
     "                       [--rotation ANGLE] [--translation LENGTH] [--scale S]\n"
     "                       [--object LENGTH@DISTANCE] [--track X] [--json]\n"
     "\n"
     "Samples CLIP (.qsc, of `quatsimd compress`) at every key of FILE and between\n"
     "keys, and prints the error of each joint. FILE is glTF 2.0 (.gltf, .glb), BVH\n"
     "or FBX. If skeleton.qsk is beside a clip, it defines the joints of the clip.\n"
     "\n"
     "If the operand is a DIR, all clips in it and below it are compared, with one\n"
     "line for each and one for all. Clips and skeletons that a manifest names must\n"
     "exist.\n"
     "\n"
     "  -a, --against FILE|DIR        the file that CLIP was made from. Default: the\n"
     "                                path in quatsimd.json, the manifest that\n"
     "                                `quatsimd compress` writes beside its clips.\n"
     "                                With a DIR, each file has the place in DIR that\n"
     "                                the folder of its clips has: for\n"
     "                                `quatsimd verify clips`, the file of\n"
     "                                clips/heroes/knight.glb/Walk.qsc is\n"
     "                                DIR/heroes/knight.glb\n"
     "  --animation NAME|NUMBER       the animation of FILE; numbers begin with 0.\n"
     "                                Default: the only animation, or the one in the\n"
     "                                manifest\n"
     "  --base FILE[#NAME]            the animation that clips are additive to, as\n"
     "                                given to `quatsimd compress --additive`.\n"
     "                                Default: the one in the manifest. CLIP is added\n"
     "                                to it, and the sum is compared. It is an error\n"
     "                                if no clip is additive to an animation\n"
     "  --skeleton FILE               the skeleton that `compress` was given. Files\n"
     "                                whose joints match by VRM's human bones need it\n"
     "\n"
     "Bounds are the largest errors allowed, at any time. The default for each is the\n"
     "bound in the manifest; without a manifest there is none. Bounds of single\n"
     "joints in the manifest apply, too, unless an option gives a bound of that kind.\n"
     "  -r, --rotation ANGLE          such as 0.05, 0.05deg or 0.001rad; a number\n"
     "                                alone is in degrees\n"
     "  -t, --translation LENGTH      such as 0.1mm or 0.01cm, with metres as in\n"
     "                                `quatsimd help compress`; a number alone is in\n"
     "                                FILE's unit\n"
     "  -s, --scale S                 largest difference of a component\n"
     "  --object LENGTH@DISTANCE      also compare points that are fixed to a joint,\n"
     "                                at DISTANCE from it, in model space. Joints\n"
     "                                that do not move are taken at rest\n"
     "  --track X                     of tracks, the weights of morph targets\n"
     "\n"
     "  --json                        print JSON, with all digits\n"
     "  -h, --help                    print this text\n"
     "\n" READER_HELP "\n"
     "Errors of rotations are in degrees, errors of translations and points in FILE's\n"
     "unit. Means are over keys; those of points are over the times of all keys.\n"
     "\n",
     "Between keys FILE has the values of its own interpolation. The intervals\n"
     "between all keys and frames of FILE and CLIP are divided so finely that errors\n"
     "at other times are at most 1 % larger, as long as CLIP turns as FILE does. A\n"
     "time may be off by the rounding of floats, 2^-23 of the largest time: where a\n"
     "curve jumps, the value on either side is right. An error may exceed its bound\n"
     "by rounding: by 1e-6 radians, by 2^-21 of the largest component of a joint's\n"
     "curve, or, for points, by 2^-21 of a length that grows with the number of\n"
     "joints above and their distances. A message then says so, and that no clip can\n"
     "be more exact if CLIP was made with this bound.\n"
     "\n"
     "If `quatsimd compress` moved keys to even times, they are moved in the same way\n"
     "before they are compared, and the largest move is printed.\n"
     "\n"
     "A curve that is missing in CLIP counts as the rest pose, or as the identity if\n"
     "CLIP was made without a skeleton. Kinds that `quatsimd compress --only` left\n"
     "out have no bound in the manifest.\n"
     "\n"
     "The exit status is 1 if an error exceeds its bound by more, or a clip cannot be\n"
     "compared. If FILE has changed since CLIP was made, a message says so (in JSON:\n"
     "file_changed), and only the bounds decide.\n"
     "\n"
     "Examples:\n"
     "  quatsimd verify walk.qsc --against walk.bvh --rotation 0.05deg\n"
     "                                        with a bound of your own\n"
     "  quatsimd verify clips/hero.glb/Walk.qsc --against hero.glb\n"
     "                                        with the bounds in the manifest\n"
     "  quatsimd verify clips --against animations\n"
     "                                        all that `quatsimd compress` wrote\n"
     "  quatsimd verify Walk.qsc --against hero.glb --animation Walk --object 1mm@3cm\n"
     "                                        points 3 cm from the joints\n"},
    run,
};
