/* Skips the program if QUATSIMD_ISA names kernels that this CPU cannot run. Without the skip the program
 * would test the default kernels again. */
#ifndef QUATSIMD_TESTS_ISA_H
#define QUATSIMD_TESTS_ISA_H

#include "quatsimd/codec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77 };

static inline void skip_other_kernels(void) {
  const char *wanted = getenv("QUATSIMD_ISA");
  if (!wanted || strcmp(wanted, quatsimd_isa()) == 0) return;
  printf("SKIP: this CPU cannot run the %s kernels\n", wanted);
  exit(SKIPPED);
}

#endif
