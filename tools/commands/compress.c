/* quatsimd compress: whole libraries of animations to clips. */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "report/compress_page.h"
#include "base/file.h"
#include "clips/manifest.h"
#include "base/message.h"
#include "base/names.h"
#include "report/page.h"
#include "base/progress.h"
#include "base/quantity.h"
#include "base/speed.h"
#include "base/text.h"
#include "readers/readers.h"
#include "base/workers.h"

struct run {
  struct compress compress;
  struct compress_sum sum;
  size_t done;
  double size, part, start; /* bytes of all inputs, and of those done; seconds */
};

static void note_done(void *context, size_t item, const char *answer, size_t size, int signal) {
  struct run *run = context;
  const struct collected_file *file = &run->compress.files->file[item];
  struct compress_sum sum = {.files[COMPRESS_FAILED] = 1};
  if (!answer && signal)
    complain(file->path, "the process that compressed it was ended by signal %d (%s)", signal,
             strsignal(signal));
  else if (!answer) complain(file->path, "the process that compressed it ended");
  else if (size >= sizeof sum) memcpy(&sum, answer, sizeof sum);
  compress_add(&run->sum, &sum);
  run->compress.failed[item] = sum.files[COMPRESS_FAILED] > 0;
  run->done++;
  run->part += (double)file->size + 1;
  if (progress_seen())
    progress_bar(run->done, run->compress.files->count, run->part / run->size, speed_now() - run->start);
  else if (answer && size > sizeof sum)
    fwrite(answer + sizeof sum, 1, size - sizeof sum, stdout), fflush(stdout);
}

static const char *plural(size_t n) { return n == 1 ? "" : "s"; }

static void print_sum(const struct run *run, double seconds, size_t jobs) {
  const struct compress_sum *s = &run->sum;
  const struct bounds *bounds = &run->compress.settings->bounds;
  const size_t keys = s->keys[0] + s->keys[1] + s->keys[2];
  const size_t files = run->done + run->compress.files->unread,
               failed = s->files[COMPRESS_FAILED] + run->compress.files->unread;
  /* four numbers live at a time */
  printf("%s file%s: %s compressed, ", text_number(files), plural(files),
         text_number(s->files[COMPRESS_DONE]));
  printf("%s up to date, %s in which nothing moves, ", text_number(s->files[COMPRESS_CURRENT]),
         text_number(s->files[COMPRESS_STILL]));
  printf("%s failed\n", text_number(failed));
  if (run->compress.files->others)
    printf("%s in the folders left out, whose names do not end as those of animations\n",
           text_number(run->compress.files->others));
  if (s->left_out)
    printf("%s animation%s left out, see the messages\n", text_number(s->left_out), plural(s->left_out));
  if (s->clips) {
    printf("%s clip%s, %.1f s of animation, %s keys\n", text_number(s->clips), plural(s->clips), s->seconds,
           text_number(keys));
    printf("%s bytes, %.2f bits per key, %.2f times smaller\n", text_number(s->bytes),
           8 * (double)s->bytes / (double)keys, s->raw_bytes / (double)s->bytes);
    printf("off by at most %.6f degrees, %.3g in translation, %.3g in scale", s->worst[0] * DEGREES,
           s->worst[1], s->worst[2]);
    if (bounds->of[CLIP_CHECK_OBJECT] > 0)
      printf(", %.3g in object space (bound %g)\n", s->worst[CLIP_CHECK_OBJECT],
             bounds->of[CLIP_CHECK_OBJECT]);
    else printf(" (bounds %g, %g, %g)\n", bounds->of[0] * DEGREES, bounds->of[1], bounds->of[2]);
  }
  printf("%.1f s", seconds);
  if (s->encoded_keys)
    printf(", %s keys per second; encoding took %.0f %% of the time, the rest reading, checking and writing",
           text_number((size_t)((double)s->encoded_keys / seconds)),
           100 * s->encode_seconds / (seconds * (double)jobs));
  putchar('\n');
}

/* page: where it goes; null: there is none. */
static int compress_all(struct run *run, struct collected *files, size_t jobs, const char *page) {
  char *options = manifest_options(run->compress.settings);
  run->compress.files = files, run->compress.options = options;
  for (size_t i = 0; i < files->count; i++) run->size += (double)files->file[i].size + 1;
  run->compress.failed = memory_get(files->count, sizeof *run->compress.failed);
  run->start = speed_now();
  const struct workers workers = {jobs, files->count, run, compress_file, note_done};
  bool good = workers_run(&workers);
  progress_clear();
  print_sum(run, speed_now() - run->start, jobs);
  if (page) good = compress_page(&run->compress, page) && good;
  free(run->compress.failed);
  free(options);
  return good && run->sum.files[COMPRESS_FAILED] == 0 && files->unread == 0 ? STATUS_OK : STATUS_BAD_INPUT;
}

/* "K/N" */
static bool read_share(const char *text, size_t *share, size_t *shares) {
  unsigned long k, n;
  char rest;
  if (!text) return true;
  if (strspn(text, "0123456789/") != strlen(text) || sscanf(text, "%9lu/%9lu%c", &k, &n, &rest) != 2 ||
      k < 1 || k > n) {
    usage_error("compress", "--shard: \"%s\" is not K/N, of which K is from 1 to N", text);
    return false;
  }
  *share = k, *shares = n;
  return true;
}

#define NOT_GIVEN INT_MIN

struct texts {
  struct bounds_options bounds;
  const char *out, *shard, *page;
};

static bool page_is_apart(const struct collected *files, const char *page) {
  for (size_t f = 0; page && f < files->count; f++)
    if (!page_replaces_not(page, files->file[f].path)) return false;
  return true;
}

