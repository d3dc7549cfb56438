#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "system/files.h"

void system_lock_folder(struct system_lock *lock, const char *folder) {
  lock->fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock->fd >= 0) (void)flock(lock->fd, LOCK_EX);
}

void system_unlock_folder(struct system_lock *lock) {
  if (lock->fd >= 0) close(lock->fd);
}
