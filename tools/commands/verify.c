/* quatsimd verify: how far clips are from the animations that they were made from. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "base/threads.h"
#include "bundles/bases.h"
#include "check/rest.h"
#include "clip/encode/curve.h"
#include "commands/command.h"
#include "files/collect.h"
#include "files/names.h"
#include "readers/limits.h"
#include "report/verify_summary.h"
#include "system/files.h"
#include "system/program.h"
#include "terminal/message.h"
#include "terminal/progress.h"

struct request {
  const char **against, *animation, *base, *skeleton; /* null where not given */
  struct skeleton_file given;
  struct bounds_asked asked;
  double track; /* 0: not given */
  bool json;
  /* The bases of clips: those of a file are read once, and so is one that all files have. */
  struct clip_bases bases;
  bool base_used; /* by any clip so far */
  struct verify_summary summary;
};

/* Comparing. --------------------------------------------------------------------------------------------- */

/* Can the two be compared at all? */
static bool belong_together(const struct verification *v) {
  const quatsimd_clip *clip = v->clip.clip;
  for (size_t j = 0; j < quatsimd_clip_joint_count(clip); j++)
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
      const bool absent = quatsimd_clip_curve_state(clip, kind, j) == QUATSIMD_CLIP_ABSENT;
      if (absent && v->base && clip_curve(&v->source.under.source, kind, j)->key_count > 0) {
        complain(v->clip.path,
                 "has no %s of \"%s\", but the base %s moves it: the clip was made with another base",
                 clip_check_names[kind], clip_source_joint(&v->source, j), v->base->path);
        return false;
      }
      if (absent || clip_curve(&v->source.source, kind, j)->key_count > 0) continue;
      complain(v->clip.path, "has a %s of \"%s\", but %s of %s has none: it is a clip of another animation",
               clip_check_names[kind], clip_source_joint(&v->source, j), v->source.title, v->file);
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
          count == clip_curve(&v->source.source, kind, j)->key_count)
        continue;
      complain(v->file, "%s: %s of \"%s\", key %zu: its time is not after that of the key before",
               v->source.title, clip_check_names[kind], clip_source_joint(&v->source, j), count);
      return false;
    }
  return true;
}

/* The base of a clip that is relative to one. */
static bool put_under(struct verification *v) {
  if (!v->base) return true;
  if (!clip_base_fits(v->base, v->file, v->skeleton)) return false;
  if (v->origin.clip) clip_source_keep(&v->source, &v->origin.clip->change.only);
  clip_base_put_under_clip(v->base, v->clip.clip, true, &v->source);
  return true;
}

/* Moves keys as compress did, or none if the record says so. A clip may have another
 * rate than its keys. */
static void move_keys(struct verification *v) {
  const struct made_clip *made = v->origin.clip;
  if (made && made->moved == 0) return;
  v->moved = clip_source_move(&v->source, 0);
  if (v->moved == 0) v->moved = clip_source_move(&v->source, quatsimd_clip_rate(v->clip.clip));
}

/* Compares a clip, whose members up to base are set. */
static bool compare(struct verification *v) {
  const struct made_bounds *made = clip_origin_bounds(&v->origin);
  struct joint_bounds own = made->joints;
  if (v->track_given) own.tracks = 0;
  clip_source_make(&v->source, v->skeleton, v->animation, -1);
  clip_source_stand_at_rest(&v->source);
  joint_bounds_apply(&own, &v->of_record, &v->source);
  if (!clip_origin_fits(&v->clip, v->file, v->skeleton) || !put_under(v) || !belong_together(v)) return false;
  move_keys(v);
  if (v->origin.clip && v->origin.clip->closed > 0) clip_source_close(&v->source, v->origin.clip->closed);
  v->tally = memory_get(v->skeleton->joints, sizeof *v->tally);
  struct clip_rest rest;
  clip_rest_make(&rest, v->clip.clip, v->skeleton->file.skeleton);
  const struct clip_pair pair = {.source = &v->source.source,
                                 .base = clip_source_under(&v->source),
                                 .clip = v->clip.clip,
                                 .distance = v->bounds.distance,
                                 .rest = v->source.rest,
                                 .pose = rest.pose};
  const quatsimd_status status = clip_check(&pair, v->error, v->tally);
  v->tracks = clip_tracks_check(&pair, v->track_bound);
  clip_rest_free(&rest);
  bounds_judge(&v->bounds, v->error, (const struct clip_tally(*)[CLIP_CHECK_ERRORS])v->tally, &v->source,
               v->use);
  if (status < 0) complain(v->clip.path, "cannot be sampled: %s", quatsimd_status_string(status));
  return status >= 0 && compared_all(v);
}

