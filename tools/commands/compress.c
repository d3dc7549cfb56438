/* quatsimd compress: the animations of files and folders as bundles of clips: measured, or written. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "bundles/bases.h"
#include "commands/command.h"
#include "compress/compress.h"
#include "compress/glb.h"
#include "files/file.h"
#include "files/inputs.h"
#include "files/names.h"
#include "readers/gltf/gltf.h"
#include "readers/gltf/gltf_bundle.h"
#include "readers/limits.h"
#include "readers/readers.h"
#include "report/clip_report.h"
#include "report/page.h"
#include "system/files.h"
#include "system/program.h"
#include "terminal/print.h"
#include "terminal/progress.h"

/* The options of the command line; null, 0 and false: not given. Without out, glb or page none is written. */
struct given {
  struct bounds_options bounds;
  const char *only, *additive, *out, *glb, *page, *skeleton, *order, *loops;
  const char **animations;
  double rate, seconds, track;
  int jobs;
  bool has_jobs, has_seconds, has_track, loop, ignore_unmatched, release, partial, json;
};

struct request {
  struct clip_settings settings;
  struct given given;
  size_t jobs;
  double seconds;                /* of measuring speed; 0: none */
  struct skeleton_file skeleton; /* that all clips are to have, if there is one */
  struct clip_base base;         /* that they are relative to, the same */
  struct recipe recipe;          /* path null: there is none */
  char *skeleton_path;           /* of the recipe */
  const char *additive;          /* the file; null: none */
};

/* Work. -------------------------------------------------------------------------------------------------- */

/* False and a complaint if speed cannot be measured. */
static bool report(const struct request *r, struct clip_report *report) {
  struct clip_speed speed;
  bool good = true;
  if (r->seconds > 0 && report->count > 0) {
    progress_show("measuring speed", 0, 1, "");
    good = clip_speed_measure(report->results, report->count, r->seconds, &speed);
    progress_clear();
    report->speed = &speed;
  }
  if (good) (r->given.json ? clip_report_print_json : clip_report_print)(report);
  report->speed = NULL;
  return good;
}

/* Files that are sifted may have no such animation, but not all of them. */
static bool found_any(const struct request *r, const struct collected *files, bool good, size_t clips) {
  if (!good || clips > 0 || !r->settings.sifts) return good;
  complain(r->given.animations[0], "no animation that moves has this name%s in %s",
           r->given.animations[1] ? " or one of the others" : "", text_count(files->count, "file"));
  return false;
}

/* The messages of what failed, once more, at the end of a run of several files. */
static void print_failures(const struct compress *c) {
  if (c->files->count < 2 || c->failures == 0) return;
  fprintf(print_errors(), "quatsimd: %s failed:\n", text_number(c->failed));
  for (size_t i = 0; i < c->failures; i++) messages_print(&c->failure[i].messages);
}

static bool compress(struct request *r, const struct collected *files) {
  struct compress c = {.settings = &r->settings,
                       .recipe = r->recipe.path ? &r->recipe : NULL,
                       .files = files,
                       .out = r->given.out,
                       .one = r->given.out && bundle_file_has_name(r->given.out),
                       .release = r->given.release,
                       .partial = r->given.partial,
                       .silent = r->given.json,
                       .again = r->given.page || r->seconds > 0,
                       .threads = r->jobs};
  bool good = compress_run(&c);
  struct clip_report of = {.settings = &r->settings, .results = c.result, .count = c.count, .compress = &c};
  of.bad = c.failed;
  for (size_t f = 0; f < c.done_count; f++) of.empty += c.done[f].empty, of.bad -= c.done[f].missed;
  /* of what failed alone there are messages */
  /* what a --release says when it is up to date, what is complained of, and what was not written */
  const bool quiet =
      !r->given.json && r->given.out && (c.count > 0 ? c.bundles == 0 : c.bundles > 0 || r->settings.sifts);
  if (!quiet && (r->given.json || c.count > 0 || (good && files->count > 0))) good = report(r, &of) && good;
  if (r->given.page) good = page_write(r->given.page, &of) && good;
  good = found_any(r, files, good, c.count);
  print_failures(&c);
  compress_free(&c);
  return good;
}

