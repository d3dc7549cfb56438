/* quatsimd compress: the animations of files and folders as bundles of clips: measured, or written. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/inputs.h"
#include "base/names.h"
#include "base/progress.h"
#include "base/text.h"
#include "clips/compress.h"
#include "clips/glb.h"
#include "commands/command.h"
#include "readers/gltf/gltf.h"
#include "readers/gltf/gltf_bundle.h"
#include "readers/limits.h"
#include "readers/readers.h"
#include "report/clip_report.h"
#include "report/page.h"
#include "system/files.h"
#include "system/program.h"

/* The options of the command line; null, 0 and false where one was not given. */
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
  const char *out, *glb, *page; /* null: no bundles are written; no .glb; there is no page */
  size_t jobs;
  double seconds; /* of measuring speed; 0: none */
  bool release, partial, json;
  struct skeleton_file skeleton; /* that all clips are to have, if there is one */
  struct clip_base base;         /* that they are relative to, the same */
  struct recipe recipe;          /* path null: there is none */
  char *skeleton_path;           /* of the recipe */
  const char *additive;          /* the file; null: none */
  const char **animations;
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
  if (good) (r->json ? clip_report_print_json : clip_report_print)(report);
  report->speed = NULL;
  return good;
}

/* Files that are sifted may have no such animation, but not all of them. */
static bool found_any(const struct request *r, const struct collected *files, bool good, size_t clips) {
  if (!good || clips > 0 || !r->settings.sifts) return good;
  complain(r->animations[0], "no animation that moves has this name%s in %s file%s",
           r->animations[1] ? " or one of the others" : "", text_number(files->count),
           text_plural(files->count));
  return false;
}

/* The messages of what failed, once more, at the end of a run of several files. */
static void print_failures(const struct compress *c) {
  if (c->files->count < 2 || c->failures.size == 0) return;
  fprintf(stderr, "quatsimd: %s failed:\n", text_number(c->failed));
  messages_print(&c->failures);
}

static bool compress(struct request *r, const struct collected *files) {
  struct compress c = {.settings = &r->settings,
                       .recipe = r->recipe.path ? &r->recipe : NULL,
                       .files = files,
                       .out = r->out,
                       .one = r->out && compress_makes_one(r->out),
                       .release = r->release,
                       .partial = r->partial,
                       .silent = r->json,
                       .again = r->page || r->seconds > 0,
                       .threads = r->jobs};
  bool good = compress_run(&c);
  struct clip_report of = {.settings = &r->settings, .results = c.result, .count = c.count, .compress = &c};
  of.bad = c.failed;
  for (size_t f = 0; f < c.done_count; f++) of.empty += c.done[f].empty;
  /* of what failed alone there are messages */
  /* what a --release says when it is up to date, what is complained of, and what was not written */
  const bool quiet =
      !r->json && r->out && (c.count > 0 ? c.bundles == 0 : c.bundles > 0 || r->settings.sifts);
  if (!quiet && (c.count > 0 || (good && files->count > 0))) good = report(r, &of) && good;
  if (r->page) good = page_write(r->page, &of) && good;
  good = found_any(r, files, good, c.count);
  print_failures(&c);
  compress_free(&c);
  return good;
}

/* The file again, with its animations as a bundle. */
static bool make_glb(const struct request *r, const struct collected_file *file) {
  struct clip_settings settings = r->settings;
  settings.threads = (struct threads){r->jobs, NULL};
  struct glb glb = {.settings = &settings, .path = file->path, .out = r->glb};
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
  if (!r->out) return true;
  note_inputs(files);
  const bool one = compress_makes_one(r->out);
  if (r->page && !inputs_spare(r->page)) return false;
  if (one ? !inputs_spare(r->out) : !collect_names_differ(files) || !is_not_former(r->out)) return false;
  if (r->page && page_has_name(r->page) && !(one ? names_make_directory_of : names_make_directories)(r->out))
    return false; /* the page may be there */
  return !r->page || page_may_be_written(r->page);
}

/* One bundle of several files has one skeleton: without --skeleton that of the first file. */
static void choose_skeleton(const struct arguments *a, const struct collected *files, struct request *r) {
  struct skeleton_choice *choice = &r->settings.skeleton;
  if (choice->path || !r->out || !compress_makes_one(r->out) || files->count < 2) return;
  choice->path = system_is(a->operands[0], SYSTEM_FILE) ? a->operands[0] : files->file[0].path;
}

