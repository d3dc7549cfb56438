#include "bundles/record_path.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "files/file.h"
#include "files/names.h"
#include "system/files.h"

/* The whole path of a file that exists, to be freed. */
static char *whole_path(const char *path) {
  char *real = system_real_path(path);
  return real ? real : text_copy(path);
}

/* The path of a file from the folder of another one, with slashes, to be freed; the whole path where they
 * have no folder in common, as on two drives. */
static char *path_from(const char *other, const char *path) {
  char *folder = names_folder(other), *start = whole_path(folder), *to = whole_path(path), *from;
  free(folder);
  from = names_join(start, start[strlen(start) - 1] == '/' ? "" : "/", "");
  free(start);
  size_t same = 0, ups = 0;
  for (size_t i = 0; from[i] && from[i] == to[i]; i++)
    if (from[i] == '/') same = i + 1;
  for (const char *s = from + same; *s; s++) ups += *s == '/';
  char *relative = text_copy(to + (same > 0 ? same : 0));
  for (; same > 0 && ups > 0; ups--) {
    char *longer = names_join("../", "", relative);
    free(relative);
    relative = longer;
  }
  free(from), free(to);
  return relative;
}

/* Takes parts away that a following ".." undoes, in place. */
static void simplify(char *path) {
  for (char *at = path, *end; (end = strchr(at, '/')); at = end + 1) {
    const bool up = strcmp(at, "..") == 0 || strncmp(at, "../", 3) == 0;
    if (up || end == at || strncmp(end, "/../", 4) != 0) continue;
    memmove(at, end + 4, strlen(end + 4) + 1);
    end = path - 1; /* once more from the start */
  }
}

/* A path as a record spells it, to be freed: with \\xNN for each backslash, and for all bytes but printable
 * ASCII if the path is not fit to be shown. */
static char *spell(const char *path) {
  char *clean = text_clean(path), *spelled = memory_get(4 * strlen(path) + 1, 1), *to = spelled;
  const bool fit = strcmp(clean, path) == 0;
  free(clean);
  for (; *path; path++)
    if (*path == '\\' || (!fit && (*path < ' ' || *path > '~')))
      to += sprintf(to, "\\x%02X", (unsigned char)*path);
    else *to++ = *path;
  return spelled;
}

/* Undoes that, in place. */
static void read_spelled(char *path) {
  char *to = path;
  for (unsigned byte; *path; to++)
    if (path[0] == '\\' && path[1] == 'x' && isxdigit((unsigned char)path[2]) &&
        isxdigit((unsigned char)path[3]) && sscanf(path + 2, "%2x", &byte) == 1)
      *to = (char)byte, path += 4;
    else *to = *path++;
  *to = '\0';
}

/* Undoes path_from. To be freed. Simple where that is the same file: a folder may be a link. */
static char *path_to(const char *other, const char *path) {
  char *joined = names_beside(other, path), *simple = text_copy(joined);
  simplify(simple);
  struct system_look look;
  if (system_look(joined, &look) && !file_is_same(simple, joined)) return free(simple), joined;
  return free(joined), simple;
}

char *record_path(const char *bundle, const char *path) {
  char *from = path_from(bundle, path), *spelled = spell(from);
  free(from);
  return spelled;
}

char *record_path_read(const char *bundle, const char *text) {
  char *own = text_copy(text);
  read_spelled(own);
  char *path = path_to(bundle, own);
  free(own);
  return path;
}