/* The file again, with its animations as a bundle. */
static bool make_glb(struct request *r, const struct collected *files) {
  struct clip_settings settings = r->settings;
  settings.threads = (struct threads){r->jobs, NULL};
  struct glb glb = {.settings = &settings,
                    .recipe = r->recipe.path ? &r->recipe : NULL,
                    .files = files,
                    .path = files->file->path,
                    .out = r->given.glb};
  bool written, good = glb_make(&glb, &written);
  struct clip_report of = {.settings = &r->settings, .results = glb.result, .count = glb.count, .glb = &glb};
  of.empty = glb.empty, of.bad = glb.bad;
  if (written) good = report(r, &of) && good;
  glb_free(&glb);
  return good;
}

/* All files to read are inputs before anything is written, also those that other files name. */
static void note_inputs(const struct collected *files) {
  for (size_t f = 0; f < files->count; f++) {
    struct system_look look;
    if (system_look(files->file[f].path, &look)) inputs_add(&look);
    if (reader_of(files->file[f].path) == &reader_gltf) gltf_note_files(files->file[f].path);
  }
}

/* False and a complaint if the folder is that of clips that an earlier version wrote. */
static bool is_not_former(const char *folder) {
  char *manifest = names_join(folder, "/", "quatsimd.json");
  struct system_look look;
  const bool good = !system_look(manifest, &look);
  if (!good)
    complain(manifest, "is of quatsimd 0.1, whose clips this version does not renew; choose another OUT");
  free(manifest);
  return good;
}

/* Are there places for what is to be written? The page may be in OUT. */
static bool make_places(const struct request *r, const struct collected *files) {
  if (!r->given.out) return true;
  note_inputs(files);
  const bool one = bundle_file_has_name(r->given.out);
  if (r->given.page && !inputs_spare(r->given.page)) return false;
  if (one ? !inputs_spare(r->given.out) : !collect_names_differ(files) || !is_not_former(r->given.out))
    return false;
  if (r->given.page && page_has_name(r->given.page) &&
      !(one ? names_make_directory_of : names_make_directories)(r->given.out))
    return false; /* the page may be there */
  return !r->given.page || page_may_be_written(r->given.page);
}

/* One bundle of several files has one skeleton: without --skeleton that of the first file. */
static void choose_skeleton(const struct arguments *a, const struct collected *files, struct request *r) {
  struct skeleton_choice *choice = &r->settings.skeleton;
  if (choice->path || !r->given.out || !bundle_file_has_name(r->given.out) || files->count < 2) return;
  choice->path = system_is(a->operands[0], SYSTEM_FILE) ? a->operands[0] : files->file[0].path;
  choice->first = true;
}

/* Reads the skeleton that all clips are to have. */
static bool read_skeleton(struct request *r) {
  struct skeleton_choice *choice = &r->settings.skeleton;
  if (!choice->path) return true;
  if (!skeleton_file_of(choice->path, choice->by_importance, choice->changes, &r->skeleton)) return false;
  choice->of = &r->skeleton;
  return true;
}

/* False and a complaint if the recipe is for more than one file, which --glb writes again. */
static bool fits_glb(const struct request *r, const struct collected *files) {
  const struct recipe *recipe = &r->recipe;
  if (!r->given.glb) return true;
  if (files->count != 1 || files->unread > 0)
    return complain(recipe->path, "names %s files; --glb writes one file, and needs a recipe of that alone",
                    text_number(files->count + files->unread));
  if (file_is_same(files->file->path, r->skeleton_path)) return true;
  return complain(recipe->path, "its skeleton is %s; clips of --glb have that of %s", r->skeleton_path,
                  files->file->path);
}

/* Takes what a recipe says of all files. first: the first file. */
static bool follow_recipe(struct request *r, const struct collected *files, const char *first) {
  struct recipe *recipe = &r->recipe;
  struct clip_settings *s = &r->settings;
  s->asked = recipe->has_bound ? recipe->bound : bounds_default(false);
  s->track_given = recipe->track > 0;
  if (s->track_given) s->track_bound = recipe->track;
  s->rate = recipe->rate, s->joints = &recipe->joints;
  r->skeleton_path = recipe->skeleton ? recipe_path(recipe, recipe->skeleton) : text_copy(first);
  s->skeleton = (struct skeleton_choice){.by_importance = recipe->by_importance,
                                         .path = r->given.glb ? NULL : r->skeleton_path,
                                         .first = !recipe->skeleton,
                                         .ignore_unmatched = recipe->ignore_unmatched == RECIPE_TRUE,
                                         .changes = &recipe->changes};
  return fits_glb(r, files) && recipe_leave_out(recipe, r->skeleton_path);
}

