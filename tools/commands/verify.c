/* quatsimd verify: how far a clip is from the animation of a file. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/message.h"
#include "base/progress.h"
#include "base/text.h"
#include "clip/inspect.h"
#include "commands/command.h"
#include "report/verify_report.h"

/* Comparing. --------------------------------------------------------------------------------------------- */

/* Can the two be compared at all? */
static bool belong_together(const struct verification *v) {
  const quatsimd_clip *clip = v->clip.clip;
  if (quatsimd_clip_joints(clip) != v->skeleton.joints) {
    complain(v->clip.path, "has %zu joints, and %s has %zu: it is not a clip of that file",
             quatsimd_clip_joints(clip), v->file, v->skeleton.joints);
    return false;
  }
  if (quatsimd_clip_additive(clip) == QUATSIMD_CLIP_ADDITIVE_BASE) {
    complain(v->clip.path, "is additive to another animation, without which it cannot be compared");
    return false;
  }
  for (size_t j = 0; j < quatsimd_clip_joints(clip); j++)
    for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
      if (quatsimd_inspect_state(clip, kind, j) == CLIP_ABSENT ||
          clip_check_curve(&v->source.joint[j], kind)->keys > 0)
        continue;
      complain(v->clip.path, "has a %s of \"%s\", and %s of %s has none: it is not a clip of that",
               verify_kinds[kind], clip_source_joint(&v->source, j), v->source.title, v->file);
      return false;
    }
  return true;
}

/* False and a complaint if a key was not compared. */
static bool compared_all(const struct verification *v) {
  for (size_t j = 0; j < v->source.source.joints; j++)
    for (int kind = 0; kind < QUATSIMD_CLIP_KINDS; kind++) {
      const size_t count = v->tally[j][kind].count;
      if (v->source.rest[QUATSIMD_CLIP_KINDS * j + (size_t)kind] ||
          count == clip_check_curve(&v->source.joint[j], kind)->keys)
        continue;
      complain(v->file, "%s: %s of \"%s\", key %zu: its time is not after that of the key before",
               v->source.title, verify_kinds[kind], clip_source_joint(&v->source, j), count);
      return false;
    }
  return true;
}

static bool compare(struct verification *v) {
  clip_source_make(&v->source, &v->skeleton, v->animation, -1);
  clip_source_stand_at_rest(&v->source);
  if (!belong_together(v)) return false;
  v->tally = memory_get(v->skeleton.joints, sizeof *v->tally);
  const quatsimd_status status =
      clip_check(&v->source.source, v->clip.clip, v->bounds.distance, v->source.rest, v->error, v->tally);
  if (status < 0) complain(v->clip.path, "cannot be sampled: %s", quatsimd_status_string(status));
  return status >= 0 && compared_all(v);
}

/* Bounds that the options do not give come from the manifest. */
static void take_bounds(struct verification *v) {
  const struct clip_origin *o = &v->origin;
  for (int kind = 0; kind < CLIP_CHECK_ERRORS; kind++) {
    v->options = v->options || v->bounds.of[kind] > 0;
    if (v->bounds.of[kind] == 0) v->bounds.of[kind] = o->manifest.bounds.of[kind];
  }
  if (v->bounds.distance == 0) v->bounds.distance = o->manifest.bounds.distance;
}

static int verify(struct verification *v, const char *path, const char *wanted, bool json) {
  if (!clip_file_read(path, &v->clip) || !clip_origin_read(&v->clip, &v->origin)) return STATUS_BAD_INPUT;
  take_bounds(v);
  progress_show("reading", 0, 1, v->file);
  bool good = skeleton_read(v->file, &v->skeleton);
  if (good) v->changed = clip_origin_compare(&v->origin, v->clip.path, v->file);
  if (good) v->animation = clip_origin_choose(&v->origin, v->file, &v->skeleton.scene, wanted);
  good = good && v->animation != SCENE_NONE;
  if (good) progress_show("comparing", 0, 1, path);
  good = good && compare(v);
  progress_clear();
  if (good) (json ? verify_report_print_json : verify_report_print)(v);
  return good && bounds_hold(&v->bounds, v->error, &v->source, v->clip.path, false) ? STATUS_OK
                                                                                    : STATUS_BAD_INPUT;
}

