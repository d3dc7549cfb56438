#include "files/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "files/file.h"
#include "files/inputs.h"
#include "files/names.h"
#include "terminal/message.h"
#include "terminal/progress.h"

#define UNFINISHED ".quatsimd-"

static void end_bar(void) {
  if (progress_drawn) (void)!write(STDERR_FILENO, "\n", 1); /* or a shell's prompt follows the bar */
}

void output_clean_up_on_signals(void) { system_draft_clean_up_on_signals(end_bar); }

static void forget(struct output *o) {
  free(o->target);
  *o = (struct output){0};
}

static bool fail(struct output *o) {
  complain(o->path, "cannot write: %s", strerror(errno));
  forget(o);
  return false;
}

/* The draft has a name that no other target's has. It does not contain the target's, which may be as long as
 * names can be. */
static bool open_beside(struct output *o, bool exists) {
  char number[40];
  const char *name = names_file(o->target);
  snprintf(number, sizeof number, UNFINISHED "%016" PRIx64 "-", (uint64_t)XXH64(name, strlen(name), 0));
  char *folder = names_folder(o->target), *prefix = names_join(folder, "", number);
  const bool good = system_draft_open(&o->draft, prefix, exists ? o->target : NULL);
  const int error = errno;
  free(folder), free(prefix);
  errno = error;
  return good;
}

bool output_open(struct output *o, const char *path) {
  struct system_look look;
  const bool exists = system_look(path, &look);
  *o = (struct output){.path = path};
  if (exists && look.kind != SYSTEM_FILE) { /* a rename would replace /dev/null by a file */
    o->file = system_open(path, "wb");
    return o->file ? true : fail(o);
  }
  if (!inputs_spare(path)) return forget(o), false;
  if (exists && !system_may_write(path)) return fail(o);
  o->target = exists ? system_real_path(path) : strdup(path);
  if (!o->target || !open_beside(o, exists)) return fail(o);
  o->file = o->draft.file;
  return true;
}

bool output_write(struct output *o, const void *bytes, size_t size) {
  if (size == 0 || fwrite(bytes, 1, size, o->file) == size) return true;
  o->error = errno;
  return false;
}

static bool close_file(FILE *file) {
  const int error = fflush(file) == 0 ? 0 : errno;
  if (fclose(file) != 0) return false;
  errno = error;
  return error == 0;
}

bool output_close(struct output *o) {
  const bool closed =
      o->target ? system_draft_close(&o->draft, o->error ? NULL : o->target) : close_file(o->file);
  if (o->error) errno = o->error;
  if (o->error || !closed) return fail(o);
  forget(o);
  return true;
}

void output_cancel(struct output *o) {
  if (o->target) system_draft_close(&o->draft, NULL);
  else fclose(o->file);
  forget(o);
}
