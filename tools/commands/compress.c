/* quatsimd compress: the animations of files and folders as clips: measured, or written by all processors. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/names.h"
#include "base/progress.h"
#include "base/text.h"
#include "clips/glb.h"
#include "clips/library.h"
#include "clips/results.h"
#include "commands/command.h"
#include "readers/child.h"
#include "readers/gltf_bundle.h"
#include "readers/readers.h"
#include "report/clip_report.h"
#include "report/compress_page.h"
#include "report/compress_report.h"
#include "report/page.h"
#include "system/files.h"
#include "system/workers.h"

/* The options of the command line; null, 0 and false where one was not given. */
struct given {
  struct bounds_options bounds;
  const char *only, *additive, *out, *glb, *shard, *page, *skeleton, *order, *loops, *joints;
  const char **animations;
  double rate, seconds, track;
  int jobs;
  bool has_jobs, has_seconds, has_track, loop, ignore_unmatched, bundle, json;
};

struct request {
  struct clip_settings settings;
  const char *out, *glb, *page; /* null: no clips are written; no .glb; there is no page */
  size_t share, shares, jobs;
  double seconds; /* of measuring speed; 0: none */
  bool json;
  struct skeleton_file skeleton; /* that all clips are to have, if there is one */
  struct clip_base base;         /* that they are relative to, the same */
  struct joint_bounds joints;
  const char *additive, *bounds; /* files of these; null: none */
  const char **animations;
};

/* Work. -------------------------------------------------------------------------------------------------- */

/* False and a complaint if speed cannot be measured. */
static bool report(const struct request *r, const struct clip_results *all, const struct glb *glb) {
  struct clip_report report = {&r->settings, all->result, all->count, all->empty, all->bad, NULL, glb};
  struct clip_speed speed;
  bool good = true;
  if (r->seconds > 0 && all->count > 0) {
    progress_show("measuring speed", 0, 1, "");
    good = clip_speed_measure(all->result, all->count, r->seconds, &speed);
    progress_clear();
    report.speed = &speed;
  }
  if (!good) return false;
  if (r->json) clip_report_print_json(&report);
  else if (!r->out) clip_report_print(&report);
  else if (report.speed) clip_report_print_speed(&report);
  return true;
}

/* Files that are sifted may have no such animation, but not all of them; a share of files may. */
static bool found_any(const struct request *r, const struct collected *files, bool good, size_t clips) {
  if (!good || clips > 0 || !r->settings.sifts || r->shares > 1) return good;
  complain(r->animations[0], "no animation that moves is called so%s in %s file%s",
           r->animations[1] ? ", or as the other names," : "", text_number(files->count),
           text_plural(files->count));
  return false;
}

static bool measure(const struct request *r, const struct collected *files) {
  struct clip_results all;
  bool good = clip_results_encode(&all, &r->settings, files);
  /* a share may be empty; of what failed alone there are messages */
  if (all.count > 0 || (good && files->count > 0)) good = report(r, &all, NULL) && good;
  good = found_any(r, files, good, all.count);
  clip_results_free(&all);
  return good;
}

/* Of clips that are in files. */
static bool report_library(const struct request *r, const struct library *library) {
  struct clip_results all;
  bool good = true;
  if (!r->json) compress_report_print(library);
  if (r->json || r->seconds > 0) {
    good = clip_results_read(&all, &library->compress, &library->sum);
    good = report(r, &all, NULL) && good;
    clip_results_free(&all);
  }
  return good;
}

static bool compress(const struct request *r, const struct collected *files) {
  const size_t processors = workers_default();
  struct clip_settings settings = r->settings;
  atomic_size_t *busy = workers_count();
  if (busy) settings.threads = (struct threads){r->jobs < processors ? r->jobs : processors, busy};
  struct library library = {.compress = {.settings = &settings, .out = r->out, .files = files},
                            .jobs = r->jobs,
                            .busy = busy,
                            .all = r->shares == 1,
                            .silent = r->json};
  bool good = library_compress(&library);
  good = report_library(r, &library) && good;
  if (r->page) good = compress_page(&library.compress, r->page) && good;
  good = found_any(r, files, good, library.sum.clips);
  library_free(&library);
  return good;
}

/* The file again, with its animations as a bundle. */
static bool make_glb(const struct request *r, const struct collected_file *file) {
  struct clip_settings settings = r->settings;
  const size_t processors = workers_default();
  settings.threads = (struct threads){r->jobs < processors ? r->jobs : processors, NULL};
  struct glb glb = {.settings = &settings, .path = file->path, .out = r->glb};
  bool written, good = glb_make(&glb, &written);
  if (written) good = report(r, &glb.results, &glb) && good;
  glb_free(&glb);
  return good;
}

