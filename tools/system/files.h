/* Files and folders of the operating system, by their paths: UTF-8, with slashes between folders. Functions
 * that fail leave errno. */
#ifndef SYSTEM_FILES_H
#define SYSTEM_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum system_kind {
  SYSTEM_FILE, /* a regular one */
  SYSTEM_FOLDER,
  SYSTEM_OTHER /* pipes, devices; not followed: links */
};

struct system_look {
  enum system_kind kind;
  uint64_t size;           /* of a regular file, in bytes */
  uint64_t volume, number; /* differ from those of any other file */
};

/* False if there is nothing, or no access to it. */
bool system_look(const char *path, struct system_look *look); /* links are followed */
bool system_look_at_link(const char *path, struct system_look *look);
bool system_look_at_open(FILE *file, struct system_look *look);
static inline bool system_is(const char *path, enum system_kind kind) {
  struct system_look look;
  return system_look(path, &look) && look.kind == kind;
}

/* As fopen, in binary: `how` is "rb" or "wb". */
FILE *system_open(const char *path, const char *how);
bool system_may_read(const char *path);
bool system_remove(const char *path);
bool system_make_folder(const char *path);

/* The names in a folder in any order, and how many; each and the array are to be freed. False if not all
 * could be read; then there may be some. */
bool system_list(const char *folder, char ***names, size_t *count);

/* On Windows backslashes divide folders, too: they become slashes. */
void system_slashes(char *path);
/* How many characters of a path name a drive: 2 of "C:walk.bvh" on Windows, else 0. */
size_t system_drive(const char *path);
/* As strcmp, but 0 for names that are the same to Windows, there. */
int system_compare_names(const char *a, const char *b);

/* ---- a file that is made under another name, and takes the place of the one that it is for ---- */

struct system_draft {
  FILE *file;
  char *path; /* while it is a draft */
  int lock;
};

/* Opens a new file `prefix` with a number behind it. Removes files of such names that nobody has open.
 * `like`: a file that it will replace and whose mode it gets, or null. */
bool system_draft_open(struct system_draft *draft, const char *prefix, const char *like);
/* Closes it and gives it the name, in place of what has that now; or, if target is null or that fails,
 * removes it. */
bool system_draft_close(struct system_draft *draft, const char *target);
/* If the program is interrupted, removes the open draft, and then calls `then`. */
void system_draft_clean_up_on_signals(void (*then)(void));

/* The file that will have this path when it is written: links are followed. To be freed. */
char *system_real_path(const char *path);
bool system_may_write(const char *path);

#endif
