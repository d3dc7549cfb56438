/* The instruction sets that this CPU can run. */
#ifndef QUATSIMD_CPU_H
#define QUATSIMD_CPU_H

#include <stdbool.h>

/* Returns true if this CPU and its operating system can run the kernels of that name, false for an unknown
 * name. The kernels must be built in: sse2, neon and simd128 count as present. */
bool quatsimd_cpu_can_run(const char *isa);

#endif