/* False and a complaint if clips or the page would go where a file to read is. */
static bool spares_input(const struct request *r, const struct collected_file *file, const char *folder) {
  if (r->page && !page_replaces_not(r->page, file->path)) return false;
  if (!file_is_same(folder, file->path)) return true;
  complain(file->path, "its clips would go to the folder %s, which is that file; give another OUT", folder);
  return false;
}

/* The same if the page would go where a folder of clips will be; OUT is there. */
static bool spares_folder(const struct request *r, const struct collected_file *file, const char *folder) {
  if (!r->page || !file_is_same_place(folder, r->page)) return true;
  complain(r->page, "is where the clips of %s go; give the page another name", file->path);
  return false;
}

static bool each_spares(const struct request *r, const struct collected *files,
                        bool (*spares)(const struct request *r, const struct collected_file *file,
                                       const char *folder)) {
  bool good = true;
  for (size_t f = 0; good && f < files->count; f++) {
    char *folder = names_join(r->out, "/", files->file[f].name);
    good = spares(r, &files->file[f], folder);
    free(folder);
  }
  return good;
}

/* Are there places for what is to be written? The page may be in OUT. */
static bool make_places(const struct request *r, const struct collected *files) {
  const char *skeleton = r->settings.skeleton.path;
  const char *const read[] = {skeleton, r->base.path, r->bounds};
  for (size_t i = 0; r->page && i < sizeof read / sizeof *read; i++)
    if (read[i] && !page_replaces_not(r->page, read[i])) return false;
  return !r->out || (collect_names_differ(files) && each_spares(r, files, spares_input) &&
                     names_make_directories(r->out) && each_spares(r, files, spares_folder) &&
                     (!r->page || page_may_be_written(r->page)));
}

/* Reads the skeleton that all clips are to have. */
static bool read_skeleton(struct request *r) {
  struct skeleton_choice *choice = &r->settings.skeleton;
  if (!choice->path) return true;
  if (!skeleton_file_of(choice->path, choice->by_importance, &r->skeleton)) return false;
  choice->of = &r->skeleton;
  return true;
}

/* Reads what the settings say beside the command line. */
static bool read_files(struct request *r) {
  if (!read_skeleton(r)) return false;
  if (r->additive) {
    if (!clip_base_read(r->additive, &r->base)) return false;
    r->settings.base = &r->base;
  }
  if (r->bounds) {
    if (!joint_bounds_read(r->bounds, &r->settings.asked, &r->joints)) return false;
    r->settings.joints = &r->joints;
  }
  return true;
}

static void request_free(struct request *r) {
  skeleton_file_free(&r->skeleton);
  clip_base_free(&r->base);
  joint_bounds_free(&r->joints);
  free(r->animations);
}

static bool run_with(const struct arguments *a, const struct request *r) {
  struct collected files;
  bool good = false;
  collect(a->operands, a->count, reader_has_animations, &files);
  if (files.count == 0 && files.unread == 0)
    complain(a->operands[0], "there are no animations, by their names; see `quatsimd help compress`");
  else if (files.count > 0 && make_places(r, &files)) {
    collect_share(&files, r->share, r->shares);
    good = r->out ? compress(r, &files) : r->glb ? make_glb(r, files.file) : measure(r, &files);
  }
  collect_free(&files);
  return good;
}

/* Options. ----------------------------------------------------------------------------------------------- */

/* "K/N" */
static int read_share(const char *text, size_t *share, size_t *shares) {
  unsigned long k = 1, n = 1;
  char rest;
  if (text && (strspn(text, "0123456789/") != strlen(text) ||
               sscanf(text, "%9lu/%9lu%c", &k, &n, &rest) != 2 || k < 1 || k > n))
    return usage_error("compress", "--shard: \"%s\" is not K/N, of which K is from 1 to N", text);
  *share = k, *shares = n;
  return STATUS_OK;
}

