/* Switches flush-to-zero and denormals-are-zero on or off if the CPU has these modes. */
#ifndef QUATSIMD_TESTS_DENORMALS_H
#define QUATSIMD_TESTS_DENORMALS_H

#include "quatsimd/version.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
static inline bool flush_denormals(bool on) {
  const unsigned flush = 0x8000, are_zero = 0x40;
  _mm_setcsr(on ? _mm_getcsr() | flush | are_zero : _mm_getcsr() & ~(flush | are_zero));
  return true;
}
#elif defined(__aarch64__)
static inline bool flush_denormals(bool on) {
  uint64_t fpcr;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  fpcr = on ? fpcr | (UINT64_C(1) << 24) : fpcr & ~(UINT64_C(1) << 24);
  __asm__ volatile("msr fpcr, %0" : : "r"(fpcr) : "memory");
  return true;
}
#else
static inline bool flush_denormals(bool on) {
  (void)on;
  return false;
}
#endif

/* Compares `count` hashes with their goldens, with the denormal modes off and on. */
static inline void check_goldens(const uint64_t *goldens, int count, uint64_t (*hash)(int)) {
  unsigned wrong = 0;
  for (int flush = 0; flush < 2; flush++) {
    if (!flush_denormals(flush)) {
      print_message("SKIP: no denormal modes on this CPU\n");
      if (flush) break;
    }
    for (int i = 0; i < count; i++) {
      const uint64_t is = hash(i);
      if (is != goldens[i])
        print_error("%s kernels, golden %d%s: the hash is 0x%016llx\n", quatsimd_isa(), i,
                    flush ? ", denormals flushed" : "", (unsigned long long)is),
            wrong++;
    }
    flush_denormals(false);
  }
  assert_int_equal(wrong, 0);
}

#endif