static int run_with(const struct arguments *a, const struct texts *t, int jobs) {
  struct clip_settings settings = {.only = -1};
  struct collected files;
  size_t share = 1, shares = 1;
  if (!t->out || !*t->out) return usage_error("compress", "where to? Give a folder: -o OUT");
  if (jobs != NOT_GIVEN && (jobs < 1 || jobs > 10000))
    return usage_error("compress", "--jobs: %d is not from 1 to 10000", jobs);
  if (!bounds_to_encode("compress", &t->bounds, &settings.bounds) || !read_share(t->shard, &share, &shares))
    return STATUS_BAD_USAGE;
  for (size_t i = 0; i < a->count; i++)
    if (file_is_same(t->out, a->operands[i]))
      return usage_error("compress", "-o %s is what is to be compressed", t->out);
  struct run run = {.compress = {.settings = &settings, .out = t->out}};
  int status = STATUS_BAD_INPUT;
  const bool good = collect(a->operands, a->count, reader_has_animations, &files);
  if (good && files.count == 0 && files.unread == 0)
    complain(a->operands[0], "there are no animations, by their names; see `quatsimd help compress`");
  else if (good && page_is_apart(&files, t->page) && names_make_directories(t->out) &&
           (!t->page || page_may_be_written(t->page))) {
    collect_share(&files, share, shares);
    status = compress_all(&run, &files, jobs == NOT_GIVEN ? workers_default() : (size_t)jobs, t->page);
  }
  collect_free(&files);
  return status;
}

static int run(int argc, char **argv) {
  struct texts t = {0};
  int jobs = NOT_GIVEN, status;
  const struct option_row options[] = {BOUNDS_OPTIONS(t.bounds),       {"output", 'o', .text = &t.out},
                                       {"jobs", 'j', .whole = &jobs},  {"shard", 0, .text = &t.shard},
                                       {"report", 0, .text = &t.page}, {0}};
  const struct command_line line = {"compress", command_compress.help, options, 1, ANY_NUMBER};
  struct arguments a;
  if (arguments_parse(&a, &line, argc, argv, &status)) status = run_with(&a, &t, jobs);
  return status;
}

const struct command command_compress = {
    "compress",
    "all animations of files and folders to clips, on all processors",
    "Usage: quatsimd compress [--tolerance ANGLE] [--translation LENGTH] [--scale S]\n"
    "                         [--object LENGTH@DISTANCE] [--jobs N] [--shard K/N]\n"
    "                         [--report PAGE.html] -o OUT FILE|DIR...\n"
    "\n"
    "Encodes every animation of every FILE, and of the files in every DIR and below\n"
    "it, as a clip: OUT/FILE/ANIMATION.qsc, as OUT/heroes/knight.glb/Walk.qsc of\n"
    "DIR/heroes/knight.glb. Beside the clips quatsimd.json says what they are.\n"
    "\n"
    "Run it again and only what is new or changed is done: a file is up to date if\n"
    "it, the options and the version are those that its clips were made of, and the\n"
    "clips are still what they were. So a run that was interrupted, in whatever way,\n"
    "goes on where it was. Clips of files that are gone, or cannot be read any more,\n"
    "stay in OUT; clips in OUT/FILE that FILE has no more are removed.\n"
    "\n"
    "How far clips may be from the file, at every key of it:\n"
    "  -r, --tolerance ANGLE     as 0.05, 0.05deg or 0.001rad. Without it: 0.05deg.\n"
    "                            --rotation is the same\n"
    "  -t, --translation LENGTH  in the file's unit, whatever that is; or as 0.1mm,\n"
    "                            0.01cm or 0.0001m, which take the file's unit for\n"
    "                            metres (as it is in glTF). Without it: 0.01\n"
    "  -s, --scale S             of each of a scale's components. Without it: 0.001\n"
    "  --object LENGTH@DISTANCE  in place of these: no point at DISTANCE from a\n"
    "                            joint, fixed to it, may be off by more than LENGTH\n"
    "                            where the skeleton's root is. As 0.01cm@3cm\n"
    "\n"
    "  -o, --output OUT          the folder. It is made if it is not there\n"
    "  -j, --jobs N              files at a time. Without it: as many as there are\n"
    "                            processors. Memory is what these files need\n"
    "  --shard K/N               the K-th of N shares of the files, K from 1: which\n"
    "                            one a file is in depends on its name below DIR\n"
    "                            alone. All shares can go to one OUT; a last run\n"
    "                            without --shard finds all up to date and prints\n"
    "                            the sum\n"
    "  --report PAGE.html        also write a page for a browser, of all these\n"
    "                            clips: sizes and errors by clip, joint and time,\n"
    "                            the worst curve before and after\n"
    "  -h, --help                this text\n"
    "\n"
    "On a terminal there is a progress bar; elsewhere a line for each clip. In\n"
    "folders, files that end in .glb, .gltf, .bvh, .fbx, .dae, .x, .b3d, .ms3d,\n"
    ".smd, .md5anim, .iqm or .ogex count; a FILE may end in anything.\n"
    "\n"
    "A file that cannot be read or encoded is reported and the others go on; the\n"
    "exit status is 1 in the end. Clips are written beside and renamed, so there is\n"
    "never half of one.\n"
    "\n"
    "Examples:\n"
    "  quatsimd compress -o clips animations/\n"
    "  quatsimd compress --tolerance 0.01deg --translation 0.1mm -o clips hero.glb\n"
    "  quatsimd compress --object 0.01cm@3cm --jobs 2 -o clips animations/\n"
    "  quatsimd compress --shard $SLURM_ARRAY_TASK_ID/10 -o clips animations/\n",
    run,
};
