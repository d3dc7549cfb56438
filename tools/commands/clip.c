/* quatsimd clip: the animations of files as clips: size, error, speed. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/clip_report.h"
#include "commands/command.h"
#include "base/file.h"
#include "base/message.h"
#include "base/names.h"
#include "report/page.h"
#include "base/progress.h"
#include "base/text.h"

/* All files. --------------------------------------------------------------------------------------------- */

struct collection {
  const struct clip_settings *settings;
  size_t count, empty, bad;
  struct clip_result *results;
  void *names; /* given away in the directory */
  bool good;
};

static void encode_animation(struct collection *all, const char *path, const struct skeleton *skeleton,
                             size_t animation) {
  all->results = memory_grow(all->results, all->count, sizeof *all->results);
  const enum clip_outcome outcome =
      clip_encode(all->settings, path, skeleton, animation, &all->names, &all->results[all->count]);
  all->count += outcome == CLIP_GOOD || outcome == CLIP_WRONG;
  all->empty += outcome == CLIP_EMPTY;
  all->bad += outcome == CLIP_BAD;
  all->good = all->good && (outcome == CLIP_GOOD || outcome == CLIP_EMPTY);
}

static void encode_file(struct collection *all, const char *path) {
  struct skeleton skeleton;
  progress_show("reading", 0, 1, path);
  if (!skeleton_read(path, &skeleton)) {
    all->good = false;
    return;
  }
  for (size_t a = 0; a < skeleton.scene.animations; a++) {
    const char *name = skeleton.scene.animation[a].name;
    progress_show("encoding", a, skeleton.scene.animations, *name ? name : path);
    encode_animation(all, path, &skeleton, a);
  }
  all->bad += skeleton.scene.unread;
  all->good = all->good && skeleton.scene.unread == 0;
  skeleton_free(&skeleton);
}

static bool report(const struct collection *all, double seconds, bool json) {
  struct clip_report report = {all->settings, all->results, all->count, all->empty, all->bad, NULL};
  struct clip_speed speed;
  bool good = true;
  if (seconds > 0) {
    progress_show("measuring speed", 0, 1, "");
    good = clip_speed_measure(all->results, all->count, seconds, &speed);
    report.speed = &speed;
  }
  progress_clear();
  if (good) (json ? clip_report_print_json : clip_report_print)(&report);
  return good;
}

static bool write_page(const struct collection *all, const char *path) {
  struct page_clip *clips = memory_get(all->count, sizeof *clips);
  progress_show("writing", 0, 1, path);
  for (size_t i = 0; i < all->count; i++) {
    const struct clip_result *r = &all->results[i];
    struct page_clip *c = &clips[i];
    *c = (struct page_clip){.file = r->path,
                            .source = r->path,
                            .clip = r->output,
                            .number = r->number,
                            .animation = r->name,
                            .joints = quatsimd_clip_joints(r->clip),
                            .frames = quatsimd_clip_frames(r->clip),
                            .bytes = r->size,
                            .seconds = r->seconds};
    memcpy(c->keys, r->keys, sizeof c->keys);
    for (int e = 0; e < CLIP_CHECK_ERRORS; e++) c->worst[e] = r->error[e].worst;
    c->raw_bytes = clip_key_bytes(c->keys);
  }
  const bool good = page_write(path, all->settings, clips, all->count, all->bad);
  progress_clear();
  free(clips);
  return good;
}

static bool page_is_apart(const struct arguments *a, const char *page) {
  for (size_t f = 0; page && f < a->count; f++)
    if (!page_replaces_not(page, a->operands[f])) return false;
  return true;
}