/* Bounds that the options do not give come from the record. */
static void take_bounds(struct verification *v, const struct request *r) {
  const struct made_bounds *made = clip_origin_bounds(&v->origin);
  v->bounds = bounds_of_file(&r->asked, v->skeleton);
  for (int kind = 0; kind < CLIP_CHECK_ERRORS; kind++) {
    v->options = v->options || v->bounds.of[kind] > 0;
    v->of_record.of[kind] = v->bounds.of[kind] > 0 ? 0 : made->bounds.of[kind];
    if (v->bounds.of[kind] == 0) v->bounds.of[kind] = made->bounds.of[kind];
  }
  if (v->bounds.distance == 0) v->bounds.distance = made->bounds.distance;
  v->track_given = r->track > 0;
  v->options = v->options || v->track_given;
  v->track_bound = r->track > 0 ? r->track : made->track_bound;
}

static bool holds(const struct verification *v) {
  const bool hold = bounds_hold(v->use, &v->source, v->clip.path, v->name != NULL, !v->options);
  return clip_tracks_hold(&v->tracks, &v->source, v->clip.path, v->name != NULL) && hold;
}

static void verification_free(struct verification *v) {
  free(v->tally);
  clip_source_free(&v->source);
}

/* Bases. ------------------------------------------------------------------------------------------------- */

/* False and a complaint if --base is given and none of the clips, which were compared, is relative to one. */
static bool uses_base(const struct request *r) {
  if (!r->base || r->base_used) return true;
  complain(r->base, "is given as --base, but no clip that was compared is additive to another animation");
  return false;
}

/* False and a complaint if the clip is relative to another animation, and that cannot be read. */
static bool read_base(struct request *r, struct verification *v) {
  if (quatsimd_clip_additive(v->clip.clip) != QUATSIMD_CLIP_ADDITIVE_BASE) return true;
  r->base_used = true;
  v->base =
      clip_base_find(&r->bases, r->base, v->clip.path, &clip_origin_bounds(&v->origin)->base, v->changes);
  return v->base != NULL;
}

/* One clip. ---------------------------------------------------------------------------------------------- */

/* The animation and the bounds of a clip whose file was read. */
static bool prepare(struct request *r, struct verification *v) {
  v->animation = clip_origin_choose(&v->origin, v->file, &v->skeleton->scene, r->animation);
  if (v->animation == SCENE_NONE) return false;
  const struct made_clip *made = v->origin.clip;
  if (made && !animation_change_is_none(&made->change)) {
    v->animation = scene_copy_animation(&v->skeleton->scene, v->animation);
    scene_change_animation(&v->skeleton->scene, v->animation, &made->change);
  }
  take_bounds(v, r);
  return read_base(r, v);
}

/* To be freed; null and a complaint if there is no telling. In a folder of originals, it is where the bundle
 * is in the folder of bundles, or what it was below the folder that was compressed to one bundle. */
static char *path_of_original(const struct request *r, const struct made_file *made, bool one,
                              const char *bundle, const char *below) {
  const char *const *against = r->against;
  if (against && !against[1] && system_is(*against, SYSTEM_FOLDER) && made) {
    const char *slash = one ? strrchr(below, '/') : NULL;
    char *folder = text_copy(slash ? below : "");
    if (slash) folder[slash + 1 - below] = '\0';
    char *start = names_join(*against, "/", folder),
         *path = names_join(start, "", one ? names_file(made->name) : made->name);
    free(folder), free(start);
    return path;
  }
  if (against && !against[1] && one) return text_copy(*against);
  for (size_t i = 0; against && made && against[i]; i++)
    if (strcmp(names_file(against[i]), names_file(made->name)) == 0) return text_copy(against[i]);
  if (against) complain(bundle, "no --against is called %s", made ? names_file(made->name) : "as its file");
  else if (made && made->path) return text_copy(made->path);
  else complain(bundle, "does not say which file it was made from; give --against");
  return NULL;
}

/* Compares one clip, and prints its errors by joint. name: in a bundle, or null. */
static bool verify_one(struct request *r, const char *path, const char *name) {
  struct given_clip given;
  struct skeleton skeleton = {0};
  if (!given_clip_read(&given, path, name)) return false;
  const struct made_file *made = given.origin.file;
  struct verification v = {.clip = given.clip,
                           .name = name,
                           .origin = given.origin,
                           .changes = &given.making.changes,
                           .skeleton = &skeleton};
  char *from = path_of_original(r, made, !made || given.making.count == 1, path, names_file(path));
  v.file = from;
  bool good = from && skeleton_read_like(from, &given.skeleton, quatsimd_clip_skeleton_hash(v.clip.clip),
                                         r->skeleton ? &r->given : NULL, &given.making.changes, &skeleton);
  if (good && made) v.changed = clip_origin_changed(made, path, from);
  good = good && prepare(r, &v) && compare(&v);
  if (good && r->json) json_print(verify_report_tree(&v));
  else if (good) verify_report_print(&v);
  good = good && holds(&v) && uses_base(r);
  verification_free(&v);
  skeleton_free(&skeleton);
  given_clip_free(&given);
  free(from);
  return good;
}