static int read_curves(const struct given *g, struct clip_settings *s) {
  s->only = g->only ? scene_kind(g->only) : -1;
  if (g->bounds.object && g->only) return usage_error("compress", "--only: --object needs all curves");
  if (s->only == QUATSIMD_CLIP_JOINT_KINDS)
    return usage_error("compress", "--only: \"%s\" is not rotation, translation or scale", g->only);
  if (g->additive && !*g->additive)
    return usage_error("compress", "--additive: \"\" is neither first nor a file");
  if (g->loops && strcmp(g->loops, "auto") != 0)
    return usage_error("compress", "--loop: \"%s\" is not auto", g->loops);
  if (!(g->rate >= 0 && g->rate <= 1e6))
    return usage_error("compress", "--rate: %g is not from 0 to 1000000", g->rate);
  if (g->has_track && !(g->track > 0 && g->track <= 1e18))
    return usage_error("compress", "--track: %g is not above 0", g->track);
  s->track_bound = g->has_track ? g->track : 0.001;
  s->additive = g->additive && strcmp(g->additive, "first") == 0, s->rate = g->rate;
  s->loop = g->loops ? CLIP_LOOP_AUTO : g->loop ? CLIP_LOOP_ALL : CLIP_LOOP_NONE;
  return STATUS_OK;
}

static int read_joints(const struct given *g, struct skeleton_choice *choice) {
  const bool importance = g->order && strcmp(g->order, "importance") == 0;
  if (g->order && !importance && strcmp(g->order, "depth") != 0)
    return usage_error("compress", "--order: \"%s\" is not depth or importance", g->order);
  if (g->ignore_unmatched && !g->skeleton)
    return usage_error("compress", "--ignore-unmatched needs --skeleton, in which joints have partners");
  *choice = (struct skeleton_choice){
      .by_importance = importance, .path = g->skeleton, .ignore_unmatched = g->ignore_unmatched};
  return STATUS_OK;
}

static int read_output(const struct given *g, struct request *r) {
  if (g->out && !*g->out) return usage_error("compress", "where to? Give a folder: -o OUT");
  if (g->page && !g->out)
    return usage_error("compress", "--report needs -o OUT: it shows clips as they are there");
  if (g->bundle && !g->out) return usage_error("compress", "--bundle needs -o OUT");
  if (g->has_jobs && !g->out && !g->glb)
    return usage_error("compress",
                       "--jobs needs -o OUT or --glb OUT.glb: else clips are measured one after another");
  if (g->has_jobs && (g->jobs < 1 || g->jobs > 10000))
    return usage_error("compress", "--jobs: %d is not from 1 to 10000", g->jobs);
  if (g->has_seconds && !(g->seconds >= 0 && g->seconds <= 3600))
    return usage_error("compress", "--time: %g is not from 0 to 3600 seconds", g->seconds);
  r->out = g->out, r->page = g->page, r->json = g->json, r->settings.bundle = g->bundle;
  r->jobs = g->has_jobs ? (size_t)g->jobs : workers_default();
  r->seconds = g->has_seconds ? g->seconds : g->out || g->glb ? 0 : 0.1;
  return STATUS_OK;
}

/* What does not go with --glb, which all of the file goes into. */
static const char *beside_glb(const struct given *g) {
  return g->out        ? "-o"
         : g->only     ? "--only"
         : g->additive ? "--additive"
         : g->skeleton ? "--skeleton"
         : g->shard    ? "--shard"
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
    return usage_error("compress", "--glb %s is what is to be compressed, and would be lost", g->glb);
  r->glb = g->glb, r->settings.bundle = true;
  return STATUS_OK;
}