/* page: where it goes; null: there is none. */
static int run_with(const struct arguments *a, const struct clip_settings *settings, double seconds,
                    bool json, const char *page) {
  struct collection all = {.settings = settings, .good = true};
  if (!page_is_apart(a, page) || (settings->directory && !names_make_directory(settings->directory)) ||
      (page && !page_may_be_written(page))) /* which may be in the directory */
    return STATUS_BAD_INPUT;
  for (size_t f = 0; f < a->count; f++) encode_file(&all, a->operands[f]);
  progress_clear();
  if (all.count > 0) {
    all.good = report(&all, seconds, json) && all.good;
    if (page) all.good = write_page(&all, page) && all.good;
  } else if (all.good) {
    complain(a->operands[0], "no animation has such curves");
    all.good = false;
  }
  for (size_t i = 0; i < all.count; i++) clip_result_free(&all.results[i]);
  free(all.results);
  names_free(&all.names);
  return all.good ? STATUS_OK : STATUS_BAD_INPUT;
}

/* Options. ----------------------------------------------------------------------------------------------- */

/* What was given on the command line; null where an option was not. */
struct texts {
  struct bounds_options bounds;
  char *only, *additive, *directory, *page;
};

/* STATUS_OK, or that of the complaint. */
static int understand(struct clip_settings *s, const struct texts *t, double seconds) {
  static const char *const kinds[] = {"rotation", "translation", "scale"};
  s->only = -1;
  if (!bounds_to_encode("clip", &t->bounds, &s->bounds)) return STATUS_BAD_USAGE;
  if (t->bounds.object && t->only) return usage_error("clip", "--only: --object needs all curves");
  while (t->only && ++s->only < QUATSIMD_CLIP_KINDS && strcmp(t->only, kinds[s->only]) != 0) continue;
  if (s->only == QUATSIMD_CLIP_KINDS)
    return usage_error("clip", "--only: \"%s\" is not rotation, translation or scale", t->only);
  if (t->additive && strcmp(t->additive, "first") != 0)
    return usage_error("clip", "--additive: \"%s\" is not first", t->additive);
  s->additive = t->additive != NULL;
  if (!(s->rate >= 0 && s->rate <= 1e6))
    return usage_error("clip", "--rate: %g is not from 0 to 1000000", s->rate);
  if (!(seconds >= 0 && seconds <= 3600))
    return usage_error("clip", "--time: %g is not from 0 to 3600 seconds", seconds);
  if (t->page && !t->directory)
    return usage_error("clip", "--report needs -o DIR: it shows clips as they are there");
  s->directory = t->directory;
  return STATUS_OK;
}

static int run(int argc, const char **argv) {
  struct clip_settings settings = {0};
  struct texts t = {0};
  double seconds = 0.1;
  int json = 0, loop = 0, status;
  const struct poptOption options[] = {BOUNDS_OPTIONS(t.bounds),
                                       {"only", 0, POPT_ARG_STRING, &t.only, 0, NULL, NULL},
                                       {"rate", 0, POPT_ARG_DOUBLE, &settings.rate, 0, NULL, NULL},
                                       {"loop", 0, POPT_ARG_NONE, &loop, 0, NULL, NULL},
                                       {"additive", 0, POPT_ARG_STRING, &t.additive, 0, NULL, NULL},
                                       {"time", 0, POPT_ARG_DOUBLE, &seconds, 0, NULL, NULL},
                                       {"output", 'o', POPT_ARG_STRING, &t.directory, 0, NULL, NULL},
                                       {"report", 0, POPT_ARG_STRING, &t.page, 0, NULL, NULL},
                                       {"json", 0, POPT_ARG_NONE, &json, 0, NULL, NULL},
                                       COMMON_OPTIONS};
  struct arguments a;
  if (arguments_parse(&a, &command_clip, argc, argv, options, 1, (size_t)-1, &status)) {
    settings.loop = loop;
    status = understand(&settings, &t, seconds);
    if (status == STATUS_OK) status = run_with(&a, &settings, seconds, json, t.page);
  }
  bounds_options_free(&t.bounds);
  free(t.only), free(t.additive), free(t.directory), free(t.page);
  arguments_free(&a);
  return status;
}

