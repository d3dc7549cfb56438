#include "system/program.h"

#include <fcntl.h>
#include <io.h>
#include <stdio.h>

#include "base/text.h"
#include "system/windows/wide.h"
#include "system/windows/worker.h"

#include <shellapi.h> /* needs windows.h */

#ifndef ENABLE_VIRTUAL_TERMINAL_PROCESSING
#define ENABLE_VIRTUAL_TERMINAL_PROCESSING 4
#endif

void system_begin(int *argc, char ***argv) {
  wchar_t **wide = memory_or_exit(CommandLineToArgvW(GetCommandLineW(), argc));
  *argv = memory_get((size_t)*argc + 1, sizeof **argv);
  for (int i = 0; i < *argc; i++) (*argv)[i] = narrow_of(wide[i]);
  LocalFree(wide);
  for (int i = 0; i < 3; i++) _setmode(i, _O_BINARY); /* lines end as everywhere */
  SetConsoleOutputCP(CP_UTF8);
  worker_begin();
}

bool system_terminal(void) {
  const HANDLE console = GetStdHandle(STD_ERROR_HANDLE);
  DWORD mode;
  return GetConsoleMode(console, &mode) && SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

size_t system_terminal_columns(void) {
  CONSOLE_SCREEN_BUFFER_INFO info;
  if (!GetConsoleScreenBufferInfo(GetStdHandle(STD_ERROR_HANDLE), &info)) return 80;
  return (size_t)(info.srWindow.Right - info.srWindow.Left + 1);
}
