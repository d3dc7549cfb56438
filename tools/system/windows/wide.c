#include "system/windows/wide.h"

#include <errno.h>
#include <stdlib.h>

#include "base/text.h"

wchar_t *wide_of(const char *text) {
  const int size = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
  wchar_t *wide = memory_get((size_t)size + 1, sizeof *wide);
  MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, size);
  return wide;
}

char *narrow_of(const wchar_t *text) {
  const int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
  char *narrow = memory_get((size_t)size + 1, 1);
  WideCharToMultiByte(CP_UTF8, 0, text, -1, narrow, size, NULL, NULL);
  return narrow;
}

/* Those that are longer than MAX_PATH, with what is put behind them, need a prefix and all folders. */
wchar_t *wide_path(const char *path) {
  enum { LONG = MAX_PATH - 20 };
  static const wchar_t local[] = L"\\\\?\\", shared[] = L"\\\\?\\UNC\\";
  wchar_t *wide = wide_of(path);
  const DWORD size = GetFullPathNameW(wide, 0, NULL, NULL);
  if (size < LONG) return wide;
  const size_t before = sizeof shared / sizeof *shared;
  wchar_t *whole = memory_get(before + size, sizeof *whole);
  GetFullPathNameW(wide, size, whole + before, NULL);
  free(wide);
  const bool prefixed = wcsncmp(whole + before, local, 4) == 0,
             is_shared = !prefixed && wcsncmp(whole + before, L"\\\\", 2) == 0;
  const wchar_t *name = whole + before + (is_shared ? 2 : 0), *prefix = is_shared  ? shared
                                                                        : prefixed ? L""
                                                                                   : local;
  wchar_t *prefix_end = whole + wcslen(prefix);
  wmemcpy(whole, prefix, wcslen(prefix));
  wmemmove(prefix_end, name, wcslen(name) + 1);
  return whole;
}

bool fail_as_windows(void) {
  switch (GetLastError()) {
  case ERROR_FILE_NOT_FOUND:
  case ERROR_PATH_NOT_FOUND:
  case ERROR_INVALID_NAME:
  case ERROR_BAD_PATHNAME:
  case ERROR_BAD_NETPATH:
  case ERROR_BAD_NET_NAME:
  case ERROR_INVALID_DRIVE: errno = ENOENT; break;
  case ERROR_ACCESS_DENIED:
  case ERROR_SHARING_VIOLATION:
  case ERROR_LOCK_VIOLATION:
  case ERROR_WRITE_PROTECT: errno = EACCES; break;
  case ERROR_FILE_EXISTS:
  case ERROR_ALREADY_EXISTS: errno = EEXIST; break;
  case ERROR_DISK_FULL:
  case ERROR_HANDLE_DISK_FULL: errno = ENOSPC; break;
  case ERROR_DIRECTORY: errno = ENOTDIR; break;
  case ERROR_TOO_MANY_OPEN_FILES: errno = EMFILE; break;
  case ERROR_NOT_ENOUGH_MEMORY:
  case ERROR_OUTOFMEMORY: errno = ENOMEM; break;
  case ERROR_NOT_SAME_DEVICE: errno = EXDEV; break;
  case ERROR_CANT_RESOLVE_FILENAME: errno = ELOOP; break;
  case ERROR_FILENAME_EXCED_RANGE: errno = ENAMETOOLONG; break;
  default: errno = EIO;
  }
  return false;
}
