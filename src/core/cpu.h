#ifndef QUATSIMD_CPU_H
#define QUATSIMD_CPU_H

#include <stdbool.h>

/* Returns true if this CPU and its operating system can run the kernels called `isa`. These must be built in,
 * because sse2, neon, simd128 and scalar always give true. */
bool quatsimd_cpu_can_run(const char *isa);

#endif