/* STATUS_OK, or that of the complaint. */
static int understand(const struct given *g, const struct arguments *a, struct request *r) {
  int status = read_curves(g, &r->settings);
  if (status == STATUS_OK && !bounds_to_encode("compress", &g->bounds, r->settings.only, &r->settings.asked))
    status = STATUS_BAD_USAGE;
  if (status == STATUS_OK) status = read_joints(g, &r->settings.skeleton);
  r->additive = r->settings.additive ? NULL : g->additive, r->bounds = g->joints;
  r->settings.animations = r->animations = g->animations;
  for (size_t i = 0; i < a->count; i++)
    r->settings.sifts = r->settings.sifts || (g->animations && system_is(a->operands[i], SYSTEM_FOLDER));
  if (status == STATUS_OK) status = read_output(g, r);
  if (status == STATUS_OK) status = read_glb(g, a, r);
  if (status == STATUS_OK) status = read_share(g->shard, &r->share, &r->shares);
  for (size_t i = 0; status == STATUS_OK && r->out && i < a->count; i++)
    if (file_is_same(r->out, a->operands[i]))
      return usage_error("compress", "-o %s is what is to be compressed", r->out);
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
      {"bounds", 0, .text = &g.joints, .is_path = true},
      {"loop", 0, .flag = &g.loop, .text = &g.loops, .joined = "--loop=auto", .values = "auto"},
      {"additive", 0, .text = &g.additive, .is_path = true},
      {"skeleton", 0, .text = &g.skeleton, .is_path = true},
      {"ignore-unmatched", 0, .flag = &g.ignore_unmatched},
      {"order", 0, .text = &g.order, .values = "depth importance"},
      {"output", 'o', .text = &g.out, .is_path = true},
      {"bundle", 0, .flag = &g.bundle},
      {"glb", 0, .text = &g.glb, .is_path = true},
      {"jobs", 'j', .whole = &g.jobs, .flag = &g.has_jobs},
      {"shard", 0, .text = &g.shard},
      {"report", 0, .text = &g.page, .is_path = true},
      {"time", 0, .number = &g.seconds, .flag = &g.has_seconds},
      CHILD_OPTIONS,
      {"json", 0, .flag = &g.json},
      {0}};
  const struct command_line line = {"compress", command_compress.help, options, 1, ANY_NUMBER};
  struct arguments a;
  struct request r = {0};
  int status;
  if (!arguments_parse(&a, &line, argc, argv, &status)) return free(g.animations), status;
  status = understand(&g, &a, &r);
  if (status == STATUS_OK && (!read_files(&r) || !run_with(&a, &r))) status = STATUS_BAD_INPUT;
  request_free(&r);
  return status;
}

