#include "base/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/inputs.h"
#include "base/message.h"
#include "base/names.h"
#include "base/progress.h"
#include "base/text.h"

#define UNFINISHED ".quatsimd-"

static void end_bar(void) {
  if (progress_drawn) (void)!write(STDERR_FILENO, "\n", 1); /* or a shell's prompt follows the bar */
}

void output_clean_up_on_signals(void) { system_draft_clean_up_on_signals(end_bar); }

/* How many numbers are in the name: 2 in that of a draft, 3 in that of a part, 0 in those of other files. */
static int draft_numbers(const char *name) {
  if (strncmp(name, UNFINISHED, strlen(UNFINISHED)) != 0) return 0;
  name += strlen(UNFINISHED);
  for (int numbers = 1; numbers <= 3; numbers++) {
    const size_t digits = strspn(name, "0123456789");
    name += digits;
    if (digits == 0) return 0;
    if (*name == '\0') return numbers >= 2 ? numbers : 0;
    if (*name++ != '-') return 0;
  }
  return 0;
}

void output_remove_unfinished(const char *path) {
  const int numbers = draft_numbers(names_file(path));
  if (numbers == 0) return;
  struct system_look look;
  char *draft = names_join(path, "", "");
  if (numbers == 3) *strrchr(draft, '-') = '\0';
  system_draft_remove_stale(draft);
  if (numbers == 3 && !system_look_at_link(draft, &look)) system_remove(path);
  free(draft);
}

static void forget(struct output *o) {
  free(o->target);
  *o = (struct output){0};
}

static bool fail(struct output *o) {
  complain(o->path, "cannot write: %s", strerror(errno));
  forget(o);
  return false;
}

/* The name of the draft does not contain that of the target, which may be as long as names can be. */
static bool open_beside(struct output *o, bool exists) {
  char *folder = names_folder(o->target), *prefix = names_join(folder, UNFINISHED, "");
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

static bool write_part(struct system_draft *draft, const char *path, const void *bytes, size_t size) {
  if (system_is(path, SYSTEM_FILE) && !system_may_write(path)) return false;
  FILE *file = system_draft_open_part(draft, path);
  if (!file) return false;
  const int error = fwrite(bytes, 1, size, file) == size ? 0 : errno;
  if (!close_file(file) && !error) return false;
  errno = error;
  return error == 0;
}

bool output_add_part(struct output *o, const char *path, const void *bytes, size_t size) {
  /* the same bytes lose nothing: --skeleton may name the skeleton of an earlier run */
  if (inputs_have(path) && !file_has_bytes(path, bytes, size)) return inputs_spare(path);
  const bool good = write_part(&o->draft, path, bytes, size);
  if (!good) complain(path, "cannot write: %s", strerror(errno));
  return good;
}

bool output_place_parts(struct output *o) {
  const char *failed = NULL;
  if (!o->error && fflush(o->file) != 0) o->error = errno;
  if (o->error) failed = o->path, errno = o->error;
  else failed = system_draft_place_parts(&o->draft);
  if (failed) complain(failed, "cannot write: %s", strerror(errno));
  return !failed;
}