/* Reads what the settings say beside the command line. */
static bool read_files(struct request *r) {
  if (!read_skeleton(r)) return false;
  quatsimd_bundle_mask_entry *masks;
  const bool has_masks = r->recipe.path && !r->given.glb; /* of --glb they are made of the file's joints */
  if (has_masks && !recipe_make_masks(&r->recipe, r->skeleton.skeleton, &masks)) return false;
  if (has_masks) recipe_masks_free(&r->recipe, masks);
  if (r->additive) {
    if (!clip_base_read(r->additive, &r->base)) return false;
    r->settings.base = &r->base;
  }
  return true;
}

static void request_free(struct request *r) {
  skeleton_file_free(&r->skeleton);
  clip_base_free(&r->base);
  if (r->recipe.path) recipe_free(&r->recipe);
  free(r->skeleton_path);
  free(r->given.animations);
}

static bool run_on(struct request *r, const struct collected *files) {
  return read_files(r) && make_places(r, files) && (r->given.glb ? make_glb(r, files) : compress(r, files));
}

static bool run_recipe(const char *path, struct request *r) {
  struct collected files = {0};
  char *first = NULL;
  const bool good = recipe_read(path, &r->recipe) && recipe_collect(&r->recipe, &files, &first) &&
                    follow_recipe(r, &files, first) && run_on(r, &files);
  free(first);
  collect_free(&files);
  return good;
}

static bool run_with(const struct arguments *a, struct request *r) {
  struct collected files;
  bool good = false;
  if (recipe_has_name(a->operands[0])) return run_recipe(a->operands[0], r);
  collect(a->operands, a->count, reader_has_animations, &files);
  if (files.count == 0 && files.unread == 0)
    complain(a->operands[0],
             "no file has a name that ends as those of animations; see `quatsimd help compress`");
  else if (files.count > 0) {
    choose_skeleton(a, &files, r);
    good = run_on(r, &files);
  }
  collect_free(&files);
  return good;
}

/* Options. ----------------------------------------------------------------------------------------------- */

static int read_curves(const struct given *g, struct clip_settings *s) {
  s->only = g->only ? scene_kind(g->only) : -1;
  if (g->bounds.object && g->only)
    return usage_error("compress", "--only does not go with --object, which needs all curves");
  if (s->only == QUATSIMD_CLIP_JOINT_KIND_COUNT)
    return usage_error("compress", "--only: \"%s\" is not rotation, translation or scale", g->only);
  if (g->additive && !*g->additive)
    return usage_error("compress", "--additive: \"\" is neither first nor a file");
  if (g->loops && strcmp(g->loops, "auto") != 0)
    return usage_error("compress", "--loop: \"%s\" is not auto", g->loops);
  if (!(g->rate >= 0 && g->rate <= 1e6))
    return usage_error("compress", "--rate: %g is not from 0 to 1000000 Hz", g->rate);
  if (g->has_track && !(g->track > 0 && g->track <= 1e18))
    return usage_error("compress", "--track: %g is not above 0", g->track);
  s->track_bound = g->has_track ? g->track : 0.001, s->track_given = g->has_track;
  s->additive = g->additive && strcmp(g->additive, "first") == 0, s->rate = g->rate;
  s->loop = g->loops ? CLIP_LOOP_AUTO : g->loop ? CLIP_LOOP_ALL : CLIP_LOOP_NONE;
  return STATUS_OK;
}

static int read_joints(const struct given *g, struct skeleton_choice *choice) {
  const bool importance = g->order && strcmp(g->order, "importance") == 0;
  if (g->order && !importance && strcmp(g->order, "depth") != 0)
    return usage_error("compress", "--order: \"%s\" is not depth or importance", g->order);
  if (g->ignore_unmatched && !g->skeleton)
    return usage_error("compress", "--ignore-unmatched needs --skeleton");
  *choice = (struct skeleton_choice){
      .by_importance = importance, .path = g->skeleton, .ignore_unmatched = g->ignore_unmatched};
  return STATUS_OK;
}