const struct command command_clip = {
    "clip",
    "encode the animations of files as clips: size, error, speed",
    "Usage: quatsimd clip [--rotation ANGLE] [--translation LENGTH] [--scale S]\n"
    "                     [--object LENGTH@DISTANCE] [--only KIND] [--rate HZ]\n"
    "                     [--loop] [--additive first] [--time SECONDS] [-o DIR]\n"
    "                     [--report PAGE.html] [--json] FILE...\n"
    "\n"
    "Encodes every animation of every FILE as a clip (quatsimd/clip.h): all joints\n"
    "of a skeleton in few bits, to be sampled at any time. Then decodes it, compares\n"
    "it with the file and prints what came of it. A FILE is glTF 2.0 (.gltf, .glb)\n"
    "or anything else that Assimp reads: BVH, FBX, Collada and others.\n"
    "\n"
    "How far clips may be from the file, at every key of it:\n"
    "  -r, --rotation ANGLE      as 0.05, 0.05deg or 0.001rad. Without it: 0.05deg\n"
    "  -t, --translation LENGTH  in the file's unit, whatever that is; or as 0.1mm,\n"
    "                            0.01cm or 0.0001m, which take the file's unit for\n"
    "                            metres (as it is in glTF). Without it: 0.01\n"
    "  -s, --scale S             of each of a scale's components. Without it: 0.001\n"
    "  --object LENGTH@DISTANCE  in place of these: no point at DISTANCE from a\n"
    "                            joint, fixed to it, may be off by more than LENGTH\n"
    "                            where the skeleton's root is. As 0.01@3 or\n"
    "                            0.1mm@3cm. Joints that an animation does not move\n"
    "                            stand at rest then, and the clip has that, too\n"
    "\n"
    "What is encoded:\n"
    "  --only KIND               rotation, translation or scale: such curves alone\n"
    "  --rate HZ                 frames per second. Without it: those of the file's\n"
    "                            keys\n"
    "  --loop                    time goes round: the last frame is the first one\n"
    "  --additive first          what changes from each curve's first key\n"
    "  -o, --output DIR          also write DIR/ANIMATION.qsc for each animation.\n"
    "                            DIR is made if it is not there, existing files in\n"
    "                            it are replaced, equal names get a number\n"
    "  --report PAGE.html        also write a page for browsers: size and error by\n"
    "                            clip, joint and time. Needs -o\n"
    "\n"
    "  --time SECONDS            of measuring for each figure of speed. Without it:\n"
    "                            0.1; 0: none\n"
    "  --json                    as JSON, with all digits\n"
    "  -h, --help                this text\n"
    "\n"
    "What the columns say:\n"
    "  seconds        from the first key of the animation to the last\n"
    "  frames         that the clip has, of equal distance\n"
    "  joints         the nodes that any animation of the file moves, and those\n"
    "                 above them\n"
    "  curves         rotations, translations and scales of joints: moving ones have\n"
    "                 a value at every frame, constant ones one, keyed ones (STEP,\n"
    "                 or times that fit no frames) keys of their own\n"
    "  bits per key   all bytes of the clip as bits, divided by the keys in the file\n"
    "  times smaller  than the file's keys as floats: 16 bytes a rotation, 12 a\n"
    "                 translation or scale, times not counted\n"
    "  errors         the worst at any key of the file: angle between the rotations,\n"
    "                 distance, and distance of points as --object has it. One\n"
    "                 beyond the bound is a bug: the exit status is 1 then\n"
    "  ns             nanoseconds: the best of several passes over all clips on one\n"
    "                 thread. Random poses: at any time, one clip after another.\n"
    "                 Playback: through each clip at 60 Hz, with a cursor. All\n"
    "                 frames: decoded in order. Encoding is timed once\n"
    "\n"
    "Keys are taken as they are in the file, nothing is resampled. What moves no\n"
    "node (morph weights) is left out. glTF with CUBICSPLINE, sparse accessors or\n"
    "EXT_meshopt_compression is refused. If an animation cannot be read or encoded\n"
    "the others go on, and the exit status is 1. --tolerance is --rotation.\n"
    "\n"
    "Examples:\n"
    "  quatsimd clip hero.glb\n"
    "  quatsimd clip --rotation 0.01deg --translation 0.1mm hero.glb\n"
    "  quatsimd clip --object 0.1mm@3cm -o clips --report page.html hero.glb\n"
    "  quatsimd clip --only rotation --time 0 --json walk.bvh > report.json\n",
    run,
};
