#include "files/names.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "files/letter_cases.h"
#include "system/files.h"
#include "terminal/message.h"

/* With "-12345.npy" still below 255, the longest name of most file systems. */
enum { NAME_BYTES = 200 };

/* Windows takes them for devices, whatever is behind a point or a space; ports have superscripts as numbers,
 * too. */
static bool is_device(const char *name) {
  static const char *const devices[] = {"con", "prn", "aux", "nul", "conin$", "conout$"};
  static const char *const ports[] = {"com", "lpt"}, *const numbers[] = {"\u00b9", "\u00b2", "\u00b3"};
  const size_t length = strcspn(name, ". ");
  bool is = false;
  for (int i = 0; i < 6; i++)
    is = is || (length == strlen(devices[i]) && strncasecmp(name, devices[i], length) == 0);
  for (int i = 0; i < 2; i++) {
    if (length < 4 || strncasecmp(name, ports[i], 3) != 0) continue;
    is = is || (length == 4 && name[3] >= '0' && name[3] <= '9');
    for (int k = 0; k < 3; k++) is = is || (length == 5 && strncmp(name + 3, numbers[k], 2) == 0);
  }
  return is;
}

/* A file name, to be freed, of at most 200 bytes. */
static char *names_safe(const char *name, const char *if_empty) {
  char *safe = text_clean(*name ? name : if_empty);
  const size_t length = text_cut(safe, NAME_BYTES);
  safe[length] = '\0';
  for (char *s = safe; *s; s++)
    if (strchr("/\\:*?\"<>|", *s)) *s = '_';
  if (safe[0] == '.') safe[0] = '_';
  if (length > 0 && (safe[length - 1] == '.' || safe[length - 1] == ' ')) safe[length - 1] = '_';
  if (!is_device(safe)) return safe;
  char *file = names_join("_", safe, "");
  free(safe);
  return file;
}

char *names_join(const char *start, const char *between, const char *end) {
  const size_t size = strlen(start) + strlen(between) + strlen(end) + 1;
  char *joined = memory_get(size, 1);
  snprintf(joined, size, "%s%s%s", start, between, end);
  return joined;
}

const char *names_file(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path + system_drive(path);
}

char *names_stem(const char *path) {
  char *stem = text_copy(path), *file = stem + (names_file(path) - path), *point = strrchr(file, '.');
  if (point && point > file) *point = '\0';
  return stem;
}

char *names_folder(const char *path) {
  const char *file = names_file(path);
  char *folder = text_copy(file > path ? path : "./");
  folder[file > path ? file - path : 2] = '\0';
  return folder;
}

char *names_beside(const char *file, const char *path) {
  const bool whole = *path == '/' || system_drive(path) > 0;
  char *folder = names_folder(file),
       *beside = names_join(whole || !strchr(file, '/') ? "" : folder, "", path);
  free(folder);
  return beside;
}

/* A name given away in a directory, and the number to try on the next that wants it. */
struct name {
  char *text;
  size_t next;
};

typedef int compare_names(const void *a, const void *b);

static int compare_files(const void *a, const void *b) {
  return letter_cases_compare(((const struct name *)a)->text, ((const struct name *)b)->text);
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

/* The entry of a name in the tree; a new one, with next = 1, if it was not there. Takes the text. */
static struct name *name_entry(void **names, char *text, compare_names *compare) {
  struct name *entry = memory_get(1, sizeof *entry);
  *entry = (struct name){text, 1};
  struct name **found = memory_or_exit(tsearch(entry, names, compare));
  if (*found != entry) free(text), free(entry);
  return *found;
}

/* Takes the text. */
static const char *take_name(void **names, char *text, compare_names *compare) {
  struct name *wanted = name_entry(names, text, compare), *candidate = wanted;
  while (candidate->next > 1) {
    char number[24];
    snprintf(number, sizeof number, "%zu", wanted->next++);
    candidate = name_entry(names, names_join(wanted->text, "-", number), compare);
  }
  candidate->next = 2;
  return candidate->text;
}

const char *names_unique(void **names, const char *name, const char *if_empty) {
  return take_name(names, names_safe(name, if_empty), compare_files);
}

const char **names_numbered(void **names, const char *const *name, size_t count) {
  const char **numbered = memory_get(count, sizeof *numbered);
  for (size_t i = 0; i < count; i++) {
    struct name *entry = name_entry(names, text_copy(name[i]), compare_texts);
    if (entry->next == 1) numbered[i] = entry->text, entry->next = 2;
  }
  for (size_t i = 0; i < count; i++)
    if (!numbered[i]) numbered[i] = take_name(names, text_copy(name[i]), compare_texts);
  return numbered;
}

void names_free(void **names) {
  while (*names) {
    struct name *entry = *(struct name **)*names;
    tdelete(entry, names, compare_texts);
    free(entry->text);
    free(entry);
  }
}

bool names_make_directory(const char *path) {
  if (system_make_folder(path)) return true;
  const int error = errno;
  if (error == EEXIST && system_is(path, SYSTEM_FOLDER)) return true;
  return complain(path, "cannot make the directory: %s",
                  error == EEXIST ? "there is a file of that name" : strerror(error));
}

/* From the last folder upwards, until there is one: the root of a drive or of a network's share cannot be
 * made. */
bool names_make_directories(const char *path) {
  if (system_is(path, SYSTEM_FOLDER)) return true;
  char *above = text_copy(path), *slash = strrchr(above, '/');
  if (slash) *slash = '\0';
  const bool good = !slash || slash == above || names_make_directories(above);
  free(above);
  return good && names_make_directory(path);
}

bool names_make_directory_of(const char *file) {
  char *folder = names_folder(file);
  const bool good = names_make_directories(folder);
  free(folder);
  return good;
}