/* An ending that another command or option writes. */
static bool is_elsewhere(const char *out) {
  static const char *const endings[] = {".qsc",  ".qsk", ".glb", ".gltf", ".vrm",
                                        ".vrma", ".bvh", ".fbx", ".json"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (file_name_ends(out, endings[i]) && !system_is(out, SYSTEM_FOLDER)) return true;
  return false;
}

static int read_output(const struct given *g, struct request *r) {
  if (g->out && !*g->out) return usage_error("compress", "-o: the name is empty");
  if (g->out && is_elsewhere(g->out))
    return usage_error("compress",
                       "-o: \"%s\" is neither a folder nor a bundle (.qsb); --glb writes glTF, and "
                       "`quatsimd extract` takes clips out of a bundle",
                       g->out);
  if (g->page && !g->out && !g->glb)
    return usage_error("compress", "--report needs -o OUT: it shows the clips in OUT");
  if ((g->release || g->partial) && !g->out && !g->glb)
    return usage_error("compress", "%s needs -o OUT", g->release ? "--release" : "--partial");
  if (g->has_jobs && (g->jobs < 1 || g->jobs > 10000))
    return usage_error("compress", "--jobs: %d is not from 1 to 10000", g->jobs);
  if (g->has_seconds && !(g->seconds >= 0 && g->seconds <= 3600))
    return usage_error("compress", "--time: %g is not from 0 to 3600 seconds", g->seconds);
  r->settings.bundle = g->out || g->glb;
  r->jobs = g->has_jobs ? (size_t)g->jobs : system_processors();
  r->seconds = g->has_seconds ? g->seconds : g->out || g->glb ? 0 : 0.1;
  return STATUS_OK;
}

/* Options that do not go with --glb, which all of the file goes into. */
static const char *beside_glb(const struct given *g) {
  return g->out        ? "-o"
         : g->only     ? "--only"
         : g->skeleton ? "--skeleton"
         : g->page     ? "--report"
         : g->release  ? "--release"
         : g->partial  ? "--partial"
                       : NULL;
}

static int read_glb(const struct given *g, const struct arguments *a) {
  const char *beside = beside_glb(g);
  if (!g->glb) return STATUS_OK;
  if (beside) return usage_error("compress", "%s does not go with --glb", beside);
  if (!gltf_bundle_has_name(g->glb))
    return usage_error("compress", "--glb: \"%s\" does not end in .glb, .vrm or .vrma", g->glb);
  if (a->count != 1 || system_is(a->operands[0], SYSTEM_FOLDER))
    return usage_error("compress", "--glb writes one file, and needs one FILE");
  if (file_is_same(g->glb, a->operands[0]))
    return usage_error("compress", "--glb: %s is the file to compress, and would be overwritten", g->glb);
  return STATUS_OK;
}

/* A recipe says all that the files' clips are made with. */
static int read_recipe(const struct given *g, const struct arguments *a) {
  bool any = false;
  for (size_t i = 0; i < a->count; i++) any = any || recipe_has_name(a->operands[i]);
  if (!any) return STATUS_OK;
  const char *beside = g->bounds.rotation || g->bounds.translation || g->bounds.scale || g->bounds.object
                           ? "a bound"
                       : g->only             ? "--only"
                       : g->has_track        ? "--track"
                       : g->rate > 0         ? "--rate"
                       : g->animations       ? "--animation"
                       : g->loop || g->loops ? "--loop"
                       : g->additive         ? "--additive"
                       : g->skeleton         ? "--skeleton"
                       : g->order            ? "--order"
                                             : NULL;
  if (a->count > 1) return usage_error("compress", "a recipe (.json) is the only FILE: it names the others");
  if (beside) return usage_error("compress", "%s does not go with a recipe, which says it", beside);
  if (g->out && !bundle_file_has_name(g->out))
    return usage_error("compress", "-o: \"%s\" is no bundle (.qsb); a recipe makes one bundle", g->out);
  return STATUS_OK;
}

/* STATUS_OK, or that of the complaint. */
static int understand(const struct given *g, const struct arguments *a, struct request *r) {
  int status = read_curves(g, &r->settings);
  if (status == STATUS_OK && !bounds_to_encode("compress", &g->bounds, r->settings.only, &r->settings.asked))
    status = STATUS_BAD_USAGE;
  if (status == STATUS_OK) status = read_joints(g, &r->settings.skeleton);
  r->additive = r->settings.additive ? NULL : g->additive;
  r->settings.animations = g->animations;
  for (size_t i = 0; i < a->count; i++)
    r->settings.sifts = r->settings.sifts || (g->animations && system_is(a->operands[i], SYSTEM_FOLDER));
  if (status == STATUS_OK) status = read_output(g, r);
  if (status == STATUS_OK) status = read_recipe(g, a);
  if (status == STATUS_OK) status = read_glb(g, a);
  for (size_t i = 0; status == STATUS_OK && r->given.out && i < a->count; i++)
    if (file_is_same(r->given.out, a->operands[i]))
      return usage_error("compress", "-o: %s is itself to be compressed; give another OUT", r->given.out);
  return status;
}

static int run(int argc, char **argv) {
  struct given g = {0};
  const struct option_row options[] = {
      BOUNDS_OPTIONS(g.bounds),
      {"only", 0, .text = &g.only, .values = "rotation translation scale"},
      {"track", 0, .number = &g.track, .flag = &g.has_track},
      {"rate", 0, .number = &g.rate},
      {"animation", 0, .texts = &g.animations},
      {"loop", 0, .flag = &g.loop, .text = &g.loops, .joined = "--loop=auto", .values = "auto"},
      {"additive", 0, .text = &g.additive, .is_path = true},
      {"skeleton", 0, .text = &g.skeleton, .is_path = true},
      {"ignore-unmatched", 0, .flag = &g.ignore_unmatched},
      {"order", 0, .text = &g.order, .values = "depth importance"},
      {"output", 'o', .text = &g.out, .is_path = true},
      {"glb", 0, .text = &g.glb, .is_path = true},
      {"jobs", 'j', .whole = &g.jobs, .flag = &g.has_jobs},
      {"release", 0, .flag = &g.release},
      {"partial", 0, .flag = &g.partial},
      {"report", 0, .text = &g.page, .is_path = true},
      {"time", 0, .number = &g.seconds, .flag = &g.has_seconds},
      READER_OPTIONS,
      {"json", 0, .flag = &g.json},
      {0}};
  const struct command_line line = {"compress", command_compress.help, options, 1, ANY_NUMBER};
  struct arguments a;
  int status;
  if (!arguments_parse(&a, &line, argc, argv, &status)) return free(g.animations), status;
  struct request r = {.given = g};
  status = understand(&g, &a, &r);
  if (status == STATUS_OK && !run_with(&a, &r)) status = STATUS_BAD_INPUT;
  request_free(&r);
  return status;
}

const struct command command_compress = {
    "compress",
    "compress animations into bundles, or measure how small they get",
    {"Usage: quatsimd compress [OPTION...] FILE|DIR... [-o OUT|BUNDLE.qsb]\n"
     "       quatsimd compress RECIPE.json -o BUNDLE.qsb|--glb OUT.glb\n"
     "\n"
     "Encodes animations (.gltf, .glb, .vrm, .vrma, .bvh, .fbx) as clips and compares\n"
     "each with its animation. Without -o it measures, and writes nothing.\n"
     "\n"
     "  -o, --output BUNDLE.qsb   one bundle of all files\n"
     "  -o, --output OUT          a folder with a bundle for each file\n"
     "  --glb OUT.glb             a copy of a glTF file, with a bundle for its keys\n"
     "  --skeleton FILE           the joints of FILE for all files, by their names\n"
     "  --ignore-unmatched        without the curves of joints that FILE lacks\n"
     "  --order importance        joints that matter at a distance come first\n"
     "  --object LENGTH@mesh      no vertex is off by more. Default: 0.2mm@mesh\n"
     "  --object LENGTH@DISTANCE  no point so far from a joint is off by more.\n"
     "                            Default for files without a mesh: 0.1mm@3cm\n"
     "  -r, --rotation ANGLE, -t, --translation LENGTH, -s, --scale S\n"
     "                            or bounds of each joint beside its parent\n"
     "  --track X                 the bound of tracks, the weights of morph targets\n"
     "  --only KIND               rotation, translation or scale alone\n"
     "  --rate HZ                 frames per second, instead of the rate of the keys\n"
     "  --animation NAME          only animations like this, with * and ?\n"
     "  --loop, --loop auto       all clips loop, or those that close\n"
     "  --additive first|FILE[#NAME]\n"
     "                            differences from the first keys or an animation\n"
     "  --partial                 write bundles without animations that failed\n"
     "  --release                 without the names of the files they are made from\n"
     "  --report PAGE.html        a page of sizes and errors, with -o\n"
     "  --time SECONDS            measure the speed of sampling for so long\n"
     "  -j, --jobs N              threads; the bytes do not depend on it\n"
     "  --json                    print JSON\n"
     "  -h, --help                print this text\n" READER_HELP "\n"
     "Examples:\n"
     "  quatsimd compress hero.glb               how small do its animations get?\n"
     "  quatsimd compress hero.glb -o hero.qsb   one bundle, to ship\n"
     "  quatsimd compress --skeleton hero.fbx animations/ -o hero.qsb\n"
     "\n"
     "docs/recipe.md: settings of each animation; docs/command.md: the rest\n"},
    run,
};
