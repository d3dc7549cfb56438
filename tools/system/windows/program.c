#include "system/program.h"

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/text.h"
#include "files/names.h"
#include "system/files.h"
#include "system/windows/wide.h"

#include <shellapi.h> /* needs windows.h */

#ifndef ENABLE_VIRTUAL_TERMINAL_PROCESSING
#define ENABLE_VIRTUAL_TERMINAL_PROCESSING 4
#endif

static UINT console_page;
static void give_page_back(void) { SetConsoleOutputCP(console_page); }
static BOOL WINAPI give_page_back_where_interrupted(DWORD event) {
  (void)event;
  give_page_back();
  return FALSE; /* other handlers come next */
}

/* When this program ends the console has its own characters again, or another program's that runs with it. */
static void take_page(void) {
  console_page = GetConsoleOutputCP();
  if (console_page == 0 || !SetConsoleOutputCP(CP_UTF8)) return;
  atexit(give_page_back);
  SetConsoleCtrlHandler(give_page_back_where_interrupted, TRUE);
}

void system_begin(void) {
  for (int i = 0; i < 3; i++) _setmode(i, _O_BINARY); /* lines end as everywhere */
  take_page();
}

void system_arguments(int *argc, char ***argv) {
  wchar_t **wide = memory_or_exit(CommandLineToArgvW(GetCommandLineW(), argc));
  *argv = memory_get((size_t)*argc + 1, sizeof **argv);
  for (int i = 0; i < *argc; i++) (*argv)[i] = narrow_of(wide[i]);
  LocalFree(wide);
}

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static char *capitals(const char *name) {
  wchar_t *wide = wide_of(name);
  char *result = narrow_of(CharUpperW(wide));
  free(wide);
  return result;
}

/* In any case of letters. Not by short names, by which Windows finds a.glb_old for *.glb. */
static bool fits(const char *pattern, const char *name) {
  char *p = capitals(pattern), *n = capitals(name);
  const bool good = glob_matches(p, n);
  free(p), free(n);
  return good;
}

/* The array with those that fit behind it, and how many it has then. */
static char **add_fitting(char **all, size_t *count, const char *pattern) {
  const size_t before = *count;
  WIN32_FIND_DATAW entry;
  wchar_t *wide = wide_path(pattern);
  const HANDLE search = FindFirstFileW(wide, &entry);
  free(wide);
  if (search == INVALID_HANDLE_VALUE) return all;
  char *folder = text_copy(pattern);
  folder[names_file(pattern) - pattern] = '\0';
  do {
    if (entry.cFileName[0] == L'.') continue; /* hidden, as in folders */
    char *name = narrow_of(entry.cFileName);
    if (fits(names_file(pattern), name)) {
      all = memory_grow(all, *count, sizeof *all);
      all[(*count)++] = names_join(folder, "", name);
    }
    free(name);
  } while (FindNextFileW(search, &entry));
  FindClose(search);
  free(folder);
  if (*count > before) qsort(all + before, *count - before, sizeof *all, compare);
  return all;
}

void system_operands(char ***operands, size_t *count) {
  char **all = NULL;
  size_t found = 0;
  for (size_t i = 0; i < *count; i++) {
    char *const operand = (*operands)[i];
    const size_t before = found;
    system_slashes(operand);
    if (strpbrk(names_file(operand), "*?")) all = add_fitting(all, &found, operand);
    if (found > before) continue;
    all = memory_grow(all, found, sizeof *all);
    all[found++] = operand;
  }
  *operands = all, *count = found;
}

bool system_terminal(void) {
  const HANDLE console = GetStdHandle(STD_ERROR_HANDLE);
  DWORD mode;
  return GetConsoleMode(console, &mode) && SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

size_t system_processors(void) {
  const DWORD processors = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
  return processors > 0 ? processors : 1;
}
