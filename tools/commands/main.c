/* The command quatsimd. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "commands/command.h"
#include "files/output.h"
#include "system/program.h"

int main(int argc, char **argv) {
  system_begin();
  system_arguments(&argc, &argv);
  output_clean_up_on_signals();
  const int status = command_run(argc, argv, stdout, stderr);
  errno = 0;
  if (fclose(stdout) == 0 || status != STATUS_OK) return status;
  complain("standard output", "cannot write%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
  return STATUS_BAD_INPUT;
}
