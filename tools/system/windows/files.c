#include "system/files.h"

#include <errno.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "files/letter_cases.h"
#include "files/names.h"
#include "system/windows/wide.h"

/* ---- looking ---- */

static bool look_at(HANDLE handle, bool link, struct system_look *look) {
  BY_HANDLE_FILE_INFORMATION info;
  FILE_ATTRIBUTE_TAG_INFO tag = {0};
  static uint64_t others; /* pipes and devices have no numbers: each time one counts as another */
  *look = (struct system_look){.kind = SYSTEM_OTHER, .volume = UINT64_MAX, .number = others};
  if (GetFileType(handle) != FILE_TYPE_DISK) return others++, true;
  if (!GetFileInformationByHandle(handle, &info)) return fail_as_windows();
  look->volume = info.dwVolumeSerialNumber;
  look->number = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
  /* others than links are reparse points, too: files that are still in a cloud */
  if (link && info.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT &&
      GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &tag, sizeof tag) &&
      IsReparseTagNameSurrogate(tag.ReparseTag))
    return true;
  look->kind = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? SYSTEM_FOLDER : SYSTEM_FILE;
  if (look->kind == SYSTEM_FILE) look->size = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow;
  return true;
}

static HANDLE open_to_look(const char *path, DWORD more) {
  wchar_t *wide = wide_path(path);
  const HANDLE handle =
      CreateFileW(wide, FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                  OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | more, NULL);
  if (handle == INVALID_HANDLE_VALUE) fail_as_windows();
  free(wide);
  return handle;
}

static bool look(const char *path, bool link, struct system_look *found) {
  const HANDLE handle = open_to_look(path, link ? FILE_FLAG_OPEN_REPARSE_POINT : 0);
  if (handle == INVALID_HANDLE_VALUE) return false;
  const bool good = look_at(handle, link, found);
  CloseHandle(handle);
  return good;
}

bool system_look(const char *path, struct system_look *found) { return look(path, false, found); }
bool system_look_at_link(const char *path, struct system_look *found) { return look(path, true, found); }
bool system_look_at_open(FILE *file, struct system_look *found) {
  return look_at((HANDLE)_get_osfhandle(_fileno(file)), false, found);
}

/* ---- files and folders ---- */

FILE *system_open(const char *path, const char *how) {
  wchar_t *wide = wide_path(path);
  FILE *file = _wfopen(wide, *how == 'r' ? L"rb" : L"wb");
  free(wide);
  return file;
}

static bool may(const char *path, int what) {
  wchar_t *wide = wide_path(path);
  const bool good = _waccess(wide, what) == 0;
  free(wide);
  return good;
}
bool system_may_read(const char *path) { return may(path, 4); }
/* Also false if another program has the file open so that it cannot be replaced. */
bool system_may_write(const char *path) {
  if (!may(path, 2)) return false;
  wchar_t *wide = wide_path(path);
  const HANDLE handle = CreateFileW(wide, DELETE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                    NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
  if (handle == INVALID_HANDLE_VALUE) fail_as_windows();
  free(wide);
  if (handle != INVALID_HANDLE_VALUE) CloseHandle(handle);
  return handle != INVALID_HANDLE_VALUE;
}

bool system_remove(const char *path) {
  wchar_t *wide = wide_path(path);
  const bool good = DeleteFileW(wide) || fail_as_windows();
  free(wide);
  return good;
}

bool system_make_folder(const char *path) {
  wchar_t *wide = wide_path(path);
  const bool good = CreateDirectoryW(wide, NULL) || fail_as_windows();
  free(wide);
  if (!good && errno != EEXIST && system_is(path, SYSTEM_FOLDER)) errno = EEXIST; /* a drive */
  return good;
}

bool system_list(const char *folder, char ***names, size_t *count) {
  char *all = names_join(folder, "/", "*");
  wchar_t *wide = wide_path(all);
  WIN32_FIND_DATAW entry;
  const HANDLE search = FindFirstFileW(wide, &entry);
  const bool good_so_far =
      search != INVALID_HANDLE_VALUE || GetLastError() == ERROR_FILE_NOT_FOUND || fail_as_windows();
  *names = NULL, *count = 0;
  free(wide), free(all);
  if (search == INVALID_HANDLE_VALUE) return good_so_far;
  do {
    if (wcscmp(entry.cFileName, L".") == 0 || wcscmp(entry.cFileName, L"..") == 0) continue;
    *names = memory_grow(*names, *count, sizeof **names);
    (*names)[(*count)++] = narrow_of(entry.cFileName);
  } while (FindNextFileW(search, &entry));
  const bool good = GetLastError() == ERROR_NO_MORE_FILES || fail_as_windows();
  FindClose(search);
  return good;
}

size_t system_drive(const char *path) {
  const bool is_letter = (*path >= 'a' && *path <= 'z') || (*path >= 'A' && *path <= 'Z');
  return is_letter && path[1] == ':' ? 2 : 0;
}

int system_compare_names(const char *a, const char *b) { return letter_cases_compare(a, b); }

void system_slashes(char *path) {
  for (; *path; path++)
    if (*path == '\\') *path = '/';
}

char *system_real_path(const char *path) {
  const HANDLE handle = open_to_look(path, 0);
  if (handle == INVALID_HANDLE_VALUE) return NULL;
  const DWORD size = GetFinalPathNameByHandleW(handle, NULL, 0, FILE_NAME_NORMALIZED);
  wchar_t *wide = memory_get((size_t)size + 1, sizeof *wide);
  const DWORD got = size ? GetFinalPathNameByHandleW(handle, wide, size, FILE_NAME_NORMALIZED) : 0;
  CloseHandle(handle);
  char *real = got ? narrow_of(wide) : text_copy(path); /* some network drives say none */
  free(wide);
  /* without the prefix */
  char *const share = real + 6;
  if (strncmp(real, "\\\\?\\UNC\\", 8) == 0) *share = '\\', memmove(real, share, strlen(share) + 1);
  else if (strncmp(real, "\\\\?\\", 4) == 0) memmove(real, real + 4, strlen(real + 4) + 1);
  system_slashes(real);
  return real;
}