static void verification_free(struct verification *v) {
  free(v->tally);
  clip_source_free(&v->source);
  skeleton_free(&v->skeleton);
  clip_origin_free(&v->origin);
  clip_file_free(&v->clip);
}

static int run(int argc, char **argv) {
  struct verification v = {0};
  struct bounds_options given = {0};
  const char *against = NULL, *animation = NULL;
  bool json = false;
  int status;
  const struct option_row options[] = {{"against", 'a', .text = &against},
                                       {"animation", 0, .text = &animation},
                                       BOUNDS_OPTIONS(given),
                                       {"json", 0, .flag = &json},
                                       {0}};
  const struct command_line line = {"verify", command_verify.help, options, 1, 1};
  struct arguments a;
  if (arguments_parse(&a, &line, argc, argv, &status)) {
    if (!against)
      status = usage_error("verify", "--against is missing: the file that the clip should be like");
    else if (!bounds_understand("verify", &given, &v.bounds)) status = STATUS_BAD_USAGE;
    else {
      v.file = against;
      status = verify(&v, a.operands[0], animation, json);
    }
  }
  verification_free(&v);
  return status;
}

const struct command command_verify = {
    "verify",
    "compare a clip with the file it was made from",
    {"Usage: quatsimd verify CLIP --against FILE [--animation NAME|NUMBER]\n"
     "                       [--rotation ANGLE] [--translation LENGTH] [--scale S]\n"
     "                       [--object LENGTH@DISTANCE] [--json]\n"
     "\n"
     "Samples CLIP (.qsc, of quatsimd compress) at every key that FILE has and\n"
     "between keys, and prints how far off each joint is. FILE is glTF 2.0 (.gltf,\n"
     ".glb), BVH or anything else that Assimp reads: FBX, Collada and others.\n"
     "\n"
     "  -a, --against FILE            what CLIP was made from\n"
     "  --animation NAME|NUMBER       of FILE; numbers begin with 0. Without it: the\n"
     "                                only one, or as the manifest says that compress\n"
     "                                writes beside its clips (quatsimd.json)\n"
     "\n"
     "How far off it may be, at any time; what is not given is as the manifest says,\n"
     "and without a manifest anything goes:\n"
     "  -r, --rotation ANGLE          as 0.05, 0.05deg or 0.001rad\n"
     "  -t, --translation LENGTH      in FILE's unit, whatever that is; or as 0.1mm,\n"
     "                                0.01cm or 0.0001m, which take FILE's unit for\n"
     "                                metres (as it is in glTF)\n"
     "  -s, --scale S                 of each of a scale's components\n"
     "  --object LENGTH@DISTANCE      also compare points at DISTANCE from a joint,\n"
     "                                fixed to it, where the skeleton's root is.\n"
     "                                Joints that do not move stand at rest\n"
     "\n"
     "  --json                        as JSON, with all digits\n"
     "  -h, --help                    this text\n"
     "\n"
     "Errors of rotations are in degrees, of translations and points in FILE's unit.\n"
     "Between keys FILE is what its own interpolation makes of them: it is looked at\n"
     "at the quarters from each key or frame of CLIP to the next, of any joint. A\n"
     "time may be off by the rounding of floats, 2^-23 of the largest time: where a\n"
     "curve jumps either side of it is right. Of bounds rounding is forgiven, too:\n"
     "1e-6 radians, 2^-21 of the largest component. The mean is over keys, of points\n"
     "over the times of all keys. Curves that are missing in CLIP are as far off as\n"
     "they are long; of kinds that were left out (quatsimd compress --only) the\n"
     "manifest has no bound.\n"
     "\n"
     "The exit status is 1 if anything is beyond its bound or cannot be compared. If\n"
     "FILE was changed since, that is said (in JSON as file_changed), and the bounds\n"
     "alone decide.\n"
     "\n"
     "Examples:\n"
     "  quatsimd verify walk.qsc --against walk.bvh --rotation 0.05deg\n"
     "  quatsimd verify clips/hero.glb/Walk.qsc --against hero.glb\n"
     "  quatsimd verify Walk.qsc --against hero.glb --animation Walk --object 1mm@3cm\n"},
    run,
};
