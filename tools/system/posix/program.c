#include "system/program.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* A standard stream that is closed would lend its number to the next file, and messages would go there.
 * Reading and writing it fails as before. */
static void hold_standard_streams(void) {
  for (int i = 0; i < 3; i++)
    if (fcntl(i, F_GETFD) < 0) (void)open("/dev/null", i == 0 ? O_WRONLY : O_RDONLY);
}

void system_begin(void) {
  hold_standard_streams();
  signal(SIGXFSZ, SIG_IGN);
}

void system_arguments(int *argc, char ***argv) { (void)argc, (void)argv; }

void system_operands(char ***operands, size_t *count) { (void)operands, (void)count; }

bool system_terminal(void) { return isatty(STDERR_FILENO); }

size_t system_processors(void) {
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return processors > 0 ? (size_t)processors : 1;
}