/* Reads the skeleton that all clips are to have. */
static bool read_skeleton(struct request *r) {
  struct skeleton_choice *choice = &r->settings.skeleton;
  if (!choice->path) return true;
  if (!skeleton_file_of(choice->path, choice->by_importance, choice->changes, &r->skeleton)) return false;
  choice->of = &r->skeleton;
  return true;
}

/* Takes what a recipe says of all files. first: the first file. */
static bool follow_recipe(struct request *r, const char *first) {
  struct recipe *recipe = &r->recipe;
  struct clip_settings *s = &r->settings;
  s->asked = recipe->has_bound ? recipe->bound : bounds_default(false);
  s->track_given = recipe->track > 0;
  if (s->track_given) s->track_bound = recipe->track;
  s->rate = recipe->rate, s->joints = &recipe->joints;
  r->skeleton_path = recipe->skeleton ? recipe_path(recipe, recipe->skeleton) : names_join(first, "", "");
  s->skeleton = (struct skeleton_choice){
      .by_importance = recipe->by_importance, .path = r->skeleton_path, .changes = &recipe->changes};
  return recipe_leave_out(recipe, r->skeleton_path);
}

/* Reads what the settings say beside the command line. */
static bool read_files(struct request *r) {
  if (!read_skeleton(r)) return false;
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
  free(r->animations);
}

static bool run_on(struct request *r, const struct collected *files) {
  return read_files(r) && make_places(r, files) && (r->glb ? make_glb(r, files->file) : compress(r, files));
}

static bool run_recipe(const char *path, struct request *r) {
  struct collected files = {0};
  char *first = NULL;
  const bool good = recipe_read(path, &r->recipe) && recipe_collect(&r->recipe, &files, &first) &&
                    follow_recipe(r, first) && run_on(r, &files);
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
  r->out = g->out, r->page = g->page, r->json = g->json, r->release = g->release, r->partial = g->partial;
  r->jobs = g->has_jobs ? (size_t)g->jobs : system_processors();
  r->seconds = g->has_seconds ? g->seconds : g->out || g->glb ? 0 : 0.1;
  return STATUS_OK;
}

/* Options that do not go with --glb, which all of the file goes into. */
static const char *beside_glb(const struct given *g) {
  return g->out        ? "-o"
         : g->only     ? "--only"
         : g->additive ? "--additive"
         : g->skeleton ? "--skeleton"
         : g->page     ? "--report"
         : g->release  ? "--release"
         : g->partial  ? "--partial"
                       : NULL;
}

static int read_glb(const struct given *g, const struct arguments *a, struct request *r) {
  const char *beside = beside_glb(g);
  if (!g->glb) return STATUS_OK;
  if (beside) return usage_error("compress", "%s does not go with --glb", beside);
  if (!gltf_bundle_has_name(g->glb))
    return usage_error("compress", "--glb: \"%s\" does not end in .glb, .vrm or .vrma", g->glb);
  if (a->count != 1 || system_is(a->operands[0], SYSTEM_FOLDER))
    return usage_error("compress", "--glb writes one file, and needs one FILE");
  if (file_is_same(g->glb, a->operands[0]))
    return usage_error("compress", "--glb: %s is the file to compress, and would be overwritten", g->glb);
  r->glb = g->glb;
  return STATUS_OK;
}

/* A recipe says all that the files' clips are made with. */
static int read_recipe(const struct given *g, const struct arguments *a) {
  bool any = false;
  for (size_t i = 0; i < a->count; i++) any = any || recipe_has_name(a->operands[i]);
  if (!any) return STATUS_OK;
  const char *beside = g->bounds.rotation || g->bounds.translation || g->bounds.scale || g->bounds.object ? "a bound"
                       : g->only                   ? "--only"
                       : g->has_track              ? "--track"
                       : g->rate > 0               ? "--rate"
                       : g->animations             ? "--animation"
                       : g->loop || g->loops       ? "--loop"
                       : g->additive               ? "--additive"
                       : g->skeleton               ? "--skeleton"
                       : g->order                  ? "--order"
                       : g->glb                    ? "--glb"
                                                   : NULL;
  if (a->count > 1) return usage_error("compress", "a recipe (.json) is the only FILE: it names the others");
  if (beside) return usage_error("compress", "%s does not go with a recipe, which says it", beside);
  if (g->out && !compress_makes_one(g->out))
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
  r->settings.animations = r->animations = g->animations;
  for (size_t i = 0; i < a->count; i++)
    r->settings.sifts = r->settings.sifts || (g->animations && system_is(a->operands[i], SYSTEM_FOLDER));
  if (status == STATUS_OK) status = read_output(g, r);
  if (status == STATUS_OK) status = read_recipe(g, a);
  if (status == STATUS_OK) status = read_glb(g, a, r);
  for (size_t i = 0; status == STATUS_OK && r->out && i < a->count; i++)
    if (file_is_same(r->out, a->operands[i]))
      return usage_error("compress", "-o: %s is itself to be compressed; give another OUT", r->out);
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
  struct request r = {0};
  int status;
  if (!arguments_parse(&a, &line, argc, argv, &status)) return free(g.animations), status;
  status = understand(&g, &a, &r);
  if (status == STATUS_OK && !run_with(&a, &r)) status = STATUS_BAD_INPUT;
  request_free(&r);
  return status;
}