const struct command command_compress = {
    "compress",
    "encode animations as clips: measure them, or write whole folders",
    {"Usage: quatsimd compress [--rotation ANGLE] [--translation LENGTH] [--scale S]\n"
     "                         [--object LENGTH@DISTANCE] [--only KIND] [--rate HZ]\n"
     "                         [--bounds FILE.json] [--animation NAME]...\n"
     "                         [--loop [auto]] [--additive first|FILE[#NAME]]\n"
     "                         [-o OUT] [--bundle] [--jobs N] [--shard K/N]\n"
     "                         [--glb OUT.glb]\n"
     "                         [--report PAGE.html] [--time SECONDS]\n"
     "                         [--skeleton FILE] [--ignore-unmatched]\n"
     "                         [--order ORDER] [--json] FILE|DIR...\n"
     "\n"
     "Encodes every animation of every FILE, and of the files in every DIR and below\n"
     "it, as a clip (quatsimd/clip.h): all joints of a skeleton in few bits, to be\n"
     "sampled at any time. Then decodes the clip and compares it with the file.\n"
     "Without -o nothing is written: sizes, errors and speed are printed. With it,\n"
     "clips go to OUT/FILE/ANIMATION.qsc, as OUT/heroes/knight.glb/Walk.qsc of\n"
     "DIR/heroes/knight.glb. Beside the clips quatsimd.json says what they are, and\n"
     "skeleton.qsk (quatsimd/skeleton.h) has their joints: names, parents, rest pose,\n"
     "inverse bind matrices.\n"
     "\n"
     "A FILE is glTF 2.0 (.gltf, .glb, .vrm, .vrma), BVH or anything else that Assimp\n"
     "reads: FBX, Collada and others. In a DIR, files that end in .glb, .gltf, .vrm,\n"
     ".vrma, .bvh, .fbx, .dae, .x, .b3d, .ms3d, .smd, .md5anim, .iqm or .ogex count.\n"
     "\n"
     "How far clips may be from the file, at any time:\n"
     "  --object LENGTH@DISTANCE  no point at DISTANCE from a joint, fixed to it, is\n"
     "                            off by more than LENGTH where the skeleton's root\n"
     "                            is. Without these options: 0.1mm@3cm. Joints that\n"
     "                            an animation does not move stand at rest then\n"
     "or, of each joint beside its parent:\n"
     "  -r, --rotation ANGLE      as 0.05, 0.05deg or 0.001rad. Without it: 0.05deg\n"
     "  -t, --translation LENGTH  without it: 0.1mm\n"
     "  -s, --scale S             of each of a scale's components. Without it: 0.001\n"
     "  --track X                 of morph weights, with either. Without it: 0.001\n"
     "  --bounds FILE.json        other bounds of some joints, by their names:\n"
     "                            {\"joints\": [{\"name\": \"*hand*\",\n"
     "                              \"object\": \"0.05mm@2cm\", \"rotation\": \"0.01deg\",\n"
     "                              \"translation\": \"0.1mm\", \"scale\": \"0.001\"}, ...]}\n"
     "                            with quantities as the options have them. In a name\n"
     "                            * stands for any characters, ? for one. The first\n"
     "                            entry that fits a joint counts, and no other. Its\n"
     "                            bounds count where they are of the kind that counts\n"
     "                            for all\n"
     "A length is as 0.01mm, 2cm or 1.5m; or a number alone, in the file's unit.\n"
     "glTF's unit is the metre, and FBX says its own. A file that does not say, as\n"
     "BVH, counts as one metre high at rest; for lengths that no option gives so does\n"
     "one that is over 20 m high, since it is often in centimetres. The output says\n"
     "so. docs/clip.md has bounds for heroes, crowds and backgrounds, with sizes.\n"
     "\n",
     "The part that is encoded:\n"
     "  --only KIND               rotation, translation or scale: such curves alone\n"
     "  --rate HZ                 frames per second. Without it: those of the file's\n"
     "                            keys. Others can make a clip larger: keys that fit\n"
     "                            no frames are kept as they are\n"
     "  --animation NAME          this animation alone, with * and ? as above. May be\n"
     "                            given several times. It is an error if a FILE does\n"
     "                            not have it. If there is a DIR, files that do not\n"
     "                            have any are passed over\n"
     "  --loop                    time goes round: the last frame is the first one.\n"
     "                            It is an error if the last keys of an animation are\n"
     "                            not its first ones within a quarter of their bounds\n"
     "  --loop auto               the same, but animations that do not close so are\n"
     "                            no loops. A FILE of that name is ./auto\n"
     "  --additive first          what changes from each curve's first key\n"
     "  --additive FILE[#NAME]    the difference from another animation at the same\n"
     "                            time: that NAME of FILE, a name or a number, or its\n"
     "                            first one. Joints are matched by name. A base that\n"
     "                            is shorter holds its last keys, and of a longer one\n"
     "                            as much counts as the animation lasts. Joints that\n"
     "                            it does not move stand at rest, and those that it\n"
     "                            does not have as they do in the animation's file\n"
     "\n",
     "Joints are all nodes of the file's skins, all that any of its animations moves\n"
     "and those above them, depth first, siblings in the file's order; of BVH all but\n"
     "end sites.\n"
     "  --skeleton FILE           the joints are those of FILE instead (.qsk, or\n"
     "                            anything that is read here), by their names: so\n"
     "                            clips of many files fit one skeleton. Of several\n"
     "                            joints of one name the first one counts. Joints\n"
     "                            that move and have no partner in FILE are listed\n"
     "                            and are an error, and so is a joint below another\n"
     "                            one than in FILE. docs/skeleton.md has the rules\n"
     "  --ignore-unmatched        leave out what moves joints without a partner\n"
     "  --order ORDER             depth, as above, or importance: first those below\n"
     "                            which limbs reach farthest. Parents still come\n"
     "                            before children, ends of limbs come last, and the\n"
     "                            first joints are those that matter far away\n"
     "\n",
     "Where clips go:\n"
     "  -o, --output OUT          the folder. It is made if it is not there. Equal\n"
     "                            names of animations get a number\n"
     "  --bundle                  also one file to ship for each FILE, as\n"
     "                            OUT/heroes/knight.glb/knight.qsb: the skeleton and\n"
     "                            all clips, found by the animations' names, which\n"
     "                            must differ. With --skeleton one for all FILEs,\n"
     "                            OUT/hero.qsb of --skeleton hero.fbx; there a clip\n"
     "                            is called as its file below DIR, as run/Walk of\n"
     "                            DIR/run/Walk.fbx, and of a file with several clips\n"
     "                            with /ANIMATION behind. docs/bundle.md has more.\n"
     "                            Clips beside it are longer than without --bundle\n"
     "  --glb OUT.glb             one file instead: FILE, which is glTF, as it is,\n"
     "                            with a bundle in place of its animations, by the\n"
     "                            extension QUATSIMD_bundle. An animation stays, and\n"
     "                            that is said, if it moves more than nodes and morph\n"
     "                            weights or its channels have extras; others than\n"
     "                            --animation says stay, too. All buffers become the\n"
     "                            .glb's own, images in files of their own stay\n"
     "                            there. A former OUT.glb is replaced when the new\n"
     "                            one is whole. docs/gltf-extension.md has more\n"
     "  -j, --jobs N              files at a time. Without it: as many as there are\n"
     "                            processors. Memory is what these files need. Where\n"
     "                            fewer files are left than jobs, long animations\n"
     "                            are encoded on several processors, to the same\n"
     "                            bytes. With --glb: processors for its animations\n"
     "  --shard K/N               the K-th of N shares of the files, K from 1: which\n"
     "                            one a file is in depends on its name below DIR\n"
     "                            alone. All shares can go to one OUT; a last run\n"
     "                            without --shard finds all up to date, makes the\n"
     "                            bundle of all files and prints the sum\n"
     "\n"
     "Output:\n"
     "  --report PAGE.html        also write a page for a browser, of all these\n"
     "                            clips: sizes and errors by clip, joint and time,\n"
     "                            the worst curve before and after. Needs -o\n"
     "  --time SECONDS            of measuring for each figure of speed. Without it:\n"
     "                            0.1, with -o 0; 0: none\n"
     "  --json                    as JSON, with all digits. With -o, too: how fast\n"
     "                            they were encoded is not known then\n"
     "  -h, --help                this text\n"
     "\n" CHILD_HELP "\n",
     "With -o there is a progress bar on a terminal, elsewhere a line for each clip;\n"
     "in the end the sum. Run it again and only what is new or changed is done: a\n"
     "file is up to date if it, the options and the version are those that its clips\n"
     "were made of, and the clips are still what they were. So a run that was\n"
     "interrupted, in whatever way, goes on where it was. Clips of files that are\n"
     "gone, or of which nothing can be encoded any more, stay in OUT; else clips of\n"
     "an earlier run that this run has no more are removed from OUT/FILE, and that\n"
     "is said: those that OUT/FILE/quatsimd.json named. Other files are neither\n"
     "removed nor replaced: one that has the name of a clip is reported, and nothing\n"
     "of FILE is written then. Clips are written beside and renamed, so there is\n"
     "never half of one. Two FILEs of one name, as a/Fox.glb b/Fox.glb, would have\n"
     "their clips in one place and are refused: give the folder that both are in.\n"
     "\n"
     "The columns without -o:\n"
     "  seconds        from the first key of the animation to the last\n"
     "  frames         that the clip has, of equal distance\n"
     "  joints         of the skeleton\n"
     "  curves         rotations, translations and scales of joints: moving ones have\n"
     "                 a value at every frame, constant ones one, those at rest that\n"
     "                 of the skeleton, keyed ones (STEP, or times that fit no\n"
     "                 frames) keys of their own\n"
     "  bits per key   all bytes of the clip as bits, divided by the keys in the file\n"
     "  against        size beside the file's keys as floats: 16 bytes a rotation, 12\n"
     "  floats         a translation or scale, times not counted\n"
     "  errors         the worst, at keys and between: angle between the rotations,\n"
     "                 distance, and distance of points as --object has it. One\n"
     "                 beyond the bound is a bug: the exit status is 1 then\n"
     "  ns             nanoseconds: the best of several passes over all clips on one\n"
     "                 thread. Random poses: at any time, one clip after another.\n"
     "                 Playback: through each clip at 60 Hz. All frames: decoded\n"
     "                 in order. Encoding is timed once\n"
     "\n"
     "Keys are taken as they are in the file, nothing is resampled; splines have\n"
     "tangents. Weights of glTF's morph targets are tracks, which are called\n"
     "mesh.target. Channels that move neither nodes nor these are left out, and\n"
     "counted and named. glTF with EXT_meshopt_compression is read, and so is\n"
     "KHR_meshopt_compression where it has the same codec and filters.\n"
     "A file or animation that cannot be read or encoded is reported and the others\n"
     "go on; the exit status is 1 in the end.\n"
     "\n"
     "Examples:\n"
     "  quatsimd compress hero.glb               how small do its animations get?\n"
     "  quatsimd compress -o clips animations/   all of them\n"
     "  quatsimd compress --rotation 0.01deg --translation 0.1mm -o clips hero.glb\n"
     "  quatsimd compress --object 0.1mm@3cm --report page.html -o clips hero.glb\n"
     "  quatsimd compress --bundle --skeleton hero.fbx -o clips animations/\n"
     "  quatsimd compress --glb packed/hero.glb hero.glb\n"
     "  quatsimd compress --shard $SLURM_ARRAY_TASK_ID/10 -o clips animations/\n"
     "  quatsimd compress --only rotation --time 0 --json walk.bvh > report.json\n"},
    run,
};
