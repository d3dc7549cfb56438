#include "files/collect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/text.h"
#include "files/file.h"
#include "files/names.h"
#include "system/files.h"
#include "terminal/message.h"

/* Takes the path. */
static void add_file(struct collected *all, char *path, const char *name, uint64_t size) {
  all->file = memory_grow(all->file, all->count, sizeof *all->file);
  all->file[all->count++] = (struct collected_file){path, text_clean(name), size};
}

static void unread(struct collected *all, const char *path) {
  complain(path, "cannot open: %s", strerror(errno));
  all->unread++;
}

/* Adds the files below a folder; `name` is its own, with a slash behind it, or nothing. */
static void add_folder(struct collected *all, const char *folder, const char *name) {
  size_t count;
  char **names;
  if (!system_list(folder, &names, &count)) unread(all, folder);
  for (size_t i = 0; i < count; i++) {
    struct system_look itself, look;
    char *path = names_join(folder, "/", names[i]), *below = names_join(name, "", names[i]);
    const bool hidden = names[i][0] == '.', there = !hidden && system_look_at_link(path, &itself);
    if (hidden) {
      /* it does not count */
    } else if (there && itself.kind == SYSTEM_FOLDER) {
      char *inside = names_join(below, "/", "");
      add_folder(all, path, inside);
      free(inside);
    } else if (there && !all->wanted(names[i])) all->others += itself.kind == SYSTEM_FILE;
    else if (!system_look(path, &look)) unread(all, path);
    else if (look.kind == SYSTEM_FILE) {
      add_file(all, path, below, look.size);
      path = NULL;
    }
    free(path), free(below), free(names[i]);
  }
  free(names);
}

static void add_operand(struct collected *all, const char *path) {
  struct system_look look;
  if (!system_look(path, &look)) unread(all, path);
  else if (look.kind == SYSTEM_FOLDER) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    char *folder = text_copy(path);
    folder[length] = '\0';
    add_folder(all, folder, "");
    free(folder);
  } else if (look.kind != SYSTEM_FILE) {
    complain(path, "not a regular file");
    all->unread++;
  } else add_file(all, text_copy(path), names_file(path), look.size);
}

static int compare_files(const void *a, const void *b) {
  const struct collected_file *p = a, *q = b;
  const int names = strcmp(p->name, q->name);
  return names ? names : strcmp(p->path, q->path);
}

static int compare_places(const void *a, const void *b) {
  const struct collected_file *p = a, *q = b;
  const int names = system_compare_names(p->name, q->name);
  return names ? names : compare_files(p, q);
}

/* Takes away files that are given twice. */
static void collect_once(struct collected *all) {
  size_t kept = 0;
  if (all->count) qsort(all->file, all->count, sizeof *all->file, compare_places);
  for (size_t i = 0; i < all->count; i++) {
    const struct collected_file *former = kept ? &all->file[kept - 1] : NULL, file = all->file[i];
    if (former && system_compare_names(former->name, file.name) == 0 && file_is_same(former->path, file.path))
      free(file.path), free(file.name);
    else all->file[kept++] = file;
  }
  all->count = kept;
}

void collect(const char *const *operands, size_t count, bool (*wanted)(const char *name),
             struct collected *all) {
  *all = (struct collected){.wanted = wanted};
  struct messages *before = messages_keep(&all->complaints);
  for (size_t i = 0; i < count; i++) add_operand(all, operands[i]);
  messages_keep(before);
  messages_print(&all->complaints);
  collect_once(all);
  if (all->count) qsort(all->file, all->count, sizeof *all->file, compare_files);
}

bool collect_names_differ(const struct collected *all) {
  struct collected_file *place = memory_get(all->count, sizeof *place); /* in another order */
  bool good = true;
  for (size_t i = 0; i < all->count; i++) place[i] = all->file[i];
  if (all->count) qsort(place, all->count, sizeof *place, compare_places);
  for (size_t i = 1; i < all->count; i++) {
    const struct collected_file *former = &place[i - 1], *file = &place[i];
    if (system_compare_names(former->name, file->name) != 0) continue;
    complain(file->path,
             "has the same name as %s: give the folder that contains both, or compress them to two OUTs",
             former->path);
    good = false;
  }
  free(place);
  return good;
}

void collect_free(struct collected *all) {
  for (size_t i = 0; i < all->count; i++) free(all->file[i].path), free(all->file[i].name);
  free(all->file);
  messages_free(&all->complaints);
  *all = (struct collected){0};
}
