#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "system/files.h"
#include "system/windows/wide.h"

static struct system_draft *unfinished; /* for the handler; one draft is open at a time */
static HANDLE unfinished_handle;
static void (*before_the_end)(void);
enum { DRAFTS = 100 }; /* of one file, at most */

/* Around all that makes or ends a draft. The handler never gives it back: whoever waits for it then
 * waits for the end of the program. */
static SRWLOCK lock = SRWLOCK_INIT;

/* Whoever closes it last removes it: Windows does where this program ends. */
static void remove_when_closed(HANDLE draft) {
  FILE_DISPOSITION_INFO gone = {TRUE};
  SetFileInformationByHandle(draft, FileDispositionInfo, &gone, sizeof gone);
}

/* In a thread of its own. */
static BOOL WINAPI remove_unfinished(DWORD event) {
  (void)event;
  AcquireSRWLockExclusive(&lock);
  if (unfinished) remove_when_closed(unfinished_handle);
  before_the_end();
  return FALSE; /* the system's own handler ends the program */
}

void system_draft_clean_up_on_signals(void (*then)(void)) {
  before_the_end = then;
  SetConsoleCtrlHandler(remove_unfinished, TRUE);
}

/* Nobody else may remove or rename it while it is open. */
static HANDLE open_file(const char *path) {
  wchar_t *wide = wide_path(path);
  const HANDLE handle = CreateFileW(wide, GENERIC_WRITE | DELETE, FILE_SHARE_READ, NULL, CREATE_NEW,
                                    FILE_ATTRIBUTE_NORMAL, NULL);
  if (handle == INVALID_HANDLE_VALUE) fail_as_windows();
  free(wide);
  return handle;
}

static FILE *file_of(HANDLE handle) {
  return memory_or_exit(_fdopen(_open_osfhandle((intptr_t)handle, _O_WRONLY | _O_BINARY), "wb"));
}

/* Windows does not remove what somebody has open. */
static HANDLE open_new(struct system_draft *draft, const char *prefix) {
  const size_t size = strlen(prefix) + 16;
  draft->path = memory_get(size, 1);
  for (unsigned i = 0; i < DRAFTS; i++) {
    snprintf(draft->path, size, "%s%u", prefix, i);
    (void)system_remove(draft->path);
    const HANDLE handle = open_file(draft->path);
    if (handle != INVALID_HANDLE_VALUE) return handle;
    if (errno != EEXIST && errno != EACCES) break; /* EACCES: of one that is being removed, too */
  }
  return INVALID_HANDLE_VALUE;
}

static void forget(struct system_draft *draft) {
  free(draft->path);
  *draft = (struct system_draft){0};
}

bool system_draft_open(struct system_draft *draft, const char *prefix, const char *like) {
  (void)like; /* a file has the rights of its folder */
  *draft = (struct system_draft){0};
  AcquireSRWLockExclusive(&lock);
  const HANDLE handle = open_new(draft, prefix);
  if (handle != INVALID_HANDLE_VALUE) unfinished = draft, unfinished_handle = handle;
  ReleaseSRWLockExclusive(&lock);
  if (handle == INVALID_HANDLE_VALUE) return forget(draft), false;
  draft->file = file_of(handle);
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
  /* From here on the handler must not remove it: it may have the target's name by then. */
  AcquireSRWLockExclusive(&lock);
  unfinished = NULL;
  if (target && !error && !rename_open(handle, target)) error = errno;
  if (!target || error) remove_when_closed(handle);
  ReleaseSRWLockExclusive(&lock);
  if (fclose(draft->file) != 0 && !error) error = errno;
  forget(draft);
  errno = error;
  return error == 0;
}