const struct command command_compress = {
    "compress",
    "compress animations into bundles, or measure how small they get",
    {"Usage: quatsimd compress [--rotation ANGLE] [--translation LENGTH] [--scale S]\n"
     "                         [--object LENGTH@DISTANCE|mesh] [--only KIND]\n"
     "                         [--rate HZ] [--bounds FILE.json] [--animation NAME]...\n"
     "                         [--loop [auto]] [--additive first|FILE[#NAME]]\n"
     "                         [-o OUT|BUNDLE.qsb] [--release] [--partial]\n"
     "                         [--glb OUT.glb] [--jobs N]\n"
     "                         [--report PAGE.html] [--time SECONDS]\n"
     "                         [--skeleton FILE] [--ignore-unmatched]\n"
     "                         [--order ORDER] [--json] FILE|DIR...\n"
     "\n"
     "Encodes every animation of every FILE as a clip: all joints of a skeleton in\n"
     "few bits, to be sampled at any time (quatsimd/clip.h). Each clip is then\n"
     "decoded and compared with the file. A bundle (.qsb) is one file with a skeleton\n"
     "and its clips (quatsimd/bundle.h). A DIR means all files with animations in it\n"
     "and in the folders below it. Links to folders in a DIR are not followed.\n"
     "\n"
     "Without -o and --glb no file is written: the command prints sizes, errors and\n"
     "speed.\n"
     "\n"
     "A FILE is glTF 2.0 (.gltf, .glb, .vrm, .vrma), BVH or FBX. In a DIR, the\n"
     "command takes the files whose names end so. Blender opens many other formats\n"
     "and exports .glb.\n"
     "\n"
     "Bounds are the largest errors that clips may have, at any time. There are two\n"
     "ways to state them. Either one bound in model space:\n"
     "  --object LENGTH@DISTANCE  any point that is fixed to a joint, at DISTANCE\n"
     "                            from it, is off by at most LENGTH.\n"
     "                            Default: 0.1mm@3cm, if none of -r, -t, -s and\n"
     "                            --only is given. Joints that an animation does not\n"
     "                            move are taken at rest\n"
     "  --object LENGTH@mesh      no vertex is off by more, whatever its distance;\n"
     "                            0.1mm@3cm for joints without vertices. Weights of\n"
     "                            morph targets share LENGTH with the joints\n"
     "or bounds of each joint relative to its parent:\n"
     "  -r, --rotation ANGLE      largest angle, such as 0.05, 0.05deg or 0.001rad. A\n"
     "                            number alone is in degrees. Default: 0.05deg\n"
     "  -t, --translation LENGTH  largest distance. Default: 0.1mm\n"
     "  -s, --scale S             largest difference of a component. Default: 0.001\n"
     "In both ways:\n"
     "  --track X                 largest error of tracks, the weights of morph\n"
     "                            targets. Default: 0.001, or as LENGTH@mesh needs\n"
     "\n",
     "A LENGTH or DISTANCE has a unit, such as 0.01mm, 2cm or 1.5m; a number alone is\n"
     "in the file's unit. glTF's unit is the metre, and FBX files state theirs. If a\n"
     "file states no unit, as in BVH, the height of its rest pose counts as 1 m. For\n"
     "default bounds, the height also counts as 1 m if it is over 20 m, because such\n"
     "files are often in centimetres. The output says so. docs/clip.md recommends\n"
     "bounds for heroes, crowds and backgrounds, with sizes.\n"
     "\n"
     "The selection of content:\n"
     "  --only KIND               encode curves of one kind only: rotation,\n"
     "                            translation or scale. Tracks are left out, too\n"
     "  --rate HZ                 frames per second. Default: the rate of the file's\n"
     "                            keys if most frames have a key, else a frame at\n"
     "                            the time of each key. Another rate can make a clip\n"
     "                            larger, because keys that fit no frame are stored\n"
     "                            as they are.\n"
     "                            Times that lie on even frames but for the rounding\n"
     "                            of floats are moved there; the largest move is\n"
     "                            printed. Moves of more than 1/16 of a frame need\n"
     "                            this option; a message then names HZ\n"
     "  --animation NAME          encode this animation only, with * and ? as in\n"
     "                            --bounds. May be given several times. It is an\n"
     "                            error if a FILE does not have it. If there is a\n"
     "                            DIR, files without any of these animations are\n"
     "                            skipped\n"
     "  --loop                    time repeats: the last frame equals the first one.\n"
     "                            It is an error if the last keys of an animation\n"
     "                            differ from its first keys by more than a quarter\n"
     "                            of their bounds\n"
     "  --loop auto               the same for animations whose last keys permit it.\n"
     "                            The others do not loop. To read a FILE named auto,\n"
     "                            write ./auto\n"
     "  --additive first          encode the difference from each curve's first key\n"
     "  --additive FILE[#NAME]    encode the difference from another animation at the\n"
     "                            same time, the base: animation NAME of FILE (a name\n"
     "                            or a number), or its first one. Joints are matched\n"
     "                            by name. A shorter base holds its last keys; the\n"
     "                            end of a longer base is ignored. Joints that the\n"
     "                            base does not move are at rest. Joints that the\n"
     "                            base lacks have the rest pose of the animation's\n"
     "                            own file\n"
     "\n"
     "Joints are all nodes of the file's skins, all nodes that any of its animations\n"
     "moves, and the nodes above them; in BVH all joints without end sites. Their\n"
     "order is depth first, siblings in the order of the file.\n"
     "  --skeleton FILE           use the joints of FILE instead (.qsk, or any file\n"
     "                            that this command reads), so that clips of many\n"
     "                            files have one skeleton. Joints are matched by\n"
     "                            name, those of one name by the joints above them,\n"
     "                            those of VRM by their human bones. It is an error\n"
     "                            if a joint that moves has no match in FILE; all\n"
     "                            such joints are listed. It is also an error if a\n"
     "                            joint has another parent in FILE. docs/skeleton.md\n"
     "                            has the rules\n"
     "  --ignore-unmatched        leave out the curves of moving joints without a\n"
     "                            match\n"
     "  --order ORDER             depth (the default) or importance. With importance,\n"
     "                            joints come first if a limb below them reaches far.\n"
     "                            Parents still come before children, and ends of\n"
     "                            limbs come last. The first joints are then those\n"
     "                            that matter at a distance\n"
     "\n",
     "Output files:\n"
     "  -o, --output BUNDLE.qsb   write one bundle of all FILEs. They have one\n"
     "                            skeleton: that of --skeleton, or of the first FILE.\n"
     "                            Clips of one FILE are called as its animations,\n"
     "                            equal names with a number, such as Run-2. If there\n"
     "                            are several FILEs, the name of a clip is that of\n"
     "                            its file below DIR, such as run/Walk for\n"
     "                            DIR/run/Walk.fbx; if a file has several clips,\n"
     "                            /ANIMATION follows\n"
     "  -o, --output OUT          write a bundle for each FILE to this folder, which\n"
     "                            is made if it is missing: OUT/heroes/knight.qsb for\n"
     "                            DIR/heroes/knight.glb. If there is a knight.fbx,\n"
     "                            too, they are knight.glb.qsb and knight.fbx.qsb\n"
     "  --partial                 write bundles without the animations that failed.\n"
     "                            Without it, a bundle is written only if all could\n"
     "                            be encoded, and else stays as it was. The exit\n"
     "                            status is 1 either way\n"
     "  --release                 write bundles that do not say which files they were\n"
     "                            made from, nor what glTF has in the extras of\n"
     "                            animations. They keep bounds and errors\n"
     "  --glb OUT.glb             write a copy of FILE, which must be glTF, with a\n"
     "                            bundle in place of its animations (the extension\n"
     "                            QUATSIMD_bundle). An animation stays as it is, with\n"
     "                            a message, if it moves more than nodes and morph\n"
     "                            weights, if its channels have extras, or if its\n"
     "                            clip would be larger than its keys. Animations that\n"
     "                            --animation does not select stay, too. If all stay,\n"
     "                            nothing is written and the exit status is 1. All\n"
     "                            buffers become the .glb's own; images in other\n"
     "                            files stay there. An existing OUT.glb is replaced\n"
     "                            once the new one is complete.\n"
     "                            docs/gltf-extension.md has more\n"
     "  -j, --jobs N              use N threads. Default: the number of processors.\n"
     "                            The bytes do not depend on it\n"
     "\n"
     "Reports:\n"
     "  --report PAGE.html        also write a page for a browser: messages, sizes\n"
     "                            and errors of all clips; of the largest clip and\n"
     "                            the one nearest to its bound, errors by joint and\n"
     "                            time, and the curve to blame before and after.\n"
     "                            Needs -o\n"
     "  --time SECONDS            duration of the measurement of each speed. 0: do\n"
     "                            not measure. Default: 0.1, with -o or --glb 0\n"
     "  --json                    print JSON, with all digits\n"
     "  -h, --help                print this text\n"
     "\n" READER_HELP "\n",
     "With -o there is a line for each bundle. Messages are in the order of the\n"
     "files, and those of what failed are printed once more at the end.\n"
     "\n"
     "A bundle is up to date, and is not made again, if the content of its files, the\n"
     "options and the version of quatsimd are those that it was made with. A bundle\n"
     "that was made in another way is replaced, with a message that says why. Each\n"
     "is written under another name and then renamed: it is never incomplete, and if\n"
     "the disk is full, the earlier one stays. No other file is removed or replaced,\n"
     "and no input is, by whatever name.\n"
     "\n"
     "Many machines: one FILE is one task, for make, GNU parallel or Slurm\n"
     "(examples/slurm).\n"
     "\n"
     "The columns without -o:\n"
     "  seconds         from the first key of the animation to the last\n"
     "  frames          number of frames of the clip\n"
     "  joints          of the skeleton\n"
     "  curves          number of curves, tracks included. Moving curves have a value\n"
     "                  at every frame, constant curves have one value, curves at\n"
     "                  rest have that of the skeleton. Keyed curves have keys of\n"
     "                  their own, because of STEP or of times that fit no frames\n"
     "  bytes           size of the clip by itself; in a bundle it is smaller\n"
     "  bits per key    this size in bits, divided by the number of keys in the file\n"
     "  against floats  size compared with the file's keys as floats, without times:\n"
     "                  16 bytes per rotation, 12 bytes per translation or scale\n"
     "  error           the worst error, at keys and between: of rotations in\n"
     "                  degrees; of translations and, as in --object, of points, both\n"
     "                  in the file's unit\n"
     "  of its bound    the error of points as a share of its bound\n"
     "\n"
     "If rounding to floats alone exceeds a bound, a message says that no clip can be\n"
     "more exact. For any other error above its bound, a message has the joint, the\n"
     "time, and how many times its bound the error is. It is\n"
     "written, and the exit status is 1. docs/guarantees.md says where this happens.\n"
     "\n"
     "The table of speed is in nanoseconds (ns), on one thread, the best of several\n"
     "passes over all clips. Random poses: random times of random clips. Playback:\n"
     "through each clip at 60 Hz. All frames: decoded in order. Encoding is timed\n"
     "once.\n"
     "\n",
     "Keys are encoded as they are in the file, without resampling; splines keep\n"
     "their tangents. Weights of glTF's morph targets become tracks with names such\n"
     "as mesh.target. Channels that move neither nodes nor morph weights are left\n"
     "out; a message gives their number and names one. glTF with\n"
     "EXT_meshopt_compression is read, and with KHR_meshopt_compression if it uses\n"
     "the same codec and filters. If a file or an animation cannot be read or\n"
     "encoded, the command reports it and continues with the others. The exit status\n"
     "is then 1.\n"
     "\n"
     "Examples:\n"
     "  quatsimd compress hero.glb               how small do its animations get?\n"
     "  quatsimd compress hero.glb -o hero.qsb   one bundle, to ship\n"
     "  quatsimd compress animations/ -o out     a bundle for each file of a folder\n"
     "  quatsimd compress --skeleton hero.fbx animations/ -o hero.qsb\n"
     "                                           one bundle for one character\n"
     "  quatsimd compress --rotation 0.01deg --translation 0.1mm -o out hero.glb\n"
     "                                           finer bounds for rotations\n"
     "  quatsimd compress --report page.html -o hero.qsb hero.glb\n"
     "                                           with a page that shows the errors\n"
     "  quatsimd compress --glb packed/hero.glb hero.glb\n"
     "                                           a glTF file with a bundle\n"
     "  quatsimd compress --only rotation --time 0 --json walk.bvh > report.json\n"
     "                                           figures, for a program to read\n"},
    run,
};
