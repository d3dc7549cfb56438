/* Helps tests whose cmocka state is a table of kernels. Include cmocka first. */
#ifndef QUATSIMD_TESTS_SKIP_H
#define QUATSIMD_TESTS_SKIP_H

#include "support/kernels.h"

static inline const quatsimd_kernels *kernels_or_skip(void **state) {
  const quatsimd_kernels *k = *state;
  if (!can_run(k)) {
    print_message("SKIP: this CPU cannot run the %s kernels\n", k->name);
    skip();
  }
  return k;
}

#endif
