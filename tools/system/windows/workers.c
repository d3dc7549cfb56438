/* Workers are this program again, with the same arguments; the environment tells one what it is. */
#include "system/workers.h"

#include <fcntl.h>
#include <inttypes.h>
#include <io.h>
#include <process.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/progress.h"
#include "base/text.h"
#include "system/files.h"
#include "system/windows/wide.h"
#include "system/windows/worker.h"

/* Handles, which have the same numbers in both programs, and whether the items are the same. */
#define VARIABLE L"QUATSIMD_WORKER"
#define VALUE L"%" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64

static HANDLE shared_count; /* of busy jobs */

static uint64_t number_of(HANDLE handle) { return (uint64_t)(uintptr_t)handle; }
static HANDLE handle_of(uint64_t number) { return (HANDLE)(uintptr_t)number; }

static bool receive(HANDLE from, void *to, size_t size) {
  char *at = to;
  while (size > 0) {
    DWORD got = 0;
    if (!ReadFile(from, at, size < 1 << 30 ? (DWORD)size : 1 << 30, &got, NULL) || got == 0) return false;
    at += got, size -= got;
  }
  return true;
}

static bool send_all(HANDLE to, const void *bytes, size_t size) {
  const char *at = bytes;
  while (size > 0) {
    DWORD sent = 0;
    if (!WriteFile(to, at, size < 1 << 30 ? (DWORD)size : 1 << 30, &sent, NULL)) return false;
    at += sent, size -= sent;
  }
  return true;
}

/* ---- the worker ---- */

static struct {
  bool is;
  HANDLE from, to; /* whoever asks */
  uint64_t same;
  int standard_error;
} worker;

bool worker_begin(void) {
  wchar_t value[100];
  uint64_t from, to, count;
  const DWORD length = GetEnvironmentVariableW(VARIABLE, value, 100);
  if (length == 0 || length >= 100 || swscanf(value, VALUE, &from, &to, &count, &worker.same) != 4)
    return false;
  if (GetFileType(handle_of(from)) != FILE_TYPE_PIPE || GetFileType(handle_of(to)) != FILE_TYPE_PIPE)
    return false;
  worker.is = true, worker.from = handle_of(from), worker.to = handle_of(to), shared_count = handle_of(count);
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX); /* no window where it crashes */
  worker.standard_error = _dup(2);
  const int null = _open("NUL", _O_WRONLY);
  if (null >= 0) _dup2(null, 2), _close(null);
  return true;
}

/* Until whoever asks is gone. */
_Noreturn static void serve(const struct workers *w) {
  size_t item;
  if (worker.standard_error >= 0) _dup2(worker.standard_error, 2);
  progress_is_elsewhere();
  if (worker.same != w->same) complain("a worker", "found other files than at the start of the run");
  while (worker.same == w->same && receive(worker.from, &item, sizeof item)) {
    struct system_memory answer;
    system_memory_open(&answer);
    w->work(w->context, item, answer.file);
    if (!system_memory_close(&answer) || !send_all(worker.to, &answer.size, sizeof answer.size) ||
        !send_all(worker.to, answer.text, answer.size))
      break;
    free(answer.text);
  }
  fflush(NULL);
  _exit(0);
}

/* ---- who asks ---- */

struct pool {
  const struct workers *w;
  CRITICAL_SECTION lock;
  size_t next;
  wchar_t *program;
  HANDLE null; /* input and output of workers */
  int error;   /* of the last one that could not be started */
};

struct asked {
  struct pool *pool;
  HANDLE process, to, from, thread;
};

static void close_handle(HANDLE *handle) {
  if (*handle) CloseHandle(*handle);
  *handle = NULL;
}

/* Ends for a worker to inherit, and for this program alone. */
static bool make_pipe(HANDLE *read, HANDLE *write, HANDLE *inherited) {
  if (!CreatePipe(read, write, NULL, 1 << 16)) return false;
  return SetHandleInformation(*inherited, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
}

/* These handles alone are for the worker: others would keep pipes open. */
static bool create(const struct pool *pool, HANDLE *handles, size_t count, HANDLE error,
                   PROCESS_INFORMATION *made) {
  STARTUPINFOEXW start = {.StartupInfo = {.cb = sizeof start,
                                          .dwFlags = STARTF_USESTDHANDLES,
                                          .hStdInput = pool->null,
                                          .hStdOutput = pool->null,
                                          .hStdError = error}};
  SIZE_T size = 0;
  InitializeProcThreadAttributeList(NULL, 1, 0, &size);
  start.lpAttributeList = memory_get(1, size);
  wchar_t *line = memory_get(wcslen(GetCommandLineW()) + 1, sizeof *line); /* which may be written to */
  wcscpy(line, GetCommandLineW());
  const bool has_list = InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &size);
  const bool good = has_list &&
                    UpdateProcThreadAttribute(start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
                                              handles, count * sizeof *handles, NULL, NULL) &&
                    CreateProcessW(pool->program, line, NULL, NULL, TRUE, EXTENDED_STARTUPINFO_PRESENT, NULL,
                                   NULL, &start.StartupInfo, made);
  if (!good) fail_as_windows();
  if (has_list) DeleteProcThreadAttributeList(start.lpAttributeList);
  free(line), free(start.lpAttributeList);
  return good;
}

