#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "system/files.h"

/* Among the programs of one session. */
intptr_t system_lock_folder(const char *folder) {
  struct system_look look;
  char name[64];
  if (!system_look(folder, &look)) return 0;
  snprintf(name, sizeof name, "Local\\quatsimd-%llx-%llx", (unsigned long long)look.volume,
           (unsigned long long)look.number);
  const HANDLE mutex = CreateMutexA(NULL, FALSE, name);
  if (mutex) WaitForSingleObject(mutex, INFINITE);
  return (intptr_t)mutex;
}

void system_unlock_folder(intptr_t lock) {
  if (lock) ReleaseMutex((HANDLE)lock), CloseHandle((HANDLE)lock);
}