/* Bundles. ----------------------------------------------------------------------------------------------- */

struct bundle {
  const char *path, *below; /* below: the folder that was given */
  struct given_clip given;  /* the bundle, without a clip */
};

/* The clips of a bundle that were made of one file. */
struct comparison {
  struct skeleton skeleton; /* of the file */
  struct verification *v;
  struct messages *messages;
  bool *good;
  size_t count;
};

static void compare_next(void *data, size_t i) {
  struct comparison *c = data;
  if (!c->good[i]) return;
  messages_keep(&c->messages[i]);
  c->good[i] = compare(&c->v[i]);
  messages_keep(NULL);
}

static bool sum_up(struct comparison *c, const char *below, struct verify_summary *summary) {
  bool good = true;
  for (size_t i = 0; i < c->count; i++) {
    messages_print(&c->messages[i]);
    if (c->good[i]) {
      char *name = names_join(below, ": ", c->v[i].name);
      verify_summary_add(summary, &c->v[i], name);
      good = holds(&c->v[i]) && good;
      free(name);
    } else summary->failed++;
    messages_free(&c->messages[i]);
    verification_free(&c->v[i]);
    clip_file_free(&c->v[i].clip);
  }
  free(c->v), free(c->messages), free(c->good);
  return good;
}

/* Compares the clips of a file that was read. */
static bool compare_all(struct request *r, const struct bundle *b, const struct made_file *made,
                        const char *from, struct comparison *c) {
  struct threads all = {system_processors(), NULL};
  const bool changed = clip_origin_changed(made, b->path, from);
  c->count = made->count;
  c->v = memory_get(c->count, sizeof *c->v);
  c->messages = memory_get(c->count, sizeof *c->messages);
  c->good = memory_get(c->count, sizeof *c->good);
  for (size_t i = 0; i < c->count; i++) {
    struct verification *v = &c->v[i];
    *v = (struct verification){.origin = {made, &made->clip[i]},
                               .changes = &b->given.making.changes,
                               .skeleton = &c->skeleton,
                               .file = from,
                               .changed = changed};
    const bool found = bundle_file_open_clip(&b->given.bundle, made->clip[i].clip, &v->clip);
    v->clip.path = b->path, v->name = made->clip[i].clip;
    if (!found) complain(b->path, "has no clip \"%s\", which its record names", v->name);
    c->good[i] = found && prepare(r, v);
  }
  if (c->count > 0) threads_run(&all, compare_next, c, c->count);
  const bool good = sum_up(c, b->below, &r->summary);
  if (r->bases.count > 1) clip_bases_free(&r->bases);
  return good;
}

static bool verify_file(struct request *r, const struct bundle *b, const struct made_file *made) {
  struct comparison c = {.count = 0};
  char *from = path_of_original(r, made, b->given.making.count == 1, b->path, b->below);
  if (from) progress_show("comparing", 0, 1, from);
  bool good = from && skeleton_read_like(
                          from, &b->given.skeleton, quatsimd_bundle_skeleton_hash(b->given.bundle.bundle),
                          r->skeleton ? &r->given : NULL, &b->given.making.changes, &c.skeleton);
  if (good) good = compare_all(r, b, made, from, &c);
  else r->summary.failed += made->count;
  progress_clear();
  skeleton_free(&c.skeleton);
  free(from);
  return good;
}

static bool verify_bundle(struct request *r, const struct collected_file *file) {
  struct bundle b = {.path = file->path, .below = file->name};
  const struct making *making = &b.given.making;
  if (!given_bundle_read(&b.given, b.path)) return r->summary.failed++, false;
  size_t clips = 0;
  for (size_t f = 0; f < making->count; f++) clips += making->file[f].count;
  bool good = clips > 0;
  if (!good)
    complain(b.path, "does not say which animations it was made from; `quatsimd verify BUNDLE NAME --against "
                     "FILE` compares one clip"),
        r->summary.failed++;
  for (size_t f = 0; f < making->count && clips > 0; f++) good = verify_file(r, &b, &making->file[f]) && good;
  given_clip_free(&b.given);
  return good;
}

