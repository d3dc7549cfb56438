#include "base/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/names.h"
#include "base/progress.h"
#include "base/text.h"

#define UNFINISHED ".quatsimd-"

static void end_bar(void) {
  if (progress_drawn) (void)!write(STDERR_FILENO, "\n", 1); /* or a shell's prompt follows the bar */
}

void output_clean_up_on_signals(void) { system_draft_clean_up_on_signals(end_bar); }

/* The numbers in a name that drafts may have: 2, those of a process and a draft; 3 with that of a part; or 0. */
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

bool output_remove_unfinished(const char *path) {
  const int numbers = draft_numbers(names_file(path));
  char *draft = names_join(path, "", "");
  if (numbers == 3) *strrchr(draft, '-') = '\0';
  if (numbers > 0) system_draft_remove_stale(draft);
  struct system_look look;
  if (numbers == 3 && !system_look_at_link(draft, &look)) system_remove(path);
  free(draft);
  return numbers > 0;
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

static bool close_direct(const struct output *o) {
  const int error = fflush(o->file) == 0 ? 0 : errno;
  if (fclose(o->file) != 0) return false;
  errno = error;
  return error == 0;
}

bool output_close(struct output *o) {
  const bool closed =
      o->target ? system_draft_close(&o->draft, o->error ? NULL : o->target) : close_direct(o);
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

/* files that are replaced together. ---------------------------------------------------------------------- */

bool output_set_open(struct output_set *set, const char *last) {
  *set = (struct output_set){.count = 0};
  return output_open(&set->last, last);
}

static bool write_part(struct system_draft *draft, const char *path, const void *bytes, size_t size) {
  const bool exists = system_is(path, SYSTEM_FILE);
  if (exists && !system_may_write(path)) return false;
  FILE *file = system_draft_open_part(draft, exists ? path : NULL);
  if (!file) return false;
  int error = fwrite(bytes, 1, size, file) == size && fflush(file) == 0 ? 0 : errno;
  if (fclose(file) != 0 && !error) error = errno;
  errno = error;
  return error == 0;
}

bool output_set_add(struct output_set *set, const char *path, const void *bytes, size_t size) {
  if (!write_part(&set->last.draft, path, bytes, size))
    return complain(path, "cannot write: %s", strerror(errno)), false;
  set->path = memory_grow(set->path, set->count, sizeof *set->path);
  set->path[set->count++] = names_join(path, "", "");
  return true;
}

static void forget_set(struct output_set *set) {
  for (size_t i = 0; i < set->count; i++) free(set->path[i]);
  free(set->path);
  *set = (struct output_set){.count = 0};
}

void output_set_cancel(struct output_set *set) {
  output_cancel(&set->last);
  forget_set(set);
}

bool output_set_close(struct output_set *set, const void *bytes, size_t size) {
  struct output *last = &set->last;
  if (output_write(last, bytes, size) && fflush(last->file) != 0) last->error = errno;
  for (size_t i = 0; !last->error && i < set->count; i++) {
    if (system_draft_rename_part(&last->draft, i, set->path[i])) continue;
    complain(set->path[i], "cannot write: %s", strerror(errno));
    output_set_cancel(set);
    return false;
  }
  const bool good = output_close(last);
  forget_set(set);
  return good;
}
