/* The instruction sets that this CPU can run. */
#ifndef QUATSIMD_CPU_H
#define QUATSIMD_CPU_H

#include <stdbool.h>

/* Whether this CPU and its operating system can run the kernels of that name that are built for its machine;
 * false for an unknown name. */
bool quatsimd_cpu_can_run(const char *isa);

#endif