/* Under the lock, as the environment is everybody's. */
static bool start(struct asked *a) {
  HANDLE its_from = NULL, its_to = NULL, handles[5];
  PROCESS_INFORMATION made = {0};
  size_t count = 0;
  bool good = make_pipe(&its_from, &a->to, &its_from) && make_pipe(&a->from, &its_to, &its_to);
  if (good) {
    wchar_t value[100];
    _snwprintf(value, 100, VALUE, number_of(its_from), number_of(its_to), number_of(shared_count),
               a->pool->w->same);
    SetEnvironmentVariableW(VARIABLE, value);
    handles[count++] = its_from, handles[count++] = its_to;
    if (shared_count) handles[count++] = shared_count;
    const HANDLE error = GetStdHandle(STD_ERROR_HANDLE);
    const bool is_heard = error && error != INVALID_HANDLE_VALUE &&
                          SetHandleInformation(error, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    handles[count++] = a->pool->null;
    if (is_heard) handles[count++] = error;
    good = create(a->pool, handles, count, is_heard ? error : a->pool->null, &made);
    SetEnvironmentVariableW(VARIABLE, NULL);
  } else {
    fail_as_windows();
  }
  close_handle(&its_from), close_handle(&its_to);
  if (!good) {
    a->pool->error = errno; /* of this thread */
    close_handle(&a->to), close_handle(&a->from);
    return false;
  }
  CloseHandle(made.hThread);
  a->process = made.hProcess;
  return true;
}

/* Returns its exit code. */
static DWORD stop(struct asked *a) {
  DWORD code = 0;
  if (!a->process) return 0;
  close_handle(&a->to), close_handle(&a->from);
  WaitForSingleObject(a->process, INFINITE);
  GetExitCodeProcess(a->process, &code);
  close_handle(&a->process);
  return code;
}

static bool ask(const struct asked *a, size_t item, char **text, size_t *size) {
  if (!send_all(a->to, &item, sizeof item) || !receive(a->from, size, sizeof *size)) return false;
  *text = memory_get(*size + 1, 1);
  return receive(a->from, *text, *size);
}

/* One thread for each worker: it asks, and waits for answers. */
static unsigned __stdcall attend(void *asked) {
  struct asked *a = asked;
  struct pool *pool = a->pool;
  const struct workers *w = pool->w;
  EnterCriticalSection(&pool->lock);
  while (pool->next < w->items && (a->process || start(a))) {
    const size_t item = pool->next++;
    if (w->busy) atomic_fetch_add(w->busy, 1);
    LeaveCriticalSection(&pool->lock);
    char *text = NULL, end[100] = "ended";
    size_t size = 0;
    const bool good = ask(a, item, &text, &size);
    const DWORD code = good ? 0 : stop(a);
    if (code > 1) snprintf(end, sizeof end, "was ended by error 0x%08lX", code);
    EnterCriticalSection(&pool->lock);
    if (w->busy) atomic_fetch_sub(w->busy, 1);
    w->done(w->context, item, good ? text : NULL, good ? size : 0, end);
    free(text);
  }
  LeaveCriticalSection(&pool->lock);
  stop(a);
  return 0;
}

/* This program and all that it starts from here on are one job, of which it alone has a handle: the workers
 * end where it does, however it does. So the handle stays open. */
static void begin_job(void) {
  static HANDLE job;
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  if (job || !(job = CreateJobObjectW(NULL, NULL))) return;
  SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
  AssignProcessToJobObject(job, GetCurrentProcess());
}

static wchar_t *program_path(void) {
  enum { MOST = 32768 }; /* of characters in a path */
  wchar_t *path = memory_get(MOST, sizeof *path);
  GetModuleFileNameW(NULL, path, MOST);
  return path;
}

static HANDLE open_null(void) {
  SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
  return CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                     OPEN_EXISTING, 0, NULL);
}

bool workers_run(const struct workers *w) {
  if (worker.is) serve(w);
  const size_t jobs = w->jobs < w->items ? w->jobs : w->items;
  struct pool pool = {.w = w, .program = program_path(), .null = open_null()};
  int error = 0;
  struct asked *asked = memory_get(jobs + 1, sizeof *asked);
  begin_job();
  fflush(NULL);
  InitializeCriticalSection(&pool.lock);
  for (size_t i = 0; i < jobs; i++) {
    asked[i].pool = &pool;
    asked[i].thread = (HANDLE)_beginthreadex(NULL, 0, attend, &asked[i], 0, NULL);
    if (!asked[i].thread) error = errno;
  }
  for (size_t i = 0; i < jobs; i++) {
    if (!asked[i].thread) continue; /* the others do what there is */
    WaitForSingleObject(asked[i].thread, INFINITE);
    CloseHandle(asked[i].thread);
  }
  DeleteCriticalSection(&pool.lock);
  const bool good = pool.next == w->items;
  if (!good) complain("a process", "cannot be started: %s", strerror(pool.error ? pool.error : error));
  CloseHandle(pool.null);
  free(pool.program), free(asked);
  return good;
}

atomic_size_t *workers_count(void) {
  SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
  const bool is_new = !shared_count;
  if (is_new)
    shared_count =
        CreateFileMappingW(INVALID_HANDLE_VALUE, &inherited, PAGE_READWRITE, 0, sizeof(atomic_size_t), NULL);
  atomic_size_t *count =
      shared_count ? MapViewOfFile(shared_count, FILE_MAP_WRITE, 0, 0, sizeof *count) : NULL;
  if (count && is_new) atomic_init(count, 0);
  return count;
}

size_t workers_default(void) {
  const DWORD processors = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
  return processors > 0 ? processors : 1;
}
