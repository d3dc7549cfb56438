#include "clips/library.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/message.h"
#include "base/progress.h"
#include "base/speed.h"
#include "base/text.h"
#include "clips/bundle.h"
#include "clips/manifest.h"
#include "system/workers.h"

struct run {
  struct library *library;
  size_t done;
  double size, part, start; /* bytes of all inputs, and of those done; seconds */
};

/* An empty file is work, too. */
static double work_of(const struct collected_file *file) { return (double)file->size + 1; }

static void note_done(void *context, size_t item, const char *answer, size_t size, const char *end) {
  struct run *run = context;
  struct compress *compress = &run->library->compress;
  const struct collected_file *file = &compress->files->file[item];
  struct compress_sum sum = {.files[COMPRESS_FAILED] = 1};
  if (!answer) complain(file->path, "the process that compressed it %s", end);
  else if (size >= sizeof sum) memcpy(&sum, answer, sizeof sum);
  compress_add(&run->library->sum, &sum);
  compress->missing[item] = sum.files[COMPRESS_FAILED] + sum.files[COMPRESS_STILL] > 0;
  run->done++;
  run->part += work_of(file);
  if (progress_seen())
    progress_bar(run->done, compress->files->count, run->part / run->size, speed_now() - run->start);
  else if (answer && size > sizeof sum && !run->library->silent)
    fwrite(answer + sizeof sum, 1, size - sizeof sum, stdout), fflush(stdout);
}

static void work(void *context, size_t item, FILE *answer) {
  struct run *run = context;
  compress_file(&run->library->compress, item, answer);
}

static uint64_t hash_of(const struct collected *files) {
  uint64_t hash = files->count;
  for (size_t i = 0; i < files->count; i++)
    hash = XXH64(files->file[i].path, strlen(files->file[i].path), hash);
  return hash;
}

/* One bundle of all files, if they have one skeleton. */
static bool bundle_files(struct library *library, bool whole) {
  const struct compress *compress = &library->compress;
  const struct clip_settings *settings = compress->settings;
  if (!settings->bundle || !settings->skeleton.of || !library->all) return true;
  if (whole) return bundle_all(compress, library->silent, &library->sum.bundle_bytes);
  complain(compress->out, "the bundle is not written, because not all clips could be made");
  return false;
}

bool library_compress(struct library *library) {
  struct compress *compress = &library->compress;
  const struct collected *files = compress->files;
  struct run run = {.library = library, .start = speed_now()};
  compress->options = manifest_options(compress->settings);
  compress->missing = memory_get(files->count, sizeof *compress->missing);
  for (size_t i = 0; i < files->count; i++) run.size += work_of(&files->file[i]);
  const struct workers workers = {.jobs = library->jobs,
                                  .items = files->count,
                                  .same = hash_of(files),
                                  .busy = library->busy,
                                  .context = &run,
                                  .work = work,
                                  .done = note_done};
  const bool good = workers_run(&workers);
  progress_clear();
  library->sum.files[COMPRESS_FAILED] += files->unread;
  library->seconds = speed_now() - run.start;
  const bool whole = good && library->sum.files[COMPRESS_FAILED] + library->sum.files[COMPRESS_PART] == 0;
  return bundle_files(library, whole) && whole && library->sum.missed == 0;
}

void library_free(struct library *library) {
  free(library->compress.options);
  free(library->compress.missing);
  *library = (struct library){0};
}
