#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "system/files.h"
#include "system/windows/wide.h"

static void *volatile unfinished; /* for the handler; one draft is open at a time */
static void (*before_the_end)(void);

/* Whoever closes it last removes it: Windows does where this program ends. */
static void remove_when_closed(HANDLE draft) {
  FILE_DISPOSITION_INFO gone = {TRUE};
  SetFileInformationByHandle(draft, FileDispositionInfo, &gone, sizeof gone);
}

/* In a thread of its own. */
static BOOL WINAPI remove_unfinished(DWORD event) {
  (void)event;
  const HANDLE draft = InterlockedExchangePointer(&unfinished, NULL);
  if (draft) remove_when_closed(draft);
  before_the_end();
  return FALSE; /* the system's own handler ends the program */
}

void system_draft_clean_up_on_signals(void (*before)(void)) {
  before_the_end = before;
  SetConsoleCtrlHandler(remove_unfinished, TRUE);
}

/* Nobody else may remove or rename it while it is open. */
static HANDLE open_new(struct system_draft *draft, const char *prefix) {
  const size_t size = strlen(prefix) + 64;
  draft->path = memory_get(size, 1);
  for (unsigned i = 0; i < 100; i++) {
    snprintf(draft->path, size, "%s%d-%u", prefix, _getpid(), i);
    wchar_t *wide = wide_path(draft->path);
    const HANDLE handle = CreateFileW(wide, GENERIC_WRITE | DELETE, FILE_SHARE_READ, NULL, CREATE_NEW,
                                      FILE_ATTRIBUTE_NORMAL, NULL);
    if (handle == INVALID_HANDLE_VALUE) fail_as_windows();
    free(wide);
    if (handle != INVALID_HANDLE_VALUE) return handle;
    if (errno != EEXIST && errno != EACCES) break; /* EACCES: of one that is being removed, too */
  }
  return INVALID_HANDLE_VALUE;
}

static void forget(struct system_draft *draft) {
  unfinished = NULL;
  free(draft->path);
  *draft = (struct system_draft){0};
}

bool system_draft_open(struct system_draft *draft, const char *prefix, const char *like) {
  (void)like; /* a file has the rights of its folder */
  *draft = (struct system_draft){0};
  const HANDLE handle = open_new(draft, prefix);
  if (handle == INVALID_HANDLE_VALUE) return forget(draft), false;
  unfinished = handle;
  draft->file = memory_or_exit(_fdopen(_open_osfhandle((intptr_t)handle, _O_WRONLY | _O_BINARY), "wb"));
  return true;
}

static bool rename_open(HANDLE draft, const char *target) {
  wchar_t *wide = wide_path(target), *whole = NULL;
  const DWORD length = GetFullPathNameW(wide, 0, NULL, NULL); /* with its zero */
  whole = memory_get((size_t)length + 1, sizeof *whole);
  if (length == 0 || GetFullPathNameW(wide, length, whole, NULL) == 0) {
    fail_as_windows();
    free(whole), free(wide);
    return false;
  }
  const size_t size = sizeof(FILE_RENAME_INFO) + length * sizeof *whole;
  FILE_RENAME_INFO *to = memory_get(1, size);
  to->ReplaceIfExists = TRUE;
  to->FileNameLength = (DWORD)((length - 1) * sizeof *whole);
  memcpy(to->FileName, whole, length * sizeof *whole);
  const bool good = SetFileInformationByHandle(draft, FileRenameInfo, to, (DWORD)size) || fail_as_windows();
  free(to), free(whole), free(wide);
  return good;
}

bool system_draft_close(struct system_draft *draft, const char *target) {
  const HANDLE handle = (HANDLE)_get_osfhandle(_fileno(draft->file));
  int error = fflush(draft->file) == 0 ? 0 : errno;
  /* From here on the handler must not remove it: it may have the target's name by then. If the handler came
   * first, the file is gone, and the handler is about to end the program. */
  if (!InterlockedExchangePointer(&unfinished, NULL)) Sleep(INFINITE);
  if (target && !error && !rename_open(handle, target)) error = errno;
  if (!target || error) remove_when_closed(handle);
  if (fclose(draft->file) != 0 && !error) error = errno;
  forget(draft);
  errno = error;
  return error == 0;
}

void system_draft_remove_stale(const char *path) { (void)system_remove(path); }