static bool verify_all(struct request *r, const char *operand) {
  struct verify_summary *summary = &r->summary;
  struct collected files;
  bool good = true;
  collect(&operand, 1, bundle_file_has_name, &files);
  if (r->json) summary->list = cJSON_CreateArray();
  summary->failed = files.unread;
  for (size_t i = 0; i < files.count; i++) good = verify_bundle(r, &files.file[i]) && good;
  if (files.count == 0 && files.unread == 0)
    complain(operand, "there are no bundles in it: no name ends in .qsb");
  if (summary->count > 0 || files.unread == 0 || r->json) verify_summary_print(summary);
  good = (summary->count == 0 || uses_base(r)) && good;
  good = good && files.count > 0 && summary->failed == 0;
  verify_summary_free(summary);
  collect_free(&files);
  return good;
}

static int run(int argc, char **argv) {
  struct request r = {0};
  struct bounds_options given = {0};
  bool has_track = false;
  int status;
  const struct option_row options[] = {{"against", 'a', .texts = &r.against, .is_path = true},
                                       {"animation", 0, .text = &r.animation},
                                       {"base", 0, .text = &r.base, .is_path = true},
                                       BOUNDS_OPTIONS(given),
                                       {"track", 0, .number = &r.track, .flag = &has_track},
                                       {"skeleton", 0, .text = &r.skeleton, .is_path = true},
                                       {"json", 0, .flag = &r.json},
                                       READER_OPTIONS,
                                       {0}};
  const struct command_line line = {"verify", command_verify.help, options, 1, 2};
  struct arguments a;
  if (!arguments_parse(&a, &line, argc, argv, &status)) return free(r.against), status;
  const char *path = a.operands[0], *name = a.count > 1 ? a.operands[1] : NULL;
  const bool many = !name && (system_is(path, SYSTEM_FOLDER) || bundle_file_is(path));
  if (!bounds_understand("verify", &given, &r.asked)) status = STATUS_BAD_USAGE;
  else if (r.asked.mesh > 0)
    status =
        usage_error("verify", "--object: clips have a bound of the mesh from their bundle, not from here");
  else if (has_track && !(r.track > 0 && r.track <= 1e18))
    status = usage_error("verify", "--track: %g is not above 0", r.track);
  else if (many && r.animation)
    status = usage_error("verify", "--animation goes with one clip, not with all of a bundle");
  else {
    const bool read = !r.skeleton || skeleton_file_of(r.skeleton, false, NULL, &r.given);
    status =
        read && (many ? verify_all(&r, path) : verify_one(&r, path, name)) ? STATUS_OK : STATUS_BAD_INPUT;
  }
  skeleton_file_free(&r.given);
  clip_bases_free(&r.bases);
  free(r.against);
  return status;
}

const struct command command_verify = {
    "verify",
    "compare clips with the files they were made from",
    {"Usage: quatsimd verify BUNDLE|DIR [--against FILE|DIR]... [OPTION]...\n"
     "       quatsimd verify BUNDLE NAME [--against FILE|DIR]... [OPTION]...\n"
     "       quatsimd verify CLIP --against FILE [OPTION]...\n"
     "\n"
     "Compares the clips of a BUNDLE (.qsb), or of all bundles in a DIR, with the\n"
     "animations that they were made from, at every key and between keys, and prints\n"
     "the largest errors. With a NAME, or a CLIP (.qsc), it prints the errors of each\n"
     "joint. The exit status is 1 if an error exceeds its bound.\n"
     "\n"
     "  -a, --against FILE|DIR    what the clips were made from: glTF, BVH or FBX.\n"
     "                            Default: the paths in the bundle\n"
     "  --animation NAME|NUMBER   the animation of FILE; numbers begin with 0\n"
     "  --base FILE[#NAME]        the animation that clips are additive to\n"
     "  --skeleton FILE           the skeleton that `quatsimd compress` was given\n"
     "  --json                    print JSON, with all digits\n"
     "  -h, --help                print this text\n" READER_HELP "\n"
     "Bounds are the largest errors allowed. Default: those in the bundle.\n"
     "  -r, --rotation ANGLE      such as 0.05, 0.05deg or 0.001rad\n"
     "  -t, --translation LENGTH  such as 0.1mm or 0.01cm, or a number in FILE's unit\n"
     "  -s, --scale S             largest difference of a component\n"
     "  --object LENGTH@DISTANCE  of points at DISTANCE from a joint, in model space\n"
     "  --track X                 of tracks, the weights of morph targets\n"
     "\n"
     "Examples:\n"
     "  quatsimd verify hero.qsb              all clips, with the bundle's bounds\n"
     "  quatsimd verify hero.qsb Walk         the errors of each joint\n"
     "  quatsimd verify out --against animations\n"
     "                                        all that `quatsimd compress` wrote\n"
     "\n"
     "docs/command.md says how files are found and what is compared.\n"},
    run,
};
