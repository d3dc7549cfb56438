/* Prints the name of the kernels in use; with an argument those that this CPU can run, best first. For
 * test_isa.sh. */
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
