#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "system/files.h"

/* Of one session on one machine. */
void system_lock_folder(struct system_lock *lock, const char *folder) {
  struct system_look look;
  char name[64];
  lock->handle = NULL;
  if (!system_look(folder, &look)) return;
  snprintf(name, sizeof name, "Local\\quatsimd-%llx-%llx", (unsigned long long)look.volume,
           (unsigned long long)look.number);
  lock->handle = CreateMutexA(NULL, FALSE, name);
  if (lock->handle) WaitForSingleObject(lock->handle, INFINITE);
}

void system_unlock_folder(struct system_lock *lock) {
  if (lock->handle) ReleaseMutex(lock->handle), CloseHandle(lock->handle);
}
