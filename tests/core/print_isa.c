/* Prints the name of the active kernels. With an argument it prints the names of all kernels that this CPU
 * can run, the most preferred first. */
#include "core/cpu.h"
#include "core/dispatch.h"

#include <stdio.h>

int main(int argc, char **argv) {
  (void)argv;
  if (argc == 1) return puts(quatsimd_isa()) < 0;
  for (size_t i = 0; quatsimd_kernel_list[i]; i++)
    if (quatsimd_cpu_can_run(quatsimd_kernel_list[i]->name)) puts(quatsimd_kernel_list[i]->name);
  return 0;
}
