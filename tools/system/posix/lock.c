#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "system/files.h"

intptr_t system_lock_folder(const char *folder) {
  const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) (void)flock(fd, LOCK_EX);
  return fd;
}

void system_unlock_folder(intptr_t lock) {
  if (lock >= 0) close((int)lock);
}
